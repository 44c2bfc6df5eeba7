//! Follows the issues of critics from round to round: resolved, or still pending.

use super::marks::with_marks;
use super::revision::{heading_of_issue, issues_of};
use super::state::{TeamPatch, TeamState};
use crate::critique::{Critique, Issue, is_same};
use crate::team::revised::{changed_sections, heading_of};

/// The resolved and the pending issues after the critiques of the current draft, each once. An issue that no critic names
/// again is resolved only if its section has changed: a reader may have overlooked it.
pub(super) fn tracked(team: &TeamState, critiques: &[Critique]) -> TeamPatch {
    let mut pending: Vec<Issue> = Vec::new();
    for issue in critiques.iter().flat_map(|critique| &critique.issues_found) {
        if !pending.iter().any(|known| is_same(known, issue)) {
            pending.push(issue.clone());
        }
    }
    let mut resolved: Vec<Issue> = Vec::new();
    let before = team.feedback_rounds.last();
    let drafts = before.and_then(|round| team.draft(round.draft_version)).zip(team.current_draft());
    let (Some(before), Some((old, new))) = (before, drafts) else { return TeamPatch::Tracked { resolved, pending } };
    let (old, new) = (with_marks(&old.markdown), with_marks(&new.markdown));
    let changed = changed_sections(&old, &new);
    // Rounds of an older program have no list of pending issues.
    let open: Vec<&Issue> = match before.pending_issues.is_empty() {
        true => issues_of(Some(before)),
        false => before.pending_issues.iter().collect(),
    };
    for issue in open {
        if pending.iter().chain(&resolved).any(|known| is_same(known, issue)) {
            continue;
        }
        let is_changed = match heading_of_issue(&old, issue, team.language()) {
            Some(heading) => changed.iter().any(|one| heading_of(&old, one) == heading_of(&old, &heading)),
            None => !changed.is_empty(),
        };
        if is_changed { &mut resolved } else { &mut pending }.push(issue.clone());
    }
    TeamPatch::Tracked { resolved, pending }
}
