//! Reports a story with more than role, wish and reason: remarks in brackets, separate examples, a second sentence.

use crate::stages::scoring::Context;
use reqgate_base::model::{Genre, Match, Span};
use reqgate_text::lexicon::is_cjk;
use reqgate_text::story_parts::story_parts;
use reqgate_text::words::stories::{EXAMPLES, REASONS_SET_OFF};
use reqgate_text::{BlockKind, Cue};

/// The latest byte at which the role of a story begins, after a number, a mark or a short label.
const LATEST_ROLE: usize = 24;

/// Returns a match for each story with remarks or a second sentence.
pub(super) fn check(ctx: Context<'_>) -> Vec<Match> {
    let sentences = &ctx.reading.sentences;
    let mut found: Vec<Match> = Vec::new();
    let mut last_block = None;
    for (index, sentence) in sentences.iter().enumerate() {
        // "During my test, as a user I …" only mentions a role.
        let begins = ctx.reading.find_cue(sentence.span, Cue::StoryRole);
        let is_story = sentence.genre == Genre::UserStory
            && begins.is_none_or(|cue| cue.start < sentence.span.start + LATEST_ROLE);
        if !is_story || sentence.struck || last_block == Some(sentence.block) {
            continue;
        }
        last_block = Some(sentence.block);
        if let Some(extra) = remark(ctx.text, sentence.span)
            .or_else(|| second_sentence(ctx, index))
            .or_else(|| aside(ctx.text, sentence.span))
        {
            found.push(Match::at(sentence.span).with("term", extra.slice(ctx.text)));
        }
    }
    found
}

/// The sentence after a story that is the whole text or an item of a list. Below the story of a ticket, prose is
/// normal.
fn second_sentence(ctx: Context<'_>, index: usize) -> Option<Span> {
    let story = &ctx.reading.sentences[index];
    let next = ctx.reading.sentences.get(index + 1).filter(|next| next.block == story.block)?;
    // The next cell of a row is not part of the story.
    if ctx.text.get(story.span.end..next.span.start).is_some_and(|between| between.contains('|')) {
        return None;
    }
    let alone = ctx.reading.blocks.len() == 1;
    let listed = matches!(ctx.reading.blocks[story.block].kind, BlockKind::ListItem | BlockKind::TableRow { .. });
    (alone || listed).then_some(next.span)
}

/// Words after a semicolon or a dash that are not a reason.
fn aside(text: &str, story: Span) -> Option<Span> {
    let words = story.slice(text);
    let marks = ["; ", "；", " - ", " – ", " — ", "——"];
    let (at, mark) = marks.iter().filter_map(|mark| Some((words.find(mark)?, *mark))).min()?;
    let behind = words[at + mark.len()..].trim_start().to_lowercase();
    let reason = REASONS_SET_OFF.iter().any(|sign| behind.starts_with(sign));
    let wordy = behind.split_whitespace().count() >= 4 || behind.chars().filter(|c| is_cjk(*c)).count() >= 6;
    // The role before the wish may have parts set off by dashes: "As a nurse - night shift -, I want".
    let behind_wish = story_parts(text, story).wish.start < story.start + at;
    (wordy && !reason && behind_wish).then(|| Span::new(story.start + at + mark.len(), story.end).trimmed(text))
}

/// The first remark: an example, or a bracket other than a plural or a link.
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
        if !link && !plural && !is_abbreviation(inside) && inside.chars().filter(|c| c.is_alphanumeric()).count() >= 2 {
            return Some(place(open, end));
        }
        rest = end.max(open + 1);
        if rest >= words.len() {
            break;
        }
    }
    let lower = words.to_ascii_lowercase();
    let example = EXAMPLES;
    example.iter().find_map(|sign| lower.find(sign)).map(|from| place(from, words.len()))
}

/// Returns true for the short form of the words before it: "(GPS)", "(IoT)", "(APIs)".
fn is_abbreviation(inside: &str) -> bool {
    let inside = inside.trim();
    let capitals = inside.chars().filter(|c| c.is_uppercase()).count();
    inside.chars().count() <= 10 && capitals >= 2 && !inside.contains(char::is_whitespace)
}
