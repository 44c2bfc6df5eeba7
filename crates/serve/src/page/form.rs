//! The fields of an answer: which ones a question has, and what they hold.

use serde::Serialize;

use super::answer::{Fields, readable};
use super::judge::in_form;
use super::problems::FieldProblem;
use super::words::Words;
use reqgate_base::clean;
use reqgate_base::model::Language;
use reqgate_flow::{Asking, Question};
use reqgate_prd::brief::BriefSection;
use reqgate_prd::requirements::ExportedRequirement;
use reqgate_prd::workflow::{Checkpoint, PrdAsk, PrdWorkflow, TeamReview, has_blanks};
use reqgate_prd::{Decided, Gap, Requirement, SourceQuote};

/// A part of the form.
#[derive(Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub(super) enum Part {
    /// One of several.
    Choice(Choice),
    /// Words, on so many lines.
    Text(Text),
    /// One of many.
    Select(Choice),
    /// Yes or no.
    Check {
        /// The name of the field.
        name: String,
        /// The words beside it.
        label: String,
        /// True if it is ticked.
        is_checked: bool,
    },
    /// Requirements, one a row, each with its decision.
    Review {
        /// The rows.
        rows: Vec<Row>,
    },
    /// Fields that belong together.
    Group {
        /// Their subject.
        legend: String,
        /// More about it.
        lines: Vec<String>,
        /// The fields.
        parts: Vec<Part>,
        /// True if they are folded away at first.
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
    pub reason: Box<Part>,
}

/// A choice.
#[derive(Debug, PartialEq, Eq, Serialize)]
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
    /// The labels of the fields in a part, by their names.
    pub(super) fn labels(&self) -> Vec<(&str, &str)> {
        match self {
            Self::Choice(one) | Self::Select(one) => vec![(one.name.as_str(), one.legend.as_str())],
            Self::Text(one) => vec![(one.name.as_str(), one.label.as_str())],
            Self::Check { name, label, .. } => vec![(name, label)],
            Self::Group { parts, .. } => parts.iter().flat_map(Self::labels).collect(),
            Self::Review { rows } => rows.iter().flat_map(Row::labels).collect(),
        }
    }

    fn has_error(&self) -> bool {
        match self {
            Self::Choice(one) | Self::Select(one) => one.error.is_some(),
            Self::Text(one) => one.error.is_some(),
            Self::Check { .. } => false,
            Self::Group { parts, .. } => parts.iter().any(Self::has_error),
            Self::Review { rows } => rows.iter().any(|row| row.reason.has_error() || row.choice.error.is_some()),
        }
    }
}

impl Row {
    fn labels(&self) -> Vec<(&str, &str)> {
        let fields = self.changes.iter().chain([&*self.reason]).flat_map(Part::labels);
        std::iter::once((self.choice.name.as_str(), self.choice.legend.as_str())).chain(fields).collect()
    }
}

/// Makes the fields of a form, with what was typed before.
struct Form<'a> {
    said: &'static Words,
    typed: &'a Fields,
    /// The problems with the fields that were sent.
    problems: &'a [FieldProblem],
    /// Something in the question is masked: no text of it is put into a field, from where its masks would be sent back.
    has_masks: bool,
    language: Language,
}

/// The fields of the answer to a question. `typed` is what somebody has put into them before.
pub(super) fn fields(
    question: &Asking<PrdWorkflow>,
    (typed, problems): (&Fields, &[FieldProblem]),
    has_masks: bool,
    language: Language,
) -> Vec<Part> {
    let form = Form { said: Words::of(language), typed, problems, has_masks, language };
    let said = form.said;
    match question {
        Asking::Engine(..) => vec![form.decision(&[("continue", said.try_again), ("abort", said.end_it)])],
        Asking::Workflow(PrdAsk::Clarification(ask)) => form.questions(&ask.questions),
        Asking::Workflow(PrdAsk::BriefReview(ask)) => {
            let mut parts = form.group(said.open_questions, form.questions(&ask.open_questions));
            let adopt = ask.not_used.iter().map(|one| form.adopted(&one.id, &one.place.quote)).collect();
            parts.extend(form.group(said.not_used_hint, adopt));
            let options = [("approve", said.approve), ("change", said.want_changes), ("edit", said.approve_edited)];
            let usable = if has_masks { 2 } else { 3 };
            parts.push(form.decision(&options[..usable]));
            parts.push(form.text("feedback", said.what_changes, None, "", 3));
            parts.extend((!has_masks).then(|| form.edited(&ask.document)));
            parts
        }
        Asking::Workflow(PrdAsk::RequirementsReview(ask)) => {
            // An approved PRD was taken up again: each decision can be changed.
            let rows: Vec<Row> = match ask.requirements.as_slice() {
                [] => ask.decided.iter().map(|one| form.decided(one)).collect(),
                proposed => proposed.iter().map(|one| form.requirement(one)).collect(),
            };
            let mut parts = vec![Part::Review { rows }];
            parts.push(form.text("added", said.added, Some(said.added_hint), "", 2));
            parts.push(form.check("enough", said.enough));
            parts.push(form.text("feedback", said.comment, None, "", 2));
            parts
        }
        Asking::Workflow(PrdAsk::GapDecision(ask)) => {
            let mut parts: Vec<Part> = ask.identified_gaps.iter().map(|gap| form.gap(gap)).collect();
            let options = [("close", said.close_gaps), ("go-on", said.leave_gaps), ("score", said.score_decides)];
            parts.push(Part::Choice(form.choice("decision".to_owned(), said.all_gaps.to_owned(), &options, "")));
            parts.push(form.text("feedback", said.next_round, None, "", 3));
            parts
        }
        Asking::Workflow(PrdAsk::PrdReview(ask)) => {
            let is_stopped = !ask.gate.verdict.is_pass();
            let mut parts = form.group(said.open_questions, form.questions(&ask.open_questions));
            parts.extend(form.document(is_stopped, &ask.document, true));
            parts
        }
        Asking::Workflow(PrdAsk::Team(ask)) => form.team(ask),
    }
}

impl Form<'_> {
    fn decision(&self, options: &[(&'static str, &str)]) -> Part {
        Part::Choice(self.choice("decision".to_owned(), self.said.decision.to_owned(), options, ""))
    }

    fn choice(&self, name: String, legend: String, options: &[(&'static str, &str)], usual: &str) -> Choice {
        let chosen = self.typed.get(&name).unwrap_or(usual);
        let option = |(value, label): &(&'static str, &str)| Opt {
            value,
            label: (*label).to_owned(),
            is_chosen: *value == chosen,
        };
        Choice { legend, options: options.iter().map(option).collect(), error: self.error(&name), name }
    }

    /// The problem with a field.
    fn error(&self, name: &str) -> Option<String> {
        self.problems
            .iter()
            .find(|problem| problem.field.as_deref() == Some(name))
            .map(|problem| problem.message.clone())
    }

    fn text(&self, name: &str, label: &str, hint: Option<&'static str>, usual: &str, rows: usize) -> Part {
        let value = in_form(self.typed.get(name).unwrap_or(usual));
        let error = self.error(name);
        Part::Text(Text { name: name.to_owned(), label: clean::words(label), hint, value, rows, error })
    }

    fn check(&self, name: &str, label: &str) -> Part {
        let is_checked = self.typed.get(name).is_some();
        Part::Check { name: name.to_owned(), label: label.to_owned(), is_checked }
    }

    fn group(&self, legend: &str, parts: Vec<Part>) -> Vec<Part> {
        if parts.is_empty() {
            return parts;
        }
        vec![Part::Group { legend: legend.to_owned(), lines: Vec::new(), parts, is_folded: false }]
    }

    fn questions(&self, questions: &[Question]) -> Vec<Part> {
        let one = |question: &Question| {
            let about = question.about.as_deref().map(|about| format!(" ({})", clean::words(about)));
            let label = format!("{}{}", question.question, about.unwrap_or_default());
            self.text(&format!("answer.{}", question.id), &label, None, "", 2)
        };
        questions.iter().map(one).collect()
    }

    fn adopted(&self, id: &str, quote: &str) -> Part {
        let leave = ("", self.said.leave_out);
        let sections = BriefSection::ALL.map(|section| (section.heading(Language::En), section.heading(self.language)));
        let options: Vec<(&'static str, &str)> = std::iter::once(leave).chain(sections).collect();
        Part::Select(self.choice(format!("adopt.{id}"), clean::words(quote), &options, ""))
    }

    /// The document in a field: what somebody writes there is the answer's only if they choose so.
    fn edited(&self, document: &str) -> Part {
        let parts = vec![self.text("document", self.said.document, None, &readable(document), 24)];
        let is_folded = self.typed.get("decision") != Some("edit") && !parts.iter().any(Part::has_error);
        Part::Group { legend: self.said.edit_document.to_owned(), lines: Vec::new(), parts, is_folded }
    }

    fn document(&self, needs_reason: bool, document: &str, can_edit: bool) -> Vec<Part> {
        let said = self.said;
        let can_edit = can_edit && !self.has_masks;
        let approve = if needs_reason { said.approve_anyway } else { said.approve };
        let mut options = vec![("approve", approve), ("change", said.want_changes)];
        if can_edit {
            options.push(("edit", said.edit_next));
        }
        let mut parts = vec![self.decision(&options)];
        if needs_reason {
            parts.push(self.text("because", said.because, Some(said.because_hint), "", 2));
        }
        parts.push(self.text("feedback", said.what_changes, None, "", 3));
        if can_edit {
            parts.push(self.edited(document));
        }
        parts
    }

    fn team(&self, ask: &TeamReview) -> Vec<Part> {
        self.document(ask.needs_reason(), &ask.document, ask.checkpoint != Checkpoint::OutlineApproval)
    }

    /// The decision on one gap; without one, the decision on all of them counts.
    fn gap(&self, gap: &Gap) -> Part {
        let (id, said) = (&gap.id, self.said);
        let mut options =
            vec![("", said.gap_leave), ("fix", said.gap_fix), ("ask", said.gap_ask), ("dismiss", said.gap_dismiss)];
        let with_words = gap.requirements.first().map(|id| said.gap_criterion(&id));
        if let Some(label) = with_words.as_deref().filter(|_| gap.requirements.len() == 1) {
            options.insert(1, ("criterion", label));
        }
        let choice = self.choice(format!("gap.{id}"), said.decision.to_owned(), &options, "");
        let words = self.text(&format!("gap-words.{id}"), said.gap_words, Some(said.gap_hint), "", 2);
        let legend = format!("{} {}", clean::words(id), clean::words(&gap.title));
        Part::Group { legend, lines: Vec::new(), parts: vec![Part::Choice(choice), words], is_folded: false }
    }

    fn requirement(&self, one: &Requirement) -> Row {
        let said = self.said;
        let rest = [("reject", said.reject), ("out_of_scope", said.out_of_scope)];
        let options: Vec<(&'static str, &str)> = match has_blanks(one) {
            true => [("", said.later), ("modify", said.fill_blanks)].into_iter().chain(rest).collect(),
            false => {
                let first = [("", said.later), ("approve", said.approve), ("modify", said.modify)];
                first.into_iter().chain(rest).collect()
            }
        };
        self.row(one, &options)
    }

    fn decided(&self, one: &ExportedRequirement) -> Row {
        let said = self.said;
        let now = match &one.decision {
            Decided::Pending => said.undecided_yet,
            Decided::Approved | Decided::Modified { .. } => said.approved,
            Decided::Rejected { .. } => said.rejected,
            Decided::OutOfScope { .. } => said.out_of_scope,
        };
        let keep = format!("{} ({now})", said.keep);
        let options = [
            ("", keep.as_str()),
            ("approve", said.approve),
            ("modify", said.modify),
            ("reject", said.reject),
            ("out_of_scope", said.out_of_scope),
        ];
        self.row(&one.requirement, &options)
    }

    fn row(&self, one: &Requirement, options: &[(&'static str, &str)]) -> Row {
        let (id, said) = (one.id.to_string(), self.said);
        let shown = |words: String| if self.has_masks { String::new() } else { words };
        let (text, criteria) = (shown(one.description.clone()), shown(one.acceptance_criteria.join("\n")));
        let changes = vec![
            self.text(&format!("text.{id}"), said.new_words, None, &text, 3),
            self.text(&format!("criteria.{id}"), said.criteria, Some(said.criteria_hint), &criteria, 3),
        ];
        let reason = Box::new(self.text(&format!("reason.{id}"), said.why, Some(said.why_hint), "", 2));
        let legend = said.decision_on(&id);
        let place = |source: &SourceQuote| {
            (format!("{}:{}", clean::words(&source.source), source.line), clean::words(&source.quote))
        };
        let (title, text) = (clean::words(&one.title), clean::words(&one.description));
        let is_repeated = text.trim_end_matches(['.', '。']) == title.trim_end_matches(['.', '。']);
        let own = one.acceptance_criteria.iter().filter(|criterion| **criterion != one.description);
        Row {
            text: if is_repeated { String::new() } else { text },
            criteria: own.map(|criterion| clean::words(criterion)).collect(),
            sources: one.sources.iter().map(place).collect(),
            choice: self.choice(format!("verdict.{id}"), legend, options, ""),
            changes,
            reason,
            title,
            id,
        }
    }
}
