//! Threads as files: written with their hashes, and read without trust in their origin.
//!
//! The hashes of an archive show that its lines belong together. They do not show who wrote it, because a forger of an
//! archive can compute them too. For this reason an archive adds only facts to a store, no paths to write, and its
//! answers are marked as imported.

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
    /// The name of the format, `reqgate/thread/v1`.
    pub format: String,
    /// The record of the archived thread.
    pub thread: ThreadRecord,
}

/// The format that this program writes and reads.
const FORMAT: &str = "reqgate/thread/v1";

/// The reason why an archive cannot be read or written.
#[derive(Debug, Error)]
pub enum ArchiveError {
    /// The file could not be read or written.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// A line is not part of an archive.
    #[error("line {line} of the archive: {reason}")]
    Line {
        /// The number of the line, from 1.
        line: usize,
        /// A description of the fault.
        reason: String,
    },
    /// The store refused an operation.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// An event contradicts the events before it, or cannot be read.
    #[error(transparent)]
    Run(#[from] RunError),
}

/// The number of the last event that came from an archive, or 0. The import is marked by an event after the imported
/// ones, so the whole log is read.
///
/// # Errors
///
/// Fails if an event cannot be read.
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
/// Fails if the thread does not exist or cannot be written.
pub fn export<S: Store>(store: &S, thread: &ThreadId, out: &mut dyn Write) -> Result<(), ArchiveError> {
    let record = store.record(thread)?.ok_or_else(|| StoreError::Unknown(thread.clone()))?;
    let archive = Archive { format: FORMAT.to_owned(), thread: record };
    writeln!(out, "{}", serde_json::to_string(&archive).map_err(io::Error::from)?)?;
    for event in store.events_after(thread, 0)? {
        writeln!(out, "{}", serde_json::to_string(&event).map_err(io::Error::from)?)?;
    }
    Ok(())
}

/// An archive that was read and checked, before it is put into a store.
#[derive(Debug, Clone)]
pub struct Incoming<W: Workflow> {
    record: ThreadRecord,
    events: Vec<Event>,
    position: Position<W>,
}

/// Applies an event of an archive, if its step writes only permitted files.
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
    /// Reads an archive and checks its chain of hashes, its fold, and the paths that its steps write.
    ///
    /// # Errors
    ///
    /// Fails if a line is not part of an archive, the chain is broken, or a step writes a file that the workflow does
    /// not permit.
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

    /// The same thread with every text masked; `mask` keeps the shape of a value. Events are chained again from the
    /// first one that differs.
    ///
    /// # Errors
    ///
    /// Fails if a masked event no longer belongs to the workflow.
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

    /// The record as it is in the archive.
    pub fn record(&self) -> &ThreadRecord {
        &self.record
    }

    /// The events of the archive, in order.
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// The position of the thread after the last event.
    pub fn position(&self) -> &Position<W> {
        &self.position
    }

    /// Puts the thread unchanged into the store that it belongs to, whose answers are checked elsewhere. Its paths are
    /// relative to `root`.
    ///
    /// # Errors
    ///
    /// Fails if the thread already exists, or the store refuses.
    pub fn restore<S: Store>(self, store: &S, root: &str) -> Result<ThreadId, ArchiveError> {
        let Self { mut record, events, position } = self;
        root.clone_into(&mut record.root);
        let snapshot =
            Snapshot { seq: record.head, position: serde_json::to_value(&position).map_err(io::Error::from)? };
        let claim = store.claim(&record.id)?;
        store.create(&claim, &record, &events, &snapshot)?;
        Ok(record.id)
    }

    /// Puts the thread into a store, with an event that names the importing person. Its paths are then relative to
    /// `root`.
    ///
    /// # Errors
    ///
    /// Fails if the thread already exists, or the store refuses.
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
