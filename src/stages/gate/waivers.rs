//! Sets findings aside for a stated reason, and remembers which waivers were of use.

use globset::{Glob, GlobMatcher};

use crate::model::{ReviewIssue, Waiver, WaiverUse};

/// A waiver that cannot be applied.
#[derive(Debug, thiserror::Error)]
pub enum WaiverError {
    /// The reason is empty.
    #[error("the waiver of `{rule}` gives no reason: say why the rule is set aside")]
    NoReason {
        /// The rule.
        rule: String,
    },
    /// The date is not `YYYY-MM-DD`.
    #[error("the waiver of `{rule}` expires on `{date}`, which is not a date: write YYYY-MM-DD")]
    BadDate {
        /// The rule.
        rule: String,
        /// What was written.
        date: String,
    },
    /// The glob is broken.
    #[error("the waiver of `{rule}` names the input `{glob}`, which is not a pattern: {message}")]
    BadGlob {
        /// The rule.
        rule: String,
        /// What was written.
        glob: String,
        /// What is wrong.
        message: String,
    },
}

/// Checked waivers of a run.
#[derive(Debug, Clone, Default)]
pub struct Waivers {
    entries: Vec<(Waiver, Option<GlobMatcher>, bool)>,
}

impl Waivers {
    /// Checks waivers; `today` is `YYYY-MM-DD` and decides which have expired.
    ///
    /// # Errors
    /// Fails on the first waiver without a reason, with a broken date or a broken pattern.
    pub fn new(waivers: &[Waiver], today: &str) -> Result<Self, WaiverError> {
        let mut entries = Vec::new();
        for waiver in waivers {
            let rule = waiver.rule.to_string();
            if waiver.reason.trim().is_empty() {
                return Err(WaiverError::NoReason { rule });
            }
            if let Some(date) = &waiver.expires
                && !is_date(date)
            {
                return Err(WaiverError::BadDate { rule, date: date.clone() });
            }
            let matcher = match &waiver.input {
                Some(glob) => Some(
                    Glob::new(glob)
                        .map_err(|error| WaiverError::BadGlob { rule, glob: glob.clone(), message: error.to_string() })?
                        .compile_matcher(),
                ),
                None => None,
            };
            // Dates in this form sort as text.
            let expired = waiver.expires.as_deref().is_some_and(|last_day| last_day < today);
            entries.push((waiver.clone(), matcher, expired));
        }
        Ok(Self { entries })
    }

    /// Adds further waivers, which come after those that are there.
    ///
    /// # Errors
    /// Fails like [`Waivers::new`].
    pub fn extend(&mut self, waivers: &[Waiver], today: &str) -> Result<(), WaiverError> {
        self.entries.extend(Self::new(waivers, today)?.entries);
        Ok(())
    }

    /// The waiver that sets an issue aside, if one does.
    pub fn waiver_of(&self, input: &str, issue: &ReviewIssue) -> Option<&Waiver> {
        self.entries
            .iter()
            .filter(|(_, _, expired)| !expired)
            .find(|entry| applies(entry, input, issue))
            .map(|(waiver, _, _)| waiver)
    }

    /// What became of each waiver, given the issues before any was set aside.
    pub fn uses(&self, input: &str, issues: &[ReviewIssue]) -> Vec<(Waiver, WaiverUse)> {
        let use_of = |entry: &(Waiver, Option<GlobMatcher>, bool)| match issues
            .iter()
            .filter(|issue| applies(entry, input, issue))
            .count()
        {
            _ if entry.2 => WaiverUse::Expired,
            0 => WaiverUse::Unused,
            count => WaiverUse::Used(count),
        };
        // A waiver for other inputs is no business of this one.
        let concerns =
            |entry: &&(Waiver, Option<GlobMatcher>, bool)| entry.1.as_ref().is_none_or(|glob| glob.is_match(input));
        self.entries.iter().filter(concerns).map(|entry| (entry.0.clone(), use_of(entry))).collect()
    }
}

fn applies((waiver, glob, _): &(Waiver, Option<GlobMatcher>, bool), input: &str, issue: &ReviewIssue) -> bool {
    waiver.rule == issue.rule_id
        && waiver.fingerprint.as_ref().is_none_or(|fingerprint| *fingerprint == issue.fingerprint)
        && glob.as_ref().is_none_or(|glob| glob.is_match(input))
}

fn is_date(date: &str) -> bool {
    let digits = |part: &str, length: usize| part.len() == length && part.bytes().all(|b| b.is_ascii_digit());
    let parts: Vec<&str> = date.split('-').collect();
    let in_range = |part: &str, most: u32| part.parse::<u32>().is_ok_and(|n| (1..=most).contains(&n));
    matches!(parts.as_slice(), [year, month, day] if digits(year, 4) && digits(month, 2) && digits(day, 2) && in_range(month, 12) && in_range(day, 31))
}
