//! Finds ids of requirements and criteria as people write them: `FR-001`, `NFR12`, `REQ-7`, `AC3`.

use super::lexicon::is_latin_word;
use crate::words::requirement_ids::{MENTIONING_FILLERS, MENTIONING_HEADINGS};
use reqgate_base::model::Span;

/// An id in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ItemId {
    /// The place of the id.
    pub span: Span,
    /// The letters of the id, e.g. `FR`.
    pub prefix: Span,
    /// The number of the id; leading zeros do not count.
    pub number: u32,
}

/// Prefixes that name requirements, criteria and the like; others (`UTF-8`, `RS-232`) are names of things.
const PREFIXES: &[&str] =
    &["FR", "NFR", "REQ", "AC", "UC", "BR", "US", "SR", "UR", "PR", "DR", "QR", "TC", "RQ", "F", "NF"];

/// Returns true for a heading over lines that begin with ids of requirements defined elsewhere:
/// "7. Requirements traceability matrix". A feature may be about such a thing: "Batch traceability".
pub fn only_mentions(heading: &str) -> bool {
    let words = heading.to_lowercase();
    MENTIONING_HEADINGS.iter().any(|name| {
        words.split_once(name).is_some_and(|(before, behind)| {
            let rest = [before, behind].into_iter().flat_map(|part| part.split(|c: char| !c.is_alphanumeric()));
            rest.filter(|word| !word.is_empty()).all(|word| {
                let numbers = word.chars().all(|c| c.is_ascii_digit()) || word.chars().count() == 1;
                numbers || MENTIONING_FILLERS.has(word)
            })
        })
    })
}

/// The ids in a piece of text, in order.
pub fn item_ids(text: &str, within: Span) -> Vec<ItemId> {
    let slice = within.slice(text);
    let bytes = slice.as_bytes();
    let mut out = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let starts = bytes[at].is_ascii_uppercase() && !slice[..at].chars().next_back().is_some_and(is_latin_word);
        if !starts {
            at += 1;
            continue;
        }
        let run = |from: usize, test: fn(&u8) -> bool| bytes[from..].iter().take_while(|b| test(b)).count();
        let letters = at + run(at, u8::is_ascii_uppercase);
        let gap = usize::from(bytes.get(letters).is_some_and(|b| matches!(b, b'-' | b'_')));
        let digits = letters + gap;
        let end = digits + run(digits, u8::is_ascii_digit);
        let whole = !slice[end..].chars().next().is_some_and(is_latin_word);
        // One letter needs the hyphen: `F-3` is an id, `F5` a key.
        let known = PREFIXES.contains(&&slice[at..letters]) && (gap == 1 || letters - at > 1);
        // `FR-1.2` is its own id, below FR-1.
        let deeper = bytes.get(end) == Some(&b'.') && bytes.get(end + 1).is_some_and(u8::is_ascii_digit);
        match slice[digits..end].parse() {
            Ok(number) if whole && known && !deeper => {
                let span = |from: usize, to: usize| Span::new(within.start + from, within.start + to);
                out.push(ItemId { span: span(at, end), prefix: span(at, letters), number });
                at = end;
            }
            _ => at = letters.max(end),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_of_requirements_are_found_and_names_of_things_are_not() {
        let text = "FR-001 and NFR12 follow REQ-7, not UTF-8, F5, FR-1.2 or xFR-3; 需求FR-9";
        let found: Vec<_> = item_ids(text, Span::new(0, text.len())).iter().map(|id| id.span.slice(text)).collect();
        assert_eq!(found, ["FR-001", "NFR12", "REQ-7", "FR-9"]);
    }

    #[test]
    fn a_feature_that_is_named_after_a_list_of_traces_is_none() {
        for heading in [
            "Traceability table",
            "7. Requirements traceability matrix",
            "## User journeys",
            "Appendix B: Glossary of terms",
            "Change log",
            "六、需求追溯矩阵",
            "术语表",
        ] {
            assert!(only_mentions(heading), "{heading}");
        }
        for heading in
            ["Feature: User journey recorder", "Batch traceability", "功能：批次追溯", "术语管理", "Glossary editor"]
        {
            assert!(!only_mentions(heading), "{heading}");
        }
    }
}
