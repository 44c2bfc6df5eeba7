//! Exports a plan as the `spec.md` and `tasks.md` of GitHub's spec-kit, following the templates of specify-cli 1.2.3.

use std::collections::BTreeMap;

use super::super::collected::written_id;
use super::super::verdict::sentence;
use super::super::{Demand, ExecutionPlan, PlannedStory, Story};
use super::{ExportedFile, Material, safe, steps};
use crate::prd_text::question_shown;
use crate::{FeatureBrief, RequirementPriority};

/// Returns the files for the folder of a feature in `specs/`.
pub fn spec_kit(plan: &ExecutionPlan, demand: Demand<'_>, brief: Option<&FeatureBrief>) -> Vec<ExportedFile> {
    let material = Material { plan, demand, brief };
    vec![
        ExportedFile { path: "spec.md".to_owned(), text: spec(material) },
        ExportedFile { path: "tasks.md".to_owned(), text: tasks(material) },
    ]
}

/// The marker of spec-kit for missing information.
fn missing(what: &str) -> String {
    format!("[NEEDS CLARIFICATION: {what}]")
}

fn spec(material: Material<'_>) -> String {
    let head = &material.plan.frontmatter;
    let branch = head.feature_id.clone().unwrap_or_else(|| material.slug());
    let mut out = format!("# Feature Specification: {}\n\n", safe(&head.title));
    out.push_str(&format!("**Feature Branch**: `{branch}`\n\n**Created**: {}\n\n**Status**: Draft\n\n", head.created));
    let wish = material.brief.and_then(|brief| brief.goals.first()).map(|goal| safe(&goal.text));
    out.push_str(&format!("**Input**: User description: \"{}\"\n\n", wish.unwrap_or_else(|| safe(&head.title))));
    out.push_str("## User Scenarios & Testing *(mandatory)*\n");
    for (planned, number) in material.plan.stories.iter().zip(1..) {
        out.push_str(&story(material, &planned.story, number));
        let questions = &material.plan.open_questions;
        let asked = questions.iter().filter(|one| one.id.is_some_and(|id| planned.waits_for.contains(&id)));
        let asked: Vec<String> = asked
            .map(|question| format!("- {}\n", missing(&safe(&question_shown(question, material.plan.language)))))
            .collect();
        if !asked.is_empty() {
            out.push_str(&format!("\n**Waits for**:\n\n{}", asked.concat()));
        }
    }
    out.push_str("\n### Edge Cases\n\n");
    let open = material.plan.open_questions.iter().map(|open| question_shown(open, material.plan.language));
    let open: String = open.map(|open| format!("- {}\n", safe(&open))).collect();
    // The known edge cases are in the criteria of the stories.
    out.push_str(if open.is_empty() {
        "- The PRD names none besides the acceptance scenarios above.\n"
    } else {
        &open
    });
    out.push_str("\n## Requirements *(mandatory)*\n\n### Functional Requirements\n\n");
    for requirement in material.requirements() {
        out.push_str(&format!("- **{}**: {}\n", written_id(requirement), safe(&requirement.description)));
    }
    out.push_str("\n## Success Criteria *(mandatory)*\n\n### Measurable Outcomes\n\n");
    let measures: Vec<String> =
        material.brief.into_iter().flat_map(|brief| &brief.success_measures).map(|one| safe(&one.text)).collect();
    match measures.is_empty() {
        true => out.push_str(&format!("- **SC-001**: {}\n", missing("the PRD states no measure of success"))),
        false => out.extend(measures.iter().zip(1..).map(|(words, number)| format!("- **SC-{number:03}**: {words}\n"))),
    }
    if let Some(brief) = material.brief {
        let mut section = |heading: &str, statements: &[crate::Statement]| {
            if !statements.is_empty() {
                out.push_str(&format!("\n## {heading}\n\n"));
                out.extend(statements.iter().map(|one| format!("- {}\n", safe(&one.text))));
            }
        };
        section("Out of Scope", &brief.out_of_scope);
    }
    out
}

fn story(material: Material<'_>, story: &Story, number: usize) -> String {
    let language = material.plan.language;
    let mut out =
        format!("\n### User Story {number} - {} (Priority: {})\n\n", safe(&story.title), priority(material, story));
    let told = sentence(story, language);
    let realised = || story.requirements.iter().filter_map(|id| material.demand.approved.find(id).ok());
    let words: Vec<String> = realised().map(|one| safe(&one.description)).collect();
    out.push_str(&format!("{}\n\n", if told.is_empty() { words.join(" ") } else { safe(&told) }));
    let ids = story.requirements.join(", ");
    out.push_str("**Why this priority**: ");
    out.push_str(&match stated_priority(material, story) {
        RequirementPriority::Unset => missing(&format!("the PRD states no priority of {ids}")),
        _ => format!("the priority of {ids} in the PRD"),
    });
    out.push_str(&match needed(material, story) {
        needs if needs.is_empty() => ".\n\n".to_owned(),
        needs => format!("; it needs {needs}.\n\n"),
    });
    let test = match story.definition_of_done.as_slice() {
        [] => "the acceptance scenarios below.".to_owned(),
        done => done.iter().map(|one| safe(one)).collect::<Vec<_>>().join(" "),
    };
    out.push_str(&format!("**Independent Test**: {test}\n\n**Acceptance Scenarios**:\n\n"));
    match story.acceptance_criteria.is_empty() {
        true => out.push_str(&format!("1. {}\n", missing("the PRD states no acceptance criterion"))),
        false => {
            let criteria = story.acceptance_criteria.iter().zip(1..);
            out.extend(criteria.map(|(criterion, number)| format!("{number}. {}\n", scenario(criterion))));
        }
    }
    out
}

/// A criterion in the form of spec-kit, with **Given**, **When** and **Then** if it has these steps.
fn scenario(criterion: &str) -> String {
    let steps = steps(criterion);
    if steps.len() == 1 {
        return safe(criterion);
    }
    let name = |keyword: &str| format!("{}{}", &keyword[..1], keyword[1..].to_lowercase());
    steps.iter().map(|(keyword, words)| format!("**{}** {words}", name(keyword))).collect::<Vec<_>>().join(", ")
}

/// The highest priority of the requirements that a story realises.
fn stated_priority(material: Material<'_>, story: &Story) -> RequirementPriority {
    let realised = story.requirements.iter().filter_map(|id| material.demand.approved.find(id).ok());
    realised.map(|one| one.priority).min().unwrap_or_default()
}

/// The priority on the scale of spec-kit, where P1 is the most critical. Spec-kit requires one, so P2 is the default.
fn priority(material: Material<'_>, story: &Story) -> &'static str {
    match stated_priority(material, story) {
        RequirementPriority::High => "P1",
        RequirementPriority::Medium | RequirementPriority::Unset => "P2",
        RequirementPriority::Low | RequirementPriority::Wont => "P3",
    }
}

/// The stories that a story depends on: `US1, US3`.
fn needed(material: Material<'_>, story: &Story) -> String {
    let mut numbers: Vec<usize> = story.dependencies.iter().filter_map(|id| material.number(id)).collect();
    numbers.sort_unstable();
    numbers.iter().map(|number| format!("US{number}")).collect::<Vec<_>>().join(", ")
}

fn tasks(material: Material<'_>) -> String {
    let head = &material.plan.frontmatter;
    let mut out = format!("# Tasks: {}\n\n**Input**: spec.md\n\n", safe(&head.title));
    out.push_str("## Format: `[ID] [P?] [Story] Description`\n\n");
    out.push_str("- **[P]**: can run in parallel (different files, no dependencies on unfinished tasks)\n");
    out.push_str("- **[Story]**: the user story of spec.md\n");
    let mut number = 0;
    for (planned, phase) in material.plan.stories.iter().zip(1..) {
        let story = &planned.story;
        let priority = priority(material, story);
        out.push_str(&format!(
            "\n## Phase {phase}: User Story {phase} - {} (Priority: {priority})\n\n",
            safe(&story.title)
        ));
        out.push_str(&format!("**Goal**: {} of {}\n\n", safe(&story.story_id), story.requirements.join(", ")));
        for (words, file) in work(story) {
            number += 1;
            let parallel = if file.is_some_and(|file| is_alone(material, planned, file)) { " [P]" } else { "" };
            out.push_str(&format!("- [ ] T{number:03}{parallel} [US{phase}] {}\n", safe(&words)));
        }
    }
    out.push_str("\n## Dependencies & Execution Order\n\n");
    for wave in &material.plan.waves {
        let stories: Vec<String> =
            wave.stories.iter().filter_map(|id| Some(format!("US{}", material.number(id)?))).collect();
        out.push_str(&format!("- **{}**: {}\n", wave.name, stories.join(", ")));
    }
    for (story, number) in material.stories().zip(1..) {
        match needed(material, story) {
            needs if needs.is_empty() => {}
            needs => out.push_str(&format!("- US{number} needs {needs}\n")),
        }
    }
    out
}

/// The tasks of a story: one for each file, or one for the whole story.
fn work(story: &Story) -> Vec<(String, Option<&str>)> {
    let details = story.technical_details.as_ref();
    let new = details.into_iter().flat_map(|details| &details.files_to_create);
    let new = new.map(|file| (format!("Create {}: {}", file.file, file.purpose), Some(file.file.as_str())));
    let changed = details.into_iter().flat_map(|details| &details.files_to_modify);
    let changed = changed.map(|file| (format!("Change {}: {}", file.file, file.changes), Some(file.file.as_str())));
    let all: Vec<_> = new.chain(changed).collect();
    if all.is_empty() {
        vec![(format!("Implement {} ({})", story.title, story.requirements.join(", ")), None)]
    } else {
        all
    }
}

/// Returns true if no other story of the wave touches the file.
fn is_alone(material: Material<'_>, planned: &PlannedStory, file: &str) -> bool {
    let mut touched: BTreeMap<&str, usize> = BTreeMap::new();
    for other in material.plan.stories.iter().filter(|other| other.wave == planned.wave) {
        for file in other.story.files() {
            *touched.entry(file).or_default() += 1;
        }
    }
    touched.get(file) == Some(&1)
}
