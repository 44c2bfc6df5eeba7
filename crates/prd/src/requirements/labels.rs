//! The labels of requirements in lines, and lines that are kept from being one.

use super::words::Label;
use reqgate_docs::lines::{fence, heading, labelled_by};
use reqgate_docs::{escaped as shown_as_text, unescaped as meant};

/// A label and the text after it: `- **Priority**: high`, `Reason：…`.
pub(super) fn labelled(line: &str) -> Option<(Label, &str)> {
    labelled_by(line, Label::named)
}

/// Returns true for a line whose beginning gives it a meaning: a heading, a label or a code fence.
fn is_structure(words: &str) -> bool {
    heading(words).is_some() || labelled(words).is_some() || fence(words).is_some()
}

/// A line of prose, escaped: a possible heading or label gets a backslash, markup becomes text.
pub(super) fn escaped(line: &str) -> String {
    let body = line.trim_start();
    let indent = &line[..line.len() - body.len()];
    let mark = if is_structure(body.trim_start_matches('\\')) { "\\" } else { "" };
    format!("{indent}{mark}{}", shown_as_text(body))
}

/// The words of a line that was written by [`escaped`].
pub(super) fn unescaped(line: &str) -> String {
    let body = line.trim_start();
    let indent = &line[..line.len() - body.len()];
    let bare = body.trim_start_matches('\\');
    let body = if bare.len() < body.len() && is_structure(bare) { &body[1..] } else { body };
    format!("{indent}{}", meant(body))
}
