//! The texts of a result, with the paths of their fields.

use serde_json::Value;

/// Calls back for every text of a document that is not an id.
pub fn words(value: &Value, path: String, found: &mut dyn FnMut(String, &str)) {
    match value {
        Value::String(text) => found(path, text),
        Value::Array(items) => {
            for (at, item) in items.iter().enumerate() {
                words(item, format!("{path}[{at}]"), found);
            }
        }
        Value::Object(fields) => {
            let dot = if path.is_empty() { "" } else { "." };
            for (name, field) in fields.iter().filter(|(name, _)| *name != "id") {
                // The writer chooses names of features and demographics.
                found(path.clone(), name);
                words(field, format!("{path}{dot}{name}"), found);
            }
        }
        _ => {}
    }
}
