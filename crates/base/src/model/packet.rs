//! The validated input of a run: the author's text and its known properties.

use garde::Validate;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Language, OtherLanguage, Span};

/// The kind of document that the text came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[allow(non_camel_case_types, reason = "the names are the wire names")]
#[serde(rename_all = "PascalCase")]
pub enum SourceType {
    /// A Jira issue, in wiki markup or converted from Atlassian Document Format.
    #[serde(rename = "Jira_Ticket")]
    JiraTicket,
    /// A product requirements document.
    #[serde(rename = "PRD_Doc")]
    PrdDoc,
    /// Minutes or a transcript with speakers.
    #[serde(rename = "Meeting_Transcript")]
    MeetingTranscript,
    /// A GitHub issue: a title and a Markdown body.
    #[serde(rename = "GitHub_Issue")]
    GitHubIssue,
    /// Text of any other source.
    #[serde(rename = "Plain_Text")]
    PlainText,
}

impl SourceType {
    /// Every kind of source.
    pub const ALL: [Self; 5] =
        [Self::JiraTicket, Self::PrdDoc, Self::MeetingTranscript, Self::GitHubIssue, Self::PlainText];
}

crate::named! {
    /// The type of a ticket. Only features and bugs are requirements; a task or a question is not judged.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
    pub enum TicketType {
        /// New or changed behaviour.
        Feature => "Feature",
        /// Behaviour that is not as it should be.
        Bug => "Bug",
        /// A chore: an upgrade, a clean-up, a release step.
        Task => "Task",
        /// A request for information.
        Question => "Question",
        /// Several wishes at once, minutes, or an idea that is put up for discussion.
        Discussion => "Discussion",
        /// A brief or a file of requirements that belongs to a feature, whose PRD is judged.
        #[serde(alias = "FeaturePart")]
        FeaturePart => "Feature_Part",
    }
}

/// The urgency of a ticket (high/medium/low and must/should/could are other spellings).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub enum Priority {
    /// Urgent; also high, must.
    P0,
    /// Normal; also medium, should.
    P1,
    /// Less urgent; also low, could.
    P2,
}

/// The origin of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Origin {
    /// Given on the command line, in the front matter or by the ticket system.
    Stated,
    /// Read from the text.
    Detected,
}

/// A value and its origin.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub struct Detected<T> {
    /// The known value.
    pub value: T,
    /// The origin: stated or detected.
    pub origin: Origin,
}

impl<T> Detected<T> {
    /// Makes a value that the user or the ticket system stated.
    pub fn stated(value: T) -> Self {
        Self { value, origin: Origin::Stated }
    }

    /// Makes a value that was detected in the text.
    pub fn read_off(value: T) -> Self {
        Self { value, origin: Origin::Detected }
    }
}

/// A file that came with the ticket; only its name is known.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Attachment {
    /// File name or address as the ticket gives it.
    pub name: String,
}

/// The validated, normalised input: validation *is* the normalisation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, Validate)]
pub struct RequirementPacket {
    /// The text that every span points into; at least 10 characters, where a Chinese character counts two.
    #[garde(custom(at_least_ten_characters))]
    pub raw_text: String,
    /// The number or key by which people call it: `#12` on GitHub, `PAY-3` in Jira.
    #[garde(skip)]
    #[serde(default)]
    pub id: Option<String>,
    /// Its address for people.
    #[garde(skip)]
    #[serde(default)]
    pub url: Option<String>,
    /// The place of the title in `raw_text`, if the source has it separate from the body.
    #[garde(skip)]
    pub title_span: Option<Span>,
    /// The kind of document that the text came from.
    #[garde(skip)]
    pub source_type: Detected<SourceType>,
    /// The type of the ticket.
    #[garde(skip)]
    pub ticket_type: Detected<TicketType>,
    /// The main language of the text.
    #[garde(skip)]
    pub language: Detected<Language>,
    /// The language of the text if it is another than the rules read; `language` is then English.
    #[garde(skip)]
    #[serde(default)]
    pub other_language: Option<Detected<OtherLanguage>>,
    /// Key of the project, two to five capital letters.
    #[garde(inner(custom(is_project_key)))]
    #[schemars(inner(regex(pattern = r"^[A-Z]{2,5}$")))]
    pub project_key: Option<String>,
    /// Urgency, if it is given.
    #[garde(skip)]
    pub priority: Option<Priority>,
    /// Labels of the ticket, as given.
    #[garde(skip)]
    pub labels: Vec<String>,
    /// Names of attached files.
    #[garde(skip)]
    pub attachments: Vec<Attachment>,
}

fn is_project_key(key: &str, _: &()) -> garde::Result {
    if (2..=5).contains(&key.len()) && key.bytes().all(|byte| byte.is_ascii_uppercase()) {
        return Ok(());
    }
    Err(garde::Error::new("the key of a project is two to five capital letters"))
}

fn at_least_ten_characters(text: &str, _: &()) -> garde::Result {
    // The guardrail counts the same way: a Chinese character holds as much information as two Latin ones.
    let width = unicode_width::UnicodeWidthStr::width(text.trim());
    let visible = text.chars().filter(|c| !c.is_whitespace()).take(10).count();
    if width.max(visible) < 10 {
        return Err(garde::Error::new(format!(
            "only {width} characters of text: at least 10 are needed to judge anything"
        )));
    }
    Ok(())
}
