//! Inspection of logs: the position at an event, forks, differences, verification, and pruning.

use serde::Serialize;
use serde_json::Value;

use super::ask::read_value;
use super::definition::Workflow;
use super::event::Body;
use super::graph::Name;
use super::position::Position;
use super::run::{Durability, Run, RunError, World, decode, record_of};
use super::store::{Store, StoreError};
use super::thread::{ThreadId, ThreadRecord};

/// The position of a thread after the event `at`, computed from its log alone.
///
/// # Errors
///
/// Fails if the thread or the event does not exist, or the log is damaged.
pub fn position_at<W: Workflow, S: Store>(store: &S, thread: &ThreadId, at: u64) -> Result<Position<W>, RunError> {
    let record = store.record(thread)?.ok_or_else(|| StoreError::Unknown(thread.clone()))?;
    if at == 0 || at > record.head {
        return Err(RunError::NotNow(format!(
            "thread `{thread}` has events 1 to {}, so there is no event {at}",
            record.head
        )));
    }
    let mut position = Position::default();
    for event in store.events_after(thread, 0)?.iter().take_while(|event| event.seq <= at) {
        position.apply(event.seq, &decode::<W>(thread, event)?)?;
    }
    Ok(position)
}

/// A new thread that starts from the position of another one after the event `at`, with a changed state. Its effects
/// are not performed.
///
/// `change` gets the state as JSON, so that a person can set a field by name.
///
/// # Errors
///
/// Fails if the thread or the event does not exist, the changed state is not valid, or the new id is already in use.
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
    // Positions before an import also come from the archive.
    let imported = position_at::<W, S>(store, from, parent.head)?.imported.is_some();
    let unreadable = |reason: String| RunError::NotNow(format!("the changed state is not valid: {reason}"));
    let mut state = serde_json::to_value(&position.state).map_err(|error| unreadable(error.to_string()))?;
    change(&mut state);
    let state: W::State = read_value(&state).map_err(unreadable)?;
    let mut record = record_of::<W>(id, parent.title, std::path::Path::new(&parent.root));
    record.parent = Some(from.clone());
    let body = Body::Forked { from: from.to_string(), at, node: position.node, state, imported };
    Run::first(workflow, store, world, Durability::Step, record, actor.to_owned(), body)
}

/// A difference between two threads.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "difference")]
pub enum Difference {
    /// The threads took different paths: the first step that differs.
    Path {
        /// The number of identical steps before it.
        steps: usize,
        /// The step of the first thread, as `node (label)`; absent if it had no further step.
        one: Option<String>,
        /// The step of the second thread, in the same form.
        other: Option<String>,
    },
    /// A value of the state differs.
    State {
        /// The path of the value, such as `brief.title`.
        path: String,
        /// The value in the first thread.
        one: Value,
        /// The value in the second thread.
        other: Value,
    },
}

/// The differences between two threads of one workflow: the step where their paths part, and their states.
///
/// # Errors
///
/// Fails if one of them does not exist or is damaged.
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

/// Collects the paths at which two values differ.
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

/// Verifies that the log of a thread was not changed: the chain of hashes, the fold, the record and the snapshot.
/// Returns the number of events.
///
/// # Errors
///
/// Fails with the first difference.
pub fn verify<W: Workflow, S: Store>(store: &S, thread: &ThreadId) -> Result<u64, RunError> {
    let record = store.record(thread)?.ok_or_else(|| StoreError::Unknown(thread.clone()))?;
    let damaged = |what: String| RunError::Store(StoreError::Damaged(format!("thread `{thread}`: {what}")));
    let events = store.events_after(thread, 0)?;
    let mut before = None;
    for event in &events {
        if !event.follows(before) {
            return Err(damaged(format!("event {} was changed", event.seq)));
        }
        before = Some(event);
    }
    let (head, hash) = before.map_or((0, ""), |event| (event.seq, event.hash.as_str()));
    if (head, hash) != (record.head, record.head_hash.as_str()) {
        return Err(damaged(format!("its log ends at event {head}, its record says {}", record.head)));
    }
    let position = position_at::<W, S>(store, thread, head)?;
    if position.phase != record.phase || position.node.name() != record.node {
        return Err(damaged("its record does not agree with its log".to_owned()));
    }
    let snapshot = store.snapshot(thread)?.ok_or_else(|| damaged("it has no snapshot".to_owned()))?;
    if serde_json::to_value(&position).ok() != Some(snapshot.position) {
        return Err(damaged("its snapshot does not agree with its log".to_owned()));
    }
    Ok(head)
}

/// Deletes threads that have ended and have not changed since `before` (RFC 3339), and returns their ids.
///
/// # Errors
///
/// Fails if the store refuses. A thread that a process works on is kept.
pub fn prune<S: Store>(store: &S, before: &str, keep: &[ThreadId]) -> Result<Vec<ThreadId>, StoreError> {
    let is_over = |record: &ThreadRecord| record.phase.is_terminal() && record.updated.as_str() < before;
    let pruned = |thread: &ThreadId| {
        let claim = store.claim(thread)?;
        // Another process may have resumed it since it was listed.
        match store.record(thread)? {
            Some(record) if is_over(&record) => store.delete(&claim, thread).map(|()| true),
            _ => Ok(false),
        }
    };
    let mut gone = Vec::new();
    for record in store.records()?.into_iter().filter(|record| is_over(record) && !keep.contains(&record.id)) {
        match pruned(&record.id) {
            Ok(true) => gone.push(record.id),
            Ok(false) | Err(StoreError::Busy { .. } | StoreError::Unknown(_) | StoreError::Stale(_)) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(gone)
}
