//! Updates the requirements from the approved PRD, which may have been edited in its review.

use super::data::{Kind, requirement, rows, sections};
use crate::prd_document::{PrdRequirement, shown};
use crate::prd_input::priority_name;
use crate::requirements::following::followed;
use crate::requirements::{RequirementsDocument, ReviewedRequirement, priority};
use crate::{Decided, Requirement, RequirementPriority};

/// Returns the document with the text and criteria from the rows of a PRD, without the requirements that were removed
/// from it, and with those that were added to it. `None` if its tables cannot be read.
pub fn in_line_with(document: &RequirementsDocument, prd: &str) -> Option<RequirementsDocument> {
    let prd = prd.replace("\r\n", "\n");
    let (_, sections) = sections(&prd);
    let tables: Vec<_> = sections.iter().filter(|one| matches!(one.kind, Kind::Functional | Kind::Quality)).collect();
    if tables.is_empty() || !tables.iter().all(|table| table.is_data()) {
        return None;
    }
    let is_wanted = |one: &&ReviewedRequirement| matches!(one.decided, Decided::Approved | Decided::Modified { .. });
    let known: Vec<PrdRequirement> =
        document.requirements().filter(is_wanted).map(|one| shown(&one.requirement, None)).collect();
    let stated: Vec<PrdRequirement> =
        tables.iter().flat_map(|table| rows(&table.lines)).filter_map(|row| requirement(&known, row)).collect();
    let mut given: Vec<ReviewedRequirement> = Vec::new();
    for entry in document.requirements().filter(is_wanted) {
        let before = &entry.requirement;
        let Some(now) = stated.iter().find(|one| one.id == before.id) else {
            // The row may be below a heading that a person added.
            let is_there = |line: &&str| line.contains(&before.id.to_string());
            if sections.iter().any(|one| one.kind == Kind::Other && one.lines.iter().any(is_there)) {
                return None;
            }
            let reason = document.language().of("taken out of the PRD when it was approved", "批准 PRD 时从中删除");
            let decided = Decided::Rejected { reason: reason.to_owned() };
            given.push(ReviewedRequirement { requirement: before.clone(), decided });
            continue;
        };
        let requirement = followed(before, &written(before.clone(), now));
        given.push(ReviewedRequirement { requirement, decided: entry.decided.clone() });
    }
    for new in stated.iter().filter(|one| !known.iter().any(|known| known.id == one.id)) {
        let before = document.requirement(&new.id).map(|entry| entry.requirement.clone());
        let bare = || Requirement::new(new.id.clone(), String::new(), String::new());
        let requirement = written(before.unwrap_or_else(bare), new);
        given.push(ReviewedRequirement { requirement, decided: Decided::Approved });
    }
    Some(document.with(given))
}

/// The requirement with the values of its row.
fn written(mut one: Requirement, row: &PrdRequirement) -> Requirement {
    one.title.clone_from(&row.title);
    one.description.clone_from(&row.requirement);
    one.acceptance_criteria.clone_from(&row.acceptance_criteria);
    one.category.clone_from(&row.category);
    one.waits_for.clone_from(&row.waits_for);
    if priority_name(one.priority) != row.priority {
        one.priority = priority(&row.priority).map_or(RequirementPriority::Unset, |(priority, _)| priority);
    }
    one
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prd_text::tests::with_input;
    use crate::requirements::render;

    /// Calls back with the approved requirements of the test PRD as a document, and its text.
    fn with_document(use_it: impl FnOnce(RequirementsDocument, &str)) {
        with_input(|input, text| {
            let given = input.requirements.iter().map(|(requirement, decided)| ReviewedRequirement {
                requirement: requirement.clone(),
                decided: decided.clone(),
            });
            let empty = RequirementsDocument::new(input.feature_id, &input.brief.title, input.brief.language);
            use_it(empty.with(given.collect()), text);
        });
    }

    #[test]
    fn a_prd_that_nobody_edited_changes_nothing() {
        with_document(|document, text| {
            let now = in_line_with(&document, text).expect("its tables are read");
            assert_eq!(render(&now), render(&document));
        });
    }

    #[test]
    fn requirements_follow_the_rows_that_were_edited_taken_out_or_added() {
        with_document(|document, text| {
            let first = document.requirements().next().expect("one").requirement.clone();
            let gone = text.lines().find(|line| line.starts_with("| FR-002 | ")).expect("its row");
            let new = "| FR-009 | A reader sees a note. | It is shown.<br>Twice. | functional |";
            let edited = text.replacen(gone, new, 1);
            let row = |words: &str| format!("| FR-001 | {words}");
            let edited = edited.replacen(&row(&first.description), &row("It is sent within 2 seconds."), 1);
            let now = in_line_with(&document, &edited).expect("its tables are read");
            let of = |id: &str| now.requirement(&id.parse().expect("an id")).expect("it is there").clone();
            assert_eq!(of("FR-001").requirement.description, "It is sent within 2 seconds.");
            assert!(!of("FR-001").requirement.title.contains(&first.title), "{:#?}", of("FR-001"));
            assert!(matches!(of("FR-002").decided, Decided::Rejected { .. }));
            assert_eq!(of("FR-009").decided, Decided::Approved);
            assert_eq!(of("FR-009").requirement.acceptance_criteria, ["It is shown.", "Twice."]);
            assert_eq!(
                of("FR-003"),
                *document.requirement(&"FR-003".parse().expect("an id")).expect("rejected before")
            );
        });
    }

    #[test]
    fn tables_that_were_rewritten_as_prose_are_not_read() {
        with_document(|document, text| {
            let start = text.find("## Functional requirements").expect("the table");
            let end = start + 3 + text[start + 3..].find("\n## ").expect("what follows");
            for prose in ["## Functional requirements\n\nIt is quick.\n", "## What it does\n\n- FR-001: It is quick.\n"]
            {
                let edited = format!("{}{prose}{}", &text[..start], &text[end..]);
                assert!(in_line_with(&document, &edited).is_none(), "{prose}");
            }
        });
    }
}
