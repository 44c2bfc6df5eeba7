//! The PRD workflow as people and programs use it: the built program, from a ticket to an approved PRD.

mod accepted;
mod actors;
mod agent;
mod amendments;
mod archives;
mod chinese;
mod collected;
mod contradictions;
mod drafted;
mod features;
mod gap_decisions;
mod gap_reading;
mod in_line;
pub mod kill;
mod markup;
mod model;
mod open_answers;
mod open_questions;
mod own_prompts;
mod own_words;
mod plan;
mod prd_changes;
#[cfg(unix)]
mod recorded;
mod review;
#[cfg(unix)]
mod second_opinion;
mod servers;
mod steps;
mod stored;
mod stories;
#[cfg(unix)]
mod team;
#[cfg(unix)]
mod team_contradictions;
#[cfg(unix)]
mod team_options;
#[cfg(unix)]
mod team_revision;
#[cfg(unix)]
mod team_rounds;
#[cfg(unix)]
mod team_vision;
mod terminal;
mod threads;
mod walks;

use std::sync::LazyLock;

use proptest::prelude::*;
use reqgate::pipeline::Pipeline;
use reqgate::prd::collect::Collector;

use serde_json::Value;

use crate::cli::{Ran, Sandbox};
use crate::properties::soup;
use crate::texts::{hostile, pipelines};

static SHIPPED: LazyLock<Pipeline> = LazyLock::new(pipelines::shipped);
static COLLECTOR: LazyLock<Collector<'static>> = LazyLock::new(|| Collector::new(&SHIPPED.book.reader));

/// A ticket that answers nearly everything under its headings.
pub const TICKET: &str = "\
# Export orders as CSV

## Problem

Support agents copy orders by hand from the list into a spreadsheet, 20 minutes each time.

## Story

As a support agent, I want to export the orders of one customer as CSV, so that I can answer in two minutes.

## Acceptance criteria

- Given a customer with 3 orders, when the agent clicks \"Export\", then a file orders.csv with 3 rows is downloaded.
- If a customer has no orders, the button is greyed out and says \"No orders\".
- Above 5,000 orders the agent sees \"Narrow the period\" and no file is written.

## Rules

- Only support agents can export; everybody else gets the answer \"No permission\".
";

/// A ticket with two rules without a criterion. It is complete except for its open questions.
const ALBUMS: &str = "\
# Guest links for shared albums

## Problem

Families ask support to share an album with relatives who have no account, 140 mails in October.

## Goals

- A family member shares an album with a person who has no account.

## Users

- Account owners

## Rules

- A guest link is valid for 30 days.
- The owner can withdraw a link at any time; it stops working within 1 minute.
- If a link has ended, the guest sees \"This link has ended\".

## Success measures

- Fewer than 20 such mails a month by March.

## Out of scope

- Comments by guests.

";

const WITH_GAPS: &str = "\
# Export orders as CSV

Support agents copy orders by hand from the list into a spreadsheet, 20 minutes each time.

## Rules

- Support agents export the orders of one customer as CSV.
- Team leads see every export of the last month.

## Acceptance criteria

- Above 5,000 orders the agent sees \"Narrow the period\" and no file is written.
";

/// The answers of a person who agrees to everything and adds the facts that the ticket lacks.
const ANSWERS: &str = "\
- ask: clarification
  answer: approve
  repeat: true
- ask: brief_review
  answer:
    approved: true
    answers:
      will you measure: The median time for an answer falls from 20 to 2 minutes by the end of June.
      not part of it: PDF exports and scheduled exports.
- ask: requirements_review
  answer: approve
  repeat: true
- ask: gap_decision
  answer: approve
  repeat: true
- ask: prd_review
  answer:
    prdApproved: true
    gateOverride: checked by hand
";

/// A complete ticket with these open questions.
fn album_ticket(questions: &[&str]) -> String {
    let questions: String = questions.iter().map(|question| format!("- {question}\n")).collect();
    format!("{ALBUMS}## Open questions\n\n{questions}")
}

/// A folder with the ticket and the answers.
pub fn project() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.file("ticket.md", TICKET).file("answers.yaml", ANSWERS);
    sandbox
}

/// The same with a ticket that leaves gaps.
fn with_gaps() -> Sandbox {
    let sandbox = project();
    sandbox.file("ticket.md", WITH_GAPS);
    sandbox
}

/// Begins a thread `export`, with further arguments.
fn started(sandbox: &Sandbox, more: &[&str]) -> Ran {
    let mut arguments = vec!["prd", "start", "--from", "ticket.md", "--id", "export", "--format", "json"];
    arguments.extend(more);
    sandbox.run(&arguments)
}

/// The open question of a sandbox.
#[track_caller]
fn open_ask(sandbox: &Sandbox) -> Value {
    let asks = sandbox.run(&["inbox", "--format", "json"]).ends_with(0).json();
    asks.get(0).cloned().unwrap_or_else(|| panic!("nothing waits: {asks}"))
}

/// Answers the open question with JSON.
#[track_caller]
fn answered(sandbox: &Sandbox, answer: &Value) -> Ran {
    let id = open_ask(sandbox)["id"].as_str().expect("an id").to_owned();
    sandbox.run_with(&["answer", &id, "--json", "-", "--format", "json"], &[], &answer.to_string())
}

/// Approves the open question.
#[track_caller]
fn approved(sandbox: &Sandbox) -> Ran {
    let id = open_ask(sandbox)["id"].as_str().expect("an id").to_owned();
    sandbox.run(&["answer", &id, "--approve", "--format", "json"])
}

/// Approves every question before the first one of a kind.
#[track_caller]
fn approved_until(sandbox: &Sandbox, kind: &str) {
    while open_ask(sandbox)["kind"] != kind {
        approved(sandbox).ends_with(4);
    }
}

/// Hands in the result of the open order of the thread `export`.
#[track_caller]
fn submitted(sandbox: &Sandbox, result: &Value) -> Ran {
    let order = sandbox.run(&["prd", "next", "export", "--json"]).ends_with(4).json();
    let id = order["order"]["id"].as_str().expect("an order").to_owned();
    sandbox.run_with(&["prd", "submit", &id, "--json", "-", "--format", "json"], &[], &result.to_string())
}

/// Checks that a document fits the schema that the program prints for its kind.
#[track_caller]
fn assert_fits(sandbox: &Sandbox, kind: &str, document: &Value) {
    let schema = sandbox.run(&["schema", kind]).ends_with(0).json();
    let validator = jsonschema::validator_for(&schema).expect("a schema");
    let problems: Vec<String> = validator.iter_errors(document).map(|error| error.to_string()).collect();
    assert_eq!(problems, Vec::<String>::new(), "{document:#}");
}

#[test]
fn a_ticket_becomes_an_approved_prd_without_anybody_there() {
    let sandbox = project();
    let report = started(&sandbox, &["--answers", "answers.yaml"]).ends_with(0).json();
    assert_eq!(report["status"], "completed", "{report:#}");
    assert_fits(&sandbox, "thread", &report);
    let files = sandbox.names("docs/prd/001-export");
    assert_eq!(files, ["feature-brief.md", "prd.json", "prd.md", "requirements.md"]);
    sandbox.run(&["check", "docs/prd/001-export/prd.md"]).ends_with(0);
    assert_fits(&sandbox, "prd", &serde_json::from_str(&sandbox.read("docs/prd/001-export/prd.json")).expect("JSON"));
    let requirements = sandbox.read("docs/prd/001-export/requirements.md");
    assert!(requirements.contains("- Status: approved"), "{requirements}");
    assert!(requirements.contains("orders of one customer as CSV"), "{requirements}");
    let prd = sandbox.read("docs/prd/001-export/prd.md");
    assert!(prd.contains("status: approved") && prd.contains("from 20 to 2 minutes"), "{prd}");
    assert!(!prd.contains("[role]") && !prd.contains("TBD"), "no blank is left: {prd}");
    // The same status in every document, and every requirement with its source words.
    let data = sandbox.read("docs/prd/001-export/prd.json");
    assert!(!prd.contains("draft") && !data.contains("\"draft\"") && prd.contains("| approved |"), "{prd}");
    assert!(prd.contains("| FR-002 | – | ticket.md:19 “Only support agents can export"), "{prd}");
    // The state of threads is not committed to the repository.
    assert_eq!(sandbox.read(".reqgate/.gitignore"), "*\n");
}

/// The documented workflow checks the folder of all features: an approved PRD passes, and its source documents are not
/// tickets.
#[test]
fn what_the_workflow_writes_is_checked_as_what_it_is() {
    let sandbox = project();
    started(&sandbox, &["--answers", "answers.yaml"]).ends_with(0);
    let checked = sandbox.run(&["check", "docs/prd"]).ends_with(0);
    assert!(checked.stdout.contains("1 passed, 2 not applicable"), "{checked:?}");
    for file in ["feature-brief.md", "requirements.md"] {
        let path = format!("docs/prd/001-export/{file}");
        let judged = sandbox.run(&["score", &path]).ends_with(0).stdout;
        assert!(judged.contains("NOT_APPLICABLE") && judged.contains("this file belongs to a feature"), "{judged}");
        let report = sandbox.run(&["score", &path, "--format", "json"]).ends_with(0).stdout;
        assert!(report.contains("\"Feature_Part\""), "{report}");
        // A ticket that only has the name is judged like any other.
        sandbox.file(file, crate::cli::UNREADY);
        sandbox.run(&["check", file]).ends_with(1);
    }
    let prd = sandbox.run(&["score", "docs/prd/001-export/prd.md", "--format", "json"]).ends_with(0).stdout;
    assert!(prd.contains("\"PRD_Doc\"") && prd.contains("\"PASS\""), "{prd}");
    // The data file next to the PRD is recognised.
    assert!(!checked.stderr.contains("skipped"), "{checked:?}");
    // A part stays a part of the feature after edits by hand, even if they are long.
    let path = "docs/prd/001-export/requirements.md";
    sandbox.file(path, format!("{}\n{}", sandbox.read(path), "A note of somebody.\n".repeat(600)));
    let checked = sandbox.run(&["check", "docs/prd"]).ends_with(0);
    assert!(checked.stdout.contains("1 passed, 2 not applicable"), "{checked:?}");
}

#[test]
fn a_key_of_an_answer_that_could_be_several_stops_the_run() {
    for (key, reason) in [("\"\"", "a key is empty"), ("it", "is too short")] {
        let sandbox = project();
        sandbox.file("answers.yaml", ANSWERS.replace("will you measure", key));
        let ran = started(&sandbox, &["--answers", "answers.yaml"]).ends_with(2);
        assert!(ran.stderr.contains(reason) && ran.stderr.contains("How will you measure"), "{ran:?}");
        assert_eq!(open_ask(&sandbox)["kind"], "brief_review", "nothing was answered");
    }
}

#[test]
fn nobody_who_is_no_terminal_is_answered_for() {
    let sandbox = project();
    let report = started(&sandbox, &[]).ends_with(4).json();
    assert_eq!(report["ask"]["kind"], "brief_review");
    assert_fits(&sandbox, "thread", &report);
    assert_fits(&sandbox, "ask", &open_ask(&sandbox));
    assert_eq!(open_ask(&sandbox)["id"], report["ask"]["id"]);
    // No file is written before an approval.
    assert_eq!(sandbox.names("docs/prd/001-export"), Vec::<String>::new());
    // Resuming without an answer has no effect.
    let again = sandbox.run(&["prd", "resume", "export", "--format", "json"]).ends_with(4).json();
    assert_eq!(again["ask"]["id"], report["ask"]["id"]);
}

#[test]
fn the_schema_of_an_answer_is_handed_out_with_the_question() {
    let sandbox = project();
    started(&sandbox, &[]).ends_with(4);
    let ask = open_ask(&sandbox);
    let validator = jsonschema::validator_for(&ask["answer_schema"]).expect("a schema");
    assert!(validator.is_valid(&serde_json::json!({ "approved": true, "answers": { "q1": "later" } })));
    assert!(!validator.is_valid(&serde_json::json!({ "approve": true })));
}

#[test]
fn the_graph_is_drawn_from_the_code() {
    let sandbox = Sandbox::new();
    let drawn = sandbox.run(&["prd", "graph", "--mermaid"]).ends_with(0).stdout;
    insta::assert_snapshot!("prd_graph", drawn);
    let guide = std::fs::read_to_string(std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/prd-workflow.md"));
    assert!(guide.expect("the guide is there").contains(drawn.trim()), "docs/prd-workflow.md shows another graph");
}

/// Letters whose lower-case form has a different length.
#[test]
fn letters_that_change_their_length_are_letters() {
    for letter in ["Ⱥ", "\u{212a}", "İ", "ẞ", "ǅ"] {
        for rest in ["I want to export the report", " can order by phone", " wants to see it", " may cancel it"] {
            drafted::check(&COLLECTOR, &format!("{letter}{rest}"));
            drafted::check(
                &COLLECTOR,
                &format!("The {letter}{rest}. Given {letter}, when it is sent, then {letter} is shown."),
            );
        }
    }
}

/// A text without words still gives a brief, and a person names its subject.
#[test]
fn a_text_without_a_word_is_asked_about() {
    for text in ["!!!", "---\n***\n", "🙂", "。。。"] {
        drafted::check(&COLLECTOR, text);
    }
    let report = project().run(&["prd", "start", "!!!", "--format", "json"]).ends_with(4).json();
    assert_eq!(report["ask"]["kind"], "brief_review", "{report:#}");
}

#[test]
fn hostile_texts_are_drafted_from_like_any_other() {
    for hostile in hostile::HOSTILE {
        drafted::check(&COLLECTOR, &hostile.text(3_000));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn documents_drafted_from_any_text_are_read_as_they_were_written(text in soup()) {
        drafted::check(&COLLECTOR, &text);
    }
}
