//! Reports a human action in the passive voice without the person who performs it.

use crate::stages::scoring::Context;
use reqgate_base::model::{Genre, Match, Span};
use reqgate_text::passive::passives;
use reqgate_text::words::binding::MODALS;
use reqgate_text::words::people::{HUMAN_ACTS, STATES};
use reqgate_text::{Cue, Sentence};

/// Returns a match for each statement that omits the person who acts.
pub(super) fn check(ctx: Context<'_>) -> Vec<Match> {
    let genres = [Genre::AcceptanceCriterion, Genre::ShallStatement];
    let binds = |s: &&Sentence| genres.contains(&s.genre) && !s.struck && s.cues.has(Cue::Obligation);
    let sentences = ctx.reading.sentences.iter().filter(binds);
    sentences.filter_map(|sentence| Some(Match::at(hidden(ctx, sentence)?))).map(|f| with_term(ctx, f)).collect()
}

fn with_term(ctx: Context<'_>, finding: Match) -> Match {
    let term = finding.span.map_or("", |span| span.slice(ctx.text)).to_string();
    finding.with("term", term)
}

fn hidden(ctx: Context<'_>, sentence: &Sentence) -> Option<Span> {
    let words = sentence.span.slice(ctx.text);
    let lower = words.to_ascii_lowercase();
    if let Some((found, length)) = chinese(words) {
        let acts = sentence.cues.has(Cue::Actor) || words.contains('由') || words.contains("经");
        let start = sentence.span.start + found;
        return (!acts).then(|| Span::new(start, start + length));
    }
    // "By" may introduce a date; a missed finding is better than a false one.
    if !MODALS.en.iter().any(|modal| lower.contains(modal)) || lower.contains(" by ") {
        return None;
    }
    let human = |span: &Span| HUMAN_ACTS.en.iter().any(|act| span.slice(&lower).ends_with(act));
    let span = passives(words).into_iter().find(human)?;
    // "Must be checked" describes the state of a box or a flag, and a condition requires no action.
    let before = lower.get(..span.start)?;
    let state = STATES.en;
    (MODALS.en.iter().any(|modal| before.contains(modal)) && !state.iter().any(|sign| before.contains(sign)))
        .then(|| Span::new(sentence.span.start + span.start, sentence.span.start + span.end))
}

/// "需要审批", "须经复核": the act directly follows the modal.
fn chinese(words: &str) -> Option<(usize, usize)> {
    HUMAN_ACTS.zh.iter().find_map(|act| {
        let found = words.find(act)?;
        let modal = MODALS.zh.iter().find(|modal| words[..found].ends_with(*modal))?;
        Some((found - modal.len(), modal.len() + act.len()))
    })
}
