//! Exports a plan as a change of OpenSpec: `proposal.md`, `tasks.md` and the deltas of one capability, in the form
//! that `openspec validate --strict` (1.13.2) requires.

use super::super::collected::written_id;
use super::super::{Demand, ExecutionPlan};
use super::{ExportError, ExportedFile, Material, safe, short, steps};
use crate::{FeatureBrief, Requirement};
use reqgate_base::model::Language;
use reqgate_messages as messages;

/// The shortest and the longest reason for a change, in characters.
const WHY: (usize, usize) = (50, 1000);
/// The shortest purpose of a capability, in characters.
const SHORTEST_PURPOSE: usize = 50;
/// The longest name of a scenario, in characters.
const LONGEST_NAME: usize = 60;

/// Returns the files for the folder of a change in `openspec/changes/`.
///
/// # Errors
/// Fails if a requirement has no acceptance criterion.
pub fn openspec(
    plan: &ExecutionPlan,
    demand: Demand<'_>,
    brief: Option<&FeatureBrief>,
) -> Result<Vec<ExportedFile>, ExportError> {
    let material = Material { plan, demand, brief };
    let bare: Vec<String> =
        material.requirements().filter(|one| criteria(material, one).is_empty()).map(written_id).collect();
    if !bare.is_empty() {
        return Err(ExportError::NoCriterion(bare));
    }
    Ok(vec![
        ExportedFile { path: "proposal.md".to_owned(), text: proposal(material) },
        ExportedFile { path: "tasks.md".to_owned(), text: tasks(material) },
        ExportedFile { path: format!("specs/{}/spec.md", material.slug()), text: deltas(material) },
    ])
}

/// The criteria of a requirement or, if it has none, those of the stories that realise it.
fn criteria(material: Material<'_>, requirement: &Requirement) -> Vec<String> {
    if !requirement.acceptance_criteria.is_empty() {
        return requirement.acceptance_criteria.clone();
    }
    let realises = |id: &String| material.demand.approved.find(id) == Ok(requirement);
    let stories = material.stories().filter(|story| story.requirements.iter().any(realises));
    stories.flat_map(|story| story.acceptance_criteria.clone()).collect()
}

fn proposal(material: Material<'_>) -> String {
    let mut out = format!(
        "# Proposal: {}\n\n## Why\n\n{}\n\n## What Changes\n\n",
        safe(&material.plan.frontmatter.title),
        why(material)
    );
    out.extend(material.requirements().map(|one| format!("- {}: {}\n", written_id(one), safe(&one.title))));
    out.push_str(&format!(
        "\n## Capabilities\n\n### New Capabilities\n\n- `{}`: {}\n\n## Impact\n\n",
        material.slug(),
        safe(&material.plan.frontmatter.title)
    ));
    let mut files: Vec<&str> = material.stories().flat_map(|story| story.files()).collect();
    files.sort_unstable();
    files.dedup();
    match files.is_empty() {
        true => out.push_str("The PRD names no code, API or system that is affected.\n"),
        false => out.extend(files.iter().map(|file| format!("- {}\n", safe(file)))),
    }
    out
}

/// The problem and the goals of the brief, within the lengths that OpenSpec accepts.
fn why(material: Material<'_>) -> String {
    let statements = material.brief.into_iter().flat_map(|brief| brief.problem.iter().chain(&brief.goals));
    let mut why = String::new();
    for words in statements.map(|statement| safe(&statement.text)) {
        let length = why.chars().count() + words.chars().count() + 1;
        if length <= WHY.1 {
            why = format!("{why} {words}").trim().to_owned();
        }
    }
    if why.chars().count() < WHY.0 {
        let count = material.requirements().count();
        why = format!("{why} The PRD has {count} requirements for this change, and says no more about the reason.")
            .trim()
            .to_owned();
    }
    why
}

fn tasks(material: Material<'_>) -> String {
    let mut out = "# Tasks\n".to_owned();
    for wave in &material.plan.waves {
        out.push_str(&format!("\n## {}. {}\n\n", wave.wave_number, wave.name));
        let stories = material.plan.stories.iter().filter(|planned| planned.wave == wave.wave_number);
        for (planned, number) in stories.zip(1..) {
            let story = &planned.story;
            let realises = story.requirements.join(", ");
            out.push_str(&format!(
                "- [ ] {}.{number} {}: {} ({realises})\n",
                wave.wave_number,
                safe(&story.story_id),
                safe(&story.title)
            ));
        }
    }
    out
}

fn deltas(material: Material<'_>) -> String {
    let title = safe(&material.plan.frontmatter.title);
    let purpose = format!("{title}.");
    let mut out = "# Spec Delta\n\n## Purpose\n\n".to_owned();
    out.push_str(&match purpose.chars().count() < SHORTEST_PURPOSE {
        true => format!("{title}: the requirements of this feature, as approved in its PRD.\n"),
        false => format!("{purpose}\n"),
    });
    out.push_str("\n## ADDED Requirements\n");
    for requirement in material.requirements() {
        let id = written_id(requirement);
        out.push_str(&format!("\n### Requirement: {id} {}\n\n", safe(&requirement.title)));
        out.push_str(&format!("{}\n", demand(&requirement.description, material.plan.language)));
        for (criterion, number) in criteria(material, requirement).iter().zip(1..) {
            out.push_str(&format!("\n#### Scenario: {id}.{number} {}\n\n", safe(&short(criterion, LONGEST_NAME))));
            out.extend(steps(criterion).iter().map(|(keyword, words)| format!("- **{keyword}** {words}\n")));
        }
    }
    out
}

/// A requirement with SHALL or MUST in capitals, which OpenSpec expects in every language.
fn demand(words: &str, language: Language) -> String {
    let words = safe(words);
    let is_word = |c: char| c.is_ascii_alphanumeric();
    for (small, large) in [("shall", "SHALL"), ("must", "MUST")] {
        let whole = |at: &usize| {
            let (before, behind) = (words[..*at].chars().next_back(), words[*at + small.len()..].chars().next());
            !before.is_some_and(is_word) && !behind.is_some_and(is_word)
        };
        let found = words.match_indices(small).chain(words.match_indices(large)).map(|(at, _)| at).find(whole);
        if let Some(at) = found {
            return format!("{}{large}{}", &words[..at], &words[at + small.len()..]);
        }
    }
    messages::Prd::of(language).product_shall(&words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_demand_says_shall_or_must_in_capitals() {
        for (words, expected) in [
            ("The system shall export.", "The system SHALL export."),
            ("System MUST export.", "System MUST export."),
            ("Marshall mustang.", "The product SHALL meet this: Marshall mustang."),
            ("It must shallow-copy.", "It MUST shallow-copy."),
        ] {
            assert_eq!(demand(words, Language::En), expected);
        }
        assert_eq!(demand("系统应导出订单。", Language::Zh), "系统必须（SHALL）满足：系统应导出订单。");
    }
}
