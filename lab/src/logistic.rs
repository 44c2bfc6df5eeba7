//! Fits a logistic regression to sparse rows: L2-regularised, by Newton's method with conjugate gradients.
//!
//! The result must be the same byte for byte on every machine and with any number of threads, so every sum is taken in
//! the order of the rows. No crate for sparse regression guarantees this.

/// A row of features: column and value, columns in order.
pub(crate) type Row = Vec<(u32, f64)>;

/// The maximum number of Newton steps; five to eight are usual.
const MOST_STEPS: usize = 20;
/// The maximum number of conjugate-gradient steps in each Newton step.
const MOST_INNER_STEPS: usize = 40;
/// The ratio of the gradient to its start value at which the fit ends.
const PRECISION: f64 = 1e-4;

/// The data to fit.
pub(crate) struct Problem<'r> {
    /// The feature rows to fit.
    pub rows: Vec<&'r Row>,
    /// The label of each row.
    pub labels: Vec<bool>,
    /// The weight of each row.
    pub importance: Vec<f64>,
    /// Known log-odds of each row; empty if there are none.
    pub offsets: Vec<f64>,
    /// The number of columns.
    pub columns: usize,
    /// The cost of a unit of squared weight; a larger penalty makes the weights smaller. The bias is not penalised.
    pub penalty: f64,
}

impl Problem<'_> {
    fn odds(&self, weights: &[f64]) -> Vec<f64> {
        let mut odds: Vec<f64> = self.rows.iter().map(|row| at(weights, row)).collect();
        odds.iter_mut().zip(&self.offsets).for_each(|(odds, known)| *odds += known);
        odds
    }
}

/// The fitted weights and bias.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Fit {
    /// One weight for each column.
    pub weights: Vec<f64>,
    /// The log-odds of a row without features.
    pub bias: f64,
}

fn sigmoid(log_odds: f64) -> f64 {
    1.0 / (1.0 + (-log_odds).exp())
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Fits the weights. The last element of every vector is the bias.
pub(crate) fn fit(problem: &Problem<'_>) -> Fit {
    let size = problem.columns + 1;
    let mut weights = vec![0.0; size];
    let mut first = None;
    for _ in 0..MOST_STEPS {
        let odds = problem.odds(&weights);
        let (gradient, curvature) = slope(problem, &weights, &odds);
        let length = dot(&gradient, &gradient).sqrt();
        if length <= PRECISION * *first.get_or_insert(length) {
            break;
        }
        let step = newton(problem, &gradient, &curvature);
        let before = cost(problem, &weights, &odds);
        // A full step may overshoot if the labels are rare.
        let mut size_of_step = 1.0;
        for _ in 0..20 {
            let tried: Vec<f64> =
                weights.iter().zip(&step).map(|(weight, step)| weight + size_of_step * step).collect();
            let odds = problem.odds(&tried);
            if cost(problem, &tried, &odds) <= before {
                weights = tried;
                break;
            }
            size_of_step /= 2.0;
        }
    }
    let bias = weights.pop().unwrap_or_default();
    Fit { weights, bias }
}

fn at(weights: &[f64], row: &Row) -> f64 {
    let bias = weights.last().copied().unwrap_or_default();
    bias + row.iter().map(|(column, value)| weights[*column as usize] * value).sum::<f64>()
}

fn cost(problem: &Problem<'_>, weights: &[f64], odds: &[f64]) -> f64 {
    let own = &weights[..problem.columns];
    let lost = odds.iter().zip(&problem.labels).zip(&problem.importance).map(|((odds, label), importance)| {
        let margin = if *label { *odds } else { -*odds };
        // log(1 + e^-m), without overflow.
        importance * ((-margin.abs()).exp().ln_1p() + (-margin).max(0.0))
    });
    lost.sum::<f64>() + 0.5 * problem.penalty * dot(own, own)
}

fn slope(problem: &Problem<'_>, weights: &[f64], odds: &[f64]) -> (Vec<f64>, Vec<f64>) {
    let mut gradient: Vec<f64> = weights.iter().map(|weight| problem.penalty * weight).collect();
    gradient[problem.columns] = 0.0;
    let mut curvature = Vec::with_capacity(odds.len());
    for (((row, odds), label), importance) in
        problem.rows.iter().zip(odds).zip(&problem.labels).zip(&problem.importance)
    {
        let likely = sigmoid(*odds);
        let error = importance * (likely - f64::from(u8::from(*label)));
        for (column, value) in row.iter() {
            gradient[*column as usize] += error * value;
        }
        gradient[problem.columns] += error;
        curvature.push(importance * likely * (1.0 - likely));
    }
    (gradient, curvature)
}

/// An approximate solution for the step that minimises the quadratic model of the cost.
fn newton(problem: &Problem<'_>, gradient: &[f64], curvature: &[f64]) -> Vec<f64> {
    let mut step = vec![0.0; gradient.len()];
    let mut left: Vec<f64> = gradient.iter().map(|g| -g).collect();
    let mut along = left.clone();
    let mut size = dot(&left, &left);
    let enough = size * 1e-4;
    for _ in 0..MOST_INNER_STEPS {
        if size <= enough {
            break;
        }
        let bent = bend(problem, curvature, &along);
        let far = size / dot(&along, &bent).max(f64::MIN_POSITIVE);
        for (place, step) in step.iter_mut().enumerate() {
            *step += far * along[place];
            left[place] -= far * bent[place];
        }
        let next = dot(&left, &left);
        for (along, left) in along.iter_mut().zip(&left) {
            *along = left + next / size * *along;
        }
        size = next;
    }
    step
}

/// The second derivative of the cost along a direction.
fn bend(problem: &Problem<'_>, curvature: &[f64], along: &[f64]) -> Vec<f64> {
    let mut bent: Vec<f64> = along.iter().map(|value| problem.penalty * value).collect();
    // The bias is not penalised.
    bent[problem.columns] = 0.0;
    for (row, curvature) in problem.rows.iter().zip(curvature) {
        let moved = curvature * at(along, row);
        for (column, value) in row.iter() {
            bent[*column as usize] += moved * value;
        }
        bent[problem.columns] += moved;
    }
    bent
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problem(rows: &[Row], labels: &[bool], penalty: f64) -> Fit {
        let importance = vec![1.0; rows.len()];
        fit(&Problem {
            rows: rows.iter().collect(),
            labels: labels.to_vec(),
            importance,
            offsets: Vec::new(),
            columns: 2,
            penalty,
        })
    }

    #[test]
    fn a_column_that_tells_the_label_gets_the_weight() {
        let rows: Vec<Row> = (0..40).map(|n| vec![(u32::from(n % 2 == 1), 1.0)]).collect();
        let labels: Vec<bool> = (0..40).map(|n| n % 2 == 1).collect();
        let fit = problem(&rows, &labels, 0.1);
        assert!(fit.weights[1] > 2.0 && fit.weights[0] < -2.0, "{fit:?}");
    }

    #[test]
    fn the_bias_is_the_share_where_nothing_else_is_known() {
        let rows: Vec<Row> = vec![Vec::new(); 100];
        let labels: Vec<bool> = (0..100).map(|n| n < 20).collect();
        let fit = problem(&rows, &labels, 1.0);
        assert!((sigmoid(fit.bias) - 0.2).abs() < 1e-3, "{fit:?}");
    }

    #[test]
    fn a_higher_penalty_makes_smaller_weights() {
        let rows: Vec<Row> = (0..40).map(|n| vec![(0, f64::from(n) / 40.0)]).collect();
        let labels: Vec<bool> = (0..40).map(|n| n > 20).collect();
        assert!(problem(&rows, &labels, 10.0).weights[0] < problem(&rows, &labels, 0.1).weights[0]);
    }
}
