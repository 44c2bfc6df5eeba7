//! Decides when a request is sent again: after a chosen pause, or after the one that the server requests.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use garde::Validate;

use super::Reply;

/// The longest accepted wait in seconds; longer ones are shortened to this. Budgets and deadlines end a wait much
/// earlier.
const LONGEST: f64 = 365.0 * 86_400.0;

/// The policy for retries of a failed exchange: full jitter between 0 and `base · 2^n`, at most `most`.
#[derive(Debug, Clone, PartialEq, Validate)]
pub struct RetryPolicy {
    /// The number of exchanges for one reply, including the first, 1 to 10; three by default.
    #[garde(range(min = 1, max = 10))]
    pub tries: u32,
    /// The upper limit of the first wait.
    #[garde(skip)]
    pub base: Duration,
    /// The upper limit of every chosen wait. A longer wait that the server requests is accepted if there is time.
    #[garde(skip)]
    pub most: Duration,
}

impl Default for RetryPolicy {
    fn default() -> Self {
        Self { tries: 3, base: Duration::from_secs(1), most: Duration::from_secs(10) }
    }
}

impl RetryPolicy {
    /// The pause before retrying a request that failed for no stated reason; `retry` counts from 1.
    pub(crate) fn pause(&self, retry: u32) -> Duration {
        let bound = self.base.saturating_mul(1 << retry.saturating_sub(1).min(16)).min(self.most);
        bound.mul_f64(fastrand::f64())
    }
}

/// The effect of sending a request again that may have arrived.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Repeat {
    /// A repetition has no further effect.
    Harmless,
    /// A repetition creates a second object.
    MakesTwo,
}

/// The clock that a client reads and waits by.
pub trait Clock {
    /// Returns the current time.
    fn now(&self) -> SystemTime;
    /// Waits for this time.
    fn wait(&self, time: Duration);
}

/// The clock of the machine.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> SystemTime {
        SystemTime::now()
    }

    fn wait(&self, time: Duration) {
        std::thread::sleep(time);
    }
}

/// The time that the headers of an answer ask the client to wait: `retry-after-ms`, or `retry-after` in seconds or as a
/// date.
pub fn retry_after(reply: &Reply, now: SystemTime) -> Option<Duration> {
    let milliseconds = || seconds(reply.header("retry-after-ms")?.parse::<f64>().ok()? / 1000.0);
    let after = || {
        let value = reply.header("retry-after")?;
        value.parse().ok().and_then(seconds).or_else(|| until(value, now))
    };
    milliseconds().or_else(after)
}

/// A wait of this many seconds, bounded; `None` if it is not a valid duration.
pub fn seconds(value: f64) -> Option<Duration> {
    (value.is_finite() && value >= 0.0).then(|| Duration::from_secs_f64(value.min(LONGEST)))
}

fn until(date: &str, now: SystemTime) -> Option<Duration> {
    let date = httpdate::parse_http_date(date).ok()?.max(UNIX_EPOCH);
    seconds(date.duration_since(now).unwrap_or(Duration::ZERO).as_secs_f64())
}
