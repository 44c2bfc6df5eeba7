//! The policy, the rubric and the threshold for an input.

use super::in_force::SetBy;
use super::{Pipeline, PipelineError, Settings};
use crate::stages::scoring::score;
use reqgate_base::model::{SourceType, TicketType};
use reqgate_rules::{ByReadings, DEFAULT_POLICY, Policy, Profile, Rubric, RuleBook};

impl Settings {
    /// The settings for a decision by readings about this kind of document; `None` if readings do not decide, as with a
    /// rubric that the user names.
    pub(super) fn readings(&self, policy: &Policy, profile: Profile) -> Option<ByReadings> {
        policy.by_readings(profile).filter(|_| self.rubric.is_none())
    }

    /// The rubric for this kind of document: the one that is named for all, else that of the policy, else the first
    /// that is made for it.
    pub(super) fn rubric<'b>(&self, book: &'b RuleBook, policy: &Policy, profile: Profile) -> Option<&'b Rubric> {
        let by_policy = || policy.file.rubrics.get(&profile).and_then(|id| book.rubric(id));
        let named = self.rubric.as_deref().and_then(|id| book.rubric(id)).or_else(by_policy);
        named.or_else(|| book.rubric_for(profile))
    }

    /// The certainty that a rejection needs, 0 to 1: as set, or else by the policy.
    pub(super) fn sure(&self, policy: &Policy) -> f64 {
        self.sure.unwrap_or(policy.file.sure)
    }

    /// The score that is needed: as set, else the complement of the certainty that a rejection needs, by readings or by
    /// the policy's curve; else that of the rubric.
    pub(super) fn threshold(&self, policy: &Policy, rubric: &Rubric, profile: Profile) -> (f64, SetBy) {
        let own = self.thresholds.get(&rubric.file.id).copied();
        let sure = self.sure(policy);
        let by_policy = policy.readiness(profile).filter(|_| policy.by_evidence(profile));
        let by_score = by_policy.map(|readiness| score::one_decimal(readiness.threshold(sure)));
        let by_readings = self.readings(policy, profile).map(|_| score::one_decimal((1.0 - sure) * 100.0));
        let candidates =
            [(self.threshold, SetBy::One), (own, SetBy::Own), (by_readings.or(by_score), SetBy::Certainty)];
        let set = candidates.into_iter().find_map(|(threshold, by)| threshold.map(|threshold| (threshold, by)));
        set.unwrap_or((rubric.file.threshold, SetBy::Rubric))
    }
}

impl Pipeline {
    /// The settings for a decision by readings about tickets from such a source, if readings decide; documents and
    /// conversations have none, because they were not read for calibration.
    pub(super) fn by_readings(&self, input: &str, source: SourceType) -> Option<ByReadings> {
        let profile = Profile::of(source, TicketType::Feature)?;
        self.settings.readings(self.policy(input).ok()?, profile)
    }

    /// The id of the policy in force.
    pub fn policy_id(&self) -> &str {
        self.settings.policy.as_deref().unwrap_or(DEFAULT_POLICY)
    }

    pub(super) fn policy(&self, input: &str) -> Result<&Policy, PipelineError> {
        let name = self.policy_id();
        self.book.policy(name).ok_or_else(|| PipelineError::NoPolicy {
            input: input.to_string(),
            name: name.to_string(),
            known: self.book.policies.iter().map(|policy| policy.file.id.as_str()).collect::<Vec<_>>().join(", "),
        })
    }

    pub(super) fn rubric(&self, input: &str, policy: &Policy, profile: Profile) -> Result<&Rubric, PipelineError> {
        self.settings.rubric(&self.book, policy, profile).ok_or_else(|| PipelineError::NoRubric {
            input: input.to_string(),
            profile: format!("{profile:?}").to_lowercase(),
        })
    }
}
