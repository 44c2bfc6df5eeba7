//! Finds the settings of a configuration that have no effect, and names the setting that decides instead.

use super::in_force::{InForce, SetBy, policies};
use reqgate_base::model::Severity;
use reqgate_rules::config::{Origin, Problem, ValidConfig};
use reqgate_rules::{RuleBook, Tally};

/// Every setting without effect under the policies in force, in the order of the file; `recorded` gives the numbers of
/// right and wrong findings of a rule in the user's own records.
pub fn without_effect(
    config: &ValidConfig,
    book: &RuleBook,
    recorded: impl Fn(&reqgate_base::model::RuleId) -> Tally,
) -> Vec<Problem> {
    let in_force = InForce::under(config, book);
    let mut found = thresholds(config, &in_force);
    found.extend(certainty(config, book, &in_force));
    found.extend(severities(config, book, recorded));
    found.extend(switched_off(config));
    found.sort_by_key(|problem| problem.place);
    found
}

fn quoted(names: impl Iterator<Item = String>) -> String {
    let mut names: Vec<String> = names.collect();
    names.dedup();
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(" or ")
}

/// Thresholds of rubrics that are not used. A threshold for all rubrics by a flag or a variable is not reported,
/// because its user knows of it.
fn thresholds(config: &ValidConfig, in_force: &[InForce]) -> Vec<Problem> {
    if config.threshold.value.is_some() {
        return Vec::new();
    }
    let told = |id: &str, own: &Origin| {
        let message = if let Some(rubric) = config.rubric.value.as_deref().filter(|rubric| *rubric != id) {
            format!("`rubric` makes `{rubric}` score everything: set `thresholds: {{{rubric}: …}}`")
        } else if in_force.iter().any(|decides| decides.rubric == id) {
            return None;
        } else {
            let policies = quoted(in_force.iter().map(|decides| decides.policy.clone()));
            let kind = id.split('-').next().unwrap_or(id);
            let alike: Vec<&InForce> =
                in_force.iter().filter(|decides| decides.rubric.split('-').next() == Some(kind)).collect();
            match alike.as_slice() {
                [] => format!("under the policy {policies} no document is scored with it"),
                alike => {
                    let needs = |decides: &&InForce| format!("`{}` (needs {})", decides.rubric, decides.threshold);
                    let instead = alike.iter().map(needs).collect::<Vec<_>>().join(" or ");
                    let by_certainty = alike.iter().any(|decides| decides.set_by == SetBy::Certainty);
                    let or_sure = if by_certainty { ", or `sure`" } else { "" };
                    let kind = alike[0].profile.plural();
                    format!("under the policy {policies} {kind} are scored with {instead}: set that one{or_sure}")
                }
            }
        };
        Some(config.problem(own, format!("`thresholds.{id}` has no effect: {message}")))
    };
    config.thresholds.iter().filter_map(|(id, setting)| told(id, &setting.origin)).collect()
}

/// A certainty that has no effect, because rules decide, or because thresholds are set for all kinds of document.
fn certainty(config: &ValidConfig, book: &RuleBook, in_force: &[InForce]) -> Option<Problem> {
    config.sure.value?;
    let policies = policies(config, book);
    if policies.iter().any(|policy| policy.goes_by_evidence()) {
        let decided: Vec<&InForce> = in_force
            .iter()
            .filter(|decides| book.policy(&decides.policy).is_some_and(|policy| policy.by_evidence(decides.profile)))
            .collect();
        let own = decided.iter().filter(|decides| matches!(decides.set_by, SetBy::One | SetBy::Own));
        let own: Vec<String> = own.map(|decides| format!("`{}`", decides.rubric)).collect();
        if own.is_empty() || own.len() < decided.len() {
            return None;
        }
        let message = format!("`sure` has no effect on features and bugs: the threshold of {} is set", own.join(", "));
        return Some(config.problem(&config.sure.origin, message));
    }
    let policies = quoted(policies.iter().map(|policy| policy.file.id.clone()));
    let message = format!("`sure` has no effect: the policy {policies} is decided by rules and `thresholds`");
    Some(config.problem(&config.sure.origin, message))
}

/// Rules set to `blocker` that may not block, because too few of their findings were right.
fn severities(
    config: &ValidConfig,
    book: &RuleBook,
    recorded: impl Fn(&reqgate_base::model::RuleId) -> Tally,
) -> Vec<Problem> {
    let blockers = config.severities.iter().filter(|(_, level)| level.value == Some(Severity::Blocker));
    let floor = config.precision_floor.value;
    let told = blockers.filter_map(|(id, level)| {
        let counted = book.precision_of(id).into_iter().fold(recorded(id), |sum, (_, tally)| sum.plus(tally));
        let measured = counted.measured().filter(|measured| measured.is_below(floor))?;
        let message = format!(
            "`rules.{id}: blocker` has no effect: the precision of the rule is {}, below `precision_floor` ({floor}); lower \
             `precision_floor` to let it block",
            measured.words()
        );
        Some(config.problem(&level.origin, message))
    });
    told.collect()
}

/// Settings of a part that is switched off.
fn switched_off(config: &ValidConfig) -> Vec<Problem> {
    let mut found = Vec::new();
    let mut told = |origin: &Origin, message: &str| {
        if *origin != Origin::Default {
            found.push(config.problem(origin, message));
        }
    };
    if !config.enable_structuring.value {
        told(
            &config.enable_fallback.origin,
            "`structuring.fallback` has no effect: structuring is off (`structuring.enabled`)",
        );
    }
    if !config.guardrail.value.enabled {
        told(&config.guardrail_mode, "`guardrail.mode` has no effect: the guardrail is off (`guardrail.enabled`)");
    }
    found
}
