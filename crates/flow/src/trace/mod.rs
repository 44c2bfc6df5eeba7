//! A thread as spans, derived from its log, with the attribute names of OpenTelemetry's conventions for generative
//! models.
//!
//! Ids are hashes of the thread and the event. So a thread that was killed and resumed is one trace, and a repeated
//! export gives the same spans. Contents are left out unless they are requested.

pub mod names;

use std::io::{self, Write};

use serde::Serialize;
use serde_json::{Map, Value, json};

use super::definition::Workflow;
use super::event::{Because, Body, Event};
use super::graph::Name;
use super::hash;
use super::position::Position;
use super::run::{RunError, decode};
use super::thread::{ThreadId, ThreadRecord};

/// A span, in the same form as the lines of a trace of model calls.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Span {
    /// The name of the operation.
    pub name: String,
    /// `client` for an answer of a model, else `internal`.
    pub kind: &'static str,
    /// The start, in milliseconds since 1970; 0 if the log has no valid RFC 3339 time.
    pub start_unix_ms: i64,
    /// The duration, in milliseconds.
    pub duration_ms: i64,
    /// The id of the trace: 16 bytes in hexadecimal.
    pub trace: String,
    /// The id of the span: 8 bytes in hexadecimal.
    pub span: String,
    /// The id of the enclosing span.
    pub parent: Option<String>,
    /// All other attributes, by the names in [`names`].
    pub attributes: Map<String, Value>,
}

/// The events after which a thread waits or has ended.
const PAUSED_AFTER: [&str; 7] = ["asked", "interrupted", "handed-out", "ended", "cancelled", "forked", "imported"];
/// The events that a command from outside causes.
const PAUSED_BEFORE: [&str; 6] = ["answered", "amended", "cancelled", "migrated", "reopened", "imported"];

/// The time at work of a thread, in whole seconds: the time between its events, without the time that it had ended, or
/// waited for a person, for the result of a work order or for the next command.
pub fn seconds_at_work(events: &[Event]) -> u64 {
    let at = |event: &Event| chrono::DateTime::parse_from_rfc3339(&event.at).map_or(0, |at| at.timestamp_millis());
    let is_one_of =
        |event: &Event, kinds: &[&str]| event.body["kind"].as_str().is_some_and(|kind| kinds.contains(&kind));
    let is_work =
        |(before, next): &(&Event, &Event)| !is_one_of(before, &PAUSED_AFTER) && !is_one_of(next, &PAUSED_BEFORE);
    let pairs = events.iter().zip(events.iter().skip(1)).filter(is_work);
    let all: i64 = pairs.map(|(event, next)| (at(next) - at(event)).max(0)).sum();
    u64::try_from(all / 1000).unwrap_or(0)
}

/// The id of the trace of a thread.
pub fn trace_id(thread: &ThreadId) -> String {
    hash(thread.as_str().as_bytes()).chars().take(32).collect()
}

/// The id of the span of an event. Attempt 0 is the visit of the node that the event led to; event 0 is the whole run.
fn span_id(thread: &ThreadId, seq: u64, attempt: u32) -> String {
    hash(json!([thread, seq, attempt]).to_string().as_bytes()).chars().take(16).collect()
}

/// The spans of a thread in order of their start: the run, then the visits of nodes with their calls, questions and
/// effects.
///
/// # Errors
///
/// Fails if the log is damaged or belongs to another workflow.
pub fn spans<W: Workflow>(record: &ThreadRecord, events: &[Event], contents: bool) -> Result<Vec<Span>, RunError> {
    let mut told =
        RunSpans { record, contents, position: Position::<W>::default(), spans: Vec::new(), now: 0, visit: None };
    for event in events {
        told.take(event)?;
    }
    Ok(told.finish())
}

/// Writes spans as JSON lines, each with one write.
///
/// # Errors
///
/// Fails if the output cannot be written.
pub fn write(spans: &[Span], out: &mut dyn Write) -> io::Result<()> {
    for span in spans {
        let line = serde_json::to_string(span).map_err(io::Error::from)?;
        out.write_all(format!("{line}\n").as_bytes())?;
    }
    Ok(())
}

struct RunSpans<'a, W: Workflow> {
    record: &'a ThreadRecord,
    contents: bool,
    position: Position<W>,
    /// The spans so far; the first one is the run.
    spans: Vec<Span>,
    /// The time of the last event.
    now: i64,
    /// The span of the current visit.
    visit: Option<usize>,
}

impl<W: Workflow> RunSpans<'_, W> {
    fn take(&mut self, event: &Event) -> Result<(), RunError> {
        let body = decode::<W>(&self.record.id, event)?;
        let before = self.now;
        self.now = chrono::DateTime::parse_from_rfc3339(&event.at).map_or(before, |at| at.timestamp_millis());
        if self.spans.is_empty() {
            self.begin();
        }
        let entered = self.position.entered;
        match &body {
            Body::HandedOut { .. } | Body::CallDone { .. } | Body::CallFailed { .. } => self.call(event, &body, before),
            Body::Asked { .. } | Body::Interrupted { .. } => self.asked(event, &body),
            Body::Answered { ask, answer, channel } => self.answered(*ask, answer, channel),
            Body::Stepped { label, .. } => {
                self.on_visit(names::LABEL, json!(label.name()));
                self.leave();
            }
            Body::EffectDone { step, index, receipt } => self.effect(event, before, (*step, *index), receipt, None),
            Body::EffectRefused { step, index, .. } => {
                self.effect(event, before, (*step, *index), "refused", Some("effect_refused"));
            }
            Body::Cancelled { .. } | Body::Ended => self.leave(),
            Body::Started { .. }
            | Body::Forked { .. }
            | Body::Reopened
            | Body::Amended { .. }
            | Body::Migrated { .. }
            | Body::Imported => {}
        }
        self.position.apply(event.seq, &body)?;
        if self.position.entered != entered && !self.position.phase.is_terminal() {
            self.leave();
            self.enter(event.seq);
        }
        Ok(())
    }

    fn begin(&mut self) {
        let mut span = self.span(format!("{} {}", names::INVOKE_WORKFLOW, W::NAME), self.now, (0, 0), None);
        span.attributes.insert(names::OPERATION.to_owned(), json!(names::INVOKE_WORKFLOW));
        span.attributes.insert(names::WORKFLOW.to_owned(), json!(W::NAME));
        span.attributes.insert(names::CONVERSATION.to_owned(), json!(self.record.id));
        if let Some(parent) = &self.record.parent {
            span.attributes.insert(names::PARENT.to_owned(), json!(parent));
        }
        if self.contents {
            span.attributes.insert(names::CONTENT.to_owned(), json!(self.record.title));
        }
        self.spans.push(span);
    }

    fn span(&self, name: String, start: i64, (seq, attempt): (u64, u32), parent: Option<usize>) -> Span {
        let mut attributes = Map::new();
        attributes.insert(names::THREAD.to_owned(), json!(self.record.id));
        if seq > 0 {
            attributes.insert(names::SEQ.to_owned(), json!(seq));
            attributes.insert(names::NODE.to_owned(), json!(self.position.node.name()));
        }
        Span {
            name,
            kind: "internal",
            start_unix_ms: start,
            duration_ms: (self.now - start).max(0),
            trace: trace_id(&self.record.id),
            span: span_id(&self.record.id, seq, attempt),
            parent: parent.and_then(|parent| self.spans.get(parent)).map(|parent| parent.span.clone()),
            attributes,
        }
    }

    fn enter(&mut self, seq: u64) {
        let mut span = self.span(self.position.node.name().to_owned(), self.now, (seq, 0), Some(0));
        span.attributes.insert(names::OPEN.to_owned(), json!(true));
        self.visit = Some(self.spans.len());
        self.spans.push(span);
    }

    /// Ends the current visit.
    fn leave(&mut self) {
        if let Some(span) = self.visit.take().and_then(|visit| self.spans.get_mut(visit)) {
            span.duration_ms = (self.now - span.start_unix_ms).max(0);
            span.attributes.shift_remove(names::OPEN);
        }
    }

    fn on_visit(&mut self, name: &str, value: Value) {
        if let Some(span) = self.visit.and_then(|visit| self.spans.get_mut(visit)) {
            span.attributes.insert(name.to_owned(), value);
        }
    }

    /// Adds one attempt at a call. Its start is the time it was handed out, or else the time of the previous event.
    fn call(&mut self, event: &Event, body: &Body<W>, before: i64) {
        let (index, attempt, request) = match body {
            Body::HandedOut { index, attempt, request }
            | Body::CallDone { index, attempt, request, .. }
            | Body::CallFailed { index, attempt, request, .. } => (*index, *attempt, request),
            _ => return,
        };
        let node = self.position.node.name();
        let tool = format!("{} {node}", names::EXECUTE_TOOL);
        let handed_out = self.handed_out(index, attempt);
        let place = handed_out.unwrap_or_else(|| {
            let mut span = self.span(tool, before, (event.seq, attempt), self.visit);
            let about = [
                (names::OPERATION, json!(names::EXECUTE_TOOL)),
                (names::TOOL, json!(node)),
                (names::CALL, json!(index)),
                (names::ATTEMPT, json!(attempt)),
                (names::REQUEST_HASH, json!(request)),
            ];
            span.attributes.extend(about.map(|(name, value)| (name.to_owned(), value)));
            self.spans.push(span);
            self.spans.len() - 1
        });
        self.on_visit(names::OPERATION, json!(names::INVOKE_AGENT));
        self.on_visit(names::AGENT, json!(node));
        if let Some(visit) = self.visit.and_then(|visit| self.spans.get_mut(visit)) {
            visit.name = format!("{} {node}", names::INVOKE_AGENT);
        }
        let (now, contents) = (self.now, self.contents);
        let span = &mut self.spans[place];
        match body {
            Body::HandedOut { .. } => {
                span.start_unix_ms = now;
                span.duration_ms = 0;
                span.attributes.insert(names::OPEN.to_owned(), json!(true));
                return;
            }
            Body::CallDone { result, usage, .. } => {
                answered_by_model(span, usage);
                if contents {
                    span.attributes.insert(names::OUTPUT.to_owned(), result.clone());
                }
            }
            Body::CallFailed { problems, .. } => {
                span.attributes.insert(names::ERROR.to_owned(), json!("call_failed"));
                if contents {
                    let problems: Vec<String> = problems.iter().map(ToString::to_string).collect();
                    span.attributes.insert(names::CONTENT.to_owned(), json!(problems));
                }
            }
            _ => {}
        }
        span.duration_ms = (now - span.start_unix_ms).max(0);
        span.attributes.shift_remove(names::OPEN);
    }

    /// The index of the span of an attempt that was handed out in this visit and is still open.
    fn handed_out(&self, index: u32, attempt: u32) -> Option<usize> {
        let since = self.visit?;
        self.spans.iter().enumerate().skip(since + 1).rev().find_map(|(place, span)| {
            let is = |name: &str, value: Value| span.attributes.get(name) == Some(&value);
            let same = is(names::CALL, json!(index)) && is(names::ATTEMPT, json!(attempt));
            (same && span.attributes.contains_key(names::OPEN)).then_some(place)
        })
    }

    fn asked(&mut self, event: &Event, body: &Body<W>) {
        use super::ask::AskModel as _;
        let (kind, content) = match body {
            Body::Asked { ask } => (ask.kind(), json!(ask)),
            Body::Interrupted { because, ask } => {
                if matches!(because, Because::NodeFailed { .. }) {
                    self.on_visit(names::ERROR, json!("node_failed"));
                }
                ("interrupt", json!(ask))
            }
            _ => return,
        };
        let mut span = self.span(format!("ask {kind}"), self.now, (event.seq, 0), self.visit.or(Some(0)));
        let id = super::thread::AskId { thread: self.record.id.clone(), seq: event.seq };
        span.attributes.insert(names::ASK.to_owned(), json!(id));
        span.attributes.insert(names::ASK_KIND.to_owned(), json!(kind));
        span.attributes.insert(names::OPEN.to_owned(), json!(true));
        if self.contents {
            span.attributes.insert(names::CONTENT.to_owned(), content);
        }
        self.spans.push(span);
    }

    fn answered(&mut self, ask: u64, answer: &Value, channel: &str) {
        let (now, id) = (self.now, span_id(&self.record.id, ask, 0));
        let contents = self.contents;
        let Some(span) = self.spans.iter_mut().rev().find(|span| span.span == id) else { return };
        span.duration_ms = (now - span.start_unix_ms).max(0);
        span.attributes.shift_remove(names::OPEN);
        span.attributes.insert(names::CHANNEL.to_owned(), json!(channel));
        if contents {
            span.attributes.insert(names::OUTPUT.to_owned(), answer.clone());
        }
    }

    fn effect(&mut self, event: &Event, before: i64, key: (u64, u32), receipt: &str, error: Option<&str>) {
        let name = format!("{} file", names::EXECUTE_TOOL);
        let mut span = self.span(name, before, (event.seq, 1), Some(0));
        let key = format!("{}.{}.{}", self.record.id, key.0, key.1);
        let about = [
            (names::OPERATION, json!(names::EXECUTE_TOOL)),
            (names::TOOL, json!("file")),
            (names::EFFECT, json!(key)),
            (names::RECEIPT, json!(receipt)),
        ];
        span.attributes.extend(about.map(|(name, value)| (name.to_owned(), value)));
        if let Some(error) = error {
            span.attributes.insert(names::ERROR.to_owned(), json!(error));
        }
        self.spans.push(span);
    }

    fn finish(mut self) -> Vec<Span> {
        if let Some(run) = self.spans.first_mut() {
            run.duration_ms = (self.now - run.start_unix_ms).max(0);
            run.attributes.insert(names::PHASE.to_owned(), json!(self.position.phase));
            if !self.position.phase.is_terminal() {
                run.attributes.insert(names::OPEN.to_owned(), json!(true));
            }
        }
        self.spans
    }
}

/// Turns the span of a call into a chat, if the author of the result reports its model.
fn answered_by_model(span: &mut Span, usage: &Value) {
    let told = |name: &str| usage.get(name).filter(|value| !value.is_null()).cloned();
    for (name, attribute) in [("input_tokens", names::INPUT_TOKENS), ("output_tokens", names::OUTPUT_TOKENS)] {
        if let Some(value) = told(name).filter(Value::is_u64) {
            span.attributes.insert(attribute.to_owned(), value);
        }
    }
    if let Some(provider) = told("provider").filter(Value::is_string) {
        span.attributes.insert(names::PROVIDER.to_owned(), provider);
    }
    if let Some(Value::String(model)) = told("model") {
        span.name = format!("{} {model}", names::CHAT);
        span.kind = "client";
        span.attributes.insert(names::OPERATION.to_owned(), json!(names::CHAT));
        span.attributes.shift_remove(names::TOOL);
        span.attributes.insert(names::MODEL.to_owned(), json!(model));
    }
}
