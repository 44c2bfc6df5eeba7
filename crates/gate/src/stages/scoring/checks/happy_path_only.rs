//! Reports three or more criteria none of which covers an error, a limit, a refusal or an empty case.

use crate::stages::scoring::Context;
use reqgate_base::model::{Match, SectionRole};
use reqgate_text::Cue;
use reqgate_text::words::failures::UNHAPPY;

const FEWEST: usize = 3;

/// Returns one match if every criterion of a set covers only the success case.
pub(super) fn check(ctx: Context<'_>) -> Vec<Match> {
    let criteria = &ctx.facets.criteria;
    // Only criteria that the author calls so, or that follow a story, count; steps and tables may merely resemble
    // criteria.
    let story = ctx.reading.sentences.iter().any(|sentence| sentence.cues.has(Cue::StoryRole));
    let meant = |at: usize| {
        let sentence = ctx.reading.sentence_at(at);
        sentence.is_some_and(|sentence| sentence.role == SectionRole::AcceptanceCriteria || story)
    };
    let called = criteria.iter().filter(|criterion| meant(criterion.span.start)).count();
    if called < FEWEST || !ctx.facets.edge_cases.is_empty() {
        return Vec::new();
    }
    let unhappy = |words: &str| {
        let lower = words.to_lowercase();
        UNHAPPY.iter().any(|sign| lower.contains(sign))
    };
    let covered = criteria.iter().any(|criterion| {
        criterion.negative
            || ctx.reading.cues_in(criterion.span).has(Cue::Failure)
            || unhappy(criterion.span.slice(ctx.text))
    });
    if covered {
        return Vec::new();
    }
    let all = criteria.iter().map(|criterion| criterion.span).reduce(|a, b| a.join(b));
    let finding = all.map_or_else(Match::missing, Match::at);
    vec![finding.with("count", criteria.len().to_string())]
}
