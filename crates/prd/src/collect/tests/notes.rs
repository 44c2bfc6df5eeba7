//! Tests of minutes in plain text: their open questions, the end of a list, and statements that contradict a rule.

use super::*;
use crate::OpenQuestion;

const WISH: &str = "\
Wish: let salon customers join a waiting list

I wish that a customer who finds no free slot can join a waiting list for a day, and that we offer her the slot as soon as somebody cancels.
";

const NOTES: &str = "\
Meeting notes, waiting list, 18 November

Decisions
- First come, first served: the customer who joined the list first gets the first offer. No auction, no bidding.

Open questions
- How many links may one customer have? (default: 5)
- May we send text messages at night? Legal has to say. (default: no messages from 21:00 to 8:00)

Out of scope
- Waiting lists for a certain employee come later.

Next meeting: 25 November, 10:00.
";

fn asked<'b>(brief: &'b FeatureBrief, question: &str) -> &'b OpenQuestion {
    let found = brief.open_questions.iter().find(|open| open.question == question);
    found.unwrap_or_else(|| panic!("{question}: {brief:#?}"))
}

fn assigned(open: &OpenQuestion) -> [&str; 3] {
    [&open.owner, &open.due, &open.default].map(|words| words.as_deref().unwrap_or_default())
}

#[test]
fn a_default_alone_in_brackets_belongs_to_its_question() {
    with_reader(|reader| {
        let brief = Collector::new(reader).brief(&[source("notes.txt", NOTES)]);
        assert_eq!(assigned(asked(&brief, "How many links may one customer have?")), ["", "", "5"]);
        let at_night = asked(&brief, "May we send text messages at night?");
        assert_eq!(assigned(at_night), ["Legal", "", "no messages from 21:00 to 8:00"]);
    });
}

#[test]
fn questions_in_chinese_notes_keep_owner_day_and_default() {
    for heading in ["待定问题", "问题", "## 待定问题\n", "## 问题\n", "问题："] {
        let notes = format!(
            "候补名单会议纪要 11 月 18 日\n\n决定\n- 先只在上海和杭州的门店上线。\n\n{heading}\n- 接受通知时要不要付定金？（负责人：王强，12 月 5 日前）\n\
             - 法定节假日门店休息时，名单怎么处理？\n- 最多重试几次？（默认：5 次）\n\n不做\n- 指定员工的候补名单以后再做。\n\n下次会议：11 月 25 日 10:00\n"
        );
        with_reader(|reader| {
            let brief = Collector::new(reader).brief(&[source("纪要.txt", &notes)]);
            assert_eq!(assigned(asked(&brief, "接受通知时要不要付定金？")), ["王强", "12 月 5 日", ""], "{heading}");
            assert_eq!(assigned(asked(&brief, "法定节假日门店休息时，名单怎么处理？")), ["", "", ""], "{heading}");
            assert_eq!(assigned(asked(&brief, "最多重试几次？")), ["", "", "5 次"], "{heading}");
            assert_eq!(texts(&brief.out_of_scope), ["指定员工的候补名单以后再做。"], "{heading}");
        });
    }
}

#[test]
fn a_heading_of_the_problem_is_none_of_questions() {
    with_reader(|reader| {
        let text = "# 候补名单\n\n## 问题\n\n- 时段空着，没人补上。\n- 顾客问：还有位置吗？\n";
        let brief = Collector::new(reader).brief(&[source("a.md", text)]);
        assert!(texts(&brief.problem).contains(&"时段空着，没人补上。"), "{brief:#?}");
    });
}

#[test]
fn a_line_after_a_blank_line_is_not_in_the_list_above() {
    for (text, left_out) in [
        (NOTES, "Waiting lists for a certain employee come later."),
        ("# Notes\n\n## Out of scope\n\n- Printing.\n\nNext meeting: 25 November, 10:00.\n", "Printing."),
        ("不做：\n- 打印。\n\n下次会议：11 月 25 日 10:00\n", "打印。"),
        ("Out of scope:\n- Printing.\n\nAnna writes the minutes.\nBen pays.\n", "Printing."),
    ] {
        with_reader(|reader| {
            let brief = Collector::new(reader).brief(&[source("notes.txt", text)]);
            assert_eq!(texts(&brief.out_of_scope), [left_out], "{text}");
        });
    }
    with_reader(|reader| {
        let text = "# Notes\n\n## Out of scope\n\n- Printing.\n\nFaxes are left out as well.\n";
        let brief = Collector::new(reader).brief(&[source("notes.md", text)]);
        assert_eq!(texts(&brief.out_of_scope), ["Printing.", "Faxes are left out as well."]);
    });
}

#[test]
fn a_sentence_about_the_same_matter_that_does_not_contradict_is_no_question() {
    with_reader(|reader| {
        let sources = [source("wish.txt", WISH), source("notes.txt", NOTES)];
        let collector = Collector::new(reader);
        let brief = collector.brief(&sources);
        assert!(!questions(&brief).contains("speaks of it"), "{}", questions(&brief));
        assert!(texts(&brief.constraints).iter().any(|text| text.starts_with("First come")), "{brief:#?}");
        let not_used = collector.not_used(&sources, &brief);
        assert!(not_used.iter().any(|one| one.place.quote.starts_with("I wish that")), "{not_used:#?}");
    });
}

#[test]
fn a_sentence_that_contradicts_a_rule_is_asked_about_and_can_be_adopted() {
    for (rules, remark) in [
        (
            "# Exports\n\n## Rules\n\n- Export files are kept for 30 days.\n",
            "Anna said that export files are kept for 90 days.",
        ),
        (
            "# Exports\n\n## Rules\n\n- Export files are deleted at night.\n",
            "By the way, export files are not deleted at night.",
        ),
        ("# 导出\n\n## 规则\n\n- 导出文件保留 30 天。\n", "客服说导出文件保留 90 天。"),
    ] {
        with_reader(|reader| {
            let sources = [source("ticket.md", rules), source("mail.txt", remark)];
            let collector = Collector::new(reader);
            let brief = collector.brief(&sources);
            assert!(questions(&brief).contains(remark), "{remark}: {}", questions(&brief));
            let not_used = collector.not_used(&sources, &brief);
            assert!(not_used.iter().any(|one| one.place.quote == remark), "{remark}: {not_used:#?}");
        });
    }
}
