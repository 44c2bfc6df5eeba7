//! The workflows of an installation, without their types, for doors that show threads and take answers: pages, REST, MCP, a terminal.

use std::io;
use std::path::PathBuf;

use serde_json::Value;

use super::archive::imported_until;
use super::ask_view::{AskView, Input};
use super::definition::Workflow;
use super::event::{Body, Event};
use super::position::{Asking, Position};
use super::problem::Problem;
use super::run::{AnswerError, Durability, Executor, HandsOut, Receipt, Run, RunError, World, current, decode};
use super::store::StateStore;
use super::thread::{AskId, ThreadId, ThreadRecord};
use super::view::{contents_in, values};
use reqgate_base::model::Language;

/// The workflows of an installation.
#[derive(Default)]
pub struct Registry(Vec<Box<dyn Served>>);

impl Registry {
    /// The same with one more workflow.
    #[must_use]
    pub fn with(mut self, workflow: impl Served + 'static) -> Self {
        self.0.push(Box::new(workflow));
        self
    }

    /// The workflow of a thread; `None` if this installation does not have it.
    pub fn of(&self, record: &ThreadRecord) -> Option<&dyn Served> {
        self.all().find(|one| one.name() == record.workflow)
    }

    /// Every workflow.
    pub fn all(&self) -> impl Iterator<Item = &dyn Served> {
        self.0.iter().map(AsRef::as_ref)
    }
}

/// A workflow as a door sees it.
pub trait Served: Send + Sync {
    /// The name of the workflow in stores.
    fn name(&self) -> &'static str;

    /// The name of the workflow for people.
    fn title(&self, language: Language) -> &'static str;

    /// The graph as JSON.
    fn graph(&self) -> Value;

    /// The present state of a thread.
    ///
    /// # Errors
    ///
    /// Fails if this version of the program cannot read the thread.
    fn read(&self, store: &StateStore, record: &ThreadRecord) -> Result<ThreadView, RunError>;

    /// The question that an event asks; `None` for any other event.
    ///
    /// # Errors
    ///
    /// Fails if this version of the program cannot read the event.
    fn asked(&self, thread: &ThreadId, event: &Event) -> Result<Option<Box<dyn AnyQuestion>>, RunError>;

    /// An event in one line.
    ///
    /// # Errors
    ///
    /// Fails if this version of the program cannot read the event.
    fn headline(&self, thread: &ThreadId, event: &Event, language: Language) -> Result<String, RunError>;

    /// The number of the last event that came from an archive, or 0.
    ///
    /// # Errors
    ///
    /// Fails if this version of the program cannot read an event.
    fn imported_until(&self, thread: &ThreadId, events: &[Event]) -> Result<u64, RunError>;

    /// The graph with its path, the timeline and the drafts of a thread as HTML.
    ///
    /// # Errors
    ///
    /// Fails only if a template is broken.
    fn contents(&self, language: Language, thread: ShownThread<'_>) -> io::Result<String>;

    /// Takes an answer and advances the thread as far as possible. The second result is the fate of the steps after the answer.
    ///
    /// # Errors
    ///
    /// Fails if the answer was not taken; then the thread is unchanged.
    fn answer(
        &self,
        place: (&StateStore, &World<'_>),
        ask: &AskId,
        answer: &Value,
        by: (&str, &str),
    ) -> Result<(Receipt, Result<(), RunError>), AnswerError>;

    /// Continues a thread that was interrupted, has failed or is of an older version, and advances it as far as possible.
    ///
    /// # Errors
    ///
    /// Fails if the thread cannot be continued this way.
    fn resume(
        &self,
        place: (&StateStore, &World<'_>),
        thread: &ThreadId,
        resumption: Resumption<'_>,
    ) -> Result<(), RunError>;

    /// Ends a thread at the request of a person.
    ///
    /// # Errors
    ///
    /// Fails if the thread has ended or the store refuses.
    fn cancel(
        &self,
        place: (&StateStore, &World<'_>),
        thread: &ThreadId,
        reason: &str,
        actor: &str,
    ) -> Result<(), RunError>;
}

/// The way to continue a thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Resumption<'a> {
    /// At the present step.
    Continue,
    /// At the step that failed, at the request of this person.
    Retry(&'a str),
    /// After this person had it converted from an older version.
    Migrate(&'a str),
}

/// A thread with its log, as a page shows it.
#[derive(Debug, Clone, Copy)]
pub struct ShownThread<'a> {
    /// The record of the thread.
    pub record: &'a ThreadRecord,
    /// The status of the thread.
    pub status: super::thread::Status,
    /// The log of the thread.
    pub events: &'a [Event],
}

/// The present state of a thread, without the types of its workflow.
#[derive(Debug)]
pub struct ThreadView {
    /// The language of its texts.
    pub language: Language,
    /// The last event that came from an archive.
    pub imported: Option<u64>,
    /// The open question.
    pub open: Option<Box<dyn AnyQuestion>>,
    /// The files that the thread has written, relative to its root.
    pub documents: Vec<PathBuf>,
}

/// A question without the types of its workflow.
pub trait AnyQuestion: std::fmt::Debug + Send {
    /// The kind, e.g. `approval`.
    fn kind(&self) -> &'static str;

    /// The question in one line, in English or in the words of its author.
    fn title(&self) -> String;

    /// The question in one line; words of the program are in the given language.
    fn title_in(&self, language: Language) -> String;

    /// The question as JSON.
    fn json(&self) -> Value;

    /// The JSON Schema of a valid answer.
    fn answer_schema(&self) -> Value;

    /// The parts of the question.
    fn view(&self, language: Language) -> AskView<'_>;

    /// The answer in the fields of the view.
    ///
    /// # Errors
    ///
    /// Fails if the fields do not say which answer is meant.
    fn answer_in(&self, input: &Input, language: Language) -> Result<Value, Vec<Problem>>;

    /// The parts of an answer: the question or the kind of decision, and the words.
    fn in_words(&self, answer: &Value, language: Language) -> Vec<(String, String)>;
}

/// Opens the executor for a thread with its state.
type Opens<W> =
    Box<dyn Fn(&ThreadRecord, &<W as Workflow>::State) -> Box<dyn Executor<<W as Workflow>::Call>> + Send + Sync>;

/// The words of an answer.
type InWords<W> = fn(&Asking<W>, &Value, Language) -> Vec<(String, String)>;

/// An entry of a [`Registry`]: a workflow with its name for people, its documents, and the executor of its calls.
pub struct Hosted<W: Workflow> {
    workflow: W,
    titles: [&'static str; 2],
    executor: Option<Opens<W>>,
    language: fn(&W::State) -> Language,
    documents: fn(&W::State) -> Vec<PathBuf>,
    drafts: fn(&W::State) -> Vec<(String, String)>,
    in_words: InWords<W>,
}

impl<W: Workflow> Hosted<W> {
    /// A workflow with its name in English and in Chinese. Without an executor, its calls wait for their results as orders.
    pub fn new(workflow: W, titles: [&'static str; 2]) -> Self {
        Self {
            workflow,
            titles,
            executor: None,
            language: |_| Language::En,
            documents: |_| Vec::new(),
            drafts: |_| Vec::new(),
            in_words: |_, answer, language| values(answer, language),
        }
    }

    /// Carries out the calls of a thread with this executor.
    #[must_use]
    pub fn carried_out_by<E: Executor<W::Call> + 'static>(
        self,
        executor: impl Fn(&ThreadRecord, &W::State) -> E + Send + Sync + 'static,
    ) -> Self {
        let executor: Opens<W> = Box::new(move |record, state| Box::new(executor(record, state)));
        Self { executor: Some(executor), ..self }
    }

    /// Reads the language of a thread from its state.
    #[must_use]
    pub fn with_language(self, language: fn(&W::State) -> Language) -> Self {
        Self { language, ..self }
    }

    /// Lists the files that a thread writes, relative to its root; those that exist are shown.
    #[must_use]
    pub fn with_documents(self, documents: fn(&W::State) -> Vec<PathBuf>) -> Self {
        Self { documents, ..self }
    }

    /// Shows the drafts in a state, each with its name.
    #[must_use]
    pub fn with_drafts(self, drafts: fn(&W::State) -> Vec<(String, String)>) -> Self {
        Self { drafts, ..self }
    }

    /// Shows answers in these words instead of value by value.
    #[must_use]
    pub fn with_words(self, in_words: InWords<W>) -> Self {
        Self { in_words, ..self }
    }

    /// Advances a thread as far as possible.
    fn advance(&self, run: &mut Run<'_, W, StateStore>) -> Result<(), RunError> {
        let mut executor: Box<dyn Executor<W::Call>> = match &self.executor {
            Some(open) => open(run.record(), &run.position().state),
            None => Box::new(HandsOut),
        };
        run.advance(executor.as_mut()).map(drop)
    }

    fn question(&self, question: Asking<W>) -> Box<dyn AnyQuestion>
    where
        W::Ask: Send,
        W::Node: Send,
        W::Label: Send,
    {
        Box::new(HostedQuestion { question, in_words: self.in_words })
    }
}

impl<W> Served for Hosted<W>
where
    W: Workflow + Send + Sync,
    W::Ask: Send,
    W::Node: Send,
    W::Label: Send,
{
    fn name(&self) -> &'static str {
        W::NAME
    }

    fn title(&self, language: Language) -> &'static str {
        language.of(self.titles[0], self.titles[1])
    }

    fn graph(&self) -> Value {
        W::graph().json()
    }

    fn read(&self, store: &StateStore, record: &ThreadRecord) -> Result<ThreadView, RunError> {
        let Position { state, open, imported, .. } = current::<W, _>(store, record)?;
        Ok(ThreadView {
            language: (self.language)(&state),
            imported,
            open: open.map(|open| self.question(open.question)),
            documents: (self.documents)(&state),
        })
    }

    fn asked(&self, thread: &ThreadId, event: &Event) -> Result<Option<Box<dyn AnyQuestion>>, RunError> {
        Ok(match decode::<W>(thread, event)? {
            Body::Asked { ask } => Some(self.question(Asking::Workflow(ask))),
            Body::Interrupted { because, ask } => Some(self.question(Asking::Engine(because, ask))),
            _ => None,
        })
    }

    fn headline(&self, thread: &ThreadId, event: &Event, language: Language) -> Result<String, RunError> {
        Ok(decode::<W>(thread, event)?.headline_in(language))
    }

    fn imported_until(&self, thread: &ThreadId, events: &[Event]) -> Result<u64, RunError> {
        imported_until::<W>(thread, events)
    }

    fn contents(&self, language: Language, thread: ShownThread<'_>) -> io::Result<String> {
        contents_in::<W>(language, thread.record, thread.status, thread.events, &self.drafts)
    }

    fn answer(
        &self,
        (store, world): (&StateStore, &World<'_>),
        ask: &AskId,
        answer: &Value,
        (actor, channel): (&str, &str),
    ) -> Result<(Receipt, Result<(), RunError>), AnswerError> {
        let mut run = Run::open(&self.workflow, store, world, Durability::Step, &ask.thread)?;
        let receipt = run.answer(ask, answer, actor, channel)?;
        Ok((receipt, self.advance(&mut run)))
    }

    fn resume(
        &self,
        (store, world): (&StateStore, &World<'_>),
        thread: &ThreadId,
        resumption: Resumption<'_>,
    ) -> Result<(), RunError> {
        let mut run = match resumption {
            Resumption::Migrate(actor) => Run::migrate(&self.workflow, store, world, Durability::Step, thread, actor)?,
            _ => Run::open(&self.workflow, store, world, Durability::Step, thread)?,
        };
        if let Resumption::Retry(actor) = resumption {
            run.reopen(actor)?;
        }
        self.advance(&mut run)
    }

    fn cancel(
        &self,
        (store, world): (&StateStore, &World<'_>),
        thread: &ThreadId,
        reason: &str,
        actor: &str,
    ) -> Result<(), RunError> {
        Run::open(&self.workflow, store, world, Durability::Step, thread)?.cancel(reason, actor)
    }
}

#[derive(Debug)]
struct HostedQuestion<W: Workflow> {
    question: Asking<W>,
    in_words: InWords<W>,
}

impl<W> AnyQuestion for HostedQuestion<W>
where
    W: Workflow,
    Asking<W>: Send,
{
    fn kind(&self) -> &'static str {
        self.question.kind()
    }

    fn title(&self) -> String {
        self.question.title()
    }

    fn title_in(&self, language: Language) -> String {
        self.question.title_in(language)
    }

    fn json(&self) -> Value {
        self.question.json()
    }

    fn answer_schema(&self) -> Value {
        self.question.answer_schema()
    }

    fn view(&self, language: Language) -> AskView<'_> {
        self.question.view(language)
    }

    fn answer_in(&self, input: &Input, language: Language) -> Result<Value, Vec<Problem>> {
        self.question.answer_in(input, language)
    }

    fn in_words(&self, answer: &Value, language: Language) -> Vec<(String, String)> {
        (self.in_words)(&self.question, answer, language)
    }
}
