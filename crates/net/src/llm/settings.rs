//! How a model is asked: key, limits, waits, budget, cache, recording.

use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use garde::Validate;

use super::{AskError, BreakerLimits, ModelName, Provider};
use crate::RetryPolicy;
use reqgate_base::files;

/// Everything that says how a model is asked. Start from [`ModelSettings::new`] and change what differs.
#[derive(Debug, Clone, Validate)]
pub struct ModelSettings {
    /// The model.
    #[garde(skip)]
    pub model: ModelName,
    /// Where it is, up to and without the path of the operation, e.g. `http://localhost:8000/v1`; `None`: the provider's own.
    #[garde(inner(length(max = 2000), custom(is_base_url)))]
    pub base_url: Option<String>,
    /// The key; servers on one's own machine need none.
    #[garde(skip)]
    pub api_key: Option<ApiKey>,
    /// Longest wait for a connection.
    #[garde(custom(is_wait))]
    pub connect_timeout: Duration,
    /// Longest wait for one exchange, from the first byte sent to the last byte read.
    #[garde(custom(is_wait))]
    pub timeout: Duration,
    /// Longest time for one question with all its attempts, retries and waits, unless the question says otherwise.
    #[garde(custom(is_wait))]
    pub deadline: Duration,
    /// Replies that are read until one must be valid, 1 to 10.
    #[garde(range(min = 1, max = 10))]
    pub attempts: u32,
    /// How often and how fast a failed exchange is tried again.
    #[garde(dive)]
    pub retry: RetryPolicy,
    /// Largest answer, in tokens; reasoning counts.
    #[garde(range(min = 16, max = 1_000_000))]
    pub max_output_tokens: u32,
    /// Sampling temperature; `None` sends none where the provider's models refuse it, and 0 elsewhere.
    #[garde(inner(range(min = 0.0, max = 2.0)))]
    pub temperature: Option<f32>,
    /// Largest body of a reply that is read, in bytes.
    #[garde(range(min = 1_000, max = 64_000_000))]
    pub max_reply_bytes: u64,
    /// Exchanges at the same time, 1 to 256.
    #[garde(range(min = 1, max = 256))]
    pub concurrency: u32,
    /// Exchanges a minute; `None`: as many as the server takes.
    #[garde(inner(range(min = 1, max = 1_000_000)))]
    pub per_minute: Option<u32>,
    /// When it is left alone after failures.
    #[garde(dive)]
    pub breaker: BreakerLimits,
    /// Folder with the user's own agents; never from a repository, since it says which programs are run.
    #[garde(skip)]
    pub agents: Option<PathBuf>,
    /// What a run may use.
    #[garde(dive)]
    pub budget: Budget,
    /// What tokens cost; there is no table of prices inside, they change too often.
    #[garde(dive)]
    pub prices: Option<Prices>,
    /// Folder of cached answers and of the breaker's state; `None`: neither is kept.
    #[garde(skip)]
    pub cache: Option<PathBuf>,
    /// Largest size of the cache, in bytes.
    #[garde(range(min = 0))]
    pub cache_bytes: u64,
    /// Whether the run is recorded, replayed, or neither.
    #[garde(skip)]
    pub recording: RecordingMode,
    /// True puts prompts and replies into the trace as well; they are masked, and still somebody's words.
    #[garde(skip)]
    pub trace_contents: bool,
}

/// What a run may use. When it is spent, questions end in [`AskError::BudgetSpent`] without being sent.
#[derive(Debug, Clone, Copy, Default, PartialEq, Validate)]
pub struct Budget {
    /// Tokens, read and written together.
    #[garde(inner(range(min = 1)))]
    pub tokens: Option<u64>,
    /// Money, in the currency of the prices.
    #[garde(inner(range(min = 0.0)))]
    pub money: Option<f64>,
}

/// What tokens cost, in any one currency.
#[derive(Debug, Clone, Copy, PartialEq, Validate)]
pub struct Prices {
    /// A million tokens read.
    #[garde(range(min = 0.0))]
    pub input_per_million: f64,
    /// A million tokens written.
    #[garde(range(min = 0.0))]
    pub output_per_million: f64,
}

/// Whether a run is recorded or replayed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum RecordingMode {
    /// Neither.
    #[default]
    Live,
    /// Every exchange is written into this folder; cached answers are not used.
    Record(PathBuf),
    /// Every exchange is read from this folder, none is sent; what is missing ends in [`AskError::ReplayMissing`].
    Replay(PathBuf),
}

impl ModelSettings {
    /// The defaults for a model: 30 s an exchange, 60 s a question, three attempts, no budget, no cache. An agent has 300 s, and two
    /// times for a question.
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
            budget: Budget::default(),
            prices: None,
            cache: None,
            cache_bytes: 100_000_000,
            recording: RecordingMode::Live,
            trace_contents: false,
        }
    }

    /// Settings under which nothing waits and nothing is written; for tests.
    pub fn for_tests() -> Self {
        let model = "openai/test".parse().expect("a plain word is a name");
        let retry = RetryPolicy { tries: 3, base: Duration::ZERO, most: Duration::ZERO };
        Self { retry, ..Self::new(model) }
    }

    /// Host and port of the model, e.g. `localhost:11434`.
    pub fn host(&self) -> String {
        if self.model.provider().is_program() {
            return "this machine".to_owned();
        }
        let url = self.url();
        let port = url.as_ref().and_then(reqwest::Url::port).map_or_else(String::new, |port| format!(":{port}"));
        let host = url.as_ref().and_then(|url| url.host_str()).unwrap_or_default();
        format!("{host}{port}")
    }

    /// True if no other machine sees what is sent.
    pub fn is_on_this_machine(&self) -> bool {
        self.url().as_ref().and_then(reqwest::Url::host_str).is_some_and(crate::is_loopback)
    }

    /// True if what is sent can be read on the way.
    pub fn is_unencrypted(&self) -> bool {
        self.url().is_some_and(|url| url.scheme() == "http")
    }

    fn url(&self) -> Option<reqwest::Url> {
        let base = self.base_url.as_deref().unwrap_or(super::provider::Profile::of(self).base_url);
        reqwest::Url::parse(base).ok()
    }

    /// Checks what the types cannot.
    ///
    /// # Errors
    /// [`AskError::Configuration`] with every problem as `field: message`.
    pub fn check(&self) -> Result<(), AskError> {
        let mut problems: Vec<String> = match self.validate() {
            Ok(()) => Vec::new(),
            Err(report) => report.iter().map(|(path, error)| format!("{path}: {error}")).collect(),
        };
        if self.model.provider().is_program() && self.base_url.is_some() {
            problems.push("base_url: an agent has none; leave out --base-url".to_string());
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

/// The folder of cached answers and breakers where nobody names another: where this user's programs keep what they can make
/// again. `None` for somebody without a home, such as a bare container.
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

/// A base URL is http or https, names a host, and holds no user, query or fragment: those would leave the process unseen.
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

/// A key. Its `Debug` is `[key]`; it has no `Display` and is not serialised. The text is overwritten by nothing: a process that
/// can read our memory can read the environment too.
#[derive(Clone, PartialEq, Eq)]
pub struct ApiKey(String);

/// A shorter key is a word such as `none` that may stand in any text.
const SHORTEST_SECRET: usize = 8;

/// A file with a key is longer than this only by mistake, in bytes.
const LONGEST_KEY: u64 = 4096;

impl ApiKey {
    /// A key of at least 1 and at most 4,096 visible ASCII characters; white space around it is dropped.
    ///
    /// # Errors
    /// [`AskError::Configuration`], which does not repeat the key.
    pub fn new(text: &str) -> Result<Self, AskError> {
        let text = text.trim();
        if text.is_empty() || text.len() as u64 > LONGEST_KEY || !text.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(AskError::configuration(
                "the API key is not valid: it must be one line of visible ASCII characters",
            ));
        }
        Ok(Self(text.to_string()))
    }

    /// Names of the environment variables that may hold the key of `provider`; the first that is set wins.
    pub fn variables(provider: Provider) -> &'static [&'static str] {
        super::provider::profile(provider).key_variables
    }

    /// Reads the key of `provider` through `variable`; `None` if no variable of its names is set.
    ///
    /// # Errors
    /// [`AskError::Configuration`] if the variable holds no key.
    pub fn from_environment(
        provider: Provider,
        variable: impl Fn(&str) -> Option<String>,
    ) -> Result<Option<Self>, AskError> {
        let value =
            Self::variables(provider).iter().find_map(|name| variable(name).filter(|value| !value.trim().is_empty()));
        value.map(|value| Self::new(&value)).transpose()
    }

    /// Reads the key from a file that nobody but its owner can read.
    ///
    /// # Errors
    /// [`AskError::Configuration`] if it cannot be read, is readable by others, or holds no key.
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

    /// A text without the key. A word of a few letters, as servers of one's own take for a key, is no secret and stays.
    pub(super) fn out_of(&self, text: &str) -> String {
        if self.0.len() < SHORTEST_SECRET { text.to_string() } else { text.replace(&self.0, "[key]") }
    }

    /// The key itself, for the header of a request and for taking it out of what a server says.
    pub(super) fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for ApiKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[key]")
    }
}
