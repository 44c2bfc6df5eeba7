//! Reports a reason that only repeats the wish.

use crate::stages::scoring::Context;
use reqgate_base::model::{Genre, Match};
use reqgate_text::content_words::{content_words, shared};
use reqgate_text::story_parts::story_parts;

/// Returns a match for each story whose reason has no content words beyond those of the wish.
pub(super) fn check(ctx: Context<'_>) -> Vec<Match> {
    let mut found = Vec::new();
    for sentence in ctx.reading.sentences.iter().filter(|s| s.genre == Genre::UserStory && !s.struck) {
        let parts = story_parts(ctx.text, sentence.span);
        let reason = content_words(parts.reason_words.slice(ctx.text));
        let wish = content_words(parts.wish.slice(ctx.text));
        if reason.len() >= 2 && shared(&reason, &wish) == reason.len() {
            found.push(Match::at(parts.reason).with("term", parts.reason.trimmed(ctx.text).slice(ctx.text)));
        }
    }
    found
}
