//! Reports two rules that contradict each other: required in one and optional in the other, or "only moderators can"
//! and "any member may".
//!
//! Both must name the same thing in the same words and, if both name people, the same people. Conditional demands are
//! not compared, because an exception is not a contradiction.

use std::cell::OnceCell;

use crate::stages::scoring::Context;
use crate::stages::scoring::claims::{Claim, MOST_FIGURES, Rule, Topic, meaning, rules};
use reqgate_base::model::{Match, Span};
use reqgate_text::content_words::{shared, stem};
use reqgate_text::lexicon::is_cjk;
use reqgate_text::words::Words;
use reqgate_text::words::conflicting_demands::{
    DENIED, EXCEPTIONS, FREE_BEFORE, FREE_BEHIND, MODALS, NEGATIVE, NOT_REQUIRED, OBLIGES, ONLY, PREPOSITIONS,
    REQUIRED, STEPS, SUPPLIES, WHOLE,
};

/// The characters that separate clauses.
const CLAUSE_ENDS: [char; 9] = [',', '，', ';', '；', ':', '：', '。', '.', '\n'];

/// One demand, in lower case.
struct Demand {
    span: Span,
    statement: Span,
    said: String,
    topic: Topic,
    words: OnceCell<Vec<String>>,
    /// The demand requires something unconditionally.
    requires: bool,
    /// The demand makes something optional unconditionally.
    frees: bool,
    /// The sentence begins with "only" or its Chinese equivalent.
    is_only: bool,
}

impl Demand {
    /// The demand of a sentence; `None` if it neither requires, permits nor denies anything.
    fn of(rule: Rule, ctx: Context<'_>) -> Option<Self> {
        let Rule { sentence: span, statement, .. } = rule;
        let said = format!(" {}", span.slice(ctx.text).to_lowercase());
        let signs = |lists: [&Words; 2]| lists.iter().any(|list| list.stand_in(&said));
        let (requires, frees) = (signs([OBLIGES, REQUIRED]), signs([FREE_BEFORE, FREE_BEHIND]));
        if !requires && !frees && ![MODALS, DENIED].iter().any(|signs| signs.stand_in(&said)) {
            return None;
        }
        let is_firm = !EXCEPTIONS.stand_in(&said);
        let requires = requires && is_firm && !NOT_REQUIRED.stand_in(&said);
        let (frees, is_only) = (frees && is_firm, limited(&said).is_some());
        Some(Self { span, statement, topic: rule.topic(ctx), words: OnceCell::new(), requires, frees, is_only, said })
    }

    fn says(&self, signs: &Words) -> bool {
        signs.stand_in(&self.said)
    }

    fn words(&self) -> &[String] {
        self.words.get_or_init(|| meaning(&self.said))
    }
}

/// Returns the doubtful pairs of figures, then at most one match per demand, at the later one of a conflict.
pub(super) fn check(ctx: Context<'_>, claims: &[Claim]) -> Vec<Match> {
    let demands = demands(ctx);
    let mut found = super::conflicting_values::doubtful(ctx, claims);
    for (index, later) in demands.iter().enumerate() {
        let earlier = demands[..index].iter().find(|earlier| {
            earlier.statement != later.statement
                && (conflict(earlier, later) || conflict(later, earlier))
                && earlier.topic.agrees(earlier.words(), &later.topic, later.words(), ctx)
        });
        if let Some(earlier) = earlier {
            let other = earlier.span.slice(ctx.text);
            let conflict = Match::at(later.span).against(earlier.span);
            found.push(conflict.with("term", later.span.slice(ctx.text)).with("other", other));
        }
    }
    found
}

/// The demands of a text; empty if there are too many to be rules of one ticket.
fn demands(ctx: Context<'_>) -> Vec<Demand> {
    let read = rules(ctx).filter_map(|rule| Demand::of(rule, ctx));
    let found: Vec<Demand> = read.take(MOST_FIGURES + 1).collect();
    if found.len() > MOST_FIGURES { Vec::new() } else { found }
}

fn conflict(a: &Demand, b: &Demand) -> bool {
    a.requires && b.frees && required_and_free(a, b)
        || a.is_only && !b.is_only && only_and_everybody(a, b)
        || opposite(a, b)
}

/// Returns true if two demands differ only in their negation: "the file must contain the address" and "the file must
/// not contain the address".
fn opposite(a: &Demand, b: &Demand) -> bool {
    if a.says(EXCEPTIONS) || b.says(EXCEPTIONS) || a.says(DENIED) || !b.says(DENIED) {
        return false;
    }
    let bare = |demand: &Demand| {
        let mut said = demand.said.trim().trim_end_matches(['.', '。', '!', '！']).to_owned();
        for sign in DENIED.iter().chain(MODALS.iter()).chain(OBLIGES.iter()) {
            said = said.replace(sign, " ");
        }
        said.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let (own, other) = (bare(a), bare(b));
    own == other && meaning(&own).len() >= 2
}

/// Returns true for "patients must confirm" and "confirmation is optional".
fn required_and_free(required: &Demand, free: &Demand) -> bool {
    let Some(key) = free_thing(&free.said) else { return false };
    let mut named = REQUIRED.iter().filter_map(|sign| required.said.split_once(sign));
    if named.any(|(before, remark)| is_same_thing(last_clause(before), key.words) && are_the_same(remark, &key)) {
        return true;
    }
    let Some((who, does)) = OBLIGES.iter().find_map(|sign| required.said.split_once(sign)) else { return false };
    are_the_same(last_clause(who), &key) && supplied(first_clause(does), key.words)
}

/// Returns true if a demand and a freedom name the same people and cases, or one of them names none: "required for
/// owners" and "optional for guests" are compatible.
fn are_the_same(who: &str, free: &Free<'_>) -> bool {
    let (who, other) = (meaning(first_clause(who)), meaning(free.who));
    who == other || who.is_empty() && !free.is_remark || other.is_empty()
}

/// An optional thing, and the people who may omit it.
struct Free<'t> {
    who: &'t str,
    /// The people or cases are named after the thing: "optional on phones", which may be an exception.
    is_remark: bool,
    words: &'t str,
}

/// The optional thing in "the note is optional" or "guests can order without a note".
fn free_thing(said: &str) -> Option<Free<'_>> {
    let before = FREE_BEFORE.iter().find_map(|sign| said.split_once(sign));
    if let Some((before, remark)) = before {
        let who = first_clause(remark);
        return Some(Free { who, is_remark: !meaning(who).is_empty(), words: last_clause(before) });
    }
    let (before, behind) = FREE_BEHIND.iter().find_map(|sign| said.split_once(sign))?;
    let who = MODALS.iter().find_map(|modal| before.split_once(modal)).map(|(who, _)| who);
    // "Must finish without errors" does not make a thing optional; 无需 does.
    let who = who.or_else(|| behind.chars().any(is_cjk).then_some(before))?;
    let words = head(first_clause(behind));
    let words = SUPPLIES.zh.iter().find_map(|verb| words.strip_prefix(verb)).unwrap_or(words);
    Some(Free { who: last_clause(who), is_remark: false, words })
}

/// Returns true if the obligation is to supply the thing, or if its verb is the thing itself.
fn supplied(does: &str, thing: &str) -> bool {
    if thing.chars().any(is_cjk) {
        let does = STEPS.zh.iter().filter_map(|step| does.find(step)).min().map_or(does, |end| &does[..end]);
        let verb = does.trim().strip_suffix(thing.trim());
        return verb.is_some_and(|verb| SUPPLIES.zh.iter().any(|known| verb.ends_with(known)));
    }
    let words = head(does);
    let (verb, object) = words.trim().split_once(' ').unwrap_or((words.trim(), ""));
    SUPPLIES.has(verb) && is_same_thing(object, thing) || meaning(thing) == [stem(verb)]
}

fn is_same_thing(some: &str, other: &str) -> bool {
    let (some, other) = (meaning(some), meaning(other));
    !some.is_empty() && some == other
}

/// Returns true for "only moderators can hide posts" and "any member may hide a post".
fn only_and_everybody(only: &Demand, other: &Demand) -> bool {
    let Some(own) = limited(&only.said) else { return false };
    let is_limited = other.said.contains("only") || ONLY.zh.iter().any(|sign| other.said.contains(sign));
    if is_limited || other.says(NEGATIVE) || other.says(EXCEPTIONS) || EXCEPTIONS.stand_in(own) {
        return false;
    }
    let (Some((who, what)), Some((others, does))) = (who_may(own), who_may(&other.said)) else { return false };
    let (who, others) = (meaning(who), meaning(others));
    let is_among_them = !others.is_empty() && shared(&others, &who) == others.len();
    !is_among_them && covers(what, does)
}

/// The sentence without a leading "only"; `None` if it does not begin with it.
fn limited(said: &str) -> Option<&str> {
    let lead = |c: char| c.is_ascii_digit() || matches!(c, ' ' | '-' | '*' | '•' | '.' | '、' | ')');
    let own = said.trim_start_matches(lead);
    own.strip_prefix("only ").or_else(|| ONLY.zh.iter().find_map(|sign| own.strip_prefix(sign)))
}

/// The people before the modal verb, and the action after it.
fn who_may(said: &str) -> Option<(&str, &str)> {
    let (who, what) = MODALS.iter().find_map(|modal| said.split_once(modal))?;
    Some((who, first_clause(what)))
}

/// Returns true if one action includes the other: "hide posts" includes "hide a post of another member".
fn covers(what: &str, does: &str) -> bool {
    let (what, does) = (what.trim(), does.trim());
    if let Some((at, _)) = what.char_indices().nth(2).filter(|_| what.chars().all(is_cjk)) {
        let (verb, object) = what.split_at(at);
        let between = does.strip_prefix(verb).and_then(|rest| rest.strip_suffix(object));
        return between.is_some_and(|words| words.is_empty() || WHOLE.zh.contains(words));
    }
    // A restricted action with a remark is only a part of the whole action.
    let (whole, part) = (head(what), head(does));
    let words = meaning(whole);
    let is_said_alike = what == does && !what.is_empty();
    (words.len() >= 2 || is_said_alike && words.len() == 1)
        && words == meaning(part)
        && (whole.len() == what.len() || meaning(what) == meaning(does))
}

fn first_clause(words: &str) -> &str {
    let clause = words.split(CLAUSE_ENDS).next().unwrap_or(words);
    clause.split(" and ").next().unwrap_or(clause)
}

fn last_clause(words: &str) -> &str {
    words.rsplit(CLAUSE_ENDS).next().unwrap_or(words)
}

/// The words up to the first preposition.
fn head(words: &str) -> &str {
    let end = PREPOSITIONS.iter().filter_map(|word| words.find(word)).min();
    end.map_or(words, |end| &words[..end])
}
