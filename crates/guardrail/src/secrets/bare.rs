//! Secret access keys without a name: forty random characters of base64 on their own, as AWS and others give them out.

use reqgate_base::model::Span;

use super::super::nearby;
use super::entropy;

/// Length of a key, in bytes.
const LENGTH: usize = 40;
/// Characters by which a key next to its id may be too short or too long.
const MISCOPIED: usize = 3;
/// Longest part of a path next to a key, in bytes; longer ones are pieces of a file that is written as base64.
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

/// The secret halves of key pairs, found in the lines of their key ids: most pairs are passed on as `id / secret`, without a name.
///
/// Next to an id, a run counts in any surroundings, even if a character was lost or added in copying.
pub(super) fn beside(text: &str, ids: impl Iterator<Item = Span>) -> Vec<Span> {
    let mut keys = Vec::new();
    let mut read_to = 0;
    for id in ids {
        // Several ids of one line share its secrets.
        if id.start < read_to {
            continue;
        }
        let start = text[..id.start].rfind('\n').map_or(0, |at| at + 1);
        read_to = text[id.end..].find('\n').map_or(text.len(), |at| id.end + at);
        let runs = text[start..read_to].split(|c: char| !u8::try_from(c).is_ok_and(is_base64));
        let parts = runs.flat_map(|run| run.split(id.slice(text)));
        let alike = parts.map(|run| run.trim_matches('/')).filter(|run| LENGTH.abs_diff(run.len()) <= MISCOPIED);
        let secret = alike.filter(|run| is_mixed(run) && !entropy::is_masked(run));
        keys.extend(secret.map(|run| nearby::place_of(text, run)));
    }
    keys
}

fn is_mixed(value: &str) -> bool {
    let has = |test: fn(&u8) -> bool| value.bytes().any(|byte| test(&byte));
    has(u8::is_ascii_uppercase) && has(u8::is_ascii_lowercase) && has(u8::is_ascii_digit)
}

fn is_base64(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/')
}

/// The key in a run of base64, which may be between short parts of a path.
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
    let pairs = || value.as_bytes().windows(2).map(|pair| (class(pair[0]), class(pair[1])));
    let changes = pairs().filter(|(one, next)| one != next).count();
    let besides = pairs().filter(|(one, next)| (*one < 2) != (*next < 2)).count();
    let mixed = is_mixed(value) && changes >= FEWEST_CHANGES && besides >= FEWEST_BESIDES_LETTERS;
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
    fn the_other_half_of_a_pair_is_found_in_the_line_of_its_id() {
        let id = "AKIAZ5YQ3X7KLMNO2PQR";
        // The key has one character too many, and too few of the changes that a key without an id needs.
        let long = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYzK3qT9vWm2L";
        for place in [format!("Use {id} / {long} for it"), format!("{long}/{id}"), format!("{id}/{long}.")] {
            let at = place.find(id).unwrap();
            let found = beside(&place, [Span::new(at, at + id.len())].into_iter());
            assert_eq!(found.iter().map(|span| span.slice(&place)).collect::<Vec<_>>(), [long], "{place}");
            assert_eq!(find(&place), []);
        }
        let next = format!("{id}\n{long}");
        assert_eq!(beside(&next, [Span::new(0, id.len())].into_iter()), []);
        let plain = format!("{id} getTheLongestNameOfAllTheClassesInPackage");
        assert_eq!(beside(&plain, [Span::new(0, id.len())].into_iter()), []);
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
