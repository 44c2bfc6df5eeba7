//! Chooses the pairs of statements that a reader compares: those with the rarest words in common.

use std::collections::{BTreeMap, BTreeSet};

use super::passages::{ComparedFeature, Passage, Passages};
use crate::SourceQuote;
use reqgate_text::content_words::content_words;
use reqgate_text::words::conflicting_demands::ABSOLUTE;

/// The most pairs of one order.
pub(super) const MOST_PAIRS: usize = 60;
/// The most pairs of passages whose sentences are compared one by one.
const MOST_CANDIDATES: usize = 1_500;
/// The most steps of the search for passages with a common word; the rarest words come first.
const MOST_STEPS: usize = 100_000;

/// The parameters of the ranking, chosen on the cases of `tests/gaps/README.md`; around these values the number of
/// known contradictions among the pairs hardly changes.
///
/// The exponent of a sentence's weight in the divisor, so that long sentences do not win by their length.
const LENGTH: f64 = 0.15;
/// The share of a word that the other passage has, but not in the compared sentence.
const CONTEXT: f64 = 0.5;
/// The increase for each word such as "only", and the most of these words that count.
const ABSOLUTE_WORD: f64 = 0.15;
const MOST_ABSOLUTE: usize = 3;

/// Two statements to compare, from different requirements, or from a requirement and a brief.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct SentencePair {
    pub one: PairedSentence,
    pub other: PairedSentence,
}

/// A statement of a pair.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct PairedSentence {
    /// The requirement that contains it; `None` in a brief.
    pub id: Option<String>,
    pub place: SourceQuote,
}

/// The numbers of the words of a sentence, sorted.
struct SentenceWords {
    words: Vec<usize>,
    /// The weight of all its words.
    weight: f64,
    absolute: usize,
}

/// The words of a passage.
struct PassageWords {
    /// The words of the topic and of all sentences, sorted.
    all: Vec<usize>,
    sentences: Vec<SentenceWords>,
}

/// Two passages by their index.
type Indices = (usize, usize);

/// Chooses at most [`MOST_PAIRS`] pairs, the most promising first. In one feature, a pair has at least one requirement;
/// of several features, it has two.
pub(super) fn pairs(features: &[ComparedFeature<'_>]) -> Vec<SentencePair> {
    let passages = Passages::of(features);
    let (words, weights) = words_of(&passages.all);
    let may_pair = |one: usize, other: usize| {
        let (one, other) = (&passages.all[one], &passages.all[other]);
        match features.len() {
            0 | 1 => one.id.is_some() || other.id.is_some(),
            _ => one.feature != other.feature,
        }
    };
    let mut ranked: Vec<(f64, Indices, Indices)> = Vec::new();
    for (one, other) in candidates(&words, &weights, &may_pair) {
        if let Some((score, sentences)) = best_sentences(&words[one], &words[other], &weights) {
            let weight = passages.all[one].weight * passages.all[other].weight;
            ranked.push((score * weight, (one, other), sentences));
        }
    }
    ranked.sort_by(|one, other| other.0.total_cmp(&one.0).then(one.1.cmp(&other.1)));
    let located = ranked.into_iter().filter_map(|(_, (one, other), (here, there))| {
        let (one, other) = (&passages.all[one], &passages.all[other]);
        Some(SentencePair { one: paired(&passages, one, here)?, other: paired(&passages, other, there)? })
    });
    located.take(MOST_PAIRS).collect()
}

fn paired(passages: &Passages<'_>, passage: &Passage, sentence: usize) -> Option<PairedSentence> {
    let place = passages.locate(passage, &passage.sentences[sentence])?;
    Some(PairedSentence { id: passage.id.clone(), place })
}

/// The words of every passage as numbers, and the weight of each word: the rarer among the passages, the heavier.
fn words_of(passages: &[Passage]) -> (Vec<PassageWords>, Vec<f64>) {
    let mut known: BTreeMap<String, usize> = BTreeMap::new();
    let mut numbered = |text: &str| {
        let mut words: Vec<usize> = Vec::new();
        for word in content_words(text) {
            let next = known.len();
            words.push(*known.entry(word).or_insert(next));
        }
        words.sort_unstable();
        words
    };
    let mut out: Vec<PassageWords> = Vec::new();
    for passage in passages {
        let topic = numbered(&passage.topic);
        let of = |text: &String| SentenceWords { words: numbered(text), weight: 0.0, absolute: absolute_words(text) };
        let sentences: Vec<SentenceWords> = passage.sentences.iter().map(of).collect();
        let all: BTreeSet<usize> = sentences.iter().flat_map(|one| &one.words).chain(&topic).copied().collect();
        out.push(PassageWords { all: all.into_iter().collect(), sentences });
    }
    let mut counts = vec![0_usize; known.len()];
    out.iter().flat_map(|passage| &passage.all).for_each(|word| counts[*word] += 1);
    let total = out.len() as f64;
    let weights: Vec<f64> = counts.into_iter().map(|count| (1.0 + total / count.max(1) as f64).ln()).collect();
    for sentence in out.iter_mut().flat_map(|passage| &mut passage.sentences) {
        sentence.weight = sentence.words.iter().map(|word| weights[*word]).sum();
    }
    (out, weights)
}

/// The number of different words such as "only" and "never" in a sentence, up to the most that count.
fn absolute_words(text: &str) -> usize {
    let lower = text.to_lowercase();
    let english: BTreeSet<&str> =
        lower.split(|c: char| !c.is_alphanumeric()).filter(|word| ABSOLUTE.has(word)).collect();
    let chinese = ABSOLUTE.zh.iter().filter(|word| lower.contains(word)).count();
    (english.len() + chinese).min(MOST_ABSOLUTE)
}

/// The pairs of passages with the heaviest words in common, at most [`MOST_CANDIDATES`].
fn candidates(words: &[PassageWords], weights: &[f64], may_pair: &dyn Fn(usize, usize) -> bool) -> Vec<Indices> {
    let mut holders: Vec<Vec<usize>> = vec![Vec::new(); weights.len()];
    for (at, passage) in words.iter().enumerate() {
        passage.all.iter().for_each(|word| holders[*word].push(at));
    }
    let mut common: Vec<usize> = (0..weights.len()).filter(|word| holders[*word].len() > 1).collect();
    common.sort_by_key(|word| holders[*word].len());
    let mut shared: BTreeMap<Indices, f64> = BTreeMap::new();
    let mut steps = 0;
    for word in common {
        let holders = &holders[word];
        steps += holders.len() * (holders.len() - 1) / 2;
        if steps > MOST_STEPS {
            break;
        }
        for (at, one) in holders.iter().enumerate() {
            for other in holders[at + 1..].iter().filter(|other| may_pair(*one, **other)) {
                *shared.entry((*one, *other)).or_default() += weights[word];
            }
        }
    }
    let mut ranked: Vec<(Indices, f64)> = shared.into_iter().collect();
    ranked.sort_by(|one, other| other.1.total_cmp(&one.1).then(one.0.cmp(&other.0)));
    ranked.into_iter().take(MOST_CANDIDATES).map(|(pair, _)| pair).collect()
}

/// The two sentences of two passages that fit together best, with their score; sentences with the same words are the
/// same statement.
fn best_sentences(one: &PassageWords, other: &PassageWords, weights: &[f64]) -> Option<(f64, Indices)> {
    let has = |words: &[usize], word: &usize| words.binary_search(word).is_ok();
    let mut best: Option<(f64, Indices)> = None;
    for (here, first) in one.sentences.iter().enumerate() {
        for (there, second) in other.sentences.iter().enumerate() {
            let (mut shared, mut context) = (0.0, 0.0);
            for word in &first.words {
                match has(&second.words, word) {
                    true => shared += weights[*word],
                    false if has(&other.all, word) => context += weights[*word],
                    false => {}
                }
            }
            if shared == 0.0 || first.words == second.words {
                continue;
            }
            let in_context = |word: &&usize| !has(&first.words, word) && has(&one.all, word);
            context += second.words.iter().filter(in_context).map(|word| weights[*word]).sum::<f64>();
            let absolute = (first.absolute + second.absolute).min(MOST_ABSOLUTE) as f64;
            let length = (first.weight * second.weight).powf(LENGTH);
            let score = (shared + CONTEXT * context) / length * (1.0 + ABSOLUTE_WORD * absolute);
            if best.is_none_or(|(known, _)| score > known) {
                best = Some((score, (here, there)));
            }
        }
    }
    best
}
