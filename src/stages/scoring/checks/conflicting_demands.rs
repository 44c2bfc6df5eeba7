//! Reports two rules that bind in opposite ways: required here and optional there, "only moderators can" and "any member may".
//!
//! Each way has a sign on either side and asks that the words of the one demand come back in the other. A demand under a
//! condition is compared with none: an exception is no contradiction.

use std::cell::OnceCell;

use crate::model::{Match, Span};
use crate::stages::scoring::Context;
use crate::stages::scoring::claims::{Claim, MOST_FIGURES, is_rule, meaning};
use crate::text::content_words::shared;
use crate::text::words::Words;
use crate::text::words::conflicting_demands::{
    ALWAYS, EVERYBODY, EXCEPTIONS, FREE_BEFORE, FREE_BEHIND, MODALS, NEGATIVE, NEVER, NOT_REQUIRED, ONLY, OTHERWISE,
    REQUIRES,
};

/// One demand, in lower case, with its meaning. What is asked of every pair is worked out once.
struct Demand {
    span: Span,
    said: String,
    words: OnceCell<Vec<String>>,
    is_conditional: bool,
    signs: Signs,
}

/// The lists of which a word stands in a demand.
#[derive(Clone, Copy)]
struct Signs {
    requires: bool,
    may: bool,
    never: bool,
    everybody: bool,
    always: bool,
    otherwise: bool,
}

impl Signs {
    /// The signs of a demand; `None` if it has no sign of either side.
    fn of(said: &str) -> Option<Self> {
        let says = |list: &Words| list.stand_in(said);
        let signs = Self {
            requires: says(REQUIRES),
            may: says(MODALS),
            never: says(NEVER),
            everybody: says(EVERYBODY),
            always: says(ALWAYS),
            otherwise: says(OTHERWISE),
        };
        let Self { requires, may, never, everybody, always, otherwise } = signs;
        let any =
            requires || may || never || everybody || always || otherwise || says(FREE_BEFORE) || says(FREE_BEHIND);
        any.then_some(signs)
    }
}

impl Demand {
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
    let read = |span: Span| {
        let said = format!(" {}", span.slice(ctx.text).to_lowercase());
        let signs = Signs::of(&said)?;
        let is_conditional = EXCEPTIONS.stand_in(&said);
        Some(Demand { span, words: OnceCell::new(), is_conditional, signs, said })
    };
    let found: Vec<Demand> = sentences.filter_map(|sentence| read(sentence.span)).take(MOST_FIGURES + 1).collect();
    if found.len() > MOST_FIGURES { Vec::new() } else { found }
}

fn conflict(a: &Demand, b: &Demand) -> bool {
    required_and_free(a, b) || only_and_everybody(a, b) || never_and_always(a, b) || always_and_otherwise(a, b)
}

/// "Patients must confirm": "confirmation is optional".
fn required_and_free(required: &Demand, free: &Demand) -> bool {
    if !required.signs.requires || required.is_conditional || free.is_conditional || required.says(NOT_REQUIRED) {
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

/// "Bidders cannot see other offers": "bidders see the lowest offer at any time".
fn never_and_always(never: &Demand, always: &Demand) -> bool {
    if !never.signs.never || !always.signs.everybody || always.is_conditional || always.says(NEGATIVE) {
        return false;
    }
    let common = shared(never.words(), always.words());
    common >= 3 && common * 5 >= never.words().len() * 2
}

/// "The night always ends at 7": "staff can end the night earlier".
fn always_and_otherwise(always: &Demand, otherwise: &Demand) -> bool {
    let free = otherwise.signs.may && otherwise.signs.otherwise;
    if !always.signs.always || !free || always.is_conditional || otherwise.says(NEGATIVE) {
        return false;
    }
    shared(always.words(), otherwise.words()) >= 2
}
