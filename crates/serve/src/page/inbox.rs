//! The open questions for people, the oldest first.

use std::io;

use minijinja::value::Serde;
use minijinja::{Value, context};
use serde::Serialize;

use super::frame::{Contents, Frame, framed, rendered};
use reqgate_base::clean;
use reqgate_flow::AskId;
use reqgate_flow::view::time_between;

/// An open question in the inbox.
#[derive(Debug, Clone)]
pub struct Waiting {
    /// The id of the question.
    pub id: AskId,
    /// The question in one line.
    pub question: String,
    /// The title of its thread.
    pub thread_title: String,
    /// The time since when it is open, RFC 3339.
    pub since: String,
}

#[derive(Debug, Serialize)]
struct Row {
    id: String,
    question: String,
    thread: String,
    thread_title: String,
    waits: String,
    since: String,
}

/// The page. Threads that this program cannot read are listed too.
///
/// # Errors
/// Fails only if a template is broken.
pub fn inbox_page(frame: &Frame<'_>, waiting: &[Waiting], unread: &[String], now: &str) -> io::Result<String> {
    let said = frame.words();
    let mut waiting: Vec<&Waiting> = waiting.iter().collect();
    waiting.sort_by(|a, b| (&a.since, &a.id).cmp(&(&b.since, &b.id)));
    let row = |one: &&Waiting| Row {
        id: one.id.to_string(),
        question: clean::words(&one.question),
        thread: one.id.thread.to_string(),
        thread_title: clean::words(&one.thread_title),
        waits: match time_between(&one.since, now, frame.language) {
            Some(time) => said.waits_for(&time),
            None => said.just_asked.to_owned(),
        },
        since: clean::words(&one.since),
    };
    let rows: Vec<Row> = waiting.iter().map(row).collect();
    let values = context! {
        t => frame.said(),
        rows => Value::from(Serde(rows)),
        unread => unread.iter().map(|one| clean::words(one)).collect::<Vec<_>>(),
    };
    let html = rendered(include_str!("templates/inbox.html.j2"), values)?;
    framed(frame, Contents::new(said.inbox_title, html))
}
