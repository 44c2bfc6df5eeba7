//! Reports two figures for one thing that cannot both be true: two values in the same words, or a limit and a larger
//! amount.
//!
//! Subject, unit, limit and condition of both must agree. A subject may be named in the row of a table, in the item
//! above or in a heading, so figures in rows or sections with different names are not compared. A sentence that
//! contains both figures contradicts neither. Two rules that may be compatible with an explanation are a warning of
//! `conflicting-demands`, never a blocker.

use std::cell::OnceCell;

use crate::stages::scoring::Context;
use crate::stages::scoring::claims::{Bound, Claim, meaning};
use reqgate_base::model::{Match, SectionRole, Span};
use reqgate_text::content_words::{shared, stem};
use reqgate_text::lexicon::is_cjk;
use reqgate_text::quantities::Dimension;
use reqgate_text::words::Words;
use reqgate_text::words::conflicting_values::{
    AMOUNTS, BEFOREHAND, CAPACITY, CONDITIONS, DENIES, FROM_THEN, GOES, GOES_ELSEWHERE, GOES_ON, LASTS, LEADS,
    LOOKS_BACK, PERMITS, REFUSES, SMALL_WORDS, STOPS, TAKES_IN, USES,
};

/// The characters that separate the clauses of a rule.
const CLAUSE_ENDS: [char; 9] = [',', '，', ';', '；', ':', '：', '。', '(', '（'];

/// The largest distance of a test value from its limit, as a share of the limit: 9 and 11 of 10.
const NEAR_A_LIMIT: f64 = 0.1;

/// A figure and the words around it, computed when first needed, because each figure is compared with all others.
struct Statement<'a> {
    claim: &'a Claim,
    text: &'a str,
    behind: OnceCell<Vec<String>>,
    case: OnceCell<Vec<String>>,
    before: OnceCell<Vec<String>>,
    after: OnceCell<Vec<String>>,
    outcome: OnceCell<Vec<String>>,
}

impl<'a> Statement<'a> {
    fn new(text: &'a str, claim: &'a Claim) -> Self {
        let unknown = OnceCell::new;
        Self {
            claim,
            text,
            behind: unknown(),
            case: unknown(),
            before: unknown(),
            after: unknown(),
            outcome: unknown(),
        }
    }

    /// The words of the sentence before the figure.
    fn lead(&self) -> &'a str {
        Span::new(self.claim.sentence.start, self.claim.span.start).slice(self.text)
    }

    /// The content words after the figure, up to the end of the clause.
    fn behind(&self) -> &[String] {
        self.behind.get_or_init(|| {
            let end = self.claim.sentence.end.max(self.claim.span.end);
            let words = Span::new(self.claim.span.end, end).slice(self.text);
            let clause = words.split([',', '，', ';', '；', '。', '.', '(', '（']).next().unwrap_or(words);
            meaning(clause.split(" and ").next().unwrap_or(clause))
        })
    }

    /// The content words of the clauses before the figure's: the case in which it applies.
    fn case(&self) -> &[String] {
        self.case.get_or_init(|| {
            let words = self.lead();
            meaning(words.rfind(CLAUSE_ENDS).map_or("", |end| &words[..end]))
        })
    }

    /// The words of the clause immediately before the figure.
    fn before(&self) -> &[String] {
        self.before.get_or_init(|| {
            let words = self.lead();
            in_order(words.rsplit(CLAUSE_ENDS).next().unwrap_or(words))
        })
    }

    /// The content words of the clauses after the figure's: the consequence.
    fn outcome(&self) -> &[String] {
        self.outcome.get_or_init(|| {
            let words = Span::new(self.claim.span.end, self.claim.sentence.end).slice(self.text);
            meaning(words.find(CLAUSE_ENDS).map_or("", |end| &words[end..]))
        })
    }

    /// The first words after the figure.
    fn after(&self) -> &[String] {
        self.after.get_or_init(|| {
            let mut words = in_order(Span::new(self.claim.span.end, self.claim.sentence.end).slice(self.text));
            words.truncate(8);
            words
        })
    }
}

/// Returns at most one match per figure, at the later one of a certain contradiction.
pub(super) fn check(ctx: Context<'_>, claims: &[Claim]) -> Vec<Match> {
    pairs(ctx, claims, |a, b, low, high| {
        does_the_same(a.behind(), b.behind())
            && (same_statement(a, b) || same_limit(a, b) || overfull(low, high) || tolerated(low, high))
            || lasts_otherwise(a, b)
            || refused_within(low, high)
    })
}

/// Figures that are compatible only with an explanation; they are reported among other conflicts and never block.
pub(super) fn doubtful(ctx: Context<'_>, claims: &[Claim]) -> Vec<Match> {
    pairs(ctx, claims, |_, _, low, high| {
        counted_beyond(low, high) || gone_before(low, high) || stopped_before(low, high) || charged_and_free(low, high)
    })
}

/// The later figure of each conflicting pair. `conflict` receives the two in the order of the text, then ordered by
/// value.
fn pairs<'a>(
    ctx: Context<'a>,
    claims: &'a [Claim],
    conflict: impl Fn(&Statement<'a>, &Statement<'a>, &Claim, &Claim) -> bool,
) -> Vec<Match> {
    let statements: Vec<Statement<'_>> = claims.iter().map(|claim| Statement::new(ctx.text, claim)).collect();
    let mut found = Vec::new();
    for (index, later) in statements.iter().enumerate() {
        let earlier = statements[..index].iter().find(|earlier| {
            let (a, b) = (earlier.claim, later.claim);
            let (low, high) = if a.value < b.value { (a, b) } else { (b, a) };
            comparable(a, b)
                && conflict(earlier, later, low, high)
                && a.topic.agrees(&a.words, &b.topic, &b.words, ctx)
                && !names_both(claims, a, b)
                && !test_a_limit(claims, low, high)
                && !(is_example(ctx, claims, a) && is_example(ctx, claims, b))
        });
        if let Some(earlier) = earlier {
            let words = |statement: &Statement<'_>| statement.claim.span.slice(ctx.text).to_string();
            let conflict = Match::at(later.claim.span).against(earlier.claim.span);
            found.push(conflict.with("term", words(later)).with("other", words(earlier)));
        }
    }
    found
}

fn comparable(a: &Claim, b: &Claim) -> bool {
    a.statement != b.statement && a.dimension == b.dimension && (a.value - b.value).abs() > 1e-9
}

/// Returns true if one passage contains both figures, as in "after 30 minutes the host is notified, after 60 the
/// guard". Its author distinguishes the two.
fn names_both(claims: &[Claim], a: &Claim, b: &Claim) -> bool {
    let says = |passage: Span, value: f64| {
        let own = claims.iter().filter(|claim| claim.passage == passage && claim.dimension == a.dimension);
        own.map(|claim| claim.value).any(|own| (own - value).abs() <= 1e-9)
    };
    says(a.passage, b.value) || says(b.passage, a.value)
}

/// Returns true for test values on both sides of a limit: 89 and 91 days test a limit of 90 days.
fn test_a_limit(claims: &[Claim], low: &Claim, high: &Claim) -> bool {
    let step = (high.value - low.value) / 2.0;
    let is_between = |one: &Claim| {
        one.dimension == low.dimension
            && one.thing == low.thing
            && (one.value - low.value - step).abs() <= 1e-9 * one.value
            && step <= NEAR_A_LIMIT * one.value
    };
    claims.iter().any(is_between)
}

/// Returns true for a criterion that shows a rule by a value and its result: "11.17 kg is recorded as 11.15 kg". Every
/// example has other values.
fn is_example(ctx: Context<'_>, claims: &[Claim], one: &Claim) -> bool {
    let is_criterion =
        ctx.reading.sentence_at(one.span.start).is_some_and(|said| said.role == SectionRole::AcceptanceCriteria);
    let is_other = |other: &Claim| {
        other.sentence == one.sentence && other.dimension == one.dimension && (other.value - one.value).abs() > 1e-9
    };
    // A limit is a rule, not an example of one.
    is_criterion && one.bound == Bound::Plain && claims.iter().any(is_other)
}

fn says(claim: &Claim, signs: &Words) -> bool {
    signs.stand_in(&claim.said)
}

/// Searches only the clause of the figure, because text after a comma is about something else.
fn clause_says(claim: &Claim, signs: &Words) -> bool {
    signs.stand_in(&claim.clause)
}

/// Returns true for "at most 10,000 rows are exported" and "at most 5,000 rows are exported": the figure begins the
/// clause, and the words after it are the same.
fn same_limit(a: &Statement<'_>, b: &Statement<'_>) -> bool {
    let is_limit = matches!(a.claim.bound, Bound::AtMost | Bound::AtLeast) && a.claim.bound == b.claim.bound;
    let begins = |one: &Statement<'_>| one.claim.subject.is_empty();
    let is_in_prose = |one: &Statement<'_>| one.claim.statement == one.claim.sentence;
    is_limit
        && a.claim.thing == b.claim.thing
        && [a, b].into_iter().all(|one| begins(one) && is_in_prose(one))
        && counts_alike(a, b)
        && !a.behind().is_empty()
        && a.after() == b.after()
        && same_case(a, b)
        && same_outcome(a, b)
}

/// Returns true for "the link is valid for 30 minutes" and "the link expires after 15 minutes".
fn lasts_otherwise(a: &Statement<'_>, b: &Statement<'_>) -> bool {
    let lasts = |one: &Statement<'_>| {
        one.claim.dimension == Dimension::Time
            && clause_says(one.claim, LASTS)
            && !clause_says(one.claim, DENIES)
            && !matches!(one.claim.bound, Bound::Ordinal | Bound::Over)
    };
    let names = |one: &Statement<'_>| -> Vec<String> {
        let of_verbs = |word: &&String| !LASTS.iter().any(|verb| verb.split(' ').any(|part| stem(part) == **word));
        one.claim.subject.iter().filter(of_verbs).cloned().collect()
    };
    if !lasts(a) || !lasts(b) || !same_case(a, b) {
        return false;
    }
    let (of_a, of_b) = (names(a), names(b));
    let chinese = |words: &[String]| words.iter().any(|word| word.chars().any(is_cjk));
    !of_a.is_empty() && (of_a == of_b || chinese(&of_a) && alike(&of_a, &of_b))
}

/// Returns true for "an export has at most 10,000 rows" and "with more than 5,000 rows the export is refused".
fn refused_within(low: &Claim, high: &Claim) -> bool {
    let known = |word: &&String| {
        // 超过 5000 行则拒绝 has no subject.
        low.subject.is_empty() && word.chars().all(is_cjk)
            || CONDITIONS.has(word)
            || high.words.binary_search(word).is_ok()
            || REFUSES.iter().any(|sign| sign.starts_with(word.as_str()) || word.starts_with(sign))
    };
    low.bound == Bound::Over
        && high.bound == Bound::AtMost
        && low.thing.is_some()
        && low.thing == high.thing
        && says(low, REFUSES)
        && !says(high, REFUSES)
        && low.words.iter().all(|word| known(&word))
}

/// Returns true for "a boat has at most 8 seats" and "invite up to 11 pupils to one boat".
fn overfull(low: &Claim, high: &Claim) -> bool {
    low.bound == Bound::AtMost
        && matches!(high.bound, Bound::AtMost | Bound::Allowed)
        && low.thing.is_some()
        && low.thing == high.thing
        && CAPACITY.stand_in(&low.said)
        && TAKES_IN.stand_in(&high.said)
        && shared(&low.words, &high.words) >= 1
}

/// Returns true for "not above 8 °C" and "above 10 °C is still normal".
fn tolerated(low: &Claim, high: &Claim) -> bool {
    low.bound == Bound::AtMost
        && high.bound == Bound::Over
        && says(high, PERMITS)
        && low.thing == high.thing
        && shared(&low.subject, &high.subject) >= 2
        && alike(&low.subject, &high.subject)
}

/// Returns true for "at most 5 titles" and "after the sixth hold …". An allowance such as "may visit 3 times a week" is
/// also a limit here.
fn counted_beyond(low: &Claim, high: &Claim) -> bool {
    let named = |claim: &Claim, thing: &str| claim.words.binary_search_by(|word| word.as_str().cmp(thing)).is_ok();
    let (Some(thing), Some(other)) = (&low.thing, &high.thing) else { return false };
    matches!(low.bound, Bound::AtMost | Bound::Allowed)
        && high.bound == Bound::Ordinal
        && !says(high, REFUSES)
        && !says(high, GOES_ELSEWHERE)
        && if thing == other { shared(&low.words, &high.words) >= 1 } else { named(low, other) }
}

/// Returns true unless each side has words that the other lacks, which makes them two things.
fn alike(some: &[String], others: &[String]) -> bool {
    let common = shared(some, others);
    let smaller = some.len().min(others.len());
    common == smaller || smaller >= 4 && common * 2 >= smaller && some.iter().any(|word| word.chars().any(is_cjk))
}

/// Returns true if one rule deletes a thing before the other shows it.
fn gone_before(low: &Claim, high: &Claim) -> bool {
    if low.dimension != Dimension::Time || !clause_says(low, GOES) || says(high, GOES) && !says(high, GOES_ON) {
        return false;
    }
    // A thing that is not shown may already be deleted.
    let is_denied = |verb: &str| high.said.contains(&format!("not {verb}")) || high.said.contains(&format!("不{verb}"));
    if USES.iter().any(is_denied) {
        return false;
    }
    let (found, nouns) = named(&low.subject, GOES, &high.words);
    let looks_back = says(high, LOOKS_BACK) && says(high, USES) && found == nouns;
    found > 0 && (looks_back || says(high, GOES_ON) && 2 * found >= nouns)
}

/// Returns true for an offer that is made half an hour before although it ends an hour before.
fn stopped_before(low: &Claim, high: &Claim) -> bool {
    let is_offered =
        low.dimension == Dimension::Time && says(low, GOES_ON) && says(low, BEFOREHAND) && !says(low, STOPS);
    if !is_offered || !clause_says(high, STOPS) || !says(high, BEFOREHAND) {
        return false;
    }
    let (found, nouns) = named(&high.subject, STOPS, &low.words);
    // 停止售票: the object follows the verb.
    let object = STOPS.zh.iter().find_map(|verb| high.clause.split_once(verb)).map(|(_, object)| object);
    let is_object = object.is_some_and(|object| object.chars().filter(|c| is_cjk(*c)).any(|c| low.clause.contains(c)));
    found > 0 && found == nouns || is_object
}

/// Returns true for a fee from minute 15 on and no fee within the first half hour.
fn charged_and_free(low: &Claim, high: &Claim) -> bool {
    low.dimension == Dimension::Time
        && high.bound == Bound::AtMost
        && says(high, DENIES)
        && !says(low, DENIES)
        && says(low, FROM_THEN)
        && shared(&low.words, &high.words) >= 2
}

/// Returns the number of nouns in a subject that occur among other words, and the number of all its nouns. In Chinese,
/// where pairs of characters count as one noun, missing nouns are ignored.
fn named(subject: &[String], verbs: &Words, words: &[String]) -> (usize, usize) {
    let is_verb = |word: &str| verbs.stand_in(word) || verbs.iter().any(|verb| verb.trim().starts_with(word));
    let nouns = subject.iter().filter(|word| !is_verb(word) && !FROM_THEN.has(word) && !BEFOREHAND.has(word));
    let (found, missed): (Vec<&String>, Vec<&String>) = nouns.partition(|noun| words.binary_search(noun).is_ok());
    let is_chinese = found.iter().any(|noun| noun.chars().any(is_cjk));
    (found.len(), found.len() + if is_chinese { 0 } else { missed.len() })
}

/// Returns true if the words before the figures, after them and in the other clauses are the same. One side may have an
/// additional lead-in. If no word follows the figures, both must be limits: reminders after 3 and after 7 days are a
/// schedule.
fn same_statement(a: &Statement<'_>, b: &Statement<'_>) -> bool {
    // "At most 14 days ahead" is tested with a request for 15 days, which is refused.
    let is_same_measure = a.claim.thing == b.claim.thing && a.claim.bound == b.claim.bound && counts_alike(a, b);
    let refuses = says(a.claim, REFUSES) != says(b.claim, REFUSES);
    if !is_same_measure || refuses || !same_case(a, b) || !same_outcome(a, b) {
        return false;
    }
    let (before_a, before_b) = (a.before(), b.before());
    let same = before_a.iter().rev().zip(before_b.iter().rev()).take_while(|(x, y)| x == y).count();
    if same < 2 || !leads_in(&before_a[..before_a.len() - same]) || !leads_in(&before_b[..before_b.len() - same]) {
        return false;
    }
    let needed = if before_a.last().is_some_and(|word| word.chars().all(is_cjk)) { 2 } else { 1 };
    let is_alike = if a.after().is_empty() && b.after().is_empty() {
        // "Is valid for 14 days" also states an amount if the whole sentence is the same.
        let is_whole = same == before_a.len() && same == before_b.len();
        let is_amount = is_whole && AMOUNTS.end(a.lead().to_lowercase().trim_end());
        same > 2 * needed && (is_amount || matches!(a.claim.bound, Bound::AtMost | Bound::AtLeast))
    } else {
        a.after().windows(needed).any(|run| b.after().windows(needed).any(|other| run == other))
    };
    if !is_alike {
        return false;
    }
    // 超过半天, 超过3天: steps of one scale have only the limit words in common.
    let common: String = before_a[before_a.len() - same..].iter().map(|word| spaced(word)).collect();
    !meaning(&common).is_empty()
}

/// Returns true if the words before a statement only lead in: "wait until" does, but "refresh" before "token" names
/// another subject.
fn leads_in(words: &[String]) -> bool {
    let is_chinese = |word: &String| word.chars().all(is_cjk);
    match words {
        [] => true,
        words if words.iter().all(is_chinese) => LEADS.zh.contains(&words.concat()),
        words => words.iter().all(|word| LEADS.en.iter().any(|lead| stem(lead) == **word)),
    }
}

/// Returns true if two amounts count the same thing: "100 concurrent users" and "900 registered users" do not.
fn counts_alike(a: &Statement<'_>, b: &Statement<'_>) -> bool {
    let counted = |statement: &Statement<'_>| meaning(statement.claim.span.slice(statement.text));
    let (of_a, of_b) = (counted(a), counted(b));
    a.claim.dimension != Dimension::Count || of_a == of_b || of_a.len() <= 1 && of_b.len() <= 1
}

/// Returns false for two different events, such as "24 hours after cancellation" and "14 days after return".
fn does_the_same(a: &[String], b: &[String]) -> bool {
    let chinese = |words: &[String]| words.iter().any(|word| word.chars().any(is_cjk));
    a.is_empty() || alike(a, b) || chinese(a) && shared(a, b) > 0
}

/// Returns false for steps of one scale, such as "not gone 30 minutes later, remind the host" and "not gone 60 minutes
/// later, call the guard". If the clause of the figure itself states the consequence, it is not such a step.
fn same_outcome(a: &Statement<'_>, b: &Statement<'_>) -> bool {
    let (then_a, then_b) = (a.outcome(), b.outcome());
    !alike(a.behind(), b.behind()) || 2 * shared(then_a, then_b) >= then_a.len().min(then_b.len())
}

/// Returns false for two different cases: "gold customers: …" and "silver customers: …", or a case and no case.
fn same_case(a: &Statement<'_>, b: &Statement<'_>) -> bool {
    a.case().is_empty() == b.case().is_empty() && alike(a.case(), b.case())
}

/// The stems of content words in order; Chinese text is divided into characters.
fn in_order(text: &str) -> Vec<String> {
    let mut out = Vec::new();
    let mut word = String::new();
    for c in text.chars().chain(std::iter::once(' ')) {
        if c.is_alphanumeric() && !is_cjk(c) {
            word.extend(c.to_lowercase());
            continue;
        }
        if !word.is_empty() {
            if !SMALL_WORDS.has(&word) {
                out.push(stem(&word));
            }
            word.clear();
        }
        if is_cjk(c) && !SMALL_WORDS.has(&c.to_string()) {
            out.push(c.to_string());
        }
    }
    out
}

/// Appends a space to a Latin word; Chinese characters are joined without one.
fn spaced(word: &str) -> String {
    if word.chars().all(is_cjk) { word.to_owned() } else { format!("{word} ") }
}
