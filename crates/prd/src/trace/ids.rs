//! Finds ids of requirements in any text: `FR-001`, `fr_001`, `FR001`, `@FR-001`; never as a part of a longer id.

use std::collections::BTreeMap;

use regex::bytes::Regex;

/// The fewest digits of an id that is found in any spelling. Shorter ids such as `REQ-1` look too much like variable names.
const SAFE_DIGITS: usize = 3;
/// The fewest letters of an id that is found in upper and lower case.
const SAFE_LETTERS: usize = 2;

/// Finds the ids of some families: `FR`, `NFR`, `REQ-AUTH`.
#[derive(Debug)]
pub(super) struct IdFinder {
    regex: Option<Regex>,
    /// The ids to find, by canonical form; the value is true for an id written without a separator.
    known: BTreeMap<String, bool>,
}

/// An id that was found in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct IdMention {
    /// The canonical form: capitals and hyphens, with the digits as written.
    pub id: String,
    /// The byte offset of its start.
    pub start: usize,
    /// The id is written as in documents: capitals and hyphens.
    pub is_formal: bool,
}

/// The canonical form of an id: `fr_001` and `FR001` are `FR-001`. `None` for text that is not an id.
pub(super) fn canonical(written: &str) -> Option<String> {
    let digits = written.trim_start_matches(|c: char| !c.is_ascii_digit());
    let family = family_of(written)?;
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| format!("{family}-{digits}"))
}

/// The letters of an id in canonical form: `REQ-AUTH` for `req_auth_3`.
fn family_of(written: &str) -> Option<String> {
    let end = written.find(|c: char| c.is_ascii_digit()).unwrap_or(written.len());
    let letters = written[..end].trim_end_matches(['-', '_']);
    let is_family = letters.starts_with(|c: char| c.is_ascii_alphabetic())
        && letters.bytes().all(|byte| byte.is_ascii_alphabetic() || matches!(byte, b'-' | b'_'));
    is_family.then(|| letters.to_ascii_uppercase().replace('_', "-"))
}

impl IdFinder {
    /// Creates a finder for the families of these ids, given as documents write them.
    pub(super) fn new<'i>(written: impl IntoIterator<Item = &'i str>) -> Self {
        let mut known = BTreeMap::new();
        let mut families: Vec<String> = Vec::new();
        for id in written {
            let (Some(name), Some(family)) = (canonical(id), family_of(id)) else { continue };
            known.insert(name, !id.contains(['-', '_']));
            families.push(family);
        }
        // The longest first, because `NFR` contains `FR`.
        families.sort_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
        families.dedup();
        let alternatives: Vec<String> = families.iter().map(|family| family.replace('-', "[-_]?")).collect();
        let pattern = format!("(?i-u)(?:{})[-_]?[0-9]+", alternatives.join("|"));
        let regex = if families.is_empty() { None } else { Regex::new(&pattern).ok() };
        Self { regex, known }
    }

    /// Returns true for an id that is searched for.
    pub(super) fn is_known(&self, id: &str) -> bool {
        self.known.contains_key(id)
    }

    /// The ids in a text, in order.
    pub(super) fn find<'t>(&'t self, text: &'t [u8]) -> impl Iterator<Item = IdMention> + 't {
        let all = self.regex.iter().flat_map(move |regex| regex.find_iter(text));
        all.filter_map(move |found| self.judged(text, found.start(), found.end()))
    }

    /// The id at a position, if it is complete there.
    fn judged(&self, text: &[u8], start: usize, end: usize) -> Option<IdMention> {
        let written = std::str::from_utf8(&text[start..end]).ok()?;
        let id = canonical(written)?;
        let digits = id.len() - id.trim_end_matches(|c: char| c.is_ascii_digit()).len();
        let letters = id.bytes().filter(u8::is_ascii_alphabetic).count();
        let is_upper = !written.bytes().any(|byte| byte.is_ascii_lowercase());
        let has_separator =
            written.as_bytes().get(written.len() - digits - 1).is_some_and(|byte| matches!(byte, b'-' | b'_'));
        if !begins_whole(text, start, has_separator) || !ends_whole(text, end) {
            return None;
        }
        if digits < SAFE_DIGITS || letters < SAFE_LETTERS {
            let is_written_so = has_separator || self.known.get(&id).copied().unwrap_or(false);
            if !is_upper || !is_written_so {
                return None;
            }
        }
        let is_formal = is_upper && has_separator && !written.contains('_');
        Some(IdMention { id, start, is_formal })
    }
}

/// Returns false if a longer word or id begins before: `xFR-001`, `ACME-FR-001`. The names `testFR001` and `test_fr_001` count.
fn begins_whole(text: &[u8], start: usize, has_separator: bool) -> bool {
    let before = |back: usize| start.checked_sub(back).and_then(|at| text.get(at)).copied();
    let first_is_upper = text[start].is_ascii_uppercase();
    match before(1) {
        Some(byte) if byte.is_ascii_lowercase() => first_is_upper && !has_separator,
        Some(byte) if byte.is_ascii_alphanumeric() => false,
        Some(b'-') => !(first_is_upper && before(2).is_some_and(|byte| byte.is_ascii_uppercase())),
        _ => true,
    }
}

/// Returns false if the id continues as a longer one (`FR-0010`, `FR-001.2`, `FR-001-2`, `FR-001a`) or as a
/// word. The name `FR001Prints` counts.
fn ends_whole(text: &[u8], end: usize) -> bool {
    match text.get(end) {
        Some(byte) if byte.is_ascii_lowercase() || byte.is_ascii_digit() => false,
        Some(b'.' | b'-') => !text.get(end + 1).is_some_and(u8::is_ascii_digit),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(ids: &[&str], text: &str) -> Vec<String> {
        IdFinder::new(ids.iter().copied()).find(text.as_bytes()).map(|found| found.id).collect()
    }

    #[test]
    fn an_id_is_found_in_each_spelling_and_never_in_a_longer_one() {
        let ids = ["FR-001", "NFR-002"];
        for text in [
            "FR-001",
            "fr_001",
            "FR001",
            "@FR-001",
            "fn fr_001_prints() {",
            "def test_fr_001_label():",
            "testFR001Prints",
            "需求FR-001的测试",
            "[FR-001]",
            "FR-001.",
            "FR-001-AC2",
            "test-fr-001-x",
            "004-export-FR-001",
            "FR_001",
            "Fr-001",
        ] {
            assert_eq!(found(&ids, text), ["FR-001"], "{text}");
        }
        for text in [
            "FR-0010",
            "FR-001a",
            "xfr001",
            "xFR-001",
            "XFR-001",
            "ACME-FR-001",
            "FR-001.2",
            "FR-001-2",
            "fr001a",
            "afr_001",
            "FR 001",
            "FR--001",
        ] {
            assert!(!found(&ids, text).contains(&"FR-001".to_owned()), "{text}");
        }
        assert_eq!(found(&ids, "NFR-002 nfr_002 FR-002"), ["NFR-002", "NFR-002", "FR-002"]);
    }

    #[test]
    fn a_short_id_is_found_only_as_documents_write_it() {
        assert_eq!(found(&["REQ-1"], "let req1 = req_1; REQ1; // REQ-1 and REQ_1"), ["REQ-1", "REQ-1"]);
        assert_eq!(found(&["R7"], "mov r7, r8 ; R7"), ["R-7"]);
        assert_eq!(found(&["REQ-AUTH-3"], "REQ-AUTH-3, REQ-AUTH-30, REQ-3"), ["REQ-AUTH-3", "REQ-AUTH-30"]);
    }

    #[test]
    fn a_finder_of_nothing_finds_nothing() {
        assert_eq!(found(&[], "FR-001"), Vec::<String>::new());
    }
}
