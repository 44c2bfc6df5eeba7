//! Adds sources to a thread, and takes up an approved PRD again.

use reqgate::pipeline::Pipeline;
use reqgate::prd::workflow::{Amendment, By, OnDisk, PrdWorkflow, further_sources, revision};
use reqgate::workflow::{Durability, Phase, Run};

use super::super::arguments::prd::{AddSourceArguments, ReviseArguments};
use super::super::exit::Failure;
use super::super::terminal;
use super::driving::{drive, pipeline, sources, wanted_drafts};
use super::edits::{Documents, Thread};
use super::{WORLD, actor, run_failure, store_of};

/// Adds sources and continues the thread.
pub fn add_source(arguments: &AddSourceArguments) -> Result<u8, Failure> {
    let driving = &arguments.driving;
    let store = store_of(&driving.state, &arguments.thread)?;
    let pipeline = pipeline(&driving.configuration)?;
    let new = sources(&pipeline, &arguments.files)?;
    let mut run = Run::open(&PrdWorkflow, &store, &WORLD, Durability::Step, &arguments.thread).map_err(run_failure)?;
    let because = pipeline.masked(&arguments.because);
    amend(&mut run, &pipeline, &because, driving.actor.as_deref(), |run, by, disk| {
        let state = &run.position().state;
        let author = wanted_drafts(driving, state.drafts.as_ref()).author;
        if run.position().phase == Phase::Failed {
            return Err("the thread has failed: `reqgate prd resume --retry` first".to_owned());
        }
        further_sources(state, run.position().node, new, author, by, disk)
    })?;
    drive(run, &store, &pipeline, driving, None)
}

/// Takes up an approved PRD again.
pub fn revise(arguments: &ReviseArguments) -> Result<u8, Failure> {
    let driving = &arguments.driving;
    let store = store_of(&driving.state, &arguments.thread)?;
    let pipeline = pipeline(&driving.configuration)?;
    if arguments.because.trim().is_empty() {
        return Err(Failure::usage("--because is empty: say why the approved PRD is to change"));
    }
    let mut run = Run::open(&PrdWorkflow, &store, &WORLD, Durability::Step, &arguments.thread).map_err(run_failure)?;
    let because = pipeline.masked(arguments.because.trim());
    amend(&mut run, &pipeline, &because, driving.actor.as_deref(), |run, by, disk| {
        revision(&run.position().state, by, disk)
    })?;
    drive(run, &store, &pipeline, driving, None)
}

fn amend(
    run: &mut Thread<'_>,
    pipeline: &Pipeline,
    reason: &str,
    named: Option<&str>,
    change: impl FnOnce(&Thread<'_>, By<'_>, OnDisk<'_>) -> Result<Amendment, String>,
) -> Result<(), Failure> {
    let (who, today, mut documents) = (actor(named), terminal::today(), Documents::of(run));
    // What somebody typed into the brief goes into the log.
    documents.brief = documents.brief.map(|brief| pipeline.masked(&brief));
    let by = By { actor: &who, reason, on: &today };
    let Amendment { reason, patches, to } = change(run, by, documents.on_disk()).map_err(Failure::usage)?;
    run.amend(&who, &reason, patches, to).map_err(run_failure)
}
