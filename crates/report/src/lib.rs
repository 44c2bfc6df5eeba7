//! Makes reports of finished outcomes: human, JSON, Markdown, SARIF, GitHub annotations, JUnit and HTML.
//!
//! Pure: no network, no clock, no environment. Reports are streamed: each outcome is written as it comes, so that memory
//! is bounded by the largest document and not by the number of documents. Text of the ticket is hostile: no format lets
//! control characters, escape sequences or its own markup through.

pub mod comment;
mod digest;
mod excerpt;
mod found;
mod github;
pub mod html;
mod human;
mod jira;
pub mod json;
mod junit;
mod markdown;
mod model_review;
mod place;
mod points;
mod records;
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
pub use github::workflow_warning;
pub use human::wrapped;
pub use human::{Layout, Row, bar};
pub use jira::{Block as JiraBlock, Inline as JiraInline, JiraDocument, jira_comment};
pub use markdown::escaped as escaped_markdown;
pub use markdown::{summary_markdown, whole_markdown};
pub use points::points;
pub use summary::Summary;

use reqgate_base::model::{Outcome, RuleCard};

/// A form in which a report can be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Format {
    /// For a person at a terminal.
    #[default]
    Human,
    /// For programs: schema `reqgate/outcome/v1`.
    Json,
    /// For job summaries and comments.
    Markdown,
    /// SARIF 2.1.0, for code scanning and editors.
    Sarif,
    /// Workflow commands of GitHub Actions.
    Github,
    /// JUnit XML, for test dashboards.
    Junit,
    /// One self-contained page.
    Html,
}

/// A name that is not a report format.
#[derive(Debug, thiserror::Error)]
#[error("`{0}` is not a report format: use human, json, markdown, sarif, github, junit or html")]
pub struct UnknownFormat(String);

impl Format {
    /// Every value.
    pub const ALL: [Self; 7] =
        [Self::Human, Self::Json, Self::Markdown, Self::Sarif, Self::Github, Self::Junit, Self::Html];

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

/// Options of a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReportOptions {
    /// Write ANSI colours (human only).
    pub colour: bool,
    /// Columns to fit into (human only); values below 40 count as 40.
    pub width: usize,
    /// Break a verdict line that is wider than the columns (human only); a program that reads it wants it whole.
    pub breaks_verdicts: bool,
    /// Put the screened text itself into the report (JSON only).
    pub include_text: bool,
    /// The level of detail (human, Markdown, HTML). The formats for programs are always complete.
    pub detail: Detail,
    /// Show everything that a model said and how it was used (human, Markdown).
    pub explain_model: bool,
    /// Show the signs by which each facet was found.
    pub explain: bool,
}

/// The level of detail of a report for people.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Detail {
    /// Inputs that do not pass; nothing at all if everything passes.
    Quiet,
    /// Inputs that do not pass, and the number of inputs by result.
    Failures,
    /// Every verdict, with the most important lines of each.
    #[default]
    Usual,
    /// Passes in full too, all warnings, the score by dimension.
    Full,
}

impl Detail {
    /// True if passes are not shown one by one.
    fn leaves_out_passes(self) -> bool {
        self < Self::Usual
    }

    /// True if this outcome is not shown. What could not be judged has not passed, and what a person accepted is named;
    /// whoever can read a ticket can use a key in it, however good the ticket is.
    fn leaves_out(self, outcome: &Outcome) -> bool {
        let decision = &outcome.decision;
        let is_fine = decision.verdict.is_pass()
            && decision.not_judged.is_none()
            && decision.accepted.is_empty()
            && secrets(outcome).is_none();
        self.leaves_out_passes() && is_fine
    }

    /// Whether to print the counts. A single input that was shown needs none; otherwise silence would leave people in
    /// doubt, unless they asked for it.
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

/// An input that could not be read or judged; it is part of the report, so that nothing is left out unseen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct InputError {
    /// Name of the input, as it was given.
    pub input: String,
    /// The error.
    pub message: String,
}

/// Writes a report piece by piece.
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

    /// Writes the end of the report and flushes; nothing may be written after it.
    ///
    /// # Errors
    /// Fails if the output cannot be written.
    fn finish(&mut self, summary: &Summary) -> io::Result<()>;
}

/// A reporter of the given format; writes the head of the report at once.
///
/// `rules` are the public faces of all rules that may have fired; SARIF lists them.
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
    })
}
