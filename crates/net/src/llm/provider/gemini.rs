//! The profile of Gemini's `generateContent`.

use serde_json::{Value, json};

use super::{Profile, Prompt, put};
use crate::llm::{ChatReply, ChatRequest, FinishReason, Structured, Usage};

/// Google's service, and gateways with the same format.
pub(crate) const GEMINI: Profile = Profile {
    name: "gemini",
    trace_name: "gcp.gemini",
    key_variables: &["GEMINI_API_KEY", "GOOGLE_API_KEY"],
    needs_key: true,
    compatible: None,
    base_url: "https://generativelanguage.googleapis.com/v1beta",
    path: "/models/{model}:generateContent",
    // The key is not in the URL, because URLs appear in logs.
    key: ("x-goog-api-key", ""),
    headers: &[],
    token_limit: ["/generationConfig/maxOutputTokens", "/generationConfig/maxOutputTokens"],
    // Google advises against other temperatures than the models' own: lower ones make the newer models loop.
    temperature: ("/generationConfig/temperature", None),
    switches: &[],
    shapes: &[Structured::Schema, Structured::Json, Structured::Prompt],
    schema_in_prompt: false,
    // The service accepts them, but each limit enlarges the schema, which is refused if it is too large.
    list_bounds: false,
    messages,
    shape,
    read,
};

fn messages(body: &mut Value, prompt: &Prompt) {
    body["systemInstruction"] = json!({"parts": [{"text": prompt.system}]});
    body["contents"] = json!([{"role": "user", "parts": [{"text": prompt.user}]}]);
}

fn shape(body: &mut Value, request: &ChatRequest) {
    put(body, "/generationConfig/responseMimeType", json!("application/json"));
    if request.structured == Structured::Schema {
        put(body, "/generationConfig/responseJsonSchema", request.schema.clone());
    }
}

fn read(body: &Value) -> Result<ChatReply, String> {
    let count = |name: &str| body["usageMetadata"][name].as_u64().unwrap_or(0);
    let output_tokens = count("candidatesTokenCount").saturating_add(count("thoughtsTokenCount"));
    let usage = Usage { input_tokens: count("promptTokenCount"), output_tokens };
    let model = body["modelVersion"].as_str().unwrap_or_default().to_string();
    if let Some(reason) = body["promptFeedback"]["blockReason"].as_str() {
        return Ok(ChatReply {
            text: String::new(),
            finish_reason: FinishReason::Filter(reason.to_string()),
            usage,
            model,
        });
    }
    let candidate = body.pointer("/candidates/0").ok_or("it has no candidates")?;
    let parts = candidate["content"]["parts"].as_array().map(Vec::as_slice).unwrap_or_default();
    let said = parts.iter().filter(|part| part["thought"] != true);
    let text = said.filter_map(|part| part["text"].as_str()).collect();
    let finish_reason = match candidate["finishReason"].as_str().unwrap_or("STOP") {
        "STOP" => FinishReason::Stop,
        "MAX_TOKENS" => FinishReason::Length,
        reason @ ("SAFETY" | "RECITATION" | "BLOCKLIST" | "PROHIBITED_CONTENT" | "SPII" | "LANGUAGE") => {
            FinishReason::Filter(reason.to_string())
        }
        other => FinishReason::Other(other.to_string()),
    };
    Ok(ChatReply { text, finish_reason, usage, model })
}
