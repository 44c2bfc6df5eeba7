//! Finds the policy, and its certainty, that agree best with a team's decisions.
//!
//! Every policy judges the history once. The verdicts of a by-evidence policy with another threshold between question
//! and block follow from the recorded certainty. The best choice judges the history again, so that its figures are
//! measured.

use serde::Serialize;

use super::super::history::{self, Past};
use super::{Agreement, Cost, FOLDS, LEAST_OF_EACH, LEAST_ROWS, agreement, folds};
use reqgate_base::model::Outcome;
use reqgate_gate::pipeline::Pipeline;
use reqgate_rules::DEFAULT_POLICY;

/// The thresholds between question and block that are tried.
const LINES: [f64; 9] = [0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95];
/// The saving that another policy must bring, as a share of the rows at the cheaper error; a changed threshold must
/// bring the same again.
const RELUCTANCE: f64 = 0.01;

/// A policy, with its threshold.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Choice {
    /// The id of the policy.
    pub policy: String,
    /// The certainty that a rejection needs; `None` for the value of the policy.
    pub sure: Option<f64>,
}

/// The policy that agrees best with a team, with the figures of all.
#[derive(Debug, Clone, Serialize)]
pub struct Advice {
    /// The number of labelled rows that could be judged.
    pub rows: usize,
    /// The policy in force.
    pub in_force: Choice,
    /// The agreement of the policy in force.
    pub before: Agreement,
    /// The agreement of every unchanged policy.
    pub policies: Vec<(Choice, Agreement)>,
    /// The recommended choice; the policy in force if none is better.
    pub best: Choice,
    /// Its agreement with the tickets that it was chosen by.
    pub fitted: Agreement,
    /// The agreement of choices with tickets that they were not chosen by.
    pub cross_validated: Agreement,
}

impl Advice {
    /// Returns true if the choice is a new one, and choices are cheaper on tickets that they were not chosen by.
    pub fn is_worth_it(&self) -> bool {
        self.best != self.in_force && self.cross_validated.cost < self.before.cost - 1e-9
    }
}

/// A choice with its verdict on every row, and the saving that it must bring.
struct Candidate {
    choice: Choice,
    passes: Vec<bool>,
    price: f64,
}

/// Judges the history under every policy; `None` if there are too few rows. The pipeline is restored afterwards.
pub fn advise(pipeline: &mut Pipeline, past: &[Past], cost: Cost) -> Option<Advice> {
    let count = |label| past.iter().filter(|past| past.accepted == Some(label)).count();
    if past.len() < LEAST_ROWS || count(true) < LEAST_OF_EACH || count(false) < LEAST_OF_EACH {
        return None;
    }
    let settings = pipeline.settings();
    let before = (settings.policy.clone(), settings.sure);
    let line_counts = settings.threshold.is_none() && settings.thresholds.is_empty();
    let in_force = Choice { policy: before.0.clone().unwrap_or_else(|| DEFAULT_POLICY.to_owned()), sure: before.1 };
    let accepted: Vec<bool> = past.iter().map(|past| past.accepted == Some(true)).collect();
    let mut candidates =
        vec![Candidate { passes: passes(pipeline, past, &in_force), choice: in_force.clone(), price: 0.0 }];
    let shipped: Vec<(String, bool, f64)> =
        // A policy that adds rules requires more than people require when they accept or return tickets.
        pipeline.book.policies.iter().filter(|own| own.file.adds.is_empty()).map(|own| (own.file.id.clone(), own.goes_by_evidence(), own.file.sure)).collect();
    for (policy, by_evidence, sure) in shipped {
        let choice = Choice { policy, sure: None };
        pipeline.judge_under(Some(choice.policy.clone()), None);
        let outcomes = history::judge(pipeline, past);
        let lines = LINES.iter().filter(|line| by_evidence && line_counts && (**line - sure).abs() > 1e-9);
        let moved = lines.map(|line| Candidate {
            choice: Choice { policy: choice.policy.clone(), sure: Some(*line) },
            passes: outcomes.iter().map(|outcome| passes_at(outcome.as_ref(), sure, *line)).collect(),
            price: 2.0 * RELUCTANCE,
        });
        let as_it_is = outcomes.iter().map(|outcome| passes_at(outcome.as_ref(), sure, sure)).collect();
        candidates.push(Candidate { choice: choice.clone(), passes: as_it_is, price: RELUCTANCE });
        candidates.extend(moved);
    }
    let all: Vec<usize> = (0..past.len()).collect();
    let best = cheapest(&candidates, &accepted, &all, cost);
    let real = passes(pipeline, past, &best.choice);
    pipeline.judge_under(before.0, before.1);
    let agrees =
        |passes: &[bool]| agreement(&accepted.iter().copied().zip(passes.iter().copied()).collect::<Vec<_>>(), cost);
    let is_plain = |candidate: &&Candidate| candidate.choice.sure.is_none() && candidate.price > 0.0;
    Some(Advice {
        rows: past.len(),
        before: agrees(&candidates[0].passes),
        in_force,
        policies: candidates.iter().filter(is_plain).map(|own| (own.choice.clone(), agrees(&own.passes))).collect(),
        best: best.choice.clone(),
        fitted: agrees(&real),
        cross_validated: agreement(&cross_validated(&candidates, &accepted, cost), cost),
    })
}

fn passes(pipeline: &mut Pipeline, past: &[Past], choice: &Choice) -> Vec<bool> {
    pipeline.judge_under(Some(choice.policy.clone()), choice.sure);
    let outcomes = history::judge(pipeline, past);
    outcomes.iter().map(|outcome| outcome.as_ref().is_some_and(|outcome| outcome.decision.verdict.is_pass())).collect()
}

/// Returns true if a text that was judged with the threshold `drawn` passes with another threshold.
fn passes_at(outcome: Option<&Outcome>, drawn: f64, line: f64) -> bool {
    let Some(decision) = outcome.map(|outcome| &outcome.decision) else { return false };
    let passed = decision.verdict.is_pass();
    let Some(certainty) = decision.certainty.filter(|_| (line - drawn).abs() > 1e-9) else { return passed };
    let unready = 1.0 - certainty;
    // A text that was rejected although its certainty was too low has a blocker that does not depend on the threshold.
    let always = !passed && unready < drawn - 0.01;
    !always && unready < line
}

fn cost_of(candidate: &Candidate, accepted: &[bool], rows: &[usize], cost: Cost) -> f64 {
    let of = |at: &usize| match (accepted[*at], candidate.passes[*at]) {
        (true, false) => cost.wrong_block,
        (false, true) => cost.wrong_pass,
        _ => 0.0,
    };
    rows.iter().map(of).sum::<f64>() + candidate.price * rows.len() as f64 * cost.wrong_block.min(cost.wrong_pass)
}

/// The cheapest candidate on some rows; among equals the first. The policy in force is always a candidate.
fn cheapest<'c>(candidates: &'c [Candidate], accepted: &[bool], rows: &[usize], cost: Cost) -> &'c Candidate {
    let mut best = &candidates[0];
    let mut least = cost_of(best, accepted, rows, cost);
    for candidate in &candidates[1..] {
        let price = cost_of(candidate, accepted, rows, cost);
        if price < least - 1e-9 {
            (best, least) = (candidate, price);
        }
    }
    best
}

/// Pairs (accepted, passes) of all rows, each judged by a choice that was made on other rows.
fn cross_validated(candidates: &[Candidate], accepted: &[bool], cost: Cost) -> Vec<(bool, bool)> {
    let fold = folds(accepted, FOLDS);
    let mut pairs = Vec::with_capacity(accepted.len());
    for part in 0..FOLDS {
        let (test, train): (Vec<usize>, Vec<usize>) = (0..accepted.len()).partition(|at| fold[*at] == part);
        let best = cheapest(candidates, accepted, &train, cost);
        pairs.extend(test.into_iter().map(|at| (accepted[at], best.passes[at])));
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    const COST: Cost = Cost { wrong_block: 3.0, wrong_pass: 1.0 };

    fn candidate(policy: &str, sure: Option<f64>, passes: Vec<bool>, price: f64) -> Candidate {
        Candidate { choice: Choice { policy: policy.to_owned(), sure }, passes, price }
    }

    #[test]
    fn what_is_in_force_stays_where_nothing_saves_enough() {
        let accepted: Vec<bool> = (0..100).map(|at| at % 2 == 0).collect();
        let rows: Vec<usize> = (0..100).collect();
        let right = accepted.clone();
        let mut nearly = right.clone();
        nearly[1] = true;
        let candidates = [candidate("mine", None, nearly, 0.0), candidate("other", None, right.clone(), RELUCTANCE)];
        assert_eq!(cheapest(&candidates, &accepted, &rows, COST).choice.policy, "mine");
        let candidates = [
            candidate("mine", None, vec![false; 100], 0.0),
            candidate("other", None, right.clone(), RELUCTANCE),
            candidate("other", Some(0.9), right, 2.0 * RELUCTANCE),
        ];
        assert_eq!(
            cheapest(&candidates, &accepted, &rows, COST).choice,
            Choice { policy: "other".to_owned(), sure: None }
        );
        let validated = agreement(&cross_validated(&candidates, &accepted, COST), COST);
        assert_eq!((validated.wrong_blocks.hits, validated.wrong_blocks.n, validated.wrong_passes.hits), (0, 50, 0));
    }
}
