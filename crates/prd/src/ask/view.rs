//! The parts of a question, for every door.

use reqgate_flow::Question;
pub(super) use reqgate_flow::{Note, ShownText};

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

/// A field of the answer.
pub type Field<'a> = reqgate_flow::Field<'a, Entry<'a>>;

/// The values of a field.
pub type FieldKind<'a> = reqgate_flow::FieldKind<'a, Entry<'a>>;

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

    /// The things that are decided one by one.
    pub fn entries(&self) -> impl Iterator<Item = &Entry<'_>> {
        self.fields.iter().flat_map(|field| match &field.kind {
            FieldKind::Entries(entries) => entries.as_slice(),
            _ => &[],
        })
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

/// The view of a question of any other workflow.
impl<'a> From<reqgate_flow::AskView<'a>> for AskView<'a> {
    fn from(view: reqgate_flow::AskView<'a>) -> Self {
        Self {
            title: view.title,
            yes_or_no: view.yes_or_no,
            context: view.context,
            document: view.document,
            fields: view.fields.into_iter().map(reqgate_flow::Field::with_entries).collect(),
            ..Self::default()
        }
    }
}
