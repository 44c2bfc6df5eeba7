//! Keeps one issue for each story in a tracker: opens it once, finds it again by a mark, and changes it only if the
//! plan has changed. Text outside of reqgate's block is never touched.
//!
//! The comparison and the order of work are the same for all trackers; a [`Tracker`] finds, formats and writes its issues.

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

/// The longest title, in characters; GitHub accepts 256, Jira 255.
const LONGEST_TITLE: usize = 240;

/// A tracker with an issue for each story of a plan.
pub trait Tracker {
    /// The name of an issue, displayed as people write it, such as `#12` or `PAY-12`.
    type Id: Clone + fmt::Display;
    /// The content that reqgate writes into an issue, except its title.
    type Body: PartialEq;
    /// The error of a tracker that cannot be reached or refuses.
    type Error;

    /// Returns the issues of a plan by the ids of their stories; of several issues for one story, the oldest that
    /// reqgate created. A mark counts only if its author may change issues. If a tracker does not tell the author
    /// (labels of Jira), an issue that has only the mark is never written.
    ///
    /// # Errors
    /// Fails if the tracker cannot be reached or refuses, or if some issues could not be read.
    fn issues(&self, plan: &ExecutionPlan) -> Result<BTreeMap<String, TrackedIssue<Self>>, Self::Error>;

    /// Returns the hash of the title that was written last, if it is known.
    fn written_title(body: &Self::Body) -> Option<&str>;

    /// Builds the body for a content: a new one, or an existing one with its block replaced; `None` if a person changed the block.
    fn body(&self, mark: Mark, content: &StoryContent<Self::Id>, existing: Option<&Self::Body>) -> Option<Self::Body>;

    /// Opens an issue.
    ///
    /// # Errors
    /// Fails if the tracker cannot be reached or refuses.
    fn open(&self, title: &str, body: &Self::Body) -> Result<Self::Id, Self::Error>;

    /// Updates an issue.
    ///
    /// # Errors
    /// Fails if the tracker cannot be reached or refuses.
    fn update(&self, issue: &TrackedIssue<Self>, title: &str, body: &Self::Body) -> Result<(), Self::Error>;
}

/// The issue of a story as it is in the tracker.
pub struct TrackedIssue<T: Tracker + ?Sized> {
    /// The name of the issue in the tracker.
    pub id: T::Id,
    /// The title in the tracker.
    pub title: String,
    /// The issue is finished.
    pub is_closed: bool,
    /// The body in the tracker.
    pub body: T::Body,
    /// Further issues with the mark of the same story; they are not compared.
    pub others: Vec<T::Id>,
}

/// The data in an issue by which it is found again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mark {
    /// The name of the plan.
    pub plan: String,
    /// The id of the story.
    pub story: String,
    /// The hash of the title as reqgate wrote it last.
    pub title: String,
}

/// The change that the issue of one story needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum IssueChange {
    /// The story has no issue yet.
    Open {
        /// The id of the story.
        story: String,
        /// The title of the new issue.
        title: String,
    },
    /// The content of the issue differs.
    Update {
        /// The id of the story.
        story: String,
        /// The name of the issue.
        issue: String,
        /// The title that the issue will get.
        title: String,
    },
    /// The issue is up to date.
    Same {
        /// The id of the story.
        story: String,
        /// The name of the issue.
        issue: String,
    },
    /// A person changed the block, so the issue is not changed.
    EditedByHand {
        /// The id of the story.
        story: String,
        /// The name of the issue.
        issue: String,
    },
    /// The issue is closed, so it is not changed.
    Closed {
        /// The id of the story.
        story: String,
        /// The name of the issue.
        issue: String,
    },
    /// A further issue with the mark of a story; it is not changed.
    Doubled {
        /// The id of the story.
        story: String,
        /// The name of the issue.
        issue: String,
    },
    /// An issue of a story that was removed from the plan; it is not changed.
    NotPlanned {
        /// The id of the removed story.
        story: String,
        /// The name of the issue.
        issue: String,
    },
}

/// The differences between a plan and the issues of a tracker.
pub struct IssuePlan<T: Tracker> {
    /// The changes in the order of work.
    pub changes: Vec<IssueChange>,
    /// The existing issues, by story.
    issues: BTreeMap<String, TrackedIssue<T>>,
}

/// Compares a plan with the issues of a tracker, without changing any.
///
/// # Errors
/// Fails if the tracker cannot be reached or refuses.
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

/// Makes each change once, in the order of work, and calls `done` with the story and the issue. After a failure, the
/// next run finds the finished changes.
///
/// # Errors
/// Fails if the tracker cannot be reached or refuses.
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
        // The issues of the stories that this one depends on already exist.
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

/// The new title and body of an issue; no body if a person changed the block. A title that a person changed is kept.
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
        // Trackers do not accept an empty title.
        "" => planned.story.story_id.clone(),
        title => title.to_owned(),
    }
}

/// The name of a plan in marks, made of letters, digits and hyphens: its feature, or a hash of its title.
fn plan_name(plan: &ExecutionPlan) -> String {
    let head = &plan.frontmatter;
    head.feature_id.clone().unwrap_or_else(|| Hash::of(&head.title).short())
}
