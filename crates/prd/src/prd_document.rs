//! The PRD as data (`prd.json`): the contents of the sources, and blanks for missing information.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::prd_input::{PrdInput, PrdStatus, TraceabilityRow, priority_name};
use super::waiting::{Waiting, questions_of};
use super::{
    DecidedGap, DocumentStatus, FeatureId, OpenQuestion, OtherSection, QuestionId, Requirement, RequirementId,
    SourceQuote, Statement,
};

/// The front matter of a PRD.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PrdFrontmatter {
    /// The key of the project, if it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(regex(pattern = "^[A-Z][A-Z0-9]{1,9}(-[0-9]{3})?$"))]
    pub project_id: Option<String>,
    /// The id of the feature.
    pub feature_id: FeatureId,
    /// The title of the feature.
    #[schemars(length(min = 1))]
    pub title: String,
    /// The version of the document.
    #[serde(default = "first_version")]
    pub version: String,
    /// The status of the document.
    pub status: DocumentStatus,
    /// The date of the last change, `YYYY-MM-DD`.
    #[schemars(regex(pattern = "^[0-9]{4}-[0-9]{2}-[0-9]{2}$"))]
    pub updated: String,
    /// The person responsible for the document.
    pub owner: String,
}

fn first_version() -> String {
    "1.0".to_owned()
}

/// Returns true for the key of a project: two to ten capital letters and digits, optionally followed by a hyphen and
/// three digits: `SHOP`, `MSM-008`. It is written into the front matter without escaping.
pub fn is_project_key(key: &str) -> bool {
    let (name, number) = key.split_once('-').map_or((key, None), |(name, number)| (name, Some(number)));
    let is_name = (2..=10).contains(&name.len())
        && name.starts_with(|c: char| c.is_ascii_uppercase())
        && name.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit());
    let is_number = |number: &str| number.len() == 3 && number.bytes().all(|byte| byte.is_ascii_digit());
    is_name && number.is_none_or(is_number)
}

/// One requirement of a PRD.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PrdRequirement {
    /// The id of the requirement.
    pub id: RequirementId,
    /// The title of the requirement.
    pub title: String,
    /// The required behaviour or quality of the product.
    #[schemars(length(min = 1))]
    pub requirement: String,
    /// The priority, `P0` to `P3`; absent if not given.
    #[serde(default, deserialize_with = "stated_priority", skip_serializing_if = "String::is_empty")]
    #[schemars(regex(pattern = "^P[0-3]$"))]
    pub priority: String,
    /// The area of the product, or the quality of ISO 25010.
    pub category: String,
    /// Verifiable conditions for the requirement.
    pub acceptance_criteria: Vec<String>,
    /// The ids of the open questions that it waits for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub waits_for: Vec<QuestionId>,
    /// The change that was made in a review.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub modification_notes: Option<String>,
    /// The sources of the requirement.
    pub sources: Vec<SourceQuote>,
}

/// Reads a priority; earlier versions wrote `TBD` if it was not given.
fn stated_priority<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let priority = String::deserialize(deserializer)?;
    Ok(if priority == "TBD" { String::new() } else { priority })
}

/// The problem that people have today.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ProblemStatement {
    /// The current state; empty if it was not described.
    pub current_state: String,
    /// The pain points of users.
    pub pain_points: Vec<String>,
}

/// The parts that are built and those that are left out.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PrdScope {
    /// The titles of the approved requirements.
    pub in_scope: Vec<String>,
    /// The parts that were left out on purpose.
    pub out_of_scope: Vec<String>,
}

/// The criteria for success.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SuccessCriteria {
    /// The qualities that the product must have.
    pub technical: Vec<String>,
    /// The criteria to verify.
    pub verification: Vec<String>,
    /// The measures of success, in the words of the sources.
    pub metrics: Vec<String>,
}

/// A question with its answer, if there is one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PrdQuestion {
    /// The id of the question; absent in documents of earlier versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<QuestionId>,
    /// The text of the question.
    pub question: String,
    /// The answer, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<String>,
    /// The person who answers it, as named by a source or a person.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub owner: Option<String>,
    /// The day by which it must be answered, in their words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub due: Option<String>,
    /// The value that applies until it is answered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub default: Option<String>,
    /// The requirements that wait for its answer.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub blocks: Vec<RequirementId>,
    /// All passages that raise the question.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sources: Vec<SourceQuote>,
}

impl From<&OpenQuestion> for PrdQuestion {
    fn from(open: &OpenQuestion) -> Self {
        Self {
            id: open.id,
            question: open.question.clone(),
            answer: open.answer.clone(),
            owner: open.owner.clone(),
            due: open.due.clone(),
            default: open.default.clone(),
            blocks: Vec::new(),
            sources: open.sources().cloned().collect(),
        }
    }
}

impl PrdQuestion {
    /// The question with the requirements that wait for its answer.
    pub(crate) fn waited_for(question: &OpenQuestion, waiting: &Waiting) -> Self {
        let blocks = question.id.and_then(|id| waiting.get(&id)).cloned().unwrap_or_default();
        Self { blocks, ..Self::from(question) }
    }
}

/// Passages that contradicted each other, and the decision of a person.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SettledConflict {
    /// The question that was asked.
    pub question: String,
    /// The contradicting passages, at least two.
    pub was: Vec<SourceQuote>,
    /// The statement that is valid now.
    pub now: String,
}

/// The PRD as data: the approved brief and requirements.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PrdDocument {
    /// The front matter of the document.
    pub frontmatter: PrdFrontmatter,
    /// The author, date and status.
    #[serde(alias = "prdDocumentStatus")]
    pub document_status: PrdStatus,
    /// The request for the feature, word for word.
    pub original_user_utterance: String,
    /// The problem and the goal in the words of the brief; empty if the brief has neither.
    pub executive_summary: String,
    /// The main goal; empty if none was stated.
    pub goal: String,
    /// All goals, including the first one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub goals: Vec<String>,
    /// The problem that people have today.
    pub problem_statement: ProblemStatement,
    /// The users of the feature.
    pub users: Vec<String>,
    /// The steps of users.
    pub flows: Vec<String>,
    /// Rules, limits and decisions that no requirement states completely.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub constraints: Vec<String>,
    /// The approved functional requirements.
    pub functional_requirements: Vec<PrdRequirement>,
    /// The approved quality requirements.
    pub non_functional_requirements: Vec<PrdRequirement>,
    /// The parts that are built and those that are left out.
    pub scope: PrdScope,
    /// The criteria for success.
    pub success_criteria: SuccessCriteria,
    /// The open and answered questions.
    pub questions: Vec<PrdQuestion>,
    /// Contradictions between sources that a person decided; each is also in the list of questions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub settled_conflicts: Vec<SettledConflict>,
    /// Points that were left open on purpose: kept gaps, and undecided requirements.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub known_gaps: Vec<String>,
    /// The decisions of people on single gaps.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub gap_decisions: Vec<DecidedGap>,
    /// The change log: versions with their reasons, changes made in reviews, rejected requirements, and overrides.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub change_log: Vec<String>,
    /// Parts of the approved document that do not fit into another field, verbatim: sections that people added, and
    /// sections that they rewrote so that only a part can be read as data.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub other_sections: Vec<OtherSection>,
    /// The number of requirements.
    pub requirements_count: usize,
    /// The criteria, technical requirements and stories of each requirement.
    pub traceability_table_rows: Vec<TraceabilityRow>,
}

impl PrdDocument {
    /// Returns all requirements, the functional ones first.
    pub(crate) fn requirements(&self) -> impl Iterator<Item = &PrdRequirement> {
        self.functional_requirements.iter().chain(&self.non_functional_requirements)
    }
}

/// Builds the PRD as data, with only the content of the sources.
pub(crate) fn prd_document(input: &PrdInput<'_>) -> PrdDocument {
    let brief = input.brief;
    let waiting = input.waiting();
    let waits = |requirement: &Requirement| questions_of(&waiting, &requirement.id);
    let requirements: Vec<PrdRequirement> = input
        .included()
        .map(|(requirement, notes)| PrdRequirement { waits_for: waits(requirement), ..shown(requirement, notes) })
        .collect();
    let requirements_count = requirements.len();
    let in_scope = requirements.iter().map(|requirement| requirement.title.clone()).collect();
    let verification = requirements.iter().flat_map(|requirement| requirement.acceptance_criteria.clone()).collect();
    let (quality, functional): (Vec<_>, Vec<_>) =
        requirements.into_iter().partition(|requirement| requirement.id.is_quality());
    let goals = || brief.goals.iter().filter(|goal| !input.leaves_out(goal));
    PrdDocument {
        frontmatter: frontmatter(input),
        document_status: input.status.clone(),
        original_user_utterance: input.utterance.to_owned(),
        executive_summary: texts(brief.problem.iter().take(2).chain(goals().take(2))).join(" "),
        goal: goals().next().map(|goal| goal.text.clone()).unwrap_or_default(),
        goals: texts(goals()),
        problem_statement: ProblemStatement {
            current_state: brief.problem.first().map(|problem| problem.text.clone()).unwrap_or_default(),
            pain_points: texts(brief.problem.iter()),
        },
        users: texts(brief.users.iter()),
        flows: texts(brief.flows.iter().filter(|flow| !input.leaves_out(flow))),
        constraints: texts(brief.constraints.iter().filter(|rule| !input.leaves_out(rule) && !input.requires(rule))),
        scope: PrdScope { in_scope, out_of_scope: input.out_of_scope() },
        success_criteria: SuccessCriteria {
            technical: quality.iter().map(|requirement| requirement.requirement.clone()).collect(),
            verification,
            metrics: texts(brief.success_measures.iter()),
        },
        functional_requirements: functional,
        non_functional_requirements: quality,
        questions: brief.open_questions.iter().map(|question| PrdQuestion::waited_for(question, &waiting)).collect(),
        settled_conflicts: settled_conflicts(&brief.open_questions),
        known_gaps: input.left_open(),
        gap_decisions: input.gap_decisions.to_vec(),
        change_log: Vec::new(),
        other_sections: Vec::new(),
        requirements_count,
        traceability_table_rows: input.traceability(),
    }
}

/// Returns the contradictions among these questions that a person has decided.
pub(crate) fn settled_conflicts(questions: &[OpenQuestion]) -> Vec<SettledConflict> {
    let settled = |question: &OpenQuestion| SettledConflict {
        question: question.question.clone(),
        was: question.source.iter().chain(&question.against).cloned().collect(),
        now: question.answer.clone().unwrap_or_default(),
    };
    questions.iter().filter(|question| question.settles_a_conflict()).map(settled).collect()
}

fn frontmatter(input: &PrdInput<'_>) -> PrdFrontmatter {
    PrdFrontmatter {
        project_id: input.project_id.map(str::to_owned),
        feature_id: input.feature_id.clone(),
        title: input.brief.title.clone(),
        version: input.version(),
        status: input.status.status,
        updated: input.status.last_modified.clone(),
        owner: input.status.author.clone(),
    }
}

pub(super) fn shown(requirement: &Requirement, notes: Option<&str>) -> PrdRequirement {
    PrdRequirement {
        id: requirement.id.clone(),
        title: requirement.title.clone(),
        requirement: requirement.description.clone(),
        priority: priority_name(requirement.priority).to_owned(),
        category: requirement.category.clone(),
        acceptance_criteria: requirement.own_criteria().cloned().collect(),
        waits_for: requirement.waits_for.clone(),
        modification_notes: notes.map(str::to_owned),
        sources: requirement.sources.clone(),
    }
}

fn texts<'s>(statements: impl Iterator<Item = &'s Statement>) -> Vec<String> {
    statements.map(|statement| statement.text.clone()).collect()
}

#[cfg(test)]
mod tests {
    use super::is_project_key;

    #[test]
    fn a_project_key_is_that_of_a_tracker_or_has_a_number() {
        for key in ["SHOP", "MSM-008", "MSM008", "AB", "X1-042"] {
            assert!(is_project_key(key), "{key}");
        }
        for key in
            ["", "A", "shop", "SHOP-", "SHOP-01a", "MSM-08", "SHOP-1-2", "1SHOP", "SHOP: x", "VERYLONGNAME", "SH\nOP"]
        {
            assert!(!is_project_key(key), "{key}");
        }
    }
}
