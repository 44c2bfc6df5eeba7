//! The content of a policy file: the rules that may block, the certainty that a rejection needs, and the rubric for
//! each kind of document.

use std::collections::BTreeMap;

use garde::Validate;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Profile;
use super::rubric::is_version;
use reqgate_base::model::{Acceptance, Language, PolicyReference, RuleId, SectionRole};

/// The policy that applies by default.
pub const DEFAULT_POLICY: &str = "ready";
/// The default policy for issues that arrive on GitHub.
pub const DEFAULT_ISSUE_POLICY: &str = "triage";

/// A policy as written.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, Validate)]
#[serde(deny_unknown_fields)]
pub struct PolicyFile {
    /// Name of the policy.
    #[garde(length(min = 1))]
    pub id: String,
    /// Version of its content; a change of any figure is a new version.
    #[garde(custom(is_version))]
    #[schemars(regex(pattern = r"^[0-9]+\.[0-9]+\.[0-9]+$"))]
    pub version: String,
    /// The question that its verdict answers.
    #[garde(length(min = 8))]
    pub question: String,
    /// Its audience and the texts that it lets through, in a few sentences.
    #[garde(length(min = 8))]
    pub summary: String,
    /// Question and summary in Chinese; the English ones are used if it is absent.
    #[garde(dive)]
    #[serde(default)]
    pub zh: Option<PolicyWording>,
    /// The way in which it reaches a verdict.
    #[garde(skip)]
    pub decides: Decides,
    /// The rubric of each kind of document; if one is absent, the first rubric that is made for the kind.
    #[garde(skip)]
    #[serde(default)]
    pub rubrics: BTreeMap<Profile, String>,
    /// The rules with `only_by_name` that run under it.
    #[garde(skip)]
    #[serde(default)]
    pub adds: Vec<RuleId>,
    /// The facts that block whatever the estimate is: an open point in plain words, an empty form, two contradicting
    /// statements, or a document without a part that its structure needs. By rules, the rules that may block; all of
    /// them if empty.
    #[garde(skip)]
    #[serde(default)]
    pub blocks: Vec<RuleId>,
    /// Sections in which facts block, too; outside them and outside the demands, facts are shown and do not block.
    #[garde(skip)]
    #[serde(default)]
    pub blocks_in: Vec<SectionRole>,
    /// An open question does not block if a person accepted it when the document was approved.
    #[garde(skip)]
    #[serde(default = "yes")]
    pub accepts_open_questions: bool,
    /// Certainty that a rejection needs, 0 to 1: the probability that the text is not ready. By evidence only.
    #[garde(range(min = 0.01, max = 0.99))]
    #[serde(default = "half")]
    pub sure: f64,
    /// Decides features and bugs by the probable judgement of careful readers; without it, the score decides.
    #[garde(dive)]
    #[serde(default)]
    pub readings: Option<ByReadings>,
    /// The probability of readiness for a score, for each kind of document; the first curve is used for a missing kind.
    #[garde(custom(curves_are_possible))]
    #[serde(default)]
    pub readiness: BTreeMap<Profile, Readiness>,
    /// At most this many questions are put to the author of an issue.
    #[garde(range(min = 1, max = 5))]
    #[serde(default = "five")]
    pub most_questions: usize,
    /// The order that a model carries out as a reader, for its perspective: `read_ticket_v1` if none is named.
    #[garde(inner(length(min = 1)))]
    #[serde(default)]
    pub reader: Option<String>,
    /// Texts that it must let through and texts that it must reject.
    #[garde(skip)]
    #[serde(default)]
    pub examples: PolicyExamples,
}

/// The texts that test a policy.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PolicyExamples {
    /// Texts that must pass.
    pub passes: Vec<PolicyExample>,
    /// Texts that must be rejected.
    pub rejects: Vec<PolicyExample>,
}

/// One text that tests a policy.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PolicyExample {
    /// The text of a whole ticket.
    pub text: String,
    /// The rules whose findings are shown, in any order; none if it passes silently.
    #[serde(default)]
    pub asks: Vec<RuleId>,
}

/// The texts of a policy in another language.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, Validate)]
#[serde(deny_unknown_fields)]
pub struct PolicyWording {
    /// The question that its verdict answers.
    #[garde(length(min = 8))]
    pub question: String,
    /// Its audience and the texts that it lets through, in a few sentences.
    #[garde(length(min = 8))]
    pub summary: String,
}

impl PolicyFile {
    /// The part of an acceptance that counts under this policy.
    pub fn counted(&self, accepted: Acceptance) -> Acceptance {
        let questions = if self.accepts_open_questions { accepted.questions } else { Vec::new() };
        Acceptance { questions, ..accepted }
    }

    /// The question that its verdict answers, in a language.
    pub fn question(&self, language: Language) -> &str {
        self.zh.as_ref().filter(|_| language == Language::Zh).map_or(&self.question, |zh| &zh.question)
    }

    /// Its audience and the texts that it lets through, in a language.
    pub fn summary(&self, language: Language) -> &str {
        self.zh.as_ref().filter(|_| language == Language::Zh).map_or(&self.summary, |zh| &zh.summary)
    }
}

fn yes() -> bool {
    true
}

fn half() -> f64 {
    0.5
}

fn five() -> usize {
    5
}

/// The way in which a policy reaches a verdict.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Decides {
    /// Any blocker rejects, then the threshold of the rubric decides; certainty is only reported.
    ByRules,
    /// A text is rejected if it is surely enough not ready; an unsure "no" passes with its questions. Kinds of document
    /// without a rubric in `rubrics` are decided by rules.
    ByEvidence,
}

/// The decision on a ticket by the estimated judgement of readers. All figures are probabilities, 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema, Validate)]
#[serde(deny_unknown_fields)]
pub struct ByReadings {
    /// The meaning of a rejection.
    #[garde(skip)]
    pub rejects: Rejects,
    /// Questions are asked if a reader needs an answer with at least this probability.
    #[garde(range(min = 0.0, max = 1.0))]
    pub asks: f64,
    /// A text counts as a task or a question with at least this probability.
    #[garde(range(min = 0.0, max = 1.0))]
    pub no_requirement: f64,
}

/// The meaning of a rejection by readings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Rejects {
    /// A reader needs an answer before the work can be finished.
    NotReady,
    /// A reader cannot start.
    NotActionable,
}

/// The probability that a text is ready for a score: a logistic curve, fitted to labelled tickets.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Readiness {
    /// The score at which half of the tickets are ready, -100 to 200.
    pub midpoint: f64,
    /// So many points above it, 73 % are; 0.5 to 100.
    pub spread: f64,
}

fn curves_are_possible(curves: &BTreeMap<Profile, Readiness>, _: &()) -> garde::Result {
    let possible =
        |curve: &Readiness| (-100.0..=200.0).contains(&curve.midpoint) && (0.5..=100.0).contains(&curve.spread);
    if curves.values().all(possible) {
        return Ok(());
    }
    Err(garde::Error::new("a midpoint is -100 to 200, a spread 0.5 to 100"))
}

impl Readiness {
    /// The probability that a text with this score is ready, 0 to 1.
    pub fn probability(self, score: f64) -> f64 {
        1.0 / (1.0 + (-(score - self.midpoint) / self.spread).exp())
    }

    /// The score below which a text is not ready with at least this probability.
    pub fn threshold(self, sure: f64) -> f64 {
        (self.midpoint - self.spread * (sure / (1.0 - sure)).ln()).clamp(0.0, 100.0)
    }
}

/// A policy ready for use.
#[derive(Debug, Clone)]
pub struct Policy {
    /// The policy as written.
    pub file: PolicyFile,
    /// The id, version and hash.
    pub reference: PolicyReference,
}

impl Policy {
    /// The curve for this kind of document; `None` if the file has none.
    pub fn readiness(&self, profile: Profile) -> Option<Readiness> {
        self.file.readiness.get(&profile).or_else(|| self.file.readiness.values().next()).copied()
    }

    /// Returns true if the evidence decides about this kind of document, rather than any blocker: the policy names a
    /// rubric for it.
    pub fn by_evidence(&self, profile: Profile) -> bool {
        self.goes_by_evidence() && self.file.rubrics.contains_key(&profile)
    }

    /// The thresholds for a decision by readings; `None` if this kind of document is decided in another way.
    pub fn by_readings(&self, profile: Profile) -> Option<ByReadings> {
        let learned = matches!(profile, Profile::Feature | Profile::Bug) && self.by_evidence(profile);
        self.file.readings.filter(|_| learned)
    }

    /// Returns true if the evidence decides about at least one kind of document.
    pub fn goes_by_evidence(&self) -> bool {
        self.file.decides == Decides::ByEvidence
    }

    /// Returns true if the policy names this rule among those that block, or names none.
    pub fn may_block(&self, rule: &RuleId) -> bool {
        self.file.blocks.is_empty() || self.file.blocks.contains(rule)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_surer_no_needs_a_lower_score() {
        let readiness = Readiness { midpoint: 40.0, spread: 10.0 };
        assert!((readiness.probability(40.0) - 0.5).abs() < 1e-9);
        assert!((readiness.threshold(0.5) - 40.0).abs() < 1e-9);
        assert!(readiness.threshold(0.8) < readiness.threshold(0.5));
        let at = readiness.threshold(0.8);
        assert!((1.0 - readiness.probability(at) - 0.8).abs() < 1e-9);
    }
}
