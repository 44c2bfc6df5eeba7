//! Builds one story for each user story that a specification (spec-kit) defines, with its title and scenarios, and
//! the requirements that belong to it.

use std::collections::BTreeSet;

use super::story::Story;
use crate::Requirement;
use crate::layouts::ReadStory;
use reqgate_base::model::Language;
use reqgate_messages as messages;

/// The part of the id of such a story after the letters of its feature.
const MARK: &str = "-user-";

/// Returns one story for each user story of a specification, from the stories of its requirements; `None` if the
/// document has no titled user stories, if a requirement belongs to none of them, or if one has no requirement.
pub(super) fn by_user_story(
    of_requirements: &[(&Requirement, Story)],
    told: &[ReadStory],
    feature: &str,
    language: Language,
) -> Option<Vec<Story>> {
    let titled: Vec<&ReadStory> = told.iter().filter(|story| !story.title.is_empty()).collect();
    let serves = |one: &Requirement, at: usize| titled[at].id.as_ref().is_some_and(|id| one.user_stories.contains(id));
    let all = 0..titled.len();
    let id = |at: usize| format!("{feature}{MARK}{:03}", at + 1);
    let of = |at: usize| of_requirements.iter().filter(move |(one, _)| serves(one, at));
    let is_whole = of_requirements.iter().all(|(one, _)| all.clone().any(|at| serves(one, at)))
        && all.clone().all(|at| of(at).next().is_some());
    if titled.is_empty() || !is_whole {
        return None;
    }
    let story = |at: usize| {
        let told = titled[at];
        let needed = of(at).flat_map(|(_, story)| &story.dependencies).filter_map(|on| {
            let (one, _) = of_requirements.iter().find(|(_, story)| story.story_id == *on)?;
            (!serves(one, at)).then(|| all.clone().find(|other| serves(one, *other))).flatten()
        });
        let needed: BTreeSet<usize> = needed.collect();
        let own = of(at).flat_map(|(_, story)| story.acceptance_criteria.iter().cloned());
        let notes = of(at).map(|(one, _)| one.description.as_str());
        let notes: Vec<&str> = std::iter::once(told.words.as_str()).chain(notes).collect();
        Story {
            story_id: id(at),
            epic_id: messages::Plan::of(language).user_stories.to_owned(),
            title: told.title.clone(),
            dependencies: needed.into_iter().map(id).collect(),
            requirements: of(at).flat_map(|(_, story)| story.requirements.iter().cloned()).collect(),
            implementation_notes: Some(notes.join("\n")),
            acceptance_criteria: told.criteria.iter().cloned().chain(own).collect(),
            ..Story::default()
        }
    };
    Some(all.clone().map(story).collect())
}

/// Returns true for a user story of a specification.
pub(super) fn is_user_story(story: &Story) -> bool {
    story.story_id.contains(MARK)
}
