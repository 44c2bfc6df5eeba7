//! Facts about a ticket from its tracker: key, age and activity.

use serde_json::{Map, Value};

/// Facts about a ticket that do not influence the verdict; `None` if the source does not state them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TicketFacts {
    /// The key of the ticket: `#12` on GitHub, `PAY-3` in Jira.
    pub id: Option<String>,
    /// The address of the ticket's page; only `https://` and `http://` are accepted.
    pub url: Option<String>,
    /// The creation time as written by the source, e.g. `2026-11-21T08:00:00Z`.
    pub created_at: Option<String>,
    /// The time of the last change, in the same form.
    pub updated_at: Option<String>,
    /// The ticket is open.
    pub is_open: Option<bool>,
    /// The ticket is a pull request, which GitHub lists among the issues.
    pub is_pull_request: bool,
    /// The number of comments.
    pub comments: Option<u64>,
    /// The number of reactions or votes.
    pub reactions: Option<u64>,
}

/// The longest id, address or date that is kept, in bytes.
const LONGEST: usize = 500;

type Object = Map<String, Value>;

impl TicketFacts {
    /// The facts of a saved GitHub issue (REST or `gh issue list --json`), or of a row with the same names.
    pub(super) fn of_row(row: &Object) -> Self {
        let text = |keys: &[&str]| keys.iter().find_map(|key| words(row.get(*key)));
        let comments = match row.get("comments") {
            Some(Value::Array(comments)) => Some(comments.len() as u64),
            comments => comments.and_then(Value::as_u64),
        };
        let reactions = row.get("reactions").and_then(|reactions| reactions.get("total_count")).and_then(Value::as_u64);
        Self {
            id: row.get("number").and_then(Value::as_u64).map(|number| format!("#{number}")),
            url: text(&["html_url", "url"]).filter(|url| is_address(url)),
            created_at: text(&["created_at", "createdAt"]),
            updated_at: text(&["updated_at", "updatedAt"]),
            is_open: text(&["state"]).map(|state| state.eq_ignore_ascii_case("open")),
            is_pull_request: row.get("pull_request").is_some_and(Value::is_object),
            comments,
            reactions,
        }
    }

    /// The facts of a Jira issue.
    pub(super) fn of_jira(issue: &Object, fields: &Object) -> Self {
        let number =
            |outer: &str, inner: &str| fields.get(outer).and_then(|value| value.get(inner)).and_then(Value::as_u64);
        let category = fields.get("status").and_then(|status| status.get("statusCategory"));
        let category = category.and_then(|category| words(category.get("key")));
        Self {
            id: words(issue.get("key")),
            url: None,
            created_at: words(fields.get("created")),
            updated_at: words(fields.get("updated")),
            is_open: category.map(|category| category != "done"),
            is_pull_request: false,
            comments: number("comment", "total"),
            reactions: number("votes", "votes"),
        }
    }
}

fn words(value: Option<&Value>) -> Option<String> {
    let text = value?.as_str()?.trim();
    let is_fine = !text.is_empty() && text.len() <= LONGEST && !text.chars().any(char::is_control);
    is_fine.then(|| text.to_owned())
}

/// Returns true for a text that may become a link; a page of reqgate must not run `javascript:`.
fn is_address(text: &str) -> bool {
    (text.starts_with("https://") || text.starts_with("http://")) && !text.contains([' ', '"', '<', '>'])
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn row(value: Value) -> TicketFacts {
        TicketFacts::of_row(value.as_object().expect("an object"))
    }

    #[test]
    fn github_rows_of_both_kinds_state_their_facts() {
        let rest = row(
            json!({"number": 7, "html_url": "https://github.com/o/r/issues/7", "state": "open", "comments": 3,
            "created_at": "2026-01-02T03:04:05Z", "updated_at": "2026-02-02T03:04:05Z", "reactions": {"total_count": 4}}),
        );
        assert_eq!((rest.id.as_deref(), rest.comments, rest.reactions), (Some("#7"), Some(3), Some(4)));
        assert_eq!((rest.is_open, rest.is_pull_request), (Some(true), false));
        let tool =
            row(json!({"number": 7, "url": "https://github.com/o/r/issues/7", "state": "CLOSED", "comments": [{}, {}],
            "createdAt": "2026-01-02T03:04:05Z"}));
        assert_eq!((tool.comments, tool.is_open, tool.created_at), (Some(2), Some(false), rest.created_at));
    }

    #[test]
    fn jira_issue_states_its_facts() {
        let issue = json!({"key": "PAY-3", "fields": {"created": "2026-01-02T03:04:05.000+0000", "votes": {"votes": 2},
            "status": {"statusCategory": {"key": "done"}}, "comment": {"total": 5}}});
        let facts = TicketFacts::of_jira(
            issue.as_object().expect("an object"),
            issue["fields"].as_object().expect("an object"),
        );
        assert_eq!((facts.id.as_deref(), facts.is_open), (Some("PAY-3"), Some(false)));
        assert_eq!((facts.comments, facts.reactions), (Some(5), Some(2)));
    }

    #[test]
    fn hostile_address_is_no_link() {
        for url in ["javascript:alert(1)", "https://x\" onclick=\"y", "https://a b", "//evil.test", "https://a\nb"] {
            assert_eq!(row(json!({"number": 1, "html_url": url})).url, None, "{url}");
        }
    }
}
