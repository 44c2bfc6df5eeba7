//! The changes that a person can make to a thread from outside its steps: cancel, reopen, amend.

use super::{Run, RunError};
use crate::definition::Workflow;
use crate::event::Body;
use crate::store::Store;
use crate::thread::Phase;

impl<W: Workflow, S: Store> Run<'_, W, S> {
    /// Ends the thread at the request of a person.
    ///
    /// # Errors
    ///
    /// Fails if it has ended, or the store refuses.
    pub fn cancel(&mut self, reason: &str, actor: &str) -> Result<(), RunError> {
        if self.position.phase.is_terminal() {
            return Err(RunError::NotNow(format!("thread `{}` has already ended", self.record.id)));
        }
        self.commit(actor, vec![Body::Cancelled { reason: reason.to_owned() }])?;
        self.flush()
    }

    /// Continues a failed thread at the node that failed.
    ///
    /// # Errors
    ///
    /// Fails if it has not failed, or the store refuses.
    pub fn reopen(&mut self, actor: &str) -> Result<(), RunError> {
        if self.position.phase != Phase::Failed {
            return Err(RunError::NotNow(format!("thread `{}` has not failed", self.record.id)));
        }
        self.commit(actor, vec![Body::Reopened])?;
        self.flush()
    }

    /// Changes the thread from outside. With `to` it continues at that node, even if it has ended, and open questions
    /// and orders are withdrawn.
    ///
    /// # Errors
    ///
    /// Fails if effects of the last step are pending, if the thread has ended and no node is given, or if the store
    /// refuses.
    pub fn amend(
        &mut self,
        actor: &str,
        reason: &str,
        patches: Vec<W::Patch>,
        to: Option<W::Node>,
    ) -> Result<(), RunError> {
        let thread = &self.record.id;
        if !self.position.pending.is_empty() {
            return Err(RunError::NotNow(format!("thread `{thread}` has not finished its last step: resume it first")));
        }
        if self.position.phase.is_terminal() && to.is_none() {
            return Err(RunError::NotNow(format!("thread `{thread}` has ended")));
        }
        self.commit(actor, vec![Body::Amended { patches, reason: reason.to_owned(), to }])?;
        self.flush()
    }
}
