//! Formats the output of commands other than reports for people.

use anstyle::{AnsiColor, Style};
use reqgate::report::wrapped;

use super::arguments::ColorWhen;
use super::terminal;

/// A text that grows line by line.
pub struct Page {
    pub text: String,
    colour: bool,
    width: usize,
}

impl Page {
    /// Creates an empty page.
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

    /// Adds a paragraph with this indent, broken at spaces.
    pub fn indented(&mut self, blanks: usize, words: &str) {
        for line in words.trim().lines() {
            for row in wrapped(line, self.width.saturating_sub(blanks + 1)) {
                self.line(&format!("{:blanks$}{row}", ""));
            }
        }
    }

    /// Adds unchanged lines, marked as a quotation.
    pub fn quotation(&mut self, words: &str) {
        for line in words.trim().lines() {
            let mark = self.faint("│");
            self.line(&format!("  {mark} {line}"));
        }
    }

    pub fn bold(&self, words: &str) -> String {
        self.painted(Style::new().bold(), words)
    }

    pub fn faint(&self, words: &str) -> String {
        self.painted(Style::new().dimmed(), words)
    }

    pub fn red(&self, words: &str) -> String {
        self.painted(AnsiColor::Red.on_default(), words)
    }

    pub fn yellow(&self, words: &str) -> String {
        self.painted(AnsiColor::Yellow.on_default(), words)
    }

    fn painted(&self, style: Style, words: &str) -> String {
        if self.colour { format!("{style}{words}{style:#}") } else { words.to_owned() }
    }
}
