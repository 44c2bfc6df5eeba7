//! When to ask again: what GitHub says about waiting, and how much waiting there may be at all.

use std::cell::Cell;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::transport::Reply;

/// The clock that the client looks at and sleeps by.
pub trait RetryClock {
    /// Seconds since 1970-01-01 UTC.
    fn now(&self) -> u64;
    /// Waits.
    fn wait(&self, time: Duration);
}

/// The clock of the machine.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

impl RetryClock for SystemClock {
    fn now(&self) -> u64 {
        SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |elapsed| elapsed.as_secs())
    }

    fn wait(&self, time: Duration) {
        std::thread::sleep(time);
    }
}

/// How long GitHub wants us to wait before the same request again; `None` if it does not limit us.
///
/// GitHub documents the order: `retry-after`, else `x-ratelimit-reset` when nothing remains, else at least a minute that
/// doubles. A 403 without any sign of a limit is a refusal.
pub(super) fn asked_to_wait(reply: &Reply, attempt: u32, now: u64) -> Option<Duration> {
    if reply.status != 403 && reply.status != 429 {
        return None;
    }
    let number = |name: &str| reply.header(name).and_then(|value| value.trim().parse::<u64>().ok());
    if let Some(seconds) = number("retry-after") {
        return Some(Duration::from_secs(seconds));
    }
    if number("x-ratelimit-remaining") == Some(0)
        && let Some(reset) = number("x-ratelimit-reset")
    {
        // The second of the reset itself still counts against us.
        return Some(Duration::from_secs(reset.saturating_sub(now) + 1));
    }
    let is_secondary = reply.status == 429 || reply.message().to_ascii_lowercase().contains("rate limit");
    is_secondary.then(|| Duration::from_secs(60 << attempt.min(6)))
}

/// The pause before a request that failed for no reason of its own is sent again.
pub(super) fn after_failure(attempt: u32) -> Duration {
    Duration::from_millis(500 << attempt.min(4))
}

/// The time that may be spent waiting, all requests together.
#[derive(Debug)]
pub(super) struct Budget {
    left: Cell<Duration>,
}

impl Budget {
    pub(super) fn new(time: Duration) -> Self {
        Self { left: Cell::new(time) }
    }

    /// Takes the time out of the budget; false if there is not so much left.
    pub(super) fn take(&self, time: Duration) -> bool {
        match self.left.get().checked_sub(time) {
            Some(left) => {
                self.left.set(left);
                true
            }
            None => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reply(status: u16, headers: &[(&str, &str)], body: &str) -> Reply {
        Reply::new(status, headers, body.as_bytes().to_vec())
    }

    #[test]
    fn waiting_follows_what_github_documents() {
        let secs = |n| Some(Duration::from_secs(n));
        let cases = [
            (reply(200, &[("retry-after", "5")], ""), 0, None),
            (reply(429, &[("Retry-After", "5")], ""), 0, secs(5)),
            (reply(403, &[("retry-after", "7")], ""), 0, secs(7)),
            (reply(403, &[("x-ratelimit-remaining", "0"), ("x-ratelimit-reset", "1030")], ""), 0, secs(31)),
            (reply(403, &[("x-ratelimit-remaining", "0"), ("x-ratelimit-reset", "10")], ""), 0, secs(1)),
            (reply(403, &[("x-ratelimit-remaining", "9"), ("x-ratelimit-reset", "1030")], ""), 0, None),
            (reply(403, &[], r#"{"message":"Resource not accessible by integration"}"#), 0, None),
            (reply(403, &[], r#"{"message":"You have exceeded a secondary rate limit."}"#), 0, secs(60)),
            (reply(429, &[], ""), 1, secs(120)),
            (reply(500, &[("retry-after", "5")], ""), 0, None),
        ];
        for (reply, attempt, expected) in cases {
            assert_eq!(asked_to_wait(&reply, attempt, 1000), expected, "{reply:?}");
        }
    }

    #[test]
    fn budget_is_never_overdrawn() {
        let budget = Budget::new(Duration::from_secs(10));
        assert!(budget.take(Duration::from_secs(7)));
        assert!(!budget.take(Duration::from_secs(4)));
        assert!(budget.take(Duration::from_secs(3)));
        assert_eq!(budget.left.get(), Duration::ZERO);
    }
}
