//! Finds decisions that were withdrawn without a replacement, and conversations that withdraw all their decisions.

use reqgate_base::model::{Criterion, OpenPoint, SectionRole, Span};
use reqgate_text::content_words::{content_words, shared};
use reqgate_text::words::open_points::WHOLE;
use reqgate_text::{Cue, Reading, Sentence};

use super::open_statement::can_be_open;
use super::story::has_words;

/// The number of preceding sentences to which "I take that back" refers.
const NEAR: usize = 2;

/// The number of withdrawals to examine, the last ones.
const MOST: usize = 50;

/// The open point of a text whose last withdrawal leaves a gap: no decision follows near the end, or no decision of a
/// conversation is left.
pub(super) fn withdrawn(text: &str, reading: &Reading, criteria: &[Criterion], is_talk: bool) -> Option<OpenPoint> {
    let sentences = &reading.sentences;
    let withdraws = |s: &Sentence| {
        can_be_open(s)
            && s.cues.has(Cue::Withdrawal)
            && !matches!(
                s.role,
                SectionRole::OutOfScope
                    | SectionRole::Metadata
                    | SectionRole::AcceptanceCriteria
                    | SectionRole::Requirements
            )
    };
    if is_talk && let Some(last) = takes_all_back(text, reading, criteria, &withdraws) {
        return Some(OpenPoint { owner: None, span: last, core: true });
    }
    let replaces = |s: &Sentence| s.cues.any(&[Cue::Settled, Cue::Observable]);
    let (index, sentence) = sentences.iter().enumerate().rev().find(|(_, s)| withdraws(s) && !replaces(s))?;
    let ruled_after = criteria.iter().any(|c| c.verifiable && c.span.start >= sentence.span.start);
    let decided_after = sentences[index..]
        .iter()
        .any(|s| s.cues.has(Cue::Decision) && !s.cues.any(&[Cue::Open]) && !std::ptr::eq(s, sentence));
    let reopened = sentences[index..].iter().any(|s| s.cues.any(&[Cue::Open]));
    let is_late = index * 2 >= sentences.len();
    (!ruled_after && (!decided_after || reopened) && is_late).then_some(OpenPoint {
        owner: None,
        span: sentence.span,
        core: true,
    })
}

/// The last withdrawal, if every earlier decision was withdrawn: in the next words, in words about the same, or in
/// words about everything.
fn takes_all_back(
    text: &str,
    reading: &Reading,
    criteria: &[Criterion],
    withdraws: &dyn Fn(&Sentence) -> bool,
) -> Option<Span> {
    let sentences = &reading.sentences;
    let last = sentences.iter().rposition(withdraws)?;
    let is_firm = |s: &Sentence| {
        let firm = [Cue::Decision, Cue::Observable, Cue::Obligation, Cue::Bound];
        can_be_open(s) && s.cues.any(&firm) && !s.cues.any(&[Cue::Open, Cue::Hedge])
    };
    if sentences[last + 1..].iter().any(is_firm) {
        return None;
    }
    let is_rule = |s: &Sentence| {
        let from = criteria.partition_point(|criterion| criterion.span.end <= s.span.start);
        criteria.get(from).is_some_and(|criterion| criterion.verifiable && criterion.span.overlaps(s.span))
    };
    let decides = |s: &Sentence| {
        let is_decided = s.cues.has(Cue::Decision) || s.role == SectionRole::Decisions || is_rule(s);
        is_decided
            && can_be_open(s)
            && !s.cues.any(&[Cue::Open, Cue::Hedge, Cue::Withdrawal])
            && has_words(s.span.slice(text), 3)
            && !s.span.slice(text).ends_with(['?', '？'])
    };
    let words = |at: usize| content_words(sentences[at].span.slice(text));
    let is_whole = |at: usize| WHOLE.are_words_of(&sentences[at].span.slice(text).to_lowercase());
    let said: Vec<(usize, Vec<String>, bool)> = (0..=last)
        .rev()
        .filter(|at| withdraws(&sentences[*at]))
        .take(MOST)
        .map(|at| (at, words(at), is_whole(at)))
        .collect();
    let is_back = |at: usize| {
        let own = words(at);
        let mut later = said.iter().filter(|(later, ..)| *later > at);
        later.any(|(later, about, is_whole)| *later - at <= NEAR || *is_whole || shared(&own, about) > 0)
    };
    let mut decided = (0..sentences.len()).filter(|at| decides(&sentences[*at])).peekable();
    decided.peek()?;
    decided.all(is_back).then(|| sentences[last].span)
}
