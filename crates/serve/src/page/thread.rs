//! The list of the PRDs, and the page of one: its steps, documents and decisions, with the log of the workflow in its
//! details.

use std::io;

use minijinja::value::Serde;
use minijinja::{Value, context};
use serde::Serialize;

use super::document::document_name;
use super::frame::{Contents, Frame, Style, framed, rendered};
use super::steps::{step_name, steps};
use reqgate_base::clean;
use reqgate_flow::{AnyQuestion, AskId, Event, Served, ShownThread, Status, ThreadRecord, Workflow};
use reqgate_prd::workflow::PrdWorkflow;

/// A thread in the list.
#[derive(Debug, Clone)]
pub struct ThreadRow {
    /// The record of the thread.
    pub record: ThreadRecord,
    /// The status of the thread.
    pub status: Status,
}

#[derive(Debug, Serialize)]
struct Row {
    id: String,
    title: String,
    status: &'static str,
    tone: &'static str,
    step: String,
    updated: String,
    ask: Option<String>,
}

/// The page with the list, the last changed thread first.
///
/// # Errors
/// Fails only if a template is broken.
pub fn threads_page(frame: &Frame<'_>, threads: &[ThreadRow], may_start: bool) -> io::Result<String> {
    let mut threads: Vec<&ThreadRow> = threads.iter().collect();
    threads.sort_by(|a, b| (&b.record.updated, &a.record.id).cmp(&(&a.record.updated, &b.record.id)));
    let row = |one: &&ThreadRow| Row {
        id: one.record.id.to_string(),
        title: clean::words(&one.record.title),
        status: status_in_words(one.status, frame),
        tone: tone(one.status),
        step: match one.record.workflow == PrdWorkflow::NAME {
            true => step_name(frame.words(), &one.record.node).to_owned(),
            false => clean::words(&one.record.node),
        },
        updated: clean::words(&one.record.updated),
        ask: one.record.ask.as_ref().map(AskId::to_string),
    };
    let rows: Vec<Row> = threads.iter().map(row).collect();
    let heading = frame.list_name(threads.iter().map(|one| &one.record));
    let html = rendered(
        include_str!("templates/threads.html.j2"),
        context! { t => frame.said(), heading, rows => Value::from(Serde(rows)), may_start },
    )?;
    framed(frame, Contents::new(heading, html))
}

fn tone(status: Status) -> &'static str {
    match status {
        Status::Running => "running",
        Status::WaitingForPerson | Status::WaitingForWork | Status::Interrupted => "waiting",
        Status::Completed => "completed",
        Status::Failed | Status::Cancelled => "failed",
    }
}

fn status_in_words(status: Status, frame: &Frame<'_>) -> &'static str {
    let words = frame.words().statuses;
    match status {
        Status::Running => words[0],
        Status::Interrupted => words[1],
        Status::WaitingForPerson => words[2],
        Status::WaitingForWork => words[3],
        Status::Completed => words[4],
        Status::Failed => words[5],
        Status::Cancelled => words[6],
    }
}

/// The page of a thread.
pub struct ThreadPage<'a> {
    /// The record of the thread.
    pub record: &'a ThreadRecord,
    /// The status of the thread.
    pub status: Status,
    /// The workflow of the thread.
    pub workflow: &'a dyn Served,
    /// The thread is a PRD with the team flow.
    pub is_team: bool,
    /// The events of the log.
    pub events: &'a [Event],
    /// The id and the title of the open question.
    pub question: Option<(&'a AskId, &'a str)>,
    /// The names of the saved documents.
    pub documents: &'a [String],
}

#[derive(Debug, Serialize)]
struct Document {
    file: String,
    stem: String,
    name: String,
    is_markdown: bool,
}

#[derive(Debug, Serialize)]
struct Decision {
    ask: String,
    question: String,
    actor: String,
    at: String,
    first: String,
    fields: Vec<(String, String)>,
}

/// Renders the page.
///
/// # Errors
/// Fails only if a template is broken.
pub fn thread_page(frame: &Frame<'_>, page: &ThreadPage<'_>) -> io::Result<String> {
    let said = frame.words();
    let (record, status) = (page.record, page.status);
    let next = match status {
        Status::WaitingForPerson => said.next_person.to_owned(),
        Status::WaitingForWork => said.next_work(&record.id.as_str()),
        Status::Running => said.next_running.to_owned(),
        Status::Interrupted => said.next_interrupted(&record.id.as_str()),
        Status::Completed => said.next_completed.to_owned(),
        Status::Failed => said.next_failed(&record.id.as_str()),
        Status::Cancelled => said.next_cancelled.to_owned(),
    };
    let mut documents: Vec<Document> = page.documents.iter().map(|file| document(file, frame)).collect();
    // People look for the PRD first.
    documents.sort_by_key(|one| (one.file != "prd.md", !one.is_markdown));
    let values = context! {
        t => frame.said(),
        list => frame.list_name([record]),
        id => record.id.to_string(),
        title => clean::words(&record.title),
        status => status_in_words(status, frame),
        tone => tone(status),
        steps => (record.workflow == PrdWorkflow::NAME)
            .then(|| Value::from(Serde(steps(said, &record.node, status, page.is_team)))),
        next,
        is_done => status == Status::Completed,
        has_prd => documents.iter().any(|one| one.file == "prd.md"),
        question => page.question.map(|(id, title)| (id.to_string(), clean::words(title))),
        documents => Value::from(Serde(documents)),
        decisions => Value::from(Serde(decisions(frame, page))),
        story => page.workflow.contents(frame.language, ShownThread { record, status, events: page.events })?,
    };
    let html = rendered(include_str!("templates/thread.html.j2"), values)?;
    let mut contents = Contents::new(&record.title, html);
    contents.style = Style::Thread;
    contents.live = (!record.phase.is_terminal()).then_some((record.id.as_str(), record.head));
    framed(frame, contents)
}

fn document(file: &str, frame: &Frame<'_>) -> Document {
    let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
    Document {
        file: clean::words(file),
        stem: clean::words(stem),
        name: document_name(frame.words(), file),
        is_markdown: file.ends_with(".md"),
    }
}

/// The answers in a log, the last one first. Questions that this program cannot read are left out.
fn decisions(frame: &Frame<'_>, page: &ThreadPage<'_>) -> Vec<Decision> {
    let thread = &page.record.id;
    let mut out = Vec::new();
    let mut asked: Option<(u64, Box<dyn AnyQuestion>)> = None;
    for event in page.events {
        let Some(seq) = event.answers() else {
            if let Ok(Some(question)) = page.workflow.asked(thread, event) {
                asked = Some((event.seq, question));
            }
            continue;
        };
        let Some((_, question)) = asked.take().filter(|(own, _)| *own == seq) else { continue };
        let fields = question.in_words(&event.body["answer"], frame.language);
        out.push(Decision {
            ask: format!("{thread}.{seq}"),
            question: clean::words(&question.title_in(frame.language)),
            actor: clean::words(&event.actor),
            at: clean::words(&event.at),
            first: fields.first().map(|(_, words)| clean::short_words(words, 80)).unwrap_or_default(),
            fields,
        });
    }
    out.reverse();
    out
}
