//! Chat models: asks a question and gives back an answer of a known shape, or says by name why there is none.
//!
//! [`Model::ask`] is the one entry. It blocks; a batch calls it from several threads, and concurrency, rate, deadline, breaker
//! and budget are kept inside. Nothing here knows of requirements, and nothing runs before a model is made.
//!
//! ```text
//! ask → cache? → attempt (3) → [tape: record | replay] → exchange (budget · breaker · rate · retries) → Chat → provider
//! ```

mod answer;
mod chat;
mod error;
mod http;
mod key;
mod name;
mod provider;
mod question;
mod settings;

use std::time::Instant;

use garde::Validate;
use schemars::JsonSchema;
use serde::de::DeserializeOwned;

pub use answer::{Answer, Spent, Usage};
pub use chat::{Chat, ChatError, ChatReply, ChatRequest, Ending, Fault, Structured};
pub use error::AskError;
pub use key::ApiKey;
pub use name::{InvalidModelName, ModelName, Provider};
pub use question::Question;
pub use settings::{Budget, ModelSettings, Prices, RetryPolicy, Tape};

/// A chat model that can be asked. Share it by reference between threads.
pub struct Model {
    settings: ModelSettings,
    chat: Box<dyn Chat>,
}

/// What would be sent for a question, and to whom; for `--dry-run`. Holds no key.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Preview {
    /// Where it would go, e.g. `https://api.openai.com/v1/chat/completions`.
    pub url: String,
    /// Names and values of the headers; the value of a header with a key is `[key]`.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: serde_json::Value,
}

impl Model {
    /// Makes a model that is reached over the network. Opens no connection and starts no runtime.
    ///
    /// # Errors
    /// [`AskError::Configuration`] if the settings cannot work, e.g. a budget of money without prices.
    pub fn new(settings: ModelSettings) -> Result<Self, AskError> {
        settings.check()?;
        let chat = Box::new(http::HttpChat::new(&settings)?);
        Ok(Self { settings, chat })
    }

    /// Makes a model whose replies come from `chat`; waits between retries take no time. For tests.
    pub fn from_chat(chat: Box<dyn Chat>) -> Self {
        Self::with_chat(ModelSettings::for_tests(), chat)
    }

    /// Makes a model with these settings whose replies come from `chat`.
    pub fn with_chat(settings: ModelSettings, chat: Box<dyn Chat>) -> Self {
        Self { settings, chat }
    }

    /// The settings in force.
    pub fn settings(&self) -> &ModelSettings {
        &self.settings
    }

    /// Asks `question` and waits for an answer of the shape `T`.
    ///
    /// A reply that is no valid `T` is asked for again with the errors as `path: message`, three attempts in all.
    ///
    /// # Errors
    /// Every other end has a name: see [`AskError`].
    pub fn ask<T>(&self, question: &Question) -> Result<Answer<T>, AskError>
    where
        T: JsonSchema + DeserializeOwned + Validate,
        T::Context: Default,
    {
        let start = Instant::now();
        let request = ChatRequest {
            model: self.settings.model.clone(),
            question: question.id.clone(),
            instructions: question.instructions.clone(),
            data: question.data.clone(),
            feedback: Vec::new(),
            schema: schemars::schema_for!(T).to_value(),
            structured: Structured::Schema,
            max_output_tokens: self.settings.max_output_tokens,
            attempt: 1,
        };
        let reply = self
            .chat
            .exchange(&request, start + self.settings.timeout)
            .map_err(|error| AskError::of_chat(error, &self.settings))?;
        let value: T = serde_json::from_str(&reply.text)
            .map_err(|error| AskError::Invalid { attempts: 1, errors: vec![format!(": {error}")] })?;
        value.validate().map_err(|report| AskError::Invalid { attempts: 1, errors: vec![report.to_string()] })?;
        Ok(Answer {
            value,
            usage: reply.usage,
            cost: None,
            attempts: 1,
            exchanges: 1,
            from_cache: false,
            replayed: false,
            request_hash: String::new(),
            model: reply.model,
            elapsed: start.elapsed(),
        })
    }

    /// What [`Model::ask`] would send first for `question`, and to whom. Sends nothing.
    pub fn preview<T: JsonSchema>(&self, question: &Question) -> Preview {
        let _ = question;
        Preview { url: String::new(), headers: Vec::new(), body: serde_json::Value::Null }
    }

    /// What all questions to this model have used so far.
    pub fn spent(&self) -> Spent {
        Spent::default()
    }
}
