//! Looking at threads: the inbox, lists, states, drafts, histories, differences and the graph. Changes nothing.

use reqgate::prd::workflow::{PrdState, PrdWorkflow};
use reqgate::workflow::{
    Difference, Phase, Position, SqliteStore, Status, Store, ThreadRecord, Workflow, current, decode, difference,
    position_at,
};
use serde_json::{Value, json};

use super::super::arguments::prd::{
    DiffArguments, DraftChoice, GraphArguments, PrdFormat, ShowArguments, StateArguments, ThreadArguments,
};
use super::super::exit::{self, Failure};
use super::super::outputs;
use super::shown::plain;
use super::{existing_store, print_json, run_failure, store_failure, store_of};

/// The status of a thread: what its log says, and whether somebody is at it.
fn status_of(store: &SqliteStore, record: &ThreadRecord) -> Result<Status, Failure> {
    let claimed = record.phase == Phase::Running && store.is_claimed(&record.id).map_err(store_failure)?;
    Ok(Status::of(record.phase, claimed))
}

fn position(store: &SqliteStore, record: &ThreadRecord) -> Result<Position<PrdWorkflow>, Failure> {
    current(store, record).map_err(run_failure)
}

/// Shows what waits for a person.
pub fn inbox(state: &StateArguments) -> Result<u8, Failure> {
    let mut asks = Vec::new();
    if let Some(store) = existing_store(state)? {
        for record in store.records().map_err(store_failure)? {
            let Some(ask) = &record.ask else { continue };
            if record.workflow != PrdWorkflow::NAME {
                continue;
            }
            let Some(open) = position(&store, &record)?.open else { continue };
            asks.push(json!({
                "id": ask,
                "thread": record.id,
                "title": record.title,
                "kind": open.question.kind(),
                "question": open.question.title(),
                "since": record.updated,
                "request": open.question.json(),
                "answerSchema": open.question.answer_schema(),
            }));
        }
    }
    match state.format {
        PrdFormat::Json => print_json(&Value::Array(asks))?,
        PrdFormat::Human if asks.is_empty() => outputs::print("nothing waits for a person\n")?,
        PrdFormat::Human => {
            let word = |ask: &Value, key: &str| plain(ask[key].as_str().unwrap_or_default());
            let lines: String = asks
                .iter()
                .map(|ask| format!("{}  {}\n    {}\n", word(ask, "id"), word(ask, "question"), word(ask, "title")))
                .collect();
            outputs::print(&lines)?;
        }
    }
    Ok(exit::PASS)
}

/// Lists the threads.
pub fn list(state: &StateArguments) -> Result<u8, Failure> {
    let mut threads = Vec::new();
    if let Some(store) = existing_store(state)? {
        for record in store.records().map_err(store_failure)? {
            threads.push((status_of(&store, &record)?, record));
        }
    }
    match state.format {
        PrdFormat::Json => {
            let list: Vec<Value> =
                threads.iter().map(|(status, record)| json!({ "status": status, "thread": record })).collect();
            print_json(&Value::Array(list))?;
        }
        PrdFormat::Human if threads.is_empty() => outputs::print("no threads: `reqgate prd start` begins one\n")?,
        PrdFormat::Human => {
            let width = threads.iter().map(|(_, record)| record.id.as_str().len()).max().unwrap_or_default();
            let lines: String = threads
                .iter()
                .map(|(status, record)| {
                    format!("{:width$}  {:22}  {}\n", record.id.as_str(), status.name(), plain(&record.title))
                })
                .collect();
            outputs::print(&lines)?;
        }
    }
    Ok(exit::PASS)
}

/// Shows how far a thread is.
pub fn status(arguments: &ThreadArguments) -> Result<u8, Failure> {
    let store = store_of(&arguments.state, &arguments.thread)?;
    let record = record(&store, arguments)?;
    let status = status_of(&store, &record)?;
    let position = position(&store, &record)?;
    let question = position.open.as_ref().map(|open| open.question.title());
    match arguments.state.format {
        PrdFormat::Json => print_json(&json!({
            "status": status,
            "thread": record,
            "question": question,
            "featureId": position.state.feature_id,
            "messages": position.state.prd_workflow_fatal_error_messages,
        }))?,
        PrdFormat::Human => {
            let mut text =
                format!("{}: {}, at {}\n  {}\n", record.id, status.name(), record.node, plain(&record.title));
            if let Some(feature) = &position.state.feature_id {
                text.push_str(&format!("  documents: {}/{feature}/\n", position.state.prd_workspace_path));
            }
            if let (Some(ask), Some(question)) = (&record.ask, question) {
                text.push_str(&format!("  {}: {}\n", ask, plain(&question)));
            }
            for message in &position.state.prd_workflow_fatal_error_messages {
                text.push_str(&format!("  {}\n", plain(message)));
            }
            outputs::print(&text)?;
        }
    }
    Ok(exit::PASS)
}

fn record(store: &SqliteStore, arguments: &ThreadArguments) -> Result<ThreadRecord, Failure> {
    let record = store.record(&arguments.thread).map_err(store_failure)?;
    record.ok_or_else(|| store_failure(reqgate::workflow::StoreError::Unknown(arguments.thread.clone())))
}

/// Shows a draft, or the state.
pub fn show(arguments: &ShowArguments) -> Result<u8, Failure> {
    let store = store_of(&arguments.state, &arguments.thread)?;
    let state: PrdState = match arguments.at {
        Some(at) => position_at::<PrdWorkflow, _>(&store, &arguments.thread, at).map_err(run_failure)?.state,
        None => {
            let record = store.record(&arguments.thread).map_err(store_failure)?;
            let record = record
                .ok_or_else(|| store_failure(reqgate::workflow::StoreError::Unknown(arguments.thread.clone())))?;
            position(&store, &record)?.state
        }
    };
    let draft = match arguments.draft {
        Some(DraftChoice::Brief) => state.feature_brief_content,
        Some(DraftChoice::Prd) => state.prd_content,
        Some(DraftChoice::Requirements) => {
            print_json(&json!(state.functional_requirements))?;
            return Ok(exit::PASS);
        }
        None => {
            print_json(&json!(state))?;
            return Ok(exit::PASS);
        }
    };
    match draft {
        Some(text) => outputs::print(&text)?,
        None => return Err(Failure::usage(format!("thread `{}` has no such draft yet", arguments.thread))),
    }
    Ok(exit::PASS)
}

/// Shows what happened in a thread.
pub fn history(arguments: &ThreadArguments) -> Result<u8, Failure> {
    let store = store_of(&arguments.state, &arguments.thread)?;
    record(&store, arguments)?;
    let events = store.events_after(&arguments.thread, 0).map_err(store_failure)?;
    if arguments.state.format == PrdFormat::Json {
        print_json(&json!(events))?;
        return Ok(exit::PASS);
    }
    let mut text = String::new();
    for event in &events {
        let body = decode::<PrdWorkflow>(&arguments.thread, event).map_err(run_failure)?;
        let line = plain(&body.headline());
        text.push_str(&format!("{:4}  {}  {:10}  {line}\n", event.seq, event.at, plain(&event.actor)));
    }
    outputs::print(&text)?;
    Ok(exit::PASS)
}

/// Shows how two threads differ.
pub fn diff(arguments: &DiffArguments) -> Result<u8, Failure> {
    let store = store_of(&arguments.state, &arguments.one)?;
    let differences = difference::<PrdWorkflow, _>(&store, &arguments.one, &arguments.other).map_err(run_failure)?;
    if arguments.state.format == PrdFormat::Json {
        print_json(&json!(differences))?;
        return Ok(exit::PASS);
    }
    let mut text = String::new();
    let short = |value: &Value| {
        let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        let short: String = plain(&text).chars().take(100).collect();
        if short.len() < text.len() { format!("{short}…") } else { short }
    };
    for difference in &differences {
        match difference {
            Difference::Path { steps, one, other } => {
                let step = |step: &Option<String>| step.clone().unwrap_or_else(|| "no further step".to_owned());
                text.push_str(&format!("the same for {steps} steps, then\n  - {}\n  + {}\n", step(one), step(other)));
            }
            Difference::State { path, one, other } => {
                text.push_str(&format!("{path}\n  - {}\n  + {}\n", short(one), short(other)));
            }
        }
    }
    outputs::print(if text.is_empty() { "no difference\n" } else { &text })?;
    Ok(exit::PASS)
}

/// Shows the steps of the workflow.
pub fn graph(arguments: &GraphArguments) -> Result<u8, Failure> {
    let graph = PrdWorkflow::graph();
    match arguments.json {
        true => print_json(&graph.json())?,
        false => outputs::print(&graph.mermaid())?,
    }
    Ok(exit::PASS)
}
