//! Decides where a fact blocks: in statements of the work to be done, not in reasons, remarks and records.

use super::Context;
use reqgate_base::model::{Genre, SectionRole, Span};
use reqgate_rules::{Profile, Rule};
use reqgate_text::clauses::{clause, is_past};
use reqgate_text::{BlockKind, Cue, Sentence, display_width};

/// The widest text, in columns, that may remain in an unanswered field of a form.
const WIDEST_REST: usize = 10;

/// The longest paragraph, in bytes, in which a default may apply to a point in another sentence.
const LONGEST_ITEM: usize = 400;

/// Returns true if a finding of the rule blocks in this place. `also` lists further sections that the policy counts as
/// statements of work.
pub(crate) fn binds(ctx: Context<'_>, rule: &Rule, span: Span, also: &[SectionRole]) -> bool {
    let Some(sentence) = ctx.reading.sentence_at(span.start) else { return false };
    if leaves_open(rule) {
        return !is_held(ctx, sentence, span) && (sentence.binds() || states_work(ctx, rule, (sentence, span), also));
    }
    sentence.binds() || rule.file.fact && states_work(ctx, rule, (sentence, sentence.span), also)
}

/// Returns true for rules about open points, which a default settles.
fn leaves_open(rule: &Rule) -> bool {
    rule.file.fact && rule.file.mends.iter().any(|part| part == "settled")
}

/// Returns true for a point with a stated default, or one that the work does not need.
fn is_held(ctx: Context<'_>, sentence: &Sentence, point: Span) -> bool {
    let block = &ctx.reading.blocks[sentence.block];
    let is_item = block.kind != BlockKind::Turn && block.text.len() < LONGEST_ITEM;
    let within = if is_item { block.text.join(sentence.span) } else { sentence.span };
    let sentences = &ctx.reading.sentences;
    let next = sentences.get(sentences.partition_point(|other| other.span.start <= sentence.span.start));
    // "Not settled yet" is the point itself.
    let is_another = |hit: Span| point == sentence.span || !hit.overlaps(point);
    ctx.reading.cues_of(within, Cue::Settled).any(is_another)
        || next.is_some_and(|next| next.block == sentence.block && next.cues.has(Cue::Settled))
}

fn states_work(ctx: Context<'_>, rule: &Rule, (sentence, point): (&Sentence, Span), also: &[SectionRole]) -> bool {
    if sentence.genre == Genre::Title || also.contains(&sentence.role) {
        return true;
    }
    // "We drop the slice" is a withdrawal only in a conversation.
    if sentence.cues.has(Cue::Withdrawal) && !sentence.cues.has(Cue::Open) {
        return false;
    }
    if matches!(sentence.genre, Genre::Quotation | Genre::Aside)
        || is_past(ctx.text, clause(ctx.text, sentence.span, point), point)
    {
        return false;
    }
    let is_feature = ctx.profile != Profile::Bug;
    match sentence.role {
        SectionRole::Story | SectionRole::Scope | SectionRole::EdgeCases | SectionRole::Decisions => true,
        SectionRole::Notes => is_feature && leaves_open(rule),
        SectionRole::Demand | SectionRole::Body => {
            let kind = ctx.reading.blocks[sentence.block].kind;
            // A question may only be an idea; "to be decided" is not.
            let is_plain = leaves_open(rule) && sentence.genre != Genre::Question;
            let is_listed = !leaves_open(rule) && !matches!(kind, BlockKind::Paragraph);
            // In a bug report, prose describes unknown causes; a list describes the work.
            let is_wanted = sentence.role == SectionRole::Demand || kind == BlockKind::ListItem;
            (is_feature || is_plain && is_wanted) && (is_plain || is_listed || specifies(ctx))
        }
        // Other steps may be enough to see a fault.
        SectionRole::Steps | SectionRole::Actual | SectionRole::Expected => is_alone(ctx, sentence),
        _ => false,
    }
}

/// Returns true for a text with criteria, requirements or a story. Without them, a wish in prose is often only an idea.
fn specifies(ctx: Context<'_>) -> bool {
    ctx.facets.criteria.len() >= 2
        || ctx.reading.sentences.iter().any(|sentence| sentence.binds() || sentence.cues.has(Cue::StoryRole))
}

/// Returns true for the only sentence of a section that has content.
fn is_alone(ctx: Context<'_>, sentence: &Sentence) -> bool {
    let mut others = ctx.reading.sentences.iter().filter(|other| other.section == sentence.section);
    // "See error" is also part of the form.
    let is_brief = |other: &Sentence| display_width(other.span.slice(ctx.text)) <= WIDEST_REST;
    others.all(|other| {
        let is_apart = matches!(other.genre, Genre::Heading | Genre::Title);
        other.is_placeholder || other.span == sentence.span || is_apart || is_brief(other)
    })
}
