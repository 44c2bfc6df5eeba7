//! Finds the JSON object in what a model says: alone, in a fence, or somewhere in prose.

use serde_json::{Deserializer, Value};

/// After so many braces that open nothing, a text holds no object.
const MOST_TRIES: usize = 64;

/// The object in `text`; of several, the longest. Takes time linear in the text.
pub fn extract(text: &str) -> Option<Value> {
    // What a model thinks aloud may hold drafts of the answer.
    let said = text.rsplit_once("</think>").map_or(text, |(_, said)| said);
    let said = said.trim_start_matches('\u{feff}').trim();
    if let Ok(value @ Value::Object(_)) = serde_json::from_str(said) {
        return Some(value);
    }
    let mut longest: Option<(usize, Value)> = None;
    let mut at = 0;
    let mut tries = 0;
    while let Some(brace) = said[at..].find('{') {
        let start = at + brace;
        let mut values = Deserializer::from_str(&said[start..]).into_iter::<Value>();
        match values.next() {
            Some(Ok(value)) => {
                let length = values.byte_offset();
                if longest.as_ref().is_none_or(|(other, _)| length > *other) {
                    longest = Some((length, value));
                }
                at = start + length;
            }
            // The text ends within an object: the answer was cut off, and an object inside it is not the answer.
            Some(Err(error)) if error.is_eof() => return None,
            _ => {
                tries += 1;
                if tries == MOST_TRIES {
                    break;
                }
                at = start + 1;
            }
        }
    }
    longest.map(|(_, value)| value)
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    #[test]
    fn an_object_is_found_wherever_it_stands() {
        let expected = Some(json!({"a": [1, {"b": "}"}]}));
        for text in [
            r#"{"a":[1,{"b":"}"}]}"#,
            "\u{feff} {\"a\":[1,{\"b\":\"}\"}]}\n",
            "Sure! Here it is:\n```json\n{\"a\":[1,{\"b\":\"}\"}]}\n```\nAnything else?",
            "```\n{\"a\":[1,{\"b\":\"}\"}]}\n```",
            "<think>{\"a\": 2, \"draft\": \"of a longer answer\"}</think>{\"a\":[1,{\"b\":\"}\"}]}",
            "The set {x} holds: {\"a\":[1,{\"b\":\"}\"}]}",
            "{\"x\":1} 好的：{\"a\":[1,{\"b\":\"}\"}]}。",
        ] {
            assert_eq!(extract(text), expected, "{text}");
        }
    }

    #[test]
    fn what_is_cut_off_or_no_object_is_nothing() {
        for text in ["", "I cannot do that.", "[1, 2]", "\"{\"", r#"{"a": [1, 2"#, r#"{"a": [{"b": 1}, {"b""#, "{}}{"] {
            assert_eq!(extract(text), None, "{text}");
        }
    }

    #[test]
    fn a_megabyte_of_braces_takes_no_time() {
        for unit in ["{", "{\"a\":", "{\"a\":[", "{\"k\":[{\"a\":1},", "{\"", "}{"] {
            let text = unit.repeat(1_000_000 / unit.len());
            let start = Instant::now();
            let _ = extract(&text);
            assert!(start.elapsed() < Duration::from_secs(5), "{unit} took {:?}", start.elapsed());
        }
    }

    proptest! {
        #[test]
        fn extraction_never_panics(text in "[{}\\[\\]\":,a1é好\\\\ \n`]{0,200}") {
            let _ = extract(&text);
        }
    }
}
