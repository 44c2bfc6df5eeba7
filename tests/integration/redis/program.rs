//! The built program with its threads in Redis: answers from many processes, moving threads, and helpful errors.

use std::process::Stdio;
use std::sync::Mutex;

use serde_json::Value;

use super::server::Server;
use super::{numbered, open};
use crate::cli::{Ran, Sandbox, source};
use crate::prd::project;
use reqgate::workflow::Store as _;

/// A project whose threads are on the server.
fn project_on(server: &Server, prefix: &str) -> Sandbox {
    project().with_state(server.address(prefix))
}

/// Four processes answer each of six questions at the same time, differently; one answer to each is accepted.
#[test]
#[ignore = "needs redis-server"]
fn of_many_answers_at_once_one_is_taken_and_none_is_lost() {
    let server = Server::start(&[]);
    let sandbox = project_on(&server, "answers");
    let store = open(&server.address("answers"));
    let asks: Vec<String> = (0..6)
        .map(|number| {
            let thread = numbered(number).to_string();
            sandbox.run(&["prd", "start", "--from", "ticket.md", "--id", &thread]).ends_with(4);
            store.record(&numbered(number)).expect("an answer").expect("a thread").ask.expect("a question").to_string()
        })
        .collect();
    let heads: Vec<u64> = (0..6).map(|number| head(&sandbox, number)).collect();
    let taken = Mutex::new(vec![0; asks.len()]);
    std::thread::scope(|scope| {
        for worker in 0..4 {
            let (asks, taken, sandbox) = (&asks, &taken, &sandbox);
            scope.spawn(move || {
                for (number, ask) in asks.iter().enumerate() {
                    for _ in 0..200 {
                        let mut command = sandbox.command();
                        command.args(["answer", ask, "--reject", &format!("worker {worker}: shorter")]);
                        let output = command.stdout(Stdio::null()).output().expect("the program starts");
                        match output.status.code() {
                            // Another process has the claim, so try again.
                            Some(3) => std::thread::sleep(std::time::Duration::from_millis(20)),
                            // Another process has answered before.
                            Some(2) => break,
                            Some(0 | 4) => {
                                taken.lock().expect("nobody panicked")[number] += 1;
                                break;
                            }
                            code => panic!("{code:?}: {}", String::from_utf8_lossy(&output.stderr)),
                        }
                    }
                }
            });
        }
    });
    assert_eq!(*taken.lock().expect("nobody panicked"), vec![1; 6], "one winner each");
    for (number, before) in heads.into_iter().enumerate() {
        assert!(head(&sandbox, number) > before, "none is lost");
        sandbox.run(&["prd", "verify", numbered(number).as_str()]).ends_with(0);
        let log = sandbox.run(&["prd", "history", numbered(number).as_str(), "--format", "json"]).json();
        let events = log.as_array().expect("a list").iter();
        assert_eq!(events.filter(|event| event["body"]["kind"] == "answered").count(), 1, "{log}");
    }
}

fn head(sandbox: &Sandbox, number: usize) -> u64 {
    let status = sandbox.run(&["prd", "history", numbered(number).as_str(), "--format", "json"]).ends_with(0).json();
    status.as_array().map_or(0, |events| events.len() as u64)
}

#[test]
#[ignore = "needs redis-server"]
fn a_thread_moves_from_a_folder_to_redis() {
    let server = Server::start(&[]);
    let sandbox = project();
    sandbox.run(&["prd", "start", "--from", "ticket.md", "--id", "export"]).ends_with(4);
    let archive = sandbox.run(&["prd", "export", "export"]).ends_with(0).stdout;
    sandbox.file("thread.jsonl", &archive);
    let sandbox = sandbox.with_state(server.address("moved"));
    let imported = sandbox.run(&["prd", "import", "thread.jsonl", "--yes"]).ends_with(0).stdout;
    assert!(
        imported.contains(&format!("redis://127.0.0.1:{}/0", server.port)) && !imported.contains('?'),
        "{imported}"
    );
    let resumed = sandbox.run(&["prd", "resume", "export", "--answers", "answers.yaml"]);
    resumed.ends_with(0);
    sandbox.run(&["prd", "verify", "export"]).ends_with(0);
}

fn listed(state: &str, environment: &[(&str, &str)]) -> Ran {
    Sandbox::new().run_with(&["prd", "list", "--state", state], environment, "")
}

#[test]
#[ignore = "needs redis-server"]
fn a_server_that_could_lose_threads_is_refused() {
    for (settings, said) in [
        (["--maxmemory-policy", "allkeys-lru"], "maxmemory-policy is allkeys-lru"),
        (["--appendonly", "no"], "set `appendonly yes`"),
    ] {
        let server = Server::start(&settings);
        let ran = listed(&server.address("unfit"), &[]).ends_with(3);
        assert!(ran.stderr.contains(said), "{ran:#?}");
    }
    let server = Server::start(&["--appendonly", "no"]);
    listed(&format!("{}&appendonly=no", server.address("accepted")), &[]).ends_with(0);
}

#[test]
#[ignore = "needs redis-server"]
fn a_password_is_taken_from_the_environment_and_never_shown() {
    let server = Server::start(&[]);
    // The documented permissions are sufficient: the user has no others.
    let guide = std::fs::read_to_string(source("../docs/many-machines.md")).expect("the guide");
    let named = guide.split("A user with few rights needs").nth(1).and_then(|rest| rest.split(", on the keys").next());
    let rights = named.expect("it names the rights").split('`').skip(1).step_by(2).flat_map(str::split_whitespace);
    let rights: Vec<String> = rights.map(|right| format!("+{}", right.to_lowercase())).collect();
    let mut user = vec!["ACL", "SETUSER", "ann", "on", ">s3cret-word", "~reqgate:*", "-@all"];
    user.extend(rights.iter().map(String::as_str));
    server.ask(&user);
    let address = |user: &str| format!("redis://{user}127.0.0.1:{}/0", server.port);
    let good = listed(&address("ann@"), &[("REQGATE_REDIS_PASSWORD", "s3cret-word")]).ends_with(0);
    assert!(!good.stdout.contains("s3cret"), "{good:#?}");
    let sandbox = project().with_state(address("ann:s3cret-word@"));
    sandbox.run(&["prd", "start", "--from", "ticket.md", "--id", "export"]).ends_with(4);
    sandbox.run(&["prd", "cancel", "export", "--reason", "enough"]).ends_with(0);
    sandbox.run(&["prd", "verify", "export"]).ends_with(0);
    let pruned = sandbox.run(&["prd", "prune", "--before", "2999-01-01"]).ends_with(0);
    assert!(pruned.stdout.contains("export"), "{pruned:#?}");
    let wrong = listed(&address("ann:s3cret-wrong@"), &[]).ends_with(3);
    assert!(
        wrong.stderr.contains("refuses the user or the password") && !wrong.stderr.contains("s3cret"),
        "{wrong:#?}"
    );
    // The help does not show the address in the environment either.
    let help =
        Sandbox::new().run_with(&["prd", "list", "--help"], &[("REQGATE_STATE", &address("ann:s3cret-word@"))], "");
    assert!(!help.stdout.contains("s3cret"), "{help:#?}");
}

#[test]
#[ignore = "needs redis-server"]
fn the_mcp_server_uses_the_same_threads() {
    let server = Server::start(&[]);
    let sandbox = project_on(&server, "mcp");
    sandbox.run(&["prd", "start", "--from", "ticket.md", "--id", "export"]).ends_with(4);
    let requests = [
        serde_json::json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
            "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}}),
        serde_json::json!({"jsonrpc": "2.0", "method": "notifications/initialized"}),
        serde_json::json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {
            "name": "prd_status", "arguments": {"thread": "export"}}}),
    ];
    let lines: String = requests.iter().map(|request| format!("{request}\n")).collect();
    let ran = sandbox.run_with(&["mcp"], &[], &lines);
    let last: Value = serde_json::from_str(ran.stdout.lines().last().unwrap_or_default()).expect("an answer");
    assert!(last["result"].to_string().contains("export"), "{last}");
    assert_ne!(last["result"]["isError"], true, "{last}");
}
