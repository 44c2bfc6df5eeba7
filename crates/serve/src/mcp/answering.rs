//! Answers of people: through a form of the client, passed on by the agent where that is allowed, or else in a browser or at the
//! command line.

use serde_json::{Map, Value, json};

use super::arguments::{Answer, read};
use super::elicitation::{Peer, Pending, Reply};
use super::error::ToolError;
use super::form;
use super::protocol::Era;
use super::site::{AGENT, Site};
use crate::installation::other;
use crate::work::{Thread, WorkError, store_with};
use reqgate_flow::{AnswerError, AskId, Served};
use reqgate_orders::shape_of;

/// The name under which answers by a form are recorded.
const FORM: &str = "mcp-form";
/// The name of the one form in a result.
const KEY: &str = "answer";

/// The result of `prd_answer`.
pub(super) enum Answered {
    /// The result of the tool.
    Done(Value),
    /// The client must show a form first, and call again.
    Form(Value),
}

/// The ways to ask the client in one request.
pub(super) struct Client<'a> {
    /// The era of the request.
    pub era: Era,
    /// The id of the request.
    pub request: &'a Value,
    /// The handle of the form that comes back with a modern request.
    pub state: Option<&'a str>,
    /// The forms that come back with it.
    pub responses: Option<&'a Value>,
    /// The client, while it waits.
    pub peer: &'a mut dyn Peer,
}

/// Gets an answer and passes it on. Without one the question stays open.
pub(super) fn answer(site: &Site<'_>, arguments: &Value, client: Client<'_>) -> Result<Answered, ToolError> {
    let Answer { ask_id, answer } = read(arguments)?;
    let (_, record) = store_with(site.installation, &ask_id.thread)?;
    let other = other(site.installation, &record);
    if let Some(answer) = answer.filter(|_| site.caller.allow_answers) {
        return match other {
            Some(workflow) => passed_to(site, workflow, &ask_id, answer),
            None => passed_on(site, &ask_id, answer, AGENT, AGENT),
        }
        .map(Answered::Done);
    }
    if other.is_some() && record.ask.as_ref() == Some(&ask_id) {
        let note = "a person answers, as next.answer_with says; then call prd_next";
        return left_open(site, &ask_id, note).map(Answered::Done);
    }
    if other.is_some() || !is_open(site, &ask_id)? {
        return stale(site, &ask_id).map(Answered::Done);
    }
    let form = if site.shows_forms { form_of(site, &ask_id)? } else { None };
    let Some(form) = form else {
        let way = if site.caller.inbox.is_some() { "in a browser" } else { "at the command line" };
        let note =
            format!("nothing was answered: a person answers {way}, as next.answer_with says; then call prd_next");
        return left_open(site, &ask_id, &note).map(Answered::Done);
    };
    let reply = match (client.era, client.state) {
        (Era::Legacy, _) => Reply::read(client.peer.elicit(client.request, &form).as_ref()),
        (Era::Modern, None) => {
            let handle = pending(site)?.put(&ask_id, &site.caller.person, &form)?;
            let request = json!({ "method": "elicitation/create", "params": form });
            return Ok(Answered::Form(json!({ "inputRequests": { KEY: request }, "requestState": handle })));
        }
        (Era::Modern, Some(handle)) => {
            if !pending(site)?.take(handle, &ask_id, &site.caller.person, &form) {
                let what = "the form is not that of the open question, came back twice, or came back too late";
                return Err(ToolError::new("stale_form", what, "call prd_answer again without requestState"));
            }
            Reply::read(client.responses.and_then(|responses| responses.get(KEY)))
        }
    };
    let Reply::Accepted(content) = reply else {
        return left_open(
            site,
            &ask_id,
            "the person did not answer the form: the question stays open, do not answer it",
        )
        .map(Answered::Done);
    };
    // Another person may have changed the document or answered while the form was open.
    if form_of(site, &ask_id)?.as_ref() != Some(&form) {
        return stale(site, &ask_id).map(Answered::Done);
    }
    filled_in(site, &ask_id, &content).map(Answered::Done)
}

fn pending(site: &Site<'_>) -> Result<Pending, ToolError> {
    site.installation.state().map(|folder| Pending::new(&folder)).map_err(ToolError::installation)
}

/// Returns true if a question is open.
fn is_open(site: &Site<'_>, ask: &AskId) -> Result<bool, ToolError> {
    let pipeline = site.pipeline()?;
    Ok(site
        .desk(&pipeline)
        .look(&ask.thread, |run, _| Ok(run.position.open.as_ref().is_some_and(|open| open.seq == ask.seq)))?)
}

/// The form of a question, if it is open and fits into one.
fn form_of(site: &Site<'_>, ask: &AskId) -> Result<Option<Value>, ToolError> {
    let gate = site.installation.gate(None).map_err(ToolError::installation)?;
    let mask = |words: &str| super::masking::masked_words(words, &gate.screen);
    Ok(site.desk(&gate.pipeline).look(&ask.thread, |run, _| {
        let open = run.position.open.as_ref().filter(|open| open.seq == ask.seq);
        Ok(open.and_then(|open| form::form(&open.question, run.position.state.language(), &mask)))
    })?)
}

/// Passes on the answer in a filled form, in the name of the person.
fn filled_in(site: &Site<'_>, ask: &AskId, content: &Map<String, Value>) -> Result<Value, ToolError> {
    let pipeline = site.pipeline()?;
    let answer = site.desk(&pipeline).look(&ask.thread, |run, _| {
        let open = run.position.open.as_ref().filter(|open| open.seq == ask.seq);
        Ok(open.and_then(|open| form::answer(&open.question, content)))
    })?;
    match answer {
        Some(Value::Object(answer)) => passed_on(site, ask, answer, &site.caller.person, FORM),
        _ => left_open(site, ask, "the person decided nothing in the form: the question stays open"),
    }
}

/// Commits an answer and returns the next step.
fn passed_on(
    site: &Site<'_>,
    ask: &AskId,
    answer: Map<String, Value>,
    actor: &str,
    channel: &str,
) -> Result<Value, ToolError> {
    let pipeline = site.pipeline()?;
    let tell = |run: Thread<'_>, stop: Option<&_>| site.told(run, stop, &pipeline);
    match site.desk(&pipeline).answer(ask, answer, (actor, channel), tell) {
        Ok((is_new, next)) => Ok(taken(is_new, &next)),
        Err(error) => refused(site, ask, error, channel == AGENT),
    }
}

/// Commits an answer to a question of another workflow and returns the next step.
fn passed_to(
    site: &Site<'_>,
    workflow: &dyn Served,
    ask: &AskId,
    answer: Map<String, Value>,
) -> Result<Value, ToolError> {
    let pipeline = site.pipeline()?;
    match site.desk(&pipeline).answer_other(workflow, ask, answer, (AGENT, AGENT)) {
        Ok(is_new) => Ok(taken(is_new, &site.next_of(&ask.thread, &pipeline)?)),
        Err(error) => refused(site, ask, error, true),
    }
}

fn taken(is_new: bool, next: &Value) -> Value {
    json!({ "status": if is_new { "accepted" } else { "duplicate" }, "next": next })
}

/// The result for an answer that was not taken; an agent gets the shape of a right one.
fn refused(site: &Site<'_>, ask: &AskId, error: WorkError, is_agent: bool) -> Result<Value, ToolError> {
    let (error, schema) = match error {
        WorkError::Answer { error, schema } => (*error, schema),
        error => return Err(error.into()),
    };
    match error {
        AnswerError::WrongShape(problems) => {
            let shape = schema.filter(|_| is_agent).map(|schema| shape_of(&schema));
            Ok(json!({ "status": "rejected", "problems": problems, "answer_shape": shape }))
        }
        AnswerError::Conflict(_) => stale(site, ask),
        AnswerError::Unknown(ask) => {
            let what = format!("there is no question `{ask}`");
            Err(ToolError::new("unknown_question", what, "call prd_next for the open one"))
        }
        AnswerError::Run(error) => Err(WorkError::Run(error).into()),
    }
}

fn stale(site: &Site<'_>, ask: &AskId) -> Result<Value, ToolError> {
    let next = site.next_of(&ask.thread, &site.pipeline()?)?;
    Ok(json!({ "status": "stale", "note": "this question is not open, or has changed", "next": next }))
}

fn left_open(site: &Site<'_>, ask: &AskId, note: &str) -> Result<Value, ToolError> {
    let next = site.next_of(&ask.thread, &site.pipeline()?)?;
    Ok(json!({ "status": "for_a_person", "note": note, "next": next }))
}
