//! User stories, in the format of a reader's result and of a plan.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::RequirementPriority;

/// The stories that realise the requirements of a feature.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct WrittenStories {
    /// The stories, at most 200.
    pub stories: Vec<Story>,
    /// Approved requirements that no story realises, each with the reason.
    #[serde(default)]
    pub left_out: Vec<LeftOut>,
    /// What could go wrong while it is built.
    #[serde(default)]
    pub risks: Vec<PlanRisk>,
    /// How to go back if it has to be taken out again, step by step.
    #[serde(default)]
    pub rollback_plan: Vec<String>,
}

/// One user story.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Story {
    /// Its id: three letters for the project, three or four for the epic, a number: `shp-exp-001`.
    #[schemars(extend("pattern" = "^[a-z]{3}-[a-z]{3,4}-[0-9]{3,}$"))]
    pub story_id: String,
    /// The epic that it belongs to.
    pub epic_id: String,
    /// Its name, in a few words.
    pub title: String,
    /// The state of its work.
    #[serde(default)]
    pub status: StoryStatus,
    /// How urgent it is: the priority of the most urgent of its requirements, where they state one.
    #[serde(default, skip_serializing_if = "is_unset")]
    pub priority: RequirementPriority,
    /// How hard it is, from 1 to 10; `null` where nobody has said.
    #[serde(default)]
    #[schemars(range(min = 1, max = 10))]
    pub complexity: Option<u8>,
    /// The person or agent who builds it, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// The stories that must be finished before.
    #[serde(default)]
    pub dependencies: Vec<String>,
    /// The ids of the approved requirements that it realises, as they are written.
    pub requirements: Vec<String>,
    /// Role, wish and reason; `null` where the requirement states none.
    #[serde(default)]
    pub user_story: Option<StoryWords>,
    /// How somebody can check that it is done.
    pub acceptance_criteria: Vec<String>,
    /// Where it is built, as far as that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub technical_details: Option<TechnicalDetails>,
    /// Remarks for whoever builds it; the words of the requirement, where a story was taken from one that has not its form.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub implementation_notes: Option<String>,
    /// Its interfaces and data, as far as they are known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub architecture: Option<Architecture>,
    /// What must hold before it is finished, beyond the criteria.
    #[serde(default)]
    pub definition_of_done: Vec<String>,
}

fn is_unset(priority: &RequirementPriority) -> bool {
    *priority == RequirementPriority::Unset
}

/// The state of the work on a story.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum StoryStatus {
    /// Not begun.
    #[default]
    Pending,
    /// Begun.
    InProgress,
    /// Finished.
    Complete,
    /// It waits for something else than a story of this plan.
    Blocked,
}

/// Role, wish and reason of a story.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct StoryWords {
    /// The role, without "as a".
    pub as_a: String,
    /// The wish, without "I want".
    pub i_want: String,
    /// The reason, without "so that"; empty where nobody has given one.
    #[serde(default)]
    pub so_that: String,
}

/// Where a story is built.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TechnicalDetails {
    /// The repository.
    #[serde(default)]
    pub repo: String,
    /// The package in it.
    #[serde(default)]
    pub package: String,
    /// New files.
    #[serde(default)]
    pub files_to_create: Vec<NewFile>,
    /// Files that change.
    #[serde(default)]
    pub files_to_modify: Vec<ChangedFile>,
}

/// A new file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NewFile {
    /// Its path.
    pub file: String,
    /// Its purpose.
    pub purpose: String,
}

/// A file that changes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ChangedFile {
    /// Its path.
    pub file: String,
    /// The changes.
    pub changes: String,
}

/// Interfaces and data of a story.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Architecture {
    /// Endpoints that it adds or changes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub api_endpoints: Vec<Endpoint>,
    /// Tables or documents that it adds or changes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub database_models: Vec<DatabaseModel>,
    /// Files to read first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub key_files: Vec<String>,
}

/// An endpoint.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Endpoint {
    /// The method.
    pub method: HttpMethod,
    /// The path.
    pub endpoint: String,
    /// Its purpose.
    pub description: String,
}

/// A method of HTTP.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "UPPERCASE")]
#[allow(missing_docs, reason = "the names are those of HTTP")]
pub enum HttpMethod {
    Get,
    Post,
    Put,
    Delete,
    Patch,
}

/// A table or document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DatabaseModel {
    /// Its name.
    pub model: String,
    /// Its fields.
    pub fields: String,
}

/// An approved requirement that no story realises.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LeftOut {
    /// Its id.
    pub requirement: String,
    /// Why no story realises it.
    pub reason: String,
}

/// Something that could go wrong.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PlanRisk {
    /// The risk.
    pub risk: String,
    /// How much it would hurt.
    pub impact: RiskImpact,
    /// What is done against it.
    pub mitigation: String,
}

/// How much a risk would hurt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[allow(missing_docs, reason = "the names say it")]
pub enum RiskImpact {
    High,
    Medium,
    Low,
}

impl Story {
    /// The files that the story creates or changes, as far as they are known, in the given order.
    pub(crate) fn files(&self) -> impl Iterator<Item = &str> {
        let details = self.technical_details.iter();
        details.flat_map(|details| {
            let new = details.files_to_create.iter().map(|file| file.file.as_str());
            new.chain(details.files_to_modify.iter().map(|file| file.file.as_str()))
        })
    }
}

/// Returns true for an id such as `shp-exp-001`.
pub(super) fn is_story_id(id: &str) -> bool {
    let letters = |part: &str, lengths: std::ops::RangeInclusive<usize>| {
        lengths.contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_lowercase())
    };
    let parts: Vec<&str> = id.split('-').collect();
    let [project, epic, number] = parts.as_slice() else { return false };
    letters(project, 3..=3)
        && letters(epic, 3..=4)
        && (3..=6).contains(&number.len())
        && number.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::is_story_id;

    #[test]
    fn story_ids_have_a_project_an_epic_and_a_number() {
        for good in ["shp-exp-001", "msm-auth-042", "shp-exp-1000"] {
            assert!(is_story_id(good), "{good}");
        }
        for bad in
            ["", "FR-001", "shop-exp-001", "shp-e-001", "shp-exp-1", "SHP-exp-001", "shp-exp-001-2", "shp-exp-00a"]
        {
            assert!(!is_story_id(bad), "{bad}");
        }
    }
}
