//! A lock, a hold or a code that begins and never ends.

use super::at;
use crate::model::{Finding, Genre, Span};
use crate::stages::scoring::findings::Context;
use crate::text::quantities::{Dimension, quantities};

/// What begins, each with words of which one must stand beside it ("" for none).
const BEGINNINGS: &[(&str, &[&str])] = &[
    ("account is locked", &[""]),
    ("account gets locked", &[""]),
    ("lock the account", &[""]),
    ("locks the account", &[""]),
    ("account is blocked", &[""]),
    ("user is locked", &[""]),
    ("user is blocked", &[""]),
    ("is reserved", &["seat", "item", "stock", "room", "table", "ticket", "slot"]),
    ("reserve the", &["seat", "item", "stock", "room", "table", "ticket", "slot"]),
    ("reserves the", &["seat", "item", "stock", "room", "table", "ticket", "slot"]),
    ("hold the seat", &[""]),
    ("holds the seat", &[""]),
    ("holds the stock", &[""]),
    ("one-time code", &["send", "sent", "get", "receive", "mail", "sms"]),
    ("verification code", &["send", "sent", "get", "receive", "mail", "sms"]),
    ("reset link", &["send", "sent", "get", "receive", "mail"]),
    ("magic link", &["send", "sent", "get", "receive", "mail"]),
    ("锁定账号", &[""]),
    ("锁定账户", &[""]),
    ("账号锁定", &[""]),
    ("账户锁定", &[""]),
    ("账号被锁定", &[""]),
    ("账户被锁定", &[""]),
    ("冻结账号", &[""]),
    ("冻结账户", &[""]),
    ("占用座位", &[""]),
    ("锁定库存", &[""]),
    ("预占库存", &[""]),
    ("锁定座位", &[""]),
    ("预留库存", &[""]),
    ("占用库存", &[""]),
    ("验证码", &["收到", "发送", "发一", "下发"]),
];

/// Words by which something ends.
const ENDINGS: &[&str] = &[
    "expire",
    "unlock",
    "release",
    "time out",
    "timeout",
    "times out",
    "until",
    "valid for",
    "unblock",
    "lift",
    "permanent",
    "free again",
    "过期",
    "失效",
    "解锁",
    "释放",
    "解冻",
    "有效",
    "超时",
    "直到",
    "自动取消",
    "永久",
    "解除",
    "恢复",
];

/// Findings on beginnings without an end anywhere in the text.
pub fn check(ctx: Context<'_>) -> Vec<Finding> {
    let genres = [
        Genre::AcceptanceCriterion,
        Genre::ShallStatement,
        Genre::GherkinStep,
        Genre::Demand,
        Genre::UserStory,
        Genre::Prose,
    ];
    let mut found: Vec<Finding> = Vec::new();
    for sentence in ctx.reading.sentences.iter().filter(|s| genres.contains(&s.genre) && !s.struck) {
        // Lower case for ASCII keeps the offsets.
        let words = sentence.span.slice(ctx.text).to_ascii_lowercase();
        let begins = BEGINNINGS.iter().find_map(|(sign, beside)| {
            let from = words.find(sign)?;
            beside.iter().any(|word| words.contains(word)).then_some((from, sign.len()))
        });
        if let Some((from, length)) = begins {
            let span = Span::new(sentence.span.start + from, sentence.span.start + from + length);
            found.push(at(span).with("term", span.slice(ctx.text)));
        }
    }
    if !found.is_empty() && ends_somewhere(ctx.text) {
        found.clear();
    }
    found
}

/// Looked for only where something begins, so that most texts pay nothing.
fn ends_somewhere(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    ENDINGS.iter().any(|word| lower.contains(word))
        || quantities(text, Span::new(0, text.len())).iter().any(|q| q.dimension == Some(Dimension::Time))
}
