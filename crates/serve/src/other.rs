//! Threads of workflows other than the PRD, as the doors show and answer them.

use std::time::Instant;

use serde_json::{Map, Value};

use crate::work::{Desk, PAUSE, WorkError, store_with};
#[cfg(feature = "service")]
use reqgate_flow::ThreadId;
use reqgate_flow::{
    AnswerError, AskId, Position, Receipt, RunError, Served, StateStore, Status, StoreError, ThreadRecord, World,
};
use reqgate_gate::pipeline::Pipeline;
use reqgate_prd::workflow::{AskDocument, ThreadDocument, masked};

/// The document of a thread, with its open question, masked.
#[cfg_attr(not(feature = "service"), expect(dead_code, reason = "the service shows threads"))]
pub(crate) fn document(
    workflow: &dyn Served,
    (store, record): (&StateStore, &ThreadRecord),
    status: Status,
    pipeline: &Pipeline,
) -> ThreadDocument {
    let mut document = ThreadDocument::new(record, status, &Position::default());
    document.title = pipeline.masked(&document.title);
    // A thread of another version is shown without the parts that only that version can read.
    let Ok(view) = workflow.read(store, record) else { return document };
    document.imported = view.imported;
    if let (Some(id), Some(question)) = (&record.ask, &view.open) {
        let ask = AskDocument::of_any(id, question.as_ref(), record);
        document.ask = Some(AskDocument {
            title: document.title.clone(),
            question: pipeline.masked(&question.title_in(view.language)),
            request: masked(ask.request, pipeline),
            ..ask
        });
    }
    document
}

impl Desk<'_> {
    /// Accepts an answer to a question of another workflow, and advances the thread; false if the same answer was accepted before.
    ///
    /// # Errors
    /// Fails if the question does not exist or is not open, or if the answer has another shape; then no data has changed.
    /// After [`WorkError::Stuck`] the answer is recorded.
    pub(crate) fn answer_other(
        &self,
        workflow: &dyn Served,
        ask: &AskId,
        answer: Map<String, Value>,
        by: (&str, &str),
    ) -> Result<bool, WorkError> {
        let (store, record) = store_with(self.installation, &ask.thread)?;
        let now = || self.installation.now();
        let world = World { now: &now };
        let answer = masked(Value::Object(answer), self.pipeline);
        let until = Instant::now() + self.patience;
        loop {
            let error = match workflow.answer((&store, &world), ask, &answer, by) {
                Ok((receipt, advanced)) => {
                    advanced.map_err(|error| WorkError::Stuck(error.to_string()))?;
                    return Ok(!matches!(receipt, Receipt::Duplicate { .. }));
                }
                Err(error) => error,
            };
            match error {
                AnswerError::Run(RunError::Store(StoreError::Busy { .. })) if Instant::now() < until => {
                    std::thread::sleep(PAUSE);
                }
                AnswerError::Run(error) => return Err(WorkError::Run(error)),
                error => {
                    let open = workflow.read(&store, &record).ok().and_then(|view| view.open);
                    let schema = open.filter(|_| record.ask.as_ref() == Some(ask)).map(|open| open.answer_schema());
                    return Err(WorkError::Answer { error: Box::new(error), schema });
                }
            }
        }
    }

    /// Cancels a thread of another workflow.
    ///
    /// # Errors
    /// Fails if the thread has ended, or if another process works on it.
    #[cfg(feature = "service")]
    pub(crate) fn cancel_other(
        &self,
        workflow: &dyn Served,
        thread: &ThreadId,
        reason: &str,
        actor: &str,
    ) -> Result<(), WorkError> {
        let (store, _) = store_with(self.installation, thread)?;
        let now = || self.installation.now();
        let world = World { now: &now };
        Ok(workflow.cancel((&store, &world), thread, &self.pipeline.masked(reason), actor)?)
    }
}
