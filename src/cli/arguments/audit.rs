//! Arguments of `reqgate audit`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use reqgate::audit::Day;
use reqgate::github::Repository;

use super::JudgingArguments;

#[derive(Debug, Args)]
pub struct AuditArguments {
    /// Saved issues: file, folder or pattern in quotes, or - for standard input
    #[arg(value_name = "EXPORT", required_unless_present = "repo", conflicts_with = "repo")]
    pub exports: Vec<String>,
    /// Repository on GitHub, owner/name; reads GITHUB_API_URL and the token in REQGATE_TOKEN, GITHUB_TOKEN or GH_TOKEN
    #[arg(long, value_name = "OWNER/NAME", help_heading = "GitHub")]
    pub repo: Option<Repository>,
    /// Include closed issues
    #[arg(long, requires = "repo", help_heading = "GitHub")]
    pub closed: bool,
    /// Read at most this many issues, oldest first
    #[arg(long, value_name = "N", default_value = "10000", help_heading = "GitHub")]
    pub max_issues: usize,
    /// Keep progress in this file: an interrupted run resumes there, and later runs fetch only the changes
    #[arg(long, value_name = "FILE", requires = "repo", help_heading = "GitHub")]
    pub state: Option<PathBuf>,
    /// observe always exits with 0; enforce exits with 1 if a ticket created since --since is not ready
    #[arg(long, value_name = "MODE", default_value = "observe", help_heading = "Judging")]
    pub mode: AuditMode,
    /// Tickets created before this day are only observed
    #[arg(long, value_name = "YYYY-MM-DD", help_heading = "Judging")]
    pub since: Option<Day>,
    /// Earlier audit (JSON) to compare with
    #[arg(long, value_name = "FILE", help_heading = "Display")]
    pub previous: Option<PathBuf>,
    /// Format on standard output [default: human on a terminal, else markdown]
    #[arg(long, value_name = "FORMAT", help_heading = "Display")]
    pub format: Option<AuditFormat>,
    /// Also write the audit to a file, e.g. html=audit.html; may be repeated
    #[arg(long, value_name = "FORMAT=FILE", value_parser = audit_file, help_heading = "Display")]
    pub output: Vec<AuditFile>,
    #[command(flatten)]
    pub judging: JudgingArguments,
}

/// The effect of an audit on the exit code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum AuditMode {
    /// Never fail
    Observe,
    /// Fail if a ticket is not ready
    Enforce,
}

/// The format of an audit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum AuditFormat {
    /// For people at a terminal
    Human,
    /// For job summaries and comments
    #[value(alias = "text")]
    Markdown,
    /// For programs: reqgate/audit/v1
    Json,
    /// One self-contained page
    Html,
}

/// An audit that is written to a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditFile {
    pub format: AuditFormat,
    pub path: PathBuf,
}

fn audit_file(text: &str) -> Result<AuditFile, String> {
    let Some((format, path)) = text.split_once('=').filter(|(_, path)| !path.is_empty()) else {
        return Err("write FORMAT=FILE, e.g. html=audit.html".to_owned());
    };
    Ok(AuditFile { format: <AuditFormat as ValueEnum>::from_str(format, true)?, path: PathBuf::from(path) })
}
