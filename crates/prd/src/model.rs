//! The documents of a feature: its brief, and its requirements with the decision on each.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::ids::{QuestionId, RequirementId};
use reqgate_base::model::Language;
use reqgate_messages as messages;
use reqgate_text::answer::Assignment;

/// Words of a source that a statement was taken from, so that everything in a document can be traced.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SourceQuote {
    /// The source: `utterance`, the path of a file, an answered question (`ask:…`).
    pub source: String,
    /// The line of the source, from 1.
    #[schemars(range(min = 1))]
    pub line: u32,
    /// Its words, as they are in the source.
    pub quote: String,
}

/// One statement of a brief and where it comes from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Statement {
    /// The statement, in one sentence.
    pub text: String,
    /// Its source; absent for a statement that a person wrote into the document.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<SourceQuote>,
    /// Other places that say the same.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub further_sources: Vec<SourceQuote>,
}

impl Statement {
    /// Creates a statement with its source.
    pub fn new(text: impl Into<String>, source: Option<SourceQuote>) -> Self {
        Self { text: text.into(), source, further_sources: Vec::new() }
    }

    /// Returns all locations of the statement.
    pub(crate) fn sources(&self) -> impl Iterator<Item = &SourceQuote> {
        self.source.iter().chain(&self.further_sources)
    }
}

/// A blank that somebody has to fill: shown in the document, and asked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OpenQuestion {
    /// Its id; a new question gets the next one when the brief is written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<QuestionId>,
    /// The unknown, as a question to a person.
    pub question: String,
    /// The words that raise it; absent where nothing was said at all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<SourceQuote>,
    /// Other places that raise it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub further_sources: Vec<SourceQuote>,
    /// The place that contradicts the first one, where the question asks which of the two holds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub against: Option<SourceQuote>,
    /// Who answers it, in the words of a source or a person; absent where nobody is named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub owner: Option<String>,
    /// The day until which it is answered, in the words of a source or a person.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub due: Option<String>,
    /// The default that holds as long as nobody answers, in the words of a source or a person.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub default: Option<String>,
    /// The answer, once there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<String>,
}

impl OpenQuestion {
    /// Creates a question without an answer.
    pub fn new(question: impl Into<String>, source: Option<SourceQuote>) -> Self {
        Self {
            id: None,
            question: question.into(),
            source,
            further_sources: Vec::new(),
            against: None,
            owner: None,
            due: None,
            default: None,
            answer: None,
        }
    }

    /// Gives the next free ids to the questions without one, and to those that repeat the id of an earlier question.
    pub(crate) fn number(questions: &mut [Self]) {
        let mut seen = std::collections::BTreeSet::new();
        for question in &mut *questions {
            question.id = question.id.filter(|id| seen.insert(*id));
        }
        // A number that cannot grow any more leaves the lower ones.
        let first = seen.last().map_or(1, |id| id.number() + 1);
        let mut free =
            (first..=QuestionId::HIGHEST).chain(1..first).map(QuestionId::new).filter(|id| !seen.contains(id));
        for question in questions.iter_mut().filter(|question| question.id.is_none()) {
            question.id = free.next();
        }
    }

    /// Sets the owner, the due day and the default; values that the assignment does not have are kept.
    pub(crate) fn assign(&mut self, assignment: Assignment) {
        let Assignment { owner, due, default } = assignment;
        for (field, words) in [(&mut self.owner, owner), (&mut self.due, due), (&mut self.default, default)] {
            *field = words.or(field.take());
        }
    }

    /// Returns all locations of the question, the two that contradict each other first.
    pub(crate) fn sources(&self) -> impl Iterator<Item = &SourceQuote> {
        self.source.iter().chain(&self.against).chain(&self.further_sources)
    }

    /// Returns true for a question that does not block, because a default applies until it is answered.
    pub(crate) fn has_default(&self) -> bool {
        self.answer.is_none() && self.default.as_deref().is_some_and(|words| !words.trim().is_empty())
    }

    /// Returns true for a contradiction between two passages that a person has decided.
    pub(crate) fn settles_a_conflict(&self) -> bool {
        self.answer.is_some() && self.against.is_some()
    }
}

/// The purpose of a feature, before anybody writes requirements.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FeatureBrief {
    /// The name of the feature, in a few words.
    pub title: String,
    /// The language of the document: that of its sources.
    pub language: Language,
    /// The problem: what is wrong or missing today, and for whom.
    #[serde(default)]
    pub problem: Vec<Statement>,
    /// The goals of the feature.
    #[serde(default)]
    pub goals: Vec<Statement>,
    /// The people who use it or are affected.
    #[serde(default)]
    pub users: Vec<Statement>,
    /// What a user does, step by step or in a sentence each.
    #[serde(default)]
    pub flows: Vec<Statement>,
    /// How success will be measured, with values.
    #[serde(default)]
    pub success_measures: Vec<Statement>,
    /// Rules, limits and decisions that already hold.
    #[serde(default)]
    pub constraints: Vec<Statement>,
    /// What is out of scope.
    #[serde(default)]
    pub out_of_scope: Vec<Statement>,
    /// What is not known yet.
    #[serde(default)]
    pub open_questions: Vec<OpenQuestion>,
    /// Text of people that fits none of the above, kept unchanged.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub other_sections: Vec<OtherSection>,
}

/// A part of a document that the program has no name for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OtherSection {
    /// Its heading; empty for the text between the title and the first heading.
    pub heading: String,
    /// The text below it, unchanged, without the empty lines around it.
    pub text: String,
}

impl FeatureBrief {
    /// Creates an empty brief.
    pub fn new(title: impl Into<String>, language: Language) -> Self {
        Self {
            title: title.into(),
            language,
            problem: Vec::new(),
            goals: Vec::new(),
            users: Vec::new(),
            flows: Vec::new(),
            success_measures: Vec::new(),
            constraints: Vec::new(),
            out_of_scope: Vec::new(),
            open_questions: Vec::new(),
            other_sections: Vec::new(),
        }
    }
}

/// The priority of a requirement. One scale for the three spellings in use: high/medium/low, MoSCoW, P0 to P3.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum RequirementPriority {
    /// P0, must.
    #[serde(alias = "P0", alias = "must", alias = "must_have")]
    High,
    /// P1, should.
    #[serde(alias = "P1", alias = "should", alias = "should_have")]
    Medium,
    /// P2, could.
    #[serde(alias = "P2", alias = "could", alias = "could_have")]
    Low,
    /// P3, will not be built this time.
    #[serde(alias = "P3", alias = "won't", alias = "wont", alias = "wont_have")]
    Wont,
    /// Nobody has given one.
    #[default]
    #[serde(alias = "TBD")]
    Unset,
}

/// One requirement.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Requirement {
    /// Its id.
    pub id: RequirementId,
    /// Its name, in a few words.
    pub title: String,
    /// What the product shall do or be, in whole sentences.
    pub description: String,
    /// The priority; left out where no source gives one.
    #[serde(default)]
    pub priority: RequirementPriority,
    /// The area of the product, or the quality of ISO 25010.
    pub category: String,
    /// How somebody can check that it is met.
    #[serde(default)]
    pub acceptance_criteria: Vec<String>,
    /// The sources.
    #[serde(default)]
    pub sources: Vec<SourceQuote>,
    /// Ids it had elsewhere (`REQ-12`), kept so that references stay readable.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub aliases: Vec<String>,
    /// User stories that carry it out, where they exist.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub user_stories: Vec<String>,
    /// The ids of the open questions whose answers it needs: `Q-001`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub waits_for: Vec<QuestionId>,
}

impl Requirement {
    /// A requirement without further values.
    pub(crate) fn new(id: RequirementId, title: String, description: String) -> Self {
        Self {
            id,
            title,
            description,
            priority: RequirementPriority::Unset,
            category: String::new(),
            acceptance_criteria: Vec::new(),
            sources: Vec::new(),
            aliases: Vec::new(),
            user_stories: Vec::new(),
            waits_for: Vec::new(),
        }
    }

    /// The open questions that it waits for, in words; `None` if there are none.
    pub fn waits_in_words(&self, language: Language) -> Option<String> {
        let ids: Vec<String> = self.waits_for.iter().map(ToString::to_string).collect();
        (!ids.is_empty()).then(|| messages::Ask::of(language).waits_for(&ids.join(", ")))
    }

    /// The criteria that say more than the requirement itself: only these are shown, counted and exported.
    pub(crate) fn own_criteria(&self) -> impl Iterator<Item = &String> {
        self.acceptance_criteria.iter().filter(|criterion| **criterion != self.description)
    }
}

/// The decision on a requirement.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "verdict", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Decided {
    /// The requirement is not decided yet.
    Pending,
    /// The requirement is approved as it is.
    Approved,
    /// The requirement is approved with changes, which are in its text.
    Modified {
        /// The change and its reason.
        notes: String,
    },
    /// The requirement is rejected.
    Rejected {
        /// The reason for the rejection.
        reason: String,
    },
    /// The requirement is wanted, but not in this feature.
    OutOfScope {
        /// The reason why it is out of scope.
        reason: String,
    },
}

/// The record of one review of the requirements.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ReviewRecord {
    /// The time, by RFC 3339 in UTC.
    pub timestamp: String,
    /// The name of the reviewer.
    pub actor: String,
    /// A summary of the decisions, in one sentence.
    pub summary: String,
    /// The ids of the approved requirements.
    #[serde(default)]
    pub approved_ids: Vec<RequirementId>,
    /// The ids of the requirements that were rejected or put out of scope.
    #[serde(default)]
    pub rejected_ids: Vec<RequirementId>,
    /// The ids of the modified requirements.
    #[serde(default)]
    pub modified_ids: Vec<RequirementId>,
}

/// The status of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum DocumentStatus {
    /// Being written.
    Draft,
    /// Waiting for a review.
    InReview,
    /// Approved; “finalized” in older documents.
    #[serde(alias = "finalized")]
    Approved,
    /// Being built.
    InProgress,
    /// Built.
    Complete,
}
