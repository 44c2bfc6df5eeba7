//! The tools of the PRD workflow: start, next, submit, status. Reading never advances a thread.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::arguments::{Next, Start, Status, Submit, read};
use super::documents::{file_below, is_of_this_project, of_thread};
use super::error::ToolError;
use super::installation::Site;
use super::standing::{ask, piece, standing, standing_of};
use crate::clean;
use crate::hash::Hash;
use crate::pipeline::Pipeline;
use crate::prd::collect::UTTERANCE;
use crate::prd::feature_id::slug;
use crate::prd::workflow::{
    Author, DraftSettings, Nobody, PrdExecutor, PrdPatch, PrdState, PrdWorkflow, SourceText, TeamPatch, TeamSettings,
    Writer, free_id, masked, screened, thread_title, workspace,
};
use crate::workflow::{
    Begin, Durability, Phase, Receipt, Run, RunError, SqliteStore, Store, StoreError, ThreadId, ThreadRecord, World,
    current,
};

/// The most files that a feature begins with.
const MOST_FILES: usize = 50;

/// The name under which an agent's submissions and answers are recorded: an agent is never the person.
pub(super) const AGENT: &str = "mcp-agent";
/// The largest source, in bytes.
const LONGEST_SOURCE: u64 = 4 * 1024 * 1024;
/// The most threads that are listed.
const MOST_LISTED: usize = 50;

/// A thread that a call works on.
pub(super) type Thread<'a> = Run<'a, PrdWorkflow, SqliteStore>;

/// Starts a thread, or returns the one that was started with the same key.
pub fn start(site: &Site<'_>, arguments: Value) -> Result<Value, ToolError> {
    let Start { utterance, files, idempotency_key, project, flow } = read(&arguments)?;
    let again = |what: &str| ToolError::new("bad_arguments", what, "call prd_start again");
    let is_team = match flow.as_deref() {
        None | Some("documents") => false,
        Some("team") => true,
        Some(_) => return Err(again("flow is documents or team")),
    };
    let utterance = utterance.unwrap_or_default();
    if utterance.trim().is_empty() && files.is_empty() {
        return Err(again("give an utterance, files, or both"));
    }
    if files.len() > MOST_FILES {
        return Err(again(&format!("name at most {MOST_FILES} files")));
    }
    // It goes into the front matter of a document as it is.
    let is_key = |key: &String| {
        let digits = key.get(3..).map(|rest| rest.strip_prefix('-').unwrap_or(rest)).unwrap_or_default();
        key.bytes().take(3).all(|byte| byte.is_ascii_uppercase())
            && digits.len() == 3
            && digits.bytes().all(|byte| byte.is_ascii_digit())
    };
    if project.as_ref().is_some_and(|key| !is_key(key)) {
        return Err(again("project is three capital letters and three digits, such as MSM-008"));
    }
    let installation = site.installation;
    let root = installation.root().map_err(ToolError::installation)?;
    let pipeline = installation.gate(None).map_err(ToolError::installation)?.pipeline;
    let refused = |error: String| ToolError::new("refused", error, "correct the text and call prd_start again");
    let taken = |name: &str, bytes: &[u8]| screened(&pipeline, name, bytes).map_err(|error| refused(error.to_string()));
    let utterance: String = match utterance.trim() {
        "" => String::new(),
        _ => taken(UTTERANCE, utterance.as_bytes())?.into_iter().map(|source| source.text).collect(),
    };
    let mut sources: Vec<SourceText> = Vec::new();
    for file in &files {
        let (name, bytes) = file_below(installation, file, LONGEST_SOURCE)?;
        sources.extend(taken(&name, &bytes)?);
    }
    let title = thread_title(&utterance, &sources);
    let store = installation.store().map_err(ToolError::installation)?;
    let id = match &idempotency_key {
        Some(key) => {
            let mark = format!("-{}", Hash::of(key).digits(10));
            if let Some(record) = started_with(&store, &root, &mark)? {
                let position = current::<PrdWorkflow, _>(&store, &record).map_err(run_error)?;
                if !is_the_same(&position.state, &utterance, &sources) {
                    let what =
                        format!("the idempotency_key was used for thread `{}`, which has other words", record.id);
                    return Err(ToolError::new("key_used", what, "use another key for another feature"));
                }
                let mut done = next_of(site, &store, &record.id)?;
                done["status"] = "duplicate".into();
                return Ok(done);
            }
            let words: String = slug(&title).chars().take(60).collect();
            let words = words.trim_end_matches('-');
            format!("{words}{mark}").parse().map_err(|_| again("the title has no letters: add an utterance"))?
        }
        None => {
            let free = free_id(&store, &title).map_err(store_error)?;
            free.ok_or_else(|| again("too many threads have this title: add an utterance that names the feature"))?
        }
    };
    let given = PrdPatch::Given {
        project_path: root.display().to_string(),
        workspace: workspace(None, &root).map_err(ToolError::installation)?,
        utterance,
        sources,
        slug: None,
        project,
    };
    let drafts = PrdPatch::Drafts(DraftSettings { author: Writer::Agent, model: None, actor: None });
    let mut input = vec![given, drafts];
    if is_team {
        input.push(PrdPatch::Team(Box::new(TeamPatch::Settings(TeamSettings::default()))));
    }
    let begin = Begin { id, title, root, input, actor: installation.person() };
    let now = || installation.now();
    let world = World { now: &now };
    let run = Run::begin(&PrdWorkflow, &store, &world, Durability::Step, begin).map_err(run_error)?;
    let mut done = driven(site, run, &pipeline)?;
    done["status"] = "started".into();
    Ok(done)
}

/// The thread of this project that was started with a key, which marks the end of its id.
fn started_with(store: &SqliteStore, root: &Path, mark: &str) -> Result<Option<ThreadRecord>, ToolError> {
    let records = store.records().map_err(store_error)?;
    Ok(records.into_iter().find(|record| record.id.as_str().ends_with(mark) && is_of_this_project(record, root)))
}

fn is_the_same(state: &PrdState, utterance: &str, sources: &[SourceText]) -> bool {
    // Answers to questions are added to the sources later.
    state.user_utterance == utterance && state.user_input.iter().take(sources.len()).eq(sources)
}

/// Shows what a thread waits for, or a piece of an input of its order.
pub fn next(site: &Site<'_>, arguments: Value) -> Result<Value, ToolError> {
    let Next { thread, input, offset } = read(&arguments)?;
    let store = store_of(site, &thread)?;
    match input {
        None => next_of(site, &store, &thread),
        Some(input) => {
            let pipeline = site.installation.gate(None).map_err(ToolError::installation)?.pipeline;
            looked_at(site, &store, &thread, |run| {
                let stop = run.advance(&mut Nobody).map_err(run_error)?;
                piece(run, &stop, &pipeline, &input, offset.unwrap_or(0))
            })
        }
    }
}

pub(super) fn next_of(site: &Site<'_>, store: &SqliteStore, thread: &ThreadId) -> Result<Value, ToolError> {
    let pipeline = site.installation.gate(None).map_err(ToolError::installation)?.pipeline;
    looked_at(site, store, thread, |run| {
        let stop = run.advance(&mut Nobody).map_err(run_error)?;
        Ok(standing(run, &stop, &pipeline, site))
    })
}

/// Looks at a thread that waits or has ended. One that was interrupted is not taken further by being looked at.
fn looked_at(
    site: &Site<'_>,
    store: &SqliteStore,
    thread: &ThreadId,
    look: impl FnOnce(&mut Thread<'_>) -> Result<Value, ToolError>,
) -> Result<Value, ToolError> {
    let now = || site.installation.now();
    let world = World { now: &now };
    let mut run = open_in(site, store, &world, thread)?;
    if run.position().phase == Phase::Running {
        return Ok(json!({
            "thread": thread,
            "kind": "wait",
            "note": "the thread was interrupted; a person continues it",
            "continue_with": format!("reqgate prd resume {thread}"),
        }));
    }
    look(&mut run)
}

/// Takes the result of an order and says what comes next.
pub fn submit(site: &Site<'_>, arguments: Value) -> Result<Value, ToolError> {
    let Submit { order_id, result } = read(&arguments)?;
    let store = store_of(site, &order_id.thread)?;
    let pipeline = site.installation.gate(None).map_err(ToolError::installation)?.pipeline;
    let now = || site.installation.now();
    let world = World { now: &now };
    let mut run = open_in(site, &store, &world, &order_id.thread)?;
    let (status, problems) = match run.submit(&order_id, &masked(Value::Object(result), &pipeline), AGENT) {
        Ok(Receipt::Accepted { .. }) => ("accepted", Vec::new()),
        Ok(Receipt::Rejected { problems, .. }) => ("rejected", problems),
        Ok(Receipt::Duplicate { .. }) => ("duplicate", Vec::new()),
        Err(RunError::NotNow(_)) => {
            drop(run);
            let next = next_of(site, &store, &order_id.thread)?;
            return Ok(json!({ "status": "stale", "note": "this order is not open", "next": next }));
        }
        Err(error) => return Err(run_error(error)),
    };
    let next = driven(site, run, &pipeline)?;
    let mut done = json!({ "status": status, "next": next });
    if !problems.is_empty() {
        done["problems"] = problems
            .iter()
            .map(|problem| json!({ "path": problem.path, "message": clean::one_line(&problem.message) }))
            .collect();
    }
    Ok(done)
}

/// Lists the threads, or shows one.
pub fn status(site: &Site<'_>, arguments: Value) -> Result<Value, ToolError> {
    let Status { thread } = read(&arguments)?;
    let root = site.installation.root().map_err(ToolError::installation)?;
    let Some(thread) = thread else {
        let Some(store) = site.installation.existing_store().map_err(ToolError::installation)? else {
            return Ok(json!({ "threads": [] }));
        };
        let mut records = store.records().map_err(store_error)?;
        records.retain(|record| is_of_this_project(record, &root));
        records.sort_by(|one, other| other.updated.cmp(&one.updated).then_with(|| one.id.cmp(&other.id)));
        let left_out = records.len().saturating_sub(MOST_LISTED);
        let threads: Vec<Value> = records.iter().take(MOST_LISTED).map(|record| standing_of(&store, record)).collect();
        let mut done = json!({ "threads": threads });
        if left_out > 0 {
            done["left_out"] = left_out.into();
        }
        return Ok(done);
    };
    let store = store_of(site, &thread)?;
    let record = record_of(site, &store, &thread)?;
    let mut done = standing_of(&store, &record);
    let documents = of_thread(&store, &record, &root).map_err(thread_error)?;
    done["documents"] =
        documents.iter().map(|document| json!({ "path": document.path, "resource": document.uri })).collect();
    let position = current::<PrdWorkflow, _>(&store, &record).map_err(run_error)?;
    if let (Some(id), Some(open)) = (&record.ask, &position.open) {
        done["waits_for"] = ask(id, &open.question, position.state.language(), None);
    }
    let messages = &position.state.prd_workflow_fatal_error_messages;
    if !messages.is_empty() {
        done["messages"] = messages.iter().map(|message| clean::one_line(message)).collect();
    }
    Ok(done)
}

/// Takes a thread as far as possible without a person or an agent, and says what it waits for then.
pub(super) fn driven(site: &Site<'_>, mut run: Thread<'_>, pipeline: &Pipeline) -> Result<Value, ToolError> {
    let installation = site.installation;
    let mut executor = PrdExecutor {
        root: PathBuf::from(&run.record().root),
        pipeline,
        author: Author::Agent,
        today: installation.today(),
        owner: installation.person(),
        search: match run.position().state.team {
            Some(_) => installation.searcher().map_err(ToolError::installation)?,
            None => None,
        },
    };
    let stop = run.advance(&mut executor).map_err(run_error)?;
    Ok(standing(&run, &stop, pipeline, site))
}

/// The store that a named thread must be in.
pub(super) fn store_of(site: &Site<'_>, thread: &ThreadId) -> Result<SqliteStore, ToolError> {
    let store = site.installation.existing_store().map_err(ToolError::installation)?;
    store.ok_or_else(|| store_error(StoreError::Unknown(thread.clone())))
}

/// The record of a thread of this project.
fn record_of(site: &Site<'_>, store: &SqliteStore, thread: &ThreadId) -> Result<ThreadRecord, ToolError> {
    let root = site.installation.root().map_err(ToolError::installation)?;
    let record = store.record(thread).map_err(store_error)?;
    let record = record.filter(|record| is_of_this_project(record, &root));
    record.ok_or_else(|| store_error(StoreError::Unknown(thread.clone())))
}

pub(super) fn open_in<'a>(
    site: &Site<'_>,
    store: &'a SqliteStore,
    world: &'a World<'a>,
    thread: &ThreadId,
) -> Result<Thread<'a>, ToolError> {
    record_of(site, store, thread)?;
    Run::open(&PrdWorkflow, store, world, Durability::Step, thread).map_err(run_error)
}

pub(super) fn run_error(error: RunError) -> ToolError {
    thread_error(error.to_string())
}

fn store_error(error: StoreError) -> ToolError {
    thread_error(error.to_string())
}

fn thread_error(error: String) -> ToolError {
    ToolError::new("thread", error, "prd_status lists the threads")
}
