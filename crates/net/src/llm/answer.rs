//! The outcome of a question: an answer with its cost, or the reason why there is none.

use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::{ChatError, Fault, ModelSettings};
use reqgate_base::ask::{NoAnswer, Usage};

/// An answer that was parsed and validated.
#[derive(Debug, Clone)]
pub struct Answer<T> {
    /// The parsed and validated value.
    pub value: T,
    /// The tokens of all exchanges; zero if the answer came from the cache or a recording.
    pub usage: Usage,
    /// The cost in the currency of the configured prices; `None` without prices.
    pub cost: Option<f64>,
    /// The number of replies read until one was valid, from 1.
    pub attempts: u32,
    /// The number of requests sent, including retries; zero if the answer came from the cache or a recording.
    pub exchanges: u32,
    /// The same model answered the same question earlier.
    pub from_cache: bool,
    /// The answer was read from a recorded run.
    pub replayed: bool,
    /// The hash of everything that decides the answer: prompt, schema, model, masked data, parameters. 64 hex digits.
    pub request_hash: String,
    /// The name that the model itself reports, e.g. a dated version.
    pub model: String,
    /// The time from question to answer, including waits.
    pub elapsed: Duration,
}

/// The reason for a missing answer, and its cost.
#[derive(Debug, Clone, PartialEq)]
pub struct Unanswered {
    /// The reason for the missing answer.
    pub error: AskError,
    /// The number of requests sent, including retries.
    pub exchanges: u32,
    /// The tokens of all replies that were read; zero for a recording.
    pub usage: Usage,
    /// The cost in the currency of the configured prices; `None` without prices.
    pub cost: Option<f64>,
}

impl From<Unanswered> for NoAnswer {
    fn from(unanswered: Unanswered) -> Self {
        let Unanswered { error, exchanges, usage, cost } = unanswered;
        let is_unrecorded = matches!(error, AskError::ReplayMissing { .. });
        Self { message: error.to_string(), is_outage: error.is_outage(), is_unrecorded, exchanges, usage, cost }
    }
}

impl AskError {
    /// Returns true for a failure that the next question would probably meet, too.
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
        Self { error, exchanges: 0, usage: Usage::default(), cost: None }
    }
}

/// The usage of all questions of a run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct Spent {
    /// The number of questions, answered or not.
    pub questions: u64,
    /// The number of answered questions.
    pub answered: u64,
    /// The number of questions answered from the cache.
    pub from_cache: u64,
    /// The number of questions answered from a recording.
    pub replayed: u64,
    /// The number of requests sent, including retries.
    pub exchanges: u64,
    /// The tokens of all requests.
    pub usage: Usage,
    /// The cost in the currency of the configured prices; `None` without prices.
    pub cost: Option<f64>,
}

/// The state of one question while it is being answered.
pub(super) struct Call<'a> {
    pub hash: &'a str,
    /// The time at which the question was asked.
    pub start: Instant,
    /// The time by which it must be answered.
    pub until: Instant,
    /// The number of replies requested so far.
    pub number: u32,
    /// The number of requests sent so far.
    pub exchanges: u32,
    /// The tokens of all replies so far, except those of a recording.
    pub usage: Usage,
}

/// The statistics of one answered question.
#[derive(Debug, Default)]
pub(crate) struct CallStatistics {
    /// The tokens of all its requests.
    pub usage: Usage,
    /// The number of replies requested.
    pub attempts: u32,
    /// The number of requests sent.
    pub exchanges: u32,
    /// The answer came from an earlier run.
    pub from_cache: bool,
    /// The answer was read from a recording.
    pub replayed: bool,
    pub hash: String,
    /// The model that answered, as the server names it.
    pub model: String,
    /// The time from question to answer.
    pub elapsed: Duration,
}

/// The reason why a question has no answer. No message contains a key, a prompt or a reply.
#[derive(Debug, Clone, PartialEq, thiserror::Error, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AskError {
    /// The model refused to answer.
    #[error("the model refused to answer{}", colon(.reason))]
    Refused {
        /// The model's reason, shortened; empty if it gave none.
        reason: String,
    },
    /// The answer was cut off at the limit of tokens.
    #[error("the answer was cut off at {limit} tokens; raise model.max_output_tokens")]
    Truncated {
        /// The configured limit of tokens.
        limit: u32,
    },
    /// A filter of the provider blocked question or answer.
    #[error("the provider's content filter blocked the answer{}", colon(.reason))]
    Filtered {
        /// The provider's name for the filter.
        reason: String,
    },
    /// Every attempt returned an empty answer.
    #[error("the model gave an empty answer in {attempts} attempts")]
    Empty {
        /// The number of replies read.
        attempts: u32,
    },
    /// No reply was valid.
    #[error("the answer was not valid in {attempts} attempts: {}", .errors.join("; "))]
    Invalid {
        /// The number of replies read.
        attempts: u32,
        /// The errors of the last reply, as `path: message`.
        errors: Vec<String>,
    },
    /// The last exchange took too long, as did those before it.
    #[error("the model gave no answer within {} s; raise --timeout or model.timeout", .after.as_secs_f64())]
    Timeout {
        /// The time limit of an exchange.
        after: Duration,
    },
    /// The time for the question is over.
    #[error("the deadline passed after {:.1} s{}", .after.as_secs_f64(), colon(.last))]
    Deadline {
        /// The time since the question was asked.
        after: Duration,
        /// The last error, if there was one.
        last: String,
    },
    /// The quota of the account is used up.
    #[error("the account's quota is used up{}", colon(.message))]
    QuotaExhausted {
        /// The message of the provider.
        message: String,
    },
    /// The provider's rate limit was still reached after the retries.
    #[error("the provider's rate limit was reached{}", colon(.message))]
    RateLimited {
        /// The message of the provider.
        message: String,
    },
    /// The provider was still broken or overloaded after the retries.
    #[error("the provider is not available{}{}", in_brackets(*.status), colon(.message))]
    Unavailable {
        /// The HTTP status of the answer.
        status: u16,
        /// The message of the provider.
        message: String,
    },
    /// The provider cannot be reached.
    #[error("the provider cannot be reached{}", colon(.message))]
    Unreachable {
        /// The message of the network.
        message: String,
    },
    /// The key is missing, wrong, or lacks the permission.
    #[error("the API key was not accepted{}{}", in_brackets(*.status), colon(.message))]
    Unauthorized {
        /// The HTTP status of the answer.
        status: u16,
        /// The message of the provider.
        message: String,
    },
    /// The provider rejected the request.
    #[error("the provider rejected the request{}{}", in_brackets(*.status), colon(.message))]
    Rejected {
        /// The HTTP status of the answer.
        status: u16,
        /// The message of the provider.
        message: String,
    },
    /// The reply exceeds the size limit.
    #[error("the reply is larger than {limit} bytes")]
    TooLarge {
        /// The limit, in bytes.
        limit: u64,
    },
    /// The reply is not in the provider's format.
    #[error("the reply has an unexpected format{}", colon(.message))]
    Malformed {
        /// The fault of the reply.
        message: String,
    },
    /// The model failed too often recently and is not asked at present.
    #[error("the model is paused for another {:.0} s after repeated failures", .retry_in.as_secs_f64().ceil())]
    BreakerOpen {
        /// The time until it is tried again.
        retry_in: Duration,
    },
    /// The budget of the run is spent.
    #[error("the budget of the run is spent: {what}")]
    BudgetSpent {
        /// The kind of budget, and the amount used.
        what: String,
    },
    /// The recording of a replayed run has no answer to the question.
    #[error("the recording has no reply to {question} {hash}; record the run again")]
    ReplayMissing {
        /// The id of the question.
        question: String,
        /// The hash of the request.
        hash: String,
    },
    /// The recording cannot be read or written.
    #[error("the recording cannot be used: {message}")]
    Recording {
        /// The fault of the recording.
        message: String,
    },
    /// The settings are not valid.
    #[error("the model settings are not valid: {message}")]
    Configuration {
        /// The fault of the settings, and the correction.
        message: String,
    },
}

impl AskError {
    /// Creates an error for settings that are not valid.
    pub(crate) fn configuration(message: impl Into<String>) -> Self {
        Self::Configuration { message: message.into() }
    }

    /// Returns true if the model answered and can mend the fault in its next answer.
    pub fn is_of_the_answer(&self) -> bool {
        matches!(self, Self::Invalid { .. } | Self::Empty { .. } | Self::Truncated { .. })
    }

    /// The name of the error for reports and traces, e.g. `rate_limited`.
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

    /// The error of a question whose last exchange failed with `error`.
    pub(super) fn of_chat(error: ChatError, settings: &ModelSettings) -> Self {
        let ChatError { fault, status, message, .. } = error;
        match fault {
            Fault::Timeout => Self::Timeout { after: settings.timeout },
            Fault::Unreachable => Self::Unreachable { message },
            Fault::Unavailable => Self::Unavailable { status, message },
            Fault::RateLimited => Self::RateLimited { message },
            Fault::QuotaExhausted => Self::QuotaExhausted { message },
            Fault::Unauthorized | Fault::NoKey => Self::Unauthorized { status, message },
            Fault::ShapeRefused | Fault::Rejected => Self::Rejected { status, message },
            Fault::Filtered => Self::Filtered { reason: message },
            Fault::TooLarge => Self::TooLarge { limit: settings.max_reply_bytes },
            Fault::Malformed => Self::Malformed { message },
        }
    }
}

/// The HTTP status in brackets, if there was one.
fn in_brackets(status: u16) -> String {
    if status == 0 { String::new() } else { format!(" (status {status})") }
}

fn colon(text: &str) -> String {
    if text.is_empty() { String::new() } else { format!(": {text}") }
}
