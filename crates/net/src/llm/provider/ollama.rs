//! The profile of Ollama's chat API.

use serde_json::{Value, json};

use super::{Profile, Prompt, put};
use crate::llm::{ChatReply, ChatRequest, FinishReason, Structured, Usage};

/// An Ollama server, by default the one on this machine.
pub(crate) const OLLAMA: Profile = Profile {
    name: "ollama",
    trace_name: "ollama",
    key_variables: &["OLLAMA_API_KEY"],
    needs_key: false,
    compatible: None,
    base_url: "http://localhost:11434",
    path: "/api/chat",
    key: ("authorization", "Bearer "),
    headers: &[],
    token_limit: ["/options/num_predict", "/options/num_predict"],
    temperature: ("/options/temperature", Some(0.0)),
    // Without `truncate: false` a text that is too long is cut silently.
    switches: &[("/stream", false), ("/truncate", false)],
    shapes: &[Structured::Schema, Structured::Json, Structured::Prompt],
    // The server enforces the schema without showing it to the model.
    schema_in_prompt: true,
    // Small models run here, and without a limit they continue until the last token.
    list_bounds: true,
    messages,
    shape,
    read,
};

/// The context sizes that are requested, in tokens. They are few, because the server loads the model again for each
/// other size.
const CONTEXTS: [u64; 4] = [8_192, 16_384, 32_768, 65_536];

fn messages(body: &mut Value, prompt: &Prompt) {
    body["model"] = json!(prompt.model);
    body["messages"] = json!([{"role": "system", "content": prompt.system}, {"role": "user", "content": prompt.user}]);
    // A token rarely has fewer than three bytes, in English and in Chinese.
    let needed = (prompt.system.len() + prompt.user.len()) as u64 / 3 + u64::from(prompt.max_output_tokens.min(4_096));
    let context = CONTEXTS.into_iter().find(|size| *size >= needed).unwrap_or(CONTEXTS[CONTEXTS.len() - 1]);
    put(body, "/options/num_ctx", json!(context));
}

fn shape(body: &mut Value, request: &ChatRequest) {
    body["format"] = match request.structured {
        Structured::Schema => request.schema.clone(),
        Structured::Json | Structured::Prompt => json!("json"),
    };
}

fn read(body: &Value) -> Result<ChatReply, String> {
    let text = body["message"]["content"].as_str().ok_or("it has no message")?.to_string();
    if body["done"] == false {
        return Err("it is part of a stream".to_string());
    }
    let finish_reason = match body["done_reason"].as_str().unwrap_or("stop") {
        "stop" => FinishReason::Stop,
        "length" => FinishReason::Length,
        other => FinishReason::Other(other.to_string()),
    };
    let count = |name: &str| body[name].as_u64().unwrap_or(0);
    Ok(ChatReply {
        text,
        finish_reason,
        usage: Usage { input_tokens: count("prompt_eval_count"), output_tokens: count("eval_count") },
        model: body["model"].as_str().unwrap_or_default().to_string(),
    })
}
