//! A judged text with its findings marked, so that text and findings link to each other.

use std::collections::BTreeSet;

use serde::Serialize;

use crate::digest::Digest;
use reqgate_base::clean;
use reqgate_base::model::{LineIndex, Outcome, Span};

/// The maximum number of issues of one kind that are shown with their position.
pub(super) const MAX_ISSUES: usize = 50;
/// The maximum number of lines of a text that are shown.
const MAX_LINES: usize = 2_000;

/// The effect of a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// The finding rejects the text.
    Blocker,
    /// The finding costs points.
    Warning,
}

impl Kind {
    /// The id of the finding with this number, from 1: `b1`, `w1`.
    pub(super) fn id(self, number: usize) -> String {
        match self {
            Self::Blocker => format!("b{number}"),
            Self::Warning => format!("w{number}"),
        }
    }
}

/// A text split into lines with marked findings.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub struct MarkedText {
    /// The lines that are shown.
    pub lines: Vec<MarkedLine>,
    /// The number of lines that are not shown.
    pub hidden_lines: usize,
}

/// A line of the text.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub struct MarkedLine {
    /// The line number, from 1.
    pub number: usize,
    /// The parts of the line; joined, they are the whole line.
    pub parts: Vec<Part>,
}

/// A part of a line; it belongs to at most one finding.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub struct Part {
    /// The ids of the findings that begin here.
    pub begins: Vec<String>,
    /// The id of the finding that the part belongs to; of several findings, the shortest.
    pub finding: Option<String>,
    /// The finding rejects the text.
    pub is_blocker: bool,
    /// The words, without control characters.
    pub words: String,
    /// The place of the words in the text, in bytes: a tab or a mask is shown with another length.
    pub span: Span,
}

/// A finding with its span.
struct Place {
    span: Span,
    id: String,
    is_blocker: bool,
}

/// The screened text of an outcome with its blockers and warnings marked.
pub fn marked(outcome: &Outcome) -> MarkedText {
    let text = &outcome.packet.raw_text;
    let digest = Digest::new(outcome);
    let numbered = [(Kind::Blocker, &digest.blockers), (Kind::Warning, &digest.warnings)];
    let places = numbered.into_iter().flat_map(|(kind, issues)| {
        let numbered = (1..).zip(issues.iter().take(MAX_ISSUES));
        numbered.filter_map(move |(number, issue)| {
            let span = issue.span.filter(|span| text.get(span.start..span.end).is_some())?.trimmed(text);
            let place = Place { span, id: kind.id(number), is_blocker: kind == Kind::Blocker };
            (span.start < span.end).then_some(place)
        })
    });
    lines(text, &places.collect::<Vec<_>>())
}

fn lines(text: &str, places: &[Place]) -> MarkedText {
    let cuts: BTreeSet<usize> = places.iter().flat_map(|place| [place.span.start, place.span.end]).collect();
    let index = LineIndex::new(text);
    let count = text.lines().count();
    let mut out = Vec::new();
    for number in 1..=count.min(MAX_LINES) {
        let line = index.line_span(text, number);
        let mut ends: Vec<usize> = cuts.range(line.start + 1..line.end.max(line.start + 1)).copied().collect();
        ends.push(line.end);
        let mut start = line.start;
        let mut parts = Vec::new();
        for end in ends {
            parts.push(part(text, Span::new(start, end), places));
            start = end;
        }
        out.push(MarkedLine { number, parts });
    }
    MarkedText { lines: out, hidden_lines: count.saturating_sub(MAX_LINES) }
}

fn part(text: &str, span: Span, places: &[Place]) -> Part {
    let words = clean::one_line(&span.slice(text).replace('\t', "    ")).into_owned();
    let covers = |place: &&Place| place.span.start <= span.start && span.end <= place.span.end && span.start < span.end;
    let shortest = places.iter().filter(covers).min_by_key(|place| (place.span.end - place.span.start, &place.id));
    let begins = places.iter().filter(|place| place.span.start == span.start && span.start < span.end);
    Part {
        begins: begins.map(|place| place.id.clone()).collect(),
        // Indentation is never marked as a finding.
        finding: shortest.filter(|_| !words.trim().is_empty()).map(|place| place.id.clone()),
        is_blocker: shortest.is_some_and(|place| place.is_blocker),
        words,
        span,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples;

    fn place(start: usize, end: usize, id: &str) -> Place {
        Place { span: Span::new(start, end), id: id.to_owned(), is_blocker: id.starts_with('b') }
    }

    /// The marks as text: `[b1:words]` for a marked part, `^` for the start of a finding.
    fn told(text: &str, places: &[Place]) -> String {
        let part = |part: &Part| {
            let begins: String = part.begins.iter().map(|id| format!("^{id}")).collect();
            match &part.finding {
                Some(id) => format!("{begins}[{id}:{}]", part.words),
                None => format!("{begins}{}", part.words),
            }
        };
        let line = |line: &MarkedLine| line.parts.iter().map(part).collect::<String>();
        lines(text, places).lines.iter().map(line).collect::<Vec<_>>().join("|")
    }

    #[test]
    fn places_may_touch_nest_overlap_and_cross_lines() {
        let text = "abc def\n  ghi\nend";
        assert_eq!(told(text, &[]), "abc def|  ghi|end");
        assert_eq!(told(text, &[place(0, 3, "b1"), place(3, 7, "w1")]), "^b1[b1:abc]^w1[w1: def]|  ghi|end");
        assert_eq!(told(text, &[place(0, 7, "b1"), place(4, 7, "w1")]), "^b1[b1:abc ]^w1[w1:def]|  ghi|end");
        assert_eq!(told(text, &[place(4, 13, "b1")]), "abc ^b1[b1:def]|[b1:  ghi]|end");
        assert_eq!(told(text, &[place(0, 5, "w2"), place(2, 7, "w1")]), "^w2[w2:ab]^w1[w1:c d][w1:ef]|  ghi|end");
    }

    #[test]
    fn every_word_of_the_text_is_shown_once_and_harmless() {
        let long = "line\n".repeat(MAX_LINES + 7);
        assert_eq!(lines(&long, &[]).hidden_lines, 7);
        assert_eq!(told("a\u{202e}b\tc\u{1b}[2Jd", &[]), "ab    cd");
        for outcome in samples::all() {
            let shown = marked(&outcome);
            let words: String =
                shown.lines.iter().flat_map(|line| &line.parts).map(|part| part.words.as_str()).collect();
            assert!(!words.chars().any(clean::is_unsafe));
        }
    }
}
