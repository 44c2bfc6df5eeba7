//! Finds words for an open point that name a state of the product in this text: "status = TBD" and 状态“待确认” leave no point open.

use std::collections::BTreeSet;

use super::words::open_points::{STATE_NOUNS, VERBS_OF_VALUES};
use reqgate_base::model::Span;

/// The bytes around a word that are read.
const NEAR: usize = 60;

/// The state names among these words of a text, in lower case.
pub(super) fn state_names(text: &str, words: impl Iterator<Item = Span>) -> BTreeSet<String> {
    words.filter(|word| names_a_state(text, *word)).map(|word| word.slice(text).to_lowercase()).collect()
}

/// Returns true if a word is one of the names and not a statement about another thing, as in "the limit is TBD", "Limit: TBD".
pub(super) fn is_name(names: &BTreeSet<String>, text: &str, word: Span) -> bool {
    !names.is_empty()
        && names.contains(&word.slice(text).to_lowercase())
        && !VERBS_OF_VALUES.end(&format!(" {}", before(text, word).trim_end()))
}

/// Returns true for "Status TBD", "TBD status", "status = TBD", "the statuses Confirmed, TBD and Cancelled".
fn names_a_state(text: &str, word: Span) -> bool {
    let before = before(text, word);
    let bare = before.trim_end_matches(SIGNS);
    let end = text.floor_char_boundary((word.end + NEAR).min(text.len()));
    let after = text[word.end..end].trim_start_matches(SIGNS).to_lowercase();
    let is_listed = || {
        let last = STATE_NOUNS.iter().filter_map(|noun| bare.rfind(noun).map(|at| at + noun.len())).max();
        last.is_some_and(|at| {
            let given = &text[word.start - before.len() + at..word.start];
            given.split([',', '/', '、', '|']).count() > 1 && given.split_whitespace().all(is_a_name)
        })
    };
    STATE_NOUNS.end(bare) || STATE_NOUNS.begin(&after) || is_listed()
}

/// Signs that may be between a noun and the name.
const SIGNS: [char; 12] = [' ', '"', '\'', '=', '“', '”', '‘', '’', '「', '」', '`', '*'];

/// Returns true for the name of a value, which begins with a capital or is written in Chinese.
fn is_a_name(word: &str) -> bool {
    word.trim_start_matches(['"', '“', '\'', '`', '(']).chars().next().is_none_or(|c| !c.is_lowercase())
        || matches!(word, "and" | "or")
}

/// The line before a word, in lower case; it has as many bytes as in the text.
fn before(text: &str, word: Span) -> String {
    let from = text.floor_char_boundary(word.start.saturating_sub(NEAR));
    let line = text[from..word.start].rsplit('\n').next().unwrap_or_default();
    line.to_ascii_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_state(text: &str, name: &str) -> bool {
        let spans = || text.match_indices(name).map(|(at, name)| Span::new(at, at + name.len()));
        let names = state_names(text, spans());
        spans().all(|word| is_name(&names, text, word))
    }

    #[test]
    fn a_state_of_the_product_is_told_from_a_point_that_is_open() {
        for (text, name) in [
            ("Add status TBD. Rows with TBD are grey.", "TBD"),
            ("The filter has the statuses Confirmed, TBD, Cancelled.", "TBD"),
            ("状态“待确认”的订单置顶，待确认超过 1 天时提醒。", "待确认"),
        ] {
            assert!(is_state(text, name), "{text}");
        }
        for (text, name) in [
            ("The limit is TBD.", "TBD"),
            ("Rows with status TBD are grey. The limit is TBD.", "TBD"),
            ("限额待确认。", "待确认"),
        ] {
            assert!(!is_state(text, name), "{text}");
        }
    }
}
