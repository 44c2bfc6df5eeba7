//! What can be typed: commands, flags and their help.

mod audit;
mod health;
mod jira;
pub mod measuring;
mod teaching;
mod values;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use reqgate::config::Engine;
use reqgate::model::{Language, SourceType, TicketType};
use reqgate::report::Format;

use super::exit;
use measuring::{
    CALIBRATE_EXAMPLES, CalibrateArguments, DISPUTE_CODES, DISPUTE_EXAMPLES, DOCTOR_CODES, DOCTOR_EXAMPLES,
    DisputeArguments, DoctorArguments, EVAL_CODES, EVAL_EXAMPLES, EvalArguments, PLAIN_CODES, RUBRIC_EXAMPLES,
    RubricArguments,
};

use values::{
    amount, certainty, day, engine, format_parser, language, output_file, seconds, source_type, threshold, ticket_type,
};

pub use audit::{AuditArguments, AuditFormat, AuditMode};
pub use health::HealthArguments;
pub use jira::{JiraArguments, JiraCommand, JiraCommentArguments};
pub use teaching::{ConfigArguments, ExplainArguments, InitArguments, SchemaArguments, SchemaOf};

const EXAMPLES: &str = "\
Examples:
  reqgate score ticket.md                       judge one ticket
  reqgate score issue.json --format json        a saved GitHub or Jira issue, for programs
  pbpaste | reqgate score - --type bug          whatever is in the clipboard
  reqgate check docs/prd --baseline known.json  a folder; what was known before does not block
  reqgate explain vague-demand                  why a rule speaks, and what to write instead
  reqgate explain policy                        what blocks under which policy";

/// The quality gate for requirements: ready or not ready, why, where in the text, and what to write instead.
#[derive(Debug, Parser)]
#[command(name = "reqgate", version, max_term_width = 100, arg_required_else_help = true)]
#[command(after_help = EXAMPLES, after_long_help = format!("{EXAMPLES}\n\n{}", exit::HELP))]
#[command(subcommand_required = true, propagate_version = true, disable_help_subcommand = false)]
pub struct Arguments {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
    /// When to write in colour; NO_COLOR is honoured
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto", help_heading = "Display")]
    pub color: ColorWhen,
}

/// When to write in colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ColorWhen {
    /// On a terminal
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Judge requirements: files, folders, patterns, saved issues, or - for standard input
    ///
    /// Each input that passes is one line; --verbose shows more of it, --quiet leaves it out.
    #[command(after_help = SCORE_EXAMPLES, after_long_help = format!("{SCORE_EXAMPLES}\n\n{}", exit::HELP))]
    Score(Box<ScoreArguments>),
    /// Judge many files and show what does not pass; known findings can be kept in a baseline
    ///
    /// What passes is only counted, in the last line; --verbose shows it, --quiet leaves the count out if everything
    /// passes.
    #[command(after_help = CHECK_EXAMPLES, after_long_help = format!("{CHECK_EXAMPLES}\n\n{}", exit::HELP))]
    Check(Box<CheckArguments>),
    /// Judge a whole backlog and show what is missing most, how old it is and what to mend first
    #[command(after_help = AUDIT_EXAMPLES, after_long_help = format!("{AUDIT_EXAMPLES}\n\n{}", exit::HELP))]
    Audit(Box<AuditArguments>),
    /// Keep a comment on a Jira issue
    Jira(Box<JiraArguments>),
    /// List the rules, or try a folder of your own
    Rules(RulesArguments),
    /// Teach one rule, policy or facet: why it matters, what to ask, what to write instead
    Explain(ExplainArguments),
    /// Measure reqgate on labelled text: figures with intervals, targets, and what changed since an earlier run
    #[command(after_help = EVAL_EXAMPLES, after_long_help = format!("{EVAL_EXAMPLES}\n\n{EVAL_CODES}"))]
    Eval(Box<EvalArguments>),
    /// Fit a rubric to tickets that your team accepted or sent back, and find the policy that agrees most
    #[command(after_help = CALIBRATE_EXAMPLES, after_long_help = format!("{CALIBRATE_EXAMPLES}\n\n{PLAIN_CODES}"))]
    Calibrate(Box<CalibrateArguments>),
    /// Compare rubrics
    #[command(after_help = RUBRIC_EXAMPLES)]
    Rubric(Box<RubricArguments>),
    /// Check that what is configured is whole, and that the gate still bites
    #[command(after_help = DOCTOR_EXAMPLES, after_long_help = format!("{DOCTOR_EXAMPLES}\n\n{DOCTOR_CODES}"))]
    Doctor(Box<DoctorArguments>),
    /// Record that a finding is wrong; it counts in the precision of its rule from then on
    #[command(after_help = DISPUTE_EXAMPLES, after_long_help = format!("{DISPUTE_EXAMPLES}\n\n{DISPUTE_CODES}"))]
    Dispute(Box<DisputeArguments>),
    /// Judge what an event of GitHub is about: a step of a workflow, told everything by its environment
    #[command(after_long_help = GITHUB_HELP)]
    Github,
    /// Write a commented configuration, .reqgate.yaml
    Init(InitArguments),
    /// Show what is in force and where each value comes from
    Config(ConfigArguments),
    /// Print the JSON schema of something that reqgate reads or writes
    Schema(SchemaArguments),
    /// Show which models were found ill by earlier runs; asks nobody
    Health(HealthArguments),
    /// Print the completions of a shell
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Print the manual page
    Man {
        /// The page of one command
        #[arg(value_name = "COMMAND")]
        command: Option<String>,
    },
}

const GITHUB_HELP: &str = "\
Read from the environment (empty is the same as unset):
  GITHUB_EVENT_NAME, GITHUB_EVENT_PATH, GITHUB_REPOSITORY, GITHUB_API_URL
  REQGATE_TOKEN           token for issues, else GITHUB_TOKEN; none is needed for pull requests
  REQGATE_MODE            enforce (default), or observe: summary and outputs only
  REQGATE_SINCE           YYYY-MM-DD; issues opened before it are only observed
  REQGATE_COMMENT         problems (default), always, never
  REQGATE_LABELS          true (default): sets and takes away the labels reqgate:*
  REQGATE_READY_LABEL     false (default); true labels what is ready
  REQGATE_FAIL_ON         auto (default: never for issues, else blocker), blocker, warning, never
  REQGATE_COMMENT_AUTHOR  github-actions[bot] (default): whose marked comment is ours
  REQGATE_ISSUE_NUMBER    the issue to judge where the event names none
  REQGATE_PATHS           files, folders and patterns, one a line
  REQGATE_CHANGED_ONLY    true (default): in a pull request only what is new blocks
  REQGATE_CONFIG          configuration file; in a pull request it is read from the base branch
  REQGATE_SARIF_FILE, REQGATE_REPORT_FILE  reports to write
Written: GITHUB_OUTPUT, GITHUB_STEP_SUMMARY, one comment, labels.";

const SCORE_EXAMPLES: &str = "\
Examples:
  reqgate score ticket.md
  reqgate score 'tickets/**/*.md' --format markdown
  reqgate score issues.jsonl --output sarif=out.sarif --output html=report.html
  reqgate score - --type feature --lang zh < ticket.txt
  reqgate score ticket.md --model ollama/NAME --explain-model";

const CHECK_EXAMPLES: &str = "\
Examples:
  reqgate check                                  everything below this folder
  reqgate check docs/prd --format github         annotations in a workflow
  reqgate check --baseline known.json --write-baseline
  reqgate check --baseline known.json            only new findings block";

const AUDIT_EXAMPLES: &str = "\
Examples:
  reqgate audit issues.jsonl                                       a saved export
  reqgate audit --repo octo/shop --output html=audit.html          the open issues of a repository
  reqgate audit --repo octo/shop --state audit.state               next time only what has changed
  reqgate audit issues.jsonl --output json=audit.json --previous last-week.json";

/// Arguments of `score`.
#[derive(Debug, Args)]
pub struct ScoreArguments {
    /// File, folder, pattern in quotes, - for standard input, or jira:KEY-123 for an issue in Jira
    #[arg(value_name = "INPUT", required = true)]
    pub inputs: Vec<String>,
    /// How to judge.
    #[command(flatten)]
    pub judging: JudgingArguments,
    /// The model that is asked to review.
    #[command(flatten)]
    pub model: ModelArguments,
    /// How to show it.
    #[command(flatten)]
    pub showing: ShowingArguments,
}

/// Arguments of `check`.
#[derive(Debug, Args)]
pub struct CheckArguments {
    /// File, folder or pattern in quotes; hidden and git-ignored files are left out
    #[arg(value_name = "PATH", default_value = ".")]
    pub paths: Vec<String>,
    /// Findings in this file do not block
    #[arg(long, value_name = "FILE", help_heading = "Baseline")]
    pub baseline: Option<PathBuf>,
    /// Write what blocks today into the baseline, so that it blocks no more
    #[arg(long, requires = "baseline", help_heading = "Baseline")]
    pub write_baseline: bool,
    /// How to judge.
    #[command(flatten)]
    pub judging: JudgingArguments,
    /// The model that is asked to review.
    #[command(flatten)]
    pub model: ModelArguments,
    /// How to show it.
    #[command(flatten)]
    pub showing: ShowingArguments,
}

/// What decides the verdict.
#[derive(Debug, Args, Default)]
pub struct JudgingArguments {
    /// What every input asks for, instead of finding out
    #[arg(long = "type", value_name = "TYPE", value_parser = ticket_type(), ignore_case = true, help_heading = "Judging")]
    pub ticket_type: Option<TicketType>,
    /// What kind of document every input is, instead of finding out
    #[arg(long, value_name = "SOURCE", value_parser = source_type(), ignore_case = true, help_heading = "Judging")]
    pub source: Option<SourceType>,
    /// Language of every input, instead of finding out
    #[arg(long, value_name = "LANG", value_parser = language(), ignore_case = true, help_heading = "Judging")]
    pub lang: Option<Language>,
    /// Rubric to judge with, whatever the document
    #[arg(long, value_name = "ID", help_heading = "Judging")]
    pub rubric: Option<String>,
    /// What blocks: ready, triage, strict, or a policy of your own [default: ready] [env: REQGATE_POLICY]
    #[arg(long, value_name = "NAME", help_heading = "Judging")]
    pub policy: Option<String>,
    /// How sure a "no" must be to block, 0.01 to 0.99 [default: what the policy says]
    #[arg(long, value_name = "P", value_parser = certainty, help_heading = "Judging")]
    pub sure: Option<f64>,
    /// Score needed for a pass, 0 to 100
    #[arg(long, value_name = "N", value_parser = threshold, help_heading = "Judging")]
    pub threshold: Option<f64>,
    /// Configuration and rules.
    #[command(flatten)]
    pub configuration: ConfigurationArguments,
    /// Threads for many inputs; all cores if not given
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256), help_heading = "Judging")]
    pub jobs: Option<u16>,
    /// The day that decides whether a waiver has expired
    #[arg(long, value_name = "YYYY-MM-DD", hide = true, value_parser = day)]
    pub today: Option<String>,
}

/// Which model is asked, and how.
#[derive(Debug, Args, Default)]
pub struct ModelArguments {
    /// Ask this model as a reviewer: openai/NAME, anthropic/NAME, gemini/NAME, ollama/NAME [env: REQGATE_MODEL]
    #[arg(long, value_name = "PROVIDER/NAME", help_heading = "Model")]
    pub model: Option<String>,
    /// Judge by the rules alone, or with the model [default: model if one is named] [env: REQGATE_ENGINE]
    #[arg(long, value_name = "ENGINE", value_parser = engine(), ignore_case = true, help_heading = "Model")]
    pub engine: Option<Engine>,
    /// Where the model is, e.g. http://localhost:8000/v1 [env: REQGATE_BASE_URL]
    #[arg(long, value_name = "URL", help_heading = "Model")]
    pub base_url: Option<String>,
    /// File with the key, readable by its owner only, instead of the environment [env: REQGATE_KEY_FILE]
    #[arg(long, value_name = "FILE", help_heading = "Model")]
    pub key_file: Option<PathBuf>,
    /// Folder with prompts of your own
    #[arg(long, value_name = "DIR", help_heading = "Model")]
    pub prompts: Option<PathBuf>,
    /// Stop asking after so many tokens, read and written together; the rules go on
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), help_heading = "Model")]
    pub max_tokens: Option<u64>,
    /// Stop asking after so much money, in the currency of model.prices in the configuration
    #[arg(long, value_name = "AMOUNT", value_parser = amount, help_heading = "Model")]
    pub max_cost: Option<f64>,
    /// Seconds that one exchange with the model may take [default: 30] [env: OPENAI_TIMEOUT]
    #[arg(long, value_name = "SECONDS", value_parser = seconds, help_heading = "Model")]
    pub timeout: Option<f64>,
    /// Seconds that all questions about one input may take together [default: 60]
    #[arg(long, value_name = "SECONDS", value_parser = seconds, help_heading = "Model")]
    pub deadline: Option<f64>,
    /// Write every exchange with the model into a folder
    #[arg(long, value_name = "DIR", help_heading = "Model", conflicts_with_all = ["replay", "dry_run"])]
    pub record: Option<PathBuf>,
    /// Read every exchange from a folder; nothing is sent
    #[arg(long, value_name = "DIR", help_heading = "Model", conflicts_with = "dry_run")]
    pub replay: Option<PathBuf>,
    /// Print what would be sent, and to which host; nothing is sent and nothing is judged
    #[arg(long, help_heading = "Model")]
    pub dry_run: bool,
    /// Write what was asked, when and at what cost into a file as JSON lines, without any words of ticket or answer
    #[arg(long, value_name = "FILE", help_heading = "Model")]
    pub trace: Option<PathBuf>,
    /// Tell all that the model said and what became of it
    #[arg(long, help_heading = "Model")]
    pub explain_model: bool,
    /// End with 3 if the model does not answer, instead of going on with the rules
    #[arg(long, help_heading = "Model")]
    pub require_model: bool,
}

/// Which configuration and which rules.
#[derive(Debug, Args, Default)]
pub struct ConfigurationArguments {
    /// Configuration file, instead of the one found here or above [env: REQGATE_CONFIG]
    #[arg(long, value_name = "FILE", help_heading = "Configuration", conflicts_with = "no_config")]
    pub config: Option<PathBuf>,
    /// Read no configuration file
    #[arg(long, help_heading = "Configuration")]
    pub no_config: bool,
    /// Folder with rules, rubrics and vocabulary of your own; may be given more than once
    #[arg(long, value_name = "DIR", help_heading = "Configuration")]
    pub rules: Vec<PathBuf>,
}

/// How results are shown.
#[derive(Debug, Args)]
pub struct ShowingArguments {
    /// Format on standard output [default: human] [env: REQGATE_FORMAT]
    #[arg(long, value_name = "FORMAT", value_parser = format_parser(), ignore_case = true, help_heading = "Display")]
    pub format: Option<Format>,
    /// Write another report to a file, e.g. sarif=out.sarif; may be given more than once
    #[arg(long, value_name = "FORMAT=FILE", value_parser = output_file, help_heading = "Display")]
    pub output: Vec<OutputFile>,
    /// End with 0 instead of 1 if the gate says no
    #[arg(long, help_heading = "Display")]
    pub exit_zero: bool,
    /// Put the screened text into JSON reports
    #[arg(long, help_heading = "Display")]
    pub include_text: bool,
    /// Print the signs by which each facet was found, and what each weighs
    #[arg(long, help_heading = "Display")]
    pub explain_facets: bool,
    /// Show everything: passes in full, all warnings, the score by dimension
    #[arg(long, short, help_heading = "Display", conflicts_with = "quiet")]
    pub verbose: bool,
    /// Show only what does not pass: nothing at all if everything passes, the exit code tells
    #[arg(long, short, help_heading = "Display")]
    pub quiet: bool,
}

/// A report in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutputFile {
    /// Its format.
    pub format: Format,
    /// Its path.
    pub path: PathBuf,
}

/// Arguments of `rules`.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct RulesArguments {
    /// What to do with them.
    #[command(subcommand)]
    pub command: Option<RulesCommand>,
    /// Format
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    pub format: TextOrJson,
    /// List the patterns of the guardrail too
    #[arg(long)]
    pub guardrail: bool,
    /// Configuration and rules.
    #[command(flatten)]
    pub configuration: ConfigurationArguments,
}

/// What can be done with rules besides listing them.
#[derive(Debug, Subcommand)]
pub enum RulesCommand {
    /// Try the examples in a folder of rules: those that must fire and those that must not
    Test {
        /// The folder, with rules/, scorecards/ and vocabulary/ below it
        #[arg(value_name = "DIR")]
        folder: PathBuf,
    },
}

/// For people or for programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum TextOrJson {
    /// For people
    Human,
    /// For programs
    Json,
}
