//! Open questions with an owner, a date and a default, and contradictions between sources with the decisions on them.

use serde_json::{Value, json};

use super::{album_ticket, answered, assert_fits, open_ask};
use crate::cli::Sandbox;

pub(super) const QUESTIONS: [&str; 2] =
    ["How many links may one album have? (owner: Mei, by 12 Dec; default: 5)", "Does a guest have to enter a name?"];

const MINUTES: &str = "# Minutes\n\n## Decisions\n\n- A guest link is valid for 14 days.\n";

pub(super) const CHINESE: &str = "\
# 会议室预订提醒

## 问题

会议室被预订后经常没人来，行政每周要手动取消约 30 个预订。

## 目标

- 预订开始前提醒预订人，减少空占会议室。

## 用户

- 预订人

## 规则

- 开始后 10 分钟无人签到，系统自动释放会议室。
- 如果邮件发送失败，行政会看到提示“邮件未送达”。

## 成功指标

- 每月手动取消的预订从 120 个降到 20 个以下。

## 不在范围

- 会议室门禁改造。

## 待解问题

- 签到用扫码还是刷卡？（负责人：李雷，12 月 5 日前；默认：扫码）
";

/// Starts a thread from these files and leaves the questions of the gate open; returns the review of the brief.
pub(super) fn brief_of(sandbox: &Sandbox, files: &[&str]) -> Value {
    let mut arguments = vec!["prd", "start", "--id", "links", "--format", "json"];
    files.iter().for_each(|file| arguments.extend(["--from", file]));
    let report = sandbox.run(&arguments).ends_with(4).json();
    if report["ask"]["kind"] == "brief_review" {
        return report["ask"]["request"].clone();
    }
    answered(sandbox, &json!({ "answers": {} })).ends_with(4).json()["ask"]["request"].clone()
}

/// The ids of the open questions that contain these words.
pub(super) fn id_of(brief: &Value, words: &str) -> String {
    let questions = brief["openQuestions"].as_array().expect("a list");
    let found = questions.iter().find(|one| one["question"].as_str().is_some_and(|text| text.contains(words)));
    found.unwrap_or_else(|| panic!("{words}: {brief:#}"))["id"].as_str().expect("an id").to_owned()
}

/// Approves everything after the brief; returns the PRD and its data.
pub(super) fn finished(sandbox: &Sandbox, folder: &str) -> (String, Value) {
    loop {
        let ask = open_ask(sandbox);
        let answer = match ask["kind"].as_str() {
            Some("requirements_review") => json!({ "verdicts": [], "others": "approve" }),
            Some("gap_decision") => json!({ "userIterationOverride": false }),
            _ => json!({ "prdApproved": true, "gateOverride": "accepted by Ana" }),
        };
        if answered(sandbox, &answer).json()["status"] == "completed" {
            break;
        }
    }
    let data = serde_json::from_str(&sandbox.read(&format!("docs/prd/{folder}/prd.json"))).expect("JSON");
    assert_fits(sandbox, "prd", &data);
    (sandbox.read(&format!("docs/prd/{folder}/prd.md")), data)
}

#[test]
fn a_question_has_the_owner_and_the_day_that_a_source_or_a_person_names() {
    let sandbox = Sandbox::new();
    sandbox.file("ticket.md", album_ticket(&QUESTIONS)).file("minutes.md", MINUTES);
    let brief = brief_of(&sandbox, &["ticket.md", "minutes.md"]);
    let document = brief["document"].as_str().expect("a brief");
    assert!(document.contains("\n  Owner: Mei\n  Due: 12 Dec\n  Default: 5\n  Answer: ______\n"), "{document}");
    let blockers = brief["gate"]["blockers"].to_string();
    assert!(blockers.contains("2 open questions have no answer"), "the one with a default stops nobody: {blockers}");
    let (name, holds) = (id_of(&brief, "enter a name"), id_of(&brief, "Which holds"));
    let answer = json!({ "approved": true, "answers": { name: "Jonas, by Friday", holds: "A guest link is valid for 14 days." } });
    answered(&sandbox, &answer).ends_with(4);
    let (prd, data) = finished(&sandbox, "001-links");
    assert!(
        prd.contains("### Open questions\n\n- Q-003: Does a guest have to enter a name? (owner: Jonas; due: Friday)\n"),
        "{prd}"
    );
    let with_default = "### Questions with a default\n\n- Q-002: How many links may one album have? (owner: Mei; due: 12 Dec; default: 5)\n";
    assert!(prd.contains(with_default), "{prd}");
    let questions = data["questions"].as_array().expect("a list");
    let of = |words: &str| questions.iter().find(|one| one.to_string().contains(words)).expect("a question");
    assert_eq!((&of("How many")["owner"], &of("How many")["default"]), (&json!("Mei"), &json!("5")));
    assert_eq!((&of("a name")["owner"], of("a name").get("answer")), (&json!("Jonas"), None));
}

#[test]
fn a_settled_conflict_stands_with_both_quotes_and_the_decision() {
    let sandbox = Sandbox::new();
    sandbox.file("ticket.md", album_ticket(&QUESTIONS)).file("minutes.md", MINUTES);
    let brief = brief_of(&sandbox, &["ticket.md", "minutes.md"]);
    let holds = id_of(&brief, "Which holds");
    answered(&sandbox, &json!({ "approved": true, "answers": { holds: "A guest link is valid for 14 days." } }))
        .ends_with(4);
    let (prd, data) = finished(&sandbox, "001-links");
    let row = "| Said | Decided |\n| --- | --- |\n| ticket.md:17 “A guest link is valid for 30 days.”<br>\
               minutes.md:5 “A guest link is valid for 14 days.” | A guest link is valid for 14 days. |";
    assert!(prd.contains(&format!("### Settled conflicts\n\n{row}\n")), "{prd}");
    let settled = &data["settledConflicts"][0];
    assert_eq!((&settled["was"][0]["line"], &settled["was"][1]["line"]), (&json!(17), &json!(5)));
    assert_eq!(settled["now"], "A guest link is valid for 14 days.");
    assert_eq!(data.get("otherSections"), None, "the table is data: {data:#}");
}

#[test]
fn a_chinese_question_has_its_owner_and_default_in_chinese() {
    let sandbox = Sandbox::new();
    sandbox.file("需求.md", CHINESE);
    let brief = brief_of(&sandbox, &["需求.md"]);
    let document = brief["document"].as_str().expect("a brief");
    assert!(document.contains("\n  负责人：李雷\n  期限：12 月 5 日\n  默认：扫码\n  答：______\n"), "{document}");
    answered(&sandbox, &json!({ "approved": true })).ends_with(4);
    let folder = "001-links";
    let (prd, data) = finished(&sandbox, folder);
    let shown = "### 有默认做法的问题\n\n- Q-001: 签到用扫码还是刷卡？（负责人：李雷；期限：12 月 5 日；默认：扫码）\n";
    assert!(prd.contains(shown), "{prd}");
    assert_eq!(data["questions"][0]["due"], "12 月 5 日");
    sandbox.run(&["check", &format!("docs/prd/{folder}/prd.md")]).ends_with(0);
}

/// At the review of the PRD a question can still be answered or assigned, and the PRD is then assembled again.
#[test]
fn open_questions_are_answered_at_the_review_of_the_prd() {
    let sandbox = Sandbox::new();
    sandbox.file("ticket.md", album_ticket(&["Who pays for the links?", "Does a guest have to enter a name?"]));
    brief_of(&sandbox, &["ticket.md"]);
    answered(&sandbox, &json!({ "approved": true })).ends_with(4);
    let review = loop {
        let ask = open_ask(&sandbox);
        let answer = match ask["kind"].as_str() {
            Some("requirements_review") => json!({ "verdicts": [], "others": "approve" }),
            Some("gap_decision") => json!({ "userIterationOverride": false }),
            _ => break ask["request"].clone(),
        };
        answered(&sandbox, &answer).ends_with(4);
    };
    assert!(review["gate"]["blockers"].to_string().contains("2 open questions have no answer"), "{review:#}");
    let shown = sandbox.run(&["prd", "resume", "links"]).ends_with(4).stdout;
    assert!(shown.contains("which can be answered here") && shown.contains("Who pays for the links?"), "{shown}");
    let pays = id_of(&review, "Who pays");
    let unknown = json!({ "prdApproved": false, "answers": { "q9": "x" } });
    assert!(answered(&sandbox, &unknown).ends_with(2).stderr.contains("answers.q9"));
    // An approval with half of the answers is not accepted, because the gate stops the resulting PRD.
    let half = json!({ "prdApproved": true, "answers": { (pays.clone()): "We do." } });
    let report = answered(&sandbox, &half).ends_with(4).json();
    let review = &report["ask"]["request"];
    assert!(review["gate"]["blockers"].to_string().contains("one open question has no answer"), "{review:#}");
    let name = id_of(review, "enter a name");
    let rest = json!({ (name): { "owner": "Mei", "due": "12 Dec", "default": "no" } });
    let report = answered(&sandbox, &json!({ "prdApproved": false, "answers": rest })).ends_with(4).json();
    let review = &report["ask"]["request"];
    let prd = review["document"].as_str().expect("a PRD");
    assert!(prd.contains("We do.") && prd.contains("owner: Mei; due: 12 Dec; default: no"), "{prd}");
    assert!(!review["gate"]["blockers"].to_string().contains("open question"), "{review:#}");
    assert_eq!(review["gate"]["verdict"], "PASS", "{review:#}");
    // An approval is not accepted either if the brief was edited meanwhile: the PRD would have words that the person
    // has not seen.
    const BRIEF: &str = "docs/prd/001-links/feature-brief.md";
    let first = review["decided"][0]["id"].clone();
    let approve = |priority: &str| {
        let changes = json!({ "priority": priority });
        let verdict = json!({ "id": first, "verdict": "modify", "reason": "Mei's wish", "changes": changes });
        json!({ "prdApproved": true, "verdicts": [verdict] })
    };
    let heading = "## Out of scope\n\n";
    sandbox.file(BRIEF, sandbox.read(BRIEF).replacen(heading, &format!("{heading}- Links for teams.\n"), 1));
    let report = answered(&sandbox, &approve("medium")).ends_with(4).json();
    let prd = report["ask"]["request"]["document"].as_str().expect("a PRD");
    assert!(prd.contains("- Links for teams.") && prd.contains("| P1 |"), "{prd}");
    // An approval with a decision that leaves no question open is accepted, without asking again.
    answered(&sandbox, &approve("high")).ends_with(0);
    let history = sandbox.run(&["prd", "history", "links"]).ends_with(0).stdout;
    assert!(history.contains("approved with the decisions of the last answer"), "{history}");
    assert!(sandbox.read("docs/prd/001-links/prd.md").contains("| P0 |"), "the decision is in what was approved");
    let brief = sandbox.read("docs/prd/001-links/feature-brief.md");
    assert!(brief.starts_with("---\n") && brief.contains("[x] Q-001: Who pays for the links?"), "{brief}");
    assert!(sandbox.read("docs/prd/001-links/prd.md").contains("We do."));
}
