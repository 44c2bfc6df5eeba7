//! The fields of a question as parts of a form, with the values that were typed before.

use serde::Serialize;

use super::edited::readable;
use reqgate_base::clean;
use reqgate_prd::ask::{AskView, Choice as Value, Entry, Field, FieldKind, FieldProblem, Input, Subject};
use reqgate_prd::{Requirement, SourceQuote};
use reqgate_text::language::language_of;

/// The most values that are shown side by side; more are a list to choose from.
const MOST_SIDE_BY_SIDE: usize = 6;

/// A part of the form.
#[derive(Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub(super) enum Part {
    Choice(Choice),
    /// Words, on so many lines.
    Text(Text),
    Select(Choice),
    Check {
        /// The name of the field.
        name: String,
        /// The words next to it.
        label: String,
        /// The box is ticked.
        is_checked: bool,
    },
    /// Requirements, one a row, each with its decision.
    Review {
        rows: Vec<Row>,
    },
    /// Fields that belong together.
    Group {
        legend: String,
        parts: Vec<Part>,
        /// The fields are folded away at first.
        is_folded: bool,
    },
}

/// A requirement with its decision.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(super) struct Row {
    pub id: String,
    pub title: String,
    /// The text; empty if it only repeats the title.
    pub text: String,
    pub criteria: Vec<String>,
    /// Places with their quotes.
    pub sources: Vec<(String, String)>,
    /// The decision.
    pub choice: Choice,
    /// New text and criteria, for a change.
    pub changes: Vec<Part>,
    /// The reason of a decision.
    pub reason: Vec<Part>,
}

/// A choice between several values, with their legend.
#[derive(Debug, Default, PartialEq, Eq, Serialize)]
pub(super) struct Choice {
    /// The name of the field.
    pub name: String,
    /// The question.
    pub legend: String,
    /// The answers.
    pub options: Vec<Opt>,
    /// The problem with the choice that was sent.
    pub error: Option<String>,
}

/// An answer that can be chosen.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(super) struct Opt {
    pub value: &'static str,
    pub label: String,
    pub is_chosen: bool,
}

/// A field for words.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(super) struct Text {
    /// The name of the field.
    pub name: String,
    /// The words before it.
    pub label: String,
    /// A hint for it.
    pub hint: Option<&'static str>,
    /// Its contents.
    pub value: String,
    /// Its lines.
    pub rows: usize,
    /// The problem with the words that were sent.
    pub error: Option<String>,
}

impl Part {
    fn has_error(&self) -> bool {
        match self {
            Self::Choice(one) | Self::Select(one) => one.error.is_some(),
            Self::Text(one) => one.error.is_some(),
            Self::Check { .. } => false,
            Self::Group { parts, .. } => parts.iter().any(Self::has_error),
            Self::Review { rows } => {
                rows.iter().any(|row| row.reason.iter().any(Self::has_error) || row.choice.error.is_some())
            }
        }
    }
}

/// The values that a person has already put into the fields of a question, and their problems.
struct Form<'a> {
    typed: &'a Input,
    problems: &'a [FieldProblem],
    /// Something in the question is masked: its texts are not put into a field, from where their masks would be sent back.
    has_masks: bool,
    /// The name of the field with the document.
    document: &'static str,
}

/// The parts of the form of a question. The button that approves the rest is not among them.
pub(super) fn parts(
    view: &AskView<'_>,
    (typed, problems): (&Input, &[FieldProblem]),
    has_masks: bool,
    document: &'static str,
) -> Vec<Part> {
    let form = Form { typed, problems, has_masks, document };
    view.fields.iter().filter(|field| field.id != "others").flat_map(|field| form.parts(field)).collect()
}

impl Form<'_> {
    fn parts(&self, field: &Field<'_>) -> Vec<Part> {
        match &field.kind {
            FieldKind::Entries(entries) => self.entries(&field.label, entries),
            FieldKind::Edited(_) if self.has_masks => Vec::new(),
            _ => vec![self.part(field)],
        }
    }

    /// A field with one value.
    fn part(&self, field: &Field<'_>) -> Part {
        let (id, label) = (&field.id, &field.label);
        match &field.kind {
            FieldKind::Choice(values) if values.len() > MOST_SIDE_BY_SIDE => Part::Select(self.choice(field, values)),
            FieldKind::Choice(values) => Part::Choice(self.choice(field, values)),
            FieldKind::Words { lines, first } => {
                self.text(field, label, if self.has_masks { "" } else { first }, *lines)
            }
            FieldKind::Tick => {
                Part::Check { name: id.clone(), label: label.clone(), is_checked: self.typed.get(id).is_some() }
            }
            // The edited text counts only if the person chooses to edit.
            FieldKind::Edited(document) => {
                let parts = vec![self.text(field, self.document, &readable(document), 24)];
                let is_folded = self.typed.get("decision") != Some("edit") && !parts.iter().any(Part::has_error);
                Part::Group { legend: label.clone(), parts, is_folded }
            }
            FieldKind::Entries(entries) => {
                Part::Group { legend: label.clone(), parts: self.entries("", entries), is_folded: false }
            }
        }
    }

    fn entries(&self, label: &str, entries: &[Entry<'_>]) -> Vec<Part> {
        let mut rows = Vec::new();
        let mut parts = Vec::new();
        for Entry { subject, fields } in entries {
            let own = fields.iter().map(|field| self.part(field));
            match subject {
                Subject::Requirement(one) => rows.push(self.row(one, fields)),
                Subject::Gap(gap) => {
                    let legend = format!("{} {}", clean::words(&gap.id), clean::words(&gap.title));
                    parts.push(Part::Group { legend, parts: own.collect(), is_folded: false });
                }
                Subject::Question(_) | Subject::Sentence(_) => parts.extend(own),
            }
        }
        if !rows.is_empty() {
            parts.push(Part::Review { rows });
        }
        match label {
            "" => parts,
            legend => vec![Part::Group { legend: legend.to_owned(), parts, is_folded: false }],
        }
    }

    fn row(&self, one: &Requirement, fields: &[Field<'_>]) -> Row {
        let place = |source: &SourceQuote| {
            (format!("{}:{}", clean::words(&source.source), source.line), clean::words(&source.quote))
        };
        let (title, text) = (clean::words(&one.title), clean::words(&one.description));
        let is_repeated = text.trim_end_matches(['.', '。']) == title.trim_end_matches(['.', '。']);
        let own = one.acceptance_criteria.iter().filter(|criterion| **criterion != one.description);
        let mut choice = Choice::default();
        let (mut changes, mut reason) = (Vec::new(), Vec::new());
        for field in fields {
            match &field.kind {
                FieldKind::Choice(values) => choice = self.choice(field, values),
                _ if field.id.starts_with("reason.") => reason.push(self.part(field)),
                _ => changes.push(self.part(field)),
            }
        }
        Row {
            id: one.id.to_string(),
            title,
            text: if is_repeated { String::new() } else { text },
            criteria: own
                .map(|criterion| clean::words(criterion))
                .chain(one.waits_in_words(language_of(&one.description)))
                .collect(),
            sources: one.sources.iter().map(place).collect(),
            choice,
            changes,
            reason,
        }
    }

    fn choice(&self, field: &Field<'_>, values: &[Value]) -> Choice {
        let chosen = self.typed.get(&field.id).unwrap_or_default();
        let usable = values.iter().filter(|value| !(self.has_masks && field.id == "decision" && value.value == "edit"));
        let option = |Value { value, label }: &Value| Opt { value, label: label.clone(), is_chosen: *value == chosen };
        Choice {
            name: field.id.clone(),
            legend: clean::words(&field.label),
            options: usable.map(option).collect(),
            error: self.error(&field.id),
        }
    }

    fn text(&self, field: &Field<'_>, label: &str, first: &str, rows: usize) -> Part {
        Part::Text(Text {
            name: field.id.clone(),
            label: clean::words(label),
            hint: field.hint,
            value: clean::typed(self.typed.get(&field.id).unwrap_or(first)),
            rows,
            error: self.error(&field.id),
        })
    }

    /// The problem with a field.
    fn error(&self, name: &str) -> Option<String> {
        let problem = self.problems.iter().find(|problem| problem.field.as_deref() == Some(name));
        problem.map(|problem| problem.message.clone())
    }
}
