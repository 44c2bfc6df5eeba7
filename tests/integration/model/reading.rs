//! A model as one more reader: it is asked once and weighed by its calibration, and its questions are in their places
//! in every report.

use reqgate::config::guardrail::GuardrailSettings;
use reqgate::model::{DiscardReason, EvidencePart, FallbackLevel, Outcome, Severity, Verdict};
use reqgate::pipeline::{Pipeline, Settings};
use reqgate::report::Format;
use reqgate::rules::{self, SourceFile};
use serde_json::{Value, json};

use super::{READ, Scripted, cards, in_every_format};
use crate::cli::{READY, UNREADY};
use crate::texts::pipelines;

/// A ticket in which the rules find no criterion.
const WISH: &str = "\
Late invoices in the list

Clerks want to see late invoices first. An invoice past its due date belongs at the top, with its number of days in red, and a paid one leaves the list.
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
        // The others have only the fault and the suggestion of a finding.
        let is_terse = !matches!(format, Format::Human | Format::Json | Format::Markdown | Format::Html);
        assert!(
            is_terse || text.replace('\\', "").contains("how many seconds"),
            "{format} does not show the question: {text}"
        );
    }
    // The rules ask about the same word and the same subject, so the question is asked once.
    let draft = outcome.structured.as_ref().and_then(|structured| structured.draft.as_ref()).expect("there is a draft");
    let first = draft.clarification_questions.first().map(String::as_str);
    assert_eq!((first, draft.clarification_questions.len() <= 3), (Some(ask), true));
    let about_speed = ["How will a tester know", "from which value to which"];
    let repeats = |question: &String| about_speed.iter().any(|words| question.contains(words));
    assert!(!draft.clarification_questions.iter().any(repeats), "{:?}", draft.clarification_questions);
    let model = outcome.model.expect("a model was asked");
    assert_eq!((model.scoring, model.structuring), (FallbackLevel::RulesAndModel, FallbackLevel::Rules));
    assert_eq!(model.questions, [ask]);
}

#[test]
fn a_question_that_can_wait_is_shown_with_a_pass() {
    let ask = "Which time zone does the month of a statement follow?";
    let questions = [asks("decide", "a month with bookings", ask, false)];
    let outcome = read(pipelines::shipped(), &answer("feature", 2, &questions, &[]), READY);
    assert_eq!((outcome.decision.verdict, outcome.decision.questions_only), (Verdict::Pass, true));
    for (format, text) in in_every_format(&outcome, &cards()) {
        // Formats that show the question of a rule with a pass.
        let shows = matches!(format, Format::Human | Format::Json);
        assert!(!shows || text.contains("Which time zone"), "{format}: {text}");
    }
    // A reader who would start without the answer has no blocking question, and a ready ticket gets no question.
    let outcome = read(pipelines::shipped(), &answer("feature", 3, &questions, &[]), READY);
    assert_eq!((outcome.decision.verdict, outcome.decision.questions_only), (Verdict::Pass, false));
}

#[test]
fn a_verdict_alone_changes_nothing() {
    for ticket in [READY, UNREADY, WISH] {
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
    let with = |evidence: &[Value]| read(pipelines::shipped(), &answer("feature", 4, &[], evidence), WISH);
    let rules = alone(WISH);
    let criterion = "An invoice past its due date belongs at the top";
    let heard = with(&[says("criterion", criterion)]);
    let reading = heard.model.as_ref().and_then(|model| model.reading.as_ref()).expect("it was heard");
    assert_eq!(reading.evidence.iter().map(|(part, _)| *part).collect::<Vec<_>>(), [EvidencePart::Criterion]);
    assert!(total(&heard) > total(&rules) + 1.0, "{} {}", total(&heard), total(&rules));
    // Invented words, the title, a scrap, and a part that the rules do not look for in a feature.
    for (part, quote) in [
        ("criterion", "An invoice past its due date is shown in red"),
        ("criterion", "Late invoices in the list"),
        ("criterion", "at the"),
        ("step", criterion),
    ] {
        let outcome = with(&[says(part, quote)]);
        assert!((total(&outcome) - total(&rules)).abs() < 1e-9, "{part}: {quote}");
    }
    let open = format!("{WISH}\nThe colour of reminders is TBD.\n");
    let held = read(pipelines::shipped(), &answer("feature", 4, &[], &[says("criterion", criterion)]), &open);
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
    // It is asked once, at the word that the rules found too vague, and it blocks there.
    let about_what: Vec<_> = all.iter().filter(|issue| issue.question.as_deref() == Some(ask)).collect();
    assert_eq!(about_what.len(), 1, "{all:#?}");
    assert_eq!((about_what[0].quote.as_deref(), about_what[0].severity), (Some("faster"), Severity::Blocker));
    assert!(all.iter().all(|issue| issue.rule_id.as_str() != "asks-what"), "{all:#?}");
    // A question that can wait does not block, and is asked like any other.
    let why = all.iter().find(|issue| issue.question.as_deref() == Some("Which meeting waits for it?"));
    assert_eq!(why.map(|issue| issue.severity), Some(Severity::Warning), "{all:#?}");
    let reading = outcome.reading.expect("readings decide");
    assert!(reading.questions.len() <= 3 && reading.questions.iter().any(|question| question.ask == ask));
}

/// The shipped pipeline, with the minimum probability of "not a requirement" from which the model's kind is used.
fn counting_kinds_from(least: f64) -> Pipeline {
    let shipped = include_str!("../../../rubrics/models/default.yaml");
    let own = shipped.replace("not_a_requirement: 0.1", &format!("not_a_requirement: {least:.1}"));
    assert!(own != shipped || (least - 0.1).abs() < 1e-9);
    let mut files = rules::shipped_files();
    files.push(SourceFile::user("models/own.yaml".to_owned(), own));
    let book = rules::load(&files).expect("the file is valid");
    Pipeline::new(book, pipelines::guardrail(&GuardrailSettings::default()), Settings::default())
}

#[test]
fn what_passes_may_turn_out_to_ask_for_no_work_and_what_is_rejected_may_not() {
    let task = answer("task", 3, &[], &[]);
    let outcome = read(counting_kinds_from(0.0), &task, READY);
    assert_eq!(outcome.decision.verdict, Verdict::NotApplicable);
    assert!(outcome.model.is_some() && outcome.score_report.is_none());
    for (format, text) in in_every_format(&outcome, &cards()) {
        assert!(!text.is_empty(), "{format}");
    }
    // The rules must consider the kind possible.
    assert_eq!(read(counting_kinds_from(1.0), &task, READY).decision.verdict, Verdict::Pass);
    assert_eq!(read(counting_kinds_from(0.0), &task, UNREADY).decision.verdict, Verdict::Reject);
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
