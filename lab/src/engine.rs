//! The functions of reqgate that benchmarks measure, each called as a user would call it.
//!
//! Benchmarks use the engine only through this module, so a change of the engine changes one line here.

use reqgate_base::model::{Facets, Finding, GuardrailFinding, Outcome, Span, TicketType};
use reqgate_gate::pipeline::{Pipeline, PipelineError};
use reqgate_gate::stages::intake::RawInput;
use reqgate_gate::stages::scoring::{Context, findings};
use reqgate_gate::stages::structuring;
use reqgate_rules::{Facet, Profile};
use reqgate_text::passive::passives;
use reqgate_text::roles::{Roles, roles};

use super::rows::Text;
use super::suite::ReadAs;

/// Gives benchmarks access to the pipeline.
#[derive(Clone, Copy)]
pub(crate) struct Engine<'p> {
    /// The pipeline that judges.
    pub pipeline: &'p Pipeline,
}

/// The structure of a text.
pub(crate) struct Structure {
    /// The evidence with its places.
    pub facets: Facets,
}

impl Engine<'_> {
    /// All findings of the guardrail in a text.
    pub(crate) fn screen(self, text: &str) -> Vec<GuardrailFinding> {
        self.pipeline.screen(text).report.findings
    }

    /// Judges a text of which at most the type is stated.
    pub(crate) fn judge(
        self,
        name: &str,
        text: &Text,
        ticket_type: Option<TicketType>,
    ) -> Result<Outcome, PipelineError> {
        let title_span = (!text.title.is_empty()).then(|| Span::new(0, text.title.len()));
        self.pipeline.run(RawInput {
            name: name.to_owned(),
            text: text.joined(),
            title_span,
            ticket_type,
            ..RawInput::default()
        })
    }

    /// The findings of the rules in a text that is read as a kind of document.
    pub(crate) fn findings(self, text: &str, how: ReadAs) -> Vec<Finding> {
        let book = &self.pipeline.book;
        let mut reading = book.reader.read(text, None);
        if let Some(genre) = how.genre {
            reading.read_as(genre);
        }
        let facets = structuring::structure(text, &reading, how.profile).facets;
        findings::findings(
            book,
            Context {
                text,
                reading: &reading,
                language: reading.language,
                facets: &facets,
                profile: how.profile,
                by_evidence: false,
                has_empty_description: false,
            },
        )
    }

    /// Returns true if a sentence of the text has a passive form.
    pub(crate) fn has_passive(self, text: &str) -> bool {
        let reading = self.pipeline.book.reader.read(text, None);
        reading.sentences.iter().any(|sentence| !passives(sentence.span.slice(text)).is_empty())
    }

    /// The roles of each sentence in a bug report, with its place.
    pub(crate) fn roles(self, text: &str, title: Option<Span>) -> Vec<(Span, Roles)> {
        let reading = self.pipeline.book.reader.read(text, title);
        let spans = reading.sentences.iter().map(|sentence| sentence.span);
        spans.zip(roles(text, &reading)).collect()
    }

    /// The evidence in a text.
    pub(crate) fn structure(self, text: &str, title: Option<Span>, profile: Profile) -> Structure {
        let reading = self.pipeline.book.reader.read(text, title);
        Structure { facets: structuring::structure(text, &reading, profile).facets }
    }
}

/// Returns true if a sentence has a role, by the engine's sentences that begin in it or cover at least half of it.
pub(crate) fn plays(roles: &[(Span, Roles)], role: &str, sentence: Span) -> bool {
    let belongs = |span: Span| {
        let begins_inside = span.start >= sentence.start && span.start < sentence.end;
        begins_inside || span.start < sentence.start && shared(span, sentence) * 2 >= sentence.len().max(1)
    };
    roles.iter().filter(|(span, _)| belongs(*span)).any(|(_, roles)| match role {
        "OB" => roles.observed,
        "EB" => roles.expected,
        "S2R" => roles.step,
        "ENV" => roles.environment,
        _ => false,
    })
}

impl Structure {
    /// Returns true if the facet is present.
    pub(crate) fn has(&self, facet: Facet) -> bool {
        !match facet {
            Facet::Expected => self.facets.expected.is_empty(),
            Facet::Actual => self.facets.actual.is_empty(),
            Facet::Steps => self.facets.steps.is_empty(),
            Facet::Environment => self.facets.environment.is_empty(),
            Facet::Criteria => self.facets.criteria.is_empty(),
            Facet::Requirements => self.facets.requirements.is_empty(),
            _ => false,
        }
    }
}

/// The number of bytes that two spans share.
pub(crate) fn shared(a: Span, b: Span) -> usize {
    a.end.min(b.end).saturating_sub(a.start.max(b.start))
}
