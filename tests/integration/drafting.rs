//! What the author by rules assembles passes the gate: sources → brief → requirements → PRD → `reqgate check`.

use reqgate::prd::author::{BriefFeedback, BriefModification, RulesAuthor, sources_of};
use reqgate::prd::feature_id::new_feature_id;
use reqgate::prd::prd_document::{PrdDocument, prd_document};
use reqgate::prd::prd_text::render_prd;
use reqgate::prd::{Decided, DocumentStatus, PrdInput, PrdStatus};

use crate::cli::Sandbox;
use crate::texts::pipelines::{book, shipped};

/// A feature as somebody asks for it, and what he answers to the questions of the brief.
struct Feature {
    name: &'static str,
    source: &'static str,
    answers: &'static [(&'static str, &'static str)],
}

const FEATURES: [Feature; 3] = [
    Feature {
        name: "ticket.md",
        source: "# Remind readers before a loan ends

As a reader I want a reminder before my loan ends so that I pay no fee.

Today one in five books comes back late, and readers complain about the fees.

## Rules
- The reminder is sent by e-mail 3 days before the due date, between 8:00 and 9:00.
- If the e-mail address is rejected, the librarian sees a note at the reader's account.
- When the loan was extended, the reminder shows the new due date.
- Readers can switch reminders off on their account page; then no reminder is sent.
- Only librarians can read the list of reminders that were sent.

## Out of scope
- Letters on paper
",
        answers: &[("Success measures", "Late returns fall from 20 % to 10 % of all loans by the end of June.")],
    },
    Feature {
        name: "talk.txt",
        source: "Nora: Let's begin with the parcel lockers.
Ed: Customers must be able to open their box with a code of 6 digits.
Nora: After 5 wrong codes the box stays locked for 10 minutes and shows \"Try again later\".
Ed: And a fingerprint reader, just kidding.
Nora: Agreed: a parcel that nobody collects within 3 days goes back to the sender.
Ed: The courier gets an error message if the box is already in use.
Nora: Last summer two lockers were flooded.
Ed: I'll call the manufacturer tomorrow.
",
        answers: &[
            ("Problem", "Customers who are not at home have to fetch their parcel at the depot, 12 km away."),
            ("Success measures", "60 % of all parcels are collected from a locker within 24 hours by December."),
            ("Out of scope", "Parcels that need to be cooled."),
        ],
    },
    Feature {
        name: "需求.md",
        source: "# 会议室预订提醒

作为员工，我希望在会议开始前收到提醒，以便按时到场。

目前经常有人忘记会议，会议室空着没人用。

## 规则
1. 会议开始前 10 分钟，系统向所有参会人发送提醒。
2. 会议取消后，不再发送提醒，并通知所有参会人。
3. 发送失败时，系统在 1 分钟内重试，最多重试 3 次，仍失败则记录日志。
4. 只有会议组织者可以修改提醒时间，其他人看到“无权限”提示。
5. 员工可以在个人设置里关闭提醒，关闭后不再收到提醒。

## 不做
- 短信提醒
",
        answers: &[("成功指标", "到 6 月底，无人到场的会议从每周 30 场降到 5 场以下。")],
    },
];

#[test]
fn a_good_prd_drafted_by_rules_passes_the_gate() {
    let (pipeline, book) = (shipped(), book());
    let author = RulesAuthor::new(&book).expect("the shipped words compile");
    for feature in FEATURES {
        let sources =
            sources_of(&pipeline, feature.name, feature.source.as_bytes()).expect("the guardrail lets it through");
        let modifications = feature.answers.iter().map(|(section, content)| BriefModification {
            section: (*section).to_owned(),
            modification_reason: "asked".to_owned(),
            requested_content: (*content).to_owned(),
        });
        let feedback = BriefFeedback { user_feedback: None, modifications: modifications.collect() };
        let mut brief = author.update_brief(&author.brief(&sources), &feedback, "ask:1");
        // The questions are answered by the sections that the person filled in.
        brief.open_questions.clear();
        let requirements = author.requirements(&brief, &sources, &[]);
        let decided: Vec<_> = requirements.into_iter().map(|requirement| (requirement, Decided::Approved)).collect();
        let id = new_feature_id(&brief.title, &[] as &[&str]);
        let status = PrdStatus {
            author: "Ines Falk".to_owned(),
            last_modified: "2026-11-22".to_owned(),
            status: DocumentStatus::Approved,
        };
        let input = PrdInput {
            feature_id: &id,
            project_id: None,
            utterance: feature.source,
            brief: &brief,
            requirements: &decided,
            status: &status,
        };
        let text = render_prd(&input);
        let sandbox = Sandbox::new();
        let ran = sandbox.file("prd.md", &text).run(&["check", "prd.md"]);
        assert_eq!(ran.code, 0, "{}\n{}\n{text}", ran.stdout, ran.stderr);

        let document = serde_json::to_value(prd_document(&input)).expect("it is data");
        let schema = serde_json::to_value(schemars::schema_for!(PrdDocument)).expect("it has a schema");
        jsonschema::validate(&schema, &document).expect("it fits its schema");
    }
}

/// What the guardrail masks stands in no draft.
#[test]
fn personal_data_of_a_source_stands_in_no_brief() {
    let (pipeline, book) = (shipped(), book());
    let author = RulesAuthor::new(&book).expect("the shipped words compile");
    let text = "We need a list of orders for the sales team. Questions go to jane.miller@contoso-sales.com, who has the old list.";
    let sources = sources_of(&pipeline, "utterance", text.as_bytes()).expect("the guardrail lets it through");
    let brief = reqgate::prd::brief::render_brief(&author.brief(&sources));
    assert!(!brief.contains("jane.miller"), "{brief}");
}
