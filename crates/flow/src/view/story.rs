//! The content of a log for the page: the path of the thread, its questions and answers, its drafts, and its cost.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;

use super::diff::{self, Line};
use super::words::{self, Field, fields, line};
use crate::archive::imported_until;
use crate::definition::{Effect, Workflow};
use crate::event::{Body, Event};
use crate::graph::{Name, To};
use crate::position::{Asking, Position};
use crate::run::decode;
use crate::thread::{ThreadId, ThreadRecord};
use crate::words::channel_in;
use reqgate_base::model::Language;
use reqgate_messages as messages;

/// An event in the timeline.
#[derive(Debug, Serialize)]
pub(super) struct Row {
    pub seq: u64,
    pub at: String,
    pub actor: String,
    /// The class in the style sheet: `step`, `ask`, `answer`, `call`, `trouble`, `effect` or `end`.
    pub class: &'static str,
    pub headline: String,
    /// The changes of the state, or the result.
    pub details: Vec<Field>,
}

/// A question and its answer.
#[derive(Debug, Serialize)]
pub(super) struct Exchange {
    pub id: String,
    #[serde(skip)]
    seq: u64,
    pub kind: &'static str,
    pub title: String,
    pub at: String,
    pub fields: Vec<Field>,
    pub answer: Option<Reply>,
    /// The question has no answer yet.
    pub is_open: bool,
}

/// The answer to a question.
#[derive(Debug, Serialize)]
pub(super) struct Reply {
    pub actor: String,
    pub channel: String,
    pub at: String,
    /// The time between question and answer, in words.
    pub after: Option<String>,
    pub fields: Vec<Field>,
}

/// A text with its versions.
#[derive(Debug, Serialize)]
pub(super) struct Document {
    pub name: String,
    pub versions: Vec<Version>,
    #[serde(skip)]
    text: String,
    /// The whole last version.
    pub whole: Vec<Line>,
}

#[derive(Debug, Serialize)]
pub(super) struct Version {
    pub number: usize,
    pub seq: u64,
    pub at: String,
    pub added: usize,
    pub removed: usize,
    /// The differences from the previous version; empty for the first.
    pub lines: Vec<Line>,
}

/// The cost of the visits to a node.
#[derive(Debug, Default)]
pub(super) struct Cost {
    pub visits: usize,
    pub calls: usize,
    pub failed: usize,
    pub questions: usize,
    pub usage: BTreeMap<String, f64>,
}

/// An edge that was taken: its start, its label, and its target.
pub(super) type Way<N> = (N, &'static str, To<N>);

/// The part of a log that this program cannot read.
#[derive(Debug, Serialize)]
pub(super) struct Unread {
    /// The number of the first event that cannot be read.
    pub seq: u64,
    pub reason: String,
}

/// The contents of a log, prepared for display.
pub(super) struct Story<W: Workflow> {
    pub rows: Vec<Row>,
    pub exchanges: Vec<Exchange>,
    pub documents: Vec<Document>,
    pub costs: BTreeMap<W::Node, Cost>,
    pub ways: BTreeMap<Way<W::Node>, u32>,
    /// The current node; `None` once the thread has reached its end.
    pub node: Option<W::Node>,
    pub unread: Option<Unread>,
    position: Position<W>,
    thread: ThreadId,
    language: Language,
    said: &'static messages::Flow,
    /// The number of the last event that came from an archive.
    imported: u64,
}

/// Returns the drafts in a state, each with its name.
pub type Drafts<'a, W> = &'a dyn Fn(&<W as Workflow>::State) -> Vec<(String, String)>;

impl<W: Workflow> Story<W> {
    /// Reads a log. If this program cannot read the whole log, the remaining events are listed by their kinds.
    pub(super) fn read(record: &ThreadRecord, events: &[Event], drafts: Drafts<'_, W>, language: Language) -> Self {
        let mut story = Self {
            rows: Vec::with_capacity(events.len()),
            exchanges: Vec::new(),
            documents: Vec::new(),
            costs: BTreeMap::new(),
            ways: BTreeMap::new(),
            node: None,
            unread: None,
            position: Position::default(),
            thread: record.id.clone(),
            language,
            said: messages::Flow::of(language),
            // If the log cannot be read, all events are marked as possibly imported.
            imported: imported_until::<W>(&record.id, events).unwrap_or(u64::MAX),
        };
        for event in events {
            if story.unread.is_none()
                && let Err(reason) = story.take(event, drafts)
            {
                story.unread = Some(Unread { seq: event.seq, reason: line(&reason) });
            }
            if story.unread.is_some() {
                let kind = event.body.get("kind").and_then(Value::as_str).unwrap_or("unknown").to_owned();
                story.row(event, "trouble", kind, fields(&event.body, &["kind"], story.said));
            }
        }
        let open = story.position.open.as_ref().map(|open| open.seq);
        for exchange in &mut story.exchanges {
            exchange.is_open = Some(exchange.seq) == open;
        }
        for document in &mut story.documents {
            document.whole = diff::whole(&document.text, story.said);
        }
        story.node = (!story.position.phase.is_terminal()).then_some(story.position.node);
        story
    }

    fn take(&mut self, event: &Event, drafts: Drafts<'_, W>) -> Result<(), String> {
        let body = decode::<W>(&self.thread, event).map_err(|error| error.to_string())?;
        let (from, entered) = (self.position.node, self.position.entered);
        self.position.apply(event.seq, &body).map_err(|error| error.to_string())?;
        let details = details(&body, self.said);
        let class = class(&body);
        self.row(event, class, body.headline_in(self.language), details);
        self.follow(from, &body);
        if self.position.entered != entered || matches!(body, Body::Started { .. }) {
            self.cost(self.position.node).visits += 1;
        }
        match &body {
            Body::CallDone { usage, .. } => {
                let cost = self.cost(from);
                cost.calls += 1;
                words::add_usage(usage, &mut cost.usage);
            }
            Body::CallFailed { .. } => {
                let cost = self.cost(from);
                cost.calls += 1;
                cost.failed += 1;
            }
            Body::Asked { ask } => self.asked(event, from, &Asking::Workflow(ask.clone())),
            Body::Interrupted { because, ask } => {
                self.asked(event, from, &Asking::Engine(because.clone(), ask.clone()));
            }
            Body::Answered { ask, answer, channel } => self.answered(event, *ask, answer, channel),
            Body::Stepped { effects, .. } => {
                for effect in effects {
                    if let Effect::File { path, content, .. } = effect {
                        self.written(event, &path.display().to_string(), content);
                    }
                }
            }
            _ => {}
        }
        for (name, text) in drafts(&self.position.state) {
            self.written(event, &name, &text);
        }
        Ok(())
    }

    fn row(&mut self, event: &Event, class: &'static str, headline: String, details: Vec<Field>) {
        let (at, actor, headline) = (line(&event.at), self.actor(event), line(&headline));
        self.rows.push(Row { seq: event.seq, at, actor, class, headline, details });
    }

    /// The person named in an event, with a mark if the event came from an archive.
    fn actor(&self, event: &Event) -> String {
        let mark = if event.seq <= self.imported { self.said.imported } else { "" };
        format!("{}{mark}", line(&event.actor))
    }

    fn cost(&mut self, node: W::Node) -> &mut Cost {
        self.costs.entry(node).or_default()
    }

    /// Records the edge that an event took.
    fn follow(&mut self, from: W::Node, body: &Body<W>) {
        let to = self.position.node;
        let way = match body {
            Body::Stepped { node, label, .. } => {
                W::graph().edge(*node, *label).map(|edge| (*node, label.name(), edge.to))
            }
            Body::Answered { .. } if to != from => Some((from, self.said.failed, To::Node(to))),
            Body::Reopened | Body::Amended { to: Some(_), .. } => Some((from, self.said.taken_up, To::Node(to))),
            _ => None,
        };
        if let Some(way) = way {
            *self.ways.entry(way).or_default() += 1;
        }
    }

    fn asked(&mut self, event: &Event, node: W::Node, question: &Asking<W>) {
        self.cost(node).questions += 1;
        let mut shown = question.json();
        if let Some(ways) = question.ways_on(self.language) {
            shown["reason"] = question.title_in(self.language).into();
            shown["resumeInstructions"] = ways.into();
        }
        self.exchanges.push(Exchange {
            id: format!("{}.{}", self.thread, event.seq),
            seq: event.seq,
            kind: question.kind(),
            title: line(&question.title_in(self.language)),
            at: line(&event.at),
            fields: fields(&shown, &["kind"], self.said),
            answer: None,
            is_open: false,
        });
    }

    fn answered(&mut self, event: &Event, ask: u64, answer: &Value, channel: &str) {
        let said = self.said;
        let channel = channel_in(channel, self.language);
        let actor = self.actor(event);
        let Some(exchange) = self.exchanges.iter_mut().rev().find(|exchange| exchange.seq == ask) else { return };
        exchange.answer = Some(Reply {
            actor,
            channel: line(channel),
            at: line(&event.at),
            after: words::between(&exchange.at, &event.at, said),
            fields: fields(answer, &[], said),
        });
    }

    /// Records a version of a document, if it differs from the last one.
    fn written(&mut self, event: &Event, name: &str, text: &str) {
        let name = line(name);
        let said = self.said;
        let version = |number, lines: Vec<Line>| {
            let (added, removed) = diff::counts(&lines);
            Version { number, seq: event.seq, at: line(&event.at), added, removed, lines }
        };
        match self.documents.iter_mut().find(|document| document.name == name) {
            Some(document) if document.text == text => {}
            Some(document) => {
                let lines = diff::difference(&document.text, text, said);
                document.versions.push(version(document.versions.len() + 1, lines));
                text.clone_into(&mut document.text);
            }
            None if text.is_empty() => {}
            None => {
                let versions = vec![version(1, Vec::new())];
                self.documents.push(Document { name, versions, text: text.to_owned(), whole: Vec::new() });
            }
        }
    }
}

fn class<W: Workflow>(body: &Body<W>) -> &'static str {
    match body {
        Body::Stepped { .. } | Body::Amended { .. } | Body::Migrated { .. } => "step",
        Body::Asked { .. } | Body::Interrupted { .. } => "ask",
        Body::Answered { .. } => "answer",
        Body::HandedOut { .. } | Body::CallDone { .. } => "call",
        Body::CallFailed { .. } | Body::EffectRefused { .. } => "trouble",
        Body::EffectDone { .. } => "effect",
        Body::Started { .. }
        | Body::Forked { .. }
        | Body::Reopened
        | Body::Imported
        | Body::Cancelled { .. }
        | Body::Ended => "end",
    }
}

/// The details of an event, in addition to its headline.
fn details<W: Workflow>(body: &Body<W>, said: &messages::Flow) -> Vec<Field> {
    let value = match body {
        Body::Started { input: patches, .. } | Body::Stepped { patches, .. } | Body::Amended { patches, .. } => {
            serde_json::to_value(patches)
        }
        Body::CallDone { result, .. } => Ok(result.clone()),
        Body::CallFailed { problems, .. } => {
            Ok(problems.iter().map(|problem| Value::String(problem.to_string())).collect())
        }
        _ => Ok(Value::Null),
    };
    fields(&value.unwrap_or_default(), &[], said)
}
