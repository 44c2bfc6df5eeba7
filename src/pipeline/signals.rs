//! The features of a ticket that weights are learned from, taken by the same steps as in a run.

use super::Pipeline;
use crate::model::{FacetEvidence, Finding, SourceType, TicketType};
use crate::rules::{Profile, Told, Weights};
use crate::stages::intake::{RawInput, detect};
use crate::stages::scoring::signals::{self, Signal, Signals};
use crate::stages::scoring::{Context, findings};
use crate::stages::structuring::evidence::{Form, KindPoints, kind_evidence};
use crate::text::Reading;
use crate::text::shape::Shape;

/// What is known of a text before its kind is.
pub(super) struct TextSignals {
    /// Its words, each once.
    pub words: Vec<String>,
    /// Its measures and signs as features.
    pub of_text: Vec<Signal>,
    /// The signs of each kind.
    pub kinds: Vec<FacetEvidence>,
    /// The points of each kind.
    pub counted: detect::Kind,
}

/// Adds what depends on the kind of a ticket to what the weights say of it.
pub(super) fn add_of_kind(
    weights: &Weights,
    told: &mut Told,
    profile: Profile,
    facets: &[FacetEvidence],
    found: &[Finding],
) {
    let signals = signals::of_kind(profile, facets, found);
    weights.add(told, signals.iter().map(|(name, value)| (name.as_str(), *value)));
}

impl Pipeline {
    /// The features of a ticket, judged as a bug or a feature even if it is neither.
    pub fn signals(&self, input: &RawInput) -> Signals {
        let reading = self.book.reader.read(&input.text, input.title_span);
        let source = detect::source_type(input, &reading);
        let form = Form::read(&input.text, &reading);
        let TextSignals { words, of_text, kinds, .. } = self.text_signals(&input.text, &reading, source.value, &form);
        let stated = input.ticket_type.filter(|kind| matches!(kind, TicketType::Bug | TicketType::Feature));
        let bug = match stated {
            Some(kind) => kind == TicketType::Bug,
            None => kinds.iter().any(|kind| kind.facet == "kind-bug" && kind.is_likely()),
        };
        let profile = if bug { Profile::Bug } else { Profile::Feature };
        let structured = self.structured(&input.text, &reading, &form, profile, true);
        let facets = &structured.facets;
        let language = input.language.unwrap_or(reading.language);
        let ctx = Context {
            text: &input.text,
            reading: &reading,
            language,
            facets,
            profile,
            by_evidence: true,
            has_empty_description: input.has_empty_description(),
        };
        let of_kind = signals::of_kind(profile, &facets.evidence, &findings::findings(&self.book, ctx));
        Signals { words, of_text, of_kind }
    }

    /// What is known before the kind of the ticket is.
    pub(super) fn text_signals(&self, text: &str, reading: &Reading, source: SourceType, form: &Form) -> TextSignals {
        let counted = detect::kind(text, reading, source);
        let kinds = kind_evidence(&self.book.facets, text, reading, form, points(text, &counted));
        let shape = Shape::of(text, reading);
        let of_text = signals::of_text(&shape, &kinds);
        TextSignals { words: shape.words, of_text, kinds, counted }
    }
}

pub(super) fn points(text: &str, counted: &detect::Kind) -> KindPoints {
    let [feature, bug, task, question] = counted.points;
    KindPoints { feature, bug, task, question, form: detect::form_says(text) }
}
