//! Three features with the story of a person who rejects, changes her mind, edits files by hand and excludes things
//! from scope: `tests/features/*/story.md`. A reader wrote the brief of each (`brief.json`).

use std::fs;

use serde_json::{Value, json};

use super::open_ask;
use crate::cli::{Ran, Sandbox, source};

const REQUIREMENTS: &str = "requirements.md";
const BRIEF: &str = "feature-brief.md";

/// A story while its steps are performed.
struct Story {
    sandbox: Sandbox,
}

impl Story {
    /// Begins the thread `story` with the utterance and the files of a feature.
    fn begins(folder: &str, files: &[&str]) -> Self {
        let sandbox = Sandbox::new();
        let read = |name: &str| fs::read_to_string(source(&format!("features/{folder}/{name}"))).expect("a source");
        let said = read("utterance.txt");
        let mut arguments = vec!["prd", "start", said.trim(), "--id", "story"];
        for name in files {
            sandbox.file(name, read(name));
            arguments.extend(["--from", name]);
        }
        arguments.extend(["--author", "agent"]);
        sandbox.run(&arguments).ends_with(4);
        Self { sandbox }
    }

    /// Submits the brief that a reader wrote.
    fn is_read(&self, folder: &str) {
        let order = self.sandbox.run(&["prd", "next", "story", "--json"]).ends_with(4).json();
        let id = order["order"]["id"].as_str().expect("a work order").to_owned();
        let brief = fs::read_to_string(source(&format!("features/{folder}/brief.json"))).expect("a brief");
        self.sandbox.run_with(&["prd", "submit", &id, "--json", "-"], &[], &brief).ends_with(4);
    }

    /// The open question, which must be of this kind.
    #[track_caller]
    fn asks(&self, kind: &str) -> Value {
        let ask = open_ask(&self.sandbox);
        assert_eq!(ask["kind"], kind, "{ask:#}");
        ask["request"].clone()
    }

    fn answer(&self, answer: &Value) -> Ran {
        let id = open_ask(&self.sandbox)["id"].as_str().expect("an id").to_owned();
        self.sandbox.run_with(&["answer", &id, "--json", "-", "--author", "rules"], &[], &answer.to_string())
    }

    /// Answers, and expects another question.
    #[track_caller]
    fn answers(&self, answer: &Value) {
        self.answer(answer).ends_with(4);
    }

    /// The id of the open question of a brief with these words.
    #[track_caller]
    fn question(&self, words: &str) -> String {
        let request = self.asks("brief_review");
        let asked = request["openQuestions"].as_array().expect("a list");
        let found = asked.iter().find(|one| one["question"].as_str().is_some_and(|text| text.contains(words)));
        found.unwrap_or_else(|| panic!("no {words} in {asked:#?}"))["id"].as_str().expect("an id").to_owned()
    }

    /// The id of the requirement with these words, in any part of the review.
    #[track_caller]
    fn id(&self, words: &str) -> String {
        let request = open_ask(&self.sandbox)["request"].clone();
        let lists = [&request["requirements"], &request["decided"]];
        let all: Vec<&Value> = lists.into_iter().filter_map(Value::as_array).flatten().collect();
        let found = all.iter().find(|one| one["description"].as_str().is_some_and(|text| text.contains(words)));
        found.unwrap_or_else(|| panic!("no {words} in {all:#?}"))["id"].as_str().expect("an id").to_owned()
    }

    /// The ids that are shown for a decision.
    #[track_caller]
    fn shown(&self) -> Vec<String> {
        let request = self.asks("requirements_review");
        let each = request["requirements"].as_array().expect("a list").iter();
        each.map(|one| one["id"].as_str().expect("an id").to_owned()).collect()
    }

    /// Gives these verdicts, and approves everything else that is shown except `left`.
    #[track_caller]
    fn reviews(&self, verdicts: &[Value], left: &[String]) {
        self.reviews_and_adds(verdicts, left, &[]);
    }

    /// The same, with requirements that the reviewer adds.
    #[track_caller]
    fn reviews_and_adds(&self, verdicts: &[Value], left: &[String], added: &[&str]) {
        let mut all = verdicts.to_vec();
        let is_named = |id: &String| verdicts.iter().any(|verdict| verdict["id"] == **id) || left.contains(id);
        all.extend(self.shown().iter().filter(|id| !is_named(id)).map(|id| json!({ "id": id, "verdict": "approve" })));
        let added: Vec<Value> = added.iter().map(|words| json!({ "description": words })).collect();
        match added.is_empty() {
            true => self.answers(&json!({ "verdicts": all })),
            false => self.answers(&json!({ "verdicts": all, "added": added })),
        };
    }

    /// The id of the requirement with these words in the file of requirements.
    #[track_caller]
    fn id_in_file(&self, words: &str) -> String {
        let file = self.file(REQUIREMENTS);
        let (above, _) = file.split_once(words).unwrap_or_else(|| panic!("no {words} in {file}"));
        let at = above.rfind("FR-").unwrap_or_else(|| panic!("no id above {words} in {file}"));
        above[at..at + "FR-001".len()].to_owned()
    }

    fn path(name: &str) -> String {
        format!("docs/prd/001-story/{name}")
    }

    fn file(&self, name: &str) -> String {
        self.sandbox.read(&Self::path(name))
    }

    /// Edits a document by hand.
    #[track_caller]
    fn edits(&self, name: &str, from: &str, to: &str) {
        let text = self.file(name);
        assert!(text.contains(from), "{from} in {text}");
        self.sandbox.file(&Self::path(name), text.replacen(from, to, 1));
    }

    /// The PRD as it is shown.
    #[track_caller]
    fn prd(&self) -> String {
        self.asks("prd_review")["document"].as_str().expect("a PRD").to_owned()
    }

    /// The whole history, as JSON.
    fn history(&self) -> String {
        self.sandbox.run(&["prd", "history", "story", "--format", "json"]).ends_with(0).stdout
    }

    /// The block of a requirement in its file.
    #[track_caller]
    fn block(&self, id: &str) -> String {
        let file = self.file(REQUIREMENTS);
        let start = file.find(&format!("### {id}:")).unwrap_or_else(|| panic!("no {id} in {file}"));
        let end = file[start + 4..].find("\n##").map_or(file.len(), |end| start + 4 + end);
        file[start..end].to_owned()
    }
}

/// The text under a heading, up to the next one of its level.
#[track_caller]
fn section<'t>(text: &'t str, heading: &str) -> &'t str {
    let start = text.find(&format!("\n{heading}\n")).unwrap_or_else(|| panic!("no {heading} in {text}"));
    let rest = &text[start + heading.len() + 1..];
    let level = heading.split(' ').next().unwrap_or_default();
    let next = [format!("\n{level} "), format!("\n{} ", &level[1..])];
    let end = next.iter().filter(|mark| mark.len() > 3).filter_map(|mark| rest.find(mark.as_str())).min();
    &rest[..end.unwrap_or(rest.len())]
}

#[track_caller]
fn has(text: &str, all: &[&str]) {
    all.iter().for_each(|words| assert!(text.contains(words), "{words} is not in {text}"));
}

#[track_caller]
fn has_none(text: &str, all: &[&str]) {
    all.iter().for_each(|words| assert!(!text.contains(words), "{words} is in {text}"));
}

fn reject(id: &str, reason: &str) -> Value {
    json!({ "id": id, "verdict": "reject", "reason": reason })
}

fn out_of_scope(id: &str, reason: &str) -> Value {
    json!({ "id": id, "verdict": "out_of_scope", "reason": reason })
}

fn modify(id: &str, description: &str, reason: &str) -> Value {
    json!({ "id": id, "verdict": "modify", "changes": { "description": description }, "reason": reason })
}

#[test]
fn lotte_rejects_changes_her_mind_and_edits_by_hand() {
    let story = Story::begins("13-parts-search-story", &["ticket-PARTS-55.md"]);
    story.is_read("13-parts-search-story");
    // The first round of the brief, while questions are asked: she does not know yet how to measure success.
    let round = json!({
        "approved": false,
        "answers": {
            story.question("how many languages"): "German and English.",
            story.question("type Danish"): "Out of scope this time.",
            story.question("German and English names"): "That holds.",
            story.question("not part of it"): "Danish: there are no Danish names in the data.",
        },
        "modifications": [{ "section": "Users", "requestedContent": "Mechanics and dealers' staff\nParts desk" }],
    });
    // Words about the whole brief are for its author; an approval would lose them.
    let mut both = round.clone();
    both["approved"] = true.into();
    both["userFeedback"] = "Shorter, please.".into();
    assert!(story.answer(&both).ends_with(2).stderr.contains("say false"));
    story.answers(&round);
    let second = story.asks("brief_review");
    has(
        second["document"].as_str().expect("a brief"),
        &["- Mechanics and dealers' staff", "by when?\n  Answer: ______"],
    );
    story.answers(&json!({ "approved": true }));

    // The review of the requirements.
    let (photo, typos, successor) = (story.id("by photo"), story.id("typos"), story.id("successor"));
    let (weekly, others, speed) = (story.id("weekly"), story.id("other people bought"), story.id("1 second"));
    let oily = "Nobody takes a clean photo of an oily gasket, and we have pictures of only a third of the parts.";
    let one_letter = "One wrong letter is tolerated in words of up to 5 letters, two in longer words; part numbers are never corrected.";
    let verdicts = [
        reject(&photo, oily),
        modify(&typos, one_letter, "A wrong part number must not silently become another part."),
        modify(
            &speed,
            "Results appear within 2 seconds, measured for 95 of 100 searches.",
            "2 is what the contract says.",
        ),
        reject(&story.id("As long as"), "A remark."),
        out_of_scope(&others, "Ruben may have it next year."),
    ];
    story.reviews(&verdicts, &[]);
    has_none(&story.block(&speed), &["1 second\n\n- Priority", "- Results have to appear"]);

    // An edit by hand in the file, before the next review.
    story.asks("gap_decision");
    story.edits(REQUIREMENTS, "at them weekly.\n", "at them every Monday, as a list sorted by frequency.\n");
    let own = "If there is no successor, the search says so and shows the phone number of the desk.";
    let successor_now = "If a part is discontinued the search shows its successor.\n";
    story.edits(REQUIREMENTS, successor_now, &format!("{successor_now}{own}\n"));
    story.answers(&json!({ "userIterationOverride": false }));
    // Both edits are detected and kept; requirements that she did not change are not asked again.
    let request = story.asks("requirements_review");
    assert_eq!(story.shown(), [successor.clone(), weekly.clone()]);
    let changed = request["changedByHand"].to_string();
    has(&changed, &["edited", "look at them weekly."]);
    let terminal = story.sandbox.run(&["prd", "resume", "story"]).ends_with(4).stdout;
    has(&terminal, &["edited by hand in requirements.md; before: Zero-hit searches are logged", own]);
    story.reviews(&[], &[]);
    let block = story.block(&successor);
    let of_ticket = block.lines().find(|line| line.starts_with("- ticket-PARTS-55.md")).expect("a source");
    assert!(block.contains(&format!(": {own}")) && !of_ticket.contains("phone number"), "{block}");
    has(&block, &["- requirements.md:"]);
    has_none(
        &story.block(&weekly),
        &["- Zero-hit searches are logged so that the desk can look at them weekly.\n\nSources"],
    );

    // She changes her mind, and does so again a minute later.
    let prd = story.prd();
    has_none(prd.split("## Change log").next().expect("a part"), &["by photo"]);
    let could = json!({
        "id": photo, "verdict": "modify", "reason": "Ruben insists. But only as could.",
        "changes": { "description": "Mechanics can search by photo, only for parts that have a picture.", "priority": "could" },
    });
    // The gate also stops the resulting PRD, so it is shown again despite the approval.
    story.answers(&json!({ "prdApproved": true, "verdicts": [could] }));
    has(
        &story.prd(),
        &[
            &format!(
                "| {photo} | Mechanics can search by photo | Mechanics can search by photo, only for parts that have a picture."
            ),
            "| P2 |",
        ],
    );
    has(&story.block(&photo), &[oily, "Ruben insists."]);
    story.answers(
        &json!({ "prdApproved": false, "verdicts": [reject(&photo, "No. Leave it rejected. I talked to him.")] }),
    );
    has_none(story.prd().split("## Change log").next().expect("a part"), &["by photo"]);
    has(&story.history(), &[oily, "Ruben insists.", "I talked to him."]);
    has(section(&story.file(REQUIREMENTS), "## Rejected"), &[&photo, "I talked to him."]);

    // She closes the gap in the brief itself.
    let zero = "Zero hits below 15 % of searches three months after the start, today it is 40 %.";
    has(section(&story.prd(), "### Open questions"), &["How will you measure"]);
    story.edits(BRIEF, "by when?\n  Answer: ______", &format!("by when?\n  Answer: {zero}"));
    story.answers(&json!({ "prdApproved": true, "gateOverride": "with gloves or not, nobody knows" }));
    has(&story.prd(), &[zero]);
    // The question about gloves is not answered: it stays open, and she approves the PRD by naming it.
    story.answer(&json!({ "prdApproved": true })).ends_with(2);
    story.answer(&json!({ "prdApproved": true, "gateOverride": "with gloves or not, nobody knows" })).ends_with(0);
    let prd = story.file("prd.md");
    has(
        section(&prd, "### Out of scope"),
        &["Danish", "other people bought, like Kettenmax does (Ruben may have it next year)."],
    );
    has(section(&prd, "### Open questions"), &["with gloves?"]);
    let wanted = section(&prd, "## Functional requirements");
    has(wanted, &["within 2 seconds", "every Monday", own, "never corrected"]);
    has_none(wanted, &["by photo", "Kettenmax", "1 second", "voice", "weekly", "one or two letters"]);
    // The gate names the one question that she accepted, with her reason.
    let checked = story.sandbox.run(&["check", &Story::path("prd.md")]).ends_with(0).stdout;
    has(&checked, &["One open question was accepted by", "nobody knows", "with gloves"]);
}

#[test]
fn xiujie_reviews_once_goes_back_once_and_has_the_file_edited() {
    let story = Story::begins("14-laonian-shitang-story", &["会议.txt"]);
    story.is_read("14-laonian-shitang-story");
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
    has(&brief, &["- [ ] 健康信息谁能看到？"]);
    has_none(section(&brief, "## 用户"), &["医生"]);
    story.answers(&json!({ "approved": true }));

    let (two, deadline, delivery) = (story.id("最多订 2 份"), story.id("上午 9 点截止"), story.id("80 岁以上"));
    let (list, alone, levels) = (story.id("送餐名单"), story.id("独居老人"), story.id("含糖和含盐"));
    let (letters, bill) = (story.id("字体"), story.id("餐费"));
    let grandson = "老两口加个来看他们的孙子就是 3 份，限 2 份要挨骂。";
    let insurance = "志愿者保险还没谈下来，第二期再说。";
    let evening = "前一天晚上 8 点截止订餐，当天上午 8 点前可以取消但不能增加。";
    let verdicts = [
        reject(&two, grandson),
        modify(&deadline, evening, "老鲍早上六点就去买菜了。"),
        out_of_scope(&delivery, insurance),
        out_of_scope(&list, insurance),
    ];
    story.reviews(&verdicts, &[]);

    // 侄子改了两处，手滑删了一条。
    story.edits(REQUIREMENTS, "\n字体不小于 20 号", "\n字体不小于 24 号");
    let posted = "每月 3 号前贴出结算单，只贴门牌号不贴名字。";
    story.edits(REQUIREMENTS, "有补贴的扣 5 元。\n\n", &format!("有补贴的扣 5 元。\n{posted}\n\n"));
    let block = story.block(&levels);
    story.edits(REQUIREMENTS, &block, "");
    story.answers(&json!({ "userIterationOverride": false }));
    assert_eq!(story.shown(), [bill.clone(), letters.clone(), levels.clone()]);
    let terminal = story.sandbox.run(&["prd", "resume", "story"]).ends_with(4).stdout;
    has(&terminal, &["手工改过，原文：字体不小于 20 号", "已从 requirements.md 里手工删除", posted]);
    // 没有回答之前，它既没有消失，也没有回到文件里。
    has_none(&story.file(REQUIREMENTS), &["含糖和含盐等级"]);
    // 第二天带回庄大夫的话。
    let health = "健康标记只有本人、代订的志愿者和厨房能看到，厨房只看到忌口，看不到病名。";
    let approved: Vec<Value> = story.shown().iter().map(|id| json!({ "id": id, "verdict": "approve" })).collect();
    story.answers(&json!({ "verdicts": approved, "added": [{ "description": health }] }));
    has(
        section(&story.file(REQUIREMENTS), "## 已批准"),
        &["含糖和含盐等级", "字体不小于 24 号", posted, "ask:requirements_review:1: 健康标记"],
    );

    // 反悔：新的一条，来源是她这次的话；先前的拒绝留着。
    let four = "每人每天最多订 4 份。";
    story.answers(&json!({ "prdApproved": false, "added": [{ "description": four }] }));
    let file = story.file(REQUIREMENTS);
    has(section(&file, "## 已拒绝"), &[&two, grandson]);
    has(&file, &["- ask:prd_review:1: 每人每天最多订 4 份。"]);
    let ids: Vec<&str> =
        file.lines().filter_map(|line| line.strip_prefix("### FR-")?.split(['：', ':']).next()).collect();
    let unique: std::collections::BTreeSet<&&str> = ids.iter().collect();
    assert_eq!(ids.len(), unique.len(), "no id is used twice: {ids:?}");
    has(&story.history(), &[grandson]);

    // 健康信息的问题有了答案，补贴的问题还开着。
    let open = "健康信息谁能看到？";
    let line = story.file(BRIEF).lines().find(|line| line.contains(open)).expect("the question").to_owned();
    story.edits(BRIEF, &format!("{line}\n  答：______"), &format!("{line}\n  答：{health}"));
    story.answers(&json!({ "prdApproved": true, "gateOverride": "带着这个问题也可以批" }));
    story.answer(&json!({ "prdApproved": true, "gateOverride": "带着这个问题也可以批" })).ends_with(0);
    let prd = story.file("prd.md");
    let wanted = section(&prd, "## 功能需求");
    has(wanted, &[four, "前一天晚上 8 点", "24 号", "独居老人", "含糖和含盐", posted, health]);
    has_none(wanted, &["2 份", "上午 9 点", "20 号", "送餐", "短视频"]);
    has(section(&prd, "### 范围之外"), &["短视频", "80 岁以上", "送餐名单", insurance.trim_end_matches('。')]);
    has(section(&prd, "### 待解问题"), &["补贴资格和独居由谁认定"]);
    has(section(&prd, "### 成功指标"), &["剩饭每天不超过 5 份"]);
    assert!(prd.contains(&alone));
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

#[test]
fn dorrit_comes_back_after_three_days_and_a_hand_edit() {
    let story = Story::begins("15-museum-groups-story", &["notes-workshop.md", "mail-philippa.txt"]);
    // Day 1. The waiting list was not decided on, and the program does not decide it for her.
    story.is_read("15-museum-groups-story");
    let round = json!({
        "approved": false,
        "answers": {
            story.question("7 days"): "A slot is booked at least 3 days in advance.",
            // The statement that she would have rejected is part of the disputed sentence and is removed with it.
            story.question("25 people"): "A group has at most 20 people in the mine part and 25 elsewhere; the office phones larger ones.",
            story.question("Cancelling"): "Schools cancel free of charge until the day before, everybody else up to 48 hours before.",
            story.question("measure"): "Double bookings go from two a week to zero by the summer season.",
        },
        "modifications": [
            { "section": "Goals", "requestedContent": "+ Double bookings go to zero by the summer season." },
            { "section": "Out of scope", "requestedContent": "+ A waiting list." },
            { "section": "Open questions", "requestedContent": "+ Which payment provider does the city allow?" },
        ],
    });
    story.answers(&round);
    let brief = story.asks("brief_review")["document"].as_str().expect("a brief").to_owned();
    has(section(&brief, "## Open questions"), &["Guides can swap tours", "Answer: ______"]);
    has(section(&brief, "## Goals"), &["zero by the summer season"]);
    story.answers(&json!({ "approved": true }));

    // Day 2. She has not looked at two requirements.
    let (mail, invoice) = (story.id("A confirmation"), story.id("invoice"));
    let (lift, code) = (story.id("wheelchair"), story.id("one code"));
    let minutes =
        "A confirmation is sent by mail within 5 minutes; the ticket follows when the office has confirmed the guide.";
    let verdicts = [
        modify(&mail, minutes, "Anselm sometimes has nobody for French."),
        out_of_scope(&invoice, "The finance department does it in their own system."),
    ];
    // An answer does not become a requirement by itself: she adds the rule.
    let cancelling = "Schools cancel free of charge until the day before, everybody else up to 48 hours before.";
    story.reviews_and_adds(&verdicts, &[lift.clone(), code.clone()], &[cancelling]);
    let hours = story.id_in_file("until the day before");
    has(section(&story.file(REQUIREMENTS), "## Pending Review"), &[&lift, &code]);

    // An edit by hand between the days.
    story.asks("gap_decision");
    story.edits(REQUIREMENTS, "everybody else up to 48 hours before.\n", "everybody else up to 72 hours before.\n");
    story.edits(REQUIREMENTS, "(4 persons, on a good day).\n", "(4 persons, on a good day). approved\n");
    story.answers(&json!({ "userIterationOverride": false }));

    // Day 3. The edit is shown next to the previous words; writing "approved" by hand does not approve.
    let mut shown = story.shown();
    shown.sort();
    let mut expected = vec![hours.clone(), lift.clone(), code.clone()];
    expected.sort();
    assert_eq!(shown, expected);
    has(&story.asks("requirements_review")["changedByHand"].to_string(), &["up to 48 hours", &hours, &lift]);
    let swap = "Guides can propose a swap, the office approves it with one click; without an answer within 24 hours it is refused.";
    let back = json!({
        "id": invoice, "verdict": "modify", "reason": "The finance department said no.", "changes": { "priority": "should" },
    });
    let verdicts = json!({
        "verdicts": [
            modify(&hours, "Schools cancel free of charge until the day before, everybody else up to 48 hours before.", "Philippa would kill me."),
            modify(&lift, "Wheelchair users are asked for at booking because of the small lift, at most 4 per slot.", "The lift takes 4."),
            { "id": code, "verdict": "approve" },
            back,
        ],
        "added": [{ "description": swap }],
    });
    story.answers(&verdicts);
    has(&story.block(&invoice), &["- Priority: medium", "The finance department said no.", "in their own system"]);
    has(&story.file(REQUIREMENTS), &["ask:requirements_review:1: Guides can propose a swap"]);
    has_none(&story.file(REQUIREMENTS), &["72 hours before.\n\n"]);

    // The review of the PRD, twice.
    let web = "The teacher can see the booking with its code on the web page, too.";
    let feedback = "There is no word about what happens if the mail does not arrive.";
    story.answers(&json!({ "prdApproved": false, "userFeedback": feedback, "added": [{ "description": web }] }));
    has(section(&story.prd(), "## Functional requirements"), &[web]);
    // The director has decided: the requirement answers the question of the brief.
    let brief = story.file(BRIEF);
    let line = brief
        .lines()
        .find(|line| line.starts_with("- [ ] Which holds") && line.contains("Guides swapping"))
        .expect("the question");
    story.edits(BRIEF, &format!("{line}\n  Answer: ______"), &format!("{line}\n  Answer: {swap}"));
    story.answers(
        &json!({ "prdApproved": true, "gateOverride": "the city has not answered about the payment provider" }),
    );
    story
        .answer(&json!({ "prdApproved": true, "gateOverride": "the city has not answered about the payment provider" }))
        .ends_with(0);
    let prd = story.file("prd.md");
    let wanted = section(&prd, "## Functional requirements");
    has(wanted, &["48 hours", swap, web, "at most 4 per slot", "order number", minutes]);
    // Answers are listed with their questions.
    has(&prd, &["3 days", "20 people", "25"]);
    has_none(
        wanted,
        &["split automatically", "Deposit", "boat", "audio", "7 days", "72 hours", "at once", "approved |"],
    );
    has(section(&prd, "### Out of scope"), &["waiting list", "boat"]);
    has(section(&prd, "### Open questions"), &["payment provider"]);
    has(&story.history(), &["the office phones larger ones", "in their own system", "72 hours"]);
    story.sandbox.run(&["prd", "verify", "story"]).ends_with(0);
}
