//! The PRD as data (`prd.json`): the contents of the sources, and blanks where they say nothing.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::prd_input::{PrdInput, PrdStatus, TraceabilityRow, priority_name};
use super::{
    DecidedGap, DocumentStatus, FeatureId, OpenQuestion, OtherSection, Requirement, RequirementId, SourceQuote,
    Statement,
};

/// The front matter of a PRD.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PrdFrontmatter {
    /// The project, where somebody has given it a key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(regex(pattern = "^[A-Z][A-Z0-9]{1,9}(-[0-9]{3})?$"))]
    pub project_id: Option<String>,
    /// The feature.
    pub feature_id: FeatureId,
    /// Its name.
    #[schemars(length(min = 1))]
    pub title: String,
    /// The version of the document.
    #[serde(default = "first_version")]
    pub version: String,
    /// The status.
    pub status: DocumentStatus,
    /// The day of the last change, `YYYY-MM-DD`.
    #[schemars(regex(pattern = "^[0-9]{4}-[0-9]{2}-[0-9]{2}$"))]
    pub updated: String,
    /// The person responsible for it.
    pub owner: String,
}

fn first_version() -> String {
    "1.0".to_owned()
}

/// True for the key of a project: two to ten capital letters and digits, and three digits after a hyphen if it has a number: `SHOP`, `MSM-008`.
/// It goes into the front matter of documents as it is.
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
    /// Its id.
    pub id: RequirementId,
    /// Its name.
    pub title: String,
    /// What the product shall do or be.
    #[schemars(length(min = 1))]
    pub requirement: String,
    /// `P0` to `P3`; absent where nobody has given one.
    #[serde(default, deserialize_with = "stated_priority", skip_serializing_if = "String::is_empty")]
    #[schemars(regex(pattern = "^P[0-3]$"))]
    pub priority: String,
    /// The area of the product, or the quality of ISO 25010.
    pub category: String,
    /// How somebody can check that it is met.
    pub acceptance_criteria: Vec<String>,
    /// The change made in review.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub modification_notes: Option<String>,
    /// The sources.
    pub sources: Vec<SourceQuote>,
}

/// A priority; earlier versions wrote `TBD` where nobody has given one.
fn stated_priority<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let priority = String::deserialize(deserializer)?;
    Ok(if priority == "TBD" { String::new() } else { priority })
}

/// The problem today.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ProblemStatement {
    /// The current state; empty if nobody has described it.
    pub current_state: String,
    /// The pain points.
    pub pain_points: Vec<String>,
}

/// What is built and what is not.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PrdScope {
    /// The titles of the approved requirements.
    pub in_scope: Vec<String>,
    /// What was left out on purpose.
    pub out_of_scope: Vec<String>,
}

/// How success is measured.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SuccessCriteria {
    /// Qualities that have to hold.
    pub technical: Vec<String>,
    /// Criteria that somebody checks.
    pub verification: Vec<String>,
    /// Measures, in the words of the sources.
    pub metrics: Vec<String>,
}

/// A question with its answer, where there is one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PrdQuestion {
    /// The question.
    pub question: String,
    /// The answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<String>,
    /// Who answers it, where a source or a person says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub owner: Option<String>,
    /// The day until which it is answered, in their words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub due: Option<String>,
    /// What holds as long as nobody answers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub default: Option<String>,
    /// Every place that raises it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sources: Vec<SourceQuote>,
}

impl From<&OpenQuestion> for PrdQuestion {
    fn from(open: &OpenQuestion) -> Self {
        Self {
            question: open.question.clone(),
            answer: open.answer.clone(),
            owner: open.owner.clone(),
            due: open.due.clone(),
            default: open.default.clone(),
            sources: open.sources().cloned().collect(),
        }
    }
}

/// Two places that contradicted each other, and the decision of a person.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SettledConflict {
    /// The question that was put.
    pub question: String,
    /// What the places said, at least two.
    pub was: Vec<SourceQuote>,
    /// What holds now.
    pub now: String,
}

/// A PRD as data: the brief and the requirements that were approved.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PrdDocument {
    /// The head.
    pub frontmatter: PrdFrontmatter,
    /// Author, date and status.
    #[serde(alias = "prdDocumentStatus")]
    pub document_status: PrdStatus,
    /// The request for the feature, word for word.
    pub original_user_utterance: String,
    /// Problem and goal in the words of the brief; empty where the brief says neither.
    pub executive_summary: String,
    /// The goal; empty if nobody has stated it.
    pub goal: String,
    /// Every goal, the first one included.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub goals: Vec<String>,
    /// The problem today.
    pub problem_statement: ProblemStatement,
    /// The users.
    pub users: Vec<String>,
    /// The user flows.
    pub flows: Vec<String>,
    /// Rules, limits and decisions that hold and that no requirement says in full.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub constraints: Vec<String>,
    /// The functional requirements.
    pub functional_requirements: Vec<PrdRequirement>,
    /// The quality requirements.
    pub non_functional_requirements: Vec<PrdRequirement>,
    /// What is built and what is not.
    pub scope: PrdScope,
    /// How success is measured.
    pub success_criteria: SuccessCriteria,
    /// Open and answered questions.
    pub questions: Vec<PrdQuestion>,
    /// Contradictions between sources that a person has decided; each is among the questions too.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub settled_conflicts: Vec<SettledConflict>,
    /// What was left open on purpose: gaps that somebody kept, and requirements that nobody has decided on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub known_gaps: Vec<String>,
    /// The decisions of people on single gaps.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub gap_decisions: Vec<DecidedGap>,
    /// The change log: versions with their reasons, changes made in review, what was rejected, what was overridden.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub change_log: Vec<String>,
    /// Parts of the approved document that none of these fields holds as it is, word for word: sections that people added, and
    /// sections that they rewrote so that only a part of them can be read as data.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub other_sections: Vec<OtherSection>,
    /// The number of requirements.
    pub requirements_count: usize,
    /// Which criteria, technical requirements and stories carry out which requirement.
    pub traceability_table_rows: Vec<TraceabilityRow>,
}

impl PrdDocument {
    /// Every requirement, the functional ones first.
    pub fn requirements(&self) -> impl Iterator<Item = &PrdRequirement> {
        self.functional_requirements.iter().chain(&self.non_functional_requirements)
    }
}

/// The PRD as data. Nothing is said that the sources do not say.
pub fn prd_document(input: &PrdInput<'_>) -> PrdDocument {
    let brief = input.brief;
    let requirements: Vec<PrdRequirement> =
        input.included().map(|(requirement, notes)| shown(requirement, notes)).collect();
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
        questions: brief.open_questions.iter().map(PrdQuestion::from).collect(),
        settled_conflicts: settled_conflicts(&brief.open_questions),
        known_gaps: input.left_open(),
        gap_decisions: input.gap_decisions.to_vec(),
        change_log: Vec::new(),
        other_sections: Vec::new(),
        requirements_count,
        traceability_table_rows: input.traceability(),
    }
}

/// The contradictions among these questions that somebody has decided.
pub fn settled_conflicts(questions: &[OpenQuestion]) -> Vec<SettledConflict> {
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

/// A requirement as an entry of the data.
pub(super) fn shown(requirement: &Requirement, notes: Option<&str>) -> PrdRequirement {
    PrdRequirement {
        id: requirement.id.clone(),
        title: requirement.title.clone(),
        requirement: requirement.description.clone(),
        priority: priority_name(requirement.priority).to_owned(),
        category: requirement.category.clone(),
        acceptance_criteria: requirement.own_criteria().cloned().collect(),
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
