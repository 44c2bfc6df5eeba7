//! The documents of a thread: as its log wrote them, as the branch has them, and the difference, which people made.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use tempfile::TempDir;

use super::branch::Files;
use super::error::CopyError;
use super::trust::Distrust;
use reqgate_flow::{Body, Effect, Event, Position, RunError, ThreadId, decode, effects};
use reqgate_prd::ask::ShownDocument;
use reqgate_prd::workflow::{PrdState, PrdWorkflow, documents_of};

/// The file of requirements.
pub(super) const REQUIREMENTS: &str = "requirements.md";
/// The file of the brief.
pub(super) const BRIEF: &str = "feature-brief.md";
pub(super) const PRD: &str = "prd.md";

/// The documents as the steps of a log have written them.
pub(super) fn recorded(thread: &ThreadId, events: &[Event]) -> Result<BTreeMap<String, String>, RunError> {
    let mut wanted: BTreeMap<u64, Vec<Effect>> = BTreeMap::new();
    let mut recorded = BTreeMap::new();
    for event in events {
        match decode::<PrdWorkflow>(thread, event)? {
            Body::Stepped { effects, .. } if !effects.is_empty() => drop(wanted.insert(event.seq, effects)),
            Body::EffectDone { step, index, .. } => {
                let effect = wanted.get(&step).and_then(|effects| effects.get(usize::try_from(index).ok()?));
                if let Some(Effect::File { path, content, .. }) = effect {
                    recorded.insert(path.display().to_string(), content.clone());
                }
            }
            _ => {}
        }
    }
    Ok(recorded)
}

/// The path of a document of the thread.
pub(super) fn path_in(state: &PrdState, file: &str) -> Option<String> {
    documents_of(state).iter().find(|path| path.ends_with(file)).map(|path| path.display().to_string())
}

/// The edits of people that are on the branch and not in the log.
#[derive(Default)]
pub(super) struct Edits {
    /// The names of the files.
    pub(super) files: Vec<String>,
    /// The text of the document that the open question shows.
    pub(super) shown: Option<String>,
    /// The file of requirements, which the workflow reads, is among them.
    pub(super) requirements: bool,
}

/// Writes the documents into the folder as the workflow expects to find them, and returns the changes of people.
///
/// A draft on the branch is not yet a file of the workflow.
pub(super) fn laid_out(
    folder: &TempDir,
    position: &Position<PrdWorkflow>,
    on_branch: &BTreeMap<String, String>,
    recorded: &BTreeMap<String, String>,
    shown: Option<&ShownDocument>,
) -> Result<Edits, CopyError> {
    let mut edits = Edits::default();
    for path in documents_of(&position.state) {
        let path = path.display().to_string();
        let recorded = recorded.get(&path);
        let draft = shown.filter(|shown| shown.path == path);
        let expected = draft.map(|draft| &draft.text).or(recorded);
        let found = on_branch.get(&path);
        let mut laid = recorded;
        if found != expected {
            edits.files.push(path.clone());
            match (draft, found) {
                (Some(draft), Some(text)) if draft.is_whole => edits.shown = Some(text.clone()),
                // A draft that was deleted is shown again.
                (Some(_), None) => {}
                (_, found) => {
                    edits.requirements |= path.ends_with(REQUIREMENTS);
                    laid = found;
                }
            }
        }
        if let Some(text) = laid {
            let place = effects::inside(folder.path(), Path::new(&path)).map_err(|_| Distrust::Foreign(1))?;
            if let Some(parent) = place.parent() {
                fs::create_dir_all(parent)?;
            }
            fs::write(place, text)?;
        }
    }
    Ok(edits)
}

/// Makes the folders of the other features, by which a new one gets its number.
pub(super) fn list_features(folder: &TempDir, files: &Files<'_>, workspace: &str) -> Result<(), CopyError> {
    let features = folder.path().join(workspace);
    for name in files.folders_in(workspace)? {
        if effects::permitted(Path::new(&name)).is_ok() {
            fs::create_dir_all(features.join(name))?;
        }
    }
    Ok(())
}
