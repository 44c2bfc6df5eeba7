//! The state that all requests share: the installation, its gates, the tokens, and the threads for blocking work.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::http::StatusCode;
use tokio::sync::{AcquireError, Semaphore, watch};

use super::bodies::Bodies;
use super::deliveries::Deliveries;
use super::error::ProblemDetails;
use super::person::Person;
use super::rate::Buckets;
use super::tokens::{Role, Tokens};
use crate::{Gate, Installation};
use reqgate_base::model::Language;
use reqgate_gate::pipeline::Pipeline;

/// The maximum age of a gate; a change of the configuration takes effect within this time.
const FRESH: Duration = Duration::from_secs(60);
/// The maximum number of gates that are kept; an installation has fewer combinations of policy and language.
const MOST_GATES: usize = 16;

/// The maximum number of concurrent requests that advance threads.
const MOST_WORKING: usize = 16;

/// The maximum number of clients that watch threads at the same time.
const MOST_WATCHERS: usize = 100;

/// The settings of the service, from its command line and environment.
#[derive(Debug, Clone)]
pub struct HttpSettings {
    /// The address on which it listens.
    pub listen: SocketAddr,
    /// The host names by which clients reach it, in addition to those of the loopback interface.
    pub hosts: Vec<String>,
    /// The limit of requests per second and client.
    pub rate: u32,
    /// The folder of the state, which contains the tokens.
    pub state: PathBuf,
    /// The secret of GitHub's webhooks.
    pub github_secret: Option<String>,
    /// The secret of Jira's webhooks.
    pub jira_secret: Option<String>,
    /// Reads a variable of the environment: options and tokens for trackers.
    pub variable: fn(&str) -> Option<String>,
    /// Writes a line to the log.
    pub log: fn(&str),
}

impl HttpSettings {
    /// Returns true if only this machine reaches the service. A configured host name means that a proxy may pass on
    /// requests of others.
    pub(crate) fn is_only_here(&self) -> bool {
        self.listen.ip().is_loopback() && self.hosts.is_empty()
    }
}

/// The state of the service, as handlers get it.
pub type Shared = Arc<Service>;

/// The shared state of the service.
pub struct Service {
    installation: Box<dyn Installation>,
    /// The settings of the service.
    pub settings: HttpSettings,
    tokens: Tokens,
    gates: Mutex<Gates>,
    /// Limits concurrent judgements to the number of cores.
    judging: Arc<Semaphore>,
    /// Limits requests that advance threads. They have their own limit, because one may wait for a busy thread and must
    /// not block a judgement.
    working: Arc<Semaphore>,
    pub(super) buckets: Buckets,
    /// The bodies of all requests and deliveries.
    pub(super) bodies: Arc<Bodies>,
    /// Limits the clients that watch threads.
    pub(super) watchers: Arc<Semaphore>,
    pub(super) deliveries: Deliveries,
    /// Becomes true when the service ends.
    pub(super) ending: watch::Receiver<bool>,
}

/// The cached gates, by policy and language of the reports.
type Gates = HashMap<(Option<String>, Option<Language>), Ready>;

/// A cached gate. It is replaced every minute, because the configuration changes, and every day, because waivers end.
struct Ready {
    day: String,
    made: Instant,
    gate: Arc<Pipeline>,
}

impl Service {
    pub(super) fn new(
        installation: Box<dyn Installation>,
        settings: HttpSettings,
        deliveries: Deliveries,
        ending: watch::Receiver<bool>,
    ) -> Self {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Self {
            tokens: Tokens::in_folder(&settings.state),
            buckets: Buckets::new(settings.rate),
            installation,
            settings,
            gates: Mutex::default(),
            judging: Arc::new(Semaphore::new(cores)),
            working: Arc::new(Semaphore::new(MOST_WORKING)),
            bodies: Arc::default(),
            watchers: Arc::new(Semaphore::new(MOST_WATCHERS)),
            deliveries,
            ending,
        }
    }

    /// The number of webhook deliveries in the queue.
    pub(crate) fn webhooks_waiting(&self) -> usize {
        self.deliveries.waiting()
    }

    /// The installation. Its functions block: use it within [`blocking`].
    pub(crate) fn installation(&self) -> &dyn Installation {
        self.installation.as_ref()
    }

    /// The person who runs the service, for requests without a token. Returns one only if the service is not reachable
    /// from other machines and it has no tokens.
    pub(crate) fn of_machine(&self, channel: &'static str) -> Option<Person> {
        let is_open = self.settings.is_only_here() && self.tokens.list().is_ok_and(|tokens| tokens.is_empty());
        is_open.then(|| Person { name: self.installation.person(), role: Role::Admin, channel })
    }

    /// The bearer of a token, if it is known.
    ///
    /// # Errors
    /// Fails if the file of tokens cannot be read.
    pub(crate) fn bearer(&self, token: &str, channel: &'static str) -> Result<Option<Person>, ProblemDetails> {
        let bearer = self.tokens.bearer(token).map_err(ProblemDetails::internal)?;
        Ok(bearer.map(|token| Person { name: token.name, role: token.role, channel }))
    }

    /// The gate under a policy (default: as configured), with its reports in a language (default: that of each text).
    /// Blocks.
    ///
    /// # Errors
    /// A problem with the status 404 if the policy is not known.
    pub(crate) fn gate(
        &self,
        policy: Option<&str>,
        language: Option<Language>,
    ) -> Result<Arc<Pipeline>, ProblemDetails> {
        let (today, made) = (self.installation.today(), Instant::now());
        let key = (policy.map(str::to_owned), language);
        let gates = || self.gates.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(ready) = gates().get(&key).filter(|ready| ready.day == today && ready.made.elapsed() < FRESH) {
            return Ok(Arc::clone(&ready.gate));
        }
        let gate = self.installation.gate_in(policy, language).map_err(|error| of_policy(policy, error))?;
        let gate = Arc::new(gate.pipeline);
        let mut gates = gates();
        if gates.len() >= MOST_GATES && !gates.contains_key(&key) {
            gates.clear();
        }
        gates.insert(key, Ready { day: today, made, gate: Arc::clone(&gate) });
        Ok(gate)
    }

    /// Opens a new gate under a policy, with the parts that a review needs. Blocks.
    ///
    /// # Errors
    /// A problem with the status 404 if the policy is not known.
    pub(crate) fn opened(&self, policy: Option<&str>) -> Result<Gate, ProblemDetails> {
        self.installation.gate(policy).map_err(|error| of_policy(policy, error))
    }

    /// Masks personal data and secrets in a text that is shown. Blocks.
    ///
    /// # Errors
    /// Fails if the configuration is not valid.
    pub(crate) fn masked(&self, words: &str) -> Result<String, ProblemDetails> {
        Ok(self.gate(None, None)?.masked(words))
    }
}

/// The problem of a gate that cannot be opened. The installation was opened when the service started, so an error with
/// a policy means that the policy is not known.
fn of_policy(policy: Option<&str>, error: String) -> ProblemDetails {
    match policy {
        Some(_) => ProblemDetails::missing(error),
        None => ProblemDetails::internal(error),
    }
}

/// Runs blocking work (judging, reading the store) on a thread for such work, as soon as a core is free.
///
/// # Errors
/// Returns the error of the work.
pub(crate) async fn blocking<T: Send + 'static>(
    state: &Shared,
    work: impl FnOnce(&Service) -> Result<T, ProblemDetails> + Send + 'static,
) -> Result<T, ProblemDetails> {
    within(&state.judging, state, work).await
}

/// Runs work of a millisecond or two, such as judging a small text, on the thread of the request: changing threads
/// would add up to a tenth to it. Other requests wait no longer than that.
///
/// # Errors
/// Returns the error of the work.
pub(super) async fn at_once<T>(
    state: &Shared,
    work: impl FnOnce(&Service) -> Result<T, ProblemDetails>,
) -> Result<T, ProblemDetails> {
    let _permit = state.judging.acquire().await.map_err(ending)?;
    work(state)
}

/// As [`blocking`], for work that may wait for another process that works on a thread.
///
/// # Errors
/// Returns the error of the work.
pub(crate) async fn working<T: Send + 'static>(
    state: &Shared,
    work: impl FnOnce(&Service) -> Result<T, ProblemDetails> + Send + 'static,
) -> Result<T, ProblemDetails> {
    within(&state.working, state, work).await
}

async fn within<T: Send + 'static>(
    places: &Arc<Semaphore>,
    state: &Shared,
    work: impl FnOnce(&Service) -> Result<T, ProblemDetails> + Send + 'static,
) -> Result<T, ProblemDetails> {
    let permit = Arc::clone(places).acquire_owned().await.map_err(ending)?;
    let state = Arc::clone(state);
    let done = tokio::task::spawn_blocking(move || {
        // Held until the work is done, even if the request was dropped.
        let _permit = permit;
        work(&state)
    });
    done.await.unwrap_or_else(|error| Err(ProblemDetails::internal(error)))
}

fn ending(_: AcquireError) -> ProblemDetails {
    ProblemDetails::new(StatusCode::SERVICE_UNAVAILABLE, "the service is ending")
}
