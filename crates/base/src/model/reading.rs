//! The terms that describe a text: language, role of a section, genre of a sentence.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The role of a section of a ticket, according to its heading.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum SectionRole {
    /// No heading, or one that does not show the role.
    Body,
    /// The name of the ticket.
    Title,
    /// The user story itself.
    Story,
    /// The request: description, feature, solution, scope of the change.
    Demand,
    /// The reason: background, motivation, value, problem statement.
    Rationale,
    /// Conditions under which the work is accepted.
    AcceptanceCriteria,
    /// Functional requirements or rules of a document.
    Requirements,
    /// Quality requirements: performance, security, availability.
    NonFunctional,
    /// Limits, errors, exceptions of the product.
    EdgeCases,
    /// The steps to reproduce a fault.
    Steps,
    /// The behaviour that is expected.
    Expected,
    /// The behaviour that was observed.
    Actual,
    /// The environment: versions, devices, browsers, data.
    Environment,
    /// Evidence of a fault: logs, screenshots, traces.
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
    /// Tasks, with people and dates.
    Actions,
    /// Goals of a document.
    Goals,
    /// Measures of the success of a document.
    Metrics,
    /// The users of the product.
    Audience,
    /// Risks of the project.
    Risks,
    /// Dates and milestones of the work.
    Timeline,
    /// The implementation that is planned.
    Implementation,
    /// Other ways that were considered.
    Alternatives,
    /// Attendees, date, agenda and the like of a meeting; owner, status and the like of a document.
    Metadata,
    /// Other remarks of the author.
    Notes,
}

crate::named! {
    /// The kind of a sentence; a rule states which genres it reads.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
    pub enum Genre {
        /// The title of the ticket.
        Title => "title",
        /// A heading inside the ticket.
        Heading => "heading",
        /// "As a … I want … so that …" in any words.
        UserStory => "user-story",
        /// A condition of acceptance.
        AcceptanceCriterion => "acceptance-criterion",
        /// A sentence with shall, must, 应, 必须 outside a list of criteria, or a numbered requirement.
        ShallStatement => "shall-statement",
        /// A line of Gherkin: Given, When, Then and their Chinese forms.
        GherkinStep => "gherkin-step",
        /// A step to reproduce.
        BugStep => "bug-step",
        /// The expected behaviour (bug).
        ExpectedBehaviour => "expected-behaviour",
        /// The actual behaviour (bug).
        ActualBehaviour => "actual-behaviour",
        /// The environment of a fault: versions, devices, settings.
        Environment => "environment",
        /// A request in prose outside the above.
        Demand => "demand",
        /// The reason for a request; background.
        Rationale => "rationale",
        /// A question of the author.
        Question => "question",
        /// A statement made in a meeting.
        Speech => "speech",
        /// Fenced or indented code, logs, stack traces.
        Code => "code",
        /// Words quoted from somewhere else.
        Quotation => "quotation",
        /// Greetings, signatures, metadata, links.
        Aside => "aside",
        /// Prose of any other kind.
        Prose => "prose",
    }
}
