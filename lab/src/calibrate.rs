//! Fits the threshold and the weights of a rubric to what a team did with its tickets, and says what that is worth; tells
//! which policy agrees most with it.
//!
//! The blockers stay: they are what the team agreed to be asked about. All weights on a grid are tried, and those that lie
//! farther from the ones in force must save more, so that few rows move little. The figures that count are cross-validated: each fifth of the rows is judged by
//! what the other four fifths propose.

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

/// Fewer judged rows than this prove nothing.
pub const LEAST_ROWS: usize = 30;
/// Fewer rows of either label than this prove nothing.
pub const LEAST_OF_EACH: usize = 10;
/// Parts of the cross-validation.
const FOLDS: usize = 5;
/// What errors cost.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Cost {
    /// A ticket that the team accepted is rejected.
    pub wrong_block: f64,
    /// A ticket that the team sent back passes.
    pub wrong_pass: f64,
}

/// A share with its interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Share {
    /// How many.
    pub hits: u64,
    /// Of how many.
    pub n: u64,
    /// Lower end of the 95 % interval.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

/// How well a rubric agrees with a team.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Agreement {
    /// Accepted tickets that are rejected, of all accepted.
    pub wrong_blocks: Share,
    /// Returned tickets that pass, of all returned.
    pub wrong_passes: Share,
    /// Cost per ticket.
    pub cost: f64,
}

/// What is proposed.
#[derive(Debug, Clone, Serialize)]
pub struct Proposal {
    /// Id of the rubric.
    pub rubric: String,
    /// Its version in force.
    pub version: String,
    /// The version proposed.
    pub new_version: String,
    /// Rows that were scored by this rubric.
    pub rows: usize,
    /// Labelled rows that were not: other kinds of document, not applicable, stopped by the guardrail.
    pub not_scored: usize,
    /// What errors cost.
    pub cost: Cost,
    /// Threshold in force and proposed.
    pub threshold: (f64, f64),
    /// Weights in force and proposed, by dimension.
    pub weights: Vec<(String, f64, f64)>,
    /// The rubric in force.
    pub before: Agreement,
    /// The proposal on the rows that it was made of: too good to be true.
    pub fitted: Agreement,
    /// The proposal on rows that it was not made of.
    pub cross_validated: Agreement,
    /// Past verdicts that it would turn, by name of the row: true if it would pass.
    pub flips: Vec<(String, bool)>,
    /// The rubric as a file says it.
    #[serde(skip)]
    pub file: RubricFile,
}

/// Why nothing can be proposed.
#[derive(Debug, thiserror::Error)]
pub enum CalibrateError {
    /// There are too few rows.
    #[error(
        "too few rows to fit the rubric `{rubric}`: {accepted} accepted and {returned} returned were scored by it; at least \
         {LEAST_ROWS} in all and {LEAST_OF_EACH} of each are needed"
    )]
    TooFew {
        /// The rubric.
        rubric: String,
        /// Accepted rows.
        accepted: usize,
        /// Returned rows.
        returned: usize,
    },
    /// Too few rows have an answer of the model.
    #[error(
        "too few answers of `{model}` to fit anything: {accepted} about accepted and {returned} about returned tickets; at \
         least {LEAST_ROWS} in all and {LEAST_OF_EACH} of each are needed"
    )]
    TooFewAnswers {
        /// The model.
        model: String,
        /// Answers about accepted rows.
        accepted: usize,
        /// Answers about returned rows.
        returned: usize,
    },
    /// No row was scored.
    #[error("none of {0} labelled rows was scored: all are tasks, questions, or stopped by the guardrail")]
    NothingScored(usize),
    /// The rubric that was named judges none of the rows.
    #[error("no row was scored by the rubric `{0}`; these rows have: {1}")]
    OtherRubrics(String, String),
    /// A rubric of that id is not in force.
    #[error("there is no rubric `{0}` in force")]
    Unknown(String),
}

/// Proposes a threshold and weights for the rubric of the most rows, or for the one that is `wanted`.
///
/// # Errors
/// Fails where there are too few rows, saying how many there are and how many are needed.
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
    // By evidence what would block is a question above the threshold, wherever that lies.
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

/// (accepted, passes) of every row, judged by a fit that did not see it; both labels are spread over all parts.
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

/// The part of the cross-validation of every row; both labels are spread over all parts.
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

/// How (accepted, passes) pairs agree.
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

/// `1.4.2` becomes `1.5.0`.
fn next_version(version: &str) -> String {
    let mut numbers = version.split('.').map(|number| number.parse::<u64>().unwrap_or(0));
    let (major, minor) = (numbers.next().unwrap_or(1), numbers.next().unwrap_or(0));
    format!("{major}.{}.0", minor.saturating_add(1))
}

impl Proposal {
    /// True if the proposal is cheaper on rows that it was not made of.
    pub fn is_worth_it(&self) -> bool {
        self.cross_validated.cost < self.before.cost - 1e-9
    }

    /// The rubric as a YAML file, with what it was made of.
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
