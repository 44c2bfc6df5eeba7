//! Searches weights and a threshold: all weights on a grid, all thresholds in one pass, with the distance from the
//! rubric in force as a cost.

use super::Cost;

/// The saving that a fit far from the rubric in force must bring: this share of the rows, as the cheaper error, per
/// unit of weight that is moved.
const RELUCTANCE: f64 = 0.02;

/// The scores of one row.
#[derive(Debug, Clone)]
pub(super) struct Scored {
    pub(super) name: String,
    pub(super) accepted: bool,
    pub(super) dimensions: Vec<f64>,
    pub(super) penalties: f64,
    pub(super) blocked: bool,
}

/// The weights of the dimensions, and a threshold.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Fit {
    pub(super) weights: Vec<f64>,
    pub(super) threshold: f64,
}

impl Fit {
    pub(super) fn total(&self, row: &Scored) -> f64 {
        let weighted: f64 = self.weights.iter().zip(&row.dimensions).map(|(weight, score)| weight * score).sum();
        // Rounded like the total in scoring.
        ((weighted - row.penalties).clamp(0.0, 100.0) * 10.0).round() / 10.0
    }

    pub(super) fn passes(&self, row: &Scored) -> bool {
        !row.blocked && self.total(row) >= self.threshold
    }
}

pub(super) fn cost_of(fit: &Fit, rows: &[&Scored], cost: Cost) -> f64 {
    let of = |row: &&Scored| match (row.accepted, fit.passes(row)) {
        (true, false) => cost.wrong_block,
        (false, true) => cost.wrong_pass,
        _ => 0.0,
    };
    rows.iter().map(of).sum()
}

/// The cheapest fit on the grid, with the distance from the one in force as a cost; among equals the nearest.
pub(super) fn fit(rows: &[&Scored], current: &Fit, cost: Cost) -> Fit {
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

/// All weights that add up to 1 and are positive for each dimension: in steps of .05 for up to four dimensions, of .1
/// for up to ten. More dimensions keep their weights.
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

pub(super) fn hundredths(value: f64) -> f64 {
    (value * 10_000.0).round() / 10_000.0
}

/// The cheapest threshold for some weights: the one in force if none is cheaper, else the middle of the nearest range
/// of cheapest ones, so that it keeps its distance from the tickets on both sides.
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
    // The additional cost of each row once the threshold is higher than its score.
    let mut steps = [0.0; 102];
    let mut price = 0.0;
    for row in rows {
        if row.blocked {
            price += if row.accepted { cost.wrong_block } else { 0.0 };
            continue;
        }
        // The lowest whole threshold above the score of the row.
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

#[cfg(test)]
mod tests {
    use super::super::{agreement, cross_validated};
    use super::*;

    const EVEN: Cost = Cost { wrong_block: 1.0, wrong_pass: 1.0 };

    fn row(accepted: bool, dimensions: [f64; 2]) -> Scored {
        Scored { name: String::new(), accepted, dimensions: dimensions.to_vec(), penalties: 0.0, blocked: false }
    }

    /// Rows whose label depends on the first dimension; the second is noise.
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
}
