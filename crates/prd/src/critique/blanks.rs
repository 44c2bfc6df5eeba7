//! Finds blanks `[…]` that a writer left on purpose: they are one finding, and do not count as missing information.

use super::document::Document;
use super::finding::{CheckFinding, FindingCode};
use super::records::short;
use reqgate_docs::lines::{self, LineKind};

/// Returns true for text with a blank that was left on purpose.
pub(super) fn is_left_open(words: &str) -> bool {
    words.contains("[…]") || words.contains("[...]")
}

/// One finding for all lines with a blank.
pub(super) fn found(document: &Document<'_>) -> Option<CheckFinding> {
    let (read, _) = lines::lines(document.text);
    let lines = read.iter().zip(1u32..).filter(|(line, _)| line.kind == LineKind::Text && is_left_open(line.text));
    let bare = |text: &str| short(text.trim_matches(|c: char| c.is_whitespace() || "#-*+>|".contains(c)));
    let names: Vec<(String, u32)> = lines.map(|(line, number)| (bare(line.text), number)).collect();
    let line = names.first()?.1;
    Some(CheckFinding { code: FindingCode::LeftOpen, line: Some(line), section: String::new(), of: names.len(), names })
}
