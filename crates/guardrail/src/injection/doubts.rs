//! Finds all text that a model might take for an order: all forms, in any place, and weak signs that add up.
//!
//! The search is built from thousands of words, and only if a text will be sent to a model.

use reqgate_base::model::Span;
use reqgate_rules::config::guardrail::{GuardrailPatterns, InjectionScoring};

use super::super::GuardrailError;
use super::evidence::Evidence;
use super::forms::{FormSearch, Match};
use super::mention::Mentions;
use super::word::Payload;
use super::{encoded, hidden, spelled, windows};

/// Looks for orders of any strength.
#[derive(Debug)]
pub(super) struct Doubts {
    search: FormSearch,
    evidence: Evidence,
    scoring: InjectionScoring,
}

impl Doubts {
    pub(super) fn new(patterns: &GuardrailPatterns, phrases: &[String]) -> Result<Self, GuardrailError> {
        let weak = patterns.weak_signs().map_err(|error| GuardrailError::Unreadable(error.to_string()))?;
        let evidence = Evidence::new(&weak, patterns.scoring.threshold)?;
        Ok(Self { search: FormSearch::new(patterns, phrases)?, evidence, scoring: patterns.scoring })
    }

    /// By the shipped patterns.
    pub(super) fn shipped(phrases: &[String]) -> Self {
        let patterns = GuardrailPatterns::shipped().expect("a test reads the shipped patterns");
        Self::new(&patterns, phrases).expect("a test builds the search for the shipped patterns")
    }

    /// Returns true if a part of the text might be taken for an order.
    pub(super) fn is_doubtful(&self, text: &str, not_prose: &[Span]) -> bool {
        let spelled = spelled::with_letters(text, |word| self.search.is_order(word));
        let text = spelled.as_deref().unwrap_or(text);
        let concealed = hidden::concealed_spans(text);
        let words = self.search.words(text);
        let mentions = Mentions::new(text, &words, &concealed);
        if self.evidence.is_met(text, &mentions, |span| self.factor(span, &concealed, not_prose)) {
            return true;
        }
        let matches = self.search.matches(text, &words, &mentions);
        let mut weighed: Vec<Match> = matches.into_iter().map(|hit| self.weigh(hit, &concealed, not_prose)).collect();
        for Payload { span, decoded } in encoded::payloads(text, &words) {
            let mentions = Mentions::new(&decoded, &[], &[]);
            if self.evidence.is_met(&decoded, &mentions, |_| self.scoring.hidden_factor) {
                return true;
            }
            weighed.extend(self.weigh_decoded(span, &decoded));
        }
        weighed.sort_by_key(|hit| (hit.span.start, hit.span.end));
        !windows(&self.search, self.scoring, &weighed).is_empty()
    }

    /// The factor on signs at a place.
    fn factor(&self, span: Span, concealed: &[Span], not_prose: &[Span]) -> f32 {
        let is_in = |places: &[Span]| {
            let next = places.partition_point(|place| place.end <= span.start);
            places.get(next).is_some_and(|place| place.start <= span.start)
        };
        if is_in(concealed) {
            self.scoring.hidden_factor
        } else if is_in(not_prose) {
            self.scoring.code_factor
        } else {
            1.0
        }
    }

    fn weigh(&self, hit: Match, concealed: &[Span], not_prose: &[Span]) -> Match {
        let counts_in_code = hit.is_aimed || self.search.is_strong(hit.form);
        hit.times(self.factor(hit.span, concealed, if counts_in_code { &[] } else { not_prose }))
    }

    /// Judges decoded text separately; its weights count at the place of the encoded text.
    fn weigh_decoded(&self, span: Span, decoded: &str) -> Vec<Match> {
        let words = self.search.words(decoded);
        let matches = self.search.matches(decoded, &words, &Mentions::new(decoded, &words, &[]));
        matches.into_iter().map(|hit| Match { span, ..hit.times(self.scoring.hidden_factor) }).collect()
    }
}
