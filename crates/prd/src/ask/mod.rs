//! One view of a question and one typed answer, for every door: the terminal, the pages, MCP, HTTP and GitHub.
//!
//! The values that a person enters are an [`Input`], from which [`answer`] makes the answer. The pages show every part of an
//! [`AskView`] and loop over its fields. The terminal, the form of MCP and GitHub show its document, its questions, and a yes or no, so
//! that a kind has at least one of them. A door looks at the kind itself only for words that no other door has, such as the commands
//! below a question on the terminal.
//!
//! | module | purpose |
//! |---|---|
//! | `view` | the parts of a question, its fields, and their rules |
//! | `input` | the reasons why the values of fields are not an answer |
//! | `document` | the parts that every review of a document has |
//! | `answers` | the decision in an answer of any kind |
//! | `brief`, `clarification`, `gaps`, `interrupt`, `prd`, `requirements`, `team` | the kinds of questions |
//! | `given` | an answer in the words of a person |
//! | `problems` | the problems of an answer, each at its field |
//! | `shown` | the file of a question, and the open questions that an answer closes |

mod answers;
mod brief;
mod clarification;
mod document;
mod gaps;
mod given;
mod input;
mod interrupt;
mod prd;
mod problems;
mod requirements;
mod shown;
mod team;
mod view;

pub use answers::Reviewed;
pub use given::in_words;
pub use input::Unclear;
pub use problems::FieldProblem;
pub use reqgate_flow::{Choice, Input, Note, ShownText};
pub use shown::{ShownDocument, answered_and_open, shown_document};
pub use view::{AskView, Entry, Field, FieldKind, Subject};

use reqgate_base::model::Language;
use reqgate_flow::{Asking, Problem, read_answer, read_reply};
use serde_json::Value;
use thiserror::Error;

use crate::workflow::{PrdAnswer, PrdAsk, PrdWorkflow};

/// A kind of question: its view, and the answer in its fields.
trait Kind {
    /// The parts that this kind has; `view` adds the title.
    fn view(&self, language: Language) -> AskView<'_>;

    /// The answer in the fields.
    fn answer(&self, input: &Input) -> Result<PrdAnswer, Unclear>;

    /// The document with the answers in the fields; `None` where answers do not change it.
    fn filled(&self, _: &Input) -> Option<String> {
        None
    }

    /// The fields of a person who agrees in a word.
    fn approval(&self) -> Input {
        Input::of(&[("decision", "approve")])
    }

    /// The fields of a person who does not agree and says why; `None` for questions that cannot be turned down.
    fn rejection(&self, why: &str) -> Option<Input> {
        Some(Input::of(&[("decision", "change"), ("feedback", why)]))
    }
}

/// The kind of a question. A new kind has its line here.
fn kind_of(question: &Asking<PrdWorkflow>) -> &dyn Kind {
    match question {
        Asking::Engine(..) => question,
        Asking::Workflow(PrdAsk::Clarification(ask)) => ask,
        Asking::Workflow(PrdAsk::BriefReview(ask)) => ask,
        Asking::Workflow(PrdAsk::RequirementsReview(ask)) => ask,
        Asking::Workflow(PrdAsk::GapDecision(ask)) => ask,
        Asking::Workflow(PrdAsk::PrdReview(ask)) => ask,
        Asking::Workflow(PrdAsk::Team(ask)) => &**ask,
    }
}

/// The view of a question in a language.
pub fn view(question: &Asking<PrdWorkflow>, language: Language) -> AskView<'_> {
    AskView { title: question.title_in(language), ..kind_of(question).view(language) }
}

/// The answer in the fields of a question. [`Asking::check`] says if it fits.
///
/// # Errors
/// Fails if the fields do not say which decision is meant.
pub fn answer(question: &Asking<PrdWorkflow>, input: &Input) -> Result<PrdAnswer, Unclear> {
    words_need_a_choice(question, input)?;
    kind_of(question).answer(input)
}

/// Refuses words at an entry without a decision, because the answer would lose them.
fn words_need_a_choice(question: &Asking<PrdWorkflow>, input: &Input) -> Result<(), Unclear> {
    for entry in view(question, Language::En).entries() {
        let choice = entry.fields.iter().find(|field| matches!(field.kind, FieldKind::Choice(_)));
        let Some(choice) = choice.filter(|choice| input.words(&choice.id).is_empty()) else { continue };
        let starts_empty =
            |field: &&Field<'_>| matches!(&field.kind, FieldKind::Words { first, .. } if first.trim().is_empty());
        if entry.fields.iter().filter(starts_empty).any(|field| !input.words(&field.id).is_empty()) {
            return Err(Unclear::WordsWithoutChoice(choice.id.clone()));
        }
    }
    Ok(())
}

/// The document under review with the answers in the fields; `None` where answers do not change it.
pub fn filled(question: &Asking<PrdWorkflow>, input: &Input) -> Option<String> {
    kind_of(question).filled(input)
}

/// Reads an answer as JSON, however its fields are spelled.
///
/// # Errors
/// The first problem, with its path in the answer.
pub fn read(question: &Asking<PrdWorkflow>, answer: &Value) -> Result<PrdAnswer, Vec<Problem>> {
    match question {
        Asking::Engine(..) => read_answer(answer).map(PrdAnswer::Interrupt),
        Asking::Workflow(PrdAsk::Clarification(_)) => read_reply(answer).map(PrdAnswer::Clarification),
        Asking::Workflow(PrdAsk::BriefReview(_)) => read_reply(answer).map(PrdAnswer::BriefReview),
        Asking::Workflow(PrdAsk::RequirementsReview(_)) => read_reply(answer).map(PrdAnswer::RequirementsReview),
        Asking::Workflow(PrdAsk::GapDecision(_)) => read_reply(answer).map(PrdAnswer::GapDecision),
        Asking::Workflow(PrdAsk::PrdReview(_)) => read_reply(answer).map(PrdAnswer::PrdReview),
        Asking::Workflow(PrdAsk::Team(_)) => read_reply(answer).map(PrdAnswer::TeamReview),
    }
}

/// The reason why a yes or no is not an answer to a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum NoReply {
    /// Questions cannot be turned down.
    #[error("these questions need answers, or an approval that leaves them open")]
    NeedsAnswers,
    /// The gate does not stop the document, so a reason has no effect.
    #[error("a reason is only for a PRD that the gate stops: approve without one")]
    NothingToOverride,
}

/// The fields of a person who agrees, with the reason where one is given.
///
/// # Errors
/// Fails if a reason is given where none is asked for.
pub fn approving(question: &Asking<PrdWorkflow>, because: Option<&str>) -> Result<Input, NoReply> {
    let input = kind_of(question).approval();
    match because {
        Some(_) if !view(question, Language::En).takes_reason => Err(NoReply::NothingToOverride),
        Some(why) => Ok(input.with("because", why)),
        None => Ok(input),
    }
}

/// The fields of a person who does not agree.
///
/// # Errors
/// Fails for a question that cannot be turned down.
pub fn rejecting(question: &Asking<PrdWorkflow>, why: &str) -> Result<Input, NoReply> {
    kind_of(question).rejection(why).ok_or(NoReply::NeedsAnswers)
}

#[cfg(test)]
mod tests;
