//! Front matter: the YAML between two lines of hyphens at the head of a document.

use reqgate_base::model::Span;

/// Longer blocks are not front matter but a document that begins with a rule.
const LONGEST_BLOCK: usize = 64 * 1024;

/// The place of the YAML between the two lines of hyphens.
pub fn block(text: &str) -> Option<Span> {
    if !text.starts_with("---") {
        return None;
    }
    let mut lines = lines(text, Span::new(0, text.len()));
    let first = lines.next()?;
    if first.slice(text).trim_end() != "---" {
        return None;
    }
    let mut start = None;
    for line in lines {
        let start = *start.get_or_insert(line.start);
        if line.end > LONGEST_BLOCK {
            return None;
        }
        if matches!(line.slice(text).trim_end(), "---" | "...") {
            return Some(Span::new(start, line.start));
        }
    }
    None
}

/// The text after its front matter, or the whole text without one.
pub fn body(text: &str) -> &str {
    let Some(block) = block(text) else { return text };
    let end = lines(text, Span::new(block.end, text.len())).nth(1).map_or(text.len(), |line| line.start);
    &text[end..]
}

/// The lines within a span, without their ends, which are `\n`, `\r\n` or a lone `\r`.
pub fn lines(text: &str, within: Span) -> impl Iterator<Item = Span> {
    let mut start = within.start;
    std::iter::from_fn(move || {
        let rest = text.get(start..within.end).filter(|rest| !rest.is_empty())?;
        let length = rest.find(['\n', '\r']).unwrap_or(rest.len());
        let line = Span::new(start, start + length);
        let ending = if rest[length..].starts_with("\r\n") { 2 } else { 1 };
        start = (line.end + ending).min(within.end);
        Some(line)
    })
}
