//! Operations on threads: list, show at an earlier point, fork, compare, archive, verify, cancel, delete.

use super::{ANSWERS, answered, approved, open_ask, project, started};
use serde_json::json;

fn finished() -> crate::cli::Sandbox {
    let sandbox = project();
    started(&sandbox, &["--answers", "answers.yaml"]).ends_with(0);
    sandbox
}

#[test]
fn a_thread_can_be_looked_at_from_every_side() {
    let sandbox = finished();
    assert!(sandbox.run(&["prd", "list"]).ends_with(0).stdout.contains("completed"));
    assert!(sandbox.run(&["prd", "status"]).ends_with(0).stdout.contains("export"));
    assert!(sandbox.run(&["inbox"]).ends_with(0).stdout.contains("no open questions"));
    let history = sandbox.run(&["prd", "history", "export"]).ends_with(0).stdout;
    assert!(history.contains("featureBriefReview") && history.contains("ended"), "{history}");
    let early = sandbox.run(&["prd", "show", "export", "--at", "3"]).ends_with(0).json();
    assert_eq!(early["prdContent"], serde_json::Value::Null);
    assert!(
        sandbox.run(&["prd", "show", "export", "--draft", "brief"]).stdout.contains("# Feature brief: Export orders")
    );
    let requirements =
        sandbox.run(&["prd", "show", "export", "--draft", "requirements", "--format", "json"]).ends_with(0).json();
    super::assert_fits(&sandbox, "requirements", &requirements);
    assert_eq!(requirements["reviewHistory"].as_array().map(Vec::len), Some(1), "{requirements:#}");
    let spans = sandbox.run(&["prd", "history", "export", "--spans"]).ends_with(0).stdout;
    assert!(spans.lines().count() > 10 && spans.lines().all(|line| line.starts_with('{')), "{spans}");
    assert!(!spans.contains("orders by hand"), "no text of people is in the spans");
    sandbox.run(&["prd", "view", "export", "--output", "view.html"]).ends_with(0);
    let page = sandbox.read("view.html");
    assert!(page.starts_with("<!doctype html>") || page.starts_with("<!DOCTYPE html>"), "{}", &page[..80]);
    assert!(page.contains("<svg") && page.contains("prdReview") && !page.contains("<script"));
    sandbox.run(&["prd", "show", "nobody"]).ends_with(2);
    sandbox.run(&["prd", "history", "No Id"]).ends_with(2);
}

#[test]
fn looking_at_nothing_makes_nothing() {
    let sandbox = project();
    for command in [["prd", "list"], ["prd", "status"]] {
        sandbox.run(&command).ends_with(0);
    }
    sandbox.run(&["inbox"]).ends_with(0);
    sandbox.run(&["prd", "status", "export"]).ends_with(2);
    assert!(!sandbox.path(".reqgate").exists());
}

#[test]
fn a_fork_goes_another_way_and_writes_no_file() {
    let sandbox = finished();
    let before = sandbox.read("docs/prd/001-export/prd.md");
    sandbox.run(&["prd", "fork", "export", "--at", "8", "--id", "other"]).ends_with(0);
    sandbox.file("answers.yaml", ANSWERS.replace("scheduled exports", "exports by e-mail"));
    sandbox.run(&["prd", "resume", "other", "--answers", "answers.yaml"]).ends_with(0);
    assert_eq!(sandbox.read("docs/prd/001-export/prd.md"), before);
    let difference = sandbox.run(&["prd", "diff", "export", "other"]).ends_with(0).stdout;
    assert!(difference.contains("exports by e-mail") || difference.contains("featureBriefContent"), "{difference}");
    sandbox.run(&["prd", "fork", "export", "--set", "noSuchKey=1"]).ends_with(2);
    assert!(!sandbox.run(&["prd", "list"]).stdout.contains("export-2"), "a fork that failed left a thread");
}

#[test]
fn an_archive_is_the_thread_and_a_changed_one_is_refused() {
    let sandbox = finished();
    let archive = sandbox.run(&["prd", "export", "export"]).ends_with(0).stdout;
    let other = project();
    other.run_with(&["prd", "import", "-", "--yes"], &[], &archive).ends_with(0);
    other.run(&["prd", "verify", "export"]).ends_with(0);
    let state = |sandbox: &crate::cli::Sandbox| sandbox.run(&["prd", "show", "export"]).ends_with(0).json();
    assert_eq!(state(&sandbox)["prdContent"], state(&other)["prdContent"]);
    let third = project();
    let changed = archive.replacen("20 minutes each time", "90 minutes each time", 1);
    assert_ne!(changed, archive);
    third.run_with(&["prd", "import", "-", "--yes"], &[], &changed).ends_with(2);
    third.run_with(&["prd", "import", "-", "--yes"], &[], "{\"no\": \"archive\"}\n").ends_with(2);
    assert!(third.run(&["prd", "list"]).ends_with(0).stdout.contains("no threads"));
}

#[test]
fn a_cancelled_thread_takes_no_answers_and_can_be_forgotten() {
    let sandbox = project();
    started(&sandbox, &[]).ends_with(4);
    let id = open_ask(&sandbox)["id"].as_str().expect("an id").to_owned();
    sandbox.run(&["prd", "cancel", "export", "--reason", "bought instead"]).ends_with(0);
    sandbox.run(&["answer", &id, "--approve"]).ends_with(2);
    assert!(sandbox.run(&["prd", "list"]).stdout.contains("cancelled"));
    assert!(sandbox.run(&["prd", "prune", "--before", "2999-01-01"]).ends_with(0).stdout.contains("export"));
    sandbox.run(&["prd", "status", "export"]).ends_with(2);
}

#[test]
fn a_thread_that_a_person_ended_can_be_taken_up_again() {
    let sandbox = project();
    started(&sandbox, &["--author", "agent"]).ends_with(4);
    for _ in 0..3 {
        let order = sandbox.run(&["prd", "next", "export", "--json"]).json();
        let order = order["order"]["id"].as_str().expect("an order").to_owned();
        sandbox.run_with(&["prd", "submit", &order, "--json", "-"], &[], "{}").ends_with(2);
    }
    let failed = answered(&sandbox, &json!({ "action": "abort" })).ends_with(3).json();
    assert_eq!(failed["status"], "failed", "{failed:#}");
    assert!(!failed["messages"].as_array().expect("a list").is_empty());
    sandbox.run(&["prd", "resume", "export"]).ends_with(3);
    let again = sandbox
        .run(&["prd", "resume", "export", "--author", "rules", "--retry", "--format", "json"])
        .ends_with(4)
        .json();
    assert_eq!(again["ask"]["kind"], "brief_review", "the rules write it now: {again:#}");
    approved(&sandbox).ends_with(4);
}

#[test]
fn documents_stay_below_the_folder_they_belong_to() {
    let sandbox = project();
    for folder in ["../out", "/tmp/out", "", ".github", "docs/.specs"] {
        started(&sandbox, &["--dir", folder]).ends_with(2);
    }
    assert!(!sandbox.path(".reqgate").exists());
    sandbox.file("magi-sdd/README.md", "known");
    let report = started(&sandbox, &["--answers", "answers.yaml"]).ends_with(0).json();
    assert_eq!(report["directory"], "magi-sdd/001-export");
}

#[test]
fn personal_data_reaches_no_document_and_no_state() {
    let sandbox = project();
    let secret = format!("{}{}", "ghp_", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8");
    sandbox.file(
        "ticket.md",
        super::TICKET.replace("Support agents copy", "Write to jane.doe@kessler-logistik.de. Support agents copy"),
    );
    let ran = started(&sandbox, &["--answers", "answers.yaml"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    sandbox.file("note.md", format!("The token is {secret} for now.\n"));
    let refused = sandbox.run(&["prd", "start", "--from", "note.md", "--id", "leak"]);
    assert!(!refused.stderr.contains(&secret) && !refused.stdout.contains(&secret), "{refused:?}");
    let everything = |folder: &str| {
        sandbox
            .names(folder)
            .iter()
            .map(|name| std::fs::read(sandbox.path(folder).join(name)).unwrap_or_default())
            .collect::<Vec<_>>()
            .concat()
    };
    for folder in ["docs/prd/001-export", ".reqgate"] {
        let bytes = everything(folder);
        for words in ["jane.doe", secret.as_str()] {
            assert!(!bytes.windows(words.len()).any(|window| window == words.as_bytes()), "{words} in {folder}");
        }
    }
}

/// Archives that version 1 of the workflow wrote. They are never written again: a later version continues them,
/// migrates them, or refuses them with exit code 5 and the alternatives, which the changelog then mentions.
#[test]
fn threads_of_earlier_versions_are_still_read_and_continued() {
    let fixture = |name: &str| {
        std::fs::read_to_string(crate::cli::source(&format!("fixtures/prd/{name}.jsonl")))
            .expect("the archive is there")
    };
    let sandbox = project();
    sandbox.run_with(&["prd", "import", "-", "--yes"], &[], &fixture("completed-v1")).ends_with(0);
    sandbox.run(&["prd", "verify", "completed"]).ends_with(0);
    let state = sandbox.run(&["prd", "show", "completed"]).ends_with(0).json();
    assert_eq!(state["isPrdApproved"], true);
    sandbox.run(&["prd", "view", "completed", "--output", "page.html"]).ends_with(0);
    sandbox.run_with(&["prd", "import", "-", "--yes"], &[], &fixture("waiting-v1")).ends_with(0);
    assert_eq!(open_ask(&sandbox)["kind"], "requirements_review");
    // An archive contains the thread but not its documents.
    let gone = sandbox.run(&["prd", "resume", "waiting", "--answers", "answers.yaml"]).ends_with(4);
    assert!(gone.stdout.contains("docs/prd/002-waiting/feature-brief.md does not exist any more"), "{gone:?}");
    let brief = sandbox.run(&["prd", "show", "waiting", "--draft", "brief"]).ends_with(0).stdout;
    sandbox.file("docs/prd/002-waiting/feature-brief.md", brief);
    let id = open_ask(&sandbox)["id"].as_str().expect("an id").to_owned();
    sandbox.run(&["answer", &id, "--approve", "--answers", "answers.yaml"]).ends_with(0);
    assert!(sandbox.read("docs/prd/002-waiting/prd.md").contains("status: approved"));
}
