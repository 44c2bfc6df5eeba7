//! Gets one reply per call, with recording, budget, breaker, limits and retries around the exchange.
//!
//! A recording contains one file per exchange, named by the hash of the request and its number within the question.

use std::path::{Path, PathBuf};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::answer::{Call, CallStatistics};
use super::breaker::{Breaker, now_ms};
use super::{
    AskError, Chat, ChatError, ChatReply, ChatRequest, Fault, FinishReason, ModelSettings, RecordingMode, Spent, Usage,
};
use super::{schema, trace};
use reqgate_base::files::{self, Readers};

/// Replaces confidential parts of a text.
pub(super) type Mask = Box<dyn Fn(&str) -> String + Send + Sync>;

/// All steps between a question and the exchange that answers it.
pub(crate) struct RequestClient {
    pub settings: ModelSettings,
    pub chat: Box<dyn Chat>,
    pub breaker: Breaker,
    pub mask: Option<Mask>,
    limiter: Limiter,
    spent: Mutex<Spent>,
}

impl RequestClient {
    /// Creates a client that has not sent any request.
    pub(super) fn new(settings: ModelSettings, chat: Box<dyn Chat>) -> Self {
        let (model, host) = (settings.model.to_string(), settings.host());
        let breaker = Breaker::open(settings.cache.as_deref(), &model, &host, settings.breaker);
        let limiter = Limiter::new(settings.concurrency, settings.per_minute);
        Self { settings, chat, breaker, mask: None, limiter, spent: Mutex::default() }
    }

    /// The usage so far.
    #[cfg(test)]
    pub(super) fn spent(&self) -> Spent {
        let spent = *self.lock();
        Spent { cost: self.settings.cost(spent.usage), ..spent }
    }

    /// Counts a question, with its answer if it has one.
    pub(crate) fn count_question(&self, told: Option<&CallStatistics>) {
        let mut spent = self.lock();
        spent.questions += 1;
        spent.answered += u64::from(told.is_some());
        spent.from_cache += u64::from(told.is_some_and(|told| told.from_cache));
        spent.replayed += u64::from(told.is_some_and(|told| told.replayed));
    }

    /// Gets one reply: from the recording, or from the model with retries. The outer error is reqgate's, the inner one
    /// the model's.
    pub(super) fn call(
        &self,
        request: &ChatRequest,
        call: &mut Call,
    ) -> Result<Result<ChatReply, ChatError>, AskError> {
        call.number += 1;
        let broken = |message: String| AskError::Recording { message };
        match &self.settings.recording {
            RecordingMode::Live => self.tries(request, call),
            RecordingMode::Record(folder) => {
                let came = self.tries(request, call);
                record(folder, &request.question, call.hash, call.number, &came).map_err(broken)?;
                came
            }
            RecordingMode::Replay(folder) => {
                let missing =
                    || AskError::ReplayMissing { question: request.question.clone(), hash: call.hash.to_string() };
                replay(folder, call.hash, call.number).map_err(broken)?.ok_or_else(missing)?
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
            // After a timeout, a retry with less time would fail, too.
            let left = call.until.saturating_duration_since(Instant::now() + wait);
            let has_time = error.fault != Fault::Timeout || left >= self.settings.timeout;
            let goes_on = error.fault.can_be_tried_again() && retry < most && has_time;
            if goes_on && Instant::now() + wait < call.until {
                // A wait that the server requested applies to all threads, a chosen one only to this thread.
                if error.retry_after.is_some() {
                    self.limiter.pause(wait);
                }
                std::thread::sleep(wait);
                continue;
            }
            match error.fault {
                Fault::NoKey => self.breaker.not_asked(),
                fault if speaks_against_the_server(fault) => self.breaker.failed(now_ms()),
                _ => self.breaker.succeeded(),
            }
            if goes_on && error.retry_after.is_none() {
                return Err(self.too_late(call, &error.message));
            }
            return Ok(Err(error));
        }
        unreachable!("the loop ends with its last retry")
    }

    /// Makes one exchange, if budget and limits permit it.
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

    /// The time that the server requests, or a chosen pause.
    fn wait(&self, error: &ChatError, retry: u32) -> Duration {
        match error.retry_after {
            // Waits slightly longer than requested, and not the same time in all threads.
            Some(wished) => wished + Duration::from_millis(fastrand::u64(5..=100)),
            None => self.settings.retry.pause(retry),
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

    /// A reply without the key, in case a server returns it, and masked.
    ///
    /// The texts of an object are masked one by one, after escapes are decoded, so that it remains valid JSON.
    fn masked(&self, reply: ChatReply) -> ChatReply {
        if self.mask.is_none() && self.settings.api_key.is_none() {
            return reply;
        }
        let text = match schema::extract(&reply.text) {
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

    /// The data of a question, masked. The texts of an object are masked one by one, so that it remains valid JSON.
    pub(crate) fn outgoing(&self, data: &str) -> String {
        match serde_json::from_str::<Value>(data) {
            Ok(before @ Value::Object(_)) => {
                let mut masked = before.clone();
                self.hide_texts(&mut masked);
                if masked == before { data.to_owned() } else { format!("{masked:#}") }
            }
            _ => self.hidden(data),
        }
    }

    fn hidden(&self, text: &str) -> String {
        let text = self.without_key(text);
        self.mask.as_ref().map_or_else(|| text.clone(), |mask| mask(&text))
    }

    fn without_key(&self, text: &str) -> String {
        self.settings.api_key.as_ref().map_or_else(|| text.to_string(), |key| key.out_of(text))
    }

    /// The depth is bounded by the parser that created the value.
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

/// Returns true if the next question is likely to fail as well.
fn speaks_against_the_server(fault: Fault) -> bool {
    fault.can_be_tried_again() || matches!(fault, Fault::QuotaExhausted | Fault::Unauthorized)
}

impl ModelSettings {
    /// The cost of `usage`; `None` without prices.
    pub(super) fn cost(&self, usage: Usage) -> Option<f64> {
        let prices = self.prices?;
        let cost = usage.input_tokens as f64 * prices.input_per_million
            + usage.output_tokens as f64 * prices.output_per_million;
        Some(cost / 1_000_000.0)
    }
}

/// Limits the number of simultaneous requests and of requests per minute.
struct Limiter {
    most: u32,
    interval: Duration,
    state: Mutex<State>,
    freed: Condvar,
}

struct State {
    running: u32,
    /// The earliest start of the next request.
    next: Instant,
}

/// The permission to run, which is returned when it is dropped.
struct Permit<'a>(&'a Limiter);

impl Limiter {
    /// Creates a limiter of `most` simultaneous requests and `per_minute` requests a minute at an even pace.
    fn new(most: u32, per_minute: Option<u32>) -> Self {
        let interval = per_minute.map_or(Duration::ZERO, |count| Duration::from_secs(60) / count.max(1));
        let state = Mutex::new(State { running: 0, next: Instant::now() });
        Self { most: most.max(1), interval, state, freed: Condvar::new() }
    }

    /// Waits for the permission to run, until `until` at the latest; `None` if it is not granted in time.
    fn wait(&self, until: Instant) -> Option<Permit<'_>> {
        let mut state = self.lock();
        loop {
            let now = Instant::now();
            if now >= until || state.next >= until {
                return None;
            }
            let wake = match (state.running < self.most, state.next > now) {
                (true, false) => {
                    state.running += 1;
                    state.next = now + self.interval;
                    return Some(Permit(self));
                }
                (true, true) => state.next,
                (false, _) => until,
            };
            let waited = self.freed.wait_timeout(state, wake.saturating_duration_since(now));
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Blocks all requests for this time, because the server's request to wait applies to all threads.
    fn pause(&self, wait: Duration) {
        let mut state = self.lock();
        let later = Instant::now().checked_add(wait);
        state.next = later.map_or(state.next, |later| state.next.max(later));
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Permit<'_> {
    fn drop(&mut self) {
        self.0.lock().running -= 1;
        self.0.freed.notify_all();
    }
}

/// The longest recording that is read, in bytes.
const LONGEST_RECORDING: u64 = 64_000_000;

/// One recorded exchange: the masked reply, without the prompt and the key.
#[derive(Debug, Serialize, Deserialize)]
struct Recorded {
    version: u32,
    question: String,
    hash: String,
    number: u32,
    came: Came,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Came {
    Reply(ChatReply),
    Error(ChatError),
    /// No exchange: reqgate stopped asking.
    Nothing(AskError),
}

/// The result of a call: the outer error is reqgate's, the inner one the model's.
type Exchanged = Result<Result<ChatReply, ChatError>, AskError>;

/// Writes one exchange.
///
/// # Errors
/// Returns a message that names the file and the cause.
fn record(folder: &Path, question: &str, hash: &str, number: u32, came: &Exchanged) -> Result<(), String> {
    let came = match came {
        Ok(Ok(reply)) => Came::Reply(reply.clone()),
        Ok(Err(error)) => Came::Error(error.clone()),
        Err(error) => Came::Nothing(error.clone()),
    };
    let recorded = Recorded { version: 1, question: question.to_string(), hash: hash.to_string(), number, came };
    let path = recording_path(folder, hash, number);
    let text = serde_json::to_vec_pretty(&recorded).map_err(|error| error.to_string())?;
    files::write(&path, &text, Readers::Owner).map_err(|error| format!("writing {}: {error}", path.display()))
}

/// Reads one exchange; `Ok(None)` if it was not recorded.
///
/// # Errors
/// Returns a message that names the damaged file.
fn replay(folder: &Path, hash: &str, number: u32) -> Result<Option<Exchanged>, String> {
    let path = recording_path(folder, hash, number);
    if !path.exists() {
        return Ok(None);
    }
    let damaged = |what: &str| format!("reading {}: {what}", path.display());
    let bytes = files::read(&path, LONGEST_RECORDING).map_err(|_| damaged("it cannot be read"))?;
    let recorded: Recorded = serde_json::from_slice(&bytes).map_err(|error| damaged(&error.to_string()))?;
    if recorded.version != 1 || recorded.hash != hash || recorded.number != number {
        return Err(damaged("it holds a different exchange"));
    }
    Ok(Some(match recorded.came {
        Came::Reply(reply) => Ok(Ok(reply)),
        Came::Error(error) => Ok(Err(error)),
        Came::Nothing(error) => Err(error),
    }))
}

fn recording_path(folder: &Path, hash: &str, number: u32) -> PathBuf {
    folder.join(format!("{hash}-{number}.json"))
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::*;

    fn soon() -> Instant {
        Instant::now() + Duration::from_secs(20)
    }

    #[test]
    fn no_more_run_at_a_time_than_may() {
        let limiter = Limiter::new(2, None);
        let (running, most) = (AtomicU32::new(0), AtomicU32::new(0));
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    let permit = limiter.wait(soon()).unwrap();
                    most.fetch_max(running.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                    std::thread::sleep(Duration::from_millis(5));
                    running.fetch_sub(1, Ordering::SeqCst);
                    drop(permit);
                });
            }
        });
        assert_eq!(most.load(Ordering::SeqCst), 2);
    }

    #[test]
    fn requests_keep_their_distance_and_nobody_waits_past_the_end() {
        let limiter = Limiter::new(9, Some(1_200));
        let start = Instant::now();
        (0..4).for_each(|_| drop(limiter.wait(soon()).unwrap()));
        assert!(start.elapsed() >= Duration::from_millis(150), "{:?}", start.elapsed());
        limiter.pause(Duration::from_secs(3_600));
        let start = Instant::now();
        assert!(limiter.wait(start + Duration::from_secs(2)).is_none());
        assert!(start.elapsed() < Duration::from_secs(1), "it is known at once that the time will not do");
        limiter.pause(Duration::MAX);
    }
}
