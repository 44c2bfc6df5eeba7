//! The contract with providers: their own OpenAPI files check the requests, and recorded real answers check the
//! reading.
//!
//! Neither may be distributed with this repository. `REQGATE_OPENAPI` names a folder with `openai-openapi.yaml` and
//! `ollama-openapi.yaml`, `REQGATE_TRAFFIC` one with `*.jsonl` of recorded exchanges (`path`, `status`, `request`,
//! `response`). Without them `cargo test` lists the two tests as ignored, and only the formats in this repository are
//! tested.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::*;

fn folder(variable: &str) -> PathBuf {
    std::env::var_os(variable).map(PathBuf::from).unwrap_or_else(|| panic!("{variable} names no folder"))
}

/// Every request that this profile may send: all forms of requesting the shape, with and without the fields that a
/// server may refuse.
fn everything(name: &str) -> Vec<Value> {
    let (_, settings) = every().into_iter().find(|(other, _)| *other == name).unwrap();
    let profile = Profile::of(&settings);
    let mut bodies = Vec::new();
    for shape in profile.shapes {
        for temperature in [None, Some(0.7)] {
            for refused in [Refused::default(), Refused { temperature: true, token_limit: true, list_bounds: true }] {
                let settings = ModelSettings { temperature, ..settings.clone() };
                bodies.push(profile.request(&settings, &request(&settings, *shape), refused).body);
            }
        }
    }
    bodies
}

/// A validator for one schema of an OpenAPI file.
fn oracle(file: &std::path::Path, schema: &str) -> jsonschema::Validator {
    let text = std::fs::read_to_string(file).unwrap();
    // The file exceeds the limit for untrusted configurations.
    let options = serde_saphyr::options! { budget: None };
    let api: Value = serde_saphyr::from_str_with_options(&text, options).unwrap();
    let root = json!({"$ref": format!("#/components/schemas/{schema}"), "components": api["components"]});
    jsonschema::draft202012::new(&root).unwrap()
}

#[test]
#[ignore = "needs files of others: REQGATE_OPENAPI names their folder"]
fn every_request_is_valid_by_the_providers_own_openapi_files() {
    let folder = folder("REQGATE_OPENAPI");
    let mut count = 0;
    for (name, file, schema) in [
        ("openai", "openai-openapi.yaml", "CreateChatCompletionRequest"),
        ("compatible", "openai-openapi.yaml", "CreateChatCompletionRequest"),
        ("ollama", "ollama-openapi.yaml", "ChatRequest"),
    ] {
        let oracle = oracle(&folder.join(file), schema);
        for body in everything(name) {
            let errors: Vec<String> =
                oracle.iter_errors(&body).map(|error| format!("{}: {error}", error.instance_path())).collect();
            assert!(errors.is_empty(), "{name}: {errors:?}\n{body}");
            count += 1;
        }
        // A validator that accepts every document would not be a test.
        for (pointer, wrong) in [("/model", Value::Null), ("/messages", json!("text"))] {
            let mut body = everything(name).remove(0);
            *body.pointer_mut(pointer).unwrap() = wrong;
            assert!(!oracle.is_valid(&body), "{name}: takes a wrong {pointer}");
        }
    }
    println!("{count} requests are valid");
}

#[test]
#[ignore = "needs files of others: REQGATE_TRAFFIC names their folder"]
fn every_recorded_answer_is_read_or_ends_by_its_right_name() {
    let folder = folder("REQGATE_TRAFFIC");
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    for file in ["openai", "anthropic", "gemini", "ollama", "openai_errors", "anthropic_errors", "gemini_errors"] {
        let text = std::fs::read_to_string(folder.join(format!("{file}.jsonl"))).unwrap();
        for line in text.lines() {
            let row: Value = serde_json::from_str(line).unwrap();
            let path = row["path"].as_str().unwrap();
            let name = match path {
                _ if path.ends_with("/chat/completions") => "openai",
                _ if path.ends_with("/messages") => "anthropic",
                _ if path.contains(":generateContent") => "gemini",
                // The responses API is another one, which reqgate does not use.
                _ => continue,
            };
            let status = row["status"].as_u64().unwrap() as u16;
            let raw = row["response"].as_str().map_or_else(|| row["response"].to_string(), str::to_string);
            let (_, settings) = every().into_iter().find(|(other, _)| *other == name).unwrap();
            let came = Profile::of(&settings).reply(&Reply::new(status, &[], raw.as_bytes().to_vec()), None);
            let streamed = row["response"].is_string();
            let end = match &came {
                Ok(reply) => {
                    assert!(status == 200 && !streamed, "{line}");
                    assert!(reply.usage.total() > 0 && !reply.model.is_empty(), "{line}");
                    let says_nothing = !matches!(reply.finish_reason, FinishReason::Stop)
                        || raw.contains("functionCall")
                        || raw.contains("tool_use");
                    assert!(!reply.text.is_empty() || says_nothing, "{line}");
                    format!("{:?}", reply.finish_reason)
                }
                Err(error) => {
                    let expected = if status == 200 { Fault::Malformed } else { Fault::Rejected };
                    assert_eq!(error.fault, expected, "{line}");
                    assert!(status == 200 || !error.message.is_empty(), "{line}");
                    format!("{:?}", error.fault)
                }
            };
            *seen.entry(format!("{name} {status} {end}")).or_default() += 1;
        }
    }
    println!("{seen:#?}");
}

#[test]
fn what_is_sent_has_the_shapes_that_are_written_down_here() {
    let text = json!({"type": "string", "minLength": 1});
    let message = json!({"type": "object", "required": ["role", "content"], "additionalProperties": false,
        "properties": {"role": {"enum": ["system", "user"]}, "content": text}});
    let parts = json!({"type": "array", "minItems": 1, "items": {"type": "object", "required": ["text"], "properties": {"text": text}}});
    let shapes = [
        (
            "openai",
            json!({"required": ["model", "messages", "store"], "additionalProperties": false, "properties": {
            "model": text, "messages": {"type": "array", "items": message, "minItems": 2}, "store": {"const": false},
            "max_completion_tokens": {"type": "integer"}, "max_tokens": {"type": "integer"}, "temperature": {"type": "number"},
            "response_format": {"required": ["type"], "properties": {"type": {"enum": ["json_schema", "json_object"]}}}}}),
        ),
        (
            "anthropic",
            json!({"required": ["model", "messages", "max_tokens", "system"], "additionalProperties": false, "properties": {
            "model": text, "messages": {"type": "array", "items": message}, "system": text, "max_tokens": {"type": "integer"},
            "temperature": {"type": "number"},
            "output_config": {"properties": {"format": {"required": ["type", "schema"]}}}}}),
        ),
        (
            "gemini",
            json!({"required": ["contents", "systemInstruction", "generationConfig"], "additionalProperties": false, "properties": {
            "contents": {"type": "array", "items": {"properties": {"role": {"const": "user"}, "parts": parts}}},
            "systemInstruction": {"properties": {"parts": parts}},
            "generationConfig": {"additionalProperties": false, "properties": {"maxOutputTokens": {"type": "integer"},
                "temperature": {"type": "number"}, "responseMimeType": {"const": "application/json"}, "responseJsonSchema": {"type": "object"}}}}}),
        ),
        (
            "ollama",
            json!({"required": ["model", "messages", "stream", "options"], "additionalProperties": false, "properties": {
            "model": text, "messages": {"type": "array", "items": message}, "stream": {"const": false}, "truncate": {"const": false},
            "format": {"type": ["string", "object"]},
            "options": {"additionalProperties": false, "properties": {"num_predict": {"type": "integer"}, "num_ctx": {"type": "integer"},
                "temperature": {"type": "number"}}}}}),
        ),
    ];
    for (name, shape) in shapes {
        let shape = jsonschema::draft202012::new(&shape).unwrap();
        for body in everything(name) {
            let errors: Vec<String> = shape.iter_errors(&body).map(|error| error.to_string()).collect();
            assert!(errors.is_empty(), "{name}: {errors:?}\n{body}");
        }
    }
}
