//! Stories of a specification that tells them itself (spec-kit): each with its own title and scenarios, and the requirements below it.

use std::collections::BTreeMap;

use super::order::ordered;
use super::story::Story;
use crate::layouts::ReadStory;
use crate::{Requirement, RequirementId};
use reqgate_base::model::Language;

/// One story for each user story of a specification, from the stories of its requirements; `None` where the document tells none by
/// title, where a requirement belongs to none of them, or where they would wait for each other.
pub(super) fn by_user_story(
    of_requirements: &[(&Requirement, Story)],
    told: &[ReadStory],
    feature: &str,
    language: Language,
) -> Option<Vec<Story>> {
    let titled: Vec<&ReadStory> = told.iter().filter(|story| !story.title.is_empty()).collect();
    let place = |requirement: &Requirement| {
        titled.iter().position(|story| story.id.as_ref().is_some_and(|id| requirement.user_stories.contains(id)))
    };
    let places: BTreeMap<&RequirementId, usize> = of_requirements
        .iter()
        .map(|(requirement, _)| Some((&requirement.id, place(requirement)?)))
        .collect::<Option<_>>()?;
    let id = |at: usize| format!("{feature}-user-{:03}", at + 1);
    let placed = &places;
    let of = |at: usize| of_requirements.iter().filter(move |(one, _)| placed.get(&one.id) == Some(&at));
    let needed: BTreeMap<&str, usize> = of_requirements
        .iter()
        .filter_map(|(one, story)| Some((story.story_id.as_str(), *places.get(&one.id)?)))
        .collect();
    let stories: Vec<Story> = titled
        .iter()
        .enumerate()
        // A story of which no requirement is to be built has nothing to be built.
        .filter(|(at, _)| of(*at).next().is_some())
        .map(|(at, told)| {
            let mut dependencies: Vec<String> = Vec::new();
            let on = of(at).flat_map(|(_, story)| &story.dependencies).filter_map(|on| needed.get(on.as_str()));
            for on in on.filter(|on| **on != at).map(|on| id(*on)) {
                if !dependencies.contains(&on) {
                    dependencies.push(on);
                }
            }
            let own = of(at).flat_map(|(_, story)| story.acceptance_criteria.iter().cloned());
            let notes = of(at).map(|(one, _)| one.description.as_str());
            let notes: Vec<&str> = std::iter::once(told.words.as_str()).chain(notes).collect();
            Story {
                story_id: id(at),
                epic_id: language.of("User stories", "用户故事").to_owned(),
                title: told.title.clone(),
                dependencies,
                requirements: of(at).flat_map(|(_, story)| story.requirements.iter().cloned()).collect(),
                implementation_notes: Some(notes.join("\n")),
                acceptance_criteria: told.criteria.iter().cloned().chain(own).collect(),
                ..Story::default()
            }
        })
        .collect();
    (!stories.is_empty() && ordered(&super::checks::tasks(&stories)).is_ok()).then_some(stories)
}
