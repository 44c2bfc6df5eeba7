//! Every kind of question has a view, and its fields make an answer that fits.

use serde_json::{Value, json};

use super::*;
use crate::workflow::PrdAsk;
use reqgate_flow::{Because, Interrupt};

const DOCUMENT: &str = "# Export\n\n## Goals\n\n- Export.\n";

fn gate() -> Value {
    json!({ "document": "prd", "textHash": "0", "verdict": "REJECT", "blockers": ["It is vague."] })
}

fn requirement(id: &str, description: &str) -> Value {
    json!({ "id": id, "title": "Export", "description": description, "priority": "high", "category": "functional",
        "acceptance_criteria": ["It is CSV."], "sources": [] })
}

/// A question of every kind.
fn asks() -> Vec<Asking<PrdWorkflow>> {
    let path = "docs/prd/001-export/feature-brief.md";
    let open = json!([{ "id": "q1", "question": "Who?" }]);
    let team = |checkpoint: &str| {
        json!({ "kind": "team", "checkpoint": checkpoint, "language": "en", "document": DOCUMENT, "path": path,
            "uncited": ["Line 3"], "reason": "The rounds are over.", "gate": gate(), "instructions": "" })
    };
    let asks = [
        json!({ "kind": "clarification", "instructions": "", "questions": open }),
        json!({ "kind": "brief_review", "document": DOCUMENT, "path": path, "gate": gate(), "instructions": "",
            "openQuestions": open, "notUsed": [{ "id": "u1", "place": { "source": "notes.md", "line": 7, "quote": "Fast." } }] }),
        json!({ "kind": "requirements_review", "gate": gate(), "instructions": "", "path": "requirements.md",
            "requirements": [requirement("FR-001", "It exports."), requirement("FR-002", "At most ____ rows.")] }),
        json!({ "kind": "gap_decision", "gapAnalysisScore": 0.5, "threshold": 0.8, "summary": "A gap.", "instructions": "",
            "identifiedGaps": [{ "id": "GAP-001", "title": "No limit", "description": "", "severity": "high",
                "category": "missing-limit", "impact": "", "requirements": ["FR-001"] }] }),
        json!({ "kind": "prd_review", "document": DOCUMENT, "path": path, "gate": gate(), "instructions": "", "openQuestions": open }),
        team("outline_approval"),
        team("draft_approval"),
        team("revision_approval"),
        team("override_decision"),
        team("final_approval"),
    ];
    let read = |ask| Asking::Workflow(serde_json::from_value::<PrdAsk>(ask).expect("a question"));
    let interrupt = Interrupt {
        reason: "It failed.".to_owned(),
        state: [].into(),
        resume_instructions: "Continue: try again.".to_owned(),
    };
    let stopped = Asking::Engine(Because::NodeFailed { messages: Vec::new() }, interrupt);
    asks.into_iter().map(read).chain([stopped]).collect()
}

fn ask(kind: &str) -> Asking<PrdWorkflow> {
    asks().into_iter().find(|ask| ask.kind() == kind).expect("a question of this kind")
}

#[test]
fn every_kind_has_a_view_in_both_languages() {
    for question in asks() {
        let kind = question.kind();
        let [english, chinese] = [Language::En, Language::Zh].map(|language| view(&question, language));
        for view in [&english, &chinese] {
            assert!(!view.title.is_empty() && !view.effect.is_empty() && !view.subject.is_empty(), "{kind}");
            assert!(view.inputs().all(|field| !field.id.is_empty() && !field.label.is_empty()), "{kind}");
            let decides_whole = view.yes_or_no.is_some() || view.questions.len() == 1;
            assert!(decides_whole, "{kind}");
        }
        let ids = |view: &AskView<'_>| view.inputs().map(|field| field.id.clone()).collect::<Vec<_>>();
        assert_eq!(ids(&english), ids(&chinese), "{kind}");
        let is_chinese = |c: char| ('\u{4e00}'..'\u{9fff}').contains(&c);
        assert!(english.inputs().all(|field| !field.label.contains(is_chinese)), "{kind}");
    }
}

#[test]
fn a_yes_and_a_no_in_a_word_fit() {
    for question in asks() {
        let kind = question.kind();
        let because = view(&question, Language::En).needs_reason.then_some("a pilot");
        let yes = answer(&question, &approving(&question, because).expect(kind)).expect(kind);
        assert_eq!((question.check(&yes.json()), yes.is_no()), (Ok(()), false), "{kind}: {}", yes.json());
        assert_eq!(read(&question, &yes.json()).expect(kind), yes, "{kind}");
        let Ok(no) = rejecting(&question, "shorter") else {
            assert_eq!(kind, "clarification");
            continue;
        };
        let no = answer(&question, &no).expect(kind);
        assert_eq!((question.check(&no.json()), no.is_no()), (Ok(()), true), "{kind}: {}", no.json());
        assert!(!in_words(&question, &no.json(), Language::En).is_empty(), "{kind}");
    }
    assert_eq!(approving(&ask("brief_review"), Some("why")), Err(NoReply::NothingToOverride));
}

#[test]
fn old_names_of_fields_are_read() {
    let read = |kind: &str, answer: Value| read(&ask(kind), &answer).expect(kind).json();
    let brief = read("brief_review", json!({ "featureBriefApproved": false, "user_feedback": "shorter" }));
    assert_eq!(brief, json!({ "approved": false, "userFeedback": "shorter" }));
    assert_eq!(read("prd_review", json!({ "approved": true })), json!({ "prdApproved": true }));
    let gaps = read("gap_decision", json!({ "userWantsToContinueDespiteGaps": false }));
    assert_eq!(gaps, json!({ "userIterationOverride": false }));
}

#[test]
fn a_review_that_was_opened_again_speaks_the_language_of_its_decided_requirements() {
    let mut decided = requirement("FR-001", "系统按门店导出当天的订单。");
    decided["title"] = json!("导出订单");
    decided["decision"] = json!({ "verdict": "approved" });
    let ask = json!({ "kind": "requirements_review", "gate": gate(), "instructions": "", "path": "requirements.md",
        "requirements": [], "decided": [decided] });
    let ask: PrdAsk = serde_json::from_value(ask).expect("a question");
    assert_eq!(ask.language(), Language::Zh);
    let view = view(&Asking::Workflow(ask), Language::Zh).inputs().map(|field| field.id.clone()).collect::<Vec<_>>();
    assert!(view.contains(&"verdict.FR-001".to_owned()), "{view:?}");
}
