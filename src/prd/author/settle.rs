//! Settles statements: those withdrawn or replaced by a later one do not count; those that were proposed and then
//! agreed on do.

use super::statement::{Kind, Said};
use super::wording::{substance, topic, words_of};
use crate::model::Span;
use crate::rules::DraftingCue;
use crate::text::content_words::{content_words, shared};
use crate::text::quantities::{Quantity, quantities};
use crate::text::words::drafting_settling as lists;

use super::lexicon::Words;

/// How many statements back to search for one that is withdrawn by name.
const FURTHEST_TAKEN_BACK: usize = 120;

/// How many statements back to search for one that is replaced.
const FURTHEST_BACK: usize = 12;

/// How many statements back to search for a demand that is replaced without being named.
const RECENT: usize = 4;

/// Settles the statements of one source, in order.
pub fn settle(said: &mut [Said], words: &Words) {
    for at in 0..said.len() {
        let (before, rest) = said.split_at_mut(at);
        let Some(now) = rest.first_mut() else { return };
        if let Some(item) = now.withdraws.take() {
            withdraw(before, now, &item);
        } else if now.shelves && now.in_talk {
            shelve(before, now);
        } else if now.assents
            && !now.kind.demands()
            && now.takes_back.is_none()
            && !now.replaces
            && before.last().is_some_and(|last| last.kind == Kind::Proposal && substance(&last.words) >= 4)
        {
            agree(before, now, words);
        } else if let Some(object) = now.takes_back.clone() {
            take_back(before, now, &object);
        } else if now.refuses
            && !now.replaces
            && let Some(last) = before.last_mut().filter(|last| last.kind.demands() && !last.decided)
        {
            last.kind = if last.kind == Kind::Demand { Kind::OutOfScope } else { Kind::Nothing };
        } else if now.replaces {
            let is_bare = substance(&words.without(&now.words, DraftingCue::Replacement)) < 2;
            let next = rest.get_mut(1).filter(|next| is_bare && next.in_talk);
            match next {
                // "No, that's wrong, 15 minutes": the following words replace the statement.
                Some(next) => {
                    next.replaces = true;
                    rest[0].kind = Kind::Nothing;
                }
                None => replace(before, &mut rest[0]),
            }
        } else if now.decided && now.in_talk && is_bare(&words.without(&now.words, DraftingCue::Decision)) {
            agree(before, now, words);
        } else if now.kind == Kind::Question && now.in_talk {
            // "How long? – We'll see." The question is the open point.
            if let Some(asked) =
                before.last().filter(|said| said.words.ends_with(['?', '？']) && said.kind != Kind::Question)
            {
                now.words = format!("{} {}", asked.words, now.words);
                now.quote = asked.quote.clone();
            }
        } else if words.has(&now.words, DraftingCue::Joke)
            && substance(&now.words) <= 2
            && is_own_joke(&now.words)
            && let Some(last) = before.last_mut()
        {
            last.kind = Kind::Nothing;
        }
    }
}

/// "Just kidding" is about one's own words, "very funny" about another's.
fn is_own_joke(words: &str) -> bool {
    lists::OWN_JOKES.stand_in(&words.to_lowercase())
}

/// True for "Okay, agreed, twice": it settles the previous statement and adds nothing.
fn is_bare(words: &str) -> bool {
    topic(&words_of(words)).len() <= 2
}

/// The last statement is settled; a proposal now holds.
fn agree(before: &mut [Said], now: &mut Said, words: &Words) {
    now.kind = Kind::Nothing;
    let figures = now.figures();
    let live = |said: &Said| said.kind.demands() || said.kind == Kind::Proposal;
    let same_figure = |said: &Said| {
        let theirs: Vec<&str> = said.figures().iter().map(|other| other.number.slice(&said.words)).collect();
        live(said) && figures.iter().any(|figure| theirs.contains(&figure.number.slice(&now.words)))
    };
    let near = before.len().saturating_sub(FURTHEST_BACK);
    let last = before.iter().rposition(|said| substance(&said.words) >= 2).filter(|at| live(&before[*at]));
    let Some(at) = before[near..].iter().rposition(same_figure).map(|at| near + at).or(last) else { return };
    let agreed = &mut before[at];
    agreed.decided = true;
    if agreed.kind == Kind::Proposal {
        let bare = words_of(&words.without(&agreed.words, DraftingCue::Proposal));
        let bare = bare.trim_end_matches(['?', '？']).trim().to_owned();
        if substance(&bare) >= 3 {
            agreed.kind = Kind::Demand;
            agreed.words = bare;
        }
    }
}

/// "D5 is cancelled": the item of that name counts no more; a change holds in its place.
fn withdraw(before: &mut [Said], now: &mut Said, item: &str) {
    let names = |said: &&mut Said| {
        let words = said.quote.quote.trim_start_matches(['|', '-', '*', ' ', '(', '[']);
        words.strip_prefix(item).is_some_and(|rest| !rest.starts_with(|c: char| c.is_ascii_alphanumeric()))
    };
    for said in before.iter_mut().filter(names) {
        said.kind = Kind::Nothing;
    }
    now.kind = match now.words.split_once([':', '：']) {
        Some((_, rest)) if substance(rest) >= 2 => {
            now.words = words_of(rest);
            Kind::Rule
        }
        _ => Kind::Nothing,
    };
}

/// "Park it": the statement just before becomes a question, not a rule.
fn shelve(before: &mut [Said], now: &mut Said) {
    let near = before.len().saturating_sub(2);
    let live = |said: &Said| said.kind.demands() || said.kind == Kind::Proposal;
    now.kind = Kind::Nothing;
    let Some(last) = before[near..].iter_mut().rev().find(|said| live(said) && !said.decided) else { return };
    // "How long? – We'll see, I need to ask."
    if last.words.ends_with(['?', '？']) {
        now.words = format!("{} {}", last.words, now.words);
        now.quote = last.quote.clone();
        now.kind = Kind::Question;
        last.kind = Kind::Nothing;
    } else {
        last.kind = Kind::Question;
    }
}

fn take_back(before: &mut [Said], now: &mut Said, object: &str) {
    let object = naming(object);
    now.kind = Kind::Nothing;
    if object.is_empty() {
        if let Some(last) = before.iter_mut().rev().find(|said| substance(&said.words) >= 2) {
            last.kind = Kind::Nothing;
        }
        return;
    }
    let from = before.len().saturating_sub(FURTHEST_TAKEN_BACK);
    for said in before[from..]
        .iter_mut()
        .filter(|said| said.kind.demands() || matches!(said.kind, Kind::Proposal | Kind::Goal | Kind::Question))
    {
        let common = shared(&object, &topic(&said.words));
        if common > 0 && common * 2 >= object.len() {
            said.kind = Kind::Nothing;
        }
    }
    // Something that nobody had asked for is left out; a withdrawn value is not.
    if now.figures().is_empty() {
        now.kind = Kind::OutOfScope;
    }
}

/// The words that name the withdrawn statement.
fn naming(object: &str) -> Vec<String> {
    let mut bare = object.to_owned();
    for filler in lists::FILLERS.iter() {
        bare = bare.replace(filler, " ");
    }
    let mut words = topic(&bare);
    words.retain(|word| !lists::STEMS.has(word));
    words
}

fn replace(before: &mut [Said], now: &mut Said) {
    let figures = now.figures();
    let own = topic(&now.words);
    let live = |said: &Said| said.kind.demands() || said.kind == Kind::Proposal;
    let near = before.len().saturating_sub(FURTHEST_BACK);
    let candidates = &mut before[near..];
    let by_figure = candidates.iter().rposition(|said| {
        live(said)
            && figures.iter().any(|figure| said.figures().iter().any(|other| other.dimension == figure.dimension))
    });
    let about = |said: &Said| shared(&own, &topic(&said.words)) >= 1;
    let by_words = candidates.iter().rposition(|said| said.kind.demands() && about(said));
    let last = candidates.iter().rposition(|said| substance(&said.words) >= 2).filter(|at| live(&candidates[*at]));
    let recent = candidates.len().saturating_sub(RECENT);
    // A statement with another figure replaces a figure.
    let demanded = candidates[recent..].iter().rposition(|said| said.kind.demands()).map(|at| recent + at);
    let weighed = || candidates.iter().rposition(|said| live(said) && about(said));
    let Some(target) = by_figure.or(by_words).or(last).or(demanded.filter(|_| figures.is_empty())).or_else(weighed)
    else {
        return;
    };
    let old = &mut candidates[target];
    if let Some(words) = with_figure_of(old, now) {
        now.words = words;
    }
    if !now.kind.demands() && substance(&now.words) >= 2 && now.kind != Kind::Question {
        now.kind = if old.kind == Kind::Proposal { Kind::Rule } else { old.kind };
    }
    if now.kind.demands() {
        old.kind = Kind::Nothing;
    }
}

impl Said {
    fn figures(&self) -> Vec<Quantity> {
        quantities(&self.words, Span::new(0, self.words.len()))
    }
}

/// "No, make it 20" about "at most 50 files": the earlier words with the later figure, where the later say nothing else.
pub(super) fn with_figure_of(old: &Said, now: &Said) -> Option<String> {
    let (olds, news) = (old.figures(), now.figures());
    let [was] = olds.as_slice() else { return None };
    let is = news.first().filter(|is| news.iter().all(|other| other.value == is.value))?;
    let says_more = topic(&now.words).iter().filter(|word| !content_words(&old.words).contains(word)).count() > 3;
    // "60 days is too long" is not a rule, whatever the figure.
    let says_more = says_more || lists::OBJECTIONS.stand_in(&old.words);
    if says_more || is.dimension.is_some() && is.dimension != was.dimension {
        return None;
    }
    let (from, to) = if is.dimension.is_some() { (was.span, is.span) } else { (was.number, is.number) };
    let mut words = old.words.clone();
    words.replace_range(from.start..from.end, to.slice(&now.words));
    Some(words)
}
