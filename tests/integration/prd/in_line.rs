//! A PRD that is edited when it is approved, and its source documents.

use serde_json::json;

use super::{album_ticket, answered, approved_until, open_ask, project, started};
use crate::cli::Sandbox;

const FOLDER: &str = "docs/prd/001-export";

#[test]
fn the_words_of_an_edited_prd_reach_the_requirements_and_those_who_plan() {
    let sandbox = project();
    sandbox.file("answers.yaml", super::ANSWERS.split("- ask: prd_review").next().expect("the first part"));
    started(&sandbox, &["--answers", "answers.yaml"]).ends_with(4);
    let review = open_ask(&sandbox);
    let document = review["request"]["document"].as_str().expect("a PRD");
    let row = document.lines().find(|line| line.starts_with("| FR-002 | ")).expect("a row");
    let new =
        "| FR-002 | – | The download starts within 2 seconds of the click. | After 2 seconds it runs. | functional |";
    let columns = row.matches(" | ").count();
    assert_eq!(columns, new.matches(" | ").count(), "{row}");
    let edited = document.replacen(row, new, 1).replacen("- PDF exports", "- Print, PDF exports", 1);
    assert!(edited.contains("- Print, PDF"), "{document}");
    let answer = json!({ "prdApproved": true, "gateOverride": "by hand", "editedDocument": edited });
    answered(&sandbox, &answer).ends_with(0);
    let requirements = sandbox.read(&format!("{FOLDER}/requirements.md"));
    assert!(requirements.contains("within 2 seconds of the click"), "{requirements}");
    assert!(!requirements.contains("\nOnly support agents can export"), "{requirements}");
    let brief = sandbox.read(&format!("{FOLDER}/feature-brief.md"));
    assert!(brief.contains("- Print, PDF exports") && !brief.contains("prd.md holds"), "it says the same: {brief}");
    let plan = sandbox.run(&["plan", FOLDER]).ends_with(0);
    assert!(plan.stdout.contains("within 2 seconds") && !plan.stderr.contains("warning"), "{plan:?}");
    // The file was not edited since, and the next version starts from these words.
    let resumed = sandbox.run(&["prd", "resume", "export"]);
    assert!(!resumed.stderr.contains("edited since"), "{resumed:?}");
    sandbox.run(&["prd", "revise", "export", "--because", "a pilot"]).ends_with(4);
    approved_until(&sandbox, "prd_review");
    let again = open_ask(&sandbox)["request"]["document"].as_str().expect("a PRD").to_owned();
    assert!(again.contains("within 2 seconds of the click") && again.contains("- Print, PDF exports"), "{again}");
}

#[test]
fn a_prd_that_is_edited_later_is_what_a_plan_of_its_folder_reads() {
    let sandbox = project();
    started(&sandbox, &["--answers", "answers.yaml"]).ends_with(0);
    let path = format!("{FOLDER}/prd.md");
    let prd = sandbox.read(&path);
    sandbox.file(&path, prd.replace("Only support agents can export", "Only team leads can export"));
    let plan = sandbox.run(&["plan", FOLDER]).ends_with(0);
    assert!(plan.stdout.contains("Only team leads"), "{plan:?}");
    assert!(plan.stderr.contains("about FR-002") && plan.stderr.contains("prd.md` is approved"), "{plan:?}");
    let draft = sandbox.read(&path).replacen("status: approved", "status: draft", 1);
    sandbox.file(&path, draft);
    let plan = sandbox.run(&["plan", FOLDER]).ends_with(0);
    assert!(plan.stdout.contains("Only support agents") && plan.stderr.is_empty(), "{plan:?}");
}

#[test]
fn who_approves_against_the_gate_has_a_name() {
    let sandbox = Sandbox::new();
    sandbox.file("ticket.md", album_ticket(&["How many links may one album have?"]));
    let nobody = [("PATH", "/nonexistent")];
    let run = |arguments: &[&str], environment: &[(&str, &str)]| sandbox.run_with(arguments, environment, "");
    let started = run(&["prd", "start", "--id", "links", "--from", "ticket.md"], &nobody).ends_with(4);
    assert!(!started.stderr.contains("--actor"), "{started:?}");
    let answer = |more: &[&str], environment: &[(&str, &str)]| {
        let id = open_ask(&sandbox)["id"].as_str().expect("an id").to_owned();
        let mut arguments = vec!["answer", id.as_str(), "--approve"];
        arguments.extend(more);
        run(&arguments, environment)
    };
    let first = answer(&[], &nobody).ends_with(4);
    assert_eq!(first.stderr.matches("--actor NAME").count(), 1, "{first:?}");
    while open_ask(&sandbox)["kind"] != "prd_review" {
        answer(&[], &[("LOGNAME", "mei")]).ends_with(4);
    }
    let unsigned = answer(&["--because", "a pilot"], &nobody).ends_with(2);
    assert!(unsigned.stderr.contains("add --actor NAME"), "{unsigned:?}");
    answer(&["--because", "a pilot"], &[("USER", ""), ("LOGNAME", "mei")]).ends_with(0);
    let prd = sandbox.read("docs/prd/001-links/prd.md");
    assert!(prd.contains("accepted_by: \"mei\""), "{prd}");
    // The demands of the source files are in a separate part of the PRD.
    assert!(prd.contains("A family member shares an album with a person who has no account. (`ticket.md`)"), "{prd}");
}
