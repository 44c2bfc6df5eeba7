//! The state of the one comment between runs. It is hidden in the second line and contains no words of the ticket.
//!
//! Format version 1. A state of another version, or one that cannot be read, counts as absent.

use serde::{Deserialize, Serialize};

use crate::digest::Digest;
use reqgate_base::model::{Fingerprint, Outcome, RuleId, Severity, Verdict};

/// The first line of every comment that reqgate writes.
pub const MARKER: &str = "<!-- reqgate:comment:default -->";
/// The start of the second line.
const STATE: &str = "<!-- reqgate:state ";
/// The version of the state's format.
const VERSION: u8 = 1;
/// The maximum number of stored findings.
const MOST_FINDINGS: usize = 60;
/// The maximum number of stored questions; older ones are dropped.
const MOST_QUESTIONS: usize = 40;
/// The maximum number of stored commands.
const MOST_COMMANDS: usize = 40;
/// The maximum number of stored waivers.
const MOST_WAIVERS: usize = 20;
/// The number of rejections of one ticket after which a person is asked to look at it.
const REJECTIONS_BEFORE_A_PERSON: u32 = 3;

/// The state recorded in the comment.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct CommentState {
    v: u8,
    /// First 16 hexadecimal digits of the SHA-256 of the screened text; `None` if the guardrail stopped the run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub input: Option<String>,
    /// The issue's `updated_at` in the run that wrote the comment.
    pub updated: String,
    /// The verdict, e.g. `REJECT`, or `OVERRIDDEN`.
    pub verdict: String,
    /// The number of consecutive rejections, of different texts.
    #[serde(skip_serializing_if = "is_zero")]
    pub rejections: u32,
    /// The open findings of the current text.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub open: Vec<FindingReference>,
    /// Findings of the previous text that the current text no longer has.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub fixed: Vec<FindingReference>,
    /// Findings that the previous text did not have; empty in the first run.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub new: Vec<FindingReference>,
    /// The questions now on the list, in its order: `/reqgate answer 1 …` means the first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub questions: Vec<FindingReference>,
    /// All questions ever asked, the latest last.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub asked: Vec<FindingReference>,
    /// Questions that were answered in a comment; they are not asked again.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub answered: Vec<FindingReference>,
    /// The maintainer who let the issue through.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub overridden: Option<Override>,
    /// Rules that a maintainer set aside for this issue.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub waived: Vec<WaivedRule>,
    /// The ids of comments whose commands were executed, the latest last. Each command is executed once, even if its
    /// event arrives several times.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    obeyed: Vec<u64>,
    /// Commands of comments up to this id were executed, or are too old to be executed.
    #[serde(skip_serializing_if = "is_none_yet")]
    obeyed_up_to: u64,
}

/// A finding, identified by its rule and a fingerprint that does not depend on its line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FindingReference {
    /// The rule that reported it.
    #[serde(rename = "r")]
    pub rule: RuleId,
    /// The fingerprint of its words.
    #[serde(rename = "f")]
    pub fingerprint: Fingerprint,
}

/// A maintainer's decision, in their own name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Override {
    /// Login of the maintainer.
    pub by: String,
    /// The reason; empty if only a label was set.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub reason: String,
}

/// A rule that a maintainer set aside for one issue.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WaivedRule {
    /// The rule that was set aside.
    pub rule: RuleId,
    /// The maintainer and the reason.
    #[serde(flatten)]
    pub decision: Override,
}

fn is_zero(count: &u32) -> bool {
    *count == 0
}

fn is_none_yet(id: &u64) -> bool {
    *id == 0
}

impl CommentState {
    /// Returns true if the text starts like a comment of reqgate; the caller must check its author.
    pub fn is_marked(comment: &str) -> bool {
        comment.lines().next().is_some_and(|line| line.trim_end() == MARKER)
    }

    /// Reads the state from a comment; `None` if it has none, or one of another version.
    pub fn read(comment: &str) -> Option<Self> {
        if !Self::is_marked(comment) {
            return None;
        }
        let json = comment.lines().nth(1)?.trim_end().strip_prefix(STATE)?.strip_suffix(" -->")?;
        serde_json::from_str::<Self>(json).ok().filter(|state| state.v == VERSION)
    }

    /// The first two lines of the comment.
    pub(super) fn head(&self) -> String {
        let json = serde_json::to_string(&Self { v: VERSION, ..self.clone() }).unwrap_or_default();
        // Within JSON strings these escapes have the same meaning, and the text can no longer end the HTML comment.
        let json = json
            .replace('>', "\\u003e")
            .replace("--", "-\\u002d")
            .replace('<', "\\u003c")
            .replace('@', "\\u0040")
            .replace('#', "\\u0023");
        format!("{MARKER}\n{STATE}{json} -->\n")
    }

    /// Returns true if both states describe the same text and the same findings; the time of writing is ignored.
    pub(crate) fn says_the_same(&self, other: &Self) -> bool {
        let timeless = |state: &Self| Self { updated: String::new(), v: VERSION, ..state.clone() };
        timeless(self) == timeless(other)
    }

    /// Returns true if the ticket was rejected so often that a person should look at it.
    pub fn asks_for_a_person(&self) -> bool {
        self.rejections >= REJECTIONS_BEFORE_A_PERSON
    }

    /// The state after a run; `input` identifies the judged text.
    ///
    /// `is_new_text` tells whether a text without an identifier (one that the guardrail stopped) differs from the
    /// previous one.
    pub fn after(before: Option<&Self>, outcome: &Outcome, input: &str, updated: &str, is_new_text: bool) -> Self {
        let is_stopped = outcome.decision.verdict == Verdict::GuardrailRejected;
        let mut state = before.cloned().unwrap_or_default();
        state.v = VERSION;
        state.updated = updated.to_owned();
        let input = (!is_stopped).then(|| input.to_owned());
        let differs = match (&input, before) {
            (Some(input), Some(before)) => before.input.as_ref() != Some(input),
            _ => before.is_none() || is_new_text,
        };
        state.input = input;
        state.verdict = outcome.decision.verdict.name().to_owned();
        state.rejections = match (outcome.decision.verdict.is_pass(), differs) {
            (true, _) => 0,
            (false, true) => state.rejections.saturating_add(1),
            (false, false) => state.rejections,
        };
        if is_stopped {
            // The text was not judged, so the findings stay open.
            state.questions.clear();
            return state;
        }
        let digest = Digest::new(outcome);
        let open: Vec<FindingReference> = digest
            .blockers
            .iter()
            .chain(digest.warnings.iter().filter(|issue| issue.points > 0.0 || issue.severity == Severity::Blocker))
            .map(|issue| FindingReference { rule: issue.rule_id.clone(), fingerprint: issue.fingerprint.clone() })
            .take(MOST_FINDINGS)
            .collect();
        if differs {
            let was_judged = before.is_some_and(|before| before.input.is_some());
            let only_in = |these: &[FindingReference], those: &[FindingReference]| -> Vec<FindingReference> {
                these.iter().filter(|reference| was_judged && !those.contains(reference)).cloned().collect()
            };
            state.fixed = only_in(&state.open, &open);
            state.new = only_in(&open, &state.open);
        }
        state.open = open;
        state
    }

    /// Puts questions on the list and remembers that they were asked.
    pub(super) fn ask(&mut self, questions: Vec<FindingReference>) {
        for reference in &questions {
            if !self.asked.contains(reference) {
                self.asked.push(reference.clone());
            }
        }
        let too_many = self.asked.len().saturating_sub(MOST_QUESTIONS);
        self.asked.drain(..too_many);
        self.questions = questions;
    }

    /// Records that questions of the list were answered; numbers outside the list are ignored.
    pub fn answer(&mut self, numbers: &[usize]) {
        for number in numbers {
            if let Some(reference) = number.checked_sub(1).and_then(|index| self.questions.get(index))
                && !self.answered.contains(reference)
            {
                self.answered.push(reference.clone());
            }
        }
        let too_many = self.answered.len().saturating_sub(MOST_QUESTIONS);
        self.answered.drain(..too_many);
    }

    /// Records that the command of a comment is executed; returns false if it was executed before.
    pub fn obey(&mut self, comment: u64) -> bool {
        if comment <= self.obeyed_up_to || self.obeyed.contains(&comment) {
            return false;
        }
        self.obeyed.push(comment);
        if self.obeyed.len() > MOST_COMMANDS {
            let forgotten = self.obeyed.remove(0);
            self.obeyed_up_to = self.obeyed_up_to.max(forgotten);
        }
        true
    }

    /// Records that a rule was set aside; the latest decision comes first.
    pub fn waive(&mut self, waived: WaivedRule) {
        self.waived.retain(|other| other.rule != waived.rule);
        self.waived.insert(0, waived);
        self.waived.truncate(MOST_WAIVERS);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples;

    fn after(before: Option<&CommentState>, outcome: &Outcome, input: &str) -> CommentState {
        CommentState::after(before, outcome, input, "2026-11-21T08:00:00Z", true)
    }

    #[test]
    fn a_command_is_obeyed_once() {
        let mut state = CommentState::default();
        assert!(state.obey(7) && state.obey(5) && !state.obey(7));
        for comment in 100..200 {
            assert!(state.obey(comment));
        }
        assert!(![5, 7, 6, 120, 199].into_iter().any(|comment| state.obey(comment)));
        assert!(state.obeyed.len() <= MOST_COMMANDS && state.obey(200));
    }

    #[test]
    fn state_survives_its_comment() {
        let mut state = after(None, &samples::rejected(), "00ff");
        state.overridden = Some(Override { by: "bob".to_owned(), reason: "a --> b <!-- @c\n--- \"d\"".to_owned() });
        let head = state.head();
        assert_eq!(head.matches("-->").count(), 2, "{head}");
        assert!(!head.contains('@'), "{head}");
        assert_eq!(CommentState::read(&format!("{head}words")), Some(state));
    }

    #[test]
    fn marker_counts_on_the_first_line_only() {
        assert!(CommentState::is_marked(&format!("{MARKER}\r\nwords")));
        for other in [format!("words\n{MARKER}"), format!(" {MARKER}"), format!("> {MARKER}"), String::new()] {
            assert!(!CommentState::is_marked(&other), "{other}");
            assert_eq!(CommentState::read(&other), None);
        }
        for broken in ["", "{", "{\"v\":2}", "{\"v\":1,\"open\":[{\"r\":\"Not An Id\",\"f\":\"\"}]}"] {
            assert_eq!(CommentState::read(&format!("{MARKER}\n{STATE}{broken} -->\n")), None, "{broken}");
        }
    }

    #[test]
    fn rejections_of_different_texts_are_counted_until_a_pass() {
        let rejected = samples::rejected();
        let one = after(None, &rejected, "a");
        let again = after(Some(&one), &rejected, "a");
        let three = after(Some(&after(Some(&again), &rejected, "b")), &rejected, "c");
        assert_eq!((one.rejections, again.rejections, three.rejections), (1, 1, 3));
        assert!(three.asks_for_a_person());
        assert_eq!(after(Some(&three), &samples::passed(), "d").rejections, 0);
    }

    #[test]
    fn text_that_the_guardrail_stopped_leaves_no_trace() {
        let state = after(None, &samples::guardrail_rejected(), "00ff");
        assert_eq!(state.input, None);
        assert!(state.open.is_empty() && !state.head().contains("00ff"));
    }

    #[test]
    fn what_is_no_longer_found_is_fixed() {
        let before = after(None, &samples::rejected(), "a");
        let now = after(Some(&before), &samples::passed(), "b");
        assert!(!now.fixed.is_empty());
        assert!(now.fixed.iter().all(|reference| !now.open.contains(reference) && before.open.contains(reference)));
        assert_eq!(after(Some(&now), &samples::passed(), "b").fixed, now.fixed, "a recheck changes nothing");
    }

    #[test]
    fn any_comment_can_be_read() {
        proptest::proptest!(|(words: String)| {
            let _ = CommentState::read(&words);
            let _ = CommentState::read(&format!("{MARKER}\n{STATE}{words} -->\n"));
        });
    }
}
