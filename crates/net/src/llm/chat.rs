//! One exchange with a model, whatever the transport; tests put in their own replies here.

use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{ModelName, Usage};

/// Carries a request to a model and brings back its reply. Called from several threads.
pub trait Chat: Send + Sync {
    /// One exchange, without retries; ends by `until`.
    ///
    /// # Errors
    /// What went wrong, and whether trying again can help.
    fn exchange(&self, request: &ChatRequest, until: Instant) -> Result<ChatReply, ChatError>;

    /// What would be sent: URL, headers without keys, body. `None` if nothing is sent.
    fn preview(&self, request: &ChatRequest) -> Option<super::Preview> {
        let _ = request;
        None
    }

    /// Who answers, where the settings do not say it all; part of what an answer is kept under.
    fn at(&self) -> &str {
        ""
    }

    /// The next way to ask for the shape if the server does not take `shape`; `None` if there is none.
    fn below(&self, shape: Structured) -> Option<Structured> {
        match shape {
            Structured::Schema => Some(Structured::Json),
            Structured::Json => Some(Structured::Prompt),
            Structured::Prompt => None,
        }
    }
}

/// What is asked in one exchange.
#[derive(Debug, Clone, PartialEq)]
pub struct ChatRequest {
    /// The model.
    pub model: ModelName,
    /// Id of the question, e.g. `structuring_v1`.
    pub question: String,
    /// What the model is to do: the system message.
    pub instructions: String,
    /// The text it is about: the user's message.
    pub data: String,
    /// What was wrong with the last reply, as `path: message`; empty on the first attempt.
    pub feedback: Vec<String>,
    /// The portable schema of the answer.
    pub schema: Value,
    /// How the shape of the answer is asked for.
    pub structured: Structured,
    /// Largest answer, in tokens.
    pub max_output_tokens: u32,
    /// Which reply this is to become, from 1.
    pub attempt: u32,
}

/// How the shape of the answer is asked for; a server that refuses or ignores one is asked by the next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Structured {
    /// With a schema that the server enforces.
    Schema,
    /// As some JSON object; the schema stands in the prompt.
    Json,
    /// With words only; the schema stands in the prompt.
    Prompt,
}

/// What a model said.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ChatReply {
    /// The text of the answer; may be anything.
    pub text: String,
    /// Why it ended.
    pub finish_reason: FinishReason,
    /// Tokens.
    pub usage: Usage,
    /// The model as it calls itself.
    pub model: String,
}

/// Why a reply ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FinishReason {
    /// It was complete.
    Stop,
    /// The limit of tokens was reached.
    Length,
    /// The model refused; with its reason, if it gave one.
    Refusal(String),
    /// A filter of the provider stopped it; with its name.
    Filter(String),
    /// Something else, as the provider calls it; the text decides.
    Other(String),
}

/// Why an exchange brought no reply.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ChatError {
    /// What happened.
    pub fault: Fault,
    /// Status of HTTP; 0 if there was none.
    pub status: u16,
    /// What the server or the network said: no key, no control characters, at most 300 characters.
    pub message: String,
    /// How long the server asks to wait before the next try.
    pub retry_after: Option<Duration>,
}

/// What happened to an exchange. [`Fault::can_be_tried_again`] says whether a retry may help.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fault {
    /// The exchange took longer than it may.
    Timeout,
    /// No connection, or it broke off.
    Unreachable,
    /// The server is overloaded or broken for now: 5xx, 529, 408, 409.
    Unavailable,
    /// Too many requests for now.
    RateLimited,
    /// The account has nothing left; waiting does not help.
    QuotaExhausted,
    /// The key is missing, wrong, or may not do this.
    Unauthorized,
    /// The server does not take the way the shape is asked for.
    ShapeRefused,
    /// The request is wrong for this server: unknown model, too long, unknown field.
    Rejected,
    /// A filter of the provider refused the request.
    Filtered,
    /// The body of the reply is larger than it may be.
    TooLarge,
    /// The body of the reply is not what this provider sends.
    Malformed,
}

impl Fault {
    /// True if the same request may succeed a little later.
    pub fn can_be_tried_again(self) -> bool {
        matches!(self, Self::Timeout | Self::Unreachable | Self::Unavailable | Self::RateLimited | Self::Malformed)
    }
}

impl ChatError {
    /// An error without status and without a hint when to come back.
    pub fn new(fault: Fault, message: impl Into<String>) -> Self {
        Self { fault, status: 0, message: message.into(), retry_after: None }
    }
}
