//! Fits corrections of the local reader to a team's tickets: few numbers, strongly regularised, chosen by
//! cross-validation.

use std::collections::BTreeMap;

use super::super::calibrate::folds;
use super::super::logistic::{Problem, Row, fit};
use reqgate_base::model::QuestionCode;

/// The number of parts of the cross-validation that chooses among the forms.
const INNER_FOLDS: usize = 5;
/// The strength with which the slope is held to 1.
const PENALTY_OF_SLOPE: f64 = 4.0;
/// The minimum deviation for scaling, so that log-odds that hardly vary among the tickets are not stretched further.
const LEAST_DEVIATION: f64 = 0.25;
/// The maximum weight of the reader's estimate; tickets that are all similar would increase it without a limit.
const MOST_SLOPE: f64 = 3.0;
/// The strengths with which the weights of subjects are held to 0; the stronger one is the simpler form.
const PENALTIES: [f64; 2] = [40.0, 10.0];

/// A ticket of the training data, in log-odds of the local reader.
#[derive(Debug, Clone)]
pub(super) struct Example {
    /// The log-odds of the estimate that is corrected.
    pub odds: f64,
    /// The log-odds that each subject is asked about, in the order of [`QuestionCode::ALL`].
    pub subjects: [f64; QuestionCode::ALL.len()],
    /// The team sent it back.
    pub returned: bool,
}

/// The form of a correction.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Form {
    /// No correction: the local reader as shipped.
    Shipped,
    /// Corrects the rate of returned tickets.
    Intercept,
    /// Also corrects the weight of the reader's estimate.
    Slope,
    /// Also corrects the weight of each subject of a question.
    Subjects { penalty: f64 },
}

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Moved {
    pub(crate) intercept: f64,
    pub(crate) slope: f64,
    pub(crate) subjects: BTreeMap<QuestionCode, f64>,
}

impl Moved {
    fn nothing() -> Self {
        Self { intercept: 0.0, slope: 1.0, subjects: BTreeMap::new() }
    }

    /// The log-odds that a ticket is sent back.
    pub(super) fn log_odds(&self, example: &Example) -> f64 {
        let own = |(code, odds): (QuestionCode, f64)| self.subjects.get(&code).map_or(0.0, |weight| weight * odds);
        let subjects = QuestionCode::ALL.into_iter().zip(example.subjects).map(own);
        self.intercept + self.slope * example.odds + subjects.sum::<f64>()
    }

    /// Limits the slope to the range that a file allows; if it is changed, the intercept is fitted again.
    fn bounded(self, examples: &[&Example], labels: &[bool]) -> Self {
        let slope = self.slope.clamp(0.0, MOST_SLOPE);
        if (slope - self.slope).abs() < 1e-9 {
            return self;
        }
        let mut moved = Self { slope, intercept: 0.0, ..self };
        let odds: Vec<f64> = examples.iter().map(|example| moved.log_odds(example)).collect();
        moved.intercept = solved_weights(&[], labels, &odds).1;
        moved
    }
}

/// The log loss of predicting these log-odds.
pub(super) fn log_loss(returned: bool, log_odds: f64) -> f64 {
    let margin = if returned { log_odds } else { -log_odds };
    (-margin.abs()).exp().ln_1p() + (-margin).max(0.0)
}

/// Chooses a form by cross-validation and fits it. Among forms without a significant difference, the simplest is
/// chosen.
pub(super) fn learned(examples: &[&Example]) -> Moved {
    let forms = [Form::Shipped, Form::Intercept, Form::Slope]
        .into_iter()
        .chain(PENALTIES.map(|penalty| Form::Subjects { penalty }))
        .collect::<Vec<_>>();
    let fold = folds(&examples.iter().map(|example| !example.returned).collect::<Vec<_>>(), INNER_FOLDS);
    let mut losses = vec![vec![0.0; examples.len()]; forms.len()];
    for part in 0..INNER_FOLDS {
        let train: Vec<&Example> =
            examples.iter().zip(&fold).filter(|(_, own)| **own != part).map(|(example, _)| *example).collect();
        for (form, losses) in forms.iter().zip(&mut losses) {
            let fitted = fitted(&train, *form);
            for (at, example) in examples.iter().enumerate().filter(|(at, _)| fold[*at] == part) {
                losses[at] = log_loss(example.returned, fitted.log_odds(example));
            }
        }
    }
    let mean = |losses: &[f64]| losses.iter().sum::<f64>() / losses.len().max(1) as f64;
    let best = (0..forms.len()).min_by(|a, b| mean(&losses[*a]).total_cmp(&mean(&losses[*b]))).unwrap_or_default();
    let within = (0..forms.len()).find(|at| {
        let (gain, error) = gain(&losses[*at], &losses[best]);
        gain <= error
    });
    fitted(examples, forms[within.unwrap_or(best)])
}

fn fitted(examples: &[&Example], form: Form) -> Moved {
    if form == Form::Shipped {
        return Moved::nothing();
    }
    let offsets: Vec<f64> = examples.iter().map(|example| example.odds).collect();
    let labels: Vec<bool> = examples.iter().map(|example| example.returned).collect();
    let mut columns = Vec::new();
    if form != Form::Intercept {
        columns.extend(Column::of(offsets.clone(), PENALTY_OF_SLOPE.sqrt(), false, Adds::Slope));
    }
    if let Form::Subjects { penalty } = form {
        columns.extend(QuestionCode::ALL.into_iter().enumerate().filter_map(|(place, code)| {
            let values = examples.iter().map(|example| example.subjects[place]).collect();
            Column::of(values, penalty.sqrt(), true, Adds::Subject(code))
        }));
    }
    let (weights, bias) = solved_weights(&columns, &labels, &offsets);
    let mut moved = Moved { intercept: bias, ..Moved::nothing() };
    for (column, weight) in columns.iter().zip(weights) {
        let weight = weight / column.unit;
        moved.intercept -= weight * column.mean;
        match column.adds {
            Adds::Slope => moved.slope += weight,
            Adds::Subject(code) => drop(moved.subjects.insert(code, weight)),
        }
    }
    moved.bounded(examples, &labels)
}

/// A column: the values of all tickets, and the form of its weight.
struct Column {
    values: Vec<f64>,
    /// The divisor of the values.
    unit: f64,
    /// The mean that was subtracted from the values.
    mean: f64,
    adds: Adds,
}

enum Adds {
    Slope,
    Subject(QuestionCode),
}

impl Column {
    /// Creates a column around its mean, in standard deviations if requested; `None` if the values do not vary.
    fn of(values: Vec<f64>, divided_by: f64, in_deviations: bool, adds: Adds) -> Option<Self> {
        let n = values.len().max(1) as f64;
        let mean = values.iter().sum::<f64>() / n;
        let deviation = (values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / n).sqrt();
        let unit = divided_by * if in_deviations { deviation.max(LEAST_DEVIATION) } else { 1.0 };
        (deviation > 1e-6).then(|| Self {
            values: values.iter().map(|v| (v - mean) / unit).collect(),
            unit,
            mean,
            adds,
        })
    }
}

/// The fitted weights and the bias.
fn solved_weights(columns: &[Column], labels: &[bool], offsets: &[f64]) -> (Vec<f64>, f64) {
    let rows = rows(columns, labels.len());
    let problem = Problem {
        rows: rows.iter().collect(),
        labels: labels.to_vec(),
        importance: vec![1.0; labels.len()],
        offsets: offsets.to_vec(),
        columns: columns.len(),
        penalty: 1.0,
    };
    let fitted = fit(&problem);
    (fitted.weights, fitted.bias)
}

fn rows(columns: &[Column], count: usize) -> Vec<Row> {
    let cell = |at: usize| (0..).zip(columns).map(|(number, column)| (number, column.values[at])).collect();
    (0..count).map(cell).collect()
}

/// The mean reduction of the losses, and its standard error.
pub(super) fn gain(before: &[f64], after: &[f64]) -> (f64, f64) {
    let n = before.len().max(1) as f64;
    let differences: Vec<f64> = before.iter().zip(after).map(|(before, after)| before - after).collect();
    let mean = differences.iter().sum::<f64>() / n;
    let variance = differences.iter().map(|one| (one - mean).powi(2)).sum::<f64>() / (n - 1.0).max(1.0);
    (mean, (variance / n).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tickets that differ in whether a reader would ask for steps to reproduce them.
    fn examples(returned: impl Fn(usize) -> bool) -> Vec<Example> {
        let one = |at: usize| {
            let mut subjects = [-3.0; QuestionCode::ALL.len()];
            if at.is_multiple_of(3) {
                subjects[0] = 1.0;
            }
            Example { odds: -1.0 + at as f64 / 120.0, subjects, returned: returned(at) }
        };
        (0..120).map(one).collect()
    }

    #[test]
    fn a_team_that_sends_back_at_random_gets_its_share_and_nothing_else() {
        let all = examples(|at| at % 7 < 2);
        let moved = learned(&all.iter().collect::<Vec<_>>());
        assert!(moved.subjects.is_empty(), "{moved:?}");
        let mean = all.iter().map(|one| 1.0 / (1.0 + (-moved.log_odds(one)).exp())).sum::<f64>() / 120.0;
        assert!((mean - 2.0 / 7.0).abs() < 0.06, "{mean}");
    }

    #[test]
    fn a_subject_that_decides_for_this_team_gets_a_weight() {
        let all = examples(|at| at % 3 == 0);
        let moved = learned(&all.iter().collect::<Vec<_>>());
        assert!(moved.log_odds(&all[0]) > 1.0 && moved.log_odds(&all[1]) < -1.0, "{moved:?}");
    }

    #[test]
    fn a_gain_has_an_error() {
        let (mean, error) = gain(&[1.0, 2.0, 3.0], &[0.5, 1.5, 2.5]);
        assert!((mean - 0.5).abs() < 1e-9 && error < 1e-9);
    }
}
