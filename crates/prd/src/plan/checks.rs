//! Checks the stories that a reader wrote: problems must be corrected, and flags are shown in the plan.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::approved::Approved;
use super::inputs::StoryInputs;
use super::order::{OrderError, Task, ordered};
use super::story::{Story, WrittenStories, is_story_id};
use crate::gaps::has_blank;
use reqgate_flow::Problem;
use reqgate_orders::{Doubt, Sources, words};

/// The most stories of one plan.
const MOST: usize = 200;
/// The longest title, criterion or reason, in characters.
const LONGEST: usize = 500;
/// The longest implementation note, in characters.
const LONGEST_NOTES: usize = 4000;
/// The shortest reason for leaving a requirement out, in characters.
const SHORTEST_REASON: usize = 4;
/// The fields of a story that have words if they are given.
const FILLED: [&str; 8] =
    ["epicId", "title", "agent", "asA", "iWant", "acceptanceCriteria", "definitionOfDone", "file"];

/// Content of a criterion that no requirement supports.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "flag", rename_all = "kebab-case")]
pub enum Flag {
    /// The criterion has a blank: `____`, `TBD`, `[…]`, 待定.
    Blank {
        /// The criterion with the blank.
        criterion: String,
    },
    /// The criterion has a figure that no requirement has.
    Figure {
        /// The criterion with the figure.
        criterion: String,
        /// The figure that no requirement has.
        words: String,
    },
}

/// Returns the problems that must be corrected before stories can be planned, each with its path.
pub fn problems(written: &WrittenStories, inputs: &StoryInputs) -> Vec<Problem> {
    if written.stories.len() > MOST {
        return vec![problem("stories", format!("{} stories: write at most {MOST}", written.stories.len()))];
    }
    let mut found = Vec::new();
    let mut seen = BTreeSet::new();
    for (index, story) in written.stories.iter().enumerate() {
        let mut say = |field: &str, message: String| found.push(problem(&format!("stories[{index}].{field}"), message));
        let id = story.story_id.as_str();
        if !is_story_id(id) {
            say("storyId", format!("`{id}` is not a story id: write one such as shp-exp-001"));
        } else if !seen.insert(id) {
            say("storyId", format!("`{id}` is already the id of another story"));
        }
        for (field, message) in faults(story, written, inputs) {
            say(&field, message);
        }
    }
    found.extend(coverage(written, inputs));
    found.extend(around(written));
    if found.is_empty()
        && let Err(cycle @ OrderError::Cycle(_)) = ordered(&tasks(&written.stories))
    {
        found.push(problem("stories", cycle.to_string()));
    }
    found
}

/// The stories as tasks; an unknown complexity counts as 1.
pub(super) fn tasks(stories: &[Story]) -> Vec<Task<'_>> {
    let stories = stories.iter();
    let tasks = stories.map(|story| Task {
        id: &story.story_id,
        weight: story.complexity.map_or(1, u32::from),
        dependencies: story.dependencies.iter().map(String::as_str).collect(),
    });
    tasks.collect()
}

/// The faults of one story, each with its field.
fn faults(story: &Story, written: &WrittenStories, inputs: &StoryInputs) -> Vec<(String, String)> {
    let mut faults: Vec<(String, String)> = Vec::new();
    let mut say = |field: String, message: String| faults.push((field, message));
    if let Some(complexity) = story.complexity.filter(|complexity| !(1..=10).contains(complexity)) {
        say("complexity".into(), format!("{complexity} is out of range: write 1 to 10, or null where nobody knows"));
    }
    if story.requirements.is_empty() {
        say("requirements".into(), "name the approved requirements that it realises".into());
    }
    for (at, id) in story.requirements.iter().enumerate() {
        if !is_approved(id, inputs) {
            say(format!("requirements[{at}]"), format!("{id} is not an approved requirement"));
        }
    }
    for (at, id) in story.dependencies.iter().enumerate() {
        if *id == story.story_id {
            say(format!("dependencies[{at}]"), "a story does not depend on itself".into());
        } else if !written.stories.iter().any(|other| other.story_id == *id) {
            say(format!("dependencies[{at}]"), format!("no story has the id `{id}`"));
        }
    }
    for (field, ids) in [("requirements", &story.requirements), ("dependencies", &story.dependencies)] {
        for (at, id) in ids.iter().enumerate().filter(|(at, id)| ids[..*at].contains(id)) {
            say(format!("{field}[{at}]"), format!("{id} is named twice"));
        }
    }
    if story.acceptance_criteria.is_empty() {
        say("acceptanceCriteria".into(), "write at least one criterion".into());
    }
    let fields = serde_json::to_value(story).unwrap_or_default();
    words(&fields, String::new(), &mut |path, text| {
        let most = if path == "implementationNotes" { LONGEST_NOTES } else { LONGEST };
        let field = path.rsplit('.').next().and_then(|last| last.split('[').next()).unwrap_or_default();
        if text.chars().nth(most).is_some() {
            say(path, format!("write at most {most} characters"));
        } else if text.trim().is_empty() && FILLED.contains(&field) {
            say(path, "it is empty: write it, or leave it out".into());
        }
    });
    faults
}

/// The faults of risks and rollback steps: empty or too long.
fn around(written: &WrittenStories) -> Vec<Problem> {
    let risks = written.risks.iter().enumerate().flat_map(|(at, one)| {
        [(format!("risks[{at}].risk"), &one.risk), (format!("risks[{at}].mitigation"), &one.mitigation)]
    });
    let steps = written.rollback_plan.iter().enumerate().map(|(at, step)| (format!("rollbackPlan[{at}]"), step));
    let told = risks.chain(steps).filter_map(|(path, words)| {
        let is_fine = !words.trim().is_empty() && words.chars().nth(LONGEST).is_none();
        (!is_fine).then(|| problem(&path, format!("write 1 to {LONGEST} characters")))
    });
    told.collect()
}

fn is_approved(id: &str, inputs: &StoryInputs) -> bool {
    inputs.requirements.iter().any(|one| one.id == id)
}

/// The faults of coverage: requirements without a story or a reason, and wrong entries among those that were left out.
fn coverage(written: &WrittenStories, inputs: &StoryInputs) -> Vec<Problem> {
    let mut found = Vec::new();
    let realised: BTreeSet<&str> =
        written.stories.iter().flat_map(|story| &story.requirements).map(String::as_str).collect();
    for (index, left) in written.left_out.iter().enumerate() {
        let mut say = |field: &str, message: String| found.push(problem(&format!("leftOut[{index}].{field}"), message));
        let id = left.requirement.as_str();
        if !is_approved(id, inputs) {
            say("requirement", format!("{id} is not an approved requirement"));
        } else if written.left_out[..index].iter().any(|other| other.requirement == id) {
            say("requirement", format!("{id} is left out twice"));
        } else if realised.contains(id) {
            say("requirement", format!("a story realises {id}: name it in one of the two places"));
        }
        if left.reason.trim().chars().count() < SHORTEST_REASON || left.reason.chars().nth(LONGEST).is_some() {
            say("reason", format!("say why, in {SHORTEST_REASON} to {LONGEST} characters"));
        }
    }
    let is_left_out = |id: &str| written.left_out.iter().any(|left| left.requirement == id);
    let missing = inputs.requirements.iter().filter(|one| !realised.contains(one.id.as_str()) && !is_left_out(&one.id));
    found.extend(missing.map(|one| {
        let message =
            format!("no story realises {} ({}): write one, or list it under leftOut with a reason", one.id, one.title);
        problem("stories", message)
    }));
    found
}

/// The blanks in the criteria of a story, and the figures that no requirement has. `sources` has the text of the requirements.
pub(super) fn flags(story: &Story, approved: Approved<'_>, sources: &Sources<'_>) -> Vec<Flag> {
    let own: Vec<&str> = story
        .requirements
        .iter()
        .filter_map(|id| approved.find(id).ok())
        .flat_map(|one| {
            let head = [one.title.as_str(), one.description.as_str()];
            head.into_iter().chain(one.acceptance_criteria.iter().map(String::as_str))
        })
        .collect();
    let of_criterion = |criterion: &String| {
        let blank = has_blank(criterion).then(|| Flag::Blank { criterion: criterion.clone() });
        let invented = sources.unproven(criterion, &own).into_iter().filter_map(|doubt| match doubt {
            Doubt::Unproven { words, elsewhere: None, .. } if words.contains(|c: char| c.is_ascii_digit()) => {
                Some(Flag::Figure { criterion: criterion.clone(), words })
            }
            _ => None,
        });
        blank.into_iter().chain(invented).collect::<Vec<_>>()
    };
    let told = story.user_story.iter().flat_map(|words| [&words.i_want, &words.so_that]).chain([&story.title]);
    let notes = story.implementation_notes.iter();
    let texts = told.chain(notes).chain(&story.acceptance_criteria).chain(&story.definition_of_done);
    texts.flat_map(of_criterion).collect()
}

fn problem(path: &str, message: String) -> Problem {
    Problem { path: path.to_owned(), message }
}
