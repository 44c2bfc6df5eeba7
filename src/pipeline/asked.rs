//! What a ticket asks for: as stated, else by the signs of the kinds where the policy goes by evidence.

use super::Pipeline;
use crate::model::{Detected, FacetEvidence, Origin, SourceType, TicketType};
use crate::rules::{FacetModel, Policy, RuleBook};
use crate::stages::intake::{RawInput, detect};
use crate::stages::structuring::evidence::{KindPoints, kind_evidence, told_kind, weigh};
use crate::stages::structuring::structure;
use crate::text::Reading;

/// With so many points more than bug and feature, a text is shown as a question though it is judged. Fewer, and readers take
/// most such texts for the bug or feature that they are judged as; more, and half of what trackers label a question is missed.
const READS_LIKE_A_QUESTION: i32 = 5;

impl Pipeline {
    /// What the ticket asks for. Where nobody states it and the policy goes by evidence, the signs of the kinds decide.
    pub(super) fn asked(&self, input: &RawInput, reading: &Reading, source: SourceType) -> detect::Asked {
        if self.settings.stated.is_requirement {
            return detect::required(input, reading, source);
        }
        let asked = detect::asked(input, reading, source);
        let by_evidence = self.policy(&input.name).is_ok_and(Policy::goes_by_evidence);
        if !by_evidence || asked.ticket_type.origin == Origin::Stated || source == SourceType::PrdDoc {
            return asked;
        }
        let counted = detect::kind(&input.text, reading, source);
        let points = points(&input.text, &counted);
        let Some((kind, _)) = told_kind(&self.book.facets, &input.text, reading, points) else { return asked };
        let is_talk = source == SourceType::MeetingTranscript;
        let kind = match kind {
            // In a talk everybody asks and plans; what it is about is a feature or a bug.
            TicketType::Task | TicketType::Question if is_talk => asked.judged_as,
            kind => kind,
        };
        // What reads like a question, but not surely, is judged as what it may be, with a remark.
        let is_requirement = matches!(kind, TicketType::Bug | TicketType::Feature);
        let reads_like =
            is_requirement && counted.best == TicketType::Question && counted.margin >= READS_LIKE_A_QUESTION;
        let shown = if reads_like { TicketType::Question } else { kind };
        detect::Asked { ticket_type: Detected::read_off(shown), judged_as: kind }
    }
}

fn points(text: &str, counted: &detect::Kind) -> KindPoints {
    let [feature, bug, task, question] = counted.points;
    KindPoints { feature, bug, task, question, form: detect::form_says(text) }
}

/// One failed example of a facet.
#[derive(Debug, thiserror::Error)]
#[error("{facet}: must be {}, is {:.0} % likely: {text}", if *.there { "there" } else { "absent" }, .evidence.probability() * 100.0)]
pub struct FacetExampleFailure {
    facet: String,
    there: bool,
    evidence: FacetEvidence,
    text: String,
}

/// Tries the examples of a facet; see [`crate::rules::FacetFile::examples`].
pub fn check_facet_examples(book: &RuleBook, model: &FacetModel) -> Vec<FacetExampleFailure> {
    let examples = &model.file.examples;
    let there = examples.there.iter().map(|text| (text, true));
    let all = there.chain(examples.absent.iter().map(|text| (text, false)));
    let tried = all.filter_map(|(text, there)| Some((text, there, in_example(book, model, text)?)));
    tried
        .filter(|(_, there, evidence)| evidence.is_likely() != *there)
        .map(|(text, there, evidence)| FacetExampleFailure {
            facet: model.file.id.clone(),
            there,
            evidence,
            text: text.clone(),
        })
        .collect()
}

fn in_example(book: &RuleBook, model: &FacetModel, text: &str) -> Option<FacetEvidence> {
    let reading = book.reader.read(text, None);
    let models = std::slice::from_ref(model);
    let Some(profile) = model.file.profiles.first().copied() else {
        let points = points(text, &detect::kind(text, &reading, SourceType::PlainText));
        return kind_evidence(models, text, &reading, points).pop();
    };
    let facets = structure(text, &reading, profile).facets;
    weigh(models, text, &reading, &facets, profile).pop()
}
