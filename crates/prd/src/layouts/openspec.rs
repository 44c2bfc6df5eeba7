//! Requirements of OpenSpec: `### Requirement: Name` with a demand below it, and its criteria as `#### Scenario: …`.

use std::sync::LazyLock;

use regex::Regex;

use super::sentences::{plain, sentence};
use crate::{Requirement, RequirementId, SourceQuote};
use reqgate_base::model::Language;
use reqgate_docs::Outline;
use reqgate_docs::lines::LineKind;
use reqgate_messages as messages;

/// The requirements of a specification or of the deltas of a change, not numbered yet; `None` for a text of another kind.
/// Requirements that a change removes or renames are left out.
pub(super) fn requirements(name: &str, text: &str, language: Language) -> Option<Vec<Requirement>> {
    static REQUIREMENT: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"(?i)^Requirement:\s*(.*?)\s*#*$").expect("a constant"));
    static OWN_ID: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"^([A-Z]{1,5}(?:-[A-Z]+)*-[0-9]+(?:\.[0-9]+)*)[:\s]+(.+)$").expect("a constant"));
    let mut found: Vec<Requirement> = Vec::new();
    let mut is_kind = false;
    let mut at = Part::Outside;
    let mut is_gone = false;
    for ((line, heading), number) in Outline::of(text).lines().zip(1u32..) {
        let trimmed = line.text.trim();
        if line.kind != LineKind::Text || trimmed.is_empty() {
            continue;
        }
        let (level, words) = heading.map_or((0, trimmed), |heading| (heading.level, heading.words));
        if level == 2 {
            let heading = words.to_lowercase();
            is_gone = heading.starts_with("removed") || heading.starts_with("renamed");
            at = Part::Outside;
        } else if let Some(heading) = REQUIREMENT.captures(words).filter(|own| level == 3 && !own[1].is_empty()) {
            is_kind = true;
            if is_gone {
                continue;
            }
            let own = OWN_ID.captures(&heading[1]);
            let title = own.as_ref().map_or(&heading[1], |own| own.get(2).map_or("", |title| title.as_str()));
            found.push(Requirement {
                category: messages::Prd::of(language).functional.to_owned(),
                sources: vec![SourceQuote { source: name.to_owned(), line: number, quote: heading[1].to_owned() }],
                aliases: own.map(|own| own[1].to_owned()).into_iter().collect(),
                ..Requirement::new(RequirementId::functional(0), plain(title), String::new())
            });
            at = Part::Demand;
        } else if level == 4 && at != Part::Outside {
            at = Part::Scenario;
            if let Some(requirement) = found.last_mut() {
                requirement.acceptance_criteria.push(String::new());
            }
        } else if matches!(level, 1 | 3) {
            at = Part::Outside;
        } else if let Some(requirement) = found.last_mut() {
            let words = plain(trimmed.trim_start_matches(['-', '*', '+']).trim_start_matches("* "));
            match at {
                Part::Outside => {}
                Part::Demand => join(&mut requirement.description, " ", &plain(trimmed)),
                Part::Scenario => {
                    if let Some(criterion) = requirement.acceptance_criteria.last_mut() {
                        join(criterion, messages::Prd::of(language).comma, &words);
                    }
                }
            }
        }
    }
    for requirement in &mut found {
        requirement.acceptance_criteria.retain(|criterion| !criterion.is_empty());
        let words = if requirement.description.is_empty() { &requirement.title } else { &requirement.description };
        requirement.description = sentence(words);
    }
    is_kind.then_some(found)
}

/// The part of a requirement that a line belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    Outside,
    Demand,
    Scenario,
}

fn join(words: &mut String, between: &str, more: &str) {
    if !words.is_empty() && !more.is_empty() {
        words.push_str(between);
    }
    words.push_str(more);
}

#[cfg(test)]
mod tests {
    use super::*;

    const DELTA: &str = "# Spec Delta\n\n## Purpose\nNotes of a team.\n\n## ADDED Requirements\n\n### Requirement: Share a note\nA member \
        SHALL share a note\nwith the team.\n\n#### Scenario: Shared\n- **WHEN** the owner presses Share\n- **THEN** all see it within 5 \
        seconds\n- **AND** a mail is sent\n\n```\n### Requirement: An example\n```\n\n#### Scenario: No team\n- **THEN** it is refused\n\n### \
        Requirement: FR-007 Take back\nThe owner MUST take it back.\n\n## REMOVED Requirements\n\n### Requirement: Fax\n**Reason**: nobody \
        has one.\n";

    #[test]
    fn requirements_and_scenarios_are_read_and_what_is_removed_is_not() {
        let found = requirements("spec.md", DELTA, Language::En).expect("it is one of OpenSpec");
        let [share, back] = found.as_slice() else { panic!("{found:?}") };
        assert_eq!(share.description, "A member SHALL share a note with the team.");
        assert_eq!(
            share.acceptance_criteria,
            [
                "WHEN the owner presses Share, THEN all see it within 5 seconds, AND a mail is sent",
                "THEN it is refused"
            ]
        );
        assert_eq!((share.sources[0].line, back.sources[0].line), (8, 24));
        assert_eq!((back.title.as_str(), back.aliases.as_slice()), ("Take back", ["FR-007".to_owned()].as_slice()));
        let template = "## ADDED Requirements\n\n### Requirement: A\nIt SHALL.\n\n<!-- an example:\n### Requirement: B\nIt SHALL.\n-->\n";
        assert_eq!(requirements("spec.md", template, Language::En).map(|found| found.len()), Some(1));
        assert_eq!(requirements("a.md", "# A\n\n### Requirements\n\n- It shall.\n", Language::En), None);
    }
}
