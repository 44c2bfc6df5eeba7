//! A thread as one self-contained page: the graph with its path, the timeline, questions, drafts and cost.
//!
//! The page has no script and loads no other files. All text of a log is hostile: it is escaped, and control and
//! direction characters are removed.

mod diff;
mod layout;
mod story;
mod words;

use std::collections::BTreeMap;
use std::io;

use minijinja::value::Serde;
use minijinja::{Value, context};
use serde::Serialize;

use super::definition::Workflow;
use super::event::Event;
use super::graph::{Name, To};
use super::thread::{Status, ThreadRecord};
pub use diff::Line;
use layout::{Arrow, Drawing, Spot};
use reqgate_base::model::Language;
use reqgate_base::page::Page;
use reqgate_messages as messages;
pub use story::Drafts;
use story::{Cost, Story};
use words::line;

const TEMPLATE: &str = include_str!("page.html.j2");
/// The style sheet of the page.
pub const STYLE: &str = include_str!("page.css");

/// The differences between two texts, line by line, with a few unchanged lines around each.
pub fn differences(old: &str, new: &str, language: Language) -> Vec<Line> {
    diff::difference(old, new, messages::Flow::of(language))
}

/// The values of a piece of data, each with its path. Empty values are left out, and long ones are cut.
pub fn values(data: &serde_json::Value, language: Language) -> Vec<(String, String)> {
    words::fields(data, &[], messages::Flow::of(language)).into_iter().map(|field| (field.path, field.text)).collect()
}

/// The time between two points in RFC 3339 format, in words; `None` if one of them is not valid, or if it is less than a second.
pub fn time_between(from: &str, to: &str, language: Language) -> Option<String> {
    words::between(from, to, messages::Flow::of(language))
}

/// A thread as a page in a language. `drafts` returns the texts in a state; the files that a thread writes are always
/// shown, as versions of the draft of the same name.
///
/// If this program cannot read the whole log, the page shows the readable part and a note.
///
/// # Errors
///
/// Fails only if the template that is built into the program is broken.
pub fn page_in<W: Workflow>(
    language: Language,
    record: &ThreadRecord,
    status: Status,
    events: &[Event],
    drafts: Drafts<'_, W>,
) -> io::Result<String> {
    shown::<W>(language, record, status, events, drafts, true)
}

/// The contents of [`page_in`], for a page with its own frame and with [`STYLE`].
///
/// # Errors
///
/// Fails only if the template that is built into the program is broken.
pub fn contents_in<W: Workflow>(
    language: Language,
    record: &ThreadRecord,
    status: Status,
    events: &[Event],
    drafts: Drafts<'_, W>,
) -> io::Result<String> {
    shown::<W>(language, record, status, events, drafts, false)
}

fn shown<W: Workflow>(
    language: Language,
    record: &ThreadRecord,
    status: Status,
    events: &[Event],
    drafts: Drafts<'_, W>,
    is_whole: bool,
) -> io::Result<String> {
    let said = messages::Flow::of(language);
    let story = Story::<W>::read(record, events, drafts, language);
    let ctx = context! {
        is_whole,
        title => line(&record.title),
        status => status.in_words(language),
        said => Value::from(Serde(said)),
        unread_words => story.unread.as_ref().map(|unread| said.unread(&unread.seq)),
        tone => tone(status),
        facts => Value::from(Serde(facts(record, said))),
        unread => Value::from(Serde(&story.unread)),
        drawing => Value::from(Serde(drawing(&story, said))),
        waiting => Value::from(Serde(story.exchanges.iter().find(|exchange| exchange.is_open))),
        rows => Value::from(Serde(&story.rows)),
        exchanges => Value::from(Serde(&story.exchanges)),
        documents => Value::from(Serde(&story.documents)),
        costs => Value::from(Serde(costs(&story, said))),
    };
    Page::new(TEMPLATE, STYLE).and_then(|page| page.render(ctx)).map_err(io::Error::other)
}

/// The class of a status in the style sheet.
fn tone(status: Status) -> &'static str {
    match status {
        Status::Running => "running",
        Status::WaitingForPerson | Status::WaitingForWork | Status::Interrupted => "waiting",
        Status::Completed => "completed",
        Status::Failed | Status::Cancelled => "failed",
    }
}

/// The facts about a thread, as terms and their values.
fn facts(record: &ThreadRecord, said: &'static messages::Flow) -> Vec<(&'static str, String)> {
    let hash: String = record.head_hash.chars().take(12).collect();
    let log = said.log(&line(&hash), &record.head);
    let values = [
        record.id.to_string(),
        said.workflow_version(&record.version, &line(&record.workflow)),
        line(&record.created),
        line(&record.updated),
        words::between(&record.created, &record.updated, said).unwrap_or_default(),
        record.parent.as_ref().map(ToString::to_string).unwrap_or_default(),
        log,
    ];
    let mut facts: Vec<_> = said.facts.into_iter().zip(values).collect();
    facts.retain(|(_, value)| !value.is_empty());
    facts
}

/// The cost of a node, in words.
#[derive(Debug, Serialize)]
struct CostRow {
    node: &'static str,
    visits: usize,
    questions: usize,
    calls: usize,
    failed: usize,
    usage: String,
}

impl CostRow {
    fn new(node: &'static str, cost: &Cost) -> Self {
        let &Cost { visits, calls, failed, questions, .. } = cost;
        Self { node, visits, questions, calls, failed, usage: words::usage(&cost.usage) }
    }
}

/// A row for every node that was entered, and one with the total.
fn costs<W: Workflow>(story: &Story<W>, said: &'static messages::Flow) -> Vec<CostRow> {
    let mut rows: Vec<CostRow> = story.costs.iter().map(|(node, cost)| CostRow::new(node.name(), cost)).collect();
    let mut all = Cost::default();
    for cost in story.costs.values() {
        all.visits += cost.visits;
        all.questions += cost.questions;
        all.calls += cost.calls;
        all.failed += cost.failed;
        for (name, value) in &cost.usage {
            *all.usage.entry(name.clone()).or_default() += value;
        }
    }
    rows.push(CostRow::new(said.all, &all));
    rows
}

/// The graph with the path of the thread.
fn drawing<W: Workflow>(story: &Story<W>, said: &'static messages::Flow) -> Drawing {
    let graph = W::graph();
    let nodes = W::Node::ALL;
    let place = |node: W::Node| nodes.iter().position(|other| *other == node).unwrap_or(0);
    let end = nodes.len();
    let target = |to: To<W::Node>| match to {
        To::Node(node) => place(node),
        To::End => end,
    };
    let mut next = vec![Vec::new(); end + 1];
    for edge in graph.edges {
        next[place(edge.from)].push(target(edge.to));
    }
    let order = layout::order(&next, place(graph.start), &[place(graph.failure), end]);
    let row = |place: usize| order.iter().position(|other| *other == place).unwrap_or(0);
    let spots: Vec<Spot> = order.iter().map(|place| spot(story, nodes.get(*place).copied(), said)).collect();
    let mut merged: BTreeMap<(usize, usize), Arrow> = BTreeMap::new();
    let mut add = |from: usize, to: usize, label: String, taken: u32, is_implicit: bool| {
        let label = if taken > 1 { format!("{label} ×{taken}") } else { label };
        let arrow = merged.entry((from, to)).or_insert_with(|| Arrow {
            from,
            to,
            label: String::new(),
            taken: 0,
            is_implicit: true,
        });
        let joint = if arrow.label.is_empty() { "" } else { " / " };
        arrow.label.push_str(joint);
        arrow.label.push_str(&label);
        arrow.taken += taken;
        arrow.is_implicit &= is_implicit;
    };
    for edge in graph.edges {
        let taken = story.ways.get(&(edge.from, edge.label.name(), edge.to)).copied().unwrap_or_default();
        let label = match edge.budget {
            Some(rounds) => said.at_most(&edge.label.name(), &rounds),
            None => edge.label.name().to_owned(),
        };
        add(row(place(edge.from)), row(target(edge.to)), label, taken, false);
    }
    for ((from, label, to), taken) in &story.ways {
        let is_in_table = graph.edges.iter().any(|edge| (edge.from, edge.label.name(), edge.to) == (*from, label, *to));
        if !is_in_table {
            add(row(place(*from)), row(target(*to)), (*label).to_owned(), *taken, true);
        }
    }
    layout::draw(&spots, &merged.into_values().collect::<Vec<_>>())
}

/// A node to draw; `None` is the end.
fn spot<W: Workflow>(story: &Story<W>, node: Option<W::Node>, said: &'static messages::Flow) -> Spot {
    let ended = story.node.is_none() && story.unread.is_none();
    let Some(node) = node else {
        let reached = story.ways.keys().any(|(_, _, to)| *to == To::End);
        let class = if reached && ended { "node end visited" } else { "node end" };
        return Spot { name: said.end.to_owned(), badge: String::new(), class: class.to_owned() };
    };
    let visits = story.costs.get(&node).map_or(0, |cost| cost.visits);
    let mut class = "node".to_owned();
    let mut badge = String::new();
    if visits > 0 {
        class.push_str(" visited");
    }
    if visits > 1 {
        badge = format!(" ×{visits}");
    }
    if story.node == Some(node) {
        class.push_str(" present");
        badge.push_str(said.here);
    }
    Spot { name: node.name().to_owned(), badge, class }
}
