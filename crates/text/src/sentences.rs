//! Cuts prose into sentences, in English, in Chinese and in the unpunctuated lines that people type in a hurry.

use super::lexicon::{is_cjk, open_with};
use crate::words::sentences::ABBREVIATIONS;
use crate::words::stories::CONTINUATIONS;
use reqgate_base::model::Span;

/// The fewest columns of a line of wrapped prose, if the next line continues in lower case.
const WRAP_WIDTH: usize = 55;

/// The sentences of a block of prose, without surrounding white space and without empty ones.
pub fn sentences(text: &str, block: Span) -> Vec<Span> {
    let mut out = Vec::new();
    for piece in unwrapped_lines(text, block) {
        split_line(text, piece, &mut out);
    }
    out
}

/// The longest sentence, in bytes; a longer one is pasted data. Rules compare each place in a sentence with the whole
/// sentence, so this bound keeps them linear in the text.
const LONGEST_SENTENCE: usize = 2_000;

/// Cuts a span into pieces that are short enough for a sentence, at white space if possible; mostly it is one piece.
pub(crate) fn bounded(text: &str, span: Span) -> impl Iterator<Item = Span> {
    let mut rest = span;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let mut end = rest.end;
        if rest.len() > LONGEST_SENTENCE {
            let limit = text.floor_char_boundary(rest.start + LONGEST_SENTENCE);
            let words = Span::new(rest.start, limit).slice(text);
            end = rest.start + words.rfind(char::is_whitespace).filter(|at| *at > 0).unwrap_or(words.len());
        }
        let piece = Span::new(rest.start, end);
        rest.start = end;
        Some(piece.trimmed(text))
    })
    .filter(|piece| !piece.is_empty())
}

/// The lines of a block; a sentence that was wrapped over several lines is joined.
fn unwrapped_lines(text: &str, block: Span) -> Vec<Span> {
    let slice = block.slice(text);
    let mut pieces: Vec<Span> = Vec::new();
    let mut start = block.start;
    for line in slice.split_inclusive(['\n', '\r']) {
        let span = Span::new(start, start + line.len()).trimmed(text);
        start += line.len();
        if span.is_empty() {
            continue;
        }
        match pieces.last_mut() {
            Some(last) if continues(last.slice(text), span.slice(text)) => last.end = span.end,
            _ => pieces.push(span),
        }
    }
    pieces
}

fn continues(before: &str, after: &str) -> bool {
    let last_line = before.rsplit(['\n', '\r']).next().unwrap_or(before).trim_start_matches(['>', ' ']);
    let ends = before
        .chars()
        .next_back()
        .is_some_and(|c| matches!(c, '.' | '!' | '?' | ':' | ';' | '。' | '！' | '？' | '；' | '：'));
    let first = after.trim_start_matches(['>', ' ']).chars().next();
    if ends || last_line.chars().any(is_cjk) && first.is_some_and(is_cjk) {
        return false;
    }
    let open = before.ends_with([',', '-', '–', '(']) || before.ends_with(" and") || before.ends_with(" or");
    let goes_on = first.is_some_and(|c| c.is_lowercase() || matches!(c, '(' | '`' | '"' | '*'));
    (last_line.len() >= WRAP_WIDTH && (goes_on || first.is_some_and(|c| !c.is_ascii_punctuation())))
        || (open && goes_on)
        || starts_as_story_part(after)
}

/// Returns true for a part of a story: "As a clerk / I want … / so that …" over three lines is one sentence.
fn starts_as_story_part(line: &str) -> bool {
    let start = line.chars().take(14).filter(|c| !matches!(c, '*' | '_'));
    CONTINUATIONS.iter().any(|part| open_with(start.clone(), part))
}

fn split_line(text: &str, line: Span, out: &mut Vec<Span>) {
    let slice = line.slice(text);
    let mut start = 0;
    let mut open_brackets = 0usize;
    let mut behind = 0;
    while let Some(at) = next_mark(slice, behind) {
        let Some(c) = slice[at..].chars().next() else { break };
        behind = at + c.len_utf8();
        if let Some(end) = end_of_quotation(slice, at, c) {
            behind = end;
            if c == '`' {
                continue;
            }
        }
        let next = slice[at + c.len_utf8()..].chars().next();
        match c {
            '(' | '（' | '“' | '「' | '『' => open_brackets += 1,
            ')' | '）' | '”' | '」' | '』' => open_brackets = open_brackets.saturating_sub(1),
            _ => {}
        }
        let ends = match c {
            '。' | '！' | '？' => true,
            '；' => open_brackets == 0,
            '!' | '?' => next.is_none_or(char::is_whitespace) || next.is_some_and(is_cjk),
            ';' => open_brackets == 0 && next.is_some_and(char::is_whitespace),
            '.' => next.is_none_or(char::is_whitespace) && ends_sentence(&slice[start..at], &slice[at + 1..]),
            _ => false,
        };
        if ends
            && !next.is_some_and(|n| matches!(n, '.' | '!' | '?' | '。' | '！' | '？' | '”' | '」' | '"' | ')' | '）'))
        {
            push(text, Span::new(line.start + start, line.start + at + c.len_utf8()), out);
            start = at + c.len_utf8();
        } else if matches!(c, '”' | '」' | '"' | ')' | '）') && open_brackets == 0 {
            let before = slice[start..at].chars().next_back();
            let closes = before.is_some_and(|b| matches!(b, '。' | '！' | '？' | '.' | '!' | '?'));
            let ellipsis = slice[start..at].ends_with("..");
            if closes && !ellipsis && next.is_none_or(|n| n.is_whitespace() || is_cjk(n)) && before != Some('.') {
                push(text, Span::new(line.start + start, line.start + at + c.len_utf8()), out);
                start = at + c.len_utf8();
            }
        }
    }
    push(text, Span::new(line.start + start, line.end), out);
}

/// The longest quotation that stays in one sentence, in bytes.
const LONGEST_QUOTATION: usize = 240;

/// The end of a code span or of a quotation that opens here. Sentences in it are those of the program.
fn end_of_quotation(line: &str, at: usize, opening: char) -> Option<usize> {
    let rest = &line[at..];
    let near = &rest[..rest.floor_char_boundary(LONGEST_QUOTATION)];
    let closing = match opening {
        '`' => {
            let marks = near.bytes().take_while(|byte| *byte == b'`').count();
            let end = near[marks..].find(&near[..marks])?;
            return Some(at + marks + end + marks);
        }
        '“' => '”',
        '「' => '」',
        '『' => '』',
        _ => return None,
    };
    near.find(closing).map(|end| at + end)
}

/// The next character that may end a sentence, or open or close a bracket: one of few marks, or one beyond ASCII.
fn next_mark(text: &str, from: usize) -> Option<usize> {
    let is_mark = |byte: u8| matches!(byte, b'`' | b'(' | b')' | b'"' | b'!' | b'?' | b';' | b'.' | 0x80..);
    text.as_bytes()[from..].iter().position(|byte| is_mark(*byte)).map(|place| from + place)
}

fn ends_sentence(before: &str, after: &str) -> bool {
    let word = before.rsplit(|c: char| c.is_whitespace() || matches!(c, '(' | '"' | '“')).next().unwrap_or("");
    let lower = word.to_ascii_lowercase();
    let is_initial = word.chars().count() == 1 && word.chars().all(char::is_alphabetic);
    let next = after.trim_start().chars().next();
    if ABBREVIATIONS.has(&lower) {
        // "etc." ends a sentence if the next one begins with a capital.
        return lower == "etc" && next.is_none_or(char::is_uppercase);
    }
    !is_initial && !before.trim().is_empty() && !before.ends_with('.') && !word.bytes().all(|b| b.is_ascii_digit())
        || (word.bytes().all(|b| b.is_ascii_digit()) && !word.is_empty() && before.trim().len() > word.len())
}

fn push(text: &str, span: Span, out: &mut Vec<Span>) {
    let span = span.trimmed(text);
    if span.slice(text).chars().any(char::is_alphanumeric) {
        out.push(span);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(text: &str) -> Vec<&str> {
        sentences(text, Span::new(0, text.len())).into_iter().map(|s| s.slice(text)).collect()
    }

    #[test]
    fn english_and_chinese_sentences_are_cut_at_their_marks() {
        assert_eq!(
            cut("It must support e.g. HTTP/2. Then it stops. v1.2 is fine"),
            ["It must support e.g. HTTP/2.", "Then it stops.", "v1.2 is fine"]
        );
        assert_eq!(cut("点击保存。提示成功！然后呢？"), ["点击保存。", "提示成功！", "然后呢？"]);
        assert_eq!(cut("He says “stop.” and goes on. End"), ["He says “stop.” and goes on.", "End"]);
    }

    #[test]
    fn a_quotation_and_a_code_span_stay_in_their_sentence() {
        let code = "The file says `TBD - by NAME. Write it later.` until then.";
        assert_eq!(cut(&format!("{code} Next")), [code, "Next"]);
        let quoted = "The badge reads “Not yet. Ask us” in grey.";
        assert_eq!(cut(&format!("{quoted} Next")), [quoted, "Next"]);
        assert_eq!(cut("提示“没有结果。请重试。”并留在原页。第二句").len(), 3);
        assert_eq!(cut("A lone ` mark. And more"), ["A lone ` mark.", "And more"]);
    }

    #[test]
    fn data_is_cut_into_pieces_that_leave_nothing_out() {
        for text in ["word ".repeat(1_000), "快".repeat(3_000), " ".repeat(5_000), "a sentence".to_owned()] {
            let pieces: Vec<Span> = bounded(&text, Span::new(0, text.len())).collect();
            assert!(pieces.iter().all(|piece| piece.len() <= LONGEST_SENTENCE));
            let letters: usize = pieces.iter().map(|piece| piece.slice(&text).replace(' ', "").len()).sum();
            assert_eq!(letters, text.replace(' ', "").len());
        }
    }

    #[test]
    fn short_lines_are_statements_and_long_ones_are_wrapped_prose() {
        assert_eq!(cut("press save\nit turns red\nand beeps"), ["press save", "it turns red", "and beeps"]);
        let wrapped = "The nightly job has to write every rejected row to the file so that\nthe clerk can read it in the morning.";
        assert_eq!(cut(wrapped), [wrapped]);
    }

    #[test]
    fn a_story_over_three_lines_is_one_sentence() {
        assert_eq!(cut("As a *clerk*\nI want *a list*\nso that *I see it*").len(), 1);
    }
}
