//! Recognises vague-looking words that are part of a name, a compound, a list of values or a ratio.

use reqgate_base::model::Span;
use reqgate_text::content_words::content_words;
use reqgate_text::lexicon::is_latin_word;
use reqgate_text::words::numbers::NUMBERS;

/// Returns true for a capitalised word of a name: "the Rapid Board", or "Rapid Board" at the beginning.
pub(super) fn is_name(text: &str, sentence: Span, hit: Span) -> bool {
    let is_capital = |words: &str| {
        let mut letters = words.chars();
        letters.next().is_some_and(char::is_uppercase) && letters.next().is_some_and(char::is_lowercase)
    };
    let before = Span::new(sentence.start, hit.start).slice(text).trim_end();
    let behind = Span::new(hit.end, sentence.end.max(hit.end)).slice(text);
    let goes_on = || before.ends_with(|c: char| c.is_alphanumeric() || c == ',');
    is_capital(hit.slice(text)) && (goes_on() || behind.strip_prefix(' ').is_some_and(is_capital))
}

/// Returns true for a part of a hyphenated word or one of several values: `driver-related`, `low/medium/high`.
pub(super) fn is_compound(text: &str, hit: Span) -> bool {
    let joins = |c: char| matches!(c, '-' | '/');
    let mut before = text[..hit.start].chars().rev();
    let mut behind = text[hit.end..].chars();
    before.next().is_some_and(joins) && before.next().is_some_and(char::is_alphanumeric)
        || behind.next().is_some_and(joins) && behind.next().is_some_and(char::is_alphanumeric)
}

/// Returns true for two figures with a sign between them: `7:1`, `20 × 20`, but not the time `12:30`.
pub(super) fn has_ratio(words: &str) -> bool {
    let is_digit = |c: char| c.is_ascii_digit();
    words.match_indices([':', '×', 'x']).any(|(at, sign)| {
        let (before, behind) = (words[..at].trim_end_matches(' '), words[at + sign.len()..].trim_start_matches(' '));
        let digits = behind.chars().take_while(char::is_ascii_digit).count();
        before.ends_with(is_digit) && digits > 0 && (sign != ":" || digits == 1)
    })
}

/// The distance, in bytes, within which to search for another use of a noun.
const NEARBY: usize = 4_000;

/// Returns true if the noun after a place is also used elsewhere nearby. A figure may precede it.
pub(super) fn is_known(text: &str, sentence: Span, hit: Span) -> bool {
    let behind = Span::new(hit.end, sentence.end.max(hit.end)).slice(text);
    let mut words = behind.split(|c: char| !is_latin_word(c)).filter(|word| !word.is_empty());
    let is_figure = |word: &&str| word.bytes().all(|byte| byte.is_ascii_digit()) || NUMBERS.en.contains(word);
    let Some(first) = words.next() else { return false };
    let noun = if is_figure(&first) { words.next().unwrap_or(first) } else { first };
    let Some(stem) = content_words(noun).pop() else { return false };
    let after = hit.end + behind.find(noun).map_or(0, |at| at + noun.len());
    let from = text.floor_char_boundary(hit.start.saturating_sub(NEARBY));
    let to = text.floor_char_boundary(after.saturating_add(NEARBY).min(text.len()));
    [&text[from..hit.start], &text[after..to]].iter().any(|part| {
        let part = part.to_lowercase();
        part.match_indices(&stem).any(|(at, _)| !part[..at].ends_with(is_latin_word))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str, word: &str) -> (Span, Span) {
        let start = text.find(word).unwrap();
        (Span::new(0, text.len()), Span::new(start, start + word.len()))
    }

    #[test]
    fn a_name_has_capitals_inside_a_sentence_or_before_another_word_in_capitals() {
        for (text, word, expected) in [
            ("Open the Rapid Board.", "Rapid", true),
            ("Rapid Board is shown.", "Rapid", true),
            ("Rapid answers are wanted.", "Rapid", false),
            ("It MUST NOT be Fast", "MUST", false),
        ] {
            let (sentence, hit) = at(text, word);
            assert_eq!(is_name(text, sentence, hit), expected, "{text}");
        }
    }

    #[test]
    fn compounds_and_values_are_no_words_of_their_own() {
        for (text, expected) in
            [("a low-level call", true), ("风险等级（low/medium/high）", true), ("a low - level", false)]
        {
            assert_eq!(is_compound(text, at(text, "low").1), expected, "{text}");
        }
        assert!(is_compound("driver-related", at("driver-related", "related").1));
    }

    #[test]
    fn a_ratio_is_a_measure_and_a_time_of_day_is_not_a_ratio() {
        assert!(["a contrast of 4.5:1", "44×44 points", "20 x 20"].iter().all(|text| has_ratio(text)));
        assert!(["at 12:30", "note: 1", "the box 4"].iter().all(|text| !has_ratio(text)));
    }

    #[test]
    fn a_noun_that_the_text_uses_is_known() {
        for (text, expected) in [
            ("A change of one pane is shown in the other two panes.", true),
            ("Inform other systems of the fault.", false),
            ("Other members read the profile of a member.", true),
        ] {
            let (sentence, hit) = at(text, if text.starts_with('O') { "Other" } else { "other" });
            assert_eq!(is_known(text, sentence, hit), expected, "{text}");
        }
    }
}
