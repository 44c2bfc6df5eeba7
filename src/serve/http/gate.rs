//! Judging texts.

use axum::body::Bytes;
use axum::extract::rejection::{BytesRejection, QueryRejection};
use axum::extract::{Query, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use schemars::JsonSchema;
use serde::Deserialize;

use super::error::ProblemDetails;
use super::state::{Shared, blocking};
use crate::model::{Language, Outcome};
use crate::pipeline::Pipeline;
use crate::report::json;
use crate::stages::intake::{RawInput, read_bytes};
use crate::workflow::read_answer;

/// The name of a ticket that was sent as text.
pub const TEXT: &str = "text";

/// How a text is judged; for a body of plain text, in the query.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct JudgeQuery {
    /// The policy: triage, ready, strict, agent or one of your own; default: as configured.
    #[schemars(with = "Option<String>", length(min = 1, max = 100))]
    pub policy: Option<String>,
    /// The language of the report; default: that of the text.
    pub language: Option<Language>,
}

/// A text to judge.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct JudgeRequest {
    /// The ticket: title and body.
    pub text: String,
    /// The policy: triage, ready, strict, agent or one of your own; default: as configured.
    pub policy: Option<String>,
    /// The language of the report; default: that of the text.
    pub language: Option<Language>,
}

/// Judges a text: JSON or plain text.
pub async fn judge(
    State(state): State<Shared>,
    query: Result<Query<JudgeQuery>, QueryRejection>,
    headers: HeaderMap,
    body: Result<Bytes, BytesRejection>,
) -> Result<Response, ProblemDetails> {
    let Query(query) = query?;
    let body = body?;
    let JudgeRequest { text, policy, language } = match media_type(&headers).as_str() {
        "application/json" => {
            let mut given: JudgeRequest = read_json(&body)?;
            given.policy = given.policy.or(query.policy);
            given.language = given.language.or(query.language);
            given
        }
        "text/plain" | "text/markdown" => {
            let text = String::from_utf8(body.into()).map_err(|_| ProblemDetails::bad("the body is not UTF-8"))?;
            JudgeRequest { text, policy: query.policy, language: query.language }
        }
        _ => {
            let detail = "send application/json, text/plain or text/markdown";
            return Err(ProblemDetails::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, detail));
        }
    };
    let report = blocking(&state, move |service| {
        let gate = service.gate(policy.as_deref(), language)?;
        let outcome = judged(&gate, &text)?;
        serde_json::to_vec(&json::report(&outcome)).map_err(ProblemDetails::internal)
    });
    Ok(([(header::CONTENT_TYPE, "application/json")], report.await?).into_response())
}

/// The outcome of a text. Blocks.
///
/// # Errors
/// A problem with the status 422 if it is not a text that can be judged.
pub fn judged(gate: &Pipeline, text: &str) -> Result<Outcome, ProblemDetails> {
    gate.run(input(gate, text)?).map_err(|error| ProblemDetails::refused(gate.masked(&error.to_string())))
}

/// The text as intake reads it.
pub fn input(gate: &Pipeline, text: &str) -> Result<RawInput, ProblemDetails> {
    let first = read_bytes(TEXT, text.as_bytes()).into_iter().next();
    let first = first.ok_or_else(|| ProblemDetails::refused("the text is empty"))?;
    first.map_err(|error| ProblemDetails::refused(gate.masked(&error.to_string())))
}

/// The media type of a body, without its parameters.
fn media_type(headers: &HeaderMap) -> String {
    let named = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    named.split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
}

/// Reads a body of JSON: 400 if it is not JSON, 422 with every fault if it has another shape.
pub fn read_json<T: serde::de::DeserializeOwned>(body: &[u8]) -> Result<T, ProblemDetails> {
    let value = serde_json::from_slice(body).map_err(|error| {
        ProblemDetails::bad(format!("the body is not JSON: line {}, column {}", error.line(), error.column()))
    })?;
    read_answer(&value).map_err(|problems| {
        ProblemDetails::refused("the body does not have the shape that is described: see problems").with(problems)
    })
}

/// The service is there.
pub async fn alive() -> &'static str {
    "ok\n"
}
