//! The results of a run: the machine format `reqgate/eval/v1`, which is frozen except for the types inside.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::measure::{Counts, Evidence, Measure};
use super::suite::Peer;
use reqgate_base::model::{RuleId, Verdict};

/// The name and version of the format.
pub const EVAL_SCHEMA: &str = "reqgate/eval/v1";

/// The result of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(title = "reqgate evaluation, version 1")]
pub struct Evaluation {
    /// The name of the schema, always `reqgate/eval/v1`.
    pub schema: String,
    /// The version of the program.
    pub reqgate: String,
    /// The name of the suite.
    pub suite: String,
    /// The seed of the random numbers.
    pub seed: u64,
    /// The benchmarks in the order of the suite.
    pub benchmarks: Vec<Measured>,
}

/// The state of a benchmark.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "status", rename_all = "lowercase", deny_unknown_fields)]
pub enum State {
    /// The benchmark was measured.
    Measured,
    /// The data of the benchmark does not exist.
    Absent {
        /// The missing file, relative to the data folder.
        file: String,
    },
    /// The data does not have the form that the suite states.
    Failed {
        /// The problem with the data.
        message: String,
    },
}

/// The result of a benchmark.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Measured {
    /// The id of the benchmark.
    pub id: String,
    /// The subject of the measurement.
    pub title: String,
    /// The file or folder, relative to the data folder.
    pub data: String,
    /// The state of the benchmark.
    pub state: State,
    /// The number of items.
    pub n: u64,
    /// The figures of the benchmark.
    pub figures: Vec<Figure>,
    /// The names of the classes.
    pub classes: Vec<String>,
    /// The counts of every class, for a task that counts.
    pub counts: Vec<Counts>,
    /// The number of right and wrong findings of every rule with a finding.
    pub rules: BTreeMap<RuleId, Votes>,
    /// The observation of each item, so that a later run can be compared.
    pub items: Vec<Item>,
    /// The share of right verdicts by certainty, for a benchmark that judges requirements.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reliability: Vec<Bin>,
    /// The wrong verdicts with the highest certainty, at most ten.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub worst: Vec<Wrong>,
}

/// One row of a reliability diagram.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Bin {
    /// The lower bound of the certainty, 0 to 1.
    pub from: f64,
    /// The upper bound of the certainty, which only the last bin includes.
    pub to: f64,
    /// The mean of the certainties; null if the bin is empty.
    pub certainty: Option<f64>,
    /// The share of right verdicts, with its interval.
    pub right: Estimate,
}

/// A wrong verdict, by its name only.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Wrong {
    /// The id of the row.
    pub id: String,
    /// The origin of the row; null if the row does not state it.
    pub origin: Option<String>,
    /// The verdict that is right.
    pub label: Verdict,
    /// The verdict of the gate.
    pub given: Verdict,
    /// The certainty of the gate; null if the text was not scored.
    pub certainty: Option<f64>,
}

/// The number of right and wrong findings of a rule.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Votes {
    /// Findings that agree with the label.
    pub right: u64,
    /// Findings that contradict the label.
    pub wrong: u64,
}

/// One item of a benchmark.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Item {
    /// The id of the item.
    pub id: String,
    /// The origin of the row, for verdicts on rows that state it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub origin: Option<String>,
    /// The values of the fields by which figures are split.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub slices: Vec<String>,
    /// The observation of the item.
    pub evidence: Evidence,
}

/// One figure of a benchmark.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Figure {
    /// The measure of the figure.
    pub measure: Measure,
    /// The title of the figure.
    pub title: String,
    /// The class that it is limited to; null for all classes.
    pub class: Option<String>,
    /// The value and its interval.
    pub result: Estimate,
    /// The value to reach or exceed.
    pub at_least: Option<f64>,
    /// The value that must not be exceeded.
    pub at_most: Option<f64>,
    /// The target is met; null without target or value.
    pub met: Option<bool>,
    /// Published figures of other tools or of people.
    pub peers: Vec<PeerFigure>,
    /// The figure split by the fields of the suite.
    pub slices: Vec<Slice>,
}

/// A value with its 95 % interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Estimate {
    /// The value; null if it is not defined.
    pub value: Option<f64>,
    /// The lower end of the interval; null if it is not defined.
    pub low: Option<f64>,
    /// The upper end of the interval.
    pub high: Option<f64>,
    /// The method of the interval: `wilson` or `bootstrap`.
    pub interval: Interval,
    /// The number of items, or the denominator of a share.
    pub n: u64,
    /// The numerator of a share.
    pub hits: Option<u64>,
}

/// The method of an interval.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Interval {
    /// Wilson's interval, for shares.
    Wilson,
    /// Percentiles of 1,000 seeded resamples of the items.
    Bootstrap,
}

/// The figure of another tool or of a person.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PeerFigure {
    /// The name of the tool or person.
    pub name: String,
    /// The value of the figure.
    pub value: f64,
    /// The differences in the measurement.
    pub note: Option<String>,
}

impl From<&Peer> for PeerFigure {
    fn from(peer: &Peer) -> Self {
        Self { name: peer.name.clone(), value: peer.value, note: peer.note.clone() }
    }
}

/// A figure for some of the items.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Slice {
    /// The field of the rows.
    pub field: String,
    /// The value of the field.
    pub value: String,
    /// The figure of these items.
    pub result: Estimate,
}

impl Evaluation {
    /// The benchmarks that were measured.
    pub fn measured(&self) -> impl Iterator<Item = &Measured> {
        self.benchmarks.iter().filter(|benchmark| benchmark.state == State::Measured)
    }

    /// The figures that miss their target, with their benchmarks.
    pub fn misses(&self) -> impl Iterator<Item = (&Measured, &Figure)> {
        self.measured().flat_map(|benchmark| {
            benchmark.figures.iter().filter(|figure| figure.met == Some(false)).map(move |figure| (benchmark, figure))
        })
    }
}

impl Figure {
    /// The target in words, e.g. `≥ .60`.
    pub fn target(&self) -> String {
        match (self.at_least, self.at_most) {
            (Some(least), _) => format!("≥ {}", number(least)),
            (_, Some(most)) => format!("≤ {}", number(most)),
            _ => String::new(),
        }
    }
}

impl Bin {
    /// The bin in words: range of certainty, mean of it, share of right verdicts, counts.
    pub fn cells(&self) -> [String; 4] {
        let from_to = format!("{:.1} to {:.1}", self.from, self.to);
        let mean = self.certainty.map_or_else(|| "–".to_owned(), number);
        let right = if self.right.value.is_some() { self.right.words() } else { "–".to_owned() };
        [from_to, mean, right, format!("{} of {}", self.right.hits.unwrap_or(0), self.right.n)]
    }
}

impl Wrong {
    /// The row in words: id, origin, right verdict, verdict of the gate, certainty.
    pub fn cells(&self) -> [String; 5] {
        let sure = self.certainty.map_or_else(|| "–".to_owned(), number);
        let origin = self.origin.clone().unwrap_or_else(|| "–".to_owned());
        [self.id.clone(), origin, self.label.name().to_owned(), self.given.name().to_owned(), sure]
    }
}

impl Estimate {
    /// The value in words, e.g. `.734 [.68, .79]`.
    pub fn words(&self) -> String {
        match (self.value, self.low, self.high) {
            (Some(value), Some(low), Some(high)) => format!("{} [{}, {}]", number(value), number(low), number(high)),
            (Some(value), ..) => number(value),
            _ => "not defined".to_owned(),
        }
    }
}

/// A figure in the usual notation: three decimals, without the zero before the point.
pub fn number(value: f64) -> String {
    let text = format!("{value:.3}");
    match text.strip_prefix("0.") {
        Some(rest) => format!(".{rest}"),
        None => match text.strip_prefix("-0.") {
            Some(rest) if rest.bytes().any(|digit| digit != b'0') => format!("-.{rest}"),
            Some(rest) => format!(".{rest}"),
            None => text,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_written_as_in_a_paper() {
        for (value, words) in [(0.7344, ".734"), (1.0, "1.000"), (0.0, ".000"), (-0.25, "-.250"), (-0.0001, ".000")] {
            assert_eq!(number(value), words);
        }
    }
}
