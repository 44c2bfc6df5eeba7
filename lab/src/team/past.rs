//! Reads a ticket and its history from JSON.
//!
//! Supports issues in the form of GitHub's REST API, of `gh issue list --json` and of our GraphQL query, Jira issues of
//! both versions of its API, and plain rows with a label.

use serde_json::{Map, Value, json};

use super::super::history::{self, Meanings};
use reqgate_gate::stages::intake::{self, RawInput};

type Object = Map<String, Value>;

/// The maximum number of answers that are read, the oldest first.
const MOST_ANSWERS: usize = 30;

/// A ticket with its known history.
#[derive(Debug, Clone)]
pub struct PastTicket {
    /// The number or key: `#12`, `PAY-3`, or the position in its file.
    pub id: String,
    /// The address of the ticket.
    pub url: Option<String>,
    /// The text as an input.
    pub input: RawInput,
    /// The label in the row: accepted or sent back.
    pub stated: Option<bool>,
    /// The labels of the ticket, including removed ones.
    pub labels: Vec<String>,
    /// The statuses, resolutions and reasons for closing, including past ones.
    pub states: Vec<String>,
    /// The end of the ticket.
    pub ending: Ending,
    /// It was reopened after it was closed.
    pub reopened: bool,
    /// The answers of people other than the author; `None` if the source does not have the answers.
    pub answers: Option<Vec<Answer>>,
    /// The time of the last change to its text, as the source states it.
    pub edited_at: Option<String>,
}

/// The end of a ticket.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// The ticket is open.
    Open,
    /// It was closed for an unknown reason.
    Closed,
    /// It was closed because the work is done.
    AfterWork,
    /// It was closed without work.
    WithoutWork,
}

/// A comment by a person other than the author.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// Its author belongs to the project; if the source does not say so, everyone except the author counts.
    pub by_maintainer: bool,
    /// The text of the comment.
    pub text: String,
    /// The time of the comment, as the source states it.
    pub at: Option<String>,
}

/// Reads a row; `None` if it is a pull request or not a ticket with words.
pub fn past_ticket(name: &str, row: &Object, meanings: &Meanings) -> Option<PastTicket> {
    let document = Value::Object(row.clone()).to_string();
    let input = intake::read_bytes("ticket.json", document.as_bytes()).into_iter().next()?.ok()?;
    if input.facts.is_pull_request {
        return None;
    }
    let stated = history::label(row, meanings);
    let input = RawInput { name: name.to_owned(), ..input };
    let id = input.facts.id.clone().unwrap_or_else(|| name.to_owned());
    let url = input.facts.url.clone();
    let past = match row.get("fields").and_then(Value::as_object) {
        Some(fields) => of_jira(row, fields),
        None => of_github(row),
    };
    Some(PastTicket { id, url, input, stated, ..past })
}

fn blank() -> PastTicket {
    PastTicket {
        id: String::new(),
        url: None,
        input: RawInput::default(),
        stated: None,
        labels: Vec::new(),
        states: Vec::new(),
        ending: Ending::Open,
        reopened: false,
        answers: None,
        edited_at: None,
    }
}

fn of_github(row: &Object) -> PastTicket {
    let author = first(row, &["user", "author"]).and_then(login);
    let mut past = PastTicket { labels: names(row.get("labels")), ..blank() };
    for event in list(first(row, &["timelineItems", "timeline_items", "timeline", "events"])) {
        let kind = text(event, &["event", "__typename"]).unwrap_or_default().to_lowercase();
        match kind.trim_end_matches("event") {
            "labeled" => past.labels.extend(names(event.get("label").map(|label| json!([label])).as_ref())),
            "reopened" => past.reopened = true,
            _ => {}
        }
    }
    let reason = text(row, &["state_reason", "stateReason"]).unwrap_or_default().to_lowercase();
    past.reopened |= reason == "reopened";
    let is_closed = text(row, &["state"]).is_some_and(|state| state.eq_ignore_ascii_case("closed"));
    past.ending = match reason.as_str() {
        _ if !is_closed => Ending::Open,
        "completed" => Ending::AfterWork,
        "not_planned" | "duplicate" => Ending::WithoutWork,
        _ => Ending::Closed,
    };
    past.states = Some(reason).filter(|reason| is_closed && !reason.is_empty()).into_iter().collect();
    past.edited_at = text(row, &["lastEditedAt", "last_edited_at"]);
    past.answers = answers(row.get("comments"), author.as_deref());
    past.labels.dedup();
    past
}

fn of_jira(issue: &Object, fields: &Object) -> PastTicket {
    let reporter = first(fields, &["reporter", "creator"]).and_then(login);
    let name = |key: &str| fields.get(key).and_then(|value| text(value.as_object()?, &["name"]));
    let mut past = PastTicket { labels: names(fields.get("labels")), ..blank() };
    let histories = issue.get("changelog").and_then(|changelog| changelog.get("histories"));
    for change in list(histories).flat_map(|history| list(history.get("items"))) {
        let field = text(change, &["field"]).unwrap_or_default().to_lowercase();
        let values = ["fromString", "toString"].iter().filter_map(|key| text(change, &[key]));
        match field.as_str() {
            "status" | "resolution" => past.states.extend(values),
            "labels" => past
                .labels
                .extend(values.flat_map(|names| names.split_whitespace().map(str::to_owned).collect::<Vec<_>>())),
            _ => {}
        }
    }
    past.reopened = past.states.iter().any(|state| state.to_lowercase().contains("reopen"));
    past.states.extend([name("status"), name("resolution")].into_iter().flatten());
    let category = fields.get("status").and_then(|status| status.get("statusCategory"));
    let is_done = category.and_then(Value::as_object).and_then(|category| text(category, &["key"]));
    let is_done = is_done.map_or_else(|| name("resolution").is_some(), |key| key == "done");
    let resolution = name("resolution").unwrap_or_default().to_lowercase();
    past.ending = match resolution.as_str() {
        _ if !is_done => Ending::Open,
        "" => Ending::Closed,
        "done" | "fixed" | "resolved" | "implemented" | "delivered" => Ending::AfterWork,
        _ => Ending::WithoutWork,
    };
    let comments = fields.get("comment").and_then(|comment| comment.get("comments").or(Some(comment)));
    past.answers = answers(comments.filter(|comments| comments.is_array()), reporter.as_deref());
    past
}

/// The comments of others; `None` if the source has at most their number.
fn answers(comments: Option<&Value>, author: Option<&str>) -> Option<Vec<Answer>> {
    let comments = comments?;
    if comments.as_u64() == Some(0) {
        return Some(Vec::new());
    }
    let is_list = comments.is_array() || comments.get("nodes").is_some_and(Value::is_array);
    let of_others = list(Some(comments)).filter_map(|comment| {
        let who = first(comment, &["user", "author"]);
        let name = who.and_then(login);
        if name.as_deref() == author && author.is_some() || who.is_some_and(is_program) {
            return None;
        }
        let association = text(comment, &["author_association", "authorAssociation"]);
        let insider = |name: String| matches!(name.to_uppercase().as_str(), "OWNER" | "MEMBER" | "COLLABORATOR");
        let by_maintainer = association.is_none_or(insider);
        let at = text(comment, &["created_at", "createdAt", "created"]);
        Some(Answer { by_maintainer, text: words(comment.get("body")?)?, at })
    });
    is_list.then(|| of_others.take(MOST_ANSWERS).collect())
}

/// The words of a comment: plain text, or Atlassian's document format.
fn words(body: &Value) -> Option<String> {
    match body {
        Value::String(text) => Some(text.clone()),
        Value::Object(_) => {
            let read = intake::read_bytes("comment.json", body.to_string().as_bytes());
            read.into_iter().next()?.ok().map(|input| input.text)
        }
        _ => None,
    }
}

fn first<'v>(object: &'v Object, keys: &[&str]) -> Option<&'v Value> {
    keys.iter().find_map(|key| object.get(*key)).filter(|value| !value.is_null())
}

fn text(object: &Object, keys: &[&str]) -> Option<String> {
    keys.iter().find_map(|key| object.get(*key)?.as_str()).map(|text| text.trim().to_owned())
}

/// The identity of a person, in any form in which sources name people.
fn login(who: &Value) -> Option<String> {
    let who = who.as_object()?;
    text(who, &["login", "accountId", "name", "key", "displayName"])
}

fn is_program(who: &Value) -> bool {
    let Some(who) = who.as_object() else { return false };
    let kind = text(who, &["type", "__typename", "accountType"]).unwrap_or_default().to_lowercase();
    let is_bot = who.get("is_bot").and_then(Value::as_bool) == Some(true);
    is_bot
        || matches!(kind.as_str(), "bot" | "app")
        || text(who, &["login"]).is_some_and(|login| login.ends_with("[bot]"))
}

/// The objects of a list, or of GraphQL's `nodes`.
fn list(value: Option<&Value>) -> impl Iterator<Item = &Object> {
    let items = value.and_then(|value| value.as_array().or_else(|| value.get("nodes")?.as_array()));
    items.into_iter().flatten().filter_map(Value::as_object)
}

/// Names in a list of names or of objects that have one.
fn names(value: Option<&Value>) -> Vec<String> {
    let items = value.and_then(|value| value.as_array().or_else(|| value.get("nodes")?.as_array()));
    let name = |item: &Value| match item {
        Value::String(name) => Some(name.clone()),
        item => text(item.as_object()?, &["name"]),
    };
    items.into_iter().flatten().filter_map(name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(row: &Value) -> PastTicket {
        past_ticket("x:1", row.as_object().expect("an object"), &Meanings::new()).expect("a ticket")
    }

    #[test]
    fn an_issue_is_read_alike_from_every_form_of_github() {
        let rest = json!({"number": 7, "title": "Export", "body": "It fails.", "state": "closed", "state_reason": "not_planned",
            "user": {"login": "ann"}, "labels": [{"name": "bug"}], "html_url": "https://github.com/o/r/issues/7",
            "events": [{"event": "labeled", "label": {"name": "needs-info"}}, {"event": "reopened"}],
            "comments": [{"user": {"login": "ann"}, "body": "Ping", "author_association": "NONE"},
                         {"user": {"login": "ci[bot]", "type": "Bot"}, "body": "Built", "author_association": "MEMBER"},
                         {"user": {"login": "max"}, "body": "Which version?", "author_association": "MEMBER", "created_at": "2026-01-02T00:00:00Z"}]});
        let graphql = json!({"number": 7, "title": "Export", "body": "It fails.", "state": "CLOSED", "stateReason": "NOT_PLANNED",
            "author": {"login": "ann"}, "labels": {"nodes": [{"name": "bug"}]}, "url": "https://github.com/o/r/issues/7",
            "timelineItems": {"nodes": [{"__typename": "LabeledEvent", "label": {"name": "needs-info"}}, {"__typename": "ReopenedEvent"}]},
            "comments": {"nodes": [{"author": {"login": "ann"}, "body": "Ping", "authorAssociation": "NONE"},
                         {"author": {"login": "ci", "__typename": "Bot"}, "body": "Built", "authorAssociation": "MEMBER"},
                         {"author": {"login": "max"}, "body": "Which version?", "authorAssociation": "MEMBER", "createdAt": "2026-01-02T00:00:00Z"}]}});
        for row in [rest, graphql] {
            let past = read(&row);
            assert_eq!((past.id.as_str(), past.input.text.as_str()), ("#7", "Export\n\nIt fails."));
            assert_eq!(
                (past.labels.as_slice(), past.ending, past.reopened),
                (["bug".to_owned(), "needs-info".to_owned()].as_slice(), Ending::WithoutWork, true)
            );
            let answer = Answer {
                by_maintainer: true,
                text: "Which version?".to_owned(),
                at: Some("2026-01-02T00:00:00Z".to_owned()),
            };
            assert_eq!(past.answers, Some(vec![answer]));
        }
    }

    #[test]
    fn a_jira_issue_tells_its_statuses_and_answers() {
        let past = read(&json!({"key": "PAY-3", "fields": {"summary": "Refund twice", "description": "d",
            "reporter": {"accountId": "1"}, "labels": ["money"], "status": {"name": "Closed", "statusCategory": {"key": "done"}},
            "resolution": {"name": "Incomplete"},
            "comment": {"comments": [{"author": {"accountId": "2"}, "body": {"type": "doc", "version": 1, "content":
                [{"type": "paragraph", "content": [{"type": "text", "text": "Which amount?"}]}]}}]}},
            "changelog": {"histories": [{"items": [{"field": "status", "fromString": "Open", "toString": "Waiting for reporter"}]}]}}));
        assert_eq!(past.states, ["Open", "Waiting for reporter", "Closed", "Incomplete"]);
        assert_eq!((past.id.as_str(), past.ending), ("PAY-3", Ending::WithoutWork));
        assert_eq!(past.answers.expect("known")[0].text.trim(), "Which amount?");
    }

    #[test]
    fn a_number_of_comments_is_not_a_list_of_them() {
        let row = |comments: u64| json!({"number": 1, "title": "T", "body": "B", "comments": comments});
        assert_eq!((read(&row(3)).answers, read(&row(0)).answers), (None, Some(Vec::new())));
    }
}
