//! A fault that shows itself "sometimes", and no word on how often.

use super::at;
use crate::model::{Finding, Genre, Span};
use crate::stages::scoring::findings::Context;

const SOMETIMES: &[&str] = &[
    "sometimes",
    "occasionally",
    "intermittently",
    "from time to time",
    "now and then",
    "sporadically",
    "randomly crashes",
    "randomly fails",
    "randomly freezes",
    "random crashes",
    "once in a while",
    "有时候",
    "有时",
    "偶尔",
    "偶现",
    "偶发",
    "时不时",
    "随机出现",
    "随机闪退",
];

/// Signs of a rate or of a condition under which it happens.
const RATES: &[&str] = &[
    "out of",
    " of 10",
    "in 10",
    "% of",
    "every time",
    "once a ",
    "per day",
    "per hour",
    "times a ",
    "each time",
    "about once",
    "roughly once",
    "every few",
    "one in",
    "概率",
    "次中",
    "次里",
    "次有",
    "每次",
    "几率",
    "频率",
    "复现率",
    "每天",
    "每小时",
    "必现",
    "分之",
];

/// One finding on the first "sometimes" of a report without a rate.
pub fn check(ctx: Context<'_>) -> Vec<Finding> {
    let genres =
        [Genre::ActualBehaviour, Genre::Prose, Genre::Title, Genre::BugStep, Genre::ShallStatement, Genre::Rationale];
    for sentence in ctx.reading.sentences.iter().filter(|s| genres.contains(&s.genre) && !s.struck) {
        let words = sentence.span.slice(ctx.text).to_ascii_lowercase();
        let Some((from, length)) = SOMETIMES.iter().find_map(|sign| words.find(sign).map(|at| (at, sign.len()))) else {
            continue;
        };
        let whole = ctx.text.to_ascii_lowercase();
        if RATES.iter().any(|sign| whole.contains(sign)) || whole.contains('%') {
            return Vec::new();
        }
        let start = sentence.span.start + from;
        let span = Span::new(start, start + length);
        return vec![at(span).with("term", span.slice(ctx.text))];
    }
    Vec::new()
}
