//! A question to somebody who answers in a known shape, such as a chat model: what is asked, and how the answer is read.

use std::time::{Duration, Instant};

use garde::Validate;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use serde_path_to_error::Segment;

use crate::clean::short_line;

/// Takes away from a text what must not leave the process.
pub type Mask = Box<dyn Fn(&str) -> String + Send + Sync>;

/// Somebody who answers questions. Nothing here says how: a chat model is asked over the network, by a crate that knows it.
pub trait Answers: Send + Sync {
    /// The name, `provider/name`.
    fn name(&self) -> String;

    /// The longest time for all questions about one text.
    fn deadline(&self) -> Duration;

    /// The same, with every text masked before it is sent, and every word that comes back before anything else sees it.
    #[must_use]
    fn masked(self, mask: Mask) -> Self
    where
        Self: Sized;

    /// What would be sent first, and to whom. Sends nothing.
    fn preview(&self, question: &Question, shape: &Value) -> Preview;

    /// Asks, and hands every answer to `accept` until it takes one; `shape` is the JSON schema of the answer.
    ///
    /// # Errors
    /// Says why there is no answer.
    fn answer(&self, question: &Question, shape: &Value, accept: Accept) -> Result<Answered, NoAnswer>;
}

/// How a question was answered.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Answered {
    /// Tokens of all exchanges it took; zero if it came from the cache or a recording.
    pub usage: Usage,
    /// What it cost, in the currency of the configured prices; `None` without prices.
    pub cost: Option<f64>,
    /// Replies that were read until one was valid, from 1.
    pub attempts: u32,
    /// It was answered earlier, by the same model to the same question.
    pub from_cache: bool,
    /// It was read from a recorded run.
    pub replayed: bool,
}

/// Why there is no answer, and what it took all the same.
#[derive(Debug, Clone, PartialEq)]
pub struct NoAnswer {
    /// Why.
    pub message: String,
    /// The next question would only wait for the same failure.
    pub is_outage: bool,
    /// A replayed run asked something that was not recorded.
    pub is_unrecorded: bool,
    /// Tokens of all replies that were read; zero for a recording.
    pub usage: Usage,
    /// What they cost, in the currency of the configured prices; `None` without prices.
    pub cost: Option<f64>,
}

/// What would be sent for a question, and to whom; for `--dry-run`. Holds no key.
#[derive(Debug, Clone, Default, PartialEq, serde::Serialize)]
pub struct Preview {
    /// Where it would go, e.g. `https://api.openai.com/v1/chat/completions`.
    pub url: String,
    /// Names and values of the headers; the value of a header with a key is `[key]`.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: Value,
}

/// Tokens, as the provider counts them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// Tokens read.
    pub input_tokens: u64,
    /// Tokens written, reasoning included.
    pub output_tokens: u64,
}

impl Usage {
    /// Both together.
    pub fn total(self) -> u64 {
        self.input_tokens.saturating_add(self.output_tokens)
    }
}

impl std::ops::AddAssign for Usage {
    fn add_assign(&mut self, other: Self) {
        self.input_tokens = self.input_tokens.saturating_add(other.input_tokens);
        self.output_tokens = self.output_tokens.saturating_add(other.output_tokens);
    }
}

/// One question.
#[derive(Debug, Clone, Default)]
pub struct Question {
    /// Name and version of the prompt, e.g. `structuring_v1`: letters, digits, `_` and `-`, at most 64.
    pub id: String,
    /// What the model is to do. Written by us; nothing of a ticket stands in it.
    pub instructions: String,
    /// The text it is about, delimited and named as untrusted by its author. It is masked before it leaves the process.
    pub data: String,
    /// The nonce of this run that delimits the data, if any. It is left out of the hash of the request wherever it stands in
    /// instructions and data, so that a run with another nonce finds the same cached answer.
    pub nonce: String,
    /// When asking must end at the latest, e.g. the deadline of a gate over several questions. `None`: the deadline of the
    /// settings, counted from the start of the question.
    pub until: Option<Instant>,
    /// What the answer must keep to beyond the shape of its type.
    pub bounds: Vec<Bound>,
}

impl Question {
    /// Reads an answer as a `T` that keeps to the bounds of the question.
    ///
    /// # Errors
    /// The problems of the answer, each as `path: message`.
    pub fn read<T>(&self, answer: &Value) -> Result<T, Vec<String>>
    where
        T: DeserializeOwned + Validate,
        T::Context: Default,
    {
        let value = read(answer)?;
        let problems: Vec<String> = self.bounds.iter().filter_map(|bound| bound.problem(answer)).collect();
        if problems.is_empty() { Ok(value) } else { Err(problems) }
    }
}

/// A bound on an answer. A place is the names of properties with dots between, through lists: `criteria.id`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Bound {
    /// The texts at a place are some of these words; an answer in which none is one of them is asked for again.
    OneOf {
        /// Where.
        place: &'static str,
        /// The words.
        words: Vec<String>,
    },
    /// The list at a place has at most so many items. A server that keeps it stops a small model that would go on until its
    /// last token; what comes beyond it all the same is the caller's to throw away.
    AtMost {
        /// Where.
        place: &'static str,
        /// How many.
        items: usize,
    },
}

impl Bound {
    /// Writes the bound into the schema of the answer.
    ///
    /// # Errors
    /// Says which place the schema does not have.
    pub fn write(&self, schema: &mut Value) -> Result<(), String> {
        let (Self::OneOf { place, .. } | Self::AtMost { place, .. }) = self;
        let node = place.split('.').try_fold(schema, |node, name| items(node).get_mut("properties")?.get_mut(name));
        let node = node.ok_or_else(|| format!("{place}: the schema has no such place"))?;
        match self {
            Self::OneOf { words, .. } => items(node)["enum"] = json!(words),
            Self::AtMost { items, .. } => node["maxItems"] = json!(items),
        }
        Ok(())
    }

    /// What is wrong with an answer, as `path: message`; surplus words beside good ones are not.
    pub fn problem(&self, answer: &Value) -> Option<String> {
        let Self::OneOf { place, words } = self else { return None };
        let mut found = vec![answer];
        for name in place.split('.') {
            found = found.into_iter().flat_map(each).filter_map(|value| value.get(name)).collect();
        }
        let is_one = |value: &Value| value.as_str().is_some_and(|said| words.iter().any(|word| word == said));
        let has_one = found.into_iter().flat_map(each).any(is_one);
        (!has_one).then(|| format!("{place}: expected one of {}", words.join(", ")))
    }
}

/// The schema of the items of a list; that of anything else is itself.
fn items(schema: &mut Value) -> &mut Value {
    match schema.get("items").is_some() {
        true => &mut schema["items"],
        false => schema,
    }
}

fn each(value: &Value) -> Vec<&Value> {
    match value {
        Value::Array(values) => values.iter().collect(),
        other => vec![other],
    }
}

/// Problems of one reply that are told to the model and to the user.
const MOST_PROBLEMS: usize = 20;
/// Longest problem, in characters.
pub const LONGEST_PROBLEM: usize = 200;

/// Takes an answer, or says what is wrong with it.
pub type Accept<'a> = &'a mut dyn FnMut(&Value) -> Result<(), Vec<String>>;

/// Reads an answer as a `T`; the problems are `path: message`.
fn read<T>(answer: &Value) -> Result<T, Vec<String>>
where
    T: DeserializeOwned + Validate,
    T::Context: Default,
{
    let value: T = serde_path_to_error::deserialize(answer).map_err(|error| {
        let message = error.inner().to_string();
        vec![problem(&place(error.path(), &message), &without_its_words(&message))]
    })?;
    match value.validate() {
        Ok(()) => Ok(value),
        Err(report) => Err(report
            .iter()
            .take(MOST_PROBLEMS)
            .map(|(path, error)| problem(&path.to_string(), error.message()))
            .collect()),
    }
}

/// A problem of an answer as one short line.
pub fn problem(path: &str, message: &str) -> String {
    let path = if path.is_empty() { "." } else { path };
    short_line(&format!("{path}: {message}"), LONGEST_PROBLEM)
}

/// Where the parser stopped, by the names that we gave. A field that we do not know has a name of the model's own.
fn place(path: &serde_path_to_error::Path, message: &str) -> String {
    let is_ours = |name: &str| name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    let known = path.iter().map(|segment| match segment {
        Segment::Seq { index } => format!("[{index}]"),
        Segment::Map { key } if is_ours(key) => key.clone(),
        Segment::Map { .. } | Segment::Enum { .. } | Segment::Unknown => "?".to_string(),
    });
    let mut known: Vec<String> = known.collect();
    if message.starts_with("unknown field") {
        known.pop();
    }
    known.join(".").replace(".[", "[")
}

/// What the parser expected, without the words of the model that it found instead: those may be an order from a ticket.
fn without_its_words(message: &str) -> String {
    match (message.rsplit_once(", expected "), message.starts_with("missing field")) {
        (Some((_, expected)), _) => format!("expected {expected}"),
        (None, true) => message.to_string(),
        (None, false) => "not of the shape that was asked for".to_string(),
    }
}
