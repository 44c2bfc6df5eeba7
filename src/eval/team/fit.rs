//! Fits what a team's tickets say beyond the shipped weights: few figures, held close to nothing, chosen by cross-validation.

use std::collections::BTreeMap;

use super::super::calibrate::folds;
use super::super::learn::fit::{Problem, Row, fit};
use crate::model::QuestionCode;
use crate::rules::{Target, Weights};

/// Parts of the cross-validation that chooses among the forms.
const INNER_FOLDS: usize = 5;
/// Features that may get a weight of their own.
const MOST_FEATURES: usize = 12;
/// A feature that fewer tickets have, as a share and as a number, is left alone.
const LEAST_SHARE: f64 = 0.05;
const LEAST_TICKETS: usize = 5;
/// How strongly the slope is held to 1.
const PENALTY_OF_SLOPE: f64 = 4.0;
/// Log-odds that hardly vary among the tickets are not stretched any further.
const LEAST_DEVIATION: f64 = 0.25;
/// A shipped estimate never counts more than this; tickets that are all alike would make it count without end.
const MOST_SLOPE: f64 = 3.0;
/// How strongly the weights of subjects and features are held to 0.
const PENALTIES: [f64; 2] = [10.0, 40.0];

/// A ticket as it is learned from.
#[derive(Debug, Clone)]
pub(super) struct Example {
    /// The features of the shipped table that it has.
    pub counted: Vec<(usize, f64)>,
    /// True if the team sent it back.
    pub returned: bool,
}

/// What may be learned.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Form {
    /// Nothing: the shipped weights.
    Shipped,
    /// How often the team sends tickets back.
    Intercept,
    /// Also how much the shipped estimate counts.
    Slope,
    /// Also what each subject of a question counts, what single features count, or both.
    More { subjects: bool, features: bool, penalty: f64 },
}

impl Form {
    /// Every form, the simpler first.
    fn all() -> Vec<Self> {
        let mut all = vec![Self::Shipped, Self::Intercept, Self::Slope];
        for (subjects, features) in [(true, false), (false, true), (true, true)] {
            // The stronger penalty is the simpler form.
            all.extend(PENALTIES.iter().rev().map(|penalty| Self::More { subjects, features, penalty: *penalty }));
        }
        all
    }
}

/// What was learned.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Moved {
    pub intercept: f64,
    pub slope: f64,
    pub subjects: BTreeMap<QuestionCode, f64>,
    pub features: BTreeMap<usize, f64>,
}

/// A fit over the shipped weights, for one estimate.
#[derive(Debug, Clone, Copy)]
pub(super) struct Base<'w> {
    pub weights: &'w Weights,
    pub target: Target,
}

impl Moved {
    fn nothing() -> Self {
        Self { intercept: 0.0, slope: 1.0, subjects: BTreeMap::new(), features: BTreeMap::new() }
    }

    /// The log-odds that a ticket is sent back.
    pub(super) fn log_odds(&self, base: Base<'_>, example: &Example) -> f64 {
        let subjects = self.subjects.iter().map(|(code, weight)| weight * base.asks(example, *code));
        let own = |(place, value): &(usize, f64)| self.features.get(place).map_or(0.0, |weight| weight * value);
        self.intercept
            + self.slope * base.log_odds(example)
            + subjects.sum::<f64>()
            + example.counted.iter().map(own).sum::<f64>()
    }
}

/// What predicting these log-odds costs.
pub(super) fn log_loss(returned: bool, log_odds: f64) -> f64 {
    let margin = if returned { log_odds } else { -log_odds };
    (-margin.abs()).exp().ln_1p() + (-margin).max(0.0)
}

/// A column: the values of all tickets, and how its weight is written.
struct Column {
    values: Vec<f64>,
    /// What the values were divided by.
    unit: f64,
    /// What was taken from them before.
    mean: f64,
    adds: Adds,
}

enum Adds {
    Slope,
    Subject(QuestionCode),
    Feature(usize),
}

impl Base<'_> {
    fn log_odds(self, example: &Example) -> f64 {
        self.weights.log_odds_of(&example.counted, self.target)
    }

    fn asks(self, example: &Example, code: QuestionCode) -> f64 {
        self.weights.log_odds_of(&example.counted, Target::Asks(code))
    }

    /// Chooses a form by cross-validation and fits it. Among forms that are equally good but for chance, the simplest wins.
    pub(super) fn learned(self, examples: &[&Example]) -> Moved {
        let forms = Form::all();
        let fold = folds(&examples.iter().map(|example| !example.returned).collect::<Vec<_>>(), INNER_FOLDS);
        let mut losses = vec![vec![0.0; examples.len()]; forms.len()];
        for part in 0..INNER_FOLDS {
            let train: Vec<&Example> =
                examples.iter().zip(&fold).filter(|(_, own)| **own != part).map(|(example, _)| *example).collect();
            for (form, losses) in forms.iter().zip(&mut losses) {
                let fitted = self.fitted(&train, *form);
                for (at, example) in examples.iter().enumerate().filter(|(at, _)| fold[*at] == part) {
                    losses[at] = log_loss(example.returned, fitted.log_odds(self, example));
                }
            }
        }
        let mean = |losses: &[f64]| losses.iter().sum::<f64>() / losses.len().max(1) as f64;
        let best = (0..forms.len()).min_by(|a, b| mean(&losses[*a]).total_cmp(&mean(&losses[*b]))).unwrap_or_default();
        let within = (0..forms.len()).find(|at| {
            let (gain, error) = gain(&losses[*at], &losses[best]);
            gain <= error
        });
        self.fitted(examples, forms[within.unwrap_or(best)])
    }

    /// Fits one form.
    fn fitted(self, examples: &[&Example], form: Form) -> Moved {
        if form == Form::Shipped {
            return Moved::nothing();
        }
        let offsets: Vec<f64> = examples.iter().map(|example| self.log_odds(example)).collect();
        let labels: Vec<bool> = examples.iter().map(|example| example.returned).collect();
        let mut columns = Vec::new();
        if form != Form::Intercept {
            columns.extend(Column::of(offsets.clone(), PENALTY_OF_SLOPE.sqrt(), false, Adds::Slope));
        }
        if let Form::More { subjects, features, penalty } = form {
            if subjects {
                columns.extend(Target::ALL.into_iter().filter_map(|target| {
                    let Target::Asks(code) = target else { return None };
                    let values = examples.iter().map(|example| self.asks(example, code)).collect();
                    Column::of(values, penalty.sqrt(), true, Adds::Subject(code))
                }));
            }
            if features {
                let simple = solved(&columns, &labels, &offsets);
                columns.extend(self.telling(examples, &labels, &simple).into_iter().map(|(place, values)| Column {
                    values: values.iter().map(|value| value / penalty.sqrt()).collect(),
                    unit: penalty.sqrt() / self.weights.measure(place).unit,
                    mean: 0.0,
                    adds: Adds::Feature(place),
                }));
            }
        }
        let (weights, bias) = solved_weights(&columns, &labels, &offsets);
        let mut moved = Moved { intercept: bias, ..Moved::nothing() };
        for (column, weight) in columns.iter().zip(weights) {
            let weight = weight / column.unit;
            moved.intercept -= weight * column.mean;
            match column.adds {
                Adds::Slope => moved.slope += weight,
                Adds::Subject(code) => drop(moved.subjects.insert(code, weight)),
                Adds::Feature(place) => drop(moved.features.insert(place, weight)),
            }
        }
        self.bounded(moved, examples, &labels)
    }

    /// The same with a slope that a file may hold: where it has to be changed, the intercept follows it.
    fn bounded(self, moved: Moved, examples: &[&Example], labels: &[bool]) -> Moved {
        let slope = moved.slope.clamp(0.0, MOST_SLOPE);
        if (slope - moved.slope).abs() < 1e-9 {
            return moved;
        }
        let mut moved = Moved { slope, intercept: 0.0, ..moved };
        let odds: Vec<f64> = examples.iter().map(|example| moved.log_odds(self, example)).collect();
        moved.intercept = solved_weights(&[], labels, &odds).1;
        moved
    }

    /// The features that tell most beyond a simple fit (by the score test), with their values in units of the shipped fit.
    fn telling(self, examples: &[&Example], labels: &[bool], odds: &[f64]) -> Vec<(usize, Vec<f64>)> {
        let mut having: BTreeMap<usize, usize> = BTreeMap::new();
        for (place, _) in examples.iter().flat_map(|example| &example.counted).filter(|(_, value)| *value != 0.0) {
            *having.entry(*place).or_default() += 1;
        }
        let least = LEAST_TICKETS.max((LEAST_SHARE * examples.len() as f64).ceil() as usize);
        let frequent = having.into_iter().filter(|(_, count)| *count >= least);
        let mut values: BTreeMap<usize, Vec<f64>> =
            frequent.map(|(place, _)| (place, vec![0.0; examples.len()])).collect();
        for (at, example) in examples.iter().enumerate() {
            for (place, value) in &example.counted {
                if let Some(values) = values.get_mut(place) {
                    values[at] = *value;
                }
            }
        }
        let likely: Vec<f64> = odds.iter().map(|odds| 1.0 / (1.0 + (-odds).exp())).collect();
        let mut ranked: Vec<(f64, usize, Vec<f64>)> = Vec::new();
        for (place, raw) in values {
            let unit = self.weights.measure(place).unit;
            let scaled: Vec<f64> = raw.iter().map(|value| value * unit).collect();
            let spread = scaled.iter().any(|value| (value - scaled[0]).abs() > 1e-9);
            if !spread || unit <= 0.0 {
                continue;
            }
            let mass: f64 = likely.iter().map(|likely| likely * (1.0 - likely)).sum();
            let mean = scaled.iter().zip(&likely).map(|(value, p)| value * p * (1.0 - p)).sum::<f64>() / mass.max(1e-9);
            let score: f64 = (scaled.iter().zip(&likely).zip(labels))
                .map(|((value, p), label)| (value - mean) * (f64::from(u8::from(*label)) - p))
                .sum();
            let variance: f64 =
                scaled.iter().zip(&likely).map(|(value, p)| (value - mean).powi(2) * p * (1.0 - p)).sum();
            ranked.push((score.abs() / variance.max(1e-9).sqrt(), place, scaled));
        }
        ranked.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        ranked.into_iter().take(MOST_FEATURES).map(|(_, place, values)| (place, values)).collect()
    }
}

impl Column {
    /// A column around its mean, in standard deviations if wanted; `None` where the values do not vary.
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

/// Weights and bias.
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

/// The log-odds that a fit of these columns gives each ticket.
fn solved(columns: &[Column], labels: &[bool], offsets: &[f64]) -> Vec<f64> {
    let (weights, bias) = solved_weights(columns, labels, offsets);
    let of = |at: usize| columns.iter().zip(&weights).map(|(column, weight)| column.values[at] * weight).sum::<f64>();
    offsets.iter().enumerate().map(|(at, known)| known + bias + of(at)).collect()
}

fn rows(columns: &[Column], count: usize) -> Vec<Row> {
    let cell = |at: usize| (0..).zip(columns).map(|(number, column)| (number, column.values[at])).collect();
    (0..count).map(cell).collect()
}

/// By how much the second losses are lower on average, and the standard error of that.
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

    fn base() -> Base<'static> {
        Base { weights: Weights::shipped(), target: Target::NotReady }
    }

    /// Tickets that differ in one word of the shipped table and in a measure that says nothing.
    fn examples(returned: impl Fn(usize) -> bool) -> Vec<Example> {
        let weights = Weights::shipped();
        let one = |at: usize| {
            let words: &[&str] = if at.is_multiple_of(3) { &["b:error"] } else { &["b:add"] };
            Example { counted: weights.counted(words.iter().copied(), [("k:bug", 1.0)]), returned: returned(at) }
        };
        (0..120).map(one).collect()
    }

    #[test]
    fn a_team_that_sends_back_at_random_gets_its_share_and_nothing_else() {
        let all = examples(|at| at % 7 < 2);
        let moved = base().learned(&all.iter().collect::<Vec<_>>());
        assert!(moved.features.is_empty() && moved.subjects.is_empty(), "{moved:?}");
        let mean = all.iter().map(|one| 1.0 / (1.0 + (-moved.log_odds(base(), one)).exp())).sum::<f64>() / 120.0;
        assert!((mean - 2.0 / 7.0).abs() < 0.06, "{mean}");
    }

    #[test]
    fn a_word_that_decides_for_this_team_gets_a_weight() {
        let all = examples(|at| at % 3 == 0);
        let moved = base().learned(&all.iter().collect::<Vec<_>>());
        assert!(moved.log_odds(base(), &all[0]) > 1.0 && moved.log_odds(base(), &all[1]) < -1.0, "{moved:?}");
    }

    #[test]
    fn a_gain_has_an_error() {
        let (mean, error) = gain(&[1.0, 2.0, 3.0], &[0.5, 1.5, 2.5]);
        assert!((mean - 0.5).abs() < 1e-9 && error < 1e-9);
    }
}
