//! A model as one more reader: asked once, counted by its calibration, its questions at their places in every report.

use reqgate::model::{DiscardReason, Disposition, EvidencePart, FallbackLevel, Outcome, Severity, Verdict};
use reqgate::pipeline::Pipeline;
use reqgate::report::Format;
use serde_json::{Value, json};

use super::{READ, Scripted, cards, in_every_format};
use crate::cli::{READY, UNREADY};
use crate::texts::pipelines;

/// Rules see neither steps nor an outcome in it.
const REPORT: &str = "\
Upload of large files breaks

Yesterday a colleague took the big scan from the share, dropped it on the page and left for lunch.
The page went blank then. It is the same in the office in Graz.
";

fn read(pipeline: Pipeline, answer: &Value, ticket: &str) -> Outcome {
    let scripted = Scripted::new([(READ, answer.to_string())]);
    let outcome = pipeline.with_reviewer(scripted.reviewer()).run(pipelines::input(ticket)).expect("it can be judged");
    assert_eq!(scripted.asked().len(), 1, "one request a ticket");
    outcome
}

fn asks(code: &str, quote: &str, ask: &str, must: bool) -> Value {
    json!({"code": code, "quote": quote, "ask": ask, "must": must})
}

fn answer(kind: &str, ready: u8, questions: &[Value], evidence: &[Value]) -> Value {
    json!({"kind": kind, "evidence": evidence, "questions": questions, "ready": ready})
}

fn total(outcome: &Outcome) -> f64 {
    outcome.score_report.as_ref().expect("it is scored").total_score
}

fn alone(ticket: &str) -> Outcome {
    pipelines::shipped().run(pipelines::input(ticket)).expect("it can be judged")
}

#[test]
fn a_question_lowers_the_score_blocks_at_its_place_and_stands_in_every_report() {
    let ask = "Within how many seconds must the dashboard load?";
    let questions = [asks("done", "the dashboard to load faster", ask, true)];
    let outcome = read(pipelines::shipped(), &answer("feature", 1, &questions, &[]), UNREADY);
    assert!(total(&outcome) < total(&alone(UNREADY)));
    assert_eq!(outcome.decision.verdict, Verdict::Reject);
    let report = outcome.score_report.as_ref().expect("it is scored");
    let issue = report.blocking_issues.iter().find(|issue| issue.question.as_deref() == Some(ask));
    let issue = issue.unwrap_or_else(|| panic!("{report:#?}"));
    assert_eq!(issue.position.expect("it has a place").line, 3);
    for (format, text) in in_every_format(&outcome, &cards()) {
        let is_terse = matches!(format, Format::Junit | Format::Github | Format::Sarif);
        assert!(is_terse || text.replace('\\', "").contains("how many seconds"), "{format}: {text}");
    }
    let model = outcome.model.expect("a model was asked");
    assert_eq!((model.scoring, model.structuring), (FallbackLevel::RulesAndModel, FallbackLevel::Rules));
    assert_eq!(model.questions, [ask]);
}

#[test]
fn a_verdict_alone_changes_nothing() {
    for ticket in [READY, UNREADY, REPORT] {
        for ready in 0..=4 {
            let outcome = read(pipelines::shipped(), &answer("feature", ready, &[], &[]), ticket);
            let rules = alone(ticket);
            assert!((total(&outcome) - total(&rules)).abs() < 1e-9, "readiness {ready}");
            assert_eq!(outcome.decision.verdict, rules.decision.verdict);
        }
    }
}

#[test]
fn only_words_of_the_text_that_the_rules_missed_raise_a_score() {
    let says = |part: &str, quote: &str| json!({"part": part, "quote": quote});
    let with = |evidence: &[Value]| read(pipelines::shipped(), &answer("bug", 4, &[], evidence), REPORT);
    let rules = alone(REPORT);
    let step = "took the big scan from the share, dropped it on the page";
    let heard = with(&[says("step", step)]);
    let reading = heard.model.as_ref().and_then(|model| model.reading.as_ref()).expect("it was heard");
    assert_eq!(reading.evidence.iter().map(|(part, _)| *part).collect::<Vec<_>>(), [EvidencePart::Step]);
    assert!(total(&heard) > total(&rules) + 1.0, "{} {}", total(&heard), total(&rules));
    for invented in ["opened the settings and pressed Save", "Upload of large files breaks", "it is"] {
        let outcome = with(&[says("step", invented)]);
        assert!((total(&outcome) - total(&rules)).abs() < 1e-9, "{invented}");
    }
    // The rules see the outcome themselves in a report that has one.
    let open = format!("{REPORT}\nWhether old files count is TBD.\n");
    let held = read(pipelines::shipped(), &answer("bug", 4, &[], &[says("step", step)]), &open);
    assert!((total(&held) - total(&alone(&open))).abs() < 1e-9, "an open point was overridden");
    assert!(held.model.and_then(|model| model.reading).is_some_and(|reading| reading.held_down));
}

#[test]
fn a_question_takes_the_place_of_the_rules_own_about_the_same_thing() {
    let ask = "Which widgets of the dashboard must load faster?";
    let questions = [asks("what", "NOWHERE", ask, true), asks("why", "NOWHERE", "Which meeting waits for it?", false)];
    let outcome = read(pipelines::shipped(), &answer("feature", 1, &questions, &[]), UNREADY);
    let report = outcome.score_report.as_ref().expect("it is scored");
    let all: Vec<_> = report.blocking_issues.iter().chain(&report.non_blocking_issues).collect();
    let about_what: Vec<_> = all.iter().filter(|issue| issue.rule_id.as_str() == "asks-what").collect();
    assert_eq!(about_what.len(), 1, "{all:#?}");
    assert_eq!((about_what[0].question.as_deref(), about_what[0].severity), (Some(ask), Severity::Blocker));
    assert!(all.iter().any(|issue| issue.rule_id.as_str() == "asks-why" && issue.disposition == Disposition::Model));
    let reading = outcome.reading.expect("readings decide");
    assert!(reading.questions.len() <= 3 && reading.questions.iter().any(|question| question.ask == ask));
}

#[test]
fn what_passes_may_turn_out_to_ask_for_no_work_and_what_is_rejected_may_not() {
    let ticket = "Release 4.2\n\nPlan the release of 4.2 with the team and ask around which tickets are still waiting. \
                  The meeting is on Tuesday in the small room, please bring your lists.\n";
    let rules = alone(ticket);
    let outcome = match rules.decision.verdict {
        Verdict::Pass => read(pipelines::shipped(), &answer("task", 3, &[], &[]), ticket),
        other => panic!("{other:?}: write another ticket for this test"),
    };
    assert_eq!(outcome.decision.verdict, Verdict::NotApplicable);
    assert!(outcome.model.is_some() && outcome.score_report.is_none());
    in_every_format(&outcome, &cards());
    let rejected = "Make it better\n\nEverything about the page should be nicer and faster, somehow, for all of us.\n";
    assert_eq!(alone(rejected).decision.verdict, Verdict::Reject, "write another ticket for this test");
    let outcome = read(pipelines::shipped(), &answer("question", 4, &[], &[]), rejected);
    assert_eq!(outcome.decision.verdict, Verdict::Reject);
}

#[test]
fn what_the_text_does_not_prove_is_thrown_away_and_counted() {
    let questions = [
        asks("what", "the dashboard must load in 2 s", "Which widgets are meant?", true),
        asks("what", "NOWHERE", "See https://evil.example, which one?", true),
    ];
    let outcome = read(pipelines::shipped(), &answer("feature", 0, &questions, &[]), UNREADY);
    let model = outcome.model.as_ref().expect("a model was asked");
    let reasons: Vec<DiscardReason> = model.discarded.iter().map(|discarded| discarded.reason).collect();
    assert_eq!(reasons, [DiscardReason::NotInText, DiscardReason::Unsafe, DiscardReason::NoEvidence]);
    assert!((total(&outcome) - total(&alone(UNREADY))).abs() < 1e-9);
}

#[test]
fn a_chinese_ticket_is_asked_about_in_chinese() {
    let ticket = "优化订单导出\n\n作为仓库主管，我希望订单导出更快，以便每天早上少等几分钟。\n\n现在仓库的同事每天早上都要等很久才能拿到前一天的订单，经常耽误发货。\n";
    let ask = "导出多少条订单时，需要在几秒内完成？";
    let questions =
        [asks("done", "我希望订单导出更快", ask, true), asks("where", "NOWHERE", "Which page is it?", true)];
    let scripted = Scripted::new([(READ, answer("feature", 1, &questions, &[]).to_string())]);
    let pipeline = pipelines::shipped().with_reviewer(scripted.reviewer());
    let model = pipeline.run(pipelines::input(ticket)).expect("it can be judged").model.expect("a model was asked");
    assert!(scripted.asked()[0].instructions.contains("15 words of Chinese"));
    assert_eq!(model.questions, [ask]);
}

#[test]
fn the_model_never_learns_threshold_score_or_verdict() {
    let scripted = Scripted::new([]);
    let pipeline = pipelines::shipped().with_reviewer(scripted.reviewer());
    let outcome = pipeline.run(pipelines::input(UNREADY)).expect("it can be judged");
    assert_eq!(outcome.decision, alone(UNREADY).decision, "without an answer the rules' verdict stands");
    for request in scripted.asked() {
        let words = format!("{} {}", request.instructions, request.data).to_lowercase();
        for secret in ["threshold", " points", "weight", "verdict", "reject", "/100", "probab"] {
            assert!(!words.contains(secret), "{}: {secret}", request.question);
        }
    }
}
