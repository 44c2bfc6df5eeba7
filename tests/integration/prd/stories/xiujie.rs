//! 秀杰：审一次，反悔一次，文件由侄子手工改过。

use serde_json::{Value, json};

use super::{BRIEF, REQUIREMENTS, Story, has, has_none, modify, out_of_scope, reject, section};

/// 限 2 份的拒绝理由。
const GRANDSON: &str = "老两口加个来看他们的孙子就是 3 份，限 2 份要挨骂。";
/// 送餐的拒绝理由。
const INSURANCE: &str = "志愿者保险还没谈下来，第二期再说。";
/// 侄子加的一句。
const POSTED: &str = "每月 3 号前贴出结算单，只贴门牌号不贴名字。";
/// 庄大夫的话。
const HEALTH: &str = "健康标记只有本人、代订的志愿者和厨房能看到，厨房只看到忌口，看不到病名。";
/// 她反悔后的一条。
const FOUR: &str = "每人每天最多订 4 份。";

#[test]
fn xiujie_reviews_once_goes_back_once_and_has_the_file_edited() {
    let story = Story::begins("14-laonian-shitang-story", &["会议.txt"]);
    story.is_read("14-laonian-shitang-story");
    answers_questions_of_the_brief(&story);
    let [two, levels, bill, letters, alone] = reviews_requirements(&story);
    has_the_file_edited(&story, [&bill, &letters, &levels]);
    changes_her_mind(&story, &two);
    approves_with_an_open_question(&story, &alone);
    the_gate_names_what_she_accepted(&story);
}

fn answers_questions_of_the_brief(story: &Story) {
    let round = json!({
        "approved": false,
        "answers": {
            story.question("怎么衡量"): "一个月后，剩饭每天不超过 5 份，没吃上的老人一个都没有。",
            story.question("不在本次范围"): "教老人做菜的短视频。",
        },
        "modifications": [
            { "section": "用户", "requestedContent": "老人\n志愿者\n大厨\n居委会" },
            { "section": "约束", "requestedContent": "+ 每天多备 10 份，先到先得，多备的不算订餐。" },
            { "section": "待解问题", "requestedContent": "+ 健康信息谁能看到？\n+ 补贴资格和独居由谁认定？" },
        ],
    });
    story.answers(&round);
    // “先放着”：没有替她编答案。
    let brief = story.asks("brief_review")["document"].as_str().expect("a brief").to_owned();
    has(&brief, &[": 健康信息谁能看到？"]);
    has_none(section(&brief, "## 用户"), &["医生"]);
    story.answers(&json!({ "approved": true }));
}

/// Reviews the requirements, and returns the ids of those that matter later.
fn reviews_requirements(story: &Story) -> [String; 5] {
    let (two, deadline, delivery) = (story.id("最多订 2 份"), story.id("上午 9 点截止"), story.id("80 岁以上"));
    let (list, alone, levels) = (story.id("送餐名单"), story.id("独居老人"), story.id("含糖和含盐"));
    let (letters, bill) = (story.id("字体"), story.id("餐费"));
    let evening = "前一天晚上 8 点截止订餐，当天上午 8 点前可以取消但不能增加。";
    let verdicts = [
        reject(&two, GRANDSON),
        modify(&deadline, evening, "老鲍早上六点就去买菜了。"),
        out_of_scope(&delivery, INSURANCE),
        out_of_scope(&list, INSURANCE),
    ];
    story.reviews(&verdicts, &[]);
    [two, levels, bill, letters, alone]
}

fn has_the_file_edited(story: &Story, [bill, letters, levels]: [&String; 3]) {
    // 侄子改了两处，手滑删了一条。
    story.edits(REQUIREMENTS, "\n字体不小于 20 号", "\n字体不小于 24 号");
    story.edits(REQUIREMENTS, "有补贴的扣 5 元。\n\n", &format!("有补贴的扣 5 元。\n{POSTED}\n\n"));
    let block = story.block(levels);
    story.edits(REQUIREMENTS, &block, "");
    story.answers(&json!({ "userIterationOverride": false }));
    assert_eq!(story.shown(), [bill, letters, levels].map(String::clone));
    let terminal = story.sandbox.run(&["prd", "resume", "story"]).ends_with(4).stdout;
    has(&terminal, &["手工改过，原文：字体不小于 20 号", "已从 requirements.md 里手工删除", POSTED]);
    // 没有回答之前，它既没有消失，也没有回到文件里。
    has_none(&story.file(REQUIREMENTS), &["含糖和含盐等级"]);
    // 第二天带回庄大夫的话。
    let approved: Vec<Value> = story.shown().iter().map(|id| json!({ "id": id, "verdict": "approve" })).collect();
    story.answers(&json!({ "verdicts": approved, "added": [{ "description": HEALTH }] }));
    has(
        section(&story.file(REQUIREMENTS), "## 已批准"),
        &["含糖和含盐等级", "字体不小于 24 号", POSTED, "ask:requirements_review:1: 健康标记"],
    );
}

fn changes_her_mind(story: &Story, two: &str) {
    // 反悔：新的一条，来源是她这次的话；先前的拒绝留着。
    story.answers(&json!({ "prdApproved": false, "added": [{ "description": FOUR }] }));
    let file = story.file(REQUIREMENTS);
    has(section(&file, "## 已拒绝"), &[two, GRANDSON]);
    has(&file, &["- ask:prd_review:1: 每人每天最多订 4 份。"]);
    let ids: Vec<&str> =
        file.lines().filter_map(|line| line.strip_prefix("### FR-")?.split(['：', ':']).next()).collect();
    let unique: std::collections::BTreeSet<&&str> = ids.iter().collect();
    assert_eq!(ids.len(), unique.len(), "no id is used twice: {ids:?}");
    has(&story.history(), &[GRANDSON]);
}

fn approves_with_an_open_question(story: &Story, alone: &str) {
    // 健康信息的问题有了答案，补贴的问题还开着。
    let open = "健康信息谁能看到？";
    let line = story.file(BRIEF).lines().find(|line| line.contains(open)).expect("the question").to_owned();
    story.edits(BRIEF, &format!("{line}\n  答：______"), &format!("{line}\n  答：{HEALTH}"));
    story.answers(&json!({ "prdApproved": true, "gateOverride": "带着这个问题也可以批" }));
    story.answer(&json!({ "prdApproved": true, "gateOverride": "带着这个问题也可以批" })).ends_with(0);
    let prd = story.file("prd.md");
    let wanted = section(&prd, "## 功能需求");
    has(wanted, &[FOUR, "前一天晚上 8 点", "24 号", "独居老人", "含糖和含盐", POSTED, HEALTH]);
    has_none(wanted, &["2 份", "上午 9 点", "20 号", "送餐", "短视频"]);
    has(section(&prd, "### 范围之外"), &["短视频", "80 岁以上", "送餐名单", INSURANCE.trim_end_matches('。')]);
    has(section(&prd, "### 待解问题"), &["补贴资格和独居由谁认定"]);
    has(section(&prd, "### 成功指标"), &["剩饭每天不超过 5 份"]);
    assert!(prd.contains(alone));
}

fn the_gate_names_what_she_accepted(story: &Story) {
    // 她知道还有一个问题没定：门禁不再拦，但指出是谁为什么接受的，而且只指一次。
    let checked = story.sandbox.run(&["check", &Story::path("prd.md"), "--format", "json"]).ends_with(0).json();
    let report = &checked["outcomes"][0]["score_report"];
    assert_eq!(report["blocking_issues"].as_array().map(Vec::len), Some(0));
    let open = report["non_blocking_issues"].as_array().expect("a list").iter();
    let named: Vec<&Value> =
        open.map(|issue| &issue["quote"]).filter(|quote| *quote == "补贴资格和独居由谁认定？").collect();
    assert_eq!(named.len(), 1, "{report}");
    let explained = checked["outcomes"][0]["decision"]["explanation"].as_str().expect("words");
    assert!(explained.contains("带着这个问题也可以批"), "{explained}");
}
