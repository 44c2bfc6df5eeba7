//! A fault that shows itself "sometimes", and no word on how often.

use super::first_in;
use crate::model::{Genre, Match};
use crate::stages::scoring::Context;
use crate::text::Hit;

/// Signs of a rate or of a condition under which it happens.
const RATES: &[&str] = &[
    "out of",
    " of 10",
    "in 10",
    "%",
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
pub fn check(ctx: Context<'_>, places: &[Hit]) -> Vec<Match> {
    let genres =
        [Genre::ActualBehaviour, Genre::Prose, Genre::Title, Genre::BugStep, Genre::ShallStatement, Genre::Rationale];
    let Some(span) = first_in(ctx, places, &genres) else { return Vec::new() };
    let whole = ctx.text.to_ascii_lowercase();
    if RATES.iter().any(|sign| whole.contains(sign)) {
        return Vec::new();
    }
    vec![Match::at(span).with("term", span.slice(ctx.text))]
}
