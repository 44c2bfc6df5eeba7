//! Applies a person's decisions on requirements to the document.

use reqgate_docs::write::one_line;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::edit::{self, Changes};
use super::following::followed;
use super::{RequirementsDocument, ReviewedRequirement};
use crate::{Decided, QuestionId, Requirement, RequirementId, RequirementPriority, ReviewRecord};
use reqgate_base::model::Language;

/// One review: who decided what, and when.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Review {
    /// When, by RFC 3339 in UTC.
    pub timestamp: String,
    /// The reviewer.
    pub actor: String,
    /// The comment on the whole; empty for a summary generated from the verdicts.
    #[serde(default)]
    pub summary: String,
    /// The decisions on requirements.
    pub verdicts: Vec<Verdict>,
}

/// The decision on one requirement.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Verdict {
    /// The requirement.
    pub id: RequirementId,
    /// The decision.
    #[serde(flatten)]
    pub kind: VerdictKind,
}

/// The decisions there are.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "verdict", rename_all = "snake_case")]
pub enum VerdictKind {
    /// Approved as it is.
    Approve,
    /// Rejected.
    Reject {
        /// Why.
        reason: String,
    },
    /// Approved with changes.
    Modify {
        /// The new values.
        changes: RequirementChanges,
        /// Why.
        reason: String,
    },
    /// Wanted, but not in this feature.
    OutOfScope {
        /// Why.
        reason: String,
    },
    /// Not decided yet.
    Defer,
}

/// New values of a requirement; absent ones stay.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RequirementChanges {
    /// Its name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// What the product shall do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The priority.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub priority: Option<RequirementPriority>,
    /// The area of the product.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub category: Option<String>,
    /// How somebody can check that it is met.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub acceptance_criteria: Option<Vec<String>>,
    /// The open questions that it waits for; an empty list for none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub waits_for: Option<Vec<QuestionId>>,
}

/// The reason why a review cannot be applied; the document is unchanged.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ReviewFault {
    /// A verdict on something that is not there.
    #[error("there is no requirement {0}")]
    Unknown(RequirementId),
    /// Two verdicts on one requirement.
    #[error("{0} has two verdicts: give it one")]
    Twice(RequirementId),
    /// A rejection without a reason.
    #[error("{0} needs a reason")]
    NoReason(RequirementId),
    /// A modification without a change.
    #[error("{0} is to be modified, but no change is given")]
    NoChange(RequirementId),
}

impl RequirementsDocument {
    /// The document after a review, which its history then names. A verdict is the last word: an earlier one is replaced.
    ///
    /// # Errors
    /// Fails on a verdict that cannot be carried out; the document is unchanged then.
    pub fn reviewed(&self, review: &Review) -> Result<Self, ReviewFault> {
        let mut changes = Changes::default();
        let mut record = ReviewRecord {
            timestamp: review.timestamp.clone(),
            actor: review.actor.clone(),
            summary: review.summary.clone(),
            approved_ids: Vec::new(),
            rejected_ids: Vec::new(),
            modified_ids: Vec::new(),
        };
        let (mut deferred, mut excluded) = (0, 0);
        for Verdict { id, kind } in &review.verdicts {
            let entry = self.requirement(id).ok_or_else(|| ReviewFault::Unknown(id.clone()))?;
            if changes.changed.contains_key(id) {
                return Err(ReviewFault::Twice(id.clone()));
            }
            changes.changed.insert(id.clone(), decided(entry, kind, self.language())?);
            match kind {
                VerdictKind::Approve => record.approved_ids.push(id.clone()),
                VerdictKind::Reject { .. } => record.rejected_ids.push(id.clone()),
                VerdictKind::OutOfScope { .. } => {
                    excluded += 1;
                    record.rejected_ids.push(id.clone());
                }
                VerdictKind::Modify { .. } => record.modified_ids.push(id.clone()),
                VerdictKind::Defer => deferred += 1,
            }
        }
        if record.summary.trim().is_empty() {
            record.summary = summary(&record, excluded, deferred, self.language());
        }
        changes.reviews.push(record);
        Ok(edit::apply(self, &changes))
    }
}

/// A requirement after a verdict.
fn decided(
    entry: &ReviewedRequirement,
    kind: &VerdictKind,
    language: Language,
) -> Result<ReviewedRequirement, ReviewFault> {
    let id = &entry.requirement.id;
    let reasoned = |reason: &String| {
        let is_given = !reason.trim().is_empty();
        if is_given { Ok(reason.clone()) } else { Err(ReviewFault::NoReason(id.clone())) }
    };
    let mut requirement = entry.requirement.clone();
    let decided = match kind {
        VerdictKind::Approve => Decided::Approved,
        VerdictKind::Defer => Decided::Pending,
        VerdictKind::Reject { reason } => Decided::Rejected { reason: reasoned(reason)? },
        VerdictKind::OutOfScope { reason } => Decided::OutOfScope { reason: reasoned(reason)? },
        VerdictKind::Modify { changes, reason } => {
            if *changes == RequirementChanges::default() {
                return Err(ReviewFault::NoChange(id.clone()));
            }
            change(&mut requirement, changes);
            if changes.acceptance_criteria.is_none() {
                requirement = followed(&entry.requirement, &requirement);
            }
            let changed = changed_in_words(&entry.requirement, &requirement, language);
            let reason = reasoned(reason)?;
            let notes = language.of(format!("{reason} ({changed})"), format!("{reason}（{changed}）"));
            let notes = if changed.is_empty() { reason } else { notes };
            // An earlier change is not undone by a later one.
            let notes = match &entry.decided {
                Decided::Modified { notes: before } => format!("{before}{}{notes}", language.of("; ", "；")),
                _ => notes,
            };
            Decided::Modified { notes }
        }
    };
    Ok(ReviewedRequirement { requirement, decided })
}

fn change(requirement: &mut Requirement, changes: &RequirementChanges) {
    let RequirementChanges { title, description, priority, category, acceptance_criteria, waits_for } = changes.clone();
    requirement.title = title.unwrap_or_else(|| requirement.title.clone());
    requirement.description = description.unwrap_or_else(|| requirement.description.clone());
    requirement.priority = priority.unwrap_or(requirement.priority);
    requirement.category = category.unwrap_or_else(|| requirement.category.clone());
    requirement.acceptance_criteria = acceptance_criteria.unwrap_or_else(|| requirement.acceptance_criteria.clone());
    requirement.waits_for = waits_for.unwrap_or_else(|| requirement.waits_for.clone());
}

/// The longest former words in the note on a change, in characters.
const LONGEST_FORMER: usize = 120;

/// Describes the differences between two versions of a requirement, with the former words.
fn changed_in_words(before: &Requirement, after: &Requirement, language: Language) -> String {
    let former = |name: &str, words: &str| {
        let words = one_line(words);
        let shown: String = words.chars().take(LONGEST_FORMER).collect();
        let more = if shown.len() < words.len() { "…" } else { "" };
        match (words.is_empty(), language) {
            (true, Language::En) => format!("{name} added"),
            (true, Language::Zh) => format!("新增{name}"),
            (false, Language::En) => format!("{name} before: “{shown}{more}”"),
            (false, Language::Zh) => format!("{name}原为“{shown}{more}”"),
        }
    };
    let texts = [
        (language.of("title", "标题"), &before.title, &after.title),
        (language.of("description", "描述"), &before.description, &after.description),
        (language.of("category", "类别"), &before.category, &after.category),
    ];
    let texts = texts.into_iter().filter(|(_, before, after)| before != after);
    let mut changed: Vec<String> = texts.map(|(name, before, _)| former(name, before)).collect();
    if before.acceptance_criteria != after.acceptance_criteria {
        let words = before.acceptance_criteria.join(" | ");
        changed.push(former(language.of("acceptance criteria", "验收标准"), &words));
    }
    if before.priority != after.priority {
        changed.push(language.of("priority changed", "优先级有变").to_owned());
    }
    changed.join(language.of("; ", "；"))
}

/// A summary of the verdicts; `excluded` of those that are recorded as rejected are out of scope.
fn summary(record: &ReviewRecord, excluded: usize, deferred: usize, language: Language) -> String {
    let rejected = record.rejected_ids.len() - excluded;
    let counts = [record.approved_ids.len(), record.modified_ids.len(), rejected, excluded, deferred];
    let names = match language {
        Language::En => ["approved", "modified", "rejected", "out of scope", "deferred"],
        Language::Zh => ["项批准", "项修改", "项拒绝", "项不在范围", "项推迟"],
    };
    let zh = language == Language::Zh;
    let parts = counts.iter().zip(names).filter(|(count, _)| **count > 0);
    let parts: Vec<String> = parts.map(|(count, name)| format!("{count} {name}")).collect();
    if zh { format!("{}。", parts.join("，")) } else { format!("{}.", parts.join(", ")) }
}
