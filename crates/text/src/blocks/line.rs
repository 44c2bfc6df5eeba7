//! Cuts a text into lines, with their indent and whether they are quoted.

use reqgate_base::model::Span;

/// A line of the text, without its line end.
#[derive(Debug, Clone, Copy)]
pub(super) struct Line {
    pub(super) start: usize,
    pub(super) end: usize,
    /// Bytes of white space and quotation marks before the words.
    pub(super) indent: usize,
    pub(super) quoted: bool,
    /// It begins without a line break, so it does not continue a paragraph.
    pub(super) is_cut: bool,
}

impl Line {
    pub(super) fn words<'t>(&self, text: &'t str) -> &'t str {
        &text[self.start + self.indent..self.end]
    }

    pub(super) fn words_start(&self) -> usize {
        self.start + self.indent
    }

    pub(super) fn words_span(&self) -> Span {
        Span::new(self.words_start(), self.end)
    }
}

/// Cuts at `\n`, `\r\n`, lone `\r` and the given places; the line end is not part of the line.
pub(super) fn lines(text: &str, cuts: &[usize]) -> Vec<Line> {
    let mut out = Vec::new();
    let mut start = 0;
    let bytes = text.as_bytes();
    let mut cuts = cuts.iter().copied().peekable();
    let mut add = |from: usize, to: usize| {
        let mut from = from;
        let mut is_cut = false;
        while let Some(at) = cuts.next_if(|at| *at < to) {
            if at > from {
                out.push(Line { is_cut, ..line(text, from, at) });
            }
            (from, is_cut) = (at.max(from), true);
        }
        out.push(Line { is_cut, ..line(text, from, to) });
    };
    for at in line_ends(bytes) {
        if at >= start {
            add(start, at);
            start = at + if bytes[at] == b'\r' && bytes.get(at + 1) == Some(&b'\n') { 2 } else { 1 };
        }
    }
    if start < text.len() {
        add(start, text.len());
    }
    out
}

fn line_ends(bytes: &[u8]) -> impl Iterator<Item = usize> + '_ {
    bytes.iter().enumerate().filter(|(_, b)| matches!(b, b'\n' | b'\r')).map(|(at, _)| at)
}

fn line(text: &str, start: usize, end: usize) -> Line {
    let words = &text[start..end];
    let trimmed_end = start + words.trim_end().len();
    let mut indent = 0;
    let mut quoted = false;
    for c in text[start..trimmed_end].chars() {
        match c {
            ' ' | '\t' | '\u{3000}' | '\u{a0}' | '\u{feff}' | '\u{200b}' => {}
            '>' => quoted = true,
            _ => break,
        }
        indent += c.len_utf8();
    }
    Line { start, end: trimmed_end.max(start + indent), indent, quoted, is_cut: false }
}
