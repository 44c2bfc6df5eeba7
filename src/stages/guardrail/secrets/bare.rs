//! Secret access keys without a name: forty random characters of base64 that stand alone, as AWS and others give them out.

use crate::model::Span;

use super::entropy;

/// Length of a key, in bytes.
const LENGTH: usize = 40;
/// Longest part of a path beside a key, in bytes; longer ones are pieces of a file that is written as base64.
const LONGEST_PART: usize = 16;
/// Fewest changes between capitals, small letters, digits and marks, fewest of them between letters and others, and least
/// entropy in bits per character: names of many words and numbers in hexadecimal have less.
const FEWEST_CHANGES: usize = 15;
const FEWEST_BESIDES_LETTERS: usize = 4;
const LEAST_ENTROPY: f32 = 4.0;

/// Every key of the text, in order.
pub(super) fn find(text: &str) -> Vec<Span> {
    let bytes = text.as_bytes();
    let mut keys = Vec::new();
    let mut at = 0;
    // Most places are passed over from the far end of the shortest key that could begin there.
    while let Some(least) = bytes.get(at..at + LENGTH) {
        if let Some(other) = least.iter().rposition(|byte| !is_base64(*byte)) {
            at += other + 1;
            continue;
        }
        let length = bytes[at..].iter().take_while(|byte| is_base64(**byte)).count();
        keys.extend(in_run(text, Span::new(at, at + length)));
        at += length + 1;
    }
    keys
}

fn is_base64(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/')
}

/// The key in a run of base64, which may stand between short parts of a path.
fn in_run(text: &str, run: Span) -> Option<Span> {
    let around = (run.start.checked_sub(1).map(|at| text.as_bytes()[at]), text.as_bytes().get(run.end).copied());
    let goes_on = |byte: Option<u8>| matches!(byte, Some(b'-' | b'_' | b'.' | b'@' | b'%' | b'$'));
    if goes_on(around.0) || goes_on(around.1) && !text[run.end..].starts_with(". ") || around.1 == Some(b'=') {
        return None;
    }
    if run.len() == LENGTH {
        return is_random(run.slice(text)).then_some(run);
    }
    let mut parts = run.slice(text).split('/').filter(|part| part.len() > LONGEST_PART);
    let key = parts.next().filter(|part| part.len() == LENGTH && is_random(part))?;
    let start = run.start + run.slice(text).find(key)?;
    parts.next().is_none().then(|| Span::new(start, start + LENGTH))
}

fn is_random(value: &str) -> bool {
    let class = |byte: u8| match byte {
        b'A'..=b'Z' => 0,
        b'a'..=b'z' => 1,
        b'0'..=b'9' => 2,
        _ => 3,
    };
    let has = |wanted: u8| value.bytes().any(|byte| class(byte) == wanted);
    let pairs = || value.as_bytes().windows(2).map(|pair| (class(pair[0]), class(pair[1])));
    let changes = pairs().filter(|(one, next)| one != next).count();
    let besides = pairs().filter(|(one, next)| (*one < 2) != (*next < 2)).count();
    let mixed = has(0) && has(1) && has(2) && changes >= FEWEST_CHANGES && besides >= FEWEST_BESIDES_LETTERS;
    mixed && entropy::shannon(value) >= LEAST_ENTROPY && !entropy::is_masked(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[&str]) {
        let found: Vec<&str> = find(text).into_iter().map(|span| span.slice(text)).collect();
        assert_eq!(found, expected, "{text}");
    }

    /// Put together here, so that no scanner takes this file for a leak.
    fn key() -> String {
        format!("q8Zr2LmN5tVx{}/bH3sWc6PzEa9UgYk4Jd", "9KwB+1R3")
    }

    #[test]
    fn a_key_is_found_wherever_it_stands_alone() {
        let key = key();
        for place in ["4711,Meier,{},open", "'{}'", "a=1&f={}&b=2", "the key {}. It leaked"] {
            check(&place.replace("{}", &key), &[&key]);
        }
        let plain = key.replace('/', "x");
        check(&format!("Meier/{plain}/open"), &[&plain]);
    }

    #[test]
    fn digests_names_and_files_are_no_keys() {
        for text in [
            "3f786850e387550fdab836ed7e6dc881de23001b",
            "getTheLongestNameOfAllTheClassesInPack01",
            "src/Shop/Order/Export2/Writers/CsvWriter",
            "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9Q",
            "sha512-q8Zr2LmN5tVx9KwB+1R/bH3sWc6PzEa9UgYk4JdTfQ7==",
        ] {
            check(text, &[]);
        }
    }
}
