//! reqgate as a GitHub Action: from the payload of an event to the one comment.
//!
//! Sits above the pipeline because it runs it; `github` below only makes the calls, and every word that is written comes from
//! `report`. Decisions (what an event asks for, which labels differ, where an answer goes) are pure and apart from the calls.

mod answers;
mod command;
mod conclusion;
mod event;
mod form_gaps;
mod forms;
mod git;
mod issue;
mod labels;
mod options;
mod pull_request;
mod skip;
mod sticky_comment;
mod summary;

#[cfg(test)]
pub(crate) mod test_support;
#[cfg(test)]
mod tests;

pub use command::Command;
pub use conclusion::{CommentAction, Conclusion, Kept, Outputs};
pub use event::{EventError, Task, Trigger, decide};
pub use forms::{Form, FormError, forms_in};
pub use git::{Base, GitError, Named, Repository as GitRepository};
pub use issue::{ActionError, IssueFlow, Judged, Request};
pub use options::{BadOption, CommentWhen, FailOn, Mode, Options};
pub use pull_request::{Change, Changes, ChangesError, changes, in_repository, policy};
pub use skip::Skip;
pub use summary::{LONGEST_SUMMARY, bounded_summary};
