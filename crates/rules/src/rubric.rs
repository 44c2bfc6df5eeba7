//! The content of a rubric file: dimensions, weights, criteria with points, penalties, threshold.

use std::sync::OnceLock;

use garde::Validate;
use regex::Regex;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use reqgate_base::model::{Category, Language, RubricReference, RuleId, Severity, SourceType, TicketType};

/// Accepts three numbers with dots between them.
pub(super) fn is_version(version: &str, _: &()) -> garde::Result {
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    match version.split('.').count() == 3 && version.split('.').all(is_number) {
        true => Ok(()),
        false => Err(garde::Error::new("a version is three numbers with dots between them: 1.0.0")),
    }
}

/// The kind of document that a rubric judges.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Profile {
    /// A ticket that asks for new or changed behaviour.
    Feature,
    /// A ticket about a fault.
    Bug,
    /// A product requirements document.
    Prd,
    /// Minutes or a transcript.
    Meeting,
}

impl Profile {
    /// The word for documents of this kind.
    pub fn plural(self) -> &'static str {
        match self {
            Self::Feature => "features",
            Self::Bug => "bugs",
            Self::Prd => "PRDs",
            Self::Meeting => "minutes",
        }
    }

    /// The profile of a document; `None` for tasks, questions, discussions and parts of a feature, which are not judged.
    pub fn of(source: SourceType, ticket: TicketType) -> Option<Self> {
        match (ticket, source) {
            (TicketType::Task | TicketType::Question | TicketType::Discussion | TicketType::FeaturePart, _) => None,
            (TicketType::Bug, _) => Some(Self::Bug),
            (TicketType::Feature, SourceType::PrdDoc) => Some(Self::Prd),
            (TicketType::Feature, SourceType::MeetingTranscript) => Some(Self::Meeting),
            (TicketType::Feature, _) => Some(Self::Feature),
        }
    }
}

/// A part of a text that can be counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Facet {
    /// A title of at least ten columns.
    Title,
    /// The person who needs it.
    Actor,
    /// The need of that person.
    Need,
    /// The reason for the need.
    Benefit,
    /// The number of the stated parts among person, need and benefit.
    StoryParts,
    /// Criteria, checkable or not.
    Criteria,
    /// Criteria that a tester can check.
    VerifiableCriteria,
    /// Criteria about errors, limits and refusals.
    NegativeCriteria,
    /// Edge cases, inside criteria or apart.
    EdgeCases,
    /// The steps to reproduce a fault.
    Steps,
    /// The behaviour that is expected.
    Expected,
    /// The behaviour that was observed.
    Actual,
    /// The environment of the fault.
    Environment,
    /// Words with a meaning of their own in the expected behaviour.
    ExpectedDetails,
    /// Words with a meaning of their own in the actual behaviour.
    ActualDetails,
    /// Names of systems and devices, and numbers, in the environment.
    EnvironmentDetails,
    /// Links, tickets, documents, services.
    Resources,
    /// Decisions of a meeting.
    Decisions,
    /// Numbered or headed requirements.
    Requirements,
    /// Requirements that a tester can check.
    VerifiableRequirements,
    /// Goals of the document.
    Goals,
    /// Topics that it excludes on purpose.
    OutOfScope,
    /// Measures of the success of a document.
    Metrics,
}

/// A rubric as written.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, Validate)]
#[serde(deny_unknown_fields)]
pub struct RubricFile {
    /// Name of the rubric.
    #[garde(length(min = 1))]
    pub id: String,
    /// Version of its content; a change of any figure is a new version.
    #[garde(custom(is_version))]
    #[schemars(regex(pattern = r"^[0-9]+\.[0-9]+\.[0-9]+$"))]
    pub version: String,
    /// The kind of document that it judges.
    #[garde(skip)]
    pub profile: Profile,
    /// The rubric is applied only when it is named (`--rubric`).
    #[garde(skip)]
    #[serde(default)]
    pub only_by_name: bool,
    /// Its purpose, in one sentence.
    #[garde(skip)]
    pub summary: String,
    /// Score needed to pass, 0 to 100.
    #[garde(range(min = 0.0, max = 100.0))]
    pub threshold: f64,
    /// The dimensions; their weights add up to 1.
    #[garde(length(min = 1), dive, custom(weights_add_up))]
    pub dimensions: Vec<Dimension>,
    /// Points taken from the total.
    #[garde(dive)]
    #[serde(default)]
    pub penalties: RubricPenalties,
    /// Severities that differ from the rules' own for this kind of document; `OFF` is written as null.
    #[garde(skip)]
    #[serde(default)]
    pub severities: std::collections::BTreeMap<RuleId, Option<Severity>>,
}

/// Penalties in points of the total score.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema, Validate)]
#[serde(deny_unknown_fields, default)]
pub struct RubricPenalties {
    /// Hard Check #1 failed.
    #[garde(range(min = 0.0, max = 100.0))]
    pub structure_check: f64,
    /// Structuring failed and the raw text was scored.
    #[garde(range(min = 0.0, max = 100.0))]
    pub fallback: f64,
}

impl Default for RubricPenalties {
    fn default() -> Self {
        Self { structure_check: 10.0, fallback: 15.0 }
    }
}

/// A dimension of quality.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, Validate)]
#[serde(deny_unknown_fields)]
pub struct Dimension {
    /// Name of the dimension.
    #[garde(length(min = 1))]
    pub id: String,
    /// Its share of the total, 0 to 1.
    #[garde(range(min = 0.0, max = 1.0))]
    pub weight: f64,
    /// The criteria that earn points; the points are scaled to 100.
    #[garde(dive)]
    #[serde(default)]
    pub criteria: Vec<RubricCriterion>,
    /// The findings that cost points.
    #[garde(dive)]
    #[serde(default)]
    pub deductions: Deductions,
}

/// One thing that earns points.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, Validate)]
#[serde(deny_unknown_fields)]
pub struct RubricCriterion {
    /// Name of the criterion.
    #[garde(length(min = 1))]
    pub id: String,
    /// Points inside its dimension.
    #[garde(range(min = 0.0, max = 100.0))]
    pub points: f64,
    /// The evidence that it is met.
    #[garde(skip)]
    pub evidence: Evidence,
    /// Advice to earn the points, in English.
    #[garde(length(min = 4))]
    pub advice: String,
    /// The same in Chinese.
    #[garde(skip)]
    #[serde(default)]
    pub advice_zh: Option<String>,
}

impl RubricCriterion {
    /// The advice in the language of the ticket.
    pub fn advice_in(&self, language: Language) -> &str {
        match language {
            Language::Zh => self.advice_zh.as_deref().unwrap_or(&self.advice),
            Language::En => &self.advice,
        }
    }
}

/// The evidence that a criterion is met.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Evidence {
    /// A facet; points grow with the count up to `full`.
    Facet {
        /// The facet that is counted.
        name: Facet,
        /// The count that earns all the points. Default 1.
        #[serde(default = "one")]
        full: usize,
    },
    /// Facets of `rubrics/facets/`; points grow evenly with the log-odds of the likeliest of them, so that each sign is worth
    /// the same number of points wherever the others put it.
    Likely {
        /// Ids of the facets.
        any: Vec<String>,
        /// Log-odds that do not earn points.
        none: f64,
        /// Log-odds that earn all the points; greater than `none`.
        full: f64,
    },
    /// A regular expression that must match somewhere in the prose.
    Pattern {
        /// The regular expression to find.
        find: ProseExpression,
    },
    /// A section whose heading contains one of these words, with something below it.
    Section {
        /// The words, lower case.
        headings: Vec<String>,
    },
    /// Rules of which none may have fired.
    Clean {
        /// Ids of the rules.
        rules: Vec<RuleId>,
    },
}

/// A regular expression of a rubric, compiled once, when the first text is scored.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(from = "String", into = "String")]
#[schemars(inline, with = "String")]
pub struct ProseExpression {
    written: String,
    compiled: OnceLock<Option<Regex>>,
}

impl ProseExpression {
    /// The expression as it is written.
    pub(crate) fn written(&self) -> &str {
        &self.written
    }

    /// Returns true if it matches anywhere; false if it is broken and was not checked.
    pub fn is_match(&self, text: &str) -> bool {
        let compiled = self.compiled.get_or_init(|| {
            #[cfg(test)]
            super::expression::COMPILED.with(|count| count.set(count.get() + 1));
            Regex::new(&self.written).ok()
        });
        compiled.as_ref().is_some_and(|regex| regex.is_match(text))
    }
}

impl From<String> for ProseExpression {
    fn from(written: String) -> Self {
        Self { written, compiled: OnceLock::new() }
    }
}

impl From<ProseExpression> for String {
    fn from(expression: ProseExpression) -> Self {
        expression.written
    }
}

fn one() -> usize {
    1
}

/// Points that findings cost inside a dimension, out of its 100.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, Validate)]
#[serde(deny_unknown_fields, default)]
pub struct Deductions {
    /// The categories whose findings count here.
    #[garde(skip)]
    pub categories: Vec<Category>,
    /// Points for a warning.
    #[garde(range(min = 0.0, max = 100.0))]
    pub warning: f64,
    /// Points for a blocker.
    #[garde(range(min = 0.0, max = 100.0))]
    pub blocker: f64,
    /// At most this many points for all findings of one rule.
    #[garde(range(min = 0.0, max = 100.0))]
    pub per_rule: f64,
    /// At most this many points in all.
    #[garde(range(min = 0.0, max = 100.0))]
    pub cap: f64,
    /// Rules whose findings cost other points than those of their severity.
    #[garde(skip)]
    pub rules: std::collections::BTreeMap<RuleId, f64>,
}

impl Default for Deductions {
    fn default() -> Self {
        Self {
            categories: Vec::new(),
            warning: 4.0,
            blocker: 15.0,
            per_rule: 12.0,
            cap: 40.0,
            rules: Default::default(),
        }
    }
}

fn weights_add_up(dimensions: &[Dimension], _: &()) -> garde::Result {
    let sum: f64 = dimensions.iter().map(|dimension| dimension.weight).sum();
    if (sum - 1.0).abs() > 1e-6 {
        return Err(garde::Error::new(format!("the weights add up to {sum}, not to 1")));
    }
    Ok(())
}

/// A rubric ready for use.
#[derive(Debug, Clone)]
pub struct Rubric {
    /// The rubric as written.
    pub file: RubricFile,
    /// The id, version and hash.
    pub reference: RubricReference,
}
