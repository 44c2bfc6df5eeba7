//! Which policy, which rubric and which threshold hold for an input.

use super::{Pipeline, PipelineError};
use crate::rules::{DEFAULT_POLICY, Policy, Profile, Rubric};
use crate::stages::scoring::score;

impl Pipeline {
    /// The score that is needed: as set, else by the policy's curve at the certainty that a "no" needs, else by the rubric.
    pub(super) fn threshold(&self, policy: &Policy, rubric: &Rubric, profile: Profile) -> f64 {
        let own = self.settings.thresholds.get(&rubric.file.id).copied();
        let sure = self.settings.sure.unwrap_or(policy.file.sure);
        let by_policy = policy.readiness(profile).filter(|_| policy.by_evidence(profile));
        let needed = by_policy.map(|readiness| score::one_decimal(readiness.threshold(sure)));
        self.settings.threshold.or(own).or(needed).unwrap_or(rubric.file.threshold)
    }

    pub(super) fn policy(&self, input: &str) -> Result<&Policy, PipelineError> {
        let name = self.settings.policy.as_deref().unwrap_or(DEFAULT_POLICY);
        self.book.policy(name).ok_or_else(|| PipelineError::NoPolicy {
            input: input.to_string(),
            name: name.to_string(),
            known: self.book.policies.iter().map(|policy| policy.file.id.as_str()).collect::<Vec<_>>().join(", "),
        })
    }

    pub(super) fn rubric(&self, input: &str, policy: &Policy, profile: Profile) -> Result<&Rubric, PipelineError> {
        let by_policy = || policy.file.rubrics.get(&profile).and_then(|id| self.book.rubric(id));
        let named = self.settings.rubric.as_deref().and_then(|id| self.book.rubric(id)).or_else(by_policy);
        named.or_else(|| self.book.rubric_for(profile)).ok_or_else(|| PipelineError::NoRubric {
            input: input.to_string(),
            profile: format!("{profile:?}").to_lowercase(),
        })
    }
}
