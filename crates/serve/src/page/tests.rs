//! Tests of the pages: their contents and questions, and the escaping of hostile text.

mod answers;

use serde_json::{Value, json};

use super::*;
use reqgate_audit::{Audit, Entry, Subject};
use reqgate_base::clean;
use reqgate_base::model::Language;
use reqgate_flow::{AskId, Asking, Event, Phase, Status, ThreadRecord};
use reqgate_gate::stages::intake::TicketFacts;
use reqgate_prd::ask::{FieldProblem, Input, view};
use reqgate_prd::workflow::{PrdAsk, PrdWorkflow};
use reqgate_report::samples;

const HOSTILE: &str = "<script>alert(1)</script>\" onload=\"x\u{202e}\u{1b}[31m{{ 7*7 }}</textarea>";

fn frame(language: Language, tab: Tab) -> Frame<'static> {
    Frame { language, tab, person: Some(HOSTILE), csrf: "proof", open_asks: Some(3) }
}

fn gate() -> Value {
    json!({ "document": "brief", "textHash": "0", "verdict": "REJECT", "score": 23.0,
        "blockers": [HOSTILE], "warnings": ["vague"], "questions": [] })
}

fn requirement(id: &str, description: &str) -> Value {
    json!({ "id": id, "title": HOSTILE, "description": description, "priority": "high", "category": "functional",
        "acceptance_criteria": [HOSTILE], "sources": [{ "source": "notes.md", "line": 4, "quote": HOSTILE }] })
}

/// A question of every kind.
fn asks() -> Vec<Asking<PrdWorkflow>> {
    let document =
        format!("# {HOSTILE}\n\n## Goals\n\n- Export. <!-- source: notes.md:5 \"{HOSTILE}\" -->\n\n{HOSTILE}\n");
    let path = "docs/prd/001-export/feature-brief.md";
    let team = |checkpoint: &str| {
        json!({ "kind": "team", "checkpoint": checkpoint, "language": "en", "document": document, "path": path,
            "contradictions": [{ "id": "GAP-001", "title": HOSTILE, "description": HOSTILE, "severity": "high",
                "category": "contradiction", "impact": HOSTILE, "requirements": ["FR-001", "FR-002"],
                "place": { "source": "prd", "line": 3, "quote": HOSTILE },
                "against": { "source": "prd", "line": 9, "quote": HOSTILE } }],
            "uncited": [HOSTILE], "researchDisagreements": [HOSTILE], "unasked": [HOSTILE], "resolved": [HOSTILE],
            "pending": [HOSTILE], "researchMisses": [HOSTILE], "overrideReason": HOSTILE, "reason": HOSTILE, "summary": HOSTILE, "nextSteps": HOSTILE, "gate": gate(),
            "instructions": "" })
    };
    let asks = [
        json!({ "kind": "clarification", "instructions": "",
            "questions": [{ "id": "q1", "question": HOSTILE, "about": HOSTILE }], "context": HOSTILE }),
        json!({ "kind": "brief_review", "document": document, "path": path, "gate": gate(), "instructions": "",
            "openQuestions": [{ "id": "q1", "question": "Who?" }],
            "notUsed": [{ "id": "u1", "place": { "source": "notes.md", "line": 7, "quote": HOSTILE } }] }),
        json!({ "kind": "requirements_review", "gate": gate(), "instructions": "", "path": "requirements.md",
            "requirements": [requirement("FR-001", "It exports."), requirement("FR-002", "At most ____ rows.")] }),
        json!({ "kind": "gap_decision", "gapAnalysisScore": 0.5, "threshold": 0.8, "summary": HOSTILE, "instructions": "",
            "identifiedGaps": [{ "id": "GAP-001", "title": HOSTILE, "description": HOSTILE, "severity": "high",
                "category": "missing-limit", "impact": HOSTILE, "requirements": ["FR-001"] }] }),
        json!({ "kind": "prd_review", "document": document, "path": path, "gate": gate(), "instructions": "",
            "takenOut": [HOSTILE] }),
        team("outline_approval"),
        team("override_decision"),
        team("final_approval"),
    ];
    let read = |ask| Asking::Workflow(serde_json::from_value::<PrdAsk>(ask).expect("a question"));
    asks.into_iter().map(read).collect()
}

fn ask(kind: &str) -> Asking<PrdWorkflow> {
    asks().into_iter().find(|ask| ask.kind() == kind).expect("a question of this kind")
}

fn record() -> ThreadRecord {
    ThreadRecord {
        id: "export".parse().expect("an id"),
        workflow: "prd".to_owned(),
        version: 1,
        fingerprint: String::new(),
        title: HOSTILE.to_owned(),
        root: "/".to_owned(),
        parent: None,
        created: "2026-01-02T10:00:00Z".to_owned(),
        updated: "2026-01-02T12:00:00Z".to_owned(),
        head: 9,
        head_hash: "abc".to_owned(),
        node: HOSTILE.to_owned(),
        phase: Phase::WaitingForPerson,
        ask: "export.9".parse().ok(),
    }
}

fn id() -> AskId {
    "export.9".parse().expect("an id")
}

fn shown(language: Language, question: &Asking<PrdWorkflow>, standing: Standing, events: &[Event]) -> String {
    let (id, record) = (id(), record());
    let now = "2026-01-04T12:00:00Z";
    let page =
        AskPage { id: &id, view: view(question, language), has_masks: false, record: &record, events, now, standing };
    ask_page(&frame(language, Tab::Inbox), &page).expect("a page")
}

fn open(typed: &[(&str, &str)], problems: &[&str]) -> Standing {
    let problems = problems.iter().map(|problem| FieldProblem::whole(*problem)).collect();
    Standing::Open { typed: fields(typed), problems, may_answer: true }
}

fn fields(typed: &[(&str, &str)]) -> Input {
    Input::of(typed)
}

fn event(seq: u64, body: Value) -> Event {
    Event::new(seq, "2026-01-02T12:00:00Z".to_owned(), HOSTILE.to_owned(), body, String::new())
}

/// The report of an audit whose source, ticket and question are hostile.
fn audited() -> reqgate_audit::v1::Report {
    let today = "2026-01-04".parse().expect("a day");
    let mut audit = Audit::new(Subject { source: HOSTILE.to_owned(), today, since: None });
    for outcome in samples::all() {
        let mut entry = Entry::of(&TicketFacts { id: Some(HOSTILE.to_owned()), ..TicketFacts::default() }, &outcome);
        entry.title = HOSTILE.to_owned();
        entry.first_edit = Some(HOSTILE.to_owned());
        audit.add(entry);
    }
    audit.report(|_| HOSTILE.to_owned(), None)
}

/// Every page with hostile words in every possible place.
fn pages(language: Language) -> Vec<(String, String)> {
    let mut out = Vec::new();
    let mut add = |name: &str, page: std::io::Result<String>| out.push((name.to_owned(), page.expect(name)));
    let policies = [PolicyChoice { id: "ready".to_owned(), summary: HOSTILE.to_owned() }];
    let all = samples::all();
    for outcome in &all {
        let judged = Some(Judged { outcome, before: all.first() });
        let page = JudgePage {
            text: HOSTILE,
            policies: &policies,
            policy: "ready",
            configured: "ready",
            kind: None,
            judged,
            fault: Some(HOSTILE),
        };
        add("judge", judge_page(&frame(language, Tab::Judge), &page));
    }
    let (id, record) = (id(), record());
    let waiting = Waiting {
        id: id.clone(),
        question: HOSTILE.to_owned(),
        thread_title: HOSTILE.to_owned(),
        since: "2026-01-02T12:00:00Z".to_owned(),
    };
    add("inbox", inbox_page(&frame(language, Tab::Inbox), &[waiting], &[HOSTILE.to_owned()], "2026-01-04T12:00:00Z"));
    for question in asks() {
        add(question.kind(), Ok(shown(language, &question, open(&[("feedback", HOSTILE)], &[HOSTILE]), &[])));
        let answered = Answered {
            seq: 10,
            actor: clean::words(HOSTILE),
            channel: "page".to_owned(),
            at: "soon".to_owned(),
            fields: vec![("userFeedback".to_owned(), clean::words(HOSTILE))],
        };
        let closed = Standing::Closed {
            answered: Some(answered),
            not_taken: fields(&[("feedback", HOSTILE)]),
            status: Status::WaitingForPerson,
            next: Some((id.clone(), HOSTILE.to_owned())),
        };
        add("closed", Ok(shown(language, &question, closed, &[])));
    }
    let row = ThreadRow { record: record.clone(), status: Status::WaitingForPerson };
    add("threads", threads_page(&frame(language, Tab::Threads), &[row], true));
    let question = Some((&id, HOSTILE));
    let happened = [
        event(1, json!({ "kind": "asked", "ask": ask("brief_review").json() })),
        event(
            2,
            json!({ "kind": "answered", "ask": 1, "answer": { "approved": false, "userFeedback": HOSTILE }, "channel": HOSTILE }),
        ),
    ];
    let workflows = crate::workflows();
    let workflow = workflows.of(&record).expect("the PRD");
    let page = ThreadPage {
        record: &record,
        status: Status::Failed,
        workflow,
        is_team: false,
        events: &happened,
        question,
        documents: &["prd.md".to_owned(), "prd.json".to_owned(), HOSTILE.to_owned()],
    };
    add("thread", thread_page(&frame(language, Tab::Threads), &page));
    let text = format!("# {HOSTILE}\n\n| ID | {HOSTILE} |\n|---|---|\n| FR-001 | {HOSTILE} |\n");
    add("document", document_page(&frame(language, Tab::Threads), &record, "prd.md", &text));
    let typed = fields(&[("name", HOSTILE), ("text", HOSTILE)]);
    let problems = [FieldProblem::at("text", HOSTILE)];
    let page = StartPage { typed: &typed, problems: &problems, may_start: true };
    add("start", start_page(&frame(language, Tab::Threads), &page));
    add("missing", missing_page(&frame(language, Tab::None)));
    add("audit", audit_page(&frame(language, Tab::Audit), Some(&audited()), Some(HOSTILE)));
    add("login", login_page(&frame(language, Tab::None), "/inbox", true));
    add("message", message_page(&frame(language, Tab::None), HOSTILE, HOSTILE));
    out
}

#[test]
fn hostile_words_bring_no_markup_wherever_they_stand() {
    for language in [Language::En, Language::Zh] {
        for (name, page) in pages(language) {
            let mut tags = page.split('<').filter_map(|rest| rest.split('>').next());
            assert!(!tags.any(|tag| tag.trim_start() == "script" || tag.contains("onload=\"")), "{name}: {page}");
            assert!(!page.contains("<script>"), "{name}");
            assert!(page.contains("&lt;script&gt;") || ["login", "missing"].contains(&name.as_str()), "{name}");
            assert!(!page.chars().any(|c| c != '\n' && clean::is_unsafe(c)), "{name}");
            assert!(!page.contains(" style=") && !page.contains("<style") && !page.contains("javascript:"), "{name}");
            // Only the template closes a field.
            assert_eq!(page.matches("<textarea").count(), page.matches("</textarea>").count(), "{name}");
            assert!(page.trim_end().ends_with("</html>"), "{name}");
        }
    }
}

#[test]
fn a_page_is_in_one_language() {
    for (name, page) in pages(Language::En) {
        let words = page.replace("中文", "");
        assert!(page.starts_with("<!DOCTYPE html>\n<html lang=\"en\">"), "{name}");
        // Outcomes and documents keep their own language.
        assert!(name == "judge" || !words.contains(|c: char| ('\u{4e00}'..'\u{9fff}').contains(&c)), "{name}: {words}");
    }
    for (name, page) in pages(Language::Zh) {
        assert!(page.contains("<html lang=\"zh-Hans\">") && page.contains(">English<"), "{name}");
    }
}

#[test]
fn a_verdict_marks_the_text_and_both_lead_to_each_other() {
    let outcome = samples::rejected();
    let judged = Some(Judged { outcome: &outcome, before: None });
    let page =
        JudgePage { text: "typed", policies: &[], policy: "", configured: "ready", kind: None, judged, fault: None };
    let page = judge_page(&frame(Language::En, Tab::Judge), &page).expect("a page");
    assert!(page.contains("<h1>Not ready</h1>") && page.contains("typed</textarea>"), "{page}");
    let ids = |before: &str| -> Vec<String> {
        page.split(before).skip(1).filter_map(|rest| rest.split_once('"')).map(|(id, _)| id.to_owned()).collect()
    };
    let marks = ids("href=\"#finding-");
    assert!(!marks.is_empty());
    for id in marks {
        assert!(page.contains(&format!("id=\"finding-{id}\"")) && page.contains(&format!("id=\"mark-{id}\"")), "{id}");
        assert!(page.contains(&format!("href=\"#mark-{id}\"")), "{id}");
    }
}

#[test]
fn a_document_is_compared_with_the_last_approved_version() {
    let brief = |goal: &str| {
        json!({ "kind": "brief_review", "document": format!("# Export\n\n- {goal}\n"), "path": "b.md", "gate": gate(),
            "instructions": "" })
    };
    let asked = |seq, goal| event(seq, json!({ "kind": "asked", "ask": brief(goal) }));
    let answered = |seq, ask: u64, answer: Value| {
        event(seq, json!({ "kind": "answered", "ask": ask, "answer": answer, "channel": "page" }))
    };
    let read = |goal| Asking::Workflow(serde_json::from_value(brief(goal)).expect("a question"));
    let events = [
        asked(3, "one"),
        answered(4, 3, json!({ "approved": true, "editedDocument": "# Export\n\n- two\n" })),
        asked(5, "three"),
        answered(6, 5, json!({ "approved": false, "userFeedback": "no" })),
        asked(9, "four"),
    ];
    let page = shown(Language::En, &read("four"), open(&[], &[]), &events);
    let at = |words: &str| page.find(words).unwrap_or_else(|| panic!("{words}: {page}"));
    let (approved, shown_last) =
        (at("Changes since the last approval (event 3)"), at("Changes since it was last shown (event 5)"));
    // The edited text was approved, not the one that was shown.
    let two = at("- two</span>");
    assert!(approved < two && two < shown_last && shown_last < at("- three</span>"), "{page}");
    let page = shown(Language::En, &read("four"), open(&[], &[]), &events[4..]);
    assert!(page.contains("First version") && !page.contains("class=\"diff\""), "{page}");
}

#[test]
fn a_thread_shows_steps_documents_and_decisions_before_its_log() {
    let (record, id) = (record(), id());
    let events = [
        event(1, json!({ "kind": "asked", "ask": ask("brief_review").json() })),
        event(2, json!({ "kind": "answered", "ask": 1, "answer": { "approved": true }, "channel": "page" })),
    ];
    let record = ThreadRecord { title: "Export".to_owned(), node: "requirementsReview".to_owned(), ..record };
    let workflows = crate::workflows();
    let workflow = workflows.of(&record).expect("the PRD");
    let page = ThreadPage {
        record: &record,
        status: Status::WaitingForPerson,
        workflow,
        is_team: false,
        events: &events,
        question: Some((&id, "Review the 2 requirements")),
        documents: &["feature-brief.md".to_owned(), "prd.json".to_owned()],
    };
    for (language, step) in [(Language::En, "Requirements"), (Language::Zh, "需求")] {
        let page = thread_page(&frame(language, Tab::Threads), &page).expect("a page");
        let (top, log) = page.split_once("<details class=\"log\">").expect("the details");
        assert!(top.contains(&format!("class=\"here\" aria-current=\"step\"><span>{step}</span>")), "{top}");
        assert!(top.contains("/threads/export/documents/feature-brief.md") && top.contains("/files/prd.json"), "{top}");
        assert!(top.contains("/inbox/export.1") || top.contains("class=\"decision\""), "{top}");
        assert!(!top.contains("requirementsReview") && log.contains("requirementsReview"), "{top}");
    }
}

#[test]
fn every_file_that_a_page_names_is_there() {
    for (name, page) in pages(Language::En) {
        for file in page.split("\"/assets/").skip(1).filter_map(|rest| rest.split(['"', '?']).next()) {
            assert!(asset(file).is_some(), "{name}: {file}");
        }
    }
    let script = asset("live.js").expect("the script").text;
    assert!(script.lines().count() <= 30);
    assert_eq!(asset("../Cargo.toml"), None);
}

/// A thread of another workflow is not in a list of PRDs.
#[test]
fn a_list_with_another_workflow_is_not_called_prds() {
    let row = |workflow: &str| ThreadRow {
        record: ThreadRecord { workflow: workflow.to_owned(), ..record() },
        status: Status::Running,
    };
    for (language, prds, others) in
        [(Language::En, "<h1>PRDs</h1>", "<h1>Workflows</h1>"), (Language::Zh, "<h1>PRD</h1>", "<h1>流程</h1>")]
    {
        let shown = |rows: &[ThreadRow]| threads_page(&frame(language, Tab::Threads), rows, false).expect("a page");
        assert!(shown(&[row("prd")]).contains(prds) && shown(&[]).contains(prds));
        assert!(shown(&[row("prd"), row("hiring")]).contains(others));
        let named =
            |workflow: &str| document_page(&frame(language, Tab::Threads), &row(workflow).record, "x.md", "# X\n");
        assert!(
            named("hiring")
                .expect("a page")
                .contains(&format!(r#"<a href="/threads">{}</a>"#, language.of("Workflows", "流程")))
        );
        assert!(named("prd").expect("a page").contains(r#"<a href="/threads">PRD"#));
    }
}
