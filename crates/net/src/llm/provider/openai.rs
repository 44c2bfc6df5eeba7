//! The profiles of OpenAI's chat completions and of compatible servers.

use serde_json::{Value, json};

use super::{Profile, Prompt};
use crate::llm::{ChatReply, ChatRequest, FinishReason, Structured, Usage};

/// The profile of OpenAI's own service.
pub(crate) const OPENAI: Profile = Profile { compatible: Some(&COMPATIBLE), ..OWN };

const OWN: Profile = Profile {
    name: "openai",
    trace_name: "openai",
    key_variables: &["OPENAI_API_KEY"],
    needs_key: true,
    compatible: None,
    base_url: "https://api.openai.com/v1",
    path: "/chat/completions",
    key: ("authorization", "Bearer "),
    headers: &[],
    token_limit: ["/max_completion_tokens", "/max_tokens"],
    // Reasoning models refuse every temperature except their own.
    temperature: ("/temperature", None),
    switches: &[("/store", false)],
    shapes: &[Structured::Schema, Structured::Json, Structured::Prompt],
    schema_in_prompt: false,
    // The service accepts them for its own models and refuses them for fine-tuned ones; its models end their lists by
    // themselves.
    list_bounds: false,
    messages,
    shape,
    read,
};

/// vLLM, llama-server, LM Studio, OpenRouter, gateways: the older field for the limit, no fields of OpenAI's account,
/// and the schema also in the prompt, because some servers enforce it without showing it to the model.
pub(super) const COMPATIBLE: Profile = Profile {
    token_limit: ["/max_tokens", "/max_completion_tokens"],
    temperature: ("/temperature", Some(0.0)),
    switches: &[("/stream", false)],
    schema_in_prompt: true,
    // A server that accepts a schema here turns it into a grammar; a gateway to a service that refuses the limits is
    // asked without them.
    list_bounds: true,
    ..OWN
};

fn messages(body: &mut Value, prompt: &Prompt) {
    body["model"] = json!(prompt.model);
    body["messages"] = json!([{"role": "system", "content": prompt.system}, {"role": "user", "content": prompt.user}]);
}

fn shape(body: &mut Value, request: &ChatRequest) {
    body["response_format"] = match request.structured {
        Structured::Schema => json!({
            "type": "json_schema",
            "json_schema": {"name": request.question, "strict": true, "schema": request.schema},
        }),
        Structured::Json | Structured::Prompt => json!({"type": "json_object"}),
    };
}

fn read(body: &Value) -> Result<ChatReply, String> {
    let choice = body.pointer("/choices/0").ok_or("it has no choices")?;
    let message = &choice["message"];
    let refusal = message["refusal"].as_str().filter(|refusal| !refusal.is_empty());
    let finish_reason = match (refusal, choice["finish_reason"].as_str().unwrap_or("stop")) {
        (Some(refusal), _) => FinishReason::Refusal(refusal.to_string()),
        (None, "stop" | "eos") => FinishReason::Stop,
        (None, "length") => FinishReason::Length,
        (None, "content_filter") => FinishReason::Filter("content_filter".to_string()),
        (None, other) => FinishReason::Other(other.to_string()),
    };
    let count = |name: &str| body["usage"][name].as_u64().unwrap_or(0);
    Ok(ChatReply {
        text: text(&message["content"]),
        finish_reason,
        usage: Usage { input_tokens: count("prompt_tokens"), output_tokens: count("completion_tokens") },
        model: body["model"].as_str().unwrap_or_default().to_string(),
    })
}

/// The text of the content, which some servers send in parts.
fn text(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        Value::Array(parts) => parts.iter().filter_map(|part| part["text"].as_str()).collect(),
        _ => String::new(),
    }
}
