//! Selects the words of the ticket that a question quotes, so that the question is specific.

use super::Context;
use reqgate_base::model::{Genre, QuestionCode, Span};
use reqgate_text::words::requests::POLITE;
use reqgate_text::{Cue, Sentence, display_width};

/// The widest quote in columns; longer sentences are not repeated in a question.
const WIDEST: usize = 160;

/// Returns the words that a question of this kind quotes; `None` if the ticket has no suitable words.
pub(super) fn about(code: QuestionCode, ctx: Context<'_>) -> Option<Span> {
    let facets = ctx.facets;
    let need = || facets.need.or(ctx.reading.title);
    let fault = || facets.actual.first().copied().or(ctx.reading.title);
    let span = match code {
        QuestionCode::Decide => return left_open(ctx),
        QuestionCode::What | QuestionCode::Scope => need(),
        QuestionCode::Done => facets.criteria.iter().find(|own| !own.verifiable).map(|own| own.span).or_else(need),
        QuestionCode::Actual | QuestionCode::Expected | QuestionCode::Reproduce | QuestionCode::Where => fault(),
        QuestionCode::Environment | QuestionCode::Context | QuestionCode::Why | QuestionCode::Other => None,
    };
    span.filter(|span| is_brief(*span, ctx)).or(ctx.reading.title.filter(|title| is_brief(*title, ctx)))
}

/// The words that most plainly leave something open: an open point, else a postponed or unchosen alternative, else a
/// question, else a doubt.
fn left_open(ctx: Context<'_>) -> Option<Span> {
    let point = ctx.facets.open_points.first().map(|point| point.span);
    let signs = ctx.facets.evidence_of("settled").into_iter().flat_map(|evidence| &evidence.signs);
    let put_off = || {
        let against = signs.filter(|sign| sign.weight < 0.0).filter_map(|sign| sign.span);
        against.min_by_key(|span| span.start).and_then(|span| ctx.reading.sentence_at(span.start))
    };
    let says = |sentence: &&Sentence| {
        // Outside open points, "TBD" is filled in later or quoted.
        !sentence.cues.has(Cue::Open)
            && !sentence.struck
            && !sentence.is_placeholder
            && !matches!(sentence.genre, Genre::Code | Genre::Quotation | Genre::Heading)
            && is_brief(sentence.span, ctx)
            && !is_request(sentence.span.slice(ctx.text))
    };
    let said = || ctx.reading.sentences.iter().filter(says);
    let asks = |sentence: &&Sentence| sentence.span.slice(ctx.text).trim_end().ends_with(['?', '？']);
    let doubts = |sentence: &&Sentence| sentence.cues.has(Cue::Hedge);
    let sentence = put_off().filter(|own| says(own)).or_else(|| said().find(asks)).or_else(|| said().find(doubts));
    point.or(sentence.map(|sentence| sentence.span))
}

/// Returns true for polite requests: "Could you add a dark theme?" asks for work and is not an open point.
fn is_request(sentence: &str) -> bool {
    let words = sentence.trim().to_lowercase();
    words.ends_with(['?', '？']) && POLITE.begin(&words)
}

fn is_brief(span: Span, ctx: Context<'_>) -> bool {
    display_width(span.slice(ctx.text)) <= WIDEST
}
