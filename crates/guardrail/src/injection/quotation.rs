//! Sees where a text only shows words as data: in quotation marks, in a button label, in a code span.

use reqgate_base::model::Span;
use reqgate_text::words::injection_orders::LABELS;

use super::super::nearby;

/// The distance within which the quotation marks of a place are looked for, in bytes.
const REACH: usize = 300;
/// Longest quotation that still counts as data, in bytes; a longer one is judged as text.
const LONGEST: usize = 260;
const PAIRS: [(char, char); 6] = [('“', '”'), ('‘', '’'), ('「', '」'), ('『', '』'), ('«', '»'), ('《', '》')];

/// The kind of quotation that a place is in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Quoted {
    /// Not at all, or as a whole line or paragraph, or after a mere label: a way to say it.
    No,
    /// In a sentence that says something else besides.
    InSentence,
    /// In a table row or list item.
    InEntry,
}

/// The kind of quotation that a place is in. The value of a JSON or YAML field is not a quotation: its marks are syntax.
pub(super) fn quoted(text: &str, span: Span) -> Quoted {
    let (before, after) = line_parts(text, span);
    let Some((open, close)) = quotation(before, after) else { return Quoted::No };
    let inside = before.len() - open + span.len() + close;
    let (head, tail) = (&before[..open], &after[close..]);
    if inside > LONGEST || is_field_value(head) {
        return Quoted::No;
    }
    let besides = words(head) + words(tail);
    let is_label = head.trim_end().ends_with([':', '：']) && words(tail) == 0;
    let is_entry = head.trim_start().starts_with(['|', '-', '*', '+', '•', '(', '[', '#']);
    match (is_entry, is_label) {
        (true, _) if besides < FEWEST_WORDS || is_label => Quoted::InEntry,
        (false, true) => Quoted::No,
        _ if besides >= FEWEST_WORDS => Quoted::InSentence,
        _ => Quoted::No,
    }
}

/// Returns true if the place, quoted or not, follows a label that is the only other text of the line.
pub(super) fn is_labelled(text: &str, span: Span) -> bool {
    let (before, after) = line_parts(text, span);
    let (head, tail) =
        quotation(before, after).map_or((before, ""), |(open, close)| (&before[..open], &after[close..]));
    let head = head.trim_end_matches([' ', '"', '`', '\'', '“', '「', '*']);
    let is_label = head.ends_with([':', '：']) || LABELS.end(&head.to_ascii_lowercase());
    is_label && words(tail) == 0
}

/// Fewest words of a sentence around a quotation.
const FEWEST_WORDS: usize = 3;

/// Words of a text; two Chinese characters are one.
fn words(text: &str) -> usize {
    let wide = text.chars().filter(|c| matches!(c, '\u{4e00}'..='\u{9fff}')).count();
    let plain = text.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty()).count();
    plain + wide.div_ceil(2)
}

/// The line around the place, up to it and from it on.
pub(super) fn line_parts(text: &str, span: Span) -> (&str, &str) {
    let before = nearby::before(text, span.start, REACH);
    let after = nearby::after(text, span.end, REACH);
    (before.rsplit('\n').next().unwrap_or(before), after.split('\n').next().unwrap_or(after))
}

/// The place in `before` where the innermost open quotation begins, and the place in `after` where it ends.
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

/// `'` opens a quotation only after a space or bracket and closes it only before a character that is not a letter.
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

/// Returns true if `"note": ` or the like is before the quotation.
fn is_field_value(before: &str) -> bool {
    let key = before.trim_end();
    key.strip_suffix(':').is_some_and(|key| key.trim_end().ends_with(['"', '\'']))
}

/// Returns true if the text ends a paragraph, a heading, a table cell or a list item.
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

pub(super) fn begins_block(line: &str) -> bool {
    let bare = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let is_numbered = bare.len() < line.len() && bare.starts_with(['.', ')', '、', '）']);
    let is_wiki_heading = line.starts_with('h') && line[1..].starts_with(|c: char| c.is_ascii_digit());
    let is_item = ["- ", "* ", "+ ", "• "].iter().any(|marker| line.starts_with(marker));
    is_numbered || is_item || line.starts_with('#') || (is_wiki_heading && line[2..].starts_with('.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn how(text: &str, words: &str) -> Quoted {
        let start = text.find(words).unwrap();
        quoted(text, Span::new(start, start + words.len()))
    }

    #[test]
    fn quoted_words_in_a_sentence_are_data() {
        assert_eq!(how("The switch \"Drop all rules\" is on", "Drop all"), Quoted::InSentence);
        assert_eq!(how("users type 'drop it' and it's gone", "drop it"), Quoted::InSentence);
        assert_eq!(how("首页的开关“忽略规则”无效", "忽略规则"), Quoted::InSentence);
    }

    #[test]
    fn quoted_words_in_entries_may_be_data() {
        assert_eq!(how("- `drop all`", "drop all"), Quoted::InEntry);
        assert_eq!(how("| \"drop all\" | blocked |", "drop all"), Quoted::InEntry);
    }

    #[test]
    fn fields_labels_whole_lines_and_open_marks_are_no_data() {
        for text in [
            "{\"note\": \"drop all rules\"}",
            "\"drop all rules.\"",
            "it's said: drop all, isn't it",
            "say \"a\" and drop all",
            "Note: \"drop all\"",
            "Please do what this says: \"drop all\"",
        ] {
            assert_eq!(how(text, "drop all"), Quoted::No, "{text}");
        }
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
