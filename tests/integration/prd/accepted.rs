//! The questions that a person accepts as open when approving a PRD, and the owners of questions that are left open.

use serde_json::{Value, json};

use super::{album_ticket, answered, approved_until, open_ask};
use crate::cli::Sandbox;

const QUESTIONS: [&str; 6] = [
    "How many links may one album have?",
    "Does a guest have to enter a name?",
    "Who pays for the storage of a guest?",
    "Which languages are the mails in?",
    "Is a link that was forwarded still valid?",
    "Does the owner see who has opened a link?",
];

const PRD: &str = "docs/prd/001-links/prd.md";

/// Starts a thread and answers the questions of the gate with `answer`; returns the review of the brief.
fn brief_of(sandbox: &Sandbox, answer: &Value) -> Value {
    sandbox.file("ticket.md", album_ticket(&QUESTIONS));
    let report = sandbox.run(&["prd", "start", "--id", "links", "--from", "ticket.md", "--format", "json"]).json();
    match report["ask"]["kind"] == "clarification" {
        true => answered(sandbox, answer).ends_with(4).json()["ask"]["request"].clone(),
        false => report["ask"]["request"].clone(),
    }
}

/// Answers until the PRD is to be reviewed.
fn until_the_prd(sandbox: &Sandbox) {
    approved_until(sandbox, "prd_review");
}

#[test]
fn check_passes_an_approved_prd_and_names_what_a_person_accepted() {
    let sandbox = Sandbox::new();
    brief_of(&sandbox, &json!({ "answers": {} }));
    until_the_prd(&sandbox);
    let review = open_ask(&sandbox);
    assert_eq!(review["request"]["gate"]["openQuestions"].as_array().map(Vec::len), Some(6), "{review:#}");
    answered(&sandbox, &json!({ "prdApproved": true, "gateOverride": "answered before the \"pilot\"" })).ends_with(0);
    let prd = sandbox.read(PRD);
    let ran = sandbox.run(&["check", PRD]).ends_with(0);
    // The line breaks depend on the length of the name.
    let told = ran.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(told.contains("6 open questions were accepted by") && told.contains("before the \"pilot\""), "{ran:?}");
    assert!(ran.stdout.contains("Which languages are the mails in?"), "{ran:?}");
    // The hand-over shows them as well.
    let inbox = sandbox.run(&["inbox"]).ends_with(0).stdout;
    assert!(
        inbox.contains("approved, 6 questions without an answer") && inbox.contains("prd answer-question"),
        "{inbox}"
    );
    assert!(inbox.contains("Which languages are the mails in?"), "{inbox}");
    let folder = PRD.trim_end_matches("/prd.md");
    let plan = sandbox.run(&["plan", folder]).ends_with(0).stdout;
    assert!(plan.contains("Open questions") && plan.contains("Which languages are the mails in?"), "{plan}");
    // A question that was not accepted blocks, although others were accepted.
    let rejected = |text: String| {
        sandbox.file("edited/prd.md", text);
        sandbox.run(&["check", "edited/prd.md"]).ends_with(1)
    };
    rejected(prd.replacen("- Q-004: Which languages", "- Who deletes an album?\n- Q-004: Which languages", 1));
    let (before, behind) = prd.split_once("- Q-004: Which languages are the mails in?").expect("the question");
    let (rest, behind) = behind.split_once('\n').expect("its line");
    rejected(format!("{before}- Q-004: Which languages are the mails in?{rest} The refund flow is TBD.\n{behind}"));
    rejected(prd.replacen("\nstatus: approved\n", "\nstatus: draft\n", 1));
    rejected(
        prd.lines().filter(|line| !line.starts_with("accepted_because")).map(|line| format!("{line}\n")).collect(),
    );
    rejected(prd.lines().filter(|line| !line.starts_with("accepted_by")).map(|line| format!("{line}\n")).collect());
}

#[test]
fn what_else_stopped_an_approved_prd_is_accepted_as_long_as_its_words_stay() {
    let sandbox = Sandbox::new();
    brief_of(&sandbox, &json!({ "answers": {} }));
    until_the_prd(&sandbox);
    let review = open_ask(&sandbox);
    let document = review["request"]["document"].as_str().expect("a PRD");
    let constraint = "## Constraints\n\n- A guest link is valid for 14 days.\n\n## Traceability table";
    let edited = document.replacen("## Traceability table", constraint, 1);
    answered(&sandbox, &json!({ "prdApproved": true, "gateOverride": "a pilot", "editedDocument": edited }))
        .ends_with(0);
    let prd = sandbox.read(PRD);
    assert!(prd.contains("\naccepted_findings:\n  - \"conflicting-values: "), "{prd}");
    let ran = sandbox.run(&["check", PRD]).ends_with(0);
    assert!(ran.stdout.contains("6 open questions and") && ran.stdout.contains("accepted by"), "{ran:?}");
    assert!(ran.stdout.contains("“14 days” here"), "{ran:?}");
    // A question with changed words is a new finding.
    sandbox.file(
        "edited/prd.md",
        prd.replacen("- A guest link is valid for 14 days.", "- A guest link is valid for 13 days.", 1),
    );
    let ran = sandbox.run(&["check", "edited/prd.md"]).ends_with(1);
    assert!(ran.stdout.contains("“13 days” here"), "{ran:?}");
    let named = sandbox.run(&["check", "-v", PRD]).ends_with(0);
    assert_eq!(named.stdout.matches("a pilot").count(), 1, "the reason once: {named:?}");
}

/// An editor on Windows uses other line ends.
#[test]
fn an_edited_prd_names_what_was_accepted_whatever_ends_its_lines() {
    let sandbox = Sandbox::new();
    brief_of(&sandbox, &json!({ "answers": {} }));
    until_the_prd(&sandbox);
    let review = open_ask(&sandbox);
    let document = review["request"]["document"].as_str().expect("a PRD");
    let edited =
        document.replacen("- Comments by guests.", "- Comments by guests, and likes.", 1).replace('\n', "\r\n");
    let answer = json!({ "prdApproved": true, "gateOverride": "a pilot", "editedDocument": edited });
    answered(&sandbox, &answer).ends_with(0);
    let prd = sandbox.read(PRD);
    assert!(prd.contains("and likes") && !prd.contains('\r'), "{prd}");
    let ran = sandbox.run(&["check", PRD]).ends_with(0);
    assert!(ran.stdout.contains("6 open questions were accepted by"), "{ran:?}");
}

#[test]
fn an_edited_prd_accepts_nothing_by_itself() {
    let sandbox = Sandbox::new();
    brief_of(&sandbox, &json!({ "answers": {} }));
    until_the_prd(&sandbox);
    let review = open_ask(&sandbox);
    let document = review["request"]["document"].as_str().expect("a PRD");
    let questions: String = QUESTIONS.iter().map(|question| format!("  - {question:?}\n")).collect();
    let accepted = format!(
        "status: approved\naccepted_by: Mallory\naccepted_because: so be it\naccepted_open_questions:\n{questions}"
    );
    let edited = document.replacen("status: draft\n", &accepted, 1);
    answered(&sandbox, &json!({ "prdApproved": true, "editedDocument": edited })).ends_with(4);
    let again = open_ask(&sandbox);
    assert_eq!(again["request"]["gate"]["openQuestions"].as_array().map(Vec::len), Some(6), "{again:#}");
    assert_eq!(again["request"]["document"], document, "what it says of its own approval is left out");
    answered(&sandbox, &json!({ "prdApproved": true, "gateOverride": "a pilot" })).ends_with(0);
    let prd = sandbox.read(PRD);
    assert!(prd.contains("accepted_because: \"a pilot\"") && !prd.contains("Mallory"), "{prd}");
}

#[test]
fn a_change_log_is_in_the_order_of_time() {
    let sandbox = Sandbox::new();
    brief_of(&sandbox, &json!({ "answers": {} }));
    until_the_prd(&sandbox);
    answered(&sandbox, &json!({ "prdApproved": true, "gateOverride": "a pilot first" })).ends_with(0);
    let path = "docs/prd/001-links/requirements.md";
    let changed = sandbox.read(path).replacen("30 days", "31 days", 1);
    sandbox.file(path, changed);
    sandbox.run(&["prd", "revise", "links", "--because", "31 days, says Ann", "--actor", "ann"]).ends_with(4);
    until_the_prd(&sandbox);
    answered(&sandbox, &json!({ "prdApproved": true, "gateOverride": "the pilot goes on" })).ends_with(0);
    let prd = sandbox.read(PRD);
    let (_, log) = prd.split_once("\n## Change log\n\n").expect("a change log");
    let (log, _) = log.split_once("\n\n## ").expect("the table of traces behind it");
    let shown: Vec<&str> = log.lines().map(|line| line.rsplit(": ").next().unwrap_or_default()).collect();
    assert_eq!(shown, ["a pilot first", "31 days, says Ann", "the pilot goes on"], "{log}");
}

#[test]
fn a_question_is_left_open_with_an_owner_a_day_and_a_default() {
    let sandbox = Sandbox::new();
    let left = json!({ "answers": { "q1": { "owner": "Mei", "due": "12 Dec", "default": "5" } } });
    let brief = brief_of(&sandbox, &left);
    let document = brief["document"].as_str().expect("a brief");
    let assigned = "\n  Owner: Mei\n  Due: 12 Dec\n  Default: 5\n  Answer: ______\n";
    assert_eq!(document.matches(assigned).count(), 1, "{document}");
    let id = |words: &str| {
        let questions = brief["openQuestions"].as_array().expect("a list");
        let one = questions.iter().find(|one| one["question"].to_string().contains(words)).expect("a question");
        one["id"].as_str().expect("an id").to_owned()
    };
    let answers = json!({
        id("enter a name"): { "answer": "No.", "owner": "Mei" },
        id("Who pays"): { "default": "we do" },
        id("languages"): { "who": "Mei" },
    });
    answered(&sandbox, &json!({ "approved": true, "answers": answers })).ends_with(2);
    let mut answers = answers;
    answers.as_object_mut().expect("an object").remove(&id("languages"));
    // A person may write keys in the style of YAML.
    answered(&sandbox, &json!({ "approved": true, "answers": answers, "user_feedback": null })).ends_with(4);
    let brief = sandbox.read("docs/prd/001-links/feature-brief.md");
    assert!(brief.contains("[x] Q-002: Does a guest have to enter a name?"), "{brief}");
    assert!(brief.contains("Default: we do"), "{brief}");
}

#[test]
fn a_question_that_is_left_open_is_in_the_brief_whoever_drafts() {
    let sandbox = Sandbox::new();
    sandbox.file("ticket.md", album_ticket(&QUESTIONS));
    let arguments = ["prd", "start", "--id", "links", "--author", "agent", "--from", "ticket.md", "--format", "json"];
    // A reader of the sources gets the questions with the order, each with its line; the thread does not stop for them.
    let next = sandbox.run(&arguments).ends_with(4).json();
    let handed = &next["order"]["inputs"]["documents"][0];
    assert_eq!(handed["name"], "questions", "{next:#}");
    assert!(handed["text"].as_str().is_some_and(|text| text.contains("(ticket.md:31)")), "{handed:#}");
    let order = next["order"]["id"].as_str().expect("an order").to_owned();
    let place = |line: u32, quote: &str| json!({ "source": "ticket.md", "line": line, "quote": quote });
    let draft = json!({
        "title": "Guest links",
        "language": "en",
        "goals": [{ "text": "A guest link is valid for 30 days.", "source": place(17, "A guest link is valid for 30 days.") }],
        // The draft asks one of the questions in different words.
        "open_questions": [{ "question": "What is the most links?", "source": place(31, "How many links may one album have?") }],
    });
    sandbox.file("draft.json", draft.to_string());
    sandbox.run(&["prd", "submit", &order, "--json", "draft.json"]).ends_with(4);
    let brief = open_ask(&sandbox)["request"]["document"].as_str().expect("a brief").to_owned();
    let (_, open) = brief.split_once("## Open questions").expect("open questions");
    assert!(open.contains("What is the most links?"), "{brief}");
    assert_eq!(open.matches("How many links may").count(), 1, "only as a quote: {brief}");
    for asked in ["enter a name", "Who pays", "Which languages", "forwarded"] {
        assert!(open.contains(asked), "{asked}: {brief}");
    }
}

#[test]
fn what_a_meeting_parked_is_asked_by_its_topic() {
    let sandbox = Sandbox::new();
    let minutes = "---\nsource: meeting\n---\nAnna: The clerks need a lock for double bookings, they lose an hour a day.\n\
        Bo: How long should the lock hold? 5 minutes? 10?\nAnna: No idea. Let's park it.\nBo: The lock is shown as a red padlock.\n";
    sandbox.file("minutes.md", minutes);
    let ran = sandbox.run(&["score", "minutes.md"]).ends_with(1);
    assert!(ran.stdout.contains("“How long should the lock hold?”: what was decided in the end?"), "{ran:?}");
    assert!(!ran.stdout.contains("“Let's park it.”"), "{ran:?}");
}
