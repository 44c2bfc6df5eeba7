//! The entries of a PRD: personas, stories, requirements, metrics, risks and milestones.
//!
//! Unknown values are empty or absent; the critics report them.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Requirement, RequirementId, RequirementPriority};

/// A user.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct UserPersona {
    /// The name.
    pub name: String,
    /// The role.
    #[serde(default)]
    pub role: String,
    /// Age, region, experience and the like, by name.
    #[serde(default)]
    pub demographics: BTreeMap<String, String>,
    /// The goals.
    #[serde(default)]
    pub goals: Vec<String>,
    /// What stands in the way today.
    #[serde(default)]
    pub pain_points: Vec<String>,
    /// What they use the product for.
    #[serde(default)]
    pub use_cases: Vec<String>,
    /// Their own words, from a source.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quote: Option<String>,
}

/// A user story.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct UserStory {
    /// Names the story: capitals, a hyphen and a number, such as `US-001`.
    #[schemars(regex(pattern = "^[A-Z][A-Z_-]*-[0-9]{1,9}$"))]
    pub id: String,
    /// The story in a few words.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub title: String,
    /// The name of the persona.
    #[serde(default)]
    pub persona: String,
    /// “As a …, I want …, so that …”.
    pub story: String,
    /// How somebody can check that it is done.
    #[serde(default)]
    pub acceptance_criteria: Vec<String>,
    /// The priority.
    #[serde(default)]
    pub priority: RequirementPriority,
    /// The effort, in story points.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub effort_points: Option<u32>,
}

/// A functional requirement.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FunctionalRequirement {
    /// `FR-` and a number.
    pub id: RequirementId,
    /// The area of the product.
    #[serde(default)]
    pub category: String,
    /// Its name, in a few words.
    pub title: String,
    /// What the product shall do, in whole sentences.
    pub description: String,
    /// The stories that it serves.
    #[serde(default)]
    pub user_story_ids: Vec<String>,
    /// How somebody can check that it is met.
    #[serde(default)]
    pub acceptance_criteria: Vec<String>,
    /// The priority.
    #[serde(default)]
    pub priority: RequirementPriority,
    /// The ids of the requirements that have to be built first.
    #[serde(default)]
    pub dependencies: Vec<String>,
    /// The effort, in the words of those who estimated it.
    #[serde(default)]
    pub effort_estimate: String,
}

/// A quality requirement.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NonFunctionalRequirement {
    /// `NFR-` and a number.
    pub id: RequirementId,
    /// The quality.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub category: Option<QualityCategory>,
    /// Its name, in a few words.
    pub title: String,
    /// How well the product shall work, in whole sentences.
    pub description: String,
    /// How the value is measured.
    #[serde(default)]
    pub measurement_criteria: String,
    /// The value that has to be reached, with its unit.
    #[serde(default)]
    pub target_value: String,
    /// The priority.
    #[serde(default)]
    pub priority: RequirementPriority,
}

impl FunctionalRequirement {
    /// A requirement without further values.
    pub(crate) fn new(id: RequirementId, title: String, description: String) -> Self {
        Self {
            id,
            category: String::new(),
            title,
            description,
            user_story_ids: Vec::new(),
            acceptance_criteria: Vec::new(),
            priority: RequirementPriority::Unset,
            dependencies: Vec::new(),
            effort_estimate: String::new(),
        }
    }
}

impl NonFunctionalRequirement {
    /// A requirement without further values.
    pub(crate) fn new(id: RequirementId, title: String, description: String) -> Self {
        Self {
            id,
            category: None,
            title,
            description,
            measurement_criteria: String::new(),
            target_value: String::new(),
            priority: RequirementPriority::Unset,
        }
    }
}

impl From<Requirement> for FunctionalRequirement {
    fn from(one: Requirement) -> Self {
        Self {
            category: one.category,
            user_story_ids: one.user_stories,
            acceptance_criteria: one.acceptance_criteria,
            priority: one.priority,
            ..Self::new(one.id, one.title, one.description)
        }
    }
}

impl From<Requirement> for NonFunctionalRequirement {
    fn from(one: Requirement) -> Self {
        Self {
            measurement_criteria: one.acceptance_criteria.join("; "),
            priority: one.priority,
            ..Self::new(one.id, one.title, one.description)
        }
    }
}

/// A measure of success.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SuccessMetric {
    /// The name.
    pub name: String,
    /// Whose success it measures.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub category: Option<MetricCategory>,
    /// What it tells, in whole sentences.
    #[serde(default)]
    pub description: String,
    /// How it is measured.
    #[serde(default)]
    pub measurement_method: String,
    /// The value today.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub current_baseline: Option<String>,
    /// The value that has to be reached, with its unit.
    #[serde(default)]
    pub target_value: String,
    /// The time by which it has to be reached.
    #[serde(default)]
    pub target_timeframe: String,
    /// How often somebody looks at it.
    #[serde(default)]
    pub tracking_frequency: String,
}

/// A risk.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Risk {
    /// Names the risk: capitals, a hyphen and a number, such as `R-001`.
    #[schemars(regex(pattern = "^[A-Z][A-Z_-]*-[0-9]{1,9}$"))]
    pub id: String,
    /// The kind of risk.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub category: Option<RiskCategory>,
    /// What may happen, in one sentence.
    pub description: String,
    /// How likely it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub probability: Option<RiskLevel>,
    /// How bad it would be.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub impact: Option<RiskLevel>,
    /// What is done to prevent it.
    #[serde(default)]
    pub mitigation_strategy: String,
    /// Who watches it.
    #[serde(default)]
    pub owner: String,
    /// What is done if it happens.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub contingency_plan: Option<String>,
}

/// A milestone.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Milestone {
    /// The name.
    pub name: String,
    /// The date, in words or as `YYYY-MM-DD`.
    #[serde(default)]
    pub date: String,
    /// What is delivered.
    #[serde(default)]
    pub deliverables: Vec<String>,
    /// When it counts as reached.
    #[serde(default)]
    pub success_criteria: Vec<String>,
    /// What it waits for.
    #[serde(default)]
    pub dependencies: Vec<String>,
    /// What may delay it.
    #[serde(default)]
    pub risks: Vec<String>,
}

/// The quality that a non-functional requirement is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum QualityCategory {
    /// Speed and use of resources.
    Performance,
    /// Protection against misuse.
    Security,
    /// Ease of use, accessibility.
    Usability,
    /// Availability and recovery.
    Reliability,
    /// Growth.
    Scalability,
    /// Laws and policies.
    Compliance,
}

/// Whose success a metric measures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum MetricCategory {
    /// That of the business.
    Business,
    /// That of the users.
    User,
    /// That of the technology.
    Technical,
    /// That of those who run it.
    Operational,
}

/// The kind of a risk.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum RiskCategory {
    /// Technology.
    Technical,
    /// Market, customers, money.
    Business,
    /// Running it.
    Operational,
    /// Laws and policies.
    Compliance,
    /// Attacks and leaks.
    Security,
}

/// A probability or an impact.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum RiskLevel {
    /// Low.
    Low,
    /// Medium.
    Medium,
    /// High.
    High,
}
