//! Writes the decisions of a review into the file of requirements: verdicts, added requirements, and changes made by hand.

use reqgate_docs::write::one_line;
use std::collections::BTreeSet;

use super::by_hand::{self, HandChange, changed_by_hand};
use super::document_files::REQUIREMENTS_FILE;
use super::state::{DecidedReview, PrdState};
use crate::requirements::{
    AddedRequirement, ExportedRequirement, RequirementsDocument, Review, ReviewFault, ReviewedRequirement, Verdict,
    VerdictKind, title_of,
};
use crate::{Decided, Requirement, RequirementId, SourceQuote};
use reqgate_flow::hash;
use reqgate_messages as messages;

/// The file of requirements with the decisions of a review.
pub(super) struct Written {
    /// The document to write.
    pub document: RequirementsDocument,
    /// The base of the next comparison.
    pub record: Vec<ExportedRequirement>,
    /// The requirements that were changed in the file during the review; they are shown again.
    pub changed: Vec<RequirementId>,
}

/// A hash of the text of a requirement.
pub(super) fn fingerprint(requirement: &Requirement) -> String {
    hash(&serde_json::to_vec(requirement).unwrap_or_default())
}

/// Writes decisions into the current file, together with the proposals that were shown.
///
/// # Errors
/// Fails on a verdict that cannot be applied; then the document is unchanged.
pub(super) fn decide(
    state: &PrdState,
    document: &RequirementsDocument,
    review: &DecidedReview,
) -> Result<Written, ReviewFault> {
    let recorded = state.recorded_requirements.as_deref();
    let by_hand = changed_by_hand(recorded, document);
    let is_seen = |id: &RequirementId| review.by_hand.contains(id);
    let before = |id: &RequirementId| {
        recorded.into_iter().flatten().find(|one| one.requirement.id == *id).map(|one| &one.requirement)
    };
    let gone = by_hand.iter().filter(|one| one.change == HandChange::Deleted && is_seen(&one.id));
    let gone: Vec<Requirement> = gone.filter_map(|one| before(&one.id).cloned()).collect();
    let (document, _) = document.with_restored(&gone).with_proposals(&state.functional_requirements);
    let as_shown = |id: &RequirementId| {
        let now = document.requirement(id).map(|one| fingerprint(&one.requirement));
        review.shown.iter().any(|(shown, hash)| shown == id && Some(hash) == now.as_ref())
    };
    let is_decided = |id: &RequirementId| document.requirement(id).is_some_and(|one| one.decided != Decided::Pending);
    // A deferred requirement stays undecided, and an earlier decision on it is withdrawn.
    let changes = |verdict: &&Verdict| verdict.kind != VerdictKind::Defer || is_decided(&verdict.id);
    let decisions = review.verdicts.iter().filter(changes).cloned();
    let (mut verdicts, missed): (Vec<Verdict>, Vec<Verdict>) = decisions.partition(|verdict| as_shown(&verdict.id));
    // Changes made by hand without a verdict become undecided, like every other requirement.
    let undecided = review
        .by_hand
        .iter()
        .filter(|id| as_shown(id) && is_decided(id) && !verdicts.iter().any(|verdict| verdict.id == **id));
    let undecided: Vec<Verdict> = undecided.map(|id| Verdict { id: id.clone(), kind: VerdictKind::Defer }).collect();
    verdicts.extend(undecided);
    let sources = sources(&document, review, &verdicts, &before);
    // A criterion that only repeats the text before the edit would contradict the new text.
    let edited = review.by_hand.iter().filter(|id| as_shown(id));
    let edited: Vec<(RequirementId, Requirement)> =
        edited.filter_map(|id| Some((id.clone(), before(id)?.clone()))).collect();
    let followed = document.with_following(&edited);
    let (document, added) = followed.with_proposals(&added(&followed, review));
    verdicts.extend(added.into_iter().map(|id| Verdict { id, kind: VerdictKind::Approve }));
    let decisions = Review {
        timestamp: review.timestamp.clone(),
        actor: review.actor.clone(),
        summary: review.summary.clone(),
        verdicts,
    };
    let document = document.reviewed(&decisions)?.with_sources(&sources);
    // Changes that have not been reviewed still differ from the record.
    let unseen = by_hand.iter().map(|one| &one.id).filter(|id| !is_seen(id) || !as_shown(id));
    let unseen: BTreeSet<RequirementId> = unseen.cloned().collect();
    let kept = recorded.into_iter().flatten().filter(|one| unseen.contains(&one.requirement.id)).cloned();
    let mut record = by_hand::record(&document);
    record.retain(|one| !unseen.contains(&one.requirement.id));
    record.extend(kept);
    let mut changed: BTreeSet<RequirementId> = missed.into_iter().map(|verdict| verdict.id).collect();
    changed.extend(unseen);
    Ok(Written { document, record, changed: changed.into_iter().collect() })
}

/// The added requirements, with ids that were never used.
fn added(document: &RequirementsDocument, review: &DecidedReview) -> Vec<Requirement> {
    let area = messages::Prd::of(document.language()).functional;
    let requirement = |one: &AddedRequirement| Requirement {
        priority: one.priority.unwrap_or_default(),
        category: one.category.clone().unwrap_or_else(|| area.to_owned()),
        // A rule can serve as its own criterion.,
        acceptance_criteria: match one.acceptance_criteria.as_slice() {
            [] => vec![one.description.trim().to_owned()],
            given => given.to_vec(),
        },
        sources: vec![said_in(review, &one.description)],
        ..Requirement::new(
            document.free_id(false),
            one.title.clone().unwrap_or_else(|| title_of(&one.description)),
            one.description.trim().to_owned(),
        )
    };
    review.added.iter().map(requirement).collect()
}

/// The source reference for words of the answer.
fn said_in(review: &DecidedReview, words: &str) -> SourceQuote {
    let source = if review.asked.is_empty() { "requirements_review" } else { review.asked.as_str() };
    SourceQuote { source: format!("ask:{source}"), line: 1, quote: one_line(words) }
}

/// The source of new words: an answer, or the edited file.
fn sources<'r>(
    document: &RequirementsDocument,
    review: &DecidedReview,
    verdicts: &[Verdict],
    before: &dyn Fn(&RequirementId) -> Option<&'r Requirement>,
) -> Vec<(RequirementId, SourceQuote)> {
    let mut out = Vec::new();
    for verdict in verdicts {
        let Some(ReviewedRequirement { requirement: now, .. }) = document.requirement(&verdict.id) else { continue };
        let is_rewritten =
            matches!(&verdict.kind, VerdictKind::Modify { changes, .. } if changes.description.is_some());
        if review.by_hand.contains(&verdict.id) && !is_rewritten {
            let words = by_hand::new_words(before(&verdict.id), now);
            let line = document.line_of(&verdict.id).unwrap_or(1);
            if !words.is_empty() {
                let quote = SourceQuote { source: REQUIREMENTS_FILE.to_owned(), line, quote: words };
                out.push((verdict.id.clone(), quote));
            }
        }
        if let VerdictKind::Modify { changes, .. } = &verdict.kind {
            let mut changed = now.clone();
            changed.description = changes.description.clone().unwrap_or_else(|| now.description.clone());
            changed.acceptance_criteria =
                changes.acceptance_criteria.clone().unwrap_or_else(|| now.acceptance_criteria.clone());
            let words = by_hand::new_words(Some(now), &changed);
            if !words.is_empty() {
                out.push((verdict.id.clone(), said_in(review, &words)));
            }
        }
    }
    out
}
