//! Problems of an answer, each at its field and in the words of a person.

use reqgate_base::model::Language;
use reqgate_flow::{Asking, Problem};

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
            Unclear::Undecided => Self::at("decision", language.of("Choose a decision.", "请选择一个决定。")),
            Unclear::NothingDecided => {
                let view = view(question, language);
                let first = view.fields.iter().find_map(|field| match &field.kind {
                    FieldKind::Entries(entries) => Some(entries.first()?.fields.first()?.id.clone()),
                    _ => None,
                });
                let message = language.of(
                    "Decide on at least one requirement, or approve all.",
                    "请至少对一条需求作出决定，或全部批准。",
                );
                Self { field: first, message: message.to_owned() }
            }
            Unclear::NothingChanged(id) => Self::at(
                format!("text.{id}"),
                language.of(
                    format!("{id}: change the text or the criteria, or choose another decision."),
                    format!("{id}：请修改文字或验收标准，或选择其他决定。"),
                ),
            ),
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

    /// A problem that the check of an answer has found, at its field.
    pub fn checked(problem: &Problem, answer: &PrdAnswer, language: Language) -> Self {
        let parts: Vec<&str> = problem.path.split(['.', '[', ']']).filter(|part| !part.is_empty()).collect();
        let said = |english: &str, chinese: &str| language.of(english, chinese).to_owned();
        let of_id = |id: &str, english: &str, chinese: &str| {
            language.of(format!("{id}: {english}"), format!("{id}：{chinese}"))
        };
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
                        let (english, chinese) = match kind {
                            VerdictKind::Reject { .. } => ("say why you reject it.", "请说明驳回的理由。"),
                            VerdictKind::OutOfScope { .. } => ("say why it is out of scope.", "请说明为何在范围之外。"),
                            _ => ("say why you change it.", "请说明修改的理由。"),
                        };
                        Self::at(format!("reason.{id}"), of_id(&id, english, chinese))
                    }
                    ("verdict", VerdictKind::Approve) => {
                        let english = "fill in the blanks, or choose another decision.";
                        let message = of_id(&id, english, "请补全待填内容，或选择其他决定。");
                        Self::at(format!("verdict.{id}"), message)
                    }
                    _ => Self::at(format!("verdict.{id}"), format!("{id}: {}", problem.message)),
                }
            }
            ["gaps", id, "reason"] => Self::at(format!("gap-words.{id}"), of_id(id, "give a reason.", "请说明理由。")),
            ["gaps", id, "criterion"] => {
                Self::at(format!("gap-words.{id}"), of_id(id, "write the criterion.", "请写明验收标准。"))
            }
            ["gaps", id, ..] => Self::at(format!("gap.{id}"), format!("{id}: {}", problem.message)),
            ["answers", id, ..] => Self::at(format!("answer.{id}"), problem.message.clone()),
            ["adopt", id, ..] => Self::at(format!("adopt.{id}"), problem.message.clone()),
            ["added", ..] => Self::at("added", problem.message.clone()),
            ["userFeedback"] => Self::at("feedback", said("Say what should change.", "请说明要改什么。")),
            ["gateOverride" | "because"] => {
                Self::at("because", said("Give a reason to approve it anyway.", "请说明为何仍要批准。"))
            }
            ["approved" | "prdApproved"] => {
                let english = "You ask for changes and approve: choose “Ask for changes”, or empty the field.";
                let chinese = "您既要求修改又选择批准：请选择“要求修改”，或清空该栏。";
                Self::at("feedback", said(english, chinese))
            }
            ["editedDocument"] => Self::at("document", problem.message.clone()),
            _ => Self::whole(problem.message.clone()),
        }
    }
}
