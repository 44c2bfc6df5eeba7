//! Fits the threshold and the weights of a rubric to the decisions of a team about its tickets, measures the gain, and
//! finds the policy that agrees best with the team.
//!
//! The blockers do not change, because the team agreed to them. All weights on a grid are tried, and weights farther
//! from the ones in force must save more, so that few rows change little. The reported figures are cross-validated:
//! each fifth of the rows is judged by the proposal from the other four fifths.

mod fit;
mod model;
mod policies;

pub use model::{ModelProposal, Worth, propose_for_model};
pub use policies::{Advice, Choice, advise};

use std::cmp::Reverse;
use std::collections::BTreeMap;

use serde::Serialize;

use fit::{Fit, Scored, fit, hundredths};

use super::history::Past;
use super::run::SEED;
use super::statistics::{Random, wilson};
use reqgate_base::model::Outcome;
use reqgate_rules::{Policy, Rubric, RubricFile, RuleBook};

/// The minimum number of judged rows for a proposal.
pub(crate) const LEAST_ROWS: usize = 30;
/// The minimum number of rows of each label for a proposal.
pub(crate) const LEAST_OF_EACH: usize = 10;
/// The number of parts of the cross-validation.
const FOLDS: usize = 5;
/// The costs of the two kinds of error.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Cost {
    /// The cost of rejecting a ticket that the team accepted.
    pub wrong_block: f64,
    /// The cost of passing a ticket that the team sent back.
    pub wrong_pass: f64,
}

/// A share with its confidence interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Share {
    /// The numerator of the share.
    pub hits: u64,
    /// The denominator of the share.
    pub n: u64,
    /// Lower end of the 95 % interval.
    pub low: f64,
    /// Upper end of the 95 % interval.
    pub high: f64,
}

/// The agreement of a rubric with a team.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Agreement {
    /// The share of accepted tickets that are rejected.
    pub wrong_blocks: Share,
    /// The share of returned tickets that pass.
    pub wrong_passes: Share,
    /// The mean cost per ticket.
    pub cost: f64,
}

/// A proposed rubric and its figures.
#[derive(Debug, Clone, Serialize)]
pub struct Proposal {
    /// The id of the rubric.
    pub rubric: String,
    /// The version in force.
    pub version: String,
    /// The version of the proposal.
    pub new_version: String,
    /// Rows that were scored by this rubric.
    pub rows: usize,
    /// Labelled rows that were not scored by it: other kinds of document, not applicable, stopped by the guardrail.
    pub not_scored: usize,
    /// The costs of the two kinds of error.
    pub cost: Cost,
    /// The threshold in force and the proposed one.
    pub threshold: (f64, f64),
    /// The weights in force and the proposed ones, by dimension.
    pub weights: Vec<(String, f64, f64)>,
    /// The agreement of the rubric in force.
    pub before: Agreement,
    /// The agreement of the proposal on the rows that it was fitted to, which is too optimistic.
    pub fitted: Agreement,
    /// The agreement of proposals on rows that they were not fitted to.
    pub cross_validated: Agreement,
    /// Past verdicts that the proposal changes, by name of the row; true if the row would pass.
    pub flips: Vec<(String, bool)>,
    /// The proposed rubric as a file.
    #[serde(skip)]
    pub file: RubricFile,
}

/// The reason why no rubric can be proposed.
#[derive(Debug, thiserror::Error)]
pub enum CalibrateError {
    /// There are too few labelled rows.
    #[error(
        "too few rows to fit the rubric `{rubric}`: {accepted} accepted and {returned} returned were scored by it; at least \
         {LEAST_ROWS} in all and {LEAST_OF_EACH} of each are needed"
    )]
    TooFew {
        /// The id of the rubric.
        rubric: String,
        /// The number of accepted rows.
        accepted: usize,
        /// The number of returned rows.
        returned: usize,
    },
    /// Too few rows have an answer of the model.
    #[error(
        "too few answers of `{model}` to fit anything: {accepted} about accepted and {returned} about returned tickets; at \
         least {LEAST_ROWS} in all and {LEAST_OF_EACH} of each are needed"
    )]
    TooFewAnswers {
        /// The name of the model.
        model: String,
        /// The number of answers about accepted rows.
        accepted: usize,
        /// The number of answers about returned rows.
        returned: usize,
    },
    /// No row was scored.
    #[error("none of {0} labelled rows was scored: all are tasks, questions, or stopped by the guardrail")]
    NothingScored(usize),
    /// The requested rubric judges none of the rows.
    #[error("no row was scored by the rubric `{0}`; these rows have: {1}")]
    OtherRubrics(String, String),
    /// No rubric with this id is in force.
    #[error("there is no rubric `{0}` in force")]
    Unknown(String),
}

/// Proposes a threshold and weights for the `wanted` rubric, or for the one that scores most rows.
///
/// # Errors
/// Fails if there are too few rows; the error has their number and the minimum.
pub fn propose(
    book: &RuleBook,
    past: &[Past],
    outcomes: &[Option<Outcome>],
    wanted: Option<&str>,
    cost: Cost,
) -> Result<Proposal, CalibrateError> {
    let mut by_rubric: BTreeMap<String, Vec<(Scored, f64)>> = BTreeMap::new();
    for (past, outcome) in past.iter().zip(outcomes) {
        let Some((rubric, row, threshold)) = outcome.as_ref().and_then(|outcome| scored(book, past, outcome)) else {
            continue;
        };
        by_rubric.entry(rubric).or_default().push((row, threshold));
    }
    let labelled = past.iter().filter(|past| past.accepted.is_some()).count();
    let known = by_rubric.keys().cloned().collect::<Vec<_>>().join(", ");
    let id = match wanted {
        Some(id) => id.to_owned(),
        None => {
            let most = by_rubric.iter().max_by_key(|(id, rows)| (rows.len(), Reverse((*id).clone())));
            most.map(|(id, _)| id.clone()).ok_or(CalibrateError::NothingScored(labelled))?
        }
    };
    let rubric = book.rubric(&id).ok_or_else(|| CalibrateError::Unknown(id.clone()))?;
    let rows = by_rubric.remove(&id).ok_or_else(|| CalibrateError::OtherRubrics(id.clone(), known))?;
    let threshold = rows.first().map_or(rubric.file.threshold, |(_, threshold)| *threshold);
    let rows: Vec<Scored> = rows.into_iter().map(|(row, _)| row).collect();
    let accepted = rows.iter().filter(|row| row.accepted).count();
    let returned = rows.len() - accepted;
    if rows.len() < LEAST_ROWS || accepted < LEAST_OF_EACH || returned < LEAST_OF_EACH {
        return Err(CalibrateError::TooFew { rubric: id, accepted, returned });
    }
    let current = Fit { weights: rubric.file.dimensions.iter().map(|d| d.weight).collect(), threshold };
    Ok(proposal(rubric, &rows, labelled - rows.len(), &current, cost))
}

fn proposal(rubric: &Rubric, rows: &[Scored], not_scored: usize, current: &Fit, cost: Cost) -> Proposal {
    let all: Vec<&Scored> = rows.iter().collect();
    let fitted = fit(&all, current, cost);
    let validated = cross_validated(rows, current, cost);
    let pairs = |fit: &Fit| all.iter().map(|row| (row.accepted, fit.passes(row))).collect::<Vec<_>>();
    let flips = rows.iter().filter(|row| current.passes(row) != fitted.passes(row));
    let flips = flips.map(|row| (row.name.clone(), fitted.passes(row))).collect();
    let mut file = rubric.file.clone();
    file.version = next_version(&file.version);
    file.threshold = fitted.threshold;
    for (dimension, weight) in file.dimensions.iter_mut().zip(&fitted.weights) {
        dimension.weight = *weight;
    }
    let weights = rubric.file.dimensions.iter().zip(&fitted.weights);
    Proposal {
        rubric: rubric.file.id.clone(),
        version: rubric.file.version.clone(),
        new_version: file.version.clone(),
        rows: rows.len(),
        not_scored,
        cost,
        threshold: (current.threshold, fitted.threshold),
        weights: weights.map(|(dimension, weight)| (dimension.id.clone(), dimension.weight, *weight)).collect(),
        before: agreement(&pairs(current), cost),
        fitted: agreement(&pairs(&fitted), cost),
        cross_validated: agreement(&validated, cost),
        flips,
        file,
    }
}

fn scored(book: &RuleBook, past: &Past, outcome: &Outcome) -> Option<(String, Scored, f64)> {
    let report = outcome.score_report.as_ref()?;
    let rubric = outcome.decision.rubric.as_ref()?;
    let threshold = outcome.decision.threshold?;
    let policy = outcome.decision.policy.as_ref().and_then(|policy| book.policy(&policy.id));
    // By evidence, an issue that blocks below the threshold is only a question above it, for any threshold.
    let depends_on_score = policy.is_some_and(Policy::goes_by_evidence) && report.total_score < threshold;
    let row = Scored {
        name: outcome.input.clone(),
        accepted: past.accepted?,
        dimensions: report.dimension_scores.iter().map(|dimension| dimension.score).collect(),
        penalties: report.penalties.iter().map(|penalty| penalty.points).sum(),
        blocked: !report.blocking_issues.is_empty() && !depends_on_score,
    };
    Some((rubric.id.clone(), row, threshold))
}

/// Pairs (accepted, passes) of all rows, each judged by a fit to other rows; both labels are spread over all parts.
fn cross_validated(rows: &[Scored], current: &Fit, cost: Cost) -> Vec<(bool, bool)> {
    let fold = folds(&rows.iter().map(|row| row.accepted).collect::<Vec<_>>(), FOLDS);
    let mut pairs = Vec::with_capacity(rows.len());
    for part in 0..FOLDS {
        let train: Vec<&Scored> = rows.iter().zip(&fold).filter(|(_, own)| **own != part).map(|(row, _)| row).collect();
        let fitted = fit(&train, current, cost);
        let test = rows.iter().zip(&fold).filter(|(_, own)| **own == part);
        pairs.extend(test.map(|(row, _)| (row.accepted, fitted.passes(row))));
    }
    pairs
}

/// The part of the cross-validation for every row; both labels are spread over all parts.
pub(super) fn folds(accepted: &[bool], parts: usize) -> Vec<usize> {
    let order = Random::new(SEED, "folds").shuffled(accepted.len());
    let mut fold = vec![0; accepted.len()];
    for label in [true, false] {
        for (place, at) in order.iter().filter(|at| accepted[**at] == label).enumerate() {
            fold[*at] = place % parts;
        }
    }
    fold
}

/// The agreement of (accepted, passes) pairs.
pub fn agreement(pairs: &[(bool, bool)], cost: Cost) -> Agreement {
    let count = |wanted: fn(&&(bool, bool)) -> bool| pairs.iter().filter(wanted).count() as u64;
    let share = |hits: u64, n: u64| {
        let (low, high) = wilson(hits, n);
        Share { hits, n, low, high }
    };
    let wrong_blocks = share(count(|pair| pair.0 && !pair.1), count(|pair| pair.0));
    let wrong_passes = share(count(|pair| !pair.0 && pair.1), count(|pair| !pair.0));
    let sum = wrong_blocks.hits as f64 * cost.wrong_block + wrong_passes.hits as f64 * cost.wrong_pass;
    Agreement { wrong_blocks, wrong_passes, cost: sum / pairs.len().max(1) as f64 }
}

/// The next minor version: `1.4.2` becomes `1.5.0`.
fn next_version(version: &str) -> String {
    let mut numbers = version.split('.').map(|number| number.parse::<u64>().unwrap_or(0));
    let (major, minor) = (numbers.next().unwrap_or(1), numbers.next().unwrap_or(0));
    format!("{major}.{}.0", minor.saturating_add(1))
}

impl Proposal {
    /// Returns true if proposals are cheaper on rows that they were not fitted to.
    pub fn is_worth_it(&self) -> bool {
        self.cross_validated.cost < self.before.cost - 1e-9
    }

    /// The proposed rubric as a YAML file, with a comment on its data.
    ///
    /// # Errors
    /// Fails if it cannot be written as YAML.
    pub fn yaml(&self) -> Result<String, String> {
        let body = serde_saphyr::to_string(&self.file).map_err(|error| error.to_string())?;
        Ok(format!(
            "# Proposed by `reqgate-lab calibrate` from {} {}; made of {} tickets, a wrong block costing {} times a wrong pass.\n{body}",
            self.rubric,
            self.version,
            self.rows,
            hundredths(self.cost.wrong_block / self.cost.wrong_pass),
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_rubric_has_a_new_version() {
        assert_eq!(next_version("1.4.2"), "1.5.0");
        assert_eq!(next_version("9"), "9.1.0");
    }
}
