//! A story with remarks in brackets or examples that belong to the criteria or the notes.

use crate::model::{Genre, Sighting, Span};
use crate::stages::scoring::Context;
use crate::text::story_parts::story_parts;

/// Findings on stories that carry remarks.
pub fn check(ctx: Context<'_>) -> Vec<Sighting> {
    let stories = ctx.reading.sentences.iter().filter(|s| s.genre == Genre::UserStory && !s.struck);
    stories
        .filter_map(|sentence| {
            let parts = story_parts(ctx.text, sentence.span);
            let remark = remark(ctx.text, sentence.span).or_else(|| sample(ctx.text, parts.wish))?;
            Some(Sighting::at(sentence.span).with("term", remark.slice(ctx.text)))
        })
        .collect()
}

/// The first remark: a bracket that is no plural or link, or an example.
fn remark(text: &str, within: Span) -> Option<Span> {
    let words = within.slice(text);
    let place = |from: usize, to: usize| Span::new(within.start + from, within.start + to);
    let mut rest = 0;
    while let Some(open) = words[rest..].find(['(', '（', '[', '【']).map(|found| rest + found) {
        let close = words[open..].find([')', '）', ']', '】']).map_or(words.len(), |found| open + found);
        let end = words[close..].chars().next().map_or(close, |c| close + c.len_utf8());
        let inside = words[open..close].trim_start_matches(['(', '（', '[', '【']);
        let before = words[..open].chars().next_back();
        let link = words[end..].starts_with('(') || words[..open].ends_with(']') || inside.contains("://");
        let plural = before.is_some_and(char::is_alphanumeric) && inside.len() <= 3 && inside.is_ascii();
        if !link && !plural && inside.chars().filter(|c| c.is_alphanumeric()).count() >= 2 {
            return Some(place(open, end));
        }
        rest = end.max(open + 1);
        if rest >= words.len() {
            break;
        }
    }
    let lower = words.to_ascii_lowercase();
    let example = ["e.g.", "i.e.", "for example", "for instance", "例如", "比如", "譬如"];
    example.iter().find_map(|sign| lower.find(sign)).map(|from| place(from, words.len()))
}

/// "such as …" and "like Ann's" inside the wish.
fn sample(text: &str, wish: Span) -> Option<Span> {
    let words = wish.slice(text);
    let named = |from: usize| words[from..].chars().next().is_some_and(char::is_uppercase);
    let like =
        words.match_indices(" like ").map(|(from, sign)| (from + 1, from + sign.len())).find(|(_, end)| named(*end));
    let from = words.find("such as ").or(like.map(|(from, _)| from))?;
    Some(Span::new(wish.start + from, wish.end).trimmed(text))
}
