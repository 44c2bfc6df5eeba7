//! Problems of an answer, each at its field and in the language of the page.

use super::answer::Unclear;
use super::words::Words;
use reqgate_base::model::Language;
use reqgate_flow::{Asking, Problem};
use reqgate_prd::workflow::{PrdAsk, PrdWorkflow};

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

    /// The problem of a feature without a name.
    pub fn name_missing(language: Language) -> Self {
        Self::at("name", Words::of(language).name_missing)
    }

    /// A problem of the text or the files that a PRD starts from.
    pub fn of_sources(message: impl Into<String>) -> Self {
        Self::at("text", message)
    }

    fn at(field: impl Into<String>, message: impl Into<String>) -> Self {
        Self { field: Some(field.into()), message: message.into() }
    }

    /// The problem of fields that are not an answer.
    pub fn unclear(question: &Asking<PrdWorkflow>, unclear: &Unclear, language: Language) -> Self {
        let said = Words::of(language);
        match unclear {
            Unclear::Undecided => Self::at("decision", said.problem_choose_decision),
            Unclear::NothingDecided => {
                let first = match question {
                    Asking::Workflow(PrdAsk::RequirementsReview(ask)) => {
                        let decided = ask.decided.iter().map(|one| &one.requirement);
                        ask.requirements.iter().chain(decided).next().map(|one| format!("verdict.{}", one.id))
                    }
                    _ => None,
                };
                Self { field: first, message: said.problem_nothing_decided.to_owned() }
            }
            Unclear::NothingChanged(id) => {
                let id = id.to_string();
                Self::at(format!("text.{id}"), said.problem_nothing_changed(&id))
            }
            Unclear::EditedButNotChosen => Self::at("decision", said.problem_edited_not_chosen),
            Unclear::ChosenButNotEdited => Self::at("document", said.problem_chosen_not_edited),
        }
    }

    /// A problem that the check of the answer has found, at its field. `answer` is what was checked.
    pub fn checked(problem: &Problem, answer: &serde_json::Value, language: Language) -> Self {
        let said = Words::of(language);
        let parts: Vec<&str> = problem.path.split(['.', '[', ']']).filter(|part| !part.is_empty()).collect();
        match parts.as_slice() {
            ["verdicts", index, part] => {
                let verdict = index.parse::<usize>().ok().and_then(|index| answer["verdicts"].get(index));
                let text = |name: &str| verdict.and_then(|verdict| verdict[name].as_str()).unwrap_or_default();
                let id = text("id");
                match (*part, text("verdict")) {
                    ("reason", "reject") => Self::at(format!("reason.{id}"), said.problem_reject_needs_reason(&id)),
                    ("reason", "out_of_scope") => {
                        Self::at(format!("reason.{id}"), said.problem_out_of_scope_needs_reason(&id))
                    }
                    ("reason", _) => Self::at(format!("reason.{id}"), said.problem_change_needs_reason(&id)),
                    ("verdict", "approve") => Self::at(format!("verdict.{id}"), said.problem_blanks_left(&id)),
                    _ => Self::at(format!("verdict.{id}"), format!("{id}: {}", problem.message)),
                }
            }
            ["gaps", id, "reason"] => Self::at(format!("gap-words.{id}"), said.problem_needs_reason(&id)),
            ["gaps", id, "criterion"] => Self::at(format!("gap-words.{id}"), said.problem_criterion_missing(&id)),
            ["gaps", id, ..] => Self::at(format!("gap.{id}"), format!("{id}: {}", problem.message)),
            ["answers", id, ..] => Self::at(format!("answer.{id}"), problem.message.clone()),
            ["adopt", id, ..] => Self::at(format!("adopt.{id}"), problem.message.clone()),
            ["added", ..] => Self::at("added", problem.message.clone()),
            ["userFeedback"] => Self::at("feedback", said.problem_feedback_missing),
            ["gateOverride" | "because"] => Self::at("because", said.problem_override_needs_reason),
            ["approved" | "prdApproved"] => Self::at("feedback", said.problem_feedback_and_approval),
            ["editedDocument"] => Self::at("document", problem.message.clone()),
            _ => Self::whole(problem.message.clone()),
        }
    }
}
