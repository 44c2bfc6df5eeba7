//! The OpenAPI 3.1 description of the service: the operations of `operations.yaml` with the schemas of the types that the
//! service reads and writes.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use axum::http::header;
use axum::response::{IntoResponse, Response};
use schemars::JsonSchema;
use schemars::generate::{SchemaGenerator, SchemaSettings};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::about::{Explanation, RuleEntry, ServiceHealth};
use super::asks::{AnswerAnswer, AskEntry, OpenAsk};
use super::deliveries::Delivery;
use super::error::{PROBLEM_JSON, ProblemDetails};
use super::gate::{JudgeRequest, ReviewAnswer, ReviewRequest};
use super::threads::{CancelRequest, DocumentEntry, HistoryEntry, ResultAnswer, ResultRequest, StartRequest};
use super::tokens::Role;
use super::workflows::WorkflowEntry;
use reqgate_base::model::Language;
use reqgate_base::yaml;
use reqgate_prd::workflow::{OrderDocument, PrdAnswer, ThreadDocument};
use reqgate_report::json::v1::Report;

const JSON: &str = "application/json";
/// The statuses of problems that every path can have.
const ALWAYS: &[u16] = &[403, 429, 500, 503];

/// The shipped operations.
const OPERATIONS: &str = include_str!("operations.yaml");

/// The types that operations name, with their schemas.
const TYPES: &[(&str, SchemaOf)] = &[
    // Types that the service reads.
    ("CancelRequest", read::<CancelRequest>),
    ("JudgeRequest", read::<JudgeRequest>),
    ("Language", read::<Language>),
    ("PrdAnswer", read::<PrdAnswer>),
    ("ResultRequest", read::<ResultRequest>),
    ("ReviewRequest", read::<ReviewRequest>),
    ("StartRequest", read::<StartRequest>),
    // Types that it writes.
    ("AnswerAnswer", written::<AnswerAnswer>),
    ("Delivery", written::<Delivery>),
    ("Explanation", written::<Explanation>),
    ("OpenAsk", written::<OpenAsk>),
    ("OrderDocument", written::<OrderDocument>),
    ("Report", written::<Report>),
    ("ResultAnswer", written::<ResultAnswer>),
    ("ReviewAnswer", written::<ReviewAnswer>),
    ("ServiceHealth", written::<ServiceHealth>),
    ("ThreadDocument", written::<ThreadDocument>),
    ("Vec<AskEntry>", written::<Vec<AskEntry>>),
    ("Vec<DocumentEntry>", written::<Vec<DocumentEntry>>),
    ("Vec<HistoryEntry>", written::<Vec<HistoryEntry>>),
    ("Vec<RuleEntry>", written::<Vec<RuleEntry>>),
    ("Vec<ThreadDocument>", written::<Vec<ThreadDocument>>),
    ("Vec<WorkflowEntry>", written::<Vec<WorkflowEntry>>),
];

/// Gives the schema of a type; the generator collects the definitions of its parts.
type SchemaOf = fn(&mut SchemaGenerator) -> Value;

/// The file of the operations.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Operations {
    tags: Vec<Tag>,
    types: BTreeMap<String, Value>,
    parameters: BTreeMap<String, Parameter>,
    operations: Vec<Operation>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Tag {
    name: String,
    description: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Parameter {
    name: String,
    r#in: Location,
    required: Option<bool>,
    description: String,
    r#type: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Location {
    Path,
    Query,
    Header,
}

/// An operation of the service.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Operation {
    path: String,
    method: Method,
    id: String,
    tag: String,
    summary: String,
    /// The role that is needed; `None` if the operation is open to all.
    role: Option<Role>,
    /// The names of its parameters.
    #[serde(default)]
    parameters: Vec<String>,
    /// The type of its body, which is JSON.
    body: Option<String>,
    /// The media types of bodies that are only a text.
    #[serde(default)]
    text_bodies: Vec<String>,
    answers: Vec<Answer>,
    #[serde(default)]
    problems: Vec<u16>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Method {
    Get,
    Post,
}

/// A response without a problem.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Answer {
    status: u16,
    description: String,
    /// The media type of its content; `None` for JSON.
    media_type: Option<String>,
    /// The type of its content; `None` if it has none.
    r#type: Option<String>,
}

pub(crate) async fn show() -> Response {
    static TEXT: OnceLock<String> = OnceLock::new();
    let text = TEXT.get_or_init(|| description().to_string());
    ([(header::CONTENT_TYPE, JSON)], text.as_str()).into_response()
}

/// The OpenAPI document of the service.
pub fn description() -> Value {
    document(OPERATIONS).expect("a test builds the document from the shipped operations")
}

/// Builds the document from a file of operations.
///
/// # Errors
/// Fails if the file cannot be read or names something that does not exist.
fn document(text: &str) -> Result<Value, String> {
    let Operations { tags, types, parameters, operations } =
        yaml::read(text).map_err(|unusable| unusable.to_string())?;
    let mut settings = SchemaSettings::draft2020_12().for_serialize();
    settings.definitions_path = "/components/schemas".into();
    let mut builder = Builder { types, parameters, generator: settings.into_generator() };
    let mut paths = Map::new();
    for operation in &operations {
        if !tags.iter().any(|tag| tag.name == operation.tag) {
            return Err(format!("unknown tag `{}`", operation.tag));
        }
        let path = paths.entry(&operation.path).or_insert_with(|| json!({}));
        path[operation.method.name()] = builder.operation(operation)?;
    }
    let problem = builder.generator.subschema_for::<ProblemDetails>();
    let schemas = builder.generator.take_definitions(true);
    Ok(json!({
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
        "tags": tags,
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
    }))
}

/// Turns operations into parts of the document.
struct Builder {
    types: BTreeMap<String, Value>,
    parameters: BTreeMap<String, Parameter>,
    generator: SchemaGenerator,
}

impl Builder {
    fn operation(&mut self, operation: &Operation) -> Result<Value, String> {
        let parameters: Vec<Value> =
            operation.parameters.iter().map(|name| self.parameter(name)).collect::<Result<_, _>>()?;
        let body = self.body(operation)?;
        let mut json = json!({
            "operationId": operation.id,
            "tags": [operation.tag],
            "summary": operation.summary,
            "responses": self.responses(operation)?,
        });
        match operation.role {
            Some(role) => json["description"] = format!("Needs the role `{}`.", role.name()).into(),
            None => json["security"] = json!([]),
        }
        if !parameters.is_empty() {
            json["parameters"] = parameters.into();
        }
        if !body.is_empty() {
            json["requestBody"] = json!({ "required": true, "content": body });
        }
        Ok(json)
    }

    fn parameter(&mut self, name: &str) -> Result<Value, String> {
        let parameter = self.parameters.get(name).ok_or_else(|| format!("unknown parameter `{name}`"))?;
        let mut json = json!({ "name": parameter.name, "in": parameter.r#in });
        if let Some(required) = parameter.required {
            json["required"] = required.into();
        }
        json["description"] = parameter.description.as_str().into();
        let kind = parameter.r#type.clone();
        json["schema"] = self.schema(&kind)?;
        Ok(json)
    }

    /// The content of the body, by media type; empty if the operation has no body.
    fn body(&mut self, operation: &Operation) -> Result<Map<String, Value>, String> {
        let mut content = Map::new();
        if let Some(kind) = &operation.body {
            content.insert(JSON.to_owned(), json!({ "schema": self.schema(kind)? }));
        }
        content.extend(operation.text_bodies.iter().map(|media_type| (media_type.clone(), json!({}))));
        Ok(content)
    }

    /// The answers of an operation, followed by its problems.
    fn responses(&mut self, operation: &Operation) -> Result<Map<String, Value>, String> {
        let mut responses = Map::new();
        for answer in &operation.answers {
            let mut response = json!({ "description": answer.description });
            if let Some(kind) = &answer.r#type {
                let media_type = answer.media_type.as_deref().unwrap_or(JSON);
                response["content"] = json!({ media_type: { "schema": self.schema(kind)? } });
            }
            responses.insert(answer.status.to_string(), response);
        }
        let unauthorized: &[u16] = if operation.role.is_some() { &[401] } else { &[] };
        let mut problems: Vec<u16> = operation.problems.iter().chain(unauthorized).chain(ALWAYS).copied().collect();
        problems.sort_unstable();
        problems.dedup();
        for status in problems {
            responses.insert(status.to_string(), json!({ "$ref": "#/components/responses/Problem" }));
        }
        Ok(responses)
    }

    /// The schema of a type of the file or of the program.
    fn schema(&mut self, name: &str) -> Result<Value, String> {
        if let Some(schema) = self.types.get(name) {
            return Ok(schema.clone());
        }
        let known = TYPES.iter().find(|(known, _)| *known == name);
        known.map(|(_, schema)| schema(&mut self.generator)).ok_or_else(|| format!("unknown type `{name}`"))
    }
}

impl Method {
    fn name(self) -> &'static str {
        match self {
            Self::Get => "get",
            Self::Post => "post",
        }
    }
}

/// The inlined schema of a type that the service reads: its fields may be optional, while those of responses are not.
fn read<T: JsonSchema>(_: &mut SchemaGenerator) -> Value {
    let mut settings = SchemaSettings::draft2020_12();
    settings.inline_subschemas = true;
    settings.meta_schema = None;
    settings.into_generator().into_root_schema_for::<T>().to_value()
}

/// The schema of a type that the service writes.
fn written<T: JsonSchema>(generator: &mut SchemaGenerator) -> Value {
    generator.subschema_for::<T>().to_value()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn shipped() -> Operations {
        yaml::read(OPERATIONS).expect("the shipped file is valid")
    }

    #[test]
    fn wrong_name_in_the_file_is_an_error() {
        assert!(document(OPERATIONS).is_ok());
        for (right, wrong, error) in [
            ("type: ThreadId }", "type: ThreadID }", "unknown type `ThreadID`"),
            ("body: JudgeRequest", "body: JudgeReqest", "unknown type `JudgeReqest`"),
            ("[thread, document]", "[thread, documents]", "unknown parameter `documents`"),
            ("tag: asks", "tag: ask", "unknown tag `ask`"),
            ("role: admin", "role: root", "`root`"),
            ("method: post", "method: pots", "`pots`"),
            ("summary: List the rules", "sumary: List the rules", "`sumary`"),
        ] {
            let refused = document(&OPERATIONS.replacen(right, wrong, 1)).expect_err(wrong);
            assert!(refused.contains(error), "{wrong}: {refused}");
        }
    }

    #[test]
    fn operations_differ_and_have_the_parameters_of_their_paths() {
        let Operations { parameters, operations, .. } = shipped();
        let (mut ids, mut places) = (BTreeSet::new(), BTreeSet::new());
        for Operation { path, method, id, parameters: used, answers, problems, .. } in &operations {
            assert!(ids.insert(id), "the id {id} is used twice");
            assert!(places.insert((path, *method)), "{path} has two operations of one method");
            let in_path: Vec<&str> = path.split('{').skip(1).filter_map(|rest| rest.split('}').next()).collect();
            let of_path = used.iter().map(|name| &parameters[name]).filter(|known| known.r#in == Location::Path);
            assert_eq!(of_path.map(|known| known.name.as_str()).collect::<Vec<_>>(), in_path, "{id}");
            assert!(answers.iter().all(|answer| (200..300).contains(&answer.status)), "{id}");
            assert!(problems.iter().all(|status| (400..500).contains(status)), "{id}");
        }
        for (name, parameter) in &parameters {
            assert_eq!(parameter.required == Some(true), parameter.r#in != Location::Query && name != "last_event");
        }
    }

    #[test]
    fn every_type_and_parameter_is_used() {
        let Operations { types, parameters, operations, .. } = shipped();
        let answers = operations.iter().flat_map(|operation| &operation.answers);
        let mut named: BTreeSet<&str> = answers.filter_map(|answer| answer.r#type.as_deref()).collect();
        named.extend(operations.iter().filter_map(|operation| operation.body.as_deref()));
        named.extend(parameters.values().map(|parameter| parameter.r#type.as_str()));
        let known: Vec<&str> = types.keys().map(String::as_str).chain(TYPES.iter().map(|(name, _)| *name)).collect();
        assert_eq!(known.iter().copied().collect::<BTreeSet<_>>(), named);
        assert_eq!(known.len(), named.len(), "a type has two schemas");
        let used: BTreeSet<&String> = operations.iter().flat_map(|operation| &operation.parameters).collect();
        assert_eq!(parameters.keys().collect::<BTreeSet<_>>(), used);
    }
}
