//! Tests with answers as people type them: decisions and open questions.

use super::*;

fn open(question: &str, answer: &str) -> Option<[String; 3]> {
    let read = read_answer(question, answer);
    let Assignment { owner, due, default } = read.open.filter(|_| read.decided.is_none())?.assignment;
    Some([owner, due, default].map(Option::unwrap_or_default))
}

const LINKS: &str = "Does a guest have to enter a name?";
const MEASURE: &str = "How will you measure that it worked: which value, by when?";

/// "Not decided yet" is never an answer, in whichever words, and its owner is read.
#[test]
fn not_decided_yet_is_never_an_answer() {
    for (answer, expected) in [
        ("Not decided yet", ["", "", ""]),
        ("not decided yet, owner: Jonas", ["Jonas", "", ""]),
        ("TBD, ask legal", ["legal", "", ""]),
        ("owner: Jonas", ["Jonas", "", ""]),
        ("Owner: Jonas, by 12 Dec; default: five, at most ten", ["Jonas", "12 Dec", "five, at most ten"]),
        ("TBD - Jonas, by Friday", ["Jonas", "Friday", ""]),
        ("Still open (owner: the legal team)", ["the legal team", "", ""]),
        ("The limit has not been decided yet.", ["", "", ""]),
        ("It isn't decided yet, maybe 5", ["", "", ""]),
        ("We haven't agreed on the number yet", ["", "", ""]),
        ("I need to check with Mei", ["Mei", "", ""]),
        ("Waiting for legal", ["legal", "", ""]),
        ("pending a decision of the board", ["", "", ""]),
        ("Jonas decides by Friday", ["Jonas", "Friday", ""]),
        ("To be decided by the product owner", ["the product owner", "", ""]),
        ("owner: TBD", ["", "", ""]),
        ("to be confirmed by legal, until 5 January", ["legal", "5 January", ""]),
        ("We'll discuss it next week", ["", "", ""]),
        ("We haven't decided it yet, Mei decides by Friday", ["Mei", "Friday", ""]),
        ("No decision yet", ["", "", ""]),
        ("still unclear whether guests need one", ["", "", ""]),
        ("还没定，负责人：李雷，12 月 5 日前", ["李雷", "12 月 5 日", ""]),
        ("负责人：赵工", ["赵工", "", ""]),
        ("负责人李雷；默认：最多 5 条", ["李雷", "", "最多 5 条"]),
        ("待法务确认", ["法务", "", ""]),
        ("上限还没定下来", ["", "", ""]),
        ("等产品部回复", ["产品部", "", ""]),
        ("由李雷决定", ["李雷", "", ""]),
        ("这个要问一下法务", ["", "", ""]),
        ("需要和法务确认", ["法务", "", ""]),
        ("周五再定", ["", "周五", ""]),
        ("暂时还没有结论", ["", "", ""]),
        ("不确定要不要填，李雷负责", ["李雷", "", ""]),
    ] {
        for question in [LINKS, MEASURE, "访客要填姓名吗？"] {
            assert_eq!(open(question, answer), Some(expected.map(str::to_owned)), "{question} {answer}");
        }
    }
}

#[test]
fn the_open_half_of_an_answer_stays_open() {
    for (answer, decided, left) in [
        (
            "PDF for the pilot; the format for large orders is not decided yet, owner: Jonas",
            "PDF for the pilot",
            "the format for large orders is not decided yet",
        ),
        ("I don't know the day, but in June", "in June", "I don't know the day"),
        ("At most 5 for guests, TBD for members", "At most 5 for guests", "TBD for members"),
        ("扫码；刷卡的方式还没定，负责人：李雷", "扫码", "刷卡的方式还没定"),
        ("访客最多 5 条，会员的上限待定", "访客最多 5 条", "会员的上限待定"),
    ] {
        let read = read_answer(LINKS, answer);
        assert_eq!(read.decided.as_deref(), Some(decided), "{answer}");
        assert!(read.open.as_ref().is_some_and(|open| open.words.starts_with(left)), "{answer}: {read:?}");
    }
    let read = read_answer(LINKS, "扫码；刷卡的方式还没定，负责人：李雷");
    assert_eq!(read.open.and_then(|open| open.assignment.owner).as_deref(), Some("李雷"));
}

#[test]
fn a_decision_that_has_such_words_is_one() {
    for answer in [
        "Sorry",
        "No",
        "None",
        "n/a",
        "无",
        "没有",
        "Nobody knows the password, so it is reset",
        "Unknown users see the login page",
        "Later, by e-mail",
        "不清楚的订单进入人工审核",
        "待确认的订单保留 30 分钟",
        "暂无库存时显示灰色",
        "Yes, by 12 Dec",
        "The mobile app, until 2027",
        "If the limit is not decided yet, the page shows 5",
        "Orders that are not decided yet are shown in grey",
        "The status is TBD until the clerk fills it in",
        "The guest decides",
        "Pending orders are kept for 30 minutes",
        "Waiting for the courier",
        "Bookings have to be confirmed by the guest within 24 hours",
        "The owner of the album approves each link",
        "Jonas checks the order before it leaves",
        "At most 5 links, owner: Jonas",
        "Ask twice",
        "Ask the guest for one",
        "由店长决定",
        "等客户确认",
        "问三次",
        "状态显示待定",
        "最多 500 条，月底前",
        "可以，月底前",
        "库存不确定时显示灰色",
    ] {
        assert_eq!(read_answer(LINKS, answer), AnswerReading::decided(answer), "{answer}");
    }
    for (question, answer) in [
        ("Who signs it?", "Mei, by Friday"),
        ("Who is the owner of an album?", "owner: Jonas"),
        ("谁批准？", "李雷决定"),
        ("扫码还是刷卡？", "扫码，月底前"),
        ("Is SSO supported?", "Not yet."),
        ("**Q: Can a guest print?**", "Not yet, maybe in version 2"),
    ] {
        assert_eq!(read_answer(question, answer), AnswerReading::decided(answer), "{question} {answer}");
    }
}

#[test]
fn not_yet_leaves_a_question_about_a_decision_open() {
    for question in ["Is the format decided?", "Which format does the file have?", "Do we have an answer from legal?"] {
        assert!(open(question, "Not yet").is_some(), "{question}");
    }
}

#[test]
fn a_name_and_a_day_leave_a_question_open_where_no_name_is_asked_for() {
    for answer in ["Jonas, by Friday", "李雷，12 月 5 日前"] {
        assert!(open(LINKS, answer).is_some() && open(MEASURE, answer).is_some(), "{answer}");
    }
    let gate = "“The format is TBD”: who decides this, and by when? If nobody answers, which default holds?";
    for answer in ["the legal team, by 12 Dec", "Mei", "Ask Mei.", "Jonas decides"] {
        assert!(open(gate, answer).is_some(), "{answer}");
    }
    assert!(open(gate, "CSV in UTF-8").is_none() && open(LINKS, "PDF, by Friday").is_none());
    assert!(open("几次？", "问赵工").is_some_and(|[owner, ..]| owner == "赵工"));
}

#[test]
fn not_knowing_is_said_in_many_words() {
    for answer in [
        "idk",
        "IDK.",
        "I'm not sure yet",
        "I’m not sure",
        "I don't know yet",
        "No idea, sorry",
        "I have no idea about that",
        "Sorry, we still don't know.",
        "TBD",
        "to be confirmed",
        "later",
        "your call",
        "我也不清楚",
        "我也不知道",
        "不太清楚",
        "待确认",
        "待补充",
        "说不好",
        "暂无",
        "目前还没想好，抱歉",
        "再说吧",
    ] {
        assert!(leaves_open(answer), "{answer}");
    }
    assert!(!leaves_open("") && !leaves_open("______"));
}

/// A postponed decision, a guess that another person has to confirm, and a promise to answer leave a question open.
#[test]
fn a_promise_a_guess_and_a_put_off_decision_are_no_answers() {
    for (answer, expected) in [
        ("Jonas will tell us by Friday", ["Jonas", "Friday", ""]),
        ("Legal will let us know", ["Legal", "", ""]),
        ("needs input from legal", ["legal", "", ""]),
        ("Still needs a decision from the product owner by 12 Dec", ["the product owner", "12 Dec", ""]),
        ("needs input", ["", "", ""]),
        ("maybe", ["", "", ""]),
        ("Perhaps.", ["", "", ""]),
        ("pending", ["", "", ""]),
        ("on hold for now", ["", "", ""]),
        ("Let's park it", ["", "", ""]),
        ("Let’s park it for now", ["", "", ""]),
        ("We'll see", ["", "", ""]),
        ("maybe 5", ["", "", ""]),
        ("Perhaps five or six.", ["", "", ""]),
        ("my guess: 14 days", ["", "", ""]),
        ("也许 14 天", ["", "", ""]),
        ("I think 14, but Lena has to confirm", ["Lena", "", ""]),
        ("14 days, but legal must confirm it by Friday", ["legal", "Friday", ""]),
        ("I guess 14, support has to confirm", ["support", "", ""]),
        ("Petra will think about it", ["Petra", "", ""]),
        ("it depends", ["", "", ""]),
        ("depends on legal", ["legal", "", ""]),
        ("Lena decides", ["Lena", "", ""]),
        ("We will decide next week", ["", "", ""]),
        ("也许", ["", "", ""]),
        ("可能吧", ["", "", ""]),
        ("待法务确认", ["法务", "", ""]),
        ("先放一放", ["", "", ""]),
        ("先放一放吧", ["", "", ""]),
        ("看情况", ["", "", ""]),
        ("张三周五前告知", ["张三", "周五", ""]),
        ("周五前由张三告知", ["张三", "周五", ""]),
        ("李娜 12 月 5 日前会答复我们", ["李娜", "12 月 5 日", ""]),
        ("我觉得 14，但要李娜确认", ["李娜", "", ""]),
        ("14 天，不过还得法务确认", ["法务", "", ""]),
        ("下周再说", ["", "下周", ""]),
    ] {
        for question in [LINKS, MEASURE, "How many days are pending orders kept?", "访客要填姓名吗？"] {
            assert_eq!(open(question, answer), Some(expected.map(str::to_owned)), "{question} {answer}");
        }
    }
}

#[test]
fn requirements_with_such_words_are_decisions() {
    for answer in [
        "14 days",
        "yes",
        "Lena decided on 14",
        "Wait for confirmation before sending",
        "Waiting orders need confirmation",
        "pending orders are kept 14 days",
        "Needs confirmation",
        "Needs confirmation from support",
        "needs input validation",
        "Support has to confirm each refund",
        "Refunds are possible, but finance has to confirm",
        "If the amount is over 100, Lena has to confirm",
        "The guest has to confirm by Friday",
        "I think 14 days",
        "14 days, perhaps with a reminder",
        "Perhaps the second one. The clerk decides at the desk.",
        "Park it in the queue until a clerk is free",
        "14 天",
        "是",
        "李娜定了 14 天",
        "发送前等待确认",
        "可以退，但要客服确认",
        "需要通知",
        "需要用户确认",
        "待处理的订单保留 14 天",
        "可能有问题的订单进入人工审核",
        "张三确认订单",
    ] {
        assert_eq!(read_answer(LINKS, answer), AnswerReading::decided(answer), "{answer}");
    }
    for (question, answer) in [
        ("Which status does a new order have?", "pending"),
        ("What is the label of such a ticket?", "on hold"),
        ("新订单是什么状态？", "待确认"),
        ("Who has to agree?", "Lena has to agree"),
    ] {
        assert_eq!(read_answer(question, answer), AnswerReading::decided(answer), "{question} {answer}");
    }
}
