//! The kind of a ticket: as stated, or else by the local reader and the signs of each kind.

use super::Pipeline;
use crate::local_reader::Read;
use crate::stages::intake::{RawInput, detect};
use crate::stages::structure_check::FEWEST_CRITERIA;
use crate::stages::structuring;
use crate::stages::structuring::evidence::{Form, KindPoints, kind_evidence, told_kind};
use reqgate_base::model::{Detected, SourceType, TicketType};
use reqgate_rules::Profile;
use reqgate_text::{Reading, display_width, is_surely_as_wide};

/// The smallest lead in points over bug and feature with which a text is shown as a question although it is judged. With a
/// smaller lead, readers take most such texts for the bug or feature that they are judged as; with a larger one, half
/// of the questions in trackers are missed.
const READS_LIKE_A_QUESTION: i32 = 5;

/// A text of fewer columns needs more certainty to count as no requirement: it has too little content, and its author
/// should hear so.
const SHORT: usize = 50;
const SURE_OF_SHORT: f64 = 0.6;

/// The kind of a ticket, with intermediate results.
pub(super) struct TicketKind {
    /// The kind of the ticket.
    pub what: detect::DetectedKind,
    /// The counted properties of the text.
    pub form: Option<Form>,
    /// The local reader's result.
    pub read: Option<Read>,
    /// The probability that it asks for no work, if its kind is not stated, 0 to 1.
    pub no_requirement: f64,
}

impl TicketKind {
    /// The kind of a text that is not judged.
    pub(super) fn told(input: &RawInput, reading: &Reading, source: SourceType) -> Self {
        Self { what: detect::asked(input, reading, source), form: None, read: None, no_requirement: 0.0 }
    }
}

impl Pipeline {
    /// The kind of the ticket. If it is not stated, the local reader and the signs of the kinds decide, under a policy
    /// that uses evidence.
    pub(super) fn asked(&self, input: &RawInput, reading: &Reading, source: SourceType) -> TicketKind {
        let required = self.settings.stated.is_requirement;
        let told = || if required { detect::required } else { detect::asked }(input, reading, source);
        let by_evidence = self.policy(&input.name).is_ok_and(|policy| policy.goes_by_evidence());
        if !by_evidence || source == SourceType::PrdDoc {
            return TicketKind { what: told(), form: None, read: None, no_requirement: 0.0 };
        }
        let by = self.by_readings(&input.name, source);
        let read = by.and_then(|_| self.read_text(&input.text, reading, input.language));
        if required || input.ticket_type.is_some() {
            return TicketKind { what: told(), form: None, read, no_requirement: 0.0 };
        }
        let counted = detect::kind(&input.text, reading, source);
        let points = points(&input.text, &counted);
        let form = Form::read(&input.text, reading);
        let mut no_requirement = 0.0;
        let kind = match by.zip(read.as_ref()) {
            Some((by, read)) => {
                let kind = read.kind(&kind_evidence(&self.book.facets, &input.text, reading, &form, points));
                let is_short = !is_surely_as_wide(&input.text, SHORT) && display_width(&input.text) < SHORT;
                let sure_enough = if is_short { SURE_OF_SHORT } else { by.no_requirement };
                no_requirement = kind.no_requirement;
                if no_requirement >= sure_enough { kind.otherwise } else { kind.requirement }
            }
            None => match told_kind(&self.book.facets, &input.text, reading, &form, points) {
                None => return TicketKind { what: told(), form: Some(form), read, no_requirement },
                // All speakers of a conversation ask and plan; its subject is a feature or a bug.
                Some((TicketType::Task | TicketType::Question, _)) if source == SourceType::MeetingTranscript => {
                    told().judged_as
                }
                // A conversation that ends in testable outcomes asks for them. Lists of topics do not.
                Some((TicketType::Discussion, _))
                    if reading.is_conversation && states_outcomes(&input.text, reading, &form) =>
                {
                    counted.requirement
                }
                Some((kind, _)) => kind,
            },
        };
        // A text that reads like a question, but not surely, is judged as its probable kind, with a remark.
        let shown = if is_requirement(kind) && asks(&counted) { TicketType::Question } else { kind };
        let what = detect::DetectedKind { ticket_type: Detected::read_off(shown), judged_as: kind };
        TicketKind { what, form: Some(form), read, no_requirement }
    }
}

/// The points of each kind, with the answer of an issue form.
pub(super) fn points(text: &str, counted: &detect::Kind) -> KindPoints {
    let [feature, bug, task, question] = counted.points;
    KindPoints { feature, bug, task, question, form: detect::form_says(text) }
}

/// Returns true if the text states as many checkable outcomes as a feature needs.
fn states_outcomes(text: &str, reading: &Reading, form: &Form) -> bool {
    let structured = structuring::structure(text, reading, Profile::Meeting);
    let structured = structuring::with_statements(text, form, structured, Profile::Meeting);
    structured.grounding.acceptance_criteria.len() >= FEWEST_CRITERIA
}

fn is_requirement(kind: TicketType) -> bool {
    matches!(kind, TicketType::Bug | TicketType::Feature)
}

/// Returns true for a text whose signs are clearly those of a question.
fn asks(counted: &detect::Kind) -> bool {
    counted.best == TicketType::Question && counted.margin >= READS_LIKE_A_QUESTION
}
