//! A question to an answerer that replies in a known shape, such as a chat model: the question and how its answer is read.

use std::time::{Duration, Instant};

use garde::Validate;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use serde_path_to_error::Segment;

use crate::clean::short_line;

/// Masks the parts of a text that must not leave the process.
pub type Mask = Box<dyn Fn(&str) -> String + Send + Sync>;

/// Answers questions. The crate that implements this trait knows the way, such as a chat model over the network.
pub trait Answers: Send + Sync {
    /// The name of the model, `provider/name`.
    fn name(&self) -> String;

    /// The longest time for all questions about one text.
    fn deadline(&self) -> Duration;

    /// The same, with every text masked before it is sent, and every returned word masked before other code sees it.
    #[must_use]
    fn masked(self, mask: Mask) -> Self
    where
        Self: Sized;

    /// Returns the first request and its destination without sending it.
    fn preview(&self, question: &Question, shape: &Value) -> Preview;

    /// Asks, and passes every answer to `accept` until it takes one; `shape` is the JSON schema of the answer.
    ///
    /// # Errors
    /// Returns the reason why an answer is missing.
    fn answer(&self, question: &Question, shape: &Value, accept: Accept) -> Result<Answered, NoAnswer>;
}

/// The cost and the origin of an answer.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Answered {
    /// The tokens of all exchanges for this answer; zero if it came from the cache or a recording.
    pub usage: Usage,
    /// The cost in the currency of the configured prices; `None` without prices.
    pub cost: Option<f64>,
    /// Replies that were read until one was valid, from 1.
    pub attempts: u32,
    /// It was answered earlier, by the same model to the same question.
    pub from_cache: bool,
    /// It was read from a recorded run.
    pub replayed: bool,
}

/// The reason why an answer is missing, and the tokens and the cost spent on it.
#[derive(Debug, Clone, PartialEq)]
pub struct NoAnswer {
    /// The reason, as a message to the user.
    pub message: String,
    /// The next question would only wait for the same failure.
    pub is_outage: bool,
    /// A replayed run asked something that was not recorded.
    pub is_unrecorded: bool,
    /// The number of requests that were sent, including retries.
    pub exchanges: u32,
    /// Tokens of all replies that were read; zero for a recording.
    pub usage: Usage,
    /// The cost in the currency of the configured prices; `None` without prices.
    pub cost: Option<f64>,
}

/// The request for a question and its destination, for `--dry-run`. It holds no key.
#[derive(Debug, Clone, Default, PartialEq, serde::Serialize)]
pub struct Preview {
    /// The address of the request, e.g. `https://api.openai.com/v1/chat/completions`.
    pub url: String,
    /// Names and values of the headers; the value of a header with a key is `[key]`.
    pub headers: Vec<(String, String)>,
    /// The body of the request.
    pub body: Value,
}

/// Tokens, as the provider counts them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// The tokens of the prompt.
    pub input_tokens: u64,
    /// The tokens of the answer, reasoning included.
    pub output_tokens: u64,
}

impl Usage {
    /// The sum of both.
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

/// A question to a model.
#[derive(Debug, Clone, Default)]
pub struct Question {
    /// Name and version of the prompt, e.g. `structuring_v1`: letters, digits, `_` and `-`, at most 64.
    pub id: String,
    /// The instructions for the model. They are written by us and never contain text of a ticket.
    pub instructions: String,
    /// The text it is about, delimited and named as untrusted by its author. It is masked before it leaves the process.
    pub data: String,
    /// The nonce of this run that delimits the data, if any. The hash of a request leaves it out everywhere in
    /// instructions and data, so that a run with another nonce finds the same cached answer.
    pub nonce: String,
    /// The latest end of asking, e.g. the deadline of a gate over several questions. `None`: the deadline of the
    /// settings, counted from the start of the question.
    pub until: Option<Instant>,
    /// The bounds on the answer beyond the shape of its type.
    pub bounds: Vec<Bound>,
}

impl Question {
    /// Reads an answer as a `T` that keeps to the bounds of the question.
    ///
    /// # Errors
    /// Returns the problems of the answer, each as `path: message`.
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
        /// The property that holds the text.
        place: &'static str,
        /// The words that are allowed.
        words: Vec<String>,
    },
    /// The list at a place has at most so many items. A server that enforces it stops a small model that would write
    /// until its last token. The caller drops surplus items of other servers.
    AtMost {
        /// The property that holds the list.
        place: &'static str,
        /// The largest number of items.
        items: usize,
    },
}

impl Bound {
    /// Writes the bound into the schema of the answer.
    ///
    /// # Errors
    /// Names the place that the schema does not have.
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

    /// The problem of an answer, as `path: message`. Surplus words next to allowed ones are not a problem.
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

/// The most problems of one reply that the model and the user see.
const MOST_PROBLEMS: usize = 20;
/// The longest problem, in characters.
pub const LONGEST_PROBLEM: usize = 200;

/// Takes an answer, or returns its problems.
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

/// The place where the parser stopped, in our names. The name of an unknown field was chosen by the model and is left out.
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

/// The shape that the parser expected, without the words of the model that it found instead: those may be an order from a ticket.
fn without_its_words(message: &str) -> String {
    match (message.rsplit_once(", expected "), message.starts_with("missing field")) {
        (Some((_, expected)), _) => format!("expected {expected}"),
        (None, true) => message.to_string(),
        (None, false) => "not of the shape that was asked for".to_string(),
    }
}
