//! `POST /mcp` of `reqgate serve` over a real socket: both eras, the rights of each role, and every mistake that a
//! client can make.

use serde_json::{Value, json};

use crate::cli::{READY, Sandbox};
use crate::service::{Response, Service, token};

/// The name and value of a header.
type Header<'a> = (&'a str, &'a str);

/// The headers of every client of the Model Context Protocol.
const JSON: [Header<'_>; 2] = [("Content-Type", "application/json"), ("Accept", "application/json, text/event-stream")];

/// A coding agent: its service, its token if it has one, and the capabilities of its client.
struct Agent<'a> {
    service: &'a Service,
    token: &'a str,
    capabilities: Value,
}

impl<'a> Agent<'a> {
    fn new(service: &'a Service, token: &'a str) -> Self {
        Self { service, token, capabilities: json!({}) }
    }

    /// Sends a request of 2026-07-28 with all required headers.
    fn ask(&self, method: &str, mut params: Value) -> Response {
        params["_meta"] = json!({
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": self.capabilities,
        });
        let name = params.get("name").or_else(|| params.get("uri")).and_then(Value::as_str).unwrap_or_default();
        let body = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params }).to_string();
        let bearer = format!("Bearer {}", self.token);
        let mut headers = JSON.to_vec();
        headers.extend([("MCP-Protocol-Version", "2026-07-28"), ("Mcp-Method", method)]);
        if !name.is_empty() {
            headers.push(("Mcp-Name", name));
        }
        if !self.token.is_empty() {
            headers.push(("Authorization", &bearer));
        }
        self.service.send("POST", "/mcp", &headers, &body)
    }

    #[track_caller]
    fn result(&self, method: &str, params: Value) -> Value {
        let reply = self.ask(method, params).json(200);
        assert!(reply["error"].is_null(), "{reply:#}");
        reply["result"].clone()
    }

    /// The structured result of a tool.
    #[track_caller]
    fn tool(&self, name: &str, arguments: Value) -> Value {
        let result = self.result("tools/call", json!({ "name": name, "arguments": arguments }));
        assert_eq!(result["isError"], false, "{result:#}");
        result["structuredContent"].clone()
    }

    /// The error of a tool.
    #[track_caller]
    fn refused(&self, name: &str, arguments: Value) -> String {
        let result = self.result("tools/call", json!({ "name": name, "arguments": arguments }));
        assert_eq!(result["isError"], true, "{result:#}");
        result["content"][0]["text"].as_str().expect("text").to_owned()
    }

    /// Starts a thread with the text of a ticket and takes it to the review of its brief; returns the question.
    #[track_caller]
    fn at_the_review(&self) -> Value {
        let order = self.tool("prd_start", json!({ "texts": [READY], "utterance": "Export the orders of a month" }));
        assert_eq!((&order["kind"], &order["step"]), (&json!("write"), &json!("brief")), "{order:#}");
        let quote = READY.lines().find(|line| line.split_whitespace().count() > 6).expect("a sentence");
        let source = json!({ "source": "text-1.md", "line": 1, "quote": quote.trim_start_matches("- ") });
        let goal = json!({ "text": "Orders can be exported.", "source": source });
        let brief = json!({ "title": "Export orders", "language": "en", "goals": [goal] });
        let accepted = self.tool("prd_submit", json!({ "order_id": order["order_id"], "result": brief }));
        assert_eq!(accepted["next"]["about"], "brief_review", "{accepted:#}");
        accepted["next"].clone()
    }
}

/// Sends a message of the versions before 2026-07-28.
fn legacy(service: &Service, message: &Value, more: &[Header<'_>]) -> Response {
    service.send("POST", "/mcp", &[&JSON, more].concat(), &message.to_string())
}

#[test]
fn both_eras_are_served_without_a_session() {
    let sandbox = Sandbox::new();
    let service = Service::start(&sandbox, &[], &[]);
    let agent = Agent::new(&service, "");
    assert_eq!(agent.result("server/discover", json!({}))["supportedVersions"], json!(["2026-07-28"]));
    let modern = agent.result("tools/list", json!({}));
    assert_eq!((&modern["resultType"], &modern["cacheScope"]), (&json!("complete"), &json!("private")));

    let hello =
        json!({ "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": { "name": "t", "version": "1" } });
    let hello = json!({ "jsonrpc": "2.0", "id": "a", "method": "initialize", "params": hello });
    let greeted = legacy(&service, &hello, &[]);
    assert_eq!(greeted.json(200)["result"]["protocolVersion"], "2025-06-18");
    assert!(!greeted.head.contains("mcp-session-id"), "{greeted:#?}");
    let version = [("MCP-Protocol-Version", "2025-06-18")];
    let ready = legacy(&service, &json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }), &version);
    assert_eq!((ready.status, ready.body.as_str()), (202, ""));
    let list = json!({ "jsonrpc": "2.0", "id": "b", "method": "tools/list" });
    let listed = legacy(&service, &list, &version).json(200);
    assert_eq!((&listed["id"], &listed["result"]["tools"]), (&json!("b"), &modern["tools"]));
    // Another server, or this one after a restart, answers the same client.
    let other = Service::start(&sandbox, &[], &[]);
    assert_eq!(legacy(&other, &list, &version).json(200), listed);

    // The service has no streams and no sessions.
    for method in ["GET", "DELETE"] {
        let refused = service.send(method, "/mcp", &[], "");
        refused.problem(405);
        assert!(refused.head.contains("allow: post"), "{refused:#?}");
    }
}

/// The properties of a client of this version.
fn meta(version: &str) -> Value {
    json!({ "io.modelcontextprotocol/protocolVersion": version, "io.modelcontextprotocol/clientCapabilities": {} })
}

/// A request as text.
fn with(method: &str, params: Value) -> String {
    json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params }).to_string()
}

/// Every invalid message gets one error with a reason, and the service continues.
#[test]
fn whatever_a_client_sends_gets_one_error() {
    let sandbox = Sandbox::new();
    let service = Service::start(&sandbox, &["--rate", "10000"], &[]);
    let list = with("tools/list", json!({ "_meta": meta("2026-07-28") }));
    let call = with("tools/call", json!({ "name": "prd_status", "_meta": meta("2026-07-28") }));
    let old = with("tools/list", json!({}));
    let nested = "[".repeat(100_000);
    let (version, method) = (("MCP-Protocol-Version", "2026-07-28"), ("Mcp-Method", "tools/list"));
    let called = ("Mcp-Method", "tools/call");
    let cases: &[(&[Header<'_>], &str, u16, i64)] = &[
        (&[], "{nonsense", 400, -32700),
        (&[], "\u{0}\u{1b}[31m", 400, -32700),
        (&[], "", 400, -32700),
        (&[], &nested, 400, -32700),
        (&[], "7", 400, -32600),
        (&[], "null", 400, -32600),
        (&[], "[]", 400, -32600),
        (&[], &format!("[{old},{old}]"), 400, -32600),
        (&[version, method], &format!("[{list}]"), 400, -32600),
        (&[], r#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#, 400, -32600),
        (&[], r#"{"jsonrpc":"2.0","id":{},"method":"ping"}"#, 400, -32600),
        (&[], r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, 400, -32600),
        (&[], r#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#, 400, -32600),
        (&[], r#"{"jsonrpc":"2.0","id":1,"method":7}"#, 400, -32600),
        (&[], r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":[1]}"#, 400, -32600),
        // Headers that are missing or differ from the body.
        (&[], &list, 400, -32020),
        (&[version], &list, 400, -32020),
        (&[method], &list, 400, -32020),
        (&[("MCP-Protocol-Version", "2025-11-25"), method], &list, 400, -32020),
        (&[version, called], &list, 400, -32020),
        (&[version, method, method], &list, 400, -32020),
        (&[version, called], &call, 400, -32020),
        (&[version, called, ("Mcp-Name", "prd_start")], &call, 400, -32020),
        (&[version, called, ("Mcp-Name", "=?base64?****?=")], &call, 400, -32020),
        (&[version, called, ("Mcp-Name", "prd_st\u{e4}tus")], &call, 400, -32020),
        // Wrong versions and capabilities.
        (&[("MCP-Protocol-Version", "1999-01-01")], &old, 400, -32022),
        (
            &[("MCP-Protocol-Version", "1999-01-01")],
            &with("tools/list", json!({ "_meta": meta("1999-01-01") })),
            400,
            -32022,
        ),
        (&[version, method], &old, 400, -32602),
        (
            &[version, method],
            &with("tools/list", json!({ "_meta": { "io.modelcontextprotocol/protocolVersion": "2026-07-28" } })),
            400,
            -32602,
        ),
        (&[version, ("Mcp-Method", "ping")], &with("ping", json!({ "_meta": meta("2026-07-28") })), 404, -32601),
        (&[], &with("rm -rf", json!({})), 200, -32601),
        // A session that this server did not create.
        (&[("Mcp-Session-Id", "0123456789")], &old, 404, -32600),
        (&[("Mcp-Session-Id", "../../etc/passwd")], &old, 404, -32600),
    ];
    for (headers, body, status, code) in cases {
        let reply = service.send("POST", "/mcp", &[&JSON, *headers].concat(), body);
        let shown = &body[..body.len().min(120)];
        assert_eq!(reply.status, *status, "{headers:?} {shown}: {reply:#?}");
        let reply: Value = serde_json::from_str(&reply.body).expect("JSON");
        assert_eq!(reply["error"]["code"], *code, "{headers:?} {shown}: {reply:#}");
        assert!(reply["error"]["message"].as_str().is_some_and(|words| words.len() < 200), "{reply:#}");
        assert!(reply.get("id").is_none_or(|id| *id == 1), "the protocol knows no other id, and no null: {reply:#}");
    }
    let strange = service.send("POST", "/mcp", &[("Content-Type", "text/plain")], &old);
    strange.problem(415);
    let notified = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
    assert_eq!(
        legacy(&service, &notified, &[("MCP-Protocol-Version", "1999-01-01")]).json(400)["error"]["code"],
        -32022
    );
    let large = format!("Host: {}\r\nContent-Type: application/json\r\nContent-Length: 5000000\r\n", service.address());
    service.raw(&format!("POST /mcp HTTP/1.1\r\n{large}Connection: close\r\n\r\n")).problem(413);
    assert_eq!(
        legacy(&service, &json!({ "jsonrpc": "2.0", "id": 1, "method": "ping" }), &[]).json(200)["result"],
        json!({})
    );
}

#[test]
fn foreign_pages_and_strangers_reach_nothing() {
    let sandbox = Sandbox::new();
    let ping = json!({ "jsonrpc": "2.0", "id": 1, "method": "ping" });
    let open = Service::start(&sandbox, &["--rate", "1"], &[]);
    legacy(&open, &ping, &[("Origin", "https://evil.example")]).problem(403);
    let body = ping.to_string();
    let rebound = format!("Host: evil.example\r\nContent-Type: application/json\r\nContent-Length: {}\r\n", body.len());
    open.raw(&format!("POST /mcp HTTP/1.1\r\n{rebound}Connection: close\r\n\r\n{body}")).problem(403);
    assert!((0..5).any(|_| legacy(&open, &ping, &[]).status == 429), "the rate counts here too");
    drop(open);

    let secret = token(&sandbox, "bot", "read");
    let service = Service::start(&sandbox, &[], &[]);
    let refused = legacy(&service, &ping, &[]);
    refused.problem(401);
    assert!(refused.head.contains("www-authenticate: bearer"), "{refused:#?}");
    legacy(&service, &ping, &[("Authorization", "Bearer rqg_wrong")]).problem(401);
    // The cookie of the pages is not sufficient, because a page of another site could make the browser send it.
    legacy(&service, &ping, &[("Cookie", &format!("reqgate_token={secret}"))]).problem(401);
    assert_eq!(legacy(&service, &ping, &[("Authorization", &format!("Bearer {secret}"))]).status, 200);
    sandbox.run(&["serve", "token", "remove", "bot"]).ends_with(0);
    let other = token(&sandbox, "other", "read");
    legacy(&service, &ping, &[("Authorization", &format!("Bearer {secret}"))]).problem(401);
    assert_eq!(legacy(&service, &ping, &[("Authorization", &format!("Bearer {other}"))]).status, 200);
}

/// The same agent with the tokens of three roles: it can read, it can write, and only with the role of a person it can
/// show a question to the person.
#[test]
fn an_agents_token_approves_nothing() {
    let sandbox = Sandbox::new();
    let [reader, writer, person] =
        [("looker", "read"), ("bot", "write"), ("dana", "answer")].map(|(name, role)| token(&sandbox, name, role));
    let service = Service::start(&sandbox, &["--rate", "10000"], &[]);
    let with_forms =
        |token| Agent { capabilities: json!({ "elicitation": { "form": {} } }), ..Agent::new(&service, token) };
    let (looks, writes, asks) = (with_forms(&reader), with_forms(&writer), with_forms(&person));

    assert_eq!(looks.tool("check_requirement", json!({ "text": READY }))["verdict"], "PASS");
    let refused = looks.refused("prd_start", json!({ "texts": [READY] }));
    assert!(refused.starts_with("forbidden: ") && refused.contains("`write`"), "{refused}");
    assert_eq!(looks.tool("prd_status", json!({})), json!({ "threads": [] }), "nothing was started");

    let asked = writes.at_the_review();
    let ask = asked["ask_id"].as_str().expect("an id");
    let ways = asked["answer_with"].as_array().expect("ways");
    assert_eq!(ways, &[json!(format!("http://{}/inbox/{ask}", service.address()))], "{asked:#}");
    assert_eq!(
        service.send("GET", &format!("/inbox/{ask}"), &[("Cookie", &format!("reqgate_token={person}"))], "").status,
        200
    );
    assert!(
        asked["note"].as_str().is_some_and(|note| note.contains("in a browser") && !note.contains("form")),
        "{asked:#}"
    );

    // Without the role of a person, an agent cannot show a form or approve, regardless of its messages.
    let call = json!({ "name": "prd_answer", "arguments": { "ask_id": ask, "answer": { "approved": true } } });
    let mut forged = call.clone();
    forged["requestState"] = "0".repeat(64).into();
    forged["inputResponses"] = json!({ "answer": { "action": "accept", "content": { "decision": "approve" } } });
    for agent in [&looks, &writes] {
        for call in [&call, &forged] {
            let done = agent.result("tools/call", call.clone());
            assert_eq!(done["structuredContent"]["status"], "for_a_person", "{done:#}");
            assert!(
                done["structuredContent"]["note"].as_str().is_some_and(|note| note.contains("browser")),
                "{done:#}"
            );
        }
    }
    assert_eq!(sandbox.run(&["inbox", "--format", "json"]).json()[0]["id"], ask, "it is still open");

    // The client of a person shows them the form.
    let form = asks.result("tools/call", call.clone());
    assert_eq!(form["resultType"], "input_required", "{form:#}");
    let message = form["inputRequests"]["answer"]["params"]["message"].as_str().expect("a message");
    assert!(message.contains("Orders can be exported"), "{message}");
    let mut filled = forged;
    filled["requestState"] = form["requestState"].clone();
    // The handle of one person cannot be used by another, or twice.
    let stolen = with_forms(&writer).result("tools/call", filled.clone());
    assert_eq!(stolen["structuredContent"]["status"], "for_a_person", "{stolen:#}");
    let done = asks.result("tools/call", filled.clone());
    assert_eq!(done["structuredContent"]["status"], "accepted", "{done:#}");
    let twice = asks.result("tools/call", filled);
    assert_eq!(twice["structuredContent"]["status"], "stale", "{twice:#}");

    let thread = asked["thread"].as_str().expect("an id");
    let history = sandbox.run(&["prd", "history", thread, "--format", "json"]).ends_with(0).stdout;
    for words in ["mcp-agent (bot)", "mcp-form", "dana"] {
        assert!(history.contains(words), "{words}: {history}");
    }
}

/// An agent on another machine sends and receives texts; it cannot name files on the machine of the service, and does
/// not need to.
#[test]
fn files_are_named_only_on_the_machine_of_the_service() {
    let sandbox = Sandbox::new();
    sandbox.file("ticket.md", READY);
    let service = Service::start(&sandbox, &["--rate", "10000"], &[]);
    let here = Agent::new(&service, "");
    assert_eq!(here.tool("check_requirement", json!({ "path": "ticket.md" }))["verdict"], "PASS");
    assert!(here.refused("check_requirement", json!({ "path": "../x" })).starts_with("bad_path: "));
    let asked = here.at_the_review();
    let ways = asked["answer_with"].as_array().expect("ways");
    assert!(ways.len() > 2 && ways[1].as_str().is_some_and(|way| way.starts_with("reqgate prd resume ")), "{asked:#}");
    let ask = asked["ask_id"].as_str().expect("an id");
    sandbox.run(&["answer", ask, "--approve"]).ends_with(4);
    let brief = |order: &Value| {
        let inputs = order["inputs"].as_array().expect("inputs").iter();
        inputs.clone().find(|input| input["name"] == "brief").expect("the brief").clone()
    };
    let next = json!({ "thread": asked["thread"] });
    assert!(brief(&here.tool("prd_next", next.clone()))["path"].is_string());

    let secret = token(&sandbox, "bot", "write");
    let remote = Agent::new(&service, &secret);
    let order = brief(&remote.tool("prd_next", next));
    assert!(
        order["path"].is_null() && order["text"].as_str().is_some_and(|text| text.contains("exported")),
        "{order:#}"
    );
    for (tool, arguments) in [
        ("check_requirement", json!({ "path": "ticket.md" })),
        ("review_requirement", json!({ "path": "ticket.md" })),
        ("prd_start", json!({ "files": ["ticket.md"] })),
    ] {
        let refused = remote.refused(tool, arguments);
        assert!(refused.starts_with("bad_path: ") && refused.contains("send the text"), "{refused}");
    }
}

/// Details of a fault in the installation are only for the operator of the service.
#[test]
fn a_fault_of_the_installation_stays_in_the_log() {
    let sandbox = Sandbox::new();
    let secret = token(&sandbox, "bot", "read");
    let service = Service::start(&sandbox, &[], &[]);
    let agent = Agent::new(&service, &secret);
    sandbox.file(".reqgate.yaml", "polcy: strict\n");
    let refused = agent.refused("check_requirement", json!({ "text": READY }));
    assert!(refused.starts_with("not_possible: ") && refused.contains("its log"), "{refused}");
    assert!(!refused.contains("polcy") && !refused.contains(".reqgate"), "{refused}");
}
