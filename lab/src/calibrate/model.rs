//! Fits the weight of a model's readings to labelled tickets, and measures the gain on tickets that were not used for
//! the fit.
//!
//! Few numbers are fitted: a factor for the rules' estimate, one step for all degrees of readiness, one for a question
//! that must be answered, one for each question, and the bounds of evidence. A separate step for each degree was worse
//! on unseen tickets. A lower readiness never makes a text readier, so that few rows cannot invert the table.

use std::collections::BTreeMap;

use serde::Serialize;

use super::super::history::Past;
use super::super::logistic::{Fit, Problem, Row, fit};
use super::super::statistics::auc;
use super::{CalibrateError, FOLDS, LEAST_OF_EACH, LEAST_ROWS, folds};
use reqgate_base::model::Outcome;
use reqgate_rules::{ByReadiness, CountedReading, DEGREES, EvidenceBounds, ModelCalibration};

/// The penalty on squared weights. With a hundred rows it has little effect, with ten it prevails.
const PENALTY: f64 = 1.0;
/// The minimum number of rows with evidence for fitting its bounds.
const LEAST_EVIDENCE: usize = 10;
/// The bounds of evidence that are tried: for one part, and for the number of parts that are added up.
const EACH: [f64; 6] = [0.0, 0.4, 0.8, 1.2, 2.0, 3.0];
const PARTS: [f64; 3] = [1.0, 2.0, 3.0];
/// The columns: the rules' log-odds, the degrees of readiness below 4, a question that must be answered, the questions.
const COLUMNS: usize = 4;
const DEGREE: usize = 1;
const MUST: usize = 2;
const QUESTIONS: usize = 3;
/// The maximum absolute value of a table entry.
const MOST_LOG_ODDS: f64 = 10.0;

/// A labelled ticket with the results of the rules and the model.
#[derive(Debug, Clone, Copy)]
struct Labelled {
    /// The log-odds according to the rules.
    rules: f64,
    said: CountedReading,
    label: bool,
}

/// The quality of probabilities for a label.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Worth {
    /// Area under the ROC curve; `None` if all labels are equal.
    pub auc: Option<f64>,
    /// The mean logarithmic loss.
    pub log_loss: f64,
    /// The mean squared error of the probability.
    pub brier: f64,
}

/// The proposal for one model.
#[derive(Debug, Clone, Serialize)]
pub struct ModelProposal {
    /// The name of the model.
    pub model: String,
    /// The id of the calibration in force.
    pub in_force: String,
    /// The number of rows with a label and an answer.
    pub rows: usize,
    /// The number of labelled rows that are not ready.
    pub not_ready: usize,
    /// The number of labelled rows without an answer, or not judged by readings.
    pub unanswered: usize,
    /// The number of rows with a readiness, to which "not actionable" is fitted too.
    pub with_readiness: usize,
    /// The quality of the rules alone.
    pub alone: Worth,
    /// The quality with the calibration in force.
    pub before: Worth,
    /// The quality of the proposal on the rows that it was fitted to, which is too optimistic.
    pub fitted: Worth,
    /// The quality of proposals on rows that they were not fitted to.
    pub cross_validated: Worth,
    /// The proposed calibration as a file.
    pub calibration: ModelCalibration,
}

impl ModelProposal {
    /// Returns true if proposals are better than the calibration in force and the rules alone, on rows that they were
    /// not fitted to.
    pub fn is_worth_it(&self) -> bool {
        let best = self.before.log_loss.min(self.alone.log_loss);
        self.cross_validated.log_loss < best - 1e-6
    }

    /// The proposed calibration as a YAML file.
    ///
    /// # Errors
    /// Fails if it cannot be written as YAML.
    pub fn yaml(&self) -> Result<String, String> {
        let body = serde_saphyr::to_string(&self.calibration).map_err(|error| error.to_string())?;
        Ok(format!("# Proposed by `reqgate-lab calibrate --model`.\n{body}"))
    }
}

/// Fits a calibration for the model that answered. `readiness` has the readiness by name, for rows that state it.
///
/// # Errors
/// Fails if there are too few rows with an answer; the error has their number and the minimum.
pub fn propose_for_model(
    in_force: &ModelCalibration,
    model: &str,
    past: &[Past],
    readiness: &BTreeMap<String, u8>,
    outcomes: &[Option<Outcome>],
) -> Result<ModelProposal, CalibrateError> {
    let mut rows: Vec<Labelled> = Vec::new();
    let mut actionable: Vec<Labelled> = Vec::new();
    for (past, outcome) in past.iter().zip(outcomes) {
        let reading = outcome.as_ref().and_then(|outcome| outcome.model.as_ref()?.reading.as_ref());
        let (Some(reading), Some(accepted)) = (reading, past.accepted) else { continue };
        let said = CountedReading {
            ready: reading.ready,
            must: reading.must,
            questions: reading.questions,
            evidence: if reading.held_down { 0 } else { reading.evidence.len() },
        };
        rows.push(Labelled { rules: log_odds(reading.rules_not_ready), said, label: !accepted });
        if let Some(ready) = readiness.get(&past.input.name) {
            actionable.push(Labelled { rules: log_odds(reading.rules_not_actionable), said, label: *ready <= 1 });
        }
    }
    let labelled = past.iter().filter(|past| past.accepted.is_some()).count();
    let not_ready = rows.iter().filter(|row| row.label).count();
    if rows.len() < LEAST_ROWS || not_ready < LEAST_OF_EACH || rows.len() - not_ready < LEAST_OF_EACH {
        let (accepted, returned) = (rows.len() - not_ready, not_ready);
        return Err(CalibrateError::TooFewAnswers { model: model.to_owned(), accepted, returned });
    }
    let not_ready_table = fitted(&rows);
    let evidence = bounds(&rows, &not_ready_table, in_force.evidence);
    let mut calibration = ModelCalibration {
        id: model.replace(|c: char| !c.is_ascii_alphanumeric(), "-").to_lowercase(),
        models: vec![model.to_owned()],
        source: format!("{} labelled tickets, {not_ready} of them not ready; cross-validated", rows.len()),
        not_ready: not_ready_table,
        evidence,
        ..in_force.clone()
    };
    let blocked = actionable.iter().filter(|row| row.label).count();
    // With too few labels the table in force does not change.
    if blocked >= LEAST_OF_EACH && actionable.len() - blocked >= LEAST_OF_EACH {
        calibration.not_actionable = fitted(&actionable);
    }
    let by = |own: &ModelCalibration, row: &Labelled| own.not_ready.weigh(own.evidence, row.rules, row.said);
    Ok(ModelProposal {
        model: model.to_owned(),
        in_force: in_force.id.clone(),
        rows: rows.len(),
        not_ready,
        unanswered: labelled - rows.len(),
        with_readiness: actionable.len(),
        alone: worth(&rows, |row| row.rules),
        before: worth(&rows, |row| by(in_force, row)),
        fitted: worth(&rows, |row| by(&calibration, row)),
        cross_validated: cross_validated(&rows, in_force),
        calibration,
    })
}

fn cross_validated(rows: &[Labelled], in_force: &ModelCalibration) -> Worth {
    let fold = folds(&rows.iter().map(|row| row.label).collect::<Vec<_>>(), FOLDS);
    let mut told: Vec<(Labelled, f64)> = Vec::with_capacity(rows.len());
    for part in 0..FOLDS {
        let train: Vec<Labelled> =
            rows.iter().zip(&fold).filter(|(_, own)| **own != part).map(|(row, _)| *row).collect();
        let table = fitted(&train);
        let evidence = bounds(&train, &table, in_force.evidence);
        let test = rows.iter().zip(&fold).filter(|(_, own)| **own == part);
        told.extend(test.map(|(row, _)| (*row, table.weigh(evidence, row.rules, row.said))));
    }
    let (rows, odds): (Vec<Labelled>, Vec<f64>) = told.into_iter().unzip();
    let mut odds = odds.into_iter();
    worth(&rows, |_| odds.next().unwrap_or_default())
}

/// The fitted table. Columns with a weight of the wrong sign are removed one after the other.
fn fitted(rows: &[Labelled]) -> ByReadiness {
    let mut is_in = [true; COLUMNS];
    loop {
        let features: Vec<Row> = rows.iter().map(|row| features(row, &is_in)).collect();
        let problem = Problem {
            rows: features.iter().collect(),
            labels: rows.iter().map(|row| row.label).collect(),
            importance: vec![1.0; rows.len()],
            columns: COLUMNS,
            penalty: PENALTY,
            offsets: Vec::new(),
        };
        let found = fit(&problem);
        let against = (0..COLUMNS).filter(|at| is_in[*at] && found.weights[*at] < 0.0);
        match against.min_by(|a, b| found.weights[*a].total_cmp(&found.weights[*b])) {
            Some(at) => is_in[at] = false,
            None => return table_of(&found),
        }
    }
}

fn features(row: &Labelled, is_in: &[bool; COLUMNS]) -> Row {
    let said = row.said;
    let below = DEGREES - 1 - usize::from(said.ready).min(DEGREES - 1);
    let mut values = [0.0; COLUMNS];
    values[0] = row.rules;
    values[DEGREE] = below as f64;
    values[MUST] = f64::from(u8::from(said.must));
    values[QUESTIONS] = said.questions as f64;
    let columns = (0..COLUMNS).filter(|at| is_in[*at] && values[*at] != 0.0);
    columns.map(|at| (at as u32, values[at])).collect()
}

fn table_of(found: &Fit) -> ByReadiness {
    let entry = |ready: usize, must: f64| {
        let steps = found.weights[DEGREE] * (DEGREES - 1 - ready) as f64;
        hundredths((found.bias + steps + must).clamp(-MOST_LOG_ODDS, MOST_LOG_ODDS))
    };
    let row = |must: f64| std::array::from_fn(|ready| entry(ready, must));
    ByReadiness {
        rules: hundredths(found.weights[0].min(2.0)),
        must: row(found.weights[MUST]),
        no_must: row(0.0),
        each_question: hundredths(found.weights[QUESTIONS].min(MOST_LOG_ODDS)),
    }
}

/// The bounds of evidence with the lowest loss; those in force if few rows have evidence.
fn bounds(rows: &[Labelled], table: &ByReadiness, in_force: EvidenceBounds) -> EvidenceBounds {
    if rows.iter().filter(|row| row.said.evidence > 0).count() < LEAST_EVIDENCE {
        return in_force;
    }
    let tried = EACH.iter().flat_map(|each| PARTS.map(|parts| EvidenceBounds { each: *each, most: each * parts }));
    let loss = |evidence| worth(rows, |row| table.weigh(evidence, row.rules, row.said)).log_loss;
    // Among equals the first, which is the narrowest.
    let best = tried.map(|one| (loss(one), one)).reduce(|best, next| if next.0 < best.0 - 1e-9 { next } else { best });
    best.map_or(in_force, |(_, one)| one)
}

fn worth(rows: &[Labelled], mut odds: impl FnMut(&Labelled) -> f64) -> Worth {
    let told: Vec<(bool, f64)> = rows.iter().map(|row| (row.label, 1.0 / (1.0 + (-odds(row)).exp()))).collect();
    let mean = |of: fn(&(bool, f64)) -> f64| told.iter().map(of).sum::<f64>() / told.len().max(1) as f64;
    let loss = |(label, likely): &(bool, f64)| {
        let likely = likely.clamp(1e-6, 1.0 - 1e-6);
        if *label { -likely.ln() } else { -(1.0 - likely).ln() }
    };
    let brier = |(label, likely): &(bool, f64)| (f64::from(u8::from(*label)) - likely).powi(2);
    Worth { auc: auc(&told), log_loss: mean(loss), brier: mean(brier) }
}

fn log_odds(probability: f64) -> f64 {
    let held = probability.clamp(1e-6, 1.0 - 1e-6);
    (held / (1.0 - held)).ln()
}

fn hundredths(number: f64) -> f64 {
    (number * 100.0).round() / 100.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use reqgate_rules as rules;

    fn row(rules: f64, ready: u8, must: bool, evidence: usize, label: bool) -> Labelled {
        Labelled { rules, said: CountedReading { ready, must, questions: usize::from(ready < 4), evidence }, label }
    }

    /// Rows of a reader who is right in four of five cases, with uninformative rules.
    fn rows() -> Vec<Labelled> {
        let of = |at: usize| {
            let label = at.is_multiple_of(2);
            let says_so = label != at.is_multiple_of(5);
            row(-0.4, if says_so { 1 } else { 4 }, says_so && at.is_multiple_of(3), usize::from(!says_so), label)
        };
        (0..120).map(of).collect()
    }

    #[test]
    fn a_reader_who_is_right_counts_and_its_table_does_not_turn_over() {
        let table = fitted(&rows());
        assert!((0.0..=2.0).contains(&table.rules));
        for row in [table.must, table.no_must] {
            assert!(row.windows(2).all(|pair| pair[0] >= pair[1]), "{row:?}");
        }
        assert!(table.no_must[1] > 0.5 && table.no_must[4] < -0.5, "{table:?}");
        assert_eq!(fitted(&rows()), table, "the same rows give the same table");
    }

    #[test]
    fn what_is_proposed_is_better_on_other_rows_or_is_said_not_to_be() {
        let book = rules::load(&rules::shipped_files()).expect("the shipped files load");
        let in_force = book.calibration("openai/x").expect("there is one");
        let alone = worth(&rows(), |row| row.rules);
        let good = cross_validated(&rows(), in_force);
        assert!(good.auc > Some(0.7) && good.log_loss < alone.log_loss - 0.05, "{good:?} {alone:?}");
        // Answers that are independent of the label.
        let noise: Vec<Labelled> = (0..120u32)
            .map(|at| row(-0.4, (at % 4) as u8, at.is_multiple_of(3), 0, (at / 7).is_multiple_of(2)))
            .collect();
        let noise_alone = worth(&noise, |row| row.rules);
        assert!(cross_validated(&noise, in_force).log_loss > noise_alone.log_loss - 0.02);
    }

    #[test]
    fn evidence_of_few_rows_moves_no_bound() {
        let table = fitted(&rows());
        let in_force = EvidenceBounds { each: 0.4, most: 0.8 };
        assert!(bounds(&rows(), &table, in_force).most > 0.8);
        let without: Vec<Labelled> = rows()
            .into_iter()
            .map(|row| Labelled { said: CountedReading { evidence: 0, ..row.said }, ..row })
            .collect();
        assert_eq!(bounds(&without, &table, in_force), in_force);
    }
}
