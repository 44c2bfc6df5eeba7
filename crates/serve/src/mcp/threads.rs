//! The tools of the PRD workflow: start, next, submit, status. Reading never advances a thread.

use serde_json::{Value, json};

use super::arguments::{Next, Start, Status, Submit, bad_arguments, read};
use super::documents::{file_below, of_thread};
use super::error::ToolError;
use super::site::{Caller, Right, Site};
use super::standing::{Asked, ask, asked, other_standing, piece, standing, standing_of};
use crate::installation::other;
use crate::work::{Desk, MOST_SOURCES, Opening, Submitted, Thread, WorkError, store_with, team_of, threads_of};
use reqgate_base::clean;
use reqgate_flow::{RunError, Stop, StoreError, ThreadId, current};
use reqgate_gate::pipeline::Pipeline;
use reqgate_prd::workflow::{Author, PrdWorkflow, Writer};

/// The maximum size of a source, in bytes.
const LONGEST_SOURCE: u64 = 4 * 1024 * 1024;
/// The maximum number of threads that are listed.
const MOST_LISTED: usize = 50;

impl Site<'_> {
    /// The gate of the repository.
    pub(super) fn pipeline(&self) -> Result<Pipeline, ToolError> {
        Ok(self.installation.gate(None).map_err(ToolError::installation)?.pipeline)
    }

    /// The desk for work on threads, with the agent as author.
    pub(super) fn desk<'p>(&'p self, pipeline: &'p Pipeline) -> Desk<'p> {
        let Caller { person, right, patience, .. } = self.caller;
        // A caller without the right to answer is not the owner of a thread that a person started.
        let owner = (*right >= Right::Answer).then(|| person.clone());
        Desk { installation: self.installation, pipeline, owner, author: |_| Author::Agent, patience: *patience }
    }

    /// The order or the question that a thread waits for.
    pub(super) fn told(&self, run: Thread<'_>, stop: Option<&Stop<PrdWorkflow>>, pipeline: &Pipeline) -> Value {
        let thread = &run.record.id;
        let Some(stop) = stop else {
            return json!({
                "thread": thread,
                "kind": "wait",
                "note": "the thread was interrupted; a person continues it",
                "continue_with": format!("reqgate prd resume {thread}"),
            });
        };
        standing(run, stop, pipeline, self)
    }

    /// Looks up the order or the question that a thread waits for.
    pub(super) fn next_of(&self, thread: &ThreadId, pipeline: &Pipeline) -> Result<Value, ToolError> {
        let (store, record) = store_with(self.installation, thread)?;
        if let Some(workflow) = other(self.installation, &record) {
            let view = workflow.read(&store, &record).map_err(WorkError::from)?;
            return Ok(other_standing((&record, &view), pipeline, self));
        }
        Ok(self.desk(pipeline).look(thread, |run, stop| Ok(self.told(run, stop, pipeline)))?)
    }
}

/// Starts a thread, or returns the one that was started with the same key.
pub(super) fn start(site: &Site<'_>, arguments: Value) -> Result<Value, ToolError> {
    let Start { utterance, files, texts, idempotency_key, project, flow, team } = read(&arguments)?;
    let is_team = match flow.as_deref() {
        None | Some("documents") => false,
        Some("team") => true,
        Some(_) => return Err(WorkError::Wrong("flow is documents or team".to_owned()).into()),
    };
    let mut sources = Vec::new();
    // The desk refuses one file more than is allowed, without reading it.
    for file in files.iter().take(MOST_SOURCES + 1) {
        sources.push(match files.len() > MOST_SOURCES {
            true => (String::new(), Vec::new()),
            false => file_below(site, file, LONGEST_SOURCE)?,
        });
    }
    sources.extend(texts.into_iter().zip(1..).map(|(text, number)| (format!("text-{number}.md"), text.into_bytes())));
    let opening = Opening {
        name: None,
        language: None,
        utterance: utterance.unwrap_or_default(),
        sources,
        key: idempotency_key,
        project,
        team: team_of(is_team, team.as_ref()).map_err(bad_arguments)?,
        writer: Writer::Agent,
        actor: site.caller.person.clone(),
    };
    let pipeline = site.pipeline()?;
    let begun = site.desk(&pipeline).begin(opening, |run, stop| site.told(run, stop, &pipeline));
    let (is_new, mut done) = begun.map_err(|error| match error {
        WorkError::Refused(error) => ToolError::new("refused", error, "correct the text and call prd_start again"),
        error => error.into(),
    })?;
    done["status"] = if is_new { "started" } else { "duplicate" }.into();
    Ok(done)
}

/// Shows the order or the question that a thread waits for, or a piece of an input of its order.
pub(super) fn next(site: &Site<'_>, arguments: Value) -> Result<Value, ToolError> {
    let Next { thread, input, offset } = read(&arguments)?;
    let pipeline = site.pipeline()?;
    let Some(input) = input else { return site.next_of(&thread, &pipeline) };
    site.desk(&pipeline).look(&thread, |run, stop| {
        Ok(match stop {
            None => Ok(site.told(run, None, &pipeline)),
            Some(stop) => piece(run, stop, &pipeline, &input, offset.unwrap_or(0)),
        })
    })?
}

/// Accepts the result of an order and returns the next step.
pub(super) fn submit(site: &Site<'_>, arguments: Value) -> Result<Value, ToolError> {
    let Submit { order_id, result } = read(&arguments)?;
    let pipeline = site.pipeline()?;
    let tell = |run: Thread<'_>, stop: Option<&Stop<PrdWorkflow>>| Ok(site.told(run, stop, &pipeline));
    let (submitted, next) = site.desk(&pipeline).submit(&order_id, result, &site.caller.agent, tell)?;
    Ok(match submitted {
        Submitted::Accepted => json!({ "status": "accepted", "next": next }),
        Submitted::Duplicate => json!({ "status": "duplicate", "next": next }),
        Submitted::Stale => json!({ "status": "stale", "note": "this order is not open", "next": next }),
        Submitted::Rejected(problems) => {
            let problems: Vec<Value> = problems
                .iter()
                .map(|problem| json!({ "path": problem.path, "message": clean::one_line(&problem.message) }))
                .collect();
            json!({ "status": "rejected", "next": next, "problems": problems })
        }
    })
}

/// Lists the threads, or shows one.
pub(super) fn status(site: &Site<'_>, arguments: Value) -> Result<Value, ToolError> {
    let Status { thread } = read(&arguments)?;
    let Some(thread) = thread else {
        let Some((store, records)) = threads_of(site.installation)? else {
            return Ok(json!({ "threads": [] }));
        };
        let left_out = records.len().saturating_sub(MOST_LISTED);
        let threads: Vec<Value> = records.iter().take(MOST_LISTED).map(|record| standing_of(&store, record)).collect();
        let mut done = json!({ "threads": threads });
        if left_out > 0 {
            done["left_out"] = left_out.into();
        }
        return Ok(done);
    };
    let (store, record) = store_with(site.installation, &thread)?;
    let root = site.installation.root().map_err(ToolError::installation)?;
    let mut done = standing_of(&store, &record);
    let documents = of_thread(site.installation, (&store, &record), &root).map_err(thread_error)?;
    done["documents"] =
        documents.iter().map(|document| json!({ "path": document.path, "resource": document.uri })).collect();
    if let Some(workflow) = other(site.installation, &record) {
        let view = workflow.read(&store, &record).map_err(WorkError::from)?;
        if let (Some(id), Some(open)) = (&record.ask, &view.open) {
            done["waits_for"] = asked(id, Asked::of_any(open.as_ref(), view.language), site);
        }
        return Ok(done);
    }
    let position = current::<PrdWorkflow, _>(&store, &record).map_err(WorkError::from)?;
    if let (Some(id), Some(open)) = (&record.ask, &position.open) {
        done["waits_for"] = ask(id, &open.question, position.state.language(), site, None);
    }
    let messages = &position.state.prd_workflow_fatal_error_messages;
    if !messages.is_empty() {
        done["messages"] = messages.iter().map(|message| clean::one_line(message)).collect();
    }
    Ok(done)
}

impl From<WorkError> for ToolError {
    fn from(error: WorkError) -> Self {
        let what = error.to_string();
        match error {
            WorkError::Wrong(_) => Self::new("bad_arguments", what, "call prd_start again"),
            WorkError::KeyUsed(_) => Self::new("key_used", what, "use another key for another feature"),
            error if is_fault(&error) => Self::installation(what),
            _ => thread_error(what),
        }
    }
}

/// Returns true if the cause is neither the caller nor the state of a thread.
fn is_fault(error: &WorkError) -> bool {
    let of_store = |error: &StoreError| {
        !matches!(
            error,
            StoreError::Unknown(_) | StoreError::Exists(_) | StoreError::Busy { .. } | StoreError::Stale(_)
        )
    };
    match error {
        WorkError::Store(error) | WorkError::Run(RunError::Store(error)) => of_store(error),
        WorkError::Run(error) => {
            !matches!(error, RunError::NotNow(_) | RunError::OtherGraph { .. } | RunError::OtherWorkflow { .. })
        }
        WorkError::Installation(_) | WorkError::Stuck(_) => true,
        WorkError::Wrong(_) | WorkError::Refused(_) | WorkError::KeyUsed(_) | WorkError::Answer { .. } => false,
    }
}

fn thread_error(error: String) -> ToolError {
    ToolError::new("thread", error, "prd_status lists the threads")
}
