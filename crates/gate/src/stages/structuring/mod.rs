//! Turns free text into a draft: title, story, criteria, edge cases and resources, each with its position in the text.
//!
//! Content is never inferred or invented: every word of a draft is in the text. Missing parts stay empty in the draft
//! and are listed as failures; the policy decides whether they fail the structuring.

mod answered_question;
pub mod bug;
pub mod criteria;
pub mod evidence;
mod listed_question;
pub mod open_points;
mod open_statement;
mod owner;
mod pointers;
mod program_output;
pub mod requirements;
mod resources;
mod specific;
pub mod statement;
pub mod story;
mod withdrawals;

pub use open_statement::has_mark;

use reqgate_base::model::{DraftGap, Facets, Genre, Grounding, PrdDraft, SectionRole, Span, Structured};
use reqgate_rules::Profile;
use reqgate_text::Reading;

/// Structures a text that was read; `text` is the screened text.
pub fn structure(text: &str, reading: &Reading, profile: Profile) -> Structured {
    let story = story::story(text, reading);
    let criteria = criteria::criteria(text, reading, profile);
    let bug = if profile == Profile::Bug { bug::elements(text, reading) } else { bug::BugElements::default() };
    let open_points = open_points::open_points(text, reading, &criteria, profile);
    let mut facets = Facets {
        actor: story.actor,
        need: story.need,
        benefit: story.benefit,
        edge_cases: edge_cases(reading, &criteria),
        steps: bug.steps,
        expected: bug.expected,
        actual: bug.actual,
        environment: bug.environment,
        resources: resources::resources(text, reading),
        decisions: if profile == Profile::Meeting { open_points::decisions(text, reading) } else { Vec::new() },
        requirements: if profile == Profile::Prd {
            requirements::requirements(text, reading, &criteria)
        } else {
            Vec::new()
        },
        goals: filled(text, reading, &[SectionRole::Goals, SectionRole::Rationale]),
        out_of_scope: out_of_scope(text, reading),
        metrics: filled(text, reading, &[SectionRole::Metrics]),
        open_points,
        criteria,
        evidence: Vec::new(),
    };
    if profile == Profile::Bug {
        // For a bug, the expected behaviour is the criterion.
        facets.criteria.clear();
    }
    draft(text, reading, &story, facets, profile)
}

fn edge_cases(reading: &Reading, criteria: &[reqgate_base::model::Criterion]) -> Vec<Span> {
    let mut out: Vec<Span> = reading
        .sentences
        .iter()
        .filter(|s| {
            s.role == SectionRole::EdgeCases && !s.struck && !matches!(s.genre, Genre::Heading | Genre::Question)
        })
        .map(|s| s.span)
        .collect();
    // Sentences and criteria are in the order of the text, so only a neighbour can overlap.
    let mut apart: Vec<Span> = Vec::new();
    for span in criteria.iter().filter(|c| c.negative && c.verifiable).map(|c| c.span) {
        let next = out.partition_point(|seen| seen.end <= span.start);
        let overlaps = |seen: Option<&Span>| seen.is_some_and(|seen| seen.overlaps(span));
        if !overlaps(out.get(next)) && !overlaps(apart.last()) {
            apart.push(span);
        }
    }
    out.extend(apart);
    out.sort();
    out
}

fn filled(text: &str, reading: &Reading, roles: &[SectionRole]) -> Vec<Span> {
    let sentences =
        reading.sentences.iter().filter(|s| roles.contains(&s.role) && s.genre != Genre::Heading && !s.struck);
    sentences
        .filter(|s| story::has_words(s.span.slice(text), 2) && !bug::is_nothing(s.span.slice(text)))
        .map(|s| s.span)
        .collect()
}

/// The statements that exclude something from the scope, and the cells of a column for it.
fn out_of_scope(text: &str, reading: &Reading) -> Vec<Span> {
    let mut out = filled(text, reading, &[SectionRole::OutOfScope]);
    for block in &reading.blocks {
        let cells = block.cells.iter().zip(&block.cell_roles);
        let excluded = cells.filter(|(_, role)| **role == Some(SectionRole::OutOfScope)).map(|(cell, _)| *cell);
        out.extend(excluded.filter(|cell| !cell.trimmed(text).is_empty()));
    }
    out.sort();
    out
}

/// Fills the draft from the parts that were found.
fn draft(text: &str, reading: &Reading, story: &story::Story, facets: Facets, profile: Profile) -> Structured {
    let story_spans = match profile {
        Profile::Bug => facets.actual.iter().take(2).copied().collect(),
        _ => story::spans(story, reading),
    };
    let criteria_spans: Vec<Span> = match profile {
        Profile::Bug => facets.expected.clone(),
        _ => facets.criteria.iter().map(|criterion| criterion.span).collect(),
    };
    let title = reading.subject().map(|span| clip(text, span, 200));
    let grounding = Grounding {
        title,
        user_story: story_spans,
        acceptance_criteria: criteria_spans,
        edge_cases: facets.edge_cases.clone(),
        resources: facets.resources.clone(),
    };
    let (draft, failures) = filled_in(text, &grounding, profile);
    Structured { draft, grounding, facets, failures }
}

/// The number of parts of a draft: title, story, criteria. If all are missing, structuring fails without a draft.
const PARTS: usize = 3;

/// The draft whose parts are at these positions, with its missing parts.
pub(crate) fn filled_in(text: &str, grounding: &Grounding, profile: Profile) -> (Option<PrdDraft>, Vec<DraftGap>) {
    let words = |span: &Span| span.slice(text).trim().to_string();
    let mut failures = Vec::new();
    if grounding.title.is_none() {
        failures.push(DraftGap::Title);
    }
    if grounding.user_story.is_empty() {
        failures.push(match profile {
            Profile::Bug => DraftGap::Fault,
            _ => DraftGap::Need,
        });
    }
    if grounding.acceptance_criteria.is_empty() {
        failures.push(match profile {
            Profile::Bug => DraftGap::Expected,
            _ => DraftGap::Criteria,
        });
    }
    let draft = (failures.len() < PARTS).then(|| PrdDraft {
        title: grounding.title.as_ref().map(words).unwrap_or_default(),
        user_story: grounding.user_story.iter().map(words).collect::<Vec<_>>().join("\n"),
        acceptance_criteria: grounding.acceptance_criteria.iter().map(words).collect(),
        edge_cases: grounding.edge_cases.iter().map(words).collect(),
        resources: grounding.resources.iter().map(words).collect(),
        missing_info: Vec::new(),
        clarification_questions: Vec::new(),
    });
    (draft, failures)
}

/// Uses statements that a tester could check as criteria if the text has no section for them.
pub(crate) fn with_statements(
    text: &str,
    form: &evidence::Form,
    structured: Structured,
    profile: Profile,
) -> Structured {
    if profile == Profile::Bug || !structured.grounding.acceptance_criteria.is_empty() {
        return structured;
    }
    let Structured { mut grounding, facets, .. } = structured;
    grounding.acceptance_criteria = form.statements.clone();
    let (draft, failures) = filled_in(text, &grounding, profile);
    Structured { draft, grounding, facets, failures }
}

/// The span shortened to the width of a title.
fn clip(text: &str, span: Span, columns: usize) -> Span {
    let mut width = 0;
    for (at, c) in span.slice(text).char_indices() {
        width += reqgate_text::display_width(c.encode_utf8(&mut [0; 4]));
        if width > columns {
            return Span::new(span.start, span.start + at);
        }
    }
    span
}
