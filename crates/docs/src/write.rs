//! The pieces of a document that is written: headings, items, quotes, values of front matter.

use crate::lines;

/// A heading without its line break; the level is 1 to 6. Words that end in marks of a heading get closing marks after
/// them, so that they are read back whole.
pub fn heading(level: u8, words: &str) -> String {
    let line = format!("{} {words}", "#".repeat(usize::from(level.clamp(1, 6))));
    if lines::heading(&line).is_some_and(|(_, read)| read == words.trim()) { line } else { line + " #" }
}

/// An item of a list without its line break.
pub fn item(words: &str) -> String {
    format!("- {words}")
}

/// Words on one line, one space between them.
pub fn one_line(words: &str) -> String {
    words.split_whitespace().collect::<Vec<_>>().join(" ")
}
