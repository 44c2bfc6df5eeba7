//! Finds prompt injection, in two strengths.
//!
//! A text is *stopped* by an order to a model whose form alone shows that it is one, in open prose. Anything weaker, hidden, encoded
//! or summed up only makes a text *doubtful*: it is judged as always, and kept from a model. Bare words never decide: "system
//! prompt" as the subject of a ticket passes, an order to print it does not.

mod doubts;
mod encoded;
mod evidence;
mod forms;
mod hidden;
mod mention;
mod quotation;
mod sentences;
mod spelled;
mod word;

use std::sync::OnceLock;

use reqgate_base::model::{GuardrailKind, Span};
use reqgate_rules::config::guardrail::{GuardrailPatterns, InjectionScoring};

use super::{Find, GuardrailError};
use doubts::Doubts;
use forms::{FormSearch, Match};
use mention::Mentions;

/// Most injections that are reported for one text.
const MOST_FINDS: usize = 20;

/// Looks for prompt injection.
#[derive(Debug)]
pub(super) struct InjectionScreen {
    /// The forms that stop a text.
    stops: FormSearch,
    /// Built when a text is first to be sent to a model, which most runs never do.
    doubts: OnceLock<Doubts>,
    scoring: InjectionScoring,
    phrases: Vec<String>,
}

impl InjectionScreen {
    pub(super) fn new(patterns: &GuardrailPatterns, phrases: &[String]) -> Result<Self, GuardrailError> {
        let doubts = OnceLock::new();
        // Faults of an installation's own files are reported at once.
        if patterns.is_extended() {
            let own = Doubts::new(patterns, phrases)?;
            doubts.get_or_init(|| own);
        }
        let stops = FormSearch::stopping(patterns, phrases)?;
        Ok(Self { stops, doubts, scoring: patterns.scoring, phrases: phrases.to_vec() })
    }

    /// Every window of the text that stops it, in order: orders whose form alone shows that they are orders, in open prose. Text
    /// in a comment, in code or in a log is written for a template, a machine or a colleague.
    pub(super) fn find(&self, text: &str, not_prose: &[Span]) -> Vec<Find> {
        let spelled = spelled::with_letters(text, |word| self.stops.is_order(word));
        let text = spelled.as_deref().unwrap_or(text);
        let mut words = self.stops.words(text);
        // The shorter of two words that begin alike names the form, regardless of its class.
        words.sort_by_key(|word| (word.span.start, word.span.end));
        // Few texts hold the words of a form in their order; their surroundings matter only there.
        if !self.stops.may_match(&words) {
            return Vec::new();
        }
        let concealed = hidden::concealed_spans(text);
        let mentions = Mentions::new(text, &words, &concealed);
        let is_open = |hit: &Match| !concealed.iter().chain(not_prose).any(|place| place.overlaps(hit.span));
        let matches = self.stops.matches(text, &words, &mentions);
        let open: Vec<Match> = matches.into_iter().filter(|hit| is_open(hit)).collect();
        let mut finds = windows(&self.stops, self.scoring, &open);
        finds.truncate(MOST_FINDS);
        finds
    }

    /// Returns true if a model might take a part of the text for an order: by form, hidden or encoded, or by weak signs
    /// that add up. Such a text is judged like any other, but no model reads it.
    pub(super) fn is_doubtful(&self, text: &str, not_prose: &[Span]) -> bool {
        let doubts = self.doubts.get_or_init(|| Doubts::shipped(&self.phrases));
        doubts.is_doubtful(text, not_prose)
    }
}

/// Slides a window over the hits; each family counts once, with its greatest weight.
fn windows(search: &FormSearch, scoring: InjectionScoring, hits: &[Match]) -> Vec<Find> {
    let mut finds = Vec::new();
    let mut first = 0;
    let mut best = vec![0.0_f32; search.family_count()];
    while first < hits.len() && finds.len() < MOST_FINDS {
        best.fill(0.0);
        let mut sum = 0.0;
        let mut span = hits[first].span;
        let mut strongest = hits[first];
        let mut reached = None;
        for (index, hit) in hits.iter().enumerate().skip(first) {
            if hit.span.start > hits[first].span.start + scoring.window {
                break;
            }
            let known = &mut best[usize::from(hit.family)];
            sum += (hit.weight - *known).max(0.0);
            *known = known.max(hit.weight);
            span = span.join(hit.span);
            if hit.weight > strongest.weight {
                strongest = *hit;
            }
            let needed = if strongest.weight < scoring.order { scoring.hints } else { scoring.threshold };
            if sum >= needed {
                reached = Some(index);
                break;
            }
        }
        match reached {
            Some(index) => {
                finds.push(find(search.form_id(strongest.form), span));
                let end = hits[first].span.start + scoring.window;
                first = index + 1 + hits[index + 1..].iter().take_while(|hit| hit.span.start <= end).count();
            }
            None => first += 1,
        }
    }
    finds
}

/// Characters that only a machine reads: tag characters, long runs without width, reversed text.
pub(super) fn hidden_characters(text: &str) -> Vec<Find> {
    let mut runs = hidden::invisible_runs(text);
    runs.truncate(MOST_FINDS);
    runs.into_iter().map(|(span, pattern)| find(pattern, span)).collect()
}

fn find(pattern: &str, span: Span) -> Find {
    Find { kind: GuardrailKind::PromptInjection, pattern: pattern.to_owned(), span }
}
