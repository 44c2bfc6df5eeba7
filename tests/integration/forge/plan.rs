//! The two jobs: the one with the model's key never writes; the one that writes never asks the model and trusts no data
//! of the other.

use serde_json::{Value, json};

use super::server::Forge;
use super::{ready, run_in};
use crate::cli::{Ran, Sandbox};
use crate::model::server::{Behaviour, Server};

fn brief(quote: &str) -> Value {
    let statement = |text: &str, line: u32, quote: &str| json!({ "text": text, "source": { "source": "issue-7.md", "line": line, "quote": quote } });
    json!({
        "title": "Monthly statement as PDF", "language": "en",
        "problem": [statement("The tax office needs the statement.", 3, "send it to the tax office")],
        "goals": [statement("Accountants export the statement of a month.", 3, quote)],
        "users": [statement("Accountants", 3, "As an accountant")],
        "flows": null, "success_measures": null, "constraints": null, "out_of_scope": null, "open_questions": null,
    })
}

fn planned(sandbox: &Sandbox, forge: &Forge, server: &Server) -> Ran {
    let cache = sandbox.path("cache").display().to_string();
    let arguments = ["plan", "--output", "plan.json", "--model", "openai/served", "--base-url", &server.url];
    run_in(sandbox, forge, &arguments, "reader", &[("OPENAI_API_KEY", "sk-test"), ("REQGATE_CACHE", &cache)])
}

fn applied(sandbox: &Sandbox, forge: &Forge) -> Ran {
    run_in(sandbox, forge, &["apply", "--plan", "plan.json"], "writer", &[])
}

fn brief_on_branch(forge: &Forge) -> String {
    let files = forge.state().files("reqgate/prd-7");
    files.iter().find(|(path, _)| path.ends_with("feature-brief.md")).map(|(_, text)| text.clone()).unwrap_or_default()
}

#[test]
fn the_reader_writes_a_plan_and_the_writer_carries_it_out() {
    let (forge, sandbox) = (ready(), Sandbox::new());
    let good = brief("export the monthly statement as a PDF");
    let server = Server::new([("prd_brief_v1", Behaviour::Says(good.to_string()))]);
    assert!(planned(&sandbox, &forge, &server).ends_with(0).stdout.contains("1 results of the model"));
    let asked = |server: &Server| server.requests.lock().expect("no test panics here").len();
    assert_eq!(asked(&server), 1);
    // The first job has not changed anything.
    assert!(forge.state().log.iter().all(|line| line.starts_with("GET")));
    assert!(applied(&sandbox, &forge).ends_with(0).stdout.contains("waits for brief_review"));
    assert_eq!(asked(&server), 1);
    assert!(
        brief_on_branch(&forge).contains("Accountants export the statement of a month."),
        "{}",
        brief_on_branch(&forge)
    );
    // The model has no document to write, so it is not asked and the plan is empty.
    assert!(planned(&sandbox, &forge, &server).ends_with(0).stdout.contains("0 results of the model"));
    assert_eq!(asked(&server), 1);
    applied(&sandbox, &forge).ends_with(0);
    assert_eq!(forge.state().pulls.len(), 1);
}

#[test]
fn what_the_plan_lacks_waits_for_the_next_one() {
    let (forge, sandbox) = (ready(), Sandbox::new());
    let good = brief("export the monthly statement as a PDF");
    let server = Server::new([("prd_brief_v1", Behaviour::Says(good.to_string()))]);
    planned(&sandbox, &forge, &server).ends_with(0);
    // The issue was edited between the two jobs.
    forge.state().issues.get_mut(&7).expect("the issue")["title"] = json!("Export the yearly statement as PDF");
    assert!(applied(&sandbox, &forge).ends_with(0).stdout.contains("waits for the model"));
    assert_eq!(brief_on_branch(&forge), "");
    planned(&sandbox, &forge, &server).ends_with(0);
    assert!(applied(&sandbox, &forge).ends_with(0).stdout.contains("waits for brief_review"));
    assert!(brief_on_branch(&forge).contains("Accountants export"));
}

/// The artifact may come from anybody. Its results are checked like all others, and the rest of it is ignored.
#[test]
fn a_plan_that_was_changed_brings_nothing_past_the_checks() {
    let (forge, sandbox) = (ready(), Sandbox::new());
    let good = brief("export the monthly statement as a PDF");
    let server = Server::new([("prd_brief_v1", Behaviour::Says(good.to_string()))]);
    planned(&sandbox, &forge, &server).ends_with(0);
    let plan: Value = serde_json::from_str(&sandbox.read("plan.json")).expect("a plan");
    let forged = plan.to_string().replace("export the monthly statement as a PDF", "delete every statement at once");
    sandbox.file("plan.json", &forged);
    assert!(applied(&sandbox, &forge).ends_with(0).stdout.contains("waits for the model"));
    assert!(!brief_on_branch(&forge).contains("delete every statement"));
    // A secret does not pass either.
    let forge = ready();
    let leaked = plan.to_string().replace(
        "Accountants export the statement of a month.",
        "Ask jane.doe@acme-shop.de for ghp_0123456789abcdefghijABCDEFGHIJ012345.",
    );
    sandbox.file("plan.json", &leaked);
    applied(&sandbox, &forge).ends_with(0);
    for (path, text) in forge.state().files("reqgate/prd-7") {
        assert!(!text.contains("jane.doe@") && !text.contains("ghp_0123"), "{path}");
    }
    for bad in ["", "{}", "[1]", &plan.to_string().replace("plan/v1", "plan/v2")] {
        sandbox.file("plan.json", bad);
        applied(&sandbox, &forge).ends_with(2);
    }
}

#[test]
fn a_model_that_fails_is_not_asked_for_ever() {
    let (forge, sandbox) = (ready(), Sandbox::new());
    let good =
        Server::new([("prd_brief_v1", Behaviour::Says(brief("export the monthly statement as a PDF").to_string()))]);
    planned(&sandbox, &forge, &good).ends_with(0);
    forge.state().issues.get_mut(&7).expect("the issue")["title"] = json!("Export the yearly statement as PDF");
    assert!(applied(&sandbox, &forge).ends_with(0).stdout.contains("waits for the model"));
    let bad = Server::new([("prd_brief_v1", Behaviour::Status(400))]);
    planned(&sandbox, &forge, &bad).ends_with(0);
    assert!(applied(&sandbox, &forge).ends_with(0).stdout.contains("waits for interrupt"));
    // From here on a person decides, so the model is not asked.
    let asked = bad.requests.lock().expect("no test panics here").len();
    planned(&sandbox, &forge, &bad).ends_with(0);
    assert_eq!(bad.requests.lock().expect("no test panics here").len(), asked);
}

/// The second job reads the issue again and reports its problems.
#[test]
fn an_issue_that_cannot_be_read_now_keeps_no_other_waiting() {
    let (forge, sandbox) = (ready(), Sandbox::new());
    let server = Server::new([]);
    forge.fail("GET /issues/7", 404, "Not Found", false, 1);
    let ran = planned(&sandbox, &forge, &server).ends_with(0);
    assert!(ran.stderr.contains("issue 7: ") && ran.stdout.contains("0 results"), "{ran:#?}");
    assert!(applied(&sandbox, &forge).ends_with(0).stdout.contains("waits for the model"));
}

#[test]
fn without_a_model_the_plan_says_what_to_do() {
    let (forge, sandbox) = (ready(), Sandbox::new());
    let ran = run_in(&sandbox, &forge, &["plan", "--output", "plan.json"], "reader", &[]).ends_with(2);
    assert!(ran.stderr.contains("no model is named: use --model"), "{ran:#?}");
}
