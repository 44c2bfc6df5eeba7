//! reqgate as a GitHub Action: from the payload of an event to the one comment.
//!
//! This module is above the pipeline and the audit because it runs them; `github` below it only makes the calls, and
//! `report` writes every text. Decisions (the task of an event, the labels to change, the place of an answer) are pure
//! and separate from the calls.

mod answers;
mod audit;
mod base_policy;
mod command;
mod conclusion;
mod documents;
mod error;
mod event;
mod files;
mod form_gaps;
mod forms;
mod git;
mod issue;
mod labels;
mod options;
mod prd;
mod pull_request;
mod skip;
mod sticky_comment;
mod summary;
mod workplace;

#[cfg(test)]
mod override_tests;
#[cfg(test)]
pub(crate) mod test_support;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod title_only_tests;

pub use audit::{AuditFlow, AuditRun};
pub use command::Command;
pub use conclusion::{CommentAction, Conclusion, Kept, Outputs};
pub use error::ActionError;
pub use event::{EventError, Task, Trigger, decide};
pub use files::{FilesRun, JudgedFile, PullRequestFlow, judge_files};
pub use forms::{Form, FormError, forms_in};
pub use git::{Base, FileVersion, GitError, Message as CommitMessage, Named, Repository as GitRepository};
pub use issue::{IssueFlow, Judged, Request};
pub use options::{BadOption, CommentWhen, FailOn, Mode, Options};
pub use prd::{
    Doorbell, LABEL as PRD_LABEL, NothingToDo, Plan, PlanError, PrdFlow, Shown as PrdShown, Writing,
    is_over as prd_is_over, issue_of_pull, rung,
};
pub use pull_request::ChangesError;
pub use skip::Skip;
pub use summary::{LONGEST_SUMMARY, bounded_summary};
pub use workplace::Workplace;
