//! What a careful reader would say of a ticket, estimated by weights learned from such readings.

use crate::model::QuestionCode;
use crate::rules::{ByReadings, Reason, Rejects, Target, TeamTarget, Told};

/// At most this many subjects are asked about.
const MOST_ASKED: usize = 3;
/// A subject beside the first is left out where fewer readers than this would ask about it.
const LEAST_LIKELY: f64 = 0.05;

/// The estimate for one ticket.
#[derive(Debug, Clone, PartialEq)]
pub struct Estimate {
    /// Probability that a reader needs an answer before the work can be finished, 0 to 1.
    pub not_ready: f64,
    /// Probability that a reader cannot start, 0 to 1.
    pub not_actionable: f64,
    /// The subjects that a reader would ask about with their probabilities, the most probable first; empty where a reader
    /// would probably ask nothing.
    pub asked: Vec<(QuestionCode, f64)>,
    /// What speaks most for or against "not ready".
    pub reasons: Vec<Reason>,
    by: ByReadings,
}

impl Estimate {
    /// Reads what the weights say of a ticket; `team` is the estimate that a team's weights have moved.
    pub fn of(told: Told, by: ByReadings, team: Option<TeamTarget>) -> Self {
        let Told { sums, reasons } = told;
        let [mut not_ready, mut not_actionable] =
            [Target::NotReady, Target::NotActionable].map(|target| sums.probability(target));
        // Who cannot start cannot finish either; the estimate that a team's own tickets have moved stays.
        if team == Some(TeamTarget::NotActionable) {
            not_ready = not_ready.max(not_actionable);
        } else {
            not_actionable = not_actionable.min(not_ready);
        }
        let mut asked: Vec<(QuestionCode, f64)> = Vec::new();
        if not_ready >= by.asks {
            let likely = |target: Target| match target {
                Target::Asks(code) => Some((code, sums.probability(target))),
                _ => None,
            };
            asked = Target::ALL.into_iter().filter_map(likely).collect();
            asked.sort_by(|a, b| b.1.total_cmp(&a.1));
            asked.truncate(MOST_ASKED);
            let first = asked.first().copied();
            asked.retain(|one| Some(*one) == first || one.1 >= LEAST_LIKELY);
        }
        Self { not_ready, not_actionable, asked, reasons, by }
    }

    /// True if "not ready" is so probable that the policy has the author asked.
    pub fn is_worth_asking(&self) -> bool {
        self.not_ready >= self.by.asks
    }

    /// Probability of what the policy does not reject, 0 to 1.
    pub fn likely_ready(&self) -> f64 {
        match self.by.rejects {
            Rejects::NotReady => 1.0 - self.not_ready,
            Rejects::NotActionable => 1.0 - self.not_actionable,
        }
    }

    /// The same with other probabilities, for a ticket about which somebody else was heard.
    #[must_use]
    pub fn with_probabilities(&self, not_ready: f64, not_actionable: f64) -> Self {
        Self { not_ready, not_actionable: not_actionable.min(not_ready), ..self.clone() }
    }

    /// The subjects that a reader would ask about, the most probable first.
    pub fn codes(&self) -> Vec<QuestionCode> {
        self.asked.iter().map(|(code, _)| *code).collect()
    }

    /// The most probable readiness, 0 to 4.
    pub fn readiness(&self) -> u8 {
        match self {
            Self { not_actionable, .. } if *not_actionable >= 0.5 => 1,
            Self { not_ready, .. } if *not_ready >= 0.5 => 2,
            Self { asked, .. } if !asked.is_empty() => 3,
            _ => 4,
        }
    }
}
