//! Hostile text made fit to be shown, and data in words: lengths are bounded, control and direction characters are gone.

use std::borrow::Cow;
use std::collections::BTreeMap;

use reqgate_base::clean::one_line;
use reqgate_messages as messages;
use serde::Serialize;
use serde_json::Value;

/// Characters of a line that are shown.
const LONGEST_LINE: usize = 600;

/// Characters of a value that are shown.
const LONGEST_VALUE: usize = 8_000;

/// Values of one piece of data that are shown.
const MOST_VALUES: usize = 200;

/// Levels of a piece of data that are shown as such.
const DEEPEST: usize = 12;

/// Kinds of costs that are summed.
const MOST_COSTS: usize = 24;

/// The start of a text, and how much is left out.
pub(super) fn clip(text: &str, most: usize) -> Cow<'_, str> {
    match text.char_indices().nth(most) {
        None => Cow::Borrowed(text),
        Some((end, _)) => Cow::Owned(format!("{} … (+{} B)", &text[..end], text.len() - end)),
    }
}

/// One line that may be shown.
pub(super) fn line(text: &str) -> String {
    one_line(&clip(text, LONGEST_LINE)).into_owned()
}

/// Lines that may be shown.
fn paragraphs(text: &str, most: usize) -> String {
    clip(text, most).lines().map(line).collect::<Vec<_>>().join("\n")
}

/// A value of a piece of data, and where it is in it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct Field {
    /// Its place, such as `answers.scope`; empty for the whole.
    pub path: String,
    /// The value.
    pub text: String,
}

/// A piece of data as its values, one by one. Empty values are left out.
pub(super) fn fields(value: &Value, left_out: &[&str], said: &messages::Flow) -> Vec<Field> {
    let mut out = Vec::new();
    collect("", value, DEEPEST, said, &mut out);
    let more = out.len().saturating_sub(MOST_VALUES);
    out.truncate(MOST_VALUES);
    out.retain(|field| !left_out.contains(&field.path.as_str()));
    if more > 0 {
        out.push(Field { path: "…".to_owned(), text: said.not_shown.to_owned() });
    }
    out
}

fn collect(path: &str, value: &Value, deeper: usize, said: &messages::Flow, out: &mut Vec<Field>) {
    if out.len() > MOST_VALUES {
        return;
    }
    let mut add = |text: String| out.push(Field { path: line(path), text });
    match value {
        Value::Null => {}
        Value::String(text) if text.is_empty() => {}
        Value::String(text) => add(paragraphs(text, LONGEST_VALUE)),
        Value::Bool(true) => add(said.yes.to_owned()),
        Value::Bool(false) => add(said.no.to_owned()),
        Value::Number(number) => add(number.to_string()),
        Value::Array(_) | Value::Object(_) if deeper == 0 => add(paragraphs(&value.to_string(), LONGEST_VALUE)),
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                collect(&format!("{path}[{index}]"), item, deeper - 1, said, out);
            }
        }
        Value::Object(members) => {
            for (name, member) in members {
                let place = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
                collect(&place, member, deeper - 1, said, out);
            }
        }
    }
}

/// Adds the numbers of a report of costs to a sum, by their places.
pub(super) fn add_usage(usage: &Value, sum: &mut BTreeMap<String, f64>) {
    fn walk(path: &str, value: &Value, deeper: usize, sum: &mut BTreeMap<String, f64>) {
        match value {
            Value::Number(number) => {
                let name = line(path);
                if sum.len() < MOST_COSTS || sum.contains_key(&name) {
                    *sum.entry(name).or_default() += number.as_f64().unwrap_or_default();
                }
            }
            Value::Object(members) if deeper > 0 => {
                for (name, member) in members.iter().take(MOST_COSTS) {
                    let place = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
                    walk(&place, member, deeper - 1, sum);
                }
            }
            _ => {}
        }
    }
    walk("", usage, 4, sum);
}

/// Costs in words: `input_tokens 120, output_tokens 40`.
pub(super) fn usage(sum: &BTreeMap<String, f64>) -> String {
    let amount = |value: f64| if value.fract() == 0.0 { format!("{value:.0}") } else { format!("{value:.4}") };
    let parts: Vec<String> = sum.iter().map(|(name, value)| format!("{name} {}", amount(*value))).collect();
    parts.join(", ")
}

/// The time between two points in RFC 3339 format, in words; `None` if one of them is not valid, or if it is less than
/// a second.
pub(super) fn between(from: &str, to: &str, said: &messages::Flow) -> Option<String> {
    let time = |text: &str| chrono::DateTime::parse_from_rfc3339(text).ok();
    let seconds = (time(to)? - time(from)?).num_seconds();
    let count = |size: i64| usize::try_from(seconds / size).unwrap_or_default();
    match seconds {
        ..1 => None,
        1..120 => Some(said.seconds(count(1))),
        120..7_200 => Some(said.minutes(count(60))),
        7_200..172_800 => Some(said.hours(count(3_600))),
        _ => Some(said.days(count(86_400))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use reqgate_base::model::Language;
    use serde_json::json;

    #[test]
    fn data_is_told_value_by_value() {
        let value = json!({ "kind": "x", "a": [{ "b": "one\ntwo\u{202e}" }, 3], "c": false, "d": null, "e": "" });
        let told: Vec<(String, String)> = fields(&value, &["kind"], messages::Flow::of(Language::En))
            .into_iter()
            .map(|field| (field.path, field.text))
            .collect();
        let expected = [("a[0].b", "one\ntwo"), ("a[1]", "3"), ("c", "no")];
        assert_eq!(told, expected.map(|(path, text)| (path.to_owned(), text.to_owned())));
        assert!(fields(&json!(vec![1; 100_000]), &[], messages::Flow::of(Language::En)).len() <= MOST_VALUES + 1);
        let mut deep = json!(1);
        for _ in 0..100 {
            deep = json!([deep]);
        }
        assert_eq!(fields(&deep, &[], messages::Flow::of(Language::En)).len(), 1);
    }

    #[test]
    fn costs_are_summed_by_their_places() {
        let mut sum = BTreeMap::new();
        add_usage(&json!({ "tokens": { "in": 3, "out": 1 }, "dollars": 0.25, "model": "m" }), &mut sum);
        add_usage(&json!({ "tokens": { "in": 4 } }), &mut sum);
        assert_eq!(usage(&sum), "dollars 0.2500, tokens.in 7, tokens.out 1");
    }

    #[test]
    fn times_are_told_in_the_largest_unit_that_fits() {
        let from = "2026-01-02T12:00:00Z";
        for (to, words) in [
            ("2026-01-02T12:00:00.900Z", None),
            ("2026-01-02T12:00:01Z", Some("1 second")),
            ("2026-01-02T12:03:30Z", Some("3 minutes")),
            ("2026-01-02T15:00:00Z", Some("3 hours")),
            ("2026-01-09T12:00:00Z", Some("7 days")),
            ("soon", None),
        ] {
            assert_eq!(between(from, to, messages::Flow::of(Language::En)).as_deref(), words, "{to}");
        }
    }
}
