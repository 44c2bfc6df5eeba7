//! `reqgate prd export` and `reqgate prd import`: threads as files. An import shows its contents before it is made.

use std::io::IsTerminal;
use std::path::{Path, PathBuf};

use reqgate::files;
use reqgate::prd::workflow::{Approved, Claim, PrdWorkflow, claims, documents_of, masked};
use reqgate::workflow::effects::inside;
use reqgate::workflow::{ArchiveError, Incoming, Phase, export};
use serde::Serialize;

use super::super::arguments::ConfigurationArguments;
use super::super::arguments::prd::{ImportArguments, PrdFormat, ThreadArguments};
use super::super::exit::{self, Failure};
use super::super::{outputs, session};
use super::shown::plain;
use super::words::{Words, words};
use super::{WORLD, actor, input, place, print_json, run_failure, store, store_failure, store_of, text_within};

fn archive_failure(error: ArchiveError) -> Failure {
    match error {
        ArchiveError::Store(error) => store_failure(error),
        ArchiveError::Run(error) => run_failure(error),
        ArchiveError::Io(error) => Failure::writing("the archive", &error),
        ArchiveError::Line { .. } => Failure::usage(error),
    }
}

/// Writes a thread as JSON Lines.
pub(super) fn export_thread(arguments: &ThreadArguments) -> Result<u8, Failure> {
    let store = store_of(&arguments.state, &arguments.thread)?;
    let mut archive = Vec::new();
    export(&store, &arguments.thread, &mut archive).map_err(archive_failure)?;
    outputs::print(&String::from_utf8_lossy(&archive))?;
    Ok(exit::PASS)
}

/// The contents of an archive that a person must see before importing it.
#[derive(Debug, Serialize)]
struct Preview {
    thread: String,
    title: String,
    /// The thread has been imported.
    imported: bool,
    /// The state that the import itself writes.
    state: PathBuf,
    /// The files that the thread writes when it continues.
    files: Vec<PathBuf>,
    /// The folder in which the thread makes one for its documents, whose names are not known yet.
    #[serde(skip_serializing_if = "Option::is_none")]
    folder: Option<PathBuf>,
    #[serde(skip)]
    is_fork: bool,
    /// The approvals that the archive claims.
    approvals: Vec<Claim>,
}

impl Preview {
    fn new(incoming: &Incoming<PrdWorkflow>, root: &Path, state: PathBuf) -> Result<Self, Failure> {
        let (record, position) = (incoming.record(), incoming.position());
        let state_of = &position.state;
        let pending = position.pending.iter().map(|pending| pending.effect.path().to_owned());
        let is_over = matches!(position.phase, Phase::Completed | Phase::Cancelled);
        let later = if is_over { Vec::new() } else { documents_of(state_of) };
        // A fork does not write files.
        let mut files: Vec<PathBuf> = pending.chain(later).filter(|_| !position.dry_run).collect();
        let folder = PathBuf::from(&state_of.prd_workspace_path);
        // A thread that has ended can be reopened.
        for path in files.iter().chain(&documents_of(state_of)).chain(Some(&folder)) {
            inside(root, path).map_err(|reason| Failure::usage(format!("nothing was imported: {reason}")))?;
        }
        files.sort();
        files.dedup();
        let approvals = claims(&record.id, incoming.events()).map_err(run_failure)?;
        Ok(Self {
            thread: record.id.to_string(),
            title: record.title.clone(),
            imported: false,
            state,
            files,
            folder: Some(folder).filter(|_| state_of.feature_id.is_none() && !is_over && !position.dry_run),
            is_fork: position.dry_run,
            approvals,
        })
    }

    fn text(&self, root: &Path, said: &Words) -> String {
        let state = self.state.display().to_string();
        let mut text = format!("{}\n", said.import_state(&plain(&state), &self.thread, &plain(&self.title)));
        let files = match &self.folder {
            Some(folder) => said.import_folder(&plain(&folder.display().to_string())),
            None if self.is_fork => said.import_fork.to_owned(),
            None if self.files.is_empty() => said.import_no_files.to_owned(),
            None => said.import_files.to_owned(),
        };
        text.push_str(&format!("{files}\n"));
        for path in &self.files {
            let exists = if root.join(path).is_file() { said.import_exists } else { "" };
            text.push_str(&format!("  {}{exists}\n", plain(&path.display().to_string())));
        }
        let none = self.approvals.is_empty();
        text.push_str(&format!("{}\n", if none { said.import_no_claims } else { said.import_claims }));
        for claim in &self.approvals {
            text.push_str(&format!("  {}\n", claim_line(claim, said)));
        }
        text
    }
}

fn claim_line(claim: &Claim, said: &Words) -> String {
    let what = said.approved[match claim.approved {
        Approved::Brief => 0,
        Approved::Requirements => 1,
        Approved::Gaps => 2,
        Approved::Prd => 3,
        Approved::PrdAgainstGate => 4,
        Approved::Outline => 5,
        Approved::Draft => 6,
    }];
    let who = claim.actor.as_deref().map_or(said.import_nobody.into(), plain);
    let at = claim.at.as_deref().map(|at| format!("{}{}", said.comma, plain(at))).unwrap_or_default();
    format!("{what}{}{who}{at}", said.colon)
}

/// Imports a thread from an archive after a person has seen its contents.
pub(super) fn import_thread(arguments: &ImportArguments) -> Result<u8, Failure> {
    let text = text_within(&arguments.file, files::RECORDS)?;
    let root = std::env::current_dir().map_err(|error| Failure::usage(format!("the current folder: {error}")))?;
    let pipeline = session::judging(&ConfigurationArguments::default())?;
    let incoming = Incoming::<PrdWorkflow>::read(&mut text.as_bytes()).map_err(archive_failure)?;
    let incoming = incoming.masked(&|value| masked(value, &pipeline)).map_err(archive_failure)?;
    let said = words(incoming.position().state.language());
    let is_json = arguments.state.format == PrdFormat::Json;
    let mut preview = Preview::new(&incoming, &root, PathBuf::from(place(&arguments.state)?.to_string()))?;
    if !is_json {
        outputs::print(&preview.text(&root, said))?;
    }
    if !arguments.yes {
        let is_asked = !is_json && std::io::stdin().is_terminal() && std::io::stdout().is_terminal();
        if !is_asked {
            if is_json {
                print_json(&preview)?;
            }
            return Err(Failure::usage(said.import_needs_yes));
        }
        if !input::agrees(said.import_ask, said)? {
            outputs::print(&format!("{}\n", said.import_left))?;
            return Ok(exit::PASS);
        }
    }
    let store = store(&arguments.state)?;
    let who = actor(arguments.actor.as_deref());
    let thread = incoming.keep(&store, &WORLD, &root.display().to_string(), &who).map_err(archive_failure)?;
    if is_json {
        preview.imported = true;
        print_json(&preview)?;
    } else {
        outputs::print(&format!("{}\n", said.imported(&thread)))?;
    }
    Ok(exit::PASS)
}
