//! Reports an action on other people's data, money or rights without the people who may perform it.

use super::first_in;
use crate::stages::scoring::Context;
use reqgate_base::model::{Genre, Match, Span};
use reqgate_text::words::failures::PERMISSIONS;
use reqgate_text::{Cue, Hit};

/// Returns one match at the first sensitive action of a text that names no permission anywhere, or at a passive one
/// without an actor: "the history can be deleted".
pub(super) fn check(ctx: Context<'_>, places: &[Hit]) -> Vec<Match> {
    let genres =
        [Genre::AcceptanceCriterion, Genre::ShallStatement, Genre::GherkinStep, Genre::Demand, Genre::UserStory];
    let (by_nobody, active): (Vec<Hit>, Vec<Hit>) = places.iter().partition(|hit| is_passive(hit.span.slice(ctx.text)));
    let whole = ctx.text.to_ascii_lowercase();
    let named = PERMISSIONS.iter().any(|word| whole.contains(word));
    let acting = first_in(ctx, &active, &genres).filter(|_| !named);
    let Some(span) = acting.or_else(|| first_by_nobody(ctx, &by_nobody)) else { return Vec::new() };
    vec![Match::at(span).with("term", span.slice(ctx.text))]
}

/// Returns true for "can be deleted" and 可以删除, whose actor, if any, is elsewhere in the sentence.
fn is_passive(term: &str) -> bool {
    term.to_ascii_lowercase().starts_with("can be ") || term.starts_with('可')
}

fn first_by_nobody(ctx: Context<'_>, places: &[Hit]) -> Option<Span> {
    let alone = |hit: &&Hit| {
        let Some(sentence) = ctx.reading.sentence_at(hit.span.start) else { return false };
        let said = sentence.span.slice(ctx.text).to_ascii_lowercase();
        let in_criterion = ctx.facets.criteria.iter().any(|criterion| criterion.span.contains(hit.span));
        // The actor precedes the verb in Chinese (管理员可以删除) and follows "by" in English.
        let before = Span::new(sentence.span.start, hit.span.start);
        let acts = hit.span.slice(ctx.text).starts_with('可') && ctx.reading.find_cue(before, Cue::Actor).is_some();
        let names_somebody = acts || PERMISSIONS.iter().any(|word| said.contains(word));
        in_criterion && !sentence.struck && !names_somebody && !said.contains(" by ") && !said.contains('由')
    };
    places.iter().find(alone).map(|hit| hit.span)
}
