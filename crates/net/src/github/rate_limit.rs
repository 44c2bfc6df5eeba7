//! Reads GitHub's rate limits.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde_json::Value;

use crate::{Reply, retry_after};

/// The time that GitHub asks the client to wait before the same request; `None` if it sets no limit.
///
/// GitHub documents the order: `retry-after`, else `x-ratelimit-reset` if no requests remain, else at least a minute,
/// doubled on each retry. A 403 without any sign of a limit is a refusal.
pub(super) fn asked_to_wait(reply: &Reply, number: u32, now: SystemTime) -> Option<Duration> {
    if reply.status != 403 && reply.status != 429 {
        return None;
    }
    if let Some(time) = retry_after(reply, now) {
        return Some(time);
    }
    let header = |name: &str| reply.header(name).and_then(|value| value.parse::<u64>().ok());
    if header("x-ratelimit-remaining") == Some(0)
        && let Some(reset) = header("x-ratelimit-reset")
    {
        let now = now.duration_since(UNIX_EPOCH).map_or(0, |elapsed| elapsed.as_secs());
        // The second of the reset itself still counts.
        return Some(Duration::from_secs(reset.saturating_sub(now).saturating_add(1)));
    }
    let is_secondary = reply.status == 429 || message(reply).to_ascii_lowercase().contains("rate limit");
    is_secondary.then(|| Duration::from_secs(60 << number.saturating_sub(1).min(6)))
}

/// GitHub's message about a refusal, at most 200 characters on one line; empty if the answer has none.
pub(super) fn message(reply: &Reply) -> String {
    let body: Option<Value> = serde_json::from_slice(&reply.body).ok();
    let message = body.as_ref().and_then(|body| body.get("message")).and_then(Value::as_str).unwrap_or("");
    message.chars().map(|c| if c.is_control() { ' ' } else { c }).take(200).collect::<String>().trim().to_owned()
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
            (reply(200, &[("retry-after", "5")], ""), 1, None),
            (reply(429, &[("Retry-After", "5")], ""), 1, secs(5)),
            (reply(403, &[("retry-after", "7")], ""), 1, secs(7)),
            (reply(403, &[("x-ratelimit-remaining", "0"), ("x-ratelimit-reset", "1030")], ""), 1, secs(31)),
            (reply(403, &[("x-ratelimit-remaining", "0"), ("x-ratelimit-reset", "10")], ""), 1, secs(1)),
            (reply(403, &[("x-ratelimit-remaining", "9"), ("x-ratelimit-reset", "1030")], ""), 1, None),
            (reply(403, &[], r#"{"message":"Resource not accessible by integration"}"#), 1, None),
            (reply(403, &[], r#"{"message":"You have exceeded a secondary rate limit."}"#), 1, secs(60)),
            (reply(429, &[], ""), 2, secs(120)),
            (reply(500, &[("retry-after", "5")], ""), 1, None),
        ];
        let now = UNIX_EPOCH + Duration::from_secs(1000);
        for (reply, number, expected) in cases {
            assert_eq!(asked_to_wait(&reply, number, now), expected, "{reply:?}");
        }
    }
}
