//! Threads as files: written with their hashes, and read without trusting their origin.
//!
//! The hashes of an archive show that its lines belong together. They do not show who wrote it, because anybody who
//! forges an archive computes them too. So an archive brings facts into a store, never paths to write, and its answers
//! are marked as imported.

use std::io::{self, BufRead, Write};

use serde::{Deserialize, Serialize};
use serde_json::Value;
use thiserror::Error;

use super::definition::Workflow;
use super::effects;
use super::event::{Body, Event};
use super::graph::Name;
use super::position::Position;
use super::run::{RunError, World, decode};
use super::store::{Store, StoreError};
use super::thread::{AskId, Snapshot, ThreadId, ThreadRecord};

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

/// The reason why an archive cannot be read or written.
#[derive(Debug, Error)]
pub enum ArchiveError {
    /// The file cannot be read or written.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// A line is not part of an archive.
    #[error("line {line} of the archive: {reason}")]
    Line {
        /// The line, from 1.
        line: usize,
        /// The fault.
        reason: String,
    },
    /// The store refuses.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The log says something impossible.
    #[error(transparent)]
    Run(#[from] RunError),
}

/// The event up to which a log came from an archive, or 0. A log that came so is marked by what follows it, so all of it is read.
///
/// # Errors
///
/// If an event does not read.
pub fn imported_until<W: Workflow>(thread: &ThreadId, events: &[Event]) -> Result<u64, RunError> {
    let mut until = 0;
    for event in events {
        if matches!(decode::<W>(thread, event)?, Body::Imported | Body::Forked { imported: true, .. }) {
            until = event.seq;
        }
    }
    Ok(until)
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

/// An archive that was read and checked, and is not in a store yet.
#[derive(Debug, Clone)]
pub struct Incoming<W: Workflow> {
    record: ThreadRecord,
    events: Vec<Event>,
    position: Position<W>,
}

/// Takes an event of an archive into account, if its step writes only what the workflow may write.
fn apply<W: Workflow>(position: &mut Position<W>, thread: &ThreadId, event: &Event) -> Result<(), String> {
    let body = decode::<W>(thread, event).map_err(|error| error.to_string())?;
    position.apply(event.seq, &body).map_err(|error| error.to_string())?;
    let Body::Stepped { effects, .. } = &body else { return Ok(()) };
    for effect in effects {
        let permitted = effects::permitted(effect.path());
        permitted.and_then(|()| W::permits(&position.state, effect)).map_err(|reason| {
            format!("a step writes a file that it may not write, so nothing was imported: {reason}")
        })?;
    }
    Ok(())
}

impl<W: Workflow> Incoming<W> {
    /// Reads an archive and checks its chain, its fold, and that its steps write only what the workflow may write.
    ///
    /// # Errors
    ///
    /// If a line is not part of an archive, the chain is broken, or a step writes a file that it may not write.
    pub fn read(input: &mut dyn BufRead) -> Result<Self, ArchiveError> {
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
                    return Err(wrong(format!(
                        "the format is `{}`, but this program reads `{FORMAT}`",
                        archive.format
                    )));
                }
                record = Some(archive.thread);
                continue;
            };
            let event: Event = serde_json::from_str(&text).map_err(|error| wrong(error.to_string()))?;
            if !event.follows(events.last()) {
                return Err(wrong("it does not follow the previous event: the archive was changed".to_owned()));
            }
            apply(&mut position, &record.id, &event).map_err(wrong)?;
            events.push(event);
        }
        let missing = |what: &str| ArchiveError::Line { line: 1, reason: what.to_owned() };
        let (Some(record), Some(last)) = (record, events.last()) else {
            return Err(missing("the archive is empty"));
        };
        if record.workflow != W::NAME {
            return Err(missing("the archive belongs to another workflow"));
        }
        if (record.head, &record.head_hash) != (last.seq, &last.hash) {
            return Err(missing("the archive ends before its last event"));
        }
        Ok(Self { record, events, position })
    }

    /// The same thread with every text masked; `mask` keeps the shape of a value. Events are chained again after the first one that
    /// differs.
    ///
    /// # Errors
    ///
    /// If a masked event does not belong to the workflow any more.
    pub fn masked(self, mask: &dyn Fn(Value) -> Value) -> Result<Self, ArchiveError> {
        let Self { mut record, events: before, .. } = self;
        let mut position = Position::<W>::default();
        let mut events: Vec<Event> = Vec::with_capacity(before.len());
        for (event, line) in before.into_iter().zip(2..) {
            let previous = events.last().map(|last| last.hash.clone()).unwrap_or_default();
            let event = Event::new(event.seq, event.at, event.actor, mask(event.body), previous);
            apply(&mut position, &record.id, &event).map_err(|reason| ArchiveError::Line { line, reason })?;
            events.push(event);
        }
        if let Value::String(title) = mask(Value::String(record.title.clone())) {
            record.title = title;
        }
        if let Some(last) = events.last() {
            record.head_hash.clone_from(&last.hash);
        }
        Ok(Self { record, events, position })
    }

    /// The record of the thread, as the archive has it.
    pub fn record(&self) -> &ThreadRecord {
        &self.record
    }

    /// The events of the archive.
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// The position of the thread.
    pub fn position(&self) -> &Position<W> {
        &self.position
    }

    /// Puts the thread into a store as it is: for the store that it lives in, whose answers are checked elsewhere. Its paths
    /// are below `root`.
    ///
    /// # Errors
    ///
    /// If there is such a thread, or the store refuses.
    pub fn restore<S: Store>(self, store: &S, root: &str) -> Result<ThreadId, ArchiveError> {
        let Self { mut record, events, position } = self;
        root.clone_into(&mut record.root);
        let snapshot =
            Snapshot { seq: record.head, position: serde_json::to_value(&position).map_err(io::Error::from)? };
        let claim = store.claim(&record.id)?;
        store.create(&claim, &record, &events, &snapshot)?;
        Ok(record.id)
    }

    /// Puts the thread into a store, with an event that says who imported it. From now on its paths are below `root`.
    ///
    /// # Errors
    ///
    /// If there is such a thread, or the store refuses.
    pub fn keep<S: Store>(
        self,
        store: &S,
        world: &World<'_>,
        root: &str,
        actor: &str,
    ) -> Result<ThreadId, ArchiveError> {
        let Self { mut record, mut events, mut position } = self;
        let seq = record.head + 1;
        let body = Body::<W>::Imported;
        position.apply(seq, &body).map_err(RunError::from)?;
        let body = serde_json::to_value(&body).map_err(io::Error::from)?;
        let event = Event::new(seq, (world.now)(), actor.to_owned(), body, record.head_hash.clone());
        record.head = seq;
        record.head_hash.clone_from(&event.hash);
        record.updated.clone_from(&event.at);
        events.push(event);
        record.root = root.to_owned();
        record.node = position.node.name().to_owned();
        record.phase = position.phase;
        record.ask = position.open.as_ref().map(|open| AskId { thread: record.id.clone(), seq: open.seq });
        let snapshot = Snapshot { seq, position: serde_json::to_value(&position).map_err(io::Error::from)? };
        let claim = store.claim(&record.id)?;
        store.create(&claim, &record, &events, &snapshot)?;
        Ok(record.id)
    }
}
