//! Reads the JSON bodies of requests.

use axum::body::Bytes;
use axum::extract::{FromRequest, Request};
use axum::http::{HeaderMap, StatusCode, header};
use serde::de::DeserializeOwned;

use super::error::ProblemDetails;
use super::state::Shared;
use reqgate_base::bounded_json::{JsonError, VALUES_OF_REQUEST, parse};
use reqgate_flow::{Problem, read_answer};

/// A JSON body of the type `T`: 415 for another media type, 400 if it is not JSON, 422 with every problem if it has
/// another shape.
pub(super) struct JsonBody<T>(pub T);

impl<T: DeserializeOwned> FromRequest<Shared> for JsonBody<T> {
    type Rejection = ProblemDetails;

    async fn from_request(request: Request, state: &Shared) -> Result<Self, ProblemDetails> {
        if media_type(request.headers()) != "application/json" {
            return Err(ProblemDetails::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "send application/json"));
        }
        read_json(&Bytes::from_request(request, state).await?).map(Self)
    }
}

/// The media type of a body, without its parameters.
pub(super) fn media_type(headers: &HeaderMap) -> String {
    let named = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    named.split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
}

/// Reads a JSON body.
///
/// # Errors
/// 400 if it is not JSON, 413 if it has too many values, 422 with every problem if it has another shape.
pub(super) fn read_json<T: DeserializeOwned>(body: &[u8]) -> Result<T, ProblemDetails> {
    let value = parse(body, VALUES_OF_REQUEST).map_err(|error| match error {
        JsonError::TooMany(most) => {
            ProblemDetails::new(StatusCode::PAYLOAD_TOO_LARGE, format!("the body has more than {most} JSON values"))
        }
        JsonError::Syntax(error) => {
            ProblemDetails::bad(format!("the body is not JSON: line {}, column {}", error.line(), error.column()))
        }
    })?;
    read_answer(&value).map_err(|problems| {
        ProblemDetails::refused("the body does not have the shape that is described: see problems").with(problems)
    })
}

/// Refuses a text outside the given limits, in characters.
///
/// # Errors
/// 422 that names the field.
pub(super) fn within(field: &str, text: &str, least: usize, most: usize) -> Result<(), ProblemDetails> {
    let length = text.chars().count();
    if (least..=most).contains(&length) {
        return Ok(());
    }
    let message = format!("{length} characters are out of range: {least} to {most}");
    Err(ProblemDetails::refused("a field is too short or too long: see problems")
        .with(vec![Problem { path: field.to_owned(), message }]))
}
