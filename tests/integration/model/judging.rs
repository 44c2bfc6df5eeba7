//! The permitted effects of a model: it may add findings that the text proves, lower a criterion within its bound, and
//! ask better questions.

use reqgate::model::{DiscardReason, FallbackLevel, ModelStepEnd, Outcome, Severity, Verdict};
use reqgate::pipeline::Pipeline;
use serde_json::json;

use super::{Scripted, with_files};
use crate::cli::{READY, UNREADY};
use crate::texts::pipelines;

const QUOTE: &str = "The file name is statement-YYYY-MM.pdf";

/// A pipeline with the policy that asks a model up to three questions.
fn by_the_letter() -> Pipeline {
    with_files(&[])
}

fn said(scripted: &Scripted, pipeline: Pipeline, ticket: &str) -> Outcome {
    pipeline.with_reviewer(scripted.reviewer()).run(pipelines::input(ticket)).expect("it can be judged")
}

fn evidence(id: &str, quote: &str, grade: &str) -> Scripted {
    let problem = json!({"quote": quote, "reason": "the time zone of the month is open"});
    let scoring = json!({"criteria": [{"id": id, "problems": [problem], "grade": grade}]});
    Scripted::new([("structuring_v1", "{}".to_owned()), ("scoring_v1", scoring.to_string())])
}

#[test]
fn a_proven_finding_warns_and_lowers_its_criterion_within_the_bound() {
    let outcome = said(&evidence("model-unclear-outcome", QUOTE, "unclear"), by_the_letter(), READY);
    let report = outcome.score_report.expect("it is scored");
    let issue = report.non_blocking_issues.iter().find(|issue| issue.rule_id.as_str() == "model-unclear-outcome");
    let issue = issue.expect("the finding is there");
    assert_eq!(issue.quote.as_deref(), Some(QUOTE));
    assert_eq!(issue.position.expect("it has a place").line, 9);
    let model = outcome.model.expect("a model was asked");
    let lowered = &model.lowered[0];
    assert_eq!((lowered.criterion.as_str(), lowered.from, lowered.to), ("outcomes-checkable", 1.0, 0.5));
    assert!(
        (model.rules_score - report.total_score - issue.points).abs() < 0.11,
        "{} {}",
        model.rules_score,
        issue.points
    );
    assert_eq!((model.added_findings, model.scoring), (1, FallbackLevel::RulesAndModel));
}

#[test]
fn what_the_text_does_not_prove_is_thrown_away_and_counted() {
    for (id, quote, grade, reasons) in [
        (
            "model-unclear-outcome",
            "The file is called export.pdf",
            "unclear",
            vec![DiscardReason::NotInText, DiscardReason::NoEvidence],
        ),
        ("model-unclear-outcome", "NOWHERE", "unclear", vec![DiscardReason::Contradicted, DiscardReason::NoEvidence]),
    ] {
        let outcome = said(&evidence(id, quote, grade), by_the_letter(), READY);
        let model = outcome.model.expect("a model was asked");
        let told: Vec<DiscardReason> = model.discarded.iter().map(|discarded| discarded.reason).collect();
        assert_eq!(told, reasons, "{quote}");
        assert_eq!(outcome.score_report.expect("it is scored").total_score, model.rules_score);
        assert!(model.lowered.is_empty() && model.added_findings == 0);
        assert_eq!(model.scoring, FallbackLevel::Rules, "nothing of it was heard");
    }
}

#[test]
fn a_testimony_about_what_nobody_asked_is_asked_for_again_and_then_given_up() {
    let scripted = evidence("missing-acceptance-criteria", QUOTE, "unclear");
    let model = said(&scripted, by_the_letter(), READY).model.expect("a model was asked");
    let asked = scripted.asked();
    let scoring: Vec<_> = asked.iter().filter(|request| request.question == "scoring_v1").collect();
    assert_eq!(scoring.len(), 3);
    let ids = &scoring[0].schema["properties"]["criteria"]["items"]["properties"]["id"]["enum"];
    assert!(ids.as_array().is_some_and(|ids| ids.contains(&json!("model-unclear-outcome"))), "{ids}");
    assert!(scoring[1].feedback[0].starts_with("criteria.id: expected one of model-"), "{:?}", scoring[1].feedback);
    assert_eq!((model.scoring, model.discarded.len()), (FallbackLevel::Rules, 0));
    assert!(matches!(model.steps[1].end, ModelStepEnd::Failed { .. }), "{:?}", model.steps);
    // One valid id is enough; other statements are discarded.
    let stray = json!({"id": "total_score", "problems": [], "grade": "clear"});
    let good = json!({"id": "model-unclear-outcome", "problems": [], "grade": "clear"});
    scripted.say([("scoring_v1", json!({"criteria": [stray, good]}).to_string())]);
    let model = said(&scripted, by_the_letter(), READY).model.expect("a model was asked");
    let reasons: Vec<DiscardReason> = model.discarded.iter().map(|discarded| discarded.reason).collect();
    assert_eq!((model.scoring, reasons), (FallbackLevel::RulesAndModel, vec![DiscardReason::NotAsked]));
}

const BLOCKING: &str = "\
id: model-unclear-outcome
version: 2.0.0
category: MISSING_AC
asks: Could a tester decide every condition of acceptance by looking?
rubrics:
  feature: { lowers: outcomes-checkable, bound: 0.2, may_block: true }
wording:
  en:
    summary: a condition that nobody can decide
    why: Whoever tests it will decide by taste.
    message: \"nobody can decide this: {reason}\"
    question: \"What does a tester see?\"
    fix: Write the value that decides.
";

#[test]
fn only_a_question_that_may_block_blocks_and_only_with_words_of_the_text() {
    let own = || with_files(&[("questions/model-unclear-outcome.yaml", BLOCKING)]);
    let blocked = said(&evidence("model-unclear-outcome", QUOTE, "unclear"), own(), READY);
    assert_eq!(blocked.decision.verdict, Verdict::Reject);
    assert_eq!(
        blocked.score_report.expect("it is scored").blocking_issues[0].rule_id.as_str(),
        "model-unclear-outcome"
    );
    for (grade, quote) in [("partly", QUOTE), ("unclear", "not in the text at all"), ("unclear", "NOWHERE")] {
        let outcome = said(&evidence("model-unclear-outcome", quote, grade), own(), READY);
        assert_eq!(outcome.decision.verdict, Verdict::Pass, "{grade} {quote}");
        let warned = outcome.score_report.expect("it is scored");
        assert!(warned.non_blocking_issues.iter().all(|issue| issue.severity == Severity::Warning));
    }
}

#[test]
fn a_draft_of_the_model_alone_earns_nothing() {
    let ticket =
        "Drawer lock\n\nCoins went missing twice. Nobody must open it at night, says Mira; the lamp burns then, red.\n";
    let alone = by_the_letter().run(pipelines::input(ticket)).expect("it can be judged");
    let sorted = json!({
        "title": "Drawer lock", "story": ["Nobody must open it at night"],
        "acceptance_criteria": ["the lamp burns then, red", "the lamp burns green"],
    });
    let scripted = Scripted::new([("structuring_v1", sorted.to_string())]);
    let with = said(&scripted, by_the_letter(), ticket);
    let total = |outcome: &Outcome| outcome.score_report.as_ref().expect("it is scored").total_score;
    assert_eq!(total(&with), total(&alone));
    let draft =
        with.structured.as_ref().and_then(|structured| structured.draft.as_ref()).expect("the model gave a draft");
    assert!(draft.acceptance_criteria.iter().any(|words| words == "the lamp burns then, red"));
    assert!(!draft.acceptance_criteria.iter().any(|words| words.contains("green")));
    let model = with.model.as_ref().expect("a model was asked");
    assert_eq!(model.discarded[0].reason, DiscardReason::NotInText);
    assert_eq!((model.structuring, model.scoring), (FallbackLevel::RulesAndModel, FallbackLevel::Rules));
}

#[test]
fn questions_and_rewrites_take_the_place_of_the_rules_own() {
    let clarified = json!({
        "questions": [{"about": 1, "question": "Within how many seconds must which widget of the dashboard be shown?"}],
        "rewrites": [{
            "original": "As a manager I want the dashboard to load faster so that I lose less time in the morning meeting.",
            "rewrite": "As a manager I want the dashboard to load within ____ seconds so that I lose less time in the morning meeting.",
        }],
    });
    let scripted = Scripted::new([("clarify_v1", clarified.to_string())]);
    let outcome = said(&scripted, by_the_letter(), UNREADY);
    let report = outcome.score_report.as_ref().expect("it is scored");
    let mut questions = report.blocking_issues.iter().filter_map(|issue| issue.question.as_deref());
    assert!(questions.any(|question| question.starts_with("Within how many seconds")), "{report:#?}");
    let summary = reqgate::report::summary_markdown(&outcome);
    assert!(summary.contains("within \\_\\_\\_\\_ seconds"), "{summary}");
    let model = outcome.model.expect("a model was asked");
    assert_eq!((model.questions.len(), model.rewrites.len(), model.discarded.len()), (1, 1, 0));
    assert!(matches!(model.steps[0].end, ModelStepEnd::Failed { .. }), "{:?}", model.steps);
}

#[test]
fn a_chinese_ticket_is_asked_about_in_chinese() {
    let ticket = "优化订单导出\n\n作为仓库主管，我希望订单导出更快，以便每天早上少等几分钟。\n\n现在仓库的同事每天早上都要等很久才能拿到前一天的订单，经常耽误发货。\n";
    let clarified = json!({
        "questions": [
            {"about": 1, "question": "How fast must it be?"},
            {"about": 1, "question": "导出多少条订单时，需要在几秒内完成？"},
        ],
        "rewrites": [{
            "original": "作为仓库主管，我希望订单导出更快，以便每天早上少等几分钟。",
            "rewrite": "作为仓库主管，我希望订单导出在 ____ 秒内完成，以便每天早上少等几分钟。",
        }],
    });
    let scripted = Scripted::new([("clarify_v1", clarified.to_string())]);
    let outcome = said(&scripted, by_the_letter(), ticket);
    assert!(scripted.asked().iter().any(|request| request.instructions.contains("in Chinese")));
    let model = outcome.model.expect("a model was asked");
    assert_eq!(model.questions, ["导出多少条订单时，需要在几秒内完成？"]);
    assert_eq!(model.rewrites.len(), 1, "{:?}", model.discarded);
}

#[test]
fn the_model_never_learns_threshold_score_or_verdict() {
    let scripted = evidence("model-unclear-outcome", QUOTE, "unclear");
    said(&scripted, by_the_letter(), UNREADY);
    let asked = scripted.asked();
    assert_eq!(asked.len(), 3, "{asked:?}");
    for request in asked {
        let words = format!("{} {}", request.instructions, request.data).to_lowercase();
        for secret in ["threshold", " points", "weight", "verdict", "reject", "/100"] {
            assert!(!words.contains(secret), "{}: {secret}", request.question);
        }
    }
}
