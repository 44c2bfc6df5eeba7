//! Gets a valid answer to a question: from the cache, or in up to three attempts, each with the errors of the previous
//! one.

use std::sync::atomic::Ordering;
use std::time::Instant;

use serde_json::Value;

use super::answer::{Call, CallStatistics};
use super::cache::Entry;
use super::{
    AskError, ChatReply, ChatRequest, Fault, FinishReason, Model, RecordingMode, Structured, Unanswered, Usage,
};
use super::{schema as shape, trace};
use reqgate_base::ask::{Accept, LONGEST_PROBLEM, Question, problem};
use reqgate_base::clean::short_line;
use reqgate_base::hash::Hash;

impl Model {
    /// Answers `question` with a value that `accept` accepts.
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
        let (mut usage, mut exchanges) = (Usage::default(), 0);
        let result = match from_cache {
            Some(entry) => {
                Ok(CallStatistics { from_cache: true, model: entry.model, attempts: 1, ..CallStatistics::default() })
            }
            None => {
                let until = question.until.unwrap_or(longest);
                let mut call = Call { hash: &hash, start, until, number: 0, exchanges: 0, usage };
                let came = self.attempts(&mut request, &mut call, accept);
                (usage, exchanges) = (call.usage, call.exchanges);
                came
            }
        };
        let result = result.map(|told| CallStatistics { hash, elapsed: start.elapsed(), ..told });
        self.line.count_question(result.as_ref().ok());
        trace::answered(&span, &result);
        result.map_err(|error| Unanswered { error, exchanges, usage, cost: self.line.settings.cost(usage) })
    }

    /// The question with its data masked. Every text for a model passes through here.
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
                // A server that enforces a schema cannot return this.
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
            // The model may not have seen the schema; the next form of request includes it in the prompt of this
            // question.
            request.structured = self.line.chat.below(request.structured).unwrap_or(request.structured);
        }
        match nothing {
            true => Err(AskError::Empty { attempts: most }),
            false => Err(AskError::Invalid { attempts: most, errors: problems }),
        }
    }

    /// Gets one reply, and requests the shape in another form if the server refuses this one.
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

    /// Returns an error for an ending that another attempt would not change.
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
        // Experience from one question must not change the reading of another one's recording.
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

    /// Requests the shape in the next form, from now on for every question; returns false if this was the last one.
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

    /// The hash of everything that decides the answer, without the nonce.
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
