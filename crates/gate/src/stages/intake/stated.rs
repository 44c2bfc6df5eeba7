//! Reads the properties that front matter or a JSON row states; unknown keys and values are ignored.

use serde_json::{Map, Value};

use reqgate_base::model::{Attachment, OtherLanguage};

use super::{RawInput, labels, vocabulary};

/// Sets every property of `input` that `mapping` states.
pub(super) fn apply(mapping: &Map<String, Value>, input: &mut RawInput) {
    let texts = |keys: &[&str]| lookup(mapping, keys).and_then(scalar);
    if let Some(kind) = texts(&["ticket_type", "issuetype", "issue_type", "type"]) {
        input.ticket_type = vocabulary::ticket_type(&kind);
        // `type: prd` names the kind of document, not of ticket.
        input.source_type = input.source_type.or_else(|| vocabulary::source_type(&kind));
    }
    if let Some(source) = texts(&["source_type", "source"]) {
        input.source_type = vocabulary::source_type(&source).or(input.source_type);
    }
    input.labels = lookup(mapping, &["labels", "label", "tags"]).map(names).unwrap_or_default();
    input.ticket_type = input.ticket_type.or_else(|| labels::ticket_type(&input.labels));
    let priority = texts(&["priority"]).and_then(|word| vocabulary::priority(&word));
    input.priority = priority.or_else(|| labels::priority(&input.labels));
    if let Some(language) = texts(&["language", "lang"]) {
        input.language = vocabulary::language(&language);
        input.other_language = OtherLanguage::named(&language);
    }
    input.project_key = texts(&["project_key", "project"]).and_then(|word| vocabulary::project_key(&word));
    let attachments = lookup(mapping, &["attachments", "attachment"]).map(names).unwrap_or_default();
    input.attachments = attachments.into_iter().map(|name| Attachment { name }).collect();
}

/// The value of the first of `keys` in the mapping; case and hyphens are ignored.
pub(super) fn lookup<'a>(mapping: &'a Map<String, Value>, keys: &[&str]) -> Option<&'a Value> {
    let is_key = |written: &str, key: &str| {
        written.len() == key.len()
            && written.bytes().zip(key.bytes()).all(|(written, key)| match written {
                b'-' | b' ' => key == b'_',
                byte => byte.to_ascii_lowercase() == key,
            })
    };
    keys.iter().find_map(|key| {
        mapping.iter().find(|(written, value)| is_key(written, key) && !value.is_null()).map(|(_, value)| value)
    })
}

/// The text of a single value: a string, a number, or an object with it as `name` or `value`.
pub(super) fn scalar(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.trim().to_owned()),
        Value::Number(number) => Some(number.to_string()),
        Value::Object(object) => ["name", "value"].iter().find_map(|key| match object.get(*key) {
            Some(Value::String(text)) => Some(text.trim().to_owned()),
            _ => None,
        }),
        Value::Bool(_) | Value::Null | Value::Array(_) => None,
    }
}

/// The names in a list of strings or of objects with a name, in a comma-separated string, or in GraphQL's `nodes`.
pub(super) fn names(value: &Value) -> Vec<String> {
    let items: Vec<String> = match value {
        Value::String(text) => text.split([',', '，', '、']).map(|name| name.trim().to_owned()).collect(),
        Value::Array(items) => items.iter().filter_map(item_name).collect(),
        Value::Object(object) => match object.get("nodes") {
            Some(Value::Array(items)) => items.iter().filter_map(item_name).collect(),
            _ => Vec::new(),
        },
        _ => Vec::new(),
    };
    items.into_iter().filter(|name| !name.is_empty()).collect()
}

fn item_name(item: &Value) -> Option<String> {
    let file_name = |item: &Value| item.get("filename").and_then(scalar);
    scalar(item).or_else(|| file_name(item))
}
