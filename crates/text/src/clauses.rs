//! Reads the words before a place, which may make it a case of the product ("if the size is not decided") or an account
//! of the past.

use super::words::Words;
use super::words::open_points::{ASIDES, ASSUMED_HEADINGS, BECOMES, CASES, OUTCOMES, PAST, STILL};
use super::{BlockKind, Reading, Sentence};
use reqgate_base::model::{SectionRole, Span};

/// Signs that end a clause.
const ENDS: [char; 12] = [',', '，', ';', '；', ':', '：', '。', '(', '（', '–', '—', '|'];

/// The words of the clause before a place, in lower case.
pub fn before_in_clause(text: &str, sentence: Span, hit: Span) -> String {
    Span::new(clause(text, sentence, hit).start, hit.start.max(sentence.start)).slice(text).trim().to_lowercase()
}

/// The rest of the sentence, from the start of the clause that contains a place.
pub fn clause(text: &str, sentence: Span, hit: Span) -> Span {
    let before = Span::new(sentence.start, hit.start.max(sentence.start)).slice(text);
    let start = before.rfind(ENDS).map_or(0, |at| at + before[at..].chars().next().map_or(0, char::len_utf8));
    Span::new(sentence.start + start, sentence.end)
}

/// "If the size is not decided, …", "loans whose date is not decided", 状态变为待定: a case that the product handles.
pub fn is_case_of_the_product(text: &str, sentence: Span, hit: Span) -> bool {
    CASES.are_words_of(&before_in_clause(text, sentence, hit)) || is_value_of_the_product(text, sentence, hit)
}

/// "The status is set to TBC", "yes / no / not decided yet": a value that the product shows, or one of several answers.
pub fn is_value_of_the_product(text: &str, sentence: Span, hit: Span) -> bool {
    let before = before_in_clause(text, sentence, hit);
    let behind = Span::new(hit.end, sentence.end.max(hit.end)).slice(text).trim_start();
    before.ends_with(['/', '／']) || behind.starts_with(['/', '／']) || BECOMES.end(&before)
}

/// "It was unclear who pays", 之前没定: the past, unless it lasts.
pub fn is_past(text: &str, sentence: Span, hit: Span) -> bool {
    let until = Span::new(sentence.start, hit.end).slice(text).to_lowercase();
    PAST.are_words_of(&until) && !STILL.are_words_of(&sentence.slice(text).to_lowercase())
}

/// Returns true for "By the way, …", "Assumption: …", "… to be decided; decided: CSV", and for text below a heading of
/// assumptions or of a record that is filled in after the work.
pub fn is_set_aside(text: &str, reading: &Reading, sentence: &Sentence) -> bool {
    let heading = reading.sections.get(sentence.section).and_then(|section| section.heading);
    let lower = |span: Span| span.slice(text).trim_start_matches(['(', '（', '*', '_', ' ']).to_lowercase();
    let is_named_so = |heading: Span| {
        let words = lower(heading);
        ASIDES.begin(&words) || ASSUMED_HEADINGS.are_words_of(&words)
    };
    // The label may be in another sentence of the item: "The format is TBD. Decided: CSV."
    let within = reading.blocks[sentence.block].text.join(sentence.span);
    let within = if reading.blocks[sentence.block].kind == BlockKind::Turn { sentence.span } else { within };
    ASIDES.begin(&lower(sentence.span))
        || matches!(sentence.role, SectionRole::Metadata | SectionRole::OutOfScope)
        || heading.is_some_and(is_named_so)
        || has_label(&lower(within), OUTCOMES)
}

/// Returns true if one of the labels occurs without a word before it, and with a colon and words after it.
fn has_label(words: &str, labels: &Words) -> bool {
    labels.iter().any(|label| {
        words.match_indices(label).any(|(at, _)| {
            let begins = words[..at].chars().next_back().is_none_or(|c| !c.is_alphanumeric());
            let said = words[at + label.len()..].trim_start_matches(['*', '_', ' ']);
            let said = said.strip_prefix([':', '：', ',']).unwrap_or_default();
            begins && said.chars().filter(|c| c.is_alphanumeric()).count() >= 2
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(text: &str, hit: &str, tells: fn(&str, Span, Span) -> bool) -> bool {
        let at = text.find(hit).expect("it is in the text");
        tells(text, Span::new(0, text.len()), Span::new(at, at + hit.len()))
    }

    #[test]
    fn a_case_of_the_product_is_told_from_a_remark() {
        for (text, hit) in [
            ("If the date is not decided, the field is empty.", "not decided"),
            ("A loan whose date is not decided is hidden.", "not decided"),
            ("提交后状态变为待定。", "待定"),
            ("yes / no / not decided yet", "not decided yet"),
        ] {
            assert!(told(text, hit, is_case_of_the_product), "{text}");
        }
        for (text, hit) in [
            ("If the file is empty, the wording is not decided.", "not decided"),
            ("The date is not decided.", "not decided"),
            ("限额待定。", "待定"),
        ] {
            assert!(!told(text, hit, is_case_of_the_product), "{text}");
        }
    }

    #[test]
    fn the_past_is_told_from_what_lasts() {
        assert!(told("It was unclear who pays.", "unclear", is_past));
        assert!(told("原来没定次数，现在 3 次。", "没定", is_past));
        assert!(!told("It was and still is unclear who pays.", "unclear", is_past));
        assert!(!told("The limit is not decided. It was 3.", "not decided", is_past));
    }
}
