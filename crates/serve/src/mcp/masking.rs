//! Masks personal data and secrets in all output of the server, regardless of the repository's guardrail: its setting
//! applies to judging, not to the data that an agent takes elsewhere.

use serde_json::Value;

use reqgate_base::clean::short_masks;
use reqgate_base::model::SourceType;
use reqgate_guardrail::Guardrail;

/// Fields with values that this program generates or an agent must repeat exactly: ids, hashes, paths, commands. They
/// contain no words of a text.
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

/// The words with personal data and secrets masked.
pub(super) fn masked_words(words: &str, screen: &Guardrail) -> String {
    short_masks(&screen.screen(words, &[], SourceType::PlainText).text).into_owned()
}

/// A result with personal data and secrets masked.
pub(super) fn masked(result: Value, screen: &Guardrail) -> Value {
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

/// Returns true for a value without inner objects. Objects, such as the documents of a request, are searched field by
/// field; a schema is not.
fn is_plain(value: &Value) -> bool {
    match value {
        Value::Array(items) => items.iter().all(|item| item.is_string()),
        Value::Object(fields) => fields.contains_key("properties") || fields.contains_key("$schema"),
        _ => true,
    }
}
