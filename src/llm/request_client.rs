//! Sends requests to a model: one reply per call, with recording, budget, breaker, limits and retries around the exchange.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use serde_json::Value;

use super::breaker::{Breaker, now_ms};
use super::limiter::Limiter;
use super::statistics::{Call, CallStatistics};
use super::{
    AskError, Chat, ChatError, ChatReply, ChatRequest, Fault, FinishReason, ModelSettings, RecordingMode, Spent, Usage,
};
use super::{json_extraction, recording, trace};

/// Hides what must not be shown.
pub type Mask = Box<dyn Fn(&str) -> String + Send + Sync>;

/// Everything that stands between a question and the exchange that answers it.
pub struct RequestClient {
    pub settings: ModelSettings,
    pub chat: Box<dyn Chat>,
    pub breaker: Breaker,
    pub mask: Option<Mask>,
    limiter: Limiter,
    spent: Mutex<Spent>,
}

impl RequestClient {
    /// A line over which nothing has been sent yet.
    pub fn new(settings: ModelSettings, chat: Box<dyn Chat>) -> Self {
        let breaker = Breaker::open(settings.cache.as_deref(), &settings.model.to_string(), &settings.host());
        let limiter = Limiter::new(settings.concurrency, settings.per_minute);
        Self { settings, chat, breaker, mask: None, limiter, spent: Mutex::default() }
    }

    /// What was used so far.
    pub fn spent(&self) -> Spent {
        let spent = *self.lock();
        Spent { cost: self.settings.cost(spent.usage), ..spent }
    }

    /// Counts a question, with its answer if it has one.
    pub fn count_question(&self, told: Option<&CallStatistics>) {
        let mut spent = self.lock();
        spent.questions += 1;
        spent.answered += u64::from(told.is_some());
        spent.from_cache += u64::from(told.is_some_and(|told| told.from_cache));
        spent.replayed += u64::from(told.is_some_and(|told| told.replayed));
    }

    /// One reply: from the recording, or from the model with retries. The outer error is ours, the inner the model's.
    pub fn call(&self, request: &ChatRequest, call: &mut Call) -> Result<Result<ChatReply, ChatError>, AskError> {
        call.number += 1;
        let broken = |message: String| AskError::Recording { message };
        match &self.settings.recording {
            RecordingMode::Live => self.tries(request, call),
            RecordingMode::Record(folder) => {
                let came = self.tries(request, call);
                recording::record(folder, &request.question, call.hash, call.number, &came).map_err(broken)?;
                came
            }
            RecordingMode::Replay(folder) => {
                let missing =
                    || AskError::ReplayMissing { question: request.question.clone(), hash: call.hash.to_string() };
                recording::replay(folder, call.hash, call.number).map_err(broken)?.ok_or_else(missing)?
            }
        }
    }

    fn tries(&self, request: &ChatRequest, call: &mut Call) -> Result<Result<ChatReply, ChatError>, AskError> {
        self.breaker.allow(now_ms()).map_err(|retry_in| AskError::BreakerOpen { retry_in })?;
        let most = self.settings.retry.tries;
        for retry in 1.. {
            let came = self.exchange(request, call, retry).inspect_err(|_| self.breaker.not_asked())?;
            let error = match came {
                Ok(reply) => {
                    self.breaker.succeeded();
                    return Ok(Ok(reply));
                }
                Err(error) => error,
            };
            let wait = self.wait(&error, retry);
            // What got no answer in the time of an exchange gets none in less.
            let left = call.until.saturating_duration_since(Instant::now() + wait);
            let has_time = error.fault != Fault::Timeout || left >= self.settings.timeout;
            let goes_on = error.fault.can_be_tried_again() && retry < most && has_time;
            if goes_on && Instant::now() + wait < call.until {
                // What the server asked for holds for all threads, what we chose ourselves for this one.
                if error.retry_after.is_some() {
                    self.limiter.pause(wait);
                }
                std::thread::sleep(wait);
                continue;
            }
            if speaks_against_the_server(error.fault) {
                self.breaker.failed(now_ms());
            } else {
                self.breaker.succeeded();
            }
            if goes_on && error.retry_after.is_none() {
                return Err(self.too_late(call, &error.message));
            }
            return Ok(Err(error));
        }
        unreachable!("the loop ends with its last retry")
    }

    /// One exchange, if budget and limits let it through.
    fn exchange(
        &self,
        request: &ChatRequest,
        call: &mut Call,
        retry: u32,
    ) -> Result<Result<ChatReply, ChatError>, AskError> {
        self.within_budget()?;
        let permit = self.limiter.wait(call.until).ok_or_else(|| self.too_late(call, ""))?;
        let until = call.until.min(Instant::now() + self.settings.timeout);
        call.exchanges += 1;
        self.lock().exchanges += 1;
        let span = trace::exchange(&self.settings, request, call, retry);
        let came = span.in_scope(|| self.chat.exchange(request, until)).map(|reply| self.masked(reply));
        let came = came.map_err(|error| ChatError { message: self.hidden(&error.message), ..error });
        drop(permit);
        if let Ok(reply) = &came {
            self.lock().usage += reply.usage;
            call.usage += reply.usage;
        }
        trace::came_back(&span, &self.settings, &came);
        match came {
            Err(error) if error.fault == Fault::Timeout && Instant::now() >= call.until => {
                self.breaker.failed(now_ms());
                Err(self.too_late(call, &error.message))
            }
            came => Ok(came),
        }
    }

    /// The server's wish, or full jitter between nothing and a bound that doubles.
    fn wait(&self, error: &ChatError, retry: u32) -> Duration {
        let policy = &self.settings.retry;
        match error.retry_after {
            // A little later than asked for, and not all threads at the same moment.
            Some(wished) => wished + Duration::from_millis(fastrand::u64(5..=100)),
            None => {
                let bound = policy.base.saturating_mul(1 << (retry - 1).min(16)).min(policy.most);
                bound.mul_f64(fastrand::f64())
            }
        }
    }

    fn within_budget(&self) -> Result<(), AskError> {
        let usage = self.lock().usage;
        let budget = self.settings.budget;
        if let Some(tokens) = budget.tokens.filter(|tokens| usage.total() >= *tokens) {
            return Err(AskError::BudgetSpent { what: format!("{} of {tokens} tokens", usage.total()) });
        }
        match (self.settings.cost(usage), budget.money) {
            (Some(cost), Some(money)) if cost >= money => {
                Err(AskError::BudgetSpent { what: format!("{cost:.4} of {money:.4} in money") })
            }
            _ => Ok(()),
        }
    }

    fn too_late(&self, call: &Call, last: &str) -> AskError {
        AskError::Deadline { after: call.start.elapsed(), last: last.to_string() }
    }

    /// A reply as everybody else sees it: without the key, should a server send it back, and masked.
    ///
    /// If it holds an object, its texts are masked one by one, so that it stays one; escapes are read by then.
    fn masked(&self, reply: ChatReply) -> ChatReply {
        if self.mask.is_none() && self.settings.api_key.is_none() {
            return reply;
        }
        let text = match json_extraction::extract(&reply.text) {
            Some(mut answer) => {
                self.hide_texts(&mut answer);
                answer.to_string()
            }
            None => self.hidden(&reply.text),
        };
        let finish_reason = match reply.finish_reason {
            FinishReason::Refusal(reason) => FinishReason::Refusal(self.hidden(&reason)),
            FinishReason::Filter(name) => FinishReason::Filter(self.without_key(&name)),
            FinishReason::Other(name) => FinishReason::Other(self.without_key(&name)),
            finish_reason @ (FinishReason::Stop | FinishReason::Length) => finish_reason,
        };
        ChatReply { text, finish_reason, model: self.without_key(&reply.model), ..reply }
    }

    fn hidden(&self, text: &str) -> String {
        let text = self.without_key(text);
        self.mask.as_ref().map_or_else(|| text.clone(), |mask| mask(&text))
    }

    fn without_key(&self, text: &str) -> String {
        self.settings.api_key.as_ref().map_or_else(|| text.to_string(), |key| key.out_of(text))
    }

    /// Depth is bounded by the parser that made the value.
    fn hide_texts(&self, value: &mut Value) {
        match value {
            Value::String(text) => *text = self.hidden(text),
            Value::Array(values) => values.iter_mut().for_each(|value| self.hide_texts(value)),
            Value::Object(object) => {
                let held = std::mem::take(object);
                for (name, mut value) in held {
                    self.hide_texts(&mut value);
                    object.insert(self.without_key(&name), value);
                }
            }
            _ => {}
        }
    }

    fn lock(&self) -> MutexGuard<'_, Spent> {
        self.spent.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// True if the next question is likely to fail as well.
fn speaks_against_the_server(fault: Fault) -> bool {
    fault.can_be_tried_again() || matches!(fault, Fault::QuotaExhausted | Fault::Unauthorized)
}

impl ModelSettings {
    /// What `usage` costs; `None` without prices.
    pub(super) fn cost(&self, usage: Usage) -> Option<f64> {
        let prices = self.prices?;
        let cost = usage.input_tokens as f64 * prices.input_per_million
            + usage.output_tokens as f64 * prices.output_per_million;
        Some(cost / 1_000_000.0)
    }
}
