//! Reports a lock, a reservation or a code that begins and never ends.

use crate::stages::scoring::Context;
use reqgate_base::model::{Genre, Match, Span};
use reqgate_text::Hit;
use reqgate_text::quantities::{Dimension, quantities};
use reqgate_text::words::Words;
use reqgate_text::words::failures::{ENDINGS, RESERVABLE, SENDING};

/// Returns a match for each beginning if the text contains no end.
pub(super) fn check(ctx: Context<'_>, places: &[Hit]) -> Vec<Match> {
    let begins: Vec<Span> = places.iter().map(|hit| hit.span).filter(|span| is_beginning(ctx, *span)).collect();
    if begins.is_empty() || ends_somewhere(ctx.text) {
        return Vec::new();
    }
    begins.into_iter().map(|span| Match::at(span).with("term", span.slice(ctx.text))).collect()
}

fn is_beginning(ctx: Context<'_>, span: Span) -> bool {
    let genres = [
        Genre::AcceptanceCriterion,
        Genre::ShallStatement,
        Genre::GherkinStep,
        Genre::Demand,
        Genre::UserStory,
        Genre::Prose,
    ];
    let Some(sentence) = ctx.reading.sentence_at(span.start) else { return false };
    if sentence.struck || !genres.contains(&sentence.genre) {
        return false;
    }
    let term = span.slice(ctx.text).to_lowercase();
    let words = sentence.span.slice(ctx.text).to_lowercase();
    let beside = |list: &Words| list.iter().any(|word| words.contains(word));
    match term.as_str() {
        term if term.contains("code") || term.contains("link") || term == "验证码" => beside(SENDING),
        term if term.contains("reserve") => beside(RESERVABLE),
        _ => true,
    }
}

/// Searched only if something begins, so that most texts cost no time.
fn ends_somewhere(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    ENDINGS.iter().any(|word| lower.contains(word))
        || quantities(text, Span::new(0, text.len())).iter().any(|q| q.dimension == Some(Dimension::Time))
}
