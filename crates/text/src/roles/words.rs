//! Evidence in the words of a sentence alone: its opening, whether it is prose at all, and the things that it names.

use super::Facts;
use crate::cues::Cue;
use crate::lexicon::is_cjk;
use crate::line_shapes::is_log_line;
use crate::reading::{Reading, Sentence};
use crate::words::List;
use crate::words::roles::{
    CONDITION_SIGNS, CONDITIONS, CONTRASTS, ENVIRONMENT_OPENINGS, FILLERS, FORBIDDING, GOOD_CASES, MEETING_SOMETHING,
    MUSING, NO_VERBS, OBJECTS, PLACES, PLEASANT_PHRASES, PLEASANTRIES, SOMEBODY, STATES, STEPS_ANNOUNCED, TURNS,
};
use reqgate_base::model::Span;

/// The longest place before an instruction ("In the settings of the second account, …"), in bytes.
const LONGEST_PLACE: usize = 60;

/// The start of the words that carry the statement of a sentence.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Lead {
    pub(crate) start: usize,
    end: usize,
}

impl Lead {
    pub(crate) fn of(text: &str, span: Span) -> Self {
        let words = span.slice(text);
        let mut rest = trim(words);
        for _ in 0..3 {
            let Some(length) = filler(rest) else { break };
            rest = trim(&rest[length..]);
        }
        Self { start: span.end - rest.len(), end: span.end }
    }

    /// Returns true if it begins with an instruction, also after a place.
    pub(crate) fn acts(self, text: &str, reading: &Reading) -> bool {
        if begins(reading, Cue::Imperative, self.start) {
            return true;
        }
        let rest = &text[self.start..self.end];
        if let Some(behind) = rest.strip_prefix('在') {
            return reading.find_cue(Span::new(self.end - behind.len(), self.end), Cue::Imperative).is_some();
        }
        if !PLACES.en.iter().any(|place| starts(rest, place)) {
            return false;
        }
        let comma = rest.find([',', '，']).filter(|at| *at <= LONGEST_PLACE);
        comma.is_some_and(|at| {
            let behind = Self::of(text, Span::new(self.start + at, self.end));
            begins(reading, Cue::Imperative, behind.start)
        })
    }

    /// Returns true if it begins with when or if.
    pub(crate) fn is_conditional(self, text: &str, reading: &Reading) -> bool {
        let rest = &text[self.start..self.end];
        begins(reading, Cue::Condition, self.start)
            || CONDITIONS.en.iter().any(|word| starts(rest, word))
            || rest.starts_with(is_cjk) && CONDITION_SIGNS.zh.iter().any(|word| rest.contains(word))
    }
}

/// The length of a filler at the start.
fn filler(words: &str) -> Option<usize> {
    let latin = FILLERS.en.iter().filter(|filler| {
        starts(words, filler) && !words[filler.len()..].starts_with(|c: char| c.is_ascii_alphanumeric() || c == '\'')
    });
    let chinese = FILLERS.zh.iter().filter(|filler| words.starts_with(*filler));
    latin.chain(chinese).map(|filler| filler.len()).max()
}

fn trim(words: &str) -> &str {
    words.trim_start_matches([' ', '"', '\'', '“', '‘', '`', '*', '_', '(', '[', ',', '.', '，', '、', '-', '\t'])
}

/// Returns true if a term of the cue begins at a place.
pub(crate) fn begins(reading: &Reading, cue: Cue, at: usize) -> bool {
    reading.hits_in(Span::new(at, at + 1)).iter().any(|hit| usize::from(hit.list.0) == cue as usize)
}

/// Returns true if the words begin with the prefix, in any case.
pub(crate) fn starts(words: &str, prefix: &str) -> bool {
    words.get(..prefix.len()).is_some_and(|head| head.eq_ignore_ascii_case(prefix))
}

/// Counts words by white space; two Chinese characters count as one.
pub(crate) fn count_words(words: &str) -> usize {
    let chinese = words.chars().filter(|c| is_cjk(*c)).count();
    words.split_whitespace().count() + chinese / 2
}

fn contains_word(words: &str, listed: List) -> bool {
    latin_words(words).any(|word| listed.iter().any(|known| word.eq_ignore_ascii_case(known)))
}

fn latin_words(words: &str) -> impl Iterator<Item = &str> {
    words.split(|c: char| !(c.is_ascii_alphanumeric() || c == '\''))
}

/// Returns true for code, a line of a trace, an address or a picture, which are not sentences.
pub(crate) fn is_data(words: &str) -> bool {
    let words = words.trim();
    let first = words.split_whitespace().next().unwrap_or("");
    let dotted = first.matches('.').count() >= 2 && first.bytes().any(|b| b.is_ascii_lowercase());
    let address = first.contains("://") && words.len() <= first.len() + 2;
    let statement = words.ends_with(['{', '}']) || words.ends_with(");") || words.starts_with("//");
    let call = first.contains('(') && first.contains('.') && !first.starts_with('(');
    let assigned = words.contains(" = ") && words.contains('(') && words.contains(").");
    let frame = starts(words, "at ") && words.contains('.') && words.contains('(');
    address
        || statement
        || assigned
        || frame
        || call && !words.contains("](")
        || dotted && (words.contains('(') || words.contains("Exception") || words.contains("Error"))
        || words.starts_with("![")
        || words.starts_with("-$$")
        || ["Process: ", "Caused by", "FATAL EXCEPTION"].iter().any(|mark| words.contains(mark))
        || words.contains(".java:")
        || is_log_line(words)
}

/// "OS: Android 9", "Galaxy S8 with Android 9", "Tested on a Pixel 2": a device or a version and little else.
pub(crate) fn names_environment(text: &str, reading: &Reading, sentence: &Sentence, count: usize) -> bool {
    if !sentence.cues.has(Cue::Platform) {
        return false;
    }
    let Some(first) = reading.find_cue(sentence.span, Cue::Platform) else { return false };
    let words = sentence.span.slice(text);
    let has_digit = words.bytes().any(|b| b.is_ascii_digit());
    let chinese = words.chars().any(is_cjk);
    if chinese && (sentence.cues.has(Cue::StepVerb) || words.ends_with('。')) && !has_version(words) {
        // 手机上把书看到第 10 章 names a device, but also an action.
        return false;
    }
    let mark = [": ", "：", " = ", " - ", ":"].iter().filter_map(|mark| words.find(mark)).min();
    let keyed = mark.is_some_and(|at| {
        at <= 40 && words[..at].split_whitespace().count() <= 5 && first.end <= sentence.span.start + at
    });
    let opens = first.start <= sentence.span.start + 3 || ENVIRONMENT_OPENINGS.iter().any(|word| starts(words, word));
    keyed || has_digit && (opens || count <= 4)
}

/// Returns true if a line has digits, a dot, and digits or an x.
pub(crate) fn has_version(line: &str) -> bool {
    line.as_bytes()
        .windows(3)
        .any(|three| three[0].is_ascii_digit() && three[1] == b'.' && (three[2].is_ascii_digit() || three[2] == b'x'))
}

/// The sentence contrasts the actual with the expected behaviour.
pub(crate) fn contrasts(words: &str) -> bool {
    contains_word(words, CONTRASTS.en) || CONTRASTS.zh.iter().any(|word| words.contains(word))
}

/// "I get sent back to the list": the writer reports an experience.
pub(crate) fn tells_what_was_met(words: &str) -> bool {
    contains_word(words, MEETING_SOMETHING.en)
}

/// Returns true for thanks, greetings and offers.
pub(crate) fn is_pleasant(words: &str) -> bool {
    contains_word(words, PLEASANTRIES.en) || PLEASANT_PHRASES.iter().any(|phrase| words.contains(phrase))
}

/// The sentence names a person who acts: I, you, we, the user.
pub(crate) fn names_somebody(words: &str) -> bool {
    contains_word(words, SOMEBODY.en) || words.chars().any(is_cjk)
}

/// Returns true for "Steps to reproduce the behaviour:" in other words.
pub(crate) fn announces_steps(words: &str) -> bool {
    STEPS_ANNOUNCED.iter().any(|part| words.contains(part))
}

/// Returns true for "Settings > Display > Night mode", 设置 → 显示.
pub(crate) fn is_path(words: &str) -> bool {
    [" > ", " -> ", " => ", " --> ", "→", "⇒", "->"].iter().any(|arrow| words.contains(arrow))
}

/// A sentence with a verb for a state or a behaviour.
pub(crate) fn tells_a_state(words: &str) -> bool {
    contains_word(words, STATES.en) || STATES.zh.iter().any(|state| words.contains(state))
}

/// "If the tablet was used before, all is well": the case that works is not part of the fault.
pub(crate) fn tells_a_good_case(words: &str) -> bool {
    GOOD_CASES.iter().any(|part| words.contains(part)) || words.ends_with("正常")
}

/// "Press Save and the page stays blank": the result follows the last instruction.
pub(super) fn ends_in_a_fault(facts: &Facts<'_>) -> bool {
    let parts = facts.words.contains([',', ';', '，', '；', '→', '、'])
        || facts.words.contains("->")
        || latin_words(facts.words).any(|word| word.eq_ignore_ascii_case("and") || word.eq_ignore_ascii_case("then"));
    let forbids = FORBIDDING.iter().any(|word| starts(facts.words, word));
    facts.is_faulty() && parts && !forbids
}

/// "Rotate the phone", "drag any tower": any bare verb with its object. Only the small words around the verb are
/// listed, because every language has few of them.
pub(crate) fn commands(words: &str) -> bool {
    let mut parts = words.split_whitespace();
    let (Some(verb), Some(object)) = (parts.next(), parts.next()) else { return false };
    let bare = verb.bytes().all(|b| b.is_ascii_alphabetic() || b == b'-' || b == b'+') && verb.len() >= 2;
    let inflected = ["ing", "ed", "ly"].iter().any(|end| verb.len() > 4 && verb.ends_with(end))
        || verb.ends_with('s') && !verb.ends_with("ss");
    let closed = NO_VERBS.en.iter().any(|known| verb.eq_ignore_ascii_case(known));
    let names = object.starts_with(['"', '\'', '`', '“', '‘', '*', '<'])
        || OBJECTS.en.iter().any(|known| object.eq_ignore_ascii_case(known));
    bare && !inflected && !closed && names
}

/// The writer turns from the expected to the actual behaviour: "However, …", "Now …", 但是….
pub(crate) fn turns(words: &str) -> bool {
    TURNS.en.iter().any(|opening| starts(words, opening)) || TURNS.zh.iter().any(|opening| words.starts_with(opening))
}

/// The writer's thoughts, knowledge or other actions, without the behaviour of the product.
pub(crate) fn muses(words: &str) -> bool {
    contains_word(words, MUSING.en)
}
