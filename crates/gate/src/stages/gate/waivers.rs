//! Sets findings aside for a stated reason, and records which waivers were used.

use globset::{Glob, GlobMatcher};

use chrono::NaiveDate;
use reqgate_base::model::{Disposition, ReviewIssue, Severity, Waiver, WaiverUse};

/// A waiver that cannot be applied.
#[derive(Debug, thiserror::Error)]
pub enum WaiverError {
    /// The reason is empty.
    #[error("the waiver of `{rule}` gives no reason: say why the rule is set aside")]
    NoReason {
        /// The id of the rule in the waiver.
        rule: String,
    },
    /// The date is not `YYYY-MM-DD`.
    #[error("the waiver of `{rule}` expires on `{date}`, which is not a date: write YYYY-MM-DD")]
    BadDate {
        /// The id of the rule in the waiver.
        rule: String,
        /// The date as it was written.
        date: String,
    },
    /// The pattern for inputs is invalid.
    #[error("the waiver of `{rule}` names the input `{glob}`, which is not a pattern: {message}")]
    BadGlob {
        /// The id of the rule in the waiver.
        rule: String,
        /// The pattern as it was written.
        glob: String,
        /// The error of the pattern parser.
        message: String,
    },
}

/// A waiver, the pattern of its inputs, and whether it has expired.
type Entry = (Waiver, Option<GlobMatcher>, bool);

/// The checked waivers of a run.
#[derive(Debug, Clone, Default)]
pub struct Waivers {
    entries: Vec<Entry>,
}

impl Waivers {
    /// Checks waivers; `today` is `YYYY-MM-DD` and decides which have expired.
    ///
    /// # Errors
    /// Returns an error for the first waiver without a reason, with an invalid date or with an invalid pattern.
    pub(crate) fn new(waivers: &[Waiver], today: &str) -> Result<Self, WaiverError> {
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
                        .map_err(|error| WaiverError::BadGlob {
                            rule,
                            glob: glob.clone(),
                            message: error.kind().to_string(),
                        })?
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

    /// Appends further waivers.
    ///
    /// # Errors
    /// Returns the same errors as [`Waivers::new`].
    pub(crate) fn extend(&mut self, waivers: &[Waiver], today: &str) -> Result<(), WaiverError> {
        self.entries.extend(Self::new(waivers, today)?.entries);
        Ok(())
    }

    /// Sets issues of an input aside, and returns how each waiver was used.
    pub(crate) fn set_aside(&self, input: &str, issues: &mut [ReviewIssue]) -> Vec<(Waiver, WaiverUse)> {
        let uses = self.uses(input, issues);
        for issue in issues {
            let in_force = self.entries.iter().filter(|(_, _, expired)| !expired);
            if let Some((waiver, _, _)) = in_force.into_iter().find(|entry| applies(entry, input, issue)) {
                issue.severity = Severity::Warning;
                issue.disposition = Disposition::Waived { reason: waiver.reason.clone() };
            }
        }
        uses
    }

    fn uses(&self, input: &str, issues: &[ReviewIssue]) -> Vec<(Waiver, WaiverUse)> {
        let use_of = |entry: &Entry| match issues.iter().filter(|issue| applies(entry, input, issue)).count() {
            _ if entry.2 => WaiverUse::Expired,
            0 => WaiverUse::Unused,
            count => WaiverUse::Used(count),
        };
        // Skip waivers limited to other inputs.
        let concerns = |entry: &&Entry| entry.1.as_ref().is_none_or(|glob| glob.is_match(input));
        self.entries.iter().filter(concerns).map(|entry| (entry.0.clone(), use_of(entry))).collect()
    }
}

fn applies((waiver, glob, _): &Entry, input: &str, issue: &ReviewIssue) -> bool {
    waiver.rule == issue.rule_id
        && waiver.fingerprint.as_ref().is_none_or(|fingerprint| *fingerprint == issue.fingerprint)
        && glob.as_ref().is_none_or(|glob| glob.is_match(input))
}

/// Returns true for a calendar day in the only accepted form, which sorts as text.
fn is_date(date: &str) -> bool {
    NaiveDate::parse_from_str(date, "%Y-%m-%d").is_ok_and(|day| day.format("%Y-%m-%d").to_string() == date)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_end_is_a_day_of_the_calendar() {
        for (date, expected) in [
            ("2026-02-28", true),
            ("2028-02-29", true),
            ("2026-02-29", false),
            ("2026-02-31", false),
            ("9999-99-99", false),
            ("2026-2-03", false),
            ("20260203", false),
            (" 2026-02-03", false),
        ] {
            assert_eq!(is_date(date), expected, "{date}");
        }
    }
}
