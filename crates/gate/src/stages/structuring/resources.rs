//! Finds references in a text: addresses, tickets, documents.

use reqgate_base::model::{Genre, SectionRole, Span};
use reqgate_text::Reading;

/// The references of a text, in order, each once.
pub(super) fn resources(text: &str, reading: &Reading) -> Vec<Span> {
    let mut out: Vec<Span> = Vec::new();
    for sentence in &reading.sentences {
        if sentence.genre == Genre::Code {
            continue;
        }
        if sentence.role == SectionRole::Resources
            && sentence.genre != Genre::Heading
            && !super::bug::is_nothing(sentence.span.slice(text))
        {
            out.push(sentence.span);
            continue;
        }
        let words = sentence.span.slice(text);
        // Every reference contains one of these characters.
        if !words.bytes().any(|byte| matches!(byte, b'#' | b'-' | b':')) {
            continue;
        }
        let mut at = 0;
        for word in words.split(|c: char| {
            c.is_whitespace()
                || matches!(c, '(' | ')' | '[' | ']' | '<' | '>' | '"' | '，' | '。' | '、' | '（' | '）' | '|')
        }) {
            let start = at;
            at += word.len() + words[at + word.len()..].chars().next().map_or(0, char::len_utf8);
            let trimmed = word.trim_end_matches(['.', ',', ';', ':', '!', '?']);
            if is_reference(trimmed) {
                let span = Span::new(sentence.span.start + start, sentence.span.start + start + trimmed.len());
                if out.len() < 40 && !out.iter().any(|seen| seen.slice(text) == trimmed) {
                    out.push(span);
                }
            }
        }
    }
    out
}

fn is_reference(word: &str) -> bool {
    if word.starts_with("https://") || word.starts_with("http://") {
        return word.len() > 10;
    }
    if let Some(number) = word.strip_prefix('#') {
        return !number.is_empty() && number.len() <= 7 && number.bytes().all(|b| b.is_ascii_digit());
    }
    let Some((key, number)) = word.split_once('-') else { return false };
    let is_key = (2..=10).contains(&key.len()) && key.bytes().all(|b| b.is_ascii_uppercase());
    let known = !matches!(key, "AC" | "FR" | "NFR" | "REQ" | "UTF" | "ISO" | "COVID" | "SHA" | "US" | "EN");
    is_key && known && !number.is_empty() && number.len() <= 6 && number.bytes().all(|b| b.is_ascii_digit())
}
