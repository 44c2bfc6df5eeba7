//! The one sentence that says the verdict and its main reason.

use super::Facts;
use super::baseline::Excused;
use crate::model::{BlockReason, TicketType};
use crate::rules::Profile;

/// What the gate says of a scored text.
pub(super) fn of(reasons: &[BlockReason], facts: &Facts<'_>, questions: usize, excused: Excused) -> String {
    let Facts { score, threshold, .. } = facts;
    let blockers = reasons.iter().filter(|reason| matches!(reason, BlockReason::Blocker { .. })).count();
    let mut words = match reasons.first() {
        None if excused.anything() => nothing_new(excused),
        None if questions == 1 => format!("Probably ready: {score}/100, {threshold} needed; one question."),
        None if questions > 1 => format!("Probably ready: {score}/100, {threshold} needed; {questions} questions."),
        None => format!("Ready: {score}/100, {threshold} needed, nothing blocks."),
        Some(BlockReason::Blocker { description, .. }) => match blockers - 1 {
            0 => format!("Not ready: {description}."),
            1 => format!("Not ready: {description} (and 1 more blocker)."),
            more => format!("Not ready: {description} (and {more} more blockers)."),
        },
        Some(_) if facts.known.has_score() => "Not ready: the score has fallen since.".to_owned(),
        Some(_) => format!("Not ready: {score}/100, but {threshold} needed."),
    };
    if facts.reads_like_a_question {
        words.push_str(match facts.profile {
            Profile::Bug => {
                " It reads like a question, but may report a bug and was judged as one; if it only asks, state its type."
            }
            _ => {
                " It reads like a question, but may ask for a change and was judged as that; if it only asks, state its type."
            }
        });
    }
    words
}

fn nothing_new(excused: Excused) -> String {
    let low = if excused.low_score { " and the low score" } else { "" };
    match excused.findings {
        0 => "Nothing new: the low score is in the baseline.".to_owned(),
        1 => format!("Nothing new: 1 finding{low} in the baseline."),
        count => format!("Nothing new: {count} findings{low} in the baseline."),
    }
}

/// What the gate says of a text that the guardrail stopped.
pub(super) fn stopped(reasons: &[BlockReason]) -> String {
    let description = reasons.iter().find_map(|reason| match reason {
        BlockReason::Guardrail { description } => Some(description.as_str()),
        _ => None,
    });
    format!("Stopped by the guardrail: {}", description.unwrap_or("the input is not fit to be judged"))
}

/// What the gate says of a text that is no requirement.
pub(super) fn not_applicable(ticket_type: TicketType) -> String {
    let what = match ticket_type {
        TicketType::Question => "a question, not a requirement",
        TicketType::Discussion => "a discussion, not one requirement; write a ticket for each wish that was agreed",
        _ => "a task, not a requirement",
    };
    format!("Not applicable: this is {what}.")
}

/// What the gate says of a text without a draft, where raw text is not scored.
pub(super) fn not_structured(failures: &str) -> String {
    format!("Not ready: no draft can be made of it ({failures}), and the fallback to the raw text is switched off.")
}
