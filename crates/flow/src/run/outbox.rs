//! The outbox: effects are performed after their step is recorded, and a receipt is recorded for each.

use std::path::Path;

use super::{Run, RunError};
use crate::definition::Workflow;
use crate::effects::{self, Done};
use crate::event::{Body, ENGINE};
use crate::store::Store;

impl<W: Workflow, S: Store> Run<'_, W, S> {
    /// Performs every effect without a receipt.
    pub(super) fn perform_effects(&mut self) -> Result<(), RunError> {
        if self.position.pending.is_empty() {
            return Ok(());
        }
        // A request is recorded before its effect becomes visible.
        self.flush()?;
        let root = Path::new(&self.record.root);
        if !self.position.dry_run && !root.is_dir() {
            // A store may be shared by machines that do not share their folders.
            let error = "this folder, where the thread writes, does not exist on this machine; create it, continue on the \
                         machine that has it, or move the thread with `reqgate prd export` and `import`";
            return Err(RunError::Effect { path: root.display().to_string(), error: error.to_owned() });
        }
        while let Some(pending) = self.position.pending.first().cloned() {
            let (step, index) = (pending.step, pending.index);
            let body = if self.position.dry_run {
                Body::EffectDone { step, index, receipt: "dry-run".to_owned() }
            } else {
                let done = match W::permits(&self.position.state, &pending.effect) {
                    Err(reason) => Done::Refused(reason),
                    Ok(()) => effects::perform(Path::new(&self.record.root), &pending.effect).map_err(|error| {
                        let path = pending.effect.path().display().to_string();
                        RunError::Effect { path, error: error.to_string() }
                    })?,
                };
                match done {
                    Done::Written => Body::EffectDone { step, index, receipt: "written".to_owned() },
                    Done::Unchanged => Body::EffectDone { step, index, receipt: "unchanged".to_owned() },
                    Done::Refused(reason) => Body::EffectRefused { step, index, reason },
                }
            };
            self.commit(ENGINE, vec![body])?;
        }
        Ok(())
    }
}
