//! Decides where a fact blocks: where the text says what is to be done, and not in its reasons, remarks and records.

use super::Context;
use crate::model::{Genre, SectionRole, Span};
use crate::rules::Profile;
use crate::text::{BlockKind, Cue, Sentence, display_width};

/// The widest remainder of a form that is not an answer, in columns.
const WIDEST_REST: usize = 10;

/// Tells places that say what is to be done; `also` are further sections that a policy takes for it.
pub fn states_work(ctx: Context<'_>, span: Span, also: &[SectionRole]) -> bool {
    let Some(sentence) = ctx.reading.sentence_at(span.start) else { return false };
    if sentence.binds() || sentence.genre == Genre::Title || also.contains(&sentence.role) {
        return true;
    }
    // "We drop the slice" is a withdrawal in a talk only.
    if sentence.cues.has(Cue::Withdrawal) && !sentence.cues.has(Cue::Open) {
        return false;
    }
    match sentence.role {
        SectionRole::Story | SectionRole::Scope | SectionRole::EdgeCases | SectionRole::Decisions => true,
        SectionRole::Demand | SectionRole::Body => {
            let kind = ctx.reading.blocks[sentence.block].kind;
            ctx.profile != Profile::Bug && (!matches!(kind, BlockKind::Paragraph) || specifies(ctx))
        }
        // Other steps may be enough to see a fault.
        SectionRole::Steps | SectionRole::Actual | SectionRole::Expected => is_alone(ctx, sentence),
        _ => false,
    }
}

/// Tells texts with criteria, requirements or a story; prose of a wish among colleagues often only thinks aloud.
fn specifies(ctx: Context<'_>) -> bool {
    ctx.reading.sentences.iter().any(|sentence| sentence.binds() || sentence.cues.has(Cue::StoryRole))
}

/// Tells the only sentence of a section that says something.
fn is_alone(ctx: Context<'_>, sentence: &Sentence) -> bool {
    let mut others = ctx.reading.sentences.iter().filter(|other| other.section == sentence.section);
    // "See error" is a part of the form, too.
    let is_brief = |other: &Sentence| display_width(other.span.slice(ctx.text)) <= WIDEST_REST;
    others.all(|other| {
        let is_apart = matches!(other.genre, Genre::Heading | Genre::Title);
        other.is_placeholder || other.span == sentence.span || is_apart || is_brief(other)
    })
}
