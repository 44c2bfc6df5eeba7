//! The headings of a document with their places, and the document with one of its sections written again.
//!
//! Headings are lines that begin with `#`, outside of front matter, code and comments. A line that is underlined is text: three hyphens
//! below a paragraph are meant as a rule as often as not.

use std::ops::Range;

use reqgate_base::model::Span;

use crate::front_matter;
use crate::lines::{Line, LineKind, forgiving_lines, heading};

/// A heading with its place and its words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Heading<'t> {
    /// The number of its marks, 1 to 6.
    pub level: u8,
    /// Its words.
    pub words: &'t str,
    /// Its line, from 1.
    pub line: u32,
    /// Its bytes, line break included.
    pub span: Span,
}

/// The lines and headings of a document. A code fence or a comment that is never closed is text, so that it hides no heading.
#[derive(Debug, Clone)]
pub struct Outline<'t> {
    text: &'t str,
    lines: Vec<Line<'t>>,
    headings: Vec<Heading<'t>>,
}

impl<'t> Outline<'t> {
    /// The outline of a Markdown text.
    pub fn of(text: &'t str) -> Self {
        let body = text.len() - front_matter::body(text.trim_start_matches('\u{feff}')).len();
        let lines = forgiving_lines(text);
        let read = |(line, number): (&Line<'t>, u32)| {
            let (level, words) = heading(line.text).filter(|_| line.kind == LineKind::Text && line.start >= body)?;
            Some(Heading { level, words, line: number, span: Span::new(line.start, line.end) })
        };
        let headings = lines.iter().zip(1..).filter_map(read).collect();
        Self { text, lines, headings }
    }

    /// The headings, in their order.
    pub fn headings(&self) -> &[Heading<'t>] {
        &self.headings
    }

    /// The lines, each with the heading that it is.
    pub fn lines(&self) -> impl Iterator<Item = (&Line<'t>, Option<&Heading<'t>>)> {
        let mut headings = self.headings.iter().peekable();
        self.lines.iter().map(move |line| (line, headings.next_if(|heading| heading.span.start == line.start)))
    }

    /// The first heading with these words, in any case; heading marks before them do not count.
    pub fn named(&self, words: &str) -> Option<usize> {
        self.headings.iter().position(|heading| is_called(heading.words, words))
    }

    /// The text below a heading with all of its sub-sections: up to the next heading of its level or above.
    pub fn below(&self, heading: usize) -> Span {
        let own = self.headings[heading];
        let next = self.headings[heading + 1..].iter().find(|other| other.level <= own.level);
        Span::new(own.span.end, next.map_or(self.text.len(), |next| next.span.start))
    }

    /// The text below a heading up to the next one of any level.
    pub fn own_text(&self, heading: usize) -> Span {
        let next = self.headings.get(heading + 1);
        Span::new(self.headings[heading].span.end, next.map_or(self.text.len(), |next| next.span.start))
    }

    /// The lines below a heading, sub-sections included, counted from 0.
    pub fn lines_below(&self, heading: usize) -> Range<usize> {
        let below = self.below(heading);
        let at = |offset: usize| self.lines.partition_point(|line| line.start < offset);
        at(below.start)..at(below.end)
    }

    /// The words below the first heading with this name; `None` without such a heading.
    pub fn text_below(&self, name: &str) -> Option<&'t str> {
        Some(self.below(self.named(name)?).slice(self.text).trim())
    }

    /// The document with another text below this heading. Everything else stays as it is, to the byte.
    pub fn with_text_below(&self, heading: usize, text: &str) -> String {
        let below = self.below(heading);
        let (before, after) = (&self.text[..below.start], &self.text[below.end..]);
        let end = self.line_end();
        let text = text.trim().replace("\r\n", "\n").replace('\n', end);
        let gap = if after.is_empty() { end.to_owned() } else { end.repeat(2) };
        format!("{}{end}{end}{text}{gap}{after}", before.trim_end_matches(['\r', '\n']))
    }

    /// The document with a separate block before this heading.
    pub fn with_block_before(&self, heading: usize, block: &str) -> String {
        let (before, after) = self.text.split_at(self.headings[heading].span.start);
        let end = self.line_end();
        let block = block.trim().replace("\r\n", "\n").replace('\n', end);
        let gap = if before.trim().is_empty() { String::new() } else { end.repeat(2) };
        format!("{}{gap}{block}{}{after}", before.trim_end(), end.repeat(2))
    }

    /// The document without this heading and the text below it.
    pub fn without(&self, heading: usize) -> String {
        let before = self.text[..self.headings[heading].span.start].trim_end();
        let after = &self.text[self.below(heading).end..];
        let end = self.line_end();
        let gap = match (before.is_empty(), after.is_empty()) {
            (true, _) => String::new(),
            (false, true) => end.to_owned(),
            (false, false) => end.repeat(2),
        };
        format!("{before}{gap}{after}")
    }

    /// The line break that the document uses.
    fn line_end(&self) -> &'static str {
        if self.text.contains("\r\n") { "\r\n" } else { "\n" }
    }
}

/// Returns true for two headings with the same words, in any case; heading marks do not count.
pub fn is_called(heading: &str, name: &str) -> bool {
    let bare = |words: &str| words.trim_start_matches('#').trim().to_lowercase();
    bare(heading) == bare(name)
}
