//! Estimates whether a careful reader would need an answer about a ticket first, and about which subjects.

use crate::local_reader::{Read, TeamTarget, TeamWeights};
use reqgate_base::model::{FacetEvidence, QuestionCode};
use reqgate_rules::{ByReadings, Profile, Rejects};

/// The largest number of subjects to ask about.
const MOST_ASKED: usize = 3;

/// A report with at least this probability of "not ready" is not passed without a question (as under the policy
/// `ready`).
const LIKELY: f64 = 0.4;

/// The estimate for one ticket.
#[derive(Debug, Clone, PartialEq)]
pub struct Estimate {
    /// Probability that a reader needs an answer before the work can be finished, 0 to 1.
    pub not_ready: f64,
    /// Probability that a reader cannot start, 0 to 1.
    pub not_actionable: f64,
    /// The subjects that a reader would ask about with their probabilities, the most probable first; empty if a reader
    /// would probably ask no question.
    pub asked: Vec<(QuestionCode, f64)>,
    by: ByReadings,
}

impl Estimate {
    /// Estimates from the evidence of a ticket; the weights of a team adjust one of the probabilities. `sure` is the
    /// probability of "not ready" that rejects, 0 to 1.
    pub(crate) fn of(
        read: &Read,
        evidence: &[FacetEvidence],
        profile: Profile,
        (by, sure): (ByReadings, f64),
        team: Option<&TeamWeights>,
    ) -> Self {
        let mut not_ready = probability(read.not_ready());
        let mut not_actionable = probability(read.not_actionable());
        // A reader who cannot start cannot finish either. The estimate adjusted by the team's own tickets is kept.
        match team {
            Some(team) if team.target == TeamTarget::NotActionable => {
                not_actionable = probability(team.moved(read));
                not_ready = not_ready.max(not_actionable);
            }
            Some(team) => {
                not_ready = probability(team.moved(read));
                not_actionable = not_actionable.min(not_ready);
            }
            None => not_actionable = not_actionable.min(not_ready),
        }
        let is_bug = profile == Profile::Bug;
        let mut estimate = Self { not_ready, not_actionable, asked: Vec::new(), by };
        let rejects = not_ready > LIKELY || 1.0 - estimate.likely_ready() > sure;
        estimate.asked = read.asked(evidence, is_bug, not_ready >= by.asks, MOST_ASKED);
        if is_bug && rejects && estimate.asked.is_empty() {
            // The report has a little of everything, but a rejection must name a question.
            estimate.asked.extend(read.least_settled(evidence));
        }
        estimate
    }

    /// An empty estimate, for tests.
    #[cfg(test)]
    pub(crate) fn nothing(by: ByReadings) -> Self {
        Self { not_ready: 0.0, not_actionable: 0.0, asked: Vec::new(), by }
    }

    /// Puts the subjects of facts first, because they are asked about regardless of the estimate.
    #[must_use]
    pub(crate) fn with_facts(mut self, subjects: impl IntoIterator<Item = QuestionCode>) -> Self {
        for code in subjects {
            self.asked.retain(|(other, _)| *other != code);
            self.asked.insert(0, (code, 1.0));
        }
        self.asked.truncate(MOST_ASKED);
        self
    }

    /// Returns true if "not ready" is probable enough for the policy to ask the author.
    pub(crate) fn is_worth_asking(&self) -> bool {
        self.not_ready >= self.by.asks
    }

    /// Probability that the policy does not reject the ticket, 0 to 1.
    pub(crate) fn likely_ready(&self) -> f64 {
        match self.by.rejects {
            Rejects::NotReady => 1.0 - self.not_ready,
            Rejects::NotActionable => 1.0 - self.not_actionable,
        }
    }

    /// Replaces the probabilities, for a ticket that another reader has judged.
    #[must_use]
    pub(crate) fn with_probabilities(&self, not_ready: f64, not_actionable: f64) -> Self {
        Self { not_ready, not_actionable: not_actionable.min(not_ready), ..self.clone() }
    }

    /// The subjects that a reader would ask about, the most probable first.
    pub(crate) fn codes(&self) -> Vec<QuestionCode> {
        self.asked.iter().map(|(code, _)| *code).collect()
    }

    /// The most probable readiness, 0 to 4.
    pub(crate) fn readiness(&self) -> u8 {
        match self {
            Self { not_actionable, .. } if *not_actionable >= 0.5 => 1,
            Self { not_ready, .. } if *not_ready >= 0.5 => 2,
            Self { asked, .. } if !asked.is_empty() => 3,
            _ => 4,
        }
    }
}

fn probability(log_odds: f64) -> f64 {
    1.0 / (1.0 + (-log_odds).exp())
}
