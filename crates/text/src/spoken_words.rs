//! Cuts a sentence into its words of a natural language, without code, names in code, addresses and quotations.

use super::lexicon::is_cjk;

/// The script of a letter, as far as scripts distinguish languages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Script {
    /// Latin letters, with and without marks.
    Latin,
    /// Chinese characters, in Chinese and Japanese.
    Han,
    /// The Japanese script for names and foreign words.
    Katakana,
    /// The Japanese script for its own small words and endings.
    Hiragana,
    /// Hangul, the Korean script.
    Hangul,
    /// The script of Russian and other languages.
    Cyrillic,
    /// The letters of Greek.
    Greek,
    /// The letters of Hebrew.
    Hebrew,
    /// The script of Arabic, Persian and other languages.
    Arabic,
    /// The letters of Thai.
    Thai,
    /// Any script without its own variant.
    Other,
}

impl Script {
    /// The script of a letter; `None` for other characters, and for の, which people write in Chinese as well.
    pub(crate) fn of(c: char) -> Option<Self> {
        if c.is_ascii() {
            return c.is_ascii_alphabetic().then_some(Self::Latin);
        }
        match u32::from(c) {
            0x306E => None,
            0x3041..=0x309F => Some(Self::Hiragana),
            0x30A1..=0x30FA | 0x30FC..=0x30FF => Some(Self::Katakana),
            0x1100..=0x11FF | 0x3130..=0x318F | 0xAC00..=0xD7A3 => Some(Self::Hangul),
            _ if is_cjk(c) => Some(Self::Han).filter(|_| c.is_alphabetic()),
            _ if !c.is_alphabetic() => None,
            0x00AA..=0x024F | 0x1E00..=0x1EFF => Some(Self::Latin),
            0x0370..=0x03FF | 0x1F00..=0x1FFF => Some(Self::Greek),
            0x0400..=0x052F => Some(Self::Cyrillic),
            0x0590..=0x05FF => Some(Self::Hebrew),
            0x0600..=0x06FF | 0x0750..=0x077F => Some(Self::Arabic),
            0x0E00..=0x0E7F => Some(Self::Thai),
            _ => Some(Self::Other),
        }
    }

    /// Returns true for scripts without spaces between words, whose letters are counted.
    fn is_counted_by_letters(self) -> bool {
        matches!(self, Self::Han | Self::Katakana | Self::Hiragana)
    }
}

/// A word or a letter of a sentence.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Spoken<'w> {
    /// A word in Latin letters.
    Latin {
        /// The word in lower case.
        word: &'w str,
        /// It is an ordinary word: not part of a name, nor a code in a list of codes ("de, fr, es").
        stands_for_itself: bool,
        /// It begins with a capital letter.
        is_capitalised: bool,
    },
    /// A letter of a script whose letters are counted.
    Letter(Script),
    /// A word in any other script.
    Word {
        /// The script of its first letter.
        script: Script,
        /// The word as it is written.
        word: &'w str,
    },
}

/// The longest quotation; a longer one begins with a mark of another meaning, such as inches.
const LONGEST_QUOTATION: usize = 600;

/// Calls `take` with every word of a sentence, in order.
pub(crate) fn each_spoken(sentence: &str, take: &mut impl FnMut(Spoken<'_>)) {
    let mut rest = sentence;
    let mut begins = true;
    let mut lower = String::new();
    while let Some(at) = rest.find(|c: char| !c.is_whitespace()) {
        begins |= rest[..at].contains(['\n', '\r']);
        rest = &rest[at..];
        if let Some(end) = quotation(rest) {
            rest = &rest[end..];
            begins = false;
            continue;
        }
        let end = rest.char_indices().skip(1).find(|(at, c)| c.is_whitespace() || opens_quotation(rest, *at, *c));
        let (chunk, behind) = rest.split_at(end.map_or(rest.len(), |(at, _)| at));
        each_of_chunk(chunk, begins, &mut lower, take);
        begins = chunk.ends_with(['.', '!', '?', ':', '…', '-', '*', '#', '|']);
        rest = behind;
    }
}

/// The marks that open a quotation, each with the marks that may close it.
const QUOTATIONS: [(char, &[char]); 7] = [
    ('`', &['`']),
    ('"', &['"']),
    ('“', &['”', '"']),
    ('„', &['“', '”', '"']),
    ('«', &['»']),
    ('「', &['」']),
    ('『', &['』']),
];

/// The end of the quotation at the start of the text, after its last mark.
fn quotation(text: &str) -> Option<usize> {
    let first = text.chars().next()?;
    let (_, closing) = QUOTATIONS.iter().find(|(opening, _)| *opening == first)?;
    let inner = text.get(first.len_utf8()..)?;
    let length = inner.find(*closing).filter(|length| *length <= LONGEST_QUOTATION)?;
    let mark = inner[length..].chars().next()?;
    Some(first.len_utf8() + length + mark.len_utf8())
}

fn opens_quotation(text: &str, at: usize, c: char) -> bool {
    QUOTATIONS.iter().any(|(opening, _)| *opening == c) && quotation(&text[at..]).is_some()
}

/// The words of a run of characters without spaces.
fn each_of_chunk(chunk: &str, begins: bool, lower: &mut String, take: &mut impl FnMut(Spoken<'_>)) {
    let words = chunk.trim_matches(|c: char| !c.is_alphanumeric());
    if words.is_empty() || words.contains("://") {
        return;
    }
    if words.chars().all(|c| c.is_ascii() || Script::of(c) == Some(Script::Latin) || !c.is_alphabetic()) {
        let is_listed = chunk.ends_with(',') && words.chars().count() <= 2;
        for part in words.split(['\'', '’']) {
            // Any other character inside makes it code, a version, or a part of a compound.
            if part.is_empty() || !part.chars().all(|c| Script::of(c) == Some(Script::Latin)) {
                continue;
            }
            let is_capitalised = part.starts_with(char::is_uppercase);
            lower.clear();
            lower.extend(part.chars().flat_map(char::to_lowercase));
            let stands_for_itself = !is_listed && (begins || !is_capitalised);
            take(Spoken::Latin { word: lower, stands_for_itself, is_capitalised });
        }
        return;
    }
    let mut run: Option<(Script, usize)> = None;
    for (at, c) in words.char_indices().chain([(words.len(), ' ')]) {
        let script = Script::of(c);
        let goes_on = match (run, script) {
            (Some((current, _)), Some(script)) => current == script,
            (Some(_), None) => is_mark(c),
            (None, _) => false,
        };
        if goes_on {
            continue;
        }
        if let Some((script, start)) = run.take() {
            tell_run(script, &words[start..at], lower, take);
        }
        match script {
            Some(script) if script.is_counted_by_letters() => take(Spoken::Letter(script)),
            Some(script) => run = Some((script, at)),
            None => {}
        }
    }
}

/// Returns true for a sign that belongs to the letter before it: a separate accent, a vowel sign, a joiner.
fn is_mark(c: char) -> bool {
    matches!(u32::from(c), 0x0300..=0x036F | 0x064B..=0x065F | 0x0900..=0x109F | 0x200C..=0x200D)
}

fn tell_run(script: Script, word: &str, lower: &mut String, take: &mut impl FnMut(Spoken<'_>)) {
    if script != Script::Latin {
        return take(Spoken::Word { script, word });
    }
    lower.clear();
    lower.extend(word.chars().flat_map(char::to_lowercase));
    let is_capitalised = word.starts_with(char::is_uppercase);
    take(Spoken::Latin { word: lower, stands_for_itself: false, is_capitalised });
}

#[cfg(test)]
mod tests {
    use super::*;

    fn latin(sentence: &str) -> Vec<String> {
        let mut words = Vec::new();
        each_spoken(sentence, &mut |spoken| {
            if let Spoken::Latin { word, stands_for_itself, .. } = spoken {
                words.push(if stands_for_itself { word.to_owned() } else { format!("({word})") });
            }
        });
        words
    }

    #[test]
    fn code_quotations_and_addresses_are_not_spoken() {
        assert_eq!(
            latin("Open `a b` at https://x.test/de/la with v1.2 \"die Datei\" now"),
            ["open", "at", "with", "now"]
        );
        assert_eq!(latin("L'utilisateur n’est pas là."), ["l", "utilisateur", "n", "est", "pas", "là"]);
        assert_eq!(latin("an \"open mark stays"), ["an", "open", "mark", "stays"]);
    }

    #[test]
    fn names_and_codes_do_not_stand_for_themselves() {
        assert_eq!(latin("Ask De la Cruz: Der Rest"), ["ask", "(de)", "la", "(cruz)", "der", "(rest)"]);
        assert_eq!(latin("locales de, fr and it"), ["locales", "(de)", "fr", "and", "it"]);
    }

    #[test]
    fn scripts_are_told_letter_by_letter_or_word_by_word() {
        let mut seen = Vec::new();
        each_spoken("VSで開く Настройки の हिन्दी", &mut |spoken| {
            seen.push(match spoken {
                Spoken::Latin { word, .. } => word.to_owned(),
                Spoken::Letter(script) => format!("{script:?}"),
                Spoken::Word { script, .. } => format!("{script:?} word"),
            });
        });
        assert_eq!(seen, ["vs", "Hiragana", "Han", "Hiragana", "Cyrillic word", "Other word"]);
    }
}
