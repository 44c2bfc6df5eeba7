//! Finds the requirements that wait for the answer to an open question.
//!
//! A requirement waits for a question if its line `Waits for` says so, if the question names it by its id, if both quote the same passage
//! of a source, or if the question is about words of the requirement. Ids in the words of a requirement do not count: a source may
//! number other questions in the same way. A question with a default does not block.

use std::collections::BTreeMap;

use crate::{DecidedGap, OpenQuestion, QuestionId, Requirement, RequirementId, SourceQuote};
use reqgate_base::model::Language;
use reqgate_docs::write::one_line;

/// The name of the file of requirements, which a question about a gap quotes.
const REQUIREMENTS: &str = "requirements.md";

/// The requirements that wait, by question; both in the order of their ids. Questions for which no requirement waits are left out.
pub(crate) type Waiting = BTreeMap<QuestionId, Vec<RequirementId>>;

/// Returns the requirements that wait for each open question without a default.
pub(crate) fn waiting(questions: &[OpenQuestion], requirements: &[&Requirement], gaps: &[DecidedGap]) -> Waiting {
    let open = questions.iter().filter(|question| question.answer.is_none() && !question.has_default());
    let waits = open.filter_map(|question| {
        let id = question.id?;
        let of_gaps = about_gaps(question, gaps);
        let waits = |one: &&&Requirement| of_gaps.contains(&&one.id) || waits_for(one, id, question);
        let mut ids: Vec<RequirementId> = requirements.iter().filter(waits).map(|one| one.id.clone()).collect();
        ids.sort();
        ids.dedup();
        (!ids.is_empty()).then_some((id, ids))
    });
    waits.collect()
}

/// Returns the questions that a requirement waits for.
pub(crate) fn questions_of(waiting: &Waiting, requirement: &RequirementId) -> Vec<QuestionId> {
    waiting.iter().filter(|(_, ids)| ids.contains(requirement)).map(|(id, _)| *id).collect()
}

/// The requirements of the gap that a person made this question of.
fn about_gaps<'g>(question: &OpenQuestion, gaps: &'g [DecidedGap]) -> Vec<&'g RequirementId> {
    let is_it = |gap: &&DecidedGap| {
        [Language::En, Language::Zh]
            .iter()
            .any(|language| gap.question(*language).is_some_and(|asked| asked.question == question.question))
    };
    gaps.iter().filter(is_it).flat_map(|gap| &gap.gap.requirements).collect()
}

fn waits_for(requirement: &Requirement, id: QuestionId, question: &OpenQuestion) -> bool {
    let own = [&requirement.title, &requirement.description];
    let mut texts = own.into_iter().chain(&requirement.acceptance_criteria);
    requirement.waits_for.contains(&id)
        || names(&question.question, requirement)
        || question.sources().any(|asked| requirement.sources.iter().any(|own| is_same_passage(asked, own)))
        || question.sources().any(|asked| {
            asked.source == REQUIREMENTS && texts.any(|text| holds(&one_line(text), &one_line(&asked.quote)))
        })
}

/// Returns true if a text names a requirement by its id or by one that it had elsewhere.
fn names(text: &str, requirement: &Requirement) -> bool {
    let aliases = requirement.aliases.iter().filter(|alias| !alias.is_empty());
    names_id(text, &requirement.id.to_string()) || aliases.into_iter().any(|alias| names_id(text, alias))
}

/// Returns true if a text names an id; `NFR-001` does not name `FR-001`.
pub(crate) fn names_id(text: &str, id: &str) -> bool {
    let is_joined = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric() || c == '-');
    text.match_indices(id)
        .any(|(at, _)| !is_joined(text[..at].chars().next_back()) && !is_joined(text[at + id.len()..].chars().next()))
}

/// Returns true for two quotes of which one contains the other, from the same line of the same source.
fn is_same_passage(one: &SourceQuote, other: &SourceQuote) -> bool {
    let (first, second) = (one_line(&one.quote), one_line(&other.quote));
    one.source == other.source && one.line == other.line && (holds(&first, &second) || holds(&second, &first))
}

fn holds(text: &str, words: &str) -> bool {
    !words.trim().is_empty() && text.contains(words.trim())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::brief::parse_brief;
    use crate::requirements::parse_anyway;

    const BRIEF: &str = "# Feature brief: Links\n\n## Open questions\n\n\
        - [ ] Q-001: How many links? <!-- source: ticket.md:4 \"Links per album: how many?\" -->\n\
        - [ ] Q-002: Who may delete, as FR-002 says? <!-- source: ticket.md:9 \"Who deletes?\" -->\n\
        - [ ] Q-003: Which colour?\n  Default: blue\n\
        - [ ] Q-004: Which mail server?\n\
        - [x] Q-005: Which day?\n  Answer: Monday\n\
        - [ ] Q-006: How long is long? <!-- source: requirements.md:3 \"kept for long\" -->\n";

    const REQUIREMENTS: &str = "# Requirements: Links\n\n## Approved\n\n### FR-001: Links\n\nAn album has links.\n\nSources:\n\
        - ticket.md:4: Links per album: how many?\n\n### FR-002: Delete\n\nA member deletes a link.\n\n### FR-003: Mail\n\n\
        - Waits for: Q-003, Q-004, Q-005\n\nThe link is mailed.\n\n### FR-004: Archive\n\nA link is kept for long.\n\nSources:\n\
        - ticket.md:9: Links are archived\n\n### FR-0045: Other\n\nIt is green.\n";

    #[test]
    fn a_requirement_waits_by_its_own_words_by_an_id_or_by_the_same_passage() {
        let (document, _) = parse_anyway(REQUIREMENTS);
        let requirements: Vec<&Requirement> = document.requirements().map(|one| &one.requirement).collect();
        let brief = parse_brief(BRIEF);
        let found = waiting(&brief.open_questions, &requirements, &[]);
        let shown: Vec<String> = found
            .iter()
            .map(|(id, ids)| format!("{id}: {}", ids.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")))
            .collect();
        assert_eq!(shown, ["Q-001: FR-001", "Q-002: FR-002", "Q-004: FR-003", "Q-006: FR-004"]);
        assert_eq!(questions_of(&found, &"FR-003".parse().expect("an id")), [QuestionId::new(4)]);
    }

    #[test]
    fn a_question_of_a_gap_blocks_the_requirements_of_the_gap() {
        let (document, _) = parse_anyway(REQUIREMENTS);
        let gap: DecidedGap = serde_json::from_value(serde_json::json!({
            "gap": { "id": "GAP-001", "title": "No limit", "description": "It has none.", "severity": "medium",
                "category": "missing-limit", "impact": "", "requirements": ["FR-001", "FR-004"] },
            "choice": { "decision": "ask", "question": "Which mail server?" }, "actor": "Mei", "timestamp": "",
        }))
        .expect("a decision");
        let brief = parse_brief(BRIEF);
        let requirements: Vec<&Requirement> = document.requirements().map(|one| &one.requirement).collect();
        let found = waiting(&brief.open_questions, &requirements, &[gap]);
        let ids = &found[&QuestionId::new(4)];
        assert_eq!(ids.iter().map(ToString::to_string).collect::<Vec<_>>(), ["FR-001", "FR-003", "FR-004"]);
    }
}
