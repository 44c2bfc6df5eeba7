//! A line that may hold several: its words, the gaps before them, and the stretches that must not be cut.

use super::super::lexicon::is_cjk;

/// A word between white space.
#[derive(Debug, Clone, Copy)]
pub(super) struct Word {
    pub(super) start: usize,
    pub(super) end: usize,
    /// Bytes of white space before it; 0 for the first.
    pub(super) gap: usize,
    /// It is in code or in a link, where marks have no meaning.
    pub(super) shielded: bool,
}

/// A line, its words, and the starts of the lines in it.
#[derive(Debug)]
pub(super) struct Line<'t> {
    pub(super) line: &'t str,
    pub(super) words: Vec<Word>,
    /// The whole text lost its line breaks; otherwise only text that cannot be prose is cut.
    pub(super) flattened: bool,
    shields: Vec<(usize, usize)>,
    /// The starts of lines that were found so far.
    pub(super) starts: Vec<usize>,
    /// `#` begins the items of a list, as it does in Jira only.
    pub(super) numbers_with_hashes: bool,
}

impl<'t> Line<'t> {
    /// Reads a line without white space around it.
    pub(super) fn new(line: &'t str, flattened: bool) -> Self {
        let mut starts = Vec::new();
        let shields = shields(line, &mut starts);
        let words = words(line, &shields);
        Self { line, words, flattened, shields, starts, numbers_with_hashes: false }
    }

    /// The starts of the lines, in order, without those that would cut off an empty line.
    pub(super) fn settled(mut self) -> Vec<usize> {
        self.starts.sort_unstable();
        self.starts.dedup();
        let mut from = 0;
        let mut starts = std::mem::take(&mut self.starts);
        starts.retain(|at| {
            let fits = *at > 0 && *at < self.line.len();
            // The words after the mark of an item are the item.
            let behind_mark = fits && is_mark(&self.line[from..*at]);
            from = if fits && !behind_mark { *at } else { from };
            fits && !behind_mark
        });
        starts
    }

    /// The text of the word with this number.
    pub(super) fn text(&self, index: usize) -> &'t str {
        self.words.get(index).map_or("", |word| &self.line[word.start..word.end])
    }

    /// Returns true inside code or a link.
    pub(super) fn is_shielded(&self, at: usize) -> bool {
        is_in(&self.shields, at)
    }

    /// Marks gaps of two or more spaces as line breaks if the line before has ended or the next word begins a line.
    pub(super) fn wide_gaps(&mut self) {
        if !self.flattened {
            return;
        }
        for index in 1..self.words.len() {
            let word = self.words[index];
            if word.gap >= 2 && !word.shielded && (word.gap >= 4 || self.ended(index) || begins_anew(self.text(index)))
            {
                self.starts.push(word.start);
            }
        }
    }

    /// Returns true if the text before a word has ended: a sentence, a lead-in, a heading, the line before.
    pub(super) fn ended(&self, index: usize) -> bool {
        let Some(before) = index.checked_sub(1) else { return true };
        self.words[index].gap >= 2 && self.flattened || ends(self.text(before))
    }

    /// Returns true if the words before a place introduce the next ones: "Criteria:", "*Criteria*".
    pub(super) fn is_led_in(&self, index: usize) -> bool {
        let Some(before) = index.checked_sub(1).map(|before| self.text(before)) else { return false };
        let bare = before.trim_end_matches(['*', '_', ' ']);
        bare.ends_with([':', '：']) || bare.len() < before.len() && bare.len() > 1
    }
}

/// Returns true for only the mark of an item: `-`, `2.`, `[x]`.
fn is_mark(words: &str) -> bool {
    let bare = words.trim();
    let digits = bare.bytes().take_while(u8::is_ascii_digit).count();
    bare.len() <= 6
        && !bare.is_empty()
        && (bare.chars().all(|c| matches!(c, '-' | '*' | '#' | '+' | '•' | '[' | ']' | 'x' | ' '))
            || (1..=2).contains(&digits) && matches!(&bare[digits..], "." | ")" | "、"))
}

/// Returns true if a word ends a sentence or a lead-in; marks and brackets after it do not count.
pub(super) fn ends(word: &str) -> bool {
    let bare = word.trim_end_matches(['*', '_', ')', '"', '\'', '”', '）', '}', ']']);
    bare.ends_with(['.', ':', ';', '!', '?', '。', '：', '；', '！', '？', '…']) || word.ends_with(['}', ']', '*'])
}

/// Returns true if a word may begin a line: it does not start with a small letter.
pub(super) fn begins_anew(word: &str) -> bool {
    !word.starts_with(|c: char| c.is_lowercase() || matches!(c, ',' | '.' | ';' | ')' | '=' | '&' | '/' | ':'))
}

/// Returns true if an item may begin with this word.
pub(super) fn begins_item(word: &str) -> bool {
    word.starts_with(|c: char| {
        c.is_alphanumeric()
            || is_cjk(c)
            || matches!(c, '`' | '"' | '\'' | '“' | '(' | '[' | '{' | '<' | '$' | '*' | '_' | '@' | '!')
    })
}

fn is_in(ranges: &[(usize, usize)], at: usize) -> bool {
    let next = ranges.partition_point(|(start, _)| *start <= at);
    next > 0 && at < ranges[next - 1].1
}

fn words(line: &str, shields: &[(usize, usize)]) -> Vec<Word> {
    // A word has about six bytes.
    let mut out: Vec<Word> = Vec::with_capacity(line.len() / 6 + 1);
    let mut start = None;
    let mut add = |at: usize, is_blank: bool| {
        if !is_blank {
            start.get_or_insert(at);
        } else if let Some(from) = start.take() {
            let gap = out.last().map_or(0, |last: &Word| from - last.end);
            out.push(Word { start: from, end: at, gap, shielded: is_in(shields, from) });
        }
    };
    if line.is_ascii() {
        line.bytes().enumerate().for_each(|(at, byte)| add(at, matches!(byte, b'\t'..=b'\r' | b' ')));
    } else {
        line.char_indices().for_each(|(at, c)| add(at, c.is_whitespace()));
    }
    add(line.len(), true);
    out
}

/// Pairs of marks around text that is not prose; the flag is true for blocks, which begin and end lines.
const PAIRS: [(&str, &str, bool); 7] = [
    ("{code", "{code}", true),
    ("{noformat", "{noformat}", true),
    ("{{", "}}", false),
    ("```", "```", false),
    ("`", "`", false),
    ("[", "]", false),
    ("<!--", "-->", true),
];
/// Marks of Jira that have their own line.
const ALONE: [&str; 2] = ["{quote", "{panel"];
/// The longest code or link within a sentence, in bytes.
const LONGEST_INLINE: usize = 400;

/// The stretches of code and links, in order; blocks of code begin lines, and so do the lines inside them.
fn shields(line: &str, starts: &mut Vec<usize>) -> Vec<(usize, usize)> {
    let mut out = Vec::new();
    let mut missing = [false; PAIRS.len()];
    let mut at = 0;
    while let Some(next) = line[at..].find(['{', '`', '[', '<']).map(|offset| at + offset) {
        let rest = &line[next..];
        let near = &rest[..rest.floor_char_boundary(LONGEST_INLINE)];
        at = next + 1;
        if let Some(length) = ALONE.iter().find(|mark| rest.starts_with(**mark)).and_then(|_| near.find('}')) {
            let end = next + length + 1;
            starts.extend([next, behind_gap(line, end)]);
            out.push((next, end));
            at = end;
            continue;
        }
        let Some(pair) = PAIRS.iter().position(|(open, ..)| rest.starts_with(open)) else { continue };
        let (open, close, is_block) = PAIRS[pair];
        if missing[pair] {
            continue;
        }
        let is_comment = open == "<!--";
        let inner = if is_block && !is_comment { near.find('}').map_or(near.len(), |end| end + 1) } else { open.len() };
        let within = if is_block { rest } else { near };
        let Some(length) = within.get(inner..).and_then(|words| words.find(close)) else {
            // An unclosed block runs to the end; searching for its end again would take time quadratic in the line.
            missing[pair] = within.len() == rest.len();
            starts.extend(is_block.then_some(next));
            continue;
        };
        let (inside, end) = (next + inner + length, next + inner + length + close.len());
        if is_block {
            let lines = gaps(line, next + inner, inside);
            if !lines.is_empty() && !is_comment {
                starts.extend([next + inner, inside]);
                starts.extend(lines);
            }
            starts.extend([next, behind_gap(line, end)]);
        }
        out.push((next, end));
        at = end;
    }
    out
}

fn behind_gap(line: &str, at: usize) -> usize {
    at + line[at..].len() - line[at..].trim_start().len()
}

/// The places after two or more spaces.
fn gaps(line: &str, from: usize, to: usize) -> Vec<usize> {
    let mut out = Vec::new();
    let mut run = 0;
    for (at, c) in line[from..to].char_indices() {
        if c == ' ' {
            run += 1;
        } else {
            out.extend((run >= 2).then_some(from + at));
            run = 0;
        }
    }
    out
}
