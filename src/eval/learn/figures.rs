//! What learned weights are worth on projects that they were not fitted on.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::rows::{Judgement, ReadTicket};
use crate::eval::statistics::auc;
use crate::model::QuestionCode;
use crate::rules::Target;

/// Shares of wrongly blocked tickets at which recall is told.
const WRONG_BLOCKS: [f64; 3] = [0.03, 0.05, 0.10];
/// Share of requirements that may be mistaken for something else.
const MISTAKEN: f64 = 0.02;
/// Share of tickets without a question on which questions may be shown.
const NEEDLESS: f64 = 0.15;
/// At most this many questions are shown.
const SHOWN: usize = 3;

/// A count of a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Share {
    /// How many.
    pub hits: usize,
    /// Of how many.
    pub n: usize,
}

impl Share {
    fn of(all: impl Iterator<Item = bool>) -> Self {
        all.fold(Self { hits: 0, n: 0 }, |share, hit| Self { hits: share.hits + usize::from(hit), n: share.n + 1 })
    }

    /// The share, 0 to 1; 0 of nothing.
    pub fn value(self) -> f64 {
        self.hits as f64 / self.n.max(1) as f64
    }
}

/// How many are found where a share of the others is taken for one.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Stops {
    /// Share of the others that is taken for one.
    pub wrong: f64,
    /// The probability from which on that happens.
    pub probability: f64,
    /// How many are found.
    pub found: Share,
}

/// How well a target is told.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Told {
    /// Name of the target.
    pub target: &'static str,
    /// Tickets where it holds.
    pub n: usize,
    /// Area under the ROC curve; `None` where it holds for all or none.
    pub auc: Option<f64>,
    /// The same for each origin.
    pub origins: BTreeMap<String, f64>,
    /// Mean squared error of the probability.
    pub brier: f64,
    /// The same for the share itself.
    pub brier_of_share: f64,
}

/// Figures on held-out projects.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Figures {
    /// Tickets.
    pub tickets: usize,
    /// Folds: projects, or several small ones.
    pub folds: usize,
    /// Readiness: not ready, not actionable.
    pub readiness: Vec<Told>,
    /// AUC of "not ready" where tickets are put into folds at random.
    pub auc_in_random_folds: Option<f64>,
    /// Unready tickets found at several shares of wrong blocks.
    pub stops: Vec<Stops>,
    /// Texts that are not requirements, found where few requirements are mistaken for one.
    pub no_requirement: Stops,
    /// Tickets where a reader must ask whose first question is among the three most probable.
    pub first_question: Share,
    /// The same where questions are shown only on tickets that seem not ready, few of them needlessly.
    pub first_question_shown: Stops,
    /// Tickets judged with a certainty of at least 0.9 that are judged correctly.
    pub sure: Share,
}

/// Takes the figures: `odds` are calibrated held-out log-odds of every target, `shuffled` those of "not ready" in random folds.
pub fn figures(tickets: &[ReadTicket], odds: &[Vec<f64>], shuffled: &[f64], folds: usize) -> Figures {
    let read: Vec<(usize, &ReadTicket, &Judgement)> =
        (0..).zip(tickets).filter_map(|(at, ticket)| Some((at, ticket, ticket.judgement()?))).collect();
    let tickets: Vec<&ReadTicket> = read.iter().map(|(_, ticket, _)| *ticket).collect();
    let judgements: Vec<&Judgement> = read.iter().map(|(.., judgement)| *judgement).collect();
    let likely = |target: Target| -> Vec<f64> {
        let place = Target::ALL.iter().position(|known| *known == target).unwrap_or_default();
        read.iter().map(|(at, ..)| 1.0 / (1.0 + (-odds[place][*at]).exp())).collect()
    };
    let shuffled: Vec<f64> = read.iter().map(|(at, ..)| shuffled[*at]).collect();
    let not_ready: Vec<bool> = judgements.iter().map(|judgement| judgement.ready <= 2).collect();
    let not_actionable: Vec<bool> = judgements.iter().map(|judgement| judgement.ready <= 1).collect();
    let other: Vec<bool> = judgements.iter().map(|judgement| !judgement.kind.is_requirement()).collect();
    let estimate = likely(Target::NotReady);

    let codes: Vec<(QuestionCode, Vec<f64>)> = Target::ALL
        .into_iter()
        .filter_map(|target| if let Target::Asks(code) = target { Some((code, likely(target))) } else { None })
        .collect();
    let hits = |at: usize| {
        let mut ranked: Vec<(QuestionCode, f64)> = codes.iter().map(|(code, likely)| (*code, likely[at])).collect();
        ranked.sort_by(|a, b| b.1.total_cmp(&a.1));
        let first = judgements[at].questions.first().map(|asked| asked.code);
        ranked.iter().take(SHOWN).any(|(code, _)| Some(*code) == first)
    };
    let asks: Vec<bool> = judgements.iter().map(|judgement| !judgement.questions.is_empty()).collect();
    let must: Vec<usize> = (0..tickets.len()).filter(|at| not_ready[*at] && asks[*at]).collect();
    let needless = at_share(NEEDLESS, &asks, &estimate);
    let shown = must.iter().map(|at| estimate[*at] > needless.probability && hits(*at));
    Figures {
        tickets: tickets.len(),
        folds,
        readiness: vec![
            told("not-ready", &tickets, &not_ready, &estimate),
            told("not-actionable", &tickets, &not_actionable, &likely(Target::NotActionable)),
        ],
        auc_in_random_folds: auc(&not_ready.iter().copied().zip(shuffled).collect::<Vec<_>>()),
        stops: WRONG_BLOCKS.iter().map(|share| at_share(*share, &not_ready, &estimate)).collect(),
        no_requirement: at_share(MISTAKEN, &other, &likely(Target::NoRequirement)),
        first_question: Share::of(must.iter().map(|at| hits(*at))),
        first_question_shown: Stops { found: Share::of(shown), ..needless },
        sure: Share::of(
            estimate
                .iter()
                .zip(&not_ready)
                .filter(|(likely, _)| **likely >= 0.9 || **likely <= 0.1)
                .map(|(likely, is)| (*likely > 0.5) == *is),
        ),
    }
}

/// Recall at the probability that a share of the negatives exceeds.
fn at_share(wrong: f64, labels: &[bool], likely: &[f64]) -> Stops {
    let mut others: Vec<f64> = labels.iter().zip(likely).filter(|(label, _)| !**label).map(|(_, odds)| *odds).collect();
    others.sort_by(|a, b| b.total_cmp(a));
    // The share is between 0 and 1, so the product is a place in the list.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    let place = (wrong * others.len() as f64) as usize;
    let probability = others.get(place).copied().unwrap_or(1.0);
    let found = labels.iter().zip(likely).filter(|(label, _)| **label).map(|(_, likely)| *likely > probability);
    Stops { wrong, probability, found: Share::of(found) }
}

fn told(target: &'static str, tickets: &[&ReadTicket], labels: &[bool], likely: &[f64]) -> Told {
    let n = labels.iter().filter(|label| **label).count();
    let pairs: Vec<(bool, f64)> = labels.iter().copied().zip(likely.iter().copied()).collect();
    let origins: BTreeSet<&str> = tickets.iter().map(|ticket| ticket.origin.as_str()).collect();
    let of_origin = |origin: &str| {
        let own = tickets.iter().zip(&pairs).filter(|(ticket, _)| ticket.origin == origin);
        auc(&own.map(|(_, pair)| *pair).collect::<Vec<_>>())
    };
    let squares = pairs.iter().map(|(label, likely)| (f64::from(u8::from(*label)) - likely).powi(2)).sum::<f64>();
    let (all, share) = (pairs.len().max(1) as f64, n as f64 / pairs.len().max(1) as f64);
    Told {
        target,
        n,
        auc: auc(&pairs),
        origins: origins.into_iter().filter_map(|origin| Some((origin.to_owned(), of_origin(origin)?))).collect(),
        brier: squares / all,
        brier_of_share: share * (1.0 - share),
    }
}

impl Figures {
    /// The figures in lines of plain words.
    pub fn lines(&self) -> Vec<String> {
        let mut lines = vec![format!("{} tickets, {} folds of whole projects held out", self.tickets, self.folds)];
        for told in &self.readiness {
            let origins: Vec<String> = told.origins.iter().map(|(origin, auc)| format!("{origin} {auc:.3}")).collect();
            lines.push(format!(
                "{}: {} tickets, AUC {:.3} ({}), Brier {:.3} ({:.3} for the share alone)",
                told.target,
                told.n,
                told.auc.unwrap_or_default(),
                origins.join(", "),
                told.brier,
                told.brier_of_share
            ));
        }
        lines.push(format!("not-ready in random folds: AUC {:.3}", self.auc_in_random_folds.unwrap_or_default()));
        for stops in &self.stops {
            lines.push(format!("not ready found at {}", stops.words("ready ones blocked")));
        }
        lines.push(format!("no requirement found at {}", self.no_requirement.words("requirements mistaken")));
        let Share { hits, n } = self.first_question;
        lines.push(format!("first question of a reader among the three most probable: {hits} of {n}"));
        lines.push(format!(
            "the same among those shown at {}",
            self.first_question_shown.words("tickets without a question")
        ));
        lines.push(format!("certainty of at least 0.9 and right: {} of {}", self.sure.hits, self.sure.n));
        lines
    }
}

impl Stops {
    fn words(&self, wrong: &str) -> String {
        let Share { hits, n } = self.found;
        let percent = self.wrong * 100.0;
        format!(
            "{percent:.0} % of {wrong}: {hits} of {n} ({:.2}), probability {:.3}",
            self.found.value(),
            self.probability
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recall_is_taken_where_a_share_of_the_others_is_exceeded() {
        let labels = [true, true, false, false, false, false];
        let likely = [0.9, 0.3, 0.8, 0.2, 0.1, 0.1];
        let stops = at_share(0.25, &labels, &likely);
        assert_eq!((stops.found, stops.probability), (Share { hits: 2, n: 2 }, 0.2));
        assert_eq!(at_share(0.0, &labels, &likely).found, Share { hits: 1, n: 2 });
    }
}
