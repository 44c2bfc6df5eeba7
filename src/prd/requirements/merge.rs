//! Brings two changes of one document together: field by field, and nobody's words are overwritten.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::edit::{self, Changes};
use super::{RequirementsDocument, ReviewedRequirement, ids};
use crate::prd::{RequirementId, ReviewRecord};

/// Two changes brought together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Merged {
    /// The document on disk with every change of ours that nobody else made differently.
    pub document: RequirementsDocument,
    /// What both sides changed in different ways; the document has the words on disk there. A person must decide.
    pub conflicts: Vec<Conflict>,
    /// Ids that our new requirements got, because somebody else had used theirs in the meantime.
    pub renamed: BTreeMap<RequirementId, RequirementId>,
}

/// One value that both sides changed in different ways.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Conflict {
    /// The requirement; `None` for the document itself.
    pub id: Option<RequirementId>,
    /// Which value.
    pub field: ConflictField,
    /// The value that both started from; `None` if there was none.
    pub base: Option<String>,
    /// The value on disk; `None` if it is gone.
    pub disk: Option<String>,
    /// The value that we want to write; `None` if it is gone.
    pub ours: Option<String>,
}

/// A value that can be in conflict.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ConflictField {
    /// Somebody took the requirement out.
    Requirement,
    /// The name of a requirement.
    Title,
    /// What the product shall do.
    Description,
    /// How much it matters.
    Priority,
    /// The area of the product.
    Category,
    /// The acceptance criteria, as a list.
    AcceptanceCriteria,
    /// Where it comes from.
    Sources,
    /// Its names elsewhere.
    Aliases,
    /// Its user stories.
    UserStories,
    /// What was decided.
    Decision,
    /// The state of the document.
    Status,
}

/// Brings together what is on disk now and what we want to write; both were made from `base`.
pub fn merge(base: &RequirementsDocument, disk: &RequirementsDocument, ours: &RequirementsDocument) -> Merged {
    if base.text == disk.text {
        return Merged { document: ours.clone(), conflicts: Vec::new(), renamed: BTreeMap::new() };
    }
    let mut merger = Merger { changes: Changes::default(), conflicts: Vec::new(), renamed: BTreeMap::new() };
    let mut taken: BTreeSet<RequirementId> = disk.taken();
    taken.extend(base.taken());
    for entry in ours.requirements() {
        let id = &entry.requirement.id;
        match (base.requirement(id), disk.requirement(id)) {
            (Some(base), Some(disk)) => merger.change(base, disk, entry),
            (Some(base), None) if base == entry => {}
            (Some(base), None) => merger.gone(base, entry),
            (None, Some(disk)) if disk == entry => {}
            (None, _) => merger.add(entry, &mut taken),
        }
    }
    merger.history(base, disk, ours);
    if ours.status() != base.status() {
        if disk.status() == base.status() {
            merger.changes.status = Some(ours.status());
        } else if disk.status() != ours.status() {
            let words = |document: &RequirementsDocument| json(&document.status());
            merger.conflicts.push(Conflict {
                id: None,
                field: ConflictField::Status,
                base: words(base),
                disk: words(disk),
                ours: words(ours),
            });
        }
    }
    let document = edit::apply(disk, &merger.changes);
    Merged { document, conflicts: merger.conflicts, renamed: merger.renamed }
}

struct Merger {
    changes: Changes,
    conflicts: Vec<Conflict>,
    renamed: BTreeMap<RequirementId, RequirementId>,
}

impl Merger {
    fn change(&mut self, base: &ReviewedRequirement, disk: &ReviewedRequirement, ours: &ReviewedRequirement) {
        let mut new = disk.clone();
        macro_rules! field {
            ($field:ident, $kind:expr) => {
                let (b, d, o) = (&base.requirement.$field, &disk.requirement.$field, &ours.requirement.$field);
                if self.take(base, $kind, b, d, o) {
                    new.requirement.$field = o.clone();
                }
            };
        }
        field!(title, ConflictField::Title);
        field!(description, ConflictField::Description);
        field!(priority, ConflictField::Priority);
        field!(category, ConflictField::Category);
        field!(acceptance_criteria, ConflictField::AcceptanceCriteria);
        field!(sources, ConflictField::Sources);
        field!(aliases, ConflictField::Aliases);
        field!(user_stories, ConflictField::UserStories);
        if self.take(base, ConflictField::Decision, &base.decided, &disk.decided, &ours.decided) {
            new.decided = ours.decided.clone();
        }
        if new != *disk {
            self.changes.changed.insert(base.requirement.id.clone(), new);
        }
    }

    /// True if our value is to be taken; a value that both changed differently is a conflict.
    fn take<T: PartialEq + Serialize>(
        &mut self,
        base: &ReviewedRequirement,
        field: ConflictField,
        was: &T,
        disk: &T,
        ours: &T,
    ) -> bool {
        if ours == was || ours == disk {
            return false;
        }
        if disk != was {
            let id = Some(base.requirement.id.clone());
            self.conflicts.push(Conflict { id, field, base: json(was), disk: json(disk), ours: json(ours) });
            return false;
        }
        true
    }

    fn gone(&mut self, base: &ReviewedRequirement, ours: &ReviewedRequirement) {
        self.conflicts.push(Conflict {
            id: Some(base.requirement.id.clone()),
            field: ConflictField::Requirement,
            base: Some(base.requirement.title.clone()),
            disk: None,
            ours: Some(ours.requirement.title.clone()),
        });
    }

    fn add(&mut self, entry: &ReviewedRequirement, taken: &mut BTreeSet<RequirementId>) {
        let mut entry = entry.clone();
        let id = entry.requirement.id.clone();
        if taken.contains(&id) {
            entry.requirement.id = ids::next(id.is_quality(), taken);
            self.renamed.insert(id, entry.requirement.id.clone());
        }
        taken.insert(entry.requirement.id.clone());
        self.changes.added.push(entry);
    }

    /// Our reviews that nobody has recorded yet, under the ids that our requirements have now.
    fn history(&mut self, base: &RequirementsDocument, disk: &RequirementsDocument, ours: &RequirementsDocument) {
        let known = |record: &&ReviewRecord| base.history().contains(record) || disk.history().contains(record);
        for record in ours.history().iter().filter(|record| !known(record)) {
            let mut record = record.clone();
            let lists = [&mut record.approved_ids, &mut record.rejected_ids, &mut record.modified_ids];
            for id in lists.into_iter().flatten() {
                if let Some(new) = self.renamed.get(id) {
                    *id = new.clone();
                }
            }
            self.changes.reviews.push(record);
        }
    }
}

/// A value in words that a person can compare.
fn json<T: Serialize>(value: &T) -> Option<String> {
    match serde_json::to_value(value).ok()? {
        serde_json::Value::String(words) => Some(words),
        other => Some(other.to_string()),
    }
}
