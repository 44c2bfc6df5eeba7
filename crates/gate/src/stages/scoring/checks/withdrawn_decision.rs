//! Reports a decision of a conversation that is withdrawn later in it.

use crate::stages::scoring::Context;
use reqgate_base::model::{Genre, Match, SectionRole};
use reqgate_rules::Profile;
use reqgate_text::{Cue, Sentence};

/// Returns a match for each sentence that withdraws an earlier decision, except those that the rule about undecided
/// topics reports.
pub(super) fn check(ctx: Context<'_>) -> Vec<Match> {
    let sentences = &ctx.reading.sentences;
    let Some(decided) =
        sentences.iter().position(|s| is_said(s) && s.cues.any(&[Cue::Decision, Cue::Obligation, Cue::Bound]))
    else {
        return Vec::new();
    };
    let talks = |s: &Sentence| {
        ctx.reading.is_conversation
            || ctx.profile == Profile::Meeting
            || matches!(s.role, SectionRole::Notes | SectionRole::Decisions)
    };
    let named = |s: &Sentence| ctx.facets.open_points.iter().any(|point| point.core && point.span.overlaps(s.span));
    let taken_back = |s: &&Sentence| {
        is_said(s)
            && talks(s)
            && s.cues.has(Cue::Withdrawal)
            && !s.cues.any(&[Cue::Settled, Cue::Decision])
            && !named(s)
    };
    let found = sentences[decided + 1..].iter().filter(taken_back);
    found.map(|s| Match::at(s.span).with("term", s.span.slice(ctx.text))).collect()
}

fn is_said(sentence: &Sentence) -> bool {
    let silent =
        matches!(sentence.genre, Genre::Code | Genre::Quotation | Genre::Title | Genre::Heading | Genre::Question);
    !sentence.struck && !silent
}
