//! The desk where tickets arrive: the gate at work on the events of GitHub, from the payload to the one comment.
//!
//! Sits above the pipeline because it runs it; `github` below is only the door, and every word that is written comes from
//! `report`. Decisions (what an event asks for, which labels differ, where an answer goes) are pure and apart from the calls.

mod amend;

mod answers;
mod command;
mod event;
mod forms;
mod git;
mod issue;
mod keeper;
mod labels;
mod options;
mod pull_request;
mod served;
mod summary;

#[cfg(test)]
mod tests;
#[cfg(test)]
pub(crate) mod trial;

pub use command::Command;
pub use event::{Cause, EventError, Skip, Task, decide};
pub use forms::{Form, FormError, forms_in};
pub use git::{Base, GitError, Named, Repository as GitRepository};
pub use issue::{DeskError, IssueDesk, Judged, Order};
pub use options::{BadOption, CommentWhen, FailOn, Mode, Options};
pub use pull_request::{Change, Changes, ChangesError, changes, in_repository, policy};
pub use served::{CommentAction, Ending, Kept, Outputs};
pub use summary::{LONGEST_SUMMARY, bounded_summary};
