//! The structured draft of a requirement, with the source words of each part.

use garde::Validate;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{FacetEvidence, Span};

/// The structured form of a requirement; every text in it occurs word for word in the input.
///
/// This type is lenient: a part that the text does not have is empty. The structure check is strict.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, Validate)]
pub struct PrdDraft {
    /// The name of the requirement; empty if there is none. The structure check requires 10–200 columns.
    #[garde(skip)]
    pub title: String,
    /// Who wants what and why, or what goes wrong; empty if the text does not say. The structure check requires 20
    /// columns.
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
    /// Information that an engineer or a tester would miss.
    #[garde(skip)]
    pub missing_info: Vec<String>,
    /// At most five questions to the author, the most valuable first.
    #[garde(length(max = 5))]
    pub clarification_questions: Vec<String>,
}

/// The place of each extracted item of a draft, in the order of the draft.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Grounding {
    /// The title.
    pub title: Option<Span>,
    /// The story; several spans if who, what and why are in different places.
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
    /// The place.
    pub span: Span,
    /// The form in which it is written.
    pub form: CriterionForm,
    /// True if it names an outcome that somebody can observe.
    pub verifiable: bool,
    /// True if it is about an error, a limit or a refusal rather than the happy path.
    pub negative: bool,
}

/// Something the author has left open.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct OpenPoint {
    /// The place.
    pub span: Span,
    /// True if work cannot start before it is answered; false for a trifle or where a default is agreed.
    pub core: bool,
}

/// A numbered or headed requirement of a document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Requirement {
    /// The id as written, e.g. `FR-001` or `3.2`; `None` if it has only a heading.
    pub id: Option<String>,
    /// The place: heading or id together with the text.
    pub span: Span,
    /// True if it or the criteria below it name an outcome that somebody can observe.
    pub verifiable: bool,
}

/// The statements of the text that rules and rubrics count as evidence. Nothing here is invented.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Facets {
    /// The person who needs it.
    pub actor: Option<Span>,
    /// The need.
    pub need: Option<Span>,
    /// The benefit.
    pub benefit: Option<Span>,
    /// Conditions of acceptance.
    pub criteria: Vec<Criterion>,
    /// Limits, errors and exceptions, inside criteria or apart.
    pub edge_cases: Vec<Span>,
    /// Steps to reproduce that somebody can follow.
    pub steps: Vec<Span>,
    /// The expected behaviour.
    pub expected: Vec<Span>,
    /// The actual behaviour.
    pub actual: Vec<Span>,
    /// Versions, devices, browsers, settings.
    pub environment: Vec<Span>,
    /// Links, tickets, documents, designs, services.
    pub resources: Vec<Span>,
    /// Points left open.
    pub open_points: Vec<OpenPoint>,
    /// Decisions of a meeting that were not withdrawn.
    pub decisions: Vec<Span>,
    /// Numbered or headed requirements of a document.
    pub requirements: Vec<Requirement>,
    /// Goals of the document.
    pub goals: Vec<Span>,
    /// Topics that the document excludes on purpose.
    pub out_of_scope: Vec<Span>,
    /// Measures of success.
    pub metrics: Vec<Span>,
    /// The signs for and against each facet, from `rubrics/facets/`; empty until they are weighed.
    #[serde(default)]
    pub evidence: Vec<FacetEvidence>,
}

/// A part that a draft lacks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DraftGap {
    /// The title.
    Title,
    /// A statement of who needs what.
    Need,
    /// A statement of what goes wrong, in a bug report.
    Fault,
    /// An acceptance criterion.
    Criteria,
    /// A statement of what should happen instead, in a bug report.
    Expected,
}

/// The result of structuring a text.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Structured {
    /// The draft; `None` if there is nothing to put into it, or if the policy accepts no holes: a structuring failure.
    pub draft: Option<PrdDraft>,
    /// The places of the draft's items.
    pub grounding: Grounding,
    /// The evidence, present even without a draft.
    pub facets: Facets,
    /// The gaps of the draft.
    pub failures: Vec<DraftGap>,
}

impl Structured {
    /// The same, without the draft if a part of it is missing; for a policy that accepts no gaps.
    #[must_use]
    pub fn whole_or_nothing(self) -> Self {
        if self.failures.is_empty() { self } else { Self { draft: None, ..self } }
    }
}

impl Facets {
    /// The signs for and against a facet; `None` if the facet is not looked for in this kind of document.
    pub fn evidence_of(&self, facet: &str) -> Option<&FacetEvidence> {
        self.evidence.iter().find(|evidence| evidence.facet == facet)
    }
}
