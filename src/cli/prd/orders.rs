//! Hands out work orders and accepts their results.

use std::time::{Duration, Instant};

use reqgate::pipeline::Pipeline;
use reqgate::prd::workflow::{Author, OrderDocument, PrdCall, PrdWorkflow, ThreadDocument, masked};
use reqgate::workflow::{
    Durability, HandsOut, OrderId, Phase, Receipt, Run, RunError, StateStore, StoreError, ThreadId,
};
use serde_json::Value;

use super::super::arguments::ConfigurationArguments;
use super::super::arguments::prd::{NextArguments, PrdFormat, SubmitArguments};
use super::super::exit::{self, Failure};
use super::super::session;
use super::driving::{acting, drive_with, name_of};
use super::looking::only_open_thread;
use super::ordered::Known;
use super::seen::Seen;
use super::shown::plain;
use super::stopped::{Shown, reported};
use super::words::words;
use super::{WORLD, form, run_failure, store_of, text_of};

/// The time that a command waits for another one on the same thread: results of orders that are open at the same time often arrive
/// together.
const PATIENCE: Duration = Duration::from_secs(20);

/// A thread, as soon as no other command works on it.
fn opened<'s>(store: &'s StateStore, thread: &ThreadId) -> Result<Run<'s, PrdWorkflow, StateStore>, Failure> {
    let until = Instant::now() + PATIENCE;
    loop {
        match Run::open(&PrdWorkflow, store, &WORLD, Durability::Step, thread) {
            Err(RunError::Store(StoreError::Busy { .. })) if Instant::now() < until => {
                std::thread::sleep(Duration::from_millis(20));
            }
            opened => return opened.map_err(run_failure),
        }
    }
}

/// Shows the open work orders.
pub(super) fn next(arguments: &NextArguments) -> Result<u8, Failure> {
    let thread = match &arguments.thread {
        Some(thread) => thread.clone(),
        None => only_open_thread(&arguments.state)?,
    };
    let store = store_of(&arguments.state, &thread)?;
    let mut run = opened(&store, &thread)?;
    let format = if arguments.json { PrdFormat::Json } else { arguments.state.format };
    // Looking at a thread that waits does not advance it, because this command has no author for the work.
    let phase = run.position().phase;
    if phase == Phase::Running {
        return Err(Failure::usage(format!(
            "thread `{thread}` has no open work order: continue it with `reqgate prd resume {thread}`"
        )));
    }
    let stop = run.advance(&mut HandsOut).map_err(run_failure)?;
    let pipeline = session::judging(&ConfigurationArguments::default())?;
    let shorten = |report: &mut ThreadDocument| {
        let orders = report.order.iter_mut().chain(&mut report.other_orders);
        let sources = orders.flat_map(|order| &mut order.inputs.sources);
        sources.filter(|_| arguments.no_sources).for_each(|source| source.text.clear());
        // The person's question is in the inbox, complete with all facts that an answer needs.
        report.ask.iter_mut().for_each(|ask| ask.request = Value::Null);
    };
    let shown = Shown { format, known: Known::default(), seen: Seen::default(), new: None, pipeline: &pipeline };
    reported(&run, &stop, &shown, shorten)
}

/// Accepts the result of a work order and continues the thread.
pub(super) fn submit(arguments: &SubmitArguments) -> Result<u8, Failure> {
    let driving = &arguments.driving;
    let store = store_of(&driving.state, &arguments.order.thread)?;
    let mut run = opened(&store, &arguments.order.thread)?;
    let pipeline = session::judging(&driving.configuration)?;
    let result = match arguments.edit {
        true => masked(form(&run, &arguments.order, &pipeline)?, &pipeline),
        // A result that is not JSON is a wrong result and is returned with its error, like any other.
        false => match serde_json::from_str(&text_of(&arguments.json)?) {
            Ok(result) => masked(result, &pipeline),
            Err(error) => Value::String(format!("no JSON: {error}")),
        },
    };
    let who = acting(driving, &run);
    if let (None, Some(starter)) = (&driving.actor, name_of(&run)) {
        exit::note(&words(run.position().state.language()).submitted_as(&plain(starter)));
    }
    let mut is_rejected = false;
    match run.submit(&arguments.order, &result, &who).map_err(run_failure)? {
        Receipt::Rejected { problems, .. } => {
            is_rejected = true;
            for problem in &problems {
                exit::error(&problem.to_string());
            }
        }
        Receipt::Duplicate { seq } => exit::note(&format!("already submitted (event {seq}); nothing was changed")),
        Receipt::Accepted { .. } => {}
    }
    // The agent that submits results also writes the next draft.
    let since = run.record().head;
    let code = drive_with(run, &store, &pipeline, driving, Author::Agent, Some(since))?;
    Ok(if is_rejected { exit::USAGE } else { code })
}

/// The result of an open order, filled in by the person at the editor.
fn form(run: &Run<'_, PrdWorkflow, StateStore>, wanted: &OrderId, pipeline: &Pipeline) -> Result<Value, Failure> {
    match run.open_orders().iter().find(|(order, _)| order.id == *wanted) {
        Some((order, call)) => {
            let document = OrderDocument::new(order, call, pipeline);
            let PrdCall::Draft(draft) = call else { return Err(not_open(wanted)) };
            form::filled(&document.ok_or_else(|| not_open(wanted))?, draft, run.position().state.language())
        }
        None => Err(not_open(wanted)),
    }
}

fn not_open(order: &OrderId) -> Failure {
    Failure::usage(format!(
        "work order `{order}` is not open: `reqgate prd next {}` shows the one that is",
        order.thread
    ))
}
