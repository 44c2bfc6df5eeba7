//! The meaning of words, approximated by stems: one stem for synonyms, and no stop words.

use super::data::{Words, data};
use crate::text::content_words::content_words;
use crate::text::lexicon::is_cjk;

/// The stems of a text, sorted, each once.
#[derive(Debug, Clone, Default)]
pub(super) struct Meaning {
    pub stems: Vec<String>,
}

impl Meaning {
    pub(super) fn of(text: &str) -> Self {
        let words = &data().words;
        let mut stems: Vec<String> = content_words(&same_words(text, words))
            .into_iter()
            .filter(|stem| !words.generic.contains(stem))
            .map(|stem| words.same.get(&stem).cloned().unwrap_or(stem))
            .collect();
        stems.sort();
        stems.dedup();
        Self { stems }
    }

    pub(super) fn has(&self, stem: &String) -> bool {
        self.stems.binary_search(stem).is_ok()
    }

    /// The share of all stems of both that both have.
    pub(super) fn likeness(&self, other: &Self) -> f64 {
        let both = self.shared(other);
        let all = self.stems.len() + other.stems.len() - both;
        if all == 0 { 0.0 } else { ratio(both, all) }
    }

    /// The number of shared stems.
    pub(super) fn shared(&self, other: &Self) -> usize {
        self.stems.iter().filter(|stem| other.has(stem)).count()
    }

    /// The share of these stems that the other has.
    pub(super) fn contained_in(&self, other: &Self) -> f64 {
        if self.stems.is_empty() { 0.0 } else { ratio(self.shared(other), self.stems.len()) }
    }
}

/// Chinese words that mean the same are made one word; those that say nothing go.
fn same_words(text: &str, words: &Words) -> String {
    if !text.chars().any(is_cjk) {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        if let Some((word, first)) = words.same_zh.iter().find(|(word, _)| rest.starts_with(word.as_str())) {
            // A separate word: its characters form no pairs with their neighbours.
            out.push(' ');
            out.push_str(first);
            out.push(' ');
            rest = &rest[word.len()..];
        } else if let Some(word) = words.generic_zh.iter().find(|word| rest.starts_with(word.as_str())) {
            out.push(' ');
            rest = &rest[word.len()..];
        } else {
            out.push(c);
            rest = &rest[c.len_utf8()..];
        }
    }
    out
}

/// A ratio of two counts.
pub(super) fn ratio(part: usize, whole: usize) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "counts of words")]
    let ratio = part as f64 / whole as f64;
    ratio
}

/// The rarity of stems among requirements: stems in every requirement carry no information.
pub(super) struct Rarity {
    counts: std::collections::BTreeMap<String, usize>,
    total: usize,
    /// Stems that say who, not what.
    actors: Meaning,
}

impl Rarity {
    pub(super) fn new<'m>(meanings: impl Iterator<Item = &'m Meaning>) -> Self {
        let mut counts = std::collections::BTreeMap::new();
        let mut total = 0;
        for meaning in meanings {
            total += 1;
            for stem in &meaning.stems {
                *counts.entry(stem.clone()).or_insert(0) += 1;
            }
        }
        Self { counts, total, actors: Meaning::default() }
    }

    /// The same, knowing who acts.
    pub(super) fn with_actors(self, actors: Meaning) -> Self {
        Self { actors, ..self }
    }

    /// 1 for a stem of one requirement, less for common ones, for one that no requirement has, for who acts, and for words
    /// that every product needs (show, change, notify).
    pub(super) fn weight(&self, stem: &str) -> f64 {
        let is_pair = !stem.is_ascii() && !stem.starts_with('=');
        let is_figure = stem.starts_with(|c: char| c.is_ascii_digit());
        let weight = match self.counts.get(stem) {
            None if is_figure => 0.3,
            // Most pairs of Chinese characters that occur only once span two words.
            None if is_pair => 0.25,
            None => 0.6,
            Some(count) if *count <= 1 => 1.0,
            Some(count) => (1.0 - ratio(*count, self.total)).clamp(0.15, 0.8),
        };
        let is_actor = self.actors.stems.iter().any(|actor| actor == stem);
        let is_weak = data().words.weak.iter().any(|weak| weak == stem);
        if is_actor || is_weak { weight * 0.5 } else { weight }
    }

    /// The share of a statement's weight that a text has, and how many rare stems it has.
    pub(super) fn share(&self, of: &Meaning, within: &Meaning) -> (f64, usize) {
        let total: f64 = of.stems.iter().map(|stem| self.weight(stem)).sum();
        let both = of.stems.iter().filter(|stem| within.has(stem));
        let (sum, rare) = both.fold((0.0, 0), |(sum, rare), stem| {
            let weight = self.weight(stem);
            (sum + weight, rare + usize::from(weight > 0.5))
        });
        (if total > 0.0 { sum / total } else { 1.0 }, rare)
    }
}
