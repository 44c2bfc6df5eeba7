//! Adds sources to a thread, takes up an approved PRD again, and answers its open questions.

use reqgate::pipeline::Pipeline;
use reqgate::prd::workflow::{
    Amendment, AnsweredLater, By, OnDisk, PrdWorkflow, answered_later, further_sources, revision,
};
use reqgate::workflow::{Durability, Phase, Run};

use super::super::arguments::prd::{AddSourceArguments, AnswerQuestionArguments, DrivingArguments, ReviseArguments};
use super::super::exit::{self, Failure};
use super::super::{session, terminal};
use super::driving::{acting, drive, sources};
use super::edits::{Documents, Thread};
use super::shown::plain;
use super::words::words;
use super::writer::{are_chosen, author_of};
use super::{WORLD, inbox, run_failure, store_of};

/// Adds sources and continues the thread.
pub(super) fn add_source(arguments: &AddSourceArguments) -> Result<u8, Failure> {
    let driving = &arguments.driving;
    let store = store_of(&driving.state, &arguments.thread)?;
    let pipeline = session::judging(&driving.configuration)?;
    let new = sources(&pipeline, &arguments.files)?;
    let mut run = Run::open(&PrdWorkflow, &store, &WORLD, Durability::Step, &arguments.thread).map_err(run_failure)?;
    let because = pipeline.masked(&arguments.because);
    amend(&mut run, &pipeline, &because, driving, |run, by, disk| {
        let state = &run.position().state;
        let author = author_of(driving, state.drafts.as_ref());
        if run.position().phase == Phase::Failed {
            return Err("the thread has failed: `reqgate prd resume --retry` first".to_owned());
        }
        further_sources(state, run.position().node, new, author, by, disk)
    })?;
    drive(run, &store, &pipeline, driving, None)
}

/// Takes up an approved PRD again.
pub(super) fn revise(arguments: &ReviseArguments) -> Result<u8, Failure> {
    let driving = &arguments.driving;
    let store = store_of(&driving.state, &arguments.thread)?;
    let pipeline = session::judging(&driving.configuration)?;
    if arguments.because.trim().is_empty() {
        return Err(Failure::usage("--because is empty: say why the approved PRD is to change"));
    }
    let mut run = Run::open(&PrdWorkflow, &store, &WORLD, Durability::Step, &arguments.thread).map_err(run_failure)?;
    let because = pipeline.masked(arguments.because.trim());
    amend(&mut run, &pipeline, &because, driving, |run, by, disk| revision(&run.position().state, by, disk))?;
    drive(run, &store, &pipeline, driving, None)
}

/// Answers an open question of an approved PRD.
pub(super) fn answer_question(arguments: &AnswerQuestionArguments) -> Result<u8, Failure> {
    let driving = &arguments.driving;
    let id = arguments.question;
    if arguments.answer.trim().is_empty() {
        return Err(Failure::usage("the answer is empty"));
    }
    let thread = match &arguments.thread {
        Some(thread) => thread.clone(),
        None => inbox::thread_asking(&driving.state, id)?,
    };
    let store = store_of(&driving.state, &thread)?;
    let pipeline = session::judging(&driving.configuration)?;
    let answer = pipeline.masked(arguments.answer.trim());
    let mut run = Run::open(&PrdWorkflow, &store, &WORLD, Durability::Step, &thread).map_err(run_failure)?;
    let said = words(run.position().state.language());
    let mut waited = String::new();
    amend(&mut run, &pipeline, &said.answered_as(&answer, &id), driving, |run, by, disk| {
        let state = &run.position().state;
        let author = author_of(driving, state.drafts.as_ref());
        let AnsweredLater { amendment, question, waited: ids } =
            answered_later(state, (id, &answer), author, by, disk)?;
        let ids: Vec<String> = ids.iter().map(ToString::to_string).collect();
        let question = plain(&question);
        waited = match ids.as_slice() {
            [] => said.answered_nothing_waited(&id, &question),
            ids => said.answered_and_waited(&id, &ids.join(", "), &question),
        };
        Ok(amendment)
    })?;
    exit::note(&waited);
    drive(run, &store, &pipeline, driving, None)
}

fn amend(
    run: &mut Thread<'_>,
    pipeline: &Pipeline,
    reason: &str,
    driving: &DrivingArguments,
    change: impl FnOnce(&Thread<'_>, By<'_>, OnDisk<'_>) -> Result<Amendment, String>,
) -> Result<(), Failure> {
    are_chosen(driving, run.record(), run.position().state.drafts.as_ref())?;
    let (who, today, mut documents) = (acting(driving, run), terminal::today(), Documents::of(run));
    // Words that a person typed into the brief go into the log.
    documents.brief = documents.brief.map(|brief| pipeline.masked(&brief));
    let by = By { actor: &who, reason, on: &today };
    let Amendment { reason, patches, to } = change(run, by, documents.on_disk()).map_err(Failure::usage)?;
    run.amend(&who, &reason, patches, to).map_err(run_failure)
}
