//! Finds many literals in one pass, whatever their case: a small hash table over how a literal begins.
//!
//! Building it takes a fraction of the time of an automaton, which is what counts for a program that starts anew for
//! every text; every overlapping literal is found.

/// By what part of its beginning a literal is looked up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Key {
    /// The whole first word, or one character of another script or a mark; the literal must stand alone.
    Word,
    /// The first two bytes, wherever a word or a part of a name begins.
    Pair,
}

/// Literals with a value each.
#[derive(Debug)]
pub(super) struct Lexicon<T> {
    key: Key,
    entries: Vec<Entry<T>>,
    /// The first entry of each bucket, which leads to the others.
    buckets: Vec<Option<u16>>,
    /// One bit for each pair of bytes that a literal begins with: most places are passed over by it.
    begins: Vec<u64>,
}

#[derive(Debug)]
struct Entry<T> {
    /// The next entry of the same bucket.
    next: Option<u16>,
    hash: u32,
    literal: String,
    value: T,
}

const BUCKETS: u32 = 4096;

impl<T: Copy> Lexicon<T> {
    /// Builds the table; literals that cannot be looked up (empty, or one byte with pairs) are left out.
    pub(super) fn new(key: Key, literals: impl Iterator<Item = (String, T)>) -> Self {
        let hashed = literals.filter_map(|(literal, value)| {
            let hash = hash_of(key, literal.as_bytes())?;
            Some(Entry { next: None, hash, literal, value })
        });
        let mut entries: Vec<Entry<T>> = hashed.take(usize::from(u16::MAX)).collect();
        let mut buckets = vec![None; BUCKETS as usize];
        // From the last to the first, so that those of a bucket come in their order.
        for (entry, at) in entries.iter_mut().zip(0..=u16::MAX).rev() {
            entry.next = buckets[(entry.hash % BUCKETS) as usize].replace(at);
        }
        let mut begins = vec![0; (1 << 16) / 64];
        for entry in &entries {
            let sign = sign_at(key, entry.literal.as_bytes(), 0).0;
            begins[sign / 64] |= 1 << (sign % 64);
        }
        Self { key, entries, buckets, begins }
    }

    /// Calls `hit` with start, end and value of every literal, in the order of starts.
    pub(super) fn scan(&self, text: &str, mut hit: impl FnMut(usize, usize, T)) {
        let bytes = text.as_bytes();
        let mut at = 0;
        while at < bytes.len() {
            let (sign, next) = sign_at(self.key, bytes, at);
            if self.begins[sign / 64] & 1 << (sign % 64) == 0 {
                at = next;
                continue;
            }
            let hash = match self.key {
                Key::Word => word_at(bytes, at),
                Key::Pair => pair_at(bytes, at),
            };
            if let Some(hash) = hash {
                let mut next = self.buckets[(hash % BUCKETS) as usize];
                while let Some(entry) = next.and_then(|at| self.entries.get(usize::from(at))) {
                    next = entry.next;
                    if entry.hash != hash {
                        continue;
                    }
                    let end = at + entry.literal.len();
                    let same =
                        bytes.get(at..end).is_some_and(|slice| slice.eq_ignore_ascii_case(entry.literal.as_bytes()));
                    if same && (self.key == Key::Pair || ends_word(bytes, end)) {
                        hit(at, end, entry.value);
                    }
                }
            }
            at = next;
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

/// A sign of how a literal begins, below 65,536, and where the next may begin: the first two bytes in lower case, for words
/// mixed with the length. Two literals may have the same.
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

/// ASCII letters, digits and the low line.
const WORDY: [bool; 256] = {
    let mut wordy = [false; 256];
    let mut byte = 0_u8;
    while byte < 128 {
        wordy[byte as usize] = byte.is_ascii_alphanumeric() || byte == b'_';
        byte += 1;
    }
    wordy
};

/// The hash of the two bytes at `at`, unless they stand within a word.
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

/// True if a literal that ends at `end` stands alone; other scripts have no word borders.
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
    fn pairs_find_beginnings_within_names() {
        let found =
            hits(Key::Pair, &["password", "ghp_", "://", "q~"], "DB_PASSWORD dbPassword ghp_x a://b 8Q~ xpassword");
        assert_eq!(found, ["PASSWORD", "Password", "ghp_", "://", "Q~"]);
    }
}
