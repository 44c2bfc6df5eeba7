//! Hands out work orders and accepts their results.

use std::collections::BTreeMap;
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

/// The results that a command submits, each with its order; all of one thread.
fn results(arguments: &SubmitArguments) -> Result<Vec<(OrderId, Option<Value>)>, Failure> {
    let Some(file) = &arguments.results else {
        // A result that is not JSON is a wrong result and is returned with its error, like any other.
        let read = |text: String| {
            serde_json::from_str(&text).unwrap_or_else(|error| Value::String(format!("no JSON: {error}")))
        };
        let result = if arguments.edit { None } else { Some(read(text_of(&arguments.json)?)) };
        return Ok(arguments.order.iter().map(|order| (order.clone(), result.clone())).collect());
    };
    let results: BTreeMap<String, Value> = serde_json::from_str(&text_of(file)?).map_err(|error| {
        Failure::usage(format!("`{}` does not have an object from orders to results: {error}", file.display()))
    })?;
    let named = |(order, result): (String, Value)| {
        let id: OrderId = order.parse().map_err(|error| Failure::usage(format!("`{order}`: {error}")))?;
        Ok((id, Some(result)))
    };
    results.into_iter().map(named).collect()
}

/// Accepts the results of work orders and continues the thread.
pub(super) fn submit(arguments: &SubmitArguments) -> Result<u8, Failure> {
    let driving = &arguments.driving;
    let results = results(arguments)?;
    let Some((OrderId { thread, .. }, _)) = results.first() else {
        return Err(Failure::usage("there is no result: `--results` names at least one order"));
    };
    if let Some((other, _)) = results.iter().find(|(order, _)| order.thread != *thread) {
        return Err(Failure::usage(format!(
            "`{other}` is an order of another thread than `{thread}`: submit it apart"
        )));
    }
    let store = store_of(&driving.state, thread)?;
    let mut run = opened(&store, thread)?;
    let pipeline = session::judging(&driving.configuration)?;
    let who = acting(driving, &run);
    if let (None, Some(starter)) = (&driving.actor, name_of(&run)) {
        exit::note(&words(run.position().state.language()).submitted_as(&plain(starter)));
    }
    let mut is_rejected = false;
    for (order, result) in &results {
        let result = match result {
            Some(result) => masked(result.clone(), &pipeline),
            None => masked(form(&run, order, &pipeline)?, &pipeline),
        };
        let named = if results.len() > 1 { format!("{order}: ") } else { String::new() };
        let receipt = match run.submit(order, &result, &who) {
            // An order that is not open keeps no other waiting.
            Err(error @ RunError::NotNow(_)) if results.len() > 1 => {
                is_rejected = true;
                exit::error(&error.to_string());
                continue;
            }
            receipt => receipt.map_err(run_failure)?,
        };
        match receipt {
            Receipt::Rejected { problems, .. } => {
                is_rejected = true;
                for problem in &problems {
                    exit::error(&format!("{named}{problem}"));
                }
            }
            Receipt::Duplicate { seq } => {
                exit::note(&format!("{named}already submitted (event {seq}); nothing was changed"));
            }
            Receipt::Accepted { .. } => {}
        }
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
