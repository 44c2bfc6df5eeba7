//! Reads what servers say when they have no answer: the status decides, the words only where it does not.

use std::time::{Duration, SystemTime};

use serde_json::Value;

use crate::llm::Fault;
use crate::{Reply, retry_after, seconds};
use reqgate_base::clean::{self, short_line};

/// Longest message that is kept, in characters.
const MOST_WORDS: usize = 300;

/// Words of a server that does not take the way the shape is asked for. We send nothing else that has a schema or a format.
const SHAPE_WORDS: [&str; 13] = [
    "response_format",
    "output_config",
    "output_format",
    "json_schema",
    "json_object",
    "responsejsonschema",
    "responseschema",
    "response_schema",
    "responsemimetype",
    "schema",
    "format",
    "grammar",
    "structured",
];

/// Codes for an account that has nothing left.
const QUOTA_CODES: [&str; 4] =
    ["insufficient_quota", "billing_hard_limit_reached", "billing_not_active", "billing_error"];

/// What happened, from the status and the body of a reply that is none.
pub fn fault(status: u16, reply: &Reply, body: &Value) -> Fault {
    let codes = codes(body);
    let has = |code: &str| codes.iter().any(|found| found.eq_ignore_ascii_case(code));
    let words = words(body).to_ascii_lowercase();
    let fault = match status {
        _ if QUOTA_CODES.iter().any(|code| has(code)) => Fault::QuotaExhausted,
        _ if has("content_filter") || has("content_policy_violation") => Fault::Filtered,
        402 => Fault::QuotaExhausted,
        401 | 403 => Fault::Unauthorized,
        // Gemini calls a wrong key a wrong argument.
        400 if words.contains("api key not valid") || words.contains("api_key_invalid") => Fault::Unauthorized,
        429 if is_daily_quota(body) => Fault::QuotaExhausted,
        429 => Fault::RateLimited,
        // One compatible server answers a shape that it does not know with 500; asking the same again never helps.
        400 | 415 | 422 | 500 | 501 if speaks_of_shape(&words) => Fault::ShapeRefused,
        408 | 409 | 425 => Fault::Unavailable,
        501 | 505 => Fault::Rejected,
        500.. => Fault::Unavailable,
        _ => Fault::Rejected,
    };
    match reply.header("x-should-retry") {
        Some("false") if fault.can_be_tried_again() => Fault::Rejected,
        Some("true") if fault == Fault::Rejected => Fault::Unavailable,
        _ => fault,
    }
}

/// Whole words only: "for more information" speaks of no format.
fn speaks_of_shape(words: &str) -> bool {
    words.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').any(|word| SHAPE_WORDS.contains(&word))
}

/// Status of an error inside a body, if its code is one.
pub fn status_inside(body: &Value) -> Option<u16> {
    let error = body.get("error").filter(|error| error.is_object() || error.is_string())?;
    let code = &error["code"];
    let number = code.as_u64().or_else(|| code.as_str()?.parse().ok()).and_then(|number| u16::try_from(number).ok());
    Some(number.filter(|number| (400..=599).contains(number)).unwrap_or(500))
}

/// What the server says, fit to be shown.
pub fn message(body: &Value, raw: &[u8], secret: Option<&str>) -> String {
    let said = words(body);
    match said.is_empty() {
        false => scrubbed(&said, secret),
        // A page of a proxy is of no use; its beginning tells which proxy.
        true => scrubbed(&String::from_utf8_lossy(&raw[..raw.len().min(200)]), secret),
    }
}

/// Takes out the key and control characters, and shortens.
pub fn scrubbed(text: &str, secret: Option<&str>) -> String {
    // Cleaned first: a key with an unseen character in it would be whole only afterwards.
    let text = clean::words(text);
    let text = match secret.filter(|secret| !secret.is_empty()) {
        Some(secret) => text.replace(secret, "[key]"),
        None => text,
    };
    short_line(&text, MOST_WORDS)
}

/// The words of an error, wherever this provider puts them, with the name of the field that is wrong.
fn words(body: &Value) -> String {
    let error = &body["error"];
    let places = [error, &error["message"], &body["message"], &body["detail"], &body["detail"][0]["msg"]];
    let message = places.into_iter().find_map(Value::as_str).unwrap_or_default();
    match error["param"].as_str().filter(|param| !message.contains(param)) {
        Some(param) => format!("{message} ({param})"),
        None => message.to_string(),
    }
}

fn codes(body: &Value) -> Vec<&str> {
    let error = &body["error"];
    let places = [&error["code"], &error["type"], &error["status"], &error["innererror"]["code"]];
    places.into_iter().filter_map(Value::as_str).collect()
}

/// Gemini uses one status for the limit of a minute and that of a day; only the second is final.
fn is_daily_quota(body: &Value) -> bool {
    let details = body["error"]["details"].as_array().map(Vec::as_slice).unwrap_or_default();
    let violations = details.iter().filter_map(|detail| detail["violations"].as_array()).flatten();
    violations.filter_map(|violation| violation["quotaId"].as_str()).any(|id| id.contains("PerDay"))
}

/// How long to wait, if the server says: in its headers, or in the body as Google does.
pub fn asked_to_wait(reply: &Reply, body: &Value) -> Option<Duration> {
    let reset = || {
        let resets = ["x-ratelimit-reset-requests", "x-ratelimit-reset-tokens"];
        resets.iter().filter_map(|name| go_duration(reply.header(name)?)).max()
    };
    retry_after(reply, SystemTime::now()).or_else(|| in_body(body)).or_else(reset)
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

    fn wait(name: &str, value: &str) -> Option<Duration> {
        asked_to_wait(&Reply::new(429, &[(name, value)], Vec::new()), &Value::Null)
    }

    #[test]
    fn hints_are_read_in_every_form() {
        let seconds = |s: f64| Some(Duration::from_secs_f64(s));
        assert_eq!(wait("retry-after", "2"), seconds(2.0));
        assert_eq!(wait("x-ratelimit-reset-tokens", "6m0s"), seconds(360.0));
        assert_eq!(wait("x-ratelimit-reset-requests", "20ms"), seconds(0.02));
        let body = json!({"error": {"details": [{"@type": "x"}, {"retryDelay": "37s"}]}});
        assert_eq!(asked_to_wait(&Reply::new(429, &[], Vec::new()), &body), seconds(37.0));
        for value in ["", "-1", "NaN", "inf", "soon", "1x", "m"] {
            assert_eq!(wait("x-ratelimit-reset-tokens", value), None, "{value}");
        }
    }
}
