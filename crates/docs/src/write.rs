//! The pieces of a document that is written: headings, items, quotes, values of front matter.

/// A heading without its line break; the level is 1 to 6.
pub fn heading(level: u8, words: &str) -> String {
    format!("{} {words}", "#".repeat(usize::from(level.clamp(1, 6))))
}

/// An item of a list without its line break.
pub fn item(words: &str) -> String {
    format!("- {words}")
}

/// Words on one line, one space between them.
pub fn one_line(words: &str) -> String {
    words.split_whitespace().collect::<Vec<_>>().join(" ")
}
