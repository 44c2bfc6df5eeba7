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
    /// The person, the need and the benefit, or the fault; empty if the text does not say. The structure check requires
    /// 20 columns.
    #[garde(skip)]
    pub user_story: String,
    /// Conditions of acceptance; for a bug, the behaviour that must be seen once it is fixed. The structure check counts them.
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
    /// The place of the title.
    pub title: Option<Span>,
    /// The places of the story; several if person, need and benefit are in different places.
    pub user_story: Vec<Span>,
    /// One span per acceptance criterion.
    pub acceptance_criteria: Vec<Span>,
    /// One span per edge case.
    pub edge_cases: Vec<Span>,
    /// One span per resource.
    pub resources: Vec<Span>,
}

/// The form in which a criterion was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum CriterionForm {
    /// An item of a list under a heading that says criteria.
    ListItem,
    /// A scenario of Given, When and Then.
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
    /// The place of the criterion.
    pub span: Span,
    /// The form in which it is written.
    pub form: CriterionForm,
    /// It names an observable outcome.
    pub verifiable: bool,
    /// It is about an error, a limit or a refusal rather than the happy path.
    pub negative: bool,
}

/// Something the author has left open.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct OpenPoint {
    /// The place of the open point.
    pub span: Span,
    /// Work cannot start before it is answered; false for a trifle or if a default is agreed.
    pub core: bool,
    /// The name of the person or team who answers it, if the text says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub owner: Option<Span>,
}

/// A numbered or headed requirement of a document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Requirement {
    /// The id as written, e.g. `FR-001` or `3.2`; `None` if it has only a heading.
    pub id: Option<String>,
    /// The place: heading or id together with the text.
    pub span: Span,
    /// It or the criteria below it name an observable outcome.
    pub verifiable: bool,
}

/// The statements of the text that rules and rubrics count as evidence. None of them is invented.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Facets {
    /// The person who needs it.
    pub actor: Option<Span>,
    /// The need of that person.
    pub need: Option<Span>,
    /// The benefit of the work.
    pub benefit: Option<Span>,
    /// Conditions under which the work is accepted.
    pub criteria: Vec<Criterion>,
    /// Limits, errors and exceptions, inside criteria or apart.
    pub edge_cases: Vec<Span>,
    /// Steps to reproduce that a reader can follow.
    pub steps: Vec<Span>,
    /// Statements of the expected behaviour.
    pub expected: Vec<Span>,
    /// Statements of the actual behaviour.
    pub actual: Vec<Span>,
    /// Versions, devices, browsers, settings.
    pub environment: Vec<Span>,
    /// Links, tickets, documents, designs, services.
    pub resources: Vec<Span>,
    /// Points that the author left open.
    pub open_points: Vec<OpenPoint>,
    /// Decisions of a meeting that were not withdrawn.
    pub decisions: Vec<Span>,
    /// Numbered or headed requirements of a document.
    pub requirements: Vec<Requirement>,
    /// Goals of the document.
    pub goals: Vec<Span>,
    /// Topics that the document excludes on purpose.
    pub out_of_scope: Vec<Span>,
    /// Measures by which success is judged.
    pub metrics: Vec<Span>,
    /// The signs for and against each facet, from `rubrics/facets/`; empty until they are weighed.
    #[serde(default)]
    pub evidence: Vec<FacetEvidence>,
}

/// A part that a draft lacks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DraftGap {
    /// A title of the work.
    Title,
    /// A statement of the need and the person who has it.
    Need,
    /// A statement of the fault, in a bug report.
    Fault,
    /// A condition under which the work is accepted.
    Criteria,
    /// A statement of the expected behaviour, in a bug report.
    Expected,
}

/// The result of structuring a text.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Structured {
    /// The draft; `None` if the text has no part of one, or if the policy accepts no holes: a structuring failure.
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
