//! Finds the terms of many word lists in one pass over a text.
//!
//! A list is words and phrases of both languages with exceptions. One index holds all lists of a run, the shipped ones
//! and the user's, so that a hundred rules cost one pass. The index does not know the purpose of a list.

use std::borrow::Cow;

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};

use reqgate_base::model::Span;

/// Words and phrases of one kind, per language.
///
/// A term matches whole words in any case. `~` at its end allows an English ending (`show~`: show, shows, showed,
/// showing), `*` any letters (`config*`). Chinese terms match anywhere; `except` holds the longer words in which they
/// mean something else (等 in 等级). A term with an apostrophe also matches where it is printed (’), and `n't` where it is
/// left out.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct TermList {
    /// The terms in English.
    #[serde(deserialize_with = "terms")]
    pub en: Vec<String>,
    /// The terms in Chinese.
    #[serde(deserialize_with = "terms")]
    pub zh: Vec<String>,
    /// Longer phrases of either language in which a term does not count.
    #[serde(deserialize_with = "terms")]
    pub except: Vec<String>,
}

/// Reads terms with at least one letter each; a term without one is an error at its place.
///
/// # Errors
/// Fails if the value is not a list of texts, and on a term of only spaces and signs for endings.
pub fn terms<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    let terms = Vec::<Term<true>>::deserialize(deserializer)?;
    Ok(terms.into_iter().map(|term| term.0).collect())
}

/// Reads the words of a list, none of them blank. The `match` of the list decides whether `*` is a sign or a word.
///
/// # Errors
/// Fails if the value is not a list of texts, and on a blank one.
pub(super) fn words<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    let words = Vec::<Term<false>>::deserialize(deserializer)?;
    Ok(words.into_iter().map(|word| word.0).collect())
}

/// A term that is not blank; with `SIGNS`, the signs for endings count as blank.
struct Term<const SIGNS: bool>(String);

impl<'de, const SIGNS: bool> Deserialize<'de> for Term<SIGNS> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let term = String::deserialize(deserializer)?;
        let is_blank = |c: char| c.is_whitespace() || SIGNS && matches!(c, '~' | '*');
        match term.trim_matches(is_blank).is_empty() {
            true => Err(serde::de::Error::custom("a term is empty: write a word, or delete the item")),
            false => Ok(Self(term)),
        }
    }
}

impl TermList {
    /// Adds the terms of another list.
    pub(crate) fn add(&mut self, other: Self) {
        self.en.extend(other.en);
        self.zh.extend(other.zh);
        self.except.extend(other.except);
    }
}

/// Returns true if characters, in lower case, begin with `opening`.
pub fn open_with(text: impl Iterator<Item = char>, opening: &str) -> bool {
    let mut lower = text.flat_map(char::to_lowercase);
    opening.chars().all(|c| lower.next() == Some(c))
}

/// Number of a list inside one `Lexicon`, in the order in which the lists were given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ListId(pub u16);

/// A term found in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hit {
    /// The list of the term.
    pub list: ListId,
    /// The place of the term.
    pub span: Span,
}

/// A lexicon that cannot be built.
#[derive(Debug, thiserror::Error)]
pub enum LexiconError {
    /// A list holds an empty term.
    #[error("a term of a word list has no letter: write a word before `~` or `*`")]
    EmptyTerm {
        /// The number of the list.
        list: usize,
    },
    /// More lists than can be numbered.
    #[error("more than 65,535 word lists")]
    TooManyLists,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Ending {
    WholeWord,
    Inflected,
    Anything,
}

#[derive(Debug, Clone, Copy)]
struct Entry {
    /// One more than the number of the next entry with the same hash; zero for the last.
    next: u32,
    /// The first bytes of the term in lower case, the first in the highest place; a shorter term is followed by zeros.
    key: u64,
    /// The place of the term, in lower case, in `Lexicon::terms`.
    term: (u32, u32),
    list: ListId,
    ending: Ending,
    exception: bool,
    latin_end: bool,
    /// The byte after the key, or zero if the term ends there. It distinguishes most terms with the same key without a
    /// look at them.
    behind_key: u8,
}

/// All lists of a run, indexed by the first bytes of their terms.
///
/// It is built in a tenth of the time of an automaton, which is the largest cost for a single short text, and it is
/// also faster on one: most words of a text do not begin a term.
#[derive(Debug)]
pub struct Lexicon {
    /// The terms in lower case, one after the other.
    terms: String,
    entries: Vec<Entry>,
    /// For the first two bytes of a term, one bit per length of key that terms have. It skips most words.
    lengths: Vec<u8>,
    /// One bit for each key by its hash. The table is small enough for the processor's cache, and most of its bits are zero.
    keys: Vec<u64>,
    /// For each hash, one more than the number of its last entry, which leads to the others. The key is the first `KEY`
    /// bytes of a term, or the whole of a shorter one.
    last: Vec<u32>,
}

const KEY: usize = 8;
const ENGLISH_ENDINGS: [&str; 9] = ["s", "es", "ed", "d", "ing", "e", "er", "ly", "'s"];

impl Lexicon {
    /// Compiles lists; the n-th list gets `ListId(n)`.
    ///
    /// # Errors
    /// Fails on an empty term or on more than 65,535 lists.
    pub(crate) fn new<'a>(lists: impl IntoIterator<Item = &'a TermList>) -> Result<Self, LexiconError> {
        let lists: Vec<&TermList> = lists.into_iter().collect();
        let count = lists.iter().map(|list| list.en.len() + list.zh.len() + list.except.len()).sum();
        let mut terms = String::new();
        let mut entries: Vec<Entry> = Vec::with_capacity(count);
        for (number, list) in lists.into_iter().enumerate() {
            let id = ListId(u16::try_from(number).map_err(|_| LexiconError::TooManyLists)?);
            let words = list.en.iter().chain(&list.zh).map(|term| (term, false));
            for (term, exception) in words.chain(list.except.iter().map(|term| (term, true))) {
                for spelling in spellings(term) {
                    let entry = Entry::new(&spelling, id, exception, &mut terms);
                    entries.push(entry.ok_or(LexiconError::EmptyTerm { list: number })?);
                }
            }
        }
        let mut last = vec![0; 1 << BUCKET_BITS];
        let mut lengths = vec![0; 1 << 16];
        let mut keys = vec![0; (1 << KEY_BITS) / 64];
        for (entry, number) in entries.iter_mut().zip(1..) {
            let term = entry.term(&terms).as_bytes();
            entry.key = key(term);
            let pair = pair(entry.key);
            entry.next = std::mem::replace(&mut last[bucket_of(entry.key)], number);
            let (word, bit) = place_of(entry.key);
            keys[word] |= bit;
            let bit = 1 << (term.len().min(KEY) - 1);
            match term {
                // Any byte may follow a term of one byte.
                [only] => lengths[usize::from(*only) << 8..][..256].iter_mut().for_each(|mask| *mask |= bit),
                _ => lengths[pair] |= bit,
            }
        }
        Ok(Self { terms, entries, lengths, keys, last })
    }

    /// Every hit of every list, ordered by place, without the exceptions.
    pub(crate) fn hits(&self, text: &str) -> Vec<Hit> {
        self.hits_outside(text, std::iter::empty())
    }

    /// The same without the terms that begin in one of these spans, which must be ordered and not overlap.
    pub(crate) fn hits_outside(&self, text: &str, skipped: impl IntoIterator<Item = Span>) -> Vec<Hit> {
        let mut skipped = skipped.into_iter();
        let mut next_skipped = skipped.next();
        let mut hits = Vec::new();
        let mut exceptions = Vec::new();
        let bytes = text.as_bytes();
        let mut in_word = false;
        let mut at = 0;
        while at < bytes.len() {
            while let Some(span) = next_skipped.filter(|span| span.start <= at) {
                if span.end > at {
                    at = span.end;
                    in_word = false;
                }
                next_skipped = skipped.next();
            }
            let Some(byte) = bytes.get(at).copied() else { break };
            let is_word = if byte.is_ascii() {
                WORDY[usize::from(byte)]
            } else {
                text[at..].chars().next().is_some_and(is_latin_word)
            };
            if !(is_word && in_word) && byte != b' ' {
                let known = hits.len();
                self.hits_at(text, at, &mut hits, &mut exceptions);
                if hits.len() > known + 1 {
                    hits[known..].sort_unstable_by_key(|hit: &Hit| (hit.list, usize::MAX - hit.span.end));
                }
            }
            in_word = is_word;
            at += match byte {
                0..=0x7f => 1,
                0x80..=0xdf => 2,
                0xe0..=0xef => 3,
                0xf0.. => 4,
            };
            // No term begins within a word.
            let limit = next_skipped.map_or(bytes.len(), |span| span.start.clamp(at, bytes.len()));
            if is_word && at < limit {
                at += bytes[at..limit].iter().position(|byte| !WORDY[usize::from(*byte)]).unwrap_or(limit - at);
            }
        }
        // The longest term of a list at a place replaces the shorter ones inside it.
        hits.dedup_by(|later, earlier| later.list == earlier.list && earlier.span.contains(later.span));
        if !exceptions.is_empty() {
            hits.retain(|hit| !is_excepted(&exceptions, *hit));
        }
        hits
    }

    /// The terms that begin at a place.
    fn hits_at(&self, text: &str, at: usize, hits: &mut Vec<Hit>, exceptions: &mut Vec<Hit>) {
        let longest = key(&text.as_bytes()[at..]);
        let mut lengths = self.lengths[pair(longest)];
        if lengths == 0 {
            return;
        }
        let behind_key = text.as_bytes().get(at + KEY).map_or(0, u8::to_ascii_lowercase);
        while lengths != 0 {
            let length = lengths.trailing_zeros() + 1;
            lengths &= lengths - 1;
            let shorter = longest & u64::MAX << (u64::BITS - u8::BITS * length);
            let (word, bit) = place_of(shorter);
            if self.keys[word] & bit == 0 {
                continue;
            }
            let mut next = self.last[bucket_of(shorter)];
            while let Some(entry) = (next as usize).checked_sub(1).and_then(|at| self.entries.get(at)) {
                next = entry.next;
                if entry.key != shorter || entry.behind_key != 0 && entry.behind_key != behind_key {
                    continue;
                }
                // A key of the full length may begin longer terms; a shorter key is the whole term.
                let Some(end) = entry.accept(&self.terms, text, at) else { continue };
                let hit = Hit { list: entry.list, span: Span { start: at, end } };
                if entry.exception { exceptions.push(hit) } else { hits.push(hit) }
            }
        }
    }
}

/// The spellings of a term: with the typewriter's or the printed apostrophe, and `don't` as `dont`.
fn spellings(term: &str) -> impl Iterator<Item = Cow<'_, str>> {
    let printed = term.contains('\'').then(|| Cow::Owned(term.replace('\'', "’")));
    let without = term.contains("n't").then(|| Cow::Owned(term.replace("n't", "nt")));
    std::iter::once(Cow::Borrowed(term)).chain(printed).chain(without)
}

/// The characters of words: ASCII letters, digits and the low line.
pub const WORDY: [bool; 256] = {
    let mut wordy = [false; 256];
    let mut byte = 0_u8;
    while byte < 128 {
        wordy[byte as usize] = byte.is_ascii_alphanumeric() || byte == b'_';
        byte += 1;
    }
    wordy
};

/// The first bytes in lower case as one integer, the first in the highest place; missing bytes are zeros.
fn key(bytes: &[u8]) -> u64 {
    let mut first = [0; KEY];
    match bytes.first_chunk() {
        Some(chunk) => first = *chunk,
        None => first[..bytes.len()].copy_from_slice(bytes),
    }
    in_lower_case_at_once(u64::from_be_bytes(first))
}

/// Eight bytes in lower case: a bit is set in each that is a letter from A to Z.
fn in_lower_case_at_once(bytes: u64) -> u64 {
    const EACH: u64 = u64::from_be_bytes([1; KEY]);
    let low = bytes & (0x7f * EACH);
    let behind_z = low + (0x7f - b'Z' as u64) * EACH;
    let from_a = low + (0x80 - b'A' as u64) * EACH;
    let is_capital = (from_a ^ behind_z) & !bytes & (0x80 * EACH);
    bytes | is_capital >> 2
}

/// The first two bytes of a key as one index.
fn pair(key: u64) -> usize {
    (key >> (u64::BITS - 16)) as usize
}

/// The number of bits of the hash by which a key is looked up first.
const KEY_BITS: u32 = 16;

/// The word and the bit of a key in a table of `1 << KEY_BITS` bits.
fn place_of(key: u64) -> (usize, u64) {
    let place = mixed(key) >> (u64::BITS - KEY_BITS);
    ((place / 64) as usize, 1 << (place % 64))
}

/// The number of bits of the hash by which entries are found: about as many buckets as keys.
const BUCKET_BITS: u32 = 13;

fn bucket_of(key: u64) -> usize {
    (mixed(key) >> (u64::BITS - BUCKET_BITS)) as usize
}

/// Spreads the keys, which are close together.
fn mixed(key: u64) -> u64 {
    key.wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

/// The longest exception, in bytes, so that the search backwards is bounded.
const LONGEST_EXCEPTION: usize = 120;

fn is_excepted(exceptions: &[Hit], hit: Hit) -> bool {
    let from = exceptions.partition_point(|e| e.span.start + LONGEST_EXCEPTION < hit.span.start);
    exceptions[from..]
        .iter()
        .take_while(|e| e.span.start <= hit.span.start)
        .any(|e| e.list == hit.list && e.span.contains(hit.span))
}

impl Entry {
    /// Makes an entry and adds its term to `terms`; `None` for an empty term.
    fn new(term: &str, list: ListId, exception: bool, terms: &mut String) -> Option<Self> {
        let (words, ending) = match term.trim() {
            t if t.ends_with('~') => (t.trim_end_matches('~'), Ending::Inflected),
            t if t.ends_with('*') && t.len() > 1 => (t.trim_end_matches('*'), Ending::Anything),
            t => (t, Ending::WholeWord),
        };
        let latin_end = words.chars().next_back().is_some_and(is_latin_word);
        let start = terms.len();
        terms.push_str(&in_lower_case(words));
        let behind_key = terms.as_bytes().get(start + KEY).copied().unwrap_or(0);
        let term = (u32::try_from(start).ok()?, u32::try_from(terms.len()).ok()?);
        let entry = Self { next: 0, key: 0, term, list, ending, exception, latin_end, behind_key };
        (start < terms.len()).then_some(entry)
    }

    fn term<'t>(&self, terms: &'t str) -> &'t str {
        &terms[self.term.0 as usize..self.term.1 as usize]
    }

    /// The end of the term, with its ending, if it is a whole word at this place of the text. The caller has compared the key.
    fn accept(&self, terms: &str, text: &str, at: usize) -> Option<usize> {
        let bytes = text.as_bytes();
        let (from, to) = (self.term.0 as usize, self.term.1 as usize);
        let end = at + (to - from);
        if to - from > KEY {
            let rest = bytes.get(at + KEY..end)?;
            if !rest.eq_ignore_ascii_case(&terms.as_bytes()[from + KEY..to]) {
                return None;
            }
        } else if end > bytes.len() {
            return None;
        }
        let next = bytes.get(end).copied().unwrap_or(b' ');
        if !self.latin_end || next.is_ascii() && !WORDY[usize::from(next)] {
            return Some(end);
        }
        let word_end = end + latin_length(&text[end..]);
        if word_end == end {
            return Some(end);
        }
        match self.ending {
            Ending::WholeWord => None,
            Ending::Anything => Some(word_end),
            Ending::Inflected => {
                let tail = &text[end..word_end];
                ENGLISH_ENDINGS.iter().any(|ending| tail.eq_ignore_ascii_case(ending)).then_some(word_end)
            }
        }
    }
}

/// The number of bytes of letters and digits at the start of a text, in a language with spaces between words.
pub(crate) fn latin_length(text: &str) -> usize {
    let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let plain = text.bytes().position(|byte| !is_plain(&byte)).unwrap_or(text.len());
    match text.as_bytes().get(plain) {
        Some(0x80..) => plain + text[plain..].find(|c: char| !is_latin_word(c)).unwrap_or(text.len() - plain),
        _ => plain,
    }
}

/// The words in lower case. They are borrowed if no letter changes, as for nearly every word of a list.
pub fn in_lower_case(words: &str) -> Cow<'_, str> {
    let stays = |c: char| if c.is_ascii() { !c.is_ascii_uppercase() } else { is_cjk(c) };
    if words.chars().all(stays) { Cow::Borrowed(words) } else { Cow::Owned(words.to_lowercase()) }
}

/// Returns true for letters and digits of a language that puts spaces between words.
#[inline]
pub fn is_latin_word(c: char) -> bool {
    if c.is_ascii() { c.is_ascii_alphanumeric() || c == '_' } else { c.is_alphanumeric() && !is_cjk(c) }
}

/// Returns true for Chinese characters, and for the other scripts of the CJK blocks, which have no spaces either.
#[inline]
pub fn is_cjk(c: char) -> bool {
    // A quick test: most characters of most texts are below this one.
    c >= '\u{2E80}'
        && matches!(c as u32,
        0x2E80..=0x2FDF | 0x3005..=0x3007 | 0x3021..=0x3029 | 0x3040..=0x30FF | 0x3400..=0x4DBF | 0x4E00..=0x9FFF
        | 0xF900..=0xFAFF | 0x20000..=0x3FFFF)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found<'t>(list: &TermList, text: &'t str) -> Vec<&'t str> {
        let lexicon = Lexicon::new([list]).unwrap();
        lexicon.hits(text).iter().map(|hit| hit.span.slice(text)).collect()
    }

    #[test]
    fn an_apostrophe_is_typed_printed_or_left_out() {
        let list = TermList { en: vec!["doesn't work".into(), "we'll".into()], ..TermList::default() };
        assert_eq!(
            found(&list, "It doesn't work, Doesn’t work, doesnt work; we'll, we’ll, well"),
            ["doesn't work", "Doesn’t work", "doesnt work", "we'll", "we’ll"]
        );
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
}
