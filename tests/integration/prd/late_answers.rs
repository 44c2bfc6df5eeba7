//! An open question from the approval of a PRD to its answer: shown beside the requirements that wait, in plan and inbox, and closed later.

use serde_json::json;

use super::open_questions::brief_of;
use super::{album_ticket, answered, approved, approved_until, open_ask};
use crate::cli::Sandbox;

const QUESTIONS: [&str; 2] = ["How many links may one album have? (owner: Mei, by 12 Dec)", "Does a guest have to enter a name?"];
const FOLDER: &str = "docs/prd/001-links";

/// A thread at the review of its PRD, in which the first requirement waits for the first question.
fn at_the_prd() -> (Sandbox, String) {
    let sandbox = Sandbox::new();
    sandbox.file("ticket.md", album_ticket(&QUESTIONS));
    brief_of(&sandbox, &["ticket.md"]);
    // A question can be named by its id in the documents.
    let assigned = json!({ "Q-002": { "answer": "No.", "owner": "Mei" }, "Q-999": "x" });
    let refused = answered(&sandbox, &json!({ "approved": true, "answers": assigned })).ends_with(2);
    assert!(refused.stderr.contains("answers.Q-999") && !refused.stderr.contains("answers.Q-002"), "{refused:?}");
    answered(&sandbox, &json!({ "approved": true, "answers": { "Q-002": { "owner": "Mei" } } })).ends_with(4);
    let review = open_ask(&sandbox);
    let first = review["request"]["requirements"][0]["id"].as_str().expect("an id").to_owned();
    let unknown = json!({ "id": first, "verdict": "modify", "reason": "x", "changes": { "waitsFor": ["Q-777"] } });
    let refused = answered(&sandbox, &json!({ "verdicts": [unknown] })).ends_with(2);
    assert!(refused.stderr.contains("verdicts[0].changes.waitsFor"), "{refused:?}");
    let changes = json!({ "waitsFor": ["Q-001"] });
    let verdict = json!({ "id": first, "verdict": "modify", "reason": "nobody knows the limit", "changes": changes });
    answered(&sandbox, &json!({ "verdicts": [verdict], "others": "approve" })).ends_with(4);
    approved_until(&sandbox, "prd_review");
    (sandbox, first)
}

#[test]
fn an_open_question_is_shown_where_it_blocks_until_it_is_answered() {
    let (sandbox, first) = at_the_prd();
    answered(&sandbox, &json!({ "prdApproved": true, "gateOverride": "a pilot in one shop" })).ends_with(0);
    let prd = sandbox.read(&format!("{FOLDER}/prd.md"));
    let box_of_questions = format!("| Q-001 | Mei | 12 Dec | {first} |\n");
    assert!(prd.contains(&box_of_questions), "{prd}");
    let row = prd.lines().find(|line| line.starts_with(&format!("| {first} |"))).expect("its row");
    assert!(row.ends_with("| Q-001 |"), "{row}");
    assert!(prd.contains(&format!("(owner: Mei; due: 12 Dec) [blocks {first}]")), "{prd}");
    assert!(prd.contains("| Approved although the gate stops it | Reason |"), "{prd}");
    let data: serde_json::Value = serde_json::from_str(&sandbox.read(&format!("{FOLDER}/prd.json"))).expect("JSON");
    assert_eq!(data["questions"][0]["blocks"], json!([first]), "{data:#}");
    let requirements = sandbox.read(&format!("{FOLDER}/requirements.md"));
    assert!(requirements.contains("- Waits for: Q-001\n"), "{requirements}");

    // The story that waits comes last, and the gate stops it.
    let plan = sandbox.run(&["plan", FOLDER, "--format", "json"]).ends_with(0).json();
    let stories = plan["stories"].as_array().expect("a list");
    let last = stories.last().expect("a story");
    assert_eq!((&last["waitsFor"], &last["status"]), (&json!(["Q-001"]), &json!("blocked")), "{last:#}");
    assert_eq!(last["verdict"]["verdict"], "REJECT", "{last:#}");
    assert!(stories[..stories.len() - 1].iter().all(|story| story.get("waitsFor").is_none()), "{plan:#}");
    assert!(stories.len() > 1 && stories[0]["wave"] != last["wave"], "{plan:#}");

    // A person accepted the question; the policies for an agent at night and for the letter of the rules do not count that.
    let path = format!("{FOLDER}/prd.md");
    sandbox.run(&["check", &path]).ends_with(0);
    for policy in ["agent", "strict"] {
        let ran = sandbox.run(&["check", "--policy", policy, &path]).ends_with(1);
        assert!(ran.stdout.contains("How many links may one album have?"), "{policy}: {ran:?}");
    }
}

#[test]
fn a_late_answer_reopens_the_documents_that_it_changes() {
    let (sandbox, first) = at_the_prd();
    let too_early = sandbox.run(&["prd", "answer-question", "Q-001", "20", "--thread", "links"]).ends_with(2);
    assert!(too_early.stderr.contains("its PRD is not approved"), "{too_early:?}");
    answered(&sandbox, &json!({ "prdApproved": true, "gateOverride": "a pilot" })).ends_with(0);
    let refused = |arguments: &[&str], words: &str| {
        let ran = sandbox.run(&[&["prd", "answer-question"][..], arguments].concat()).ends_with(2);
        assert!(ran.stderr.contains(words), "{ran:?}");
    };
    refused(&["Q-009", "20"], "no approved PRD has the open question Q-009");
    refused(&["Q-009", "20", "--thread", "links"], "the open questions are Q-001, Q-002");
    refused(&["Q-001", "not decided yet"], "leaves Q-001 open");
    refused(&["Q-001", " "], "the answer is empty");
    refused(&["FR-001", "20"], "is not the id of a question");
    let ran = sandbox.run(&["prd", "answer-question", "Q-001", "At most 20.", "--actor", "mei"]).ends_with(4);
    assert!(ran.stderr.contains(&format!("{first} waited for it")), "{ran:?}");
    let brief = open_ask(&sandbox);
    assert_eq!(brief["kind"], "brief_review", "{brief:#}");
    let document = brief["request"]["document"].as_str().expect("a brief");
    assert!(document.contains("- [x] Q-001: How many links") && document.contains("Answer: At most 20."), "{document}");
    approved(&sandbox).ends_with(4);
    // The requirement that waited is shown again, with the answer.
    let review = open_ask(&sandbox);
    assert_eq!(review["request"]["requirements"][0]["id"], first.as_str(), "{review:#}");
    let shown = sandbox.run(&["prd", "resume", "links"]).ends_with(4).stdout;
    assert!(shown.contains("Answered since the approval") && shown.contains("At most 20."), "{shown}");
    approved_until(&sandbox, "prd_review");
    answered(&sandbox, &json!({ "prdApproved": true, "gateOverride": "the name is open" })).ends_with(0);
    let prd = sandbox.read(&format!("{FOLDER}/prd.md"));
    assert!(prd.contains("version: \"2.0\"") && prd.contains("mei: Q-001 is answered: At most 20."), "{prd}");
    assert!(prd.contains("- Q-001: How many links may one album have? At most 20.\n"), "{prd}");
    assert!(!prd.contains("[blocks"), "{prd}");
    let inbox = sandbox.run(&["inbox"]).ends_with(0).stdout;
    assert!(!inbox.contains("How many links") && inbox.contains("Q-002"), "{inbox}");
    let plan = sandbox.run(&["plan", FOLDER, "--format", "json"]).ends_with(0).json();
    assert!(plan["stories"].as_array().expect("a list").iter().all(|story| story["status"] == "pending"), "{plan:#}");
}

/// The documents of a team are as good as those of the other flow: every later command takes their folder.
#[test]
fn the_folder_of_a_team_is_planned_checked_exported_and_asked() {
    let sandbox = Sandbox::new();
    sandbox.file("ticket.md", album_ticket(&QUESTIONS));
    sandbox.run(&["prd", "start", "--id", "links", "--from", "ticket.md", "--flow", "team"]).ends_with(4);
    for _ in 0..8 {
        if sandbox.run(&["inbox", "--format", "json"]).ends_with(0).json() == json!([]) {
            break;
        }
        let id = open_ask(&sandbox)["id"].as_str().expect("an id").to_owned();
        let ran = sandbox.run(&["answer", &id, "--approve", "--because", "a pilot", "--actor", "mei"]);
        if ran.code == 2 {
            sandbox.run(&["answer", &id, "--approve", "--actor", "mei"]);
        }
    }
    let prd = sandbox.read(&format!("{FOLDER}/prd.md"));
    assert!(prd.contains("accepted_by: \"mei\"") && prd.contains("- Q-001: How many links"), "{prd}");
    let checked = sandbox.run(&["check", FOLDER]).ends_with(0).stdout;
    assert!(checked.contains("accepted by mei"), "{checked}");
    let plan = sandbox.run(&["plan", FOLDER, "--format", "json"]).ends_with(0).json();
    assert_eq!(plan["openQuestions"][0]["id"], "Q-001", "{plan:#}");
    assert_eq!(plan["frontmatter"]["feature_id"], "001-links", "{plan:#}");
    sandbox.run(&["gaps", FOLDER]).ends_with(0);
    sandbox.run(&["trace", FOLDER]).ends_with(0);
    let page = sandbox.run(&["export", FOLDER, "--format", "html"]).ends_with(0).stdout;
    assert!(page.contains("<html"), "{page}");
    assert!(sandbox.run(&["inbox"]).ends_with(0).stdout.contains("Q-002"));
    let ran = sandbox.run(&["prd", "answer-question", "Q-001", "At most 20.", "--actor", "mei"]).ends_with(4);
    assert!(ran.stderr.contains("is answered"), "{ran:?}");
}
