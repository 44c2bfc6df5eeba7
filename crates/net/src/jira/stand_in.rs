//! A fake Jira for unit tests: keeps issues and comments in memory, checks each request against Atlassian's documented
//! operations, and fails on demand.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::rc::Rc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde_json::{Value, json};

use super::{Api, Client, Credentials, PROPERTY, Site};
use crate::{Clock, Method, NetError, Reply, Request, Transport};

const OPERATIONS: &str = include_str!("../../../../tests/fixtures/jira/operations.json");

/// The contents of the fake Jira.
#[derive(Default)]
pub struct Jira {
    pub comments: Vec<(String, String, Value)>,
    pub property: Option<Value>,
    next: usize,
    pub requests: Vec<Request>,
    /// The next answers: method, part of the path, reply; status 0 for no answer.
    pub faults: VecDeque<(Method, &'static str, Reply)>,
    /// A comment that another client writes as soon as reqgate's comment is created.
    pub rival: Option<String>,
    /// The next comment or issue is created, but the answer is lost.
    pub loses_an_answer: bool,
    /// The issues of the project PAY, the oldest first; `null` for a deleted one.
    pub issues: Vec<Value>,
    /// The number of newest issues that searches do not find yet.
    pub unseen: usize,
    /// The link types of the site.
    pub link_types: Vec<Value>,
    /// A field that new issues must have, and the error message for it.
    pub required: Option<(&'static str, &'static str)>,
}

#[derive(Clone)]
pub struct StandIn {
    pub jira: Rc<RefCell<Jira>>,
    pub waited: Rc<Cell<u64>>,
    api: Api,
}

impl StandIn {
    pub fn new(api: Api) -> Self {
        Self { jira: Rc::default(), waited: Rc::default(), api }
    }

    pub fn client(&self) -> Client {
        let credentials = Credentials::bearer("secret");
        let address = "https://nordwind.example/jira";
        Client::with(
            Site::new(address, Some(self.api), credentials).unwrap(),
            Box::new(self.clone()),
            Box::new(self.clone()),
        )
    }

    /// The path of a request below the API, after checking the request against Atlassian's documentation.
    fn checked(&self, request: &Request) -> String {
        let base = format!("https://nordwind.example/jira{}", self.api.path());
        let rest = request.address.strip_prefix(&base).unwrap_or_else(|| panic!("{}", request.address)).to_owned();
        let (path, query) = rest.split_once('?').unwrap_or((&rest, ""));
        let operations: Vec<Value> = serde_json::from_str(OPERATIONS).unwrap();
        let fits = |operation: &&Value| {
            let pattern = operation["path"].as_str().unwrap().strip_prefix("/rest/api/3").unwrap();
            let (ours, theirs): (Vec<&str>, Vec<&str>) = (path.split('/').collect(), pattern.split('/').collect());
            let version = if self.api == Api::Cloud { "3" } else { "2" };
            operation["method"] == request.method.name()
                && operation.get("only").is_none_or(|only| only == version)
                && ours.len() == theirs.len()
                && ours.iter().zip(theirs).all(|(our, their)| their.starts_with('{') || *our == their)
        };
        let operation = operations.iter().find(fits).unwrap_or_else(|| panic!("no such operation: {request:?}"));
        assert_eq!(operation["body"] == true, request.body.is_some(), "{request:?}");
        if let (Some(keys), Some(Value::Object(body))) = (operation["keys"].as_array(), &request.body) {
            assert!(body.keys().all(|key| keys.iter().any(|known| known == key)), "{request:?}");
        }
        for pair in query.split('&').filter(|pair| !pair.is_empty()) {
            let name = pair.split('=').next().unwrap();
            assert!(operation["query"].as_array().unwrap().iter().any(|known| known == name), "{name}: {request:?}");
        }
        path.to_owned()
    }
}

impl StandIn {
    /// The issues that a search finds, two per page so that pages must be followed.
    fn found(&self, jira: &Jira, address: &str) -> Reply {
        let query = |name: &str| address.split(['?', '&']).find_map(|pair| pair.strip_prefix(name)?.strip_prefix('='));
        let jql = query("jql").expect("a query").replace("%20", " ").replace("%22", "\"").replace("%3D", "=");
        let label = jql.split("labels = \"").nth(1).map(|rest| rest.split('"').next().unwrap_or_default().to_owned());
        assert!(jql.starts_with("project = \"PAY\""), "{jql}");
        let is_found = |issue: &&Value| {
            let labels = issue["fields"]["labels"].as_array();
            !issue.is_null()
                && label.as_ref().is_none_or(|label| labels.is_some_and(|all| all.iter().any(|one| one == label)))
        };
        let seen = &jira.issues[..jira.issues.len() - jira.unseen.min(jira.issues.len())];
        let mut found: Vec<Value> = seen.iter().filter(is_found).map(|issue| json!({ "key": issue["key"] })).collect();
        if jql.contains("DESC") {
            found.reverse();
        }
        let most = query("maxResults").and_then(|most| most.parse().ok()).unwrap_or(50).min(2);
        let start: usize =
            query("nextPageToken").or_else(|| query("startAt")).and_then(|at| at.parse().ok()).unwrap_or(0);
        let page: Vec<Value> = found.iter().skip(start).take(most).cloned().collect();
        match self.api {
            Api::Server => answer(200, json!({ "issues": page, "startAt": start, "total": found.len() })),
            Api::Cloud if start + most < found.len() => {
                answer(200, json!({ "issues": page, "isLast": false, "nextPageToken": (start + most).to_string() }))
            }
            Api::Cloud => answer(200, json!({ "issues": page, "isLast": true })),
        }
    }

    fn made(&self, jira: &mut Jira, body: &Value) -> Reply {
        let fields = &body["fields"];
        if let Some((field, words)) = jira.required.filter(|(field, _)| fields[*field].is_null()) {
            return answer(400, json!({ "errorMessages": [], "errors": { field: words } }));
        }
        let summary = fields["summary"].as_str().unwrap_or_default();
        assert!((1..=255).contains(&summary.chars().count()) && !summary.contains('\n'), "{summary}");
        let is_label = |label: &Value| label.as_str().is_some_and(|label| !label.contains(char::is_whitespace));
        assert!(fields["labels"].as_array().is_some_and(|labels| labels.iter().all(is_label)), "{fields}");
        let key = format!("PAY-{}", jira.issues.len() + 1);
        let mut issue =
            json!({ "key": key, "fields": { "issuelinks": [], "labels": fields["labels"] }, "properties": {} });
        issue["fields"]["status"] = json!({ "name": "To Do", "statusCategory": { "key": "new" } });
        self.set(&mut issue, body);
        jira.issues.push(issue);
        answer(201, json!({ "id": "1", "key": key }))
    }

    /// Sets the fields of a request, with the changes that Jira itself makes to descriptions.
    fn set(&self, issue: &mut Value, body: &Value) {
        issue["fields"]["summary"] = body["fields"]["summary"].clone();
        let mut description = body["fields"]["description"].clone();
        assert_eq!(description.is_object(), self.api == Api::Cloud, "{description}");
        match &mut description {
            Value::String(wiki) => *wiki = wiki.replace('\n', "\r\n"),
            document => {
                for node in document["content"].as_array_mut().expect("nodes") {
                    node["attrs"]["localId"] = json!("5b1f");
                }
            }
        }
        issue["fields"]["description"] = description;
        for property in body["properties"].as_array().into_iter().flatten() {
            issue["properties"][property["key"].as_str().expect("a key")] = property["value"].clone();
        }
    }
}

pub fn answer(status: u16, body: Value) -> Reply {
    Reply::new(status, &[], if status == 204 { Vec::new() } else { body.to_string().into_bytes() })
}

impl Jira {
    /// Links two issues in both directions.
    fn link(&mut self, body: &Value) {
        for (at, other) in [("inwardIssue", "outwardIssue"), ("outwardIssue", "inwardIssue")] {
            let key = body[at]["key"].as_str().unwrap_or_default().to_owned();
            let issue = self.issues.iter_mut().find(|issue| issue["key"] == *key).expect("a linked issue");
            let link = json!({ "type": body["type"], other: { "key": body[other]["key"] } });
            issue["fields"]["issuelinks"].as_array_mut().expect("a list").push(link);
        }
    }

    fn answer_comments(&mut self, method: Method, parts: &[&str], body: &Value) -> Reply {
        match (method, parts) {
            (Method::Post, ["issue", _, "comment"]) => {
                self.next += 1;
                let id = (10_000 + self.next).to_string();
                self.comments.push((id.clone(), "me".to_owned(), body["body"].clone()));
                if let Some(rival) = self.rival.take() {
                    self.comments.push((rival.clone(), "me".to_owned(), json!("rival")));
                    self.property = Some(json!({ "comment": rival, "digest": "other" }));
                }
                match std::mem::take(&mut self.loses_an_answer) {
                    true => answer(502, json!({})),
                    false => answer(201, json!({ "id": id })),
                }
            }
            (Method::Get, ["issue", _, "comment"]) => {
                let shown = |(id, author, body): &(String, String, Value)| json!({ "id": id, "author": { "accountId": author }, "body": body });
                answer(200, json!({ "comments": self.comments.iter().rev().map(shown).collect::<Vec<_>>() }))
            }
            (method, ["issue", _, "comment", id]) => {
                let Some(at) = self.comments.iter().position(|(known, _, _)| known == id) else {
                    return answer(404, json!({}));
                };
                match method {
                    Method::Put => self.comments[at].2 = body["body"].clone(),
                    Method::Delete => drop(self.comments.remove(at)),
                    _ => {}
                }
                let author = self.comments.get(at).map(|comment| comment.1.clone());
                answer(if method == Method::Delete { 204 } else { 200 }, json!({ "author": { "accountId": author } }))
            }
            other => panic!("{other:?}"),
        }
    }
}

impl Transport for StandIn {
    fn send(&self, request: &Request) -> Result<Reply, NetError> {
        let path = self.checked(request);
        let mut jira = self.jira.borrow_mut();
        jira.requests.push(request.clone());
        let is_due =
            |(method, part, _): &(Method, &'static str, Reply)| *method == request.method && path.contains(part);
        if jira.faults.front().is_some_and(is_due) {
            let (_, _, reply) = jira.faults.pop_front().unwrap();
            return if reply.status == 0 { Err(NetError::lost("the request failed")) } else { Ok(reply) };
        }
        let me = json!({ "accountId": "me", "key": "me" });
        let parts: Vec<&str> = path.split('/').skip(1).collect();
        let body = request.body.clone().unwrap_or_default();
        Ok(match (request.method, parts.as_slice()) {
            (Method::Get, ["myself"]) => answer(200, me),
            (Method::Get, ["issue", key]) if key.starts_with("PAY-") && !jira.issues.is_empty() => {
                match jira.issues.iter().find(|issue| issue["key"] == *key) {
                    Some(issue) => answer(200, issue.clone()),
                    None => answer(404, json!({ "errorMessages": ["Issue does not exist"] })),
                }
            }
            (Method::Get, ["issue", key]) if key.starts_with("PAY-") && request.address.contains("properties=") => {
                answer(404, json!({ "errorMessages": ["Issue does not exist"] }))
            }
            (Method::Get, ["search", ..]) => self.found(&jira, &request.address),
            (Method::Post, ["issue"]) => {
                let reply = self.made(&mut jira, &body);
                if std::mem::take(&mut jira.loses_an_answer) { answer(502, json!({})) } else { reply }
            }
            (Method::Put, ["issue", key]) => {
                let Some(at) = jira.issues.iter().position(|issue| issue["key"] == *key) else {
                    return Ok(answer(404, json!({})));
                };
                self.set(&mut jira.issues[at], &body);
                answer(204, json!({}))
            }
            (Method::Get, ["issueLinkType"]) => answer(200, json!({ "issueLinkTypes": jira.link_types })),
            (Method::Post, ["issueLink"]) => {
                jira.link(&body);
                Reply::new(201, &[], Vec::new())
            }
            (Method::Get, ["issue", _]) => answer(200, json!({ "key": "PAY-7", "fields": { "summary": "x" } })),
            (Method::Get, ["issue", _, "properties", PROPERTY]) => match &jira.property {
                Some(value) => answer(200, json!({ "key": PROPERTY, "value": value })),
                None => answer(404, json!({})),
            },
            (Method::Put, ["issue", _, "properties", PROPERTY]) => {
                jira.property = Some(body);
                answer(201, json!({}))
            }
            (_, ["issue", _, "comment", ..]) => jira.answer_comments(request.method, &parts, &body),
            other => panic!("{other:?}"),
        })
    }
}

impl Clock for StandIn {
    fn now(&self) -> SystemTime {
        UNIX_EPOCH
    }

    fn wait(&self, time: Duration) {
        self.waited.set(self.waited.get() + time.as_secs());
    }
}
