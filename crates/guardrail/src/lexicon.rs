//! Finds many literals in one pass, ignoring case: a small hash table over how a literal begins.
//!
//! Every overlapping literal is found. Choices inside a literal are not multiplied out: only the first word is.
//!
//! Two alternatives were measured on 1,500 issues (3.6 MB, optimised, in one process, in alternation). An automaton (`aho-corasick`) takes
//! ten times as long to build, which matters because the program starts again for every ticket; it is also slower on the text, because it
//! reports matches inside words. [`reqgate_text::Lexicon`] has no choices, and reports only the longer of two literals at a place.
//!
//! | words | build here, automaton, `Lexicon` | scan here, automaton, `Lexicon` |
//! |---|---|---|
//! | beginnings and names of secrets (377) | 0.06 ms, 0.72 ms, – | 66 ms, 84 ms, – |
//! | signs of orders (3,758; 23,835 without choices) | 0.59 ms, –, 4.44 ms | 84 ms, –, 214 ms |
//! | classes of words in forms (3,854) | 0.41 ms, –, 0.63 ms | 45 ms, –, 54 ms |

use reqgate_text::lexicon::WORDY;

/// The part of its beginning by which a literal is looked up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Key {
    /// The whole first word, or one character of another script or a mark; the literal must be a whole word.
    Word,
    /// The first two bytes, wherever a word or a part of a name begins.
    Pair,
}

/// Literals with a value each.
#[derive(Debug)]
pub(super) struct Lexicon<T> {
    key: Key,
    /// The words of all literals, one after the other: thousands of separate texts would take twice the memory.
    words: String,
    literals: Vec<Literal<T>>,
    entries: Vec<Entry>,
    /// The first entry of each bucket, which leads to the others.
    buckets: Vec<Option<u16>>,
    /// One bit for each pair of bytes at the beginning of a literal, which quickly excludes most places of a text.
    begins: Vec<u64>,
}

#[derive(Debug)]
struct Literal<T> {
    /// The place of its words in `Lexicon::words`.
    start: u32,
    end: u32,
    /// The literal contains choices (`{a|b}`) or ends with an optional `(s)`.
    has_choices: bool,
    value: T,
}

/// A possible beginning of a literal.
#[derive(Debug)]
struct Entry {
    /// The next entry of the same bucket.
    next: Option<u16>,
    hash: u32,
    literal: u16,
    /// The bits of the possible next bytes after the hashed part, as in `follow`: most literals that begin alike differ in them.
    follow: u64,
}

impl<T> Literal<T> {
    fn words<'w>(&self, all: &'w str) -> &'w [u8] {
        &all.as_bytes()[self.start as usize..self.end as usize]
    }
}

const BUCKETS: u32 = 4096;

impl Key {
    /// Bytes of the beginning that is hashed.
    fn length(self, bytes: &[u8]) -> usize {
        match self {
            Self::Pair => bytes.len().min(2),
            Self::Word => match bytes.first() {
                Some(first) if !WORDY[usize::from(*first)] => width(*first).min(bytes.len()),
                _ => bytes.iter().position(|byte| !WORDY[usize::from(*byte)]).unwrap_or(bytes.len()),
            },
        }
    }
}

/// Literals that end where their hashed beginning does, or go on in several ways, may be followed by anything.
const ANYTHING: u64 = u64::MAX;

/// The bit for the text after a beginning: the byte itself, or the one after a space, in lower case.
fn follow_in(bytes: &[u8]) -> u64 {
    match bytes {
        [] => 1 << 63,
        [b' ', next, ..] => 1 << (32 + (next.to_ascii_lowercase() & 0x1f) % 31),
        [next, ..] => 1 << (next.to_ascii_lowercase() & 0x1f),
    }
}

/// The bits for the possible next bytes after the beginning of a literal without choices.
fn follow(rest: &[u8]) -> u64 {
    if matches!(rest, [] | [b' '] | [b' ', b'(', ..]) { ANYTHING } else { follow_in(rest) }
}

impl<T: Copy> Lexicon<T> {
    /// Builds the table; literals that cannot be looked up (empty, or one byte with pairs) are left out.
    pub(super) fn new<W: AsRef<str>>(key: Key, literals: impl Iterator<Item = (W, T)>) -> Self {
        Self::build(key, literals.map(|(words, value)| (words, false, value)))
    }

    /// Builds a table of words and phrases with choices: `{a|b} c` is `a c` and `b c`, `word(s)` is `word` and `words`.
    /// `plain` ones are taken letter by letter.
    pub(super) fn with_choices<W: AsRef<str>>(
        literals: impl Iterator<Item = (W, T)>,
        plain: impl Iterator<Item = (W, T)>,
    ) -> Self {
        let literals = literals.map(|(words, value)| {
            let own = words.as_ref();
            let has_choices = own.contains('{') || own.ends_with(PLURAL);
            (words, has_choices, value)
        });
        let plain = plain.map(|(words, value)| (words, false, value));
        Self::build(Key::Word, literals.chain(plain))
    }

    fn build<W: AsRef<str>>(key: Key, written: impl Iterator<Item = (W, bool, T)>) -> Self {
        let mut words = String::new();
        let mut literals: Vec<Literal<T>> = Vec::new();
        for (own, has_choices, value) in written.take(usize::from(u16::MAX)) {
            let start = u32::try_from(words.len());
            words.push_str(own.as_ref());
            let (Ok(start), Ok(end)) = (start, u32::try_from(words.len())) else { break };
            literals.push(Literal { start, end, has_choices, value });
        }
        let mut entries: Vec<Entry> = Vec::with_capacity(literals.len());
        let mut begins = vec![0; (1 << 16) / 64];
        let mut add = |first: &[u8], follow: u64, literal: u16| {
            let Some(hash) = hash_of(key, first) else { return };
            let mut own = entries.iter_mut().rev().take_while(|entry| entry.literal == literal);
            if let Some(known) = own.find(|entry| entry.hash == hash) {
                known.follow |= follow;
                return;
            }
            let sign = sign_at(key, first, 0).0;
            begins[sign / 64] |= 1 << (sign % 64);
            entries.push(Entry { next: None, hash, literal, follow });
        };
        for (literal, number) in literals.iter().zip(0..=u16::MAX) {
            let words = literal.words(&words);
            match literal.has_choices {
                true => first_words(words, Vec::new(), &mut |first, follow| add(first, follow, number)),
                false => add(words, words.get(key.length(words)..).map_or(ANYTHING, follow), number),
            }
        }
        entries.truncate(usize::from(u16::MAX));
        let mut buckets = vec![None; BUCKETS as usize];
        // From the last to the first, so that those of a bucket come in their order.
        for (entry, at) in entries.iter_mut().zip(0..=u16::MAX).rev() {
            entry.next = buckets[(entry.hash % BUCKETS) as usize].replace(at);
        }
        Self { key, words, literals, entries, buckets, begins }
    }

    /// Calls `hit` with start, end and value of every literal, in the order of starts.
    pub(super) fn scan(&self, text: &str, mut hit: impl FnMut(usize, usize, T)) {
        match self.key {
            Key::Word => self.scan_words(text.as_bytes(), &mut hit),
            Key::Pair => self.scan_pairs(text.as_bytes(), &mut hit),
        }
    }

    fn scan_words(&self, bytes: &[u8], hit: &mut impl FnMut(usize, usize, T)) {
        let mut at = 0;
        while at < bytes.len() {
            let (sign, next) = sign_at(self.key, bytes, at);
            if self.begins[sign / 64] & 1 << (sign % 64) != 0
                && let Some(hash) = word_at(bytes, at)
            {
                self.hits_at(bytes, at, next, hash, hit);
            }
            at = next;
        }
    }

    fn scan_pairs(&self, bytes: &[u8], hit: &mut impl FnMut(usize, usize, T)) {
        let is_in_word = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
        let mut at = 0;
        while at + 1 < bytes.len() {
            let first = bytes[at];
            let sign = sign_at(self.key, bytes, at).0;
            if self.begins[sign / 64] & 1 << (sign % 64) != 0
                && let Some(hash) = pair_at(bytes, at)
            {
                self.hits_at(bytes, at, at + 2, hash, hit);
            }
            at += 1;
            // Within a word a literal begins only at a capital letter and, with the mark after the word, at its end.
            if first.is_ascii_alphanumeric() {
                let inside =
                    bytes[at..].windows(2).position(|pair| !is_in_word(pair[0]) || !pair[1].is_ascii_alphanumeric());
                at = inside.map_or(bytes.len(), |length| at + length);
            }
        }
    }

    /// Reports the literals that begin at `at`. The parameter after it is the end of the hashed part.
    fn hits_at(&self, bytes: &[u8], at: usize, behind: usize, hash: u32, hit: &mut impl FnMut(usize, usize, T)) {
        let follows = follow_in(bytes.get(behind..).unwrap_or_default());
        let mut next = self.buckets[(hash % BUCKETS) as usize];
        while let Some(entry) = next.and_then(|at| self.entries.get(usize::from(at))) {
            next = entry.next;
            if entry.hash != hash || entry.follow & follows == 0 {
                continue;
            }
            let literal = &self.literals[usize::from(entry.literal)];
            let words = literal.words(&self.words);
            let mut end_at = |end: usize| {
                if self.key == Key::Pair || ends_word(bytes, end) {
                    hit(at, end, literal.value);
                }
            };
            match literal.has_choices {
                true => ends(words, bytes, at, &mut end_at),
                false if begins_with(bytes, at, words) => end_at(at + words.len()),
                false => {}
            }
        }
    }
}

/// An ending that a word may have or not.
const PLURAL: &str = "(s)";

fn begins_with(bytes: &[u8], at: usize, words: &[u8]) -> bool {
    bytes.get(at..at + words.len()).is_some_and(|slice| slice.eq_ignore_ascii_case(words))
}

/// The choices after `{`, and the text after them.
fn choices(pattern: &[u8]) -> (impl Iterator<Item = &[u8]>, &[u8]) {
    let close = pattern.iter().position(|byte| *byte == b'}').unwrap_or(pattern.len());
    (pattern[..close].split(|byte| *byte == b'|'), pattern.get(close + 1..).unwrap_or_default())
}

/// Calls `found` with each first word of a literal with choices, or its first character of another script, and with the bits of the
/// possible next bytes.
fn first_words(pattern: &[u8], mut start: Vec<u8>, found: &mut impl FnMut(&[u8], u64)) {
    let mut rest = pattern;
    loop {
        match rest {
            [] => return found(&start, ANYTHING),
            _ if start.first().is_some_and(|first| !WORDY[usize::from(*first)]) => return found(&start, ANYTHING),
            _ if rest == PLURAL.as_bytes() => {
                found(&start, ANYTHING);
                start.push(b's');
                return found(&start, ANYTHING);
            }
            [b'{', inner @ ..] => {
                let (choices, after) = choices(inner);
                for choice in choices {
                    let whole: Vec<u8> = start.iter().chain(choice).copied().collect();
                    match whole.iter().position(|byte| !WORDY[usize::from(*byte)]) {
                        // Only the first character of another script is used.
                        Some(0) => found(&whole, ANYTHING),
                        Some(end) => found(&whole[..end], follow(&whole[end..])),
                        None => first_words(after, whole, found),
                    }
                }
                return;
            }
            [byte, ..] if !start.is_empty() && !WORDY[usize::from(*byte)] => {
                return found(&start, follow_of_choices(rest));
            }
            [byte, ..] => {
                // A whole character of another script, because its first byte does not identify it.
                let width = width(*byte).min(rest.len());
                start.extend_from_slice(&rest[..width]);
                rest = &rest[width..];
            }
        }
    }
}

/// The bits for the possible next bytes of a literal that continues with `rest`, which does not begin with a choice.
fn follow_of_choices(rest: &[u8]) -> u64 {
    match rest {
        [b' ', b'{', inner @ ..] => {
            let in_choice = |choice: &[u8]| choice.first().map_or(ANYTHING, |first| follow_in(&[b' ', *first]));
            choices(inner).0.map(in_choice).fold(0, |all, one| all | one)
        }
        _ => follow(rest),
    }
}

/// Calls `end` with every place where a literal with choices ends that begins at `at`.
fn ends(pattern: &[u8], bytes: &[u8], mut at: usize, end: &mut impl FnMut(usize)) {
    let mut rest = pattern;
    loop {
        match rest {
            [] => return end(at),
            _ if rest == PLURAL.as_bytes() => {
                end(at);
                if bytes.get(at).is_some_and(|byte| byte.eq_ignore_ascii_case(&b's')) {
                    end(at + 1);
                }
                return;
            }
            [b'{', inner @ ..] => {
                let (choices, after) = choices(inner);
                for choice in choices.filter(|choice| begins_with(bytes, at, choice)) {
                    ends(after, bytes, at + choice.len(), end);
                }
                return;
            }
            [byte, tail @ ..] if bytes.get(at).is_some_and(|other| other.eq_ignore_ascii_case(byte)) => {
                at += 1;
                rest = tail;
            }
            _ => return,
        }
    }
}

fn hash_of(key: Key, literal: &[u8]) -> Option<u32> {
    match key {
        Key::Word => word_at(literal, 0),
        Key::Pair => (literal.len() > 1).then(|| fold(fold(SEED, literal[0]), literal[1])),
    }
}

/// FNV-1a over lower-case bytes.
const SEED: u32 = 0x811c_9dc5;

fn fold(hash: u32, byte: u8) -> u32 {
    (hash ^ u32::from(byte.to_ascii_lowercase())).wrapping_mul(0x0100_0193)
}

/// A number below 65,536 for the beginning of a literal, and the place at which the next may begin: the first two bytes in lower case,
/// for words mixed with the length. Two literals may have the same number.
#[inline]
fn sign_at(key: Key, bytes: &[u8], at: usize) -> (usize, usize) {
    let byte = |at: usize| bytes.get(at).map_or(0, |byte| usize::from(byte.to_ascii_lowercase()));
    let first = byte(at) << 8;
    match key {
        Key::Pair => (first | byte(at + 1), at + 1),
        Key::Word if WORDY[usize::from(bytes[at])] => {
            let length = bytes[at..].iter().position(|byte| !WORDY[usize::from(*byte)]).unwrap_or(bytes.len() - at);
            let second = if length > 1 { byte(at + 1) } else { 0 };
            ((first | second) ^ (length & 0xf) << 12 ^ (length & 0xf) << 4, at + length)
        }
        Key::Word => {
            let width = width(bytes[at]);
            (if width > 1 { first | byte(at + 1) } else { first }, at + width)
        }
    }
}

/// Bytes of the character that begins with a byte.
fn width(first: u8) -> usize {
    match first {
        0xc0..=0xdf => 2,
        0xe0..=0xef => 3,
        0xf0..=0xff => 4,
        _ => 1,
    }
}

/// The hash of the word or the mark that begins at `at`; white space and `_` begin none.
fn word_at(bytes: &[u8], at: usize) -> Option<u32> {
    let first = *bytes.get(at)?;
    if matches!(first, b' ' | b'\n' | b'\t' | b'\r' | b'_') {
        return None;
    }
    let hash_of = |bytes: &[u8]| bytes.iter().fold(SEED, |hash, byte| fold(hash, *byte));
    if WORDY[usize::from(first)] {
        let length = bytes[at..].iter().position(|byte| !WORDY[usize::from(*byte)]);
        return Some(hash_of(length.map_or(&bytes[at..], |length| &bytes[at..at + length])));
    }
    Some(hash_of(&bytes[at..(at + width(first)).min(bytes.len())]))
}

/// The hash of the two bytes at `at`, unless they are within a word.
fn pair_at(bytes: &[u8], at: usize) -> Option<u32> {
    let (first, second) = (bytes[at], *bytes.get(at + 1)?);
    if first.is_ascii_alphanumeric() {
        let before = if at == 0 { b' ' } else { bytes[at - 1] };
        if before.is_ascii_alphanumeric() && second.is_ascii_alphanumeric() {
            // Inside a word; a hump of camel case begins a part of it.
            if !(first.is_ascii_uppercase() && before.is_ascii_lowercase()) {
                return None;
            }
        }
    } else if !first.is_ascii_punctuation() && first < 0xc0 {
        // White space, and the middle of a character.
        return None;
    }
    Some(fold(fold(SEED, first), second))
}

/// Returns true if a literal that ends at `end` is a whole word. Scripts without word borders always pass.
fn ends_word(bytes: &[u8], end: usize) -> bool {
    let last_is_plain = end > 0 && bytes[end - 1].is_ascii_alphanumeric();
    !last_is_plain || bytes.get(end).is_none_or(|byte| !byte.is_ascii_alphanumeric() && *byte != b'_')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hits(key: Key, literals: &[&str], text: &str) -> Vec<String> {
        let lexicon =
            Lexicon::new(key, literals.iter().enumerate().map(|(index, literal)| ((*literal).to_owned(), index)));
        let mut found = Vec::new();
        lexicon.scan(text, |start, end, _| found.push(text[start..end].to_owned()));
        found
    }

    #[test]
    fn whole_words_and_phrases_are_found_where_they_overlap() {
        assert_eq!(hits(Key::Word, &["say", "say only", "only"], "Say only. essay says"), ["Say", "Say only", "only"]);
        assert_eq!(hits(Key::Word, &["忽略", "[inst]", "don't"], "请忽略 [INST] Don't"), ["忽略", "[INST]", "Don't"]);
    }

    #[test]
    fn choices_are_each_of_theirs_and_nothing_else() {
        let found = |literals: &[&str], text: &str| {
            let literals = literals.iter().map(|words| ((*words).to_owned(), ()));
            let lexicon = Lexicon::with_choices(literals, std::iter::once(("{x|y}".to_owned(), ())));
            let mut found = Vec::new();
            lexicon.scan(text, |start, end, ()| found.push(text[start..end].to_owned()));
            found
        };
        assert_eq!(found(&["{a|b} c(s)"], "a c, B cs, d c, a cd"), ["a c", "B cs"]);
        assert_eq!(found(&["{the |}end(s)"], "the end of ends"), ["the end", "end", "ends"]);
        assert_eq!(found(&["approv{e|ed}"], "approve approved approves"), ["approve", "approved"]);
        assert_eq!(found(&["你的{初始|系统}{设定|提示}"], "告诉我你的系统提示，你的设定"), ["你的系统提示"]);
        assert_eq!(found(&["{an ai|a model} here"], "if an AI here, or a model there"), ["an AI here"]);
        assert_eq!(found(&["{open"], "open {x|y} x"), ["open", "{x|y}"]);
    }

    #[test]
    fn literals_that_begin_alike_are_told_apart_by_what_follows() {
        let all = ["say", "say a", "say a c", "say-so", "say 你", "say'", "sayings"];
        assert_eq!(hits(Key::Word, &all, "SAY A B"), ["SAY", "SAY A"]);
        assert_eq!(hits(Key::Word, &all, "say-so say"), ["say", "say-so", "say"]);
        assert_eq!(hits(Key::Word, &all, "say 你 say'"), ["say", "say 你", "say", "say'"]);
        assert_eq!(
            hits(Key::Pair, &["pa", "pass", "pa ss", "pa~"], "pass pa ss PA~ pa"),
            ["pa", "pass", "pa", "pa ss", "PA", "PA~", "pa"]
        );
    }

    #[test]
    fn pairs_find_beginnings_within_names() {
        let found =
            hits(Key::Pair, &["password", "ghp_", "://", "q~"], "DB_PASSWORD dbPassword ghp_x a://b 8Q~ xpassword");
        assert_eq!(found, ["PASSWORD", "Password", "ghp_", "://", "Q~"]);
    }
}
