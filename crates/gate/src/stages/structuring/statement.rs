//! Scores sentences: a high score means a rule with an observable outcome.
//!
//! Several signs add up, and none decides alone. Numbers with units, conditions, outcomes, literal texts and binding
//! words count for it; promises of quality, doubts, questions and process steps count against it. The values were set
//! by hand on our own tickets.

use reqgate_base::model::{Genre, SectionRole, Span};
use reqgate_text::quantities::quantities;
use reqgate_text::{Cue, CueSet, Reading, Sentence};

/// The score of a sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Weight {
    /// The higher, the more useful the sentence is to a tester; 1 is enough if the section already calls it a
    /// criterion.
    pub score: i32,
    /// The sentence is about an error, a limit or a refusal.
    pub negative: bool,
}

/// The score needed in a section of criteria, rules or decisions.
pub(crate) const ENOUGH_UNDER_A_HEADING: i32 = 2;
/// The score needed in prose that is not called a criterion.
pub(crate) const ENOUGH_IN_PROSE: i32 = 4;

/// Scores a sentence by its words, cues and genre.
pub(crate) fn weigh(text: &str, reading: &Reading, sentence: &Sentence) -> Weight {
    weigh_span(text, reading, sentence.span, sentence.cues, sentence.genre)
}

/// Scores any span of the text.
pub(crate) fn weigh_span(text: &str, reading: &Reading, span: Span, cues: CueSet, genre: Genre) -> Weight {
    let words = span.slice(text);
    let measured = quantities(text, span).iter().map(|q| if q.dimension.is_some() { 2 } else { 1 }).max().unwrap_or(0);
    let literal = has_literal(words);
    let mut score = measured + i32::from(literal);
    for (cue, points) in [
        (Cue::Condition, 1),
        (Cue::Observable, 1),
        (Cue::Obligation, 1),
        (Cue::Failure, 1),
        (Cue::Bound, 1),
        (Cue::Process, -4),
        (Cue::Hedge, -3),
        (Cue::Open, -4),
        (Cue::Proposal, -2),
        (Cue::Placeholder, -4),
        (Cue::Elsewhere, -2),
    ] {
        score += if cues.has(cue) { points } else { 0 };
    }
    score += i32::from(reading.count_cue(span, Cue::Observable) >= 2);
    let vague = reading.count_cue(span, Cue::Vague);
    if cues.has(Cue::Empty) {
        score -= if measured >= 2 || literal { 1 } else { 4 };
    } else if (vague > 0 || cues.has(Cue::Improve)) && measured < 2 && !literal {
        let outcomes = reading.count_cue(span, Cue::Observable) + usize::from(cues.has(Cue::Condition));
        score -= if vague.max(1) + usize::from(cues.has(Cue::Improve)) > outcomes { 4 } else { 1 };
    }
    if words.ends_with(['?', '？']) || genre == Genre::Question {
        score -= 4;
    }
    // No character is wider than its bytes, and none has more than four.
    if words.len() < 32 && reqgate_text::display_width(words) < 8 {
        score -= 2;
    }
    let negative = cues.has(Cue::Failure) && !only_obligation(words);
    Weight { score, negative }
}

/// Returns true if the sentence reports a past or present state instead of stating a rule.
pub(crate) fn is_report(sentence: &Sentence) -> bool {
    let binds = sentence.cues.has(Cue::Obligation);
    matches!(
        sentence.role,
        SectionRole::Rationale | SectionRole::Goals | SectionRole::Risks | SectionRole::Alternatives
    ) || sentence.cues.has(Cue::Narrative) && !binds
        || sentence.cues.has(Cue::Pain) && !binds && !sentence.cues.has(Cue::Observable)
}

/// Returns true for words with a value, a screen text, a name in code, a file or an error code.
pub(crate) fn has_literal(words: &str) -> bool {
    words.contains(['`', '“', '「', '『', '【'])
        || words.matches('"').count() >= 2
        || words.contains("->")
        || words.contains('→')
        || words.contains("{{")
        || has_code_word(words)
}

/// Returns true for `E7031`, `HTTP 404`, `SMS_2204`, `--dry-run`, `config.yaml`, `exit 2`.
fn has_code_word(words: &str) -> bool {
    // Every name of code contains one of these characters.
    if !words.bytes().any(|byte| matches!(byte, b'_' | b'-' | b'0'..=b'9')) {
        return false;
    }
    words
        .split(|c: char| c.is_whitespace() || matches!(c, ',' | ';' | '(' | ')' | '，' | '。' | '：' | '、'))
        .any(is_code_word)
}

fn is_code_word(word: &str) -> bool {
    let all = |fits: fn(u8) -> bool| word.bytes().all(|byte| byte.is_ascii_alphanumeric() || fits(byte));
    let has_digits = || word.bytes().filter(u8::is_ascii_digit).count() >= 2;
    let flag = word.starts_with("--") && word.len() > 3;
    let code = || has_digits() && word.bytes().any(|b| b.is_ascii_uppercase()) && all(|b| matches!(b, b'_' | b'-'));
    let snake = || word.len() > 4 && word.contains('_') && all(|b| matches!(b, b'_' | b'.'));
    flag || code() || snake()
}

/// Returns true for short sentences that begin with "no". Negation alone does not make a sentence negative, and "must
/// not fail" is an empty promise.
fn only_obligation(words: &str) -> bool {
    let lower = words.to_lowercase();
    lower.starts_with("no ") && lower.split_whitespace().count() <= 3
}
