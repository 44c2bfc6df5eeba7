//! Detects changes that people made in the file of requirements, shows them for review, and gives the file as their source.

use reqgate_base::model::Language;
use reqgate_messages as messages;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::requirements::{ExportedRequirement, RequirementsDocument};
use crate::{Decided, Requirement, RequirementId};

/// A requirement that was changed in the file, outside of a review.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ChangedByHand {
    /// The id of the requirement.
    pub id: RequirementId,
    /// The kind of change.
    pub change: HandChange,
    /// The previous text; absent for a new requirement.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<String>,
}

/// The kind of a change to a requirement in the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum HandChange {
    /// The text, the criteria or the values were changed.
    Edited,
    /// The requirement was moved to another decision, with the same text.
    Decided,
    /// The requirement is new.
    Added,
    /// The requirement was deleted. Approving it puts it back; rejecting it leaves it out, with the reason.
    Deleted,
}

impl ChangedByHand {
    /// The change in a sentence, with the previous text where it was edited.
    pub fn in_words(&self, language: Language) -> String {
        let words = messages::Prd::of(language);
        match (self.change, &self.before) {
            (HandChange::Edited, before) => format!("{}{}", words.hand_edited, before.as_deref().unwrap_or_default()),
            (HandChange::Decided, _) => words.hand_decided.to_owned(),
            (HandChange::Added, _) => words.hand_added.to_owned(),
            (HandChange::Deleted, _) => words.hand_deleted.to_owned(),
        }
    }
}

/// The differences between the file and the result of the last review; empty before the first review.
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

/// Returns true if two versions of a requirement differ only in their sources.
fn is_unchanged(one: &Requirement, other: &Requirement) -> bool {
    let bare = |requirement: &Requirement| Requirement { sources: Vec::new(), ..requirement.clone() };
    bare(one) == bare(other)
}

/// Returns true if two requirements have the same text, regardless of ids, priorities and sources.
pub(super) fn says_the_same(one: &Requirement, other: &Requirement) -> bool {
    words_of(one) == words_of(other)
}

/// The text of a requirement as one line.
fn words_of(requirement: &Requirement) -> String {
    let mut words = vec![requirement.description.trim()];
    let criteria = requirement.acceptance_criteria.iter().map(|criterion| criterion.trim());
    words.extend(criteria.filter(|criterion| *criterion != requirement.description.trim()));
    let waits: Vec<String> = requirement.waits_for.iter().map(ToString::to_string).collect();
    let waits = waits.join(", ");
    words.push(&waits);
    words.retain(|words| !words.is_empty());
    if words.is_empty() { requirement.title.clone() } else { words.join(" · ").replace('\n', " ") }
}

/// The lines of a requirement that were added.
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

/// The requirements of the file after a review, for the next comparison.
pub(super) fn record(document: &RequirementsDocument) -> Vec<ExportedRequirement> {
    let recorded = |requirement: &Requirement, decision: &Decided| ExportedRequirement {
        requirement: requirement.clone(),
        decision: decision.clone(),
    };
    document.requirements().map(|one| recorded(&one.requirement, &one.decided)).collect()
}
