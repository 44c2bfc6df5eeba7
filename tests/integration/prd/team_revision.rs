//! A revision submits only the changed sections. The program requests them, inserts them, and shows changes that were
//! not requested.

use serde_json::{Value, json};

use super::open_ask;
use super::team::{critique, document, order_export, outline};
use crate::cli::{Ran, Sandbox};
use crate::model::server::{Behaviour, Server};

fn next(sandbox: &Sandbox) -> Value {
    sandbox.run(&["prd", "next", "export", "--json"]).ends_with(4).json()["order"].clone()
}

fn submit(sandbox: &Sandbox, result: &Value) -> Ran {
    let id = next(sandbox)["id"].as_str().expect("an id").to_owned();
    sandbox.run_with(&["prd", "submit", &id, "--json", "-"], &[], &result.to_string())
}

/// A thread whose first draft has been read by its critics, who report a finding in the executive summary.
fn before_the_revision() -> Sandbox {
    let (sandbox, vision) = (Sandbox::new(), order_export());
    sandbox.file("ticket.md", &vision.ticket);
    let start = ["prd", "start", &vision.vision, "--from", "ticket.md", "--id", "export", "--flow", "team"];
    let options = ["--author", "agent", "--ask-at", "final", "--max-iterations", "1"];
    sandbox.run(&[start.as_slice(), &options].concat()).ends_with(4);
    let mut planned = outline(&vision);
    for section in planned["sections"].as_array_mut().expect("sections") {
        section["research_needed"] = json!(false);
    }
    submit(&sandbox, &planned).ends_with(4);
    submit(&sandbox, &document(&vision, 0)).ends_with(4);
    for _ in 0..3 {
        let inputs = next(&sandbox)["inputs"].clone();
        submit(&sandbox, &critique(&inputs, 60, &vision.known, "Name the date […].")).ends_with(4);
    }
    sandbox
}

fn section(heading: &str, text: &str) -> Value {
    json!({ "heading": heading, "text": text })
}

#[test]
fn what_nobody_asked_for_is_shown_and_the_rest_stays_to_the_byte() {
    let sandbox = before_the_revision();
    let order = next(&sandbox);
    assert_eq!(order["step"], "team-revision");
    // Two are those that the critics wrote about; the draft provably lacks something in the others.
    let asked = [
        "Executive Summary",
        "Success Metrics & KPIs",
        "Open Questions & Assumptions",
        "Target Users & Personas",
        "User Stories & Use Cases",
        "Non-Functional Requirements",
    ];
    assert_eq!(order["inputs"]["sections"], json!(asked), "{order:#}");
    let shown = sandbox.run(&["prd", "next", "export"]).ends_with(4).stdout;
    assert!(shown.contains("sections:") && shown.contains("Executive Summary"), "{shown}");
    let first = sandbox.read("docs/prd/001-export/prd_v1.md");
    let revision = json!({ "sections": [
        section("Executive Summary", "Agents wait 20 minutes each time. [src-2]"),
        section("Problem Statement & Opportunity", "Nobody likes it. <b>Really</b>."),
        section("Non-goals", "No PDF."),
    ] });
    submit(&sandbox, &revision).ends_with(4);
    let second = sandbox.read("docs/prd/001-export/prd_v2.md");
    let from = |text: &str, heading: &str| text[text.find(heading).expect("a section")..].to_owned();
    let untouched = from(&first, "## Functional Requirements");
    assert!(second.contains(untouched.trim_end()), "{second}");
    assert!(second.contains("Nobody likes it. &lt;b>Really") && second.contains("- Version: 2"), "{second}");
    assert!(second.ends_with("## Non-goals\n\nNo PDF.\n"), "{second}");
    for _ in 0..3 {
        let inputs = next(&sandbox)["inputs"].clone();
        submit(&sandbox, &critique(&inputs, 80, "20 minutes each time", "")).ends_with(4);
    }
    let request = open_ask(&sandbox)["request"].clone();
    assert_eq!(request["version"], 2);
    assert_eq!(request["unasked"], json!(["Problem Statement & Opportunity", "Non-goals"]), "{request:#}");
    let shown = sandbox.run(&["prd", "resume", "export"]).ends_with(4).stdout;
    assert!(shown.contains("Changed without a request:\n  Problem Statement"), "{shown}");
}

const SUMMARY: &str = "## Executive Summary\n\nIt takes  20 minutes each time. [src-1]\n\n";

const PRD: &str = "# PRD: Order export\n\n## Executive Summary\n\nIt takes  20 minutes each time. [src-1]\n\n## Functional Requirements\n\n\
    ### FR-001: Export\n\nAgents export orders.\n\n## Success Metrics & KPIs\n\n- Lost time falls\n";

/// A PRD that is refined without a thread passes the same checks as in one.
#[test]
fn a_section_that_reaches_out_or_invents_comes_back() {
    let sandbox = Sandbox::new();
    sandbox.file("prd.md", PRD);
    for (sections, told) in [
        (json!([]), "name at least one section"),
        (json!([section("Timeline", "May.\n\n## Risks\n\nNone.")]), "without headings above its own"),
        (json!([section("Executive Summary", "It takes 45 days.")]), "nobody wrote “45 days”"),
        (json!([section("Executive Summary", "Cited. [src-9]")]), "src-9"),
        (json!([section("Executive Summary", " ")]), "whole new text"),
        (json!([section("Rollout", "A."), section("rollout", "B.")]), "twice"),
        (json!([section("Executive Summary", "[here]: https://a.example")]), "a definition may change links"),
        (json!([section("Non-goals", "x\n```\nnever closed")]), "close what you open"),
        (json!([section("Functional Requirements", "### FR-001: A\n\nA.\n\n### FR-001: B\n\nB.")]), "FR-001"),
    ] {
        sandbox.file("result.json", json!({ "sections": sections }).to_string());
        let ran = sandbox.run(&["prd", "refine", "prd.md", "--reading", "result.json"]).ends_with(2);
        assert!(ran.stderr.contains(told) && ran.stdout.is_empty(), "{told}: {}", ran.stderr);
    }
}

#[test]
fn a_prd_is_refined_once_by_its_critique() {
    let sandbox = Sandbox::new();
    sandbox.file("prd.md", PRD).file("notes.md", "Ann decides on 12 January 2027.\n");
    let ran = sandbox.run(&["prd", "refine", "prd.md"]).ends_with(2);
    assert!(ran.stderr.contains("--model") && ran.stderr.contains("--order"), "{}", ran.stderr);
    // Without another critique, findings of its form select the sections to revise.
    let order = sandbox.run(&["prd", "refine", "prd.md", "--from", "notes.md", "--order"]).ends_with(0).json();
    let asked = order["inputs"]["sections"].as_array().expect("sections");
    assert!(
        asked.contains(&json!("Success Metrics & KPIs")) && asked.contains(&json!("Dependencies & Risks")),
        "{asked:?}"
    );
    assert!(!asked.contains(&json!("Executive Summary")), "{asked:?}");
    assert!(order["inputs"]["documents"][0]["text"].to_string().contains("metric"), "{order:#}");
    let result = json!({ "sections": [
        section("Success Metrics & KPIs", "- Lost time falls from 20 minutes to […] by 12 January 2027 [src-2]"),
        section("Executive Summary", "Shorter. [src-1]"),
    ] });
    let validator = jsonschema::validator_for(&order["result_schema"]).expect("a schema");
    assert!(validator.is_valid(&result));
    sandbox.file("result.json", result.to_string());
    let refine = ["prd", "refine", "prd.md", "--from", "notes.md", "--reading", "result.json", "--output", "new.md"];
    let ran = sandbox.run(&refine).ends_with(0);
    assert!(ran.stderr.contains("changed: Executive Summary, Success Metrics & KPIs"), "{}", ran.stderr);
    assert!(ran.stderr.contains("nobody asked for it: Executive Summary"), "{}", ran.stderr);
    let expected = PRD
        .replace("It takes  20 minutes each time. [src-1]", "Shorter. [src-1]")
        .replace("- Lost time falls\n", "- Lost time falls from 20 minutes to […] by 12 January 2027 [src-2]\n");
    assert_eq!(sandbox.read("new.md"), expected);
    // The critique of readers selects the sections to revise, and so do words of a person.
    let critique = sandbox.run(&["critique", "prd.md", "--format", "json"]).ends_with(1).stdout;
    sandbox.file("critique.json", critique);
    let named = ["--critique", "critique.json", "--because", "Shorten the executive summary"];
    let order = sandbox.run(&[&["prd", "refine", "prd.md", "--order"], named.as_slice()].concat()).ends_with(0).json();
    assert_eq!(order["inputs"]["sections"][0], "Executive Summary", "{order:#}");
    assert_eq!(order["inputs"]["feedback"]["userFeedback"], "Shorten the executive summary");
    sandbox.file("broken.json", "{}");
    sandbox.run(&["prd", "refine", "prd.md", "--critique", "broken.json", "--order"]).ends_with(2);
}

/// Refines a PRD by one new text of its success metrics.
fn with_metrics(sandbox: &Sandbox, text: &str) -> Ran {
    let result = json!({ "sections": [section("Success Metrics & KPIs", text)] });
    sandbox.file("result.json", result.to_string());
    sandbox.run(&["prd", "refine", "prd.md", "--reading", "result.json"])
}

#[test]
fn what_a_revision_changes_is_not_approved() {
    let sandbox = Sandbox::new();
    let front =
        |status: &str, accepted: &str| format!("---\nsource: prd\nstatus: {status}\n{accepted}owner: ann\n---\n");
    let accepted =
        "accepted_by: \"ann\"\naccepted_because: \"it waits\"\naccepted_open_questions:\n  - \"Who pays?\"\n";
    sandbox.file("prd.md", front("approved", accepted) + PRD);
    let ran = with_metrics(&sandbox, "- Lost time falls to […]").ends_with(0);
    let metrics = PRD.replace("- Lost time falls\n", "- Lost time falls to […]\n");
    assert_eq!(ran.stdout, front("draft", "") + &metrics);
    assert!(ran.stderr.contains("the PRD is a draft again"), "{}", ran.stderr);
    // A PRD without changes stays as it is.
    let ran = with_metrics(&sandbox, "- Lost time falls").ends_with(0);
    assert_eq!(ran.stdout, front("approved", accepted) + PRD);
}

#[test]
fn personal_data_that_the_writer_did_not_see_stays_in_the_prd() {
    let sandbox = Sandbox::new();
    let prd = |metrics: &str| PRD.replace("- Lost time falls\n", metrics);
    sandbox.file("prd.md", prd("- Lost time falls; ask +49 170 1234567\n"));
    let ran = with_metrics(&sandbox, "- Ask [phone] why lost time falls").ends_with(0);
    assert_eq!(ran.stdout, prd("- Ask +49 170 1234567 why lost time falls\n"));
    sandbox.file("prd.md", prd("- Lost time falls; ask +49 170 1234567 or +49 170 7654321\n"));
    let ran = with_metrics(&sandbox, "- Ask [phone] why lost time falls").ends_with(2);
    assert!(ran.stdout.is_empty() && ran.stderr.contains("[phone] may stand for several values"), "{}", ran.stderr);
}

#[test]
fn a_critique_of_another_document_and_a_doubled_heading_are_refused() {
    let sandbox = Sandbox::new();
    sandbox.file("prd.md", PRD).file("other.md", PRD.replace(SUMMARY, ""));
    let critique = sandbox.run(&["critique", "other.md", "--format", "json"]).ends_with(1).stdout;
    sandbox.file("critique.json", critique);
    let refine = |name: &str| sandbox.run(&["prd", "refine", name, "--critique", "critique.json", "--order"]);
    refine("other.md").ends_with(0);
    let ran = refine("prd.md").ends_with(2);
    assert!(
        ran.stderr.contains("Success Metrics & KPIs” does not stand") && ran.stderr.contains("another document"),
        "{}",
        ran.stderr
    );
    sandbox.file("prd.md", format!("{PRD}\n## 2. Executive summary\n\nAgain.\n"));
    let ran = sandbox.run(&["prd", "refine", "prd.md", "--order"]).ends_with(2);
    assert!(ran.stderr.contains("“2. Executive summary” is the heading of another section too"), "{}", ran.stderr);
}

#[test]
fn a_model_refines_what_it_can_prove_and_is_refused_otherwise() {
    let sandbox = Sandbox::new();
    sandbox.file("prd.md", PRD);
    let run = |text: &str| {
        let result = json!({ "sections": [section("Success Metrics & KPIs", text)] }).to_string();
        let server = Server::new([("team_revision_v2", Behaviour::Says(result))]);
        let arguments = ["prd", "refine", "prd.md", "--model", "openai/served", "--base-url", &server.url];
        sandbox.run_with(&arguments, &[("OPENAI_API_KEY", "sk-test"), ("REQGATE_CACHE", "off")], "")
    };
    assert!(
        run("- Lost time falls to […]")
            .ends_with(0)
            .stdout
            .ends_with("## Success Metrics & KPIs\n\n- Lost time falls to […]\n")
    );
    let refused = run("- Lost time falls by 77 %").ends_with(3);
    assert!(refused.stderr.contains("nobody wrote “77 %”") && refused.stdout.is_empty(), "{}", refused.stderr);
}

#[test]
fn an_outline_is_planned_without_a_thread() {
    let (sandbox, vision) = (Sandbox::new(), order_export());
    sandbox.file("ticket.md", &vision.ticket);
    let skeleton = sandbox.run(&["prd", "outline", &vision.vision]).ends_with(0).stdout;
    assert!(skeleton.contains("Questions to answer:") && skeleton.contains("Success Metrics"), "{skeleton}");
    assert!(!sandbox.path(".reqgate").exists(), "there is no thread");
    sandbox.run(&["prd", "outline"]).ends_with(2);
    let plan = ["prd", "outline", &vision.vision, "--from", "ticket.md"];
    let order = sandbox.run(&[plan.as_slice(), &["--order"]].concat()).ends_with(0).json();
    assert_eq!(order["step"], "outline");
    assert!(order["inputs"]["sources"].to_string().contains("DataPorter"), "{order:#}");
    let planned = outline(&vision);
    sandbox.file("outline.json", planned.to_string());
    let read = [plan.as_slice(), &["--reading", "outline.json", "--format", "json"]].concat();
    assert_eq!(sandbox.run(&read).ends_with(0).json()["product_name"], vision.title.as_str());
    let mut wrong = planned.clone();
    wrong["sections"].as_array_mut().expect("sections").pop();
    sandbox.file("outline.json", wrong.to_string());
    assert!(sandbox.run(&read).ends_with(2).stderr.contains("“Functional Requirements” is missing"));
    let server = Server::new([("team_outline_v1", Behaviour::Says(planned.to_string()))]);
    let model = ["--model", "openai/served", "--base-url", &server.url, "--output", "outline.md"];
    let environment = [("OPENAI_API_KEY", "sk-test"), ("REQGATE_CACHE", "off")];
    sandbox.run_with(&[plan.as_slice(), &model].concat(), &environment, "").ends_with(0);
    assert!(sandbox.read("outline.md").contains(&vision.title));
}
