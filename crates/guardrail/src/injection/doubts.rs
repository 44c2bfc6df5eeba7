//! Finds whatever a model might take for an order: every form, wherever it stands, and weak signs that add up.
//!
//! It is built from thousands of words, and only where a text is to be sent to a model.

use reqgate_base::model::Span;
use reqgate_rules::config::guardrail::{GuardrailPatterns, InjectionScoring};

use super::super::{Find, GuardrailError};
use super::evidence::{Evidence, Suspect};
use super::forms::{FormSearch, Match};
use super::mention::Mentions;
use super::word::Payload;
use super::{MOST_FINDS, Weighed, encoded, hidden, spelled, windows};

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

    /// Every place of the text that might be taken for an order, in order.
    pub(super) fn find(&self, text: &str, not_prose: &[Span]) -> Vec<Find> {
        let spelled = spelled::with_letters(text, |word| self.search.is_order(word));
        let text = spelled.as_deref().unwrap_or(text);
        let concealed = hidden::concealed_spans(text);
        let words = self.search.words(text);
        let mentions = Mentions::new(text, &words, &concealed);
        let matches = self.search.matches(text, &words, &mentions);
        let mut weighed = self.weigh(&matches, &concealed, not_prose);
        let mut suspects = self.evidence.suspects(text, &mentions, |span| self.factor(span, &concealed, not_prose));
        for payload in encoded::payloads(text, &words) {
            weighed.extend(self.weigh_payload(&payload));
            let mentions = Mentions::new(&payload.decoded, &[], &[]);
            let decoded = self.evidence.suspects(&payload.decoded, &mentions, |_| self.scoring.hidden_factor);
            suspects.extend(decoded.into_iter().map(|suspect| Suspect { span: payload.span, ..suspect }));
        }
        weighed.sort_by_key(|hit| (hit.span.start, hit.span.end));
        let mut finds = windows(&self.search, self.scoring, &weighed);
        for suspect in suspects {
            if !finds.iter().any(|known| known.span.overlaps(suspect.span)) {
                finds.push(self.evidence.find(&suspect));
            }
        }
        finds.sort_by_key(|find| find.span);
        finds.truncate(MOST_FINDS);
        finds
    }

    /// What signs are worth where they stand.
    fn factor(&self, span: Span, concealed: &[Span], not_prose: &[Span]) -> f32 {
        let stands_in = |places: &[Span]| {
            let next = places.partition_point(|place| place.end <= span.start);
            places.get(next).is_some_and(|place| place.start <= span.start)
        };
        if stands_in(concealed) {
            self.scoring.hidden_factor
        } else if stands_in(not_prose) {
            self.scoring.code_factor
        } else {
            1.0
        }
    }

    fn weigh(&self, matches: &[Match], concealed: &[Span], not_prose: &[Span]) -> Vec<Weighed> {
        let mut weighed = Vec::with_capacity(matches.len());
        let mut code = not_prose.iter().copied().peekable();
        let mut dark = concealed.iter().copied().peekable();
        for hit in matches {
            let span = hit.span;
            while code.next_if(|place| place.end <= span.start).is_some() {}
            while dark.next_if(|place| place.end <= span.start).is_some() {}
            let in_code = code.peek().is_some_and(|place| place.start <= span.start);
            let is_dark = dark.peek().is_some_and(|place| place.start <= span.start);
            let factor = if is_dark {
                self.scoring.hidden_factor
            } else if in_code && !hit.is_aimed && !self.search.is_strong(hit.form) {
                self.scoring.code_factor
            } else {
                1.0
            };
            weighed.push(Weighed::of(hit, factor));
        }
        weighed
    }

    /// Judges decoded text by itself; what it adds up to counts where the encoded text stands.
    fn weigh_payload(&self, payload: &Payload) -> Vec<Weighed> {
        let words = self.search.words(&payload.decoded);
        let matches = self.search.matches(&payload.decoded, &words, &Mentions::new(&payload.decoded, &words, &[]));
        let weighed = matches.iter().map(|hit| Weighed::of(hit, self.scoring.hidden_factor));
        weighed.map(|hit| Weighed { span: payload.span, ..hit }).collect()
    }
}
