//! Weighs a sentence: does it state a rule whose outcome somebody can observe?
//!
//! Each sign counts a little, none decides alone: numbers with units, conditions, outcomes, literal texts, words that bind;
//! against it promises of quality, doubts, questions, process steps. The figures were set by hand on our own tickets.

use reqgate_base::model::{Genre, SectionRole, Span};
use reqgate_text::quantities::quantities;
use reqgate_text::{Cue, CueSet, Reading, Sentence};

/// What weighing a sentence gave.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Weight {
    /// The higher, the more a tester can do with it; 1 is enough where the section already says that it is a criterion.
    pub score: i32,
    /// True if it speaks of an error, a limit or a refusal.
    pub negative: bool,
}

/// What a statement needs inside a section of criteria, rules or decisions.
pub const ENOUGH_UNDER_A_HEADING: i32 = 2;
/// What a statement needs in prose that nobody called a criterion.
pub const ENOUGH_IN_PROSE: i32 = 4;

/// Weighs a sentence.
pub fn weigh(text: &str, reading: &Reading, sentence: &Sentence) -> Weight {
    weigh_span(text, reading, sentence.span, sentence.cues, sentence.genre)
}

/// Weighs any stretch of the text.
pub fn weigh_span(text: &str, reading: &Reading, span: Span, cues: CueSet, genre: Genre) -> Weight {
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

/// True if the sentence reports what was or is instead of stating what shall be.
pub fn is_report(sentence: &Sentence) -> bool {
    let binds = sentence.cues.has(Cue::Obligation);
    matches!(
        sentence.role,
        SectionRole::Rationale | SectionRole::Goals | SectionRole::Risks | SectionRole::Alternatives
    ) || sentence.cues.has(Cue::Narrative) && !binds
        || sentence.cues.has(Cue::Pain) && !binds && !sentence.cues.has(Cue::Observable)
}

/// Words that stand for a value, a screen text, a name in code, a file or an error code.
pub fn has_literal(words: &str) -> bool {
    words.contains(['`', '“', '「', '『', '【'])
        || words.matches('"').count() >= 2
        || words.contains("->")
        || words.contains('→')
        || words.contains("{{")
        || has_code_word(words)
}

/// `E7031`, `HTTP 404`, `SMS_2204`, `--dry-run`, `config.yaml`, `exit 2`.
fn has_code_word(words: &str) -> bool {
    // Without one of these no word can be a name of code.
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

/// "not", "no" and the like make a sentence negative only together with something else; "must not fail" is an empty promise.
fn only_obligation(words: &str) -> bool {
    let lower = words.to_lowercase();
    lower.starts_with("no ") && lower.split_whitespace().count() <= 3
}
