//! What stands in a source and says nothing of the feature: forms, brackets, assent, what somebody says of himself.

use super::wording::substance;
use crate::text::lexicon::is_cjk;

/// The orders with which forms ask to be filled in.
const ORDERS: [&str; 20] = [
    "describe", "enter", "list ", "add ", "please ", "explain", "provide", "specify", "give ", "write ", "fill ",
    "what ", "who ", "how ", "as a <", "as an <", "insert", "请", "描述", "填写",
];

/// True for the words of a form that nobody has filled in: `_Describe your needs here_`, `As a <role> I want <wish>`.
pub fn is_form(raw: &str) -> bool {
    let raw = raw.trim();
    let inner = raw.strip_prefix('_').and_then(|rest| rest.strip_suffix('_'));
    let inner = inner.or_else(|| raw.strip_prefix('*').and_then(|rest| rest.strip_suffix('*')));
    let inner = inner.or_else(|| raw.strip_prefix('<').and_then(|rest| rest.strip_suffix('>')));
    let orders = inner.is_some_and(|inner| {
        let lower = inner.trim_start_matches(['_', '*', ' ']).to_lowercase();
        ORDERS.iter().any(|order| lower.starts_with(order))
    });
    let lower = raw.to_lowercase();
    let blank =
        ["as a <", "as an <", "i want <", "so that <", "作为<", "作为 <"].iter().any(|blank| lower.contains(blank));
    orders || blank && raw.contains('>')
}

/// True for what its author still has to write.
pub fn is_todo(words: &str) -> bool {
    let first = words.split([' ', ':', '：', ',']).next().unwrap_or_default();
    ["TODO", "FIXME", "XXX", "N/A", "n/a"].contains(&first)
}

/// True for a sentence of its own in brackets, or for a part of one.
pub fn is_in_brackets(raw: &str) -> bool {
    let raw = raw.trim().trim_end_matches(['.', '。']);
    let opens = raw.starts_with(['(', '（']);
    let closes = raw.ends_with([')', '）']);
    opens && (closes || !raw.contains([')', '）'])) || closes && !raw.contains(['(', '（'])
}

/// True for what somebody says of himself: "I only pass it on", "my boss will love it".
pub fn is_remark(words: &str, is_talk: bool) -> bool {
    if words.chars().any(is_cjk) {
        let mine = words.split('我').skip(1).any(|rest| !rest.starts_with(['们', '的', '要', '想', '希']));
        return is_talk && mine && !words.contains("希望");
    }
    let lower = words.to_lowercase();
    if ["i want", "i need", "i would like", "i'd like", "i wish"].iter().any(|wish| lower.contains(wish)) {
        return false;
    }
    let quoted = |at: usize| words[..at].matches(['"', '“', '”', '`']).count() % 2 == 1;
    let mine = ["I", "I'm", "I’m", "I've", "I’ve", "I'd", "I’d", "I'll", "I’ll", "me", "my", "myself"];
    let mut at = 0;
    words.split_inclusive(|c: char| c.is_whitespace() || matches!(c, ',' | '.' | '!' | '?' | ';' | ':' | ')')).any(
        |word| {
            let start = at;
            at += word.len();
            let bare = word.trim_matches(|c: char| !c.is_alphanumeric() && c != '\'' && c != '’');
            let says_me = mine.contains(&bare) || start == 0 && bare.eq_ignore_ascii_case("my");
            says_me && !quoted(start)
        },
    )
}

/// "No.", "不加，…": a turn that turns down what was asked for just before.
pub fn refuses(raw: &str) -> bool {
    let lower = raw.trim_start().to_lowercase();
    let flat = ["no.", "no!", "nope", "no way", "not now", "no, not", "no no", "certainly not", "absolutely not"];
    let zh = ["不加", "不做", "不行", "不要", "不可以", "先不做", "先不加", "不考虑", "没必要", "别加", "别做"];
    lower == "no" || flat.iter().chain(&zh).any(|begin| lower.starts_with(begin))
}

/// "because people forget it": a reason that stands alone.
pub fn is_reason(words: &str) -> bool {
    let lower = words.to_lowercase();
    ["because ", "since otherwise", "that's why", "that is why", "因为", "所以说", "不然"]
        .iter()
        .any(|begin| lower.starts_with(begin))
}

/// What minutes tell somebody did: "explains the plan", "leaves (train)".
pub fn is_narrated(words: &str) -> bool {
    let first = words.split([' ', ',', '.']).next().unwrap_or_default();
    [
        "walks",
        "leaves",
        "left",
        "joins",
        "joined",
        "arrives",
        "asks",
        "asked",
        "thinks",
        "thought",
        "explains",
        "explained",
        "presents",
        "presented",
        "reports",
        "reported",
        "mentions",
        "mentioned",
        "complains",
        "laughs",
        "agrees",
        "nods",
        "reads",
        "summarises",
        "summarizes",
        "wonders",
        "doubts",
        "objects",
        "must",
        "will",
        "has",
        "should",
        "shall",
    ]
    .contains(&first)
}

/// True for a byte between quotation marks.
pub fn is_quoted(words: &str, at: usize) -> bool {
    let before = words.get(..at).unwrap_or_default();
    let open = |begin: char, end: char| before.matches(begin).count() > before.matches(end).count();
    before.matches('"').count() % 2 == 1
        || before.matches('`').count() % 2 == 1
        || open('“', '”')
        || open('「', '」')
        || open('‘', '’') && words[at..].contains('’')
}

/// What people run errands with.
const ERRANDS: [&str; 34] = [
    "ask", "check", "call", "order", "send", "talk", "clean", "fix", "renew", "prepare", "write", "bring", "book",
    "find", "organise", "organize", "measure", "test", "look", "update", "invite", "clarify", "draw", "draft",
    "deliver", "present", "get", "buy", "print", "finish", "tell", "speak", "phone", "mail",
];

/// The days of the week, by which errands are run and calendars kept.
const DAYS: [&str; 7] = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];

/// Until when else an errand is to be run.
const UNTIL: [&str; 13] = [
    "tomorrow",
    "today",
    "tonight",
    "next",
    "christmas",
    "easter",
    "noon",
    "week",
    "month",
    "holidays",
    "meeting",
    "end",
    "weekend",
];

/// "Ann must renew the licence before Friday": a task of somebody with a name and a date.
pub fn is_errand(words: &str) -> bool {
    let mut tokens = words.split([' ', ',', '.', ';', ':', '!']).filter(|token| !token.is_empty());
    let name = tokens.next().unwrap_or_default();
    let named = name.starts_with(|c: char| c.is_ascii_uppercase() || c == '@')
        && name.chars().skip(1).all(|c| c.is_lowercase())
        && (2..=10).contains(&name.chars().count());
    let plans = ["must", "will", "should", "to", "needs", "has", "shall", "please"]
        .contains(&tokens.next().unwrap_or_default());
    if !named || !plans || ["The", "It", "We", "They", "You", "This", "That", "Each", "Every"].contains(&name) {
        return false;
    }
    let verb = tokens.clone().take(2).any(|token| ERRANDS.contains(&token));
    let lower = words.to_lowercase();
    let dated = [" by ", " before ", " until ", " till ", " on ", " next ", " tomorrow"].iter().any(|at| {
        lower.find(at).is_some_and(|found| {
            let behind = lower[found + at.len()..].split([' ', '.', ',', '!']).take(3);
            at.trim() == "next"
                || at.trim() == "tomorrow"
                || behind.into_iter().any(|word| UNTIL.contains(&word) || DAYS.contains(&word))
        })
    });
    verb && dated
}

/// 小周下周三前必须交原型: the same in Chinese, with the name of somebody who is there.
pub fn is_errand_zh(words: &str, people: &super::spoken::People) -> bool {
    let dated = [
        "下周",
        "本周",
        "这周",
        "周一前",
        "周二前",
        "周三前",
        "周四前",
        "周五前",
        "月底前",
        "明天",
        "后天",
        "今天下班",
        "散会后",
    ];
    dated.iter().any(|date| words.contains(date))
        && people.names().any(|name| name.chars().all(is_cjk) && words.contains(name.as_str()))
}

/// The months and days with which somebody begins to tell what happened.
const WHEN: [&str; 17] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
    "spring",
    "summer",
    "autumn",
    "fall",
    "winter",
];

/// Verbs of the past that do not end in -ed.
const PAST: [&str; 26] = [
    "was", "were", "had", "did", "came", "went", "got", "lost", "broke", "sent", "found", "took", "gave", "made",
    "saw", "said", "told", "wrote", "bought", "sold", "paid", "ran", "fell", "left", "kept", "stood",
];

/// "In May two vans waited for an hour": what happened once.
pub fn is_past(words: &str) -> bool {
    let lower = words.to_lowercase();
    let mut tokens = lower.split(|c: char| !c.is_alphanumeric()).filter(|token| !token.is_empty());
    let begins = tokens.next().is_some_and(|first| ["in", "on", "since", "back", "one"].contains(&first));
    let dated = begins
        && tokens.next().is_some_and(|when| {
            (WHEN.contains(&when) || DAYS.contains(&when)) || when.len() == 4 && when.starts_with("20")
        });
    dated && tokens.any(|token| PAST.contains(&token) || token.len() > 4 && token.ends_with("ed"))
}

/// "yes, twice a day": agreement with what was said.
pub fn is_assent(words: &str) -> bool {
    let lower = words.to_lowercase();
    let agrees = [
        "yes",
        "yep",
        "yeah",
        "fine",
        "ok",
        "okay",
        "agreed",
        "+1",
        "sure",
        "right",
        "同意",
        "没问题",
        "太好了",
        "这个必须",
        "可以，",
        "可以。",
        "对，",
        "好，",
    ];
    let begins = |word: &&str| {
        lower.strip_prefix(*word).is_some_and(|rest| !rest.starts_with(|c: char| c.is_ascii_alphanumeric()))
    };
    let says_more = words.chars().any(|c| c.is_ascii_digit()) || words.contains('只') || lower.contains("only");
    let begins = |word: &&str| !says_more && begins(word);
    let ends =
        [" ok", " okay", " fine", " fine with me"].iter().any(|end| lower.trim_end_matches(['.', '!']).ends_with(end));
    substance(words) <= 5 && agrees.iter().any(begins) || substance(words) <= 3 && ends
}

/// "A weekly list would be enough": what somebody could live with.
pub fn is_conditional(words: &str) -> bool {
    let lower = format!(" {} ", words.to_lowercase());
    [" would be ", " would cover ", " would do ", " would have ", " might ", " could be ", " would help "]
        .iter()
        .any(|form| lower.contains(form))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_says_nothing_of_the_feature_is_told_from_what_does() {
        for form in ["_Describe the steps here_", "_As a <user> I want <thing> so that <reason>_", "*Please fill in*"] {
            assert!(is_form(form), "{form}");
        }
        assert!(!is_form("_Drivers_ see the route") && !is_form("The file is called orders-<customer>.csv"));
        assert!(is_in_brackets("(see the wiki).") && !is_in_brackets("The list (all rows) opens (fast)"));
        assert!(is_remark("you decide, I'm only asking", false) && is_remark("consider it signed on my side", false));
        assert!(!is_remark("The page “My orders” opens", false) && !is_remark("Users see the item list", true));
        assert!(
            is_remark("我没空看这个", true) && !is_remark("我们需要列表", true) && !is_remark("我的订单页打开", true)
        );
        assert!(is_past("In May two vans waited for an hour") && !is_past("In May the rate is 5 %"));
        assert!(is_todo("TODO Ann") && !is_todo("Todos are listed"));
    }
}
