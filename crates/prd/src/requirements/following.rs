//! Title and criteria that only repeat the description of a requirement follow it when it is changed.

use super::edit::{self, Changes};
use super::{RequirementsDocument, ReviewedRequirement};
use crate::{Requirement, RequirementId};
use reqgate_docs::values::cut_between_words;
use reqgate_docs::write::one_line;

/// The longest title that is made of a description, in characters.
const LONGEST_TITLE: usize = 80;

/// A title for a description: its first sentence, where that is short enough.
pub fn title_of(description: &str) -> String {
    let line = description.trim().lines().next().unwrap_or_default();
    let sentence = line.split_inclusive(['。', '；', ';']).next().unwrap_or_default();
    let sentence = sentence.split_once(". ").map_or(sentence, |(first, _)| first);
    let words = sentence.trim_end_matches(['.', '。', ';', '；', ' ']);
    cut_between_words(words, LONGEST_TITLE)
}

fn bare(text: &str) -> &str {
    text.trim().trim_end_matches(['.', '。', '…'])
}

/// A requirement whose description was changed, with what only repeated the earlier one.
pub(crate) fn followed(before: &Requirement, now: &Requirement) -> Requirement {
    let mut new = now.clone();
    if bare(&before.description) == bare(&now.description) || now.description.trim().is_empty() {
        return new;
    }
    let no_longer = |text: &str| !bare(text).is_empty() && !now.description.contains(bare(text));
    for criterion in &mut new.acceptance_criteria {
        if bare(criterion) == bare(&before.description) && no_longer(criterion) {
            *criterion = one_line(&now.description);
        }
    }
    new.acceptance_criteria.dedup();
    let repeats = before.title == now.title && before.description.trim().starts_with(bare(&before.title));
    if repeats && no_longer(&now.title) {
        new.title = title_of(&now.description);
    }
    new
}

impl RequirementsDocument {
    /// The document in which these requirements are as they are given here; those that it does not have are added.
    #[must_use]
    pub(crate) fn with(&self, given: Vec<ReviewedRequirement>) -> Self {
        let mut changes = Changes::default();
        for one in given {
            match self.requirement(&one.requirement.id) {
                None => changes.added.push(one),
                Some(known) if *known == one => {}
                Some(_) => drop(changes.changed.insert(one.requirement.id.clone(), one)),
            }
        }
        edit::apply_any(self, &changes)
    }

    /// The document in which requirements are replaced by their new descriptions; each keeps a note of its old one.
    #[must_use]
    pub(crate) fn with_following(&self, before: &[(RequirementId, Requirement)]) -> Self {
        let mut changes = Changes::default();
        for (id, before) in before {
            let Some(entry) = self.requirement(id) else { continue };
            let requirement = followed(before, &entry.requirement);
            if requirement != entry.requirement {
                let decided = entry.decided.clone();
                changes.changed.insert(id.clone(), ReviewedRequirement { requirement, decided });
            }
        }
        edit::apply_any(self, &changes)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Review, Verdict, VerdictKind, parse};
    use crate::requirements::RequirementChanges;

    #[test]
    fn a_shortened_title_follows_its_description() {
        let text = "# Requirements: X\n\n## Pending Review\n\n### FR-001: Given 50 orders, when the export fails…\n\n\
            Given 50 orders, when the export fails on the server, then a message is shown.\n";
        let document = parse(text).expect("no faults");
        let description = Some("Given 1 to 10,000 orders, when the server fails, then a message is shown.".to_owned());
        let changes = RequirementChanges { description, ..RequirementChanges::default() };
        let kind = VerdictKind::Modify { changes, reason: "clearer".to_owned() };
        let id = "FR-001".parse().expect("an id");
        let review = Review {
            timestamp: "2026-11-25T00:00:00Z".to_owned(),
            actor: "Mei".to_owned(),
            summary: String::new(),
            verdicts: vec![Verdict { id, kind }],
        };
        let now = document.reviewed(&review).expect("it can be carried out");
        let title = now.requirements().next().map(|one| one.requirement.title.clone());
        assert_eq!(title.as_deref(), Some("Given 1 to 10,000 orders, when the server fails, then a message is shown"));
    }
}
