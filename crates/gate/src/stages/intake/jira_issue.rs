//! Reads a saved Jira issue: REST v2 with wiki markup, or v3 with Atlassian Document Format.

use reqgate_text::words::issue_forms::FIELDS_THAT_BELONG;
use serde_json::{Map, Value};

use reqgate_base::model::{Attachment, SourceType, TicketType};
use reqgate_text::lexicon::is_cjk;

use super::{RawInput, TicketFacts, adf, labels, stated, vocabulary};

/// Returns true if the object is a Jira issue.
pub(super) fn is_issue(object: &Map<String, Value>) -> bool {
    object.get("fields").and_then(Value::as_object).is_some_and(|fields| fields.contains_key("summary"))
}

/// Reads the issue as an input; `names` contains the names of custom fields, if the export has them (`expand=names`).
pub(super) fn read(name: &str, issue: &Map<String, Value>, names: Option<&Map<String, Value>>) -> RawInput {
    let nothing = Map::new();
    let fields = issue.get("fields").and_then(Value::as_object).unwrap_or(&nothing);
    let field = |key: &str| fields.get(key).filter(|value| !value.is_null());
    let mut input = RawInput::plain(name, String::new());
    let summary = field("summary").and_then(Value::as_str).unwrap_or("");
    input.set_title_and_body(summary, &body(fields, names));
    input.tracker = Some(SourceType::JiraTicket);
    input.labels = field("labels").map(stated::names).unwrap_or_default();
    input.ticket_type = field("issuetype").and_then(issue_type).or_else(|| labels::ticket_type(&input.labels));
    let priority = field("priority").and_then(stated::scalar);
    input.priority = priority.and_then(|name| vocabulary::priority(&name));
    input.project_key = project_key(issue, field("project"));
    let attachments = field("attachment").map(stated::names).unwrap_or_default();
    input.attachments = attachments.into_iter().map(|name| Attachment { name }).collect();
    input.facts = TicketFacts::of_jira(issue, fields);
    input
}

/// Custom fields of an issue that contain text but have no name in `names`; their content cannot be assigned to a part
/// of the ticket.
pub(super) fn unnamed_fields<'i>(
    issue: &'i Map<String, Value>,
    names: Option<&'i Map<String, Value>>,
) -> impl Iterator<Item = &'i str> {
    let fields = issue.get("fields").and_then(Value::as_object).into_iter().flatten();
    let is_named = move |key: &str| names.is_some_and(|names| names.contains_key(key));
    let unnamed =
        fields.filter(move |(key, value)| key.starts_with("customfield_") && !is_named(key) && is_text(value));
    unnamed.map(|(key, _)| key.as_str())
}

/// Returns true for text written by a person, not a rank, a number or data of a plug-in.
fn is_text(value: &Value) -> bool {
    let text = field_text(value);
    let is_data = text.starts_with(['{', '[']);
    !is_data && (text.split_whitespace().count() >= 4 || text.chars().filter(|c| is_cjk(*c)).count() >= 8)
}

fn issue_type(value: &Value) -> Option<TicketType> {
    let is_part = || value.get("subtask").and_then(Value::as_bool) == Some(true);
    let stated = stated::scalar(value).and_then(|name| vocabulary::ticket_type(&name));
    stated.or_else(|| is_part().then_some(TicketType::Task))
}

fn project_key(issue: &Map<String, Value>, project: Option<&Value>) -> Option<String> {
    let of_issue = issue.get("key").and_then(Value::as_str).and_then(|key| key.split_once('-')).map(|(key, _)| key);
    let key = of_issue.or_else(|| project?.get("key")?.as_str())?;
    vocabulary::project_key(key)
}

/// The description, then the environment and the custom fields that belong to it, each under its name.
fn body(fields: &Map<String, Value>, names: Option<&Map<String, Value>>) -> String {
    let description = fields.get("description");
    let mut body = description.map(field_text).unwrap_or_default();
    let mut append = |name: &str, value: &Value| {
        let text = field_text(value);
        if text.trim().is_empty() {
            return;
        }
        // Wiki markup and Markdown write headings differently, and one text should use only one of the two.
        let heading = if value.is_string() { "h2." } else { "##" };
        if !body.trim().is_empty() {
            body.push_str("\n\n");
        }
        body.push_str(&format!("{heading} {}\n\n{text}", name.trim()));
    };
    if let Some(environment) = fields.get("environment") {
        append("Environment", environment);
    }
    for (key, name) in names.into_iter().flatten() {
        if let (true, Some(name), Some(value)) = (key.starts_with("customfield_"), name.as_str(), fields.get(key)) {
            let lower = name.to_lowercase();
            if FIELDS_THAT_BELONG.iter().any(|words| lower.contains(words)) {
                append(name, value);
            }
        }
    }
    body
}

/// The words of a text field in any of its formats.
fn field_text(value: &Value) -> String {
    match value {
        Value::String(text) if text.starts_with('{') && text.contains("\"doc\"") => match serde_json::from_str(text) {
            Ok(document) if adf::is_document(&document) => adf::to_markdown(&document),
            _ => text.clone(),
        },
        Value::String(text) => text.clone(),
        Value::Object(_) => adf::to_markdown(value),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use reqgate_base::model::Priority;

    use super::*;

    fn read_value(value: &Value) -> RawInput {
        read("x", value.as_object().expect("an object"), value.get("names").and_then(Value::as_object))
    }

    #[test]
    fn wiki_markup_is_kept_as_written() {
        let input = read_value(&json!({"key": "PAY-12", "fields": {
            "summary": "Refund twice", "description": "h3. Steps\r\n# Open\n# Refund", "labels": ["money"],
            "issuetype": {"name": "缺陷", "subtask": false}, "priority": {"name": "Blocker"},
            "attachment": [{"filename": "shot.png", "size": 3}], "environment": "iOS 19"
        }}));
        assert_eq!(input.text, "Refund twice\n\nh3. Steps\r\n# Open\n# Refund\n\nh2. Environment\n\niOS 19");
        assert_eq!(input.title_span.map(|span| span.slice(&input.text)), Some("Refund twice"));
        assert_eq!(input.tracker, Some(SourceType::JiraTicket));
        assert_eq!(input.ticket_type, Some(TicketType::Bug));
        assert_eq!(input.priority, Some(Priority::P0));
        assert_eq!(input.project_key.as_deref(), Some("PAY"));
        assert_eq!(input.labels, ["money"]);
        assert_eq!(input.attachments, [Attachment { name: "shot.png".into() }]);
    }

    #[test]
    fn document_format_becomes_markdown_with_named_custom_fields() {
        let document = |text: &str| json!({"type": "doc", "version": 1, "content": [{"type": "paragraph", "content": [{"type": "text", "text": text}]}]});
        let input = read_value(&json!({"key": "AB2-1", "fields": {
            "summary": "Search", "description": document("As a user I search."), "issuetype": {"name": "Story"},
            "customfield_1": document("Results come within 1 s."), "customfield_2": document("not part of it")
        }, "names": {"customfield_1": "Acceptance Criteria", "customfield_2": "Release note"}}));
        assert_eq!(input.text, "Search\n\nAs a user I search.\n\n## Acceptance Criteria\n\nResults come within 1 s.");
        assert_eq!(input.project_key, None);
        assert_eq!(input.ticket_type, Some(TicketType::Feature));
    }

    #[test]
    fn fields_of_null_or_wrong_kind_are_ignored() {
        let input = read_value(&json!({"key": 7, "fields": {
            "summary": "Only a summary", "description": null, "issuetype": null, "priority": 3, "labels": null, "attachment": {}
        }}));
        assert_eq!(input.text, "Only a summary");
        assert_eq!(input.ticket_type, None);
    }

    #[test]
    fn unknown_kind_of_part_is_a_task() {
        let input =
            read_value(&json!({"fields": {"summary": "a", "issuetype": {"name": "Teilaufgabe", "subtask": true}}}));
        assert_eq!(input.ticket_type, Some(TicketType::Task));
    }
}
