//! Works on threads of this project: start, look, submit, answer. Reading never advances a thread.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde_json::{Map, Value};
use thiserror::Error;

use super::Installation;
use super::installation::workflow_of;
use reqgate_base::hash::Hash;
use reqgate_base::model::Language;
use reqgate_flow::effects::inside;
use reqgate_flow::{
    AnswerError, AskId, Begin, Durability, OrderId, Position, Problem, Receipt, Run, RunError, StateStore, Stop, Store,
    StoreError, ThreadId, ThreadRecord, Workflow, World, current, look,
};
use reqgate_gate::pipeline::Pipeline;
use reqgate_prd::collect::UTTERANCE;
use reqgate_prd::feature_id::slug;
use reqgate_prd::prd_document::is_project_key;
use reqgate_prd::workflow::{
    Author, DraftSettings, PrdExecutor, PrdPatch, PrdState, PrdWorkflow, SourceText, TeamOptions, TeamPatch,
    TeamSettings, Writer, free_id, masked, screened, thread_title, workspace,
};

/// The pause before a claim is tried again.
pub(crate) const PAUSE: Duration = Duration::from_millis(20);

/// The maximum number of sources of a feature.
pub(crate) const MOST_SOURCES: usize = 50;

/// A claimed thread: no other process can work on it.
type Claimed<'a> = Run<'a, PrdWorkflow, StateStore>;

/// A thread with its current position.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Thread<'a> {
    pub(crate) record: &'a ThreadRecord,
    pub(crate) position: &'a Position<PrdWorkflow>,
}

impl<'a> Thread<'a> {
    fn of(run: &'a Claimed<'_>) -> Self {
        Self { record: run.record(), position: run.position() }
    }
}

/// The reason why work on a thread failed.
#[derive(Debug, Error)]
pub(crate) enum WorkError {
    /// The request is not valid.
    #[error("{0}")]
    Wrong(String),
    /// The guardrail refused a text, or a text cannot be read.
    #[error("{0}")]
    Refused(String),
    /// The key belongs to another feature.
    #[error("the idempotency_key was used for thread `{0}`, which has other words or settings")]
    KeyUsed(ThreadId),
    /// The installation failed; the message has the remedy.
    #[error("{0}")]
    Installation(String),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Run(#[from] RunError),
    /// The answer was accepted, but the following steps failed.
    #[error("the answer was taken, but the thread could not go on: {0}")]
    Stuck(String),
    /// The answer was not accepted; with the schema of its question, if it is open.
    #[error("{error}")]
    Answer {
        error: Box<AnswerError>,
        /// The schema of the answer.
        schema: Option<Value>,
    },
}

/// The data for a new thread.
#[derive(Debug)]
pub(crate) struct Opening {
    /// The wish, in the words of a person.
    pub utterance: String,
    /// Names and bytes of tickets, minutes, notes.
    pub sources: Vec<(String, Vec<u8>)>,
    /// The key of the request. The same person, key and words name the same thread.
    pub key: Option<String>,
    /// Key of the project, three capital letters and three digits.
    pub project: Option<String>,
    /// The name of the feature; by default it comes from the sources.
    pub name: Option<String>,
    /// The language of the documents; by default that of the sources.
    pub language: Option<Language>,
    /// The settings of a thread with the team flow: an outline, research and critics.
    pub team: Option<TeamSettings>,
    /// The author of the drafts.
    pub writer: Writer,
    /// The person or program that starts it.
    pub actor: String,
}

/// The status of a submission.
#[derive(Debug)]
pub(crate) enum Submitted {
    /// The result was accepted.
    Accepted,
    /// The result has problems; the next attempt has another order.
    Rejected(Vec<Problem>),
    /// The result was accepted before.
    Duplicate,
    /// The order is not open.
    Stale,
}

/// The context of work on threads: the installation, its gate, and the author.
pub(crate) struct Desk<'a> {
    pub(crate) installation: &'a dyn Installation,
    pub(crate) pipeline: &'a Pipeline,
    /// The person named as owner in documents; by default the person who started the thread.
    pub owner: Option<String>,
    /// Returns the author of a thread's drafts in this state.
    pub author: fn(&PrdState) -> Author<'static>,
    /// The maximum time to wait for another process that works on the thread.
    pub patience: Duration,
}

impl Desk<'_> {
    /// Starts a thread and advances it as far as possible; false if it was started before with the same key.
    ///
    /// # Errors
    /// Fails if the opening is not valid or is refused.
    pub(crate) fn begin<T>(
        &self,
        opening: Opening,
        tell: impl FnOnce(Thread<'_>, Option<&Stop<PrdWorkflow>>) -> T,
    ) -> Result<(bool, T), WorkError> {
        let Opening { utterance, sources: given, key, project, name, language, team, writer, actor } = opening;
        let wrong = |what: String| WorkError::Wrong(what);
        if utterance.trim().is_empty() && given.is_empty() {
            return Err(wrong("give an utterance, files, or both".to_owned()));
        }
        if given.len() > MOST_SOURCES {
            return Err(wrong(format!("give at most {MOST_SOURCES} files and texts")));
        }
        if project.as_deref().is_some_and(|key| !is_project_key(key)) {
            return Err(wrong("project is a key in capital letters, such as SHOP or MSM-008".to_owned()));
        }
        let root = self.installation.root().map_err(WorkError::Installation)?;
        let taken = |name: &str, bytes: &[u8]| {
            screened(self.pipeline, name, bytes).map_err(|error| WorkError::Refused(error.to_string()))
        };
        let utterance: String = match utterance.trim() {
            "" => String::new(),
            _ => taken(UTTERANCE, utterance.as_bytes())?.into_iter().map(|source| source.text).collect(),
        };
        let mut sources: Vec<SourceText> = Vec::new();
        for (name, bytes) in &given {
            sources.extend(taken(name, bytes)?);
        }
        let title = thread_title(&utterance, &sources);
        let store = self.installation.store().map_err(WorkError::Installation)?;
        let id = match &key {
            Some(key) => {
                let mark = format!("-{}", Hash::of_parts([&actor, key]).digits(10));
                if let Some(record) = self.started_with(&store, &root, &mark)? {
                    let position = current::<PrdWorkflow, _>(&store, &record)?;
                    if !is_the_same(&position.state, &utterance, &sources, team.as_ref()) {
                        return Err(WorkError::KeyUsed(record.id));
                    }
                    return Ok((false, self.look(&record.id, |run, stop| Ok(tell(run, stop)))?));
                }
                let words: String = slug(&title).chars().take(60).collect();
                let words = words.trim_end_matches('-');
                let unnamed = |_| wrong("the title has no letters: add an utterance".to_owned());
                format!("{words}{mark}").parse().map_err(unnamed)?
            }
            None => free_id(&store, &title)?.ok_or_else(|| {
                wrong("too many threads have this title: add an utterance that names the feature".to_owned())
            })?,
        };
        let given = PrdPatch::Given {
            project_path: root.display().to_string(),
            workspace: workspace(None, &root).map_err(WorkError::Installation)?,
            utterance,
            sources,
            slug: None,
            project,
            title: name.map(|name| self.pipeline.masked(name.trim())).filter(|name| !name.is_empty()),
            language,
        };
        let drafts = PrdPatch::Drafts(DraftSettings { author: writer, ..DraftSettings::default() });
        let mut input = vec![given, drafts];
        input.extend(team.map(|settings| PrdPatch::Team(Box::new(TeamPatch::Settings(settings)))));
        let begin = Begin { id, title, root, input, actor };
        let now = || self.installation.now();
        let world = World { now: &now };
        let mut run = Run::begin(&PrdWorkflow, &store, &world, Durability::Step, begin)?;
        let stop = self.driven(&store, &mut run)?;
        Ok((true, tell(Thread::of(&run), Some(&stop))))
    }

    /// Reads a thread and the question or order that it waits for, without a claim, so that a process that works on it
    /// is not disturbed. An interrupted thread is not advanced by reading.
    ///
    /// # Errors
    /// Fails if this project does not have the thread, or if another process works on it and does not stop in time.
    pub(crate) fn look<T>(
        &self,
        thread: &ThreadId,
        tell: impl FnOnce(Thread<'_>, Option<&Stop<PrdWorkflow>>) -> Result<T, WorkError>,
    ) -> Result<T, WorkError> {
        let until = Instant::now() + self.patience;
        let mut was_free = false;
        loop {
            let (store, record) = self.store_with(thread)?;
            let (position, stop) = look(&PrdWorkflow, &store, &record)?;
            if stop.is_none() {
                // The process that worked on it may have ended after the thread was read; it was interrupted only if it
                // was free before too.
                let is_free = !store.is_claimed(thread)?;
                if is_free && !was_free {
                    was_free = true;
                    continue;
                }
                if !is_free {
                    if Instant::now() >= until {
                        return Err(StoreError::Busy { thread: thread.clone(), lease: None }.into());
                    }
                    was_free = false;
                    std::thread::sleep(PAUSE);
                    continue;
                }
            }
            return tell(Thread { record: &record, position: &position }, stop.as_ref());
        }
    }

    /// Accepts the result of an order, and advances the thread.
    ///
    /// # Errors
    /// Fails if there is no such thread in this project.
    pub(crate) fn submit<T>(
        &self,
        order: &OrderId,
        result: Map<String, Value>,
        actor: &str,
        tell: impl FnOnce(Thread<'_>, Option<&Stop<PrdWorkflow>>) -> Result<T, WorkError>,
    ) -> Result<(Submitted, T), WorkError> {
        let (store, _) = self.store_with(&order.thread)?;
        let now = || self.installation.now();
        let world = World { now: &now };
        let mut run = self.opened(&store, &world, &order.thread)?;
        let submitted = match run.submit(order, &masked(Value::Object(result), self.pipeline), actor) {
            Ok(Receipt::Accepted { .. }) => Submitted::Accepted,
            Ok(Receipt::Rejected { problems, .. }) => Submitted::Rejected(problems),
            Ok(Receipt::Duplicate { .. }) => Submitted::Duplicate,
            Err(RunError::NotNow(_)) => {
                // Releases the claim first.
                drop(run);
                return Ok((Submitted::Stale, self.look(&order.thread, tell)?));
            }
            Err(error) => return Err(error.into()),
        };
        let stop = self.driven(&store, &mut run)?;
        let told = tell(Thread::of(&run), Some(&stop))?;
        Ok((submitted, told))
    }

    /// Accepts an answer, and advances the thread; false if the same answer was accepted before.
    ///
    /// # Errors
    /// Fails if the question does not exist or is not open, or if the answer has another shape; then no data has changed.
    /// After [`WorkError::Stuck`] the answer is recorded.
    pub(crate) fn answer<T>(
        &self,
        ask: &AskId,
        answer: Map<String, Value>,
        (actor, channel): (&str, &str),
        tell: impl FnOnce(Thread<'_>, Option<&Stop<PrdWorkflow>>) -> T,
    ) -> Result<(bool, T), WorkError> {
        let (store, _) = self.store_with(&ask.thread)?;
        let now = || self.installation.now();
        let world = World { now: &now };
        let mut run = self.opened(&store, &world, &ask.thread)?;
        let open = run.position().open.as_ref().filter(|open| open.seq == ask.seq);
        let schema = open.map(|open| open.question.answer_schema());
        let receipt = run.answer(ask, &masked(Value::Object(answer), self.pipeline), actor, channel);
        let receipt = receipt.map_err(|error| match error {
            AnswerError::Run(error) => WorkError::Run(error),
            error => WorkError::Answer { error: Box::new(error), schema },
        })?;
        let stuck = |error: WorkError| WorkError::Stuck(error.to_string());
        let stop = self.driven(&store, &mut run).map_err(stuck)?;
        Ok((!matches!(receipt, Receipt::Duplicate { .. }), tell(Thread::of(&run), Some(&stop))))
    }

    /// Advances a thread as far as possible without a person or an agent.
    fn driven(&self, store: &StateStore, run: &mut Claimed<'_>) -> Result<Stop<PrdWorkflow>, WorkError> {
        let owner = match &self.owner {
            Some(owner) => owner.clone(),
            None => {
                store.events_after(&run.record().id, 0)?.into_iter().next().map(|event| event.actor).unwrap_or_default()
            }
        };
        let mut executor = PrdExecutor {
            root: PathBuf::from(&run.record().root),
            pipeline: self.pipeline,
            author: (self.author)(&run.position().state),
            today: self.installation.today(),
            owner,
            search: match run.position().state.team {
                Some(_) => self.installation.searcher().map_err(WorkError::Installation)?,
                None => None,
            },
        };
        Ok(run.advance(&mut executor)?)
    }

    /// Cancels a thread.
    ///
    /// # Errors
    /// Fails if this project does not have the thread, or if it has ended.
    #[cfg(feature = "service")]
    pub(crate) fn cancel(&self, thread: &ThreadId, reason: &str, actor: &str) -> Result<(), WorkError> {
        let (store, _) = self.store_with(thread)?;
        let now = || self.installation.now();
        let world = World { now: &now };
        Ok(self.opened(&store, &world, thread)?.cancel(&self.pipeline.masked(reason), actor)?)
    }

    /// The PRD of this project that was started with a key, whose mark is the end of its id.
    fn started_with(&self, store: &StateStore, root: &Path, mark: &str) -> Result<Option<ThreadRecord>, StoreError> {
        let is_it = |record: &ThreadRecord| {
            record.workflow == PrdWorkflow::NAME
                && record.id.as_str().ends_with(mark)
                && is_of_this_project(self.installation, record, root)
        };
        Ok(store.records()?.into_iter().find(is_it))
    }

    fn opened<'s>(
        &self,
        store: &'s StateStore,
        world: &'s World<'s>,
        thread: &ThreadId,
    ) -> Result<Claimed<'s>, WorkError> {
        let until = Instant::now() + self.patience;
        loop {
            match Run::open(&PrdWorkflow, store, world, Durability::Step, thread) {
                Err(RunError::Store(StoreError::Busy { .. })) if Instant::now() < until => {
                    std::thread::sleep(PAUSE);
                }
                opened => return Ok(opened?),
            }
        }
    }

    /// The store with a thread of this project, and its record.
    fn store_with(&self, thread: &ThreadId) -> Result<(StateStore, ThreadRecord), WorkError> {
        store_with(self.installation, thread)
    }
}

/// The store with a thread of this project, and its record.
///
/// # Errors
/// Fails if there is none.
pub(crate) fn store_with(
    installation: &dyn Installation,
    thread: &ThreadId,
) -> Result<(StateStore, ThreadRecord), WorkError> {
    let unknown = || StoreError::Unknown(thread.clone());
    let root = installation.root().map_err(WorkError::Installation)?;
    let store = installation.existing_store().map_err(WorkError::Installation)?.ok_or_else(unknown)?;
    let record = store.record(thread)?.filter(|record| is_of_this_project(installation, record, &root));
    Ok((store, record.ok_or_else(unknown)?))
}

/// The store, if it exists, and the threads of this project in it, the last changed one first.
///
/// # Errors
/// Fails if the store cannot be read.
pub(crate) fn threads_of(
    installation: &dyn Installation,
) -> Result<Option<(StateStore, Vec<ThreadRecord>)>, WorkError> {
    let root = installation.root().map_err(WorkError::Installation)?;
    let Some(store) = installation.existing_store().map_err(WorkError::Installation)? else { return Ok(None) };
    let mut records = store.records()?;
    records.retain(|record| is_of_this_project(installation, record, &root));
    records.sort_by(|one, other| other.updated.cmp(&one.updated).then_with(|| one.id.cmp(&other.id)));
    Ok(Some((store, records)))
}

/// Returns true for a thread of the project in the current folder and of a workflow of the installation; other threads are neither shown
/// nor changed.
pub(crate) fn is_of_this_project(installation: &dyn Installation, record: &ThreadRecord, root: &Path) -> bool {
    let own = Path::new(&record.root);
    let is_known = installation.workflows().of(record).is_some();
    is_known && (own == root || own.canonicalize().is_ok_and(|own| own == root))
}

/// The documents of a thread on disk: the path relative to the project, and the absolute path.
///
/// # Errors
/// Fails if the log of the thread cannot be read.
pub(crate) fn documents_on_disk(
    installation: &dyn Installation,
    (store, record): (&StateStore, &ThreadRecord),
    root: &Path,
) -> Result<Vec<(PathBuf, PathBuf)>, RunError> {
    let view = workflow_of(installation, record)?.read(store, record)?;
    let on_disk = |path: PathBuf| {
        let whole = inside(root, &path).ok().filter(|whole| whole.is_file())?;
        Some((path, whole))
    };
    Ok(view.documents.into_iter().filter_map(on_disk).collect())
}

/// The settings of a new thread with the team flow; `None` for the other flow.
///
/// # Errors
/// Fails with every setting that is out of range, and if settings of a team are given for the other flow.
pub(crate) fn team_of(is_team: bool, options: Option<&TeamOptions>) -> Result<Option<TeamSettings>, Vec<Problem>> {
    match (is_team, options) {
        (true, None) => Ok(Some(TeamSettings::default())),
        (true, Some(options)) => options.settings().map(Some),
        (false, None) => Ok(None),
        (false, Some(_)) => {
            let message = "these settings are for a team: set flow to team".to_owned();
            Err(vec![Problem { path: "team".to_owned(), message }])
        }
    }
}

fn is_the_same(state: &PrdState, utterance: &str, sources: &[SourceText], team: Option<&TeamSettings>) -> bool {
    // Answers to questions are added to the sources later.
    state.user_utterance == utterance
        && state.user_input.iter().take(sources.len()).eq(sources)
        && state.team.as_ref().map(|team| &team.settings) == team
}
