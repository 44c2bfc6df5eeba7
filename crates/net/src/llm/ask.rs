//! A question to a model, and how it gets a valid answer: from the cache, or in up to three attempts, each with the errors of the
//! one before.

use std::sync::atomic::Ordering;
use std::time::Instant;

use garde::Validate;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use serde_path_to_error::Segment;

use super::answer::{Call, CallStatistics};
use super::cache::Entry;
use super::{
    AskError, ChatReply, ChatRequest, Fault, FinishReason, Model, RecordingMode, Structured, Unanswered, Usage,
};
use super::{schema as shape, trace};
use reqgate_base::clean::short_line;
use reqgate_base::hash::Hash;

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
const LONGEST_PROBLEM: usize = 200;

/// Takes an answer, or says what is wrong with it.
pub type Accept<'a> = &'a mut dyn FnMut(&Value) -> Result<(), Vec<String>>;

/// Reads an answer as a `T`; the problems are `path: message`.
pub fn read<T>(answer: &Value) -> Result<T, Vec<String>>
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

fn problem(path: &str, message: &str) -> String {
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

impl Model {
    /// Answers `question` with something that `accept` takes.
    pub(super) fn answer(
        &self,
        question: &Question,
        schema: &Value,
        accept: Accept,
    ) -> Result<CallStatistics, Unanswered> {
        let start = Instant::now();
        let settings = &self.line.settings;
        let longest = start + settings.deadline;
        let question = &self.outgoing(question);
        let mut request = self.request(question, schema);
        let hash = self.hash(question, schema);
        let span = trace::question(&request, &hash);
        let _entered = span.enter();
        let cached = match settings.recording {
            RecordingMode::Live => self.cache.as_ref().and_then(|cache| cache.get(&hash)),
            RecordingMode::Record(_) | RecordingMode::Replay(_) => None,
        };
        let from_cache = cached.filter(|entry| accept(&entry.answer).is_ok());
        let mut usage = Usage::default();
        let result = match from_cache {
            Some(entry) => {
                Ok(CallStatistics { from_cache: true, model: entry.model, attempts: 1, ..CallStatistics::default() })
            }
            None => {
                let until = question.until.unwrap_or(longest);
                let mut call = Call { hash: &hash, start, until, number: 0, exchanges: 0, usage };
                let came = self.attempts(&mut request, &mut call, accept);
                usage = call.usage;
                came
            }
        };
        let result = result.map(|told| CallStatistics { hash, elapsed: start.elapsed(), ..told });
        self.line.count_question(result.as_ref().ok());
        trace::answered(&span, &result);
        result.map_err(|error| Unanswered { error, usage, cost: self.line.settings.cost(usage) })
    }

    /// The question as it leaves the process, with its data masked. Every text goes to a model through here.
    pub(super) fn outgoing(&self, question: &Question) -> Question {
        Question { data: self.line.outgoing(&question.data), ..question.clone() }
    }

    /// The first request for `question`.
    pub(super) fn request(&self, question: &Question, schema: &Value) -> ChatRequest {
        ChatRequest {
            model: self.line.settings.model.clone(),
            question: question.id.clone(),
            instructions: question.instructions.clone(),
            data: question.data.clone(),
            feedback: Vec::new(),
            schema: schema.clone(),
            structured: self.shape(),
            max_output_tokens: self.line.settings.max_output_tokens,
            attempt: 1,
        }
    }

    fn attempts(&self, request: &mut ChatRequest, call: &mut Call, accept: Accept) -> Result<CallStatistics, AskError> {
        let most = self.line.settings.attempts;
        let mut usage = Usage::default();
        let mut problems = Vec::new();
        let mut nothing = true;
        for attempt in 1..=most {
            request.attempt = attempt;
            let reply = self.reply(request, call)?;
            usage += reply.usage;
            self.ended_well(&reply)?;
            let Some(answer) = shape::extract(&reply.text) else {
                nothing &= reply.text.trim().is_empty();
                problems = vec![problem("", "the answer held no JSON object")];
                request.feedback.clone_from(&problems);
                // A server that keeps a schema cannot say this.
                self.walk_down(request);
                continue;
            };
            nothing = false;
            match accept(&answer) {
                Ok(()) => {
                    self.keep(call.hash, &reply.model, usage, answer);
                    let replayed = matches!(self.line.settings.recording, RecordingMode::Replay(_));
                    let usage = if replayed { Usage::default() } else { usage };
                    let exchanges = call.exchanges;
                    return Ok(CallStatistics {
                        usage,
                        attempts: attempt,
                        exchanges,
                        replayed,
                        model: reply.model,
                        ..CallStatistics::default()
                    });
                }
                Err(found) => problems = found,
            }
            request.feedback.clone_from(&problems);
            // Perhaps the model has never seen the schema: the next way down writes it into the prompt, for this question.
            request.structured = self.line.chat.below(request.structured).unwrap_or(request.structured);
        }
        match nothing {
            true => Err(AskError::Empty { attempts: most }),
            false => Err(AskError::Invalid { attempts: most, errors: problems }),
        }
    }

    /// One reply; asks for the shape in another way if the server does not take this one.
    fn reply(&self, request: &mut ChatRequest, call: &mut Call) -> Result<ChatReply, AskError> {
        loop {
            let error = match self.line.call(request, call)? {
                Ok(reply) => return Ok(reply),
                Err(error) => error,
            };
            if error.fault != Fault::ShapeRefused || !self.walk_down(request) {
                return Err(AskError::of_chat(error, &self.line.settings));
            }
        }
    }

    /// Endings that no second attempt changes.
    fn ended_well(&self, reply: &ChatReply) -> Result<(), AskError> {
        let shown = |text: &str| short_line(text, LONGEST_PROBLEM);
        match &reply.finish_reason {
            FinishReason::Stop | FinishReason::Other(_) => Ok(()),
            FinishReason::Length => Err(AskError::Truncated { limit: self.line.settings.max_output_tokens }),
            FinishReason::Refusal(reason) => Err(AskError::Refused { reason: shown(reason) }),
            FinishReason::Filter(reason) => Err(AskError::Filtered { reason: shown(reason) }),
        }
    }

    fn shape(&self) -> Structured {
        // What one question learns must not change how a recording of another is read.
        let known = match self.line.settings.recording {
            RecordingMode::Replay(_) => 0,
            RecordingMode::Live | RecordingMode::Record(_) => self.shape.load(Ordering::Relaxed),
        };
        match known {
            0 => Structured::Schema,
            1 => Structured::Json,
            _ => Structured::Prompt,
        }
    }

    /// Asks for the shape in the next way down, from now on for every question; false if there is none.
    fn walk_down(&self, request: &mut ChatRequest) -> bool {
        let Some(below) = self.line.chat.below(request.structured) else { return false };
        request.structured = below;
        self.shape.fetch_max(below as u8, Ordering::Relaxed);
        true
    }

    fn keep(&self, hash: &str, model: &str, usage: Usage, answer: Value) {
        if let (Some(cache), RecordingMode::Live | RecordingMode::Record(_)) =
            (&self.cache, &self.line.settings.recording)
        {
            cache.put(&Entry::new(hash, model, usage, answer));
        }
    }

    /// The hash of everything that decides the answer. The nonce does not.
    fn hash(&self, question: &Question, schema: &Value) -> String {
        let settings = &self.line.settings;
        let without_nonce = |text: &str| match question.nonce.as_str() {
            "" => text.to_string(),
            nonce => text.replace(nonce, "[nonce]"),
        };
        Hash::of_parts([
            "reqgate/question/v1",
            &settings.model.to_string(),
            settings.base_url.as_deref().unwrap_or_else(|| self.line.chat.at()),
            &question.id,
            &without_nonce(&question.instructions),
            &without_nonce(&question.data),
            &schema.to_string(),
            &settings.max_output_tokens.to_string(),
            &settings.temperature.map_or_else(String::new, |temperature| temperature.to_string()),
        ])
        .hex()
    }
}

#[cfg(test)]
mod tests;
