//! The model and the server of a thread: recorded at its start, used whenever it continues, and never taken from a
//! stranger's store.

use std::path::Path;

use super::model::{brief, server};
use super::{approved, open_ask, project};
use crate::cli::{Ran, Sandbox};
use crate::model::server::{Server, closed};

const KEY: (&str, &str) = ("OPENAI_API_KEY", "sk-test");
const MODEL: [&str; 4] = ["--author", "model", "--model", "openai/served"];

fn count(server: &Server) -> usize {
    server.requests.lock().expect("no test panics here").len()
}

/// A user with a home, behind a proxy for everything that leaves the machine.
struct User {
    home: Sandbox,
    proxy: Server,
}

impl User {
    fn new() -> Self {
        Self { home: Sandbox::new(), proxy: Server::new([]) }
    }

    fn run(&self, sandbox: &Sandbox, arguments: &[&str], more: &[(&str, &str)]) -> Ran {
        let proxy = self.proxy.url.trim_end_matches("/v1").to_owned();
        let home = self.home.path("").display().to_string();
        let proxies = ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"];
        let mut environment: Vec<(&str, &str)> = proxies.iter().map(|name| (*name, proxy.as_str())).collect();
        environment.extend([KEY, ("HOME", home.as_str()), ("REQGATE_CACHE", "off"), ("MAX_LLM_RETRIES", "1")]);
        environment.extend(more);
        sandbox.run_with(arguments, &environment, "")
    }

    fn start(&self, sandbox: &Sandbox, more: &[&str], environment: &[(&str, &str)]) -> Ran {
        let start = ["prd", "start", "--from", "ticket.md", "--id", "export", "--format", "json"];
        let arguments: Vec<&str> = start.iter().chain(&MODEL).chain(more).copied().collect();
        self.run(sandbox, &arguments, environment)
    }

    fn approve(&self, sandbox: &Sandbox, more: &[&str], environment: &[(&str, &str)]) -> Ran {
        let id = open_ask(sandbox)["id"].as_str().expect("an id").to_owned();
        let arguments: Vec<&str> = ["answer", id.as_str(), "--approve"].iter().chain(more).copied().collect();
        self.run(sandbox, &arguments, environment)
    }

    fn proxied(&self) -> usize {
        count(&self.proxy)
    }
}

fn copied(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("a folder");
    for entry in std::fs::read_dir(from).expect("a folder").flatten() {
        let target = to.join(entry.file_name());
        match entry.path().is_dir() {
            true => copied(&entry.path(), &target),
            false => {
                std::fs::copy(entry.path(), target).expect("it is copied");
            }
        }
    }
}

#[test]
fn a_text_goes_only_to_the_server_that_its_thread_names() {
    for by_variable in [false, true] {
        let (user, sandbox) = (User::new(), project());
        let (own, other) = (server(&brief()), server(&brief()));
        let named = [("REQGATE_BASE_URL", own.url.as_str())];
        match by_variable {
            true => user.start(&sandbox, &[], &named).ends_with(4),
            false => user.start(&sandbox, &["--base-url", &own.url], &[]).ends_with(4),
        };
        assert_eq!(count(&own), 1);
        user.approve(&sandbox, &[], &[]).ends_with(4);
        assert_eq!((count(&own), count(&other), user.proxied()), (2, 0, 0));
        // A variable set for other work does not change the server of this thread.
        let ran = user.approve(&sandbox, &[], &[("REQGATE_BASE_URL", &other.url)]).ends_with(4);
        assert!(ran.stderr.contains("goes on with its model server") && ran.stderr.contains(&other.url), "{ran:?}");
        // The gaps and the contradictions are two orders.
        assert_eq!((count(&own), count(&other), user.proxied()), (4, 0, 0));
        for command in [["prd", "status", "export"], ["prd", "history", "export"]] {
            user.run(&sandbox, &command, &[]).ends_with(0);
        }
        let status = sandbox.run(&["prd", "status", "export"]).stdout;
        assert!(status.contains(&format!("drafts: openai/served, texts go to {}", own.url)), "{status}");
        let status = sandbox.run(&["prd", "status", "export", "--format", "json"]).ends_with(0).json();
        super::assert_fits(&sandbox, "thread", &status);
        assert_eq!(status["drafts"]["server"], own.url, "{status:#}");
        assert_eq!(user.proxied(), 0);
    }
}

#[test]
fn another_server_is_a_change_that_is_recorded_and_told() {
    let (user, sandbox) = (User::new(), project());
    let (own, other) = (server(&brief()), server(&brief()));
    user.start(&sandbox, &["--base-url", &own.url], &[]).ends_with(4);
    let ran = user.approve(&sandbox, &["--base-url", &other.url], &[]).ends_with(4);
    let told = format!("its texts go to the model server {}, not to {}", other.url, own.url);
    assert!(ran.stderr.contains(&told), "{ran:?}");
    assert_eq!((count(&own), count(&other)), (1, 1));
    let history = sandbox.run(&["prd", "history", "export"]).ends_with(0).stdout;
    let entry = format!("author: model openai/served at {} → model openai/served at {}", own.url, other.url);
    assert!(history.contains(&entry), "{history}");
    let ran = user.approve(&sandbox, &[], &[]).ends_with(4);
    assert!(!ran.stderr.contains("warning"), "{ran:?}");
    assert_eq!((count(&own), count(&other), user.proxied()), (1, 3, 0));
}

/// While the rules write, the thread remembers its model server.
#[test]
fn a_thread_that_comes_back_to_its_model_comes_back_to_its_server() {
    let (user, sandbox) = (User::new(), project());
    let own = server(&brief());
    user.start(&sandbox, &["--base-url", &own.url], &[]).ends_with(4);
    user.approve(&sandbox, &["--author", "rules"], &[]).ends_with(4);
    assert_eq!(count(&own), 1);
    user.approve(&sandbox, &MODEL, &[]).ends_with(4);
    assert_eq!((count(&own), user.proxied()), (2, 0));
}

#[test]
fn a_model_that_a_variable_names_belongs_to_the_thread_too() {
    let (user, sandbox) = (User::new(), project());
    let own = server(&brief());
    let start = ["prd", "start", "--from", "ticket.md", "--id", "export", "--author", "model"];
    let named = [("REQGATE_MODEL", "openai/served"), ("REQGATE_BASE_URL", own.url.as_str())];
    user.run(&sandbox, &start, &named).ends_with(4);
    user.approve(&sandbox, &[], &[("REQGATE_MODEL", "openai/other")]).ends_with(4);
    let requests = own.requests.lock().expect("no test panics here").clone();
    assert!(requests.len() == 2 && requests.iter().all(|body| body.contains("\"served\"")), "{requests:?}");
}

/// A store can come with a checkout; the key of the user is not sent to servers that it names.
#[test]
fn a_thread_of_somebody_else_reaches_no_server_that_it_names() {
    let (stranger, theirs, user, mine) = (User::new(), project(), User::new(), project());
    let trap = server(&brief());
    stranger.start(&theirs, &["--base-url", &trap.url], &[]).ends_with(4);
    copied(&theirs.path(".reqgate"), &mine.path(".reqgate"));
    let ran = user.approve(&mine, &[], &[]).ends_with(2);
    let flags = format!("add --author model --model openai/served --base-url {}", trap.url);
    assert!(ran.stderr.contains("that you have not chosen on this machine") && ran.stderr.contains(&flags), "{ran:?}");
    user.run(&mine, &["prd", "resume", "export"], &[]).ends_with(2);
    assert_eq!((count(&trap), user.proxied()), (1, 0));
    // A model alone does not name the server.
    user.run(&mine, &["prd", "resume", "export", "--author", "model", "--model", "openai/served"], &[]).ends_with(2);
    // The rules can continue, and the user may choose both.
    let own = server(&brief());
    let chosen: Vec<&str> = MODEL.into_iter().chain(["--base-url", own.url.as_str()]).collect();
    let resume: Vec<&str> = ["prd", "resume", "export"].into_iter().chain(chosen).collect();
    user.run(&mine, &resume, &[]).ends_with(4);
    user.approve(&mine, &[], &[]).ends_with(4);
    assert_eq!((count(&trap), count(&own), user.proxied()), (1, 1, 0));
}

/// The same for a program that answers in a model's place.
#[cfg(unix)]
#[test]
fn a_thread_of_somebody_else_starts_no_program() {
    use std::os::unix::fs::PermissionsExt;
    let (stranger, theirs, user, mine) = (User::new(), project(), User::new(), project());
    let program = user.home.path("program");
    user.home.file("program", format!("#!/bin/sh\ntouch {}\nexit 1\n", user.home.path("ran").display()));
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).expect("it is executable");
    let file = format!(
        "id: stand-in\nprogram: {}\narguments: [\"{{system}}\"]\nstdin: \"{{prompt}}\"\nmessage: {{at: [/result]}}\n",
        program.display()
    );
    user.home.file("agents/stand-in.yaml", file);
    let agents = user.home.path("agents").display().to_string();
    let environment = [("REQGATE_AGENTS", agents.as_str())];
    let start =
        ["prd", "start", "--from", "ticket.md", "--id", "export", "--author", "model", "--model", "agent/stand-in"];
    stranger.run(&theirs, &start, &environment);
    std::fs::remove_file(user.home.path("ran")).expect("the stranger's own program ran");
    copied(&theirs.path(".reqgate"), &mine.path(".reqgate"));
    user.approve(&mine, &[], &environment).ends_with(2);
    assert!(!user.home.path("ran").exists());
    let ran = stranger.approve(&theirs, &[], &environment);
    assert!(user.home.path("ran").exists(), "the thread of its own user goes on: {ran:?}");
}

/// Without a place to store choices, only a server on this machine is used again.
#[test]
fn a_user_without_a_home_names_a_server_again() {
    let sandbox = project();
    let own = server(&brief());
    let run = |arguments: &[&str]| sandbox.run_with(arguments, &[KEY, ("MAX_LLM_RETRIES", "1")], "");
    let start = ["prd", "start", "--from", "ticket.md", "--id", "export"];
    let arguments: Vec<&str> = start.iter().chain(&MODEL).copied().chain(["--base-url", own.url.as_str()]).collect();
    run(&arguments).ends_with(4);
    let id = open_ask(&sandbox)["id"].as_str().expect("an id").to_owned();
    run(&["answer", &id, "--approve"]).ends_with(4);
    assert_eq!(count(&own), 2);
    let other = project();
    let closed = closed();
    let arguments: Vec<&str> = start.iter().chain(&MODEL).copied().collect();
    let proxy = [KEY, ("HTTPS_PROXY", closed.trim_end_matches("/v1")), ("MAX_LLM_RETRIES", "1")];
    other.run_with(&arguments, &proxy, "").ends_with(4);
    let ran = other.run_with(&["prd", "resume", "export"], &proxy, "").ends_with(2);
    assert!(ran.stderr.contains("--model openai/served"), "{ran:?}");
    approved(&other).ends_with(2);
}
