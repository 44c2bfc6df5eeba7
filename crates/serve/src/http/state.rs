//! What all requests share: the installation, its gates, the tokens, and the threads for blocking work.

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

/// How long a gate is used before it is made anew: so soon a change of the configuration counts.
const FRESH: Duration = Duration::from_secs(60);
/// The most gates that are kept ready: policies × languages of an installation are fewer.
const MOST_GATES: usize = 16;

/// The most requests that take threads further at a time.
const MOST_WORKING: usize = 16;

/// The most clients that watch threads at a time.
const MOST_WATCHERS: usize = 100;

/// How the person who starts the service wants it.
#[derive(Debug, Clone)]
pub struct HttpSettings {
    /// Where it listens.
    pub listen: SocketAddr,
    /// Names by which clients reach it, besides those of the loopback.
    pub hosts: Vec<String>,
    /// Requests per second of one client.
    pub rate: u32,
    /// The folder of the state, where the tokens are.
    pub state: PathBuf,
    /// Secret of GitHub's webhooks.
    pub github_secret: Option<String>,
    /// Secret of Jira's webhooks.
    pub jira_secret: Option<String>,
    /// Reads a variable of the environment: options and tokens for trackers.
    pub variable: fn(&str) -> Option<String>,
    /// Takes a line for the log.
    pub log: fn(&str),
}

impl HttpSettings {
    /// True if only this machine reaches the service: a proxy would pass on requests of others under a name.
    pub fn is_only_here(&self) -> bool {
        self.listen.ip().is_loopback() && self.hosts.is_empty()
    }
}

/// The state of the service, as handlers get it.
pub type Shared = Arc<Service>;

/// The state of the service.
pub struct Service {
    installation: Box<dyn Installation>,
    /// The settings.
    pub settings: HttpSettings,
    tokens: Tokens,
    gates: Mutex<Gates>,
    /// As many texts are judged at a time as there are cores.
    judging: Arc<Semaphore>,
    /// Requests that take threads further: one may wait for a busy thread, and must not keep a text from being judged.
    working: Arc<Semaphore>,
    /// The rates of the clients.
    pub(super) buckets: Buckets,
    /// The bodies of all requests and deliveries.
    pub(super) bodies: Arc<Bodies>,
    /// Places for clients that watch threads.
    pub(super) watchers: Arc<Semaphore>,
    pub(super) deliveries: Deliveries,
    /// True once the service is to end.
    pub(super) ending: watch::Receiver<bool>,
}

/// The gates that are ready, by policy and language of the reports.
type Gates = HashMap<(Option<String>, Option<Language>), Ready>;

/// A gate that is ready. It is made anew every minute, because the configuration changes, and every day, because waivers end.
struct Ready {
    day: String,
    made: Instant,
    gate: Arc<Pipeline>,
}

impl Service {
    /// The state of a service that has no requests yet.
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

    /// The number of deliveries of webhooks that wait.
    pub fn webhooks_waiting(&self) -> usize {
        self.deliveries.waiting()
    }

    /// The installation. Its functions block: use it within [`blocking`].
    pub fn installation(&self) -> &dyn Installation {
        self.installation.as_ref()
    }

    /// The person who runs the service, for requests without a token: only if nobody else reaches it, and only as long as there
    /// are no tokens.
    pub fn of_machine(&self, channel: &'static str) -> Option<Person> {
        let is_open = self.settings.is_only_here() && self.tokens.list().is_ok_and(|tokens| tokens.is_empty());
        is_open.then(|| Person { name: self.installation.person(), role: Role::Admin, channel })
    }

    /// The bearer of a token, if it is known.
    ///
    /// # Errors
    /// Fails if the file of tokens cannot be read.
    pub fn bearer(&self, token: &str, channel: &'static str) -> Result<Option<Person>, ProblemDetails> {
        let bearer = self.tokens.bearer(token).map_err(ProblemDetails::internal)?;
        Ok(bearer.map(|token| Person { name: token.name, role: token.role, channel }))
    }

    /// The gate under a policy, or as configured, with its reports in a language, or in that of each text. Blocks.
    ///
    /// # Errors
    /// A problem with the status 404 if the policy is not known.
    pub fn gate(&self, policy: Option<&str>, language: Option<Language>) -> Result<Arc<Pipeline>, ProblemDetails> {
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

    /// The gate under a policy, opened anew with what a reader needs. Blocks.
    ///
    /// # Errors
    /// A problem with the status 404 if the policy is not known.
    pub fn opened(&self, policy: Option<&str>) -> Result<Gate, ProblemDetails> {
        self.installation.gate(policy).map_err(|error| of_policy(policy, error))
    }

    /// Masks personal data and secrets in words that are shown. Blocks.
    ///
    /// # Errors
    /// Fails if the configuration is broken.
    pub fn masked(&self, words: &str) -> Result<String, ProblemDetails> {
        Ok(self.gate(None, None)?.masked(words))
    }
}

/// The installation was opened when the service started: what fails with a policy is that the policy is not known.
fn of_policy(policy: Option<&str>, error: String) -> ProblemDetails {
    match policy {
        Some(_) => ProblemDetails::missing(error),
        None => ProblemDetails::internal(error),
    }
}

/// Does work that blocks (judging, reading the store) on a thread for such work, as soon as a core is free.
///
/// # Errors
/// Fails as the work does.
pub async fn blocking<T: Send + 'static>(
    state: &Shared,
    work: impl FnOnce(&Service) -> Result<T, ProblemDetails> + Send + 'static,
) -> Result<T, ProblemDetails> {
    within(&state.judging, state, work).await
}

/// Does work that takes a millisecond or two, as a small text does, on the thread of the request: changing threads would cost as much
/// as a tenth of it. Everything else waits no longer than that.
///
/// # Errors
/// Fails as the work does.
pub async fn at_once<T>(
    state: &Shared,
    work: impl FnOnce(&Service) -> Result<T, ProblemDetails>,
) -> Result<T, ProblemDetails> {
    let _permit = state.judging.acquire().await.map_err(ending)?;
    work(state)
}

/// As [`blocking`], for work that may wait for whoever works on a thread.
///
/// # Errors
/// Fails as the work does.
pub async fn working<T: Send + 'static>(
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
        // Held until the work is done, even if nobody waits for it any more.
        let _permit = permit;
        work(&state)
    });
    done.await.unwrap_or_else(|error| Err(ProblemDetails::internal(error)))
}

fn ending(_: AcquireError) -> ProblemDetails {
    ProblemDetails::new(StatusCode::SERVICE_UNAVAILABLE, "the service is ending")
}
