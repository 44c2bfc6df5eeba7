//! The settings of a model: key, limits, waits, budget, cache, recording.

use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use garde::Validate;

use super::{AskError, BreakerLimits, ModelName, Provider};
use crate::RetryPolicy;
use reqgate_base::files;

/// All settings of a model. Callers start from [`ModelSettings::new`] and change individual fields.
#[derive(Debug, Clone, Validate)]
pub struct ModelSettings {
    /// The model to ask.
    #[garde(skip)]
    pub model: ModelName,
    /// The address up to and without the path of the operation, e.g. `http://localhost:8000/v1`; `None` for the
    /// provider's own.
    #[garde(inner(length(max = 2000), custom(is_base_url)))]
    pub base_url: Option<String>,
    /// The key; servers on the user's own machine need none.
    #[garde(skip)]
    pub api_key: Option<ApiKey>,
    /// The longest wait for a connection.
    #[garde(custom(is_wait))]
    pub connect_timeout: Duration,
    /// The longest time for one exchange, from the first byte sent to the last byte read.
    #[garde(custom(is_wait))]
    pub timeout: Duration,
    /// The longest time for one question with all its attempts, retries and waits, unless the question sets another.
    #[garde(custom(is_wait))]
    pub deadline: Duration,
    /// The number of replies to read until one must be valid, 1 to 10.
    #[garde(range(min = 1, max = 10))]
    pub attempts: u32,
    /// The number and the pace of retries after a failed exchange.
    #[garde(dive)]
    pub retry: RetryPolicy,
    /// The largest answer in tokens, including reasoning.
    #[garde(range(min = 16, max = 1_000_000))]
    pub max_output_tokens: u32,
    /// The sampling temperature; `None` sends none if the provider's models refuse it, and 0 otherwise.
    #[garde(inner(range(min = 0.0, max = 2.0)))]
    pub temperature: Option<f32>,
    /// The largest body of a reply that is read, in bytes.
    #[garde(range(min = 1_000, max = 64_000_000))]
    pub max_reply_bytes: u64,
    /// The number of simultaneous exchanges, 1 to 256.
    #[garde(range(min = 1, max = 256))]
    pub concurrency: u32,
    /// The number of exchanges per minute; `None` for no limit.
    #[garde(inner(range(min = 1, max = 1_000_000)))]
    pub per_minute: Option<u32>,
    /// The limits of the breaker that pauses a failing model.
    #[garde(dive)]
    pub breaker: BreakerLimits,
    /// The folder with the user's own agents. It never comes from a repository, because it decides which programs are
    /// run.
    #[garde(skip)]
    pub agents: Option<PathBuf>,
    /// The folder in which an agent works, and its tools; `None` for an empty folder without tools.
    #[garde(skip)]
    pub work: Option<AgentWork>,
    /// The budget of a run.
    #[garde(dive)]
    pub budget: Budget,
    /// The prices of tokens. The program contains no table of prices, because they change too often.
    #[garde(dive)]
    pub prices: Option<Prices>,
    /// The folder of cached answers and of the breaker's state; `None` keeps neither.
    #[garde(skip)]
    pub cache: Option<PathBuf>,
    /// The largest size of the cache, in bytes.
    #[garde(range(min = 0))]
    pub cache_bytes: u64,
    /// The recording mode of the run.
    #[garde(skip)]
    pub recording: RecordingMode,
    /// Includes prompts and replies in the trace; they are masked, but still contain people's texts.
    #[garde(skip)]
    pub trace_contents: bool,
}

/// The work of an agent as a step: the folder in which it runs, and the tools that the step allows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgentWork {
    /// The folder, which is a copy: the agent may change it.
    pub folder: PathBuf,
    /// The tools by the names of the agent, e.g. `Read`, `Grep`, `Edit`.
    pub tools: Vec<String>,
}

/// The limits of a run's usage. When the budget is spent, questions end in [`AskError::BudgetSpent`] without being
/// sent.
#[derive(Debug, Clone, Copy, Default, PartialEq, Validate)]
pub struct Budget {
    /// The number of tokens, read and written together.
    #[garde(inner(range(min = 1)))]
    pub tokens: Option<u64>,
    /// The amount of money, in the currency of the prices.
    #[garde(inner(range(min = 0.0)))]
    pub money: Option<f64>,
}

/// The prices of tokens, in any one currency.
#[derive(Debug, Clone, Copy, PartialEq, Validate)]
pub struct Prices {
    /// The price of a million tokens read.
    #[garde(range(min = 0.0))]
    pub input_per_million: f64,
    /// The price of a million tokens written.
    #[garde(range(min = 0.0))]
    pub output_per_million: f64,
}

/// The recording mode of a run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum RecordingMode {
    /// The run is neither recorded nor replayed.
    #[default]
    Live,
    /// Every exchange is written into this folder; cached answers are not used.
    Record(PathBuf),
    /// Every exchange is read from this folder, and none is sent; a missing one ends in [`AskError::ReplayMissing`].
    Replay(PathBuf),
}

impl ModelSettings {
    /// The defaults for a model: 30 s for an exchange, 60 s for a question, three attempts, no budget, no cache. An
    /// agent has 300 s for an exchange, and twice that for a question.
    pub fn new(model: ModelName) -> Self {
        let seconds = if model.provider().is_program() { 300 } else { 30 };
        Self {
            model,
            base_url: None,
            api_key: None,
            connect_timeout: Duration::from_secs(5),
            timeout: Duration::from_secs(seconds),
            deadline: Duration::from_secs(2 * seconds),
            attempts: 3,
            retry: RetryPolicy::default(),
            max_output_tokens: 8_192,
            temperature: None,
            max_reply_bytes: 8_000_000,
            concurrency: 4,
            per_minute: None,
            breaker: BreakerLimits::default(),
            agents: None,
            work: None,
            budget: Budget::default(),
            prices: None,
            cache: None,
            cache_bytes: 100_000_000,
            recording: RecordingMode::Live,
            trace_contents: false,
        }
    }

    /// Settings for tests, without waits and files.
    pub(crate) fn for_tests() -> Self {
        let model = "openai/test".parse().expect("a plain word is a name");
        let retry = RetryPolicy { tries: 3, base: Duration::ZERO, most: Duration::ZERO };
        Self { retry, ..Self::new(model) }
    }

    /// The host and port of the model, e.g. `localhost:11434`.
    pub(crate) fn host(&self) -> String {
        if self.model.provider().is_program() {
            return "this machine".to_owned();
        }
        let url = self.url();
        let port = url.as_ref().and_then(reqwest::Url::port).map_or_else(String::new, |port| format!(":{port}"));
        let host = url.as_ref().and_then(|url| url.host_str()).unwrap_or_default();
        format!("{host}{port}")
    }

    /// Returns true if requests do not leave this machine.
    pub(crate) fn is_on_this_machine(&self) -> bool {
        self.url().as_ref().and_then(reqwest::Url::host_str).is_some_and(crate::is_loopback)
    }

    /// Returns true if requests can be read on the way.
    pub(crate) fn is_unencrypted(&self) -> bool {
        self.url().is_some_and(|url| url.scheme() == "http")
    }

    fn url(&self) -> Option<reqwest::Url> {
        let base = self.base_url.as_deref().unwrap_or(super::provider::Profile::of(self).base_url);
        reqwest::Url::parse(base).ok()
    }

    /// Checks the rules that types cannot express.
    ///
    /// # Errors
    /// Returns [`AskError::Configuration`] with every problem as `field: message`.
    pub(crate) fn check(&self) -> Result<(), AskError> {
        let mut problems: Vec<String> = match self.validate() {
            Ok(()) => Vec::new(),
            Err(report) => report.iter().map(|(path, error)| format!("{path}: {error}")).collect(),
        };
        if self.model.provider().is_program() && self.base_url.is_some() {
            problems.push("base_url: an agent has none; leave out --base-url".to_string());
        }
        if let Some(work) = &self.work {
            if !self.model.provider().is_program() {
                problems.push("work: only an agent works in a folder; name one as agent/NAME".to_string());
            }
            if work.tools.iter().any(|tool| tool.trim().is_empty() || tool.starts_with('-') || tool.contains(',')) {
                problems.push("work.tools: a tool is a name without a comma, e.g. Read".to_string());
            }
        }
        if self.budget.money.is_some() && self.prices.is_none() {
            problems.push("budget.money: needs prices; set the price of a million tokens".to_string());
        }
        if self.is_unencrypted() && !self.is_on_this_machine() {
            problems.push(
                "base_url: must use https://, because http:// exposes the key and the text; http:// is allowed only for \
                 this machine (localhost, 127.0.0.1)"
                    .to_string(),
            );
        }
        match problems.is_empty() {
            true => Ok(()),
            false => Err(AskError::configuration(problems.join("; "))),
        }
    }
}

/// The default folder of cached answers and breakers: the cache folder of the user's programs. `None` for a user
/// without a home, such as in a bare container.
pub fn cache_folder(variable: impl Fn(&str) -> Option<String>) -> Option<PathBuf> {
    let absolute = |name: &str| variable(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let base = absolute("XDG_CACHE_HOME")
        .or_else(|| absolute("LOCALAPPDATA"))
        .or_else(|| absolute("HOME").map(|home| home.join(".cache")))?;
    Some(base.join("reqgate").join("models"))
}

fn is_wait(wait: &Duration, _: &()) -> garde::Result {
    match (Duration::from_millis(1)..=Duration::from_secs(3600)).contains(wait) {
        true => Ok(()),
        false => Err(garde::Error::new("must be between 1 ms and 1 hour")),
    }
}

/// Checks that a base URL is http or https, has a host, and contains no user, query or fragment, which would be sent
/// unnoticed.
fn is_base_url(url: &str, _: &()) -> garde::Result {
    let parsed = reqwest::Url::parse(url).map_err(|error| garde::Error::new(format!("is not a URL: {error}")))?;
    let fits = matches!(parsed.scheme(), "http" | "https")
        && parsed.has_host()
        && parsed.username().is_empty()
        && parsed.password().is_none()
        && parsed.query().is_none()
        && parsed.fragment().is_none();
    match fits {
        true => Ok(()),
        false => Err(garde::Error::new("must be http:// or https:// with a host and without user, query or fragment")),
    }
}

/// A key. Its `Debug` is `[key]`; it has no `Display` and is not serialised. Its memory is not overwritten, because a
/// process that can read it can also read the environment.
#[derive(Clone, PartialEq, Eq)]
pub struct ApiKey(String);

/// The shortest secret; a shorter key is a word such as `none` that may occur in any text.
const SHORTEST_SECRET: usize = 8;

/// The largest file with a key, in bytes; a longer one is a mistake.
const LONGEST_KEY: u64 = 4096;

impl ApiKey {
    /// Creates a key of 1 to 4,096 visible ASCII characters; surrounding white space is removed.
    ///
    /// # Errors
    /// Returns [`AskError::Configuration`], which does not repeat the key.
    pub fn new(text: &str) -> Result<Self, AskError> {
        let text = text.trim();
        if text.is_empty() || text.len() as u64 > LONGEST_KEY || !text.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(AskError::configuration(
                "the API key is not valid: it must be one line of visible ASCII characters",
            ));
        }
        Ok(Self(text.to_string()))
    }

    /// The names of the environment variables that may contain the key of `provider`; the first that is set wins.
    pub(crate) fn variables(provider: Provider) -> &'static [&'static str] {
        super::provider::profile(provider).key_variables
    }

    /// Reads the key of `provider` through `variable`; `None` if none of its variables is set.
    ///
    /// # Errors
    /// Returns [`AskError::Configuration`] if the variable contains an invalid key.
    pub fn from_environment(
        provider: Provider,
        variable: impl Fn(&str) -> Option<String>,
    ) -> Result<Option<Self>, AskError> {
        let value =
            Self::variables(provider).iter().find_map(|name| variable(name).filter(|value| !value.trim().is_empty()));
        value.map(|value| Self::new(&value)).transpose()
    }

    /// Reads the key from a file that only its owner can read.
    ///
    /// # Errors
    /// Returns [`AskError::Configuration`] if the file cannot be read, is readable by others, or contains no valid key.
    pub fn from_file(path: &Path) -> Result<Self, AskError> {
        let refuse =
            |what: &str| AskError::configuration(format!("reading the API key from {}: {what}", path.display()));
        let about = std::fs::metadata(path).map_err(|error| refuse(&error.to_string()))?;
        if !about.is_file() || about.len() > LONGEST_KEY {
            return Err(refuse("it is not a file with exactly one key"));
        }
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            if about.permissions().mode() & 0o077 != 0 {
                return Err(refuse("other users can read it; run chmod 600 on it"));
            }
        }
        let text = files::text(path, LONGEST_KEY).map_err(|error| refuse(&error.to_string()))?;
        Self::new(&text)
    }

    /// Removes the key from a text. A short word, which self-hosted servers accept as a key, is not a secret and stays.
    pub(super) fn out_of(&self, text: &str) -> String {
        if self.0.len() < SHORTEST_SECRET { text.to_string() } else { text.replace(&self.0, "[key]") }
    }

    /// The key itself, for the header of a request and for removing it from a server's messages.
    pub(super) fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for ApiKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[key]")
    }
}
