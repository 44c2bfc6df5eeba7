//! The state of a thread, as an agent reads it: an order with its inputs, a question for a person, or the end.

use std::path::Path;

use serde_json::{Value, json};

use super::error::{ToolError, shortened};
use super::site::{Caller, Site};
use crate::work::Thread;
use reqgate_base::clean;
use reqgate_base::hash::Hash;
use reqgate_base::model::Language;
use reqgate_flow::{
    AnyQuestion, AskId, Asking, Order, Phase, StateStore, Status, Stop, ThreadRecord, ThreadView, current,
};
use reqgate_gate::pipeline::Pipeline;
use reqgate_orders::shape_of;
use reqgate_prd::ask::rejecting;
use reqgate_prd::workflow::{
    OrderDocument, PrdCall, PrdWorkflow, ThreadDocument, WorkOrder, document_on_disk, documents_of, masked,
};

/// The maximum number of characters of the inputs in an order; longer inputs are read in pieces.
const MOST_SHOWN: usize = 20_000;
/// The maximum number of characters of a question's documents that are shown with it.
const LONGEST_REQUEST: usize = 8_000;

/// The order or the question that a thread waits for.
pub(super) fn standing(run: Thread<'_>, stop: &Stop<PrdWorkflow>, pipeline: &Pipeline, site: &Site<'_>) -> Value {
    let thread = &run.record.id;
    let state = &run.position.state;
    match stop {
        Stop::Asking(id, question) => {
            let mut asked = ask(id, question, state.language(), site, Some(pipeline));
            if site.caller.allow_answers {
                asked["answer_shape"] = shape_of(&question.answer_schema()).into();
            }
            asked
        }
        Stop::Ordering(order, call) => written(run, order, call, pipeline, site),
        Stop::Ended(Phase::Completed) => {
            let files: Vec<String> = documents_of(state).iter().map(|file| file.display().to_string()).collect();
            json!({ "thread": thread, "kind": "done", "documents": files })
        }
        Stop::Ended(Phase::Failed) => {
            let messages = &state.prd_workflow_fatal_error_messages;
            json!({
                "thread": thread,
                "kind": "failed",
                "messages": messages.iter().map(|message| clean::one_line(message)).collect::<Vec<_>>(),
                "continue_with": format!("reqgate prd resume {thread} --retry"),
            })
        }
        Stop::Ended(_) => json!({ "thread": thread, "kind": "cancelled" }),
    }
}

/// A question for a person, and the ways to answer it. Short documents are included; the inbox has all of them.
pub(super) fn ask(
    id: &AskId,
    question: &Asking<PrdWorkflow>,
    language: Language,
    site: &Site<'_>,
    shown: Option<&Pipeline>,
) -> Value {
    // Some questions are answered or left open and cannot be rejected.
    let can_reject = rejecting(question, "…").is_ok();
    let title = question.title_in(language);
    let mut asked = asked(id, Asked { kind: question.kind(), title, is_prd: true, can_reject }, site);
    if let Some(pipeline) = shown {
        add_request(&mut asked, question.json(), pipeline);
    }
    asked
}

/// A question in one line, with the ways to answer it.
pub(super) struct Asked {
    kind: &'static str,
    title: String,
    is_prd: bool,
    can_reject: bool,
}

impl Asked {
    /// A question of another workflow.
    pub(super) fn of_any(question: &dyn AnyQuestion, language: Language) -> Self {
        Self { kind: question.kind(), title: question.title_in(language), is_prd: false, can_reject: false }
    }
}

/// A question without its documents.
pub(super) fn asked(id: &AskId, shown: Asked, site: &Site<'_>) -> Value {
    let Asked { kind, title, is_prd, can_reject } = shown;
    let Caller { inbox, shares_folder, .. } = site.caller;
    let mut ways: Vec<String> = inbox.iter().map(|inbox| format!("{inbox}{id}")).collect();
    if *shares_folder && is_prd {
        ways.push(format!("reqgate prd resume {}", id.thread));
        ways.push(format!("reqgate answer {id} --approve"));
        if can_reject {
            ways.push(format!("reqgate answer {id} --reject \"…\""));
        }
        ways.push(format!("reqgate answer {id} --json FILE"));
    }
    let first = match inbox {
        Some(_) => "in a browser, at the first address",
        None if is_prd => "at the command line; the first command shows everything and asks",
        None => "in the program of the workflow",
    };
    let note = match site.shows_forms && is_prd {
        true => format!("call prd_answer with this ask_id alone, and your client shows them a form; or {first}"),
        false => first.to_owned(),
    };
    json!({
        "thread": id.thread,
        "kind": "ask_human",
        "ask_id": id,
        "about": kind,
        "question": clean::one_line(&title),
        "answer_with": ways,
        "note": format!("a person answers: {note}. Then call prd_next"),
    })
}

/// Adds the documents of a question, if they are short.
fn add_request(asked: &mut Value, request: Value, pipeline: &Pipeline) {
    let request = masked(request, pipeline);
    if request.to_string().chars().count() <= LONGEST_REQUEST {
        asked["request"] = request;
    }
}

/// The question or the end of a thread of another workflow.
pub(super) fn other_standing(
    (record, view): (&ThreadRecord, &ThreadView),
    pipeline: &Pipeline,
    site: &Site<'_>,
) -> Value {
    let thread = &record.id;
    if let (Some(id), Some(open)) = (&record.ask, &view.open) {
        let mut asked = asked(id, Asked::of_any(open.as_ref(), view.language), site);
        add_request(&mut asked, open.json(), pipeline);
        if site.caller.allow_answers {
            asked["answer_shape"] = shape_of(&open.answer_schema()).into();
        }
        return asked;
    }
    match record.phase {
        Phase::Completed => json!({ "thread": thread, "kind": "done", "documents": view.documents }),
        Phase::Failed => json!({ "thread": thread, "kind": "failed" }),
        Phase::Cancelled => json!({ "thread": thread, "kind": "cancelled" }),
        Phase::Running | Phase::WaitingForPerson | Phase::WaitingForWork => {
            let note = format!("the program of the workflow {} works on it", record.workflow);
            json!({ "thread": thread, "kind": "wait", "note": note })
        }
    }
}

/// A thread in a list.
pub(super) fn standing_of(store: &StateStore, record: &ThreadRecord) -> Value {
    let status = Status::of(record.phase, false);
    // A thread of another version is listed without the parts that only that version can read.
    let position = current::<PrdWorkflow, _>(store, record).unwrap_or_default();
    let document = ThreadDocument::new(record, status, &position);
    let mut json = json!({
        "thread": document.thread,
        "title": clean::one_line(&document.title),
        "status": document.status,
        "step": document.node,
        "updated": document.updated,
    });
    if let Some(directory) = document.directory {
        json["directory"] = directory.into();
    }
    json
}

/// An input of an order.
struct Input {
    name: String,
    text: String,
    /// The path of a file with exactly these words, relative to the project.
    path: Option<String>,
}

/// An order for an agent: instructions, inputs, the shape of the result.
fn written(run: Thread<'_>, order: &Order, call: &PrdCall, pipeline: &Pipeline, site: &Site<'_>) -> Value {
    let Some(document) = OrderDocument::new(order, call, pipeline) else {
        return json!({ "thread": order.id.thread, "kind": "wait" });
    };
    let mut room = MOST_SHOWN;
    let inputs: Vec<Value> = inputs(run, &document.inputs)
        .iter()
        .map(|input| {
            let length = input.text.chars().count();
            let mut json = json!({ "name": input.name, "characters": length, "sha256": Hash::of(&input.text).hex() });
            match input.path.as_ref().filter(|_| site.caller.shares_folder) {
                Some(path) => json["path"] = path.clone().into(),
                None if length <= room => {
                    room -= length;
                    json["text"] = clean::lines(&input.text).into();
                }
                None => {
                    let name = &input.name;
                    json["read_with"] = format!("prd_next with this thread, input `{name}` and offset 0").into();
                }
            }
            json
        })
        .collect();
    let mut written = json!({
        "thread": document.id.thread,
        "kind": "write",
        "order_id": document.id,
        "step": document.step,
        "attempt": document.attempt,
        "attempts_left": document.attempts_left,
        "problems": document.problems,
        "instructions": document.instructions,
        "inputs": inputs,
        "result_schema": document.result_schema,
        "submit_with": "prd_submit",
    });
    add_caution(&mut written, document.caution);
    written
}

/// Adds the caution of an order, if it has one.
fn add_caution(to: &mut Value, caution: Option<String>) {
    if let Some(caution) = caution {
        to["caution"] = caution.into();
    }
}

/// A piece of an input of the open order.
///
/// # Errors
/// Fails if no order is open, or if it has no such input.
pub(super) fn piece(
    run: Thread<'_>,
    stop: &Stop<PrdWorkflow>,
    pipeline: &Pipeline,
    name: &str,
    offset: usize,
) -> Result<Value, ToolError> {
    let document = match stop {
        Stop::Ordering(order, call) => OrderDocument::new(order, call, pipeline),
        _ => None,
    };
    let caution = document.as_ref().and_then(|document| document.caution.clone());
    let inputs = document.map(|document| inputs(run, &document.inputs)).unwrap_or_default();
    let Some(input) = inputs.iter().find(|input| input.name == name) else {
        let what = format!("no open order has the input `{}`", shortened(name));
        return Err(ToolError::new("unknown_input", what, "call prd_next without input"));
    };
    let text: String = input.text.chars().skip(offset).take(MOST_SHOWN).collect();
    let end = offset + text.chars().count();
    let mut json =
        json!({ "thread": run.record.id, "input": input.name, "offset": offset, "text": clean::lines(&text) });
    if end < input.text.chars().count() {
        json["next_offset"] = end.into();
    }
    add_caution(&mut json, caution);
    Ok(json)
}

/// The inputs of an order as texts, each with its name.
fn inputs(run: Thread<'_>, order: &WorkOrder) -> Vec<Input> {
    let directory = ThreadDocument::new(run.record, Status::of(run.position.phase, true), run.position).directory;
    let root = Path::new(&run.record.root);
    let on_disk = |file: &str, text: &str| document_on_disk(root, directory.as_deref()?, file, text);
    let texts = order.sources.iter().chain(&order.documents);
    let mut inputs: Vec<Input> = texts
        .map(|source| Input {
            name: source.name.clone(),
            text: source.text.clone(),
            path: on_disk(&source.name, &source.text),
        })
        .collect();
    let documents = [
        ("brief", "feature-brief.md", &order.brief),
        ("requirements", "requirements.md", &order.requirements),
        ("prd", "prd.md", &order.prd),
    ];
    for (name, file, text) in documents {
        let Some(text) = text else { continue };
        inputs.push(Input { name: name.to_owned(), text: text.clone(), path: on_disk(file, text) });
    }
    let data = [
        ("gaps", (!order.gaps.is_empty()).then(|| json!(order.gaps))),
        ("pairs", (!order.pairs.is_empty()).then(|| json!(order.pairs))),
        ("feedback", order.feedback.as_ref().map(|feedback| json!(feedback))),
        ("references", serde_json::to_value(order).ok().and_then(|order| order.get("references").cloned())),
        ("critic", order.critic.clone()),
    ];
    for (name, value) in data {
        let Some(value) = value else { continue };
        inputs.push(Input { name: name.to_owned(), text: format!("{value:#}"), path: None });
    }
    inputs
}
