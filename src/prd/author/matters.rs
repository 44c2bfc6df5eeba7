//! The subject of a statement, independent of everyday wording: "consent" and "permit" are the same, "kept" and
//! "deleted" both say how long.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use super::wording::topic;
use crate::text::lexicon::{Lexicon, LexiconError, TermList};
use crate::text::words::{ALL, Words, drafting_matters as lists};

/// The lists of `rubrics/words/drafting-matters.yaml` in one index.
#[derive(Debug)]
pub struct Matters {
    lists: Vec<&'static Words>,
    lexicon: Lexicon,
}

/// Lists that say what about a thing is limited or timed, and not which thing.
const ASPECTS: [&Words; 7] = [
    lists::VALIDITY,
    lists::RETENTION,
    lists::LEAD_TIME,
    lists::AT_MOST,
    lists::FREQUENCY,
    lists::ANSWER_TIME,
    lists::CHARGE,
];

/// The lists that state the purpose of a time: two times for one thing may both hold if they have different purposes.
const TIMED: [&Words; 4] = [lists::VALIDITY, lists::RETENTION, lists::LEAD_TIME, lists::ANSWER_TIME];

/// Matters of which only one can hold for one thing.
const OPPOSITES: [(&Words, &Words); 8] = [
    (lists::AUTOMATIC, lists::CONSENT),
    (lists::AUTOMATIC, lists::BY_SOMEBODY),
    (lists::ANYBODY, lists::CONSENT),
    (lists::ANYBODY, lists::NOBODY_BUT),
    (lists::MONEY_BACK, lists::CREDITED),
    (lists::AT_ONCE, lists::AFTERWARDS),
    (lists::ANEW, lists::GOES_ON),
    (lists::TAKEN_IN, lists::LEFT_OUT),
];

impl Matters {
    /// The shipped lists, compiled at the first use.
    pub fn shipped() -> &'static Self {
        static SHIPPED: LazyLock<Matters> =
            LazyLock::new(|| Matters::new().expect("`build.rs` lets no list have an empty word"));
        &SHIPPED
    }

    fn new() -> Result<Self, LexiconError> {
        let lists: Vec<&'static Words> =
            ALL.iter().copied().filter(|words| words.id.starts_with("drafting-matters/")).collect();
        let strings = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
        let terms: Vec<TermList> = lists
            .iter()
            .map(|list| TermList { en: strings(list.en), zh: strings(list.zh), ..TermList::default() })
            .collect();
        Ok(Self { lexicon: Lexicon::new(&terms)?, lists })
    }

    /// The subject of some words.
    pub fn of(&self, words: &str) -> About {
        let mut about = About::default();
        let mut rest = String::with_capacity(words.len());
        let mut from = 0;
        for hit in self.lexicon.hits(words) {
            if let Some(list) = self.lists.get(usize::from(hit.list.0)) {
                about.named.insert(list.id);
            }
            rest.push_str(words.get(from..hit.span.start).unwrap_or_default());
            rest.push(' ');
            from = from.max(hit.span.end);
        }
        rest.push_str(words.get(from..).unwrap_or_default());
        about.words = topic(&rest).into_iter().collect();
        about
    }
}

/// The subject of a statement.
#[derive(Debug, Clone, Default)]
pub struct About {
    /// The ids of the lists with words in it.
    named: BTreeSet<&'static str>,
    /// The stems of its other content words; for Chinese, pairs of characters.
    words: BTreeSet<String>,
}

impl About {
    /// Everything that it is about, one name each.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.named.iter().copied().chain(self.words.iter().map(String::as_str))
    }

    /// The number of its names.
    pub fn len(&self) -> usize {
        self.named.len() + self.words.len()
    }

    /// The subjects that both share.
    pub fn shared(&self, other: &Self) -> Self {
        Self {
            named: self.named.intersection(&other.named).copied().collect(),
            words: self.words.intersection(&other.words).cloned().collect(),
        }
    }

    /// Takes in what another is about.
    pub fn add(&mut self, other: &Self) {
        self.named.extend(&other.named);
        self.words.extend(other.words.iter().cloned());
    }

    /// Removes the words that are units or counted things.
    pub fn without(&mut self, words: &[String]) {
        self.words.retain(|word| !words.contains(word));
    }

    /// The number of aspects that it names.
    pub fn aspects(&self) -> usize {
        ASPECTS.iter().filter(|list| self.named.contains(list.id)).count()
    }

    /// True if it names the purpose of a time.
    pub fn is_timed(&self) -> bool {
        TIMED.iter().any(|list| self.named.contains(list.id))
    }

    /// True if it says how long something holds.
    pub fn is_valid_for(&self) -> bool {
        self.named.contains(lists::VALIDITY.id)
    }

    /// True if it says how long something is kept.
    pub fn is_kept_for(&self) -> bool {
        self.named.contains(lists::RETENTION.id)
    }

    /// The number of things that it names.
    pub fn things(&self) -> usize {
        self.len() - self.aspects()
    }

    /// Two lists of opposites such that each statement has words of one and neither has words of both.
    pub fn opposes(&self, other: &Self) -> Option<(&'static str, &'static str)> {
        let apart = |one: &str, two: &str| {
            self.named.contains(one)
                && !self.named.contains(two)
                && other.named.contains(two)
                && !other.named.contains(one)
        };
        let pairs = OPPOSITES.iter().flat_map(|(one, two)| [(one.id, two.id), (two.id, one.id)]);
        pairs.into_iter().find(|(one, two)| apart(one, two))
    }
}
