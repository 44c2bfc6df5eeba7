//! Reviews: answers of the wrong shape, repeated and late answers, changed decisions, and people who edit the file
//! themselves.

use serde_json::{Value, json};

use super::{answered, approved, open_ask, project, started, with_gaps};

const FILE: &str = "docs/prd/001-export/requirements.md";

#[test]
fn an_answer_of_the_wrong_shape_changes_nothing_and_says_where_it_is_wrong() {
    let sandbox = project();
    started(&sandbox, &[]).ends_with(4);
    let before = sandbox.run(&["prd", "status", "export", "--format", "json"]).json();
    for (answer, words) in [
        (json!({ "approved": "yes" }), "approved"),
        (json!({ "approved": true, "unknown": 1 }), "unknown"),
        (json!({ "approved": false }), "userFeedback"),
        (json!({ "approved": true, "answers": { "q99": "x" } }), "answers.q99"),
        (json!([1, 2]), "expected"),
    ] {
        let ran = answered(&sandbox, &answer).ends_with(2);
        assert!(ran.stderr.contains(words), "{answer}: {}", ran.stderr);
    }
    let after = sandbox.run(&["prd", "status", "export", "--format", "json"]).json();
    assert_eq!(before, after);
}

#[test]
fn the_same_answer_twice_is_one_answer_and_another_one_is_refused() {
    let sandbox = project();
    started(&sandbox, &[]).ends_with(4);
    let id = open_ask(&sandbox)["id"].as_str().expect("an id").to_owned();
    approved(&sandbox).ends_with(4);
    let events = sandbox.run(&["prd", "status", "export", "--format", "json"]).json()["events"].clone();
    let again = sandbox.run_with(&["answer", &id, "--json", "-"], &[], "{\"approved\": true, \"answers\": {}}");
    assert!([2, 4].contains(&again.code), "{again:?}");
    let other =
        sandbox.run_with(&["answer", &id, "--json", "-"], &[], "{\"approved\": false, \"userFeedback\": \"no\"}");
    other.ends_with(2);
    assert_eq!(sandbox.run(&["prd", "status", "export", "--format", "json"]).json()["events"], events);
    sandbox.run(&["answer", "export.999", "--approve"]).ends_with(2);
    sandbox.run(&["answer", "nobody.1", "--approve"]).ends_with(2);
}

#[test]
fn a_brief_is_changed_as_its_review_says_and_reviewed_again() {
    let sandbox = project();
    started(&sandbox, &[]).ends_with(4);
    let change = json!({
        "approved": false,
        "modifications": [{ "section": "Out of scope", "requestedContent": "+ PDF exports" }],
    });
    let report = answered(&sandbox, &change).ends_with(4).json();
    assert_eq!(report["ask"]["kind"], "brief_review");
    let brief = report["ask"]["request"]["document"].as_str().expect("a brief").to_owned();
    assert!(brief.contains("PDF exports"), "{brief}");
    assert_eq!(report["feature_id"], "001-export");
}

/// The program carries out a change of a section, so an approval may contain one; words about the whole document wait
/// for the author.
/// Starting over gives up the edits of earlier reviews, and keeps the sources and the new words.
#[test]
fn a_brief_can_be_written_again() {
    let sandbox = project();
    started(&sandbox, &[]).ends_with(4);
    let fresh = open_ask(&sandbox)["request"]["document"].as_str().expect("a brief").to_owned();
    let change =
        json!({ "approved": false, "modifications": [{ "section": "goals", "requestedContent": "+ It is green." }] });
    let changed = answered(&sandbox, &change).ends_with(4).json();
    assert!(changed["ask"]["request"]["document"].to_string().contains("It is green."), "{changed:#}");
    let refused = answered(&sandbox, &json!({ "approved": true, "startOver": true })).ends_with(2);
    assert!(refused.stderr.contains("starting over gives up the brief"), "{refused:?}");
    let over = answered(&sandbox, &json!({ "approved": false, "startOver": true })).ends_with(4).json();
    assert_eq!(over["ask"]["request"]["document"], fresh.as_str(), "{over:#}");
    let words = json!({ "approved": false, "startOver": true, "userFeedback": "Goals: Export in one click." });
    let over = answered(&sandbox, &words).ends_with(4).json();
    assert!(over["ask"]["request"]["document"].to_string().contains("Export in one click."), "{over:#}");
    approved(&sandbox).ends_with(4);
}

#[test]
fn an_approval_of_the_brief_may_carry_changes_of_its_sections() {
    let sandbox = project();
    started(&sandbox, &[]).ends_with(4);
    let added = json!([
        { "section": "constraints", "requestedContent": "+ An export holds one year at most." },
        { "section": "problem", "originalContent": "20 minutes each time", "requestedContent": "20 to 25 minutes each time" },
    ]);
    let both = json!({ "approved": true, "userFeedback": "Shorter.", "modifications": added });
    let ran = answered(&sandbox, &both).ends_with(2);
    assert!(ran.stderr.contains("modifications of sections"), "{}", ran.stderr);
    let elsewhere = json!([{ "section": "goals", "originalContent": "20 minutes each time", "requestedContent": "" }]);
    let ran = answered(&sandbox, &json!({ "approved": true, "modifications": elsewhere })).ends_with(2);
    assert!(ran.stderr.contains("modifications[0].originalContent: these words do not stand"), "{}", ran.stderr);
    answered(&sandbox, &json!({ "approved": true, "modifications": added })).ends_with(4);
    let brief = sandbox.read("docs/prd/001-export/feature-brief.md");
    let statement =
        "- An export holds one year at most. <!-- source: ask:review:1 \"An export holds one year at most.\" -->";
    assert!(brief.contains(statement), "{brief}");
    assert!(brief.contains("into a spreadsheet, 20 to 25 minutes each time. <!-- source: ticket.md:5"), "{brief}");
}

#[test]
fn requirements_are_rejected_modified_and_put_out_of_scope_with_their_reasons() {
    let sandbox = project();
    sandbox.file(
        "ticket.md",
        "# Orders\n\n## Requirements\n\n- Agents export orders as CSV.\n- Agents print an order on one page.\n\
         - Agents send an order by e-mail.\n- Agents see who changed an order.\n",
    );
    started(&sandbox, &[]).ends_with(4);
    let report = approved(&sandbox).ends_with(4).json();
    let proposed = report["ask"]["request"]["requirements"].as_array().expect("a list").clone();
    let id = |words: &str| {
        let found = proposed.iter().find(|one| one["description"].as_str().is_some_and(|text| text.contains(words)));
        found.unwrap_or_else(|| panic!("no {words} in {proposed:#?}"))["id"].clone()
    };
    let review = json!({
        "verdicts": [
            { "id": id("export"), "verdict": "approve" },
            { "id": id("print"), "verdict": "reject", "reason": "nobody prints any more" },
            { "id": id("e-mail"), "verdict": "out_of_scope", "reason": "next quarter" },
            { "id": id("changed"), "verdict": "modify", "reason": "auditors ask for dates",
              "changes": { "description": "Agents see who changed an order, and when." } },
        ],
        "userIterationPreference": true,
    });
    let report = answered(&sandbox, &review).ends_with(4).json();
    assert_eq!(report["ask"]["kind"], "prd_review", "nobody asks about gaps who was told that it is enough");
    let file = sandbox.read(FILE);
    for words in ["nobody prints any more", "next quarter", "auditors ask for dates", "and when."] {
        assert!(file.contains(words), "{words}: {file}");
    }
    let prd = report["ask"]["request"]["document"].as_str().expect("a PRD");
    let wanted = prd.split("## Functional requirements").nth(1).expect("a section");
    let (wanted, log) = wanted.split_once("## Change log").expect("a log");
    assert!(log.contains("rejected: nobody prints any more"), "what was rejected is told with its reason: {log}");
    assert!(
        wanted.contains("and when.") && !wanted.contains("print an order") && !wanted.contains("by e-mail"),
        "{prd}"
    );
}

#[test]
fn a_reason_is_wanted_for_a_no_and_unknown_requirements_are_refused() {
    let sandbox = project();
    started(&sandbox, &[]).ends_with(4);
    approved(&sandbox).ends_with(4);
    let no = json!({ "verdicts": [{ "id": "FR-001", "verdict": "reject", "reason": " " }] });
    assert!(answered(&sandbox, &no).ends_with(2).stderr.contains("verdicts[0].reason"));
    let unknown = json!({ "verdicts": [{ "id": "FR-900", "verdict": "approve" }] });
    assert!(answered(&sandbox, &unknown).ends_with(2).stderr.contains("verdicts[0].id"));
}

#[test]
fn what_people_write_into_the_file_counts_at_the_next_step() {
    let sandbox = with_gaps();
    started(&sandbox, &[]).ends_with(4);
    approved(&sandbox).ends_with(4);
    let report = approved(&sandbox).ends_with(4).json();
    assert_eq!(report["ask"]["kind"], "gap_decision");
    let edited = sandbox
        .read(FILE)
        .replace("## Approved\n", "## Approved\n\n<!-- agreed on Tuesday -->\n\n### FR-090: Only agents export\n\nOnly support agents may export orders; others get \"No permission\".\n");
    sandbox.file(FILE, &edited);
    // It has not been reviewed yet, wherever it is in the file.
    let report = approved(&sandbox).ends_with(4).json();
    assert_eq!(report["ask"]["kind"], "requirements_review", "{report:#}");
    assert_eq!(report["ask"]["request"]["changedByHand"], json!([{ "id": "FR-090", "change": "added" }]));
    let report = approved(&sandbox).ends_with(4).json();
    let prd = report["ask"]["request"]["document"].as_str().expect("a PRD");
    assert!(prd.contains("FR-090") && prd.contains("Only support agents may export"), "{prd}");
    let file = sandbox.read(FILE);
    assert!(file.contains("agreed on Tuesday") && file.contains("- Status: approved"), "{file}");
}

#[test]
fn what_somebody_changed_while_it_was_reviewed_is_shown_again() {
    let sandbox = with_gaps();
    started(&sandbox, &[]).ends_with(4);
    approved(&sandbox).ends_with(4);
    // Without a decision, everything goes into the file as pending and is shown again.
    let defer = json!({ "verdicts": [{ "id": "FR-001", "verdict": "defer" }] });
    let report = answered(&sandbox, &defer).ends_with(4).json();
    assert_eq!(report["ask"]["kind"], "gap_decision", "{report:#}");
    let report = answered(&sandbox, &json!({ "userIterationOverride": true })).ends_with(4).json();
    assert_eq!(report["ask"]["kind"], "requirements_review", "{report:#}");
    // Another person changes the file while it is shown.
    let changed = sandbox.read(FILE).replace("of one customer as CSV", "of many customers as CSV");
    sandbox.file(FILE, &changed);
    let report = approved(&sandbox).ends_with(4).json();
    assert_eq!(report["ask"]["kind"], "requirements_review", "{report:#}");
    let again = report["ask"]["request"]["requirements"].to_string();
    assert!(again.contains("of many customers"), "{again}");
    let file = sandbox.read(FILE);
    assert!(!file.split("## Pending Review").next().expect("a part").contains("of many customers"), "{file}");
}

#[test]
fn a_file_that_does_not_read_becomes_a_question_and_not_a_loss() {
    let sandbox = with_gaps();
    started(&sandbox, &[]).ends_with(4);
    approved(&sandbox).ends_with(4);
    approved(&sandbox).ends_with(4);
    let good = sandbox.read(FILE);
    sandbox.file(FILE, good.replace("### FR-001:", "### FR-001: twice\n\n### FR-001:"));
    let report = approved(&sandbox).ends_with(4).json();
    assert_eq!(report["ask"]["kind"], "interrupt", "{report:#}");
    assert!(report["ask"]["question"].as_str().is_some_and(|words| words.contains("requirements.md")), "{report:#}");
    sandbox.file(FILE, &good);
    let report = approved(&sandbox).ends_with(4).json();
    assert_eq!(report["ask"]["kind"], "prd_review", "{report:#}");
}

#[test]
fn requirements_with_blanks_are_filled_in_before_they_are_approved() {
    let sandbox = with_gaps();
    started(&sandbox, &[]).ends_with(4);
    approved(&sandbox).ends_with(4);
    approved(&sandbox).ends_with(4);
    // A requirement with a gap is shown again to be fixed.
    let report = answered(&sandbox, &json!({ "userIterationOverride": true })).ends_with(4).json();
    assert_eq!(report["ask"]["kind"], "requirements_review", "{report:#}");
    let id = report["ask"]["request"]["requirements"][0]["id"].clone();
    let blank = json!({ "added": [{ "description": "Export files are kept for ____ days." }] });
    let refused = answered(&sandbox, &blank).ends_with(2);
    assert!(refused.stderr.contains("blanks"), "{}", refused.stderr);
    let filled = json!({
        "verdicts": [{ "id": id, "verdict": "modify", "reason": "we know",
            "changes": { "acceptanceCriteria": ["A file with 3 rows is downloaded for a customer with 3 orders."] } }],
        "added": [{ "description": "Export files are kept for 30 days." }],
    });
    answered(&sandbox, &filled).ends_with(4);
    assert!(sandbox.read(FILE).contains("Export files are kept for 30 days."));
}

#[test]
fn a_prd_that_the_gate_stops_is_approved_with_a_reason_or_not_at_all() {
    let sandbox = project();
    sandbox.file(
        "ticket.md",
        "# Orders\n\n- Make the export better.\n\n## Open questions\n\n- Which format is used, CSV or XLSX? TBD\n",
    );
    started(&sandbox, &[]);
    for _ in 0..6 {
        if open_ask(&sandbox)["kind"] == "prd_review" {
            break;
        }
        approved(&sandbox).ends_with(4);
    }
    assert_eq!(open_ask(&sandbox)["kind"], "prd_review");
    assert!(approved(&sandbox).ends_with(2).stderr.contains("--because"));
    let id = open_ask(&sandbox)["id"].as_str().expect("an id").to_owned();
    sandbox.run(&["answer", &id, "--approve", "--because", "a pilot", "--actor", "ann"]).ends_with(0);
    let history = sandbox.run(&["prd", "history", "export", "--format", "json"]).json().to_string();
    assert!(history.contains("a pilot") && history.contains("ann"));
}

#[test]
fn a_prd_that_was_edited_into_one_that_the_gate_stops_is_reviewed_again() {
    let sandbox = project();
    let answers = super::ANSWERS.split("- ask: prd_review").next().expect("a part").to_owned();
    sandbox.file("answers.yaml", answers);
    let report = started(&sandbox, &["--answers", "answers.yaml"]).ends_with(4).json();
    assert_eq!(
        (report["ask"]["kind"].as_str(), report["ask"]["request"]["gate"]["verdict"].as_str()),
        (Some("prd_review"), Some("PASS"))
    );
    let document = report["ask"]["request"]["document"].as_str().expect("a PRD").to_owned();
    let edited = format!("{document}\n## Open questions\n\n- TBD: which format is used, CSV or XLSX?\n");
    let report = answered(&sandbox, &json!({ "prdApproved": true, "editedDocument": edited })).ends_with(4).json();
    assert_eq!(report["ask"]["kind"], "prd_review", "{report:#}");
    assert!(report["ask"]["request"]["document"].as_str().is_some_and(|text| text.contains("CSV or XLSX")));
    assert!(!sandbox.path("docs/prd/001-export/prd.md").exists(), "nothing was written");
    let better = format!("{document}\n## Notes\n\nAgreed with support on Monday.\n");
    let report = answered(&sandbox, &json!({ "prdApproved": true, "editedDocument": better })).ends_with(0).json();
    assert_eq!(report["status"], "completed");
    assert!(sandbox.read("docs/prd/001-export/prd.md").contains("Agreed with support on Monday."));
}

#[test]
fn requirements_that_were_changed_after_the_prd_are_in_the_prd() {
    let sandbox = project();
    let answers = super::ANSWERS.split("- ask: prd_review").next().expect("a part").to_owned();
    sandbox.file("answers.yaml", answers);
    started(&sandbox, &["--answers", "answers.yaml"]).ends_with(4);
    // One section is rewritten, then a person changes a requirement in its file.
    let change = json!({ "prdApproved": false,
        "prdModifications": [{ "section": "Document status", "modifiedContent": "Owner: the desk." },
                             { "section": "Goals", "modifiedContent": "- The desk copies nothing by hand." }] });
    let report = answered(&sandbox, &change).ends_with(4).json();
    assert!(report["ask"]["request"]["document"].as_str().is_some_and(|text| text.contains("Owner: the desk.")));
    sandbox.file(FILE, sandbox.read(FILE).replace("5,000", "7,000"));
    let report = approved(&sandbox).ends_with(4).json();
    let again = report["ask"]["request"]["document"].as_str().expect("a PRD").to_owned();
    assert!(again.contains("7,000") && again.contains("Owner: the desk."), "{again}");
    approved(&sandbox).ends_with(0);
    assert!(sandbox.read("docs/prd/001-export/prd.md").contains("7,000"));
    // Both files contain the approved text.
    let data: Value = serde_json::from_str(&sandbox.read("docs/prd/001-export/prd.json")).expect("JSON");
    assert_eq!(data["goal"], "The desk copies nothing by hand.");
    assert_eq!(data["otherSections"], json!([{ "heading": "Document status", "text": "Owner: the desk." }]));
    assert!(data["functionalRequirements"].to_string().contains("7,000"), "{data:#}");
}

/// One verdict for all other requirements, ids in order, and no invented priorities.
#[test]
fn the_rest_is_approved_at_once_and_no_priority_is_invented() {
    let sandbox = project();
    started(&sandbox, &["--author", "agent"]).ends_with(4);
    let quote = |words: &str| json!([{ "source": "ticket.md", "line": 1, "quote": words }]);
    let submit = |result: Value| {
        let order = sandbox.run(&["prd", "next", "export", "--json"]).ends_with(4).json();
        let id = order["order"]["id"].as_str().expect("an order").to_owned();
        sandbox.run_with(&["prd", "submit", &id, "--json", "-"], &[], &result.to_string())
    };
    submit(json!({ "title": "Export orders as CSV", "language": "en" })).ends_with(4);
    answered(&sandbox, &json!({ "approved": true })).ends_with(4);
    let one = |id: &str, title: &str| {
        json!({
            "id": id, "title": title, "description": format!("The system shall {title}."), "category": "functional",
            "acceptance_criteria": ["A file with 3 rows is downloaded."],
            "sources": quote("export the orders of one customer as CSV"),
        })
    };
    let same = json!({ "functionalRequirements": [one("FR-001", "export orders"), one("FR-001", "print orders")] });
    assert!(submit(same).ends_with(2).stderr.contains("FR-001 exists: give a new id"));
    let three = [one("FR-001", "export orders"), one("FR-002", "print orders"), one("FR-003", "mail orders")];
    submit(json!({ "functionalRequirements": three })).ends_with(4);
    let changes = json!({ "description": "The system shall export orders as CSV." });
    let modify = json!({ "id": "FR-001", "verdict": "modify", "changes": changes, "reason": "exact" });
    answered(&sandbox, &json!({ "verdicts": [modify], "others": "approve" })).ends_with(4);
    let file = sandbox.read("docs/prd/001-export/requirements.md");
    assert!(!file.contains("Priority"), "{file}");
    submit(json!({ "gaps": [] })).ends_with(4);
    submit(json!({ "conflicts": [] })).ends_with(4);
    let prd = super::open_ask(&sandbox)["request"]["document"].as_str().expect("a document").to_owned();
    let places: Vec<Option<usize>> = ["| FR-001 |", "| FR-002 |", "| FR-003 |"].map(|id| prd.find(id)).to_vec();
    assert!(places.iter().all(Option::is_some) && places.is_sorted(), "{prd}");
    assert!(!prd.contains("P1"), "{prd}");
}

#[test]
fn the_path_of_a_file_is_no_feature() {
    let sandbox = project();
    for command in [["prd", "start", "ticket.md"], ["prd", "outline", "ticket.md"]] {
        let said = sandbox.run(&command).ends_with(2).stderr;
        assert!(said.contains("ticket.md is a file: did you mean --from ticket.md?"), "{said}");
    }
    assert!(!sandbox.path(".reqgate").exists(), "nothing was begun");
}
