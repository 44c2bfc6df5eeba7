//! The PRD of an issue on GitHub: one branch, one pull request, documents and log in one commit, approvals by review.
//!
//! ```text
//! event (a doorbell) ─▶ doorbell: which issues
//!   read      facts: issue, branch, pull request, comments, reviews; the log and the documents at the branch's head
//!   check     trust: every answer in the log is still on GitHub, and every approval follows from its answer
//!   work      the engine on a private copy (a folder and a store in memory): human commits, one answer, then as far as
//!             possible without a person
//!   push      documents and log as one commit; the branch is moved only forwards (`force: false`)
//!             ─ another was faster: forget the copy and read again
//!   show      pull request, comment, check run: each brought to the wanted state, so that a run killed between two of
//!             them is completed by the next
//! ```
//!
//! - The push appends to the thread's store. Before it, a step is not visible at all; after it, the whole step is. That is
//!   why this is not a [`Store`](reqgate_flow::Store), whose log is written before the effects.
//! - An event only says which issue to look at. Lost, doubled and reordered events have no effect, because each run decides from
//!   the log and the API alone.
//! - Only a question that was pushed can be answered, and only by words that are later than the push: a text cannot be approved
//!   before it exists. A review counts only for the commit that the reviewer saw.
//! - The time of an event is that of its cause at GitHub. Two jobs that read the same facts do the same work, to the
//!   letter: the reader's job (a model's key, no right to write) records the model's results as a [`Plan`]; the writer's
//!   job (the right to write, no key) does the work again and takes from the plan only the results of the same calls,
//!   each checked like untrusted input.
//!
//! | module | purpose |
//! |---|---|
//! | `doorbell` | event → issues (pure) |
//! | `branch` | log and documents at a commit; the push |
//! | `facts` | the state on GitHub now |
//! | `command`, `decision` | comments and reviews → the answer to the open question (pure) |
//! | `trust`, `replay` | the log against the facts, and against the workflow itself (pure) |
//! | `copy`, `documents` | the private copy and the engine on it |
//! | `plan` | results of a model between two jobs |
//! | `page`, `words`, `comment` | the comment, in two languages |
//! | `flow` | the above, in order |

mod branch;
mod command;
mod comment;
mod copy;
mod decision;
mod documents;
mod doorbell;
mod error;
mod facts;
mod flow;
mod page;
mod plan;
mod replay;
mod trust;
mod words;

pub use doorbell::{Doorbell, rung};
pub use facts::{LABEL, NothingToDo, is_over};
pub use flow::{PrdFlow, Shown};
pub use plan::{Plan, PlanError, Writing};

/// The issue that a pull request of ours belongs to.
pub fn issue_of_pull(pull: &reqgate_net::github::PullRequest) -> Option<u64> {
    branch::issue_of(&pull.head.branch)
}
