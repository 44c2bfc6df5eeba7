//! Turns the signals of tickets into columns of comparable size, and fitted weights back into a file of weights.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use super::fit::{Fit, Row};
use crate::rules::{BIAS, COLUMNS, Target, WEIGHTS_SCHEMA, word_scale};
use crate::stages::scoring::signals::{Signal, Signals};

/// A word counts only if it occurs in tickets of this many projects, so that no name of a product gets a weight.
pub const LEAST_PROJECTS: usize = 5;
/// A word counts only if it occurs in this many tickets.
pub const LEAST_TICKETS: usize = 15;
/// What a measure of the shape weighs against words, in standard deviations.
const SHAPE_SCALE: f64 = 0.5;
/// What a sign of a facet weighs.
const SIGN_SCALE: f64 = 0.3;
/// What the finding of a rule weighs. It is not measured in deviations: a rule that seldom speaks says no less when it does.
const RULE_SCALE: f64 = 2.0;
/// A measure that hardly varies is not stretched any further.
const LEAST_DEVIATION: f64 = 0.1;
/// Values farther from the mean than this, in standard deviations, count as that far.
const BOUND: f64 = 4.0;

/// The columns that can be learned from some tickets.
pub struct Table {
    /// Column of each feature.
    columns: BTreeMap<String, u32>,
    /// How the feature of each column is measured.
    measures: Vec<Measured>,
}

/// How a feature is measured.
#[derive(Debug, Clone, Copy)]
struct Measured {
    /// What a unit of it counts.
    factor: f64,
    /// The least and the most that counts: outliers say no more than what is rare.
    bounds: (f64, f64),
}

impl Measured {
    fn held(self, value: f64) -> f64 {
        value.clamp(self.bounds.0, self.bounds.1) * self.factor
    }
}

impl Table {
    /// The columns that tickets of enough projects share.
    pub fn of(tickets: &[(&str, &Signals)]) -> Self {
        let mut words: BTreeMap<&str, (usize, BTreeSet<&str>)> = BTreeMap::new();
        let mut measures: BTreeMap<&str, (f64, f64)> = BTreeMap::new();
        for (project, signals) in tickets {
            for word in &signals.words {
                let known = words.entry(word).or_default();
                known.0 += 1;
                known.1.insert(project);
            }
            for (name, value) in signals.of_text.iter().chain(&signals.of_kind) {
                let (sum, squares) = measures.entry(name).or_default();
                *sum += value;
                *squares += value * value;
            }
        }
        let mut table = Self { columns: BTreeMap::new(), measures: Vec::new() };
        for (word, (count, projects)) in words {
            if count >= LEAST_TICKETS && projects.len() >= LEAST_PROJECTS {
                table.push(word, Measured { factor: 1.0, bounds: (0.0, 1.0) });
            }
        }
        let n = tickets.len().max(1) as f64;
        for (name, (sum, squares)) in measures {
            let mean = sum / n;
            let deviation = (squares / n - mean * mean).max(0.0).sqrt();
            if name.starts_with("r:") {
                table.push(name, Measured { factor: RULE_SCALE, bounds: (0.0, 1.0) });
                continue;
            }
            let scale = if name.starts_with("n:") { SHAPE_SCALE } else { SIGN_SCALE };
            let bounds = (mean - BOUND * deviation, mean + BOUND * deviation);
            table.push(name, Measured { factor: scale / deviation.max(LEAST_DEVIATION), bounds });
        }
        table
    }

    fn push(&mut self, name: &str, measured: Measured) {
        if let Ok(column) = u32::try_from(self.measures.len()) {
            self.columns.insert(name.to_owned(), column);
            self.measures.push(measured);
        }
    }

    /// How many columns there are.
    pub fn len(&self) -> usize {
        self.measures.len()
    }

    /// How many of them are words.
    pub fn words(&self) -> usize {
        self.columns.keys().filter(|name| Self::is_word(name)).count()
    }

    fn is_word(name: &str) -> bool {
        name.starts_with("t:") || name.starts_with("b:")
    }

    /// The row of a ticket, with or without what depends on its kind.
    pub fn row(&self, signals: &Signals, of_kind: bool) -> Row {
        let known: Vec<u32> = signals.words.iter().filter_map(|word| self.columns.get(word).copied()).collect();
        let scale = word_scale(known.len());
        let mut row: Row = known.into_iter().map(|column| (column, scale)).collect();
        let measured = signals.of_text.iter().chain(signals.of_kind.iter().filter(|_| of_kind));
        row.extend(measured.filter_map(|(name, value): &Signal| {
            let column = *self.columns.get(name)?;
            let counts = self.measures[column as usize].held(*value);
            (counts != 0.0).then_some((column, counts))
        }));
        row.sort_by_key(|(column, _)| *column);
        row
    }

    /// The file of weights for fits of these columns, one for each target in order.
    pub fn written(&self, provenance: &[String], fits: &[Fit]) -> String {
        let mut text = format!("# {WEIGHTS_SCHEMA}\n");
        for line in provenance {
            let _ = writeln!(text, "# {line}");
        }
        let _ = writeln!(text, "feature\t{}\t{}", COLUMNS.join("\t"), Target::ALL.map(Target::name).join("\t"));
        let row = |bounds: (f64, f64), weight: &dyn Fn(&Fit) -> f64| {
            let weights = fits.iter().map(weight);
            [bounds.0, bounds.1].into_iter().chain(weights).map(thousandths).collect::<Vec<_>>()
        };
        let mut rows = BTreeMap::from([(BIAS, row((1.0, 1.0), &|fit| fit.bias))]);
        for (name, column) in &self.columns {
            let at = *column as usize;
            let Measured { factor, bounds } = self.measures[at];
            let cells = row(bounds, &|fit| fit.weights[at] * factor);
            // A word stays even without weight: how many words of a ticket are known says what each of them counts.
            if Self::is_word(name) || cells[COLUMNS.len()..].iter().any(|weight| *weight != 0) {
                rows.insert(name, cells);
            }
        }
        for (name, weights) in rows {
            let cells: Vec<String> = weights.iter().map(i16::to_string).collect();
            let _ = writeln!(text, "{name}\t{}", cells.join("\t"));
        }
        text
    }
}

/// The weight in thousandths, held within what the file can say.
fn thousandths(weight: f64) -> i16 {
    let bound = f64::from(i16::MAX);
    // The clamp keeps the number within the type.
    #[expect(clippy::cast_possible_truncation)]
    let rounded = (weight * 1000.0).round().clamp(-bound, bound) as i16;
    rounded
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Weights;

    fn ticket(words: &[&str], length: f64) -> Signals {
        let words = words.iter().map(|word| (*word).to_owned()).collect();
        Signals { words, of_text: vec![("n:length".to_owned(), length)], of_kind: vec![("k:bug".to_owned(), 1.0)] }
    }

    #[test]
    fn a_word_of_one_project_gets_no_column() {
        let everywhere = ticket(&["b:everywhere", "b:ours"], 1.0);
        let elsewhere = ticket(&["b:everywhere"], 3.0);
        let projects = ["a", "b", "c", "d", "e"];
        let tickets: Vec<(&str, &Signals)> =
            (0..40).map(|n| (projects[n % 5], if n % 5 == 0 { &everywhere } else { &elsewhere })).collect();
        let table = Table::of(&tickets);
        assert_eq!((table.words(), table.len()), (1, 3));
        assert_eq!(table.row(&everywhere, false).len(), 2);
    }

    #[test]
    fn a_written_file_gives_the_log_odds_of_the_fit() {
        let signals = [ticket(&["b:err"], 1.0), ticket(&["b:err"], 2.5)];
        let projects = ["a", "b", "c", "d", "e"];
        let tickets: Vec<(&str, &Signals)> = (0..40).map(|n| (projects[n % 5], &signals[n % 2])).collect();
        let table = Table::of(&tickets);
        let fits: Vec<Fit> = Target::ALL.iter().map(|_| Fit { weights: vec![0.5, -0.25, 0.125], bias: -1.0 }).collect();
        let file = table.written(&["a test".to_owned()], &fits);
        let weights = Weights::parse(&file).expect("a valid file");
        let ticket = &signals[1];
        let measures = ticket.of_text.iter().chain(&ticket.of_kind).map(|(name, value)| (name.as_str(), *value));
        let sums = weights.told(ticket.words.iter().map(String::as_str), measures).sums;
        let fitted = fits[0].log_odds(&table.row(ticket, true));
        assert!((sums.log_odds(Target::NotReady) - fitted).abs() < 0.01, "{sums:?} {fitted}");
    }
}
