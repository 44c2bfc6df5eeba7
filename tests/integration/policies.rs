//! The verdicts of the policies on texts of our own, written in the style of work.

use std::collections::BTreeSet;

use proptest::prelude::*;
use reqgate::config::guardrail::GuardrailSettings;
use reqgate::model::{Outcome, PathToPass, TicketType, Verdict};
use reqgate::pipeline::{Pipeline, Settings};

use crate::texts::pipelines::{book, guardrail, input};

fn judged(text: &str, policy: &str, sure: Option<f64>) -> Outcome {
    let settings = Settings { policy: Some(policy.to_owned()), sure, ..Settings::default() };
    let pipeline = Pipeline::new(book(), guardrail(&GuardrailSettings::default()), settings);
    pipeline.run(input(text)).expect("it can be judged")
}

fn ready(text: &str) -> Outcome {
    judged(text, "ready", None)
}

fn rules(outcome: &Outcome) -> Vec<String> {
    let report = outcome.score_report.as_ref().expect("it is scored");
    let issues = report.blocking_issues.iter().chain(&report.non_blocking_issues);
    issues.map(|issue| issue.rule_id.to_string()).collect()
}

fn probability(outcome: &Outcome, facet: &str) -> f64 {
    let facets = &outcome.structured.as_ref().expect("it is structured").facets;
    facets.evidence_of(facet).expect("it is looked for").probability()
}

#[test]
fn one_remark_says_that_nobody_and_no_reason_is_named() {
    let outcome = judged(
        "Change the limit\n\nThe limit is set to 40.\nThe message reads \"Limit reached\" when 40 is exceeded.",
        "strict",
        None,
    );
    let found = rules(&outcome);
    assert!(found.contains(&"missing-user-story".to_owned()), "{found:?}");
    assert!(!found.iter().any(|rule| rule == "missing-actor" || rule == "missing-benefit"), "{found:?}");
}

#[test]
fn rules_cover_rules_that_exist() {
    let book = book();
    let covered = book.rules.iter().flat_map(|rule| &rule.file.covers);
    let unknown: Vec<_> = covered.filter(|id| book.rule(id).is_none()).collect();
    assert!(unknown.is_empty(), "{unknown:?}");
}

const CRASH: &str = "Editor crashes when a tab is dragged onto itself\n\n1. Open two files\n2. Drag the second tab onto itself\n3. The process ends with code 139\n\nSeen with 4.2.0 on Fedora 40.";

#[test]
fn nobody_has_to_say_that_a_crash_should_not_happen() {
    let outcome = ready(CRASH);
    assert_eq!(outcome.decision.verdict, Verdict::Pass);
    assert!(!rules(&outcome).contains(&"missing-expected-behaviour".to_owned()), "{:?}", rules(&outcome));
    assert!(probability(&outcome, "expected-implied") > 0.8);
}

#[test]
fn boxes_below_a_story_are_criteria() {
    for text in [
        "As a librarian I want to see overdue loans\n\n### As a librarian I want to see overdue loans\n- [ ] The start page lists every loan that is overdue\n- [ ] The list can be sorted by due date\n- [ ] If nothing is overdue, the list says so",
        "作为图书管理员，我希望查看逾期借阅\n\n### 作为图书管理员，我希望查看逾期借阅\n- [ ] 管理员能在首页列表里看到所有逾期借阅\n- [ ] 读取失败时给出明确提示",
    ] {
        let outcome = ready(text);
        assert_eq!(outcome.decision.verdict, Verdict::Pass, "{text}");
        assert!(!rules(&outcome).contains(&"missing-acceptance-criteria".to_owned()), "{text}");
    }
}

#[test]
fn criteria_in_one_line_and_a_scenario_in_capitals_are_seen() {
    for text in [
        "Show the new label in every list\n\nClerks want to see it at once.  Acceptance Criteria: * The user is able to see the new label in every list * A removed label is gone after a reload",
        "Add a mail on late parcels\n\nWe want a new mail. GIVEN a parcel is two days late WHEN the night run ends THEN one mail is sent to the sender AND no mail is sent to the receiver",
    ] {
        assert!(probability(&ready(text), "criteria") > 0.4, "{text}");
    }
}

#[test]
fn what_is_no_requirement_is_said_to_be_none() {
    for (text, kind) in [
        (
            "Spike: how far does the vendor's bulk interface carry us\n\nRead their documents, try three calls, write down what we find.",
            TicketType::Task,
        ),
        (
            "How do I read the file twice?\n\nI am trying to read a file twice in my project. Is there a way to do it? What am I doing wrong? Thanks in advance.",
            TicketType::Question,
        ),
        (
            "第三次项目例会会议纪要\n\n会议时间：2026-03-04 19:00\n会议地点：线上会议\n参会人：本次共有五人参会\n\n### 议程\n* 新人自我介绍\n* 下周安排的初步讨论",
            TicketType::Discussion,
        ),
    ] {
        let outcome = ready(text);
        assert_eq!(
            (outcome.decision.verdict, outcome.packet.ticket_type.value),
            (Verdict::NotApplicable, kind),
            "{text}"
        );
    }
}

/// An urgent complaint without any details to look for.
const COMPLAINT: &str = "Printing is broken\n\nThe printing does not work any more at our site, this is really urgent! Please fix it as soon as possible, the customer is angry.";

#[test]
fn a_sure_no_blocks_and_an_unsure_one_asks() {
    let blocked = ready(COMPLAINT);
    assert_eq!(blocked.decision.verdict, Verdict::Reject);
    assert!(!blocked.decision.questions_only);
    let asked = judged(COMPLAINT, "ready", Some(0.9));
    assert_eq!(asked.decision.verdict, Verdict::Pass);
    assert!(asked.decision.questions_only && asked.decision.explanation.starts_with("Probably ready"));
    let report = asked.score_report.as_ref().expect("it is scored");
    assert!(report.blocking_issues.is_empty() && report.non_blocking_issues.iter().any(|issue| issue.is_asked()));
    assert!(report.ready_for_review);
}

/// The estimate is calibrated for each language, so that one threshold serves all.
#[test]
fn one_threshold_serves_every_language() {
    let english = "Export\n\nIt should be possible to export the list.";
    let chinese = "导出\n\n列表应当可以导出。";
    for (policy, needed) in [("ready", 60.0), ("triage", 80.0)] {
        for text in [english, chinese] {
            let decision = judged(text, policy, None).decision;
            assert_eq!(decision.threshold, Some(needed), "{policy}: {text}");
            assert_eq!(judged(text, policy, Some(0.7)).decision.threshold, Some(30.0), "{policy}: {text}");
        }
    }
}

/// A whole story in Chinese passes without a question. If the criterion for its completion is missing, the author is
/// asked.
#[test]
fn a_whole_story_in_chinese_passes_in_silence_and_a_vague_one_is_asked_about() {
    let whole = "# 订单列表支持导出 CSV\n\n作为客服，我希望把在订单页筛选出来的订单导出成 CSV 文件，这样我可以直接发给财务，不用手工复制。\n\n## 验收标准\n\n1. 筛选结果为 1 到 10000 条时，点击“导出 CSV”，10 秒内下载文件，文件名为 orders-YYYY-MM-DD.csv。\n2. 文件包含订单号、日期、金额、状态四列，第一行为表头。\n3. 筛选结果超过 10000 条时，按钮置灰，提示“请缩小筛选范围，最多导出 10000 条”。\n4. 没有结果时按钮置灰。\n";
    let vague = "希望增加一个统计功能，方便领导查看数据";
    for policy in ["ready", "triage"] {
        let questions = |text: &str| judged(text, policy, None).reading.map(|reading| reading.questions.len());
        assert_eq!(questions(whole), Some(0), "{policy}");
        assert!(questions(vague) > Some(0), "{policy}");
    }
}

#[test]
fn certainty_is_the_chance_that_the_text_is_ready() {
    for text in [CRASH, COMPLAINT] {
        let certainty = ready(text).decision.certainty.expect("it is scored");
        assert!((0.0..=1.0).contains(&certainty), "{certainty}");
    }
    let pass = judged(COMPLAINT, "ready", Some(0.9)).decision.certainty.expect("it is scored");
    let reject = ready(COMPLAINT).decision.certainty.expect("it is scored");
    assert!((pass - reject).abs() < 1e-9, "the chance that it is ready depends on no line: {pass} {reject}");
}

#[test]
fn what_is_open_in_plain_words_blocks_whatever_the_score() {
    let text = "Export of invoices\n\nAs a clerk I want to download the invoices of a month as CSV, so that I need not copy them.\n\nAcceptance criteria\n- The list has a button Export\n- The file has one row for each invoice\n- The separator is TBD";
    let outcome = ready(text);
    assert_eq!(outcome.decision.verdict, Verdict::Reject);
    let path = outcome.decision.path_to_pass.expect("a way to a pass");
    assert_eq!(path.edits.len(), 1, "one edit mends it: {path:?}");
}

/// Replaces only the lines that the path to a pass names by criteria of `good`.
fn followed(text: &str, path: &PathToPass, good: &[&str]) -> String {
    let named: BTreeSet<usize> =
        path.edits.iter().filter_map(|edit| edit.span).map(|span| text[..span.start].matches('\n').count()).collect();
    let mut good = good.iter();
    let lines = text.lines().enumerate().map(|(number, line)| match named.contains(&number) {
        true => format!("- {}", good.next().expect("there are criteria enough")),
        false => line.to_owned(),
    });
    lines.collect::<Vec<_>>().join("\n")
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn who_follows_the_way_to_a_pass_passes(points in prop::collection::vec(0..OPEN_POINTS.len(), 1..6)) {
        let open: Vec<&str> = points.iter().map(|point| OPEN_POINTS[*point]).collect();
        let text = format!("{EXPORT}\n- {}", open.join("\n- "));
        let rejected = ready(&text);
        prop_assert_eq!(rejected.decision.verdict, Verdict::Reject);
        let path = rejected.decision.path_to_pass.expect("a rejection has a way to a pass");
        prop_assert!(path.edits.iter().filter(|edit| edit.removes_blocker).count() >= points.len(), "{:?}", path);
        let mended = followed(&text, &path, &SETTLED);
        let again = ready(&mended);
        prop_assert_eq!(again.decision.verdict, Verdict::Pass, "{}\n{}", mended, again.decision.explanation);
    }
}

const EXPORT: &str = "Export of invoices\n\nAs a clerk I want to download the invoices of a month as CSV, so that I need not copy them.\n\nAcceptance criteria\n- The list has a button Export\n- The file has one row for each invoice";
const OPEN_POINTS: [&str; 5] = [
    "TBD",
    "The separator is TBD",
    "The encoding is still to be decided",
    "TBD: format of dates",
    "The columns are to be defined",
];
const SETTLED: [&str; 6] = [
    "The separator is a semicolon",
    "The encoding is UTF-8",
    "Dates are written as 2026-03-01",
    "The columns are number, date and sum",
    "A month without invoices gives a file with the header only",
    "More than 5,000 invoices are refused with the message \"Too many invoices\"",
];

#[test]
fn the_letter_asks_for_two_criteria_and_triage_for_none() {
    let text = "Show the unpaid sum above the invoice list\n\nClerks add it up by hand today.";
    assert_eq!(judged(text, "strict", None).decision.verdict, Verdict::Reject);
    assert_eq!(judged(text, "ready", None).decision.verdict, Verdict::Pass);
    assert_eq!(judged(text, "triage", None).decision.verdict, Verdict::Pass);
}

#[test]
fn a_policy_that_is_not_there_is_told_with_those_that_are() {
    let settings = Settings { policy: Some("lenient".into()), ..Settings::default() };
    let pipeline = Pipeline::new(book(), guardrail(&GuardrailSettings::default()), settings);
    let error = pipeline.run(input(CRASH)).expect_err("there is no such policy").to_string();
    assert!(error.contains("`lenient`") && error.contains("agent, ready, strict, triage"), "{error}");
}

/// A document with one blocker of form that its score makes unlikely.
const THIN_PRD: &str = "# PRD: Faster search\n\n## Problem Statement\n\nIn the third quarter 38 of 100 visitors left from a category page without having seen an article.\n\n## Goals\n\nMake the search faster.\n\n## Requirements\n\n- REQ-1: The search is better.\n\n## Out of scope\n\n- Search in the blog.\n\n## Success Criteria\n\n- After one month at most 20 of 100 visitors leave from a category page without having seen an article.\n";

#[test]
fn a_document_is_not_blocked_by_an_unsure_no_unless_it_says_that_something_is_open() {
    let with_threshold = |text: &str, policy: &str| {
        let settings =
            Settings { policy: Some(policy.to_owned()), threshold: Some(40.0), sure: Some(0.6), ..Settings::default() };
        Pipeline::new(book(), guardrail(&GuardrailSettings::default()), settings)
            .run(input(text))
            .expect("it is judged")
    };
    let unsure = with_threshold(THIN_PRD, "ready");
    assert_eq!(unsure.decision.verdict, Verdict::Pass, "{}", unsure.decision.explanation);
    assert!(unsure.decision.questions_only);
    let open = with_threshold(&THIN_PRD.replace("is better", "is better; the limit is TBD"), "ready");
    assert_eq!(open.decision.verdict, Verdict::Reject);
    assert!(rules(&open).contains(&"open-point".to_owned()));
    // Under strict rules any blocker rejects regardless of its probability, which is not reported.
    let strict = with_threshold(THIN_PRD, "strict");
    assert_eq!((strict.decision.verdict, strict.decision.certainty), (Verdict::Reject, None));
}

#[test]
fn every_shipped_policy_does_what_its_examples_say() {
    let book = reqgate::rules::load(&reqgate::rules::shipped_files()).expect("the shipped rules load");
    let orders = reqgate::orders::Orders::shipped().expect("the shipped orders are valid");
    let mut wrong = Vec::new();
    for policy in &book.policies {
        if let Some(reader) = &policy.file.reader {
            assert_eq!(orders.reading(Some(reader)).reference.id, *reader, "{} names an order", policy.file.id);
        }
        let examples = &policy.file.examples;
        let passes = examples.passes.iter().map(|example| (Verdict::Pass, example));
        for (verdict, example) in passes.chain(examples.rejects.iter().map(|example| (Verdict::Reject, example))) {
            let outcome = judged(&example.text, &policy.file.id, None);
            let shown: BTreeSet<String> = outcome.score_report.iter().flat_map(|_| rules(&outcome)).collect();
            let asks: BTreeSet<String> = example.asks.iter().map(ToString::to_string).collect();
            if outcome.decision.verdict != verdict || shown != asks {
                wrong.push(format!("{:?} {shown:?}, not {asks:?}\n{}", outcome.decision.verdict, example.text));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n---\n"));
}

/// Unready, ready and doubtful texts, in both languages.
const VARIED: [&str; 8] = [
    CRASH,
    COMPLAINT,
    EXPORT,
    "Refactor the parser",
    "the upload dont work! it says some err",
    "重构支付模块里的全部代码",
    "最近很慢，请优化一下，客户很着急。",
    "Looks wrong on my phone\n\n![shot](a.png)",
];

#[test]
fn a_coding_agent_gets_nothing_that_people_would_send_back() {
    let own = |id: &String| id.starts_with("agent-");
    for text in VARIED {
        let people = ready(text);
        assert!(!rules(&people).iter().any(own), "{text}");
        let agent = judged(text, "agent", None);
        assert!(people.decision.verdict == Verdict::Pass || agent.decision.verdict != Verdict::Pass, "{text}");
        assert_eq!(agent.score_report.map(|it| it.total_score), people.score_report.map(|it| it.total_score), "{text}");
    }
}

#[test]
fn what_an_agent_would_have_to_guess_is_asked_and_does_not_block() {
    let outcome = judged("Clean up the settings page\n\nThe settings page has grown over the years.", "agent", None);
    let found = rules(&outcome);
    for rule in ["agent-names-no-check", "agent-names-no-limits"] {
        assert!(found.contains(&rule.to_owned()), "{found:?}");
    }
}
