//! The command line: commands, flags and their help.

mod audit;
mod critique;
mod doctor;
pub mod drafting;
mod export;
mod gaps;
pub mod github;
mod health;
mod hook;
mod jira;
mod lsp;
mod mcp;
pub mod plan;
pub mod prd;
pub mod prd_alone;
mod prd_flow;
mod research;
mod second_reader;
#[cfg(feature = "service")]
mod serve;
mod teaching;
mod trace;
mod values;
mod verify;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use reqgate::config::Engine;
use reqgate::llm::Provider;
use reqgate::model::{Language, SourceType, TicketType};
use reqgate::report::Format;

use super::exit;
use critique::{CRITIQUE_CODES, CRITIQUE_EXAMPLES};
use doctor::DOCTOR_CODES;
use export::{EXPORT_CODES, EXPORT_EXAMPLES};
use gaps::{GAPS_CODES, GAPS_EXAMPLES};
use github::GithubArguments;
use lsp::LSP_HELP;
use mcp::MCP_EXAMPLES;
use trace::{TRACE_CODES, TRACE_EXAMPLES};

use research::{RESEARCH_CODES, RESEARCH_EXAMPLES};
use values::{
    amount, certainty, day, engine, format_parser, language, named, output_file, seconds, source_type, threshold,
    ticket_type,
};

pub use audit::{AuditArguments, AuditFormat, AuditMode};
pub use critique::CritiqueArguments;
pub use doctor::DoctorArguments;
pub use export::{ExportArguments, ExportFormat};
pub use gaps::{GapsArguments, GapsFormat, GapsOrder};
pub use health::HealthArguments;
pub use hook::{HookArguments, HookEvent, PretoolArguments};
pub use jira::{JiraArguments, JiraCommand, JiraCommentArguments};
pub use lsp::LspArguments;
pub use mcp::McpArguments;
pub use research::{ResearchArguments, Topic};
#[cfg(feature = "service")]
pub use serve::{RoleName, ServeArguments, ServeCommand, TokenArguments, TokenCommand};
pub use teaching::{
    ConfigArguments, ExplainArguments, ExplainFormat, InitAgentsArguments, InitArguments, InitGithubArguments,
    InitWhat, SchemaArguments, SchemaOf,
};
pub use trace::{TraceArguments, TraceFormat, TraceRequire};
pub use verify::{VerifyArguments, VerifyFormat};

const EXAMPLES: &str = "\
Examples:
  reqgate score ticket.md                       judge one ticket
  reqgate score issue.json --format json        a saved GitHub or Jira issue, as JSON
  pbpaste | reqgate score - --type bug          the contents of the clipboard
  reqgate check docs/prd --baseline known.json  a folder; known findings do not block
  reqgate prd start --from ticket.md --author agent --actor Ana
                                                a coding agent drafts a PRD and Ana decides;
                                                each output says what comes next, and how
  reqgate explain vague-demand                  why a rule fires, and what to write instead
  reqgate explain triage                        what blocks under a policy";

/// The quality gate for requirements: ready or not ready, why, where in the text, and what to write instead.
#[derive(Debug, Parser)]
#[command(name = "reqgate", version, max_term_width = 100, arg_required_else_help = true)]
#[command(after_help = EXAMPLES, after_long_help = format!("{EXAMPLES}\n\n{}{}", exit::HELP, exit::FURTHER_HELP))]
#[command(subcommand_required = true, propagate_version = true, disable_help_subcommand = false)]
pub struct Arguments {
    #[command(subcommand)]
    pub command: Command,
    /// Colour the output; NO_COLOR is honoured
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto", help_heading = "Display")]
    pub color: ColorWhen,
}

/// The use of colour in the output.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ColorWhen {
    /// On a terminal
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Judge requirements: files, folders, patterns, saved issues, or - for standard input
    ///
    /// Each input that passes takes one line; --verbose shows more, --quiet hides it.
    #[command(after_help = SCORE_EXAMPLES, after_long_help = format!("{SCORE_EXAMPLES}\n\n{}", exit::HELP))]
    Score(Box<ScoreArguments>),
    /// Judge many files and show those that do not pass; a baseline file holds known findings
    ///
    /// Inputs that pass are only counted, in the last line; --verbose shows them, --quiet omits the count if
    /// everything passes.
    #[command(after_help = CHECK_EXAMPLES, after_long_help = format!("{CHECK_EXAMPLES}\n\n{}", exit::HELP))]
    Check(Box<CheckArguments>),
    /// Check that tickets are still those that were stamped as ready, and show how the text changed
    ///
    /// `reqgate score --stamp` writes stamps; reports as JSON and comments on GitHub have them too.
    #[command(after_help = verify::VERIFY_EXAMPLES, after_long_help = format!("{}\n\n{}", verify::VERIFY_EXAMPLES, verify::VERIFY_CODES))]
    Verify(VerifyArguments),
    /// Judge a whole backlog: most frequent gaps, age of the tickets, tickets to fix first
    #[command(after_help = AUDIT_EXAMPLES, after_long_help = format!("{AUDIT_EXAMPLES}\n\n{}", exit::HELP))]
    Audit(Box<AuditArguments>),
    /// Find gaps in the requirements of a feature (goals, users, errors, limits, permissions) and contradictions
    ///
    /// Compares the requirements with the brief and checks for parts that are often forgotten. No model is asked.
    #[command(after_help = GAPS_EXAMPLES, after_long_help = format!("{GAPS_EXAMPLES}\n\n{GAPS_CODES}"))]
    Gaps(GapsArguments),
    /// Turn a PRD in Markdown into a web page, PDF or JSON
    ///
    /// The page is one file without scripts: it shows raw HTML as text, loads no other file and prints well.
    #[command(after_help = EXPORT_EXAMPLES, after_long_help = format!("{EXPORT_EXAMPLES}\n\n{EXPORT_CODES}"))]
    Export(ExportArguments),
    /// Judge a PRD as director of product, head of design and head of engineering
    ///
    /// Without a reader it says what can be proven about the form: a metric without target, a risk without owner, a
    /// milestone without date. A model, a coding agent or a person reads the rest.
    #[command(after_help = CRITIQUE_EXAMPLES, after_long_help = format!("{CRITIQUE_EXAMPLES}\n\n{CRITIQUE_CODES}"))]
    Critique(Box<CritiqueArguments>),
    /// Find the ids of requirements in tests, code and commit messages, and ids there that no document has
    ///
    /// A mention shows that the author knew the requirement, not that it is met.
    #[command(after_help = TRACE_EXAMPLES, after_long_help = format!("{TRACE_EXAMPLES}\n\n{TRACE_CODES}"))]
    Trace(TraceArguments),
    /// Plan the work on approved requirements: user stories, their order, and files or issues for other tools
    ///
    /// A reader writes the stories; waves and the critical path are computed. Without one, each requirement is one story.
    #[command(after_help = plan::PLAN_EXAMPLES, after_long_help = format!("{}\n\n{}", plan::PLAN_EXAMPLES, plan::PLAN_CODES))]
    Plan(Box<plan::PlanArguments>),
    /// Write a PRD step by step: brief, requirements, gaps, document; a person makes every decision
    #[command(after_help = prd::PRD_EXAMPLES, after_long_help = format!("{}\n\n{}", prd::PRD_EXAMPLES, prd::PRD_CODES))]
    Prd(Box<prd::PrdArguments>),
    /// List open questions
    Inbox(prd::StateArguments),
    /// Answer a question from the inbox
    Answer(Box<prd::AnswerArguments>),
    /// Serve the gate and the PRD workflow to coding agents (Model Context Protocol)
    #[command(after_help = MCP_EXAMPLES)]
    Mcp(McpArguments),
    /// Serve findings, explanations and edits to an editor (Language Server Protocol)
    ///
    /// Editors start it. Its settings come from .reqgate.yaml; no model is asked.
    #[command(after_help = LSP_HELP)]
    Lsp(LspArguments),
    /// Serve the gate and the PRD workflow over HTTP: REST, webhooks and a page
    #[cfg(feature = "service")]
    #[command(after_help = serve::SERVE_EXAMPLES, after_long_help = format!("{}\n\n{}", serve::SERVE_EXAMPLES, serve::SERVE_HELP))]
    Serve(Box<ServeArguments>),
    /// Write or update one comment on a Jira issue
    Jira(Box<JiraArguments>),
    /// Search your own documents or the web for sources, each with its place
    #[command(after_help = RESEARCH_EXAMPLES, after_long_help = format!("{RESEARCH_EXAMPLES}\n\n{RESEARCH_CODES}"))]
    Research(Box<ResearchArguments>),
    /// List the rules, or test a folder of your own rules
    Rules(RulesArguments),
    /// Explain a rule, policy, facet, rubric or command
    Explain(ExplainArguments),
    /// Check the configuration: rules, rubrics, guardrail, environment
    #[command(after_long_help = DOCTOR_CODES)]
    Doctor(Box<DoctorArguments>),
    /// Run as a GitHub Actions step, configured by environment variables
    #[command(after_long_help = GITHUB_HELP)]
    Github(GithubArguments),
    /// Run as a hook of a coding agent
    Hook(HookArguments),
    /// Write a commented configuration file, .reqgate.yaml, workflows for GitHub, or files for coding agents
    Init(InitArguments),
    /// Show the settings in force and where each value comes from
    Config(ConfigArguments),
    /// Print the JSON schema of a file or report format
    Schema(SchemaArguments),
    /// Show models paused after repeated failures (offline)
    Health(HealthArguments),
    /// Print shell completions
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Print the manual page
    Man {
        /// The command whose page to print [default: all]
        #[arg(value_name = "COMMAND")]
        command: Option<String>,
    },
}

const GITHUB_HELP: &str = "\
Environment variables (an empty value counts as unset):
  GITHUB_EVENT_NAME, GITHUB_EVENT_PATH, GITHUB_REPOSITORY, GITHUB_API_URL
  REQGATE_TOKEN           token for issues, else GITHUB_TOKEN; none is needed for pull requests
  REQGATE_MODE            enforce (default), or observe: summary and outputs only
  REQGATE_SINCE           YYYY-MM-DD; issues opened before it are only observed
  REQGATE_COMMENT         problems (default), always, never
  REQGATE_LABELS          true (default): add and remove the labels reqgate:*
  REQGATE_READY_LABEL     false (default); true adds reqgate:ready to issues that pass
  REQGATE_FAIL_ON         auto (default: never for issues, else blocker), blocker, warning, never
  REQGATE_COMMENT_AUTHOR  github-actions[bot] (default): the account whose comment is updated
  REQGATE_ISSUE_NUMBER    the issue to judge if the event names none
  REQGATE_PATHS           files, folders and patterns, one per line
  REQGATE_CHANGED_ONLY    true (default): only new findings block a pull request
  REQGATE_CONFIG          configuration file; in a pull request it is read from the base branch
  REQGATE_SARIF_FILE, REQGATE_REPORT_FILE  reports to write
  REQGATE_PRD             plan or apply: as `reqgate github prd`, with the plan in REQGATE_PLAN_FILE
Writes: GITHUB_OUTPUT, GITHUB_STEP_SUMMARY, one comment, labels.";

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
  reqgate audit --repo octo/shop --state audit.state               later runs read only what has changed
  reqgate audit issues.jsonl --output json=audit.json --previous last-week.json";

#[derive(Debug, Args)]
pub struct ScoreArguments {
    /// File, folder, pattern in quotes, - for standard input, or jira:KEY-123 for an issue in Jira
    #[arg(value_name = "INPUT", required = true)]
    pub inputs: Vec<String>,
    /// Write a stamp into each Markdown or text file that is ready, for `reqgate verify`; remove it from the others
    #[arg(long)]
    pub stamp: bool,
    #[command(flatten)]
    pub judging: JudgingArguments,
    #[command(flatten)]
    pub model: ModelArguments,
    #[command(flatten)]
    pub showing: ShowingArguments,
}

#[derive(Debug, Args)]
pub struct CheckArguments {
    /// File, folder or pattern in quotes; hidden and git-ignored files are left out
    #[arg(value_name = "PATH", default_value = ".")]
    pub paths: Vec<String>,
    /// Findings in this file do not block
    #[arg(long, value_name = "FILE", help_heading = "Baseline")]
    pub baseline: Option<PathBuf>,
    /// Write the findings that block today to the baseline, so that they no longer block
    #[arg(long, requires = "baseline", help_heading = "Baseline")]
    pub write_baseline: bool,
    #[command(flatten)]
    pub judging: JudgingArguments,
    #[command(flatten)]
    pub model: ModelArguments,
    #[command(flatten)]
    pub showing: ShowingArguments,
}

/// Options that influence the verdict.
#[derive(Debug, Args, Default)]
pub struct JudgingArguments {
    /// Type of every input, instead of detecting it
    #[arg(long = "type", value_name = "TYPE", value_parser = ticket_type(), ignore_case = true, help_heading = "Judging")]
    pub ticket_type: Option<TicketType>,
    /// Kind of document of every input, instead of detecting it
    #[arg(long, value_name = "SOURCE", value_parser = source_type(), ignore_case = true, help_heading = "Judging")]
    pub source: Option<SourceType>,
    /// Language of every input, instead of detecting it
    #[arg(long, value_name = "LANG", value_parser = language(), ignore_case = true, help_heading = "Judging")]
    pub lang: Option<Language>,
    /// Rubric to score with, for every kind of document
    #[arg(long, value_name = "ID", help_heading = "Judging")]
    pub rubric: Option<String>,
    /// Policy that decides which findings block: ready, triage, strict, agent (a coding agent starts it), or a policy of your
    /// own [default: ready] [env: REQGATE_POLICY]
    #[arg(long, value_name = "NAME", help_heading = "Judging")]
    pub policy: Option<String>,
    /// Certainty that a rejection must have to block, 0.01 to 0.99 [default: set by the policy]
    #[arg(long, value_name = "P", value_parser = certainty, help_heading = "Judging")]
    pub sure: Option<f64>,
    /// Score needed to pass, 0 to 100
    #[arg(long, value_name = "N", value_parser = threshold, help_heading = "Judging")]
    pub threshold: Option<f64>,
    #[command(flatten)]
    pub configuration: ConfigurationArguments,
    /// Number of threads [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256), help_heading = "Judging")]
    pub jobs: Option<u16>,
    /// The day that decides whether a waiver has expired
    #[arg(long, value_name = "YYYY-MM-DD", hide = true, value_parser = day)]
    pub today: Option<String>,
}

/// The help of `--model`.
fn model_help() -> String {
    let names: Vec<String> = Provider::ALL.iter().map(|provider| format!("{}/NAME", provider.word())).collect();
    format!("Review with this model: {} [env: REQGATE_MODEL]", names.join(", "))
}

#[derive(Debug, Args, Default)]
pub struct ModelArguments {
    /// The reviewing model. The help lists every provider.
    #[arg(long, value_name = "PROVIDER/NAME", help = model_help(), help_heading = "Model")]
    pub model: Option<String>,
    /// Judge by the rules alone, or with the model [default: model if one is named] [env: REQGATE_ENGINE]
    #[arg(long, value_name = "ENGINE", value_parser = engine(), ignore_case = true, help_heading = "Model")]
    pub engine: Option<Engine>,
    /// Address of the model server, e.g. http://localhost:8000/v1 [env: REQGATE_BASE_URL]
    #[arg(long, value_name = "URL", help_heading = "Model")]
    pub base_url: Option<String>,
    /// Read the API key from this file (readable only by its owner), not from the environment [env: REQGATE_KEY_FILE]
    #[arg(long, value_name = "FILE", help_heading = "Model")]
    pub key_file: Option<PathBuf>,
    /// Folder with your own prompts [env: REQGATE_PROMPTS]
    #[arg(long, value_name = "DIR", help_heading = "Model")]
    pub prompts: Option<PathBuf>,
    /// Stop asking the model after this many tokens, input plus output; the rules continue
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), help_heading = "Model")]
    pub max_tokens: Option<u64>,
    /// Stop asking the model at this cost, in the currency of model.prices in the configuration
    #[arg(long, value_name = "AMOUNT", value_parser = amount, help_heading = "Model")]
    pub max_cost: Option<f64>,
    /// Time limit for one request to the model, in seconds [default: 30] [env: OPENAI_TIMEOUT]
    #[arg(long, value_name = "SECONDS", value_parser = seconds, help_heading = "Model")]
    pub timeout: Option<f64>,
    /// Time limit for all requests about one input, in seconds [default: 60]
    #[arg(long, value_name = "SECONDS", value_parser = seconds, help_heading = "Model")]
    pub deadline: Option<f64>,
    /// Record every exchange with the model in this folder
    #[arg(long, value_name = "DIR", help_heading = "Model", conflicts_with_all = ["replay", "dry_run"])]
    pub record: Option<PathBuf>,
    /// Replay the exchanges recorded in this folder instead of sending requests
    #[arg(long, value_name = "DIR", help_heading = "Model", conflicts_with = "dry_run")]
    pub replay: Option<PathBuf>,
    /// Print the requests and their host instead of sending them; no input is judged
    #[arg(long, help_heading = "Model")]
    pub dry_run: bool,
    /// Write a trace of all model requests to this file as JSON Lines: times and costs, no text of ticket or answer
    #[arg(long, value_name = "FILE", help_heading = "Model")]
    pub trace: Option<PathBuf>,
    /// Show every answer of the model and how it was used
    #[arg(long, help_heading = "Model")]
    pub explain_model: bool,
    /// Exit with 3 if the model does not answer, instead of continuing with the rules alone
    #[arg(long, help_heading = "Model")]
    pub require_model: bool,
}

/// Options that choose configuration and rules.
#[derive(Debug, Args, Default)]
pub struct ConfigurationArguments {
    /// Configuration file, instead of the one in this folder or above [env: REQGATE_CONFIG]
    #[arg(long, value_name = "FILE", help_heading = "Configuration", conflicts_with = "no_config")]
    pub config: Option<PathBuf>,
    /// Ignore configuration files
    #[arg(long, help_heading = "Configuration")]
    pub no_config: bool,
    /// Folder with your own rules, rubrics and vocabulary; may be repeated
    #[arg(long, value_name = "DIR", help_heading = "Configuration")]
    pub rules: Vec<PathBuf>,
    /// Weights of the local reader instead of those in the program, or `off` to judge by signs alone
    #[arg(long, value_name = "FILE|off", help_heading = "Configuration")]
    pub reader: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub struct ShowingArguments {
    /// Format on standard output [default: human] [env: REQGATE_FORMAT]
    #[arg(long, value_name = "FORMAT", value_parser = format_parser(), ignore_case = true, help_heading = "Display")]
    pub format: Option<Format>,
    /// Write another report to a file, e.g. sarif=out.sarif; may be repeated
    #[arg(long, value_name = "FORMAT=FILE", value_parser = output_file, help_heading = "Display")]
    pub output: Vec<OutputFile>,
    /// Language of the report: en or zh [default: that of each input]
    #[arg(long, value_name = "LANG", value_parser = language(), ignore_case = true, help_heading = "Display")]
    pub report_lang: Option<Language>,
    /// Exit with 0 instead of 1 if an input is rejected
    #[arg(long, help_heading = "Display")]
    pub exit_zero: bool,
    /// Include the masked text in JSON reports
    #[arg(long, help_heading = "Display")]
    pub include_text: bool,
    /// Show facts, evidence, estimate, threshold and decision, and the signs of each facet
    #[arg(long, alias = "explain-facets", help_heading = "Display")]
    pub explain: bool,
    /// Show everything: details of passes, all warnings, the score by dimension
    #[arg(long, short, help_heading = "Display", conflicts_with = "quiet")]
    pub verbose: bool,
    /// Show only inputs that do not pass; no output if everything passes
    #[arg(long, short, help_heading = "Display")]
    pub quiet: bool,
}

/// A report that is written to a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutputFile {
    pub format: Format,
    pub path: PathBuf,
}

#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct RulesArguments {
    /// The subcommand; without one, the rules are listed.
    #[command(subcommand)]
    pub command: Option<RulesCommand>,
    /// Output format
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    pub format: TextOrJson,
    /// Also list the patterns of the guardrail
    #[arg(long)]
    pub guardrail: bool,
    #[command(flatten)]
    pub configuration: ConfigurationArguments,
}

#[derive(Debug, Subcommand)]
pub enum RulesCommand {
    /// Run the examples in a folder of rules
    Test {
        /// Folder that contains rules/, scorecards/ or vocabulary/
        #[arg(value_name = "DIR")]
        folder: PathBuf,
    },
    /// Write a commented rule for you to fill in
    New(NewRuleArguments),
}

#[derive(Debug, Args)]
pub struct NewRuleArguments {
    /// Id of the rule, which names the fault, e.g. magic-number
    #[arg(value_name = "ID")]
    pub id: String,
    /// Folder of your own rules; the file is written below rules/ in it [default: the first of rules_folders in the configuration]
    #[arg(long, value_name = "DIR")]
    pub dir: Option<PathBuf>,
    #[command(flatten)]
    pub configuration: ConfigurationArguments,
}

/// Output for people or for programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum TextOrJson {
    /// For people
    Human,
    /// For programs
    Json,
}
