//! Reads error replies of servers: the status decides, and the text only if the status is ambiguous.

use std::time::{Duration, SystemTime};

use serde_json::Value;

use crate::llm::Fault;
use crate::{Reply, retry_after, seconds};
use reqgate_base::clean::{self, short_line};

/// The longest message that is kept, in characters.
const MOST_WORDS: usize = 300;

/// Words of a server that does not accept the form in which the shape is requested. No other part of the request has a
/// schema or a format.
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

/// Codes for an account whose quota is used up.
const QUOTA_CODES: [&str; 4] =
    ["insufficient_quota", "billing_hard_limit_reached", "billing_not_active", "billing_error"];

/// The kind of failure, from the status and the body of an error reply.
pub(super) fn fault(status: u16, reply: &Reply, body: &Value) -> Fault {
    let codes = codes(body);
    let has = |code: &str| codes.iter().any(|found| found.eq_ignore_ascii_case(code));
    let words = words(body).to_ascii_lowercase();
    let fault = match status {
        _ if QUOTA_CODES.iter().any(|code| has(code)) => Fault::QuotaExhausted,
        _ if has("content_filter") || has("content_policy_violation") => Fault::Filtered,
        402 => Fault::QuotaExhausted,
        401 | 403 => Fault::Unauthorized,
        // Gemini reports a wrong key as a wrong argument.
        400 if words.contains("api key not valid") || words.contains("api_key_invalid") => Fault::Unauthorized,
        429 if is_daily_quota(body) => Fault::QuotaExhausted,
        429 => Fault::RateLimited,
        // One compatible server answers an unknown form with 500; repeating the same request never helps.
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

/// Compares whole words only, because "for more information" does not mention a format.
fn speaks_of_shape(words: &str) -> bool {
    words.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').any(|word| SHAPE_WORDS.contains(&word))
}

/// The status of an error inside a body, if its code is one.
pub(crate) fn status_inside(body: &Value) -> Option<u16> {
    let error = body.get("error").filter(|error| error.is_object() || error.is_string())?;
    let code = &error["code"];
    let number = code.as_u64().or_else(|| code.as_str()?.parse().ok()).and_then(|number| u16::try_from(number).ok());
    Some(number.filter(|number| (400..=599).contains(number)).unwrap_or(500))
}

/// The server's message, in a form that can be shown.
pub(super) fn message(body: &Value, raw: &[u8], secret: Option<&str>) -> String {
    let said = words(body);
    match said.is_empty() {
        false => scrubbed(&said, secret),
        // The page of a proxy is not useful; its beginning identifies the proxy.
        true => scrubbed(&String::from_utf8_lossy(&raw[..raw.len().min(200)]), secret),
    }
}

/// Removes the key and control characters, and shortens the text.
pub(crate) fn scrubbed(text: &str, secret: Option<&str>) -> String {
    // The text is cleaned first, because a key with an invisible character in it would be complete only afterwards.
    let text = clean::words(text);
    let text = match secret.filter(|secret| !secret.is_empty()) {
        Some(secret) => text.replace(secret, "[key]"),
        None => text,
    };
    short_line(&text, MOST_WORDS)
}

/// The text of an error, in any of the providers' formats, with the name of the wrong field.
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

/// Returns true for the daily quota. Gemini uses one status for the limits per minute and per day; only the second is
/// final.
fn is_daily_quota(body: &Value) -> bool {
    let details = body["error"]["details"].as_array().map(Vec::as_slice).unwrap_or_default();
    let violations = details.iter().filter_map(|detail| detail["violations"].as_array()).flatten();
    violations.filter_map(|violation| violation["quotaId"].as_str()).any(|id| id.contains("PerDay"))
}

/// The time to wait, if the server states it: in its headers, or in the body as Google does.
pub(crate) fn asked_to_wait(reply: &Reply, body: &Value) -> Option<Duration> {
    let reset = || {
        let resets = ["x-ratelimit-reset-requests", "x-ratelimit-reset-tokens"];
        resets.iter().filter_map(|name| go_duration(reply.header(name)?)).max()
    };
    retry_after(reply, SystemTime::now()).or_else(|| in_body(body)).or_else(reset)
}

/// Reads `google.rpc.RetryInfo`: `"retryDelay": "37s"`.
fn in_body(body: &Value) -> Option<Duration> {
    let details = body["error"]["details"].as_array()?;
    details.iter().find_map(|detail| go_duration(detail["retryDelay"].as_str()?))
}

/// Reads `6m0s`, `1s`, `20ms`, `1h2m3.5s`.
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
