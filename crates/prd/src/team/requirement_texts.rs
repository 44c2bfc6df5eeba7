//! The requirements of a PRD with their texts, in which the quotes of a contradiction must occur.

use super::document::parse_anyway;
use crate::gaps::{ComparedFeature, ComparedStatements};
use crate::requirements::RequirementsDocument;
use crate::{FeatureId, Requirement, RequirementId, SourceQuote};
use reqgate_docs::Outline;

/// The name under which the PRD appears in places.
pub(crate) const PRD: &str = "prd";

/// The text of a requirement, with its heading.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct RequirementText<'t> {
    /// The id, as the heading has it.
    pub id: &'t str,
    /// The line of the heading in the PRD, from 1.
    pub line: u32,
    /// The heading and everything below it.
    pub text: &'t str,
}

/// Returns the requirements whose headings begin with an id; of two with the same id, the first.
pub(crate) fn requirement_texts(prd: &str) -> Vec<RequirementText<'_>> {
    let outline = Outline::of(prd);
    let mut out: Vec<RequirementText<'_>> = Vec::new();
    for (at, heading) in outline.headings().iter().enumerate() {
        let id = heading.words.split([':', '：', ' ']).next().unwrap_or_default();
        if id.parse::<RequirementId>().is_ok() && !out.iter().any(|known| known.id == id) {
            let text = &prd[heading.span.start..outline.below(at).end];
            out.push(RequirementText { id, line: heading.line, text });
        }
    }
    out
}

/// Chooses the pairs of statements of different requirements that a reader compares.
pub(crate) fn compared_statements(prd: &str) -> ComparedStatements {
    let (document, _) = parse_anyway(prd);
    let texts = requirement_texts(prd);
    let functional = document.functional_requirements.into_iter().map(|one| Requirement {
        acceptance_criteria: one.acceptance_criteria,
        ..Requirement::new(one.id, one.title, one.description)
    });
    let qualities = document.non_functional_requirements.into_iter().map(|one| Requirement {
        acceptance_criteria: vec![one.measurement_criteria, one.target_value],
        ..Requirement::new(one.id, one.title, one.description)
    });
    let placed = functional.chain(qualities).filter_map(|one| {
        let line = texts.iter().find(|text| text.id == one.id.to_string())?.line;
        let sources = vec![SourceQuote { source: PRD.to_owned(), line, quote: String::new() }];
        Some(Requirement { sources, ..one })
    });
    let feature: FeatureId = "000-prd".parse().expect("a constant");
    let language = document.metadata.language;
    let placed: Vec<Requirement> = placed.collect();
    let (document, _) = RequirementsDocument::new(&feature, PRD, language).with_proposals(&placed);
    ComparedStatements::of(&[ComparedFeature { requirements: (PRD, prd), document: &document, brief: None }])
}

#[cfg(test)]
mod tests {
    use super::*;

    const DRAFT: &str = "# PRD: Route sheets\n\n## Functional Requirements\n\n### FR-001: Lock\n\nA submitted sheet is locked for every role. \
        [src-1]\n\n- Acceptance criteria:\n  - A locked sheet shows a lock.\n\n### FR-002: Fill in\n\nThe guide fills in missing values of a \
        submitted sheet later.\n\n## Non-Functional Requirements\n\n### NFR-001: Fast\n\nThe page opens quickly.\n";

    #[test]
    fn every_requirement_has_its_text_and_line() {
        let texts = requirement_texts(DRAFT);
        let found: Vec<(&str, u32)> = texts.iter().map(|one| (one.id, one.line)).collect();
        assert_eq!(found, [("FR-001", 5), ("FR-002", 12), ("NFR-001", 18)]);
        assert!(texts[0].text.ends_with("shows a lock.\n\n"), "{:?}", texts[0]);
        assert!(!texts[1].text.contains("Non-Functional"), "{:?}", texts[1]);
        let chinese =
            "# PRD：路线单\n\n## 功能需求\n\n### FR-001：锁定\n\n提交后锁定。\n\n### FR-001：重复\n\n又一条。\n";
        assert_eq!(requirement_texts(chinese).len(), 1);
        assert_eq!(requirement_texts("").len(), 0);
    }

    #[test]
    fn statements_of_different_requirements_are_paired_with_their_lines() {
        let compared = compared_statements(DRAFT);
        let words: Vec<&str> = compared.statements.values().map(String::as_str).collect();
        assert!(words.iter().any(|one| one.starts_with("FR-001, prd:7: A submitted sheet is locked")), "{words:?}");
        assert!(words.iter().any(|one| one.starts_with("FR-002, prd:14: The guide fills in")), "{words:?}");
        assert!(compared_statements("# PRD: X\n\n### FR-001: A\n\nAlone.\n").is_empty());
    }
}
