//! Team weights: a few figures, learned from one team's tickets, that move what the shipped weights say of a ticket.
//!
//! They are added to the shipped table, and only features of that table can have one: no word of a team's own tickets gets
//! into the file, and so no name and no secret.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use garde::Validate;
use serde::{Deserialize, Serialize};

use super::{BIAS, Row, SHIPPED, THOUSAND, Target, Weights};
use crate::hash::Hash;
use crate::model::{QuestionCode, TeamReference};
use crate::yaml::{self, Unusable};

/// Version of the file format.
pub const TEAM_WEIGHTS_SCHEMA: &str = "reqgate/team-weights/v1";

/// A larger figure is a mistake or an attack.
const MOST: f64 = 20.0;
/// The longest name of a source that is shown.
const LONGEST_NAME: usize = 200;

/// Team weights as written in their file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Validate)]
#[serde(deny_unknown_fields)]
pub struct TeamWeights {
    /// Always `reqgate/team-weights/v1`.
    #[garde(custom(is_schema))]
    pub schema: String,
    /// The repository or the files that they were learned from.
    #[garde(length(min = 1, max = LONGEST_NAME))]
    pub from: String,
    /// The day on which they were learned.
    #[garde(length(max = 10))]
    pub learned: String,
    /// Names the shipped weights that they are added to.
    #[garde(skip)]
    pub shipped: String,
    /// The estimate that they move.
    #[garde(skip)]
    pub target: TeamTarget,
    /// Added to its log-odds.
    #[garde(custom(is_bounded))]
    pub intercept: f64,
    /// What the shipped log-odds are multiplied by.
    #[garde(range(min = 0.0, max = MOST))]
    pub slope: f64,
    /// What a unit of the shipped log-odds that a subject is asked about adds.
    #[garde(custom(are_bounded))]
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub subjects: BTreeMap<QuestionCode, f64>,
    /// What a unit of a feature of the shipped table adds.
    #[garde(custom(are_bounded))]
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub features: BTreeMap<String, f64>,
    /// Tickets that they were learned from.
    #[garde(skip)]
    pub tickets: usize,
    /// Those of them that the team sent back.
    #[garde(skip)]
    pub returned: usize,
    /// Cross-validated figures, for people.
    #[garde(skip)]
    #[serde(default)]
    pub figures: Vec<String>,
}

/// The estimate that team weights move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TeamTarget {
    /// A reader needs an answer before the work can be finished.
    NotReady,
    /// A reader cannot start.
    NotActionable,
}

impl TeamTarget {
    /// The target of the shipped table.
    pub fn target(self) -> Target {
        match self {
            Self::NotReady => Target::NotReady,
            Self::NotActionable => Target::NotActionable,
        }
    }
}

fn is_schema(schema: &str, _: &()) -> garde::Result {
    if schema == TEAM_WEIGHTS_SCHEMA {
        Ok(())
    } else {
        Err(garde::Error::new(format!("must be {TEAM_WEIGHTS_SCHEMA}")))
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
    /// Fails where the file is not valid YAML of this form, and on values out of bounds.
    pub fn parse(text: &str) -> Result<Self, Unusable> {
        yaml::read_valid(text)
    }

    /// The file, with a line that says what it is.
    ///
    /// # Errors
    /// Fails only if the weights cannot be written as YAML.
    pub fn written(&self) -> Result<String, String> {
        let body = serde_saphyr::to_string(self).map_err(|error| error.to_string())?;
        Ok(format!("# Made by `reqgate learn`; .reqgate.yaml names this file with `team_weights:`.\n{body}"))
    }

    /// What reports say of them.
    pub fn reference(&self) -> TeamReference {
        let hash = Hash::of(serde_json::to_vec(self).unwrap_or_default()).short();
        TeamReference { from: self.from.clone(), tickets: self.tickets, hash }
    }

    /// True if they were learned on top of the shipped weights of this program.
    pub fn fits_shipped(&self) -> bool {
        self.shipped == shipped_hash()
    }
}

/// Names the shipped weights.
pub fn shipped_hash() -> String {
    Hash::of(SHIPPED).short()
}

/// How a feature of the shipped table counts, for those who learn from it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FeatureMeasure {
    /// What most tickets have of it.
    pub usual: f64,
    /// What one unit of an own weight is worth: the same share of what varies as in the shipped fit.
    pub unit: f64,
}

/// What a measure of the shape, a sign and a rule weigh against a word, as in the fit of the shipped weights.
const SHAPE: f64 = 0.5;
const SIGN: f64 = 0.3;
const RULE: f64 = 2.0;
/// The bounds of a measure lie so many standard deviations on either side of its mean.
const BOUND: f64 = 4.0;
/// A measure that hardly varies is not stretched any further.
const LEAST_DEVIATION: f64 = 0.1;

impl Weights {
    /// Names of the features that a ticket has with how much of each counts, the bias left out.
    pub fn counted<'f>(
        &self,
        words: impl IntoIterator<Item = &'f str>,
        measures: impl IntoIterator<Item = (&'f str, f64)>,
    ) -> Vec<(usize, f64)> {
        let known: Vec<usize> = words.into_iter().filter_map(|word| self.number(word)).collect();
        let scale = super::word_scale(known.len());
        let measured = measures.into_iter().filter_map(|(name, value)| {
            let at = self.number(name)?;
            Some((at, self.row_at(at)?.held(value)))
        });
        known.iter().map(|at| (*at, scale)).chain(measured).collect()
    }

    /// The name of a feature by its place.
    pub fn name_of(&self, place: usize) -> &str {
        self.lines.get(place).map_or("", |line| self.name(*line))
    }

    /// How the feature at a place counts.
    pub fn measure(&self, place: usize) -> FeatureMeasure {
        let row = self.lines.get(place).and_then(|line| Some((self.name(*line), self.row_at(place)?)));
        let Some((name, row)) = row else { return FeatureMeasure { usual: 0.0, unit: 0.0 } };
        let usual = row.usual(name);
        let [least, most] = row.bounds.map(|bound| f64::from(bound) / THOUSAND);
        let deviation = ((most - least) / (2.0 * BOUND)).max(LEAST_DEVIATION);
        let unit = match name.get(..2) {
            Some("t:" | "b:") => 1.0,
            Some("r:") => RULE,
            Some("n:") => SHAPE / deviation,
            _ => SIGN / deviation,
        };
        FeatureMeasure { usual, unit }
    }

    /// The log-odds of a target for counted features.
    pub fn log_odds_of(&self, counted: &[(usize, f64)], target: Target) -> f64 {
        let bias = self.row(BIAS).map_or(0.0, |row| row.weight(target));
        let weight = |place: usize| self.row_at(place).map_or(0.0, |row| row.weight(target));
        bias + counted.iter().map(|(place, value)| weight(*place) * value).sum::<f64>()
    }

    /// These weights with those of a team on top.
    #[must_use]
    pub fn with_team(&self, team: &TeamWeights) -> Self {
        let target = team.target.target();
        let mut moved = self.clone();
        for (at, line) in self.lines.iter().enumerate() {
            let (name, Some(own)) = (self.name(*line), self.row_at(at)) else { continue };
            let mut row = own.clone();
            let of_subjects = team.subjects.iter().map(|(code, weight)| weight * own.weight(Target::Asks(*code)));
            let mut weight = team.slope * own.weight(target) + of_subjects.sum::<f64>();
            weight += if name == BIAS { team.intercept } else { team.features.get(name).copied().unwrap_or(0.0) };
            row.set(target, weight);
            moved.rows[at] = OnceLock::from(Some(row));
        }
        moved.team = Some((team.target, team.reference()));
        moved
    }

    /// The estimate that a team's weights have moved, and what reports say of them.
    pub fn team(&self) -> Option<&(TeamTarget, TeamReference)> {
        self.team.as_ref()
    }
}

impl Row {
    /// Sets a weight, held within what the table can say.
    fn set(&mut self, target: Target, weight: f64) {
        let bound = f64::from(i16::MAX);
        // The clamp keeps the number within the type.
        #[expect(clippy::cast_possible_truncation)]
        let rounded = (weight * THOUSAND).round().clamp(-bound, bound) as i16;
        self.weights[target.column()] = rounded;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn team() -> TeamWeights {
        TeamWeights {
            schema: TEAM_WEIGHTS_SCHEMA.to_owned(),
            from: "octo/shop".to_owned(),
            learned: "2026-11-24".to_owned(),
            shipped: shipped_hash(),
            target: TeamTarget::NotReady,
            intercept: -0.5,
            slope: 0.5,
            subjects: BTreeMap::from([(QuestionCode::Reproduce, 0.25)]),
            features: BTreeMap::from([("k:bug".to_owned(), 1.0), ("b:no-such-word".to_owned(), 9.0)]),
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
            ("k:bug", "1.0\n  k:bug2"),
            ("target: not-ready", "target: word"),
            ("team-weights/v1", "team-weights/v9"),
        ] {
            assert!(TeamWeights::parse(&written.replace(good, broken)).is_err(), "{broken}");
        }
    }

    #[test]
    fn team_weights_move_one_estimate_and_nothing_else() {
        let shipped = Weights::shipped();
        let moved = shipped.with_team(&team());
        let counted = shipped.counted(["b:error", "b:no-such-word"], [("k:bug", 1.0), ("n:words", 3.0)]);
        let of = |target| (shipped.log_odds_of(&counted, target), moved.log_odds_of(&counted, target));
        let (before, after) = of(Target::NotReady);
        let subject = of(Target::Asks(QuestionCode::Reproduce)).0;
        assert!((after - (0.5 * before - 0.5 + 0.25 * subject + 1.0)).abs() < 0.01, "{before} {after}");
        let (before, after) = of(Target::NotActionable);
        assert!((before - after).abs() < 1e-9);
        let said = moved.told(["b:error"], [("k:bug", 1.0), ("n:words", 3.0)]).sums.log_odds(Target::NotReady);
        let counted = moved.counted(["b:error"], [("k:bug", 1.0), ("n:words", 3.0)]);
        assert!((said - moved.log_odds_of(&counted, Target::NotReady)).abs() < 1e-9);
    }
}
