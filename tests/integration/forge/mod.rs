//! `reqgate github prd` against a GitHub in memory: the whole way to an approved PRD, races, kills, faults, and everything
//! that must not count as an approval.

mod approvals;
mod faults;
mod forged;
mod plan;
mod readme;
mod server;
mod walk;

use std::process::{Child, Stdio};

use serde_json::json;

use crate::cli::{READY, Ran, Sandbox};
use server::Forge;

/// The title and the body of a ticket that is ready.
fn ready() -> Forge {
    let (title, body) = READY.split_once('\n').expect("a title and a body");
    Forge::new(title.trim_start_matches("# "), body.trim())
}

/// A run of the job that may write.
fn apply(forge: &Forge) -> Ran {
    run(forge, &["apply"], "writer", &[])
}

fn run(forge: &Forge, arguments: &[&str], token: &str, more: &[(&str, &str)]) -> Ran {
    let sandbox = Sandbox::new();
    run_in(&sandbox, forge, arguments, token, more)
}

fn run_in(sandbox: &Sandbox, forge: &Forge, arguments: &[&str], token: &str, more: &[(&str, &str)]) -> Ran {
    sandbox.file("event.json", json!({"action": "labeled", "issue": {"number": 7}}).to_string());
    let mut environment = environment(forge, token);
    environment.extend_from_slice(more);
    let arguments: Vec<&str> = ["github", "prd"].into_iter().chain(arguments.iter().copied()).collect();
    sandbox.run_with(&arguments, &environment, "")
}

fn environment<'a>(forge: &'a Forge, token: &'a str) -> Vec<(&'a str, &'a str)> {
    vec![
        ("GITHUB_EVENT_NAME", "issues"),
        ("GITHUB_EVENT_PATH", "event.json"),
        ("GITHUB_REPOSITORY", "octo/shop"),
        ("GITHUB_API_URL", &forge.url),
        ("REQGATE_TOKEN", token),
    ]
}

/// The same run, not waited for.
fn begun(sandbox: &Sandbox, forge: &Forge) -> Child {
    sandbox.file("event.json", json!({"action": "labeled", "issue": {"number": 7}}).to_string());
    let mut command = sandbox.command();
    command.args(["github", "prd", "apply"]).envs(environment(forge, "writer"));
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program starts")
}

/// Every kind of question that is asked on the way of [`ready`], each approved by a review of the commit that asks it.
fn approve_everything(forge: &Forge) -> Vec<String> {
    let mut asked = Vec::new();
    for _ in 0..10 {
        let ran = apply(forge).ends_with(0);
        let kind = ran.stdout.trim().rsplit(' ').next().unwrap_or_default().to_owned();
        asked.push(kind.clone());
        if kind == "nothing" {
            return asked;
        }
        forge.review("alice", "APPROVED", &forge.head(), "as agreed");
    }
    panic!("no end: {asked:?}");
}
