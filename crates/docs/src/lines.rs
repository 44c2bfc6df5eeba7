//! The lines of a Markdown document: headings, bullets and labels, except inside code and comments.

/// A line of a document, with its place.
#[derive(Debug, Clone, Copy)]
pub struct Line<'t> {
    /// The start, in bytes.
    pub start: usize,
    /// The start of the next line.
    pub end: usize,
    /// Its words without the line break and without blanks at the end.
    pub text: &'t str,
    /// Text, code or a comment.
    pub kind: LineKind,
}

/// The kind of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LineKind {
    /// Text, in which headings and bullets count.
    Text,
    /// A fence, or code between fences.
    Code,
    /// A comment, or a line of one.
    Comment,
}

/// A fence or comment that is open at the end of a text, with the number of its line, from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NeverClosed {
    /// A code fence.
    Fence(u32),
    /// A comment.
    Comment(u32),
}

enum Open {
    Fence(char, usize, u32),
    Comment(u32),
}

/// Splits a text into lines in one pass; a fence or comment that is never closed reaches to the end and is reported.
pub fn lines(text: &str) -> (Vec<Line<'_>>, Option<NeverClosed>) {
    split(text, None)
}

/// Splits a text into lines. A fence or comment that is never closed is text, so that a forgotten mark does not hide the lines
/// below it.
pub(crate) fn forgiving_lines(text: &str) -> Vec<Line<'_>> {
    split(text, Some(&Closings::of(text))).0
}

fn split<'t>(text: &'t str, closings: Option<&Closings>) -> (Vec<Line<'t>>, Option<NeverClosed>) {
    let mut out = Vec::new();
    let mut open: Option<Open> = None;
    let mut start = 0;
    for (number, raw) in (1..).zip(text.split_inclusive('\n')) {
        let end = start + raw.len();
        let words = words_of(raw, start);
        let was_open = open.is_some();
        let (kind, next) = step(words, open, number);
        let begins = next.as_ref().filter(|next| next.line() == number);
        let is_forgotten = begins.zip(closings).is_some_and(|(begun, closings)| !closings.end(begun));
        let kind = if is_forgotten && !was_open { LineKind::Text } else { kind };
        out.push(Line { start, end, text: words, kind });
        open = next.filter(|_| !is_forgotten);
        start = end;
    }
    let never = open.map(|open| match open {
        Open::Fence(_, _, line) => NeverClosed::Fence(line),
        Open::Comment(line) => NeverClosed::Comment(line),
    });
    (out, never)
}

/// A line that begins at this byte without its line break and the blanks at its end; the first one also without a byte order mark.
fn words_of(raw: &str, start: usize) -> &str {
    let shown = if start == 0 { raw.trim_start_matches('\u{feff}') } else { raw };
    shown.trim_end()
}

impl Open {
    /// The number of the line on which it begins.
    fn line(&self) -> u32 {
        match self {
            Self::Fence(_, _, line) | Self::Comment(line) => *line,
        }
    }
}

/// The marks of a text that can end a fence or a comment.
struct Closings {
    /// For each line, the longest closing fence on it or below it: of backticks, of tildes.
    fences: Vec<[usize; 2]>,
    /// The number of the last line with the end of a comment; 0 without one.
    comment: u32,
}

impl Closings {
    fn of(text: &str) -> Self {
        let raw: Vec<&str> = text.split_inclusive('\n').collect();
        let mut fences = vec![[0; 2]; raw.len() + 1];
        for (at, line) in raw.iter().enumerate().rev() {
            fences[at] = fences[at + 1];
            if let Some((mark, length, "")) = fence(words_of(line, at)) {
                let longest = &mut fences[at][usize::from(mark == '~')];
                *longest = length.max(*longest);
            }
        }
        let last = raw.iter().rposition(|line| line.contains("-->")).map_or(0, |at| at + 1);
        Self { fences, comment: u32::try_from(last).unwrap_or(u32::MAX) }
    }

    /// Returns true if a line below the opening line closes the fence or comment.
    fn end(&self, open: &Open) -> bool {
        match open {
            // The line with the number n has the index n - 1, and the one below it the index n.
            Open::Fence(mark, length, line) => {
                let below = usize::try_from(*line).ok().and_then(|at| self.fences.get(at));
                below.is_some_and(|longest| longest[usize::from(*mark == '~')] >= *length)
            }
            Open::Comment(line) => self.comment > *line,
        }
    }
}

fn step(words: &str, open: Option<Open>, number: u32) -> (LineKind, Option<Open>) {
    match open {
        Some(Open::Fence(mark, length, line)) => {
            let closes = fence(words).is_some_and(|(c, n, rest)| c == mark && n >= length && rest.is_empty());
            (LineKind::Code, (!closes).then_some(Open::Fence(mark, length, line)))
        }
        Some(Open::Comment(line)) => {
            let Some((_, after)) = words.split_once("-->") else {
                return (LineKind::Comment, Some(Open::Comment(line)));
            };
            (LineKind::Comment, leaves_comment_open(after).then_some(Open::Comment(number)))
        }
        None => {
            if let Some((mark, length, _)) = fence(words) {
                return (LineKind::Code, Some(Open::Fence(mark, length, number)));
            }
            let next = leaves_comment_open(words).then_some(Open::Comment(number));
            let begins = words.trim_start().starts_with("<!--");
            (if begins { LineKind::Comment } else { LineKind::Text }, next)
        }
    }
}

/// The mark of a fence, its length, and the text after it.
pub fn fence(words: &str) -> Option<(char, usize, &str)> {
    let words = words.trim_start();
    let mark = words.chars().next().filter(|c| matches!(c, '`' | '~'))?;
    let rest = words.trim_start_matches(mark);
    let length = words.len() - rest.len();
    // "```a```" on one line is code in a sentence.
    (length >= 3 && !(mark == '`' && rest.contains('`'))).then_some((mark, length, rest))
}

/// Returns true if a comment begins on the line and does not end on it.
fn leaves_comment_open(words: &str) -> bool {
    let mut rest = words;
    while let Some(at) = rest.find("<!--") {
        let escaped = rest[..at].ends_with('\\');
        let inside = &rest[at + 4..];
        rest = if escaped {
            inside
        } else {
            match inside.split_once("-->") {
                Some((_, after)) => after,
                None => return true,
            }
        };
    }
    false
}

/// The level and the words of a heading.
pub fn heading(line: &str) -> Option<(u8, &str)> {
    let words = line.trim_start_matches(' ');
    if line.len() - words.len() > 3 {
        return None;
    }
    let rest = words.trim_start_matches('#');
    let level = u8::try_from(words.len() - rest.len()).ok().filter(|level| (1..=6).contains(level))?;
    (rest.is_empty() || rest.starts_with([' ', '\t'])).then(|| (level, without_closing_marks(rest.trim())))
}

/// The words of a heading without the run of `#` after them: `Risks ##` is `Risks`.
fn without_closing_marks(words: &str) -> &str {
    let before = words.trim_end_matches('#');
    if before.is_empty() || before.ends_with([' ', '\t']) { before.trim_end() } else { words }
}

/// The indentation of an item in columns, and its words without bullet, number and tick box.
pub fn bullet(line: &str) -> Option<(usize, &str)> {
    let words = line.trim_start();
    let indent = line[..line.len() - words.len()].chars().map(|c| if c == '\t' { 4 } else { 1 }).sum();
    let after_number = || {
        let rest = words.trim_start_matches(|c: char| c.is_ascii_digit());
        let digits = words.len() - rest.len();
        (1..=9).contains(&digits).then(|| rest.strip_prefix(['.', ')'])).flatten()
    };
    let rest = words.strip_prefix(['-', '*', '+', '•']).or_else(after_number)?;
    (rest.is_empty() || rest.starts_with([' ', '\t'])).then(|| (indent, without_tick_box(rest)))
}

/// The words after `[ ]` and `[x]`.
pub fn without_tick_box(words: &str) -> &str {
    let words = words.trim();
    let ticked = ["[ ]", "[x]", "[X]"].iter().find_map(|tick| words.strip_prefix(tick));
    ticked.filter(|rest| rest.is_empty() || rest.starts_with([' ', '\t'])).map_or(words, |rest| without_tick_box(rest))
}

/// A label that `named` knows, and the text after it.
pub fn labelled_by<L>(line: &str, named: impl Fn(&str) -> Option<L>) -> Option<(L, &str)> {
    let words = bullet(line).map_or(line, |(_, words)| words).trim();
    let Some(at) = words.find([':', '：']) else {
        // A bold line is a heading without a heading mark: `**Acceptance criteria**`.
        let name = words.strip_prefix("**")?.strip_suffix("**")?;
        return named(name).map(|label| (label, ""));
    };
    let (name, rest) = words.split_at(at);
    let mut value = rest.strip_prefix([':', '：']).unwrap_or(rest).trim_start();
    let bare = name.trim_start_matches(['*', '_']);
    if bare.len() < name.len() {
        // The closing mark is before or after the colon.
        value = value.strip_prefix("**").or_else(|| value.strip_prefix("__")).unwrap_or(value).trim_start();
    }
    named(bare.trim_end_matches(['*', '_'])).map(|label| (label, value.trim()))
}
