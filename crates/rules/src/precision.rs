//! The precision of each rule on labelled text: the shipped figures, and those of a user's folder.
//!
//! The shipped figures are a table in the program, which `build.rs` makes from `rubrics/precision.yaml`, so no file is
//! read at start.

use std::collections::BTreeMap;

use garde::Validate;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use reqgate_base::model::{MeasuredPrecision, RuleId};

/// The origin, and the numbers of right and wrong findings.
type Origins = &'static [(&'static str, u64, u64)];

/// The figures by rule; ordered, so that they can be searched.
static SHIPPED: &[(&str, Origins)] = include!(concat!(env!("OUT_DIR"), "/precision.rs"));

/// The numbers of right and wrong findings of rules, by the origin of the labels.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema, Validate)]
#[serde(deny_unknown_fields)]
pub struct PrecisionFile {
    /// Version of this shape; 1.
    #[garde(range(min = 1, max = 1))]
    pub version: u32,
    /// Rule → origin (suite and benchmark) → counts.
    #[garde(skip)]
    pub rules: BTreeMap<RuleId, BTreeMap<String, Tally>>,
}

/// Findings that labels judged.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Tally {
    /// Findings that the labels confirm.
    pub right: u64,
    /// Findings that the labels contradict.
    pub wrong: u64,
}

impl Tally {
    /// Adds the numbers of another tally.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self { right: self.right.saturating_add(other.right), wrong: self.wrong.saturating_add(other.wrong) }
    }

    /// The precision; `None` if no finding was judged.
    pub fn measured(self) -> Option<MeasuredPrecision> {
        MeasuredPrecision::of(self.right, self.wrong)
    }
}

/// The shipped figures of a rule, by origin.
pub(crate) fn shipped(rule: &RuleId) -> impl Iterator<Item = (&'static str, Tally)> {
    let found = SHIPPED.binary_search_by(|(id, _)| (*id).cmp(rule.as_str())).ok().map(|at| SHIPPED[at].1);
    found.unwrap_or_default().iter().map(|(origin, right, wrong)| (*origin, Tally { right: *right, wrong: *wrong }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_ordered_so_that_it_can_be_searched() {
        assert!(SHIPPED.windows(2).all(|pair| pair[0].0 < pair[1].0));
        assert!(SHIPPED.iter().all(|(id, _)| RuleId::new(*id).is_ok_and(|id| shipped(&id).count() > 0)));
    }

    #[test]
    fn the_table_says_what_the_file_says() {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../rubrics/precision.yaml");
        let text = std::fs::read_to_string(path).expect("the file is in the repository");
        let file: PrecisionFile = reqgate_base::yaml::read_valid(&text).expect("it is valid");
        let table = |rule: &RuleId| shipped(rule).map(|(origin, tally)| (origin.to_owned(), tally)).collect();
        assert_eq!(file.rules.len(), SHIPPED.len());
        for (rule, origins) in &file.rules {
            assert_eq!(*origins, table(rule), "{rule}");
        }
    }
}
