//! Reads objects with a title and a body: saved GitHub issues and other plain rows.

use serde_json::{Map, Value};

use reqgate_base::model::{SourceType, TicketType};

use super::{RawInput, TicketFacts, stated};

/// Returns true if the object has a text, or a title with a body or a property typical of GitHub.
pub(super) fn is_row(object: &Map<String, Value>) -> bool {
    let is_text = |key: &str| matches!(object.get(key), Some(Value::String(_)));
    is_text("text")
        || is_text("raw_text")
        || (is_text("title") && (object.contains_key("body") || has_github_trace(object) || is_described(object)))
}

/// Returns true for rows such as GitLab's issues; a JSON schema also has a title and a description.
fn is_described(object: &Map<String, Value>) -> bool {
    let has = |key: &str| object.contains_key(key);
    has("description") && (has("id") || has("iid")) && !has("$schema") && !has("properties")
}

/// Reads the object as an input; a body of `null` is empty.
pub(super) fn read(name: &str, object: &Map<String, Value>) -> RawInput {
    let text_of = |keys: &[&str]| keys.iter().find_map(|key| object.get(*key).and_then(Value::as_str));
    let mut input = RawInput::plain(name, String::new());
    stated::apply(object, &mut input);
    input.set_title_and_body(
        text_of(&["title"]).unwrap_or(""),
        text_of(&["body", "description", "text", "raw_text"]).unwrap_or(""),
    );
    if is_github_issue(object) {
        input.tracker = Some(SourceType::GitHubIssue);
    }
    // GitHub lists pull requests among the issues; a finished change is not judged.
    if object.get("pull_request").is_some_and(Value::is_object) {
        input.ticket_type = Some(TicketType::Task);
    }
    input.facts = TicketFacts::of_row(object);
    input
}

fn is_github_issue(object: &Map<String, Value>) -> bool {
    // `gh issue list --json title,body` returns only these keys.
    let is_bare =
        object.contains_key("body") && object.keys().all(|key| matches!(key.as_str(), "title" | "body" | "labels"));
    is_bare || has_github_trace(object)
}

/// Returns true if the object has a number, or an address with GitHub's paths.
fn has_github_trace(object: &Map<String, Value>) -> bool {
    let is_address = |key: &str| {
        let address = object.get(key).and_then(Value::as_str);
        address.is_some_and(|address| address.contains("/issues/") || address.contains("/pull/"))
    };
    object.get("number").is_some_and(Value::is_u64) || is_address("html_url") || is_address("url")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use reqgate_base::model::Priority;

    use super::*;

    fn read_value(value: &Value) -> RawInput {
        read("x", value.as_object().expect("an object"))
    }

    #[test]
    fn github_issue_is_title_and_body_with_its_labels() {
        let input = read_value(&json!({
            "number": 12, "html_url": "https://github.com/o/r/issues/12", "title": " Export fails ", "body": "a\r\nb",
            "labels": [{"id": 1, "name": "bug"}, {"name": "priority: high"}], "type": null, "milestone": null
        }));
        assert_eq!(input.text, "Export fails\n\na\r\nb");
        assert_eq!(input.title_span.map(|span| span.slice(&input.text)), Some("Export fails"));
        assert_eq!(input.tracker, Some(SourceType::GitHubIssue));
        assert_eq!(input.ticket_type, Some(TicketType::Bug));
        assert_eq!(input.priority, Some(Priority::P0));
        assert_eq!(input.labels, ["bug", "priority: high"]);
    }

    #[test]
    fn issue_type_outweighs_labels() {
        let input = read_value(&json!({"title": "a", "body": "b", "labels": ["bug"], "type": {"name": "Feature"}}));
        assert_eq!(input.ticket_type, Some(TicketType::Feature));
    }

    #[test]
    fn body_of_null_leaves_the_title() {
        let input = read_value(&json!({"title": "Only a title", "body": null, "number": 1}));
        assert_eq!(input.text, "Only a title");
    }

    #[test]
    fn plain_row_states_no_source() {
        let input = read_value(&json!({"id": "7", "title": "a", "body": "b", "lang": "zh"}));
        assert_eq!(input.tracker, None);
        assert!(input.language.is_some());
    }

    #[test]
    fn pull_request_is_a_task() {
        let input =
            read_value(&json!({"number": 1, "title": "Fix it", "body": "", "labels": ["bug"], "pull_request": {}}));
        assert_eq!(input.ticket_type, Some(TicketType::Task));
    }
}
