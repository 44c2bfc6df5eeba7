//! `reqgate serve` over a real socket: tokens and roles, Host and Origin, limits, and shutdown.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};

use crate::cli::{ACCEPTED, READY, Sandbox};

/// A started `reqgate serve` process.
pub struct Service {
    child: Child,
    address: SocketAddr,
}

impl Drop for Service {
    fn drop(&mut self) {
        // The process may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A response of the service.
#[derive(Debug)]
pub struct Response {
    pub status: u16,
    pub head: String,
    pub body: String,
}

impl Response {
    fn read(text: &str) -> Self {
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or_else(|| panic!("no response: {text:?}"));
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status");
        Self { status, head: head.to_ascii_lowercase(), body: body.to_owned() }
    }

    /// The JSON of a response, which must have this status.
    #[track_caller]
    pub fn json(&self, status: u16) -> Value {
        assert_eq!(self.status, status, "{self:#?}");
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {self:#?}"))
    }

    /// The problem in a response, which must have this status.
    #[track_caller]
    pub fn problem(&self, status: u16) -> Value {
        assert!(self.head.contains("content-type: application/problem+json"), "{self:#?}");
        let problem = self.json(status);
        assert_eq!(problem["status"], status);
        problem
    }
}

impl Service {
    /// Starts the service in a sandbox.
    pub fn start(sandbox: &Sandbox, arguments: &[&str], environment: &[(&str, &str)]) -> Self {
        let mut command = sandbox.command();
        command.args(["serve", "--listen", "127.0.0.1:0"]).args(arguments);
        command.env("USER", "alice").envs(environment.iter().copied());
        Self::of(command)
    }

    /// Starts a program that prints where it listens.
    pub fn of(mut command: Command) -> Self {
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("the program starts");
        let lines = BufReader::new(child.stdout.take().expect("a pipe")).lines().map_while(Result::ok);
        let line = lines.into_iter().find(|line| line.contains("listening at")).expect("it says where it listens");
        let address = line.trim().rsplit_once("http://").and_then(|(_, address)| address.parse().ok());
        Self { child, address: address.unwrap_or_else(|| panic!("no address: {line:?}")) }
    }

    pub fn id(&self) -> u32 {
        self.child.id()
    }

    pub fn address(&self) -> SocketAddr {
        self.address
    }

    pub fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).expect("it listens");
        stream.set_read_timeout(Some(Duration::from_secs(20))).expect("a timeout");
        stream
    }

    /// Sends a request unchanged and reads until the end of the connection.
    pub fn raw(&self, text: &str) -> Response {
        let mut stream = self.connect();
        // The service closes the connection if it refuses a request before its body was sent.
        let _ = stream.write_all(text.as_bytes());
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        Response::read(&String::from_utf8_lossy(&answer))
    }

    /// Sends a request with headers and a body.
    pub fn send(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Response {
        let lines: String = headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
        let length = body.len();
        self.raw(&format!(
            "{method} {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n{lines}Content-Length: {length}\r\n\r\n{body}",
            self.address
        ))
    }

    /// Gets a path with a token, or without one.
    pub fn get(&self, path: &str, token: &str) -> Response {
        let bearer = format!("Bearer {token}");
        let headers: &[(&str, &str)] = if token.is_empty() { &[] } else { &[("Authorization", &bearer)] };
        self.send("GET", path, headers, "")
    }

    /// Posts JSON with a token, or without one.
    pub fn post(&self, path: &str, token: &str, body: &Value) -> Response {
        let bearer = format!("Bearer {token}");
        let mut headers = vec![("Content-Type", "application/json")];
        if !token.is_empty() {
            headers.push(("Authorization", &bearer));
        }
        self.send("POST", path, &headers, &body.to_string())
    }

    /// Sends SIGTERM and waits for the end; returns the exit code.
    pub fn end(mut self) -> i32 {
        let id = self.child.id().to_string();
        std::process::Command::new("kill").args(["-TERM", &id]).status().expect("kill is there");
        self.child.wait().expect("it ends").code().expect("by itself")
    }
}

/// Adds a token for a name; returns its text.
pub fn token(sandbox: &Sandbox, name: &str, role: &str) -> String {
    sandbox.run(&["serve", "token", "add", name, "--role", role]).ends_with(0).stdout.trim().to_owned()
}

#[test]
fn a_text_gets_the_verdict_of_the_command_line() {
    let sandbox = Sandbox::new();
    sandbox.file("ticket.md", READY);
    let service = Service::start(&sandbox, &[], &[]);
    let by_command = sandbox.run(&["score", "ticket.md", "--format", "json", "--policy", "triage"]);
    let by_command: Value = serde_json::from_str(&by_command.stdout).expect("JSON");
    let decision = &by_command["outcomes"][0]["decision"];
    let as_json = service.post("/v1/judge", "", &json!({ "text": READY, "policy": "triage" })).json(200);
    assert_eq!(&as_json["outcomes"][0]["decision"], decision);
    let as_text =
        service.send("POST", "/v1/judge?policy=triage", &[("Content-Type", "text/markdown")], READY).json(200);
    assert_eq!(&as_text["outcomes"][0]["decision"], decision);
    let secret = "Export\n\nThe key is AKIAIOSFODNN7EXAMPL9 and the contact bob.smith@shop-group.de, who wants an export of orders.";
    let masked = service.post("/v1/judge", "", &json!({ "text": secret, "language": "zh" }));
    assert!(!masked.body.contains("bob.smith") && masked.body.contains("电子邮箱"), "{masked:#?}");
}

#[test]
fn what_is_sent_to_the_service_accepts_no_open_question() {
    let sandbox = Sandbox::new();
    sandbox.file("prd.md", ACCEPTED).run(&["check", "prd.md"]).ends_with(0);
    let service = Service::start(&sandbox, &[], &[]);
    let judged = service.post("/v1/judge", "", &json!({ "text": ACCEPTED })).json(200);
    assert_eq!(judged["outcomes"][0]["decision"]["verdict"], "REJECT", "{judged:#}");
}

#[test]
fn what_is_wrong_is_told_as_a_problem() {
    let sandbox = Sandbox::new();
    let service = Service::start(&sandbox, &[], &[]);
    let judge = |kind: &str, body: &str| service.send("POST", "/v1/judge", &[("Content-Type", kind)], body);
    judge("application/json", "{").problem(400);
    assert_eq!(judge("application/json", "{\"txt\":1}").problem(422)["problems"][0]["path"], "txt");
    judge("application/x-www-form-urlencoded", "text=a").problem(415);
    service.post("/v1/judge", "", &json!({ "text": READY, "policy": "none" })).problem(404);
    service.get("/v1/none", "").problem(404);
    service.get("/v1/threads/none", "").problem(404);
    service.get("/v1/threads/NOT%20A%20NAME", "").problem(404);
    let wrong = service.get("/v1/judge", "");
    wrong.problem(405);
    assert!(wrong.head.contains("allow: post"), "{wrong:#?}");
    let large = format!("Host: {}\r\nContent-Type: text/plain\r\nContent-Length: 5000000\r\n", service.address);
    service.raw(&format!("POST /v1/judge HTTP/1.1\r\n{large}Connection: close\r\n\r\n")).problem(413);
    assert_eq!(service.get("/healthz", "").body, "ok\n");
}

#[test]
fn roles_decide_who_may_do_what_and_a_removed_token_is_refused_at_once() {
    let sandbox = Sandbox::new();
    let tokens: Vec<String> =
        ["read", "write", "answer", "admin"].iter().map(|role| token(&sandbox, &format!("{role} er"), role)).collect();
    let [reader, writer, person, admin] = tokens.as_slice() else { panic!("four tokens") };
    let kept = sandbox.read(".reqgate/tokens.json");
    assert!(!kept.contains(reader) && kept.contains("\"sha256\""), "only hashes are kept");
    let service = Service::start(&sandbox, &[], &[]);
    let refused = service.get("/v1/threads", "");
    refused.problem(401);
    assert!(refused.head.contains("www-authenticate: bearer"), "{refused:#?}");
    service.get("/v1/threads", "rqg_wrong").problem(401);
    assert_eq!(service.get("/v1/threads", reader).json(200), json!([]));
    let start = json!({ "utterance": "Shop managers need to export the orders of a month as CSV within 10 seconds." });
    service.post("/v1/threads", reader, &start).problem(403);
    let started = service.post("/v1/threads", writer, &start).json(201);
    let (thread, ask) = (&started["thread"], started["ask"]["id"].as_str().expect("a question").to_owned());
    let thread = thread.as_str().expect("an id");
    let answer = json!({ "approved": true });
    let path = format!("/v1/asks/{ask}/answer");
    service.post(&path, writer, &answer).problem(403);
    service.post(&path, person, &json!({ "approved": 1 })).problem(422);
    assert_eq!(service.post(&path, person, &answer).json(200)["status"], "accepted");
    assert_eq!(service.post(&path, person, &answer).json(200)["status"], "duplicate");
    service.post(&path, person, &json!({ "approved": false })).problem(409);
    let history = service.get(&format!("/v1/threads/{thread}/history"), reader).json(200);
    let answered = history.as_array().and_then(|all| all.iter().find(|one| one["actor"] == "answer er")).cloned();
    assert!(
        answered.is_some_and(|one| one["what"].as_str().is_some_and(|what| what.ends_with("by rest"))),
        "{history:#}"
    );
    let cancel = format!("/v1/threads/{thread}/cancel");
    service.post(&cancel, person, &json!({ "reason": "no time" })).problem(403);
    assert_eq!(service.post(&cancel, admin, &json!({ "reason": "no time" })).json(200)["status"], "cancelled");
    sandbox.run(&["serve", "token", "remove", "read er"]).ends_with(0);
    service.get("/v1/threads", reader).problem(401);
}

#[test]
fn a_foreign_host_or_origin_reaches_nothing() {
    let sandbox = Sandbox::new();
    // Under a host name, requests can arrive through a proxy, so no request counts as coming from the user of this
    // machine.
    let refused = sandbox.run(&["serve", "--host", "gate.example"]).ends_with(2);
    assert!(refused.stderr.contains("reqgate serve token add"), "{refused:#?}");
    let refused = sandbox.run(&["serve", "--listen", "0.0.0.0:0"]).ends_with(2);
    assert!(refused.stderr.contains("reqgate serve token add"), "{refused:#?}");
    token(&sandbox, "alice", "answer");
    let refused = sandbox.run(&["serve", "--listen", "0.0.0.0:0"]).ends_with(2);
    assert!(refused.stderr.contains("--host NAME"), "{refused:#?}");
    let service = Service::start(&sandbox, &["--host", "gate.example"], &[]);
    let with = |lines: &str| service.raw(&format!("GET /healthz HTTP/1.1\r\n{lines}Connection: close\r\n\r\n")).status;
    assert_eq!(with("Host: gate.example\r\n"), 200);
    assert_eq!(with("Host: localhost:1\r\nOrigin: http://localhost:1\r\n"), 200);
    assert_eq!(with("Host: evil.example\r\n"), 403);
    assert_eq!(with("Host: gate.example\r\nOrigin: https://evil.example\r\n"), 403);
    assert_eq!(with("Host: gate.example\r\nOrigin: null\r\n"), 403);
    assert_eq!(with("Host: gate.example.evil.example\r\n"), 403);
    sandbox.run(&["serve", "token", "remove", "alice"]).ends_with(0);
    service.get("/v1/threads", "").problem(401);
}

#[test]
fn too_many_requests_are_told_to_wait() {
    let sandbox = Sandbox::new();
    let service = Service::start(&sandbox, &["--rate", "1"], &[]);
    let answers: Vec<Response> = (0..4).map(|_| service.get("/healthz", "")).collect();
    let refused = answers.iter().find(|answer| answer.status == 429).expect("a burst is two requests");
    refused.problem(429);
    assert!(refused.head.contains("retry-after: 1"), "{refused:#?}");
}

#[test]
fn strangers_use_up_no_rate_of_people_who_share_their_address() {
    let sandbox = Sandbox::new();
    let secret = token(&sandbox, "dana", "read");
    let service = Service::start(&sandbox, &["--rate", "1"], &[]);
    assert!((0..4).any(|_| service.get("/healthz", "").status == 429));
    let cookie = format!("reqgate_token={secret}");
    assert_eq!(service.send("GET", "/inbox", &[("Cookie", &cookie)], "").status, 200);
    assert_eq!(service.send("GET", "/inbox", &[("Cookie", "reqgate_token=wrong")], "").status, 429);
}

#[test]
fn a_login_is_small() {
    let sandbox = Sandbox::new();
    token(&sandbox, "dana", "read");
    let service = Service::start(&sandbox, &[], &[]);
    let kind = [("Content-Type", "application/x-www-form-urlencoded")];
    service.send("POST", "/login", &kind, &format!("token={}", "a".repeat(9_000))).problem(413);
}

#[test]
fn an_accepted_request_is_answered_before_the_end() {
    let sandbox = Sandbox::new();
    let service = Service::start(&sandbox, &[], &[]);
    // A request whose body is still being sent when the signal arrives.
    let mut slow = service.connect();
    let head = format!(
        "POST /v1/judge HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\nContent-Length: {}\r\n\r\n",
        READY.len()
    );
    slow.write_all(head.as_bytes()).expect("it reads");
    std::thread::sleep(Duration::from_millis(200));
    let ending = std::thread::spawn(move || service.end());
    std::thread::sleep(Duration::from_millis(900));
    slow.write_all(READY.as_bytes()).expect("it still reads");
    let mut answer = String::new();
    slow.read_to_string(&mut answer).expect("it answers and closes");
    let answer = Response::read(&answer);
    assert!(answer.status == 200 && answer.head.contains("connection: close"), "{answer:#?}");
    assert_eq!(ending.join().expect("no panic"), 0);
}

#[test]
fn the_description_names_every_path_that_answers() {
    let sandbox = Sandbox::new();
    let service = Service::start(&sandbox, &["--rate", "10000"], &[]);
    let description = service.get("/openapi.json", "").json(200);
    assert_eq!(description["openapi"], "3.1.0");
    for (path, methods) in description["paths"].as_object().expect("paths") {
        for method in methods.as_object().expect("methods").keys() {
            let at = path
                .replace("{thread}", "none")
                .replace("{ask}", "none.1")
                .replace("{rule}", "open-point")
                .replace("{name}", "a");
            let answer = service.send(&method.to_uppercase(), &at, &[], "");
            let is_routed = answer.status != 405 && !answer.body.contains("nothing at this path");
            assert!(is_routed, "{method} {path}: {answer:#?}");
            let known = &methods[method]["responses"];
            assert!(known.get(answer.status.to_string()).is_some(), "{method} {path}: {answer:#?}");
        }
    }
}
