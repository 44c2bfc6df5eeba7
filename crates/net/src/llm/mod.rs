//! Chat models: asks a question and returns an answer of a known shape, or a named error.
//!
//! [`Model::ask`] is the only entry point. It blocks; a batch calls it from several threads, and concurrency, rate,
//! deadline, breaker and budget are handled inside. This module is independent of requirements and starts no work
//! before a model is asked.
//!
//! ```text
//! ask → cache? → attempt (3) → client: recording | budget → breaker → limits → retries → Chat → provider
//! ```

mod agent;
mod answer;
mod ask;
mod breaker;
mod cache;
mod chat;
mod http;
mod provider;
mod request_client;
mod schema;
mod settings;
pub mod trace;

use std::sync::atomic::AtomicU8;
use std::time::Duration;

use garde::Validate;
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::Value;

pub use agent::AgentRunner;
pub use answer::{Answer, AskError, Spent, Unanswered};
pub use breaker::{Breaker, BreakerLimits, BreakerState, Health, ModelHealth, Phase, health};
pub use chat::{Chat, ChatError, ChatReply, ChatRequest, Fault, FinishReason, Structured};
pub use reqgate_base::ask::{Bound, Preview, Question, Usage};
pub use reqgate_base::model::{InvalidModelName, ModelName, Provider};
pub use settings::{AgentWork, ApiKey, Budget, ModelSettings, Prices, RecordingMode, cache_folder};

pub use crate::RetryPolicy;

use reqgate_base::ask::{Accept, Answered, Answers, Mask, NoAnswer};

use cache::Cache;
use request_client::RequestClient;

/// A chat model that can be asked and shared by reference between threads.
pub struct Model {
    line: RequestClient,
    cache: Option<Cache>,
    /// The form of schema request that this server accepts, as far as it is known: a [`Structured`] as its number.
    shape: AtomicU8,
}

impl Model {
    /// Creates a model that is reached over the network, or a coding agent on this machine, without opening a
    /// connection or starting a program.
    ///
    /// # Errors
    /// Returns [`AskError::Configuration`] if the settings are not valid, e.g. a budget of money without prices.
    pub fn new(settings: ModelSettings) -> Result<Self, AskError> {
        settings.check()?;
        let chat: Box<dyn Chat> = match settings.model.provider().is_program() {
            true => Box::new(AgentRunner::new(&settings)?),
            false => Box::new(http::HttpChat::new(&settings)),
        };
        Ok(Self::with_chat(settings, chat))
    }

    /// Creates a model for tests whose replies come from `chat`; waits between retries take no time.
    pub fn from_chat(chat: Box<dyn Chat>) -> Self {
        Self::with_chat(ModelSettings::for_tests(), chat)
    }

    /// Creates a model with these settings whose replies come from `chat`.
    pub(crate) fn with_chat(settings: ModelSettings, chat: Box<dyn Chat>) -> Self {
        // An agent that works in a folder also changes files, which a cached answer would not repeat.
        let folder = settings.cache.as_deref().filter(|_| settings.work.is_none());
        let cache = folder.map(|folder| Cache::new(folder, settings.cache_bytes));
        Self { line: RequestClient::new(settings, chat), cache, shape: AtomicU8::new(0) }
    }

    /// Passes the data of every question through `mask` before it is sent, and every text of a reply or an error before
    /// it reaches cache, recording, trace or caller.
    pub fn with_mask(mut self, mask: impl Fn(&str) -> String + Send + Sync + 'static) -> Self {
        self.line.mask = Some(Box::new(mask));
        self
    }

    /// The settings in force.
    pub(crate) fn settings(&self) -> &ModelSettings {
        &self.line.settings
    }

    /// Asks `question` and waits for an answer of the shape `T`.
    ///
    /// If a reply is not a valid `T`, the question is repeated with the errors as `path: message`, up to three attempts
    /// in all.
    ///
    /// # Errors
    /// Returns the [`AskError`] for every other outcome.
    pub fn ask<T>(&self, question: &Question) -> Result<Answer<T>, AskError>
    where
        T: JsonSchema + DeserializeOwned + Validate,
        T::Context: Default,
    {
        self.ask_with_usage(question).map_err(|unanswered| unanswered.error)
    }

    /// Does the same as [`Model::ask`], and also returns the usage of an unanswered question, because invalid replies
    /// cost as much as valid ones.
    ///
    /// # Errors
    /// Returns the same errors as [`Model::ask`].
    pub fn ask_with_usage<T>(&self, question: &Question) -> Result<Answer<T>, Unanswered>
    where
        T: JsonSchema + DeserializeOwned + Validate,
        T::Context: Default,
    {
        let mut found = None;
        let schema = schema_of::<T>(question).map_err(Unanswered::from)?;
        let told = self.answer(question, &schema, &mut |answer| {
            found = Some(question.read::<T>(answer)?);
            Ok(())
        })?;
        let value = found.expect("an answer that was accepted was read");
        Ok(Answer {
            value,
            usage: told.usage,
            cost: self.line.settings.cost(told.usage),
            attempts: told.attempts,
            exchanges: told.exchanges,
            from_cache: told.from_cache,
            replayed: told.replayed,
            request_hash: told.hash,
            model: told.model,
            elapsed: told.elapsed,
        })
    }

    /// The first request that [`Model::ask`] would send for `question`, and its recipient. Sends no request.
    ///
    /// The preview is empty for a chat without a recipient and for a `T` that no provider accepts.
    #[cfg(test)]
    pub(crate) fn preview<T: JsonSchema>(&self, question: &Question) -> Preview {
        let request = schema_of::<T>(question).map(|schema| self.request(&self.outgoing(question), &schema));
        request.ok().and_then(|request| self.line.chat.preview(&request)).unwrap_or_default()
    }

    /// The usage of all questions to this model so far.
    #[cfg(test)]
    pub(crate) fn spent(&self) -> Spent {
        self.line.spent()
    }

    /// The state of this model's breaker.
    #[cfg(test)]
    pub(crate) fn breaker(&self) -> BreakerState {
        self.line.breaker.state()
    }
}

fn schema_of<T: JsonSchema>(question: &Question) -> Result<Value, AskError> {
    portable(question, &schemars::schema_for!(T).to_value())
}

/// The shape of an answer in the form that every provider accepts, with the limits of the question.
fn portable(question: &Question, shape: &Value) -> Result<Value, AskError> {
    let refuse = |what: String| AskError::configuration(format!("the answer to {}: {what}", question.id));
    let made = schema::portable(shape).and_then(|mut schema| {
        question.bounds.iter().try_for_each(|bound| bound.write(&mut schema))?;
        Ok(schema)
    });
    made.map_err(refuse)
}

impl Answers for Model {
    fn name(&self) -> String {
        self.settings().model.to_string()
    }

    fn deadline(&self) -> Duration {
        self.settings().deadline
    }

    fn masked(self, mask: Mask) -> Self {
        self.with_mask(mask)
    }

    fn preview(&self, question: &Question, shape: &Value) -> Preview {
        let request = portable(question, shape).map(|schema| self.request(&self.outgoing(question), &schema));
        request.ok().and_then(|request| self.line.chat.preview(&request)).unwrap_or_default()
    }

    fn answer(&self, question: &Question, shape: &Value, accept: Accept) -> Result<Answered, NoAnswer> {
        let schema = portable(question, shape).map_err(|error| NoAnswer::from(Unanswered::from(error)))?;
        let told = Model::answer(self, question, &schema, accept).map_err(NoAnswer::from)?;
        let (usage, attempts) = (told.usage, told.attempts);
        let cost = self.line.settings.cost(usage);
        Ok(Answered { usage, cost, attempts, from_cache: told.from_cache, replayed: told.replayed })
    }
}
