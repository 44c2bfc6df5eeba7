//! Reports an improvement that is demanded without a measure: "make it faster".

use crate::stages::scoring::Context;
use reqgate_base::model::{Match, Span};
use reqgate_text::content_words::content_words;
use reqgate_text::lexicon::is_cjk;
use reqgate_text::quantities::quantities;
use reqgate_text::words::demands::{
    AUXILIARIES, BUILDS, CAUSES, CHANGES, LABELS_OF_CHANGE, LINKS, NOUNS_OF_CHANGE, PURPOSES, URGES,
};
use reqgate_text::{Cue, Hit};

/// The fewest content words of a text with other content than the demand.
const FEW_WORDS: usize = 16;

/// Returns true for a label of changes that the text then names: "improve the report", "better messages".
fn is_label(term: &str) -> bool {
    let lower = term.to_lowercase();
    LABELS_OF_CHANGE.stand_in(&lower)
}

/// Returns true for words such as "optimise", which are the demand itself in a title but may describe the current state
/// in a sentence.
fn is_change(term: &str) -> bool {
    let lower = term.to_lowercase();
    CHANGES.iter().any(|word| lower.starts_with(word))
}

/// Returns true if the word is the demand. "An option for link-time optimisation" demands an option, "the loop is
/// optimised out" describes behaviour, and the "route optimization page" is a page.
fn is_demanded(ctx: Context<'_>, span: Span, term: Span) -> bool {
    let word = term.slice(ctx.text).to_lowercase();
    let before = Span::new(span.start, term.start).slice(ctx.text).to_lowercase();
    let behind = Span::new(term.end, span.end.max(term.end)).slice(ctx.text).to_lowercase();
    if word.chars().all(is_cjk) {
        let builds = BUILDS.stand_in(&before) || BUILDS.stand_in(&behind);
        let begins = !before.ends_with(is_cjk) || URGES.end(&before);
        return !is_change(&word) || !builds && (begins || !behind.starts_with(is_cjk));
    }
    let is_purpose = is_change(&word) || PURPOSES.iter().any(|purpose| before.contains(purpose));
    // "Image optimisation: skip folders": the demand is after the colon.
    let told_behind = behind.find(": ").is_some_and(|at| demands_a_thing(ctx, Span::new(term.end + at + 2, span.end)));
    let is_part_of_a_name = NOUNS_OF_CHANGE.has(&word) && (names_a_thing(&behind) || before.contains(" for "));
    let is_told = word.ends_with("ed") && AUXILIARIES.end(before.trim_end());
    !(is_purpose && demands_a_thing(ctx, span) || told_behind || is_part_of_a_name || is_told)
}

/// Returns true if the words begin with a verb that demands a specific thing: "add", "show", but not "make".
fn demands_a_thing(ctx: Context<'_>, span: Span) -> bool {
    let words = span.slice(ctx.text);
    // "I want to add …": the demand begins after "want to".
    let wish = ["want to ", "need to ", "like to ", "wish to "].into_iter().find_map(|wish| words.split_once(wish));
    let first = wish.map_or(words, |(_, wanted)| wanted).trim_start_matches(|c: char| !c.is_alphanumeric());
    let first = first.strip_prefix("to ").unwrap_or(first);
    let at = span.start + words.len() - first.len();
    let verb = ctx.reading.hits_in(span).iter().find(|hit| hit.span.start == at && is_of(hit, Cue::TitleVerb));
    verb.is_some_and(|hit| {
        let verb = hit.span.slice(ctx.text).to_lowercase();
        !CAUSES.has(&verb) && !ctx.reading.hits_in(hit.span).iter().any(|hit| is_of(hit, Cue::Improve))
    })
}

fn is_of(hit: &Hit, cue: Cue) -> bool {
    usize::from(hit.list.0) == cue as usize
}

/// Returns true if another noun follows: "optimization page".
fn names_a_thing(behind: &str) -> bool {
    let next = behind.strip_prefix(' ').map(|words| words.split([' ', ',', '.']).next().unwrap_or_default());
    next.is_some_and(|word| word.len() > 2 && word.bytes().all(|byte| byte.is_ascii_lowercase()) && !LINKS.has(word))
}

/// Returns a match if the word is the demand itself and no criterion gives a measure. In a reason, or in a title with
/// checkable criteria, it is harmless.
pub(super) fn check(ctx: Context<'_>) -> Vec<Match> {
    let facets = ctx.facets;
    let checkable = facets.criteria.iter().filter(|criterion| criterion.verifiable).count();
    let measured = facets.criteria.iter().any(|c| quantities(ctx.text, c.span).iter().any(|q| q.dimension.is_some()));
    if checkable >= 2 || checkable >= 1 && measured {
        return Vec::new();
    }
    let places = [facets.need, ctx.reading.title];
    let says_nothing_else = || content_words(ctx.text).len() < FEW_WORDS;
    let demands = |span: Span| {
        let term = ctx.reading.find_cue(span, Cue::Improve)?;
        let in_title = ctx.reading.title.is_some_and(|title| title.contains(term));
        let word = term.slice(ctx.text);
        let says_so = !is_label(word) && (in_title || !is_change(word)) || says_nothing_else();
        (says_so && is_demanded(ctx, span, term)).then_some(term)
    };
    let term = places.into_iter().flatten().find_map(demands);
    term.map(|term| Match::at(term).with("term", term.slice(ctx.text))).into_iter().collect()
}
