//! Finds the position of a sign in its line: in a slot of a story, as the whole value of a field, or among other words.

use crate::markup::{Dialect, list_marker};
use crate::words::placeholders::{SLOT_ENDS, SLOTS};

/// The position of a sign in its line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Position {
    /// After a word that opens the line, such as "Given" or "As a".
    FirstSlot,
    /// After such a word elsewhere in the line.
    Slot,
    /// The sign is the whole line.
    Whole,
    /// After a label: "Placement: …".
    Value,
    /// At the end of a few words: "Go to …".
    Brief,
    /// At the end of the line.
    Trailing,
    /// In the middle of other words.
    Inline,
}

/// "Scroll down to '....'": the most words before the name that a step leaves out.
const FEW_WORDS: usize = 4;

impl Position {
    /// The position between these words of a line.
    pub(super) fn of(before: &str, after: &str) -> Self {
        let before = without_marker(before);
        let bare = before.trim_end_matches(['*', '_', ' ', '"', '\t']);
        let after = after.trim_start_matches(['*', '_', '"']).trim();
        let ends = after.is_empty() || ends_clause(after);
        let ends_line = after.chars().all(|c| !c.is_alphanumeric()) || after.starts_with(['(', '（']);
        if let Some(rest) = without_slot_word(bare).filter(|_| ends) {
            return if rest.trim().is_empty() { Self::FirstSlot } else { Self::Slot };
        }
        if bare.is_empty() && ends_line {
            return Self::Whole;
        }
        let labelled = bare.ends_with([':', '：']) || bare.ends_with(" -") || bare.ends_with(['–', '—', '→']);
        if labelled && ends_line {
            return Self::Value;
        }
        if !after.is_empty() {
            return Self::Inline;
        }
        if bare.split_whitespace().count() <= FEW_WORDS { Self::Brief } else { Self::Trailing }
    }

    pub(super) fn is_slot(self) -> bool {
        matches!(self, Self::FirstSlot | Self::Slot)
    }

    pub(super) fn is_slot_or_value(self) -> bool {
        matches!(self, Self::FirstSlot | Self::Slot | Self::Whole | Self::Value)
    }
}

/// The words without the mark of a heading, of a quotation and of an item.
fn without_marker(before: &str) -> &str {
    let bare = before.trim_start_matches(['#', '>', '|', ' ', '\t']);
    let length = list_marker(bare, Dialect::Markdown).map_or(0, |marker| marker.length);
    bare.get(length..).unwrap_or_default()
}

/// Returns true at the end of a clause, or where the next part of a story or scenario begins.
fn ends_clause(after: &str) -> bool {
    after.starts_with([',', '.', ';', ':', '!', '?', '(', ')', '，', '。', '；', '：', '？', '！', '、', '（', '）'])
        || SLOT_ENDS.begin(&after.to_lowercase())
}

/// The words before a word that opens a slot, if it is the last one.
fn without_slot_word(before: &str) -> Option<&str> {
    let lower = before.to_lowercase();
    if lower.len() != before.len() {
        return None;
    }
    let bare = lower.trim_end_matches(['*', '_', ' ', '，', ',', ':', '：']);
    // "Given:" is also the label of a step.
    let length = SLOTS
        .iter()
        .filter(|word| bare.ends_with(word))
        .filter(|word| {
            let rest = &bare[..bare.len() - word.len()];
            !word.is_ascii() || !rest.ends_with(|c: char| c.is_alphanumeric())
        })
        .map(str::len)
        .max()?;
    before.get(..bare.len() - length).map(|rest| rest.trim_end_matches(['*', '_', ' ']))
}
