//! Light grammar: clauses, introductory words, short titles, and whether two statements say the same.

use super::marks::is_tag;
use crate::model::Span;
use crate::text::content_words::{content_words, shared};
use crate::text::lexicon::is_cjk;
use crate::text::words::drafting_wording as lists;

/// The words without tags and pictures; `None` if only an address is left.
pub fn readable(words: &str) -> Option<String> {
    let plain = words.replace("**", "").replace("&nbsp;", " ").replace("&emsp;", " ");
    let row = plain.trim().strip_prefix('|').map(row_words);
    let plain = row.unwrap_or(plain);
    let mut out = String::with_capacity(plain.len());
    let mut rest = plain.as_str();
    while let Some(at) = rest.find(['<', '!']) {
        let (before, from) = rest.split_at(at);
        out.push_str(before);
        let tag = from.strip_prefix('<').filter(|tag| is_tag(tag));
        let end = match tag {
            Some(_) => from.find('>').map(|end| end + 1),
            None => from.strip_prefix("![").and_then(|picture| picture.find(')')).map(|end| end + 3),
        };
        match end.filter(|end| *end <= 300) {
            Some(end) => rest = &from[end..],
            None => {
                out.push_str(&from[..1]);
                rest = &from[1..];
            }
        }
    }
    out.push_str(rest);
    let said: Vec<&str> = out.split_whitespace().filter(|word| !word.contains("://")).collect();
    (substance(&said.join(" ")) >= 1).then(|| out.trim().to_owned())
}

/// The cells of a row; if one of them is a statement, without the number and the name next to it.
fn row_words(row: &str) -> String {
    let cells: Vec<&str> =
        row.split('|').map(str::trim).filter(|cell| cell.chars().any(char::is_alphanumeric)).collect();
    let states = cells.iter().any(|cell| substance(cell) >= 4);
    let says = |cell: &&&str| !states || substance(cell) >= 3;
    cells.iter().filter(says).copied().collect::<Vec<_>>().join(" – ")
}

/// The words of a statement without the marks and the openings that say nothing.
pub fn words_of(words: &str) -> String {
    let mut rest = trimmed(words);
    'again: loop {
        for lead in lists::LEAD_INS.iter().chain(lists::JOINING.iter()) {
            let begins = rest.get(..lead.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(lead));
            let after = rest.get(lead.len()..).unwrap_or_default();
            // "No invoice is sent" begins with its matter; "No, …" does not.
            let pause = after.starts_with([',', '，', '.', '。', '!', '！', ':', '：', '、', '…']);
            let joins = lists::JOINING.has(lead) && (lead.chars().all(is_cjk) || after.starts_with(' '));
            if begins && (pause || joins || after.is_empty()) {
                rest = trimmed(after);
                continue 'again;
            }
        }
        return rest.to_owned();
    }
}

pub(super) fn trimmed(words: &str) -> &str {
    let marks = |c: char| {
        c.is_whitespace()
            || matches!(c, ',' | '，' | '、' | '。' | ';' | '；' | '…' | '*' | '_' | '-' | '–' | '—' | '!' | '！')
    };
    words
        .trim_start_matches(|c| marks(c) || matches!(c, '.' | ':' | '：'))
        .trim_end_matches(marks)
        .trim_end_matches(['.', ':', '：'])
}

/// The words behind a Chinese request: 能不能自动发短信 → 自动发短信.
pub fn requested_zh(words: &str) -> Option<&str> {
    let bare = words.trim_start_matches(['所', '以', '那', '就']);
    let rest = lists::REQUESTS.behind(bare)?;
    (substance(rest) >= 2).then_some(rest)
}

/// "Could the list please show a total" → "the list can show a total".
pub fn polite(words: &str) -> Option<String> {
    let lower = words.to_ascii_lowercase();
    let begin = lists::POLITE.iter().find(|begin| lower.starts_with(*begin))?;
    let please = lower.find(" please ").filter(|at| *at > begin.len())?;
    let who = words[begin.len()..please].trim();
    let verb = words[please + " please ".len()..].trim();
    let asks_somebody = lists::ASKED.has(&who.to_ascii_lowercase());
    (!asks_somebody && who.split(' ').count() <= 6 && substance(verb) >= 1).then(|| format!("{who} can {verb}"))
}

/// The clauses of a sentence, each with the mark that ends it; figures with a comma stay whole.
pub fn clauses(text: &str, sentence: Span) -> Vec<Span> {
    let words = sentence.slice(text);
    let mut out = Vec::new();
    let mut start = sentence.start;
    for (at, c) in words.char_indices() {
        let after = words[at + c.len_utf8()..].chars().next();
        let ends = match c {
            '，' | '；' | '。' | '！' | '？' | '、' if c != '、' => true,
            ',' | ';' | '.' | '!' | '?' | '–' | '—' => {
                after.is_none_or(char::is_whitespace) || after.is_some_and(is_cjk)
            }
            _ => false,
        };
        if ends {
            let end = sentence.start + at + c.len_utf8();
            out.push(Span::new(start, end).trimmed(text));
            start = end;
        }
    }
    out.push(Span::new(start, sentence.end).trimmed(text));
    out.retain(|span| span.slice(text).chars().any(char::is_alphanumeric));
    out
}

/// The number of content words of a statement; two Chinese characters count as about one.
pub fn substance(words: &str) -> usize {
    content_words(words).len()
}

/// Content words other than figures.
pub fn topic(words: &str) -> Vec<String> {
    let mut words = content_words(words);
    words.retain(|word| !word.chars().any(|c| c.is_ascii_digit()));
    words
}

/// True if two statements say the same in other words or one says all that the other says.
pub fn says_the_same(one: &str, other: &str) -> bool {
    let (one, other) = (content_words(one), content_words(other));
    let (less, more) = if one.len() <= other.len() { (one, other) } else { (other, one) };
    let common = shared(&less, &more);
    !less.is_empty() && common * 10 >= more.len() * 8
        || less.len() >= 4 && common == less.len() && common * 10 >= more.len() * 6
}

/// The words with a capital at the beginning; names of code and addresses keep their letters.
pub fn capitalised(words: &str) -> String {
    let first = words.split_whitespace().next().unwrap_or_default();
    let inner = first.trim_end_matches([',', '.', ':', ';', '!', '?']);
    if inner.chars().any(|c| c.is_ascii_digit() || matches!(c, '.' | '/' | '_' | '(' | ':' | '<'))
        || inner.chars().skip(1).any(char::is_uppercase)
    {
        return words.to_owned();
    }
    let mut chars = words.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

/// The words as a sentence; a polite question is one too.
pub fn sentence(words: &str) -> String {
    let words = capitalised(words.trim().trim_end_matches(['?', '？']).trim_end());
    let ended = words.ends_with(['.', '。', '!', '！', '?', '？', ':', '：', '”', '"']);
    let mark = if words.chars().any(is_cjk) { "。" } else { "." };
    if ended || words.is_empty() { words } else { format!("{words}{mark}") }
}
