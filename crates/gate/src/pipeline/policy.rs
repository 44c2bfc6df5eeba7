//! Which policy, which rubric and which threshold hold for an input.

use super::in_force::SetBy;
use super::{Pipeline, PipelineError, Settings};
use crate::stages::scoring::score;
use reqgate_base::model::{SourceType, TicketType};
use reqgate_rules::{ByReadings, DEFAULT_POLICY, Policy, Profile, Rubric, RuleBook};

impl Settings {
    /// How readings decide about this kind of document, where they do: not where somebody names the rubric that is to decide.
    pub(super) fn readings(&self, policy: &Policy, profile: Profile) -> Option<ByReadings> {
        policy.by_readings(profile).filter(|_| self.rubric.is_none())
    }

    /// The rubric of this kind of document: the one that is named for all, else that of the policy, else the first that is
    /// made for it.
    pub(super) fn rubric<'b>(&self, book: &'b RuleBook, policy: &Policy, profile: Profile) -> Option<&'b Rubric> {
        let by_policy = || policy.file.rubrics.get(&profile).and_then(|id| book.rubric(id));
        let named = self.rubric.as_deref().and_then(|id| book.rubric(id)).or_else(by_policy);
        named.or_else(|| book.rubric_for(profile))
    }

    /// How sure a "no" must be to block, 0 to 1: as set, else by the policy.
    pub(super) fn sure(&self, policy: &Policy) -> f64 {
        self.sure.unwrap_or(policy.file.sure)
    }

    /// The score that is needed: as set, else what the certainty that a "no" needs leaves for a "yes", by
    /// readings or by the policy's curve; else by the rubric.
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
    /// How readers' judgements decide about tickets from such a source, if they do; nobody judged documents and talks.
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
