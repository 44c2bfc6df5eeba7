//! Finds prompt injection, in two strengths.
//!
//! What *stops* a text is an order to a model whose form alone shows what it is, in open prose. Anything weaker, hidden, encoded
//! or summed up only makes a text *doubtful*: it is judged as always, and kept from a model. Bare words never decide: "system
//! prompt" as the subject of a ticket passes, an order to print it does not.

mod encoded;
mod evidence;
mod forms;
mod hidden;
mod mention;
mod quotation;
mod sentences;
mod spelled;
mod word;

use crate::config::guardrail::{GuardrailPatterns, InjectionScoring};
use crate::model::{GuardrailKind, Span};

use super::{Find, GuardrailError};
use evidence::{Evidence, Suspect};
use forms::{FormSearch, Match};
use mention::Mentions;

/// Most injections that are reported for one text; more of them say nothing new.
const MOST_FINDS: usize = 20;

/// Looks for prompt injection.
#[derive(Debug)]
pub(super) struct InjectionScreen {
    search: FormSearch,
    evidence: Evidence,
    scoring: InjectionScoring,
}

/// A hit with the weight that it has where it stands.
#[derive(Debug, Clone, Copy)]
struct Weighed {
    span: Span,
    family: u16,
    form: u16,
    weight: f32,
}

impl InjectionScreen {
    pub(super) fn new(patterns: &GuardrailPatterns, phrases: &[String]) -> Result<Self, GuardrailError> {
        let search = FormSearch::new(patterns, phrases)?;
        Ok(Self { search, evidence: Evidence::new(patterns)?, scoring: patterns.scoring })
    }

    /// Every window of the text that stops it, in order: orders whose form alone shows what they are, in open prose. What
    /// stands in a comment, in code or in a log is written for a template, a machine or a colleague.
    pub(super) fn find(&self, text: &str, not_prose: &[Span]) -> Vec<Find> {
        let spelled = spelled::with_letters(text, |word| self.search.is_order(word));
        let text = spelled.as_deref().unwrap_or(text);
        let words = self.search.words(text);
        if words.is_empty() {
            return Vec::new();
        }
        let concealed = hidden::concealed_spans(text);
        let mentions = Mentions::new(text, &words, &concealed);
        let matches = self.search.matches(text, &words, &mentions);
        let is_open = |hit: &Match| {
            self.search.stops(hit.form) && !concealed.iter().chain(not_prose).any(|place| place.overlaps(hit.span))
        };
        let open: Vec<Match> = matches.into_iter().filter(is_open).collect();
        let mut finds = self.windows(&self.weigh(&open, &[], &[]));
        finds.truncate(MOST_FINDS);
        finds
    }

    /// Whether there is anything in a text that a model might take for an order: by form, hidden or encoded, or by weak signs
    /// that add up. Such a text is judged like any other, and no model reads it.
    pub(super) fn is_doubtful(&self, text: &str, not_prose: &[Span]) -> bool {
        !self.doubts(text, not_prose).is_empty()
    }

    /// Every place of the text that might be taken for an order, in order.
    fn doubts(&self, text: &str, not_prose: &[Span]) -> Vec<Find> {
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
        let mut finds = self.windows(&weighed);
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
            while dark.next_if(|place| place.end <= hit.span.start).is_some() {}
            let in_code = code.peek().is_some_and(|place| place.start <= span.start);
            let is_dark = dark.peek().is_some_and(|place| place.start <= hit.span.start);
            let factor = if is_dark {
                self.scoring.hidden_factor
            } else if in_code && !hit.is_aimed && !self.search.is_strong(hit.form) {
                self.scoring.code_factor
            } else {
                1.0
            };
            weighed.push(Weighed { span, family: hit.family, form: hit.form, weight: hit.weight * factor });
        }
        weighed
    }

    /// Judges decoded text by itself; what it adds up to counts where the encoded text stands.
    fn weigh_payload(&self, payload: &word::Payload) -> Vec<Weighed> {
        let span = payload.span;
        let words = self.search.words(&payload.decoded);
        let matches = self.search.matches(&payload.decoded, &words, &Mentions::new(&payload.decoded, &words, &[]));
        matches
            .iter()
            .map(|hit| Weighed {
                span,
                family: hit.family,
                form: hit.form,
                weight: hit.weight * self.scoring.hidden_factor,
            })
            .collect()
    }

    /// Slides a window over the hits; each family counts once, with its greatest weight.
    fn windows(&self, hits: &[Weighed]) -> Vec<Find> {
        let mut finds = Vec::new();
        let mut first = 0;
        let mut best = vec![0.0_f32; self.search.family_count()];
        while first < hits.len() && finds.len() < MOST_FINDS {
            best.fill(0.0);
            let mut sum = 0.0;
            let mut span = hits[first].span;
            let mut strongest = hits[first];
            let mut reached = None;
            for (index, hit) in hits.iter().enumerate().skip(first) {
                if hit.span.start > hits[first].span.start + self.scoring.window {
                    break;
                }
                let known = &mut best[usize::from(hit.family)];
                sum += (hit.weight - *known).max(0.0);
                *known = known.max(hit.weight);
                span = span.join(hit.span);
                if hit.weight > strongest.weight {
                    strongest = *hit;
                }
                let needed =
                    if strongest.weight < self.scoring.order { self.scoring.hints } else { self.scoring.threshold };
                if sum >= needed {
                    reached = Some(index);
                    break;
                }
            }
            match reached {
                Some(index) => {
                    finds.push(find(self.search.form_id(strongest.form), span));
                    let end = hits[first].span.start + self.scoring.window;
                    first = index + 1 + hits[index + 1..].iter().take_while(|hit| hit.span.start <= end).count();
                }
                None => first += 1,
            }
        }
        finds
    }
}

/// Characters that only a machine reads: tag characters, long runs without width, reversed text.
pub(super) fn hidden_characters(text: &str) -> Vec<Find> {
    let mut runs = hidden::invisible_runs(text);
    runs.truncate(MOST_FINDS);
    runs.into_iter().map(|(span, pattern)| find(pattern, span)).collect()
}

fn find(pattern: &str, span: Span) -> Find {
    Find { kind: GuardrailKind::PromptInjection, pattern: pattern.to_owned(), span, because: Vec::new() }
}
