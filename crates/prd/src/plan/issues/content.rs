//! The content of the issue of a story, before a tracker gives it a form.

use crate::plan::human::flag_words;
use crate::plan::verdict::sentence;
use crate::plan::{ExecutionPlan, PlannedStory};
use reqgate_messages as messages;

/// Everything that reqgate says in the issue of a story. All of its words are text of strangers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoryContent<I> {
    /// The story as a sentence, and remarks for whoever builds it.
    pub paragraphs: Vec<String>,
    /// Facts in a line each: name and value.
    pub facts: Vec<(&'static str, Vec<Piece>)>,
    /// Mark between the name of a fact and its value.
    pub colon: &'static str,
    /// Lists below a heading.
    pub lists: Vec<ContentList>,
    /// The issues of the stories that must be finished before, as far as they exist.
    pub needs: Vec<I>,
}

/// One of the values of a fact.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Piece {
    /// Words of the plan.
    Words(String),
    /// The name of an issue, which the tracker itself has given.
    Issue(String),
}

/// A list below a heading.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContentList {
    /// The heading.
    pub heading: &'static str,
    /// True if people tick its items off.
    pub is_checklist: bool,
    /// Its items.
    pub items: Vec<String>,
}

impl<I: Clone + ToString> StoryContent<I> {
    /// The content for a story; `issue_of` gives the issue of another story, where it has one.
    pub(super) fn of(plan: &ExecutionPlan, planned: &PlannedStory, issue_of: impl Fn(&str) -> Option<I>) -> Self {
        let (story, language) = (&planned.story, plan.language);
        let told = sentence(story, language);
        let paragraphs =
            Some(told).filter(|told| !told.is_empty()).into_iter().chain(story.implementation_notes.clone());
        let words = |words: &str| Piece::Words(words.to_owned());
        let need = |id: &String| issue_of(id).map_or_else(|| words(id), |issue| Piece::Issue(issue.to_string()));
        let facts = [
            (messages::Plan::of(language).story, vec![words(&story.story_id), words(&story.epic_id)]),
            (messages::Plan::of(language).requirements, story.requirements.iter().map(|id| words(id)).collect()),
            (
                messages::Plan::of(language).complexity,
                story.complexity.iter().map(|complexity| words(&complexity.to_string())).collect(),
            ),
            (messages::Plan::of(language).needs, story.dependencies.iter().map(need).collect()),
            (messages::Plan::of(language).files, story.files().map(words).collect()),
        ];
        let flags = planned.flags.iter().map(|flag| flag_words(flag, language)).collect();
        let lists = [
            (messages::Plan::of(language).acceptance_criteria, true, story.acceptance_criteria.clone()),
            (messages::Plan::of(language).definition_of_done, true, story.definition_of_done.clone()),
            (messages::Plan::of(language).to_be_checked, false, flags),
        ];
        let lists = lists.map(|(heading, is_checklist, items)| ContentList { heading, is_checklist, items });
        Self {
            paragraphs: paragraphs.collect(),
            facts: facts.into_iter().filter(|(_, value)| !value.is_empty()).collect(),
            colon: messages::Plan::of(language).colon,
            lists: lists.into_iter().filter(|list| !list.items.is_empty()).collect(),
            needs: story.dependencies.iter().filter_map(|id| issue_of(id)).collect(),
        }
    }
}
