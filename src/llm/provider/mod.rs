//! What each provider wants and sends.

use serde_json::{Value, json};

use super::{ChatError, ChatReply, ChatRequest, Ending, Fault, ModelSettings, Usage};

/// A request as it goes over the wire.
pub struct Wire {
    /// The whole URL.
    pub url: String,
    /// Headers.
    pub headers: Vec<(&'static str, String)>,
    /// The body.
    pub body: Value,
}

/// Builds the request.
pub fn request(settings: &ModelSettings, request: &ChatRequest) -> Wire {
    let base = settings.base_url.as_deref().unwrap_or("https://api.openai.com/v1").trim_end_matches('/');
    let mut headers = vec![("content-type", "application/json".to_string())];
    if let Some(key) = &settings.api_key {
        headers.push(("authorization", format!("Bearer {}", key.reveal())));
    }
    let body = json!({
        "model": request.model.name(),
        "messages": [
            {"role": "system", "content": request.instructions},
            {"role": "user", "content": request.data},
        ],
        "response_format": {
            "type": "json_schema",
            "json_schema": {"name": request.question, "strict": true, "schema": request.schema},
        },
        "max_completion_tokens": request.max_output_tokens,
    });
    Wire { url: format!("{base}/chat/completions"), headers, body }
}

/// Reads the reply.
pub fn reply(status: u16, body: &[u8]) -> Result<ChatReply, ChatError> {
    if status != 200 {
        return Err(ChatError { status, ..ChatError::new(Fault::Rejected, "the server refuses the request") });
    }
    let body: Value =
        serde_json::from_slice(body).map_err(|error| ChatError::new(Fault::Malformed, error.to_string()))?;
    let text = body["choices"][0]["message"]["content"].as_str().unwrap_or_default().to_string();
    let usage = Usage {
        input_tokens: body["usage"]["prompt_tokens"].as_u64().unwrap_or(0),
        output_tokens: body["usage"]["completion_tokens"].as_u64().unwrap_or(0),
    };
    Ok(ChatReply { text, ending: Ending::Stop, usage, model: body["model"].as_str().unwrap_or_default().to_string() })
}
