//! Answers without a decision: the question stays open with the owner that they name, by every way of answering.

use serde_json::{Value, json};

use super::open_questions::{brief_of, id_of};
use super::{album_ticket, answered, open_ask};
use crate::cli::Sandbox;

const LINKS: &str = "How many links may one album have?";
const NAME: &str = "Does a guest have to enter a name?";

/// A thread whose brief asks these two questions, and its review.
fn asking() -> (Sandbox, Value) {
    let sandbox = Sandbox::new();
    sandbox.file("ticket.md", album_ticket(&[LINKS, NAME]));
    let brief = brief_of(&sandbox, &["ticket.md"]);
    (sandbox, brief)
}

/// Approves everything up to the review of the PRD.
fn prd_of(sandbox: &Sandbox) -> Value {
    loop {
        let ask = open_ask(sandbox);
        let answer = match ask["kind"].as_str() {
            Some("requirements_review") => json!({ "verdicts": [], "others": "approve" }),
            Some("gap_decision") => json!({ "userIterationOverride": false }),
            _ => return ask["request"].clone(),
        };
        answered(sandbox, &answer);
    }
}

/// An answer that does not decide does not count as one in the brief, the PRD or the gate.
#[test]
fn not_decided_yet_leaves_the_question_open_with_its_owner() {
    for (links, name, owners) in [
        ("not decided yet, owner: Jonas", "TBD, ask legal", ["owner: Jonas", "owner: legal"]),
        (
            "owner: Jonas; due: 12 Dec",
            "We haven't decided it yet, Mei decides by Friday",
            ["owner: Jonas; due: 12 Dec", "owner: Mei; due: Friday"],
        ),
        (
            "still open (Jonas, by 3 March)",
            "waiting for the legal team",
            ["owner: Jonas; due: 3 March", "owner: the legal team"],
        ),
    ] {
        let (sandbox, brief) = asking();
        let answers = json!({ (id_of(&brief, "links")): links, (id_of(&brief, "enter a name")): name });
        answered(&sandbox, &json!({ "approved": true, "answers": answers })).ends_with(4);
        let review = prd_of(&sandbox);
        let prd = review["document"].as_str().expect("a PRD");
        assert!(!prd.contains("### Answered questions"), "{prd}");
        for (question, owner) in [(LINKS, owners[0]), (NAME, owners[1])] {
            assert!(prd.contains(&format!(": {question} ({owner})")), "{question} {owner}: {prd}");
        }
        assert_eq!(review["gate"]["verdict"], "REJECT", "{review:#}");
        assert!(review["gate"]["blockers"].to_string().contains("2 open questions have no answer"), "{review:#}");
        // The same words at the review of the PRD do not decide either.
        let answers = json!({ (id_of(&review, "links")): "owner: Bo", (id_of(&review, "enter a name")): "Yes." });
        let report = answered(&sandbox, &json!({ "prdApproved": true, "answers": answers })).ends_with(4).json();
        let review = &report["ask"]["request"];
        let prd = review["document"].as_str().expect("a PRD");
        assert!(
            prd.contains(&format!("- Q-001: {LINKS} (owner: Bo")) && prd.contains(&format!("- Q-002: {NAME} Yes.")),
            "{prd}"
        );
        assert!(review["gate"]["blockers"].to_string().contains("one open question has no answer"), "{review:#}");
    }
}

#[test]
fn a_chinese_answer_that_decides_nothing_leaves_its_question_open() {
    let questions = ["一个相册最多几条链接？", "访客要填姓名吗？"];
    for (links, name, owners) in [
        ("还没定，负责人：李雷，12 月 5 日前", "待法务确认", ["负责人：李雷；期限：12 月 5 日", "负责人：法务"]),
        ("负责人：赵工", "上限还没定下来，下周五再定", ["负责人：赵工", ""]),
        ("暂时没有结论，问法务", "由李雷决定", ["负责人：法务", "负责人：李雷"]),
    ] {
        let sandbox = Sandbox::new();
        let list: String = questions.iter().map(|question| format!("- {question}\n")).collect();
        let text = super::open_questions::CHINESE;
        let head = text.split("## 待解问题").next().expect("a head");
        sandbox.file("需求.md", format!("{head}## 待解问题\n\n{list}"));
        let brief = brief_of(&sandbox, &["需求.md"]);
        let answers = json!({ (id_of(&brief, "几条链接")): links, (id_of(&brief, "填姓名")): name });
        answered(&sandbox, &json!({ "approved": true, "answers": answers })).ends_with(4);
        let review = prd_of(&sandbox);
        let prd = review["document"].as_str().expect("a PRD");
        assert!(!prd.contains("已答复"), "{prd}");
        for (question, owner) in questions.iter().zip(owners) {
            let owner = if owner.is_empty() { String::new() } else { format!("（{owner}）") };
            assert!(prd.contains(&format!(": {question}{owner}")), "{question} {owner}: {prd}");
        }
        assert_eq!(review["gate"]["verdict"], "REJECT", "{review:#}");
    }
}

#[test]
fn an_answer_about_the_sources_that_decides_nothing_gives_the_question_its_owner() {
    let sandbox = Sandbox::new();
    sandbox.file("ticket.md", album_ticket(&[LINKS, NAME]));
    sandbox.run(&["prd", "start", "--id", "links", "--from", "ticket.md", "--format", "json"]).ends_with(4);
    let answers =
        json!({ "q1": "owner: Jonas", "q2": { "answer": "not decided yet", "owner": "Mei", "due": "Friday" } });
    let report = answered(&sandbox, &json!({ "answers": answers })).ends_with(4).json();
    let brief = report["ask"]["request"]["document"].as_str().expect("a brief");
    for (question, owner) in [(LINKS, "Owner: Jonas\n"), (NAME, "Owner: Mei\n  Due: Friday\n")] {
        let (_, below) = brief.split_once(question).expect("the question");
        let item = below.split("- [").next().unwrap_or_default();
        assert!(item.contains(owner) && item.contains("Answer: ______"), "{brief}");
        assert_eq!(brief.matches(question).count(), 2, "the question and its quote: {brief}");
    }
}

#[test]
fn the_open_half_of_an_answer_is_a_question_of_its_own() {
    let (sandbox, brief) = asking();
    let links = "At most 5 for guests; the limit for owners is not decided yet, owner: Jonas";
    let answers = json!({ (id_of(&brief, "links")): links, (id_of(&brief, "enter a name")): "Yes, always." });
    answered(&sandbox, &json!({ "approved": true, "answers": answers })).ends_with(4);
    let review = prd_of(&sandbox);
    let prd = review["document"].as_str().expect("a PRD");
    assert!(prd.contains(&format!("- Q-001: {LINKS} At most 5 for guests")), "{prd}");
    let open =
        format!("- Q-003: Still open: “the limit for owners is not decided yet, owner: Jonas” {LINKS} (owner: Jonas)");
    assert!(prd.contains(&open), "{prd}");
    assert!(review["gate"]["blockers"].to_string().contains("one open question has no answer"), "{review:#}");
    // An answer to the rest closes the question.
    let half = id_of(&review, "Still open");
    let report = answered(&sandbox, &json!({ "prdApproved": false, "answers": { half: "50 for owners." } })).json();
    assert_eq!(report["ask"]["request"]["gate"]["verdict"], "PASS", "{report:#}");
}

/// Text typed into a document by hand is read like every other answer.
#[test]
fn words_in_an_edited_brief_or_prd_that_decide_nothing_leave_its_questions_open() {
    let (sandbox, brief) = asking();
    let document = brief["document"].as_str().expect("a brief");
    let edited = document.replacen("Answer: ______", "Answer: not decided yet, owner: Jonas", 1);
    answered(&sandbox, &json!({ "approved": true, "editedDocument": edited })).ends_with(4);
    let review = prd_of(&sandbox);
    let prd = review["document"].as_str().expect("a PRD").to_owned();
    assert!(prd.contains(&format!("- Q-001: {LINKS} (owner: Jonas)")), "{prd}");
    // Moved below the answered questions, it is still open for the gate.
    let open = format!("- Q-001: {LINKS} (owner: Jonas)");
    let moved = prd.replacen(&format!("{open}\n"), "", 1).replacen(
        "### Open questions\n",
        &format!("### Answered questions\n\n- {LINKS} TBD, ask legal\n\n### Open questions\n"),
        1,
    );
    let report = answered(&sandbox, &json!({ "prdApproved": true, "editedDocument": moved })).ends_with(4).json();
    assert_eq!(report["ask"]["request"]["gate"]["verdict"], "REJECT", "{report:#}");
}

#[test]
fn an_empty_answer_is_refused() {
    let sandbox = Sandbox::new();
    sandbox.file("ticket.md", album_ticket(&[LINKS, NAME]));
    sandbox.run(&["prd", "start", "--id", "links", "--from", "ticket.md", "--format", "json"]).ends_with(4);
    for empty in
        [json!({}), json!(null), json!({ "answers": { "q1": " " } }), json!({ "answers": { "q1": { "owner": "" } } })]
    {
        let ran = answered(&sandbox, &empty).ends_with(2);
        assert!(!ran.stderr.is_empty(), "{empty}");
    }
    answered(&sandbox, &json!({ "answers": {} })).ends_with(4);
    let blank = json!({ "approved": true, "answers": { "q1": "" } });
    assert!(answered(&sandbox, &blank).ends_with(2).stderr.contains("answers.q1"));
    answered(&sandbox, &json!({ "approved": true })).ends_with(4);
    for empty in [json!({}), json!({ "verdicts": [] }), json!({ "verdicts": [], "added": [], "userFeedback": " " })] {
        let ran = answered(&sandbox, &empty).ends_with(2);
        assert!(ran.stderr.contains("empty") || ran.stderr.contains("at least one requirement"), "{}", ran.stderr);
    }
    answered(&sandbox, &json!({ "verdicts": [], "others": "approve" })).ends_with(4);
    assert_eq!(open_ask(&sandbox)["kind"], "gap_decision");
    assert!(answered(&sandbox, &json!({})).ends_with(2).stderr.contains("empty"));
}

/// A feature without a requirement never passes the gate, and a PRD without a criterion gets a finding.
#[test]
fn a_feature_without_requirements_or_criteria_is_not_called_ready() {
    for (ticket, missing, warning) in [
        (
            "# Export\n\n## Problem\n\nAgents copy orders by hand.\n\n## Goals\n\n- Agents export orders.\n",
            "there is no requirement yet",
            "no requirement has an acceptance criterion",
        ),
        (
            "# 导出\n\n## 问题\n\n客服手工抄订单。\n\n## 目标\n\n- 客服自己导出订单。\n",
            "还没有任何需求",
            "所有需求都没有验收标准",
        ),
    ] {
        let sandbox = Sandbox::new();
        sandbox.file("ticket.md", ticket);
        let start = sandbox.run(&["prd", "start", "--id", "links", "--from", "ticket.md"]).ends_with(4);
        assert!(!start.stdout.contains("PASS") && !start.stdout.contains("就绪"), "{}", start.stdout);
        answered(&sandbox, &json!({ "approved": true })).ends_with(4);
        let shown = sandbox.run(&["prd", "resume", "links"]).ends_with(4).stdout;
        assert!(shown.contains(missing) && !shown.contains("PASS") && !shown.contains("NOT_APPLICABLE"), "{shown}");
        let ask = open_ask(&sandbox);
        assert_eq!(
            (&ask["kind"], &ask["request"]["gate"]["verdict"]),
            (&json!("requirements_review"), &json!("REJECT"))
        );
        let added = |words: &str| json!({ "description": words });
        let wishes = match warning.is_ascii() {
            true => [
                added("An agent exports at most 5,000 orders at once."),
                added("If the export fails, the agent sees the reason within 2 seconds."),
            ],
            false => [added("客服一次最多导出 5000 条订单。"), added("导出失败时，客服在 2 秒内看到失败原因。")],
        };
        answered(&sandbox, &json!({ "verdicts": [], "added": wishes })).ends_with(4);
        let review = prd_of(&sandbox);
        assert!(review["gate"]["warnings"].to_string().contains(warning), "{review:#}");
        assert!(review["gate"]["score"].as_f64().is_some_and(|score| score < 99.9), "{review:#}");
    }
}

/// An answer about a figure is kept with its question, but is not a demand.
#[test]
fn an_answer_is_in_the_prd_and_no_requirement() {
    for (limits, words) in [
        ("Which limits hold", "It is a fact, from the annual report 2025"),
        ("Which limits hold", "At most 5 links for each album, 50 for each owner"),
        ("when something goes wrong", "The guest sees a message with the reason and a link to the help page"),
    ] {
        let sandbox = Sandbox::new();
        sandbox.file(
            "ticket.md",
            "# Links\n\n## Goals\n\n- Guests see an album.\n\n## Rules\n\n- The owner withdraws a link.\n",
        );
        let brief = brief_of(&sandbox, &["ticket.md"]);
        let answers = json!({ (id_of(&brief, limits)): words });
        let report = answered(&sandbox, &json!({ "approved": true, "answers": answers })).ends_with(4).json();
        let requirements = &report["ask"]["request"]["requirements"];
        assert_eq!(requirements.as_array().map(Vec::len), Some(1), "{requirements:#}");
        let review = prd_of(&sandbox);
        let prd = review["document"].as_str().expect("a PRD");
        let table = prd.split("## Functional requirements").nth(1).expect("a table");
        assert!(prd.contains(words) && !table.contains(words), "{prd}");
    }
}

/// The form of a page treats the same words in the same way.
#[cfg(all(unix, feature = "service"))]
#[test]
fn words_in_the_form_of_a_page_that_decide_nothing_leave_the_question_open() {
    let (sandbox, brief) = asking();
    let person = format!("reqgate_token={}", crate::service::token(&sandbox, "dana", "answer"));
    let service = crate::service::Service::start(&sandbox, &[], &[]);
    let path = format!("/inbox/{}", open_ask(&sandbox)["id"].as_str().expect("an id"));
    let page = service.send("GET", &path, &[("Cookie", &person)], "").body;
    let csrf = page.split_once("name=\"csrf\" value=\"").and_then(|(_, rest)| rest.split_once('"')).expect("a field").0;
    let (links, name) = (id_of(&brief, "links"), id_of(&brief, "enter a name"));
    let form = format!("csrf={csrf}&decision=approve&answer.{links}=owner%3A+Jonas&answer.{name}=TBD%2C+ask+legal");
    let headers = [("Cookie", person.as_str()), ("Content-Type", "application/x-www-form-urlencoded")];
    let sent = service.send("POST", &path, &headers, &form);
    assert_eq!(sent.status, 303, "{sent:#?}");
    drop(service);
    let review = prd_of(&sandbox);
    let prd = review["document"].as_str().expect("a PRD");
    assert!(
        prd.contains(&format!("- Q-001: {LINKS} (owner: Jonas)"))
            && prd.contains(&format!("- Q-002: {NAME} (owner: legal)")),
        "{prd}"
    );
    assert_eq!(review["gate"]["verdict"], "REJECT", "{review:#}");
}
