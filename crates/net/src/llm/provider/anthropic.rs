//! The profile of Anthropic's messages API.

use serde_json::{Value, json};

use super::{Profile, Prompt, put};
use crate::llm::{ChatReply, ChatRequest, FinishReason, Structured, Usage};

/// Anthropic's service, and gateways with the same format.
pub(crate) const ANTHROPIC: Profile = Profile {
    name: "anthropic",
    trace_name: "anthropic",
    key_variables: &["ANTHROPIC_API_KEY"],
    needs_key: true,
    compatible: None,
    base_url: "https://api.anthropic.com/v1",
    path: "/messages",
    key: ("x-api-key", ""),
    headers: &[("anthropic-version", "2023-06-01")],
    token_limit: ["/max_tokens", "/max_tokens"],
    // Current models refuse a temperature.
    temperature: ("/temperature", None),
    switches: &[],
    shapes: &[Structured::Schema, Structured::Prompt],
    schema_in_prompt: false,
    // The service refuses them.
    list_bounds: false,
    messages,
    shape,
    read,
};

fn messages(body: &mut Value, prompt: &Prompt) {
    body["model"] = json!(prompt.model);
    body["system"] = json!(prompt.system);
    body["messages"] = json!([{"role": "user", "content": prompt.user}]);
}

fn shape(body: &mut Value, request: &ChatRequest) {
    put(body, "/output_config/format", json!({"type": "json_schema", "schema": request.schema}));
}

fn read(body: &Value) -> Result<ChatReply, String> {
    let blocks = body["content"].as_array().ok_or("it has no content")?;
    let text =
        blocks.iter().filter(|block| block["type"] == "text").filter_map(|block| block["text"].as_str()).collect();
    let finish_reason = match body["stop_reason"].as_str().unwrap_or("end_turn") {
        "end_turn" | "stop_sequence" => FinishReason::Stop,
        "max_tokens" | "model_context_window_exceeded" => FinishReason::Length,
        "refusal" => {
            FinishReason::Refusal(body["stop_details"]["explanation"].as_str().unwrap_or_default().to_string())
        }
        other => FinishReason::Other(other.to_string()),
    };
    let count = |name: &str| body["usage"][name].as_u64().unwrap_or(0);
    let cached = count("cache_creation_input_tokens") + count("cache_read_input_tokens");
    Ok(ChatReply {
        text,
        finish_reason,
        usage: Usage {
            input_tokens: count("input_tokens").saturating_add(cached),
            output_tokens: count("output_tokens"),
        },
        model: body["model"].as_str().unwrap_or_default().to_string(),
    })
}
