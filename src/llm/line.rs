//! The line to a model: one reply per call, with tape, budget, breaker, limits and retries around the exchange.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::asking::{Call, Told};
use super::breaker::{Breaker, now_ms};
use super::limiter::Limiter;
use super::{AskError, Chat, ChatError, ChatReply, ChatRequest, Ending, Fault, ModelSettings, Spent, Tape, Usage};
use super::{dig, tape, trace};

/// Hides what must not be shown.
pub type Mask = Box<dyn Fn(&str) -> String + Send + Sync>;

/// Everything that stands between a question and the exchange that answers it.
pub struct Line {
    pub settings: ModelSettings,
    pub chat: Box<dyn Chat>,
    pub breaker: Breaker,
    pub mask: Option<Mask>,
    limiter: Limiter,
    spent: Mutex<Spent>,
}

impl Line {
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
    pub fn count_question(&self, told: Option<&Told>) {
        let mut spent = self.lock();
        spent.questions += 1;
        spent.answered += u64::from(told.is_some());
        spent.from_cache += u64::from(told.is_some_and(|told| told.from_cache));
        spent.replayed += u64::from(told.is_some_and(|told| told.replayed));
    }

    /// One reply: from the recording, or from the model with retries. The outer error is ours, the inner the model's.
    pub fn call(&self, request: &ChatRequest, call: &mut Call) -> Result<Result<ChatReply, ChatError>, AskError> {
        call.number += 1;
        let broken = |message: String| AskError::Tape { message };
        match &self.settings.tape {
            Tape::Live => self.tries(request, call),
            Tape::Record(folder) => {
                let came = self.tries(request, call);
                tape::record(folder, &request.question, call.hash, call.number, &came).map_err(broken)?;
                came
            }
            Tape::Replay(folder) => {
                let missing =
                    || AskError::ReplayMissing { question: request.question.clone(), hash: call.hash.to_string() };
                tape::replay(folder, call.hash, call.number).map_err(broken)?.ok_or_else(missing)?
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

    /// A reply as everybody else sees it. If it holds an object, its texts are masked one by one, so that it stays one.
    fn masked(&self, reply: ChatReply) -> ChatReply {
        let Some(mask) = &self.mask else { return reply };
        let text = match dig::dig(&reply.text) {
            Some(mut answer) => {
                mask_texts(&mut answer, mask);
                answer.to_string()
            }
            None => mask(&reply.text),
        };
        let ending = match reply.ending {
            Ending::Refusal(reason) => Ending::Refusal(mask(&reason)),
            ending => ending,
        };
        ChatReply { text, ending, ..reply }
    }

    fn hidden(&self, text: &str) -> String {
        self.mask.as_ref().map_or_else(|| text.to_string(), |mask| mask(text))
    }

    fn lock(&self) -> MutexGuard<'_, Spent> {
        self.spent.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// True if the next question is likely to fail as well.
fn speaks_against_the_server(fault: Fault) -> bool {
    fault.can_be_tried_again() || matches!(fault, Fault::QuotaExhausted | Fault::Unauthorized)
}

/// Depth is bounded by the parser that made the value.
fn mask_texts(value: &mut serde_json::Value, mask: &Mask) {
    match value {
        serde_json::Value::String(text) => *text = mask(text),
        serde_json::Value::Array(values) => values.iter_mut().for_each(|value| mask_texts(value, mask)),
        serde_json::Value::Object(object) => object.values_mut().for_each(|value| mask_texts(value, mask)),
        _ => {}
    }
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
