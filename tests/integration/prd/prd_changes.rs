//! Changes of the PRD in its review: questions that are removed, reworded or answered there, and wishes in words.

use serde_json::{Value, json};

use super::{album_ticket, answered, approved, approved_until, open_ask, project, started, submitted};
use crate::cli::Sandbox;

const QUESTIONS: [&str; 3] = [
    "How many links may one album have?",
    "Does a guest have to enter a name?",
    "Who pays for the storage of a guest?",
];
const FOLDER: &str = "docs/prd/001-links";

/// A thread `links` at the review of its PRD, which asks three questions.
fn at_the_prd() -> (Sandbox, String) {
    let sandbox = Sandbox::new();
    sandbox.file("ticket.md", album_ticket(&QUESTIONS));
    sandbox.run(&["prd", "start", "--id", "links", "--from", "ticket.md", "--format", "json"]).ends_with(4);
    until_the_prd(&sandbox);
    let document = document(&sandbox);
    (sandbox, document)
}

fn until_the_prd(sandbox: &Sandbox) {
    approved_until(sandbox, "prd_review");
}

fn document(sandbox: &Sandbox) -> String {
    open_ask(sandbox)["request"]["document"].as_str().expect("a PRD").to_owned()
}

/// The PRD with other words below its open questions.
fn with_questions(document: &str, words: &str) -> String {
    let (before, rest) = document.split_once("### Open questions\n").expect("open questions");
    let end = rest.find("\n#").expect("the next heading");
    format!("{before}### Open questions\n\n{words}\n{}", &rest[end..])
}

/// The words of the open questions that the review lists.
fn asked(sandbox: &Sandbox) -> Vec<String> {
    let ask = open_ask(sandbox);
    let words = |one: &Value| one["question"].as_str().unwrap_or_default().to_owned();
    ask["request"]["openQuestions"].as_array().into_iter().flatten().map(words).collect()
}

fn brief(sandbox: &Sandbox) -> String {
    sandbox.read(&format!("{FOLDER}/feature-brief.md"))
}

#[test]
fn questions_that_an_edit_takes_out_are_told_before_they_are_set_aside() {
    let (sandbox, document) = at_the_prd();
    let edited = with_questions(&document, "- None.");
    answered(&sandbox, &json!({ "prdApproved": true, "editedDocument": edited })).ends_with(4);
    let again = open_ask(&sandbox);
    assert_eq!(again["request"]["takenOut"], json!(QUESTIONS), "{again:#}");
    assert_eq!(asked(&sandbox), QUESTIONS, "they can be answered here");
    let shown = sandbox.run(&["prd", "resume", "links"]).ends_with(4).stdout;
    let shown = shown.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        shown.contains("3 questions were taken out by an edit: “How many links may one album have?”, “Does"),
        "{shown}"
    );
    assert!(sandbox.run(&["prd", "history", "links"]).stdout.contains("3 questions were taken out"));
    // One of them is answered after all, and the others are not asked again.
    answered(&sandbox, &json!({ "prdApproved": false, "answers": { "q2": "No, a guest needs no name." } }))
        .ends_with(4);
    let third = open_ask(&sandbox);
    assert_eq!(third["request"]["takenOut"], json!([QUESTIONS[0], QUESTIONS[2]]), "{third:#}");
    let id = third["id"].as_str().expect("an id").to_owned();
    let yes = ["answer", id.as_str(), "--approve", "--because", "a pilot", "--actor", "mei"];
    let yes =
        if third["request"]["gate"]["verdict"] == "PASS" { [&yes[..3], &yes[5..]].concat() } else { yes.to_vec() };
    sandbox.run(&yes).ends_with(0);
    let prd = sandbox.read(&format!("{FOLDER}/prd.md"));
    let entry = "- 1.0, open questions set aside by mei: “How many links may one album have?”, “Who pays for the storage of a guest?”";
    assert!(prd.contains(entry) && !prd.contains("### Open questions"), "{prd}");
    let brief = brief(&sandbox);
    assert_eq!(brief.matches("Answer: Set aside by mei, who approved the PRD without it.").count(), 2, "{brief}");
    assert!(!brief.contains("- [ ]") && brief.contains("Answer: No, a guest needs no name."), "{brief}");
    sandbox.run(&["check", &format!("{FOLDER}/prd.md")]).ends_with(0);
    let resumed = sandbox.run(&["prd", "resume", "links"]).ends_with(0);
    assert!(!resumed.stderr.contains("edited since"), "{resumed:?}");
    // The next version lists their outcomes.
    sandbox.run(&["prd", "revise", "links", "--because", "a second pilot"]).ends_with(4);
    until_the_prd(&sandbox);
    let again = self::document(&sandbox);
    assert!(again.contains("- Q-001: How many links may one album have? Set aside by mei"), "{again}");
}

#[test]
fn a_question_that_is_put_back_stays_open() {
    let (sandbox, document) = at_the_prd();
    let edited = with_questions(&document, "- N/A");
    answered(&sandbox, &json!({ "prdApproved": false, "editedDocument": edited })).ends_with(4);
    assert_eq!(open_ask(&sandbox)["request"]["takenOut"], json!(QUESTIONS));
    answered(&sandbox, &json!({ "prdApproved": true, "editedDocument": document, "gateOverride": "a pilot" }))
        .ends_with(0);
    let prd = sandbox.read(&format!("{FOLDER}/prd.md"));
    assert!(!prd.contains("set aside") && prd.contains("- Q-003: Who pays for the storage of a guest?"), "{prd}");
    assert_eq!(brief(&sandbox).matches("- [ ]").count(), 3);
}

#[test]
fn a_question_that_is_corrected_in_the_prd_is_corrected_everywhere() {
    let (sandbox, _) = at_the_prd();
    let change =
        |from: &str, to: &str| json!({ "section": "Open questions", "originalContent": from, "modifiedContent": to });
    let first = change(QUESTIONS[0], "How many links may one album have at most?");
    answered(&sandbox, &json!({ "prdApproved": false, "prdModifications": [first] })).ends_with(4);
    assert_eq!(asked(&sandbox)[0], "How many links may one album have at most?");
    // The reworded question is answered, while another one is assigned and a new one is asked.
    let second =
        change(QUESTIONS[2], "Who pays for the storage of a guest? (owner: Ann; due: Friday)\n- Who deletes an album?");
    let answer = json!({ "prdApproved": false, "answers": { "q1": "20" }, "prdModifications": [second] });
    answered(&sandbox, &answer).ends_with(4);
    let document = document(&sandbox);
    assert!(document.contains("- Q-001: How many links may one album have at most? 20\n"), "{document}");
    let open = "### Open questions\n\n- Q-002: Does a guest have to enter a name?\n- Q-003: Who pays for the storage of a guest? (owner: \
                Ann; due: Friday)\n- Q-004: Who deletes an album?\n";
    assert!(document.contains(open), "{document}");
    assert_eq!(asked(&sandbox), [QUESTIONS[1], QUESTIONS[2], "Who deletes an album?"]);
    let brief_now = brief(&sandbox);
    assert!(
        brief_now.contains("- [x] Q-001: How many links may one album have at most? <!-- source: ticket.md:31"),
        "{brief_now}"
    );
    assert!(
        brief_now.contains("  Owner: Ann\n") && brief_now.contains("- [ ] Q-004: Who deletes an album?"),
        "{brief_now}"
    );
    // Edits together with the approval reach the brief too.
    let edited = document.replacen("Who deletes an album?", "Who deletes an album that nobody opens?", 1);
    answered(&sandbox, &json!({ "prdApproved": true, "editedDocument": edited, "gateOverride": "a pilot" }))
        .ends_with(0);
    assert!(brief(&sandbox).contains("- [ ] Q-004: Who deletes an album that nobody opens?"), "{}", brief(&sandbox));
    assert!(!brief(&sandbox).contains("prd.md holds"), "it says the same: {}", brief(&sandbox));
}

#[test]
fn an_edited_brief_that_says_none_asks_nothing() {
    let sandbox = Sandbox::new();
    sandbox.file("ticket.md", album_ticket(&QUESTIONS));
    sandbox.run(&["prd", "start", "--id", "links", "--from", "ticket.md"]).ends_with(4);
    approved_until(&sandbox, "brief_review");
    let document = document(&sandbox);
    let (before, _) = document.split_once("## Open questions\n").expect("open questions");
    let edited = format!("{before}## Open questions\n\n- None.\n");
    answered(&sandbox, &json!({ "approved": true, "editedDocument": edited })).ends_with(4);
    until_the_prd(&sandbox);
    assert!(asked(&sandbox).is_empty() && !self::document(&sandbox).contains("None."), "{}", self::document(&sandbox));
}

#[test]
fn notes_of_a_review_stay_where_nobody_works_them_in_and_leave_no_empty_heading() {
    let (sandbox, _) = at_the_prd();
    answered(&sandbox, &json!({ "prdApproved": false, "userFeedback": "Name the price." })).ends_with(4);
    assert!(document(&sandbox).contains("## Review notes\n\n- Name the price.\n"), "{}", document(&sandbox));
    answered(&sandbox, &json!({ "prdApproved": false, "answers": { "q1": "20" }, "userFeedback": "Name the team." }))
        .ends_with(4);
    let both = "## Review notes\n\n- Name the price.\n- Name the team.\n";
    assert!(document(&sandbox).contains(both), "{}", document(&sandbox));
    let done = json!({ "section": "Review notes", "modifiedContent": "" });
    answered(&sandbox, &json!({ "prdApproved": false, "prdModifications": [done] })).ends_with(4);
    assert!(!document(&sandbox).contains("Review notes"), "{}", document(&sandbox));
    answered(&sandbox, &json!({ "prdApproved": false, "answers": { "q1": "No." } })).ends_with(4);
    assert!(!document(&sandbox).contains("Review notes"), "{}", document(&sandbox));
}

/// Words of a person are an order for the author, also together with decisions for which the PRD is assembled again.
#[test]
fn words_beside_a_decision_are_an_order_for_the_author() {
    let sandbox = project();
    started(&sandbox, &["--author", "agent"]).ends_with(4);
    let submit = |result: &Value| submitted(&sandbox, result);
    let quote = |quote: &str| json!({ "source": "ticket.md", "line": 1, "quote": quote });
    submit(&json!({ "title": "Export", "language": "en",
        "goals": [{ "text": "Agents export the orders of one customer.", "source": quote("export the orders of one customer") }],
        "open_questions": [{ "question": "Which columns does the file have?", "source": quote("the orders of one customer as CSV") }] }))
    .ends_with(4);
    approved(&sandbox).ends_with(4);
    submit(&json!({ "functionalRequirements": [{ "id": "FR-001", "title": "Export", "description": "The agent exports orders as CSV.",
        "priority": "high", "category": "Functional", "acceptance_criteria": ["A file orders.csv with 3 rows is downloaded."],
        "sources": [quote("a file orders.csv with 3 rows is downloaded")] }] }))
    .ends_with(4);
    approved(&sandbox).ends_with(4);
    submit(&json!({ "gaps": [] })).ends_with(4);
    submit(&json!({ "conflicts": [] })).ends_with(4);
    assert_eq!(open_ask(&sandbox)["kind"], "prd_review");
    let id = open_ask(&sandbox)["request"]["openQuestions"][0]["id"].as_str().expect("a question").to_owned();
    let no = json!({ "prdApproved": false, "answers": { id: "Number, day and amount." }, "userFeedback": "The goal must name the team." });
    let report = answered(&sandbox, &no).ends_with(4).json();
    assert_eq!(report["order"]["step"], "prd-update", "{report:#}");
    let order = report["order"].to_string();
    assert!(order.contains("must name the team") && order.contains("Number, day and amount."), "{order}");
    let goals = json!({ "changes": [{ "section": "Goals", "modifiedContent": "- Agents of the support team export the orders." }] });
    submit(&goals).ends_with(4);
    let document = document(&sandbox);
    assert!(
        document.contains("Agents of the support team") && document.contains("have? Number, day and amount."),
        "{document}"
    );
    assert!(!document.contains("Review notes"), "{document}");
    // The author's text is kept when the PRD is assembled again.
    let modify =
        json!({ "id": "FR-001", "verdict": "modify", "changes": { "title": "Export of orders" }, "reason": "clearer" });
    answered(&sandbox, &json!({ "prdApproved": false, "verdicts": [modify] })).ends_with(4);
    let changed = self::document(&sandbox);
    assert!(changed.contains("Agents of the support team"), "{changed}");
    // If the words need no change, the author says so, and the history records it.
    let id = open_ask(&sandbox)["id"].as_str().expect("an id").to_owned();
    let agreed = json!({ "prdApproved": false, "userFeedback": "Agreed, as changed." }).to_string();
    sandbox.run_with(&["answer", &id, "--json", "-"], &[], &agreed).ends_with(4);
    submit(&json!({ "changes": [] })).ends_with(4);
    assert_eq!(self::document(&sandbox), changed);
    let history = sandbox.run(&["prd", "history", "export"]).ends_with(0).stdout;
    assert!(history.contains("the author finds nothing left to change"), "{history}");
}

#[test]
fn questions_that_were_taken_out_are_told_in_chinese() {
    let sandbox = Sandbox::new();
    sandbox.file("需求.md", super::open_questions::CHINESE);
    sandbox.run(&["prd", "start", "--id", "links", "--from", "需求.md"]).ends_with(4);
    until_the_prd(&sandbox);
    let document = document(&sandbox);
    let (before, rest) = document.split_once("### 有默认做法的问题\n").expect("a question with a default");
    let edited = format!("{before}### 待解问题\n\n- 暂无\n{}", &rest[rest.find("\n#").expect("the next heading")..]);
    answered(&sandbox, &json!({ "prdApproved": true, "editedDocument": edited })).ends_with(4);
    let shown = sandbox.run(&["prd", "resume", "links"]).ends_with(4).stdout;
    assert!(shown.contains("编辑时删去了 1 个待解问题：“签到用扫码还是刷卡？”"), "{shown}");
    let id = open_ask(&sandbox)["id"].as_str().expect("an id").to_owned();
    sandbox.run(&["answer", &id, "--approve", "--actor", "李雷"]).ends_with(0);
    let prd = sandbox.read(&format!("{FOLDER}/prd.md"));
    assert!(prd.contains("- 1.0，李雷 搁置的待解问题：“签到用扫码还是刷卡？”"), "{prd}");
    assert!(brief(&sandbox).contains("答：已由 李雷 搁置"), "{}", brief(&sandbox));
}

#[test]
fn requirements_may_be_as_long_as_a_document() {
    let sandbox = Sandbox::new();
    let rules: String = (1..=75)
        .map(|number| {
            format!(
                "- Shop {number} sees the orders of region {number} on its own page, with the name of its manager.\n"
            )
        })
        .collect();
    let problem = "# Pages of shops\n\n## Problem\n\nSupport agents copy orders by hand.\n\n## Rules\n\n";
    sandbox.file("ticket.md", format!("{problem}{rules}"));
    sandbox.run(&["prd", "start", "--id", "links", "--from", "ticket.md"]).ends_with(4);
    approved_until(&sandbox, "requirements_review");
    let review = open_ask(&sandbox);
    let draft = sandbox.run(&["prd", "show", "links", "--draft", "requirements"]).ends_with(0).stdout;
    assert!(draft.len() > 12_000, "{draft}");
    let gate = &review["request"]["gate"];
    assert_ne!(gate["verdict"], "GUARDRAIL_REJECTED", "{gate:#}");
    let shown = sandbox.run(&["prd", "resume", "links"]).ends_with(4).stdout;
    assert!(!shown.contains("10,000") && !shown.contains("10000"), "{shown}");
}

#[test]
fn a_conflict_is_told_with_the_lines_of_both_statements() {
    let (sandbox, document) = at_the_prd();
    let constraint = "### Constraints\n\n- A guest link is valid for 14 days.\n\n### Success metrics";
    let edited = document.replacen("### Success metrics", constraint, 1);
    answered(&sandbox, &json!({ "prdApproved": false, "editedDocument": edited })).ends_with(4);
    let blockers = open_ask(&sandbox)["request"]["gate"]["blockers"].to_string();
    let line = |words: &str| edited.lines().position(|line| line.contains(words)).expect("its line") + 1;
    let stated = line("A guest link is valid for 30 days.");
    let added = line("- A guest link is valid for 14 days.");
    assert!(blockers.contains(&format!("(prd.md:{stated}, prd.md:{added})")), "{blockers}");
}

/// The brief and the requirements are approved as they are, so no message looks like a refusal.
#[test]
fn what_a_brief_lacks_is_told_as_still_missing() {
    let sandbox = Sandbox::new();
    sandbox.file("ticket.md", album_ticket(&QUESTIONS));
    let started = sandbox.run(&["prd", "start", "--id", "links", "--from", "ticket.md"]).ends_with(4);
    let shown = match open_ask(&sandbox)["kind"] == "brief_review" {
        true => started.stdout,
        false => {
            approved(&sandbox).ends_with(4);
            sandbox.run(&["prd", "resume", "links"]).ends_with(4).stdout
        }
    };
    assert!(shown.contains("still missing (you can approve it anyway") && !shown.contains("REJECT"), "{shown}");
    assert!(shown.contains("    - 3 open questions have no answer") && shown.contains("--approve"), "{shown}");
    until_the_prd(&sandbox);
    let shown = sandbox.run(&["prd", "resume", "links"]).ends_with(4).stdout;
    assert!(shown.contains("gate: REJECT") && shown.contains("--because"), "{shown}");
}

#[test]
fn a_fork_says_what_is_asked_again_and_names_no_files() {
    let sandbox = project();
    started(&sandbox, &["--answers", "answers.yaml"]).ends_with(0);
    let told = sandbox.run(&["prd", "fork", "export", "--at", "8", "--id", "other"]).ends_with(0).stdout;
    assert!(told.contains("begins after event 8 of export") && told.contains("is asked again"), "{told}");
    let ended = sandbox.run(&["prd", "resume", "other", "--answers", "answers.yaml"]).ends_with(0).stdout;
    assert!(!ended.contains("docs/prd") && ended.contains("prd show other --draft prd"), "{ended}");
    let prd = sandbox.run(&["prd", "show", "other", "--draft", "prd"]).ends_with(0).stdout;
    assert!(prd.contains("# Export orders as CSV"), "{prd}");
}

/// A person's edit of the PRD is in no other document, but is kept when the PRD is assembled again.
#[test]
fn an_edit_of_the_prd_outlives_an_answer() {
    let (sandbox, document) = at_the_prd();
    let edited = document.replacen("## Users", "### Not before\n\nNot before the summer holidays.\n\n## Users", 1);
    let edited = edited.replacen("- Account owners", "- Account owners and their children", 1);
    assert_ne!(edited, document);
    answered(&sandbox, &json!({ "prdApproved": false, "editedDocument": edited })).ends_with(4);
    answered(&sandbox, &json!({ "prdApproved": false, "answers": { "q1": "20" } })).ends_with(4);
    let again = self::document(&sandbox);
    for words in ["Not before the summer holidays.", "- Account owners and their children", "may one album have? 20"] {
        assert!(again.contains(words), "{words}: {again}");
    }
    // An edited text, also one named by its section, is approved in its edited form.
    let change =
        json!({ "section": "Not before", "originalContent": "the summer holidays", "modifiedContent": "July" });
    let nowhere = json!({ "section": "Nowhere", "modifiedContent": "July" });
    let approve =
        |change: &Value| json!({ "prdApproved": true, "prdModifications": [change], "gateOverride": "a pilot" });
    let ran = answered(&sandbox, &approve(&nowhere)).ends_with(2);
    assert!(ran.stderr.contains("prdModifications.0.section"), "{}", ran.stderr);
    answered(&sandbox, &approve(&change)).ends_with(0);
    let prd = sandbox.read(&format!("{FOLDER}/prd.md"));
    assert!(prd.contains("Not before July.") && prd.contains("status: approved"), "{prd}");
}

/// A person's words and additions are in every later version of the PRD, also after a revision.
#[test]
fn feedback_and_added_sections_are_in_every_later_version() {
    let (sandbox, document) = at_the_prd();
    let added = "## Roll-out\n\nBerlin first, then Vienna.\n\n";
    let edited = document.replacen("## Functional requirements", &format!("{added}## Functional requirements"), 1);
    let edited = edited.replacen("- Account owners", "- Account owners and their children", 1);
    assert_ne!(edited, document);
    let no = json!({ "prdApproved": false, "editedDocument": edited, "reviewSummary": "nearly there" });
    answered(&sandbox, &no).ends_with(4);
    answered(&sandbox, &json!({ "prdApproved": false, "userFeedback": "Name the price." })).ends_with(4);
    let has_all = |document: &str| {
        for words in
            ["## Roll-out\n\nBerlin first, then Vienna.\n\n## ", "- Name the price.", "owners and their children"]
        {
            assert_eq!(document.matches(words).count(), 1, "{words}: {document}");
        }
    };
    has_all(&self::document(&sandbox));
    // The text above the added section grows, and after a verdict the PRD is assembled again.
    let more = json!({ "prdApproved": false, "answers": { "q1": "20" },
        "added": [{ "description": "A guest can report a photo, and the owner gets a mail within 1 minute." }] });
    answered(&sandbox, &more).ends_with(4);
    let with_more = self::document(&sandbox);
    has_all(&with_more);
    assert!(with_more.contains("A guest can report a photo"), "{with_more}");
    // The brief is edited meanwhile, and the PRD is assembled from the new brief.
    let path = format!("{FOLDER}/feature-brief.md");
    let brief = sandbox.read(&path).replacen("140 mails in October", "150 mails in October", 1);
    sandbox.file(&path, brief);
    answered(&sandbox, &json!({ "prdApproved": true, "gateOverride": "a pilot" })).ends_with(4);
    let again = self::document(&sandbox);
    has_all(&again);
    assert!(again.contains("150 mails in October"), "{again}");
    answered(&sandbox, &json!({ "prdApproved": true, "gateOverride": "a pilot" })).ends_with(0);
    has_all(&sandbox.read(&format!("{FOLDER}/prd.md")));
    // The next version too.
    sandbox.run(&["prd", "revise", "links", "--because", "a second pilot"]).ends_with(4);
    until_the_prd(&sandbox);
    has_all(&self::document(&sandbox));
    let history = sandbox.run(&["prd", "history", "links", "--format", "json"]).ends_with(0).stdout;
    assert!(history.contains("nearly there"), "the summary is in the log");
}

/// An edit whose position no longer exists becomes a note, and an edit that a person removes does not return.
#[test]
fn an_edit_without_a_place_is_told_once() {
    let (sandbox, document) = at_the_prd();
    let line = "Families ask support to share an album with relatives who have no account, 140 mails in October.";
    let edited = document.replacen(line, "Families write 140 mails in October, most of them twice.", 1);
    assert_ne!(edited, document);
    answered(&sandbox, &json!({ "prdApproved": false, "editedDocument": edited })).ends_with(4);
    let path = format!("{FOLDER}/feature-brief.md");
    sandbox.file(&path, sandbox.read(&path).replacen(line, "Families ask support for links, 150 mails in October.", 1));
    answered(&sandbox, &json!({ "prdApproved": false, "answers": { "q1": "20" } })).ends_with(4);
    let again = self::document(&sandbox);
    assert!(again.contains("150 mails in October"), "{again}");
    let (text, notes) = again.split_once("## Review notes").expect("notes");
    assert!(!text.contains("most of them twice") && notes.contains("most of them twice."), "{again}");
    let done = json!({ "section": "Review notes", "modifiedContent": "" });
    answered(&sandbox, &json!({ "prdApproved": false, "prdModifications": [done] })).ends_with(4);
    answered(&sandbox, &json!({ "prdApproved": false, "answers": { "q1": "No." } })).ends_with(4);
    assert!(!self::document(&sandbox).contains("most of them twice"), "{}", self::document(&sandbox));
}
