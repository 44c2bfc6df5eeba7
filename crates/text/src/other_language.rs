//! Detects a text in a language other than English and Chinese, and the language if possible.
//!
//! All detection needs evidence for a language. Many English tickets have hardly any small words ("NPE in `save`"), so
//! the absence of English is not evidence: a text is in another language only if it has that language's own words or
//! script.

use std::hash::{DefaultHasher, Hash, Hasher};

use super::form_parts;
use super::language::carries_the_meaning;
use super::reading::{Reading, Sentence};
use super::spoken_words::{Script, Spoken, each_spoken};
use super::words::Words;
use super::words::languages::{
    DUTCH, ENGLISH, FRENCH, GERMAN, INDONESIAN, ITALIAN, OTHERS, POLISH, PORTUGUESE, SPANISH, SWEDISH, TURKISH,
    VIETNAMESE,
};
use reqgate_base::model::{Genre, OtherLanguage};

/// The languages in Latin letters, each with its small words; the last entry holds several languages that are not distinguished.
const LATIN: [(OtherLanguage, &Words); 12] = [
    (OtherLanguage::German, GERMAN),
    (OtherLanguage::French, FRENCH),
    (OtherLanguage::Spanish, SPANISH),
    (OtherLanguage::Portuguese, PORTUGUESE),
    (OtherLanguage::Italian, ITALIAN),
    (OtherLanguage::Dutch, DUTCH),
    (OtherLanguage::Polish, POLISH),
    (OtherLanguage::Turkish, TURKISH),
    (OtherLanguage::Indonesian, INDONESIAN),
    (OtherLanguage::Vietnamese, VIETNAMESE),
    (OtherLanguage::Swedish, SWEDISH),
    (OtherLanguage::Unknown, OTHERS),
];

/// The fewest small words of another language in a hundred words, if at most half as many are English ones. Running text
/// in any of these languages has about forty.
const SMALL_WORDS_OF_100: usize = 12;
/// With this many small English words in a hundred, a text is English.
const ENGLISH_OF_100: usize = 15;
/// The fewest words with marked letters, in a hundred and in all, if a text has no small words. Names have marked
/// letters too, so more of them are needed.
const MARKED_OF_100: usize = 20;
const MARKED_ALONE: usize = 3;

/// The fewest words in another script that make sentences, rather than only names.
const ENOUGH_WORDS: usize = 5;

/// The language of a text that is in neither English nor Chinese; `None` for these two, and for a text that is too
/// short to decide.
///
/// Only the author's own words count: no code, log, quotation, address, heading or instruction of a form.
pub fn other_language(text: &str, reading: &Reading) -> Option<OtherLanguage> {
    let mut tally = Tally::default();
    for words in own_words(text, reading) {
        each_spoken(words, &mut |spoken| tally.take(&spoken));
    }
    if let Some(other) = tally.by_script() {
        return Some(other);
    }
    if tally.latin == 0 || tally.english * 100 >= tally.latin * ENGLISH_OF_100 {
        return None;
    }
    let mut profiles = LATIN.map(|(other, words)| (other, words, Evidence::default()));
    let mut marked = Evidence::default();
    for words in own_words(text, reading) {
        each_spoken(words, &mut |spoken| {
            let Spoken::Latin { word, stands_for_itself: true, .. } = spoken else { return };
            let mut is_known = ENGLISH.has(word);
            for (_, list, evidence) in &mut profiles {
                if list.has(word) {
                    evidence.add(word);
                    is_known = true;
                }
            }
            if !is_known && !word.is_ascii() {
                marked.add(word);
            }
        });
    }
    tally.by_small_words(profiles.map(|(other, _, evidence)| (other, evidence)), marked)
}

/// The author's own sentences.
fn own_words<'t>(text: &'t str, reading: &'t Reading) -> impl Iterator<Item = &'t str> {
    let is_own = |sentence: &&Sentence| {
        let block = &reading.blocks[sentence.block];
        let is_of_a_form = sentence.is_placeholder || form_parts::is_vow(block, block.text.slice(text));
        !(block.quoted || is_of_a_form || sentence.genre == Genre::Heading)
    };
    reading.sentences.iter().filter(is_own).map(|sentence| sentence.span.slice(text))
}

/// The number of words of one kind, and whether they differ: a word that is only repeated is a name or a value.
#[derive(Debug, Clone, Copy, Default)]
struct Evidence {
    count: usize,
    first: u64,
    is_varied: bool,
}

impl Evidence {
    fn add(&mut self, word: &str) {
        let mut hasher = DefaultHasher::new();
        word.hash(&mut hasher);
        let name = hasher.finish();
        if self.count == 0 {
            self.first = name;
        }
        self.is_varied |= name != self.first;
        self.count += 1;
    }
}

/// The words of a text, counted by script.
#[derive(Debug, Default)]
struct Tally {
    latin: usize,
    /// Latin words in small letters, which are rarely names.
    small_letters: usize,
    english: usize,
    han: usize,
    katakana: usize,
    /// Hiragana without の, which people also write in Chinese.
    hiragana: usize,
    hangul: usize,
    cyrillic: usize,
    greek: usize,
    hebrew: usize,
    arabic: usize,
    thai: usize,
    /// Words in any other script.
    others: usize,
    /// Letters that, among the large languages in Cyrillic letters, only Russian or only Ukrainian has; and letters
    /// that Arabic does not have.
    russian: bool,
    ukrainian: bool,
    not_arabic: bool,
}

impl Tally {
    fn take(&mut self, spoken: &Spoken<'_>) {
        match spoken {
            Spoken::Latin { word, is_capitalised, .. } => {
                self.latin += 1;
                self.small_letters += usize::from(!is_capitalised);
                self.english += usize::from(ENGLISH.has(word));
            }
            Spoken::Letter(Script::Han) => self.han += 1,
            Spoken::Letter(Script::Katakana) => self.katakana += 1,
            Spoken::Letter(Script::Hiragana) => self.hiragana += 1,
            Spoken::Letter(_) => {}
            // A single letter is a key, a column or a formula.
            Spoken::Word { word, .. } if word.chars().nth(1).is_none() => {}
            Spoken::Word { script, word } => {
                let count = match script {
                    Script::Hangul => &mut self.hangul,
                    Script::Cyrillic => &mut self.cyrillic,
                    Script::Greek => &mut self.greek,
                    Script::Hebrew => &mut self.hebrew,
                    Script::Arabic => &mut self.arabic,
                    Script::Thai => &mut self.thai,
                    _ => &mut self.others,
                };
                // Thai has no spaces between words; four letters are about one word.
                *count += if *script == Script::Thai { word.chars().count().div_ceil(4) } else { 1 };
                self.russian |= word.contains(['ы', 'э', 'ё', 'Э', 'Ё']);
                self.ukrainian |= word.contains(['ї', 'є', 'ґ', 'Ї', 'Є']);
                self.not_arabic |= word.contains(['پ', 'چ', 'ژ', 'گ', 'ک', 'ی', 'ٹ', 'ڈ', 'ے']);
            }
        }
    }

    /// The language of a text that is mostly in a script of neither English nor Chinese.
    fn by_script(&self) -> Option<OtherLanguage> {
        let cjk = self.han + self.katakana + self.hiragana;
        // Katakana in Chinese text mostly writes Japanese names; hiragana makes sentences.
        if carries_the_meaning(cjk, self.latin) && self.hiragana >= 3 && self.hiragana * 10 >= cjk {
            return Some(OtherLanguage::Japanese);
        }
        let scripts = [
            (self.hangul, OtherLanguage::Korean),
            (self.cyrillic, self.cyrillic_language()),
            (self.greek, OtherLanguage::Greek),
            (self.hebrew, OtherLanguage::Hebrew),
            (self.arabic, if self.not_arabic { OtherLanguage::Unknown } else { OtherLanguage::Arabic }),
            (self.thai, OtherLanguage::Thai),
            (self.others, OtherLanguage::Unknown),
        ];
        let (words, other) = scripts.into_iter().max_by_key(|(words, _)| *words)?;
        // A sentence around an error message has more words than the message, which has hardly any small words.
        let has_sentences = words >= ENOUGH_WORDS && words >= self.small_letters && words >= 4 * self.english;
        let is_said = words > 2 * self.small_letters || has_sentences;
        let is_most = is_said && words * 4 > self.latin && words * 16 > cjk * 10;
        (words >= 2 && is_most).then_some(other)
    }

    fn cyrillic_language(&self) -> OtherLanguage {
        match (self.russian, self.ukrainian) {
            (true, false) => OtherLanguage::Russian,
            (false, true) => OtherLanguage::Ukrainian,
            _ => OtherLanguage::Unknown,
        }
    }

    /// The language in Latin letters whose small words the text has, if it is not English.
    fn by_small_words(
        &self,
        profiles: [(OtherLanguage, Evidence); LATIN.len()],
        marked: Evidence,
    ) -> Option<OtherLanguage> {
        let [named @ .., (_, others)] = profiles;
        let (mut best, mut language) = (others, OtherLanguage::Unknown);
        let most = named.iter().map(|(_, evidence)| evidence.count).max().unwrap_or_default();
        let mut leaders = named.into_iter().filter(|(_, evidence)| evidence.count == most);
        if most >= others.count
            && let Some((first, evidence)) = leaders.next()
        {
            best = evidence;
            // A single word may be chance.
            let is_clear = leaders.next().is_none() && most > 1;
            language = if is_clear { first } else { OtherLanguage::Unknown };
        }
        let sum = best.count + marked.count;
        let is_varied = best.is_varied || marked.is_varied || best.count > 0 && marked.count > 0;
        let needed = if best.count > 0 { SMALL_WORDS_OF_100 } else { MARKED_OF_100 };
        let is_enough = best.count > 0 || marked.count >= MARKED_ALONE;
        let is_most = sum >= 2 * self.english && sum * 100 >= self.latin * needed;
        (is_varied && is_enough && is_most).then_some(language)
    }
}
