//! The stamp of a ready text: `ready@TEXT-SETTINGS`, which no longer fits when the text, the policy or the rubric changes.
//!
//! It is a check against accidental change and no signature: everyone can compute it.

use std::fmt::{self, Display};
use std::ops::Range;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{GateDecision, Outcome, Verdict};
use crate::hash::Hash;

/// The digits of the hash of the text.
const TEXT_DIGITS: usize = 16;
/// The digits of the hash of policy, rubric and verdict.
const SETTINGS_DIGITS: usize = 8;
/// The beginning of every stamp.
const MARK: &str = "ready@";
/// The name before a stamp in a text.
const KEY: &str = "reqgate:";

/// The verdict `ready`, bound to a text and to the policy and rubric by which it was judged.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Stamp {
    text: String,
    settings: String,
}

/// The state of a stamp, compared with the text that has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum StampState {
    /// Text, policy and rubric are those of the stamp.
    Current,
    /// The text is that of the stamp, and ready under the policy and rubric of today, which are others.
    OtherSettings,
    /// The text is that of the stamp, and is not ready today: policy, rubric, rules or waivers are others.
    NotReady,
    /// The text is another one.
    TextChanged,
    /// The text is not a requirement, and has no stamp.
    NotApplicable,
    /// The text has no stamp.
    Missing,
}

impl StampState {
    /// Compares a stamp with the outcome of today.
    pub fn of(stamp: Option<&Stamp>, outcome: &Outcome) -> Self {
        let Some(stamp) = stamp else {
            let is_requirement = outcome.decision.verdict != Verdict::NotApplicable;
            return if is_requirement { Self::Missing } else { Self::NotApplicable };
        };
        let is_ready = outcome.decision.verdict == Verdict::Pass;
        match (stamp.is_of(&outcome.packet.raw_text), is_ready, stamp.settings == settings_hash(&outcome.decision)) {
            (false, ..) => Self::TextChanged,
            (true, false, _) => Self::NotReady,
            (true, true, true) => Self::Current,
            (true, true, false) => Self::OtherSettings,
        }
    }

    /// Returns true if work can begin.
    pub fn is_ready(self) -> bool {
        matches!(self, Self::Current | Self::OtherSettings | Self::NotApplicable)
    }
}

/// The words are not a stamp.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("a stamp is `ready@` with 16 and 8 hexadecimal digits, such as `ready@0123456789abcdef-01234567`")]
pub struct InvalidStamp;

impl Stamp {
    /// The stamp of an outcome; `None` unless it is ready.
    ///
    /// The text is the screened one, so that the hash of a short secret cannot be used to guess it.
    pub fn of(outcome: &Outcome) -> Option<Self> {
        let is_ready = outcome.decision.verdict == Verdict::Pass;
        is_ready.then(|| Self { text: text_hash(&outcome.packet.raw_text), settings: settings_hash(&outcome.decision) })
    }

    /// Returns true if the text is the stamped one; line ends, blanks at the end of a line, and stamps do not count.
    pub fn is_of(&self, text: &str) -> bool {
        text_hash(text) == self.text
    }

    /// Finds the stamp in a text: in the comment that is its last line, or else in its front matter.
    pub fn find(text: &str) -> Option<Self> {
        places(text).pop().map(|(_, stamp)| stamp)
    }

    /// The text with this stamp in place of an older one, or else as a comment in a last line.
    pub fn put_into(&self, text: &str) -> String {
        let Some((line, old)) = places(text).pop() else {
            let break_ = if text.contains("\r\n") { "\r\n" } else { "\n" };
            let gap = if text.is_empty() || text.ends_with('\n') { "" } else { break_ };
            return format!("{text}{gap}{break_}<!-- {KEY} {self} -->{break_}");
        };
        let written = text[line.clone()].replace(&old.to_string(), &self.to_string());
        format!("{}{written}{}", &text[..line.start], &text[line.end..])
    }

    /// The text without the lines of stamps.
    pub fn removed_from(text: &str) -> String {
        let mut kept = text.to_owned();
        for (line, _) in places(text).into_iter().rev() {
            kept.replace_range(line, "");
        }
        // The comment came with an empty line before it.
        let is_shorter = kept.len() < text.len();
        let without = ["\r\n\r\n", "\n\n"].iter().find_map(|end| {
            let rest = kept.strip_suffix(end)?;
            Some(format!("{rest}{}", &end[..end.len() / 2]))
        });
        without.filter(|_| is_shorter).unwrap_or(kept)
    }
}

/// The lines that hold a stamp, in order: `reqgate: ready@…` in the front matter, and `<!-- reqgate: ready@… -->` as the last line that
/// is not empty. The same words elsewhere are an example.
fn places(text: &str) -> Vec<(Range<usize>, Stamp)> {
    let mut lines = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        lines.push(at..at + line.len());
        at += line.len();
    }
    let words = |line: &Range<usize>| text[line.clone()].trim();
    let is_fence = |line: &Range<usize>| text[line.clone()].trim_end() == "---";
    let has_front_matter = lines.first().is_some_and(is_fence);
    let end = lines.iter().skip(1).position(is_fence).filter(|_| has_front_matter).unwrap_or(0);
    let in_front_matter = lines.iter().skip(1).take(end).filter_map(|line| Some((line.clone(), keyed(words(line))?)));
    let last = lines.iter().rev().find(|line| !words(line).is_empty());
    let commented = last.and_then(|line| {
        let comment = words(line).strip_prefix("<!--")?.strip_suffix("-->")?;
        Some((line.clone(), keyed(comment.trim())?))
    });
    in_front_matter.chain(commented).collect()
}

/// The stamp after the key.
fn keyed(words: &str) -> Option<Stamp> {
    words.strip_prefix(KEY)?.trim().trim_matches(['"', '\'']).parse().ok()
}

fn settings_hash(decision: &GateDecision) -> String {
    let rubric = decision.rubric.iter().flat_map(|rubric| [&rubric.id, &rubric.version, &rubric.hash]);
    let policy = decision.policy.iter().flat_map(|policy| [&policy.id, &policy.version, &policy.hash]);
    let threshold = decision.threshold.map(|least| least.to_string());
    Hash::of_parts(rubric.chain(policy).chain(&threshold)).digits(SETTINGS_DIGITS)
}

fn text_hash(text: &str) -> String {
    let without = Stamp::removed_from(text);
    Hash::of_parts(without.trim_end().lines().map(str::trim_end)).digits(TEXT_DIGITS)
}

impl Display for Stamp {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{MARK}{}-{}", self.text, self.settings)
    }
}

impl FromStr for Stamp {
    type Err = InvalidStamp;

    fn from_str(words: &str) -> Result<Self, InvalidStamp> {
        let is_hex = |part: &str, digits: usize| {
            part.len() == digits && part.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
        };
        let (text, settings) = words.strip_prefix(MARK).and_then(|rest| rest.split_once('-')).ok_or(InvalidStamp)?;
        let is_stamp = is_hex(text, TEXT_DIGITS) && is_hex(settings, SETTINGS_DIGITS);
        is_stamp.then(|| Self { text: text.to_owned(), settings: settings.to_owned() }).ok_or(InvalidStamp)
    }
}

impl TryFrom<String> for Stamp {
    type Error = InvalidStamp;

    fn try_from(words: String) -> Result<Self, InvalidStamp> {
        words.parse()
    }
}

impl From<Stamp> for String {
    fn from(stamp: Stamp) -> Self {
        stamp.to_string()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const STAMP: &str = "ready@0123456789abcdef-01234567";

    fn stamp_for(text: &str) -> Stamp {
        Stamp { text: text_hash(text), settings: "01234567".to_owned() }
    }

    #[test]
    fn only_the_exact_form_is_a_stamp() {
        assert_eq!(STAMP.parse::<Stamp>().map(|stamp| stamp.to_string()), Ok(STAMP.to_owned()));
        for other in ["", "ready@", "ready@0123-01234567", "ready@0123456789ABCDEF-01234567", &format!("{STAMP}0")] {
            assert_eq!(other.parse::<Stamp>(), Err(InvalidStamp), "{other}");
        }
    }

    #[test]
    fn a_stamp_is_found_as_comment_and_in_front_matter_and_never_within_a_sentence() {
        let stamp: Stamp = STAMP.parse().expect("it is one");
        for text in [
            format!("# Export\n\n<!-- reqgate: {STAMP} -->\n"),
            format!("---\ntype: feature\nreqgate: \"{STAMP}\"\n---\n# Export\n"),
        ] {
            assert_eq!(Stamp::find(&text), Some(stamp.clone()), "{text}");
        }
        for example in [
            format!("It says reqgate: {STAMP} there.\n"),
            format!("# Export\n\n```yaml\nreqgate: {STAMP}\n```\n\nMore.\n"),
            format!("# Export\n\n<!-- reqgate: {STAMP} -->\n\nMore.\n"),
        ] {
            assert_eq!(Stamp::find(&example), None, "{example}");
            assert_eq!(Stamp::removed_from(&example), example);
        }
    }

    #[test]
    fn blanks_line_ends_and_stamps_do_not_count_and_words_do() {
        let stamp = stamp_for("# Export\n\nAs a clerk I export 500 rows.\n");
        assert!(stamp.is_of("# Export \r\n\r\nAs a clerk I export 500 rows."));
        assert!(!stamp.is_of("# Export\n\nAs a clerk I export 600 rows.\n"));
        assert!(!stamp.is_of("# Export As a clerk I export 500 rows."));
    }

    #[test]
    fn another_stamp_takes_the_place_of_the_old_one() {
        let text = format!("---\nreqgate: {STAMP}\n---\n# 导出\n\n旧标记是 other.\n");
        let stamp = stamp_for(&text);
        let stamped = stamp.put_into(&text);
        assert_eq!(stamped, text.replace(STAMP, &stamp.to_string()));
        assert!(stamp.is_of(&stamped));
        let quoting = stamp.put_into(&format!("# Export\n\nIt was {STAMP} before.\n\n<!-- reqgate: {STAMP} -->\n"));
        assert_eq!(quoting, format!("# Export\n\nIt was {STAMP} before.\n\n<!-- reqgate: {stamp} -->\n"));
    }

    #[test]
    fn a_removed_stamp_leaves_the_text_as_it_was() {
        for text in ["# Export\n", "# Export\r\n\r\nFast.\r\n"] {
            assert_eq!(Stamp::removed_from(&stamp_for(text).put_into(text)), text);
        }
    }

    proptest! {
        #[test]
        fn a_stamped_text_is_the_same_text(text in "([a-z# \\-]{0,9}(\n|\r\n)?|导出[0-9]{0,3}\n){0,8}") {
            let stamp = stamp_for(&text);
            let stamped = stamp.put_into(&text);
            prop_assert_eq!(Stamp::find(&stamped), Some(stamp.clone()));
            prop_assert!(stamp.is_of(&text));
            prop_assert!(stamp.is_of(&stamped));
            prop_assert_eq!(stamp.put_into(&stamped), stamped.clone());
            prop_assert!(stamp.is_of(&Stamp::removed_from(&stamped)));
        }
    }
}
