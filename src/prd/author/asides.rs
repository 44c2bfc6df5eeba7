//! Parts of a source that say nothing about the feature: forms, brackets, assent, remarks of people about themselves.

use super::wording::substance;
use crate::text::lexicon::is_cjk;
use crate::text::words::{calendar, drafting_asides as lists};

/// True for the words of a form that nobody has filled in: `_Describe your needs here_`, `As a <role> I want <wish>`.
pub fn is_form(raw: &str) -> bool {
    let raw = raw.trim();
    let inner = raw.strip_prefix('_').and_then(|rest| rest.strip_suffix('_'));
    let inner = inner.or_else(|| raw.strip_prefix('*').and_then(|rest| rest.strip_suffix('*')));
    let inner = inner.or_else(|| raw.strip_prefix('<').and_then(|rest| rest.strip_suffix('>')));
    let orders = inner.is_some_and(|inner| {
        let lower = inner.trim_start_matches(['_', '*', ' ']).to_lowercase();
        lists::ORDERS.begin(&lower)
    });
    orders || lists::BLANKS.stand_in(&raw.to_lowercase()) && raw.contains('>')
}

/// True for what its author still has to write.
pub fn is_todo(words: &str) -> bool {
    let first = words.split([' ', ':', '：', ',']).next().unwrap_or_default();
    lists::UNWRITTEN.has(first)
}

/// True for a separate sentence in brackets, or for a part of one.
pub fn is_in_brackets(raw: &str) -> bool {
    let raw = raw.trim().trim_end_matches(['.', '。']);
    let opens = raw.starts_with(['(', '（']);
    let closes = raw.ends_with([')', '）']);
    opens && (closes || !raw.contains([')', '）'])) || closes && !raw.contains(['(', '（'])
}

/// True for a remark about the speaker: "I only pass it on", "my boss will love it".
pub fn is_remark(words: &str, is_talk: bool) -> bool {
    if words.chars().any(is_cjk) {
        let mine = words.split('我').skip(1).any(|rest| !lists::NOT_OF_ONESELF.begin(rest));
        return is_talk && mine && !lists::WISHES_OF_ANYBODY.stand_in(words);
    }
    let lower = words.to_lowercase();
    if lists::WISHES.stand_in(&lower) {
        return false;
    }
    let quoted = |at: usize| words[..at].matches(['"', '“', '”', '`']).count() % 2 == 1;
    let mut at = 0;
    words.split_inclusive(|c: char| c.is_whitespace() || matches!(c, ',' | '.' | '!' | '?' | ';' | ':' | ')')).any(
        |word| {
            let start = at;
            at += word.len();
            let bare = word.trim_matches(|c: char| !c.is_alphanumeric() && c != '\'' && c != '’');
            let is_my = bare.eq_ignore_ascii_case("my") && (start == 0 || bare == "my");
            // "My guys scan the code": people whom somebody represents are users.
            let next = words[at..].split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
            let is_own = is_my && lists::OWN_PEOPLE.has(&next.to_lowercase());
            (lists::SPEAKERS_WORDS.has(bare) || is_my) && !is_own && !quoted(start)
        },
    )
}

/// "No.", "不加，…": a turn that rejects the request just before it.
pub fn refuses(raw: &str) -> bool {
    let lower = raw.trim_start().to_lowercase();
    lower == "no" || lists::REFUSALS.begin(&lower)
}

/// "There's two of them who never come", "1 of 5 parcels has no paper": a description of today's situation in a
/// conversation.
pub fn tells(words: &str) -> bool {
    let lower = words.to_lowercase();
    let mut tokens = lower.split(' ');
    let counted = tokens.next().is_some_and(|first| first.starts_with(|c: char| c.is_ascii_digit()));
    let share = counted && tokens.next().is_some_and(|next| matches!(next, "of" | "out" | "%"));
    lists::TELLING.begin(&lower) || share
}

/// "Finance asked about it", 老郝通报客户邮件: an action of a participant in the meeting, without his words.
pub fn is_act_of_meeting(words: &str, people: &super::spoken::People) -> bool {
    let bare = people.untitled(words);
    if let Some(name) = people.known_at_start(bare).filter(|name| name.chars().all(is_cjk)) {
        return lists::NARRATED_ACTS_CHINESE.begin(&bare[name.len()..]);
    }
    let mut tokens = bare.split([' ', ',', '.']);
    let named = tokens.next().is_some_and(|name| name.starts_with(|c: char| c.is_ascii_uppercase()) && name.len() >= 2);
    named && tokens.next().is_some_and(|verb| lists::NARRATED_ACTS.has(verb))
}

/// 以前一个月点了 47 次: how things are or were, in Chinese.
pub fn tells_in_chinese(words: &str) -> bool {
    lists::TELLING_CHINESE.stand_in(words)
}

/// "Contractor permits: Eoin happy to fill them in": a statement about a participant is not about the feature.
pub fn speaks_of_colleagues(words: &str, people: &super::spoken::People) -> bool {
    let latin = words
        .split(|c: char| !c.is_alphabetic())
        .any(|word| word.chars().count() >= 3 && word.starts_with(char::is_uppercase) && people.is_called(word));
    let chinese = || {
        let nicknames = people.names().filter(|name| name.chars().all(is_cjk) && lists::NICKNAMES.begin(name));
        nicknames.filter(|name| (2..=3).contains(&name.chars().count())).any(|name| words.contains(name.as_str()))
    };
    latin || chinese()
}

/// "Kasia wants one screen": the wish of a participant, without his name.
pub fn wanted_by_colleague<'w>(words: &'w str, people: &super::spoken::People) -> Option<&'w str> {
    let bare = people.untitled(words);
    let name = people.known_at_start(bare).filter(|name| name.is_ascii())?;
    let rest = lists::WANTING.behind(bare[name.len()..].trim_start())?;
    (substance(rest) >= 3 && !rest.starts_with("to ")).then_some(rest)
}

/// "Joint accounts: see RM-15": another ticket.
pub fn refers_to_ticket(words: &str) -> bool {
    let Some((_, rest)) = words.split_once("see ") else { return false };
    let key = rest.split([' ', '.', ',', ')']).next().unwrap_or_default();
    let digits = key.split_once('-').map(|(letters, digits)| (letters.bytes().all(|b| b.is_ascii_uppercase()), digits));
    substance(words) <= 5
        && digits
            .is_some_and(|(upper, digits)| upper && !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()))
}

/// "确认了才能销毁": a rule, whoever says it.
pub fn says_what_comes_first(words: &str) -> bool {
    lists::ONLY_THEN.stand_in(words)
}

/// "When we ask somebody, the clock stops": what holds, without the case.
pub fn main_clause(words: &str) -> &str {
    let rest = words.split_once([',', '，']).map(|(_, rest)| rest.trim_start());
    rest.filter(|rest| lists::CONDITIONS.begin(&words.to_lowercase()) && substance(rest) >= 1).unwrap_or(words)
}

/// "Park it", 这个再说: leaves the statement just before it open.
pub fn shelves(words: &str) -> bool {
    substance(words) <= 3 && lists::SHELVING.stand_in(&words.to_lowercase())
}

/// "Then no camera": the thing that a short turn rules out.
pub fn named_without(words: &str) -> Option<String> {
    let lower = words.to_lowercase();
    let rest = lists::WITHOUT.behind(&lower)?;
    let is_thing = !lists::NO_THINGS.has(rest.trim_end_matches(['.', '!']));
    (is_thing && substance(rest) == 1 && rest.split(' ').count() <= 3)
        .then(|| rest.trim_end_matches(['.', '!']).to_owned())
}

/// "D5 is cancelled": the name of the item that a list of decisions takes back or changes.
pub fn withdrawn_item(words: &str) -> Option<String> {
    let (name, rest) = words.split_once(' ')?;
    let letters = name.bytes().take_while(u8::is_ascii_uppercase).count();
    let digits = &name[letters..];
    let is_name =
        (1..=4).contains(&letters) && !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit() || b == b'-');
    (is_name && lists::WITHDRAWN.begin(rest)).then(|| name.to_owned())
}

/// "Somebody must fix the door": a task that nobody has taken yet.
pub fn is_for_somebody(words: &str) -> bool {
    lists::SOMEBODY.begin(&words.to_lowercase())
}

/// True for the header of a column of remarks, names or dates.
pub fn is_remark_column(header: &str) -> bool {
    lists::REMARK_COLUMNS.has(&header.trim().to_lowercase())
}

/// "because people forget it": a reason without a statement.
pub fn is_reason(words: &str) -> bool {
    lists::REASONS.begin(&words.to_lowercase())
}

/// An action of a person as minutes report it: "explains the plan", "leaves (train)".
pub fn is_narrated(words: &str) -> bool {
    let first = words.split([' ', ',', '.']).next().unwrap_or_default();
    lists::NARRATING.has(first)
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

/// "Ann must renew the licence before Friday": a task of somebody with a name and a date.
pub fn is_errand(words: &str) -> bool {
    let mut tokens = words.split([' ', ',', '.', ';', ':', '!']).filter(|token| !token.is_empty());
    let name = tokens.next().unwrap_or_default();
    let named = name.starts_with(|c: char| c.is_ascii_uppercase() || c == '@')
        && name.chars().skip(1).all(|c| c.is_lowercase())
        && (2..=10).contains(&name.chars().count());
    let plans = lists::BEFORE_AN_ERRAND.has(tokens.next().unwrap_or_default());
    if !named || !plans || lists::NOT_NAMES.has(name) {
        return false;
    }
    let verb = tokens.clone().take(2).any(|token| lists::ERRANDS.has(token));
    let lower = words.to_lowercase();
    let dated = lists::BEFORE_A_DATE.iter().any(|at| {
        lower.find(at).is_some_and(|found| {
            let mut behind = lower[found + at.len()..].split([' ', '.', ',', '!']).take(3);
            behind.any(|word| lists::UNTIL.has(word) || calendar::DAYS.has(word))
        })
    });
    verb && (dated || lists::DATES.en.iter().any(|date| lower.contains(date)))
}

/// 小周下周三前必须交原型: the same in Chinese, with the name of somebody who is there.
pub fn is_errand_zh(words: &str, people: &super::spoken::People) -> bool {
    lists::DATES.zh.iter().any(|date| words.contains(date))
        && people.names().any(|name| name.chars().all(is_cjk) && words.contains(name.as_str()))
}

/// "In May two vans waited for an hour": what happened once.
pub fn is_past(words: &str) -> bool {
    let lower = words.to_lowercase();
    let mut tokens = lower.split(|c: char| !c.is_alphanumeric()).filter(|token| !token.is_empty());
    let begins = tokens.next().is_some_and(|first| lists::OPENINGS_OF_THE_PAST.has(first));
    let dated = begins
        && tokens.next().is_some_and(|when| {
            [calendar::MONTHS, calendar::SEASONS, calendar::DAYS].iter().any(|list| list.has(when))
                || when.len() == 4 && when.starts_with("20")
        });
    dated && tokens.any(|token| lists::PAST_VERBS.has(token) || token.len() > 4 && token.ends_with("ed"))
}

/// "yes, twice a day": agreement with an earlier statement.
pub fn is_assent(words: &str) -> bool {
    let lower = words.to_lowercase();
    let begins = |word: &&str| {
        lower.strip_prefix(*word).is_some_and(|rest| !rest.starts_with(|c: char| c.is_ascii_alphanumeric()))
    };
    let says_more = words.chars().any(|c| c.is_ascii_digit()) || lists::LIMITS.stand_in(&lower);
    let begins = |word: &&str| !says_more && begins(word);
    let ends = lists::ASSENT_AT_THE_END.end(lower.trim_end_matches(['.', '!']));
    substance(words) <= 5 && lists::ASSENT.iter().any(begins) || substance(words) <= 3 && ends
}

/// "A weekly list would be enough": something that a person could accept.
pub fn is_conditional(words: &str) -> bool {
    lists::CONDITIONAL.stand_in(&format!(" {} ", words.to_lowercase()))
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
