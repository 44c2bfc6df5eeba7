//! Personal data and secrets leave the server masked, whatever the repository's guardrail is set to: its owner decides what is judged
//! here, not what an agent carries elsewhere.

use serde_json::Value;

use reqgate_base::clean::short_masks;
use reqgate_base::model::SourceType;
use reqgate_guardrail::Guardrail;

/// Names that this program makes or an agent must repeat to the letter: ids, hashes, paths, commands. No words of a text are in them.
const OWN: [&str; 20] = [
    "answer_schema",
    "answer_shape",
    "answer_with",
    "ask_id",
    "continue_with",
    "directory",
    "documents",
    "instructions",
    "order_id",
    "path",
    "policy",
    "read_with",
    "resource",
    "result_schema",
    "rule",
    "sha256",
    "status",
    "submit_with",
    "thread",
    "updated",
];

/// The words without personal data and secrets.
pub fn masked_words(words: &str, screen: &Guardrail) -> String {
    short_masks(&screen.screen(words, &[], SourceType::PlainText).text).into_owned()
}

/// A result without personal data and secrets.
pub fn masked(result: Value, screen: &Guardrail) -> Value {
    match result {
        Value::String(words) => masked_words(&words, screen).into(),
        Value::Array(items) => items.into_iter().map(|item| masked(item, screen)).collect(),
        Value::Object(fields) => fields
            .into_iter()
            .map(|(key, value)| {
                let value = if OWN.contains(&key.as_str()) && is_plain(&value) { value } else { masked(value, screen) };
                (key, value)
            })
            .collect::<serde_json::Map<_, _>>()
            .into(),
        other => other,
    }
}

/// True unless it has objects within, such as the documents of a request, whose own fields are looked at. A schema has its own.
fn is_plain(value: &Value) -> bool {
    match value {
        Value::Array(items) => items.iter().all(|item| item.is_string()),
        Value::Object(fields) => fields.contains_key("properties") || fields.contains_key("$schema"),
        _ => true,
    }
}
