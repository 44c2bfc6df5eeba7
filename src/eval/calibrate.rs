//! Fits the threshold and the weights of a rubric to what a team did with its tickets, and says what that is worth.
//!
//! The blockers stay: they are what the team agreed to be asked about. All weights on a grid are tried, and those that lie
//! farther from the ones in force must save more, so that few rows move little. The figures that count are cross-validated: each fifth of the rows is judged by
//! what the other four fifths propose.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use serde::Serialize;

use super::history::Past;
use super::run::SEED;
use super::statistics::{Random, wilson};
use crate::model::Outcome;
use crate::rules::{Rubric, RubricFile};

/// Fewer judged rows than this prove nothing.
pub const LEAST_ROWS: usize = 30;
/// Fewer rows of either label than this prove nothing.
pub const LEAST_OF_EACH: usize = 10;
/// Parts of the cross-validation.
const FOLDS: usize = 5;
/// What a fit far from the rubric in force must save: this share of the rows, as the cheaper error, for each whole of
/// weight that is moved.
const RELUCTANCE: f64 = 0.02;

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
    /// No row was scored.
    #[error("none of {0} labelled rows was scored: all are tasks, questions, or stopped by the guardrail")]
    NothingScored(usize),
    /// The rubric that was named judges none of the rows.
    #[error("no row was scored by the rubric `{0}`; known from these rows are: {1}")]
    OtherRubrics(String, String),
    /// A rubric of that id is not in force.
    #[error("there is no rubric `{0}` in force")]
    Unknown(String),
}

/// What scoring said of a row.
#[derive(Debug, Clone)]
struct Scored {
    name: String,
    accepted: bool,
    dimensions: Vec<f64>,
    penalties: f64,
    blocked: bool,
}

/// Weights and a threshold.
#[derive(Debug, Clone, PartialEq)]
struct Fit {
    weights: Vec<f64>,
    threshold: f64,
}

impl Fit {
    fn total(&self, row: &Scored) -> f64 {
        let weighted: f64 = self.weights.iter().zip(&row.dimensions).map(|(weight, score)| weight * score).sum();
        // As scoring rounds it.
        ((weighted - row.penalties).clamp(0.0, 100.0) * 10.0).round() / 10.0
    }

    fn passes(&self, row: &Scored) -> bool {
        !row.blocked && self.total(row) >= self.threshold
    }
}

/// Proposes a threshold and weights for the rubric of the most rows, or for the one that is `wanted`.
///
/// # Errors
/// Fails where there are too few rows, saying how many there are and how many are needed.
pub fn propose(
    rubrics: &[Rubric],
    past: &[Past],
    outcomes: &[Option<Outcome>],
    wanted: Option<&str>,
    cost: Cost,
) -> Result<Proposal, CalibrateError> {
    let mut by_rubric: BTreeMap<String, Vec<(Scored, f64)>> = BTreeMap::new();
    for (past, outcome) in past.iter().zip(outcomes) {
        let Some((rubric, row, threshold)) = outcome.as_ref().and_then(|outcome| scored(past, outcome)) else {
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
    let rubric =
        rubrics.iter().find(|rubric| rubric.file.id == id).ok_or_else(|| CalibrateError::Unknown(id.clone()))?;
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

fn scored(past: &Past, outcome: &Outcome) -> Option<(String, Scored, f64)> {
    let report = outcome.score_report.as_ref()?;
    let rubric = outcome.decision.rubric.as_ref()?;
    let row = Scored {
        name: outcome.input.clone(),
        accepted: past.accepted?,
        dimensions: report.dimension_scores.iter().map(|dimension| dimension.score).collect(),
        penalties: report.penalties.iter().map(|penalty| penalty.points).sum(),
        blocked: !report.blocking_issues.is_empty(),
    };
    Some((rubric.id.clone(), row, outcome.decision.threshold?))
}

fn cost_of(fit: &Fit, rows: &[&Scored], cost: Cost) -> f64 {
    let of = |row: &&Scored| match (row.accepted, fit.passes(row)) {
        (true, false) => cost.wrong_block,
        (false, true) => cost.wrong_pass,
        _ => 0.0,
    };
    rows.iter().map(of).sum()
}

/// The cheapest fit on the grid, the distance from the one in force counted as a cost; among equals the nearest.
fn fit(rows: &[&Scored], current: &Fit, cost: Cost) -> Fit {
    let mut best = with_threshold(rows, current.weights.clone(), current.threshold, cost);
    let mut least = cost_of(&best, rows, cost);
    let reluctance = RELUCTANCE * rows.len() as f64 * cost.wrong_block.min(cost.wrong_pass);
    for weights in grid(current.weights.len()) {
        let moved: f64 = weights.iter().zip(&current.weights).map(|(new, old)| (new - old).abs()).sum::<f64>() / 2.0;
        let candidate = with_threshold(rows, weights, current.threshold, cost);
        let price = cost_of(&candidate, rows, cost) + reluctance * moved;
        if price < least - 1e-9 {
            best = candidate;
            least = price;
        }
    }
    best
}

/// All weights that add up to 1 and leave each dimension something: in steps of .05 for up to four dimensions, of .1 for up
/// to ten. More dimensions than that keep their weights.
fn grid(dimensions: usize) -> Vec<Vec<f64>> {
    let parts = match dimensions {
        0 | 1 => return Vec::new(),
        2..=4 => 20,
        5..=10 => 10,
        _ => return Vec::new(),
    };
    let mut grid: Vec<Vec<usize>> = vec![Vec::new()];
    for place in 0..dimensions {
        let behind = dimensions - place - 1;
        let longer = |weights: Vec<usize>| {
            let left = parts - weights.iter().sum::<usize>();
            let range = if behind == 0 { left..=left } else { 1..=left - behind };
            range.map(move |weight| weights.iter().copied().chain([weight]).collect()).collect::<Vec<Vec<usize>>>()
        };
        grid = grid.into_iter().flat_map(longer).collect();
    }
    let share = |weight: &usize| hundredths(*weight as f64 / parts as f64);
    grid.iter().map(|weights| weights.iter().map(share).collect()).collect()
}

fn hundredths(value: f64) -> f64 {
    (value * 10_000.0).round() / 10_000.0
}

/// The cheapest threshold for some weights: that in force if none is cheaper, else the middle of the nearest stretch of
/// cheapest ones, so that it keeps its distance to the tickets on both sides.
fn with_threshold(rows: &[&Scored], weights: Vec<f64>, current: f64, cost: Cost) -> Fit {
    let mut fit = Fit { weights, threshold: current };
    let in_force = cost_of(&fit, rows, cost);
    let prices = prices(rows, &fit, cost);
    let least = prices.iter().copied().fold(f64::INFINITY, f64::min);
    if least >= in_force - 1e-9 {
        return fit;
    }
    let mut stretches: Vec<(usize, usize)> = Vec::new();
    for at in (0..prices.len()).filter(|at| prices[*at] <= least + 1e-9) {
        match stretches.last_mut() {
            Some((_, end)) if *end + 1 == at => *end = at,
            _ => stretches.push((at, at)),
        }
    }
    let middle = |(start, end): &(usize, usize)| (start + end) as f64 / 2.0;
    let nearest = stretches.iter().map(middle).min_by(|a, b| (a - current).abs().total_cmp(&(b - current).abs()));
    fit.threshold = nearest.unwrap_or(current);
    fit
}

/// The cost of every whole threshold from 0 to 100, in one pass over the rows.
fn prices(rows: &[&Scored], fit: &Fit, cost: Cost) -> Vec<f64> {
    // What each row adds once the threshold is higher than its score.
    let mut steps = [0.0; 102];
    let mut price = 0.0;
    for row in rows {
        if row.blocked {
            price += if row.accepted { cost.wrong_block } else { 0.0 };
            continue;
        }
        // The first whole threshold that the row does not reach.
        let first = (fit.total(row).floor() as usize + 1).min(101);
        if row.accepted {
            steps[first] += cost.wrong_block;
        } else {
            price += cost.wrong_pass;
            steps[first] -= cost.wrong_pass;
        }
    }
    let after = |step: &f64| {
        price += step;
        price
    };
    steps[..=100].iter().map(after).collect()
}

/// (accepted, passes) of every row, judged by a fit that did not see it; both labels are spread over all parts.
fn cross_validated(rows: &[Scored], current: &Fit, cost: Cost) -> Vec<(bool, bool)> {
    let order = Random::new(SEED, "folds").shuffled(rows.len());
    let mut fold = vec![0; rows.len()];
    for label in [true, false] {
        for (place, at) in order.iter().filter(|at| rows[**at].accepted == label).enumerate() {
            fold[*at] = place % FOLDS;
        }
    }
    let mut pairs = Vec::with_capacity(rows.len());
    for part in 0..FOLDS {
        let train: Vec<&Scored> = rows.iter().zip(&fold).filter(|(_, own)| **own != part).map(|(row, _)| row).collect();
        let fitted = fit(&train, current, cost);
        let test = rows.iter().zip(&fold).filter(|(_, own)| **own == part);
        pairs.extend(test.map(|(row, _)| (row.accepted, fitted.passes(row))));
    }
    pairs
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
            "# Proposed by `reqgate calibrate` from {} {}; made of {} tickets, a wrong block costing {} times a wrong pass.\n{body}",
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

    const EVEN: Cost = Cost { wrong_block: 1.0, wrong_pass: 1.0 };

    fn row(accepted: bool, dimensions: [f64; 2]) -> Scored {
        Scored { name: String::new(), accepted, dimensions: dimensions.to_vec(), penalties: 0.0, blocked: false }
    }

    /// The first dimension decides, the second is noise.
    fn rows() -> Vec<Scored> {
        (0..40)
            .map(|at| row(at % 2 == 0, [if at % 2 == 0 { 70.0 } else { 50.0 }, f64::from(at * 7 % 41) * 2.0]))
            .collect()
    }

    #[test]
    fn the_dimension_that_decides_gains_weight_and_the_figures_hold_on_unseen_rows() {
        let rows = rows();
        let all: Vec<&Scored> = rows.iter().collect();
        let current = Fit { weights: vec![0.5, 0.5], threshold: 60.0 };
        let fitted = fit(&all, &current, EVEN);
        assert!(fitted.weights[0] >= 0.75, "{fitted:?}");
        assert!((fitted.weights.iter().sum::<f64>() - 1.0).abs() < 1e-9);
        assert!(cost_of(&fitted, &all, EVEN) < cost_of(&current, &all, EVEN));
        let validated = agreement(&cross_validated(&rows, &current, EVEN), EVEN);
        assert!(validated.cost < 0.2, "{validated:?}");
    }

    #[test]
    fn what_is_right_already_stays_as_it_is() {
        let rows: Vec<Scored> =
            (0..40).map(|at| row(at % 2 == 0, if at % 2 == 0 { [90.0; 2] } else { [10.0; 2] })).collect();
        let current = Fit { weights: vec![0.3, 0.7], threshold: 61.5 };
        assert_eq!(fit(&rows.iter().collect::<Vec<_>>(), &current, EVEN), current);
    }

    #[test]
    fn the_dearer_error_is_avoided() {
        let rows: Vec<Scored> = (0..40).map(|at| row(at % 2 == 0, [f64::from(40 + at), 50.0])).collect();
        let all: Vec<&Scored> = rows.iter().collect();
        let current = Fit { weights: vec![1.0, 0.0], threshold: 60.0 };
        let blocks = |cost| all.iter().filter(|row| row.accepted && !fit(&all, &current, cost).passes(row)).count();
        assert!(
            blocks(Cost { wrong_block: 10.0, wrong_pass: 1.0 }) < blocks(Cost { wrong_block: 1.0, wrong_pass: 10.0 })
        );
    }

    #[test]
    fn all_thresholds_are_priced_as_one_by_one() {
        let rows: Vec<Scored> = (0..40).map(|at| row(at % 3 == 0, [f64::from(at * 5 % 101), f64::from(at)])).collect();
        let all: Vec<&Scored> = rows.iter().collect();
        let cost = Cost { wrong_block: 3.0, wrong_pass: 1.0 };
        let fit = Fit { weights: vec![0.35, 0.65], threshold: 0.0 };
        for (threshold, price) in prices(&all, &fit, cost).iter().enumerate() {
            let one = Fit { threshold: threshold as f64, ..fit.clone() };
            assert!((cost_of(&one, &all, cost) - price).abs() < 1e-9, "{threshold}");
        }
    }

    #[test]
    fn the_grid_leaves_each_dimension_something_and_adds_up() {
        for (dimensions, count) in [(1, 0), (2, 19), (4, 969), (6, 126), (10, 1), (11, 0)] {
            let grid = grid(dimensions);
            assert_eq!(grid.len(), count);
            assert!(grid.iter().all(|weights| (weights.iter().sum::<f64>() - 1.0).abs() < 1e-9));
            assert!(grid.iter().flatten().all(|weight| *weight > 0.0));
        }
    }

    #[test]
    fn a_new_rubric_has_a_new_version() {
        assert_eq!(next_version("1.4.2"), "1.5.0");
        assert_eq!(next_version("9"), "9.1.0");
    }
}
