//! Arguments of `reqgate prd`, `reqgate inbox` and `reqgate answer`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use reqgate::prd::QuestionId;
use reqgate::prd::team::citations::CitationStyle;
use reqgate::prd::workflow::SecondReader;
use reqgate::workflow::{AskId, OrderId, StatePlace, ThreadId};

use super::ConfigurationArguments;
use super::drafting::DraftingModelArguments;
use super::prd_alone::{OutlineArguments, RefineArguments};
use super::prd_flow::AskPoint;
pub use super::prd_flow::FlowChoice;
use super::second_reader;
use super::values::StatePlaceParser;

pub const PRD_EXAMPLES: &str = "\
Examples:
  reqgate prd start \"Support wants to export orders as CSV\"      from a sentence
  reqgate prd start --from ticket.md --from minutes.md           from several files
  reqgate prd start --from ticket.md --author agent --actor Ana  an agent drafts, Ana decides;
                                                                 each output says what is next
  reqgate prd start \"…\" --answers answers.yaml                   unattended, in CI
  reqgate prd resume export-orders                               continue where it stopped
  reqgate inbox                                                  list open questions
  reqgate answer export-orders.7 --approve                       answer one";

pub const PRD_CODES: &str = "\
Exit codes:
  0  done
  2  wrong usage, an answer or a result that does not fit, or a thread that does not exist
  3  something outside failed, or the thread has failed; continue with `reqgate prd resume`
  4  waits for a person or for the result of a work order
  5  the thread was started by another version of the program";

#[derive(Debug, Args)]
pub struct PrdArguments {
    #[command(subcommand)]
    pub command: PrdCommand,
}

/// The format of the output.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum PrdFormat {
    /// Text for people
    Human,
    /// JSON
    Json,
}

/// The author of the drafts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum AuthorChoice {
    /// The built-in rules; no key, no network, no invented text
    Rules,
    /// A chat model, named with --model or in the configuration
    Model,
    /// A coding agent or a script, through `prd next` and `prd submit`
    Agent,
}

/// The place of the state.
#[derive(Debug, Clone, Default, Args)]
pub struct PlaceArgument {
    /// Folder with the state of all threads, or redis://HOST for several machines [default: REDIS_URL, or .reqgate]
    #[arg(
        long, value_name = "PLACE", env = "REQGATE_STATE", hide_env_values = true, help_heading = "State",
        value_parser = StatePlaceParser
    )]
    pub state: Option<StatePlace>,
}

/// Options of every command on threads.
#[derive(Debug, Clone, Args)]
pub struct StateArguments {
    #[command(flatten)]
    pub place: PlaceArgument,
    /// Output format
    #[arg(long, value_name = "FORMAT", default_value = "human", help_heading = "Display")]
    pub format: PrdFormat,
}

/// Options of the commands that continue a thread.
#[derive(Debug, Args)]
pub struct DrivingArguments {
    #[command(flatten)]
    pub state: StateArguments,
    /// Author of the drafts; a thread keeps the one it has until another is named [default: rules]
    #[arg(long, value_name = "WHO", env = "REQGATE_AUTHOR")]
    pub author: Option<AuthorChoice>,
    /// File with answers (YAML or JSON), used instead of asking
    #[arg(long, value_name = "FILE")]
    pub answers: Option<PathBuf>,
    /// Name to record with answers and documents [default: the name of the user]
    #[arg(long, value_name = "NAME", env = "REQGATE_ACTOR")]
    pub actor: Option<String>,
    /// Print the document or the requirements under review whole, including parts that were shown before or written by an agent
    #[arg(long, help_heading = "Display")]
    pub full: bool,
    #[command(flatten)]
    pub model: DraftingModelArguments,
    #[command(flatten)]
    pub configuration: ConfigurationArguments,
}

#[derive(Debug, Args)]
pub struct ThreadArguments {
    /// The thread
    pub thread: ThreadId,
    #[command(flatten)]
    pub state: StateArguments,
}

#[derive(Debug, Args)]
pub struct StatusArguments {
    /// The thread
    pub thread: Option<ThreadId>,
    #[command(flatten)]
    pub state: StateArguments,
}

#[derive(Debug, Args)]
pub struct HistoryArguments {
    /// The thread
    pub thread: ThreadId,
    /// Print OpenTelemetry spans as JSON Lines: times and costs, no texts
    #[arg(long)]
    pub spans: bool,
    #[command(flatten)]
    pub state: StateArguments,
}

#[derive(Debug, Args)]
pub struct ViewArguments {
    /// The thread
    pub thread: ThreadId,
    /// The HTML file to write, or - for standard output [default: -, unless that is a terminal]
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
    #[command(flatten)]
    pub state: StateArguments,
}

#[derive(Debug, Subcommand)]
pub enum PrdCommand {
    /// Start a feature from a sentence, a ticket, minutes, or several files
    #[command(after_help = PRD_EXAMPLES)]
    Start(Box<StartArguments>),
    /// Print the outline of a PRD: sections, questions, known facts; without a thread
    Outline(Box<OutlineArguments>),
    /// Revise a PRD once by its critique, section by section; without a thread
    Refine(Box<RefineArguments>),
    /// Continue a thread
    Resume(Box<ResumeArguments>),
    /// Show the open work order of a thread
    Next(NextArguments),
    /// Submit the result of a work order, from a file or standard input (-)
    Submit(Box<SubmitArguments>),
    /// Add a ticket, an answer or notes to a thread, even to one that has ended
    AddSource(Box<AddSourceArguments>),
    /// Take up an approved PRD again, with a reason; the documents as they are now go through their reviews
    Revise(Box<ReviseArguments>),
    /// Answer an open question of an approved PRD; the requirements that waited for it are reviewed again
    AnswerQuestion(Box<AnswerQuestionArguments>),
    /// Show the status of one thread or of all threads
    Status(StatusArguments),
    /// List the threads
    List(StateArguments),
    /// Show a draft, or the whole state of a thread
    Show(ShowArguments),
    /// Show the events of a thread
    History(HistoryArguments),
    /// Show the differences between two threads
    Diff(DiffArguments),
    /// Continue from an earlier point in another way; a fork writes no files
    Fork(ForkArguments),
    /// End a thread
    Cancel(CancelArguments),
    /// Check that the log of a thread was not changed
    Verify(ThreadArguments),
    /// Write a page about a thread: the path taken, questions and answers, drafts and their changes
    View(ViewArguments),
    /// Show the steps of the workflow
    Graph(GraphArguments),
    /// Write a thread as JSON Lines
    Export(ThreadArguments),
    /// Import a thread from JSON Lines, from a file or standard input (-)
    Import(ImportArguments),
    /// Delete threads that ended long ago
    Prune(PruneArguments),
}

#[derive(Debug, Args)]
pub struct StartArguments {
    /// The feature in one sentence
    pub utterance: Option<String>,
    /// File to draft from: a ticket, minutes, notes; or a folder of such files; may be repeated
    #[arg(long, value_name = "FILE")]
    pub from: Vec<PathBuf>,
    /// Folder for the documents of all features, below the current one [default: docs/prd, or magi-sdd if it exists]
    #[arg(long, value_name = "DIR")]
    pub dir: Option<String>,
    /// Slug of the feature [default: from its title]
    #[arg(long, value_name = "SLUG")]
    pub id: Option<String>,
    /// Project key for the PRD, in capital letters, such as SHOP or MSM-008
    #[arg(long, value_name = "ID", value_parser = project_id)]
    pub project: Option<String>,
    /// Way of working: documents one after another, or a team with outline, research and three critics
    #[arg(long, value_name = "FLOW", default_value = "documents")]
    pub flow: FlowChoice,
    /// PRD in Markdown to have read and revised by the team, instead of writing a new one
    #[arg(long, value_name = "FILE", help_heading = "Team")]
    pub draft: Option<PathBuf>,
    /// Revisions that the critics may ask for [default: 3]
    #[arg(long, value_name = "N", env = "PRD_MAX_ITERATIONS", value_parser = clap::value_parser!(u32).range(0..=20), help_heading = "Team")]
    pub max_iterations: Option<u32>,
    /// Average of the critics from which a draft is approved, 70 to 100 [default: 75]
    #[arg(long, value_name = "SCORE", value_parser = clap::value_parser!(u8).range(70..=100), help_heading = "Team")]
    pub min_score: Option<u8>,
    /// Approve a draft only if every critic does, not more than half of them
    #[arg(long, help_heading = "Team")]
    pub unanimous: bool,
    /// Change of the average, in points, below which the rounds end, 0 to 100 [default: 5]
    #[arg(long, value_name = "POINTS", value_parser = points, help_heading = "Team")]
    pub min_improvement: Option<f64>,
    /// Let no person accept a draft that the critics refuse: it is revised, guided or edited until they approve
    #[arg(long, help_heading = "Team")]
    pub no_override: bool,
    /// Critics who read every draft twice, and researchers who read the sources twice, separated by commas: director, design,
    /// engineering, market, competitors, users [default: none]
    #[arg(long, value_name = "ROLES", env = "PRD_SECOND_OPINION", value_delimiter = ',', value_parser = second_reader::parse, help_heading = "Team")]
    pub second_opinion: Option<Vec<SecondReader>>,
    /// Style of the citations in the final document: id, markdown, apa, url [default: id]
    #[arg(long, value_name = "STYLE", env = "PRD_CITATION_STYLE", hide_env_values = true, value_parser = citation_style, help_heading = "Team")]
    pub citations: Option<CitationStyle>,
    /// Points at which a person is asked, separated by commas [default: outline,final]
    #[arg(long, value_name = "POINTS", value_delimiter = ',', help_heading = "Team")]
    pub ask_at: Vec<AskPoint>,
    #[command(flatten)]
    pub driving: DrivingArguments,
}

/// A number of points of a score.
fn points(text: &str) -> Result<f64, String> {
    let points = text.parse().ok().filter(|points| (0.0..=100.0).contains(points));
    points.ok_or_else(|| "write a number from 0 to 100".to_owned())
}

/// The style of citations with this name.
fn citation_style(text: &str) -> Result<CitationStyle, String> {
    serde_json::from_value(text.into()).map_err(|_| "write id, markdown, apa or url".to_owned())
}

/// Checks a project key for the front matter of a PRD.
fn project_id(text: &str) -> Result<String, String> {
    let fault = "write a key in capital letters, such as SHOP or MSM-008";
    if reqgate::prd::prd_document::is_project_key(text) { Ok(text.to_owned()) } else { Err(fault.to_owned()) }
}

#[derive(Debug, Args)]
pub struct ResumeArguments {
    /// The thread [default: the only one that has not ended]
    pub thread: Option<ThreadId>,
    /// Continue a thread that has failed
    #[arg(long)]
    pub retry: bool,
    /// Convert a thread of an older version to this version
    #[arg(long)]
    pub migrate: bool,
    #[command(flatten)]
    pub driving: DrivingArguments,
}

#[derive(Debug, Args)]
pub struct AddSourceArguments {
    /// The thread
    pub thread: ThreadId,
    /// Files to add (- for standard input)
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Reason for adding them, for the record
    #[arg(long, value_name = "TEXT", default_value = "new sources")]
    pub because: String,
    #[command(flatten)]
    pub driving: DrivingArguments,
}

#[derive(Debug, Args)]
pub struct ReviseArguments {
    /// The thread
    pub thread: ThreadId,
    /// Reason, for the change log of the PRD
    #[arg(long, value_name = "TEXT")]
    pub because: String,
    #[command(flatten)]
    pub driving: DrivingArguments,
}

#[derive(Debug, Args)]
pub struct AnswerQuestionArguments {
    /// The question, such as Q-002
    pub question: QuestionId,
    /// The answer
    pub answer: String,
    /// The thread [default: the only approved one with this question]
    #[arg(long, value_name = "THREAD")]
    pub thread: Option<ThreadId>,
    #[command(flatten)]
    pub driving: DrivingArguments,
}

#[derive(Debug, Args)]
pub struct NextArguments {
    /// The thread [default: the only one that has not ended]
    pub thread: Option<ThreadId>,
    #[command(flatten)]
    pub state: StateArguments,
    /// The same as --format json
    #[arg(long)]
    pub json: bool,
    /// Leave out the texts of the sources, which an earlier order had
    #[arg(long)]
    pub no_sources: bool,
}

#[derive(Debug, Args)]
pub struct SubmitArguments {
    /// The work order
    #[arg(required_unless_present = "results")]
    pub order: Option<OrderId>,
    /// File with the result as JSON, or - for standard input
    #[arg(long, value_name = "FILE", default_value = "-")]
    pub json: PathBuf,
    /// File with the results of several open orders as JSON: an object from the order to its result; - for standard input
    #[arg(long, value_name = "FILE", conflicts_with_all = ["order", "json", "edit"])]
    pub results: Option<PathBuf>,
    /// Write the result yourself, as a form in $EDITOR that is checked before it is submitted
    #[arg(long, conflicts_with = "json")]
    pub edit: bool,
    #[command(flatten)]
    pub driving: DrivingArguments,
}

/// A draft to show.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum DraftChoice {
    /// The feature brief
    Brief,
    /// The requirements, grouped by decision; as data with --format json
    Requirements,
    /// The PRD
    Prd,
    /// The sentences of the sources that the brief under review does not use
    NotUsed,
}

#[derive(Debug, Args)]
pub struct ShowArguments {
    /// The thread
    pub thread: ThreadId,
    /// Show only this draft
    #[arg(long, value_name = "DRAFT")]
    pub draft: Option<DraftChoice>,
    /// Show the thread as it was after this event
    #[arg(long, value_name = "SEQ")]
    pub at: Option<u64>,
    /// With --draft not-used: list greetings, names and dates too
    #[arg(long)]
    pub full: bool,
    #[command(flatten)]
    pub state: StateArguments,
}

#[derive(Debug, Args)]
pub struct DiffArguments {
    /// First thread
    pub one: ThreadId,
    /// Second thread
    pub other: ThreadId,
    #[command(flatten)]
    pub state: StateArguments,
}

#[derive(Debug, Args)]
pub struct ForkArguments {
    /// The thread
    pub thread: ThreadId,
    /// Fork after this event [default: the last]
    #[arg(long, value_name = "SEQ")]
    pub at: Option<u64>,
    /// Set a field of the state, e.g. userUtterance="…"; may be repeated
    #[arg(long, value_name = "KEY=VALUE")]
    pub set: Vec<String>,
    /// Id of the new thread [default: the old id with a number]
    #[arg(long, value_name = "THREAD")]
    pub id: Option<ThreadId>,
    #[command(flatten)]
    pub state: StateArguments,
}

#[derive(Debug, Args)]
pub struct CancelArguments {
    /// The thread
    pub thread: ThreadId,
    /// Reason to record
    #[arg(long, value_name = "TEXT", default_value = "no reason given")]
    pub reason: String,
    #[command(flatten)]
    pub state: StateArguments,
}

#[derive(Debug, Args)]
pub struct GraphArguments {
    /// Print a Mermaid flowchart
    #[arg(long, conflicts_with = "json")]
    pub mermaid: bool,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub struct ImportArguments {
    /// The file, or - for standard input
    pub file: PathBuf,
    /// Import without asking first
    #[arg(long)]
    pub yes: bool,
    /// Name to record with the import [default: the name of the user]
    #[arg(long, value_name = "NAME", env = "REQGATE_ACTOR")]
    pub actor: Option<String>,
    #[command(flatten)]
    pub state: StateArguments,
}

#[derive(Debug, Args)]
pub struct PruneArguments {
    /// Delete ended threads that have not changed since this day, YYYY-MM-DD
    #[arg(long, value_name = "DAY", value_parser = super::day)]
    pub before: String,
    #[command(flatten)]
    pub state: StateArguments,
}

#[derive(Debug, Args)]
pub struct AnswerArguments {
    /// The question
    pub ask: AskId,
    /// Approve
    #[arg(long, group = "answer")]
    pub approve: bool,
    /// With --approve or --edit: reason for approving a PRD that the gate stops; with --approve: reason for ending the rounds of
    /// critics; recorded with your name
    #[arg(long, value_name = "WHY", conflicts_with_all = ["reject", "json"])]
    pub because: Option<String>,
    /// Reject, with the changes you want
    #[arg(long, value_name = "WHY", group = "answer")]
    pub reject: Option<String>,
    /// File with the answer as JSON, or - for standard input
    #[arg(long, value_name = "FILE", group = "answer")]
    pub json: Option<PathBuf>,
    /// Edit the document in $EDITOR and approve the result; between two rounds, the critics read it first
    #[arg(long, group = "answer")]
    pub edit: bool,
    #[command(flatten)]
    pub driving: DrivingArguments,
}
