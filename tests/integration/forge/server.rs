//! A GitHub in memory with the features that PRDs need: issues, comments, Git objects, branches that only move
//! forwards, one pull request per branch, reviews, permissions, and check runs. It can fail like the real one.

mod answers;

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex, MutexGuard};

use serde_json::{Value, json};

/// The login of the token with write permission.
pub const OWN: &str = "github-actions[bot]";

/// Files by their paths.
pub type Tree = BTreeMap<String, String>;

#[derive(Debug, Clone)]
pub struct Commit {
    pub tree: String,
    pub parents: Vec<String>,
    pub message: String,
    pub date: String,
    pub author: String,
}

/// A failure that a test requested.
#[derive(Debug, Clone)]
pub struct Fault {
    /// A part of `METHOD path`.
    pub to: &'static str,
    pub status: u16,
    pub message: &'static str,
    /// The request is carried out although it fails.
    pub lands: bool,
    /// The number of requests that fail.
    pub times: u32,
}

/// The whole data of the server.
#[derive(Debug, Default)]
pub struct State {
    now: u32,
    pub issues: BTreeMap<u64, Value>,
    pub comments: Vec<Value>,
    pub reviews: Vec<Value>,
    pub pulls: Vec<Value>,
    pub checks: Vec<Value>,
    pub permissions: BTreeMap<String, String>,
    pub trees: BTreeMap<String, Tree>,
    pub blobs: BTreeMap<String, String>,
    pub commits: BTreeMap<String, Commit>,
    pub refs: BTreeMap<String, String>,
    pub faults: Vec<Fault>,
    /// A push dismisses approvals, as a branch protection rule can require.
    pub dismisses_stale: bool,
    /// The events of reviews.
    pub events: Vec<Value>,
    /// `METHOD path token` of every request.
    pub log: Vec<String>,
}

/// A running server; its threads end with the process.
pub struct Forge {
    pub url: String,
    state: Arc<Mutex<State>>,
}

fn sha(text: &str) -> String {
    reqgate::workflow::hash(text.as_bytes())[..40].to_owned()
}

/// Returns true if a value is the number in a path.
fn is_number(value: &Value, text: &str) -> bool {
    value.as_u64().is_some_and(|number| text.parse() == Ok(number))
}

impl State {
    fn tick(&mut self) -> String {
        self.now += 1;
        format!("2026-11-24T{:02}:{:02}:{:02}Z", 8 + self.now / 3600, self.now / 60 % 60, self.now % 60)
    }

    fn keep_tree(&mut self, tree: Tree) -> String {
        let id = sha(&json!(tree).to_string());
        self.trees.insert(id.clone(), tree);
        id
    }

    fn keep_commit(&mut self, tree: String, parents: Vec<String>, message: &str, author: &str) -> String {
        let date = self.tick();
        let id = sha(&format!("{tree}{parents:?}{message}{date}"));
        let commit = Commit { tree, parents, message: message.to_owned(), date, author: author.to_owned() };
        self.commits.insert(id.clone(), commit);
        id
    }

    /// The files at the head of a branch.
    pub fn files(&self, branch: &str) -> Tree {
        self.refs.get(branch).map(|head| self.trees[&self.commits[head].tree].clone()).unwrap_or_default()
    }

    /// The events in the log of an issue.
    pub fn events(&self, issue: u64) -> Vec<Value> {
        let files = self.files(&format!("reqgate/prd-{issue}"));
        let log = files.get(&format!(".reqgate/threads/{issue}.jsonl")).cloned().unwrap_or_default();
        log.lines().skip(1).map(|line| serde_json::from_str(line).expect("a line is an event")).collect()
    }

    fn is_ancestor(&self, old: &str, new: &str) -> bool {
        let mut open = vec![new.to_owned()];
        while let Some(one) = open.pop() {
            if one == old {
                return true;
            }
            open.extend(self.commits.get(&one).map(|commit| commit.parents.clone()).unwrap_or_default());
        }
        false
    }

    fn folder(&mut self, id: &str) -> Option<Value> {
        let tree = self.trees.get(id)?.clone();
        let mut entries: BTreeMap<String, Value> = BTreeMap::new();
        for (path, text) in &tree {
            match path.split_once('/') {
                None => {
                    let blob = sha(text);
                    self.blobs.insert(blob.clone(), text.clone());
                    let entry =
                        json!({"path": path, "mode": "100644", "type": "blob", "sha": blob, "size": text.len()});
                    entries.insert(path.clone(), entry);
                }
                Some((name, _)) if entries.contains_key(name) => {}
                Some((name, _)) => {
                    let start = format!("{name}/");
                    let below = tree
                        .iter()
                        .filter_map(|(path, text)| Some((path.strip_prefix(&start)?.to_owned(), text.clone())));
                    let below: Tree = below.collect();
                    let sub = self.keep_tree(below);
                    entries
                        .insert(name.to_owned(), json!({"path": name, "mode": "040000", "type": "tree", "sha": sub}));
                }
            }
        }
        Some(json!({"sha": id, "tree": entries.into_values().collect::<Vec<_>>(), "truncated": false}))
    }

    /// Dismisses approvals: by a push, if the setting is on, or by a person.
    pub fn dismiss(&mut self, is_meant: impl Fn(&Value) -> bool, by_push: Option<&str>) {
        if by_push.is_some() && !self.dismisses_stale {
            return;
        }
        for review in self.reviews.iter_mut().filter(|review| review["state"] == "APPROVED" && is_meant(review)) {
            review["state"] = json!("DISMISSED");
            let dismissed = json!({"state": "approved", "review_id": review["id"], "dismissal_commit_id": by_push});
            self.events.push(json!({"event": "review_dismissed", "dismissed_review": dismissed}));
        }
    }

    /// Adds a comment of a person.
    pub fn comment(&mut self, number: u64, login: &str, words: &str) -> Value {
        let (at, id) = (self.tick(), 1_000 + u64::from(self.now));
        let kind = if login.ends_with("[bot]") { "Bot" } else { "User" };
        let comment = json!({"id": id, "issue": number, "body": words, "user": {"login": login, "type": kind},
            "created_at": at, "updated_at": at, "html_url": "https://github.com/octo/shop/issues/7"});
        self.comments.push(comment.clone());
        comment
    }
}

impl Forge {
    /// A repository with these files and issue 7 with the label `prd`.
    pub fn new(title: &str, body: &str) -> Self {
        let mut state = State::default();
        let files: Tree = [
            ("README.md", "# Shop\n"),
            ("docs/prd/001-login/prd.md", "# Login\n"),
            ("docs/prd/002-basket/prd.md", "# Basket\n"),
        ]
        .map(|(path, text)| (path.to_owned(), text.to_owned()))
        .into();
        let tree = state.keep_tree(files);
        let commit = state.keep_commit(tree, Vec::new(), "First", "alice");
        state.refs.insert("main".to_owned(), commit);
        let at = state.tick();
        let issue = json!({"number": 7, "title": title, "body": body, "state": "open", "locked": false,
            "user": {"login": "bob", "type": "User"}, "labels": [{"name": "prd"}], "created_at": at, "updated_at": at,
            "html_url": "https://github.com/octo/shop/issues/7"});
        state.issues.insert(7, issue);
        for (login, permission) in [("alice", "admin"), ("carol", "write"), ("bob", "read"), ("robot[bot]", "write")] {
            state.permissions.insert(login.to_owned(), permission.to_owned());
        }
        let state = Arc::new(Mutex::new(state));
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
        let url = format!("http://{}", listener.local_addr().expect("it is bound"));
        let shared = Arc::clone(&state);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let state = Arc::clone(&shared);
                std::thread::spawn(move || serve(stream, &state));
            }
        });
        Self { url, state }
    }

    pub fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect("no thread panics with it")
    }

    /// Makes the next requests to `to` fail.
    pub fn fail(&self, to: &'static str, status: u16, message: &'static str, lands: bool, times: u32) {
        self.state().faults.push(Fault { to, status, message, lands, times });
    }

    /// The commit at the head of the branch.
    pub fn head(&self) -> String {
        self.state().refs["reqgate/prd-7"].clone()
    }

    /// Adds a comment of a person to an issue or a pull request.
    pub fn says(&self, number: u64, login: &str, words: &str) -> Value {
        self.state().comment(number, login, words)
    }

    /// Adds a review of the pull request at a commit.
    pub fn review(&self, login: &str, state: &str, commit: &str, words: &str) {
        let mut forge = self.state();
        let (at, id) = (forge.tick(), 5_000 + forge.reviews.len() as u64);
        let kind = if login.ends_with("[bot]") { "Bot" } else { "User" };
        forge.reviews.push(json!({"id": id, "pull": 100, "body": words, "state": state, "commit_id": commit,
            "submitted_at": at, "user": {"login": login, "type": kind}}));
    }

    /// Pushes a file to the branch as a person.
    pub fn push(&self, login: &str, path: &str, content: Option<&str>) {
        self.push_saying(login, path, content, "Edit");
    }

    /// Pushes a file to the branch with this message.
    pub fn push_saying(&self, login: &str, path: &str, content: Option<&str>, message: &str) {
        let mut forge = self.state();
        let head = forge.refs["reqgate/prd-7"].clone();
        let mut files = forge.files("reqgate/prd-7");
        match content {
            Some(content) => files.insert(path.to_owned(), content.to_owned()),
            None => files.remove(path),
        };
        let tree = forge.keep_tree(files);
        let commit = forge.keep_commit(tree, vec![head], message, login);
        forge.refs.insert("reqgate/prd-7".to_owned(), commit);
    }

    /// The texts of our comments.
    pub fn own_comments(&self) -> Vec<String> {
        let state = self.state();
        let own = state.comments.iter().filter(|comment| comment["user"]["login"] == OWN);
        own.map(|comment| comment["body"].as_str().unwrap_or_default().to_owned()).collect()
    }

    /// The id of the open question as written in the comment: its event and the start of the event's hash.
    pub fn ask(&self) -> String {
        let log = self.state().files("reqgate/prd-7").get(".reqgate/threads/7.jsonl").cloned().unwrap_or_default();
        let first: Value = serde_json::from_str(log.lines().next().unwrap_or_default()).unwrap_or_default();
        let id = first["thread"]["ask"].as_str().unwrap_or_default().to_owned();
        let seq = id.rsplit_once('.').and_then(|(_, seq)| seq.parse::<u64>().ok());
        let events = self.state().events(7);
        let asked = events.iter().find(|event| seq.is_some() && event["seq"].as_u64() == seq);
        asked.map(|event| format!("{id}-{}", &event["hash"].as_str().unwrap_or_default()[..16])).unwrap_or_default()
    }
}

fn serve(stream: TcpStream, state: &Mutex<State>) {
    let Ok(mut writer) = stream.try_clone() else { return };
    let mut reader = BufReader::new(stream);
    while let Some((line, token, body)) = request(&mut reader) {
        let mut parts = line.split(' ');
        let (method, address) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
        let (path, query) = address.split_once('?').unwrap_or((address, ""));
        let body: Value = serde_json::from_str(&body).unwrap_or_default();
        let (status, answer) = {
            let mut state = state.lock().expect("no thread panics with it");
            let called = format!("{method} {}", path.trim_start_matches("/repos/octo/shop"));
            state.log.push(format!("{called} {token}"));
            let fault =
                state.faults.iter_mut().find(|fault| fault.times > 0 && called.contains(fault.to)).map(|fault| {
                    fault.times -= 1;
                    fault.clone()
                });
            match fault {
                Some(fault) => {
                    if fault.lands {
                        state.answer(method, path, query, &body, token == "writer");
                    }
                    (fault.status, json!({"message": fault.message}))
                }
                None => state.answer(method, path, query, &body, token == "writer"),
            }
        };
        let answer = if status == 204 { String::new() } else { answer.to_string() };
        let answer = format!(
            "HTTP/1.1 {status} X\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{answer}",
            answer.len()
        );
        if writer.write_all(answer.as_bytes()).is_err() {
            return;
        }
    }
}

/// The first line of the next request, its token and its body.
fn request(reader: &mut BufReader<TcpStream>) -> Option<(String, String, String)> {
    let (mut first, mut token, mut length) = (String::new(), String::new(), 0);
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).ok()? == 0 {
            return None;
        }
        let line = line.trim_end();
        if line.is_empty() && !first.is_empty() {
            break;
        }
        let lower = line.to_ascii_lowercase();
        if first.is_empty() {
            line.clone_into(&mut first);
        } else if let Some(value) = lower.strip_prefix("content-length:") {
            length = value.trim().parse().ok()?;
        } else if let Some(value) = lower.strip_prefix("authorization: bearer ") {
            value.trim().clone_into(&mut token);
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    Some((first, token, String::from_utf8(body).ok()?))
}
