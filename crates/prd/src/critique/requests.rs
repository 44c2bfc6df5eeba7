//! The requests of critics to the writer of the next draft: a line for each issue, and none twice.

use super::consolidated::{conflicts, is_same};
use super::{Critique, Issue, Role};
use reqgate_base::model::Language;
use reqgate_messages as messages;

/// The most issues whose suggestions are repeated: an order is short.
const MOST_SUGGESTED: usize = 8;

/// Returns the issues of all critics, the most severe first, each with the critics who name it and its place, the
/// first ones with the suggestion; then the advice, and the suggestions that contradict each other.
pub(crate) fn requests(critiques: &[Critique], language: Language) -> String {
    let mut merged: Vec<(&Issue, Vec<Role>)> = Vec::new();
    for critique in critiques {
        for issue in &critique.issues_found {
            match merged.iter_mut().find(|(known, _)| is_same(known, issue)) {
                Some((_, roles)) if !roles.contains(&critique.critic_role) => roles.push(critique.critic_role),
                Some(_) => {}
                None => merged.push((issue, vec![critique.critic_role])),
            }
        }
    }
    merged.sort_by_key(|(issue, _)| issue.severity);
    let issues = merged.into_iter().enumerate().map(|(number, (issue, roles))| {
        let roles: Vec<&str> = roles.iter().map(|role| role.name()).collect();
        let place = issue.place.as_ref().map(|place| format!(" (prd:{})", place.line)).unwrap_or_default();
        let severity = issue.severity.words(language);
        let what = issue.what_in_words(language);
        let suggestion = if number < MOST_SUGGESTED { format!(" → {}", issue.suggestion) } else { String::new() };
        format!("{severity}, {}{place}: {what}{suggestion}", roles.join(", "))
    });
    let advice = critiques.iter().flat_map(|critique| critique.advice.in_lines(language));
    let all: Vec<&Critique> = critiques.iter().collect();
    let said = messages::Prd::of(language);
    let opposed = conflicts(&all).into_iter().map(|one| said.cannot_both(&one.suggestion1, &one.suggestion2));
    issues.chain(advice).chain(opposed).map(|line| format!("- {line}\n")).collect()
}
