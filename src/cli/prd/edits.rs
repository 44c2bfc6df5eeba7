//! The documents of a feature as they are on disk, with the check for edits after their approval.

use std::path::Path;

use reqgate::prd::workflow::{OnDisk, PrdWorkflow, edited_since_approval};
use reqgate::workflow::effects::inside;
use reqgate::workflow::{Run, StateStore};

use super::super::exit;

/// A thread of the PRD workflow.
pub(super) type Thread<'a> = Run<'a, PrdWorkflow, StateStore>;

/// Reports the approved documents that were edited since their approval.
pub(super) fn tell_edits(run: &Thread<'_>) {
    let documents = Documents::of(run);
    let edited = edited_since_approval(&run.position().state, documents.on_disk());
    if !edited.is_empty() {
        let id = &run.record().id;
        let lost = if edited.contains(&"prd.md") {
            "; the next version would overwrite prd.md, so say your words in the review instead"
        } else {
            ""
        };
        exit::note(&format!(
            "{}: edited since the approval; `reqgate prd revise {id} --because \"…\"` has them reviewed{lost}",
            edited.join(", ")
        ));
    }
}

/// The documents of a feature, read from its folder.
pub(super) struct Documents {
    /// The brief.
    pub brief: Option<String>,
    /// The requirements.
    pub requirements: Option<String>,
    prd: Option<String>,
}

impl Documents {
    /// Reads them.
    pub(super) fn of(run: &Thread<'_>) -> Self {
        let state = &run.position().state;
        let root = Path::new(&run.record().root);
        let feature = state.feature_id.as_ref().map(ToString::to_string);
        // A missing document, or one that is not text, is reported by the step that needs it.
        let read = |name: &str| {
            let path = Path::new(&state.prd_workspace_path).join(feature.as_ref()?).join(name);
            std::fs::read_to_string(inside(root, &path).ok()?).ok()
        };
        Self { brief: read("feature-brief.md"), requirements: read("requirements.md"), prd: read("prd.md") }
    }

    /// Their texts.
    pub(super) fn on_disk(&self) -> OnDisk<'_> {
        OnDisk { brief: self.brief.as_deref(), requirements: self.requirements.as_deref(), prd: self.prd.as_deref() }
    }
}
