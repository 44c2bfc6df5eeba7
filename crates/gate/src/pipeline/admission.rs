//! The way of an input to the first stage that judges: reading, guardrail, normalisation, and the texts that are not judged.

use std::ops::ControlFlow;

use super::packet::{packet, validate};
use super::ticket_kind::TicketKind;
use super::{Pipeline, PipelineError};
use crate::stages::gate;
use crate::stages::intake::{RawInput, detect};
use reqgate_base::clean::short_line;
use reqgate_base::model::{
    Acceptance, AcceptedFinding, Detected, GateDecision, GuardrailReport, Language, OtherLanguage, RequirementPacket,
    SourceType, TicketType,
};
use reqgate_guardrail::Purpose;
use reqgate_rules::Profile;
use reqgate_text::Reading;

/// The longest name and reason of an acceptance in a report, in characters.
const LONGEST_NAME: usize = 80;
const LONGEST_REASON: usize = 300;

/// An input that was read.
pub(super) struct Incoming {
    pub input: RawInput,
    pub reading: Reading,
    /// The kind of document.
    source: Detected<SourceType>,
    /// Its language, if it is neither English nor Chinese.
    other_language: Option<Detected<OtherLanguage>>,
    /// The language of the report.
    pub language: Language,
}

impl Pipeline {
    /// Reads an input, with the properties that are stated for all inputs.
    pub(super) fn incoming(&self, input: RawInput) -> Incoming {
        let input = self.settings.stated.put_to(input);
        let mut reading = self.book.reader.read(&input.text, input.title_span);
        let source = detect::source_type(&input, &reading);
        if source.value == SourceType::PrdDoc || self.settings.stated.is_requirement {
            reading = self.book.reader.read_document(&input.text, input.title_span, reading);
        }
        let other_language = self.other_language(&input, &reading);
        let written_in = match other_language {
            Some(_) => Language::En,
            None => input.language.unwrap_or(reading.language),
        };
        let language = self.settings.stated.report_language.unwrap_or(written_in);
        Incoming { input, reading, source, other_language, language }
    }

    /// Masks the text of an input, and reports the findings.
    pub(super) fn mask(&self, incoming: &mut Incoming) -> GuardrailReport {
        let Incoming { input, reading, source, language, .. } = incoming;
        let purpose = Purpose {
            // A guessed kind does not set a limit of length.
            source: input.source_type.or(input.tracker),
            language: *language,
            by_readings: self.by_readings(&input.name, source.value).is_some(),
        };
        let screened = self.guardrail.screen_for(&input.text, &reading.code(), purpose);
        input.text = screened.text;
        screened.report
    }

    /// The kind of the ticket, and its packet, in which every string is screened.
    pub(super) fn normalized(
        &self,
        incoming: &Incoming,
        guardrail: &mut GuardrailReport,
    ) -> (TicketKind, RequirementPacket) {
        let Incoming { input, reading, source, other_language, language } = incoming;
        // A text that the guardrail stops is not judged, so its kind is not worked out.
        let kind = match guardrail.lets_through() {
            true => self.asked(input, reading, source.value),
            false => TicketKind::told(input, reading, source.value),
        };
        let packet = packet(input, reading, *source, kind.what.ticket_type, *other_language, |words| {
            self.guardrail.screen_beside(words, guardrail, *language)
        });
        // An id or address in which a value would be masked is dropped.
        let clean = |words: &Option<String>| words.clone().filter(|words| self.masked(words) == *words);
        let (id, url) = (clean(&input.facts.id), clean(&input.facts.url));
        (kind, RequirementPacket { id, url, ..packet })
    }

    /// The profile that an input is judged by, or the decision on one that is not judged.
    pub(super) fn admission(
        &self,
        incoming: &Incoming,
        packet: &RequirementPacket,
        judged_as: TicketType,
        guardrail: &GuardrailReport,
    ) -> Result<ControlFlow<GateDecision, Profile>, PipelineError> {
        let Incoming { input, reading, language, .. } = incoming;
        // A text that is too short or too long is a poor ticket, not a broken input.
        if !guardrail.lets_through() {
            return Ok(ControlFlow::Break(gate::stopped(guardrail, *language)));
        }
        validate(&input.name, packet)?;
        let kind = packet.ticket_type.value;
        if kind != TicketType::FeaturePart
            && let Some(decision) = self.unread(input, packet, reading, *language)
        {
            return Ok(ControlFlow::Break(decision));
        }
        Ok(match Profile::of(packet.source_type.value, judged_as) {
            Some(profile) => ControlFlow::Continue(profile),
            None => ControlFlow::Break(gate::not_applicable(kind, *language)),
        })
    }

    /// The points that a person accepted as open, in words that are screened.
    pub(super) fn acceptance(&self, accepted: Acceptance) -> Acceptance {
        let screened = |words: &str| self.screen(words).text;
        Acceptance {
            by: short_line(&self.masked(&accepted.by), LONGEST_NAME),
            reason: short_line(&self.masked(&accepted.reason), LONGEST_REASON),
            questions: accepted.questions.iter().map(|words| screened(words)).collect(),
            findings: accepted
                .findings
                .into_iter()
                .map(|AcceptedFinding { rule, words }| AcceptedFinding { rule, words: screened(&words) })
                .collect(),
        }
    }
}
