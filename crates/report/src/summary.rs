//! Counts the results of a run over several inputs.

use schemars::JsonSchema;
use serde::Serialize;

use super::InputError;
use reqgate_base::model::{Language, Outcome, Verdict};
use reqgate_messages as messages;

/// The number of inputs by result.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Summary {
    /// All inputs, including those that could not be read.
    pub inputs: usize,
    /// Inputs with the verdict `PASS`.
    pub passed: usize,
    /// Inputs with the verdict `REJECT`.
    pub rejected: usize,
    /// Inputs with the verdict `NOT_APPLICABLE`.
    pub not_applicable: usize,
    /// Inputs with the verdict `GUARDRAIL_REJECTED`.
    pub guardrail_rejected: usize,
    /// Inputs that could not be read or judged.
    pub errors: usize,
    /// Inputs that are reported in Chinese.
    #[serde(skip)]
    pub in_chinese: usize,
}

impl Summary {
    /// Counts an outcome by its verdict.
    pub fn add(&mut self, outcome: &Outcome) {
        self.inputs += 1;
        self.in_chinese += usize::from(outcome.language == Language::Zh);
        match outcome.decision.verdict {
            Verdict::Pass => self.passed += 1,
            Verdict::Reject => self.rejected += 1,
            Verdict::NotApplicable => self.not_applicable += 1,
            Verdict::GuardrailRejected => self.guardrail_rejected += 1,
        }
    }

    /// Counts one input that could not be read.
    pub fn add_error(&mut self, _error: &InputError) {
        self.inputs += 1;
        self.errors += 1;
    }

    /// Returns true if every input was read and none was rejected.
    pub(crate) fn is_pass(&self) -> bool {
        self.rejected == 0 && self.guardrail_rejected == 0 && self.errors == 0
    }

    /// The language of the counts: Chinese if all judged inputs are reported in Chinese.
    pub(super) fn language(&self) -> Language {
        if self.in_chinese > 0 && self.in_chinese == self.inputs - self.errors { Language::Zh } else { Language::En }
    }

    /// The counts in one line, e.g. `3 inputs: 1 passed, 2 rejected`; verdicts that did not occur are left out.
    pub(crate) fn sentence(&self) -> String {
        let words = messages::Report::of(self.language());
        let parts: Vec<String> = [
            (self.passed, words.passed),
            (self.rejected, words.rejected),
            (self.guardrail_rejected, words.stopped),
            (self.not_applicable, words.inapplicable),
            (self.errors, words.unreadable),
        ]
        .into_iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, what)| words.counted(&count, &what))
        .collect();
        let parts = parts.join(words.comma);
        match (self.inputs, parts.is_empty()) {
            (_, true) => words.no_inputs.to_owned(),
            (inputs, false) => words.inputs_with(inputs, &parts),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples;

    #[test]
    fn summary_counts_each_kind_once() {
        let mut summary = Summary::default();
        for outcome in samples::all() {
            summary.add(&outcome);
        }
        summary.add_error(&samples::unreadable());
        let sum = summary.passed + summary.rejected + summary.not_applicable + summary.guardrail_rejected;
        assert_eq!(summary.inputs, sum + summary.errors);
        assert!(!summary.is_pass());
    }

    #[test]
    fn summary_sentence_leaves_out_what_did_not_occur() {
        assert_eq!(Summary::default().sentence(), "no inputs");
        let summary = Summary { inputs: 1, passed: 1, ..Summary::default() };
        assert_eq!(summary.sentence(), "1 input: 1 passed");
        let summary = Summary { inputs: 4, rejected: 3, errors: 1, ..Summary::default() };
        assert_eq!(summary.sentence(), "4 inputs: 3 rejected, 1 could not be read");
    }
}
