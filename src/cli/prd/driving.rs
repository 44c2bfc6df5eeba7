//! Starts and continues threads, hands out work orders, and accepts answers and results.

use std::io::IsTerminal;
use std::path::{Path, PathBuf};

use reqgate::model::Language;
use reqgate::orders::shape_of;
use reqgate::pipeline::Pipeline;
use reqgate::prd::ask::{NoReply, answered_and_open, approving, rejecting, view};
use reqgate::prd::workflow::{
    Author, PrdExecutor, PrdPatch, PrdWorkflow, SourceText, TeamPatch, Writer, masked, other_author, screened,
    thread_title, workspace,
};
use reqgate::workflow::{
    AnswerError, Begin, Durability, Event, Phase, Receipt, Run, RunError, StateStore, Stop, Store, ThreadId,
};

use super::super::arguments::prd::{
    AnswerArguments, DrivingArguments, FlowChoice, PrdFormat, ResumeArguments, StartArguments,
};
use super::super::exit::{self, Failure};
use super::super::{outputs, session, terminal};
use super::answers::{self, Answers, Given};
use super::looking::only_open_thread;
use super::stopped::stopped;
use super::team::{brought, team_search, team_settings};
use super::words::{Words, words};
use super::writer::{self, Writing};
use super::{WORLD, actor, free_thread_id, local_folder, run_failure, signed, store, store_failure, store_of, text_of};
use super::{edits, kept, talk};

/// A thread that is worked on from the command line.
pub(super) struct Workplace<'a> {
    run: Run<'a, PrdWorkflow, StateStore>,
}

impl<'a> Workplace<'a> {
    /// A session that only reads a thread.
    pub(super) fn looking(store: &'a StateStore, thread: &ThreadId) -> Result<Self, Failure> {
        let run = Run::open(&PrdWorkflow, store, &WORLD, Durability::Step, thread).map_err(run_failure)?;
        Ok(Self { run })
    }

    /// The language of the thread.
    pub(super) fn language(&self) -> Language {
        self.run.position().state.language()
    }

    /// Ends the thread.
    pub(super) fn cancel(&mut self, reason: &str) -> Result<(), RunError> {
        let who = actor(name_of(&self.run));
        self.run.cancel(reason, &who)
    }
}

/// Begins a thread.
pub(super) fn start(arguments: &StartArguments) -> Result<u8, Failure> {
    if arguments.utterance.is_none() && arguments.from.is_empty() && arguments.draft.is_none() {
        return Err(Failure::usage("no feature given: use `reqgate prd start \"…\"`, or name a file with --from"));
    }
    is_no_file(arguments.utterance.as_deref())?;
    let driving = &arguments.driving;
    let names_team = arguments.min_score.is_some()
        || arguments.min_improvement.is_some()
        || arguments.unanimous
        || arguments.no_override
        || !arguments.ask_at.is_empty()
        || arguments.citations.is_some_and(|_| std::env::var_os("PRD_CITATION_STYLE").is_none())
        || arguments.draft.is_some();
    if names_team && arguments.flow != FlowChoice::Team {
        return Err(Failure::usage(
            "--draft, --min-score, --min-improvement, --unanimous, --no-override, --citations and --ask-at are for a team: add --flow team",
        ));
    }
    let pipeline = session::judging(&driving.configuration)?;
    let utterance = match &arguments.utterance {
        Some(words) => screened(&pipeline, "utterance", words.as_bytes())
            .map_err(Failure::usage)?
            .into_iter()
            .map(|source| source.text)
            .collect(),
        None => String::new(),
    };
    let mut sources = sources(&pipeline, &arguments.from)?;
    let drafted = arguments.draft.as_deref().map(|path| brought(&pipeline, path, driving)).transpose()?;
    if let (Some(path), true) = (&arguments.draft, sources.is_empty() && utterance.is_empty()) {
        sources = self::sources(&pipeline, std::slice::from_ref(path))?;
    }
    // An unusable model is reported before a thread exists.
    let Writing { drafts, .. } = writer::of_new_thread(driving)?;
    if sources.len() > 1 && drafts.author == Writer::Rules {
        exit::note(&format!(
            "nobody reads these {} sources for what they say, and where they contradict each other: add --author agent or --author model",
            sources.len()
        ));
    }
    let title = thread_title(&utterance, &sources);
    let root = std::env::current_dir().map_err(|error| Failure::usage(format!("the current folder: {error}")))?;
    let workspace =
        workspace(arguments.dir.as_deref(), &root).map_err(|reason| Failure::usage(format!("--dir {reason}")))?;
    let settings = team_settings(arguments)?;
    let store = store(&driving.state)?;
    let id = free_thread_id(&store, arguments.id.as_deref().unwrap_or(&title))?;
    let given = PrdPatch::Given {
        project_path: root.display().to_string(),
        workspace,
        utterance,
        sources,
        slug: arguments.id.clone(),
        project: arguments.project.clone(),
        title: None,
        language: None,
    };
    let mut input = vec![given, PrdPatch::Drafts(drafts.clone())];
    if arguments.flow == FlowChoice::Team {
        input.push(PrdPatch::Team(Box::new(TeamPatch::Settings(settings))));
        input.extend(drafted.into_iter().flatten());
    }
    let begin = Begin { id, title, root, input, actor: actor(driving.actor.as_deref()) };
    let run = Run::begin(&PrdWorkflow, &store, &WORLD, Durability::Step, begin).map_err(run_failure)?;
    writer::remember(run.record(), &drafts);
    drive(run, &store, &pipeline, driving, None)
}

/// Refuses the path of a file in the place of words: `--from` was forgotten.
pub(super) fn is_no_file(words: Option<&str>) -> Result<(), Failure> {
    match words.map(str::trim).filter(|words| Path::new(words).is_file()) {
        Some(path) => Err(Failure::usage(format!("{path} is a file: did you mean --from {path}?"))),
        None => Ok(()),
    }
}

/// Files as sources; of a folder, the files right in it, by name, without the hidden ones.
pub(super) fn sources(pipeline: &Pipeline, files: &[PathBuf]) -> Result<Vec<SourceText>, Failure> {
    let mut sources = Vec::new();
    let mut named = Vec::new();
    for path in files {
        match path.is_dir() {
            true => named.extend(files_in(path)?),
            false => named.push(path.clone()),
        }
    }
    for path in &named {
        let name = path.display().to_string();
        sources.extend(screened(pipeline, &name, text_of(path)?.as_bytes()).map_err(Failure::usage)?);
    }
    Ok(sources)
}

fn files_in(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let shown = folder.display();
    let entries = std::fs::read_dir(folder).map_err(|error| Failure::usage(format!("reading {shown}: {error}")))?;
    let is_hidden = |path: &PathBuf| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'));
    let paths = entries.flatten().map(|entry| entry.path());
    let mut files: Vec<PathBuf> = paths.filter(|path| path.is_file() && !is_hidden(path)).collect();
    files.sort();
    match files.is_empty() {
        true => Err(Failure::usage(format!("the folder {shown} holds no files"))),
        false => Ok(files),
    }
}

/// The name that is recorded for changes to a thread: from the flag, else from the start of the thread, else the user's.
pub(super) fn acting(driving: &DrivingArguments, run: &Run<'_, PrdWorkflow, StateStore>) -> String {
    actor(driving.actor.as_deref().or(name_of(run)))
}

/// The name that the thread was started with.
pub(super) fn name_of<'r>(run: &'r Run<'_, PrdWorkflow, StateStore>) -> Option<&'r str> {
    run.position().state.drafts.as_ref().and_then(|drafts| drafts.actor.as_deref())
}

/// The name that documents give as their author: from the flag, else from the start of the thread, else that of the person who decided
/// last, else the user's.
fn owner(
    driving: &DrivingArguments,
    run: &Run<'_, PrdWorkflow, StateStore>,
    store: &StateStore,
) -> Result<String, Failure> {
    if let Some(named) = driving.actor.as_deref().or(name_of(run)) {
        return Ok(actor(Some(named)));
    }
    let events = store.events_after(&run.record().id, 0).map_err(store_failure)?;
    let decided = events.iter().rev().find(|event: &&Event| event.body["kind"] == "answered");
    Ok(actor(decided.map(|event| event.actor.as_str())))
}

/// Continues a thread.
pub(super) fn resume(arguments: &ResumeArguments) -> Result<u8, Failure> {
    let driving = &arguments.driving;
    let thread = match &arguments.thread {
        Some(thread) => thread.clone(),
        None => only_open_thread(&driving.state)?,
    };
    let store = store_of(&driving.state, &thread)?;
    let who = actor(driving.actor.as_deref());
    let mut run = if arguments.migrate {
        Run::migrate(&PrdWorkflow, &store, &WORLD, Durability::Step, &thread, &who)
    } else {
        Run::open(&PrdWorkflow, &store, &WORLD, Durability::Step, &thread)
    }
    .map_err(run_failure)?;
    if arguments.retry {
        run.reopen(&acting(driving, &run)).map_err(run_failure)?;
    }
    edits::tell_edits(&run);
    let pipeline = session::judging(&driving.configuration)?;
    drive(run, &store, &pipeline, driving, None)
}

/// Answers a question and continues the thread.
pub(super) fn answer(arguments: &AnswerArguments) -> Result<u8, Failure> {
    let driving = &arguments.driving;
    let store = store_of(&driving.state, &arguments.ask.thread)?;
    let mut run =
        Run::open(&PrdWorkflow, &store, &WORLD, Durability::Step, &arguments.ask.thread).map_err(run_failure)?;
    writer::are_chosen(driving, run.record(), run.position().state.drafts.as_ref())?;
    let pipeline = session::judging(&driving.configuration)?;
    let open = run.position().open.clone().filter(|open| open.seq == arguments.ask.seq);
    let said = words(run.position().state.language());
    let value = match (&open, &arguments.json) {
        (_, Some(path)) => answer_in_file(path)?,
        (None, None) => return Err(answer_failure(AnswerError::Conflict(arguments.ask.clone()), said)),
        (Some(open), None) => match (arguments.approve, &arguments.reject, arguments.edit) {
            (true, ..) if arguments.because.is_none() && view(&open.question, Language::En).needs_reason => {
                return Err(Failure::usage(said.stopped));
            }
            (true, ..) => {
                let input = approving(&open.question, arguments.because.as_deref()).map_err(no_reply)?;
                answers::answer(&open.question, &input)?
            }
            (_, Some(why), _) => answers::answer(&open.question, &rejecting(&open.question, why).map_err(no_reply)?)?,
            (_, _, true) => answers::edited(&open.question, arguments.because.as_deref())?,
            _ => {
                exit::error("no answer given: use --approve, --reject WHY, --edit, or --json FILE with this shape:");
                exit::below(&shape_of(&open.question.answer_schema()));
                return Ok(exit::USAGE);
            }
        },
    };
    let value = masked(value, &pipeline);
    let who = signed(driving.actor.as_deref().or(name_of(&run)), &value)?;
    let receipt = match (run.answer(&arguments.ask, &value, &who, "command"), &open) {
        (Ok(receipt), _) => receipt,
        // The whole shape is printed, because reporting one fault at a time would take as many attempts.
        (Err(fault @ AnswerError::WrongShape(_)), Some(open)) => {
            answer_failure(fault, said).say();
            let shape = shape_of(&open.question.answer_schema());
            exit::below(&format!("{}\n{shape}", said.shape));
            return Ok(exit::USAGE);
        }
        (Err(error), _) => return Err(answer_failure(error, said)),
    };
    if let Receipt::Duplicate { seq } = receipt {
        exit::note(&said.given_before(&seq));
    } else if arguments.json.is_some() {
        let counted = open.as_ref().and_then(|open| answered_and_open(&open.question, &value));
        let counted = counted.map(|(answered, left)| said.answered(&left, &answered));
        let parts = parts_of(&value, counted.is_some());
        let parts: Vec<String> = counted.into_iter().chain(parts).collect();
        if !parts.is_empty() {
            exit::note(&format!("{}{}", said.recorded, parts.join(said.comma)));
        }
    }
    let since = run.record().head;
    drive(run, &store, &pipeline, driving, Some(since))
}

/// The answer in a file of JSON.
pub(super) fn answer_in_file(path: &Path) -> Result<serde_json::Value, Failure> {
    let text = text_of(path)?;
    serde_json::from_str(&text).map_err(|error| Failure::usage(format!("{}: {error}", path.display())))
}

/// The lists of an answer and their lengths, so that a person who typed many decisions sees that all were taken. Answers to questions are
/// left out where the caller counts them separately.
fn parts_of(answer: &serde_json::Value, without_answers: bool) -> Vec<String> {
    let parts = answer.as_object().into_iter().flatten().filter(|(name, _)| !(without_answers && *name == "answers"));
    let count = |value: &serde_json::Value| {
        value
            .as_array()
            .map(Vec::len)
            .or_else(|| value.as_object().map(serde_json::Map::len))
            .filter(|count| *count > 0)
    };
    parts.filter_map(|(name, value)| Some(format!("{name}: {}", count(value)?))).collect()
}

/// A word that is not an answer, with the flags to use instead.
fn no_reply(fault: NoReply) -> Failure {
    Failure::usage(match fault {
        NoReply::NeedsAnswers => "these questions need answers: use --json, or --approve to leave them open",
        NoReply::NothingToOverride => "--because is only for a PRD that the gate stops: use --approve alone",
    })
}

pub(super) fn answer_failure(error: AnswerError, said: &Words) -> Failure {
    match error {
        AnswerError::Run(error) => run_failure(error),
        AnswerError::WrongShape(problems) => {
            let lines: Vec<String> = problems.iter().map(ToString::to_string).collect();
            Failure::usage(format!("{}\n{}", said.does_not_fit, lines.join("\n")))
        }
        AnswerError::Unknown(ask) => Failure::usage(said.unknown_question(&ask)),
        AnswerError::Conflict(ask) => Failure::usage(said.no_longer_open(&ask)),
    }
}

/// Continues a thread with the author from the flags or the thread; `since` as for [`drive_with`].
pub(super) fn drive(
    mut run: Run<'_, PrdWorkflow, StateStore>,
    store: &StateStore,
    pipeline: &Pipeline,
    driving: &DrivingArguments,
    since: Option<u64>,
) -> Result<u8, Failure> {
    let state = &run.position().state;
    let Writing { drafts, models } = writer::of_thread(driving, run.record(), state.drafts.as_ref())?;
    let (is_over, node) = (run.position().phase.is_terminal(), run.position().node);
    let ordered_at = (run.position().phase == Phase::WaitingForWork).then_some(node);
    // An unfinished step is completed first, and the author of this run is still the named one.
    let is_between = run.position().pending.is_empty();
    if let Some(other) = other_author(state, &drafts, ordered_at).filter(|_| !is_over && is_between) {
        run.amend(&acting(driving, &run), &other.reason, other.patches, other.to).map_err(run_failure)?;
    }
    let author = match (drafts.author, &models) {
        (Writer::Agent, _) => Author::Agent,
        (_, Some(models)) => Author::Model(models),
        (_, None) => Author::Rules,
    };
    drive_with(run, store, pipeline, driving, author, since)
}

/// Runs until an answer is needed and cannot be given here, or the thread has ended. `since` is the event after which results were handed
/// in: orders that were handed out up to it are only named, and so are documents that were seen before.
pub(super) fn drive_with(
    mut run: Run<'_, PrdWorkflow, StateStore>,
    store: &StateStore,
    pipeline: &Pipeline,
    driving: &DrivingArguments,
    author: Author<'_>,
    since: Option<u64>,
) -> Result<u8, Failure> {
    let mut executor = PrdExecutor {
        root: PathBuf::from(&run.record().root),
        pipeline,
        author,
        today: terminal::today(),
        owner: owner(driving, &run, store)?,
        search: match run.position().state.team {
            Some(_) => team_search(&driving.configuration)?,
            None => None,
        },
    };
    let thread = run.record().id.clone();
    let file = driving.answers.as_deref().map(Answers::read).transpose()?;
    let talks = std::io::stdin().is_terminal() && std::io::stdout().is_terminal();
    let notes = local_folder(&driving.state).join("unsent");
    let kept = kept::Notes { folder: &notes, masked: &|value| masked(value, pipeline) };
    if talks && file.is_none() {
        let said = words(run.position().state.language());
        told_on_interrupt(said.waits(&thread));
    }
    loop {
        let stop = run.advance(&mut executor).map_err(run_failure)?;
        let Stop::Asking(id, question) = &stop else { return stopped(&run, &stop, since, store, pipeline, driving) };
        let language = run.position().state.language();
        let said = words(language);
        let events = store.events_after(&thread, 0).map_err(store_failure)?;
        let given = match &file {
            Some(answers) => answers.to(question, &events)?.map(|value| Given { value, channel: "file" }),
            None if talks && driving.state.format == PrdFormat::Human => {
                let has_reader = run.position().state.has_reader();
                let Some(value) = talk::on_terminal(id, question, language, has_reader, &kept)? else {
                    outputs::print(&format!("{}\n", said.waits(&thread)))?;
                    return Ok(exit::WAITING);
                };
                Some(Given { value, channel: "terminal" })
            }
            None => None,
        };
        let Some(Given { value, channel }) = given else {
            return stopped(&run, &stop, since, store, pipeline, driving);
        };
        let who = signed(driving.actor.as_deref().or(name_of(&run)), &value)?;
        match run.answer(id, &masked(value, pipeline), &who, channel) {
            Ok(_) => kept::forget(id, &notes),
            // On a terminal one can try again; a file cannot.
            Err(AnswerError::WrongShape(problems)) if channel == "terminal" => {
                problems.iter().for_each(|problem| exit::error(&problem.message));
                // The answer does not fit, so it is asked for again instead of being sent again.
                kept::ask_again(id, &kept)?;
            }
            Err(error) => return Err(answer_failure(error, said)),
        }
    }
}

/// Makes Ctrl-C print how to continue before it ends the program. Earlier decisions are kept in any case.
#[cfg(feature = "service")]
fn told_on_interrupt(message: String) {
    std::thread::spawn(move || {
        let Ok(runtime) = tokio::runtime::Builder::new_current_thread().enable_all().build() else { return };
        if runtime.block_on(tokio::signal::ctrl_c()).is_ok() {
            println!("\n{message}");
            std::process::exit(130);
        }
    });
}

#[cfg(not(feature = "service"))]
fn told_on_interrupt(_: String) {}
