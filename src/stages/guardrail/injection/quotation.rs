//! Sees where a text only shows words as data: in quotation marks, in a button label, in a code span.

use crate::model::Span;

use super::super::nearby;

/// How far from a place its quotation marks are looked for, in bytes.
const REACH: usize = 300;
/// Longest quotation that is still data and no text of its own, in bytes.
const LONGEST: usize = 260;
const PAIRS: [(char, char); 6] = [('“', '”'), ('‘', '’'), ('「', '」'), ('『', '』'), ('«', '»'), ('《', '》')];

/// True if the place is quoted in a line that says something else besides, or in a table row or list item.
///
/// The value of a JSON field is no quotation: its marks are syntax.
pub(super) fn is_data(text: &str, span: Span) -> bool {
    let (before, after) = line_parts(text, span);
    let Some((open, close)) = quotation(before, after) else { return false };
    let inside = before.len() - open + span.len() + close;
    inside <= LONGEST && !is_field_value(&before[..open]) && stands_in_a_line(&before[..open], &after[close..])
}

/// The line around the place, up to it and from it on.
pub(super) fn line_parts(text: &str, span: Span) -> (&str, &str) {
    let before = nearby::before(text, span.start, REACH);
    let after = nearby::after(text, span.end, REACH);
    (before.rsplit('\n').next().unwrap_or(before), after.split('\n').next().unwrap_or(after))
}

/// Where in `before` the innermost open quotation begins, and where in `after` it ends.
pub(super) fn quotation(before: &str, after: &str) -> Option<(usize, usize)> {
    let pair = |(open, close): (char, char)| {
        let at = before.rfind(open).filter(|at| !before[*at..].contains(close))?;
        Some((at, after.find(close)?))
    };
    let odd = |mark: char| {
        let is_open = before.matches(mark).count() % 2 == 1;
        is_open.then(|| Some((before.rfind(mark)?, after.find(mark)?))).flatten()
    };
    let ends = [odd('"'), odd('`'), open_apostrophe(before, after)];
    PAIRS.into_iter().filter_map(pair).chain(ends.into_iter().flatten()).max_by_key(|ends| ends.0)
}

/// `'` opens a quotation only after a space or bracket and closes it only before something that is no letter.
fn open_apostrophe(before: &str, after: &str) -> Option<(usize, usize)> {
    let mut open = None;
    let mut previous = ' ';
    let mut characters = before.char_indices().peekable();
    while let Some((at, c)) = characters.next() {
        if c == '\'' {
            let opens = !previous.is_alphanumeric();
            let closes = characters.peek().is_none_or(|(_, next)| !next.is_alphanumeric());
            open = match open {
                Some(place) if !closes => Some(place),
                Some(_) => None,
                None => opens.then_some(at),
            };
        }
        previous = c;
    }
    Some((open?, after.find('\'')?))
}

/// `"note": ` and the like stand before the quotation.
fn is_field_value(before: &str) -> bool {
    let key = before.trim_end();
    key.strip_suffix(':').is_some_and(|key| key.trim_end().ends_with(['"', '\'']))
}

fn stands_in_a_line(before: &str, after: &str) -> bool {
    let is_row_or_item = before.trim_start().starts_with(['|', '-', '*', '+', '•', '(', '[', '#']);
    is_row_or_item || before.chars().chain(after.chars()).filter(|c| c.is_alphanumeric()).count() >= 3
}

/// True if the text ends a paragraph, a heading, a table cell or a list item.
pub(super) fn ends_block(between: &str) -> bool {
    if between.contains('|') {
        return true;
    }
    between.split('\n').skip(1).enumerate().any(|(line_number, line)| {
        let line = line.trim_start();
        let is_last = between.split('\n').count() == line_number + 2;
        (line.is_empty() && !is_last) || begins_block(line)
    })
}

fn begins_block(line: &str) -> bool {
    let bare = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let is_numbered = bare.len() < line.len() && bare.starts_with(['.', ')', '、', '）']);
    let is_wiki_heading = line.starts_with('h') && line[1..].starts_with(|c: char| c.is_ascii_digit());
    let is_item = ["- ", "* ", "+ ", "• "].iter().any(|marker| line.starts_with(marker));
    is_numbered || is_item || line.starts_with('#') || (is_wiki_heading && line[2..].starts_with('.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn data(text: &str, words: &str) -> bool {
        let start = text.find(words).unwrap();
        is_data(text, Span::new(start, start + words.len()))
    }

    #[test]
    fn quoted_words_in_a_line_are_data() {
        assert!(data("The switch \"Drop all rules\" is on", "Drop all"));
        assert!(data("users type 'drop it' and it's gone", "drop it"));
        assert!(data("开关“忽略规则”无效", "忽略规则"));
        assert!(data("- `drop all`", "drop all"));
        assert!(data("| \"drop all\" | blocked |", "drop all"));
    }

    #[test]
    fn fields_whole_lines_and_open_marks_are_no_data() {
        assert!(!data("{\"note\": \"drop all rules\"}", "drop all"));
        assert!(!data("\"Drop all rules.\"", "Drop all"));
        assert!(!data("it's said: drop it, isn't it", "drop it"));
        assert!(!data("say \"a\" and drop it", "drop it"));
    }

    #[test]
    fn blocks_end_at_blank_lines_rows_items_and_headings() {
        for between in ["a\n\nb", "a\n- b", "a\n| b", "a | b", "a\n## b", "a\n2. b", "a\nh4. b", "\n * "] {
            assert!(ends_block(between), "{between:?}");
        }
        for between in ["a\nb", "a\n", "a\n  b", "5.0", ""] {
            assert!(!ends_block(between), "{between:?}");
        }
    }
}
