//! Reports points that the author left open and that the work depends on.

use crate::stages::scoring::Context;
use crate::stages::scoring::findings::OWNER;
use reqgate_base::model::{Match, OpenPoint, SectionRole, Span};
use reqgate_rules::Profile;
use reqgate_text::answer::is_under_answered;
use reqgate_text::words::open_points::OPEN_HEADINGS;
use reqgate_text::{Cue, Sentence};

/// Returns one match per open point that is described as open and that the work depends on; questions in passing have
/// another rule.
pub(super) fn check(ctx: Context<'_>) -> Vec<Match> {
    let called = core(ctx).filter(|point| is_called_open(ctx, point));
    let with_owner = |point: &OpenPoint| match point.owner {
        Some(owner) => found(ctx, point).with(OWNER, owner.slice(ctx.text)),
        None => found(ctx, point),
    };
    called.map(with_owner).collect()
}

/// The match for a point. In an item with several sentences it quotes the one that asks, else the one that says it is
/// open.
fn found(ctx: Context<'_>, point: &OpenPoint) -> Match {
    let sentences = &ctx.reading.sentences;
    let from = sentences.partition_point(|sentence| sentence.span.start < point.span.start);
    let within = || sentences[from..].iter().take_while(|sentence| sentence.span.start < point.span.end);
    let asks = |sentence: &&Sentence| sentence.span.slice(ctx.text).ends_with(['?', '？']);
    let asked = within().find(asks).or_else(|| within().find(|sentence| sentence.cues.has(Cue::Open)));
    let one = Match::at(point.span);
    if stands_under_answered(ctx, point) {
        return one;
    }
    if let Some(question) = asked_before(ctx, point) {
        return one.with("quote", question.slice(ctx.text));
    }
    match asked.filter(|_| within().count() > 1) {
        Some(sentence) => one.with("quote", sentence.span.slice(ctx.text)),
        None => match row_of(ctx, point) {
            Some(row) => one.with("quote", format!("{row}: {}", point.span.slice(ctx.text))),
            None => one,
        },
    }
}

/// The longest answer that says only that its question is open, in characters: "not decided yet", 还没有定.
const LONGEST_OPEN: usize = 20;

/// The question before a point that only leaves it open: "Which channels? TBD (owner: Lee)". Both are one point.
pub(super) fn asked_before(ctx: Context<'_>, point: &OpenPoint) -> Option<Span> {
    let sentences = &ctx.reading.sentences;
    let at = sentences.partition_point(|sentence| sentence.span.start < point.span.start);
    let (before, own) = (sentences.get(at.checked_sub(1)?)?, sentences.get(at)?);
    let said = point.span.slice(ctx.text).split(['(', '（']).next().unwrap_or_default().trim();
    let is_bare = said.chars().nth(LONGEST_OPEN).is_none() && said.split_whitespace().count() <= 3;
    let asks = before.block == own.block && before.span.slice(ctx.text).ends_with(['?', '？']);
    (asks && is_bare).then_some(before.span)
}

/// The name of the row if only one cell is open.
fn row_of<'t>(ctx: Context<'t>, point: &OpenPoint) -> Option<&'t str> {
    let block = &ctx.reading.blocks[ctx.reading.sentence_at(point.span.start)?.block];
    let name = block.cells.first().filter(|name| block.cells.len() > 1 && !name.overlaps(point.span))?;
    (name.end <= point.span.start).then(|| name.slice(ctx.text))
}

/// The open points that the work depends on. In a bug report authors wonder about many things that a repair does not
/// need, so only listed questions and open points about the correct behaviour count.
pub(super) fn core<'t>(ctx: Context<'t>) -> impl Iterator<Item = &'t OpenPoint> {
    let counts = move |point: &&OpenPoint| {
        let role = || ctx.reading.sentence_at(point.span.start).map(|sentence| sentence.role);
        let of_a_repair = [SectionRole::OpenQuestions, SectionRole::Expected, SectionRole::AcceptanceCriteria];
        point.core && (ctx.profile != Profile::Bug || role().is_some_and(|role| of_a_repair.contains(&role)))
    };
    ctx.facets.open_points.iter().filter(counts)
}

/// Returns true for an answer that leaves its question open; the match quotes both, with the owner that the answer
/// names.
fn stands_under_answered(ctx: Context<'_>, point: &OpenPoint) -> bool {
    let sentence = ctx.reading.sentence_at(point.span.start);
    sentence.is_some_and(|sentence| is_under_answered(ctx.text, ctx.reading, sentence.section))
}

/// Returns true if a match of this rule covers the place.
pub fn reports(ctx: Context<'_>, span: Span) -> bool {
    core(ctx).any(|point| point.span.overlaps(span) && is_called_open(ctx, point))
}

/// Returns true if the words or a heading above say that the point is open. In a conversation every open point was a
/// question.
pub(crate) fn is_called_open(ctx: Context<'_>, point: &OpenPoint) -> bool {
    let Some(sentence) = ctx.reading.sentence_at(point.span.start) else { return true };
    ctx.reading.is_conversation
        || ctx.reading.cues_in(point.span).any(&[Cue::Open, Cue::Withdrawal])
        || stands_under_open(ctx, sentence)
        || stands_under_answered(ctx, point)
}

fn stands_under_open(ctx: Context<'_>, sentence: &Sentence) -> bool {
    if sentence.role != SectionRole::OpenQuestions {
        return false;
    }
    let heading = ctx.reading.sections.get(sentence.section).and_then(|section| section.heading);
    heading.is_some_and(|heading| {
        let words = heading.slice(ctx.text).to_lowercase();
        OPEN_HEADINGS.iter().any(|word| words.contains(word))
    })
}
