//! One issue for each story in a tracker: opened once, found again by a mark, changed only where the plan has changed.
//! Everything that a person writes outside of reqgate's own block stays as it is.
//!
//! Comparing and the order of work are the same for all; a [`Tracker`] finds, forms and writes its issues.

mod content;
mod github;
mod jira;

pub use content::{ContentList, Piece, StoryContent};
pub use github::GithubIssues;
pub use jira::{JiraIssues, JiraTarget};

use std::collections::BTreeMap;
use std::fmt;

use super::{ExecutionPlan, PlannedStory};
use reqgate_base::clean;
use reqgate_base::hash::Hash;

/// The longest title, in characters; GitHub takes 256, Jira 255.
const LONGEST_TITLE: usize = 240;

/// A tracker that has an issue for each story of a plan.
pub trait Tracker {
    /// What names an issue; shown as people write it, e.g. `#12` or `PAY-12`.
    type Id: Clone + fmt::Display;
    /// Everything that reqgate writes in an issue besides its title.
    type Body: PartialEq;
    /// Why the tracker cannot be asked or refuses.
    type Error;

    /// The issues of a plan by the ids of their stories; of several for one story the oldest that reqgate made. Those count whose mark
    /// was made by somebody who may change issues. Where a tracker does not say who that was (labels of Jira), an issue with nothing but
    /// the mark is never written.
    ///
    /// # Errors
    /// Fails if the tracker cannot be asked or refuses, or if some issues could not be looked at.
    fn issues(&self, plan: &ExecutionPlan) -> Result<BTreeMap<String, TrackedIssue<Self>>, Self::Error>;

    /// The hash of the title that was written last, unless that is unknown.
    fn written_title(body: &Self::Body) -> Option<&str>;

    /// The body for a content: a new one, or an existing one with its block replaced; `None` if a person changed the block.
    fn body(&self, mark: Mark, content: &StoryContent<Self::Id>, existing: Option<&Self::Body>) -> Option<Self::Body>;

    /// Opens an issue.
    ///
    /// # Errors
    /// Fails if the tracker cannot be asked or refuses.
    fn open(&self, title: &str, body: &Self::Body) -> Result<Self::Id, Self::Error>;

    /// Changes an issue.
    ///
    /// # Errors
    /// Fails if the tracker cannot be asked or refuses.
    fn update(&self, issue: &TrackedIssue<Self>, title: &str, body: &Self::Body) -> Result<(), Self::Error>;
}

/// The issue of a story as the tracker has it.
pub struct TrackedIssue<T: Tracker + ?Sized> {
    /// What names it.
    pub id: T::Id,
    /// Its title.
    pub title: String,
    /// True if it is finished.
    pub is_closed: bool,
    /// The rest.
    pub body: T::Body,
    /// Other issues with the mark of the same story, which are not looked at further.
    pub others: Vec<T::Id>,
}

/// What an issue has to remember so that it is found again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mark {
    /// The name of the plan.
    pub plan: String,
    /// The story.
    pub story: String,
    /// The hash of the title as reqgate wrote it last.
    pub title: String,
}

/// The change that one story needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum IssueChange {
    /// It has no issue yet.
    Open {
        /// The story.
        story: String,
        /// The title of the issue.
        title: String,
    },
    /// Its issue says something else.
    Update {
        /// The story.
        story: String,
        /// The issue.
        issue: String,
        /// The title that it will have.
        title: String,
    },
    /// Its issue says the same.
    Same {
        /// The story.
        story: String,
        /// The issue.
        issue: String,
    },
    /// A person changed the block: it stays as it is.
    EditedByHand {
        /// The story.
        story: String,
        /// The issue.
        issue: String,
    },
    /// Its issue is closed: it stays as it is.
    Closed {
        /// The story.
        story: String,
        /// The issue.
        issue: String,
    },
    /// An issue with the mark of a story that has another one: it stays as it is.
    Doubled {
        /// The story.
        story: String,
        /// The issue.
        issue: String,
    },
    /// An issue of this plan whose story the plan no longer has: it stays as it is.
    NotPlanned {
        /// The story that it was for.
        story: String,
        /// The issue.
        issue: String,
    },
}

/// What the plan and the tracker need of each other.
pub struct IssuePlan<T: Tracker> {
    /// The changes in the order of work.
    pub changes: Vec<IssueChange>,
    /// The issue of each story that has one.
    issues: BTreeMap<String, TrackedIssue<T>>,
}

/// Compares a plan with the issues of a tracker; changes nothing.
///
/// # Errors
/// Fails if the tracker cannot be asked or refuses.
pub fn compared<T: Tracker>(tracker: &T, plan: &ExecutionPlan) -> Result<IssuePlan<T>, T::Error> {
    let issues = tracker.issues(plan)?;
    let ids = ids(&issues);
    let mut changes: Vec<IssueChange> = plan
        .stories
        .iter()
        .map(|planned| change(tracker, plan, planned, issues.get(&planned.story.story_id), &ids))
        .collect();
    let is_planned = |story: &String| plan.stories.iter().any(|planned| planned.story.story_id == *story);
    let gone = issues.iter().filter(|(story, _)| !is_planned(story));
    changes.extend(
        gone.map(|(story, issue)| IssueChange::NotPlanned { story: story.clone(), issue: issue.id.to_string() }),
    );
    changes.extend(issues.iter().flat_map(|(story, issue)| {
        let doubled = |other: &T::Id| IssueChange::Doubled { story: story.clone(), issue: other.to_string() };
        issue.others.iter().map(doubled)
    }));
    Ok(IssuePlan { changes, issues })
}

/// Makes the changes, each once, in the order of work. What was done before a failure is found again by the next run. `done` is
/// told the story and the issue of each change.
///
/// # Errors
/// Fails if the tracker cannot be asked or refuses.
pub fn carried_out<T: Tracker>(
    tracker: &T,
    plan: &ExecutionPlan,
    compared: IssuePlan<T>,
    mut done: impl FnMut(&str, &T::Id),
) -> Result<(), T::Error> {
    let IssuePlan { changes, issues } = compared;
    let mut ids = ids(&issues);
    for change in &changes {
        let (IssueChange::Open { story, .. } | IssueChange::Update { story, .. }) = change else { continue };
        let Some(planned) = plan.stories.iter().find(|planned| planned.story.story_id == *story) else { continue };
        let issue = issues.get(story);
        // By now the issues of the stories that it needs exist.
        let (title, Some(body)) = wanted(tracker, plan, planned, issue, &ids) else { continue };
        let id = match issue {
            Some(issue) => {
                tracker.update(issue, &title, &body)?;
                issue.id.clone()
            }
            None => tracker.open(&title, &body)?,
        };
        done(story, &id);
        ids.insert(story.clone(), id);
    }
    Ok(())
}

fn ids<T: Tracker>(issues: &BTreeMap<String, TrackedIssue<T>>) -> BTreeMap<String, T::Id> {
    issues.iter().map(|(story, issue)| (story.clone(), issue.id.clone())).collect()
}

fn change<T: Tracker>(
    tracker: &T,
    plan: &ExecutionPlan,
    planned: &PlannedStory,
    tracked: Option<&TrackedIssue<T>>,
    ids: &BTreeMap<String, T::Id>,
) -> IssueChange {
    let story = planned.story.story_id.clone();
    let (title, body) = wanted(tracker, plan, planned, tracked, ids);
    let Some(tracked) = tracked else { return IssueChange::Open { story, title } };
    let issue = tracked.id.to_string();
    match body {
        _ if tracked.is_closed => IssueChange::Closed { story, issue },
        None => IssueChange::EditedByHand { story, issue },
        Some(body) if body == tracked.body && title == tracked.title => IssueChange::Same { story, issue },
        Some(_) => IssueChange::Update { story, issue, title },
    }
}

/// Title and body that the issue of a story shall have; no body if a person changed the block. A title that a person gave stays.
fn wanted<T: Tracker>(
    tracker: &T,
    plan: &ExecutionPlan,
    planned: &PlannedStory,
    issue: Option<&TrackedIssue<T>>,
    ids: &BTreeMap<String, T::Id>,
) -> (String, Option<T::Body>) {
    let hash = |title: &str| Hash::of(title).short();
    let renamed = issue.and_then(|issue| {
        let written = T::written_title(&issue.body)?;
        (hash(&issue.title) != written).then(|| (issue.title.clone(), written.to_owned()))
    });
    let (title, written) = renamed.unwrap_or_else(|| {
        let own = own_title(planned);
        let hash = hash(&own);
        (own, hash)
    });
    let content = StoryContent::of(plan, planned, |id| ids.get(id).cloned());
    let mark = Mark { plan: plan_name(plan), story: planned.story.story_id.clone(), title: written };
    (title, tracker.body(mark, &content, issue.map(|issue| &issue.body)))
}

fn own_title(planned: &PlannedStory) -> String {
    let title: String = clean::words(&planned.story.title).chars().take(LONGEST_TITLE).collect();
    match title.trim_end() {
        // No tracker takes an issue without a title.
        "" => planned.story.story_id.clone(),
        title => title.to_owned(),
    }
}

/// The name of a plan in marks, of letters, digits and hyphens: its feature, or a hash of its title.
fn plan_name(plan: &ExecutionPlan) -> String {
    let head = &plan.frontmatter;
    head.feature_id.clone().unwrap_or_else(|| Hash::of(&head.title).short())
}
