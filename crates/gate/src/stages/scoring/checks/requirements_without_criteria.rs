//! Reports a document in which no requirement has an acceptance criterion.

use crate::stages::scoring::Context;
use reqgate_base::model::{Genre, Match, SectionRole, Span};
use reqgate_text::words::checks::CASES;
use reqgate_text::words::reports::EMPTY_ANSWERS;
use reqgate_text::{Block, BlockKind, Cue, Sentence};

/// Returns one match, at the first requirement, if the document has no criterion.
///
/// A requirement such as "when the export fails, the reason is shown" is its own criterion, unless the author created a
/// column for criteria and left it empty.
pub(super) fn check(ctx: Context<'_>) -> Vec<Match> {
    let requirements = &ctx.facets.requirements;
    let first = requirements.iter().find(|one| one.id.is_some()).or(requirements.first());
    let has_ids = || requirements.iter().filter(|one| one.id.is_some()).count() >= FEWEST;
    let Some(first) = first.filter(|_| leaves_criteria_empty(ctx) || has_ids()) else { return Vec::new() };
    let states_one = ctx.reading.sentences.iter().any(|sentence| states_criterion(ctx, sentence));
    let is_a_case = |one: Span| {
        ctx.reading.cues_in(one).has(Cue::Observable) && CASES.are_words_of(&one.slice(ctx.text).to_lowercase())
    };
    if states_one || !leaves_criteria_empty(ctx) && requirements.iter().any(|one| is_a_case(one.span)) {
        return Vec::new();
    }
    let block = ctx.reading.blocks.iter().find(|block| block.span.start == first.span.start);
    vec![Match::at(block.map_or(first.span, |block| block.text))]
}

/// With fewer requirements another finding reports that there are too few.
const FEWEST: usize = 2;

/// Returns true for a table of requirements whose column for criteria is empty.
fn leaves_criteria_empty(ctx: Context<'_>) -> bool {
    ctx.reading.blocks.iter().any(|block| {
        block.kind == BlockKind::TableRow { header: false }
            && has_column(block, SectionRole::AcceptanceCriteria)
            && has_column(block, SectionRole::Requirements)
    })
}

fn has_column(block: &Block, role: SectionRole) -> bool {
    block.cell_roles.contains(&Some(role))
}

/// Returns true for words of a scenario, or of a section, a field or a column of criteria. A cell that repeats its
/// requirement does not count.
fn states_criterion(ctx: Context<'_>, sentence: &Sentence) -> bool {
    if sentence.genre == Genre::GherkinStep {
        return true;
    }
    let words = sentence.span.slice(ctx.text);
    let is_meant = matches!(sentence.role, SectionRole::AcceptanceCriteria | SectionRole::EdgeCases)
        && !matches!(sentence.genre, Genre::Heading | Genre::Title)
        && !sentence.is_placeholder
        && !sentence.struck
        && !letters(words).is_empty()
        && !EMPTY_ANSWERS.has(&letters(words));
    let block = &ctx.reading.blocks[sentence.block];
    let repeats = |(cell, role): (&Span, &Option<SectionRole>)| {
        *role == Some(SectionRole::Requirements) && letters(cell.slice(ctx.text)) == letters(words)
    };
    is_meant
        && !matches!(block.kind, BlockKind::TableRow { header: true })
        && !block.cells.iter().zip(&block.cell_roles).any(repeats)
}

fn letters(words: &str) -> String {
    words.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}
