//! Compares a run with an earlier one: the figures that changed, and those that fell significantly.
//!
//! The comparison is a paired bootstrap. Both runs have the same items, so both are resampled together, 1,000 times
//! with the seed of the run, and the difference is computed each time. A loss is significant if the middle 95 % of the
//! differences are all negative. Items of only one run are left out and counted.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::measure::{self, Evidence};
use super::result::{EVAL_SCHEMA, Evaluation, Figure, Measured, State};
use super::run::{SEED, scope};
use super::statistics::{Random, bootstrap};
use super::suite::{Goal, Suite};

/// The reason why an earlier run cannot be compared.
#[derive(Debug, thiserror::Error)]
pub enum BaselineError {
    /// It is not JSON of this form.
    #[error("the baseline is not an evaluation: {0}; write one with `reqgate-lab eval … --output json=FILE`")]
    Unreadable(String),
    /// It has another version of the schema.
    #[error(
        "the baseline is a `{0}`, not a `{EVAL_SCHEMA}`; write it again with `reqgate-lab eval … --output json=FILE`"
    )]
    OtherSchema(String),
}

/// The change of a figure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Move {
    /// It fell by more than chance explains.
    Lost,
    /// It rose by more than chance explains.
    Won,
    /// It changed, possibly by chance.
    Moved,
    /// It is the same.
    Same,
    /// One of the runs has no value for it.
    Unknown,
}

/// A figure in two runs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Change {
    /// The id of the benchmark.
    pub benchmark: String,
    /// The title of the figure.
    pub figure: String,
    /// The value in the earlier run, on the items that both runs have.
    pub before: Option<f64>,
    /// The value in this run, on the same items.
    pub after: Option<f64>,
    /// The lower end of the 95 % interval of the difference.
    pub low: Option<f64>,
    /// The upper end of the 95 % interval of the difference.
    pub high: Option<f64>,
    /// The kind of change.
    pub moved: Move,
    /// The number of items that both runs have.
    pub items: u64,
    /// The number of items that only one run has.
    pub others: u64,
}

/// Reads an earlier run.
///
/// # Errors
/// Fails if the text is not an evaluation of this version.
pub fn read_baseline(json: &str) -> Result<Evaluation, BaselineError> {
    let value: serde_json::Value =
        serde_json::from_str(json).map_err(|error| BaselineError::Unreadable(error.to_string()))?;
    match value.get("schema").and_then(serde_json::Value::as_str) {
        Some(EVAL_SCHEMA) => {}
        Some(other) => return Err(BaselineError::OtherSchema(other.chars().take(60).collect())),
        None => return Err(BaselineError::Unreadable("it has no `schema`".to_owned())),
    }
    serde_json::from_value(value).map_err(|error| BaselineError::Unreadable(error.to_string()))
}

/// Compares every figure that both runs have, in the order of the suite. A benchmark that was measured before and
/// cannot be measured any more counts as lost, because a missing figure is as bad as a lower one.
pub fn compare(suite: &Suite, before: &Evaluation, after: &Evaluation) -> Vec<Change> {
    let mut changes = Vec::new();
    for benchmark in &after.benchmarks {
        let Some(earlier) = before.measured().find(|earlier| earlier.id == benchmark.id) else { continue };
        if benchmark.state != State::Measured {
            let mut change = unknown(&benchmark.id, "cannot be measured any more");
            change.moved = Move::Lost;
            changes.push(change);
            continue;
        }
        let goals = suite.benchmarks.iter().find(|own| own.id == benchmark.id).map_or(&[][..], |own| &own.measures);
        for (figure, goal) in benchmark.figures.iter().zip(goals) {
            changes.push(change(earlier, benchmark, figure, goal));
        }
    }
    changes
}

fn unknown(benchmark: &str, figure: &str) -> Change {
    Change {
        benchmark: benchmark.to_owned(),
        figure: figure.to_owned(),
        before: None,
        after: None,
        low: None,
        high: None,
        moved: Move::Unknown,
        items: 0,
        others: 0,
    }
}

fn change(before: &Measured, after: &Measured, figure: &Figure, goal: &Goal) -> Change {
    let old: BTreeMap<&str, &Evidence> = before.items.iter().map(|item| (item.id.as_str(), &item.evidence)).collect();
    let pairs: Vec<(&Evidence, &Evidence)> =
        after.items.iter().filter_map(|item| Some((*old.get(item.id.as_str())?, &item.evidence))).collect();
    let mut change = unknown(&after.id, &figure.title);
    change.items = pairs.len() as u64;
    change.others = (before.items.len() + after.items.len()).saturating_sub(2 * pairs.len()) as u64;
    // Classes are compared by their index, so different names are different classes.
    if before.classes != after.classes {
        return change;
    }
    let scope = scope(goal, &after.classes);
    let value = |picks: &mut dyn Iterator<Item = usize>, side: fn(&(&'_ Evidence, &'_ Evidence)) -> Evidence| {
        let picked: Vec<Evidence> = picks.map(|at| side(&pairs[at])).collect();
        measure::value(figure.measure, &scope, picked.iter())
    };
    change.before = value(&mut (0..pairs.len()), |pair| pair.0.clone());
    change.after = value(&mut (0..pairs.len()), |pair| pair.1.clone());
    let (Some(was), Some(is)) = (change.before, change.after) else { return change };
    if pairs.iter().all(|(old, new)| old == new) || was == is {
        change.moved = Move::Same;
        return change;
    }
    let difference = |picks: &[usize]| {
        let old = value(&mut picks.iter().copied(), |pair| pair.0.clone())?;
        let new = value(&mut picks.iter().copied(), |pair| pair.1.clone())?;
        Some(new - old)
    };
    let interval = bootstrap(pairs.len(), Random::new(SEED, &after.id), difference);
    change.low = interval.map(|(low, _)| low);
    change.high = interval.map(|(_, high)| high);
    let less_is_better = goal.at_most.is_some() || goal.at_least.is_none() && figure.measure.counts_faults();
    change.moved = match interval {
        Some((_, high)) if high < 0.0 => {
            if less_is_better {
                Move::Won
            } else {
                Move::Lost
            }
        }
        Some((low, _)) if low > 0.0 => {
            if less_is_better {
                Move::Lost
            } else {
                Move::Won
            }
        }
        _ => Move::Moved,
    };
    change
}

#[cfg(test)]
mod tests {
    use super::super::measure::{Counts, Measure};
    use super::super::result::{Estimate, Interval, Item};
    use super::*;

    fn suite() -> Suite {
        let yaml = "version: 1\nname: s\nbenchmarks:\n  - id: b\n    title: B\n    data: { file: b.jsonl }\n    task: { verdict: {} }\n    measures: [{ measure: recall, at_least: 0.5 }]\n";
        Suite::parse("s.yaml", yaml).expect("a suite")
    }

    fn evaluation(found: usize, of: usize) -> Evaluation {
        let item = |at: usize| Item {
            id: format!("i{at}"),
            origin: None,
            slices: Vec::new(),
            evidence: Evidence::Counts(vec![Counts::of(true, at < found)]),
        };
        let result = Estimate { value: None, low: None, high: None, interval: Interval::Wilson, n: 0, hits: None };
        let figure = Figure {
            measure: Measure::Recall,
            title: "recall".into(),
            class: None,
            result,
            at_least: Some(0.5),
            at_most: None,
            met: None,
            peers: Vec::new(),
            slices: Vec::new(),
        };
        let benchmark = Measured {
            id: "b".into(),
            title: "B".into(),
            data: "b.jsonl".into(),
            state: State::Measured,
            n: of as u64,
            figures: vec![figure],
            classes: vec!["yes".into()],
            counts: Vec::new(),
            rules: BTreeMap::new(),
            items: (0..of).map(item).collect(),
            reliability: Vec::new(),
            worst: Vec::new(),
        };
        Evaluation {
            schema: EVAL_SCHEMA.into(),
            reqgate: "0".into(),
            suite: "s".into(),
            seed: SEED,
            benchmarks: vec![benchmark],
        }
    }

    #[test]
    fn only_a_loss_that_chance_does_not_explain_counts() {
        let moved = |before, after| compare(&suite(), &evaluation(before, 100), &evaluation(after, 100))[0].moved;
        assert_eq!(moved(90, 90), Move::Same);
        assert_eq!(moved(90, 89), Move::Moved);
        assert_eq!(moved(90, 70), Move::Lost);
        assert_eq!(moved(70, 90), Move::Won);
    }

    #[test]
    fn data_that_went_away_is_a_loss_and_other_data_is_said() {
        let mut gone = evaluation(90, 100);
        gone.benchmarks[0].state = State::Absent { file: "b.jsonl".into() };
        assert_eq!(compare(&suite(), &evaluation(90, 100), &gone)[0].moved, Move::Lost);
        let change = &compare(&suite(), &evaluation(90, 100), &evaluation(90, 120))[0];
        assert_eq!((change.items, change.others), (100, 20));
    }

    #[test]
    fn a_run_is_read_back_as_it_was_written_and_nonsense_is_refused() {
        let run = evaluation(3, 5);
        let json = serde_json::to_string(&run).expect("JSON");
        assert_eq!(read_baseline(&json).expect("a run"), run);
        let refused = |json: &str| read_baseline(json).expect_err("refused").to_string();
        assert!(refused("{").contains("not an evaluation"));
        assert!(refused("{\"schema\": \"reqgate/eval/v9\"}").contains("`reqgate/eval/v9`"));
        assert!(refused("[1]").contains("no `schema`"));
    }
}
