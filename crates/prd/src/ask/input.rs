//! The reasons why the values that a person puts into the fields of a question are not an answer.

use thiserror::Error;

use crate::RequirementId;

/// The reason why the values of fields are not an answer.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Unclear {
    /// No decision was chosen.
    #[error("no decision was chosen")]
    Undecided,
    /// The document was edited, and the decision is not about the edited one.
    #[error("the document was edited, and another decision was chosen")]
    EditedButNotChosen,
    /// The edited document was chosen, and the document is empty or as it was shown.
    #[error("the edited document was chosen, and it is empty or unchanged")]
    ChosenButNotEdited,
    /// This requirement is to be changed, and its fields are as they were.
    #[error("{0} is to be changed, and its text and criteria are unchanged")]
    NothingChanged(RequirementId),
    /// The review decides on no requirement.
    #[error("no requirement was decided on")]
    NothingDecided,
    /// An entry has words, and no value was chosen in this field of it.
    #[error("{0}: choose a decision, or delete the words")]
    WordsWithoutChoice(String),
}
