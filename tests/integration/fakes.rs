//! Tests the chat models against fake servers of other projects; `tests/fakes/run` installs and starts them.
//!
//! `REQGATE_AIMOCK` and `REQGATE_LLMOCK` contain their addresses. Without them, `cargo test` lists the tests as
//! ignored.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use garde::Validate;
use reqgate::llm::{ApiKey, AskError, Model, ModelSettings, Question, RetryPolicy};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

#[derive(Debug, Deserialize, JsonSchema, Validate)]
struct Verdict {
    /// How good it is, 0 to 5.
    #[garde(range(max = 5))]
    level: u32,
}

/// An answer that a fake can make up from the schema alone.
#[derive(Debug, Deserialize, JsonSchema, Validate)]
struct Loose {
    #[garde(skip)]
    #[expect(dead_code, reason = "any number will do")]
    level: i64,
    #[garde(skip)]
    #[expect(dead_code, reason = "any text will do")]
    reasons: Vec<String>,
}

fn address(variable: &str) -> String {
    std::env::var(variable).unwrap_or_else(|_| panic!("{variable} holds no address: run tests/fakes/run"))
}

fn settings(model: &str, base_url: String) -> ModelSettings {
    ModelSettings {
        base_url: Some(base_url),
        api_key: Some(ApiKey::new("test-key").expect("a word is a key")),
        retry: RetryPolicy { tries: 3, base: Duration::from_millis(200), most: Duration::from_secs(2) },
        timeout: Duration::from_secs(2),
        deadline: Duration::from_secs(20),
        ..ModelSettings::new(model.parse().expect("the name is well-formed"))
    }
}

fn question(data: &str) -> Question {
    Question { id: "test_v1".into(), instructions: "Judge.".into(), data: data.into(), ..Question::default() }
}

fn word<T>(answer: Result<T, AskError>) -> &'static str {
    answer.map_or_else(|error| error.word(), |_| "answered")
}

/// Sends a request to the control interface of a fake; returns the body of the answer.
fn tell(address: &str, method: &str, path: &str, body: &Value) -> String {
    let host = address.trim_start_matches("http://");
    let mut stream = TcpStream::connect(host).expect("the fake listens");
    let body = body.to_string();
    let head =
        format!("{method} {path} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\ncontent-type: application/json");
    write!(stream, "{head}\r\ncontent-length: {}\r\n\r\n{body}", body.len()).expect("the fake reads");
    let mut reply = String::new();
    stream.read_to_string(&mut reply).expect("the fake answers");
    reply.split_once("\r\n\r\n").expect("a reply has a head").1.to_string()
}

#[test]
#[ignore = "needs servers of others: tests/fakes/run starts them"]
fn aimock_is_understood_in_all_four_formats() {
    let address = address("REQGATE_AIMOCK");
    let models = [
        settings("openai/m", format!("{address}/v1")),
        settings("anthropic/m", format!("{address}/v1")),
        settings("gemini/m", format!("{address}/v1beta")),
        settings("ollama/m", address.clone()),
    ];
    let cases = [
        ("good", "answered"),
        ("fenced", "answered"),
        ("prose", "invalid"),
        ("wrong", "invalid"),
        ("rate", "rate_limited"),
        ("broken", "unavailable"),
        ("busy", "unavailable"),
        ("overloaded", "unavailable"),
        ("key", "unauthorized"),
        ("drop", "unavailable"),
        ("malformed", "malformed"),
        ("disconnect", "unreachable"),
    ];
    let mut ends = Vec::new();
    for set in &models {
        for (case, expected) in cases {
            // Each case uses a separate model, because an open circuit breaker would affect the next case.
            let model = Model::new(set.clone()).unwrap();
            let end = word(model.ask::<Verdict>(&question(&format!("case {case}"))));
            ends.push((set.model.to_string(), case, expected, end));
        }
    }
    println!("{} ends at aimock", ends.len());
    let wrong: Vec<_> = ends.iter().filter(|(_, _, expected, end)| expected != end).collect();
    assert!(wrong.is_empty(), "model, case, expected, found: {wrong:#?}");
    let quota = Model::new(models[0].clone()).unwrap().ask::<Verdict>(&question("case quota"));
    assert_eq!(word(quota), "quota_exhausted");
}

#[test]
#[ignore = "needs servers of others: tests/fakes/run starts them"]
fn llmock_finds_no_fault_with_how_we_retry() {
    let address = address("REQGATE_LLMOCK");
    let models = [
        ("openai", settings("openai/gpt-4o", format!("{address}/v1"))),
        ("anthropic", settings("anthropic/claude-sonnet-4-5", format!("{address}/anthropic/v1"))),
        ("gemini", settings("gemini/gemini-2.5-flash", format!("{address}/gemini/v1beta"))),
    ];
    tell(&address, "POST", "/_llmock/reset", &json!({}));
    let fail = |status: u16, times: u32| json!({"type": "fail", "status": status, "times": times});
    let limited = json!({"type": "fail", "status": 429, "retry_after": 1, "times": 2});
    let cases = [
        ("nothing", Value::Null, "answered"),
        ("limited for a moment", limited, "answered"),
        ("broken once", fail(500, 1), "answered"),
        ("busy twice", fail(503, 2), "answered"),
        ("overloaded twice", fail(529, 2), "answered"),
        ("down", fail(503, 3), "unavailable"),
        ("wrong key", fail(401, 1), "unauthorized"),
        ("unknown model", fail(404, 1), "rejected"),
        ("slow", json!({"type": "delay", "seconds": 4, "times": 3}), "timeout"),
    ];
    let said = json!({"type": "reply", "text": "{\"level\": 1, \"reasons\": []}"});
    let mut wrong = Vec::new();
    for (name, set) in &models {
        for (case, behaviour, expected) in &cases {
            tell(&address, "DELETE", "/_llmock/scenario", &json!({}));
            let mut behaviours: Vec<&Value> =
                [behaviour].into_iter().filter(|behaviour| !behaviour.is_null()).collect();
            // For this format the fake ignores the schema and answers in prose, so its answer must be configured.
            if *name == "anthropic" {
                behaviours.push(&said);
            }
            if !behaviours.is_empty() {
                tell(&address, "POST", "/_llmock/scenario", &json!({"behaviors": behaviours}));
            }
            let model = Model::new(set.clone()).unwrap();
            // The fake distinguishes calls by their bodies.
            let answer = model.ask::<Loose>(&question(&format!("{name}: {case}")));
            let shown = answer.as_ref().err().map(ToString::to_string);
            let end = word(answer);
            if end != *expected {
                wrong.push((*name, *case, *expected, end, shown));
            }
        }
    }
    let verdict: Value = serde_json::from_str(&tell(&address, "GET", "/_llmock/verdict", &json!({}))).unwrap();
    println!("{verdict:#}");
    assert!(wrong.is_empty(), "provider, case, expected, found: {wrong:#?}");
    assert_eq!(verdict["passed"], json!(true), "{verdict:#}");
}
