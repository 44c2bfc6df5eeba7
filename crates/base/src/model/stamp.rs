//! The stamp of a ready text: `ready@TEXT-SETTINGS`, which no longer fits when the text, the policy or the rubric changes.
//!
//! It is a check against accidental change and no signature: everyone can compute it.

use std::fmt::{self, Display};
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
    /// The text is that of the stamp, and not ready under the policy and rubric of today.
    NotReady,
    /// The text is another one.
    TextChanged,
    /// The text has no stamp.
    Missing,
}

impl StampState {
    /// Compares a stamp with the outcome of today.
    pub fn of(stamp: Option<&Stamp>, outcome: &Outcome) -> Self {
        let Some(stamp) = stamp else { return Self::Missing };
        match (stamp.is_of(&outcome.packet.raw_text), stamp.settings == settings_hash(&outcome.decision)) {
            (false, _) => Self::TextChanged,
            (true, true) => Self::Current,
            (true, false) if outcome.decision.verdict == Verdict::Pass => Self::OtherSettings,
            (true, false) => Self::NotReady,
        }
    }

    /// Returns true if work can begin.
    pub fn is_ready(self) -> bool {
        matches!(self, Self::Current | Self::OtherSettings)
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

    /// Finds the stamp in a text: the last line that is only a stamp.
    pub fn find(text: &str) -> Option<Self> {
        text.lines().rev().find_map(in_line)
    }

    /// The text with this stamp in place of an older one, or else as a comment in a last line.
    pub fn put_into(&self, text: &str) -> String {
        let Some(old) = Self::find(text) else {
            let break_ = if text.contains("\r\n") { "\r\n" } else { "\n" };
            let gap = if text.is_empty() || text.ends_with('\n') { "" } else { break_ };
            return format!("{text}{gap}{break_}<!-- {KEY} {self} -->{break_}");
        };
        text.replace(&old.to_string(), &self.to_string())
    }

    /// The text without the lines of stamps.
    pub fn removed_from(text: &str) -> String {
        let kept: String = text.split_inclusive('\n').filter(|line| in_line(line).is_none()).collect();
        // The comment came with an empty line before it.
        match kept.strip_suffix("\n\n") {
            Some(rest) if kept.len() < text.len() => format!("{rest}\n"),
            _ => kept,
        }
    }
}

/// The stamp of a line that is only a stamp: `<!-- reqgate: ready@… -->`, or `reqgate: ready@…` in front matter.
fn in_line(line: &str) -> Option<Stamp> {
    let line = line.trim();
    let line = line.strip_prefix("<!--").and_then(|rest| rest.strip_suffix("-->")).unwrap_or(line);
    line.trim().strip_prefix(KEY)?.trim().trim_matches(['"', '\'']).parse().ok()
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
        assert_eq!(Stamp::find(&format!("It says reqgate: {STAMP} there.\n")), None);
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
        let text = format!("---\nreqgate: {STAMP}\n---\n# 导出\n");
        let stamp = stamp_for(&text);
        let stamped = stamp.put_into(&text);
        assert_eq!(stamped, text.replace(STAMP, &stamp.to_string()));
        assert!(stamp.is_of(&stamped));
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
