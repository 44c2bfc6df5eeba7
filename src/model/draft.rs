//! The structured draft of a requirement and the words each part of it rests on.

use garde::Validate;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{FacetEvidence, Span};

/// The structured form of a requirement; every text in it stands word for word in the input.
///
/// This is the lenient type: a part that the text does not have is empty. The structure check is strict.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, Validate)]
pub struct PrdDraft {
    /// The name of the requirement; empty if there is none. The structure check wants 10–200 columns.
    #[garde(skip)]
    pub title: String,
    /// Who wants what and why, or what goes wrong; empty if nothing says so. The structure check wants 20 columns.
    #[garde(skip)]
    pub user_story: String,
    /// Conditions of acceptance; for a bug, what must be seen once it is fixed. The structure check counts them.
    #[garde(skip)]
    pub acceptance_criteria: Vec<String>,
    /// Limits, errors and exceptions that the text names.
    #[garde(skip)]
    pub edge_cases: Vec<String>,
    /// Addresses, ticket references, documents and dependencies that the text names.
    #[garde(skip)]
    pub resources: Vec<String>,
    /// What an engineer or a tester would miss.
    #[garde(skip)]
    pub missing_info: Vec<String>,
    /// At most five questions to the author, the most valuable first.
    #[garde(length(max = 5))]
    pub clarification_questions: Vec<String>,
}

/// Where each extracted item of a draft stands, in the draft's own order.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Grounding {
    /// The title.
    pub title: Option<Span>,
    /// The story; several spans where who, what and why stand apart.
    pub user_story: Vec<Span>,
    /// One span per acceptance criterion.
    pub acceptance_criteria: Vec<Span>,
    /// One span per edge case.
    pub edge_cases: Vec<Span>,
    /// One span per resource.
    pub resources: Vec<Span>,
}

/// In which form a criterion was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum CriterionForm {
    /// An item of a list under a heading that says criteria.
    ListItem,
    /// A Given/When/Then scenario.
    Scenario,
    /// A row of a table.
    TableRow,
    /// A sentence of prose that states a checkable rule.
    Sentence,
    /// A rule that a meeting decided.
    Decision,
}

/// One condition that a tester can check, or that only looks like one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Criterion {
    /// Where it stands.
    pub span: Span,
    /// How it is written.
    pub form: CriterionForm,
    /// True if it names an outcome that somebody can observe.
    pub verifiable: bool,
    /// True if it speaks of an error, a limit or a refusal rather than of the happy path.
    pub negative: bool,
}

/// Something the author has left open.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct OpenPoint {
    /// Where it stands.
    pub span: Span,
    /// True if work cannot start before it is answered; false for a trifle or where a default is agreed.
    pub core: bool,
}

/// A numbered or headed requirement of a document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Requirement {
    /// Its id as written, e.g. `FR-001` or `3.2`; `None` if it has only a heading.
    pub id: Option<String>,
    /// Where it stands, heading or id and text together.
    pub span: Span,
    /// True if it or the criteria below it name an outcome that somebody can observe.
    pub verifiable: bool,
}

/// What the text says about itself: the evidence that rules and rubrics count. Nothing here is invented.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Facets {
    /// Who needs it.
    pub actor: Option<Span>,
    /// What they need.
    pub need: Option<Span>,
    /// Why they need it.
    pub benefit: Option<Span>,
    /// Conditions of acceptance.
    pub criteria: Vec<Criterion>,
    /// Limits, errors and exceptions, inside criteria or apart.
    pub edge_cases: Vec<Span>,
    /// Steps to reproduce that somebody can follow.
    pub steps: Vec<Span>,
    /// What should have happened.
    pub expected: Vec<Span>,
    /// What happened.
    pub actual: Vec<Span>,
    /// Versions, devices, browsers, settings.
    pub environment: Vec<Span>,
    /// Links, tickets, documents, designs, services.
    pub resources: Vec<Span>,
    /// What was left open.
    pub open_points: Vec<OpenPoint>,
    /// What a meeting decided and did not take back.
    pub decisions: Vec<Span>,
    /// Numbered or headed requirements of a document.
    pub requirements: Vec<Requirement>,
    /// What the document wants to reach.
    pub goals: Vec<Span>,
    /// What the document leaves out on purpose.
    pub out_of_scope: Vec<Span>,
    /// How success is measured.
    pub metrics: Vec<Span>,
    /// What speaks for and against each facet, by the signs of `rubrics/facets/`; empty until it is weighed.
    #[serde(default)]
    pub evidence: Vec<FacetEvidence>,
}

/// A part that a draft lacks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DraftGap {
    /// The title.
    Title,
    /// Who needs what.
    Need,
    /// What goes wrong, in a bug report.
    Fault,
    /// An acceptance criterion.
    Criteria,
    /// What should happen instead, in a bug report.
    Expected,
}

/// What structuring made of a text.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Structured {
    /// The draft; `None` where there is nothing to put in it, or the policy takes no holes: a structuring failure.
    pub draft: Option<PrdDraft>,
    /// Where the draft's items stand.
    pub grounding: Grounding,
    /// The evidence, present even where there is no draft.
    pub facets: Facets,
    /// What the draft lacks.
    pub failures: Vec<DraftGap>,
}

impl Structured {
    /// For a policy that takes no holes: without the draft if a part of it is missing.
    #[must_use]
    pub fn whole_or_nothing(self) -> Self {
        if self.failures.is_empty() { self } else { Self { draft: None, ..self } }
    }
}

impl Facets {
    /// What speaks for and against a facet; `None` if it is not looked for in this kind of document.
    pub fn evidence_of(&self, facet: &str) -> Option<&FacetEvidence> {
        self.evidence.iter().find(|evidence| evidence.facet == facet)
    }
}
