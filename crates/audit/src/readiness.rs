//! The readiness of a backlog by the estimates for its tickets: the expected number of tickets at each readiness, the
//! most frequent questions, and the tickets to open first.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{Entry, v1};
use reqgate_base::model::{Language, QuestionCode, TicketReading};
use reqgate_messages as messages;

/// The maximum number of tickets named under a question.
const MOST_EXAMPLES: usize = 5;
/// The maximum number of tickets named as worth opening first.
const MOST_FIRST: usize = 10;
/// The minimum probability of not being ready for a ticket to be worth opening; below it, a reader would probably have
/// no question.
const LEAST_LIKELY: f64 = 0.24;

/// The estimate for one ticket.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EntryReading {
    /// Probability that a reader needs an answer before the work can be finished, 0 to 1.
    pub not_ready: f64,
    /// Probability that a reader cannot start, 0 to 1.
    pub not_actionable: f64,
    /// The most probable readiness, 0 to 4.
    pub ready: u8,
    /// The questions to the author, the most probable first.
    pub questions: Vec<EntryQuestion>,
}

/// A question to the author of one ticket.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EntryQuestion {
    /// The subject of the question.
    pub code: QuestionCode,
    /// The words of the question.
    pub ask: String,
    /// Probability that a reader asks about this subject, 0 to 1.
    pub probability: f64,
}

impl EntryReading {
    /// The stored part of a reading.
    pub(super) fn of(reading: &TicketReading) -> Self {
        let question = |question: &reqgate_base::model::ReaderQuestion| EntryQuestion {
            code: question.code,
            ask: question.ask.clone(),
            probability: question.probability,
        };
        Self {
            not_ready: reading.not_ready,
            not_actionable: reading.not_actionable,
            ready: reading.ready,
            questions: reading.questions.iter().map(question).collect(),
        }
    }

    /// The probability of each level of readiness, from 0 to 4.
    ///
    /// The estimates separate 1 from 2 and 2 from 3. The shares within 3 and 4, and within 0 and 1, come from 3,329
    /// tickets judged by careful readers, as a function of the probability of not being ready.
    fn probabilities(&self) -> [f64; 5] {
        let (not_ready, cannot_start) = (self.not_ready, self.not_actionable.min(self.not_ready));
        let at_once = (0.75 - 1.55 * not_ready).max(0.08);
        let hopeless = if not_ready >= 0.6 { 0.3 } else { 0.05 };
        [
            cannot_start * hopeless,
            cannot_start * (1.0 - hopeless),
            not_ready - cannot_start,
            (1.0 - not_ready) * (1.0 - at_once),
            (1.0 - not_ready) * at_once,
        ]
    }
}

/// The expected number of tickets at each level, the best first; `None` if no ticket has an estimate.
pub(super) fn spread(entries: &[Entry]) -> Option<v1::Readiness> {
    let estimated: Vec<&EntryReading> = entries.iter().filter_map(|entry| entry.reading.as_ref()).collect();
    let mut expected = [0.0; 5];
    for reading in &estimated {
        for (sum, probability) in expected.iter_mut().zip(reading.probabilities()) {
            *sum += probability;
        }
    }
    let level = |ready: usize| v1::ReadinessLevel {
        ready: ready as u64,
        label: messages::Audit::of(Language::En).levels[ready].to_owned(),
        expected: (expected[ready] * 10.0).round() / 10.0,
        share: (expected[ready] / estimated.len().max(1) as f64 * 1000.0).round() / 1000.0,
    };
    let levels = (0..5).rev().map(level).collect();
    (!estimated.is_empty()).then_some(v1::Readiness { tickets: estimated.len(), levels })
}

/// The most frequent questions, with the tickets in which they are most probable. `summary_of` returns a description of
/// the missing information.
pub(super) fn questions(entries: &[Entry], summary_of: impl Fn(QuestionCode) -> String) -> Vec<v1::Question> {
    let mut asked: BTreeMap<QuestionCode, Vec<(f64, &Entry)>> = BTreeMap::new();
    for entry in entries {
        for question in entry.reading.iter().flat_map(|reading| &reading.questions) {
            asked.entry(question.code).or_default().push((question.probability, entry));
        }
    }
    let mut questions: Vec<v1::Question> = asked
        .into_iter()
        .map(|(code, mut tickets)| {
            // The sort is stable: tickets of equal probability keep their order.
            tickets.sort_by(|a, b| b.0.total_cmp(&a.0));
            let example = |(_, entry): &(f64, &Entry)| v1::QuestionTicket {
                id: entry.id.clone(),
                title: entry.title.clone(),
                url: entry.url.clone(),
            };
            v1::Question {
                code: code.name().to_owned(),
                summary: summary_of(code),
                tickets: tickets.len(),
                examples: tickets.iter().take(MOST_EXAMPLES).map(example).collect(),
            }
        })
        .collect();
    questions.sort_by(|a, b| b.tickets.cmp(&a.tickets).then_with(|| a.code.cmp(&b.code)));
    questions
}

/// The open tickets that are most worth opening. `weight` returns the interest in a ticket combined with its freshness,
/// and its idle days.
pub(super) fn open_first(entries: &[Entry], weight: impl Fn(&Entry) -> (f64, Option<i64>)) -> Vec<v1::OpenFirst> {
    let candidate = |entry: &Entry| {
        let reading = entry.reading.as_ref().filter(|reading| reading.not_ready >= LEAST_LIKELY)?;
        let asked = reading.questions.first()?;
        let (weight, idle_days) = weight(entry);
        let worth = (reading.not_ready * weight * 1000.0).round() / 1000.0;
        entry.is_open.then(|| v1::OpenFirst {
            id: entry.id.clone(),
            title: entry.title.clone(),
            url: entry.url.clone(),
            not_ready: reading.not_ready,
            ready: u64::from(reading.ready),
            question: asked.ask.clone(),
            questions: reading.questions.len(),
            interest: entry.interest,
            idle_days,
            worth,
        })
    };
    let mut first: Vec<v1::OpenFirst> = entries.iter().filter_map(candidate).collect();
    first.sort_by(|a, b| b.worth.total_cmp(&a.worth).then_with(|| a.id.cmp(&b.id)));
    first.truncate(MOST_FIRST);
    first
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_probabilities_of_all_levels_add_up_and_move_with_the_estimates() {
        let of = |not_ready, not_actionable| {
            EntryReading { not_ready, not_actionable, ready: 2, questions: Vec::new() }.probabilities()
        };
        for (not_ready, cannot_start) in [(0.0, 0.0), (0.05, 0.01), (0.4, 0.5), (0.9, 0.7), (1.0, 1.0)] {
            let all = of(not_ready, cannot_start);
            assert!((all.iter().sum::<f64>() - 1.0).abs() < 1e-9 && all.iter().all(|one| *one >= 0.0), "{all:?}");
        }
        assert!(of(0.05, 0.01)[4] > 0.6 && of(0.5, 0.1)[4] < 0.1);
        assert!((of(0.3, 0.1)[2] - 0.2).abs() < 1e-9);
    }
}
