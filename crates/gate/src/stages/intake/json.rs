//! Recognises the known JSON forms of tickets and passes each ticket to its reader.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::decoding::accept;
use super::{IntakeError, RawInput, adf, jira_issue, row};
use reqgate_base::clean::short_line;

/// The number of consecutive broken tickets after which a source is rejected.
pub(super) const MOST_BROKEN_IN_A_ROW: usize = 20;

/// The treatment of JSON that is not a ticket.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unknown {
    /// An error, because the user named the file as a ticket.
    Refuse,
    /// A note, because a folder also contains other files.
    LeaveOut,
}

type Object = Map<String, Value>;

/// The tickets in a JSON document, at most `most` of them.
pub(super) fn read(name: &str, document: &Value, unknown: Unknown, most: usize) -> Vec<Result<RawInput, IntakeError>> {
    let mut found = Vec::new();
    let mut broken_in_a_row = 0;
    let mut unnamed = BTreeSet::new();
    collect(name, document, None, &mut |name, ticket| {
        if broken_in_a_row < MOST_BROKEN_IN_A_ROW && found.len() < most {
            if let Ticket::Jira { issue, names } = ticket {
                unnamed.extend(jira_issue::unnamed_fields(issue, names));
            }
            let item = read_ticket(name, ticket);
            broken_in_a_row = if item.is_err() { broken_in_a_row + 1 } else { 0 };
            found.push(item);
        }
    });
    // A document without any ticket in a folder is not an export.
    let is_foreign = |item: &Result<_, IntakeError>| matches!(item, Err(IntakeError::UnknownShape { .. }));
    if found.is_empty() {
        return vec![Err(match unknown {
            Unknown::Refuse => IntakeError::NoIssues { name: name.to_owned() },
            Unknown::LeaveOut => IntakeError::LeftOut { name: name.to_owned(), found: "an empty list".to_owned() },
        })];
    }
    if found.iter().all(is_foreign) {
        // One message is enough: all elements have the wrong form.
        return vec![Err(match unknown {
            Unknown::Refuse => IntakeError::UnknownShape { name: name.to_owned(), found: described(document) },
            Unknown::LeaveOut => IntakeError::LeftOut { name: name.to_owned(), found: described(document) },
        })];
    }
    if broken_in_a_row >= MOST_BROKEN_IN_A_ROW {
        found.push(Err(IntakeError::GaveUp { name: name.to_owned(), count: broken_in_a_row }));
    }
    if !unnamed.is_empty() {
        let fields: Vec<String> = unnamed.into_iter().take(MOST_NAMED).map(|field| short_line(field, 40)).collect();
        found.push(Err(IntakeError::UnnamedFields { name: name.to_owned(), fields: fields.join(", ") }));
    }
    found
}

/// The most unnamed fields that a note lists.
const MOST_NAMED: usize = 8;

/// Returns true if the text is a JSON document that contains a ticket.
pub(super) fn is_ticket(text: &str) -> bool {
    let Ok(document) = super::document("", text) else { return false };
    let mut is_known = false;
    collect("", &document, None, &mut |_, ticket| is_known |= !matches!(ticket, Ticket::Unknown(_)));
    is_known
}

/// One element of a document.
#[derive(Clone, Copy)]
enum Ticket<'a> {
    Jira { issue: &'a Object, names: Option<&'a Object> },
    Row(&'a Object),
    Document(&'a Value),
    Unknown(&'a Value),
}

/// Calls `visit` for every ticket in lists, search results, pages of results and payloads at any depth.
fn collect<'a>(name: &str, value: &'a Value, names: Option<&'a Object>, visit: &mut dyn FnMut(&str, Ticket<'a>)) {
    let object = match value {
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                collect(&format!("{name}[{index}]"), item, names, visit);
            }
            return;
        }
        Value::Object(object) => object,
        _ => return visit(name, Ticket::Unknown(value)),
    };
    // Jira's `expand=names` lists the names of the custom fields once for a whole search result.
    let names = object.get("names").and_then(Value::as_object).or(names);
    if jira_issue::is_issue(object) {
        visit(name, Ticket::Jira { issue: object, names });
    } else if row::is_row(object) {
        visit(name, Ticket::Row(object));
    } else if adf::is_document(value) {
        visit(name, Ticket::Document(value));
    } else if let Some(list @ Value::Array(_)) = object.get("issues").or_else(|| object.get("items")) {
        collect(name, list, names, visit);
    } else if let Some(issue @ Value::Object(_)) = object.get("issue") {
        collect(name, issue, names, visit);
    } else {
        visit(name, Ticket::Unknown(value));
    }
}

fn read_ticket(name: &str, ticket: Ticket<'_>) -> Result<RawInput, IntakeError> {
    accept(match ticket {
        Ticket::Jira { issue, names } => jira_issue::read(name, issue, names),
        Ticket::Row(row) => row::read(name, row),
        Ticket::Document(document) => RawInput::plain(name, adf::to_markdown(document)),
        Ticket::Unknown(value) => {
            return Err(IntakeError::UnknownShape { name: name.to_owned(), found: described(value) });
        }
    })
}

/// Describes a JSON value in words, with at most five of its keys and without its values.
fn described(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(_) => "true or false".to_owned(),
        Value::Number(_) => "a number".to_owned(),
        Value::String(_) => "a string".to_owned(),
        Value::Array(items) => match items.first() {
            Some(Value::Array(_)) => "a list of lists".to_owned(),
            Some(item) => format!("a list of {}", described(item)),
            None => "an empty list".to_owned(),
        },
        Value::Object(object) if object.is_empty() => "an empty object".to_owned(),
        Value::Object(object) => {
            let shown = |key: &String| format!("`{}`", short_line(key, 30));
            let keys: Vec<String> = object.keys().take(5).map(shown).collect();
            let more = if object.len() > 5 { ", …" } else { "" };
            format!("an object with {}{more}", keys.join(", "))
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn texts(document: &Value) -> Vec<String> {
        read("x.json", document, Unknown::Refuse, usize::MAX)
            .into_iter()
            .map(|item| match item {
                Ok(input) => format!("{} {}", input.name, input.text),
                Err(error) => error.to_string(),
            })
            .collect()
    }

    #[test]
    fn lists_pages_search_results_and_payloads_hold_tickets() {
        let issue = json!({"number": 3, "title": "One", "body": "Two"});
        assert_eq!(texts(&issue), ["x.json One\n\nTwo"]);
        assert_eq!(texts(&json!([issue])), ["x.json[0] One\n\nTwo"]);
        assert_eq!(texts(&json!([[issue], [issue]])), ["x.json[0][0] One\n\nTwo", "x.json[1][0] One\n\nTwo"]);
        assert_eq!(texts(&json!({"total_count": 1, "items": [issue]})), ["x.json[0] One\n\nTwo"]);
        assert_eq!(texts(&json!({"action": "opened", "issue": issue})), ["x.json One\n\nTwo"]);
        let jira = json!({"key": "PAY-1", "fields": {"summary": "One"}});
        assert_eq!(texts(&json!({"issues": [jira], "isLast": true})), ["x.json[0] One"]);
        assert_eq!(texts(&json!({"webhookEvent": "jira:issue_created", "issue": jira})), ["x.json One"]);
    }

    #[test]
    fn foreign_element_is_an_error_beside_the_tickets() {
        let found = texts(&json!([{"text": "One"}, {"a": 1}, 7]));
        assert_eq!(found.len(), 3);
        assert!(found[1].starts_with("`x.json[1]` holds an object with `a`"), "{found:?}");
        assert!(found[2].starts_with("`x.json[2]` holds a number"), "{found:?}");
    }

    #[test]
    fn foreign_document_is_one_error_or_one_note() {
        let document = json!([{"name": "reqgate"}, {"name": "x"}]);
        let found = texts(&document);
        assert_eq!(found.len(), 1);
        assert!(found[0].contains("a list of an object with `name`, which is not a known ticket format"), "{found:?}");
        let items = read("x.json", &document, Unknown::LeaveOut, usize::MAX);
        assert!(matches!(items.as_slice(), [Err(error)] if error.is_note()), "{items:?}");
        assert!(texts(&json!([]))[0].contains("holds no tickets"));
    }

    #[test]
    fn list_of_tickets_with_a_long_foreign_tail_is_given_up() {
        let mut items = vec![json!({"text": "One"})];
        items.extend((0..500).map(Value::from));
        let found = texts(&Value::Array(items));
        assert_eq!(found.len(), MOST_BROKEN_IN_A_ROW + 2);
        assert!(found.last().expect("a last one").starts_with("gave up on `x.json`"), "{found:?}");
    }

    #[test]
    fn text_in_fields_without_names_is_reported_once() {
        let issue = |extra: Value| {
            let mut issue =
                json!({"key": "PAY-1", "fields": {"summary": "One", "customfield_9": "0|i0001:", "customfield_8": 5}});
            issue["fields"]["customfield_7"] = extra;
            issue
        };
        let words = || issue(json!("When it is late, the badge is red."));
        let found = texts(&json!([words(), words()]));
        assert_eq!(found.len(), 3);
        assert!(found[2].starts_with("`x.json` has text in customfield_7, which was left out"), "{found:?}");
        let named = json!({"names": {"customfield_7": "Release note"}, "issues": [words()]});
        assert_eq!(texts(&named).len(), 1);
        assert_eq!(texts(&issue(json!("订单超时后，徽标显示为红色。"))).len(), 2);
        assert_eq!(texts(&issue(json!({"value": "Team A and Team B and C"}))).len(), 1);
    }

    #[test]
    fn blank_ticket_is_refused_and_smuggled_nul_is_read() {
        assert!(texts(&json!({"title": " ", "body": null}))[0].contains("is empty"));
        assert!(texts(&json!({"title": "a", "body": "b\u{0}c"}))[0].ends_with("a\n\nb\u{fffd}c"));
    }
}
