//! The words in which the reader of a text describes what it reads: language, section role, genre of a sentence.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A language that the rules speak.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Language {
    /// English, and any other text that is not Chinese.
    En,
    /// Chinese.
    Zh,
}

impl Language {
    /// The wire name: `en` or `zh`.
    pub fn name(self) -> &'static str {
        match self {
            Self::En => "en",
            Self::Zh => "zh",
        }
    }
}

/// What a section of a ticket is for, told by its heading.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum SectionRole {
    /// No heading, or one that says nothing about the role.
    Body,
    /// The name of the ticket.
    Title,
    /// The user story itself.
    Story,
    /// What is asked for: description, feature, solution, scope of the change.
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
    /// What should have happened.
    Expected,
    /// What happened instead.
    Actual,
    /// Where it happened: versions, devices, browsers, data.
    Environment,
    /// Logs, screenshots, traces.
    Evidence,
    /// Links, dependencies, related tickets, designs.
    Resources,
    /// What the work does not cover.
    OutOfScope,
    /// What the work covers, as a list of areas.
    Scope,
    /// Questions not yet answered.
    OpenQuestions,
    /// What a meeting decided.
    Decisions,
    /// Who does what until when.
    Actions,
    /// What a document wants to reach.
    Goals,
    /// How success is measured.
    Metrics,
    /// Who will use it.
    Audience,
    /// What may go wrong with the project.
    Risks,
    /// When it will be done.
    Timeline,
    /// How it is to be built.
    Implementation,
    /// Other ways that were considered.
    Alternatives,
    /// Attendees, date, agenda and the like of a meeting; owner, status and the like of a document.
    Metadata,
    /// Remarks that are none of the above.
    Notes,
}

/// What kind of sentence this is; a rule says which genres it reads.
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
    /// What should have happened (bug).
    ExpectedBehaviour,
    /// What happened (bug).
    ActualBehaviour,
    /// Versions, devices, settings.
    Environment,
    /// What is asked for, in prose outside the above.
    Demand,
    /// Why it is asked for; background.
    Rationale,
    /// A question.
    Question,
    /// What somebody said in a meeting.
    Speech,
    /// Fenced or indented code, logs, stack traces.
    Code,
    /// Words quoted from somewhere else.
    Quotation,
    /// Greetings, signatures, metadata, links.
    Aside,
    /// Prose that is none of the above.
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
