//! What is taken from tickets, minutes, tables and talks, and what is only listed.

use super::{Collector, Source, UTTERANCE, changed_brief, requirements_of};
use crate::model::Language;
use crate::prd::collect::BriefFeedback;
use crate::prd::{FeatureBrief, Statement};
use crate::rules::{load, shipped_files_for_judging};
use crate::text::Reader;

fn with_reader(check: impl Fn(&Reader)) {
    check(&load(&shipped_files_for_judging()).expect("the shipped rules").reader);
}

fn source(name: &str, text: &str) -> Source {
    Source { name: name.to_owned(), text: text.to_owned(), asked: None }
}

fn texts(statements: &[Statement]) -> Vec<&str> {
    statements.iter().map(|statement| statement.text.as_str()).collect()
}

fn questions(brief: &FeatureBrief) -> String {
    brief.open_questions.iter().map(|open| open.question.as_str()).collect::<Vec<_>>().join("\n")
}

const TICKET: &str = "\
# [SHOP-12] Returns by post

Customers phone us for every return, and Bert once lost a whole box, haha.

As a customer, I want to print a return label, so that I can send a parcel back without calling.

## Rules

- A return is possible for 30 days after delivery.
  - On day 31 the button is gone and the page says \"Too late\".
- The label is a PDF of one page.
- Which carrier?

## Acceptance criteria

- When the label is printed, then the order shows \"Return announced\".

## Out of scope

- Returns in shops.
";

#[test]
fn a_ticket_gives_what_its_headings_and_its_story_say() {
    with_reader(|reader| {
        let sources = [source("ticket.md", TICKET)];
        let collector = Collector::new(reader);
        let brief = collector.brief(&sources);
        assert_eq!(brief.title, "Returns by post");
        assert_eq!(texts(&brief.users), ["Customer"]);
        assert_eq!(texts(&brief.out_of_scope), ["Returns in shops."]);
        assert_eq!(brief.constraints.len(), 4, "{:#?}", brief.constraints);
        assert_eq!(brief.constraints[0].source.as_ref().map(|place| place.line), Some(9));
        assert!(questions(&brief).contains("Which carrier?"), "{brief:#?}");
        assert_eq!(texts(&brief.problem), [""; 0], "prose without a label is not read");

        let drawn = collector.requirements(&brief, &sources, &[]);
        let titles: Vec<&str> = drawn.iter().map(|one| one.description.as_str()).collect();
        assert_eq!(drawn.len(), 3, "{titles:#?}");
        assert!(titles[0].starts_with("As a customer"), "{titles:?}");
        assert_eq!(
            drawn[0].acceptance_criteria,
            ["When the label is printed, then the order shows \"Return announced\"."]
        );
        assert_eq!(drawn[1].acceptance_criteria.len(), 1, "the item below a rule is its criterion: {drawn:#?}");
        assert!(drawn[2].acceptance_criteria.is_empty(), "a rule is not its own criterion");

        let not_used = collector.not_used(&sources, &brief);
        let words: Vec<&str> = not_used.iter().map(|one| one.place.quote.as_str()).collect();
        assert_eq!(words, ["Customers phone us for every return, and Bert once lost a whole box, haha."]);
        assert_eq!((not_used[0].id.as_str(), not_used[0].place.line), ("u1", 3));
    });
}

#[test]
fn a_talk_gives_nothing_but_what_it_lists_as_decided() {
    let minutes = "\
Anna: Let's say 30 days. Or 90?
Ben: 90, the lawyers want it. And PDF, obviously.
Anna: Fine. Remember Lagerfix, what a joke.
Ben: I'll ask Carla about the wording.

Decisions:
- Data is kept for 90 days.
- ~~Export as PDF.~~

Action items:
- Ben asks Carla about the wording.
";
    with_reader(|reader| {
        let sources = [source("minutes.txt", minutes)];
        let collector = Collector::new(reader);
        let brief = collector.brief(&sources);
        assert_eq!(texts(&brief.constraints), ["Data is kept for 90 days."]);
        assert_eq!(collector.requirements(&brief, &sources, &[]).len(), 1);
        let not_used = collector.not_used(&sources, &brief);
        for words in ["Let's say 30 days", "90, the lawyers want it", "Lagerfix", "Export as PDF", "asks Carla"] {
            assert!(not_used.iter().any(|one| one.place.quote.contains(words)), "{words}: {not_used:#?}");
        }
    });
}

#[test]
fn two_figures_for_one_matter_are_a_question_and_no_requirement() {
    for (ticket, minutes) in [
        (
            "# Exports\n\n## Rules\n\n- Export files are kept for 30 days.\n",
            "Decisions:\n- Export files are kept for 90 days.\n",
        ),
        ("# 导出\n\n## 规则\n\n- 导出文件保留 30 天。\n", "决定：\n- 导出文件保留 90 天。\n"),
    ] {
        with_reader(|reader| {
            let sources = [source("ticket.md", ticket), source("minutes.md", minutes)];
            let collector = Collector::new(reader);
            let brief = collector.brief(&sources);
            let asked = questions(&brief);
            assert!(asked.contains("30") && asked.contains("90") && asked.contains("minutes.md:2"), "{asked}");
            assert_eq!(collector.requirements(&brief, &sources, &[]), []);
            let places: Vec<&str> = brief.open_questions[0].sources().map(|place| place.source.as_str()).collect();
            assert_eq!(places, ["ticket.md", "minutes.md"], "both sides are kept");
            let mut settled = brief.open_questions[0].clone();
            settled.answer = Some("90".to_owned());
            assert!(settled.settles_a_conflict());
            assert_eq!(collector.not_used(&sources, &brief), []);
        });
    }
}

#[test]
fn a_table_of_decisions_gives_its_decisions() {
    let text = "# 周会\n\n| 编号 | 决定 | 负责人 |\n|---|---|---|\n| 1 | 每人每天最多订 2 份 | 老鲍 |\n| 2 | 字体不小于 20 号 | 小秀 |\n";
    with_reader(|reader| {
        let brief = Collector::new(reader).brief(&[source("会议.md", text)]);
        assert_eq!(texts(&brief.constraints), ["每人每天最多订 2 份。", "字体不小于 20 号。"]);
        assert_eq!(brief.language, Language::Zh);
    });
}

#[test]
fn a_sentence_is_the_goal_and_the_rest_is_asked() {
    with_reader(|reader| {
        let sources = [source(UTTERANCE, "We want to export orders as CSV")];
        let collector = Collector::new(reader);
        let brief = collector.brief(&sources);
        assert_eq!(texts(&brief.goals), ["We want to export orders as CSV."]);
        assert_eq!(collector.requirements(&brief, &sources, &[]), []);
        assert_eq!(collector.not_used(&sources, &brief), []);
        assert!(questions(&brief).contains("Who will use it?"), "{brief:#?}");
    });
}

#[test]
fn an_answer_stays_with_its_question_and_closes_the_point_it_names() {
    with_reader(|reader| {
        let asked = "“The format is TBD”: who decides this, and by when?";
        let answer = Source {
            name: "ask:q1".to_owned(),
            text: "Exports are comma-separated files in UTF-8.".to_owned(),
            asked: Some(asked.to_owned()),
        };
        let sources = [source("ticket.md", "# Export\n\n## Rules\n\n- The format is TBD\n"), answer];
        let collector = Collector::new(reader);
        let brief = collector.brief(&sources);
        assert!(!questions(&brief).contains("Not settled yet"), "{brief:#?}");
        let settled = brief.open_questions.iter().find(|open| open.question == asked).expect("the question");
        assert!(settled.answer.as_deref().is_some_and(|answer| answer.contains("UTF-8")));
        let drawn = collector.requirements(&brief, &sources, &[]);
        assert_eq!(drawn.len(), 1, "{drawn:#?}");
        assert_eq!(drawn[0].sources[0].source, "ask:q1");
    });
}

#[test]
fn a_question_that_two_places_ask_is_no_conflict() {
    let text = "## Open questions\n\n- Which format is used?\n";
    with_reader(|reader| {
        let sources = [source("ticket.md", &format!("# Export\n\n{text}")), source("minutes.md", text)];
        let mut brief = Collector::new(reader).brief(&sources);
        let asked = brief.open_questions.iter_mut().find(|open| open.question.contains("Which format"));
        let asked = asked.expect("the question");
        asked.answer = Some("CSV".to_owned());
        assert_eq!((asked.sources().count(), asked.settles_a_conflict()), (2, false));
    });
}

#[test]
fn who_settles_an_open_point_is_no_answer_to_it() {
    with_reader(|reader| {
        let asked = "“The format is TBD”: who decides this, and by when? If nobody answers, which default holds?";
        let (name, text) = ("ask:q1".to_owned(), "Mei, by 12 Dec".to_owned());
        let answer = Source { name, text, asked: Some(asked.to_owned()) };
        let sources = [source("ticket.md", "# Export\n\n## Rules\n\n- The format is TBD\n"), answer];
        let brief = Collector::new(reader).brief(&sources);
        assert!(!questions(&brief).contains(asked), "{brief:#?}");
        let open = brief.open_questions.iter().find(|open| open.question.contains("The format is TBD")).expect("it");
        assert_eq!((open.owner.as_deref(), open.due.as_deref(), &open.answer), (Some("Mei"), Some("12 Dec"), &None));
        let places: Vec<&str> = open.sources().map(|place| place.source.as_str()).collect();
        assert_eq!(places, ["ticket.md", "ask:q1"]);
        let told = [source("ticket.md", "# Export\n\nThe export is fast."), sources[1].clone()];
        let brief = Collector::new(reader).brief(&told);
        let open = brief.open_questions.iter().find(|open| open.question == asked).expect("the question of the gate");
        assert_eq!((open.owner.as_deref(), &open.answer), (Some("Mei"), &None), "no point is lost");
    });
}

#[test]
fn a_statement_that_denies_another_is_no_further_proof_of_it() {
    let (en, zh) = (
        "# Export\n\n## Rules\n\n- Agents export the orders of one customer.\n- Agents do not export the orders of one customer.\n\
         - The orders of one customer are exported by agents.\n",
        "# 导出\n\n## 规则\n\n- 客服可以导出单个客户的历史订单。\n- 客服不可以导出单个客户的历史订单。\n",
    );
    for text in [en, zh] {
        with_reader(|reader| {
            let sources = [source("ticket.md", text)];
            let collector = Collector::new(reader);
            let brief = collector.brief(&sources);
            let [yes, no] = brief.constraints.as_slice() else { panic!("{:#?}", brief.constraints) };
            assert_eq!((yes.further_sources.len(), no.further_sources.len()), (usize::from(text == en), 0));
            assert_eq!(collector.requirements(&brief, &sources, &[]).len(), 2);
        });
    }
}

#[test]
fn words_about_a_brief_go_to_the_section_they_name_or_stay_a_question() {
    let brief = FeatureBrief::new("Export", Language::En);
    let feedback = BriefFeedback {
        user_feedback: Some("Title: Export of orders\nOut of scope: PDF\nThe title should be shorter.".to_owned()),
        modifications: Vec::new(),
    };
    let changed = changed_brief(&brief, &feedback, "ask:review");
    assert_eq!(changed.title, "Export of orders");
    assert_eq!(texts(&changed.out_of_scope), ["PDF."]);
    assert_eq!(questions(&changed), "The title should be shorter.");
    assert_eq!(texts(&changed.constraints), [""; 0]);
}

#[test]
fn an_adopted_sentence_answers_the_question_of_its_section_and_no_word_of_the_wish_is_lost() {
    let wish = "Agents copy orders by hand, 40 minutes a day. I want them to download the orders as a file.";
    with_reader(|reader| {
        let sources = [source(UTTERANCE, wish)];
        let collector = Collector::new(reader);
        let mut brief = collector.brief(&sources);
        let not_used = collector.not_used(&sources, &brief);
        let words: Vec<&str> = not_used.iter().map(|one| one.place.quote.as_str()).collect();
        assert_eq!(words.len(), 2, "{words:?}");
        assert!(words[0].starts_with("Agents copy orders by hand"), "{words:?}");
        assert!(questions(&brief).contains("What should it achieve"), "{brief:#?}");
        super::adopt(&mut brief, crate::prd::brief::BriefSection::Goals, &not_used[1].place);
        assert!(!questions(&brief).contains("What should it achieve"), "{brief:#?}");
        assert!(questions(&brief).contains("Who will use it?"));
    });
}

#[test]
fn requirements_are_found_in_the_layouts_that_teams_use() {
    let layouts = [
        "FR-001 The clerk can print a label.\nFR-002: The label shows the weight.\n",
        "**FR-001** The clerk can print a label.\n\n**FR-002** The label shows the weight.\n",
        "- **FR-001**: The clerk can print a label.\n- **FR-002**: The label shows the weight.\n",
        "| ID | Text |\n|---|---|\n| FR-001 | The clerk can print a label. |\n| FR-002 | The label shows the weight. |\n",
        "## Requirements\n\n1. The clerk can print a label.\n2. The label shows the weight.\n",
        "Requirements:\n- The clerk can print a label.\n- The label shows the weight.\n",
        "## 功能需求\n\n- 店员可以打印标签。\n- 标签显示重量。\n",
    ];
    with_reader(|reader| {
        for text in layouts {
            let feature = "000-document".parse().expect("an id");
            let found = requirements_of(reader, &source("prd.md", text), &feature, Language::En);
            let words: Vec<&str> =
                found.document.requirements().map(|one| one.requirement.description.as_str()).collect();
            assert_eq!(words.len(), 2, "{text}: {words:?}");
            assert!(words[0].contains("print a label") || words[0].contains("打印标签"), "{text}: {words:?}");
            assert_eq!(found.duplicates, []);
        }
        let twice = "FR-001 The clerk can print a label.\nFR-001 The label shows the weight.\n";
        let feature = "000-document".parse().expect("an id");
        let found = requirements_of(reader, &source("prd.md", twice), &feature, Language::En);
        assert_eq!(found.duplicates, [("FR-001".to_owned(), 2)]);
    });
}

#[test]
fn a_table_keeps_its_ids_and_its_criteria() {
    let text = "\
# PRD: Cards

## 4. Requirements

### 4.1 Save a card

| No. | Requirement | Acceptance criteria | Priority |
| --- | --- | --- | --- |
| R2 | A customer has at most 5 cards | Given 5 saved cards, when she saves another, then the page says \"Delete one first.\" and the order goes through. | Must |
| R5 | A customer can delete a card | It is gone within 1 second.<br>TBD | Must |
";
    with_reader(|reader| {
        let feature = "000-document".parse().expect("an id");
        let found = requirements_of(reader, &source("prd.md", text), &feature, Language::En);
        let read: Vec<_> = found.document.requirements().map(|one| &one.requirement).collect();
        let told: Vec<_> = read.iter().map(|one| (one.id.to_string(), one.aliases.join(","))).collect();
        assert_eq!(told, [("FR-002".to_owned(), "R2".to_owned()), ("FR-005".to_owned(), "R5".to_owned())]);
        assert_eq!(read[0].description, "A customer has at most 5 cards.");
        assert!(read[0].acceptance_criteria[0].starts_with("Given 5 saved cards"), "{read:#?}");
        assert_eq!(read[1].acceptance_criteria, ["It is gone within 1 second.", "TBD"]);
    });
}

#[test]
fn of_two_columns_the_description_is_the_requirement() {
    let text = "## 四、功能需求\n\n| 序号 | 功能点 | 需求描述 | 优先级 |\n| --- | --- | --- | --- |\n| 1 | 数量上限 | 已有 5 张卡时再勾选，提示“最多保存 5 张卡”。 | P0 |\n";
    with_reader(|reader| {
        let feature = "000-document".parse().expect("an id");
        let found = requirements_of(reader, &source("prd.md", text), &feature, Language::Zh);
        let read: Vec<_> = found.document.requirements().map(|one| one.requirement.description.as_str()).collect();
        assert_eq!(read, ["已有 5 张卡时再勾选，提示“最多保存 5 张卡”。"]);
    });
}

#[test]
fn stories_beside_requirements_with_ids_get_no_id() {
    let stories = "## User stories\n\n| Id | As a | I want |\n|---|---|---|\n| US-01 | As a picker | I want to scan the bin |\n\n- As a lead, I want to see \
                   open counts, so that I can hand them out.\n  - Acceptance: 3 open counts are 3 rows.\n";
    let requirements =
        "\n## Functional requirements\n\n| Id | Requirement |\n|---|---|\n| FR-01 | The system proposes 40 bins. |\n";
    with_reader(|reader| {
        let read = |text: &str| {
            let feature = "000-document".parse().expect("an id");
            requirements_of(reader, &source("prd.md", text), &feature, Language::En)
        };
        let found = read(&format!("# PRD\n\n{stories}{requirements}"));
        let ids: Vec<String> = found.document.requirements().map(|one| one.requirement.id.to_string()).collect();
        assert_eq!(ids, ["FR-001"], "{found:#?}");
        assert_eq!(
            (found.stories[0].id.as_deref(), found.stories[0].words.as_str()),
            (Some("US-01"), "As a picker, I want to scan the bin")
        );
        assert_eq!((found.stories[1].user.as_str(), found.stories[1].criteria.len()), ("Lead", 1), "{found:#?}");
        // Without requirements of their own, stories are what is to be built.
        let found = read(&format!("# PRD\n\n{stories}"));
        assert_eq!(found.document.requirements().count(), 2, "{found:#?}");
        assert!(found.stories.iter().all(|story| story.requirement.is_some()), "{found:#?}");
    });
}

#[test]
fn every_row_below_a_heading_for_qualities_is_one() {
    let text = "# PRD\n\n## Non-functional requirements\n\n| Category | Requirement | Target |\n|---|---|---|\n| Security | Only controllers approve | 100 % |\n\n\
                ## 非功能需求\n\n| 类别 | 要求说明 | 指标 |\n|---|---|---|\n| 性能 | 导出订单列表的等待时间 | 不超过 2 秒 |\n";
    with_reader(|reader| {
        let feature = "000-document".parse().expect("an id");
        let found = requirements_of(reader, &source("prd.md", text), &feature, Language::En);
        let read: Vec<_> = found.document.requirements().map(|one| &one.requirement).collect();
        let told: Vec<_> = read.iter().map(|one| (one.id.to_string(), one.acceptance_criteria.join(","))).collect();
        assert_eq!(
            told,
            [("NFR-001".to_owned(), String::new()), ("NFR-002".to_owned(), "不超过 2 秒".to_owned())],
            "{read:#?}"
        );
    });
}

#[test]
fn sections_that_only_name_requirements_define_none() {
    let text = "\
# Labels

## Open questions

- FR-002: who pays for it?

## Functional requirements

| ID | Requirement | Acceptance criteria |
| --- | --- | --- |
| FR-002 | The label shows the weight. | – |

## Change log

- FR-002: clearer

## Known gaps

- FR-002: it has no criterion

## Traceability table

| Requirement | Criteria | Source |
| --- | --- | --- |
| FR-002 | – | ticket.md:3 “It shows the weight.” |
";
    with_reader(|reader| {
        let (ours, faults) = crate::prd::requirements::parse_anyway(text);
        assert_eq!((ours.requirements().count(), faults), (0, vec![]));
        let feature = "000-document".parse().expect("an id");
        let found = requirements_of(reader, &source("prd.md", text), &feature, Language::En);
        let read: Vec<_> = found.document.requirements().map(|one| &one.requirement).collect();
        assert_eq!(read.len(), 1, "{read:#?}");
        assert_eq!(
            (read[0].id.to_string().as_str(), read[0].description.as_str()),
            ("FR-002", "The label shows the weight.")
        );
        assert_eq!((read[0].aliases.len(), found.duplicates), (0, vec![]));
    });
}

/// A quote of one message says nothing about the others, and leaves out who wrote it and when.
#[test]
fn every_message_of_a_chat_is_used_or_listed_with_its_own_line() {
    let english = "#swaps export, Thu 26 June\n\n[Thu 11:15] Sunniva: notifications: push and email? some wards still want SMS\n\
                   [Thu 11:17] Marta: push and email. no SMS, no budget for it\n[Thu 11:18] Colm: 36 hours before the earlier shift\n\
                   [Thu 11:19] Joan: thank you Colm\n";
    let chinese = "【访客群】 聊天记录导出\n\n7月14日 09:31 沈律：保存期限查过了，180天没依据，建议90天\n\
                   7月14日 09:33 老邱：90天够，监控也才存90天\n7月14日 09:34 陆嘉：好，访客记录保存90天，到期自动删\n\
                   7月15日 11:22 陆嘉：访客进门前随时可以取消，取消后码马上作废，给访客发短信\n";
    let listed = |text: &str, line: u32, quote: &str| -> Vec<(u32, bool)> {
        let place = crate::prd::SourceQuote { source: "chat.txt".to_owned(), line, quote: quote.to_owned() };
        let mut brief = FeatureBrief::new("Swaps", Language::En);
        brief.constraints.push(Statement { text: quote.to_owned(), source: Some(place), further_sources: Vec::new() });
        let found = std::cell::RefCell::new(Vec::new());
        with_reader(|reader| {
            let not_used = Collector::new(reader).not_used(&[source("chat.txt", text)], &brief);
            *found.borrow_mut() = not_used.iter().map(|one| (one.place.line, one.is_courtesy)).collect();
        });
        found.into_inner()
    };
    let lines = |text: &str, line: u32, quote: &str| -> Vec<u32> {
        let mut lines: Vec<u32> =
            listed(text, line, quote).into_iter().filter(|(_, courtesy)| !courtesy).map(|(line, _)| line).collect();
        lines.sort_unstable();
        lines.dedup();
        lines
    };
    assert_eq!(lines(english, 4, "push and email. no SMS, no budget for it"), [3, 5]);
    assert_eq!(lines(chinese, 5, "访客记录保存90天，到期自动删"), [3, 4, 6]);
    let order = listed(english, 4, "push and email. no SMS, no budget for it");
    assert_eq!(order.last(), Some(&(6, true)), "thanks come last: {order:?}");
}

/// Sentences that say most come first, what is about the talk itself last; the rest of a quoted line counts as used.
#[test]
fn the_unused_sentences_that_decide_something_come_first() {
    let english = "# Bays\n\nReporter: Nadia Holt\nCreated: 2026-10-05\n\nReception rings round. It takes 15 minutes. The desk is grey.\n\n\
                   Hope you are well.\nGuests walk in all day.\nCould it be 30 minutes?\nPlates must be deleted 30 days after the visit.\n\
                   Reception sees no plates.\nSimon welcomed everyone.\nNext meeting: 22 October.\nThe barrier closes at 19:00; bookings end at 18:00.\n";
    let chinese = "# 预订\n\n提单人：周敏（行政）\n创建：2026-10-12\n\n现在靠估计。平均剩 60 份。大家都不满意。\n\n周敏主持，先感谢大家抽时间。\n\
                   食堂在一楼。\n改成 14 天吗？\n取餐记录必须在 90 天后删除。\n下次会议：10 月 29 日。\n";
    let listed = |text: &str, line: u32, quote: &str| -> Vec<(String, bool)> {
        let place = crate::prd::SourceQuote { source: "t.md".to_owned(), line, quote: quote.to_owned() };
        let mut brief = FeatureBrief::new("Other", Language::En);
        brief.constraints.push(Statement { text: quote.to_owned(), source: Some(place), further_sources: Vec::new() });
        let found = std::cell::RefCell::new(Vec::new());
        with_reader(|reader| {
            let not_used = Collector::new(reader).not_used(&[source("t.md", text)], &brief);
            *found.borrow_mut() = not_used.into_iter().map(|one| (one.place.quote, one.is_courtesy)).collect();
        });
        found.into_inner()
    };
    let (first, last) = (
        |list: &[(String, bool)]| list[0].0.clone(),
        |list: &[(String, bool)], words: &str| list.iter().any(|(quote, courtesy)| quote.contains(words) && *courtesy),
    );
    let list = listed(english, 6, "Reception rings round");
    let words: Vec<&str> = list.iter().map(|(quote, _)| quote.as_str()).collect();
    assert_eq!(first(&list), "Plates must be deleted 30 days after the visit.");
    let at = |wanted: &str| words.iter().position(|words| words.contains(wanted));
    assert!(
        at("It takes 15 minutes") < at("Could it be 30") && at("Reception sees no plates") < at("Could it be 30"),
        "{words:#?}"
    );
    assert!(at("Could it be 30") < at("Guests walk in"), "{words:#?}");
    for talk in ["Hope you are well", "Simon welcomed", "Next meeting", "Nadia Holt", "2026-10-05"] {
        assert!(last(&list, talk), "{talk}: {list:#?}");
    }
    assert_eq!(at("The desk is grey"), None, "the rest of a quoted line counts as used: {words:#?}");
    assert!(at("18:00").is_some() && at("19:00").is_some(), "{words:#?}");
    let list = listed(chinese, 6, "现在靠估计");
    assert_eq!(first(&list), "取餐记录必须在 90 天后删除。");
    for talk in ["感谢大家抽时间", "下次会议", "周敏（行政）", "2026-10-12"] {
        assert!(last(&list, talk), "{talk}: {list:#?}");
    }
    assert!(list.iter().any(|(quote, courtesy)| quote.contains("60 份") && !courtesy), "{list:#?}");
    // A quote of a few words stands for its sentence, but not for another figure in it.
    let long = "The host who made the visit books exactly one bay for the visitor on the page of the visit in the office portal, and \
                the bay stays booked until 18:00.\nGuests of the board are told by their hosts where they can park and how they get to the desk on the ground floor.\n";
    let list = listed(long, 2, "where they can park");
    assert_eq!(list.len(), 1, "{list:#?}");
    let list = listed(long, 1, "books exactly one bay");
    assert!(list.iter().any(|(quote, _)| quote.contains("18:00")), "{list:#?}");
}
