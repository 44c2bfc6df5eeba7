//! Team weights: a few figures, learned from one team's tickets, that adjust the local reader's result for a ticket.
//!
//! They are factors for outputs of the reader. No word of a team's tickets is in the file, and so no name and no secret.

use std::collections::BTreeMap;

use garde::Validate;
use serde::{Deserialize, Serialize};

use super::Read;
use super::calibration::ReaderCalibration;
use reqgate_base::hash::Hash;
use reqgate_base::model::{QuestionCode, TeamReference};
use reqgate_base::yaml::{self, Unusable};

/// The version of the file format. Files of version 1 hold weights of words, which are no longer read.
pub const TEAM_WEIGHTS_SCHEMA: &str = "reqgate/team-weights/v2";

/// The largest figure; a larger one is a mistake or an attack.
const MOST: f64 = 20.0;
/// The longest name of a source that is shown.
const LONGEST_NAME: usize = 200;

/// Team weights as written in their file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Validate)]
#[serde(deny_unknown_fields)]
pub struct TeamWeights {
    /// The version of the format, always `reqgate/team-weights/v2`.
    #[garde(custom(is_schema))]
    pub schema: String,
    /// The repository or the files that they were learned from.
    #[garde(length(min = 1, max = LONGEST_NAME))]
    pub from: String,
    /// The day on which they were learned.
    #[garde(length(max = 10))]
    pub learned: String,
    /// The name of the reader's weights that they adjust.
    #[garde(skip)]
    pub shipped: String,
    /// The estimate that they adjust.
    #[garde(skip)]
    pub target: TeamTarget,
    /// The summand of its log-odds.
    #[garde(custom(is_bounded))]
    pub intercept: f64,
    /// The factor of the reader's log-odds.
    #[garde(range(min = 0.0, max = MOST))]
    pub slope: f64,
    /// The factors of the log-odds that a subject is asked about.
    #[garde(custom(are_bounded))]
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub subjects: BTreeMap<QuestionCode, f64>,
    /// The number of tickets from which they were learned.
    #[garde(skip)]
    pub tickets: usize,
    /// The number of those tickets that the team sent back.
    #[garde(skip)]
    pub returned: usize,
    /// Cross-validated figures, for people.
    #[garde(skip)]
    #[serde(default)]
    pub figures: Vec<String>,
}

/// The estimate that team weights adjust.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TeamTarget {
    /// A reader needs an answer before the work can be finished.
    NotReady,
    /// A reader cannot start.
    NotActionable,
}

impl TeamTarget {
    /// The log-odds of the target according to the reader.
    pub fn of(self, read: &Read) -> f64 {
        match self {
            Self::NotReady => read.not_ready(),
            Self::NotActionable => read.not_actionable(),
        }
    }
}

fn is_schema(schema: &str, _: &()) -> garde::Result {
    if schema == TEAM_WEIGHTS_SCHEMA {
        Ok(())
    } else {
        Err(garde::Error::new(format!("must be {TEAM_WEIGHTS_SCHEMA}; learn them again with `reqgate-lab learn`")))
    }
}

fn is_bounded(value: &f64, _: &()) -> garde::Result {
    if (-MOST..=MOST).contains(value) { Ok(()) } else { Err(garde::Error::new(format!("must be -{MOST} to {MOST}"))) }
}

fn are_bounded<K>(values: &BTreeMap<K, f64>, context: &()) -> garde::Result {
    values.values().try_for_each(|value| is_bounded(value, context))
}

impl TeamWeights {
    /// Reads a file of team weights.
    ///
    /// # Errors
    /// Fails if the file is not valid YAML of this form, and on values out of bounds.
    pub fn parse(text: &str) -> Result<Self, Unusable> {
        yaml::read_valid(text)
    }

    /// The file, with a line that explains it.
    ///
    /// # Errors
    /// Fails only if the weights cannot be written as YAML.
    pub fn written(&self) -> Result<String, String> {
        let body = serde_saphyr::to_string(self).map_err(|error| error.to_string())?;
        Ok(format!("# Made by `reqgate-lab learn`; .reqgate.yaml names this file with `team_weights:`.\n{body}"))
    }

    /// The reference to these weights in reports.
    pub fn reference(&self) -> TeamReference {
        let hash = Hash::of(serde_json::to_vec(self).unwrap_or_default()).short();
        TeamReference { from: self.from.clone(), tickets: self.tickets, hash }
    }

    /// Returns true if they were learned for the weights of this program.
    pub fn fits_shipped(&self) -> bool {
        self.shipped == shipped_weights()
    }

    /// The adjusted log-odds of the target.
    pub(crate) fn moved(&self, read: &Read) -> f64 {
        let subjects = self.subjects.iter().map(|(code, weight)| weight * read.asks(*code));
        self.intercept + self.slope * self.target.of(read) + subjects.sum::<f64>()
    }
}

/// The name of the local reader's weights that ship with the program.
pub fn shipped_weights() -> &'static str {
    &ReaderCalibration::shipped().weights
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::local_reader::{LocalReader, Remembering};
    use reqgate_base::model::Language;

    fn team() -> TeamWeights {
        TeamWeights {
            schema: TEAM_WEIGHTS_SCHEMA.to_owned(),
            from: "octo/shop".to_owned(),
            learned: "2026-11-24".to_owned(),
            shipped: shipped_weights().to_owned(),
            target: TeamTarget::NotReady,
            intercept: -0.5,
            slope: 0.5,
            subjects: BTreeMap::from([(QuestionCode::Reproduce, 0.25)]),
            tickets: 100,
            returned: 20,
            figures: vec!["a figure".to_owned()],
        }
    }

    #[test]
    fn a_written_file_is_read_as_it_was() {
        let written = team().written().expect("written");
        assert_eq!(TeamWeights::parse(&written).expect("read"), team());
        assert!(team().fits_shipped());
        for (good, broken) in [
            ("slope: 0.5", "slope: -1.0"),
            ("intercept: -0.5", "intercept: 900.0"),
            ("reproduce: 0.25", "reproduce: 0.25\n  nothing: 1.0"),
            ("target: not-ready", "target: word"),
            ("team-weights/v2", "team-weights/v1"),
        ] {
            assert!(TeamWeights::parse(&written.replace(good, broken)).is_err(), "{broken}");
        }
    }

    #[test]
    fn team_weights_move_one_estimate() {
        let reader = Remembering::new(LocalReader::Embedded);
        let read = reader.read("Crash", "It crashes when I press Export.", Language::En).expect("the reader is on");
        let expected = -0.5 + 0.5 * read.not_ready() + 0.25 * read.asks(QuestionCode::Reproduce);
        assert!((team().moved(&read) - expected).abs() < 1e-9);
    }
}
