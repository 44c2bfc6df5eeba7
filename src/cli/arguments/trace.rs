//! Arguments of `reqgate trace`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

#[derive(Debug, Args)]
pub struct TraceArguments {
    /// Directory of a feature (requirements.md, else prd.md), or any document whose requirements have ids
    #[arg(value_name = "DIR|FILE")]
    pub path: PathBuf,
    /// Files that are tests, from the root of the repository; repeatable [default: by custom, e.g. tests/**, *_test.*]
    #[arg(long, value_name = "GLOB", help_heading = "Search")]
    pub tests: Vec<String>,
    /// Files that are code; repeatable [default: every other file that is not a document]
    #[arg(long, value_name = "GLOB", help_heading = "Search")]
    pub code: Vec<String>,
    /// Commits whose messages are searched, e.g. main..HEAD [default: the newest 10000]
    #[arg(long, value_name = "RANGE", help_heading = "Search")]
    pub commits: Option<String>,
    /// Do not search commit messages
    #[arg(long, conflicts_with = "commits", help_heading = "Search")]
    pub no_commits: bool,
    /// Exit with 1 if an approved requirement is not mentioned there; repeatable
    #[arg(long, value_name = "WHERE")]
    pub require: Vec<TraceRequire>,
    /// Format on standard output
    #[arg(long, value_name = "FORMAT", default_value = "human", ignore_case = true)]
    pub format: TraceFormat,
    /// Show every place
    #[arg(long, short)]
    pub verbose: bool,
}

/// A kind of mention that can be required.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum TraceRequire {
    /// In a test
    Tests,
    /// In code
    Code,
    /// In a commit message
    Commits,
}

/// The format of a trace.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum TraceFormat {
    /// For people at a terminal
    Human,
    /// For comments
    Markdown,
    /// For programs: reqgate/trace/v1
    Json,
    /// One page for a browser
    Html,
}

pub(super) const TRACE_EXAMPLES: &str = "\
Examples:
  reqgate trace docs/prd/004-export-orders                  a table of every requirement
  reqgate trace docs/prd/004-export-orders --require tests  exit 1 if an approved one is in no test
  reqgate trace prd.md --tests 'checks/**' --code 'lib/**'  other folders
  reqgate trace prd.md --commits v1.2..HEAD --verbose       commits since a release, every place

FR-001 is also found as fr_001, FR001 and @FR-001, and never in FR-0010.";

pub(super) const TRACE_CODES: &str = "\
Exit codes:
  0  nothing that was required is missing
  1  an approved requirement is not mentioned where --require wants it
  2  wrong usage, a document that cannot be read or has no ids, or --require commits without commits";
