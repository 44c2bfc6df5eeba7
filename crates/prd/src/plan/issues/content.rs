//! The content of the issue of a story, independent of the tracker.

use crate::plan::human::flag_words;
use crate::plan::verdict::sentence;
use crate::plan::{ExecutionPlan, PlannedStory};
use crate::prd_text::question_shown;
use reqgate_messages as messages;

/// The content that reqgate writes into the issue of a story. All of it is untrusted text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoryContent<I> {
    /// The story as a sentence, and implementation notes.
    pub paragraphs: Vec<String>,
    /// Facts in one line each: name and value.
    pub facts: Vec<(&'static str, Vec<Piece>)>,
    /// The separator between the name of a fact and its value.
    pub colon: &'static str,
    /// The lists, each with a heading.
    pub lists: Vec<ContentList>,
    /// The issues of the stories that must be finished first, if they exist.
    pub needs: Vec<I>,
}

/// A part of the value of a fact.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Piece {
    /// Text of the plan.
    Words(String),
    /// The name of an issue, as assigned by the tracker.
    Issue(String),
}

/// A list with a heading.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContentList {
    /// The heading of the list.
    pub heading: &'static str,
    /// The items can be ticked off.
    pub is_checklist: bool,
    /// The items of the list.
    pub items: Vec<String>,
}

impl<I: Clone + ToString> StoryContent<I> {
    /// Builds the content for a story; `issue_of` returns the issue of another story, if it has one.
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
            (
                messages::Plan::of(language).waits_for,
                planned.waits_for.iter().map(|id| words(&id.to_string())).collect(),
            ),
            (messages::Plan::of(language).files, story.files().map(words).collect()),
        ];
        let flags = planned.flags.iter().map(|flag| flag_words(flag, language)).collect();
        let asked = plan.open_questions.iter().filter(|one| one.id.is_some_and(|id| planned.waits_for.contains(&id)));
        let asked = asked.map(|question| question_shown(question, language)).collect();
        let lists = [
            (messages::Plan::of(language).waits_for_questions, false, asked),
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
