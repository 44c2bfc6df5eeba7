//! The calibration of the local reader: lines from outputs to probabilities, the share of the signs, and the limits of
//! evident elements.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;

use reqgate_base::model::{Language, QuestionCode};

/// The path, JSON and hash of every file; made by `build.rs`.
static FILES: &[(&str, &str, &str)] = include!(concat!(env!("OUT_DIR"), "/reader.rs"));

/// The figures of `rubrics/reader/calibration.yaml`.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ReaderCalibration {
    /// The name of the weights.
    pub weights: String,
    /// Log-odds that a reader has to ask before the work can be finished.
    pub not_ready: BTreeMap<Language, Line>,
    /// Log-odds that the work cannot be started.
    pub not_actionable: BTreeMap<Language, Line>,
    /// The share of the signs next to the network.
    pub signs: SignShares,
    /// The probability from which an element is evident, 0 to 1.
    pub evident: f64,
    /// The same for a criterion.
    pub evident_criterion: f64,
    /// The probability from which a subject is asked about, 0 to 1.
    pub asked: f64,
    /// The probability of an open point from which the author is asked to decide, 0 to 1.
    pub open: f64,
    /// Subjects that are never asked about.
    pub never: Vec<QuestionCode>,
}

/// A line from the log-odds of the network to calibrated ones.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Line {
    /// The summand of the line.
    pub add: f64,
    /// The factor of the output.
    pub times: f64,
}

/// The factors of the log-odds of the signs.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SignShares {
    /// The factor for bug against feature.
    pub bug: f64,
    /// The factor for a text that asks for no work.
    pub no_requirement: f64,
    /// The factor for an element of the ticket.
    pub element: f64,
}

impl ReaderCalibration {
    /// The figures that ship with the program.
    pub(super) fn shipped() -> &'static Self {
        static SHIPPED: LazyLock<ReaderCalibration> = LazyLock::new(|| {
            let [(_, json, _)] = FILES else { unreachable!("the folder holds one file") };
            serde_json::from_str(json).expect("a test reads the shipped file")
        });
        &SHIPPED
    }
}

impl Line {
    /// The calibrated value for log-odds of the network.
    pub(super) fn at(self, log_odds: f64) -> f64 {
        self.add + self.times * log_odds
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shipped_figures_are_possible() {
        let shipped = ReaderCalibration::shipped();
        for line in shipped.not_ready.values().chain(shipped.not_actionable.values()) {
            assert!(line.times > 0.0, "a surer network never makes a less sure estimate");
        }
        assert_eq!(shipped.not_ready.len(), 2);
        for probability in [shipped.evident, shipped.asked, shipped.open] {
            assert!((0.01..=0.99).contains(&probability));
        }
    }
}
