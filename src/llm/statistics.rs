//! Figures of one question: counted while it is answered, reported afterwards.

use std::time::{Duration, Instant};

use super::Usage;

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
