//! Tests of the requests and replies of each profile, in the formats that real servers use.

mod contract;

use serde_json::json;

use super::*;
use crate::llm::ModelName;
use crate::llm::{ApiKey, FinishReason};

/// Every profile, with the settings that select it.
fn every() -> Vec<(&'static str, ModelSettings)> {
    let of = |name: &str, base: Option<&str>| {
        let base_url = base.map(str::to_string);
        ModelSettings { base_url, ..ModelSettings::new(name.parse().unwrap()) }
    };
    vec![
        ("openai", of("openai/m", None)),
        ("compatible", of("openai/m", Some("http://localhost:8000/v1"))),
        ("anthropic", of("anthropic/m", None)),
        ("gemini", of("gemini/m", None)),
        ("ollama", of("ollama/m", None)),
    ]
}

#[test]
fn every_provider_is_tried_here() {
    let tried: Vec<&str> = every().iter().map(|(_, settings)| settings.model.provider().word()).collect();
    for provider in PROVIDERS {
        assert!(tried.contains(&provider.name), "add `{}` to `every()`", provider.name);
    }
}

fn request(settings: &ModelSettings, structured: Structured) -> ChatRequest {
    ChatRequest {
        model: settings.model.clone(),
        question: "test_v1".into(),
        instructions: "Judge.".into(),
        data: "the text".into(),
        feedback: Vec::new(),
        schema: json!({"type": "object", "properties": {"level": {"type": "integer"}}, "required": ["level"]}),
        structured,
        max_output_tokens: 500,
        attempt: 1,
    }
}

fn body(name: &str, structured: Structured) -> Value {
    let (_, settings) = every().into_iter().find(|(other, _)| *other == name).unwrap();
    Profile::of(&settings).request(&settings, &request(&settings, structured), Refused::default()).body
}

fn read(name: &str, status: u16, body: &Value) -> Result<ChatReply, ChatError> {
    let (_, settings) = every().into_iter().find(|(other, _)| *other == name).unwrap();
    Profile::of(&settings).reply(&Reply::new(status, &[], body.to_string().into_bytes()), None)
}

#[test]
fn nothing_is_stored_at_the_provider_and_nothing_is_streamed() {
    assert_eq!(body("openai", Structured::Schema)["store"], json!(false));
    assert_eq!(body("compatible", Structured::Schema).get("store"), None);
    assert_eq!(body("ollama", Structured::Schema)["stream"], json!(false));
    assert_eq!(body("ollama", Structured::Schema)["truncate"], json!(false));
}

#[test]
fn bounds_of_lists_go_only_to_servers_that_take_them() {
    let schema = json!({"type": "object", "properties": {"list": {"type": "array", "items": {}, "maxItems": 3}}});
    for (name, settings) in every() {
        let request = ChatRequest { schema: schema.clone(), ..request(&settings, Structured::Schema) };
        let sent = |refused| Profile::of(&settings).request(&settings, &request, refused).body.to_string();
        let takes = matches!(name, "compatible" | "ollama");
        assert_eq!(sent(Refused::default()).contains("maxItems"), takes, "{name}");
        assert!(!sent(Refused { list_bounds: true, ..Refused::default() }).contains("maxItems"), "{name}");
    }
}

#[test]
fn every_profile_asks_for_the_shape_in_its_own_words() {
    let schema = body("openai", Structured::Schema)["response_format"]["json_schema"]["schema"].clone();
    assert_eq!(schema["type"], "object");
    assert_eq!(body("anthropic", Structured::Schema)["output_config"]["format"]["schema"], schema);
    assert_eq!(body("gemini", Structured::Schema)["generationConfig"]["responseJsonSchema"], schema);
    assert_eq!(body("ollama", Structured::Schema)["format"], schema);
    assert_eq!(body("openai", Structured::Json)["response_format"], json!({"type": "json_object"}));
    assert_eq!(body("ollama", Structured::Json)["format"], json!("json"));
    assert_eq!(body("gemini", Structured::Json)["generationConfig"]["responseMimeType"], json!("application/json"));
    for name in ["openai", "compatible", "anthropic", "gemini", "ollama"] {
        let bare = body(name, Structured::Prompt);
        assert!(bare.to_string().contains("JSON Schema"), "{name}: the schema is not in the prompt");
        for field in ["response_format", "output_config", "format"] {
            assert_eq!(bare.get(field), None, "{name}");
        }
    }
}

#[test]
fn the_limit_and_the_temperature_go_where_each_takes_them() {
    for (name, pointer) in [
        ("openai", "/max_completion_tokens"),
        ("compatible", "/max_tokens"),
        ("anthropic", "/max_tokens"),
        ("gemini", "/generationConfig/maxOutputTokens"),
        ("ollama", "/options/num_predict"),
    ] {
        assert_eq!(body(name, Structured::Schema).pointer(pointer), Some(&json!(500)), "{name}");
    }
    assert_eq!(body("openai", Structured::Schema).get("temperature"), None);
    assert_eq!(body("anthropic", Structured::Schema).get("temperature"), None);
    assert_eq!(body("compatible", Structured::Schema)["temperature"], json!(0.0));
    let (_, settings) = every().remove(1);
    let refused = Refused { temperature: true, token_limit: true, list_bounds: true };
    let body = Profile::of(&settings).request(&settings, &request(&settings, Structured::Schema), refused).body;
    assert_eq!((body.get("temperature"), body.get("max_tokens")), (None, None));
    assert_eq!(body["max_completion_tokens"], json!(500));
}

#[test]
fn data_and_feedback_never_stand_in_the_instructions() {
    for (name, settings) in every() {
        let asked = ChatRequest {
            data: "DATA".into(),
            feedback: vec!["FEEDBACK".into()],
            ..request(&settings, Structured::Prompt)
        };
        let body = Profile::of(&settings).request(&settings, &asked, Refused::default()).body;
        let places = ["/messages/0/content", "/system", "/systemInstruction/parts/0/text"];
        let place = places
            .into_iter()
            .find(|place| body.pointer(place).is_some_and(|text| text.to_string().contains("Judge.")));
        let instructions = body.pointer(place.unwrap()).unwrap().to_string();
        assert!(!instructions.contains("DATA") && !instructions.contains("FEEDBACK"), "{name}");
        assert!(body.to_string().contains("DATA") && body.to_string().contains("FEEDBACK"), "{name}");
    }
}

#[test]
fn replies_end_by_their_names() {
    let openai = |content: Value, refusal: Value, finish: &str| {
        let choice = json!({"finish_reason": finish, "message": {"content": content, "refusal": refusal}});
        read("openai", 200, &json!({"choices": [choice], "usage": {"prompt_tokens": 7, "completion_tokens": 3}}))
            .unwrap()
    };
    assert_eq!(
        (
            openai(json!("{}"), Value::Null, "stop").finish_reason,
            openai(json!("{}"), Value::Null, "stop").usage.total()
        ),
        (FinishReason::Stop, 10)
    );
    assert_eq!(
        openai(Value::Null, json!("I will not"), "stop").finish_reason,
        FinishReason::Refusal("I will not".into())
    );
    assert_eq!(openai(json!("{"), Value::Null, "length").finish_reason, FinishReason::Length);
    assert_eq!(
        openai(Value::Null, Value::Null, "content_filter").finish_reason,
        FinishReason::Filter("content_filter".into())
    );
    assert_eq!(openai(json!([{"type": "text", "text": "{}"}]), Value::Null, "stop").text, "{}");
    let anthropic = |stop: &str| {
        let content = json!([{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "{}"}]);
        read("anthropic", 200, &json!({"content": content, "stop_reason": stop, "usage": {"input_tokens": 2}})).unwrap()
    };
    assert_eq!((anthropic("end_turn").text.as_str(), anthropic("end_turn").finish_reason), ("{}", FinishReason::Stop));
    assert_eq!(anthropic("max_tokens").finish_reason, FinishReason::Length);
    assert_eq!(anthropic("refusal").finish_reason, FinishReason::Refusal(String::new()));
    let gemini = |body: Value| read("gemini", 200, &body).unwrap();
    let parts = json!([{"text": "hm", "thought": true}, {"text": "{"}, {"text": "}"}]);
    let reply = gemini(json!({"candidates": [{"content": {"parts": parts}, "finishReason": "STOP"}]}));
    assert_eq!((reply.text.as_str(), reply.finish_reason), ("{}", FinishReason::Stop));
    let blocked = gemini(json!({"promptFeedback": {"blockReason": "PROHIBITED_CONTENT"}}));
    assert_eq!(blocked.finish_reason, FinishReason::Filter("PROHIBITED_CONTENT".into()));
    assert_eq!(
        gemini(json!({"candidates": [{"finishReason": "SAFETY"}]})).finish_reason,
        FinishReason::Filter("SAFETY".into())
    );
    let ollama = json!({"message": {"content": "{}"}, "done": true, "done_reason": "length", "eval_count": 4});
    assert_eq!(read("ollama", 200, &ollama).unwrap().finish_reason, FinishReason::Length);
    assert_eq!(
        read("ollama", 200, &json!({"message": {"content": "{"}, "done": false})).unwrap_err().fault,
        Fault::Malformed
    );
}

#[test]
fn errors_are_told_apart_by_status_and_code() {
    let said = |code: Value, message: &str| json!({"error": {"message": message, "type": "some_error", "code": code}});
    let cases = [
        (401, said(json!(401), "Invalid API Key"), Fault::Unauthorized),
        (404, said(json!("model_not_found"), "no such model"), Fault::Rejected),
        (429, said(json!("rate_limit_exceeded"), "slow down"), Fault::RateLimited),
        (429, said(json!("insufficient_quota"), "you have nothing left"), Fault::QuotaExhausted),
        (500, said(Value::Null, "something broke"), Fault::Unavailable),
        (500, said(Value::Null, "response_format.type: Input should be 'text' or 'json_object'"), Fault::ShapeRefused),
        (400, said(json!("unsupported_parameter"), "'response_format' is not supported"), Fault::ShapeRefused),
        (400, said(json!("content_filter"), "policy"), Fault::Filtered),
        (503, json!({"error": "server busy"}), Fault::Unavailable),
        (
            529,
            json!({"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}),
            Fault::Unavailable,
        ),
        (402, json!({"type": "error", "error": {"type": "billing_error", "message": "pay"}}), Fault::QuotaExhausted),
        (
            400,
            json!({"error": {"code": 400, "message": "API key not valid.", "status": "INVALID_ARGUMENT"}}),
            Fault::Unauthorized,
        ),
        (
            429,
            json!({"error": {"status": "RESOURCE_EXHAUSTED", "details": [{"violations": [{"quotaId": "RequestsPerDay"}]}]}}),
            Fault::QuotaExhausted,
        ),
        (
            429,
            json!({"error": {"status": "RESOURCE_EXHAUSTED", "details": [{"violations": [{"quotaId": "PerMinute"}]}]}}),
            Fault::RateLimited,
        ),
        (400, said(Value::Null, "the context is too long; see the guide for more information"), Fault::Rejected),
        (422, json!({"detail": [{"msg": "Field required"}]}), Fault::Rejected),
        (302, Value::Null, Fault::Rejected),
        // With status 200: the code inside is a number, a text, or missing.
        (200, said(json!(429), "slow down"), Fault::RateLimited),
        (200, said(json!("503"), "try later"), Fault::Unavailable),
        (200, json!({"error": "model crashed"}), Fault::Unavailable),
        (200, json!({"unrelated": 1}), Fault::Malformed),
        (200, json!([]), Fault::Malformed),
    ];
    for (status, body, fault) in cases {
        assert_eq!(read("compatible", status, &body).unwrap_err().fault, fault, "{status} {body}");
    }
}

#[test]
fn a_key_that_a_server_repeats_is_taken_out() {
    let (_, settings) = every().remove(0);
    let profile = Profile::of(&settings);
    for body in [r#"{"error": {"message": "wrong key: sk-canary\u0007!"}}"#, "<html>sk-canary</html>"] {
        let error = profile.reply(&Reply::new(401, &[], body.as_bytes().to_vec()), Some("sk-canary")).unwrap_err();
        assert!(!error.message.contains("sk-canary") && error.message.contains("[key]"), "{}", error.message);
        assert!(!error.message.contains('\u{7}'));
    }
    assert_eq!(format!("{:?}", ApiKey::new("sk-canary").unwrap()), "[key]");
    assert!(
        !format!("{:?}", ModelSettings { api_key: Some(ApiKey::new("sk-canary").unwrap()), ..settings })
            .contains("canary")
    );
}

#[test]
fn no_body_makes_a_reader_panic() {
    let fragments = [
        "null",
        "[]",
        "1",
        "\"x\"",
        r#"{"choices": 1}"#,
        r#"{"choices": [1]}"#,
        r#"{"content": [1]}"#,
        r#"{"candidates": [[]]}"#,
        r#"{"message": {"content": {}}}"#,
        r#"{"error": {}}"#,
        r#"{"error": null}"#,
        "\u{0}",
        "",
    ];
    for (name, settings) in every() {
        for body in fragments {
            for status in [200, 400, 500] {
                let came = Profile::of(&settings).reply(&Reply::new(status, &[], body.as_bytes().to_vec()), None);
                assert!(came.is_err() || status == 200, "{name} {status} {body}");
            }
        }
    }
}

#[test]
fn a_name_keeps_every_slash_after_the_first() {
    let name: ModelName = "openai/org/model-7b:free".parse().unwrap();
    assert_eq!((name.provider().word(), name.name()), ("openai", "org/model-7b:free"));
    assert_eq!(name.to_string(), "openai/org/model-7b:free");
}

#[test]
fn what_could_leave_the_path_of_the_url_is_no_name() {
    for text in
        ["", "openai", "openai/", "llama/x", "gemini/../v1", "gemini/a b", "openai/a?b", "openai/a#b", "openai/ä"]
    {
        assert!(text.parse::<ModelName>().is_err(), "{text}");
    }
}
