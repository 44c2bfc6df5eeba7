//! Splits a requirement of a document into parts, line by line, so that every line can be written back.

use reqgate_docs::unescaped;
use std::ops::Range;

use super::labels;
use super::words::Label;
use reqgate_docs::lines::{self, Line, LineKind};

/// The kind of a part of a requirement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PartKind {
    /// The heading: id and title.
    Heading,
    /// A labelled value on one line.
    Field(Label),
    /// Lines of the description.
    Description,
    /// The label or heading above a list.
    ListLabel(Label),
    /// An item of a list.
    Item(Label),
    Blank,
    /// Unknown text, which is kept in its place.
    Other,
}

/// A part of a requirement: some lines and their value.
#[derive(Debug, Clone)]
pub(super) struct Part {
    pub kind: PartKind,
    /// The byte range in the text.
    pub span: Range<usize>,
    /// The value; empty for blank lines and unknown text.
    pub value: String,
    /// The number of the first line, from 1.
    pub line: u32,
}

/// The position of the reader within a requirement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum At {
    Body,
    /// A list, and true if an item was read.
    List(Label, bool),
    Tail,
    Unknown,
}

/// Splits a requirement into parts; the first line is its heading, with the text `title`.
pub(super) fn parts(lines: &[Line<'_>], first: u32, title: &str) -> Vec<Part> {
    let mut reader = Reader { out: Vec::new(), at: At::Body, seen: Vec::new() };
    for (line, number) in lines.iter().zip(first..) {
        if number == first {
            reader.push(PartKind::Heading, line, number, title.to_owned());
        } else {
            reader.line(line, number);
        }
    }
    reader.out
}

struct Reader {
    out: Vec<Part>,
    at: At,
    /// Labels that already have a value; a second value is unknown text.
    seen: Vec<Label>,
}

impl Reader {
    fn line(&mut self, line: &Line<'_>, number: u32) {
        match line.kind {
            LineKind::Comment => return self.push(PartKind::Other, line, number, String::new()),
            LineKind::Code => return self.code(line, number),
            LineKind::Text => {}
        }
        if line.text.is_empty() {
            return self.push(PartKind::Blank, line, number, String::new());
        }
        if let Some((_, words)) = lines::heading(line.text) {
            let label = Label::named(words.trim_end_matches([':', '：'])).filter(|label| is_list(*label));
            return match label.filter(|label| self.first(*label)) {
                Some(label) => {
                    self.at = At::List(label, false);
                    self.push(PartKind::ListLabel(label), line, number, String::new());
                }
                None => {
                    self.at = At::Unknown;
                    self.push(PartKind::Other, line, number, String::new());
                }
            };
        }
        if self.at != At::Unknown && self.labelled(line, number) {
            return;
        }
        match self.at {
            At::Body if self.is_extra_field(line.text) => self.push(PartKind::Other, line, number, String::new()),
            At::Body => self.describe(line, number, labels::unescaped(line.text)),
            At::List(label, has_items) => self.item(label, has_items, line, number),
            At::Tail | At::Unknown => self.push(PartKind::Other, line, number, String::new()),
        }
    }

    /// Code belongs to the part that contains it: the description, or a criterion.
    fn code(&mut self, line: &Line<'_>, number: u32) {
        match self.at {
            At::Body => self.describe(line, number, line.text.to_owned()),
            At::List(label, false) => {
                let words = if lines::fence(line.text).is_some() { "" } else { line.text.trim() };
                let goes_on = self.out.last().is_some_and(|part| part.kind == PartKind::Item(label));
                if goes_on {
                    self.extend(line, words);
                } else {
                    self.push(PartKind::Item(label), line, number, words.to_owned());
                }
            }
            At::List(label, true) if line.text.starts_with([' ', '\t']) && self.ends_with(PartKind::Item(label)) => {
                self.extend(line, line.text.trim());
            }
            _ => self.push(PartKind::Other, line, number, String::new()),
        }
    }

    /// Reads a line with a known label, unless it is a list item.
    fn labelled(&mut self, line: &Line<'_>, number: u32) -> bool {
        if matches!(self.at, At::List(..)) && lines::bullet(line.text).is_some() {
            return false;
        }
        let is_deep = lines::bullet(line.text).is_some_and(|(indent, _)| indent > 3);
        let Some((label, value)) = labels::labelled(line.text).filter(|_| !is_deep) else { return false };
        if !is_known(label) || !self.first(label) {
            return false;
        }
        if is_list(label) {
            self.at = At::List(label, false);
            self.push(PartKind::ListLabel(label), line, number, unescaped(value));
            return true;
        }
        if matches!(self.at, At::List(..)) {
            self.at = At::Tail;
        }
        if label == Label::Description {
            self.at = At::Body;
            self.push(PartKind::Description, line, number, unescaped(value));
        } else {
            self.push(PartKind::Field(label), line, number, unescaped(value));
        }
        true
    }

    /// Returns true for a bullet such as `- Owner: Anna` directly after the fields.
    fn is_extra_field(&self, words: &str) -> bool {
        let behind = self.out.last().is_some_and(|part| matches!(part.kind, PartKind::Field(_) | PartKind::Other));
        behind && lines::bullet(words).is_some()
    }

    /// Adds a line to the description, which may contain blank lines.
    fn describe(&mut self, line: &Line<'_>, number: u32, words: String) {
        if self.ends_with(PartKind::Description) {
            return self.extend_by('\n', line, &words);
        }
        let blanks = self.out.iter().rev().take_while(|part| part.kind == PartKind::Blank).count();
        let before = self.out.len() - blanks;
        if before > 0 && self.out[before - 1].kind == PartKind::Description {
            let gap = "\n".repeat(blanks);
            self.out.truncate(before);
            if let Some(last) = self.out.last_mut() {
                last.value.push_str(&gap);
            }
            return self.extend_by('\n', line, &words);
        }
        self.push(PartKind::Description, line, number, words);
    }

    fn item(&mut self, label: Label, has_items: bool, line: &Line<'_>, number: u32) {
        let goes_on = self.ends_with(PartKind::Item(label));
        match lines::bullet(line.text) {
            Some((indent, words)) if indent <= 3 || !goes_on => {
                self.at = At::List(label, true);
                self.push(PartKind::Item(label), line, number, unescaped(words));
            }
            Some((_, words)) => self.extend(line, &unescaped(words)),
            None if goes_on => self.extend(line, &unescaped(line.text.trim())),
            // Criteria without bullets: a paragraph each.
            None if !has_items => {
                self.push(PartKind::Item(label), line, number, unescaped(line.text.trim()));
            }
            None => {
                self.at = At::Tail;
                self.push(PartKind::Other, line, number, String::new());
            }
        }
    }

    fn ends_with(&self, kind: PartKind) -> bool {
        self.out.last().is_some_and(|part| part.kind == kind)
    }

    fn first(&mut self, label: Label) -> bool {
        let first = !self.seen.contains(&label);
        if first {
            self.seen.push(label);
        }
        first
    }

    fn extend(&mut self, line: &Line<'_>, words: &str) {
        self.extend_by(' ', line, words);
    }

    fn extend_by(&mut self, between: char, line: &Line<'_>, words: &str) {
        if let Some(last) = self.out.last_mut() {
            if between == '\n' || !(last.value.is_empty() || words.is_empty()) {
                last.value.push(between);
            }
            last.value.push_str(words);
            last.span.end = line.end;
        }
    }

    fn push(&mut self, kind: PartKind, line: &Line<'_>, number: u32, value: String) {
        self.out.push(Part { kind, span: line.start..line.end, value, line: number });
    }
}

fn is_list(label: Label) -> bool {
    matches!(label, Label::Criteria | Label::Sources)
}

/// Returns true for the labels of a requirement; others belong to the document and its history.
fn is_known(label: Label) -> bool {
    !matches!(label, Label::Feature | Label::Status | Label::Approved | Label::Rejected | Label::Modified)
}
