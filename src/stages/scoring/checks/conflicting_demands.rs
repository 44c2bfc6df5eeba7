//! Reports two rules that bind in opposite ways: required here and optional there, "only moderators can" and "any member may".
//!
//! Each way has a sign on either side and asks that the words of the one demand come back in the other. A demand under a
//! condition is compared with none: an exception is no contradiction.

use crate::model::{Match, Span};
use crate::stages::scoring::Context;
use crate::stages::scoring::claims::{MOST_FIGURES, is_rule, meaning};
use crate::text::content_words::shared;

const REQUIRES: &[&str] = &[
    " must ",
    "is required",
    "are required",
    "mandatory",
    "compulsory",
    "obligatory",
    " has to ",
    " have to ",
    "必须",
    "必填",
    "必选",
    "强制",
    "务必",
];
const NOT_REQUIRED: &[&str] = &[
    "not required",
    "not mandatory",
    "must not",
    "only required",
    "mandatory only",
    "不必",
    "不必须",
    "非必须",
    "非必填",
];
/// What stands before the sign is free.
const FREE_BEFORE: &[&str] = &[
    "optional",
    "not required",
    "not mandatory",
    "voluntary",
    "not obligatory",
    "可选",
    "选填",
    "非必填",
    "非必须",
    "不必填",
];
/// What stands behind the sign is free.
const FREE_BEHIND: &[&str] = &[" without ", "need not ", "needn't ", "不必", "无需", "无须", "可以不", "可不"];
const EXCEPTIONS: &[&str] = &[
    " if ",
    "when",
    "unless",
    "except",
    " under ",
    "in case",
    "only for",
    "as long as",
    "until",
    "otherwise",
    "where ",
    "如果",
    "若",
    "当",
    "除",
    "仅",
    "情况",
    "的话",
    "时，",
    "未",
    "后，",
    "之前",
    "以上",
    "以下",
];
const MODALS: &[&str] = &[" can also ", " may also ", " can ", " may ", " is allowed to ", " are allowed to "];
const MODALS_ZH: &[&str] = &[
    "也可以",
    "都可以",
    "均可以",
    "才可以",
    "也能",
    "都能",
    "才能",
    "均可",
    "也可",
    "才可",
    "可以",
    "能够",
    "可",
    "能",
];
const ONLY_ZH: &[&str] = &["只有", "仅限", "只允许", "仅允许", "仅"];
const NEVER: &[&str] = &[
    " cannot ",
    " can't ",
    " can not ",
    " must not ",
    " may not ",
    " not allowed to ",
    " never ",
    "不得",
    "不能",
    "不可",
    "禁止",
    "不允许",
];
const NEGATIVE: &[&str] =
    &["not ", "n't ", " no ", "cannot", "never", "without", "不", "无法", "禁止", "拒绝", "没有", "未"];
const EVERYBODY: &[&str] = &[
    "at any time",
    "always",
    "any ",
    "every ",
    "everyone",
    "anyone",
    "all ",
    "in all cases",
    "任何",
    "随时",
    "所有",
    "始终",
    "一律",
    "任意",
];
const ALWAYS: &[&str] = &[" always ", " never ", "in all cases", "始终", "总是", "一律", "永远", "任何情况"];
const OTHERWISE: &[&str] = &[
    "earlier",
    "later",
    "different",
    "instead",
    "skip",
    "disable",
    "turn off",
    "switch off",
    "override",
    "sometimes",
    "提前",
    "推迟",
    "关闭",
    "跳过",
    "改为",
    "例外",
];

/// One demand, in lower case, with its meaning.
struct Demand {
    span: Span,
    said: String,
    words: Vec<String>,
    conditional: bool,
}

impl Demand {
    fn says(&self, signs: &[&str]) -> bool {
        signs.iter().any(|sign| self.said.contains(sign))
    }
}

/// At most one finding per demand, at the later one; then the figures that hardly hold together.
pub fn check(ctx: Context<'_>) -> Vec<Match> {
    let demands = demands(ctx);
    let mut found = super::conflicting_values::doubtful(ctx);
    for (index, later) in demands.iter().enumerate() {
        let earlier = demands[..index].iter().find(|earlier| conflict(earlier, later) || conflict(later, earlier));
        if let Some(earlier) = earlier {
            let other = earlier.span.slice(ctx.text);
            found.push(Match::at(later.span).with("term", later.span.slice(ctx.text)).with("other", other));
        }
    }
    found
}

/// The demands of a text that hold a sign of either side; none where there are too many to be rules of one ticket.
fn demands(ctx: Context<'_>) -> Vec<Demand> {
    let sentences = ctx.reading.sentences.iter().filter(|sentence| is_rule(ctx, sentence));
    let signs = |said: &str| {
        [REQUIRES, FREE_BEFORE, FREE_BEHIND, MODALS, MODALS_ZH, NEVER, EVERYBODY, ALWAYS, OTHERWISE]
            .iter()
            .any(|list| list.iter().any(|sign| said.contains(sign)))
    };
    let read = |span: Span| {
        let said = format!(" {}", span.slice(ctx.text).to_lowercase());
        signs(&said).then(|| Demand {
            span,
            words: meaning(&said),
            conditional: EXCEPTIONS.iter().any(|sign| said.contains(sign)),
            said,
        })
    };
    let found: Vec<Demand> = sentences.filter_map(|sentence| read(sentence.span)).take(MOST_FIGURES + 1).collect();
    if found.len() > MOST_FIGURES { Vec::new() } else { found }
}

fn conflict(a: &Demand, b: &Demand) -> bool {
    required_and_free(a, b) || only_and_everybody(a, b) || never_and_always(a, b) || always_and_otherwise(a, b)
}

/// "Patients must confirm": "confirmation is optional".
fn required_and_free(required: &Demand, free: &Demand) -> bool {
    if !required.says(REQUIRES) || required.says(NOT_REQUIRED) || required.conditional || free.conditional {
        return false;
    }
    let clause =
        |words: &str| words.rsplit([',', '，', ';', '；', '。', '：', ':']).next().map(meaning).unwrap_or_default();
    let first = |words: &str| {
        let own = words.split([',', '，', ';', '；', '。', '.']).next().unwrap_or_default();
        meaning(own.split(" and ").next().unwrap_or_default())
    };
    let before = FREE_BEFORE.iter().filter_map(|sign| free.said.split_once(sign)).map(|(before, _)| clause(before));
    let behind = FREE_BEHIND.iter().filter_map(|sign| free.said.split_once(sign)).map(|(_, behind)| first(behind));
    before.chain(behind).any(|key| !key.is_empty() && shared(&key, &required.words) == key.len())
}

/// Who may do what: the words before the modal and those behind it.
fn who_may(said: &str) -> Option<(Vec<String>, Vec<String>)> {
    let split = MODALS.iter().chain(MODALS_ZH).find_map(|modal| said.split_once(modal));
    let (who, what) = split?;
    let what = what.split([',', '，', ';', '；', '。', '.']).next().unwrap_or(what);
    Some((meaning(who), meaning(what)))
}

/// "Only moderators can hide posts": "any member may hide a post".
fn only_and_everybody(only: &Demand, other: &Demand) -> bool {
    let own = only
        .said
        .trim_start_matches([' ', '-', '*', '•', '.', '、', ')'])
        .trim_start_matches(|c: char| c.is_ascii_digit());
    let own = own.trim_start_matches(['.', ' ', '、', ')']);
    let is_only = own.starts_with("only ") || ONLY_ZH.iter().any(|sign| own.starts_with(sign));
    if !is_only
        || other.said.contains("only")
        || ONLY_ZH.iter().any(|sign| other.said.contains(sign))
        || other.says(NEGATIVE)
    {
        return false;
    }
    let (Some((who, what)), Some((others, does))) = (who_may(own), who_may(&other.said)) else { return false };
    let common = shared(&what, &does);
    let same_people = !others.is_empty() && shared(&others, &who) == others.len();
    what.len() >= 2 && common >= 2 && common * 5 >= what.len() * 3 && !same_people
}

/// "Bidders cannot see other offers": "bidders see the lowest offer at any time".
fn never_and_always(never: &Demand, always: &Demand) -> bool {
    if !never.says(NEVER) || always.says(NEGATIVE) || !always.says(EVERYBODY) || always.conditional {
        return false;
    }
    let common = shared(&never.words, &always.words);
    common >= 3 && common * 5 >= never.words.len() * 2
}

/// "The night always ends at 7": "staff can end the night earlier".
fn always_and_otherwise(always: &Demand, otherwise: &Demand) -> bool {
    let free = otherwise.says(MODALS) || otherwise.says(MODALS_ZH);
    if !always.says(ALWAYS) || !free || !otherwise.says(OTHERWISE) || otherwise.says(NEGATIVE) || always.conditional {
        return false;
    }
    shared(&always.words, &otherwise.words) >= 2
}
