//! Word lists that code refers to: closed sets of small words and the words of single checks.
//!
//! They are data, one file per topic under `rubrics/words/`, in the schema of every word list. `build.rs` checks them
//! and makes constants of them, so that they take no time at start. Lists that users may extend are cues
//! (`rubrics/vocabulary/`).
//!
//! A list is compared with one word or one clause, word by word. An index ([`crate::Lexicon`]) would have to be built
//! at start, for about 5,500 words; the comparison takes 2 % of a batch (instructions, 200 issues).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

include!(concat!(env!("OUT_DIR"), "/words.rs"));

/// The way in which the words of a list are compared with a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Matching {
    /// As whole words anywhere in the text; Chinese ones as characters.
    Word,
    /// As a sequence of characters, spaces included, anywhere in the text.
    Anywhere,
    /// At the start of the text.
    Start,
    /// At the end of the text.
    End,
    /// As the whole of the text.
    Whole,
}

/// The words of a list in one language, in a single text.
#[derive(Debug, Clone, Copy)]
pub struct List {
    /// The words, one after the other.
    text: &'static str,
    /// The end of each word.
    ends: &'static [u16],
}

impl List {
    /// Returns the words in the order of the file.
    pub fn iter(self) -> impl Iterator<Item = &'static str> + Clone {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(self.ends).map(move |(start, end)| &self.text[usize::from(start)..usize::from(*end)])
    }

    /// The word with this number, from zero.
    fn get(self, number: usize) -> Option<&'static str> {
        let end = usize::from(*self.ends.get(number)?);
        let start = number.checked_sub(1).map_or(0, |before| usize::from(self.ends[before]));
        Some(&self.text[start..end])
    }

    /// Returns true if it holds exactly this word.
    pub fn contains(self, word: &str) -> bool {
        self.iter().any(|own| own == word)
    }

    /// Returns true if the list has no words.
    #[cfg(test)]
    pub(crate) fn is_empty(self) -> bool {
        self.ends.is_empty()
    }
}

/// A word list, in both languages.
#[derive(Debug)]
pub struct Words {
    /// The file and the list: `passive/auxiliaries`.
    pub id: &'static str,
    /// The way in which its words are matched, also in its examples.
    pub matching: Matching,
    /// English words, in their order.
    pub en: List,
    /// Chinese words, in their order.
    pub zh: List,
    /// The bytes of the longest word.
    longest: usize,
    /// A hash table of word numbers plus one, English words first; zero marks a free place. Collisions follow in the
    /// next places. At least half of the places are free.
    places: &'static [u16],
}

impl Words {
    /// Returns all words, English ones first.
    pub fn iter(&self) -> impl Iterator<Item = &'static str> + Clone + use<> {
        self.en.iter().chain(self.zh.iter())
    }

    /// Returns true if the list holds exactly this word.
    pub fn has(&self, word: &str) -> bool {
        if word.len() > self.longest {
            return false;
        }
        let mut place = hashed(word) as usize;
        while let Some(number) = usize::from(self.places[place % self.places.len()]).checked_sub(1) {
            if self.en.get(number).or_else(|| self.zh.get(number - self.en.ends.len())).is_some_and(|own| own == word) {
                return true;
            }
            place += 1;
        }
        false
    }

    /// Returns true if the list holds this word, ignoring the case of the letters A to Z.
    pub fn has_in_any_case(&self, word: &str) -> bool {
        self.iter().any(|own| own.eq_ignore_ascii_case(word))
    }

    /// Returns true if a word of the list occurs anywhere in the text, which must be in lower case.
    pub fn stand_in(&self, text: &str) -> bool {
        self.iter().any(|word| text.contains(word))
    }

    /// Returns true if a word of the list is in the text, which must be in lower case; English ones as whole words.
    pub fn are_words_of(&self, text: &str) -> bool {
        let is_whole = |at: usize, word: &str| {
            let joins = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
            !joins(text[..at].chars().next_back()) && !joins(text[at + word.len()..].chars().next())
        };
        self.en.iter().any(|word| text.match_indices(word).any(|(at, _)| is_whole(at, word)))
            || self.zh.iter().any(|word| text.contains(word))
    }

    /// The place of the first word of the list in the text, which must be in lower case.
    pub fn first_in(&self, text: &str) -> Option<usize> {
        self.iter().filter_map(|word| text.find(word)).min()
    }

    /// Returns true if the text, which must be in lower case, begins with a word of the list.
    pub fn begin(&self, text: &str) -> bool {
        self.iter().any(|word| text.starts_with(word))
    }

    /// The rest of the text after the word at its start; of two such words, the first of the list counts.
    pub fn behind<'t>(&self, text: &'t str) -> Option<&'t str> {
        self.iter().find_map(|word| text.strip_prefix(word))
    }

    /// Returns true if the text, which must be in lower case, ends with a word of the list.
    pub fn end(&self, text: &str) -> bool {
        self.iter().any(|word| text.ends_with(word))
    }
}

/// Hashes a word (FNV-1a) in the same way as `build.rs`, which makes the tables.
fn hashed(word: &str) -> u32 {
    let hash = word.bytes().fold(0x811c_9dc5_u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
    // The lowest bits alone hardly depend on the first letters.
    hash ^ hash >> 15
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;

    use super::*;
    use crate::cues::WordListFile;
    use crate::{Lexicon, TermList};

    fn matches(words: &Words, text: &str) -> bool {
        let lower = format!(" {} ", text.trim().to_lowercase());
        let any = |fits: &dyn Fn(&str) -> bool| words.iter().any(|word| fits(&word.to_lowercase()));
        match words.matching {
            Matching::Word => {
                let strings = |list: List| list.iter().map(str::to_owned).collect();
                let list = TermList { en: strings(words.en), zh: strings(words.zh), ..TermList::default() };
                !Lexicon::new([&list]).expect("no word is empty").hits(text).is_empty()
            }
            Matching::Anywhere => any(&|word| lower.contains(word)),
            Matching::Start => any(&|word| lower[1..].starts_with(word)),
            Matching::End => any(&|word| lower[..lower.len() - 1].ends_with(word)),
            Matching::Whole => any(&|word| lower.trim() == word),
        }
    }

    #[test]
    fn every_list_is_found_in_its_examples_and_in_no_other() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../rubrics/words");
        for words in ALL {
            let (file, id) = words.id.split_once('/').expect("an id names its file");
            let text = std::fs::read_to_string(folder.join(format!("{file}.yaml"))).expect("a readable file");
            let lists: Vec<WordListFile> =
                reqgate_base::yaml::read(&text).unwrap_or_else(|error| panic!("{file}: {error}"));
            let list = lists.iter().find(|list| list.id == id).expect("the list is in its file");
            let in_chinese = |text: &String| text.chars().any(crate::lexicon::is_cjk);
            for (own, chinese) in [(words.en, false), (words.zh, true)] {
                for texts in [&list.examples.fires, &list.examples.silent] {
                    let shown = texts.iter().any(|text| in_chinese(text) == chinese);
                    assert!(own.is_empty() || shown, "{}: examples of both kinds in each of its languages", words.id);
                }
            }
            for text in &list.examples.fires {
                assert!(matches(words, text), "{}: nothing found in {text:?}", words.id);
            }
            for text in &list.examples.silent {
                assert!(!matches(words, text), "{}: something found in {text:?}", words.id);
            }
        }
    }

    #[test]
    fn every_word_of_a_list_is_found_in_it() {
        for words in ALL {
            for word in words.iter() {
                assert!(words.has(word), "{}: {word:?}", words.id);
                assert!(!words.has(&format!("{word}\u{0}")), "{}: {word:?}", words.id);
            }
        }
    }

    #[test]
    fn no_list_holds_a_word_twice() {
        for words in ALL {
            let mut seen = BTreeSet::new();
            for word in words.iter() {
                assert!(seen.insert(word), "{}: {word:?} stands there twice", words.id);
            }
        }
    }
}
