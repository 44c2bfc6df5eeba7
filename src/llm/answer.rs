//! What a model gave back, and what it took.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::AskError;

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

impl From<AskError> for Unanswered {
    fn from(error: AskError) -> Self {
        Self { error, usage: Usage::default(), cost: None }
    }
}

/// Tokens, as the provider counts them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// Tokens read.
    pub input_tokens: u64,
    /// Tokens written, reasoning included.
    pub output_tokens: u64,
}

impl Usage {
    /// Both together.
    pub fn total(self) -> u64 {
        self.input_tokens.saturating_add(self.output_tokens)
    }
}

impl std::ops::AddAssign for Usage {
    fn add_assign(&mut self, other: Self) {
        self.input_tokens = self.input_tokens.saturating_add(other.input_tokens);
        self.output_tokens = self.output_tokens.saturating_add(other.output_tokens);
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
