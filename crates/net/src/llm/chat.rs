//! One exchange with a model over any transport; tests supply their own replies here.

use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{ModelName, Usage};

/// Sends a request to a model and returns its reply. It is called from several threads.
pub trait Chat: Send + Sync {
    /// Makes one exchange without retries, which ends by `until`.
    ///
    /// # Errors
    /// Returns the fault, which shows if a retry can help.
    fn exchange(&self, request: &ChatRequest, until: Instant) -> Result<ChatReply, ChatError>;

    /// The URL, the headers without keys and the body that would be sent; `None` if the chat sends none.
    fn preview(&self, request: &ChatRequest) -> Option<super::Preview> {
        let _ = request;
        None
    }

    /// The answering program, if the settings do not identify it; part of the key under which an answer is stored.
    fn at(&self) -> &str {
        ""
    }

    /// The next form in which to request the shape if the server does not accept `shape`; `None` after the last one.
    fn below(&self, shape: Structured) -> Option<Structured> {
        match shape {
            Structured::Schema => Some(Structured::Json),
            Structured::Json => Some(Structured::Prompt),
            Structured::Prompt => None,
        }
    }
}

/// The content of one exchange.
#[derive(Debug, Clone, PartialEq)]
pub struct ChatRequest {
    /// The model to ask.
    pub model: ModelName,
    /// The id of the question, e.g. `structuring_v1`.
    pub question: String,
    /// The task of the model: the system message.
    pub instructions: String,
    /// The text that the task is about: the user's message.
    pub data: String,
    /// The errors of the last reply, as `path: message`; empty on the first attempt.
    pub feedback: Vec<String>,
    /// The portable schema of the answer.
    pub schema: Value,
    /// The form in which the shape of the answer is requested.
    pub structured: Structured,
    /// The largest answer, in tokens.
    pub max_output_tokens: u32,
    /// The number of the reply, from 1.
    pub attempt: u32,
}

/// The form in which the shape of an answer is requested; if a server refuses or ignores one, the next is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Structured {
    /// A schema that the server enforces.
    Schema,
    /// Any JSON object; the schema is in the prompt.
    Json,
    /// Words only; the schema is in the prompt.
    Prompt,
}

/// The reply of a model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ChatReply {
    /// The text of the answer, in any form.
    pub text: String,
    /// The reason why the reply ended.
    pub finish_reason: FinishReason,
    /// The tokens that were used.
    pub usage: Usage,
    /// The name that the model itself reports.
    pub model: String,
}

/// The reason why a reply ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FinishReason {
    /// The reply is complete.
    Stop,
    /// The limit of tokens was reached.
    Length,
    /// The model refused, with its reason if it gave one.
    Refusal(String),
    /// A filter of the provider, with this name, stopped the reply.
    Filter(String),
    /// Another reason, in the provider's words; the text of the reply decides.
    Other(String),
}

/// The reason why an exchange returned no reply.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ChatError {
    /// The kind of failure.
    pub fault: Fault,
    /// The HTTP status; 0 if there was none.
    pub status: u16,
    /// The message of the server or the network: without keys and control characters, at most 300 characters.
    pub message: String,
    /// The time that the server asks to wait before the next try.
    pub retry_after: Option<Duration>,
}

/// The kind of failure of an exchange, which decides if a retry may help.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fault {
    /// The exchange took too long.
    Timeout,
    /// No connection was established, or it broke off.
    Unreachable,
    /// The server is temporarily overloaded or broken: 5xx, 529, 408, 409.
    Unavailable,
    /// The rate limit is temporarily reached.
    RateLimited,
    /// The quota of the account is used up; waiting does not help.
    QuotaExhausted,
    /// The key is wrong, or lacks the permission.
    Unauthorized,
    /// The key is missing or cannot be sent, so the server was not asked.
    NoKey,
    /// The server does not accept the form in which the shape is requested.
    ShapeRefused,
    /// The request is wrong for this server: unknown model, too long, unknown field.
    Rejected,
    /// A filter of the provider refused the request.
    Filtered,
    /// The body of the reply exceeds the size limit.
    TooLarge,
    /// The body of the reply is not in the provider's format.
    Malformed,
}

impl Fault {
    /// Returns true if the same request may succeed a little later.
    pub(crate) fn can_be_tried_again(self) -> bool {
        matches!(self, Self::Timeout | Self::Unreachable | Self::Unavailable | Self::RateLimited | Self::Malformed)
    }
}

impl ChatError {
    /// Creates an error without a status and a time to wait.
    pub fn new(fault: Fault, message: impl Into<String>) -> Self {
        Self { fault, status: 0, message: message.into(), retry_after: None }
    }
}
