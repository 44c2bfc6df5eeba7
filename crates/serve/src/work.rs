//! Work on threads of this project: start, look, submit, answer. Reading never advances a thread.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde_json::{Map, Value};
use thiserror::Error;

use super::Installation;
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
    Author, DraftSettings, PrdExecutor, PrdPatch, PrdState, PrdWorkflow, SourceText, TeamPatch, TeamSettings, Writer,
    documents_of, free_id, masked, screened, thread_title, workspace,
};

/// How long to wait before a claim is tried again.
const PAUSE: Duration = Duration::from_millis(20);

/// The most sources that a feature begins with.
pub const MOST_SOURCES: usize = 50;

/// A thread that is worked on: no other process can.
type Claimed<'a> = Run<'a, PrdWorkflow, StateStore>;

/// A thread as it stands.
#[derive(Debug, Clone, Copy)]
pub struct Thread<'a> {
    /// Its record.
    pub record: &'a ThreadRecord,
    /// Where it stands.
    pub position: &'a Position<PrdWorkflow>,
}

impl<'a> Thread<'a> {
    fn of(run: &'a Claimed<'_>) -> Self {
        Self { record: run.record(), position: run.position() }
    }
}

/// Why work on a thread could not be done.
#[derive(Debug, Error)]
pub enum WorkError {
    /// The request is wrong.
    #[error("{0}")]
    Wrong(String),
    /// A text was refused by the guardrail, or cannot be read.
    #[error("{0}")]
    Refused(String),
    /// The key names another feature.
    #[error("the idempotency_key was used for thread `{0}`, which has other words")]
    KeyUsed(ThreadId),
    /// The installation cannot do it; the message says what to do.
    #[error("{0}")]
    Installation(String),
    /// The store cannot do it.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The thread cannot do it.
    #[error(transparent)]
    Run(#[from] RunError),
    /// The answer counts, and what follows from it could not be done.
    #[error("the answer was taken, but the thread could not go on: {0}")]
    Stuck(String),
    /// The answer was not taken; with the schema that its question wants, if it is open.
    #[error("{error}")]
    Answer {
        /// The reason.
        error: Box<AnswerError>,
        /// The schema.
        schema: Option<Value>,
    },
}

/// How a thread begins.
#[derive(Debug)]
pub struct Opening {
    /// What is wanted, in the words of a person.
    pub utterance: String,
    /// Names and bytes of tickets, minutes, notes.
    pub sources: Vec<(String, Vec<u8>)>,
    /// Repeated by the same person with the same words, it names the same thread.
    pub key: Option<String>,
    /// Key of the project, three capital letters and three digits.
    pub project: Option<String>,
    /// The name of the feature; without one the sources name it.
    pub name: Option<String>,
    /// The language of the documents; without one it is that of the sources.
    pub language: Option<Language>,
    /// With an outline, research and critics.
    pub is_team: bool,
    /// Who writes the drafts.
    pub writer: Writer,
    /// Who starts it.
    pub actor: String,
}

/// What became of a submission.
#[derive(Debug)]
pub enum Submitted {
    /// It was taken.
    Accepted,
    /// It has problems; the next attempt has another order.
    Rejected(Vec<Problem>),
    /// It was taken before.
    Duplicate,
    /// The order is not open.
    Stale,
}

/// A place to work on threads: the installation, its gate, and who writes.
pub struct Desk<'a> {
    /// The installation.
    pub installation: &'a dyn Installation,
    /// The gate.
    pub pipeline: &'a Pipeline,
    /// The person who is named as owner in documents; without one, whoever started the thread.
    pub owner: Option<String>,
    /// Who writes the drafts of a thread in this state.
    pub author: fn(&PrdState) -> Author<'static>,
    /// How long to wait for somebody else who works on the thread.
    pub patience: Duration,
}

impl Desk<'_> {
    /// Starts a thread and takes it as far as possible; false if it was started before with the same key.
    ///
    /// # Errors
    /// Fails if the opening is wrong or refused.
    pub fn begin<T>(
        &self,
        opening: Opening,
        tell: impl FnOnce(Thread<'_>, Option<&Stop<PrdWorkflow>>) -> T,
    ) -> Result<(bool, T), WorkError> {
        let Opening { utterance, sources: given, key, project, name, language, is_team, writer, actor } = opening;
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
                if let Some(record) = started_with(&store, &root, &mark)? {
                    let position = current::<PrdWorkflow, _>(&store, &record)?;
                    if !is_the_same(&position.state, &utterance, &sources) {
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
        if is_team {
            input.push(PrdPatch::Team(Box::new(TeamPatch::Settings(TeamSettings::default()))));
        }
        let begin = Begin { id, title, root, input, actor };
        let now = || self.installation.now();
        let world = World { now: &now };
        let mut run = Run::begin(&PrdWorkflow, &store, &world, Durability::Step, begin)?;
        let stop = self.driven(&store, &mut run)?;
        Ok((true, tell(Thread::of(&run), Some(&stop))))
    }

    /// Looks at a thread, and at what it waits for, without claiming it: whoever works on it is not disturbed. One that was
    /// interrupted waits for nobody, and is not taken further by being looked at.
    ///
    /// # Errors
    /// Fails if there is no such thread in this project, or somebody takes it further right now and does not stop in time.
    pub fn look<T>(
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
                // Whoever worked on it may have ended after it was read: it was interrupted only if nobody did before.
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

    /// Takes the result of an order, and takes the thread further.
    ///
    /// # Errors
    /// Fails if there is no such thread in this project.
    pub fn submit<T>(
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
                // It gives up its claim first.
                drop(run);
                return Ok((Submitted::Stale, self.look(&order.thread, tell)?));
            }
            Err(error) => return Err(error.into()),
        };
        let stop = self.driven(&store, &mut run)?;
        let told = tell(Thread::of(&run), Some(&stop))?;
        Ok((submitted, told))
    }

    /// Takes an answer, and takes the thread further; false if the same answer was taken before.
    ///
    /// # Errors
    /// Fails if there is no such question, it is not open, or the answer has another shape; then nothing has changed. After
    /// [`WorkError::Stuck`] the answer counts.
    pub fn answer<T>(
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

    /// Takes a thread as far as possible without a person or an agent.
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

    /// Ends a thread.
    ///
    /// # Errors
    /// Fails if there is no such thread in this project, or it has ended.
    #[cfg(feature = "service")]
    pub fn cancel(&self, thread: &ThreadId, reason: &str, actor: &str) -> Result<(), WorkError> {
        let (store, _) = self.store_with(thread)?;
        let now = || self.installation.now();
        let world = World { now: &now };
        Ok(self.opened(&store, &world, thread)?.cancel(&self.pipeline.masked(reason), actor)?)
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
pub fn store_with(installation: &dyn Installation, thread: &ThreadId) -> Result<(StateStore, ThreadRecord), WorkError> {
    let unknown = || StoreError::Unknown(thread.clone());
    let root = installation.root().map_err(WorkError::Installation)?;
    let store = installation.existing_store().map_err(WorkError::Installation)?.ok_or_else(unknown)?;
    let record = store.record(thread)?.filter(|record| is_of_this_project(record, &root));
    Ok((store, record.ok_or_else(unknown)?))
}

/// The store, if there is one, and the threads of this project in it, the one that changed last first.
///
/// # Errors
/// Fails if the store cannot be read.
pub fn threads_of(installation: &dyn Installation) -> Result<Option<(StateStore, Vec<ThreadRecord>)>, WorkError> {
    let root = installation.root().map_err(WorkError::Installation)?;
    let Some(store) = installation.existing_store().map_err(WorkError::Installation)? else { return Ok(None) };
    let mut records = store.records()?;
    records.retain(|record| is_of_this_project(record, &root));
    records.sort_by(|one, other| other.updated.cmp(&one.updated).then_with(|| one.id.cmp(&other.id)));
    Ok(Some((store, records)))
}

/// True for a thread of the project in the current folder; of others nothing is shown or written.
pub fn is_of_this_project(record: &ThreadRecord, root: &Path) -> bool {
    let own = Path::new(&record.root);
    record.workflow == PrdWorkflow::NAME && (own == root || own.canonicalize().is_ok_and(|own| own == root))
}

/// The documents of a thread that lie on disk: path relative to the project, and whole path.
///
/// # Errors
/// Fails if the log of the thread cannot be read.
pub fn documents_on_disk(
    store: &StateStore,
    record: &ThreadRecord,
    root: &Path,
) -> Result<Vec<(PathBuf, PathBuf)>, RunError> {
    let position = current::<PrdWorkflow, _>(store, record)?;
    let on_disk = |path: PathBuf| {
        let whole = inside(root, &path).ok().filter(|whole| whole.is_file())?;
        Some((path, whole))
    };
    Ok(documents_of(&position.state).into_iter().filter_map(on_disk).collect())
}

/// The thread of this project that was started with a key, which marks the end of its id.
fn started_with(store: &StateStore, root: &Path, mark: &str) -> Result<Option<ThreadRecord>, StoreError> {
    let records = store.records()?;
    Ok(records.into_iter().find(|record| record.id.as_str().ends_with(mark) && is_of_this_project(record, root)))
}

fn is_the_same(state: &PrdState, utterance: &str, sources: &[SourceText]) -> bool {
    // Answers to questions are added to the sources later.
    state.user_utterance == utterance && state.user_input.iter().take(sources.len()).eq(sources)
}
