//! The fields of an answer: which ones a question has, and what they hold.

use serde::Serialize;

use super::answer::Fields;
use super::judge::in_form;
use super::words::Words;
use crate::clean;
use crate::model::Language;
use crate::prd::brief::BriefSection;
use crate::prd::requirements::ExportedRequirement;
use crate::prd::workflow::{Checkpoint, PrdAsk, PrdWorkflow, TeamReview, has_blanks};
use crate::prd::{Decided, Gap, Requirement};
use crate::workflow::{Asking, Question};

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

/// A choice.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(super) struct Choice {
    /// The name of the field.
    pub name: String,
    /// The question.
    pub legend: String,
    /// The answers.
    pub options: Vec<Opt>,
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
}

/// Makes the fields of a form, with what was typed before.
struct Form<'a> {
    said: &'static Words,
    typed: &'a Fields,
    /// Something in the question is masked: no text of it is put into a field, from where its masks would be sent back.
    has_masks: bool,
    language: Language,
}

/// The fields of the answer to a question. `typed` is what somebody has put into them before.
pub(super) fn fields(question: &Asking<PrdWorkflow>, typed: &Fields, has_masks: bool, language: Language) -> Vec<Part> {
    let form = Form { said: Words::of(language), typed, has_masks, language };
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
            let mut parts: Vec<Part> = ask.requirements.iter().map(|one| form.requirement(one)).collect();
            // An approved PRD was taken up again: what was decided may be decided anew.
            if ask.requirements.is_empty() {
                parts.extend(ask.decided.iter().map(|one| form.decided(one)));
            }
            parts.push(form.text("added", said.added, Some(said.added_hint), "", 2));
            if !ask.requirements.is_empty() {
                parts.push(form.check("others", said.approve_others));
            }
            parts.push(form.check("enough", said.enough));
            parts.push(form.text("feedback", said.comment, None, "", 2));
            parts
        }
        Asking::Workflow(PrdAsk::GapDecision(ask)) => {
            let mut parts: Vec<Part> = ask.identified_gaps.iter().map(|gap| form.gap(gap)).collect();
            let options = [("close", said.close_gaps), ("go-on", said.leave_gaps), ("score", said.score_decides)];
            parts.push(form.decision(&options));
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
        Choice { legend, options: options.iter().map(option).collect(), name }
    }

    fn text(&self, name: &str, label: &str, hint: Option<&'static str>, usual: &str, rows: usize) -> Part {
        let value = in_form(self.typed.get(name).unwrap_or(usual));
        Part::Text(Text { name: name.to_owned(), label: clean::words(label), hint, value, rows })
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
        let parts = vec![self.text("document", self.said.document, None, document, 24)];
        let is_folded = self.typed.get("decision") != Some("edit");
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
        let with_words = gap.requirements.first().map(|id| said.gap_criterion.replace("{id}", &id.to_string()));
        if let Some(label) = with_words.as_deref().filter(|_| gap.requirements.len() == 1) {
            options.insert(1, ("criterion", label));
        }
        let choice = self.choice(format!("gap.{id}"), said.decision.to_owned(), &options, "");
        let words = self.text(&format!("gap-words.{id}"), said.gap_words, Some(said.gap_words_hint), "", 2);
        let legend = format!("{} {}", clean::words(id), clean::words(&gap.title));
        Part::Group { legend, lines: Vec::new(), parts: vec![Part::Choice(choice), words], is_folded: false }
    }

    fn requirement(&self, one: &Requirement) -> Part {
        let said = self.said;
        let options: &[(&'static str, &str)] = if has_blanks(one) {
            &[
                ("modify", said.fill_blanks),
                ("reject", said.reject),
                ("out_of_scope", said.out_of_scope),
                ("defer", said.later),
            ]
        } else {
            &[
                ("approve", said.approve),
                ("modify", said.modify),
                ("reject", said.reject),
                ("out_of_scope", said.out_of_scope),
                ("defer", said.later),
            ]
        };
        self.verdict(one, options, "")
    }

    fn decided(&self, one: &ExportedRequirement) -> Part {
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
        self.verdict(&one.requirement, &options, "")
    }

    fn verdict(&self, one: &Requirement, options: &[(&'static str, &str)], usual: &str) -> Part {
        let (id, said) = (&one.id, self.said);
        let words = if self.has_masks { "" } else { one.description.as_str() };
        let words = vec![
            self.text(&format!("text.{id}"), said.new_words, Some(said.new_words_hint), words, 3),
            self.text(&format!("reason.{id}"), said.why, Some(said.why_hint), "", 2),
        ];
        let is_folded = !matches!(self.typed.get(&format!("verdict.{id}")), Some("modify" | "reject" | "out_of_scope"));
        let details =
            Part::Group { legend: said.words_and_reason.to_owned(), lines: Vec::new(), parts: words, is_folded };
        let legend = format!("{id} {}", clean::words(&one.title));
        let choice = self.choice(format!("verdict.{id}"), said.decision.to_owned(), options, usual);
        let mut lines = vec![clean::words(&one.description)];
        lines.extend(one.acceptance_criteria.iter().map(|criterion| format!("– {}", clean::words(criterion))));
        lines.extend(one.sources.iter().map(|source| {
            format!("{}:{} “{}”", clean::words(&source.source), source.line, clean::words(&source.quote))
        }));
        lines.dedup();
        Part::Group { legend, lines, parts: vec![Part::Choice(choice), details], is_folded: false }
    }
}
