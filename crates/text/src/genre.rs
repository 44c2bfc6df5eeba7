//! Finds the genre of a sentence, so that a rule reads only the genres it was made for.

use super::blocks::{Block, BlockKind};
use super::cues::{Cue, CueSet};
use super::gherkin::is_gherkin_line;
use reqgate_base::model::{Genre, SectionRole};

/// The known properties of a sentence before its genre is determined.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Context<'t> {
    /// The words of the sentence.
    pub words: &'t str,
    /// The block that contains it.
    pub block: &'t Block,
    /// The role of its section.
    pub role: SectionRole,
    /// The cues found in it.
    pub cues: CueSet,
    /// Its block holds Gherkin.
    pub gherkin: bool,
}

/// Determines the genre of a sentence.
pub(crate) fn genre(ctx: Context<'_>) -> Genre {
    if ctx.block.is_code() {
        return Genre::Code;
    }
    if ctx.block.quoted {
        return Genre::Quotation;
    }
    if matches!(ctx.block.kind, BlockKind::Heading(_)) {
        return Genre::Heading;
    }
    if ctx.gherkin && is_gherkin_line(ctx.words) {
        return Genre::GherkinStep;
    }
    let is_question = ctx.words.ends_with(['?', '？']);
    if let Some(genre) = by_role(ctx, is_question) {
        return genre;
    }
    if ctx.cues.has(Cue::StoryRole) && (ctx.cues.has(Cue::Need) || ctx.cues.has(Cue::FirstPerson)) {
        return Genre::UserStory;
    }
    if is_question {
        return Genre::Question;
    }
    if ctx.block.kind == BlockKind::Turn {
        return Genre::Speech;
    }
    if ctx.cues.has(Cue::Aside) && ctx.words.len() <= 90 && !ctx.cues.any(&[Cue::Obligation, Cue::Condition]) {
        return Genre::Aside;
    }
    if ctx.cues.has(Cue::Obligation) {
        return Genre::ShallStatement;
    }
    if ctx.cues.any(&[Cue::Narrative, Cue::Pain]) && !ctx.cues.has(Cue::Need) {
        return Genre::Rationale;
    }
    if ctx.cues.has(Cue::Need) {
        return Genre::Demand;
    }
    Genre::Prose
}

fn by_role(ctx: Context<'_>, is_question: bool) -> Option<Genre> {
    let stated_question = is_question.then_some(Genre::Question);
    match ctx.role {
        SectionRole::Steps => Some(Genre::BugStep),
        SectionRole::Expected => Some(Genre::ExpectedBehaviour),
        SectionRole::Actual => Some(Genre::ActualBehaviour),
        SectionRole::Environment => Some(Genre::Environment),
        SectionRole::AcceptanceCriteria | SectionRole::EdgeCases => {
            stated_question.or(Some(Genre::AcceptanceCriterion))
        }
        SectionRole::Requirements | SectionRole::NonFunctional | SectionRole::Decisions => {
            let story = ctx.cues.has(Cue::StoryRole) && ctx.cues.has(Cue::Need);
            stated_question.or(Some(if story { Genre::UserStory } else { Genre::ShallStatement }))
        }
        SectionRole::Rationale
        | SectionRole::Goals
        | SectionRole::Risks
        | SectionRole::Metrics
        | SectionRole::Audience => Some(Genre::Rationale),
        SectionRole::OpenQuestions => Some(Genre::Question),
        SectionRole::Resources
        | SectionRole::Evidence
        | SectionRole::Metadata
        | SectionRole::Timeline
        | SectionRole::Alternatives => Some(Genre::Aside),
        _ => None,
    }
}
