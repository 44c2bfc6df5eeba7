//! Looking back: where a thread stood at an event, forks, differences, the check of the chain, archives and pruning.

use std::io::{self, BufRead, Write};

use serde::{Deserialize, Serialize};
use serde_json::Value;
use thiserror::Error;

use super::definition::Workflow;
use super::event::{Body, Event};
use super::graph::Name;
use super::position::Position;
use super::run::{Durability, Run, RunError, World, decode, record_of};
use super::store::{Store, StoreError};
use super::thread::{AskId, Snapshot, ThreadId, ThreadRecord};

/// Where a thread stood after the event `at`, from its log alone.
///
/// # Errors
///
/// If there is no such thread or event, or the log is damaged.
pub fn position_at<W: Workflow, S: Store>(store: &S, thread: &ThreadId, at: u64) -> Result<Position<W>, RunError> {
    let record = store.record(thread)?.ok_or_else(|| StoreError::Unknown(thread.clone()))?;
    if at == 0 || at > record.head {
        return Err(RunError::NotNow(format!("thread `{thread}` has the events 1 to {}, not {at}", record.head)));
    }
    let mut position = Position::default();
    for event in store.events_after(thread, 0)?.iter().take_while(|event| event.seq <= at) {
        position.apply(event.seq, &decode::<W>(thread, event)?)?;
    }
    Ok(position)
}

/// A new thread that begins where another one stood after the event `at`, with a changed state. What it does is not seen outside.
///
/// `change` gets the state as JSON, so that a person can set a field by its name.
///
/// # Errors
///
/// If there is no such thread or event, the changed state is none, or there is a thread of the new id.
#[allow(clippy::too_many_arguments)]
pub fn fork<'a, W: Workflow, S: Store>(
    workflow: &'a W,
    store: &'a S,
    world: &'a World<'a>,
    from: &ThreadId,
    at: Option<u64>,
    id: ThreadId,
    actor: &str,
    change: impl FnOnce(&mut Value),
) -> Result<Run<'a, W, S>, RunError> {
    let parent = store.record(from)?.ok_or_else(|| StoreError::Unknown(from.clone()))?;
    let at = at.unwrap_or(parent.head);
    let position = position_at::<W, S>(store, from, at)?;
    let unreadable = |reason: String| RunError::NotNow(format!("the changed state is none: {reason}"));
    let mut state = serde_json::to_value(&position.state).map_err(|error| unreadable(error.to_string()))?;
    change(&mut state);
    let state: W::State = serde_path_to_error::deserialize(&state).map_err(|error| unreadable(error.to_string()))?;
    let mut record = record_of::<W>(id, parent.title, std::path::Path::new(&parent.root));
    record.parent = Some(from.clone());
    let body = Body::Forked { from: from.to_string(), at, node: position.node, state };
    Run::first(workflow, store, world, Durability::Step, record, actor.to_owned(), body)
}

/// One way in which two threads differ.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "difference")]
pub enum Difference {
    /// They went different ways: the first step that is not the same.
    Path {
        /// How many steps were the same.
        steps: usize,
        /// The step of the one thread: `node (label)`; absent where it had no further step.
        one: Option<String>,
        /// The step of the other thread.
        other: Option<String>,
    },
    /// A value of the state is not the same.
    State {
        /// Its place, such as `brief.title`.
        path: String,
        /// In the one thread.
        one: Value,
        /// In the other thread.
        other: Value,
    },
}

/// How two threads of one workflow differ: where they parted, and what their states hold.
///
/// # Errors
///
/// If one of them is not there, or damaged.
pub fn difference<W: Workflow, S: Store>(
    store: &S,
    one: &ThreadId,
    other: &ThreadId,
) -> Result<Vec<Difference>, RunError> {
    let path = |thread: &ThreadId| -> Result<Vec<String>, RunError> {
        let mut steps = Vec::new();
        for event in store.events_after(thread, 0)? {
            if let Body::Stepped { node, label, .. } = decode::<W>(thread, &event)? {
                steps.push(format!("{} ({})", node.name(), label.name()));
            }
        }
        Ok(steps)
    };
    let head = |thread: &ThreadId| -> Result<Value, RunError> {
        let record = store.record(thread)?.ok_or_else(|| StoreError::Unknown(thread.clone()))?;
        let position = position_at::<W, S>(store, thread, record.head)?;
        Ok(serde_json::to_value(&position.state).unwrap_or_default())
    };
    let mut out = Vec::new();
    let (left, right) = (path(one)?, path(other)?);
    let same = left.iter().zip(&right).take_while(|(left, right)| left == right).count();
    if same < left.len().max(right.len()) {
        out.push(Difference::Path { steps: same, one: left.get(same).cloned(), other: right.get(same).cloned() });
    }
    values("", &head(one)?, &head(other)?, &mut out);
    Ok(out)
}

/// Collects the places where two values differ.
fn values(path: &str, one: &Value, other: &Value, out: &mut Vec<Difference>) {
    match (one, other) {
        (Value::Object(left), Value::Object(right)) => {
            let mut keys: Vec<&String> =
                left.keys().chain(right.keys().filter(|key| !left.contains_key(*key))).collect();
            keys.dedup();
            for key in keys {
                let place = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
                let null = Value::Null;
                values(&place, left.get(key).unwrap_or(&null), right.get(key).unwrap_or(&null), out);
            }
        }
        _ if one == other => {}
        _ => out.push(Difference::State { path: path.to_owned(), one: one.clone(), other: other.clone() }),
    }
}

/// Whether the log of a thread is what was written: the chain of hashes, the fold, the record and the snapshot.
///
/// # Errors
///
/// The first thing that is not as it was written.
pub fn verify<W: Workflow, S: Store>(store: &S, thread: &ThreadId) -> Result<u64, RunError> {
    let record = store.record(thread)?.ok_or_else(|| StoreError::Unknown(thread.clone()))?;
    let damaged = |what: String| RunError::Store(StoreError::Damaged(format!("thread `{thread}`: {what}")));
    let events = store.events_after(thread, 0)?;
    let mut before = None;
    for event in &events {
        if !event.follows(before) {
            return Err(damaged(format!("event {} is not the one that was written", event.seq)));
        }
        before = Some(event);
    }
    let (head, hash) = before.map_or((0, ""), |event| (event.seq, event.hash.as_str()));
    if (head, hash) != (record.head, record.head_hash.as_str()) {
        return Err(damaged(format!("its log ends at event {head}, its record says {}", record.head)));
    }
    let position = position_at::<W, S>(store, thread, head)?;
    if position.phase != record.phase || position.node.name() != record.node {
        return Err(damaged("its record does not say what its log says".to_owned()));
    }
    let snapshot = store.snapshot(thread)?.ok_or_else(|| damaged("it has no snapshot".to_owned()))?;
    if serde_json::to_value(&position).ok() != Some(snapshot.position) {
        return Err(damaged("its snapshot does not say what its log says".to_owned()));
    }
    Ok(head)
}

/// Forgets threads that have ended, and have not changed since `before` (RFC 3339); whole threads only.
///
/// # Errors
///
/// If the store refuses. A thread that somebody works on is left alone.
pub fn prune<S: Store>(store: &S, before: &str, keep: &[ThreadId]) -> Result<Vec<ThreadId>, StoreError> {
    let mut gone = Vec::new();
    for record in store.records()? {
        if !record.phase.is_terminal() || record.updated.as_str() >= before || keep.contains(&record.id) {
            continue;
        }
        match store.claim(&record.id) {
            Ok(claim) => {
                store.delete(&claim, &record.id)?;
                gone.push(record.id);
            }
            Err(StoreError::Busy(_)) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(gone)
}

/// The first line of an archive.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Archive {
    /// `reqgate/thread/v1`.
    pub format: String,
    /// The record of the thread.
    pub thread: ThreadRecord,
}

/// The format of archives.
const FORMAT: &str = "reqgate/thread/v1";

/// Why an archive cannot be read or written.
#[derive(Debug, Error)]
pub enum ArchiveError {
    /// The file cannot be read or written.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// A line is none of an archive.
    #[error("line {line} of the archive: {reason}")]
    Line {
        /// The line, from 1.
        line: usize,
        /// What is wrong.
        reason: String,
    },
    /// The store refuses.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The log says something impossible.
    #[error(transparent)]
    Run(#[from] RunError),
}

/// Writes a thread as JSON Lines: its record, then its events with their hashes.
///
/// # Errors
///
/// If there is no such thread, or it cannot be written.
pub fn export<S: Store>(store: &S, thread: &ThreadId, out: &mut dyn Write) -> Result<(), ArchiveError> {
    let record = store.record(thread)?.ok_or_else(|| StoreError::Unknown(thread.clone()))?;
    let archive = Archive { format: FORMAT.to_owned(), thread: record };
    writeln!(out, "{}", serde_json::to_string(&archive).map_err(io::Error::from)?)?;
    for event in store.events_after(thread, 0)? {
        writeln!(out, "{}", serde_json::to_string(&event).map_err(io::Error::from)?)?;
    }
    Ok(())
}

/// Reads an archive into the store, after its chain and its fold have been checked. Nothing is kept of one that is damaged.
///
/// # Errors
///
/// If a line is none of an archive, the chain is broken, or there is such a thread.
pub fn import<W: Workflow, S: Store>(store: &S, input: &mut dyn BufRead, root: &str) -> Result<ThreadId, ArchiveError> {
    let mut record: Option<ThreadRecord> = None;
    let mut events: Vec<Event> = Vec::new();
    let mut position = Position::<W>::default();
    for (text, line) in input.lines().zip(1..) {
        let text = text?;
        let wrong = |reason: String| ArchiveError::Line { line, reason };
        if text.trim().is_empty() {
            continue;
        }
        let Some(record) = &record else {
            let archive: Archive = serde_json::from_str(&text).map_err(|error| wrong(error.to_string()))?;
            if archive.format != FORMAT {
                return Err(wrong(format!("the format is `{}`, this program reads `{FORMAT}`", archive.format)));
            }
            record = Some(archive.thread);
            continue;
        };
        let event: Event = serde_json::from_str(&text).map_err(|error| wrong(error.to_string()))?;
        if !event.follows(events.last()) {
            return Err(wrong("it does not follow the event before: the archive was changed".to_owned()));
        }
        let body = decode::<W>(&record.id, &event).map_err(|error| wrong(error.to_string()))?;
        position.apply(event.seq, &body).map_err(|error| wrong(error.to_string()))?;
        events.push(event);
    }
    let missing = |what: &str| ArchiveError::Line { line: 1, reason: what.to_owned() };
    let (Some(mut record), Some(last)) = (record, events.last()) else {
        return Err(missing("the archive is empty"));
    };
    if record.workflow != W::NAME {
        return Err(missing("the archive is of another workflow"));
    }
    if (record.head, &record.head_hash) != (last.seq, &last.hash) {
        return Err(missing("the archive ends before its last event"));
    }
    record.root = root.to_owned();
    record.node = position.node.name().to_owned();
    record.phase = position.phase;
    record.ask = position.open.as_ref().map(|open| AskId { thread: record.id.clone(), seq: open.seq });
    let snapshot = Snapshot { seq: record.head, position: serde_json::to_value(&position).map_err(io::Error::from)? };
    let claim = store.claim(&record.id)?;
    store.create(&claim, &record, &events, &snapshot)?;
    Ok(record.id)
}
