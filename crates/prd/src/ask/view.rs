//! The parts of a question, for every door.

use reqgate_base::model::Language;
use reqgate_flow::Question;

use crate::collect::NotUsed;
use crate::requirements::ExportedRequirement;
use crate::workflow::{ChangedByHand, Doubted, GapDecision, GateSummary, RequirementsReview};
use crate::{Gap, Requirement};

/// A question with everything that a person needs to answer it. Empty parts are not shown; each door has its own order.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct AskView<'a> {
    /// The question in one line.
    pub title: String,
    /// The matter in a few words, for a headline: `feature brief for review`.
    pub subject: &'static str,
    /// The effect of the answer, in a sentence.
    pub effect: &'static str,
    /// The names of yes and no, where the whole can be decided in a word.
    pub yes_or_no: Option<[&'static str; 2]>,
    /// The subject of the questions, or the effect of each decision.
    pub context: Option<Note>,
    /// The document under review.
    pub document: Option<ShownText<'a>>,
    /// The changes since the version before, as text.
    pub changes: Option<&'a str>,
    /// The result of the gate.
    pub gate: Option<&'a GateSummary>,
    /// The statements that no source proves.
    pub doubts: &'a [Doubted],
    /// The changes that were made in a file.
    pub by_hand: &'a [ChangedByHand],
    /// The open questions.
    pub questions: &'a [Question],
    /// The document itself lists the open questions.
    pub lists_questions: bool,
    /// The open questions that an edit took out, in a sentence.
    pub taken_out: Option<String>,
    /// The sentences of the sources that the document does not use.
    pub not_used: &'a [NotUsed],
    /// The requirements to decide on.
    pub requirements: Option<&'a RequirementsReview>,
    /// The requirements that are decided, and can be decided again.
    pub decided: &'a [ExportedRequirement],
    /// The gaps to decide on.
    pub gaps: Option<&'a GapDecision>,
    /// Other findings.
    pub notes: Vec<Note>,
    /// An approval can carry a reason.
    pub takes_reason: bool,
    /// An approval needs a reason.
    pub needs_reason: bool,
    /// Changes in words take a model or a person who carries them out.
    pub needs_reader: bool,
    /// The fields of the answer, in the order in which they are asked.
    pub fields: Vec<Field<'a>>,
}

/// A document and the file that it becomes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ShownText<'a> {
    /// Markdown.
    pub text: &'a str,
    /// Relative to the project.
    pub path: &'a str,
    /// The language of the text.
    pub language: Language,
}

/// Lines under a heading.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// The heading; empty if the lines need none.
    pub title: String,
    /// At least one.
    pub lines: Vec<String>,
}

/// A field of the answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Field<'a> {
    /// The name of its value in an [`Input`](super::Input): `decision`, `answer.q1`.
    pub id: String,
    /// The question to a person; empty where the entries speak for themselves.
    pub label: String,
    /// The rule for its value, in words.
    pub hint: Option<&'static str>,
    /// The values that it takes.
    pub kind: FieldKind<'a>,
}

/// The values of a field.
#[derive(Debug, Clone, PartialEq)]
pub enum FieldKind<'a> {
    /// One of several.
    Choice(Vec<Choice>),
    /// Words.
    Words {
        /// The usual number of lines.
        lines: usize,
        /// The words that are there at first.
        first: String,
    },
    /// Ticked or not.
    Tick,
    /// The document as the person has edited it.
    Edited(&'a str),
    /// Several things, each with its own fields.
    Entries(Vec<Entry<'a>>),
}

/// A value that can be chosen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice {
    /// The value; empty leaves the matter undecided.
    pub value: &'static str,
    /// Its name.
    pub label: String,
}

/// One of several things to decide on.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry<'a> {
    /// The thing.
    pub subject: Subject<'a>,
    /// Its fields: the choice first, if there is one.
    pub fields: Vec<Field<'a>>,
}

/// A thing to decide on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Subject<'a> {
    /// An open question.
    Question(&'a Question),
    /// A sentence that is not used.
    Sentence(&'a NotUsed),
    /// A requirement.
    Requirement(&'a Requirement),
    /// A gap.
    Gap(&'a Gap),
}

impl AskView<'_> {
    /// The number of open questions or, of a document that asks none, of findings; at least 1.
    pub fn open_points(&self) -> usize {
        let found = |gate: &GateSummary| gate.blockers.len().max(gate.remarks().len());
        if self.questions.is_empty() { self.gate.map_or(1, found).max(1) } else { self.questions.len() }
    }

    /// The field of this name among those of the answer as a whole.
    pub fn field(&self, id: &str) -> Option<&Field<'_>> {
        self.fields.iter().find(|field| field.id == id)
    }

    /// Every field that takes a value, with those of the entries.
    pub fn inputs(&self) -> impl Iterator<Item = &Field<'_>> {
        self.fields.iter().flat_map(|field| match &field.kind {
            FieldKind::Entries(entries) => entries.iter().flat_map(|entry| &entry.fields).collect(),
            _ => vec![field],
        })
    }
}

impl Note {
    /// A note; `None` if it has no words.
    pub(super) fn new(title: impl Into<String>, lines: impl IntoIterator<Item = String>) -> Option<Self> {
        let lines: Vec<String> = lines.into_iter().filter(|line| !line.trim().is_empty()).collect();
        (!lines.is_empty()).then(|| Self { title: title.into(), lines })
    }
}

impl<'a> Field<'a> {
    /// A choice among values, each with its name.
    pub(super) fn choice(id: impl Into<String>, label: impl Into<String>, options: &[(&'static str, &str)]) -> Self {
        let options = options.iter().map(|(value, label)| Choice { value, label: (*label).to_owned() });
        Self { id: id.into(), label: label.into(), hint: None, kind: FieldKind::Choice(options.collect()) }
    }

    /// A field for words.
    pub(super) fn words(id: impl Into<String>, label: impl Into<String>, lines: usize) -> Self {
        let kind = FieldKind::Words { lines, first: String::new() };
        Self { id: id.into(), label: label.into(), hint: None, kind }
    }

    /// Things to decide on.
    pub(super) fn entries(id: &str, label: &str, entries: Vec<Entry<'a>>) -> Self {
        Self { id: id.to_owned(), label: label.to_owned(), hint: None, kind: FieldKind::Entries(entries) }
    }

    /// The same with a hint.
    pub(super) fn hinted(self, hint: &'static str) -> Self {
        Self { hint: Some(hint), ..self }
    }

    /// The same with words that are there at first.
    pub(super) fn starting(mut self, words: &str) -> Self {
        if let FieldKind::Words { first, .. } = &mut self.kind {
            words.clone_into(first);
        }
        self
    }
}
