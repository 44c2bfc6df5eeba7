//! The private copy of a thread: a folder with the documents and a store in memory, on which the engine works until the
//! result is pushed or forgotten.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::Value;
use tempfile::TempDir;

use super::super::ActionError;
use super::branch::{ATTRIBUTES, Files, is_ours, log_of, thread_of};
use super::command::Mark;
use super::decision::{Decision, NotCounted, OpenQuestion, decide};
use super::documents::{BRIEF, Edits, PRD, REQUIREMENTS, laid_out, list_features, path_in, recorded};
use super::error::CopyError;
use super::facts::{Facts, Writers};
use super::plan::{GithubExecutor, Writing};
use super::trust::{self, Confirmed, Distrust, Witness};
use reqgate_base::files;
use reqgate_flow::{
    AnswerError, Archive, Asking, Begin, Durability, Executor, Incoming, MemoryStore, Open, Performed, Phase, Run,
    RunError, Stop, Store, ThreadId, World, effects, export,
};
use reqgate_gate::pipeline::Pipeline;
use reqgate_net::github::{Change, Repository};
use reqgate_prd::ask::{ShownDocument, shown_document};
use reqgate_prd::workflow::{
    By, OnDisk, PrdPatch, PrdState, PrdWorkflow, documents_of, edited_since_approval, masked, other_author, revision,
    screened, thread_title, workspace,
};

/// The root that a log names: its paths are relative to the repository.
const ROOT: &str = ".";
/// The actor of results that a model wrote.
const MODEL: &str = "model";
/// The most work orders of one run.
const MOST_ORDERS: usize = 50;

/// The job of a run for one issue.
pub(super) struct Job<'a> {
    pub(super) repository: &'a Repository,
    pub(super) number: u64,
    pub(super) pipeline: &'a Pipeline,
    /// The source of the drafts.
    pub(super) writing: &'a Writing<'a>,
    /// The accounts that may answer.
    pub(super) writers: &'a Writers<'a>,
}

/// The state of a thread after the work.
#[derive(Debug, Clone)]
pub(super) enum Stand {
    /// A person has to answer.
    Asking(Mark, Box<Asking<PrdWorkflow>>),
    /// The model has to write.
    Ordering,
    /// The thread has ended.
    Ended(Phase),
}

/// The result of the work.
pub(super) struct Worked {
    /// The next step of the thread.
    pub(super) stand: Stand,
    pub(super) state: PrdState,
    /// The number of its last event.
    pub(super) head: u64,
    /// The hash of its last event.
    pub(super) log_hash: String,
    /// There are events to push.
    pub(super) has_news: bool,
    /// The changes to push.
    pub(super) changes: Vec<Change>,
    /// The document that the open question is about.
    pub(super) shown: Option<ShownDocument>,
    /// Comments and reviews that did not count.
    pub(super) not_counted: Decision,
    /// Documents that were edited after the PRD was approved and cannot be reopened automatically.
    pub(super) edited: Vec<&'static str>,
    /// Answers that are valid because another person has confirmed them.
    pub(super) confirmed: Vec<Confirmed>,
}

/// A log that was read and is trusted.
struct Known {
    incoming: Incoming<PrdWorkflow>,
    /// The documents on the branch, by path.
    on_branch: BTreeMap<String, String>,
    /// The documents as the workflow last wrote them.
    recorded: BTreeMap<String, String>,
    /// The document that the open question shows.
    shown: Option<ShownDocument>,
    confirmed: Vec<Confirmed>,
}

/// Does everything that can be done for an issue now, on a private copy.
///
/// # Errors
/// Fails if the issue or the log is not taken, or if GitHub or the disk cannot be used.
pub(super) fn work(job: &Job<'_>, facts: &Facts, files: &Files<'_>) -> Result<Worked, CopyError> {
    let folder = files::temporary_folder("reqgate-", None)?;
    let thread = thread_of(job.repository, job.number)
        .ok_or(ActionError::Environment("the name of the repository has no letter or digit"))?;
    let known = match files.text(&log_of(job.number)).map_err(CopyError::of_file)? {
        Some(log) => Some(known(job, facts, files, &thread, &log)?),
        // Every commit of ours has it.
        None if facts.has_branch => return Err(Distrust::Deleted.into()),
        None => None,
    };
    let changed_at = known.as_ref().map_or(&facts.issue.updated_at, |known| &known.incoming.record().updated);
    let clock = RefCell::new(changed_at.clone());
    let now = || clock.borrow().clone();
    let world = World { now: &now };
    let store = MemoryStore::default();
    let root = folder.path().display().to_string();
    let (mut run, on_branch, before, confirmed) = match known {
        Some(known) => {
            let Known { incoming, on_branch, recorded, shown, confirmed } = known;
            let edits = laid_out(&folder, incoming.position(), &on_branch, &recorded, shown.as_ref())?;
            list_features(&folder, files, &incoming.position().state.prd_workspace_path)?;
            let before = incoming.record().head;
            let hash = incoming.record().head_hash.clone();
            incoming.restore(&store, &root).map_err(CopyError::Log)?;
            let mut run = Run::open(&PrdWorkflow, &store, &world, Durability::Exit, &thread)?;
            // The mark in a message is easily copied, and an approval takes the document from the log. A document that differs on
            // the branch therefore counts as a person's work, whether or not the message has the mark. Every step reads the other
            // files again.
            if !is_ours(&facts.head, &hash) || edits.shown.is_some() {
                *clock.borrow_mut() = facts.head.date.clone();
                record_commit(&mut run, job, facts, edits)?;
            }
            (run, on_branch, before, confirmed)
        }
        None => {
            let begin = begun(job, facts, files, &folder, &thread)?;
            let run = Run::begin(&PrdWorkflow, &store, &world, Durability::Exit, begin)?;
            (run, BTreeMap::new(), 0, Vec::new())
        }
    };
    // A question that this run has asked has not been seen by a person yet.
    let decision = match run.position().open.clone().filter(|open| open.seq <= before) {
        Some(open) => answer(&mut run, &open, &store, job, facts, &clock)?,
        None if run.position().phase == Phase::Completed && run.record().head == before => {
            take_up(&mut run, job, facts, &folder, &clock)?
        }
        None => Decision::default(),
    };
    write_as_wanted(&mut run, job)?;
    let today = clock.borrow().chars().take(10).collect();
    let mut executor =
        GithubExecutor::new(folder.path(), job.pipeline, job.writing, today, facts.issue.user.login.clone());
    let stop = advance(&mut run, &mut executor)?;
    let (position, record) = (run.position().clone(), run.record().clone());
    drop(run);
    let read = |path: &str| fs::read_to_string(folder.path().join(path)).ok();
    let requirements = path_in(&position.state, REQUIREMENTS);
    let shown = position.open.as_ref().and_then(|open| {
        shown_document(&open.question, &position.state, requirements.as_deref().and_then(read).as_deref())
    });
    let has_news = record.head != before;
    let changes = match has_news {
        true => changes(job, &store, &thread, &position.state, shown.as_ref(), &on_branch, &read)?,
        false => Vec::new(),
    };
    let edited = if position.phase == Phase::Completed { edited(&position.state, &read) } else { Vec::new() };
    let stand = stand(stop, &store, &thread)?;
    Ok(Worked {
        stand,
        state: position.state,
        head: record.head,
        log_hash: record.head_hash,
        has_news,
        changes,
        shown,
        not_counted: decision,
        edited,
        confirmed,
    })
}

/// Answers the open question, if a person has decided.
fn answer(
    run: &mut Run<'_, PrdWorkflow, MemoryStore>,
    open: &Open<PrdWorkflow>,
    store: &MemoryStore,
    job: &Job<'_>,
    facts: &Facts,
    clock: &RefCell<String>,
) -> Result<Decision, CopyError> {
    let mark = marked(store, &run.record().id, open.seq)?;
    let (commit, since, author) = (&facts.head.sha, &facts.head.date, &facts.issue.user.login);
    let asked = OpenQuestion { mark: &mark, question: &open.question, commit, since, author };
    let mut decision =
        decide(asked, &facts.said, &mut |login| job.writers.may_write(login)).map_err(ActionError::from)?;
    if let Some(given) = decision.given.take() {
        *clock.borrow_mut() = given.at.clone();
        let answer = masked(given.value, job.pipeline);
        match run.answer(&mark.id, &answer, &given.by, &given.channel) {
            Ok(_) => {}
            // The shape was checked before masking, and the mask may replace a word that the shape needs.
            Err(AnswerError::Run(error)) => return Err(error.into()),
            Err(_) => decision.not_counted.push((given.by, NotCounted::Unfit)),
        }
    }
    Ok(decision)
}

/// The next step of a thread that has stopped.
fn stand(stop: Stop<PrdWorkflow>, store: &MemoryStore, thread: &ThreadId) -> Result<Stand, CopyError> {
    Ok(match stop {
        Stop::Asking(id, question) => Stand::Asking(marked(store, thread, id.seq)?, Box::new(question)),
        Stop::Ordering(..) => Stand::Ordering,
        Stop::Ended(phase) => Stand::Ended(phase),
    })
}

/// The documents that were edited after the PRD was approved.
fn edited(state: &PrdState, read: &dyn Fn(&str) -> Option<String>) -> Vec<&'static str> {
    let [brief, requirements, prd] =
        [BRIEF, REQUIREMENTS, PRD].map(|file| path_in(state, file).and_then(|path| read(&path)));
    let disk = OnDisk { brief: brief.as_deref(), requirements: requirements.as_deref(), prd: prd.as_deref() };
    edited_since_approval(state, disk)
}

/// The name of an event of a log.
fn marked(store: &MemoryStore, thread: &ThreadId, seq: u64) -> Result<Mark, CopyError> {
    let events = store.events_after(thread, seq.saturating_sub(1))?;
    events.first().map(|event| Mark::of(thread, event)).ok_or_else(|| Distrust::Foreign(seq).into())
}

/// Reads and checks a log.
fn known(job: &Job<'_>, facts: &Facts, files: &Files<'_>, thread: &ThreadId, log: &str) -> Result<Known, CopyError> {
    let incoming = Incoming::<PrdWorkflow>::read(&mut log.as_bytes()).map_err(CopyError::Log)?;
    if incoming.record().id != *thread {
        return Err(Distrust::Foreign(1).into());
    }
    let state = &incoming.position().state;
    let paths = std::iter::once(Path::new(&state.prd_workspace_path).to_path_buf()).chain(documents_of(state));
    for path in paths {
        effects::permitted(&path).map_err(|_| Distrust::Foreign(1))?;
    }
    let confirmed = trust::check(
        incoming.events(),
        &Witness {
            thread,
            log: &log_of(job.number),
            said: &facts.said,
            author: &facts.issue.user.login,
            masked: &|value: Value| masked(value, job.pipeline),
            may_write: &|login: &str| job.writers.may_write(login),
            texts_at: &|commit: &str, paths: &[&str]| files.texts_at(commit, paths),
        },
    )?;
    let mut on_branch = BTreeMap::new();
    for path in documents_of(state) {
        let path = path.display().to_string();
        if let Some(text) = files.text(&path).map_err(CopyError::of_file)? {
            on_branch.insert(path, text);
        }
    }
    let recorded = recorded(thread, incoming.events())?;
    let shown = incoming.position().open.as_ref().and_then(|open| {
        let requirements = path_in(state, REQUIREMENTS);
        // The question is about the file on the branch, even if a person has changed it.
        let file = requirements.as_ref().and_then(|path| recorded.get(path));
        shown_document(&open.question, state, file.map(String::as_str))
    });
    Ok(Known { incoming, on_branch, recorded, shown, confirmed })
}

/// The beginning of a thread for an issue without one.
fn begun(
    job: &Job<'_>,
    facts: &Facts,
    files: &Files<'_>,
    folder: &TempDir,
    thread: &ThreadId,
) -> Result<Begin<PrdWorkflow>, CopyError> {
    if !files.folders_in("magi-sdd")?.is_empty() {
        fs::create_dir_all(folder.path().join("magi-sdd"))?;
    }
    let workspace = workspace(None, folder.path()).map_err(|_| ActionError::Environment("no folder for the PRD"))?;
    list_features(folder, files, &workspace)?;
    let text = format!("# {}\n\n{}\n", facts.issue.title.trim(), facts.issue.body.replace("\r\n", "\n").trim());
    let name = format!("issue-{}.md", job.number);
    let sources =
        screened(job.pipeline, &name, text.as_bytes()).map_err(|error| CopyError::Refused(error.to_string()))?;
    let title = thread_title("", &sources);
    let given = PrdPatch::Given {
        project_path: ROOT.to_owned(),
        workspace,
        utterance: String::new(),
        sources,
        slug: None,
        project: None,
        title: None,
        language: None,
    };
    let input = vec![given, PrdPatch::Drafts(job.writing.drafts())];
    let actor = facts.issue.user.login.clone();
    Ok(Begin { id: thread.clone(), title, root: folder.path().into(), input, actor })
}

/// Records the commits of people. A changed document is judged again, and the question about it is asked again.
fn record_commit(
    run: &mut Run<'_, PrdWorkflow, MemoryStore>,
    job: &Job<'_>,
    facts: &Facts,
    edits: Edits,
) -> Result<(), RunError> {
    if run.position().phase.is_terminal() || !run.position().pending.is_empty() {
        return Ok(());
    }
    let node = run.position().node;
    let commit: String = facts.head.sha.chars().take(12).collect();
    let reason = match edits.files.as_slice() {
        [] => format!("commit {commit}"),
        files => format!("commit {commit}: {}", files.join(", ")),
    };
    let mut patches = Vec::new();
    let asks_about_brief = edits.shown.is_some() && !run.position().state.is_feature_brief_approved;
    match edits.shown.map(|text| job.pipeline.masked(&text)) {
        Some(text) if asks_about_brief => patches.push(PrdPatch::BriefContent(text)),
        Some(text) => patches.push(PrdPatch::PrdContent(text)),
        None => {}
    }
    if edits.requirements {
        // The file now contains the proposals.
        patches.push(PrdPatch::Proposed(Vec::new()));
    }
    let to = (!edits.files.is_empty() && run.position().open.is_some()).then_some(node);
    run.amend(&facts.head.author.login, &reason, patches, to)
}

/// Reopens an approved PRD if a person has committed to its documents or requests changes.
fn take_up(
    run: &mut Run<'_, PrdWorkflow, MemoryStore>,
    job: &Job<'_>,
    facts: &Facts,
    folder: &TempDir,
    clock: &RefCell<String>,
) -> Result<Decision, CopyError> {
    let state = run.position().state.clone();
    let read = |file: &str| path_in(&state, file).and_then(|path| fs::read_to_string(folder.path().join(path)).ok());
    let brief = read(BRIEF).map(|text| job.pipeline.masked(&text));
    let (requirements, prd) = (read(REQUIREMENTS), read(PRD));
    let disk = OnDisk { brief: brief.as_deref(), requirements: requirements.as_deref(), prd: prd.as_deref() };
    let requests =
        super::decision::changes_requested(&facts.said, &facts.head.sha, &mut |login| job.writers.may_write(login))
            .map_err(ActionError::from)?;
    let (actor, reason, at) = match requests {
        Some(said) => (said.by.login.clone(), job.pipeline.masked(&said.words), said.at.clone()),
        None if !edited_since_approval(&state, disk).is_empty() => {
            let commit: String = facts.head.sha.chars().take(12).collect();
            (facts.head.author.login.clone(), format!("commit {commit}"), facts.head.date.clone())
        }
        None => return Ok(Decision::default()),
    };
    *clock.borrow_mut() = at.clone();
    let on: String = at.chars().take(10).collect();
    // Edits that a new version would overwrite are shown instead.
    if let Ok(amendment) = revision(&state, By { actor: &actor, reason: &reason, on: &on }, disk) {
        run.amend(&actor, &amendment.reason, amendment.patches, amendment.to)?;
    }
    Ok(Decision::default())
}

/// Changes the author of the thread to that of this run.
fn write_as_wanted(run: &mut Run<'_, PrdWorkflow, MemoryStore>, job: &Job<'_>) -> Result<(), RunError> {
    let (phase, node) = (run.position().phase, run.position().node);
    if phase.is_terminal() || !run.position().pending.is_empty() {
        return Ok(());
    }
    let ordered_at = (phase == Phase::WaitingForWork).then_some(node);
    match other_author(&run.position().state, &job.writing.drafts(), ordered_at) {
        Some(other) => run.amend(MODEL, &other.reason, other.patches, other.to),
        None => Ok(()),
    }
}

/// Advances as far as possible without a person; an order that an earlier run handed out is carried out.
fn advance(
    run: &mut Run<'_, PrdWorkflow, MemoryStore>,
    executor: &mut GithubExecutor<'_>,
) -> Result<Stop<PrdWorkflow>, RunError> {
    for _ in 0..MOST_ORDERS {
        let stop = run.advance(executor)?;
        let Stop::Ordering(order, call) = &stop else { return Ok(stop) };
        match executor.perform(call, order) {
            Performed::Done { result, .. } => drop(run.submit(&order.id, &result, MODEL)?),
            // Failures count too, so that the model is not asked endlessly.
            Performed::Failed(reason) => run.fail(&order.id, &reason)?,
            Performed::Faulty(problems) => run.refuse(&order.id, problems)?,
            Performed::HandedOut => return Ok(stop),
        }
    }
    run.advance(executor)
}

/// The files of the next commit that differ from the branch.
fn changes(
    job: &Job<'_>,
    store: &MemoryStore,
    thread: &ThreadId,
    state: &PrdState,
    shown: Option<&ShownDocument>,
    on_branch: &BTreeMap<String, String>,
    read: &dyn Fn(&str) -> Option<String>,
) -> Result<Vec<Change>, CopyError> {
    let mut changes = Vec::new();
    for path in documents_of(state) {
        let path = path.display().to_string();
        let draft = shown.filter(|shown| shown.path == path).map(|shown| shown.text.clone());
        let content = draft.or_else(|| read(&path));
        if content.as_ref() != on_branch.get(&path) {
            changes.push(Change { path, content });
        }
    }
    let mut log = Vec::new();
    export(store, thread, &mut log).map_err(CopyError::Log)?;
    let log = String::from_utf8_lossy(&log).into_owned();
    let (first, events) = log.split_once('\n').unwrap_or((&log, ""));
    let mut archive: Archive = serde_json::from_str(first).map_err(std::io::Error::from)?;
    // The archive must not name the temporary folder of this run.
    ROOT.clone_into(&mut archive.thread.root);
    let first = serde_json::to_string(&archive).map_err(std::io::Error::from)?;
    changes.push(Change { path: log_of(job.number), content: Some(format!("{first}\n{events}")) });
    changes.push(Change { path: ATTRIBUTES.0.to_owned(), content: Some(ATTRIBUTES.1.to_owned()) });
    Ok(changes)
}
