//! Reads the fields and the file of a form.

use axum::body::{Body, Bytes};
use axum::extract::multipart::{Multipart, MultipartError, MultipartRejection};
use axum::extract::{Form, FromRequest, Request};
use axum::http::StatusCode;

use crate::http::{ProblemDetails, Shared};
use reqgate_prd::ask::Input;

/// The maximum number of fields in a form.
const MOST_FIELDS: usize = 50;

/// The maximum number of fields in an answer: a thousand requirements have five each.
const MOST_ANSWERS: usize = 10_000;

/// The fields of an answer, which is sent without a file.
pub(super) struct Typed(pub Input);

impl FromRequest<Shared> for Typed {
    type Rejection = ProblemDetails;

    async fn from_request(request: Request, state: &Shared) -> Result<Self, ProblemDetails> {
        let (parts, body) = request.into_parts();
        let bytes = Bytes::from_request(Request::from_parts(parts.clone(), body), state).await?;
        if bytes.iter().filter(|byte| **byte == b'&').count() >= MOST_ANSWERS {
            return Err(ProblemDetails::new(StatusCode::PAYLOAD_TOO_LARGE, "the form has too many fields"));
        }
        let request = Request::from_parts(parts, Body::from(bytes));
        let form: Result<Form<Vec<(String, String)>>, _> = Form::from_request(request, state).await;
        let Form(fields) = form.map_err(|error| ProblemDetails::new(error.status(), error.body_text()))?;
        Ok(Self(Input::new(fields)))
    }
}

/// A file that a person has chosen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct File {
    /// The file name, without a path.
    pub name: String,
    pub(crate) bytes: Vec<u8>,
}

/// Reads the fields of a form, and the files in the field `file`.
///
/// # Errors
/// A problem if it is not a form, is too large, or has too many fields.
pub(super) async fn read(form: Result<Multipart, MultipartRejection>) -> Result<(Input, Vec<File>), ProblemDetails> {
    let mut form = form.map_err(|rejection| ProblemDetails::new(rejection.status(), rejection.body_text()))?;
    let broken = |error: MultipartError| ProblemDetails::new(error.status(), error.body_text());
    let (mut fields, mut files) = (Vec::new(), Vec::new());
    while let Some(field) = form.next_field().await.map_err(broken)? {
        if fields.len() + files.len() >= MOST_FIELDS {
            return Err(ProblemDetails::bad("the form has too many fields"));
        }
        let name = field.name().unwrap_or_default().to_owned();
        if name == "file" {
            let called = field.file_name().unwrap_or_default();
            let called = called.rsplit(['/', '\\']).next().unwrap_or_default().to_owned();
            let bytes = field.bytes().await.map_err(broken)?.to_vec();
            if !called.is_empty() && !bytes.is_empty() {
                files.push(File { name: called, bytes });
            }
        } else {
            let bytes = field.bytes().await.map_err(broken)?;
            fields.push((name, String::from_utf8_lossy(&bytes).into_owned()));
        }
    }
    Ok((Input::new(fields), files))
}
