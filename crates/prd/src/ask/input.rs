//! The values that a person puts into the fields of a question.

use std::collections::BTreeMap;

use reqgate_flow::Reply;
use thiserror::Error;

use crate::RequirementId;

/// The values of fields by their names, in their order; of two with one name the first counts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Input(Vec<(String, String)>);

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

impl Input {
    /// Values as a browser sends them. Line ends become those of this system.
    pub fn new(fields: impl IntoIterator<Item = (String, String)>) -> Self {
        Self(fields.into_iter().map(|(name, value)| (name, value.replace("\r\n", "\n"))).collect())
    }

    /// Values by the names of their fields.
    pub fn of(fields: &[(&str, &str)]) -> Self {
        Self::new(fields.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())))
    }

    /// The same with one more value.
    #[must_use]
    pub fn with(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.0.push((name.into(), value.into()));
        self
    }

    /// The value of a field; `None` if it was not sent.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// Returns true if no value was sent.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Every value with its name.
    pub fn all(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// The words of a field; empty if there are none.
    pub(crate) fn words(&self, name: &str) -> &str {
        self.get(name).unwrap_or_default().trim()
    }

    /// The words of a field; `None` if there are none.
    pub(super) fn said(&self, name: &str) -> Option<String> {
        Some(self.words(name)).filter(|words| !words.is_empty()).map(str::to_owned)
    }

    /// The fields with words whose names begin so, by the rest of their names.
    pub(super) fn each<'f>(&'f self, prefix: &'f str) -> impl Iterator<Item = (&'f str, &'f str)> {
        let words = self.all().filter_map(move |(name, value)| Some((name.strip_prefix(prefix)?, value.trim())));
        words.filter(|(_, value)| !value.is_empty())
    }

    /// The replies to open questions, by the ids of these.
    pub(super) fn replies(&self) -> BTreeMap<String, Reply> {
        self.each("answer.").map(|(id, words)| (id.to_owned(), Reply::from(words))).collect()
    }

    /// The sections of sentences that are adopted, by the ids of these.
    pub(super) fn adopted(&self) -> BTreeMap<String, String> {
        self.each("adopt.").map(|(id, section)| (id.to_owned(), section.to_owned())).collect()
    }
}
