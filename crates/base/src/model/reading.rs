//! The terms for describing a text: language, role of a section, genre of a sentence.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The role of a section of a ticket, according to its heading.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum SectionRole {
    /// No heading, or one that says nothing about the role.
    Body,
    /// The name of the ticket.
    Title,
    /// The user story itself.
    Story,
    /// The request: description, feature, solution, scope of the change.
    Demand,
    /// Why: background, motivation, value, problem statement.
    Rationale,
    /// Conditions under which the work is accepted.
    AcceptanceCriteria,
    /// Functional requirements or rules of a document.
    Requirements,
    /// Quality requirements: performance, security, availability.
    NonFunctional,
    /// Limits, errors, exceptions.
    EdgeCases,
    /// Steps to reproduce.
    Steps,
    /// The expected behaviour.
    Expected,
    /// The actual behaviour.
    Actual,
    /// The environment: versions, devices, browsers, data.
    Environment,
    /// Logs, screenshots, traces.
    Evidence,
    /// Links, dependencies, related tickets, designs.
    Resources,
    /// Work that is not covered.
    OutOfScope,
    /// Work that is covered, as a list of areas.
    Scope,
    /// Questions not yet answered.
    OpenQuestions,
    /// Decisions of a meeting.
    Decisions,
    /// Tasks with people and dates.
    Actions,
    /// Goals of a document.
    Goals,
    /// Measures of success.
    Metrics,
    /// The users.
    Audience,
    /// Risks of the project.
    Risks,
    /// When it will be done.
    Timeline,
    /// The implementation.
    Implementation,
    /// Other ways that were considered.
    Alternatives,
    /// Attendees, date, agenda and the like of a meeting; owner, status and the like of a document.
    Metadata,
    /// Other remarks.
    Notes,
}

/// The kind of a sentence; a rule states which genres it reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Genre {
    /// The title of the ticket.
    Title,
    /// A heading inside the ticket.
    Heading,
    /// "As a … I want … so that …" in any words.
    UserStory,
    /// A condition of acceptance.
    AcceptanceCriterion,
    /// A sentence with shall, must, 应, 必须 outside a list of criteria, or a numbered requirement.
    ShallStatement,
    /// A line of Gherkin: Given, When, Then and their Chinese forms.
    GherkinStep,
    /// A step to reproduce.
    BugStep,
    /// The expected behaviour (bug).
    ExpectedBehaviour,
    /// The actual behaviour (bug).
    ActualBehaviour,
    /// Versions, devices, settings.
    Environment,
    /// A request in prose outside the above.
    Demand,
    /// The reason for a request; background.
    Rationale,
    /// A question.
    Question,
    /// A statement made in a meeting.
    Speech,
    /// Fenced or indented code, logs, stack traces.
    Code,
    /// Words quoted from somewhere else.
    Quotation,
    /// Greetings, signatures, metadata, links.
    Aside,
    /// Other prose.
    Prose,
}

impl Genre {
    /// Every value.
    pub const ALL: [Self; 18] = [
        Self::Title,
        Self::Heading,
        Self::UserStory,
        Self::AcceptanceCriterion,
        Self::ShallStatement,
        Self::GherkinStep,
        Self::BugStep,
        Self::ExpectedBehaviour,
        Self::ActualBehaviour,
        Self::Environment,
        Self::Demand,
        Self::Rationale,
        Self::Question,
        Self::Speech,
        Self::Code,
        Self::Quotation,
        Self::Aside,
        Self::Prose,
    ];
}
