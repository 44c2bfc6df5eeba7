//! Reports two rules that bind in opposite ways: required here and optional there, "only moderators can" and "any member may".
//!
//! Each way has a sign on either side and asks that the words of the one demand come back in the other. A demand under a
//! condition is compared with none: an exception is no contradiction.

use std::cell::OnceCell;

use crate::model::{Match, Span};
use crate::stages::scoring::Context;
use crate::stages::scoring::claims::{Claim, MOST_FIGURES, Rule, meaning, rules};
use crate::text::content_words::shared;
use crate::text::words::Words;
use crate::text::words::conflicting_demands::{
    EXCEPTIONS, FREE_BEFORE, FREE_BEHIND, MODALS, NEGATIVE, NOT_REQUIRED, ONLY, REQUIRES,
};

/// One demand, in lower case, with its meaning. What is asked of every pair is worked out once.
struct Demand {
    span: Span,
    statement: Span,
    said: String,
    words: OnceCell<Vec<String>>,
    is_conditional: bool,
    requires: bool,
}

impl Demand {
    /// The demand of a sentence; `None` if it has no sign of either side.
    fn of(rule: Rule, text: &str) -> Option<Self> {
        let Rule { sentence: span, statement, .. } = rule;
        let said = format!(" {}", span.slice(text).to_lowercase());
        let requires = REQUIRES.stand_in(&said);
        let has_sign = requires || [MODALS, FREE_BEFORE, FREE_BEHIND].iter().any(|list| list.stand_in(&said));
        let is_conditional = EXCEPTIONS.stand_in(&said);
        has_sign.then_some(Self { span, statement, words: OnceCell::new(), is_conditional, requires, said })
    }

    fn says(&self, signs: &Words) -> bool {
        signs.stand_in(&self.said)
    }

    fn words(&self) -> &[String] {
        self.words.get_or_init(|| meaning(&self.said))
    }
}

/// At most one finding per demand, at the later one; then the figures that hardly hold together.
pub fn check(ctx: Context<'_>, claims: &[Claim]) -> Vec<Match> {
    let demands = demands(ctx);
    let mut found = super::conflicting_values::doubtful(ctx, claims);
    for (index, later) in demands.iter().enumerate() {
        let mut others = demands[..index].iter().filter(|earlier| earlier.statement != later.statement);
        if let Some(earlier) = others.find(|earlier| conflict(earlier, later) || conflict(later, earlier)) {
            let other = earlier.span.slice(ctx.text);
            let conflict = Match::at(later.span).against(earlier.span);
            found.push(conflict.with("term", later.span.slice(ctx.text)).with("other", other));
        }
    }
    found
}

/// The demands of a text that hold a sign of either side; none where there are too many to be rules of one ticket.
fn demands(ctx: Context<'_>) -> Vec<Demand> {
    let read = rules(ctx).filter_map(|rule| Demand::of(rule, ctx.text));
    let found: Vec<Demand> = read.take(MOST_FIGURES + 1).collect();
    if found.len() > MOST_FIGURES { Vec::new() } else { found }
}

fn conflict(a: &Demand, b: &Demand) -> bool {
    required_and_free(a, b) || only_and_everybody(a, b)
}

/// "Patients must confirm": "confirmation is optional".
fn required_and_free(required: &Demand, free: &Demand) -> bool {
    if !required.requires || required.is_conditional || free.is_conditional || required.says(NOT_REQUIRED) {
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
    before.chain(behind).any(|key| !key.is_empty() && shared(&key, required.words()) == key.len())
}

/// Who may do what: the words before the modal and those behind it.
fn who_may(said: &str) -> Option<(Vec<String>, Vec<String>)> {
    let split = MODALS.iter().find_map(|modal| said.split_once(modal));
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
    let is_only = own.starts_with("only ") || ONLY.zh.iter().any(|sign| own.starts_with(sign));
    if !is_only
        || other.said.contains("only")
        || ONLY.zh.iter().any(|sign| other.said.contains(sign))
        || other.says(NEGATIVE)
    {
        return false;
    }
    let (Some((who, what)), Some((others, does))) = (who_may(own), who_may(&other.said)) else { return false };
    let common = shared(&what, &does);
    let same_people = !others.is_empty() && shared(&others, &who) == others.len();
    what.len() >= 2 && common >= 2 && common * 5 >= what.len() * 3 && !same_people
}
