//! The threads as a list, and one thread: its next step, and what has happened, drawn as `reqgate prd view` draws it.

use std::io;

use minijinja::value::Serde;
use minijinja::{Value, context};
use serde::Serialize;

use super::frame::{Contents, Frame, Style, framed, rendered};
use super::words::filled;
use crate::clean;
use crate::prd::workflow::{PrdState, PrdWorkflow};
use crate::workflow::view::contents_in;
use crate::workflow::{AskId, Event, Status, ThreadRecord};

/// A thread in the list.
#[derive(Debug, Clone)]
pub struct ThreadRow {
    /// The thread.
    pub record: ThreadRecord,
    /// Its status.
    pub status: Status,
}

#[derive(Debug, Serialize)]
struct Row {
    id: String,
    title: String,
    status: &'static str,
    tone: &'static str,
    node: String,
    updated: String,
    ask: Option<String>,
}

/// The list, the one that changed last first.
///
/// # Errors
/// Fails only if a template is broken.
pub fn threads_page(frame: &Frame<'_>, threads: &[ThreadRow]) -> io::Result<String> {
    let mut threads: Vec<&ThreadRow> = threads.iter().collect();
    threads.sort_by(|a, b| (&b.record.updated, &a.record.id).cmp(&(&a.record.updated, &b.record.id)));
    let row = |one: &&ThreadRow| Row {
        id: one.record.id.to_string(),
        title: clean::words(&one.record.title),
        status: one.status.in_words(frame.language),
        tone: tone(one.status),
        node: clean::words(&one.record.node),
        updated: clean::words(&one.record.updated),
        ask: one.record.ask.as_ref().map(AskId::to_string),
    };
    let rows: Vec<Row> = threads.iter().map(row).collect();
    let html = rendered(
        include_str!("templates/threads.html.j2"),
        context! { t => frame.said(), rows => Value::from(Serde(rows)) },
    )?;
    framed(frame, Contents::new(frame.words().threads_title, html))
}

fn tone(status: Status) -> &'static str {
    match status {
        Status::Running => "running",
        Status::WaitingForPerson | Status::WaitingForWork | Status::Interrupted => "waiting",
        Status::Completed => "completed",
        Status::Failed | Status::Cancelled => "failed",
    }
}

/// A thread. `question` is the one that waits; `drafts` names the texts that a state holds.
///
/// # Errors
/// Fails only if a template is broken.
pub fn thread_page(
    frame: &Frame<'_>,
    record: &ThreadRecord,
    status: Status,
    events: &[Event],
    question: Option<(&AskId, &str)>,
    drafts: &dyn Fn(&PrdState) -> Vec<(String, String)>,
) -> io::Result<String> {
    let said = frame.words();
    let next = match status {
        Status::WaitingForPerson => said.next_person.to_owned(),
        Status::WaitingForWork => filled(said.next_work, &[("thread", record.id.as_str())]),
        Status::Running => said.next_running.to_owned(),
        Status::Interrupted => filled(said.next_interrupted, &[("thread", record.id.as_str())]),
        Status::Completed => said.next_completed.to_owned(),
        Status::Failed => filled(said.next_failed, &[("thread", record.id.as_str())]),
        Status::Cancelled => said.next_cancelled.to_owned(),
    };
    let values = context! {
        t => frame.said(),
        next,
        question => question.map(|(id, title)| (id.to_string(), clean::words(title))),
        story => contents_in::<PrdWorkflow>(frame.language, record, status, events, drafts)?,
    };
    let html = rendered(include_str!("templates/thread.html.j2"), values)?;
    let mut contents = Contents::new(&record.title, html);
    contents.style = Style::Thread;
    contents.live = (!record.phase.is_terminal()).then_some((record.id.as_str(), record.head));
    framed(frame, contents)
}
