//! Compares requirements with each other and with those set aside, and finds dangling references and unexplained terms.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use regex::Regex;

use super::Found;
use super::feature::{Feature, Wanted};
use super::meaning::{Meaning, Rarity};
use crate::prd::author::different_figures;
use crate::prd::{GapCategory, RequirementId};
use crate::text::words::gaps::{EXAMPLES, OTHER_DOCUMENTS};

/// The maximum number of requirements to compare in pairs.
const MOST: usize = 400;

/// Contradictions, duplicates, dangling references, unexplained terms, and requirements that return after a rejection.
pub(super) fn gaps(feature: &Feature) -> Vec<Found> {
    let rarity = Rarity::new(feature.wanted.iter().map(|wanted| &wanted.whole));
    let mut out = other_figures(feature);
    let known: BTreeSet<(RequirementId, RequirementId)> = out
        .iter()
        .filter_map(|found| Some((found.requirements.first()?.clone(), found.requirements.get(1)?.clone())))
        .collect();
    let told: Vec<Told> = feature.wanted.iter().take(MOST).map(Told::of).collect();
    for (index, second) in told.iter().enumerate() {
        for first in &told[..index] {
            if out.len() < MOST_PAIRS
                && let Some(category) = first.clashes(second, feature)
                && !known.contains(&(second.wanted.id.clone(), first.wanted.id.clone()))
            {
                out.push(pair(category, second.wanted, first.wanted));
            }
        }
    }
    out.extend(rejected_again(feature, &rarity));
    out.extend(references(feature));
    out.extend(terms(feature));
    out
}

/// The maximum number of pairs to report.
const MOST_PAIRS: usize = 200;

/// The maximum number of sentences of one requirement to compare.
const MOST_OF_ONE: usize = 24;

/// A requirement prepared for comparison.
struct Told<'w> {
    wanted: &'w Wanted,
    description: Meaning,
    /// All numbers of the description, in order.
    numbers: Vec<String>,
    sentences: Vec<Sentence>,
}

/// One sentence of it.
struct Sentence {
    /// Its meaning apart from figures and negations.
    meaning: Meaning,
    /// Figures with their unit, the figure apart.
    figures: Vec<(String, String)>,
    /// The number of its numbers.
    numbers: usize,
    negates: bool,
    is_example: bool,
}

impl<'w> Told<'w> {
    fn of(wanted: &'w Wanted) -> Self {
        let parts = std::iter::once(&wanted.description).chain(&wanted.criteria);
        let read = |words: String| Sentence {
            meaning: without_figures(&words),
            figures: figures(&words),
            numbers: numbers(&words).len(),
            negates: negates(&words),
            is_example: is_example(&words),
        };
        Self {
            wanted,
            description: Meaning::of(&wanted.description),
            numbers: numbers(&wanted.description),
            sentences: parts.flat_map(|part| sentences(part)).take(MOST_OF_ONE).map(read).collect(),
        }
    }

    /// Contradiction or duplicate, if the two are one.
    fn clashes(&self, other: &Self, feature: &Feature) -> Option<GapCategory> {
        let contradicts = || self.sentences.iter().any(|one| other.sentences.iter().any(|two| one.clashes(two)));
        match () {
            () if contradicts() => Some(GapCategory::Contradiction),
            () if !feature.is_drawn && self.says_the_same(other) => Some(GapCategory::Duplicate),
            () => None,
        }
    }

    /// Nearly the same words, and at most one side has a content word of its own: "as CSV" and "as PDF" are different.
    fn says_the_same(&self, other: &Self) -> bool {
        let (a, b) = (&self.description, &other.description);
        if a.stems.len().min(b.stems.len()) < 4 || self.numbers != other.numbers {
            return false;
        }
        let (least, _) = own(a, b);
        a.likeness(b) >= if least == 0 { 0.75 } else { 0.85 }
    }
}

impl Sentence {
    /// The same words around other figures of one unit, or said here and denied there.
    fn clashes(&self, other: &Self) -> bool {
        let (a, b) = (&self.meaning, &other.meaning);
        if self.negates != other.negates {
            return self.figures == other.figures && a.stems.len().min(b.stems.len()) >= 3 && a.likeness(b) >= 0.75;
        }
        // A figure that only one of them has may be the reason for the other.
        let differ = self.figures.len() == other.figures.len()
            && self.numbers == other.numbers
            && self.figures.iter().zip(&other.figures).all(|(a, b)| a.1 == b.1)
            && self.figures.iter().zip(&other.figures).any(|(a, b)| a.0 != b.0);
        if !differ || self.is_example || other.is_example {
            return false;
        }
        // "Free accounts" and "paid accounts" may have limits of their own.
        let (least, _) = own(a, b);
        let enough = if least == 0 { 0.6 } else { 0.8 };
        a.stems.len().min(b.stems.len()) >= 2 && a.likeness(b) >= enough
    }
}

fn pair(category: GapCategory, second: &Wanted, first: &Wanted) -> Found {
    let mut found = Found::on(category, second, &second.description);
    found.other = first.description.clone();
    found.requirements.push(first.id.clone());
    found
}

/// The maximum number of sentences with figures to compare.
const MOST_SENTENCES: usize = 400;

/// Sentences of two requirements that give different figures for one thing, in whatever words.
fn other_figures(feature: &Feature) -> Vec<Found> {
    let mut told: Vec<(usize, String)> = Vec::new();
    for (index, wanted) in feature.wanted.iter().enumerate() {
        for part in std::iter::once(&wanted.description).chain(&wanted.criteria) {
            let with_figures = sentences(part).into_iter().filter(|words| words.chars().any(|c| c.is_ascii_digit()));
            told.extend(with_figures.filter(|words| !is_example(words)).map(|words| (index, words)));
        }
    }
    told.truncate(MOST_SENTENCES);
    let statements: Vec<(usize, &str)> = told.iter().map(|(index, words)| (*index, words.trim())).collect();
    let mut out: Vec<Found> = Vec::new();
    for (one, other) in different_figures(&statements) {
        let (first, second) = (&feature.wanted[statements[one].0], &feature.wanted[statements[other].0]);
        let requirements = vec![second.id.clone(), first.id.clone()];
        if out.iter().all(|found| found.requirements != requirements) {
            let mut found = Found::on(GapCategory::Contradiction, second, statements[other].1);
            found.other = statements[one].1.to_owned();
            found.requirements = requirements;
            out.push(found);
        }
    }
    out
}

/// Figures with their unit, the figure apart.
fn figures(words: &str) -> Vec<(String, String)> {
    static FIGURE: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(concat!(
            r"(?i)(\d(?:[\d,.]*\d)?)\s*(",
            r"%|percent|(?:ms|milliseconds?|s|sec|seconds?|min|minutes?|h|hours?|days?|weeks?|months?|years?|[kmgt]b|",
            r"characters?|chars|words?|files?|items?|times?|people|persons?|users?|members?|requests?|rows?|lines?|entries|",
            r"images?|photos?|pages?|attempts?|tries|retries|eur|usd|gbp|cny|euros?|dollars?|points?|digits?|seats?|rooms?|",
            r"orders?|copies|devices?|sessions?|messages?|mails?|km|kg|cm|mm|°c|degrees?)\b|",
            "毫秒|秒|分钟|小时|天|日|周|个月|月|年|次|个|条|张|份|人|元|万|字|件|名|台|篇|封|步|级|倍|分|桌|间|套|页|笔|单|位|折|",
            "公里|米|度|℃)"
        ))
        .expect("a constant")
    });
    let clean = |number: &str| number.trim_end_matches(['.', ',']).replace(',', "");
    FIGURE.captures_iter(words).map(|found| (clean(&found[1]), unit(&found[2]))).collect()
}

/// All numbers, in order.
fn numbers(words: &str) -> Vec<String> {
    let mut found: Vec<String> =
        words.split(|c: char| !c.is_ascii_digit()).filter(|number| !number.is_empty()).map(str::to_owned).collect();
    found.sort();
    found
}

fn unit(word: &str) -> String {
    let lower = word.to_lowercase();
    let word = lower.strip_suffix('s').filter(|rest| rest.len() > 1).unwrap_or(&lower);
    match word {
        "sec" | "second" | "秒" => "second".to_owned(),
        "min" | "minute" | "分钟" => "minute".to_owned(),
        "日" => "天".to_owned(),
        "月" => "个月".to_owned(),
        other => other.to_owned(),
    }
}

/// The sentences of some words.
pub(super) fn sentences(words: &str) -> Vec<String> {
    let mut out = vec![String::new()];
    let mut chars = words.chars().peekable();
    while let Some(c) = chars.next() {
        let ends =
            matches!(c, '。' | '；' | ';' | '！') || c == '.' && chars.peek().is_none_or(|next| next.is_whitespace());
        if ends {
            out.push(String::new());
        } else if let Some(last) = out.last_mut() {
            last.push(c);
        }
    }
    out.retain(|sentence| !sentence.trim().is_empty());
    out
}

fn negates(words: &str) -> bool {
    static NOT: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"(?i)\b(not|never|cannot|can't|must not|no longer|without|forbidden|n't)\b|不能|不可|不(提供|做|支持|包含|含|负责|实现|涉及)|不得|不会|禁止|无需|不允许|不需|无法").expect("a constant")
    });
    NOT.is_match(words)
}

fn without_figures(words: &str) -> Meaning {
    let mut meaning = Meaning::of(words);
    meaning.stems.retain(|stem| stem != "not" && stem != "cannot" && !stem.starts_with(|c: char| c.is_ascii_digit()));
    meaning
}

/// The numbers of stems that only one of the two has: the smaller number, then the larger one.
fn own(one: &Meaning, other: &Meaning) -> (usize, usize) {
    let both = one.shared(other);
    let (a, b) = (one.stems.len() - both, other.stems.len() - both);
    (a.min(b), a.max(b))
}

/// The figures of an example are its own.
fn is_example(words: &str) -> bool {
    EXAMPLES.stand_in(&words.to_lowercase())
}

/// Requirements that were rejected or put out of scope but are demanded again.
fn rejected_again(feature: &Feature, rarity: &Rarity) -> Vec<Found> {
    let mut out = Vec::new();
    for aside in feature.put_aside.iter().filter(|aside| !aside.meaning.stems.is_empty()) {
        let wants = |wanted: &&Wanted| {
            // A single word must be the subject: it is in the title.
            let within =
                if aside.meaning.stems.len() == 1 { Meaning::of(&wanted.title) } else { wanted.meaning.clone() };
            let (share, rare) = rarity.share(&aside.meaning, &within);
            let needed = if aside.meaning.stems.len() <= 3 { 0.85 } else { 0.65 };
            let described = aside.whole.as_ref().map(|whole| rarity.share(whole, &wanted.whole));
            let is_described = described.is_some_and(|(share, rare)| share >= 0.55 && rare >= 2);
            (share >= needed && rare >= 1 || is_described) && !negates(&wanted.head)
        };
        let candidates: Vec<&Wanted> = feature.wanted.iter().filter(wants).collect();
        // Words in most requirements are the subject of the feature, not the thing that was set aside.
        if candidates.is_empty() || candidates.len() * 2 > feature.wanted.len().max(3) {
            continue;
        }
        for wanted in candidates {
            let mut found = Found::on(GapCategory::RejectedAgain, wanted, &wanted.title);
            found.other = aside.words.clone();
            out.push(found);
        }
    }
    let mut seen = BTreeSet::new();
    out.retain(|found| seen.insert(found.requirements.clone()));
    out
}

/// Ids, appendices and sections that there are not.
fn references(feature: &Feature) -> Vec<Found> {
    static ID: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"\b([A-Z][A-Z0-9-]*-)\d+\b").expect("a constant"));
    static PART: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(concat!(
            r"\b(?i:appendix|annex|attachment|section|chapter|table|figure)\s+(?:[A-Z]\b|\d+(?:\.\d+)*)|",
            r"(?:附录|附件|附表)\s*(?:[A-Z]\b|[一二三四五六七八九十]+|\d+)|",
            r"第\s*(?:\d+(?:\.\d+)*|[一二三四五六七八九十]+)\s*[节章]"
        ))
        .expect("a constant")
    });
    let prefixes: BTreeSet<&str> = feature.ids.iter().filter_map(|id| Some(&id[..=id.rfind('-')?])).collect();
    let mut out = Vec::new();
    let mut seen = BTreeSet::new();
    for wanted in &feature.wanted {
        let ids = ID.captures_iter(&wanted.all).filter_map(|found| {
            let is_ours =
                ["FR-", "NFR-", "REQ-"].iter().any(|own| found[1].starts_with(own)) || prefixes.contains(&found[1]);
            found.get(0).filter(|id| is_ours && !feature.ids.iter().any(|known| known == id.as_str()))
        });
        let parts = PART.find_iter(&wanted.all).filter(|part| !seen.contains(part.as_str())).filter(|part| {
            // 附件一并, 附件一起: no number.
            if part.as_str().ends_with(['一', '十'])
                && wanted.all[part.end()..].starts_with(['并', '起', '同', '些', '样', '分'])
            {
                return false;
            }
            let names_another = |words: &str| OTHER_DOCUMENTS.stand_in(words);
            let (before, behind) = (&wanted.all[..part.start()], &wanted.all[part.end()..]);
            let near: String = behind.chars().take(REACH).collect();
            let ahead: Vec<char> = before.chars().rev().take(REACH).collect();
            let ahead: String = ahead.into_iter().rev().collect();
            !names_another(&near.to_lowercase())
                && !names_another(&ahead.to_lowercase())
                && !feature.has_part(part.as_str())
        });
        let found: Vec<regex::Match<'_>> = ids.chain(parts).collect();
        for found in found {
            let name = found.as_str();
            if seen.insert(name.to_owned()) {
                let sentence = sentences(&wanted.all).into_iter().find(|sentence| sentence.contains(name));
                let mut gap =
                    Found::on(GapCategory::DanglingReference, wanted, sentence.as_deref().unwrap_or(name).trim());
                gap.other = name.to_owned();
                out.push(gap);
            }
        }
    }
    out
}

/// The maximum distance between "section 7" and the name of another document, in characters.
const REACH: usize = 24;

/// A requirement with more words in capitals names columns, states or keys.
const MOST_CAPITALS: usize = 6;

/// Unexplained abbreviations that not every reader knows.
fn terms(feature: &Feature) -> Vec<Found> {
    static WORD: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"[A-Za-z0-9_/.-]+").expect("a constant"));
    let mut out = Vec::new();
    let mut seen = BTreeSet::new();
    for wanted in &feature.wanted {
        let is_capital = |word: &str| word.len() >= 3 && word.bytes().all(|byte| byte.is_ascii_uppercase());
        if WORD.find_iter(&wanted.all).filter(|word| is_capital(word.as_str())).count() > MOST_CAPITALS {
            continue;
        }
        for found in WORD.find_iter(&wanted.all) {
            let word = found.as_str().trim_end_matches('.');
            // A label of the screen in quotation marks is not an abbreviation.
            let is_label = wanted.all[..found.start()].ends_with(['"', '“', '「'])
                && wanted.all[found.end()..].starts_with(['"', '”', '」']);
            if !is_label
                && !seen.contains(word)
                && is_abbreviation(word, &wanted.all, found.end())
                && !crate::stages::scoring::is_known_acronym(word)
                && !feature.code.contains(word)
                && !is_explained(&feature.texts, &feature.remarks, word)
                && seen.insert(word.to_owned())
            {
                let sentence = sentences(&wanted.all).into_iter().find(|sentence| sentence.contains(word));
                let mut found =
                    Found::on(GapCategory::UndefinedTerm, wanted, sentence.as_deref().unwrap_or(word).trim());
                found.other = word.to_owned();
                out.push(found);
            }
        }
    }
    out
}

/// "TPN", "TR7", and "VX" in "VX rating".
fn is_abbreviation(word: &str, all: &str, end: usize) -> bool {
    let letters = word.trim_end_matches(|c: char| c.is_ascii_digit());
    let digits = word.len() - letters.len();
    let is_upper = !letters.is_empty() && letters.bytes().all(|byte| byte.is_ascii_uppercase());
    let names_a_kind =
        || all[end..].strip_prefix(' ').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_lowercase()));
    match (letters.len(), digits) {
        (3..=6, 0) => is_upper,
        (2..=4, 1..=2) => is_upper && !crate::stages::scoring::is_known_acronym(letters),
        (2, 0) => is_upper && names_a_kind(),
        _ => false,
    }
}

fn is_explained(everything: &str, remarks: &[String], term: &str) -> bool {
    let texts = std::iter::once(everything).chain(remarks.iter().map(String::as_str));
    texts.into_iter().any(|text| crate::stages::scoring::is_explained_acronym(text, term))
}
