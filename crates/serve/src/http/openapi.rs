//! The OpenAPI 3.1 description of the service, generated from the types that it reads and writes.

use std::sync::OnceLock;

use axum::http::header;
use axum::response::{IntoResponse, Response};
use schemars::generate::{SchemaGenerator, SchemaSettings};
use schemars::{JsonSchema, Schema};
use serde_json::{Map, Value, json};

use super::about::{Explanation, RuleEntry, ServiceHealth};
use super::asks::{AnswerAnswer, AskEntry, OpenAsk};
use super::deliveries::Delivery;
use super::error::{PROBLEM_JSON, ProblemDetails};
use super::gate::{JudgeRequest, ReviewAnswer, ReviewRequest};
use super::threads::{CancelRequest, DocumentEntry, HistoryEntry, ResultAnswer, ResultRequest, StartRequest};
use reqgate_base::model::Language;
use reqgate_prd::workflow::{OrderDocument, PrdAnswer, ThreadDocument};
use reqgate_report::json::v1::Report;

const JSON: &str = "application/json";
/// The statuses of problems that every path can have.
const ALWAYS: &[u16] = &[403, 429, 500, 503];

/// A response: its status, its description, and the media type and schema of its content.
type Answer = (u16, &'static str, Option<(&'static str, Value)>);

/// An operation of the service.
struct Operation {
    path: &'static str,
    method: &'static str,
    id: &'static str,
    tag: &'static str,
    summary: &'static str,
    /// The role that is needed; `None` if the operation is open to all.
    role: Option<&'static str>,
    parameters: Vec<Value>,
    body: Option<Value>,
    answers: Vec<Answer>,
    problems: &'static [u16],
}

pub(crate) async fn show() -> Response {
    static TEXT: OnceLock<String> = OnceLock::new();
    let text = TEXT.get_or_init(|| description().to_string());
    ([(header::CONTENT_TYPE, JSON)], text.as_str()).into_response()
}

/// The OpenAPI document of the service.
pub fn description() -> Value {
    let mut settings = SchemaSettings::draft2020_12().for_serialize();
    settings.definitions_path = "/components/schemas".into();
    let mut written = settings.into_generator();
    let mut paths = Map::new();
    for operation in operations(&mut written) {
        let (path, method) = (operation.path, operation.method);
        paths.entry(path).or_insert_with(|| json!({}))[method] = operation.json();
    }
    let problem = written.subschema_for::<ProblemDetails>();
    let schemas = written.take_definitions(true);
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "reqgate",
            "version": env!("CARGO_PKG_VERSION"),
            "summary": "The quality gate for requirements",
            "description": "Judges tickets and PRDs, and leads from an idea to an approved PRD: programs write, people decide.",
            "license": { "name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0" },
        },
        "servers": [{ "url": "/", "description": "This service" }],
        "security": [{ "token": [] }],
        "tags": [
            { "name": "gate", "description": "Judging texts" },
            { "name": "threads", "description": "Threads of the PRD workflow" },
            { "name": "asks", "description": "Questions that wait for a person" },
            { "name": "service", "description": "The service itself" },
            { "name": "webhooks", "description": "Deliveries of GitHub and Jira" },
        ],
        "paths": paths,
        "components": {
            "securitySchemes": {
                "token": {
                    "type": "http",
                    "scheme": "bearer",
                    "description": "Made by `reqgate serve token add`. On the loopback, none is needed as long as there are none.",
                },
            },
            "responses": {
                "Problem": {
                    "description": "What is wrong, and what to do",
                    "content": { PROBLEM_JSON: { "schema": problem } },
                },
            },
            "schemas": schemas,
        },
    })
}

impl Operation {
    fn json(self) -> Value {
        let mut answers = Map::new();
        for (status, description, content) in self.answers {
            let mut answer = json!({ "description": description });
            if let Some((kind, schema)) = content {
                answer["content"] = json!({ kind: { "schema": schema } });
            }
            answers.insert(status.to_string(), answer);
        }
        let unauthorized: &[u16] = if self.role.is_some() { &[401] } else { &[] };
        let mut problems: Vec<u16> = self.problems.iter().chain(unauthorized).chain(ALWAYS).copied().collect();
        problems.sort_unstable();
        problems.dedup();
        for status in problems {
            answers.insert(status.to_string(), json!({ "$ref": "#/components/responses/Problem" }));
        }
        let mut json = json!({
            "operationId": self.id,
            "tags": [self.tag],
            "summary": self.summary,
            "responses": answers,
        });
        match self.role {
            Some(role) => json["description"] = format!("Needs the role `{role}`.").into(),
            None => json["security"] = json!([]),
        }
        if !self.parameters.is_empty() {
            json["parameters"] = self.parameters.into();
        }
        if let Some(body) = self.body {
            json["requestBody"] = json!({ "required": true, "content": body });
        }
        json
    }
}

/// The inlined schema of a type that the service reads: its fields may be optional, while those of responses are not.
fn read<T: JsonSchema>() -> Value {
    let mut settings = SchemaSettings::draft2020_12();
    settings.inline_subschemas = true;
    settings.meta_schema = None;
    settings.into_generator().into_root_schema_for::<T>().to_value()
}

fn json_body<T: JsonSchema>() -> Option<Value> {
    Some(json!({ JSON: { "schema": read::<T>() } }))
}

fn ok<T: JsonSchema>(written: &mut SchemaGenerator, description: &'static str) -> Answer {
    let schema: Schema = written.subschema_for::<T>();
    (200, description, Some((JSON, schema.to_value())))
}

fn in_path(name: &str, description: &str, pattern: Option<&str>) -> Value {
    let mut schema = json!({ "type": "string", "minLength": 1 });
    if let Some(pattern) = pattern {
        schema["pattern"] = pattern.into();
    }
    json!({ "name": name, "in": "path", "required": true, "description": description, "schema": schema })
}

fn in_query(name: &str, description: &str, schema: Value) -> Value {
    json!({ "name": name, "in": "query", "description": description, "schema": schema })
}

fn in_header(name: &str, description: &str, schema: Value, is_required: bool) -> Value {
    json!({ "name": name, "in": "header", "required": is_required, "description": description, "schema": schema })
}

fn operations(written: &mut SchemaGenerator) -> Vec<Operation> {
    let thread = || in_path("thread", "The thread", Some("^[a-z0-9][a-z0-9-]{0,79}$"));
    let ask = || in_path("ask", "The question", Some("^[a-z0-9][a-z0-9-]{0,79}\\.[0-9]{1,18}$"));
    let language = |description| in_query("language", description, read::<Language>());
    let text = |schema: Value| Some(("text/plain", schema));
    let signed = |header: &str| in_header(header, "HMAC of the raw body", json!({ "type": "string" }), true);
    let delivery = |written: &mut SchemaGenerator| {
        let (_, _, content) = ok::<Delivery>(written, "");
        vec![(202, "What became of the delivery", content)]
    };
    let started = |written: &mut SchemaGenerator| {
        let (_, _, content) = ok::<ThreadDocument>(written, "");
        vec![(200, "Started before with the same key", content.clone()), (201, "Started", content)]
    };
    let string = json!({ "type": "string" });
    let event = json!({
        "type": "object",
        "properties": { "id": string, "event": string, "data": string },
        "required": ["id", "data"],
    });
    // A schema without constraints, because any text is valid.
    let plain = json!({});
    vec![
        Operation {
            path: "/v1/judge",
            method: "post",
            id: "judge",
            tag: "gate",
            summary: "Judge a ticket or PRD by rules",
            role: Some("read"),
            parameters: vec![
                in_query(
                    "policy",
                    "What blocks, for plain text",
                    json!({ "type": "string", "minLength": 1, "maxLength": 100 }),
                ),
                language("The language of the report, for plain text"),
            ],
            body: Some(json!({
                JSON: { "schema": read::<JudgeRequest>() },
                "text/plain": plain,
                "text/markdown": plain,
            })),
            answers: vec![ok::<Report>(written, "The report, as of `reqgate score --format json`")],
            problems: &[400, 404, 413, 415, 422],
        },
        Operation {
            path: "/v1/review",
            method: "post",
            id: "review",
            tag: "gate",
            summary: "Judge a text with the caller as its reader: order first, then the verdict",
            role: Some("read"),
            parameters: vec![],
            body: json_body::<ReviewRequest>(),
            answers: vec![ok::<ReviewAnswer>(written, "How far the review is")],
            problems: &[400, 404, 413, 415, 422],
        },
        Operation {
            path: "/v1/rules",
            method: "get",
            id: "listRules",
            tag: "gate",
            summary: "List the rules",
            role: Some("read"),
            parameters: vec![],
            body: None,
            answers: vec![ok::<Vec<RuleEntry>>(written, "Every rule")],
            problems: &[],
        },
        Operation {
            path: "/v1/rules/{rule}",
            method: "get",
            id: "explainRule",
            tag: "gate",
            summary: "Explain a rule",
            role: Some("read"),
            parameters: vec![in_path("rule", "The id of a rule", None), language("The language of the explanation")],
            body: None,
            answers: vec![ok::<Explanation>(written, "The explanation")],
            problems: &[400, 404],
        },
        Operation {
            path: "/v1/threads",
            method: "get",
            id: "listThreads",
            tag: "threads",
            summary: "List the threads, the one that changed last first",
            role: Some("read"),
            parameters: vec![],
            body: None,
            answers: vec![ok::<Vec<ThreadDocument>>(written, "The threads, without their questions")],
            problems: &[],
        },
        Operation {
            path: "/v1/threads",
            method: "post",
            id: "startThread",
            tag: "threads",
            summary: "Start a thread from a sentence or from texts",
            role: Some("write"),
            parameters: vec![],
            body: json_body::<StartRequest>(),
            answers: started(written),
            problems: &[400, 409, 413, 415, 422],
        },
        Operation {
            path: "/v1/threads/{thread}",
            method: "get",
            id: "showThread",
            tag: "threads",
            summary: "Show how a thread stands, with its open question",
            role: Some("read"),
            parameters: vec![thread()],
            body: None,
            answers: vec![ok::<ThreadDocument>(written, "How it stands")],
            problems: &[404],
        },
        Operation {
            path: "/v1/threads/{thread}/order",
            method: "get",
            id: "showOrder",
            tag: "threads",
            summary: "Show the open work order of a thread; reading it changes nothing",
            role: Some("read"),
            parameters: vec![thread()],
            body: None,
            answers: vec![ok::<OrderDocument>(written, "The order")],
            problems: &[404, 409],
        },
        Operation {
            path: "/v1/threads/{thread}/results",
            method: "post",
            id: "submitResult",
            tag: "threads",
            summary: "Submit the result of a work order",
            role: Some("write"),
            parameters: vec![thread()],
            body: json_body::<ResultRequest>(),
            answers: vec![ok::<ResultAnswer>(written, "What became of it, and how the thread stands")],
            problems: &[400, 404, 409, 413, 415, 422],
        },
        Operation {
            path: "/v1/threads/{thread}/cancel",
            method: "post",
            id: "cancelThread",
            tag: "threads",
            summary: "End a thread",
            role: Some("admin"),
            parameters: vec![thread()],
            body: json_body::<CancelRequest>(),
            answers: vec![ok::<ThreadDocument>(written, "How it stands")],
            problems: &[400, 404, 409, 413, 415, 422],
        },
        Operation {
            path: "/v1/threads/{thread}/documents",
            method: "get",
            id: "listDocuments",
            tag: "threads",
            summary: "List the documents of a thread",
            role: Some("read"),
            parameters: vec![thread()],
            body: None,
            answers: vec![ok::<Vec<DocumentEntry>>(written, "The documents")],
            problems: &[404, 409],
        },
        Operation {
            path: "/v1/threads/{thread}/documents/{name}",
            method: "get",
            id: "showDocument",
            tag: "threads",
            summary: "Show a document, without the personal data and secrets in it",
            role: Some("read"),
            parameters: vec![thread(), in_path("name", "Its name", None)],
            body: None,
            answers: vec![(
                200,
                "Its text: JSON if its name ends with .json",
                Some(("text/markdown", json!({ "type": "string" }))),
            )],
            problems: &[404, 409],
        },
        Operation {
            path: "/v1/threads/{thread}/history",
            method: "get",
            id: "showHistory",
            tag: "threads",
            summary: "Show what happened in a thread",
            role: Some("read"),
            parameters: vec![thread()],
            body: None,
            answers: vec![ok::<Vec<HistoryEntry>>(written, "Every event")],
            problems: &[404, 409],
        },
        Operation {
            path: "/v1/threads/{thread}/events",
            method: "get",
            id: "watchThread",
            tag: "threads",
            summary: "Watch what happens in a thread, as server-sent events with entries of the history",
            role: Some("read"),
            parameters: vec![
                thread(),
                in_header(
                    "Last-Event-ID",
                    "Begin after this event",
                    json!({ "type": "integer", "minimum": 0, "maximum": i64::MAX }),
                    false,
                ),
            ],
            body: None,
            answers: vec![
                (200, "The events; the id of each is its number", Some(("text/event-stream", event))),
                (204, "The thread has ended, and there is nothing after this event", None),
            ],
            problems: &[400, 404, 409],
        },
        Operation {
            path: "/v1/asks",
            method: "get",
            id: "listAsks",
            tag: "asks",
            summary: "List the open questions of all threads",
            role: Some("read"),
            parameters: vec![],
            body: None,
            answers: vec![ok::<Vec<AskEntry>>(written, "The questions")],
            problems: &[],
        },
        Operation {
            path: "/v1/asks/{ask}",
            method: "get",
            id: "showAsk",
            tag: "asks",
            summary: "Show a question with all that is needed to answer it",
            role: Some("read"),
            parameters: vec![ask()],
            body: None,
            answers: vec![ok::<OpenAsk>(written, "The question, and what changed since the last approval")],
            problems: &[404, 409],
        },
        Operation {
            path: "/v1/asks/{ask}/answer",
            method: "post",
            id: "answerAsk",
            tag: "asks",
            summary: "Answer a question, under the name of the token",
            role: Some("answer"),
            parameters: vec![ask()],
            body: json_body::<PrdAnswer>(),
            answers: vec![ok::<AnswerAnswer>(written, "What became of it, and how the thread stands")],
            problems: &[400, 404, 409, 413, 415, 422],
        },
        Operation {
            path: "/v1/health",
            method: "get",
            id: "showHealth",
            tag: "service",
            summary: "Show the service's status: threads, open questions, paused models",
            role: Some("read"),
            parameters: vec![],
            body: None,
            answers: vec![ok::<ServiceHealth>(written, "Its status")],
            problems: &[],
        },
        Operation {
            path: "/healthz",
            method: "get",
            id: "isAlive",
            tag: "service",
            summary: "Say that the service is there",
            role: None,
            parameters: vec![],
            body: None,
            answers: vec![(200, "It is", text(json!({ "type": "string" })))],
            problems: &[],
        },
        Operation {
            path: "/openapi.json",
            method: "get",
            id: "describe",
            tag: "service",
            summary: "Describe the service",
            role: None,
            parameters: vec![],
            body: None,
            answers: vec![(200, "This description", Some((JSON, json!({ "type": "object" }))))],
            problems: &[],
        },
        Operation {
            path: "/webhooks/github",
            method: "post",
            id: "githubDelivery",
            tag: "webhooks",
            summary: "Take a delivery of GitHub: its issue is judged, comment and labels are kept",
            role: None,
            parameters: vec![
                signed("X-Hub-Signature-256"),
                in_header("X-GitHub-Event", "The event", json!({ "type": "string" }), true),
                in_header("X-GitHub-Delivery", "Names the delivery", json!({ "type": "string" }), true),
            ],
            body: Some(json!({ JSON: { "schema": { "type": "object" } } })),
            answers: delivery(written),
            problems: &[400, 401, 404, 413, 422],
        },
        Operation {
            path: "/webhooks/jira",
            method: "post",
            id: "jiraDelivery",
            tag: "webhooks",
            summary: "Take a delivery of Jira: its issue is read and judged, the comment is kept",
            role: None,
            parameters: vec![signed("X-Hub-Signature")],
            body: Some(json!({ JSON: { "schema": { "type": "object" } } })),
            answers: delivery(written),
            problems: &[400, 401, 404, 413, 422],
        },
    ]
}
