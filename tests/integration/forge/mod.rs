//! `reqgate github prd` against a GitHub in memory: the way to an approved PRD, races, killed runs, faults, and inputs
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

use crate::cli::{READY as TICKET, Ran, Sandbox};
use server::Forge;

const READY: &str = "\
As an accountant I want to export the monthly statement as a PDF, so that I can send it to the tax office.

## Problem

Accountants print the statement and scan it again for the tax office.

## Acceptance criteria

- Given a month with bookings, when I click Export, then a PDF downloads within 3 seconds.
- Given a month without bookings, when I click Export, then the message \"Nothing to export\" is shown.
- The file name is statement-YYYY-MM.pdf.
- With more than 5,000 bookings the export is refused and the message \"Too many bookings\" is shown.

## Success measures

- 80 % of the accountants export their statement in June 2027.

## Out of scope

- Statements of a whole year.";

/// A feature whose PRD passes the gate: it also states the problem, the measure and the limits.
fn ready() -> Forge {
    Forge::new("Export the monthly statement as PDF", READY)
}

/// A ready ticket whose PRD would have open questions.
fn ready_ticket() -> Forge {
    let (title, body) = TICKET.split_once('\n').expect("a title and a body");
    Forge::new(title.trim_start_matches("# "), body.trim())
}

/// A run of the job with write permission.
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

/// The same run, started without waiting for its end.
fn begun(sandbox: &Sandbox, forge: &Forge) -> Child {
    sandbox.file("event.json", json!({"action": "labeled", "issue": {"number": 7}}).to_string());
    let mut command = sandbox.command();
    command.args(["github", "prd", "apply"]).envs(environment(forge, "writer"));
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program starts")
}

/// Approves every question of [`ready`] by a review of the commit that asks it; returns the kinds.
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
