//! Changes of a thread from outside its steps: the author, further sources, and revisions of an approved PRD (issue
//! 22).

use serde_json::{Value, json};

use super::{answered, approved, open_ask, project, started};

const LEGAL: &str = "The legal department answered: exported files are deleted after 30 days.\n";

/// An answer to the last review that approves regardless of the gate.
fn prd_approved() -> Value {
    json!({ "prdApproved": true, "gateOverride": "checked by hand" })
}

#[test]
fn a_thread_keeps_its_author_until_another_is_named() {
    let sandbox = project();
    sandbox.file(
        "unsure.md",
        "Export of orders\n\nAs a dispatcher I want a fast export of the orders so that I can plan the tours.\n\n\
         Acceptance criteria\n- The export works as expected\n- The format is TBD\n",
    );
    let start = ["prd", "start", "--from", "unsure.md", "--id", "export", "--author", "agent", "--format", "json"];
    let report = sandbox.run(&start).ends_with(4).json();
    assert_eq!(report["order"]["step"], "brief", "{report:#}");
    // Resuming does not change the author: the drafts stay the agent's.
    let report = sandbox.run(&["prd", "resume", "export", "--format", "json"]).ends_with(4).json();
    assert_eq!(report["order"]["step"], "brief", "{report:#}");
    let history = sandbox.run(&["prd", "history", "export"]).ends_with(0).stdout;
    assert!(!history.contains("changed"), "nothing was changed: {history}");
    // Another author is a recorded decision, by flag or environment.
    let report =
        sandbox.run_with(&["prd", "resume", "export", "--format", "json"], &[("REQGATE_AUTHOR", "rules")], "").json();
    assert_eq!(report["ask"]["kind"], "brief_review", "{report:#}");
    let history = sandbox.run(&["prd", "history", "export"]).ends_with(0).stdout;
    assert!(history.contains("author: agent → rules"), "{history}");
    sandbox.run(&["prd", "verify", "export"]).ends_with(0);
}

#[test]
fn an_approved_prd_is_taken_up_again_and_gets_a_new_version() {
    let sandbox = project();
    started(&sandbox, &["--answers", "answers.yaml"]).ends_with(0);
    let path = "docs/prd/001-export/requirements.md";
    let before = sandbox.read(path);
    assert!(sandbox.read("docs/prd/001-export/prd.md").contains("version: \"1.0\""));
    // A person edits an approved document; resuming only reports that.
    sandbox.file(path, before.replace("with 3 rows", "with 4 rows"));
    let ran = sandbox.run(&["prd", "resume", "export"]).ends_with(0);
    assert!(ran.stderr.contains("requirements.md") && ran.stderr.contains("prd revise export"), "{ran:?}");
    sandbox.run(&["prd", "revise", "export", "--because", ""]).ends_with(2);

    let because = ["prd", "revise", "export", "--because", "four rows, says support", "--actor", "alice"];
    sandbox.run(&because).ends_with(4);
    let ask = open_ask(&sandbox);
    assert_eq!(ask["kind"], "requirements_review");
    assert!(ask["request"]["changedByHand"].to_string().contains("edited"), "{ask:#}");
    let edited = ask["request"]["requirements"][0]["id"].as_str().expect("an id").to_owned();
    let report = answered(
        &sandbox,
        &json!({
            "verdicts": [{ "id": edited, "verdict": "approve" }], "userIterationPreference": true,
        }),
    );
    assert_eq!(report.json()["ask"]["kind"], "prd_review");
    answered(&sandbox, &prd_approved()).ends_with(0);
    let prd = sandbox.read("docs/prd/001-export/prd.md");
    assert!(prd.contains("version: \"2.0\"") && prd.contains("with 4 rows"), "{prd}");
    assert!(prd.contains("## Change log") && prd.contains("alice: four rows, says support"), "{prd}");
    assert!(sandbox.read("docs/prd/001-export/prd.json").contains("\"version\": \"2.0\""));
    assert!(sandbox.read(path).contains("- Status: approved"));
    sandbox.run(&["prd", "verify", "export"]).ends_with(0);
    let ran = sandbox.run(&["prd", "resume", "export"]).ends_with(0);
    assert!(!ran.stderr.contains("revise"), "{ran:?}");
}

#[test]
fn a_source_that_comes_late_is_reviewed_and_nothing_is_proposed_twice() {
    let sandbox = project();
    started(&sandbox, &["--answers", "answers.yaml"]).ends_with(0);
    sandbox.file("legal.md", LEGAL);
    sandbox.run(&["prd", "add-source", "export", "legal.md", "--because", "legal answered"]).ends_with(4);
    let ask = open_ask(&sandbox);
    assert_eq!(ask["kind"], "brief_review");
    let not_used = ask["request"]["notUsed"].as_array().expect("sentences").clone();
    let new = not_used.iter().find(|one| one["place"]["source"] == "legal.md").expect("the new sentence is listed");
    let adopt = json!({ "approved": true, "adopt": { new["id"].as_str().expect("an id"): "constraints" } });
    let report = answered(&sandbox, &adopt).json();
    assert_eq!(report["ask"]["kind"], "requirements_review", "{report:#}");
    let proposed = report["ask"]["request"]["requirements"].as_array().expect("requirements").clone();
    assert!(
        proposed.len() == 1 && proposed[0]["description"].to_string().contains("30 days"),
        "only what is new is proposed: {proposed:#?}"
    );
    let verdict = json!({ "id": proposed[0]["id"], "verdict": "approve" });
    answered(&sandbox, &json!({ "verdicts": [verdict], "userIterationPreference": true }));
    answered(&sandbox, &prd_approved()).ends_with(0);
    let prd = sandbox.read("docs/prd/001-export/prd.md");
    assert!(prd.contains("version: \"2.0\"") && prd.contains("deleted after 30 days"), "{prd}");
    assert!(prd.contains("legal answered: legal.md"), "{prd}");
    assert!(sandbox.read("docs/prd/001-export/feature-brief.md").contains("legal.md:1"));
    // Adding the same file again has no effect.
    let ran = sandbox.run(&["prd", "add-source", "export", "legal.md"]).ends_with(2);
    assert!(ran.stderr.contains("the thread has these sources already"), "{ran:?}");
}

#[test]
fn an_agent_is_told_to_take_up_a_new_source() {
    let sandbox = project();
    let report = started(&sandbox, &["--author", "agent"]).ends_with(4).json();
    sandbox.file("legal.md", LEGAL);
    // An order that was handed out before is withdrawn, because its result no longer fits.
    let old = report["order"]["id"].as_str().expect("an id").to_owned();
    let report = sandbox.run(&["prd", "add-source", "export", "legal.md", "--format", "json"]).ends_with(4).json();
    assert_ne!(report["order"]["id"], old.as_str());
    assert!(report["order"]["inputs"]["sources"].to_string().contains("30 days"), "{report:#}");
    sandbox.run_with(&["prd", "submit", &old, "--json", "-"], &[], "{}").ends_with(2);
    sandbox.run(&["prd", "verify", "export"]).ends_with(0);
}

#[test]
fn what_was_not_approved_is_not_revised_and_other_threads_are_unknown() {
    let sandbox = project();
    started(&sandbox, &[]).ends_with(4);
    let ran = sandbox.run(&["prd", "revise", "export", "--because", "late news"]).ends_with(2);
    assert!(ran.stderr.contains("not approved"), "{ran:?}");
    sandbox.run(&["prd", "revise", "nobody", "--because", "late news"]).ends_with(2);
    sandbox.run(&["prd", "add-source", "export", "missing.md"]).ends_with(2);
}

#[test]
fn a_source_may_come_between_the_brief_and_the_first_requirements() {
    let sandbox = project();
    started(&sandbox, &[]).ends_with(4);
    answered(&sandbox, &json!({ "approved": true })).ends_with(4);
    assert_eq!(open_ask(&sandbox)["kind"], "requirements_review");
    sandbox.file("legal.md", LEGAL);
    sandbox.run(&["prd", "add-source", "export", "legal.md"]).ends_with(4);
    let ask = open_ask(&sandbox);
    let new = ask["request"]["notUsed"]
        .as_array()
        .expect("sentences")
        .iter()
        .find(|one| one["place"]["source"] == "legal.md");
    let id = new.expect("it is listed")["id"].as_str().expect("an id").to_owned();
    // The file of the approved brief exists and is replaced.
    let report = answered(&sandbox, &json!({ "approved": true, "adopt": { id: "constraints" } })).ends_with(4).json();
    assert_eq!(report["ask"]["kind"], "requirements_review", "{report:#}");
    assert!(sandbox.read("docs/prd/001-export/feature-brief.md").contains("30 days"));
}

#[test]
fn edits_by_hand_are_reviewed_or_refused_and_never_lost() {
    let sandbox = project();
    started(&sandbox, &["--answers", "answers.yaml"]).ends_with(0);
    let (prd, brief) = ("docs/prd/001-export/prd.md", "docs/prd/001-export/feature-brief.md");
    let approved_prd = sandbox.read(prd);
    sandbox.file(prd, approved_prd.replace("20 minutes each time", "25 minutes each time"));
    let ran = sandbox.run(&["prd", "revise", "export", "--because", "news"]).ends_with(2);
    assert!(ran.stderr.contains("edited by hand"), "{ran:?}");
    sandbox.file(prd, approved_prd);
    sandbox.file(brief, sandbox.read(brief).replace("20 minutes each time", "25 minutes each time"));
    sandbox.run(&["prd", "revise", "export", "--because", "news"]).ends_with(4);
    let ask = open_ask(&sandbox);
    assert_eq!(ask["kind"], "brief_review", "an edited brief is reviewed first");
    assert!(ask["request"]["document"].as_str().is_some_and(|text| text.contains("25 minutes")), "{ask:#}");
}

#[test]
fn a_document_that_was_not_edited_does_not_pass_the_gate() {
    let sandbox = project();
    // Questions stay open, so that the gate stops the PRD.
    started(&sandbox, &[]).ends_with(4);
    answered(&sandbox, &json!({ "approved": true })).ends_with(4);
    let mut report = approved(&sandbox).ends_with(4).json();
    while report["ask"]["kind"] != "prd_review" {
        report = approved(&sandbox).ends_with(4).json();
    }
    assert_eq!(report["ask"]["request"]["gate"]["verdict"], "REJECT", "{report:#}");
    let same = report["ask"]["request"]["document"].clone();
    answered(&sandbox, &json!({ "prdApproved": true, "editedDocument": same })).ends_with(2);
    assert_eq!(open_ask(&sandbox)["kind"], "prd_review");
}
