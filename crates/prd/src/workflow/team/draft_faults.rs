//! The faults with which a draft goes back to its writer: requirements that cannot be tested, ranked or traced to a story,
//! and an executive summary that is longer than a page.

use std::collections::BTreeSet;

use crate::RequirementPriority;
use crate::team::ProductRequirementsDocument;
use crate::waiting::names_id;
use reqgate_flow::Problem;

/// The words of a question about priorities.
const PRIORITY: [&str; 5] = ["priorit", "moscow", "优先级", "优先", "先后"];

/// The path of the summary.
pub(super) const SUMMARY: &str = "executive_summary";
/// The longest executive summary, in words: a page of text.
const LONGEST_SUMMARY: usize = 500;

/// The faults of a document: requirements without a criterion or a priority, stories that do not exist, and a long summary.
pub(super) fn draft_faults(document: &ProductRequirementsDocument) -> Vec<Problem> {
    let words = length(&document.executive_summary);
    let long = (words > LONGEST_SUMMARY).then(|| Problem {
        path: SUMMARY.to_owned(),
        message: format!(
            "the executive summary is longer than a page ({words} words, at most {LONGEST_SUMMARY}): move details to their sections"
        ),
    });
    long.into_iter().chain(of_requirements(document)).collect()
}

/// The length of a text in words; two Chinese characters count as one word.
fn length(text: &str) -> usize {
    let chinese = text.chars().filter(|c| ('\u{4e00}'..='\u{9fff}').contains(c)).count();
    let others = text.split_whitespace().filter(|word| word.chars().any(|c| c.is_ascii_alphanumeric())).count();
    chinese / 2 + others
}

fn of_requirements(document: &ProductRequirementsDocument) -> Vec<Problem> {
    let stories: BTreeSet<&str> = document.user_stories.iter().map(|story| story.id.as_str()).collect();
    let mut out = Vec::new();
    let mut tell = |path: String, message: String| out.push(Problem { path, message });
    for (at, one) in document.functional_requirements.iter().enumerate() {
        let place = |field: &str| format!("functional_requirements[{at}].{field}");
        if one.acceptance_criteria.iter().all(|criterion| criterion.trim().is_empty()) {
            let message =
                format!("{} has no acceptance criterion: write one, with a blank […] for an unknown value", one.id);
            tell(place("acceptance_criteria"), message);
        }
        if one.priority == RequirementPriority::Unset && !is_asked(document, &one.id.to_string()) {
            tell(place("priority"), without_priority(&one.id.to_string()));
        }
        for id in one.user_story_ids.iter().filter(|id| !stories.contains(id.trim())) {
            let message =
                format!("{} names the story {id}, which does not exist: write the story, or leave the id out", one.id);
            tell(place("user_story_ids"), message);
        }
    }
    for (at, one) in document.non_functional_requirements.iter().enumerate() {
        let place = |field: &str| format!("non_functional_requirements[{at}].{field}");
        if one.measurement_criteria.trim().is_empty() && one.target_value.trim().is_empty() {
            let message =
                format!("{} cannot be tested: write how it is measured, with a blank […] for an unknown value", one.id);
            tell(place("measurement_criteria"), message);
        }
        if one.priority == RequirementPriority::Unset && !is_asked(document, &one.id.to_string()) {
            tell(place("priority"), without_priority(&one.id.to_string()));
        }
    }
    out
}

fn without_priority(id: &str) -> String {
    format!(
        "{id} has no priority: give the one of a source, or ask for it under open_questions: “Which priority has {id}?”"
    )
}

/// Returns true if an open question asks for the priority of a requirement: it names its id, or no requirement at all.
fn is_asked(document: &ProductRequirementsDocument, id: &str) -> bool {
    let asks = |question: &&String| {
        let words = question.to_lowercase();
        PRIORITY.iter().any(|word| words.contains(word))
    };
    let functional = document.functional_requirements.iter().map(|one| one.id.to_string());
    let quality = document.non_functional_requirements.iter().map(|one| one.id.to_string());
    let ids: Vec<String> = functional.chain(quality).collect();
    document
        .open_questions
        .iter()
        .filter(asks)
        .any(|question| names_id(question, id) || !ids.iter().any(|other| names_id(question, other)))
}

#[cfg(test)]
mod tests {
    use super::draft_faults;
    use crate::team::ProductRequirementsDocument;
    use serde_json::{Value, json};

    fn told(change: impl Fn(&mut Value)) -> Vec<String> {
        let mut document = json!({
            "metadata": { "title": "Export", "language": "en" },
            "user_stories": [{ "id": "US-001", "story": "As an agent I want a file." }],
            "functional_requirements": [{
                "id": "FR-001", "title": "Export", "description": "The agent exports orders.", "priority": "must",
                "acceptance_criteria": ["A file is written."], "user_story_ids": ["US-001"],
            }],
            "non_functional_requirements": [{
                "id": "NFR-001", "title": "Speed", "description": "It is fast.", "target_value": "[…]", "priority": "could",
            }],
        });
        change(&mut document);
        let document: ProductRequirementsDocument = serde_json::from_value(document).expect("a document");
        draft_faults(&document).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn requirements_can_be_tested_ranked_and_traced() {
        assert_eq!(told(|_| ()), Vec::<String>::new());
        let of =
            |field: &str, value: Value| told(|document| document["functional_requirements"][0][field] = value.clone());
        assert!(of("acceptance_criteria", json!([" "]))[0].contains("FR-001 has no acceptance criterion"));
        assert!(of("priority", json!("unset"))[0].contains("FR-001 has no priority"));
        assert!(of("user_story_ids", json!(["US-001", "US-002"]))[0].contains("names the story US-002"));
        let of = |field: &str, value: Value| {
            told(|document| document["non_functional_requirements"][0][field] = value.clone())
        };
        assert!(of("target_value", json!(""))[0].contains("NFR-001 cannot be tested"));
        assert!(of("priority", json!("unset"))[0].contains("NFR-001 has no priority"));
    }

    /// No source gives the priority, so the writer must not invent it.
    #[test]
    fn a_priority_that_nobody_gave_is_asked_for() {
        let asked = |question: &str| {
            told(|document| {
                document["functional_requirements"][0]["priority"] = json!("unset");
                document["open_questions"] = json!([question]);
            })
        };
        assert!(asked("Which priority has FR-001?").is_empty());
        assert!(asked("各条要求的先后还没有人排过。").is_empty(), "it is about all requirements");
        assert_eq!(asked("Which priority has NFR-001?").len(), 1);
        assert_eq!(asked("Who decides about FR-001?").len(), 1);
    }

    #[test]
    fn an_executive_summary_fits_on_a_page() {
        let summary = |words: String| told(|document| document["executive_summary"] = json!(words));
        assert!(summary("word ".repeat(500)).is_empty() && summary("字".repeat(1_000)).is_empty());
        assert!(summary("word ".repeat(501))[0].contains("longer than a page (501 words"));
        assert_eq!(summary("字".repeat(1_002)).len(), 1);
    }
}
