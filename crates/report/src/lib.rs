//! Writes reports on finished outcomes: human, JSON, Markdown, SARIF, JUnit, HTML, one line for each finding, and the formats of GitHub,
//! GitLab, Azure Pipelines and reviewdog.
//!
//! Pure: no network, clock or environment. Reports are streamed: each outcome is written as it comes, so that memory is
//! bounded by the largest document and not by the number of documents. The text of a ticket is hostile: every format
//! removes or escapes its control characters, escape sequences and markup.

mod azure;
pub mod comment;
mod concise;
mod digest;
mod editor;
mod excerpt;
mod found;
mod github;
mod gitlab;
pub mod html;
mod human;
mod jira;
pub mod json;
mod junit;
mod markdown;
mod model_review;
mod place;
mod points;
mod rdjson;
mod records;
mod remarks;
mod sarif;
mod summary;
mod ticket_name;
mod words;

#[cfg(any(test, feature = "samples"))]
#[allow(missing_docs)]
pub mod samples;
#[cfg(test)]
mod tests;

use std::fmt;
use std::io::{self, Write};
use std::str::FromStr;

use schemars::JsonSchema;
use serde::Serialize;

pub use digest::questions;
use digest::secrets;
pub use editor::{EditorRemark, EditorRemarkKind, editor_remarks};
pub use github::workflow_warning;
pub use human::wrapped;
pub use human::{Layout, Row, bar};
pub use jira::{Block as JiraBlock, Inline as JiraInline, JiraDocument, jira_comment};
pub use markdown::escaped as escaped_markdown;
pub use markdown::{summary_markdown, whole_markdown};
pub use points::points;
pub use summary::Summary;

use reqgate_base::model::{Outcome, RuleCard};

/// The format of a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Format {
    /// Text for a person at a terminal.
    #[default]
    Human,
    /// JSON for programs, schema `reqgate/outcome/v1`.
    Json,
    /// Markdown for job summaries and comments.
    Markdown,
    /// SARIF 2.1.0, for code scanning and editors.
    Sarif,
    /// Workflow commands of GitHub Actions, which become annotations.
    Github,
    /// JUnit XML, for test dashboards.
    Junit,
    /// One self-contained HTML page.
    Html,
    /// One line for each finding, for editors and grep.
    Concise,
    /// Code Quality of GitLab.
    Gitlab,
    /// The diagnostic format of reviewdog.
    Rdjson,
    /// Logging commands of Azure Pipelines.
    Azure,
}

/// The error for an unknown name of a format.
#[derive(Debug, thiserror::Error)]
#[error(
    "`{0}` is not a report format: use human, json, markdown, sarif, github, junit, html, concise, gitlab, rdjson or azure"
)]
pub struct UnknownFormat(String);

impl Format {
    /// All formats, in the order of the help.
    pub const ALL: [Self; 11] = [
        Self::Human,
        Self::Json,
        Self::Markdown,
        Self::Sarif,
        Self::Github,
        Self::Junit,
        Self::Html,
        Self::Concise,
        Self::Gitlab,
        Self::Rdjson,
        Self::Azure,
    ];

    /// Returns true for formats whose words are for people: all of them are in the language of the ticket.
    pub fn is_for_people(self) -> bool {
        match self {
            Self::Human | Self::Markdown | Self::Junit | Self::Html => true,
            Self::Json | Self::Sarif | Self::Github | Self::Concise | Self::Gitlab | Self::Rdjson | Self::Azure => {
                false
            }
        }
    }

    /// Returns true for formats that describe the rules, or name their pages.
    pub fn needs_rules(self) -> bool {
        matches!(self, Self::Sarif | Self::Rdjson)
    }

    /// Returns true for formats that people read on a terminal.
    pub fn is_for_terminals(self) -> bool {
        matches!(self, Self::Human | Self::Concise)
    }

    /// The name on the command line, e.g. `sarif`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Human => "human",
            Self::Json => "json",
            Self::Markdown => "markdown",
            Self::Sarif => "sarif",
            Self::Github => "github",
            Self::Junit => "junit",
            Self::Html => "html",
            Self::Concise => "concise",
            Self::Gitlab => "gitlab",
            Self::Rdjson => "rdjson",
            Self::Azure => "azure",
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Format {
    type Err = UnknownFormat;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        Self::ALL.into_iter().find(|format| format.name() == name).ok_or_else(|| UnknownFormat(name.to_owned()))
    }
}

/// The options that a report is written with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReportOptions {
    /// ANSI colours are written (human only).
    pub colour: bool,
    /// The number of columns to fit into (human only); values below 40 count as 40.
    pub width: usize,
    /// A verdict line wider than the columns is broken (human only). Programs that read the line need it whole.
    pub breaks_verdicts: bool,
    /// The report contains the screened text itself (JSON only).
    pub include_text: bool,
    /// The level of detail (human, Markdown, HTML). The formats for programs are always complete.
    pub detail: Detail,
    /// The whole contribution of a model and its use are shown (human, Markdown).
    pub explain_model: bool,
    /// The signs by which each facet was found are shown.
    pub explain: bool,
}

/// The level of detail of a report for people.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Detail {
    /// Inputs that do not pass; no output if everything passes.
    Quiet,
    /// Inputs that do not pass, and the number of inputs by result.
    Failures,
    /// Every verdict, with the most important lines of each.
    #[default]
    Usual,
    /// Passes in full too, with all warnings and the score by dimension.
    Full,
}

impl Detail {
    /// Returns true if passes are not shown one by one.
    fn leaves_out_passes(self) -> bool {
        self < Self::Usual
    }

    /// Returns true if this outcome is not shown. Passes are shown anyway if the text was not judged, if a person
    /// accepted findings, or if the text contains a secret, because every reader of the ticket can use it.
    fn leaves_out(self, outcome: &Outcome) -> bool {
        let decision = &outcome.decision;
        let is_fine = decision.verdict.is_pass()
            && decision.not_judged.is_none()
            && decision.accepted.is_empty()
            && secrets(outcome).is_none();
        self.leaves_out_passes() && is_fine
    }

    /// Returns true if the counts are printed. After a single input that was shown they would repeat it; a run without
    /// other output needs them, unless it was asked to be quiet.
    fn counts(self, summary: &Summary) -> bool {
        match self {
            Self::Quiet => summary.inputs != 1 && !summary.is_pass(),
            Self::Failures => summary.inputs != 1 || summary.is_pass(),
            Self::Usual | Self::Full => summary.inputs != 1,
        }
    }

    fn is_full(self) -> bool {
        self == Self::Full
    }
}

impl Default for ReportOptions {
    fn default() -> Self {
        Self {
            colour: false,
            width: 100,
            breaks_verdicts: true,
            include_text: false,
            detail: Detail::default(),
            explain_model: false,
            explain: false,
        }
    }
}

/// An input that could not be read or judged. It is part of the report, so that every input appears in it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct InputError {
    /// Name of the input, as it was given.
    pub input: String,
    /// The message of the error.
    pub message: String,
}

/// Writes a report input by input.
pub trait Reporter {
    /// Writes one outcome.
    ///
    /// # Errors
    /// Fails if the output cannot be written.
    fn outcome(&mut self, outcome: &Outcome) -> io::Result<()>;

    /// Writes that an input could not be read.
    ///
    /// # Errors
    /// Fails if the output cannot be written.
    fn input_error(&mut self, error: &InputError) -> io::Result<()>;

    /// Writes the end of the report and flushes. It must be the last call.
    ///
    /// # Errors
    /// Fails if the output cannot be written.
    fn finish(&mut self, summary: &Summary) -> io::Result<()>;
}

/// Creates a reporter of the given format and writes the head of the report.
///
/// `rules` are the public descriptions of all rules that may have fired, for formats that [need them](Format::needs_rules).
///
/// # Errors
/// Fails if the output cannot be written.
pub fn reporter<'a>(
    format: Format,
    rules: &'a [RuleCard],
    options: ReportOptions,
    out: Box<dyn Write + 'a>,
) -> io::Result<Box<dyn Reporter + 'a>> {
    Ok(match format {
        Format::Human => Box::new(human::HumanReporter::new(options, out)),
        Format::Json => Box::new(json::JsonReporter::new(options, out)?),
        Format::Markdown => Box::new(markdown::MarkdownReporter::new(options, out)),
        Format::Sarif => Box::new(sarif::SarifReporter::new(rules, out)?),
        Format::Github => Box::new(github::GithubReporter::new(out)),
        Format::Junit => Box::new(junit::JunitReporter::new(out)),
        Format::Html => Box::new(html::HtmlReporter::new(options, out)?),
        Format::Concise => Box::new(concise::ConciseReporter::new(out)),
        Format::Gitlab => Box::new(gitlab::GitlabReporter::new(out)?),
        Format::Rdjson => Box::new(rdjson::RdjsonReporter::new(rules, out)?),
        Format::Azure => Box::new(azure::AzureReporter::new(out)),
    })
}
