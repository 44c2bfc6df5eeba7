//! Tests of quotes, and of the figures and names that no quote proves.

use super::*;

const TICKET: &str = "Export of orders\n\nSupport wants to export orders as “CSV”.\nA link is valid for 15 minutes.\n\
                      Acme pays for it from 2026-12-01 on.";

fn sources() -> Sources<'static> {
    Sources::new([("ticket.md", TICKET), ("ask:q1", "三次失败后锁定账号")])
}

fn unproven(text: &str, quotes: &[&str]) -> Vec<(String, Option<String>)> {
    let doubts = sources().unproven(text, quotes).into_iter();
    doubts
        .filter_map(|doubt| match doubt {
            Doubt::Unproven { words, elsewhere, .. } => Some((words, elsewhere)),
            _ => None,
        })
        .collect()
}

#[test]
fn a_quote_gets_its_own_line_and_words_whatever_its_marks() {
    let found = sources().find("ticket.md", "support wants to export orders as \"csv\"").expect("it is there");
    assert_eq!((found.line, found.words.as_str()), (3, "Support wants to export orders as “CSV”"));
    let shortened = sources().find("ticket.md", "A link … 15 minutes").expect("it is there");
    assert_eq!(shortened.line, 4);
}

#[test]
fn a_quote_that_is_not_there_is_told_with_the_closest_words() {
    let error = sources().find("ticket.md", "A link is valid for 30 minutes").expect_err("it says 15");
    assert_eq!(error, Misquoted::NotThere(Some((4, "A link is valid for 15 minutes.".to_owned()))));
    assert!(error.to_string().contains("line 4"));
    assert_eq!(sources().find("ticket.md", "refunds for guests"), Err(Misquoted::NotThere(None)));
    assert_eq!(sources().find("ticket.md", "of the"), Err(Misquoted::SaysNothing));
    assert_eq!(sources().find("minutes.md", "a link is valid"), Err(Misquoted::NoSuchSource));
}

#[test]
fn a_number_in_no_quote_is_doubted_and_one_elsewhere_is_told_where() {
    let quote = "A link is valid for 15 minutes.";
    assert_eq!(unproven("The link ends after 15 min.", &[quote]), []);
    assert_eq!(unproven("The link ends after 900 seconds.", &[quote]), []);
    assert_eq!(unproven("It ends after 30 minutes.", &[quote]), [("30 minutes".to_owned(), None)]);
    let elsewhere = unproven("It ends after 15 minutes.", &["Support wants to export orders"]);
    assert_eq!(elsewhere, [("15 minutes".to_owned(), Some("ticket.md:4".to_owned()))]);
    assert_eq!(unproven("失败 3 次后锁定", &["三次失败后锁定账号"]), []);
    assert_eq!(unproven("失败 5 次后锁定", &["三次失败后锁定账号"]), [("5 次".to_owned(), None)]);
}

#[test]
fn a_bare_number_proves_a_figure_and_a_month_has_two_names() {
    let quote = "90 days is from the old handbook, it's 60 now. Use 60.";
    assert_eq!(unproven("New starters wait for 60 days.", &[quote]), []);
    assert_eq!(unproven("New starters wait for 30 days.", &[quote]), [("30 days".to_owned(), None)]);
    assert_eq!(unproven("It ends after 60 minutes.", &["for 60 seconds"]), [("60 minutes".to_owned(), None)]);
    assert_eq!(unproven("The average of February to April.", &["140 a month (Feb-Apr average)"]), []);
    assert_eq!(unproven("Elmhurst goes live on 14 September.", &["ok 14 Sept Elmhurst"]), []);
    assert_eq!(unproven("The start is in November.", &["ok 14 Sept"]), [("November".to_owned(), None)]);
}

#[test]
fn a_doubt_names_the_quote_that_does_not_have_the_figure() {
    let doubts = sources().unproven("It ends after 15 minutes.", &["Support wants to export orders"]);
    let [Doubt::Unproven { quoted, .. }] = doubts.as_slice() else { panic!("{doubts:?}") };
    assert_eq!(quoted.as_deref(), Some("Support wants to export orders"));
}

#[test]
fn the_number_of_an_item_or_a_heading_is_no_figure() {
    let text = "# 需求\n\n## 3 规则\n\n1. 顾客生成二维码。\n2. 二维码有效期 7 天。\n（4）照片\n\n拍 2 张照片。\n";
    let known = Sources::new([("t.md", text)]);
    let place = |words: &str| match known.unproven(words, &["二维码"]).first() {
        Some(Doubt::Unproven { elsewhere, .. }) => elsewhere.clone(),
        other => panic!("{other:?}"),
    };
    assert_eq!(place("至少 2 张。").as_deref(), Some("t.md:9"));
    assert_eq!((place("至少 3 张。"), place("至少 4 张。")), (None, None));
    assert_eq!(place("有效期 7 天。").as_deref(), Some("t.md:6"));
}

#[test]
fn a_time_of_day_is_the_same_in_every_spelling() {
    assert_eq!(unproven("14:00 前退房", &["14 点前退房"]), []);
    assert_eq!(unproven("14:00 前退房", &["下午两点前退房"]), []);
    assert_eq!(unproven("Guests leave by 14:00.", &["out by 2 pm"]), []);
    assert_eq!(unproven("Guests leave by 15:00.", &["out by 2 pm"]), [("15:00".to_owned(), None)]);
    assert_eq!(unproven("费用为 0", &["免费"]), []);
    assert!(!unproven("As SPD-212 says.", &["as it says"]).iter().any(|(words, _)| words == "212"));
}

/// A value that tests a limit follows from it. Another figure was invented, and so was a limit that is not in a quote.
#[test]
fn the_value_next_to_a_limit_is_no_invented_figure() {
    let known = sources();
    let told = |criterion: &str, statement: &str, quote: &str| -> Vec<String> {
        let words = |doubt| match doubt {
            Doubt::Unproven { words, .. } => words,
            other => format!("{other:?}"),
        };
        known.unproven_in_criterion(criterion, statement, &[quote]).into_iter().map(words).collect()
    };
    for (criterion, statement, quote) in [
        ("A plate of 11 characters is refused.", "The plate is entered.", "at most 10 characters"),
        ("At 49 m the phone vibrates.", "The phone vibrates.", "nearer than 50 m to a live zone"),
        ("A plate of 9 characters is saved.", "At most 10 characters.", "10 characters"),
        ("A 9-character note is refused.", "The note is short.", "up to 8 characters"),
        ("备注为 9 个字时不能提交", "备注最多 8 个字。", "备注最多 8 个字"),
        ("已有 79 人时可以选择", "", "每个时段最多 80 人"),
        ("一天预订第 3 份时被拒绝", "", "每天最多 2 份"),
        ("预订 4 天后的午餐时被拒绝", "", "改成提前 3 天"),
        ("满 91 天后查不到", "", "保存 90 天，之后删除"),
        ("A visit in 8 days is refused.", "Up to 7 days ahead.", "Decided: 7 days ahead, not 14"),
        ("After 59 minutes it is booked.", "It is freed.", "freed 60 minutes after the booked arrival"),
        ("After 61 minutes it has ended.", "It ends.", "within one hour"),
        ("On day 60 one is sent, on day 61 none.", "", "no more reminders after 60 days"),
        ("At 23:00 it is refused.", "", "until 22:59 on the day before"),
        ("At 22:59 it is saved, at 23:01 refused.", "", "before 23:00"),
        ("19:59 取消成功，20:01 不能取消", "", "前一天 20:00 之前可以取消"),
        ("At 00:00 it is refused.", "", "until 23:59"),
        ("N = 501 is refused.", "", "keep last N (1–500)"),
        ("D = 6 and D = 3651 are refused.", "", "D from 7 to 3650"),
        ("A preview with 1,001 entries shows 1,000 of them.", "", "The UI shows the first 1,000 entries."),
        ("A version pulled 31 days ago goes.", "", "pulled in the last 30 days"),
        ("Given a scan 23 hours old, when it is opened, then it is shown.", "", "24 hours from the scan"),
        ("Given 41 places taken, then nobody can book.", "", "The hall has 40 places."),
        ("已借 6 本时再借，则提示已满", "", "每人 5 本"),
    ] {
        assert_eq!(told(criterion, statement, quote), [""; 0], "{criterion} {quote}");
    }
    for (criterion, statement, quote, doubted) in [
        ("A plate of 12 characters is refused.", "", "at most 10 characters", "12"),
        ("The list has 11 rows.", "", "at most 10 characters", "11"),
        ("At most 11 characters are saved.", "", "at most 10 characters", "11"),
        ("A plate of 13 characters is refused.", "At most 12 characters.", "at most 10 characters", "13"),
        ("There are 4 accessible bays.", "", "3 of them are accessible bays", "4"),
        ("已有 81 份", "", "每个时段最多 80 人", "81 份"),
        ("A visit 40 days ago is gone.", "", "deleted 30 days after the visit", "40 days"),
        ("Given a full hall, then 41 places are shown.", "", "The hall has 40 places.", "41"),
        ("Given 43 places taken, then nobody can book.", "", "The hall has 40 places.", "43"),
        ("A visit 31 hours ago is gone.", "", "deleted 30 days after the visit", "31 hours"),
        ("At 22:00 it is refused.", "", "until 22:59", "22:00"),
        ("The job runs at 23:00.", "", "The barrier is painted at 22:59", "23:00"),
        ("It can be cancelled until 23:00.", "", "until 22:59", "23:00"),
    ] {
        assert_eq!(told(criterion, statement, quote), [doubted], "{criterion} {quote}");
    }
    assert!(
        !known.unproven("A plate of 11 characters.", &["at most 10 characters"]).is_empty(),
        "a statement is no test"
    );
}

#[test]
fn a_figure_is_proven_by_the_same_kind_of_quantity() {
    for (text, quote) in [
        ("每桌 11人", "11月开始"),
        ("锁定前 4次", "四位同事"),
        ("备注 9 个字", "9 月有很多投诉"),
        ("A list of 9 rows.", "since 9 Oct"),
        ("Kept for 3 minutes.", "on 3 November"),
    ] {
        assert!(!unproven(text, &[quote]).is_empty(), "{text} {quote}");
        let elsewhere = Sources::new([("t.md", quote)]);
        let found = elsewhere.unproven(text, &["nothing"]);
        let is_nowhere = |doubt: &Doubt| matches!(doubt, Doubt::Unproven { elsewhere: None, .. });
        assert!(found.iter().all(is_nowhere), "{text} {quote}: {found:?}");
    }
    for (text, quote) in [
        ("Children of 6 years pay nothing.", "children up to 6 years old"),
        ("For guests 6 years old.", "guests of 6 years"),
        ("每桌 11人", "每桌 11 位"),
        ("每桌 11 个人", "一桌坐 11人"),
        ("锁定前 4 次", "四次之后"),
        ("4 attempts are allowed.", "it locks after 4 times"),
        ("Starts on 2 November.", "from Nov 2"),
        ("11月2日开始", "11 月 2 号开始"),
    ] {
        assert_eq!(unproven(text, &[quote]), [], "{text} {quote}");
    }
}

#[test]
fn dates_and_names_that_nobody_wrote_are_doubted() {
    let quote = "Acme pays for it from 2026-12-01 on.";
    assert_eq!(unproven("Billed to Acme from 2026-12-01.", &[quote]), []);
    assert_eq!(unproven("Billed to Globex from 2026-12-01.", &[quote]), [("Globex".to_owned(), None)]);
    let found = unproven("Given a link, When it ends: Support writes by 2027-01-31.", &[quote]);
    assert!(found.iter().any(|(words, _)| words.contains("2027")), "{found:?}");
    assert!(!found.iter().any(|(words, _)| words == "Given" || words == "Support"), "{found:?}");
}
