//! Problems of an answer, each at its field and in the language of the page.

use super::answer::Unclear;
use super::words::{Words, filled};
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
            Unclear::Undecided => Self::at("decision", language.of("Choose a decision.", "请选择一个决定。")),
            Unclear::NothingDecided => {
                let first = match question {
                    Asking::Workflow(PrdAsk::RequirementsReview(ask)) => {
                        let decided = ask.decided.iter().map(|one| &one.requirement);
                        ask.requirements.iter().chain(decided).next().map(|one| format!("verdict.{}", one.id))
                    }
                    _ => None,
                };
                Self { field: first, message: said.problems[4].to_owned() }
            }
            Unclear::NothingChanged(id) => {
                let id = id.to_string();
                Self::at(format!("text.{id}"), filled(said.problems[3], &[("id", &id)]))
            }
            Unclear::EditedButNotChosen => Self::at(
                "decision",
                language.of(
                    "You have edited the document but chosen something else: choose the edited text, or undo your changes.",
                    "您修改了文档，却选择了其他决定：请选择采用修改后的文本，或撤销修改。",
                ),
            ),
            Unclear::ChosenButNotEdited => Self::at(
                "document",
                language.of(
                    "You have chosen the edited text, but the document is empty or unchanged: edit it, or choose another decision.",
                    "您选择了采用修改后的文本，但文档为空或未作修改：请修改文档，或选择其他决定。",
                ),
            ),
        }
    }

    /// A problem that the check of the answer has found, at its field. `answer` is what was checked.
    pub fn checked(problem: &Problem, answer: &serde_json::Value, language: Language) -> Self {
        let said = Words::of(language);
        let parts: Vec<&str> = problem.path.split(['.', '[', ']']).filter(|part| !part.is_empty()).collect();
        let of_id = |message: usize, id: &str| filled(said.problems[message], &[("id", id)]);
        match parts.as_slice() {
            ["verdicts", index, part] => {
                let verdict = index.parse::<usize>().ok().and_then(|index| answer["verdicts"].get(index));
                let text = |name: &str| verdict.and_then(|verdict| verdict[name].as_str()).unwrap_or_default();
                let id = text("id");
                match (*part, text("verdict")) {
                    ("reason", "reject") => Self::at(format!("reason.{id}"), of_id(0, id)),
                    ("reason", "out_of_scope") => Self::at(format!("reason.{id}"), of_id(1, id)),
                    ("reason", _) => Self::at(format!("reason.{id}"), of_id(2, id)),
                    ("verdict", "approve") => Self::at(format!("verdict.{id}"), of_id(9, id)),
                    _ => Self::at(format!("verdict.{id}"), format!("{id}: {}", problem.message)),
                }
            }
            ["gaps", id, "reason"] => Self::at(format!("gap-words.{id}"), of_id(8, id)),
            ["gaps", id, "criterion"] => Self::at(format!("gap-words.{id}"), of_id(10, id)),
            ["gaps", id, ..] => Self::at(format!("gap.{id}"), format!("{id}: {}", problem.message)),
            ["answers", id, ..] => Self::at(format!("answer.{id}"), problem.message.clone()),
            ["adopt", id, ..] => Self::at(format!("adopt.{id}"), problem.message.clone()),
            ["added", ..] => Self::at("added", problem.message.clone()),
            ["userFeedback"] => Self::at("feedback", said.problems[5]),
            ["gateOverride" | "because"] => Self::at("because", said.problems[6]),
            ["approved" | "prdApproved"] => Self::at("feedback", said.problems[7]),
            ["editedDocument"] => Self::at("document", problem.message.clone()),
            _ => Self::whole(problem.message.clone()),
        }
    }
}
