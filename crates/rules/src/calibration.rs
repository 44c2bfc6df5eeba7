//! The influence of a model's reading of a ticket: a table per model, from readiness and questions to log-odds.
//!
//! The files are in `rubrics/models/`, one per model or family of models. Without evidence from the text a reading can
//! only make a ticket look less ready than the rules do.

use garde::Validate;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use reqgate_base::model::RuleId;

/// The number of degrees of readiness, 0 to 4.
pub const DEGREES: usize = 5;
/// The largest absolute value in a table.
const MOST_LOG_ODDS: f64 = 10.0;

/// A calibration file as written.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, Validate)]
#[serde(deny_unknown_fields)]
pub struct ModelCalibration {
    /// Name of the calibration.
    #[garde(length(min = 1))]
    pub id: String,
    /// The models that it applies to, as `provider/name`; `*` at the end matches any rest. The longest match wins.
    #[garde(length(min = 1))]
    pub models: Vec<String>,
    /// The source of the figures.
    #[garde(length(min = 4))]
    pub source: String,
    /// The effect of a reading on the log-odds of "not ready".
    #[garde(dive)]
    pub not_ready: ByReadiness,
    /// The effect of a reading on the log-odds of "not actionable".
    #[garde(dive)]
    pub not_actionable: ByReadiness,
    /// The limits to which evidence from the text may raise a ticket above the result of the rules.
    #[garde(dive)]
    pub evidence: EvidenceBounds,
    /// Probability of "not a requirement" by the local reader, 0 to 1, from which on the model's kind counts for a text that
    /// passes.
    #[garde(range(min = 0.0, max = 1.0))]
    pub not_a_requirement: f64,
    /// Rules whose findings no reading overrides: something is left open in plain words, or two statements exclude each other.
    #[garde(skip)]
    pub final_rules: Vec<RuleId>,
}

/// Log-odds by readiness, from 0 to 4.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema, Validate)]
#[serde(deny_unknown_fields)]
pub struct ByReadiness {
    /// Factor of the log-odds that the rules give, 0 to 2.
    #[garde(range(min = 0.0, max = 2.0))]
    pub rules: f64,
    /// With at least one question that must be answered before the work can start.
    #[garde(custom(is_bounded))]
    pub must: [f64; DEGREES],
    /// Without such a question.
    #[garde(custom(is_bounded))]
    pub no_must: [f64; DEGREES],
    /// Added for each question of the reading, which are at most three.
    #[garde(range(min = 0.0, max = MOST_LOG_ODDS))]
    #[serde(default)]
    pub each_question: f64,
}

/// Bounds on the effect of evidence, in log-odds.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema, Validate)]
#[serde(deny_unknown_fields)]
pub struct EvidenceBounds {
    /// For each part of the ticket that the rules had missed.
    #[garde(range(min = 0.0, max = MOST_LOG_ODDS))]
    pub each: f64,
    /// For all parts together.
    #[garde(range(min = 0.0, max = MOST_LOG_ODDS))]
    pub most: f64,
}

fn is_bounded(row: &[f64; DEGREES], _: &()) -> garde::Result {
    match row.iter().all(|entry| (-MOST_LOG_ODDS..=MOST_LOG_ODDS).contains(entry)) {
        true => Ok(()),
        false => Err(garde::Error::new(format!("log-odds are -{MOST_LOG_ODDS} to {MOST_LOG_ODDS}"))),
    }
}

/// The parts of a reading that count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CountedReading {
    /// The readiness, 0 to 4.
    pub ready: u8,
    /// A question must be answered before the work can start.
    pub must: bool,
    /// The number of questions that passed the checks.
    pub questions: usize,
    /// The number of parts of the ticket that the rules had missed and the reader quotes.
    pub evidence: usize,
}

impl ByReadiness {
    /// The sum of rules and reading, before any bound.
    fn counted(&self, rules: f64, said: CountedReading) -> f64 {
        let row = if said.must { &self.must } else { &self.no_must };
        let by_degree = row[usize::from(said.ready).min(DEGREES - 1)];
        self.rules * rules + by_degree + self.each_question * said.questions as f64
    }

    /// The log-odds after a reading, if the rules alone give `rules`. They fall only by evidence, within its bounds,
    /// and rise only with a question: a verdict alone changes them in neither direction.
    pub fn weigh(&self, evidence: EvidenceBounds, rules: f64, said: CountedReading) -> f64 {
        let least = rules - evidence.bound(said.evidence);
        let most = if said.questions > 0 { f64::INFINITY } else { rules };
        self.counted(rules, said).clamp(least, most)
    }
}

impl EvidenceBounds {
    /// The most that so many parts may take from the log-odds.
    fn bound(&self, parts: usize) -> f64 {
        (self.each * parts as f64).min(self.most)
    }
}

impl ModelCalibration {
    /// The quality of the match with a model: the length of the longest matching name in the file.
    pub(super) fn fits(&self, model: &str) -> Option<usize> {
        let fits = |name: &&String| match name.strip_suffix('*') {
            Some(start) => model.starts_with(start),
            None => *name == model,
        };
        self.models.iter().filter(fits).map(String::len).max()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shipped() -> ModelCalibration {
        let book = crate::load(&crate::shipped_files()).expect("the shipped files load");
        book.calibration("ollama/any").cloned().expect("the shipped file holds for every model")
    }

    fn said(ready: u8, must: bool, questions: usize, evidence: usize) -> CountedReading {
        CountedReading { ready, must, questions, evidence }
    }

    #[test]
    fn without_evidence_a_reading_never_raises_and_without_a_question_it_never_lowers() {
        let shipped = shipped();
        for rules in [-3.0, -0.5, 0.0, 2.0] {
            for ready in 0..=4 {
                for must in [false, true] {
                    let asked = shipped.not_ready.weigh(shipped.evidence, rules, said(ready, must, 1, 0));
                    assert!(asked >= rules, "{rules} {ready} {must}");
                    let silent = shipped.not_ready.weigh(shipped.evidence, rules, said(ready, false, 0, 0));
                    assert!((silent - rules).abs() < 1e-12, "{rules} {ready}");
                }
            }
        }
    }

    #[test]
    fn evidence_raises_within_its_bound_and_only_as_far_as_the_reading_says() {
        let shipped = shipped();
        let at = |ready, evidence| shipped.not_ready.weigh(shipped.evidence, 1.0, said(ready, false, 0, evidence));
        assert!((at(4, 1) - 0.6).abs() < 1e-9 && (at(4, 2) - 0.2).abs() < 1e-9 && (at(4, 5) - 0.2).abs() < 1e-9);
        assert!((at(0, 5) - 1.0).abs() < 1e-9, "the reader himself sees nothing better");
    }

    #[test]
    fn more_questions_count_for_more() {
        let shipped = shipped();
        let at = |questions| shipped.not_ready.weigh(shipped.evidence, -2.0, said(2, false, questions, 0));
        assert!(at(3) > at(1) && (at(3) - at(2) - shipped.not_ready.each_question).abs() < 1e-9);
    }

    #[test]
    fn a_less_ready_text_never_counts_as_readier() {
        let shipped = shipped();
        for table in [shipped.not_ready, shipped.not_actionable] {
            for row in [table.must, table.no_must] {
                assert!(row.windows(2).all(|pair| pair[0] >= pair[1]), "{row:?}");
            }
        }
    }

    #[test]
    fn the_longest_name_wins() {
        let named =
            |id: &str, name: &str| ModelCalibration { id: id.to_owned(), models: vec![name.to_owned()], ..shipped() };
        let mut book = crate::load(&crate::shipped_files()).expect("the shipped files load");
        book.calibrations.extend([named("family", "openai/gpt*"), named("one", "openai/gpt-9")]);
        let id = |model: &str| book.calibration(model).map(|own| own.id.clone()).unwrap_or_default();
        assert_eq!([id("openai/gpt-9"), id("openai/gpt-9-mini"), id("gemini/x")], ["one", "family", "default"]);
    }
}
