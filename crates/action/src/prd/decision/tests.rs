//! Tests of decisions on GitHub: who may give them, about which documents, and when they count.

use serde_json::json;

use super::*;
use reqgate_flow::{Because, Clarification, Interrupt, Question};
use reqgate_prd::workflow::PrdAsk;

const SINCE: &str = "2026-11-24T08:00:10Z";

fn account(login: &str, kind: AccountKind) -> Account {
    Account { login: login.to_owned(), kind }
}

fn comment(login: &str, at: &str, words: &str) -> Remark {
    let way = Way::Comment { is_edited: false };
    Remark { id: 1, by: account(login, AccountKind::User), at: at.into(), words: words.into(), way }
}

fn review(id: u64, login: &str, commit: &str, state: ReviewState, words: &str) -> Remark {
    let way = Way::Review { commit: commit.into(), state };
    Remark {
        id,
        by: account(login, AccountKind::User),
        at: format!("2026-11-24T08:01:{id:02}Z"),
        words: words.into(),
        way,
    }
}

fn clarification() -> Asking<PrdWorkflow> {
    let question = Question { id: "q1".into(), question: "Who?".into(), about: None };
    let ask = Clarification { questions: vec![question], context: None, instructions: String::new() };
    Asking::Workflow(PrdAsk::Clarification(ask))
}

fn brief() -> Asking<PrdWorkflow> {
    let ask = json!({ "kind": "brief_review", "document": "# Feature brief: X", "path": "docs/prd/001-x/feature-brief.md",
        "gate": { "document": "brief", "textHash": "", "verdict": "PASS" }, "instructions": "" });
    Asking::Workflow(serde_json::from_value(ask).expect("a question"))
}

fn stopped() -> Asking<PrdWorkflow> {
    let ask = json!({ "kind": "prd_review", "document": "# PRD", "path": "docs/prd/001-x/prd.md",
        "gate": { "document": "prd", "textHash": "", "verdict": "REJECT" }, "instructions": "" });
    Asking::Workflow(serde_json::from_value(ask).expect("a question"))
}

fn interrupt() -> Asking<PrdWorkflow> {
    let ask = Interrupt { reason: String::new(), state: [].into(), resume_instructions: String::new() };
    Asking::Engine(Because::NodeFailed { messages: Vec::new() }, ask)
}

/// Carol may write; bob is the author of the issue.
fn decided(question: &Asking<PrdWorkflow>, said: &[Remark]) -> Decision {
    let mark: Mark = "octo-shop-7.6-ab12".parse().unwrap();
    let asked = OpenQuestion { mark: &mark, question, commit: "c0", since: SINCE, author: "bob" };
    decide(asked, said, &mut |login| Ok(login == "carol" || login == "dora")).unwrap()
}

fn outcome(question: &Asking<PrdWorkflow>, said: &[Remark]) -> String {
    let decision = decided(question, said);
    match (&decision.given, decision.not_counted.as_slice()) {
        (Some(given), _) => format!("{} {}", given.by, given.value),
        (None, []) => "nothing".to_owned(),
        (None, all) => all.iter().map(|(_, reason)| format!("{reason:?}")).collect::<Vec<_>>().join(" "),
    }
}

#[test]
fn an_answer_counts_only_from_whom_it_may_come_and_when() {
    let (after, before) = ("2026-11-24T08:00:10Z", "2026-11-24T08:00:09Z");
    let approve = "/reqgate approve octo-shop-7.6-ab12";
    let is = |question: &Asking<PrdWorkflow>, said: &[Remark], expected: &str| {
        assert_eq!(outcome(question, said), expected, "{said:?}");
    };
    is(&brief(), &[comment("carol", after, approve)], r#"carol {"approved":true}"#);
    is(&brief(), &[comment("carol", before, approve)], "Early");
    is(&brief(), &[comment("bob", after, approve)], "NoPermission");
    is(&brief(), &[comment("carol", after, "/reqgate approve octo-shop-7.5")], "nothing");
    is(&brief(), &[comment("carol", after, "/reqgate approve octo-shop-70.6-ab12")], "nothing");
    // Another text was written under the number that was seen.
    is(&brief(), &[comment("carol", after, "/reqgate approve octo-shop-7.6-ab13")], "OtherText");
    is(&brief(), &[comment("carol", after, "/reqgate approve octo-shop-7.6")], "OtherText");
    let mut one = comment("carol", after, approve);
    one.way = Way::Comment { is_edited: true };
    is(&brief(), &[one], "Edited");
    let mut one = comment("carol", after, approve);
    one.by.kind = AccountKind::Bot;
    is(&brief(), &[one], "Bot");
    let mut one = comment("carol", after, approve);
    one.by.kind = AccountKind::Other;
    is(&brief(), &[one], "Bot");
    // The author of the issue may inform, and not approve.
    let informs = "/reqgate answer octo-shop-7.6-ab12\nq1: the clerk";
    is(&clarification(), &[comment("bob", after, informs)], r#"bob {"answers":{"q1":"the clerk"}}"#);
    is(&clarification(), &[comment("eve", after, informs)], "NoPermission");
    is(&clarification(), &[comment("bob", after, approve)], "NoPermission");
    let json = "/reqgate answer octo-shop-7.6-ab12 {\"approved\": true}";
    is(&brief(), &[comment("bob", after, json)], "NoPermission");
    is(&brief(), &[comment("carol", after, "/reqgate answer octo-shop-7.6-ab12 {\"aproved\": true}")], "Unfit");
    is(&brief(), &[comment("carol", after, "/reqgate reject octo-shop-7.6-ab12")], "NeedsWords");
    is(&clarification(), &[comment("carol", after, "/reqgate reject octo-shop-7.6-ab12 no")], "NeedsAnswers");
}

#[test]
fn open_questions_of_a_prd_are_answered_by_people_who_may_write() {
    let ask = json!({ "kind": "prd_review", "document": "# PRD", "path": "docs/prd/001-x/prd.md", "instructions": "",
        "openQuestions": [{ "id": "q1", "question": "Who?" }],
        "gate": { "document": "prd", "textHash": "", "verdict": "REJECT" } });
    let question = Asking::Workflow(serde_json::from_value(ask).expect("a question"));
    let informs = "/reqgate answer octo-shop-7.6-ab12\nq1: the clerk";
    let by = |login: &str| outcome(&question, &[comment(login, SINCE, informs)]);
    assert_eq!(by("carol"), r#"carol {"prdApproved":false,"answers":{"q1":"the clerk"}}"#);
    assert_eq!(by("bob"), "NoPermission");
}

#[test]
fn a_review_counts_for_the_commit_that_was_seen() {
    use ReviewState::{Approved, ChangesRequested, Other};
    let is = |question: &Asking<PrdWorkflow>, said: &[Remark], expected: &str| {
        assert_eq!(outcome(question, said), expected, "{said:?}");
    };
    is(&brief(), &[review(1, "carol", "c0", Approved, "")], r#"carol {"approved":true}"#);
    is(&brief(), &[review(1, "carol", "c1", Approved, "")], "OtherCommit");
    is(&brief(), &[review(1, "carol", "", Approved, "")], "OtherCommit");
    is(&brief(), &[review(1, "bob", "c0", Approved, "")], "NoPermission");
    is(&brief(), &[review(1, "carol", "c0", Other, "/reqgate approve octo-shop-7.6-ab12")], "nothing");
    is(&brief(), &[review(1, "carol", "c0", ChangesRequested, " ")], "NeedsWords");
    let no = r#"dora {"approved":false,"userFeedback":"Say who."}"#;
    let (yes, no_too) = (review(1, "carol", "c0", Approved, ""), review(2, "dora", "c0", ChangesRequested, "Say who."));
    is(&brief(), &[yes, no_too], no);
    // A rejection in JSON counts as a rejection, too.
    let yes = review(1, "carol", "c0", Approved, "");
    let json = r#"/reqgate answer octo-shop-7.6-ab12 {"approved":false,"userFeedback":"Say who."}"#;
    is(&brief(), &[yes.clone(), comment("dora", "2026-11-24T08:02:00Z", json)], no);
    // However both are spelled.
    let yes_of_prd =
        comment("carol", SINCE, r#"/reqgate answer octo-shop-7.6-ab12 {"approved":true,"gate_override":"a"}"#);
    let no_of_prd = r#"{"approved":false,"user_feedback":"Say who."}"#;
    let said = comment("dora", "2026-11-24T08:02:00Z", &format!("/reqgate answer octo-shop-7.6-ab12 {no_of_prd}"));
    is(&stopped(), &[yes_of_prd, said], &format!("dora {no_of_prd}"));
    // Information from the author of the issue does not block an approval.
    let informs = "/reqgate answer octo-shop-7.6-ab12\nq1: the clerk";
    is(&brief(), &[yes.clone(), comment("bob", "2026-11-24T08:02:00Z", informs)], r#"carol {"approved":true}"#);
    // A dismissed review does not restore an earlier one, and a mere remark does not replace one.
    is(&brief(), &[yes.clone(), review(2, "carol", "c0", ReviewState::Dismissed, "no")], "nothing");
    is(&brief(), &[yes.clone(), review(2, "dora", "c0", ReviewState::Dismissed, "")], r#"carol {"approved":true}"#);
    is(&brief(), &[yes, review(2, "carol", "c0", Other, "thanks")], r#"carol {"approved":true}"#);
    // Only the last word of a person counts.
    let (first, last) = (review(1, "carol", "c0", ChangesRequested, "no"), review(2, "carol", "c0", Approved, ""));
    is(&brief(), &[first, last], r#"carol {"approved":true}"#);
    is(&stopped(), &[review(1, "carol", "c0", Approved, "")], "NeedsReason");
    // GitHub does not show if another person has edited the words of a review.
    is(&stopped(), &[review(1, "carol", "c0", Approved, "a pilot")], "NeedsReason");
    let reason = comment("carol", SINCE, "/reqgate approve octo-shop-7.6-ab12 a pilot");
    is(&stopped(), &[reason], r#"carol {"prdApproved":true,"gateOverride":"a pilot"}"#);
    // Words that would be lost do not approve.
    let wish = comment("carol", SINCE, "/reqgate approve octo-shop-7.6-ab12 but add CSV");
    is(&brief(), &[wish], "ReasonWithoutEffect");
    is(&interrupt(), &[review(1, "carol", "c0", Approved, "")], "nothing");
    let on = comment("carol", SINCE, "/reqgate approve octo-shop-7.6-ab12");
    is(&interrupt(), &[on], r#"carol {"action":"continue"}"#);
}

#[test]
fn changes_are_requested_by_the_last_word_of_somebody_who_may_write() {
    use ReviewState::{Approved, ChangesRequested, Dismissed};
    let requested = |said: &[Remark]| {
        let found = changes_requested(said, "c0", &mut |login| Ok(login == "carol" || login == "dora")).unwrap();
        found.map(|said| said.by.login.clone())
    };
    let carol = || review(1, "carol", "c0", ChangesRequested, "more");
    assert_eq!(requested(&[carol()]).as_deref(), Some("carol"));
    assert_eq!(requested(&[carol(), review(2, "dora", "c0", Approved, "")]).as_deref(), Some("carol"));
    let mut program = carol();
    program.by.kind = AccountKind::Bot;
    for said in [
        vec![carol(), review(2, "carol", "c0", Approved, "")],
        vec![carol(), review(2, "carol", "c0", Dismissed, "")],
        vec![review(1, "bob", "c0", ChangesRequested, "more")],
        vec![review(1, "carol", "c1", ChangesRequested, "more")],
        vec![review(1, "carol", "c0", ChangesRequested, " ")],
        vec![program],
    ] {
        assert_eq!(requested(&said), None, "{said:?}");
    }
}

#[test]
fn a_no_is_told_by_the_answer_itself() {
    let gaps = json!({ "kind": "gap_decision", "gapAnalysisScore": 0.5, "threshold": 0.8, "identifiedGaps": [],
        "summary": "", "instructions": "" });
    let gaps = Asking::Workflow(serde_json::from_value(gaps).expect("a question"));
    let requirements = json!({ "kind": "requirements_review", "requirements": [], "path": "x", "instructions": "",
        "gate": { "document": "requirements", "textHash": "", "verdict": "PASS" } });
    let requirements = Asking::Workflow(serde_json::from_value(requirements).expect("a question"));
    let yes = json!({"id": "FR-001", "verdict": "approve"});
    for (question, value, expected) in [
        (&brief(), json!({"approved": true}), false),
        (&brief(), json!({"approved": false}), true),
        (&brief(), json!({"featureBriefApproved": true}), false),
        (&stopped(), json!({"prdApproved": true}), false),
        (&stopped(), json!({"approved": true, "gate_override": "a pilot"}), false),
        (&stopped(), json!({"prd_approved": true}), false),
        (&stopped(), json!({"approved": false, "user_feedback": "Say who."}), true),
        (&stopped(), json!({"prdApproved": false}), true),
        (&clarification(), json!({"answers": {}}), false),
        (&interrupt(), json!({"action": "continue"}), false),
        (&interrupt(), json!({"action": "abort"}), true),
        (&gaps, json!({"userIterationOverride": false}), false),
        (&gaps, json!({"userIterationOverride": true}), true),
        (&gaps, json!({"user_iteration_override": true}), true),
        (&gaps, json!({"userWantsToContinueDespiteGaps": true}), true),
        (&gaps, json!({"gaps": {"gap-1": {"decision": "ask"}}}), false),
        (&gaps, json!({"gaps": {"gap-1": {"decision": "fix"}}}), true),
        (&requirements, json!({"verdicts": [yes, {"id": "FR-002", "verdict": "defer"}]}), false),
        (
            &requirements,
            json!({"verdicts": [yes, {"id": "FR-002", "verdict": "modify", "changes": {}, "reason": ""}]}),
            true,
        ),
        (&requirements, json!({"verdicts": [yes, {"id": "FR-002", "verdict": "reject", "reason": ""}]}), true),
        (&requirements, json!({"verdicts": [], "others": "approve"}), false),
        (&requirements, json!({"verdicts": [], "others": "reject"}), true),
    ] {
        assert_eq!(is_no(question, &value), expected, "{value}");
    }
}

#[test]
fn the_order_in_which_github_lists_things_decides_nothing() {
    use ReviewState::{Approved, ChangesRequested};
    let said = [
        review(1, "carol", "c0", Approved, ""),
        review(2, "dora", "c0", ChangesRequested, "Say who."),
        comment("carol", SINCE, "/reqgate reject octo-shop-7.6-ab12 Say when."),
        review(3, "bob", "c0", Approved, ""),
    ];
    let expected = decided(&brief(), &said);
    for shift in 0..said.len() {
        let mut other = said.to_vec();
        other.rotate_left(shift);
        assert_eq!(decided(&brief(), &other), expected);
        other.reverse();
        assert_eq!(decided(&brief(), &other), expected);
    }
}
