//! Changes that people made directly in the file of requirements: detected, shown again, and attributed to the file.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::requirements::{ExportedRequirement, RequirementsDocument};
use crate::{Decided, Requirement, RequirementId};

/// A requirement that somebody changed in the file, outside of a review.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ChangedByHand {
    /// The requirement.
    pub id: RequirementId,
    /// The kind of change.
    pub change: HandChange,
    /// The former text; absent for a new requirement.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<String>,
}

/// A change that somebody made to a requirement in the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum HandChange {
    /// Its words, its criteria or its values are others.
    Edited,
    /// It was moved under another decision, with the same words.
    Decided,
    /// It is new.
    Added,
    /// It is gone. Approving it puts it back; rejecting it leaves it out, with the reason.
    Deleted,
}

/// The differences between the file and the result of the last review. Before the first review there are none.
pub(super) fn changed_by_hand(
    recorded: Option<&[ExportedRequirement]>,
    document: &RequirementsDocument,
) -> Vec<ChangedByHand> {
    let Some(recorded) = recorded else { return Vec::new() };
    let mut changes = Vec::new();
    for now in document.requirements() {
        let id = &now.requirement.id;
        let before = recorded.iter().find(|one| one.requirement.id == *id);
        let change = match before {
            None => HandChange::Added,
            Some(before) if !is_unchanged(&before.requirement, &now.requirement) => HandChange::Edited,
            Some(before) if before.decision != now.decided => HandChange::Decided,
            Some(_) => continue,
        };
        let before = before.map(|one| words_of(&one.requirement));
        changes.push(ChangedByHand { id: id.clone(), change, before });
    }
    let is_gone = |one: &&ExportedRequirement| document.requirement(&one.requirement.id).is_none();
    changes.extend(recorded.iter().filter(is_gone).map(|one| ChangedByHand {
        id: one.requirement.id.clone(),
        change: HandChange::Deleted,
        before: Some(words_of(&one.requirement)),
    }));
    changes
}

/// Whether two versions of a requirement mean the same, regardless of their sources.
fn is_unchanged(one: &Requirement, other: &Requirement) -> bool {
    let bare = |requirement: &Requirement| Requirement { sources: Vec::new(), ..requirement.clone() };
    bare(one) == bare(other)
}

/// Whether two requirements say the same, whatever their ids, priorities and sources.
pub(super) fn says_the_same(one: &Requirement, other: &Requirement) -> bool {
    words_of(one) == words_of(other)
}

/// The text of a requirement, in one line.
fn words_of(requirement: &Requirement) -> String {
    let mut words = vec![requirement.description.trim()];
    let criteria = requirement.acceptance_criteria.iter().map(|criterion| criterion.trim());
    words.extend(criteria.filter(|criterion| *criterion != requirement.description.trim()));
    words.retain(|words| !words.is_empty());
    if words.is_empty() { requirement.title.clone() } else { words.join(" · ").replace('\n', " ") }
}

/// The lines of a requirement that somebody added.
pub(super) fn new_words(before: Option<&Requirement>, now: &Requirement) -> String {
    let lines = |requirement: &Requirement| -> Vec<String> {
        let criteria = requirement.acceptance_criteria.iter().map(String::as_str);
        let all = requirement.description.lines().chain(criteria).map(|line| line.trim().to_owned());
        all.filter(|line| !line.is_empty()).collect()
    };
    let old = before.map(lines).unwrap_or_default();
    let mut new = lines(now);
    new.retain(|line| !old.contains(line));
    new.dedup();
    new.join(" ")
}

/// The requirements of the file as a review left them, for the next comparison.
pub(super) fn record(document: &RequirementsDocument) -> Vec<ExportedRequirement> {
    let recorded = |requirement: &Requirement, decision: &Decided| ExportedRequirement {
        requirement: requirement.clone(),
        decision: decision.clone(),
    };
    document.requirements().map(|one| recorded(&one.requirement, &one.decided)).collect()
}
