//! Tells what decides under a policy: for each kind of document the rubric, the threshold, and what sets it.

use super::Settings;
use reqgate_rules::config::ValidConfig;
use reqgate_rules::{DEFAULT_ISSUE_POLICY, DEFAULT_POLICY, Policy, Profile, RuleBook};

/// What sets a threshold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SetBy {
    /// One threshold for every rubric: a flag or an environment variable.
    One,
    /// The entry of the rubric under `thresholds`.
    Own,
    /// The certainty that a rejection needs: `sure`.
    Certainty,
    /// The rubric itself.
    Rubric,
}

/// What decides about one kind of document under one policy.
#[derive(Debug, Clone, PartialEq)]
pub struct InForce {
    /// Id of the policy.
    pub policy: String,
    /// The kind of document.
    pub profile: Profile,
    /// Id of the rubric.
    pub rubric: String,
    /// Score needed to pass, 0 to 100.
    pub threshold: f64,
    /// What sets the threshold.
    pub set_by: SetBy,
}

impl InForce {
    /// What decides under a configuration: under the policy that it names, else under that of files and that of issues.
    pub fn under(config: &ValidConfig, book: &RuleBook) -> Vec<Self> {
        Self::of(book, &settings(config), &policies(config, book))
    }

    /// What decides about every kind of document under these policies.
    fn of(book: &RuleBook, settings: &Settings, policies: &[&Policy]) -> Vec<Self> {
        let kinds = [Profile::Feature, Profile::Bug, Profile::Prd, Profile::Meeting];
        let pairs = policies.iter().flat_map(|policy| kinds.map(|profile| (*policy, profile)));
        let found = pairs.filter_map(|(policy, profile)| {
            let rubric = settings.rubric(book, policy, profile)?;
            let (threshold, set_by) = settings.threshold(policy, rubric, profile);
            Some(Self { policy: policy.file.id.clone(), profile, rubric: rubric.file.id.clone(), threshold, set_by })
        });
        found.collect()
    }
}

/// The policies that may decide under a configuration: the one that is named, else that of files and that of issues.
pub(super) fn policies<'b>(config: &ValidConfig, book: &'b RuleBook) -> Vec<&'b Policy> {
    let names = match config.policy.value.as_deref() {
        Some(name) => vec![name],
        None => vec![DEFAULT_POLICY, DEFAULT_ISSUE_POLICY],
    };
    names.into_iter().filter_map(|name| book.policy(name)).collect()
}

/// The settings of a configuration as far as they decide.
fn settings(config: &ValidConfig) -> Settings {
    Settings {
        thresholds: config.thresholds.iter().map(|(id, threshold)| (id.clone(), threshold.value)).collect(),
        threshold: config.threshold.value,
        rubric: config.rubric.value.clone(),
        sure: config.sure.value,
        ..Settings::default()
    }
}
