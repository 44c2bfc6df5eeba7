//! When to retry, in the headers and bodies in which servers say so.

use std::time::{Duration, SystemTime};

use serde_json::Value;

/// Headers of a reply that mean something to us, by their names in lower case.
#[derive(Debug, Clone, Default)]
pub struct Headers(pub Vec<(&'static str, String)>);

impl Headers {
    /// Names of the headers that are read; all others are dropped unread.
    pub const READ: [&'static str; 5] =
        ["retry-after-ms", "retry-after", "x-should-retry", "x-ratelimit-reset-requests", "x-ratelimit-reset-tokens"];

    /// The value of `name`.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(other, _)| *other == name).map(|(_, value)| value.trim())
    }
}

/// The longest wait that is understood; what is longer counts as this.
const LONGEST: f64 = 365.0 * 86_400.0;

/// How long to wait, if the server says: in its headers, or in the body as Google does.
pub fn retry_after(headers: &Headers, body: &Value) -> Option<Duration> {
    let milliseconds = || seconds(headers.get("retry-after-ms")?.parse::<f64>().ok()? / 1000.0);
    let after = || {
        let value = headers.get("retry-after")?;
        value.parse().ok().and_then(seconds).or_else(|| until(value))
    };
    let reset = || {
        let resets = ["x-ratelimit-reset-requests", "x-ratelimit-reset-tokens"];
        resets.iter().filter_map(|name| go_duration(headers.get(name)?)).max()
    };
    milliseconds().or_else(after).or_else(|| in_body(body)).or_else(reset)
}

fn seconds(value: f64) -> Option<Duration> {
    (value.is_finite() && value >= 0.0).then(|| Duration::from_secs_f64(value.min(LONGEST)))
}

fn until(date: &str) -> Option<Duration> {
    let date = httpdate::parse_http_date(date).ok()?;
    Some(date.duration_since(SystemTime::now()).unwrap_or(Duration::ZERO))
}

/// `google.rpc.RetryInfo`: `"retryDelay": "37s"`.
fn in_body(body: &Value) -> Option<Duration> {
    let details = body["error"]["details"].as_array()?;
    details.iter().find_map(|detail| go_duration(detail["retryDelay"].as_str()?))
}

/// `6m0s`, `1s`, `20ms`, `1h2m3.5s`.
fn go_duration(text: &str) -> Option<Duration> {
    let mut rest = text.trim();
    let mut sum = 0.0;
    while !rest.is_empty() {
        let end = rest.find(|c: char| !c.is_ascii_digit() && c != '.')?;
        let number: f64 = rest[..end].parse().ok()?;
        rest = &rest[end..];
        let (unit, scale) = [("ms", 0.001), ("h", 3600.0), ("m", 60.0), ("s", 1.0)]
            .into_iter()
            .find(|(unit, _)| rest.starts_with(unit))?;
        rest = &rest[unit.len()..];
        sum += number * scale;
    }
    (!text.trim().is_empty()).then_some(sum).and_then(seconds)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn wait(name: &'static str, value: &str) -> Option<Duration> {
        retry_after(&Headers(vec![(name, value.to_string())]), &Value::Null)
    }

    #[test]
    fn hints_are_read_in_every_form() {
        let seconds = |s: f64| Some(Duration::from_secs_f64(s));
        assert_eq!(wait("retry-after", "2"), seconds(2.0));
        assert_eq!(wait("retry-after", "0.5"), seconds(0.5));
        assert_eq!(wait("retry-after-ms", "250"), seconds(0.25));
        assert_eq!(wait("retry-after", "Wed, 21 Oct 2015 07:28:00 GMT"), Some(Duration::ZERO));
        assert_eq!(wait("x-ratelimit-reset-tokens", "6m0s"), seconds(360.0));
        assert_eq!(wait("x-ratelimit-reset-requests", "20ms"), seconds(0.02));
        let body = json!({"error": {"details": [{"@type": "x"}, {"retryDelay": "37s"}]}});
        assert_eq!(retry_after(&Headers::default(), &body), seconds(37.0));
    }

    #[test]
    fn nonsense_is_no_hint() {
        for value in ["", "-1", "NaN", "inf", "soon", "1x", "m"] {
            assert_eq!(wait("retry-after", value), None, "{value}");
            assert_eq!(wait("x-ratelimit-reset-tokens", value), None, "{value}");
        }
        assert_eq!(wait("retry-after", "1e300"), Some(Duration::from_secs(365 * 86_400)));
    }
}
