//! How a question ends: with an answer and what it took, or with the name of the reason why there is none.

use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::{ChatError, Fault, ModelSettings};
use reqgate_base::ask::{NoAnswer, Usage};

/// An answer that was parsed and validated.
#[derive(Debug, Clone)]
pub struct Answer<T> {
    /// The answer.
    pub value: T,
    /// Tokens of all exchanges it took; zero if it came from the cache or a recording.
    pub usage: Usage,
    /// What it cost, in the currency of the configured prices; `None` without prices.
    pub cost: Option<f64>,
    /// Replies that were read until one was valid, from 1.
    pub attempts: u32,
    /// Requests that were sent, retries included; zero if it came from the cache or a recording.
    pub exchanges: u32,
    /// It was answered earlier, by the same model to the same question.
    pub from_cache: bool,
    /// It was read from a recorded run.
    pub replayed: bool,
    /// Hash of everything that decides the answer: prompt, schema, model, masked data, parameters. 64 hex digits.
    pub request_hash: String,
    /// The model that answered, as it calls itself, e.g. a dated version.
    pub model: String,
    /// Time from question to answer, waits included.
    pub elapsed: Duration,
}

/// Why there is no answer, and what it took all the same.
#[derive(Debug, Clone, PartialEq)]
pub struct Unanswered {
    /// Why.
    pub error: AskError,
    /// Tokens of all replies that were read; zero for a recording.
    pub usage: Usage,
    /// What they cost, in the currency of the configured prices; `None` without prices.
    pub cost: Option<f64>,
}

impl From<Unanswered> for NoAnswer {
    fn from(unanswered: Unanswered) -> Self {
        let Unanswered { error, usage, cost } = unanswered;
        let is_unrecorded = matches!(error, AskError::ReplayMissing { .. });
        Self { message: error.to_string(), is_outage: error.is_outage(), is_unrecorded, usage, cost }
    }
}

impl AskError {
    /// True for a failure that the next question would only wait for again.
    fn is_outage(&self) -> bool {
        !matches!(
            self,
            Self::Refused { .. }
                | Self::Truncated { .. }
                | Self::Filtered { .. }
                | Self::Empty { .. }
                | Self::Invalid { .. }
                | Self::Rejected { .. }
                | Self::TooLarge { .. }
                | Self::ReplayMissing { .. }
        )
    }
}

impl From<AskError> for Unanswered {
    fn from(error: AskError) -> Self {
        Self { error, usage: Usage::default(), cost: None }
    }
}

/// What the questions of a run have taken together.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct Spent {
    /// Questions that were asked, answered or not.
    pub questions: u64,
    /// Questions that were answered.
    pub answered: u64,
    /// Questions that were answered from the cache.
    pub from_cache: u64,
    /// Questions that were answered from a recording.
    pub replayed: u64,
    /// Requests that were sent, retries included.
    pub exchanges: u64,
    /// Tokens.
    pub usage: Usage,
    /// Money, in the currency of the configured prices; `None` without prices.
    pub cost: Option<f64>,
}

/// What one question knows of itself while it is answered.
pub struct Call<'a> {
    /// Hash of the request.
    pub hash: &'a str,
    /// When it was asked.
    pub start: Instant,
    /// When it must be answered.
    pub until: Instant,
    /// Replies asked for so far.
    pub number: u32,
    /// Requests sent so far.
    pub exchanges: u32,
    /// Tokens of all replies so far; none of a recording.
    pub usage: Usage,
}

/// How a question was answered.
#[derive(Debug, Default)]
pub struct CallStatistics {
    /// Tokens of all its requests.
    pub usage: Usage,
    /// Replies asked for.
    pub attempts: u32,
    /// Requests sent.
    pub exchanges: u32,
    /// The answer was kept from an earlier run.
    pub from_cache: bool,
    /// The answer was read from a recording.
    pub replayed: bool,
    /// Hash of the request.
    pub hash: String,
    /// The model that answered, as the server names it.
    pub model: String,
    /// Time from question to answer.
    pub elapsed: Duration,
}

/// Why a question has no answer. No message holds a key, a prompt or a reply.
#[derive(Debug, Clone, PartialEq, thiserror::Error, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AskError {
    /// The model refused.
    #[error("the model refused to answer{}", colon(.reason))]
    Refused {
        /// Its reason, shortened; empty if it gave none.
        reason: String,
    },
    /// The answer was cut off at the limit of tokens.
    #[error("the answer was cut off at {limit} tokens; raise model.max_output_tokens")]
    Truncated {
        /// The limit.
        limit: u32,
    },
    /// A filter of the provider stopped question or answer.
    #[error("the provider's content filter blocked the answer{}", colon(.reason))]
    Filtered {
        /// What the provider calls it.
        reason: String,
    },
    /// Every attempt came back empty.
    #[error("the model gave an empty answer in {attempts} attempts")]
    Empty {
        /// Replies that were read.
        attempts: u32,
    },
    /// No reply was valid.
    #[error("the answer was not valid in {attempts} attempts: {}", .errors.join("; "))]
    Invalid {
        /// Replies that were read.
        attempts: u32,
        /// What was wrong with the last one, as `path: message`.
        errors: Vec<String>,
    },
    /// The last exchange took too long, and so did those before it.
    #[error("the model gave no answer within {} s; raise --timeout or model.timeout", .after.as_secs_f64())]
    Timeout {
        /// The limit of an exchange.
        after: Duration,
    },
    /// The time for the question is over.
    #[error("the deadline passed after {:.1} s{}", .after.as_secs_f64(), colon(.last))]
    Deadline {
        /// Time since the question was asked.
        after: Duration,
        /// What went wrong last, if anything did.
        last: String,
    },
    /// The account has nothing left.
    #[error("the account's quota is used up{}", colon(.message))]
    QuotaExhausted {
        /// What the provider says.
        message: String,
    },
    /// The provider asks to slow down, still after the retries.
    #[error("the provider's rate limit was reached{}", colon(.message))]
    RateLimited {
        /// What the provider says.
        message: String,
    },
    /// The provider is broken or overloaded, still after the retries.
    #[error("the provider is not available{}{}", in_brackets(*.status), colon(.message))]
    Unavailable {
        /// Status of HTTP.
        status: u16,
        /// What the provider says.
        message: String,
    },
    /// There is no connection to the provider.
    #[error("the provider cannot be reached{}", colon(.message))]
    Unreachable {
        /// What the network says.
        message: String,
    },
    /// The key is missing, wrong, or may not do this.
    #[error("the API key was not accepted{}{}", in_brackets(*.status), colon(.message))]
    Unauthorized {
        /// Status of HTTP.
        status: u16,
        /// What the provider says.
        message: String,
    },
    /// The provider does not take the request.
    #[error("the provider rejected the request{}{}", in_brackets(*.status), colon(.message))]
    Rejected {
        /// Status of HTTP.
        status: u16,
        /// What the provider says.
        message: String,
    },
    /// The reply is larger than what is read.
    #[error("the reply is larger than {limit} bytes")]
    TooLarge {
        /// The limit, in bytes.
        limit: u64,
    },
    /// The reply is not what this provider sends.
    #[error("the reply has an unexpected format{}", colon(.message))]
    Malformed {
        /// What is wrong with it.
        message: String,
    },
    /// The model failed too often of late; it is not asked for now.
    #[error("the model is paused for another {:.0} s after repeated failures", .retry_in.as_secs_f64().ceil())]
    BreakerOpen {
        /// When it will be tried again.
        retry_in: Duration,
    },
    /// The budget of the run is spent.
    #[error("the budget of the run is spent: {what}")]
    BudgetSpent {
        /// Which budget, and how much of it was used.
        what: String,
    },
    /// A replayed run asks what was not recorded.
    #[error("the recording has no reply to {question} {hash}; record the run again")]
    ReplayMissing {
        /// Id of the question.
        question: String,
        /// Hash of the request.
        hash: String,
    },
    /// The recording cannot be read or written.
    #[error("the recording cannot be used: {message}")]
    Recording {
        /// What is wrong with it.
        message: String,
    },
    /// The settings cannot work.
    #[error("the model settings are not valid: {message}")]
    Configuration {
        /// What is wrong with them, and what to write.
        message: String,
    },
}

impl AskError {
    /// Settings that cannot work.
    pub fn configuration(message: impl Into<String>) -> Self {
        Self::Configuration { message: message.into() }
    }

    /// One word for reports and traces, e.g. `rate_limited`.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Refused { .. } => "refused",
            Self::Truncated { .. } => "truncated",
            Self::Filtered { .. } => "content_filter",
            Self::Empty { .. } => "empty",
            Self::Invalid { .. } => "invalid",
            Self::Timeout { .. } => "timeout",
            Self::Deadline { .. } => "deadline",
            Self::QuotaExhausted { .. } => "quota_exhausted",
            Self::RateLimited { .. } => "rate_limited",
            Self::Unavailable { .. } => "unavailable",
            Self::Unreachable { .. } => "unreachable",
            Self::Unauthorized { .. } => "unauthorized",
            Self::Rejected { .. } => "rejected",
            Self::TooLarge { .. } => "too_large",
            Self::Malformed { .. } => "malformed",
            Self::BreakerOpen { .. } => "breaker_open",
            Self::BudgetSpent { .. } => "budget_spent",
            Self::ReplayMissing { .. } => "replay_missing",
            Self::Recording { .. } => "recording",
            Self::Configuration { .. } => "configuration",
        }
    }

    /// The error a question ends with when its last exchange ended with `error`.
    pub(super) fn of_chat(error: ChatError, settings: &ModelSettings) -> Self {
        let ChatError { fault, status, message, .. } = error;
        match fault {
            Fault::Timeout => Self::Timeout { after: settings.timeout },
            Fault::Unreachable => Self::Unreachable { message },
            Fault::Unavailable => Self::Unavailable { status, message },
            Fault::RateLimited => Self::RateLimited { message },
            Fault::QuotaExhausted => Self::QuotaExhausted { message },
            Fault::Unauthorized => Self::Unauthorized { status, message },
            Fault::ShapeRefused | Fault::Rejected => Self::Rejected { status, message },
            Fault::Filtered => Self::Filtered { reason: message },
            Fault::TooLarge => Self::TooLarge { limit: settings.max_reply_bytes },
            Fault::Malformed => Self::Malformed { message },
        }
    }
}

/// The status of HTTP, if there was one.
fn in_brackets(status: u16) -> String {
    if status == 0 { String::new() } else { format!(" (status {status})") }
}

fn colon(text: &str) -> String {
    if text.is_empty() { String::new() } else { format!(": {text}") }
}
