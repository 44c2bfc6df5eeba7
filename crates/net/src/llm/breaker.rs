//! A circuit breaker: stops asking a model that failed too often, and sends one probe after a while.
//!
//! Each combination of provider, model and host has a breaker. Its state is kept in a small file, so that the next run
//! can read it and `reqgate health` can show it.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use garde::Validate;
use serde::{Deserialize, Serialize};

use reqgate_base::files::{self, Readers};
use reqgate_base::hash::Hash;

/// The limits that open a breaker, and for how long.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Validate)]
pub struct BreakerLimits {
    /// The number of consecutive failed calls that open it, 1 to 1,000; a call counts once, after its retries.
    #[garde(range(min = 1, max = 1_000))]
    pub failures: u32,
    /// The time for which an open breaker blocks requests.
    #[garde(skip)]
    pub recovery: Duration,
}

impl Default for BreakerLimits {
    /// Five failures; thirty seconds.
    fn default() -> Self {
        Self { failures: 5, recovery: Duration::from_secs(30) }
    }
}

/// The time after which an unanswered probe counts as lost, and another may be sent.
const PROBE_LOST: Duration = Duration::from_secs(120);

/// The stored state of a breaker.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BreakerState {
    /// The version of this file; 1.
    pub version: u32,
    /// The model, e.g. `ollama/qwen2.5:7b`.
    pub model: String,
    /// The host of the model, e.g. `localhost:11434`.
    pub host: String,
    /// The number of consecutive failed calls.
    pub failures: u32,
    /// The time of the last failure, in milliseconds since 1970; `None` if there was none since the last success.
    pub last_failure_ms: Option<u64>,
    /// The time at which it opened, in milliseconds since 1970; `None` while it is closed.
    pub opened_ms: Option<u64>,
    /// The time for which it stays open, in milliseconds; `None` for the default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recovery_ms: Option<u64>,
}

/// The phase of a breaker, which decides if it lets requests through.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// The breaker lets all requests through.
    Closed,
    /// The breaker blocks all requests.
    Open,
    /// The breaker lets one request through as a probe.
    HalfOpen,
}

impl BreakerState {
    /// The phase at `now_ms`, and its remaining time if no request is sent.
    pub(crate) fn phase(&self, now_ms: u64) -> (Phase, Duration) {
        let Some(opened) = self.opened_ms else { return (Phase::Closed, Duration::ZERO) };
        let recovery = self.recovery_ms.unwrap_or(BreakerLimits::default().recovery.as_millis() as u64);
        // A clock that was set back would keep the breaker open forever.
        let passed = now_ms.checked_sub(opened).unwrap_or(recovery);
        match recovery.checked_sub(passed).filter(|left| *left > 0) {
            Some(left) => (Phase::Open, Duration::from_millis(left)),
            None => (Phase::HalfOpen, Duration::ZERO),
        }
    }
}

/// The breaker of one model.
pub struct Breaker {
    file: Option<PathBuf>,
    limits: BreakerLimits,
    inner: Mutex<Inner>,
}

struct Inner {
    state: BreakerState,
    probe_since_ms: Option<u64>,
}

impl Breaker {
    /// Opens the breaker of `model` at `host`, in the state that the last run left in `folder`.
    pub fn open(folder: Option<&Path>, model: &str, host: &str, limits: BreakerLimits) -> Self {
        let file =
            folder.map(|folder| folder.join("breakers").join(format!("{}.json", Hash::of_parts([model, host]).hex())));
        let fresh = || BreakerState {
            version: 1,
            model: model.to_string(),
            host: host.to_string(),
            failures: 0,
            last_failure_ms: None,
            opened_ms: None,
            recovery_ms: None,
        };
        let kept = file.as_deref().and_then(read).filter(|state| state.model == model && state.host == host);
        Self { file, limits, inner: Mutex::new(Inner { state: kept.unwrap_or_else(fresh), probe_since_ms: None }) }
    }

    /// Checks that a request may be sent.
    ///
    /// # Errors
    /// Returns the time to wait before the model may be asked again.
    pub(crate) fn allow(&self, now_ms: u64) -> Result<(), Duration> {
        let mut inner = self.lock();
        match inner.state.phase(now_ms) {
            (Phase::Closed, _) => Ok(()),
            (Phase::Open, left) => Err(left),
            (Phase::HalfOpen, _) => {
                let under_way = inner
                    .probe_since_ms
                    .is_some_and(|since| now_ms.saturating_sub(since) < PROBE_LOST.as_millis() as u64);
                if under_way {
                    return Err(Duration::from_secs(1));
                }
                inner.probe_since_ms = Some(now_ms);
                Ok(())
            }
        }
    }

    /// Records that a permitted call was not made.
    pub(crate) fn not_asked(&self) {
        self.lock().probe_since_ms = None;
    }

    /// Records an answer of the model, even an invalid one.
    pub(crate) fn succeeded(&self) {
        let mut inner = self.lock();
        inner.probe_since_ms = None;
        if inner.state.failures > 0 || inner.state.opened_ms.is_some() {
            inner.state.failures = 0;
            inner.state.last_failure_ms = None;
            inner.state.opened_ms = None;
            inner.state.recovery_ms = None;
            self.keep(&inner.state);
        }
    }

    /// Records a call that failed after its retries.
    pub(crate) fn failed(&self, now_ms: u64) {
        let mut inner = self.lock();
        inner.probe_since_ms = None;
        inner.state.failures = inner.state.failures.saturating_add(1);
        inner.state.last_failure_ms = Some(now_ms);
        if inner.state.failures >= self.limits.failures {
            inner.state.opened_ms = Some(now_ms);
            inner.state.recovery_ms = Some(self.limits.recovery.as_millis() as u64);
        }
        self.keep(&inner.state);
    }

    /// A copy of the current state.
    #[cfg(test)]
    pub(crate) fn state(&self) -> BreakerState {
        self.lock().state.clone()
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Stores the state. An error is ignored, because the next run can learn the state itself.
    fn keep(&self, state: &BreakerState) {
        if let (Some(file), Ok(text)) = (&self.file, serde_json::to_vec(state)) {
            let _ = files::write(file, &text, Readers::Owner);
        }
    }
}

/// The states stored in `folder`, by model and host.
pub(super) fn kept(folder: &Path) -> Vec<BreakerState> {
    let entries = std::fs::read_dir(folder.join("breakers")).into_iter().flatten().flatten();
    let files = entries.map(|entry| entry.path()).filter(|path| path.extension().is_some_and(|end| end == "json"));
    let mut states: Vec<BreakerState> = files.filter_map(|path| read(&path)).collect();
    states.sort_by(|a, b| (&a.model, &a.host).cmp(&(&b.model, &b.host)));
    states
}

fn read(file: &Path) -> Option<BreakerState> {
    serde_json::from_slice(&files::read(file, 10_000).ok()?).ok().filter(|state: &BreakerState| state.version == 1)
}

/// The current time in milliseconds since 1970.
pub(crate) fn now_ms() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as u64)
}

/// The health of all external services that reqgate uses.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Health {
    /// The name and version of this format.
    pub format: &'static str,
    /// The number of consecutive failed calls that open a breaker.
    pub failure_threshold: u32,
    /// The time in milliseconds for which a breaker stays open.
    pub recovery_timeout_ms: u64,
    /// The models that failed or recovered, by name and host.
    pub models: Vec<ModelHealth>,
}

/// The health of one model.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ModelHealth {
    /// The model, e.g. `ollama/qwen2.5:7b`.
    pub model: String,
    /// The host of the model.
    pub host: String,
    /// The phase of its breaker.
    pub state: Phase,
    /// The number of consecutive failed calls.
    pub failures: u32,
    /// The time of the last failure, in milliseconds since 1970.
    pub last_failure_ms: Option<u64>,
    /// The milliseconds until the model is tried again; 0 if it can be asked now.
    pub retry_in_ms: u64,
}

impl Health {
    /// Returns true if all breakers are closed.
    pub fn is_well(&self) -> bool {
        self.models.iter().all(|model| model.state == Phase::Closed)
    }
}

/// Reads the states that runs with this cache folder have left; runs without one leave none. `limits` are those of the
/// next run.
pub fn health(cache: Option<&Path>, limits: BreakerLimits) -> Health {
    let now = now_ms();
    let models = cache.map(kept).unwrap_or_default().into_iter().map(|kept| {
        let (state, left) = kept.phase(now);
        ModelHealth {
            state,
            retry_in_ms: left.as_millis() as u64,
            model: kept.model,
            host: kept.host,
            failures: kept.failures,
            last_failure_ms: kept.last_failure_ms,
        }
    });
    Health {
        format: "reqgate/health/v1",
        failure_threshold: limits.failures,
        recovery_timeout_ms: limits.recovery.as_millis() as u64,
        models: models.collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: BreakerLimits = BreakerLimits { failures: 5, recovery: Duration::from_secs(30) };
    const RECOVERY: Duration = LIMITS.recovery;
    const RECOVERY_MS: u64 = RECOVERY.as_millis() as u64;

    fn open(folder: Option<&Path>, model: &str) -> Breaker {
        Breaker::open(folder, model, "localhost:1", BreakerLimits::default())
    }

    fn broken(folder: Option<&Path>) -> Breaker {
        let breaker = open(folder, "openai/m");
        (0..LIMITS.failures).for_each(|call| breaker.failed(1_000 + u64::from(call)));
        breaker
    }

    #[test]
    fn five_failures_in_a_row_open_it_and_a_success_between_them_does_not() {
        let breaker = open(None, "openai/m");
        for _ in 0..3 {
            (1..LIMITS.failures).for_each(|_| breaker.failed(1_000));
            assert_eq!(breaker.allow(1_000), Ok(()));
            breaker.succeeded();
        }
        assert_eq!(broken(None).allow(1_004), Err(RECOVERY));
    }

    #[test]
    fn after_the_recovery_one_probe_goes_and_decides() {
        let breaker = broken(None);
        let later = 1_004 + RECOVERY_MS;
        assert_eq!(breaker.allow(later), Ok(()));
        assert!(breaker.allow(later).is_err(), "a second probe");
        breaker.failed(later);
        assert_eq!(breaker.allow(later), Err(RECOVERY));
        assert_eq!(breaker.allow(later + RECOVERY_MS), Ok(()));
        breaker.succeeded();
        assert_eq!((breaker.allow(later), breaker.allow(later)), (Ok(()), Ok(())));
    }

    #[test]
    fn the_next_run_finds_it_open_and_damage_counts_as_closed() {
        let folder = tempfile::tempdir().unwrap();
        broken(Some(folder.path()));
        let again = open(Some(folder.path()), "openai/m");
        assert_eq!(again.allow(1_004), Err(RECOVERY));
        assert_eq!(open(Some(folder.path()), "openai/n").allow(1_004), Ok(()));
        assert_eq!(kept(folder.path()), [again.state()]);
        let file = again.file.clone().unwrap();
        std::fs::write(&file, b"{\"version\":1").unwrap();
        assert_eq!(open(Some(folder.path()), "openai/m").allow(1_004), Ok(()));
        assert_eq!(kept(folder.path()), []);
    }

    #[test]
    fn limits_of_a_team_count_and_the_next_run_keeps_to_the_wait_that_was_set() {
        let folder = tempfile::tempdir().unwrap();
        let limits = BreakerLimits { failures: 2, recovery: Duration::from_secs(300) };
        let breaker = Breaker::open(Some(folder.path()), "openai/m", "localhost:1", limits);
        breaker.failed(1_000);
        assert_eq!(breaker.allow(1_000), Ok(()));
        breaker.failed(1_000);
        assert_eq!(breaker.allow(1_000), Err(limits.recovery));
        assert_eq!(open(Some(folder.path()), "openai/m").allow(101_000), Err(Duration::from_secs(200)));
        let shown = health(Some(folder.path()), limits);
        assert_eq!((shown.failure_threshold, shown.recovery_timeout_ms), (2, 300_000));
    }

    #[test]
    fn a_clock_that_was_set_back_does_not_keep_it_open() {
        assert_eq!(broken(None).state().phase(3).0, Phase::HalfOpen);
    }
}
