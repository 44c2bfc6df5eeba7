//! The settings that decide under a policy: for each kind of document the rubric, the threshold, and the origin of the threshold.

use super::Settings;
use reqgate_rules::config::ValidConfig;
use reqgate_rules::{DEFAULT_ISSUE_POLICY, DEFAULT_POLICY, Policy, Profile, RuleBook};

/// The origin of a threshold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SetBy {
    /// One threshold for every rubric: a flag or an environment variable.
    One,
    /// The entry of the rubric under `thresholds`.
    Own,
    /// The certainty that a rejection needs: `sure`.
    Certainty,
    /// The threshold in the rubric.
    Rubric,
}

/// The settings that decide about one kind of document under one policy.
#[derive(Debug, Clone, PartialEq)]
pub struct InForce {
    /// The id of the policy.
    pub policy: String,
    /// The kind of document.
    pub profile: Profile,
    /// The id of the rubric.
    pub rubric: String,
    /// Score needed to pass, 0 to 100.
    pub threshold: f64,
    /// The origin of the threshold.
    pub set_by: SetBy,
}

impl InForce {
    /// The settings that decide under a configuration: for the policy that it names, or else for those of files and issues.
    pub fn under(config: &ValidConfig, book: &RuleBook) -> Vec<Self> {
        Self::of(book, &settings(config), &policies(config, book))
    }

    /// The settings that decide about every kind of document under these policies.
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

/// The policies that may decide under a configuration: the named one, or else those of files and issues.
pub(super) fn policies<'b>(config: &ValidConfig, book: &'b RuleBook) -> Vec<&'b Policy> {
    let names = match config.policy.value.as_deref() {
        Some(name) => vec![name],
        None => vec![DEFAULT_POLICY, DEFAULT_ISSUE_POLICY],
    };
    names.into_iter().filter_map(|name| book.policy(name)).collect()
}

/// The settings of a configuration that affect decisions.
fn settings(config: &ValidConfig) -> Settings {
    Settings {
        thresholds: config.thresholds.iter().map(|(id, threshold)| (id.clone(), threshold.value)).collect(),
        threshold: config.threshold.value,
        rubric: config.rubric.value.clone(),
        sure: config.sure.value,
        ..Settings::default()
    }
}
