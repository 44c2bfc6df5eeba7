//! Lays out what commands other than reports show to people.

use anstyle::{AnsiColor, Style};
use reqgate::report::wrapped;

use super::arguments::ColorWhen;
use super::terminal;

/// A text that grows line by line.
pub struct Page {
    /// The text so far.
    pub text: String,
    colour: bool,
    width: usize,
}

impl Page {
    /// An empty page.
    pub fn new(color: ColorWhen) -> Self {
        Self { text: String::new(), colour: terminal::is_coloured(color), width: terminal::width() }
    }

    /// Adds a line; trailing blanks are dropped, and on a terminal it is broken between words.
    pub fn line(&mut self, line: &str) {
        self.text.push_str(&terminal::wrapped(line.trim_end()));
        self.text.push('\n');
    }

    /// Adds a heading after an empty line.
    pub fn heading(&mut self, words: &str) {
        let words = self.bold(words);
        self.line("");
        self.line(&words);
    }

    /// Adds a paragraph, indented and broken at spaces.
    pub fn paragraph(&mut self, words: &str) {
        self.indented(2, words);
    }

    /// Adds a paragraph behind so many blanks, broken at spaces.
    pub fn indented(&mut self, blanks: usize, words: &str) {
        for line in words.trim().lines() {
            for row in wrapped(line, self.width.saturating_sub(blanks + 1)) {
                self.line(&format!("{:blanks$}{row}", ""));
            }
        }
    }

    /// Adds lines as they are, marked as a quotation.
    pub fn quotation(&mut self, words: &str) {
        for line in words.trim().lines() {
            let mark = self.faint("│");
            self.line(&format!("  {mark} {line}"));
        }
    }

    /// Bold.
    pub fn bold(&self, words: &str) -> String {
        self.painted(Style::new().bold(), words)
    }

    /// Faint.
    pub fn faint(&self, words: &str) -> String {
        self.painted(Style::new().dimmed(), words)
    }

    /// Red.
    pub fn red(&self, words: &str) -> String {
        self.painted(AnsiColor::Red.on_default(), words)
    }

    /// Yellow.
    pub fn yellow(&self, words: &str) -> String {
        self.painted(AnsiColor::Yellow.on_default(), words)
    }

    fn painted(&self, style: Style, words: &str) -> String {
        if self.colour { format!("{style}{words}{style:#}") } else { words.to_owned() }
    }
}
