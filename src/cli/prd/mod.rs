//! `reqgate prd`, `reqgate inbox` and `reqgate answer`: the PRD workflow on the command line.

mod agreed;
mod alone;
mod amending;
mod answers;
mod archives;
mod changed;
mod deciding;
mod driving;
mod edits;
mod form;
mod inbox;
mod input;
mod kept;
mod looking;
mod ordered;
mod orders;
mod others;
mod seen;
mod shown;
mod stopped;
mod talk;
mod team;
mod words;
mod writer;

use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{LazyLock, Once};

use chrono::{DateTime, Utc};
use reqgate::files;
use reqgate::model::Language;
use reqgate::prd::feature_id::slug;
use reqgate::prd::workflow::{PrdWorkflow, free_id};
use reqgate::workflow::{
    RunError, Served, StatePlace, StateStore, Status, Store, StoreError, ThreadId, ThreadRecord, World, fork,
    imported_until, prune, verify,
};
use serde::Serialize;
use serde_json::Value;

use super::arguments::prd::{
    AnswerArguments, CancelArguments, ForkArguments, PrdArguments, PrdCommand, PrdFormat, PruneArguments,
    ResumeArguments, StateArguments, ThreadArguments,
};
use super::exit::{self, Failure};
use super::outputs;
use driving::Workplace;
pub(super) use looking::{prd_of, reading_of};
pub(super) use team::{second_model, team_search};

/// Runs `reqgate prd`.
pub(super) fn run(arguments: PrdArguments) -> Result<u8, Failure> {
    match arguments.command {
        PrdCommand::Start(start) => driving::start(&start),
        PrdCommand::Outline(outline) => alone::outline(&outline),
        PrdCommand::Refine(refine) => alone::refine(&refine),
        PrdCommand::Resume(arguments) => resume(&arguments),
        PrdCommand::Next(next) => orders::next(&next),
        PrdCommand::Submit(submit) => orders::submit(&submit),
        PrdCommand::AddSource(add) => amending::add_source(&add),
        PrdCommand::Revise(revise) => amending::revise(&revise),
        PrdCommand::AnswerQuestion(answer) => amending::answer_question(&answer),
        PrdCommand::Status(thread) => looking::status(&thread),
        PrdCommand::List(state) => looking::list(&state),
        PrdCommand::Show(show) => looking::show(&show),
        PrdCommand::History(thread) => looking::history(&thread),
        PrdCommand::Diff(diff) => looking::diff(&diff),
        PrdCommand::Fork(fork) => forked(&fork),
        PrdCommand::Cancel(cancel) => cancelled(&cancel),
        PrdCommand::Verify(thread) => verified(&thread),
        PrdCommand::View(view) => looking::view(&view),
        PrdCommand::Graph(graph) => looking::graph(&graph),
        PrdCommand::Export(thread) => archives::export_thread(&thread),
        PrdCommand::Import(import) => archives::import_thread(&import),
        PrdCommand::Prune(prune) => pruned(&prune),
    }
}

/// Runs `reqgate inbox`.
pub(super) fn inbox(state: &StateArguments) -> Result<u8, Failure> {
    inbox::inbox(state)
}

/// Runs `reqgate answer`.
pub(super) fn answer(arguments: &AnswerArguments) -> Result<u8, Failure> {
    let thread = &arguments.ask.thread;
    let store = store_of(&arguments.driving.state, thread)?;
    match other_workflow(&store, thread)? {
        Some((workflow, record)) => others::answer(workflow, (&store, &record), arguments),
        None => driving::answer(arguments),
    }
}

/// Runs `reqgate prd resume`.
fn resume(arguments: &ResumeArguments) -> Result<u8, Failure> {
    if let Some(thread) = &arguments.thread {
        let store = store_of(&arguments.driving.state, thread)?;
        if let Some((workflow, record)) = other_workflow(&store, thread)? {
            return others::resume(workflow, (&store, &record), arguments);
        }
    }
    driving::resume(arguments)
}

/// The workflow and the record of a thread that is not a PRD.
fn other_workflow(
    store: &StateStore,
    thread: &ThreadId,
) -> Result<Option<(&'static dyn Served, ThreadRecord)>, Failure> {
    let record = store.record(thread).map_err(store_failure)?;
    Ok(record.and_then(|record| Some((others::workflow_of(&record)?, record))))
}

/// The place of the state.
fn place(state: &StateArguments) -> Result<StatePlace, Failure> {
    match &state.place.state {
        Some(place) => Ok(place.clone()),
        None => StatePlace::unnamed(&variable).map_err(store_failure),
    }
}

/// The place of the state for a command without [`StateArguments`].
fn place_here() -> Result<StatePlace, StoreError> {
    match std::env::var_os("REQGATE_STATE").filter(|place| !place.is_empty()) {
        Some(place) => StatePlace::try_from(place),
        None => StatePlace::unnamed(&variable),
    }
}

/// The folder for the state of this machine.
fn local_folder(state: &StateArguments) -> PathBuf {
    state.place.state.clone().unwrap_or_default().local().to_owned()
}

fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

/// Opens the store, and creates it if necessary.
pub(super) fn store(state: &StateArguments) -> Result<StateStore, Failure> {
    let place = place(state)?;
    let store = StateStore::open(&place, &variable).map_err(store_failure)?;
    if let StatePlace::Folder(folder) = &place {
        ignored(folder)?;
    }
    Ok(store)
}

/// Makes the folder of the state.
pub(super) fn make_state_folder(folder: &Path) -> Result<(), Failure> {
    files::make_folder(folder, files::Readers::Owner)
        .map_err(|error| Failure::writing(&folder.display().to_string(), &error))?;
    ignored(folder)
}

/// Keeps drafts, answers and tokens out of commits until a person adds them on purpose.
fn ignored(folder: &Path) -> Result<(), Failure> {
    let ignore = folder.join(".gitignore");
    if !ignore.exists() {
        files::write(&ignore, b"*\n", files::Readers::Owner)
            .map_err(|error| Failure::writing(&ignore.display().to_string(), &error))?;
    }
    Ok(())
}

/// Checks that no folder on the way to a file of the state is a link: a checkout may bring one, and it may lead anywhere.
fn without_links(folder: &Path) -> Result<(), Failure> {
    match folder.ancestors().take(3).find(|folder| folder.is_symlink()) {
        Some(link) => Err(Failure::usage(format!("{} is a link, which may lead anywhere: delete it", link.display()))),
        None => Ok(()),
    }
}

/// The path of a document of a thread, as it can be used in the current folder.
fn from_here(record: &ThreadRecord, path: &Path) -> PathBuf {
    let root = Path::new(&record.root);
    let current = std::env::current_dir().and_then(|current| current.canonicalize());
    let is_here = current.is_ok_and(|current| root.canonicalize().is_ok_and(|root| root == current));
    if is_here { path.to_path_buf() } else { root.join(path) }
}

/// The store of a command without [`StateArguments`], if it exists.
fn store_here() -> Option<StateStore> {
    StateStore::existing(&place_here().ok()?, &variable).ok().flatten()
}

/// The store, if it exists: a command that only reads does not create one.
pub(super) fn existing_store(state: &StateArguments) -> Result<Option<StateStore>, Failure> {
    StateStore::existing(&place(state)?, &variable).map_err(store_failure)
}

/// The store that a named thread must be in.
fn store_of(state: &StateArguments, thread: &ThreadId) -> Result<StateStore, Failure> {
    existing_store(state)?.ok_or_else(|| store_failure(StoreError::Unknown(thread.clone())))
}

/// Now, by RFC 3339 in UTC.
pub(super) fn now() -> String {
    DateTime::<Utc>::from(std::time::SystemTime::now()).format("%Y-%m-%dT%H:%M:%S%.3fZ").to_string()
}

/// The real world: the system clock.
const WORLD: World<'static> = World { now: &now };

/// The name of the user: the given one, else that of the account, else that in git's configuration; `unknown` if all are missing.
pub(super) fn actor(named: Option<&str>) -> String {
    signer(named).unwrap_or_else(|| UNKNOWN.to_owned())
}

/// The name that is recorded for an answer.
///
/// # Errors
/// Fails without a name if the answer approves against the gate, because the documents name the person who did that.
pub(super) fn signed(named: Option<&str>, answer: &Value) -> Result<String, Failure> {
    if let Some(name) = signer(named) {
        return Ok(name);
    }
    let is_given = |key: &str| answer.get(key).is_some_and(|why| !why.is_null());
    if ["gateOverride", "gate_override", "because"].into_iter().any(is_given) {
        return Err(Failure::usage(
            "an approval against the gate needs a name, and neither the environment nor git has one: add --actor NAME",
        ));
    }
    static WARNED: Once = Once::new();
    WARNED.call_once(|| {
        exit::warn("nothing says who you are: the answer is recorded as given by `unknown`; use --actor NAME");
    });
    Ok(UNKNOWN.to_owned())
}

/// The name for an unidentified user.
const UNKNOWN: &str = "unknown";

fn signer(named: Option<&str>) -> Option<String> {
    let clean = |name: &str| -> String { name.trim().chars().filter(|c| !c.is_control()).take(100).collect() };
    let of_variable = |name: &str| std::env::var(name).ok();
    let of_account =
        || ["USER", "LOGNAME", "USERNAME"].into_iter().filter_map(of_variable).find(|name| !clean(name).is_empty());
    // Containers usually do not set the variables.
    static TOLD: LazyLock<Option<String>> =
        LazyLock::new(|| told("git", &["config", "user.name"]).or_else(|| told("id", &["-un"])));
    let name = named.map(str::to_owned).or_else(of_account).or_else(|| TOLD.clone())?;
    Some(clean(&name)).filter(|name| !name.is_empty())
}

/// The first line that a program prints.
fn told(program: &str, arguments: &[&str]) -> Option<String> {
    let ran = Command::new(program).args(arguments).stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
    let printed = String::from_utf8_lossy(&ran.stdout);
    printed.lines().next().map(str::trim).filter(|line| ran.status.success() && !line.is_empty()).map(str::to_owned)
}

fn store_failure(error: StoreError) -> Failure {
    match error {
        StoreError::Unknown(_) | StoreError::Exists(_) | StoreError::Address(_) | StoreError::RedisUrl => {
            Failure::usage(error)
        }
        _ => Failure::World(error.to_string()),
    }
}

fn run_failure(error: RunError) -> Failure {
    match error {
        RunError::Store(error) => store_failure(error),
        RunError::OtherGraph { .. } => Failure::OtherVersion(error.to_string()),
        RunError::NotNow(_) | RunError::OtherWorkflow { .. } => Failure::usage(error),
        _ => Failure::World(error.to_string()),
    }
}

/// Prints a result as JSON.
fn print_json<T: Serialize>(value: &T) -> Result<(), Failure> {
    outputs::print(&outputs::json("the result", value)?)
}

/// The most bytes of a source, an answer or a result of a work order. An archive may be larger.
const MOST_BYTES: u64 = 4 * 1024 * 1024;

/// A file that the user named, or standard input, as text.
pub(super) fn text_of(path: &Path) -> Result<String, Failure> {
    text_within(path, MOST_BYTES)
}

fn text_within(path: &Path, most: u64) -> Result<String, Failure> {
    let failure = |error: std::io::Error| Failure::usage(format!("reading {}: {error}", path.display()));
    if path.as_os_str() != "-" {
        return files::text(path, most).map_err(failure);
    }
    let mut text = String::new();
    std::io::stdin().lock().take(most + 1).read_to_string(&mut text).map_err(failure)?;
    if text.len() as u64 > most {
        return Err(Failure::usage(format!("standard input is larger than {most} bytes")));
    }
    Ok(text)
}

/// An id that no thread has.
fn free_thread_id(store: &StateStore, words: &str) -> Result<ThreadId, Failure> {
    free_id(store, words).map_err(store_failure)?.ok_or_else(|| {
        Failure::usage(format!("too many threads are named `{}`: choose another name with --id", slug(words)))
    })
}

fn forked(arguments: &ForkArguments) -> Result<u8, Failure> {
    let store = store_of(&arguments.state, &arguments.thread)?;
    let id = match &arguments.id {
        Some(id) => id.clone(),
        None => free_thread_id(&store, arguments.thread.as_str())?,
    };
    let mut changes = Vec::new();
    for set in &arguments.set {
        let (key, value) =
            set.split_once('=').ok_or_else(|| Failure::usage(format!("`{set}`: write --set KEY=VALUE")))?;
        let value = serde_json::from_str(value).unwrap_or_else(|_| Value::String(value.to_owned()));
        changes.push((key.to_owned(), value));
    }
    let parent = store.record(&arguments.thread).map_err(store_failure)?;
    let at = arguments.at.or(parent.as_ref().map(|parent| parent.head)).unwrap_or_default();
    let known = looking::state_of(&store, &arguments.thread, arguments.at)?;
    let drafts = known.drafts.clone().unwrap_or_default();
    let known = serde_json::to_value(known).map_err(|error| Failure::World(error.to_string()))?;
    if let Some((key, _)) = changes.iter().find(|(key, _)| known.get(key).is_none()) {
        let thread = &arguments.thread;
        return Err(Failure::usage(format!("the state has no `{key}`: `reqgate prd show {thread}` lists the keys")));
    }
    let who = actor(drafts.actor.as_deref());
    let run = fork(&PrdWorkflow, &store, &WORLD, &arguments.thread, arguments.at, id.clone(), &who, |state| {
        for (key, value) in changes {
            state[&key] = value;
        }
    });
    let run = run.map_err(run_failure)?;
    if let Some(parent) = &parent {
        writer::remember_for_fork(parent, run.record(), &drafts);
    }
    drop(run);
    match arguments.state.format {
        PrdFormat::Json => print_json(&serde_json::json!({ "thread": id }))?,
        PrdFormat::Human => {
            let said = looking::words_of(&store, &id)?;
            outputs::print(&format!("{}\n", said.forked(&at, &arguments.thread, &id)))?;
        }
    }
    Ok(exit::PASS)
}

fn cancelled(arguments: &CancelArguments) -> Result<u8, Failure> {
    let store = store_of(&arguments.state, &arguments.thread)?;
    let mut place = Workplace::looking(&store, &arguments.thread)?;
    place.cancel(&arguments.reason).map_err(run_failure)?;
    let language = place.language();
    let status = Status::Cancelled.in_words(language);
    let _ = std::fs::remove_dir_all(stopped::drafts_of(&arguments.state, &arguments.thread));
    outputs::print(&format!("{}{}{status}\n", arguments.thread, words::words(language).colon))?;
    Ok(exit::PASS)
}

fn verified(arguments: &ThreadArguments) -> Result<u8, Failure> {
    let store = store_of(&arguments.state, &arguments.thread)?;
    let events = verify::<PrdWorkflow, _>(&store, &arguments.thread).map_err(run_failure)?;
    let log = store.events_after(&arguments.thread, 0).map_err(store_failure)?;
    let imported = imported_until::<PrdWorkflow>(&arguments.thread, &log).map_err(run_failure)?;
    match arguments.state.format {
        PrdFormat::Json => print_json(&serde_json::json!({
            "thread": arguments.thread, "events": events, "imported": imported,
        }))?,
        PrdFormat::Human => {
            let said = looking::words_of(&store, &arguments.thread)?;
            let told = match imported {
                0 => said.verified(&events, &arguments.thread),
                imported => said.verified_import(&imported, &events, &arguments.thread),
            };
            outputs::print(&format!("{told}\n"))?;
        }
    }
    Ok(exit::PASS)
}

fn pruned(arguments: &PruneArguments) -> Result<u8, Failure> {
    let Some(store) = existing_store(&arguments.state)? else { return Ok(exit::PASS) };
    // A deleted thread has no language any more.
    let mut words = std::collections::BTreeMap::new();
    for record in store.records().map_err(store_failure)? {
        words.insert(record.id.clone(), looking::words_of(&store, &record.id)?);
    }
    let gone = prune(&store, &arguments.before, &[]).map_err(store_failure)?;
    for thread in &gone {
        // Only a thread that was left in the middle of a review has drafts.
        let _ = std::fs::remove_dir_all(stopped::drafts_of(&arguments.state, thread));
    }
    match arguments.state.format {
        PrdFormat::Json => print_json(&serde_json::json!({ "pruned": gone }))?,
        PrdFormat::Human => {
            let line = |thread: &ThreadId| {
                let said = words.get(thread).copied().unwrap_or_else(|| words::words(Language::En));
                format!("{}\n", said.forgotten(&thread))
            };
            let lines: String = gone.iter().map(line).collect();
            outputs::print(if lines.is_empty() { "no threads to delete\n" } else { &lines })?;
        }
    }
    Ok(exit::PASS)
}
