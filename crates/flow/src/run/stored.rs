//! Reads the record and the position of a thread before a run, and checks that they belong to this program.

use std::path::Path;

use super::answers::open_orders;
use super::{Durability, Run, RunError, Stop, World};
use crate::ask::read_value;
use crate::definition::Workflow;
use crate::event::{Body, Event};
use crate::graph::Name;
use crate::position::Position;
use crate::store::Store;
use crate::thread::{AskId, Phase, ThreadId, ThreadRecord};

impl<'a, W: Workflow, S: Store> Run<'a, W, S> {
    /// Loads a thread of another version of the workflow and converts its state to this version.
    ///
    /// # Errors
    ///
    /// Fails without a conversion from that version, and in the cases of [`Run::open`].
    pub fn migrate(
        workflow: &'a W,
        store: &'a S,
        world: &'a World<'a>,
        durability: Durability,
        thread: &ThreadId,
        actor: &str,
    ) -> Result<Self, RunError> {
        let (mut run, foreign) = Self::open_any(workflow, store, world, durability, thread)?;
        if foreign.is_none() {
            return Ok(run);
        }
        let no_way = |what: &str| {
            RunError::NotNow(format!(
                "thread `{thread}` cannot be migrated: {what}: continue it with the program that started it, or fork it"
            ))
        };
        let snapshot = store.snapshot(thread)?.ok_or_else(|| no_way("it has no snapshot"))?;
        let mut position = snapshot.position;
        let old = position.get("state").cloned().unwrap_or_default();
        let version = run.record.version;
        let state = if version == W::VERSION { Some(old) } else { W::migrate(version, old) };
        let state =
            state.ok_or_else(|| no_way(&format!("there is no way from version {version} to {}", W::VERSION)))?;
        position["state"] = state;
        run.position = read_value(&position).map_err(|error| no_way(&error))?;
        run.record.version = W::VERSION;
        run.record.fingerprint = W::graph().fingerprint();
        let body =
            Body::Migrated { version, fingerprint: run.record.fingerprint.clone(), state: run.position.state.clone() };
        run.commit(actor, vec![body])?;
        Ok(run)
    }
}

/// The record of a thread before its first event.
pub(crate) fn record_of<W: Workflow>(id: ThreadId, title: String, root: &Path) -> ThreadRecord {
    ThreadRecord {
        id,
        workflow: W::NAME.to_owned(),
        version: W::VERSION,
        fingerprint: W::graph().fingerprint(),
        title,
        root: root.display().to_string(),
        parent: None,
        created: String::new(),
        updated: String::new(),
        head: 0,
        head_hash: String::new(),
        node: W::START.name().to_owned(),
        phase: Phase::Running,
        ask: None,
    }
}

/// Returns true for the table of this program, and for earlier tables that are part of it. Threads of both can
/// continue.
fn is_known<W: Workflow>(fingerprint: &str) -> bool {
    W::graph().fingerprint() == fingerprint || W::EXTENDS.contains(&fingerprint)
}

/// The error for a thread of another version of the program, if it is one. Fails if the thread belongs to another
/// workflow.
pub(super) fn foreign<W: Workflow>(record: &ThreadRecord) -> Result<Option<RunError>, RunError> {
    if record.workflow != W::NAME {
        return Err(RunError::OtherWorkflow {
            thread: record.id.clone(),
            found: record.workflow.clone(),
            expected: W::NAME,
        });
    }
    let same = record.version == W::VERSION && is_known::<W>(&record.fingerprint);
    Ok((!same).then(|| RunError::OtherGraph {
        thread: record.id.clone(),
        version: record.version,
        fingerprint: record.fingerprint.chars().take(12).collect(),
    }))
}

/// The content of an event.
///
/// # Errors
///
/// Fails if it cannot be read as an event of this workflow.
pub fn decode<W: Workflow>(thread: &ThreadId, event: &Event) -> Result<Body<W>, RunError> {
    read_value(&event.body).map_err(|reason| RunError::Unreadable { thread: thread.clone(), seq: event.seq, reason })
}

/// The current position of a thread: its snapshot with the later events applied.
///
/// # Errors
///
/// Fails if the store cannot be read or is damaged.
pub fn current<W: Workflow, S: Store>(store: &S, record: &ThreadRecord) -> Result<Position<W>, RunError> {
    let (mut position, from) = match store.snapshot(&record.id)? {
        Some(snapshot) => {
            let position = read_value(&snapshot.position).map_err(|reason| RunError::Unreadable {
                thread: record.id.clone(),
                seq: snapshot.seq,
                reason,
            })?;
            (position, snapshot.seq)
        }
        None => (Position::default(), 0),
    };
    for event in store.events_after(&record.id, from)? {
        position.apply(event.seq, &decode::<W>(&record.id, &event)?)?;
    }
    Ok(position)
}

/// The current position of a thread, read without a claim, and the question or order that it waits for. A thread that
/// is running or was interrupted does not wait.
///
/// # Errors
///
/// Fails if the store cannot be read or is damaged, or the thread belongs to another workflow or version.
pub fn look<W: Workflow, S: Store>(
    workflow: &W,
    store: &S,
    record: &ThreadRecord,
) -> Result<(Position<W>, Option<Stop<W>>), RunError> {
    if let Some(error) = foreign::<W>(record)? {
        return Err(error);
    }
    let position = current::<W, S>(store, record)?;
    let asking = || {
        let open = position.open.as_ref()?;
        Some(Stop::Asking(AskId { thread: record.id.clone(), seq: open.seq }, open.question.clone()))
    };
    let ordering = || {
        let (order, call) = open_orders(workflow, &record.id, &position).into_iter().next()?;
        Some(Stop::Ordering(order, call))
    };
    let stop = match position.phase {
        Phase::Running => None,
        Phase::WaitingForPerson => asking(),
        Phase::WaitingForWork => ordering(),
        ended => Some(Stop::Ended(ended)),
    };
    Ok((position, stop))
}
