//! Cuts from a text the few lines of a finding, sanitised and shortened, with the finding marked.

use reqgate_base::clean::one_line;
use reqgate_base::model::{LineIndex, Position, Span};

/// The maximum number of lines shown of one finding.
const MAX_LINES: usize = 3;
/// The maximum number of characters shown on each side of a finding in a long line.
const MAX_CONTEXT: usize = 100;
/// The maximum number of characters shown of a finding in one line.
const MAX_MARKED: usize = 200;

/// One line of an excerpt; the three parts together are the line, or a window of it if it is long.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ExcerptLine {
    pub number: usize,
    pub before: String,
    /// The words of the finding.
    pub marked: String,
    pub after: String,
}

/// The lines that contain a span.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Excerpt {
    pub start: Position,
    pub lines: Vec<ExcerptLine>,
    /// The number of lines that are not shown.
    pub hidden_lines: usize,
}

/// The lines of `text` that contain `span`, or `None` if the span does not fit the text.
pub(super) fn excerpt(text: &str, index: &LineIndex, span: Span) -> Option<Excerpt> {
    text.get(span.start..span.end)?;
    let span = if span.trimmed(text).is_empty() { span } else { span.trimmed(text) };
    let (first, last) = index.lines(span);
    let shown = last.min(first + MAX_LINES - 1);
    let lines = (first..=shown).map(|number| line(text, index, span, number)).collect();
    Some(Excerpt { start: index.position(text, span.start), lines, hidden_lines: last - shown })
}

fn line(text: &str, index: &LineIndex, span: Span, number: usize) -> ExcerptLine {
    let whole = index.line_span(text, number);
    let start = span.start.clamp(whole.start, whole.end);
    let end = span.end.clamp(start, whole.end);
    let marked = Span::new(start, end);
    // The span of a continued block begins after the indentation of its further lines.
    let marked = if marked.trimmed(text).is_empty() { marked } else { marked.trimmed(text) };
    ExcerptLine {
        number,
        before: tail(Span::new(whole.start, marked.start).slice(text)),
        marked: head(marked.slice(text), MAX_MARKED),
        after: head(Span::new(marked.end, whole.end).slice(text), MAX_CONTEXT),
    }
}

fn head(text: &str, limit: usize) -> String {
    match text.char_indices().nth(limit) {
        Some((cut, _)) => format!("{}…", clean(&text[..cut])),
        None => clean(text),
    }
}

fn tail(text: &str) -> String {
    match text.char_indices().rev().nth(MAX_CONTEXT) {
        Some((cut, c)) => format!("…{}", clean(&text[cut + c.len_utf8()..])),
        None => clean(text),
    }
}

fn clean(text: &str) -> String {
    one_line(&text.replace('\t', "    ")).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(text: &str, place: &str) -> Excerpt {
        let start = text.find(place).expect("the place stands in the text");
        excerpt(text, &LineIndex::new(text), Span::new(start, start + place.len())).expect("the span fits")
    }

    #[test]
    fn place_is_told_apart_from_its_line() {
        let found = cut("one\n页面要快，很快\nthree", "很快");
        assert_eq!(found.start, Position { line: 2, column: 6 });
        assert_eq!(found.lines.len(), 1);
        assert_eq!((found.lines[0].before.as_str(), found.lines[0].marked.as_str()), ("页面要快，", "很快"));
    }

    #[test]
    fn long_places_and_long_lines_are_cut() {
        let found = cut("a\nb\nc\nd\ne", "a\nb\nc\nd\ne");
        assert_eq!((found.lines.len(), found.hidden_lines), (3, 2));
        let text = format!("{}PLACE{}", "长".repeat(5000), "long ".repeat(5000));
        let found = cut(&text, "PLACE");
        assert_eq!(found.lines[0].before.chars().count(), MAX_CONTEXT + 1);
        assert_eq!(found.lines[0].after.chars().count(), MAX_CONTEXT + 1);
    }

    #[test]
    fn any_span_of_any_text_is_survived() {
        proptest::proptest!(|(text in "[ab中\n\r\t\u{1b} ]{0,40}", start in 0..60usize, end in 0..60usize)| {
            let index = LineIndex::new(&text);
            let _ = excerpt(&text, &index, Span::new(start, end));
        });
    }
}
