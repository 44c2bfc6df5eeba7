//! Finds the terms of many word lists in one pass over a text.
//!
//! A list is words and phrases of both languages with exceptions. One automaton holds all lists of a run, the shipped and
//! the user's own, so that a hundred rules cost one pass. It knows nothing of what a list is for.

use std::collections::BTreeMap;

use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::model::{Language, Span};

/// Words and phrases of one kind, per language.
///
/// A term matches whole words, whatever their case. `~` at its end allows an English ending (`show~`: show, shows, showed,
/// showing), `*` any letters (`config*`). Chinese terms match anywhere; `except` holds the longer words in which they mean
/// something else (等 in 等级).
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct TermList {
    /// English terms.
    pub en: Vec<String>,
    /// Chinese terms.
    pub zh: Vec<String>,
    /// Longer phrases of either language in which a term does not count.
    pub except: Vec<String>,
}

/// Number of a list inside one `Lexicon`, in the order in which the lists were given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ListId(pub u16);

/// A term found in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hit {
    /// The list that the term belongs to.
    pub list: ListId,
    /// Where it stands.
    pub span: Span,
}

/// A lexicon that cannot be built.
#[derive(Debug, thiserror::Error)]
pub enum LexiconError {
    /// A list holds an empty term.
    #[error("word list number {list} holds an empty term")]
    EmptyTerm {
        /// The list.
        list: usize,
    },
    /// More lists or terms than the automaton can hold.
    #[error("building the word automaton: {0}")]
    Build(String),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Ending {
    WholeWord,
    Inflected,
    Anything,
}

#[derive(Debug, Clone, Copy)]
struct Entry {
    list: ListId,
    ending: Ending,
    exception: bool,
    latin_start: bool,
    latin_end: bool,
}

/// All lists of a run, compiled.
#[derive(Debug)]
pub struct Lexicon {
    automaton: AhoCorasick,
    /// Entries of each pattern: several lists may share a term.
    entries: Vec<Vec<Entry>>,
}

const ENGLISH_ENDINGS: [&str; 9] = ["s", "es", "ed", "d", "ing", "e", "er", "ly", "'s"];

impl Lexicon {
    /// Compiles lists; the n-th list gets `ListId(n)`.
    ///
    /// # Errors
    /// Fails on an empty term or on more terms than fit into the automaton.
    pub fn new<'a>(lists: impl IntoIterator<Item = &'a TermList>) -> Result<Self, LexiconError> {
        let mut patterns: BTreeMap<String, Vec<Entry>> = BTreeMap::new();
        for (number, list) in lists.into_iter().enumerate() {
            let id = u16::try_from(number).map_err(|_| LexiconError::Build("more than 65,535 lists".into()))?;
            let terms = list.en.iter().chain(&list.zh).map(|term| (term, false));
            for (term, exception) in terms.chain(list.except.iter().map(|term| (term, true))) {
                let (words, ending) = match term.trim() {
                    t if t.ends_with('~') => (t.trim_end_matches('~'), Ending::Inflected),
                    t if t.ends_with('*') && t.len() > 1 => (t.trim_end_matches('*'), Ending::Anything),
                    t => (t, Ending::WholeWord),
                };
                let is_latin = |c: Option<char>| c.is_some_and(is_latin_word);
                let entry = Entry {
                    list: ListId(id),
                    ending,
                    exception,
                    latin_start: is_latin(words.chars().next()),
                    latin_end: is_latin(words.chars().last()),
                };
                if words.is_empty() {
                    return Err(LexiconError::EmptyTerm { list: number });
                }
                patterns.entry(words.to_lowercase()).or_default().push(entry);
            }
        }
        let automaton = AhoCorasick::builder()
            .match_kind(MatchKind::Standard)
            .ascii_case_insensitive(true)
            .kind(Some(AhoCorasickKind::ContiguousNFA))
            .build(patterns.keys())
            .map_err(|error| LexiconError::Build(error.to_string()))?;
        Ok(Self { automaton, entries: patterns.into_values().collect() })
    }

    /// Every hit of every list, ordered by place, exceptions already taken out.
    pub fn hits(&self, text: &str) -> Vec<Hit> {
        let mut hits = Vec::new();
        let mut exceptions = Vec::new();
        for found in self.automaton.find_overlapping_iter(text) {
            for entry in &self.entries[found.pattern().as_usize()] {
                let Some(end) = entry.accept(text, found.start(), found.end()) else { continue };
                let hit = Hit { list: entry.list, span: Span::new(found.start(), end) };
                if entry.exception { exceptions.push(hit) } else { hits.push(hit) }
            }
        }
        hits.sort_by_key(|hit| (hit.span.start, hit.list, usize::MAX - hit.span.end));
        // The longest term of a list at a place speaks for the shorter ones that begin there.
        hits.dedup_by(|later, earlier| later.list == earlier.list && earlier.span.contains(later.span));
        if !exceptions.is_empty() {
            exceptions.sort_by_key(|hit| hit.span.start);
            hits.retain(|hit| !is_excepted(&exceptions, *hit));
        }
        hits
    }
}

/// An exception is at most this long, so that looking back for one is bounded.
const LONGEST_EXCEPTION: usize = 120;

fn is_excepted(exceptions: &[Hit], hit: Hit) -> bool {
    let from = exceptions.partition_point(|e| e.span.start + LONGEST_EXCEPTION < hit.span.start);
    exceptions[from..]
        .iter()
        .take_while(|e| e.span.start <= hit.span.start)
        .any(|e| e.list == hit.list && e.span.contains(hit.span))
}

impl Entry {
    /// Checks the word boundaries of a match and gives its end, endings included.
    fn accept(&self, text: &str, start: usize, end: usize) -> Option<usize> {
        if self.latin_start && text[..start].chars().next_back().is_some_and(is_latin_word) {
            return None;
        }
        if !self.latin_end {
            return Some(end);
        }
        let rest = &text[end..];
        let tail_length = rest.find(|c: char| !is_latin_word(c)).unwrap_or(rest.len());
        match self.ending {
            _ if tail_length == 0 => Some(end),
            Ending::WholeWord => None,
            Ending::Anything => Some(end + tail_length),
            Ending::Inflected => {
                let tail = &rest[..tail_length];
                ENGLISH_ENDINGS.iter().any(|ending| tail.eq_ignore_ascii_case(ending)).then_some(end + tail_length)
            }
        }
    }
}

/// True for the letters and digits that make up a word in a language that puts spaces between words.
pub fn is_latin_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || (c.is_alphanumeric() && !is_cjk(c))
}

/// True for Chinese characters (and the other scripts of the CJK blocks, which are written without spaces too).
pub fn is_cjk(c: char) -> bool {
    matches!(c as u32,
        0x2E80..=0x2FDF | 0x3005..=0x3007 | 0x3021..=0x3029 | 0x3040..=0x30FF | 0x3400..=0x4DBF | 0x4E00..=0x9FFF
        | 0xF900..=0xFAFF | 0x20000..=0x3FFFF)
}

/// Which language a piece of text is written in; any share of Chinese that carries the meaning counts as Chinese.
pub fn language_of(text: &str) -> Language {
    let (mut cjk, mut latin_words, mut in_word) = (0usize, 0usize, false);
    for c in text.chars() {
        if is_cjk(c) {
            cjk += 1;
            in_word = false;
        } else if c.is_ascii_alphabetic() {
            latin_words += usize::from(!in_word);
            in_word = true;
        } else {
            in_word = false;
        }
    }
    // A Chinese word has about 1.6 characters; a ticket of Chinese sentences around English terms is a Chinese ticket.
    if cjk * 10 > latin_words * 6 && cjk > 0 { Language::Zh } else { Language::En }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found<'t>(list: &TermList, text: &'t str) -> Vec<&'t str> {
        let lexicon = Lexicon::new([list]).unwrap();
        lexicon.hits(text).iter().map(|hit| hit.span.slice(text)).collect()
    }

    #[test]
    fn terms_match_whole_words_in_any_case() {
        let list = TermList { en: vec!["fast".into(), "add~".into(), "config*".into()], ..TermList::default() };
        assert_eq!(found(&list, "Fast, faster, adds, address, Configuration"), ["Fast", "adds", "Configuration"]);
    }

    #[test]
    fn exceptions_cancel_the_terms_inside_them() {
        let list =
            TermList { zh: vec!["等".into()], except: vec!["等级".into(), "等待".into()], ..TermList::default() };
        assert_eq!(found(&list, "等级、订单等，等待"), ["等"]);
    }

    #[test]
    fn a_latin_term_next_to_chinese_is_a_whole_word() {
        let list = TermList { en: vec!["app".into()], ..TermList::default() };
        assert_eq!(found(&list, "打开app后"), ["app"]);
    }

    #[test]
    fn language_follows_the_words_that_carry_the_meaning() {
        assert_eq!(language_of("订单列表很卡 after login"), Language::Zh);
        assert_eq!(language_of("The page 登录 does not open in Chrome on Windows"), Language::En);
        assert_eq!(language_of("1234 !!"), Language::En);
    }
}
