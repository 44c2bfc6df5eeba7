//! Tests of the content that is taken over from tickets, minutes, tables and chats, and of the content that is only listed.

use super::{BriefModification, Collector, UTTERANCE, changed_brief};
use crate::collect::BriefFeedback;
use crate::layouts::Source;
use crate::{FeatureBrief, OpenQuestion, RequirementPriority, Statement};
use reqgate_base::model::Language;
use reqgate_rules::{load, shipped_files_for_judging};
use reqgate_text::Reader;

mod notes;

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
            // The rule that a person chooses becomes a requirement, with its location.
            let chosen = settled.against.clone().map(|place| place.quote).unwrap_or_default();
            let with = |answer: &str| {
                let settled = OpenQuestion { answer: Some(answer.to_owned()), ..settled.clone() };
                let brief = FeatureBrief { open_questions: vec![settled], ..brief.clone() };
                collector.requirements(&brief, &sources, &[])
            };
            let drawn = with(chosen.trim_start_matches("- "));
            assert_eq!(drawn.len(), 1, "{chosen}: {drawn:#?}");
            assert_eq!(drawn[0].sources[0].source, "minutes.md");
            assert_eq!(with("It is a fact, from the annual report 2025 of the company."), []);
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
        assert!(!questions(&brief).contains("What is decided"), "{brief:#?}");
        let settled = brief.open_questions.iter().find(|open| open.question == asked).expect("the question");
        assert!(settled.answer.as_deref().is_some_and(|answer| answer.contains("UTF-8")));
        assert_eq!(collector.requirements(&brief, &sources, &[]), []);
    });
}

/// "It is a fact, from the annual report 2025" used to become a requirement.
#[test]
fn an_answer_never_becomes_a_requirement() {
    for (question, answer) in [
        ("Which limits hold: how many, how large, how long?", "An agent exports at most 5,000 orders at once."),
        ("Where is the figure from?", "It is a fact, from the annual report 2025."),
        ("Who is asked first?", "The support team of the northern region answers all of these mails."),
        ("有哪些限制：数量、大小、时长？", "客服一次最多导出 5000 条订单，不能超过一个月。"),
        ("数据从哪里来？", "这是事实，来自公司 2025 年的年度报告。"),
        ("谁来处理？", "由北区客服团队统一处理所有邮件和电话。"),
    ] {
        with_reader(|reader| {
            let sources = [source("ticket.md", "# Export\n\n## Goals\n\n- Agents export orders.\n")];
            let collector = Collector::new(reader);
            let mut brief = collector.brief(&sources);
            let question = OpenQuestion { answer: Some(answer.to_owned()), ..OpenQuestion::new(question, None) };
            brief.open_questions = vec![question];
            assert_eq!(collector.requirements(&brief, &sources, &[]), [], "{answer}");
        });
    }
}

/// A figure in background information is not an open point, even if the sentence says that something is not known.
#[test]
fn the_account_of_a_problem_is_not_asked_about() {
    for line in [
        "Last year 14 % of the orders were parked because nobody knows the status.",
        "In 2025 it was still unclear for 14 % of the orders who exports them.",
        "14 % of the customers were waiting for an answer for two days.",
        "去年 14% 的订单没有结论，客服也不确定由谁处理。",
        "2025 年有 300 单待确认，平均等回复 3 天。",
        "30% 的客户问问进度，客服说以后再说。",
    ] {
        with_reader(|reader| {
            let heading = if line.is_ascii() { "Background" } else { "背景" };
            let brief =
                Collector::new(reader).brief(&[source("t.md", &format!("# Export\n\n## {heading}\n\n{line}\n"))]);
            assert_eq!(brief.problem.len(), 1, "{line}: {brief:#?}");
            let begin: String = line.chars().take(8).collect();
            assert!(!questions(&brief).contains(&begin), "{brief:#?}");
        });
    }
    with_reader(|reader| {
        let marked = "The number of calls is TBD.";
        let brief =
            Collector::new(reader).brief(&[source("t.md", &format!("# Export\n\n## Background\n\n{marked}\n"))]);
        assert!(questions(&brief).contains(marked), "a mark leaves something open: {brief:#?}");
    });
}

/// The words after a listed question are read as its answer.
#[test]
fn a_listed_question_with_words_that_decide_nothing_is_asked_once() {
    for (item, question, owner) in [
        ("Which columns are in the file? TBD", "Which columns are in the file?", None),
        ("Which columns are in the file? TBD, ask legal", "Which columns are in the file?", Some("legal")),
        ("文件有哪些列？还没定，负责人：李雷", "文件有哪些列？", Some("李雷")),
        ("The columns are TBD", "What is decided about “The columns are TBD”?", None),
        ("列待定", "“列待定”：最后怎么定？", None),
    ] {
        with_reader(|reader| {
            let heading = if item.is_ascii() { "Open questions" } else { "待解问题" };
            let text = format!("# Export\n\n## {heading}\n\n- {item}\n");
            let brief = Collector::new(reader).brief(&[source("t.md", &text)]);
            let asked = &brief.open_questions[0];
            assert_eq!((asked.question.as_str(), asked.owner.as_deref()), (question, owner), "{item}");
        });
    }
}

/// A requirement gets the priority from its column or tag, and the stories that its row names.
#[test]
fn priorities_and_stories_of_a_source_are_kept() {
    let table = "# Export\n\n## Requirements\n\n| ID | Requirement | Priority | User stories |\n| --- | --- | --- | --- |\n\
        | FR-001 | An agent exports the orders of a customer. | Must | US-001 |\n| FR-002 | An agent prints the list. | TBD | |\n";
    let list = "# Export\n\n## Rules\n\n- An agent exports the orders of a customer. (P0)\n- An agent prints the list. (rejected)\n\
        - An agent sorts the list.\n";
    let chinese = "# 导出\n\n## 规则\n\n- 客服导出一个客户的订单（优先级：高）\n- 客服可以给清单排序。\n- 客服打印清单（已驳回）\n";
    for (text, expected) in [(table, vec!["US-001"]), (list, vec![]), (chinese, vec![])] {
        with_reader(|reader| {
            let sources = [source("t.md", text)];
            let collector = Collector::new(reader);
            let brief = collector.brief(&sources);
            let drawn = collector.requirements(&brief, &sources, &[]);
            assert_eq!(drawn.len(), 2, "{drawn:#?}");
            let priorities: Vec<RequirementPriority> = drawn.iter().map(|one| one.priority).collect();
            assert_eq!(priorities, [RequirementPriority::High, RequirementPriority::Unset], "{text}");
            assert_eq!(drawn[0].user_stories, expected);
        });
    }
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
        modifications: vec![BriefModification {
            section: "open_questions".to_owned(),
            modification_reason: String::new(),
            original_content: None,
            requested_content: "+ How many rows? (owner: Wil, by 29 Jan 2027)".to_owned(),
        }],
        ..BriefFeedback::default()
    };
    let mut changed = changed_brief(&brief, &feedback, "ask:review");
    let asked = changed.open_questions.remove(0);
    assert_eq!((asked.question.as_str(), asked.owner.as_deref()), ("How many rows?", Some("Wil")));
    assert_eq!(asked.due.as_deref(), Some("29 Jan 2027"));
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
        super::adopt(&mut brief, crate::brief::BriefSection::Goals, &not_used[1].place);
        assert!(!questions(&brief).contains("What should it achieve"), "{brief:#?}");
        assert!(questions(&brief).contains("Who will use it?"));
    });
}

/// A quote of one message does not cover the others, and omits the author and the time.
#[test]
fn every_message_of_a_chat_is_used_or_listed_with_its_own_line() {
    let english = "#swaps export, Thu 26 June\n\n[Thu 11:15] Sunniva: notifications: push and email? some wards still want SMS\n\
                   [Thu 11:17] Marta: push and email. no SMS, no budget for it\n[Thu 11:18] Colm: 36 hours before the earlier shift\n\
                   [Thu 11:19] Joan: thank you Colm\n";
    let chinese = "【访客群】 聊天记录导出\n\n7月14日 09:31 沈律：保存期限查过了，180天没依据，建议90天\n\
                   7月14日 09:33 老邱：90天够，监控也才存90天\n7月14日 09:34 陆嘉：好，访客记录保存90天，到期自动删\n\
                   7月15日 11:22 陆嘉：访客进门前随时可以取消，取消后码马上作废，给访客发短信\n";
    let listed = |text: &str, line: u32, quote: &str| -> Vec<(u32, bool)> {
        let place = crate::SourceQuote { source: "chat.txt".to_owned(), line, quote: quote.to_owned() };
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

/// The most informative sentences come first, and remarks about the conversation come last; the rest of a quoted line counts as used.
#[test]
fn the_unused_sentences_that_decide_something_come_first() {
    let english = "# Bays\n\nReporter: Nadia Holt\nCreated: 2026-10-05\n\nReception rings round. It takes 15 minutes. The desk is grey.\n\n\
                   Hope you are well.\nGuests walk in all day.\nCould it be 30 minutes?\nPlates must be deleted 30 days after the visit.\n\
                   Reception sees no plates.\nSimon welcomed everyone.\nNext meeting: 22 October.\nThe barrier closes at 19:00; bookings end at 18:00.\n";
    let chinese = "# 预订\n\n提单人：周敏（行政）\n创建：2026-10-12\n\n现在靠估计。平均剩 60 份。大家都不满意。\n\n周敏主持，先感谢大家抽时间。\n\
                   食堂在一楼。\n改成 14 天吗？\n取餐记录必须在 90 天后删除。\n下次会议：10 月 29 日。\n";
    let listed = |text: &str, line: u32, quote: &str| -> Vec<(String, bool)> {
        let place = crate::SourceQuote { source: "t.md".to_owned(), line, quote: quote.to_owned() };
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
    // A quote of a few words covers its sentence, but not another figure in it.
    let long = "The host who made the visit books exactly one bay for the visitor on the page of the visit in the office portal, and \
                the bay stays booked until 18:00.\nGuests of the board are told by their hosts where they can park and how they get to the desk on the ground floor.\n";
    let list = listed(long, 2, "where they can park");
    assert_eq!(list.len(), 1, "{list:#?}");
    let list = listed(long, 1, "books exactly one bay");
    assert!(list.iter().any(|(quote, _)| quote.contains("18:00")), "{list:#?}");
}
