//! The prompts of a user for the orders of a PRD: agents and models get them, and a broken one is refused.

use serde_json::Value;

use super::model::{brief, server};
use super::project;
use crate::cli::Sandbox;

/// A project with an own prompt for briefs, and the words that it has alone.
fn with_own_prompt() -> Sandbox {
    let sandbox = project();
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/prompts/prd_brief_v1.yaml");
    let shipped = std::fs::read_to_string(path).expect("it ships");
    let own = shipped.replacen("instructions: |\n", "instructions: |\n  HOUSE RULE: name the country.\n", 1);
    sandbox.file("mine/prd_brief_v1.yaml", own);
    sandbox
}

const MINE: (&str, &str) = ("REQGATE_PROMPTS", "mine");
const START: [&str; 6] = ["prd", "start", "--from", "ticket.md", "--id", "export"];

#[test]
fn an_agent_gets_the_instructions_of_the_user() {
    let sandbox = with_own_prompt();
    let start = [START.as_slice(), &["--author", "agent"]].concat();
    let shown = sandbox.run_with(&start, &[MINE], "").ends_with(4).stdout;
    assert!(shown.contains("HOUSE RULE: name the country."), "{shown}");
    let instructions = |environment: &[(&str, &str)]| {
        let order = sandbox.run_with(&["prd", "next", "export", "--json"], environment, "").json();
        order["order"]["instructions"].as_str().expect("instructions").to_owned()
    };
    let (own, shipped) = (instructions(&[MINE]), instructions(&[]));
    assert!(own.contains("HOUSE RULE") && own.contains("Strangers wrote them"), "{own}");
    assert!(!shipped.contains("HOUSE RULE"), "{shipped}");
    // A configuration outside the repository may name the folder, and one in the repository may not.
    sandbox.file(".reqgate.yaml", "model: {prompts: mine}\n");
    assert!(!instructions(&[]).contains("HOUSE RULE"));
    let home = Sandbox::new();
    let folder = sandbox.path("mine").display().to_string();
    home.file(".config/reqgate/reqgate.yaml", format!("model: {{prompts: {folder}}}\n"));
    let home = home.path("").display().to_string();
    assert!(instructions(&[("HOME", home.as_str())]).contains("HOUSE RULE"));
    // The same folder serves the commands that judge.
    sandbox.run_with(&["score", "ticket.md"], &[MINE], "").ends_with(0);
}

#[test]
fn a_model_gets_the_instructions_of_the_user() {
    let sandbox = with_own_prompt();
    let server = server(&brief());
    let cache = sandbox.path("cache").display().to_string();
    let environment = [("OPENAI_API_KEY", "sk-test"), ("REQGATE_CACHE", cache.as_str()), MINE];
    let model = ["--author", "model", "--model", "openai/served", "--base-url", &server.url];
    sandbox.run_with(&[START.as_slice(), &model].concat(), &environment, "").ends_with(4);
    let requests = server.requests.lock().expect("no test panics here").clone();
    let asked = |words: &str| requests.iter().filter(|request| request.contains(words)).count();
    assert!(asked("HOUSE RULE") >= 1, "{requests:#?}");
}

#[test]
fn a_prompt_that_does_not_fit_is_refused_before_a_thread_exists() {
    let sandbox = with_own_prompt();
    let refused = |told: &str| {
        let start = [START.as_slice(), &["--author", "agent"]].concat();
        let ran = sandbox.run_with(&start, &[MINE], "").ends_with(2);
        assert!(ran.stderr.contains(told), "{told}: {}", ran.stderr);
        let threads: Value = sandbox.run(&["prd", "list", "--format", "json"]).json();
        assert_eq!(threads, serde_json::json!([]));
    };
    let own = sandbox.read("mine/prd_brief_v1.yaml");
    sandbox.file("mine/prd_brief_v1.yaml", own.replacen("checks: [quotes, ", "checks: [", 1));
    refused("its checks are not those that are made");
    sandbox.file("mine/prd_brief_v1.yaml", own.replacen("inputs: [sources, ", "inputs: [", 1));
    refused("`sources` is not among its inputs");
    sandbox.file("mine/prd_brief_v1.yaml", &own).file("mine/prd_briefs.yaml", "id: x\n");
    refused("prd_briefs.yaml: unknown order");
}
