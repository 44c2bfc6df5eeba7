//! A fake GitHub for unit tests: keeps issues, comments and labels in memory, records every request, and fails on
//! demand.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde_json::{Value, json};

use super::Client;
use crate::{Clock, Method, NetError, Reply, Request, Transport};

/// The contents of the fake and the requests it has received.
#[derive(Debug, Default)]
pub struct State {
    /// Every request: method, path without the repository, body.
    pub log: Vec<(Method, String, Option<Value>)>,
    pub issue: Value,
    /// The issues of the repository, for lists, and to be opened and changed.
    pub issues: Vec<Value>,
    pub labels: Vec<String>,
    /// The id, the author and the text of each comment.
    pub comments: Vec<(u64, String, String)>,
    pub permissions: BTreeMap<String, String>,
    /// The label events: `labeled` or `unlabeled`, the label, and the account that caused it.
    pub label_events: Vec<(&'static str, &'static str, &'static str)>,
    /// The next answers to requests whose `METHOD path` contains the text.
    pub faults: Vec<Fault>,
    /// A comment with a lower id that another client creates at the same time as the next one.
    pub rival: Option<(String, String)>,
    pub waited: Duration,
    pub per_page: usize,
}

/// A scripted failure of the fake.
#[derive(Debug)]
pub struct Fault {
    pub to: &'static str,
    pub reply: Option<Reply>,
    /// The request is carried out before the failure.
    pub lands: bool,
}

#[derive(Debug, Clone, Default)]
pub struct StandIn(pub Rc<RefCell<State>>);

/// The login under which the fake creates comments.
pub const OWN: &str = "github-actions[bot]";

impl StandIn {
    pub fn with_issue(title: &str, body: &str) -> Self {
        let stand_in = Self::default();
        stand_in.edit(title, body, "2026-11-21T08:00:00Z");
        stand_in.0.borrow_mut().per_page = 100;
        stand_in
    }

    pub fn edit(&self, title: &str, body: &str, updated: &str) {
        self.0.borrow_mut().issue = json!({
            "number": 7, "title": title, "body": body, "state": "open", "locked": false,
            "user": {"login": "alice", "type": "User"},
            "created_at": "2026-11-20T08:00:00Z", "updated_at": updated, "html_url": "https://github.com/octo/shop/issues/7"
        });
    }

    pub fn client(&self) -> Client {
        Client::with("https://api.github.com", Box::new(self.clone()), Box::new(self.clone()))
    }

    pub fn fail(&self, to: &'static str, status: u16, headers: &[(&str, &str)], body: &str, lands: bool) {
        let reply = Some(Reply::new(status, headers, body.as_bytes().to_vec()));
        self.0.borrow_mut().faults.push(Fault { to, reply, lands });
    }

    /// The `METHOD path` of every request.
    pub fn lines(&self) -> Vec<String> {
        self.0.borrow().log.iter().map(|(method, path, _)| format!("{} {path}", method.name())).collect()
    }

    pub fn own_comments(&self) -> Vec<String> {
        self.0
            .borrow()
            .comments
            .iter()
            .filter(|(_, author, _)| author == OWN)
            .map(|(_, _, text)| text.clone())
            .collect()
    }

    fn answer(state: &mut State, request: &Request) -> Reply {
        let path = request.address.trim_start_matches("/repos/octo/shop");
        let (path, query) = path.split_once('?').unwrap_or((path, ""));
        let parts: Vec<&str> = path.trim_matches('/').split('/').collect();
        let answer = match parts.as_slice() {
            ["issues", "7", "comments"] | ["issues", "comments", _] => state.answer_comments(request, query, &parts),
            ["issues", "7", "labels" | "events", ..] => state.answer_labels(request, &parts),
            ["issues", ..] => state.answer_issues(request, &parts),
            ["collaborators", login, "permission"] if request.method == Method::Get => {
                let permission = state.permissions.get(*login);
                Some(permission.map_or_else(not_found, |permission| {
                    reply(200, json!({"permission": permission, "role_name": permission}))
                }))
            }
            _ => None,
        };
        answer.unwrap_or_else(|| reply(404, json!({"message": format!("no such path: {}", request.address)})))
    }
}

impl State {
    fn answer_issues(&mut self, request: &Request, parts: &[&str]) -> Option<Reply> {
        Some(match (request.method, parts) {
            (Method::Get, ["issues", "7"]) => {
                let mut issue = self.issue.clone();
                issue["labels"] = self.labels.iter().map(|name| json!({"name": name})).collect();
                reply(200, issue)
            }
            (Method::Get, ["issues"]) => reply(200, Value::from(self.issues.clone())),
            (Method::Post, ["issues"]) => {
                let number = self.issues.len() + 1;
                let mut issue = request.body.clone().unwrap_or_default();
                issue["number"] = json!(number);
                issue["state"] = json!("open");
                issue["user"] = json!({"login": OWN, "type": "Bot"});
                self.issues.push(issue.clone());
                reply(201, issue)
            }
            (Method::Patch, ["issues", number]) => {
                let is_it = |issue: &&mut Value| issue["number"].as_u64() == number.parse().ok();
                let changes = request.body.as_ref().and_then(Value::as_object).cloned().unwrap_or_default();
                match self.issues.iter_mut().find(is_it) {
                    Some(issue) => {
                        changes.into_iter().for_each(|(key, value)| issue[&key] = value);
                        reply(200, issue.clone())
                    }
                    None => not_found(),
                }
            }
            _ => return None,
        })
    }

    fn answer_comments(&mut self, request: &Request, query: &str, parts: &[&str]) -> Option<Reply> {
        let text = || request.body.as_ref().and_then(|body| body["body"].as_str()).unwrap_or_default().to_owned();
        Some(match (request.method, parts) {
            (Method::Get, ["issues", "7", "comments"]) => self.page_of_comments(query),
            (Method::Post, ["issues", "7", "comments"]) => {
                if let Some((author, text)) = self.rival.take() {
                    self.comments.push((self.next_id(), author, text));
                }
                let comment = (self.next_id(), OWN.to_owned(), text());
                self.comments.push(comment.clone());
                reply(201, shown(&comment))
            }
            (Method::Patch, ["issues", "comments", id]) => {
                let id: u64 = id.parse().expect("an id");
                match self.comments.iter_mut().find(|comment| comment.0 == id) {
                    Some(found) => {
                        found.2 = text();
                        reply(200, shown(found))
                    }
                    None => not_found(),
                }
            }
            (Method::Delete, ["issues", "comments", id]) => {
                self.comments.retain(|comment| comment.0.to_string() != *id);
                Reply::new(204, &[], Vec::new())
            }
            _ => return None,
        })
    }

    /// The id of the next comment.
    fn next_id(&self) -> u64 {
        self.comments.last().map_or(100, |last| last.0 + 1)
    }

    fn page_of_comments(&self, query: &str) -> Reply {
        let number = |name: &str| {
            query.split('&').find_map(|pair| pair.strip_prefix(name)?.strip_prefix('=')?.parse::<usize>().ok())
        };
        let page = number("page").unwrap_or(1);
        let per_page = self.per_page.max(1);
        let items: Vec<Value> = self.comments.iter().skip((page - 1) * per_page).take(per_page).map(shown).collect();
        let next = format!("<https://api.github.com/repositories/1/issues/7/comments?page={}>; rel=\"next\"", page + 1);
        let has_more = self.comments.len() > page * per_page;
        let headers: &[(&str, &str)] = if has_more { &[("link", &next)] } else { &[] };
        Reply::new(200, headers, Value::from(items).to_string().into_bytes())
    }

    fn answer_labels(&mut self, request: &Request, parts: &[&str]) -> Option<Reply> {
        Some(match (request.method, parts) {
            (Method::Post, ["issues", "7", "labels"]) => {
                let label =
                    request.body.as_ref().and_then(|body| body["labels"][0].as_str()).expect("a label").to_owned();
                if !self.labels.contains(&label) {
                    self.labels.push(label);
                }
                reply(200, json!([]))
            }
            (Method::Delete, ["issues", "7", "labels", name]) => {
                let name = name.replace("%3A", ":");
                let before = self.labels.len();
                self.labels.retain(|label| *label != name);
                let found = self.labels.len() < before;
                reply(if found { 200 } else { 404 }, json!([]))
            }
            (Method::Get, ["issues", "7", "events"]) => {
                let mut events = vec![json!({"event": "closed", "actor": null})];
                events.extend(self.label_events.iter().map(|(event, label, by)| {
                    json!({"event": event, "actor": {"login": by, "type": "User"}, "label": {"name": label, "color": "f00"}})
                }));
                reply(200, Value::from(events))
            }
            _ => return None,
        })
    }
}

fn reply(status: u16, body: Value) -> Reply {
    Reply::new(status, &[], body.to_string().into_bytes())
}

fn not_found() -> Reply {
    reply(404, json!({"message": "Not Found"}))
}

/// A comment as GitHub shows it.
fn shown((id, author, text): &(u64, String, String)) -> Value {
    json!({"id": id, "body": text, "user": {"login": author, "type": "Bot"}, "created_at": "2026-11-21T08:00:01Z",
           "html_url": format!("https://github.com/octo/shop/issues/7#issuecomment-{id}")})
}

impl Transport for StandIn {
    fn send(&self, request: &Request) -> Result<Reply, NetError> {
        let mut state = self.0.borrow_mut();
        let path = request.address.trim_start_matches("/repos/octo/shop").to_owned();
        let line = format!("{} {path}", request.method.name());
        state.log.push((request.method, path, request.body.clone()));
        if let Some(index) = state.faults.iter().position(|fault| line.contains(fault.to)) {
            let fault = state.faults.remove(index);
            if fault.lands {
                Self::answer(&mut state, request);
            }
            return fault.reply.ok_or_else(|| NetError::lost("the request failed"));
        }
        Ok(Self::answer(&mut state, request))
    }
}

impl Clock for StandIn {
    fn now(&self) -> SystemTime {
        UNIX_EPOCH + Duration::from_secs(1_000)
    }

    fn wait(&self, time: Duration) {
        self.0.borrow_mut().waited += time;
    }
}
