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
            match entry.literal.as_bytes() {
                // Any byte may follow a literal of one.
                [only] => {
                    let first = usize::from(only.to_ascii_lowercase()) << 8;
                    begins[first / 64..(first + 256) / 64].fill(u64::MAX);
                }
                literal => {
                    let pair = first_pair(literal, 0);
                    begins[pair / 64] |= 1 << (pair % 64);
                }
            }
        }
        Self { key, entries, buckets, begins }
    }

    fn may_begin(&self, bytes: &[u8], at: usize) -> bool {
        let pair = first_pair(bytes, at);
        self.begins[pair / 64] & 1 << (pair % 64) != 0
    }

    /// Calls `hit` with start, end and value of every literal, in the order of starts.
    pub(super) fn scan(&self, text: &str, mut hit: impl FnMut(usize, usize, T)) {
        let bytes = text.as_bytes();
        let mut at = 0;
        while at < bytes.len() {
            if !self.may_begin(bytes, at) {
                at = match self.key {
                    Key::Word => next_word(bytes, at),
                    Key::Pair => at + 1,
                };
                continue;
            }
            let (hash, next) = match self.key {
                Key::Word => word_at(bytes, at),
                Key::Pair => (pair_at(bytes, at), at + 1),
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
        Key::Word => word_at(literal, 0).0,
        Key::Pair => (literal.len() > 1).then(|| fold(fold(SEED, literal[0]), literal[1])),
    }
}

/// FNV-1a over lower-case bytes.
const SEED: u32 = 0x811c_9dc5;

fn fold(hash: u32, byte: u8) -> u32 {
    (hash ^ u32::from(byte.to_ascii_lowercase())).wrapping_mul(0x0100_0193)
}

/// The two bytes at `at` in lower case as one number; zero stands for what is missing.
fn first_pair(bytes: &[u8], at: usize) -> usize {
    let byte = |at: usize| bytes.get(at).map_or(0, |byte| usize::from(byte.to_ascii_lowercase()));
    byte(at) << 8 | byte(at + 1)
}

/// Behind the word or the character that begins at `at`.
fn next_word(bytes: &[u8], at: usize) -> usize {
    if WORDY[usize::from(bytes[at])] {
        let length = bytes[at..].iter().position(|byte| !WORDY[usize::from(*byte)]);
        return length.map_or(bytes.len(), |length| at + length);
    }
    at + width(bytes[at])
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

/// The hash of the word that begins at `at`, if one does, and where to look next.
fn word_at(bytes: &[u8], at: usize) -> (Option<u32>, usize) {
    let Some(first) = bytes.get(at).copied() else { return (None, at + 1) };
    if WORDY[usize::from(first)] {
        let mut hash = SEED;
        let mut end = at;
        for byte in &bytes[at..] {
            if !WORDY[usize::from(*byte)] {
                break;
            }
            hash = fold(hash, *byte);
            end += 1;
        }
        return ((first != b'_').then_some(hash), end);
    }
    if matches!(first, b' ' | b'\n' | b'\t' | b'\r') {
        return (None, at + 1);
    }
    let end = (at + width(first)).min(bytes.len());
    (Some(bytes[at..end].iter().fold(SEED, |hash, byte| fold(hash, *byte))), end)
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
    } else if !first.is_ascii_punctuation() {
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
