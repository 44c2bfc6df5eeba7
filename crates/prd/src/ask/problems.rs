//! Problems of an answer, each at its field and in the words of a person.

use reqgate_base::model::Language;
use reqgate_flow::{Asking, Problem};
use reqgate_messages as messages;

use super::view::FieldKind;
use super::{Unclear, view};
use crate::requirements::VerdictKind;
use crate::workflow::{PrdAnswer, PrdWorkflow};

/// A problem of an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldProblem {
    /// The name of the field, if one has to change.
    pub field: Option<String>,
    /// The problem in words.
    pub message: String,
}

impl FieldProblem {
    /// A problem of the answer as a whole.
    pub fn whole(message: impl Into<String>) -> Self {
        Self { field: None, message: message.into() }
    }

    /// A problem of one field.
    pub fn at(field: impl Into<String>, message: impl Into<String>) -> Self {
        Self { field: Some(field.into()), message: message.into() }
    }

    /// The problem of values that are not an answer.
    pub fn unclear(question: &Asking<PrdWorkflow>, unclear: &Unclear, language: Language) -> Self {
        match unclear {
            Unclear::Undecided => Self::at("decision", messages::Ask::of(language).problem_choose_decision),
            Unclear::NothingDecided => {
                let view = view(question, language);
                let first = view.fields.iter().find_map(|field| match &field.kind {
                    FieldKind::Entries(entries) => Some(entries.first()?.fields.first()?.id.clone()),
                    _ => None,
                });
                let message = messages::Ask::of(language).problem_nothing_decided;
                Self { field: first, message: message.to_owned() }
            }
            Unclear::NothingChanged(id) => {
                Self::at(format!("text.{id}"), messages::Ask::of(language).problem_nothing_changed(id))
            }
            Unclear::WordsWithoutChoice(choice) => {
                let id = choice.split_once('.').map_or(choice.as_str(), |(_, id)| id);
                Self::at(choice.clone(), messages::Ask::of(language).problem_words_without_choice(&id))
            }
            Unclear::EditedButNotChosen => Self::at("decision", messages::Ask::of(language).problem_edited_not_chosen),
            Unclear::ChosenButNotEdited => Self::at("document", messages::Ask::of(language).problem_chosen_not_edited),
        }
    }

    /// A problem that the check of an answer has found, at its field.
    pub fn checked(problem: &Problem, answer: &PrdAnswer, language: Language) -> Self {
        let parts: Vec<&str> = problem.path.split(['.', '[', ']']).filter(|part| !part.is_empty()).collect();
        let words = messages::Ask::of(language);
        match parts.as_slice() {
            ["verdicts", index, part] => {
                let verdicts = match answer {
                    PrdAnswer::RequirementsReview(given) => given.verdicts.as_slice(),
                    PrdAnswer::PrdReview(given) => &given.verdicts,
                    _ => &[],
                };
                let Some(verdict) = index.parse::<usize>().ok().and_then(|index| verdicts.get(index)) else {
                    return Self::whole(problem.message.clone());
                };
                let id = verdict.id.to_string();
                match (*part, &verdict.kind) {
                    ("reason", kind) => {
                        let message = match kind {
                            VerdictKind::Reject { .. } => words.problem_reject_needs_reason(&id),
                            VerdictKind::OutOfScope { .. } => words.problem_out_of_scope_needs_reason(&id),
                            _ => words.problem_change_needs_reason(&id),
                        };
                        Self::at(format!("reason.{id}"), message)
                    }
                    ("verdict", VerdictKind::Approve) => {
                        Self::at(format!("verdict.{id}"), words.problem_blanks_left(&id))
                    }
                    _ => Self::at(format!("verdict.{id}"), format!("{id}: {}", problem.message)),
                }
            }
            ["gaps", id, "reason"] => Self::at(format!("gap-words.{id}"), words.problem_needs_reason(id)),
            ["gaps", id, "criterion"] => Self::at(format!("gap-words.{id}"), words.problem_criterion_missing(id)),
            ["gaps", id, ..] => Self::at(format!("gap.{id}"), format!("{id}: {}", problem.message)),
            ["dismiss", id] => Self::at(format!("dismiss.{id}"), problem.message.clone()),
            ["answers", id, ..] => Self::at(format!("answer.{id}"), problem.message.clone()),
            ["adopt", id, ..] => Self::at(format!("adopt.{id}"), problem.message.clone()),
            ["added", ..] => Self::at("added", problem.message.clone()),
            ["userFeedback"] => Self::at("feedback", words.problem_feedback_missing),
            ["gateOverride" | "because"] => Self::at("because", words.problem_override_needs_reason),
            ["approved" | "prdApproved"] => Self::at("feedback", words.problem_feedback_and_approval),
            ["editedDocument"] => Self::at("document", problem.message.clone()),
            _ => Self::whole(problem.message.clone()),
        }
    }
}
