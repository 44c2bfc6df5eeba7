//! What a run measured: the machine format `reqgate/eval/v1`, frozen apart from the types inside.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::measure::{Counts, Evidence, Measure};
use super::suite::Peer;
use reqgate_base::model::{RuleId, Verdict};

/// Name and version of the format.
pub const EVAL_SCHEMA: &str = "reqgate/eval/v1";

/// A whole run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(title = "reqgate evaluation, version 1")]
pub struct Evaluation {
    /// Always `reqgate/eval/v1`.
    pub schema: String,
    /// Version of the program.
    pub reqgate: String,
    /// Name of the suite.
    pub suite: String,
    /// The seed of everything that is left to chance.
    pub seed: u64,
    /// The benchmarks in the order of the suite.
    pub benchmarks: Vec<Measured>,
}

/// Whether a benchmark could be measured.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "status", rename_all = "lowercase", deny_unknown_fields)]
pub enum State {
    /// It was measured.
    Measured,
    /// Its data is not there.
    Absent {
        /// Which file, relative to the data folder.
        file: String,
    },
    /// Its data is not as the suite says.
    Failed {
        /// What is wrong.
        message: String,
    },
}

/// What became of a benchmark.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Measured {
    /// Its id.
    pub id: String,
    /// What is measured.
    pub title: String,
    /// The file or folder, relative to the data folder.
    pub data: String,
    /// Whether it could be measured.
    pub state: State,
    /// How many items were looked at.
    pub n: u64,
    /// The figures.
    pub figures: Vec<Figure>,
    /// Names of the classes.
    pub classes: Vec<String>,
    /// Counts of every class, where a task counts.
    pub counts: Vec<Counts>,
    /// For every rule that spoke: how often rightly, how often wrongly.
    pub rules: BTreeMap<RuleId, Votes>,
    /// What was observed item by item, so that a later run can be compared.
    pub items: Vec<Item>,
    /// How often the gate was right where it was so sure, where a benchmark judges requirements.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reliability: Vec<Bin>,
    /// The wrong verdicts of which the gate was surest, at most ten.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub worst: Vec<Wrong>,
}

/// One row of a reliability diagram.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Bin {
    /// The certainty from which it reaches, 0 to 1.
    pub from: f64,
    /// The certainty up to which it reaches; the last bin holds it, the others do not.
    pub to: f64,
    /// Mean of the certainties in it; null where there are none.
    pub certainty: Option<f64>,
    /// How often the gate was right: the share with its interval.
    pub right: Estimate,
}

/// A wrong verdict, by its name only.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Wrong {
    /// Id of the row.
    pub id: String,
    /// Where the row comes from; null if it does not say so.
    pub origin: Option<String>,
    /// What the verdict should be.
    pub label: Verdict,
    /// What the gate said.
    pub given: Verdict,
    /// How sure it was; null where nothing was scored.
    pub certainty: Option<f64>,
}

/// How often a rule was right.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Votes {
    /// The label agrees.
    pub right: u64,
    /// The label does not.
    pub wrong: u64,
}

/// One item of a benchmark.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Item {
    /// Its id.
    pub id: String,
    /// Where it comes from, for verdicts on rows that say so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub origin: Option<String>,
    /// Its values of the fields that figures are told apart by.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub slices: Vec<String>,
    /// What was observed.
    pub evidence: Evidence,
}

/// One figure.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Figure {
    /// What was computed.
    pub measure: Measure,
    /// What it is called.
    pub title: String,
    /// The class that it is about; all if null.
    pub class: Option<String>,
    /// The value and its interval.
    pub result: Estimate,
    /// The value to reach or exceed.
    pub at_least: Option<f64>,
    /// The value not to exceed.
    pub at_most: Option<f64>,
    /// True if the target is met; null without target or value.
    pub met: Option<bool>,
    /// Figures of others.
    pub peers: Vec<PeerFigure>,
    /// The same, told apart by the fields of the suite.
    pub slices: Vec<Slice>,
}

/// A value with its 95 % interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Estimate {
    /// The value; null where it is not defined.
    pub value: Option<f64>,
    /// Lower end of the interval; null where it is not defined.
    pub low: Option<f64>,
    /// Upper end of the interval.
    pub high: Option<f64>,
    /// How the interval was made: `wilson` or `bootstrap`.
    pub interval: Interval,
    /// How many things were counted: items, or for a share what it is a share of.
    pub n: u64,
    /// For a share: how many of them.
    pub hits: Option<u64>,
}

/// How an interval was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Interval {
    /// Wilson's, for shares.
    Wilson,
    /// Percentiles of 1,000 seeded resamples of the items.
    Bootstrap,
}

/// The figure of another.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PeerFigure {
    /// Whose.
    pub name: String,
    /// The figure.
    pub value: f64,
    /// What is different about it.
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
    /// The field.
    pub field: String,
    /// Its value.
    pub value: String,
    /// The figure.
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
    /// The bin in words: certainty, mean of it, share that was right, counts.
    pub fn cells(&self) -> [String; 4] {
        let from_to = format!("{:.1} to {:.1}", self.from, self.to);
        let mean = self.certainty.map_or_else(|| "–".to_owned(), number);
        let right = if self.right.value.is_some() { self.right.words() } else { "–".to_owned() };
        [from_to, mean, right, format!("{} of {}", self.right.hits.unwrap_or(0), self.right.n)]
    }
}

impl Wrong {
    /// The row in words: id, origin, what was right, what the gate said, how sure it was.
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

/// A figure as people write it: three decimals, without the zero before the point.
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
