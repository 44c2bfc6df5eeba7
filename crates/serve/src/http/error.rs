//! Errors in the form that clients read: problem details by RFC 9457.

use axum::Json;
use axum::extract::rejection::{BytesRejection, JsonRejection, PathRejection, QueryRejection};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use schemars::JsonSchema;
use serde::Serialize;

use reqgate_base::clean;
use reqgate_flow::{AnswerError, Problem, RunError, StoreError};
use reqgate_guardrail::without_secrets;

/// The media type of a problem.
pub(super) const PROBLEM_JSON: &str = "application/problem+json";
/// The maximum length of a detail, in characters.
const LONGEST: usize = 2_000;

/// A problem with a request.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ProblemDetails {
    /// Always `about:blank`: the status defines the kind of problem.
    pub r#type: &'static str,
    /// The reason phrase of the status.
    pub title: &'static str,
    /// The HTTP status code.
    #[schemars(range(min = 400, max = 599))]
    pub status: u16,
    /// The problem and its solution.
    pub detail: String,
    /// The invalid fields, each with its problem.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub problems: Vec<Problem>,
    /// The cause, for the log only.
    #[serde(skip)]
    cause: Option<String>,
}

/// The cause of a fault of the installation, on its way to the log.
#[derive(Debug, Clone)]
pub(super) struct Cause(pub String);

impl ProblemDetails {
    /// A problem with a status, its description and its solution.
    pub(crate) fn new(status: StatusCode, detail: impl AsRef<str>) -> Self {
        let detail: String = clean::lines(&without_secrets(detail.as_ref())).chars().take(LONGEST).collect();
        Self {
            r#type: "about:blank",
            title: status.canonical_reason().unwrap_or("Error"),
            status: status.as_u16(),
            detail: detail.trim_end().to_owned(),
            problems: Vec::new(),
            cause: None,
        }
    }

    /// The problem of an invalid request.
    pub(crate) fn bad(detail: impl AsRef<str>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, detail)
    }

    /// The problem of a resource that does not exist.
    pub(crate) fn missing(detail: impl AsRef<str>) -> Self {
        Self::new(StatusCode::NOT_FOUND, detail)
    }

    /// The problem of a valid request that cannot be carried out.
    pub(crate) fn refused(detail: impl AsRef<str>) -> Self {
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, detail)
    }

    /// The problem of a request that does not fit the current state.
    pub(crate) fn conflict(detail: impl AsRef<str>) -> Self {
        Self::new(StatusCode::CONFLICT, detail)
    }

    /// A fault of the installation. Its message can name files and is only logged.
    pub(crate) fn internal(error: impl std::fmt::Display) -> Self {
        let problem = Self::new(StatusCode::INTERNAL_SERVER_ERROR, "the service could not do it: see its log");
        Self { cause: Some(error.to_string()), ..problem }
    }

    /// Replaces the description of the problem.
    #[must_use]
    pub(crate) fn saying(mut self, detail: &str) -> Self {
        detail.clone_into(&mut self.detail);
        self
    }

    /// Adds the invalid fields.
    #[must_use]
    pub(crate) fn with(mut self, problems: Vec<Problem>) -> Self {
        let shown = |problem: Problem| Problem {
            path: without_secrets(&problem.path).into_owned(),
            message: without_secrets(&problem.message).into_owned(),
        };
        self.problems = problems.into_iter().map(shown).collect();
        self
    }
}

impl IntoResponse for ProblemDetails {
    fn into_response(mut self) -> Response {
        let cause = self.cause.take();
        let status = StatusCode::from_u16(self.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let mut response = (status, Json(self)).into_response();
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(PROBLEM_JSON));
        if status == StatusCode::UNAUTHORIZED {
            headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer realm=\"reqgate\""));
        }
        if let Some(cause) = cause {
            response.extensions_mut().insert(Cause(cause));
        }
        response
    }
}

impl From<JsonRejection> for ProblemDetails {
    fn from(rejection: JsonRejection) -> Self {
        Self::new(rejection.status(), rejection.body_text())
    }
}

impl From<BytesRejection> for ProblemDetails {
    fn from(rejection: BytesRejection) -> Self {
        Self::new(rejection.status(), rejection.body_text())
    }
}

impl From<QueryRejection> for ProblemDetails {
    fn from(rejection: QueryRejection) -> Self {
        Self::new(rejection.status(), rejection.body_text())
    }
}

impl From<PathRejection> for ProblemDetails {
    fn from(rejection: PathRejection) -> Self {
        // A resource with an invalid name does not exist.
        Self::missing(rejection.body_text())
    }
}

impl From<StoreError> for ProblemDetails {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Unknown(thread) => Self::missing(format!("there is no thread `{thread}`")),
            StoreError::Exists(_) | StoreError::Busy { .. } | StoreError::Stale(_) => Self::conflict(error.to_string()),
            error => Self::internal(error),
        }
    }
}

impl From<RunError> for ProblemDetails {
    fn from(error: RunError) -> Self {
        match error {
            RunError::Store(error) => error.into(),
            RunError::NotNow(_) | RunError::OtherGraph { .. } | RunError::OtherWorkflow { .. } => {
                Self::conflict(error.to_string())
            }
            error => Self::internal(error),
        }
    }
}

impl From<AnswerError> for ProblemDetails {
    fn from(error: AnswerError) -> Self {
        match error {
            AnswerError::Run(error) => error.into(),
            AnswerError::WrongShape(problems) => {
                Self::refused("the answer does not have the shape of its question: see problems").with(problems)
            }
            AnswerError::Unknown(ask) => Self::missing(format!("there is no question `{ask}`")),
            AnswerError::Conflict(ask) => {
                Self::conflict(format!("question `{ask}` is not open: it was answered, or its thread has moved on"))
            }
        }
    }
}
