//! `reqgate mcp` over pipes, in both eras of the protocol: tools, prompts, resources, and every mistake that a client
//! can make.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use serde_json::{Value, json};

use crate::cli::{ACCEPTED, Sandbox};

/// An era of the protocol.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Era {
    Legacy,
    Modern,
}

/// A client connected to a started server.
struct Client {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    era: Era,
    capabilities: Value,
    last: u64,
}

impl Client {
    fn start(sandbox: &Sandbox, era: Era, arguments: &[&str]) -> Self {
        Self::with(sandbox, era, arguments, json!({}))
    }

    /// A client that declares these capabilities.
    fn with(sandbox: &Sandbox, era: Era, arguments: &[&str], capabilities: Value) -> Self {
        let mut command = sandbox.command();
        command.arg("mcp").args(arguments).env("USER", "alice");
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().expect("the program starts");
        let (input, output) = (child.stdin.take(), child.stdout.take().expect("a pipe"));
        let mut client = Self { child, input, output: BufReader::new(output), era, capabilities, last: 0 };
        if era == Era::Legacy {
            let hello = json!({ "protocolVersion": "2025-06-18", "capabilities": client.capabilities, "clientInfo": { "name": "t", "version": "1" } });
            assert_eq!(client.result("initialize", hello)["protocolVersion"], "2025-06-18");
            client.line(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }).to_string());
        }
        client
    }

    fn line(&mut self, line: &str) {
        let input = self.input.as_mut().expect("it is open");
        input.write_all(format!("{line}\n").as_bytes()).expect("the server reads");
    }

    fn reply(&mut self) -> Value {
        let mut line = String::new();
        self.output.read_line(&mut line).expect("the server writes");
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"))
    }

    fn request(&mut self, method: &str, mut params: Value) -> String {
        self.last += 1;
        if self.era == Era::Modern {
            params["_meta"] = json!({
                "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                "io.modelcontextprotocol/clientCapabilities": self.capabilities,
            });
        }
        json!({ "jsonrpc": "2.0", "id": self.last, "method": method, "params": params }).to_string()
    }

    fn asked(&mut self, method: &str, params: Value) -> Value {
        let request = self.request(method, params);
        self.line(&request);
        let reply = self.reply();
        assert_eq!((&reply["id"], &reply["jsonrpc"]), (&json!(self.last), &json!("2.0")), "{reply:#}");
        reply
    }

    #[track_caller]
    fn result(&mut self, method: &str, params: Value) -> Value {
        let reply = self.asked(method, params);
        assert!(reply["error"].is_null(), "{reply:#}");
        reply["result"].clone()
    }

    /// The structured result of a tool, which its text must repeat.
    #[track_caller]
    fn tool(&mut self, name: &str, arguments: Value) -> Value {
        let result = self.result("tools/call", json!({ "name": name, "arguments": arguments }));
        assert_eq!(result["isError"], false, "{result:#}");
        let text: Value = serde_json::from_str(result["content"][0]["text"].as_str().expect("text")).expect("JSON");
        assert_eq!(text, result["structuredContent"]);
        text
    }

    /// The error of a tool.
    #[track_caller]
    fn refused(&mut self, name: &str, arguments: Value) -> String {
        let result = self.result("tools/call", json!({ "name": name, "arguments": arguments }));
        assert_eq!(result["isError"], true, "{result:#}");
        result["content"][0]["text"].as_str().expect("text").to_owned()
    }

    /// Closes the input; returns the exit code and the remaining output.
    fn end(mut self) -> (Option<i32>, String) {
        self.input = None;
        let mut rest = String::new();
        self.output.read_to_string(&mut rest).expect("text");
        (self.child.wait().expect("it ends").code(), rest)
    }
}

const TICKET: &str = include_str!("../fixtures/tickets/export-orders.md");
const READY: &str = include_str!("../fixtures/tickets/export-orders-ready.md");

/// A ticket whose thread goes straight to the brief.
fn project() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.file("ticket.md", READY).file("vague.md", TICKET);
    sandbox
}

#[test]
fn both_eras_list_the_same() {
    let sandbox = Sandbox::new();
    let lists = [Era::Legacy, Era::Modern].map(|era| {
        let mut client = Client::start(&sandbox, era, &[]);
        if era == Era::Modern {
            let found = client.result("server/discover", json!({}));
            assert_eq!(found["supportedVersions"], json!(["2026-07-28"]));
        } else {
            assert_eq!(client.result("ping", json!({})), json!({}));
        }
        let mut lists = Vec::new();
        for (method, key) in [
            ("tools/list", "tools"),
            ("prompts/list", "prompts"),
            ("resources/list", "resources"),
            ("resources/templates/list", "resourceTemplates"),
        ] {
            let result = client.result(method, json!({}));
            let is_modern = era == Era::Modern;
            assert_eq!(result["resultType"] == "complete", is_modern, "{method}");
            assert_eq!(result["ttlMs"] == 0 && result["cacheScope"] == "private", is_modern, "{method}");
            lists.push(result[key].clone());
        }
        assert_eq!(client.end(), (Some(0), String::new()), "it ends with its input");
        lists
    });
    assert_eq!(lists[0], lists[1]);
    let tools = lists[0][0].as_array().expect("tools");
    assert_eq!(tools.len(), 8);
    for tool in tools {
        jsonschema::meta::validate(&tool["inputSchema"]).expect("a schema");
    }
}

#[test]
fn a_client_of_a_version_that_is_not_known_gets_the_newest_of_its_era() {
    let sandbox = Sandbox::new();
    let mut client = Client::start(&sandbox, Era::Modern, &[]);
    let mut hello = |version: &str| {
        client.last += 1;
        let params = json!({ "protocolVersion": version, "capabilities": {} });
        client.line(
            &json!({ "jsonrpc": "2.0", "id": client.last, "method": "initialize", "params": params }).to_string(),
        );
        client.reply()["result"]["protocolVersion"].clone()
    };
    assert_eq!(hello("2024-11-05"), "2024-11-05");
    assert_eq!(hello("2025-03-26"), "2025-03-26");
    assert_eq!(hello("1999-01-01"), "2025-11-25");
    let meta = json!({ "io.modelcontextprotocol/protocolVersion": "2031-01-01" });
    client
        .line(&json!({ "jsonrpc": "2.0", "id": "v", "method": "tools/list", "params": { "_meta": meta } }).to_string());
    let error = client.reply()["error"].clone();
    assert_eq!((&error["code"], &error["data"]["requested"]), (&json!(-32022), &json!("2031-01-01")), "{error:#}");
    assert_eq!(error["data"]["supported"], json!(["2026-07-28"]));
}

/// Every invalid message gets an error, and the server continues.
#[test]
fn nothing_that_a_client_sends_ends_the_server() {
    let sandbox = Sandbox::new();
    let mut client = Client::start(&sandbox, Era::Modern, &[]);
    let (nested, long) = ("[".repeat(100_000), format!("{{\"a\":\"{}\"}}", "x".repeat(4 * 1024 * 1024)));
    for (line, code) in [
        ("{nonsense", -32700),
        ("\u{0}\u{1b}[31m", -32700),
        (nested.as_str(), -32700),
        (long.as_str(), -32600),
        ("7", -32600),
        ("[]", -32600),
        ("{}", -32600),
        (r#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#, -32600),
        (r#"{"jsonrpc":"2.0","id":{},"method":"ping"}"#, -32600),
        (r#"{"jsonrpc":"2.0","id":1,"method":7}"#, -32600),
        (r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":[1]}"#, -32600),
        (r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#, -32602),
        (r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":7}}"#, -32602),
    ] {
        client.line(line);
        let reply = client.reply();
        assert_eq!(reply["error"]["code"], code, "{}: {reply:#}", &line[..line.len().min(80)]);
        assert!(reply["error"]["message"].as_str().is_some_and(|words| words.len() < 300), "{reply:#}");
    }
    let unknown = client.asked("sampling/createMessage", json!({}));
    assert_eq!(unknown["error"]["code"], -32601);
    assert_eq!(client.asked("tools/call", json!({ "name": "rm" }))["error"]["code"], -32602);
    assert_eq!(client.asked("tools/call", json!({}))["error"]["code"], -32602);
    assert_eq!(client.asked("prompts/get", json!({ "name": "x" }))["error"]["code"], -32602);
    let without = client.asked("prompts/get", json!({ "name": "write_ticket", "arguments": { "request": " " } }));
    assert!(without["error"]["message"].as_str().is_some_and(|words| words.contains("`request`")), "{without:#}");
    for uri in ["file:///etc/passwd", "reqgate://threads/../x", "reqgate://threads/none/prd.md", ""] {
        assert_eq!(client.asked("resources/read", json!({ "uri": uri }))["error"]["code"], -32602, "{uri}");
    }
    let (known, unknown) = (json!({ "rule": "open-point" }), json!({ "rule": "open-pint" }));
    assert!(
        client.tool("explain_rule", known)["explanation"].as_str().is_some_and(|text| text.contains("Why it matters"))
    );
    assert!(client.refused("explain_rule", unknown).contains("open-point"), "the name that was meant");
    for arguments in [
        json!(7),
        json!([]),
        json!({ "txt": "x" }),
        json!({ "text": 7 }),
        json!({}),
        json!({ "text": "a", "path": "b" }),
    ] {
        let refused = client.refused("check_requirement", arguments.clone());
        assert!(refused.starts_with("bad_arguments: "), "{arguments}: {refused}");
    }
    // A batch, which 2025-03-26 supports.
    let (one, other) = (client.request("prompts/list", json!({})), client.request("resources/list", json!({})));
    client.line(&format!("[{one},{other},{{\"jsonrpc\":\"2.0\",\"method\":\"x\"}}]"));
    assert_eq!(client.reply().as_array().map(Vec::len), Some(2));
    assert_eq!(client.end().0, Some(0));
}

/// A request that is cancelled before its turn is not answered.
#[test]
fn a_cancelled_request_is_dropped() {
    let sandbox = project();
    let mut client = Client::start(&sandbox, Era::Modern, &[]);
    let first = client.request("tools/call", json!({ "name": "explain_rule", "arguments": { "rule": "open-point" } }));
    let second = client.request("tools/call", json!({ "name": "prd_start", "arguments": { "files": ["ticket.md"] } }));
    let cancelled =
        json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": client.last } });
    // In one write, so that all messages have arrived while the first is answered.
    client.line(&format!("{first}\n{second}\n{cancelled}"));
    assert_eq!(client.reply()["id"], 1);
    assert_eq!(client.tool("prd_status", json!({})), json!({ "threads": [] }), "nothing was started");
}

/// The tools are thin: their verdict is that of the command line.
#[test]
fn a_check_says_what_the_command_line_says() {
    let sandbox = project();
    let chinese = "导出订单\n\n作为调度员，我希望快速导出订单，以便安排路线。\n\n验收标准\n- 导出正常\n- 格式待定\n";
    sandbox.file("zh.md", chinese);
    let mut client = Client::start(&sandbox, Era::Legacy, &[]);
    for (file, text) in [("vague.md", TICKET), ("ticket.md", READY), ("zh.md", chinese)] {
        for policy in ["triage", "ready", "strict", "agent"] {
            let ran = sandbox.run(&["score", file, "--format", "json", "--policy", policy]).json();
            for arguments in [json!({ "path": file, "policy": policy }), json!({ "text": text, "policy": policy })] {
                let found = client.tool("check_requirement", arguments);
                let told = &ran["outcomes"][0];
                let decision = &told["decision"];
                assert_eq!(found["verdict"], decision["verdict"], "{file} {policy}: {found:#}");
                assert_eq!(found["explanation"], decision["explanation"], "{file} {policy}");
                let rules = |issues: &Value, key: &str| -> Vec<Value> {
                    issues.as_array().into_iter().flatten().map(|issue| issue[key].clone()).collect()
                };
                let blocking = rules(&told["score_report"]["blocking_issues"], "rule_id");
                assert_eq!(rules(&found["blockers"], "rule"), blocking, "{file} {policy}");
            }
        }
    }
    let vague = client.tool("check_requirement", json!({ "path": "vague.md" }));
    let open = vague["blockers"]
        .as_array()
        .expect("a list")
        .iter()
        .find(|one| one["rule"] == "open-point")
        .expect("it blocks");
    assert_eq!((&open["line"], &open["quote"]), (&json!(8), &json!("The format is TBD")), "{open:#}");
    assert!(open["write"].as_str().is_some_and(|words| words.contains("state a default")));
    assert!(client.refused("check_requirement", json!({ "text": READY, "policy": "lax" })).contains("choose from"));
}

#[test]
fn no_path_leads_out_of_the_folder() {
    let sandbox = project();
    let other = tempfile::tempdir().expect("a folder");
    std::fs::write(other.path().join("secret.md"), READY).expect("written");
    sandbox.file(".env", "KEY=1").file("sub/ticket.md", READY);
    #[cfg(unix)]
    std::os::unix::fs::symlink(other.path(), sandbox.path("link")).expect("a link");
    let mut client = Client::start(&sandbox, Era::Modern, &[]);
    let outside = other.path().join("secret.md").display().to_string();
    for path in ["../x.md", "/etc/passwd", ".env", "sub/../../x", "link/secret.md", "", ".", "sub", "none.md", &outside]
    {
        let refused = client.refused("check_requirement", json!({ "path": path }));
        assert!(refused.starts_with("bad_path: "), "{path}: {refused}");
        assert!(client.refused("prd_start", json!({ "files": [path] })).starts_with("bad_path: "), "{path}");
    }
    let whole = sandbox.path("sub/ticket.md").canonicalize().expect("it exists").display().to_string();
    assert_eq!(client.tool("check_requirement", json!({ "path": whole }))["verdict"], "PASS");
}

#[test]
fn what_an_agent_writes_or_names_accepts_no_open_question() {
    let sandbox = project();
    sandbox.file("prd.md", ACCEPTED).run(&["check", "prd.md"]).ends_with(0);
    let mut client = Client::start(&sandbox, Era::Modern, &[]);
    for ticket in [json!({ "text": ACCEPTED }), json!({ "path": "prd.md" })] {
        assert_eq!(client.tool("check_requirement", ticket.clone())["verdict"], "REJECT", "{ticket}");
    }
}

#[test]
fn an_agent_reads_a_ticket_and_code_decides() {
    let sandbox = project();
    let mut client = Client::start(&sandbox, Era::Modern, &[]);
    let order = client.tool("review_requirement", json!({ "text": READY }));
    assert_eq!(order["status"], "read");
    assert!(
        order["instructions"].as_str().is_some_and(|words| !words.contains("dispatcher")),
        "only ours are instructions"
    );
    let again = client.tool("review_requirement", json!({ "text": READY }));
    assert_eq!(order, again, "reading changes nothing");
    let id = order["order_id"].clone();
    let call = |reading: &Value, id: &Value| json!({ "text": READY, "order_id": id, "reading": reading });

    let rejected = client.tool("review_requirement", call(&json!({ "kind": "feature", "ready": 9 }), &id));
    assert_eq!(rejected["status"], "rejected", "a wrong result is data");
    assert!(!rejected["problems"].as_array().expect("a list").is_empty());

    let reading = json!({
        "kind": "feature",
        "evidence": [{ "part": "criterion", "quote": "these words are not in the ticket at all" }],
        "questions": [{ "code": "what", "quote": "NOWHERE", "ask": "Which of the two warehouses is the export for?", "must": true }],
        "ready": 0,
    });
    let validator = jsonschema::validator_for(&order["result_schema"]).expect("a schema");
    assert!(validator.is_valid(&reading));
    let stale = client.tool("review_requirement", call(&reading, &json!("0123456789abcdef")));
    assert_eq!((&stale["status"], &stale["order_id"]), (&json!("stale"), &id));

    let judged = client.tool("review_requirement", call(&reading, &id));
    assert_eq!((&judged["status"], &judged["verdict"]), (&json!("judged"), &json!("REJECT")), "{judged:#}");
    assert_eq!(judged["questions"][0], "Which of the two warehouses is the export for?", "{judged:#}");
    let set_aside = judged["set_aside"].to_string();
    assert!(set_aside.contains("copy it letter for letter"), "{set_aside}");

    let content = json!({ "kind": "feature", "evidence": [], "questions": [], "ready": 4 });
    let judged = client.tool("review_requirement", call(&content, &id));
    assert_eq!((&judged["status"], &judged["verdict"]), (&json!("judged"), &json!("PASS")), "{judged:#}");
    // A grade alone does not improve the verdict.
    let vague = client.tool("review_requirement", json!({ "path": "vague.md" }));
    let judged = client
        .tool("review_requirement", json!({ "path": "vague.md", "order_id": vague["order_id"], "reading": content }));
    assert_eq!(judged["verdict"], "REJECT", "{judged:#}");
    // If readings do not decide, none is requested.
    let strict = client.tool("review_requirement", json!({ "text": READY, "policy": "strict" }));
    assert_eq!(strict["status"], "judged", "{strict:#}");
}

#[test]
fn personal_data_and_secrets_reach_no_order_and_no_document() {
    let sandbox = Sandbox::new();
    let ticket = format!("{READY}\nContact: anna.berg@firma-nord.de, token ghp_0123456789abcdefghijABCDEFGHIJ012345\n");
    sandbox.file("ticket.md", &ticket);
    let mut client = Client::start(&sandbox, Era::Modern, &[]);
    let mut seen = String::new();
    for (tool, arguments) in [
        ("review_requirement", json!({ "text": ticket })),
        ("check_requirement", json!({ "path": "ticket.md" })),
        ("prd_start", json!({ "files": ["ticket.md"], "idempotency_key": "k" })),
    ] {
        seen.push_str(&client.result("tools/call", json!({ "name": tool, "arguments": arguments })).to_string());
    }
    assert!(!seen.contains("anna.berg") && !seen.contains("ghp_0123"), "{seen}");
    assert!(seen.contains("Contact"), "the rest is there");
}

/// The brief of the ready ticket, with one quote.
fn brief(quote: &str) -> Value {
    json!({
        "title": "Export orders as CSV",
        "language": "en",
        "goals": [{ "text": "Orders can be exported.", "source": { "source": "ticket.md", "line": 1, "quote": quote } }],
    })
}

/// Starts a thread and takes it to its first work order, answering at the command line like a person.
fn at_the_brief(sandbox: &Sandbox, client: &mut Client) -> (String, Value) {
    let started = client.tool("prd_start", json!({ "files": ["ticket.md"], "idempotency_key": "issue 7" }));
    assert_eq!(started["status"], "started", "{started:#}");
    let thread = started["thread"].as_str().expect("an id").to_owned();
    if started["kind"] == "ask_human" {
        let ask = started["ask_id"].as_str().expect("an id");
        sandbox.run(&["answer", ask, "--approve"]).ends_with(4);
    }
    let order = client.tool("prd_next", json!({ "thread": thread }));
    assert_eq!((&order["kind"], &order["step"]), (&json!("write"), &json!("brief")), "{order:#}");
    (thread, order)
}

/// A team over MCP has the settings of the command line.
#[test]
fn a_team_has_the_settings_that_an_agent_gives() {
    let sandbox = project();
    let mut client = Client::start(&sandbox, Era::Legacy, &[]);
    let team = json!({ "max_iterations": 1, "min_score": 80, "min_improvement": 2, "allow_override": false, "ask_at": ["final"] });
    sandbox.file("vision.md", "# Orders\n\n## Vision\n\nA clerk finds each order within a minute.\n");
    let given = json!({ "files": ["ticket.md", "vision.md"], "flow": "team", "team": team, "idempotency_key": "k" });
    let started = client.tool("prd_start", given.clone());
    assert_eq!((&started["kind"], &started["step"]), (&json!("write"), &json!("outline")), "{started:#}");
    let thread = started["thread"].as_str().expect("an id");
    let state = sandbox.run(&["prd", "show", thread, "--format", "json"]).ends_with(0).json();
    let settings = &state["team"]["settings"];
    assert_eq!(settings["rounds"]["max_refinement_iterations"], 1, "{state:#}");
    assert_eq!(settings["rounds"]["improvement_threshold"], 2.0);
    assert_eq!(
        (&settings["rounds"]["allow_override"], &settings["require_outline_approval"]),
        (&json!(false), &json!(false))
    );
    assert_eq!(client.tool("prd_start", given)["status"], "duplicate");
    let other = client.refused("prd_start", json!({ "files": ["ticket.md"], "flow": "team", "idempotency_key": "k" }));
    assert!(other.starts_with("key_used: "), "{other}");
    for (wrong, told) in [
        (json!({ "texts": ["x"], "flow": "team", "team": { "min_score": 60 } }), "team.min_score: 60 is out of range"),
        (json!({ "texts": ["x"], "team": { "min_score": 80 } }), "set flow to team"),
        (json!({ "texts": ["x"], "flow": "team", "team": { "minimum": 80 } }), "minimum"),
    ] {
        let refused = client.refused("prd_start", wrong);
        assert!(refused.starts_with("bad_arguments: ") && refused.contains(told), "{refused}");
    }
}

#[test]
fn an_agent_writes_and_a_person_decides() {
    let sandbox = project();
    let mut client = Client::start(&sandbox, Era::Legacy, &[]);
    let (thread, order) = at_the_brief(&sandbox, &mut client);
    assert_eq!(client.tool("prd_next", json!({ "thread": thread })), order, "reading never advances");
    let again = client.tool("prd_start", json!({ "files": ["ticket.md"], "idempotency_key": "issue 7" }));
    assert_eq!((&again["status"], &again["order_id"]), (&json!("duplicate"), &order["order_id"]));
    let other = client.refused("prd_start", json!({ "utterance": "Something else", "idempotency_key": "issue 7" }));
    assert!(other.starts_with("key_used: "), "{other}");
    assert!(order.to_string().len() < 24_000, "{} bytes", order.to_string().len());

    let id = order["order_id"].as_str().expect("an id").to_owned();
    let wrong = client.tool("prd_submit", json!({ "order_id": id, "result": brief("words that nobody wrote there") }));
    assert_eq!((&wrong["status"], &wrong["next"]["attempt"]), (&json!("rejected"), &json!(2)), "{wrong:#}");
    assert!(wrong["problems"].to_string().contains("not in the source"), "{wrong:#}");
    let line =
        READY.lines().find(|line| line.split_whitespace().count() > 6).expect("a sentence").trim_start_matches("- ");
    let stale = client.tool("prd_submit", json!({ "order_id": id, "result": brief(line) }));
    assert_eq!(stale["status"], "stale", "the first order is not open any more: {stale:#}");
    let second = wrong["next"]["order_id"].clone();
    let accepted = client.tool("prd_submit", json!({ "order_id": second, "result": brief(line) }));
    assert_eq!(
        (&accepted["status"], &accepted["next"]["kind"]),
        (&json!("accepted"), &json!("ask_human")),
        "{accepted:#}"
    );
    let twice = client.tool("prd_submit", json!({ "order_id": second, "result": brief(line) }));
    assert_eq!((&twice["status"], &twice["next"]["ask_id"]), (&json!("duplicate"), &accepted["next"]["ask_id"]));

    // An agent cannot answer as the person.
    let ask = accepted["next"]["ask_id"].as_str().expect("an id").to_owned();
    let off = client.tool("prd_answer", json!({ "ask_id": ask, "answer": { "approved": true } }));
    assert_eq!(off["status"], "for_a_person", "{off:#}");
    assert!(off["next"]["answer_with"].to_string().contains(&format!("reqgate answer {ask} --approve")), "{off:#}");
    assert_eq!(sandbox.run(&["inbox", "--format", "json"]).json()[0]["id"], ask, "it is still open");
    sandbox.run(&["answer", &ask, "--approve"]).ends_with(4);
    let late = client.tool("prd_answer", json!({ "ask_id": ask }));
    assert_eq!((&late["status"], &late["next"]["kind"]), (&json!("stale"), &json!("write")), "{late:#}");
    let next = client.tool("prd_next", json!({ "thread": thread }));
    assert_eq!((&next["kind"], &next["step"]), (&json!("write"), &json!("requirements")), "{next:#}");
    let inputs = next["inputs"].as_array().expect("inputs");
    let path =
        inputs.iter().find(|input| input["name"] == "brief").expect("the brief")["path"].as_str().expect("by path");
    assert!(sandbox.path(path).is_file() && path.ends_with("feature-brief.md"), "{path}");

    let listed = client.result("resources/list", json!({}))["resources"].clone();
    assert_eq!(listed[0]["name"], path, "{listed:#}");
    let read = client.result("resources/read", json!({ "uri": listed[0]["uri"] }));
    assert!(
        read["contents"][0]["text"].as_str().is_some_and(|text| text.contains("Orders can be exported")),
        "{read:#}"
    );
    let status = client.tool("prd_status", json!({ "thread": thread }));
    assert_eq!((&status["status"], &status["documents"][0]["path"]), (&json!("waiting-for-work"), &json!(path)));
    assert!(client.refused("prd_next", json!({ "thread": "none" })).contains("none"));
}

#[test]
fn answers_by_agents_are_taken_only_where_allowed_and_recorded_as_theirs() {
    let sandbox = project();
    let mut client = Client::start(&sandbox, Era::Modern, &["--allow-answers"]);
    let started = client.tool("prd_start", json!({ "files": ["vague.md"] }));
    // The writer gets the questions about the source with the order.
    assert_eq!(started["kind"], "write", "{started:#}");
    let brief = json!({ "title": "Export", "language": "en" });
    let asked = client.tool("prd_submit", json!({ "order_id": started["order_id"], "result": brief }))["next"].clone();
    assert_eq!(asked["kind"], "ask_human", "{asked:#}");
    assert!(asked["answer_shape"].as_str().is_some_and(|shape| shape.contains("answers")), "{asked:#}");
    let ask = asked["ask_id"].clone();
    let wrong = client.tool("prd_answer", json!({ "ask_id": ask, "answer": { "answers": true } }));
    assert_eq!(wrong["status"], "rejected", "{wrong:#}");
    let taken = client.tool("prd_answer", json!({ "ask_id": ask, "answer": { "approved": true } }));
    assert_eq!((&taken["status"], &taken["next"]["kind"]), (&json!("accepted"), &json!("write")), "{taken:#}");
    let again = client.tool("prd_answer", json!({ "ask_id": ask, "answer": { "approved": true } }));
    assert_eq!(again["status"], "duplicate");
    let other =
        client.tool("prd_answer", json!({ "ask_id": ask, "answer": { "approved": false, "userFeedback": "no" } }));
    assert_eq!(other["status"], "stale");
    let thread = started["thread"].as_str().expect("an id");
    let history = sandbox.run(&["prd", "history", thread, "--format", "json"]).ends_with(0).stdout;
    assert!(history.contains("mcp-agent") && history.contains("alice"), "{history}");
}

/// "Not decided yet" is not accepted as an answer, regardless of the sender, and neither is an empty one.
#[test]
fn an_answer_of_an_agent_that_decides_nothing_leaves_the_question_open() {
    let sandbox = project();
    let mut client = Client::start(&sandbox, Era::Modern, &["--allow-answers"]);
    let started = client.tool("prd_start", json!({ "files": ["vague.md"] }));
    let brief = json!({ "title": "Export", "language": "en", "open_questions": [{ "question": "Which format?" }, { "question": "Who may export?" }] });
    let asked = client.tool("prd_submit", json!({ "order_id": started["order_id"], "result": brief }))["next"].clone();
    let ask = asked["ask_id"].clone();
    for empty in [json!({}), json!({ "approved": true, "answers": { "q1": " " } })] {
        let refused = client.tool("prd_answer", json!({ "ask_id": ask, "answer": empty }));
        assert_eq!(refused["status"], "rejected", "{refused:#}");
    }
    let answers = json!({ "q1": "not decided yet, owner: Jonas", "q2": { "answer": "ask legal" } });
    let taken = client.tool("prd_answer", json!({ "ask_id": ask, "answer": { "approved": true, "answers": answers } }));
    assert_eq!(taken["status"], "accepted", "{taken:#}");
    let thread = started["thread"].as_str().expect("an id");
    let brief = sandbox.run(&["prd", "show", thread, "--draft", "brief"]).ends_with(0).stdout;
    for words in ["- [ ] Q-001: Which format?", "Owner: Jonas", "- [ ] Q-002: Who may export?", "Owner: legal"] {
        assert!(brief.contains(words), "{words}: {brief}");
    }
}

/// An order stays short enough for every host; a longer text is read in pieces.
#[test]
fn a_long_source_is_read_in_pieces() {
    let sandbox = Sandbox::new();
    let more = |day: usize| -> String {
        let line = |at: usize| format!("On day {day}, order {at} is exported with its number and its address.\n");
        (0..150).map(line).collect()
    };
    for day in 1..=3 {
        sandbox.file(&format!("notes-{day}.md"), format!("# Notes of day {day}\n\n{}", more(day)));
    }
    let mut client = Client::start(&sandbox, Era::Modern, &["--allow-answers"]);
    let mut standing = client.tool("prd_start", json!({ "files": ["notes-1.md", "notes-2.md", "notes-3.md"] }));
    if standing["kind"] == "ask_human" {
        let answer = json!({ "ask_id": standing["ask_id"], "answer": { "answers": {} } });
        standing = client.tool("prd_answer", answer)["next"].clone();
    }
    assert_eq!(standing["kind"], "write", "{standing:#}");
    assert!(standing.to_string().len() < 40_000, "{}", standing.to_string().len());
    let input =
        standing["inputs"].as_array().expect("inputs").iter().find(|one| one["name"] == "notes-3.md").expect("it");
    assert!(input["text"].is_null() && input["read_with"].is_string(), "{input:#}");
    let (mut whole, mut offset) = (String::new(), json!(0));
    while !offset.is_null() {
        let arguments = json!({ "thread": standing["thread"], "input": "notes-3.md", "offset": offset });
        let piece = client.tool("prd_next", arguments);
        whole.push_str(piece["text"].as_str().expect("text"));
        offset = piece["next_offset"].clone();
    }
    assert_eq!(whole.chars().count() as u64, input["characters"].as_u64().expect("a number"));
    assert!(whole.contains("On day 3, order 149 is exported"));
    let none = client.refused("prd_next", json!({ "thread": standing["thread"], "input": "../x" }));
    assert!(none.starts_with("unknown_input: "), "{none}");
}

#[test]
fn prompts_say_what_to_call() {
    let sandbox = Sandbox::new();
    let mut client = Client::start(&sandbox, Era::Modern, &[]);
    for (name, argument, call) in
        [("write_ticket", "request", "review_requirement"), ("start_prd", "idea", "prd_start")]
    {
        let got = client.result("prompts/get", json!({ "name": name, "arguments": { argument: "导出订单" } }));
        let text = got["messages"][0]["content"]["text"].as_str().expect("text");
        assert!(text.contains(call) && text.ends_with("导出订单"), "{text}");
    }
}

#[test]
fn a_broken_configuration_is_said_before_a_client_waits() {
    let sandbox = Sandbox::new();
    sandbox.file(".reqgate.yaml", "polcy: strict\n");
    let ran = sandbox.run(&["mcp"]).ends_with(2);
    assert!(ran.stdout.is_empty() && ran.stderr.contains("polcy"), "{ran:#?}");
}

/// A repository may turn off its guardrail for the texts judged in it, but everything that leaves the process is still
/// masked.
#[test]
fn nothing_leaves_unmasked_whatever_the_repository_says() {
    let text = "# Export for ann.miller@shop-group.de\n\nMail ann.miller@shop-group.de the export. The format is TBD.\n\n\
                - It should be fast, says ann.miller@shop-group.de, TBD.\n";
    for era in [Era::Legacy, Era::Modern] {
        let sandbox = Sandbox::new();
        sandbox
            .file(".reqgate.yaml", "version: 1\nguardrail:\n  enabled: false\n")
            .file("a.md", text)
            .file("b.md", READY);
        let mut client = Client::start(&sandbox, era, &[]);
        let mut said = Vec::new();
        said.push(client.tool("check_requirement", json!({ "path": "a.md" })));
        said.push(client.tool("review_requirement", json!({ "path": "a.md" })));
        let started = client.tool(
            "prd_start",
            json!({ "files": ["a.md", "b.md"], "utterance": "Export for ann.miller@shop-group.de" }),
        );
        let thread = started["thread"].clone();
        said.push(started);
        said.push(client.tool("prd_next", json!({ "thread": thread })));
        let piece = json!({ "thread": thread, "input": "a.md" });
        said.push(client.result("tools/call", json!({ "name": "prd_next", "arguments": piece })));
        said.push(client.tool("prd_status", json!({})));
        said.push(client.tool("prd_status", json!({ "thread": thread })));
        said.push(client.refused("check_requirement", json!({ "path": "ann.miller@shop-group.de" })).into());
        for one in &said {
            assert!(!one.to_string().contains("ann.miller@"), "{one:#}");
        }
        // Ids stay readable, because clients must be able to use them.
        assert_eq!(said[3]["thread"], thread);
        client.end();
    }
}

/// Takes a thread to the review of its brief, and returns the question.
fn at_the_review(sandbox: &Sandbox, client: &mut Client) -> Value {
    let (_, order) = at_the_brief(sandbox, client);
    let line =
        READY.lines().find(|line| line.split_whitespace().count() > 6).expect("a sentence").trim_start_matches("- ");
    let accepted = client.tool("prd_submit", json!({ "order_id": order["order_id"], "result": brief(line) }));
    assert_eq!(accepted["next"]["about"], "brief_review", "{accepted:#}");
    accepted["next"].clone()
}

/// Calls `prd_answer`, answers the form with `reply`, and returns the form and the result of the tool.
fn by_form(client: &mut Client, ask: &Value, reply: &Value) -> (Value, Value) {
    let call = json!({ "name": "prd_answer", "arguments": { "ask_id": ask } });
    if client.era == Era::Modern {
        let asked = client.result("tools/call", call.clone());
        assert_eq!(asked["resultType"], "input_required", "{asked:#}");
        let request = &asked["inputRequests"]["answer"];
        assert_eq!(request["method"], "elicitation/create");
        let mut again = call;
        again["requestState"] = asked["requestState"].clone();
        again["inputResponses"] = json!({ "answer": reply });
        let done = client.result("tools/call", again.clone());
        // A second use of the same handle, e.g. with another decision, is refused.
        let twice = client.result("tools/call", again);
        assert!(twice["isError"] == true || twice["structuredContent"]["status"] == "stale", "{twice:#}");
        return (request["params"].clone(), done["structuredContent"].clone());
    }
    let request = client.request("tools/call", call);
    client.line(&request);
    let asked = client.reply();
    assert_eq!(asked["method"], "elicitation/create", "{asked:#}");
    // Other messages are answered while the person looks at the form.
    client.line(&json!({ "jsonrpc": "2.0", "id": "ping", "method": "ping" }).to_string());
    assert_eq!(client.reply()["id"], "ping");
    client.line(&json!({ "jsonrpc": "2.0", "id": "list", "method": "tools/list" }).to_string());
    client.line(&json!({ "jsonrpc": "2.0", "id": "nobody", "result": reply }).to_string());
    client.line(&json!({ "jsonrpc": "2.0", "id": asked["id"], "result": reply }).to_string());
    let done = client.reply();
    assert_eq!(client.reply()["id"], "list");
    (asked["params"].clone(), done["result"]["structuredContent"].clone())
}

/// A client that supports forms shows the question to the person. Only a completed form is an answer, and it counts as
/// the person's.
#[test]
fn a_person_answers_by_a_form_of_the_client() {
    for era in [Era::Legacy, Era::Modern] {
        let sandbox = project();
        let mut client = Client::with(&sandbox, era, &[], json!({ "elicitation": {} }));
        let asked = at_the_review(&sandbox, &mut client);
        assert!(
            asked["note"].as_str().is_some_and(|note| note.contains("call prd_answer with this ask_id")),
            "{asked:#}"
        );
        let ask = asked["ask_id"].clone();
        let left = [
            json!({ "action": "cancel" }),
            json!({ "action": "decline", "content": { "decision": "approve" } }),
            json!({ "action": "accept", "content": {} }),
            json!({ "action": "accept", "content": { "decision": "yes" } }),
            json!({ "action": "approve" }),
        ];
        for reply in &left {
            let (form, done) = by_form(&mut client, &ask, reply);
            assert_eq!((&done["status"], &done["next"]["ask_id"]), (&json!("for_a_person"), &ask), "{reply}: {done:#}");
            // The form shows the person the document under decision.
            let message = form["message"].as_str().expect("a message");
            assert!(message.contains("Orders can be exported") && message.contains("Still missing ("), "{message}");
            assert_eq!(form["requestedSchema"]["required"], json!(["decision"]));
            for (name, shape) in form["requestedSchema"]["properties"].as_object().expect("fields") {
                assert_eq!(shape["type"], "string", "forms are flat: {name}");
            }
        }
        // An answer added by the agent does not change the question or the person who answers it.
        let (_, done) =
            by_form(&mut client, &ask, &json!({ "action": "accept", "content": { "decision": "approve" } }));
        assert_eq!(done["status"], "accepted", "{done:#}");
        let thread = asked["thread"].as_str().expect("an id");
        let history = sandbox.run(&["prd", "history", thread, "--format", "json"]).ends_with(0);
        assert!(history.stdout.contains("mcp-form") && history.stdout.contains("alice"), "{}", history.stdout);
        assert!(sandbox.path("docs/prd").exists());
    }
}

/// A form about words that have changed since does not approve the new ones.
#[test]
fn a_form_counts_for_the_open_question_only() {
    let sandbox = project();
    let mut client = Client::with(&sandbox, Era::Modern, &[], json!({ "elicitation": {} }));
    let asked = at_the_review(&sandbox, &mut client);
    let call =
        json!({ "name": "prd_answer", "arguments": { "ask_id": asked["ask_id"], "answer": { "approved": true } } });
    let form = client.result("tools/call", call.clone());
    assert_eq!(form["resultType"], "input_required", "an answer by plain arguments is not taken: {form:#}");
    let ask = asked["ask_id"].as_str().expect("an id");
    sandbox.run(&["answer", ask, "--reject", "Name the format."]).ends_with(4);
    let mut again = call.clone();
    again["requestState"] = form["requestState"].clone();
    again["inputResponses"] = json!({ "answer": { "action": "accept", "content": { "decision": "approve" } } });
    let late = client.result("tools/call", again);
    assert_eq!(late["structuredContent"]["status"], "stale", "{late:#}");
    assert_ne!(late["structuredContent"]["next"]["ask_id"], asked["ask_id"]);
    // A handle that the server did not create.
    let asked = client.tool("prd_next", json!({ "thread": asked["thread"] }));
    if asked["kind"] == "ask_human" {
        let mut forged = call;
        forged["arguments"] = json!({ "ask_id": asked["ask_id"] });
        forged["requestState"] = "0".repeat(64).into();
        assert_eq!(client.result("tools/call", forged)["isError"], true);
    }
}

/// If a request is cancelled while the person looks at the form, the question stays open and the server continues.
#[test]
fn a_form_can_be_taken_back() {
    let sandbox = project();
    let mut client = Client::with(&sandbox, Era::Legacy, &[], json!({ "elicitation": { "form": {} } }));
    let asked = at_the_review(&sandbox, &mut client);
    let request =
        client.request("tools/call", json!({ "name": "prd_answer", "arguments": { "ask_id": asked["ask_id"] } }));
    client.line(&request);
    assert_eq!(client.reply()["method"], "elicitation/create");
    let back = json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": client.last } });
    client.line(&back.to_string());
    assert_eq!(client.reply()["result"]["structuredContent"]["status"], "for_a_person");
    assert_eq!(client.tool("prd_next", json!({ "thread": asked["thread"] }))["ask_id"], asked["ask_id"]);
    // A client that disconnects meanwhile ends the server.
    client.line(&request);
    assert_eq!(client.reply()["method"], "elicitation/create");
    assert_eq!(client.end().0, Some(0));
}
