//! Errors of searches. The messages name a remedy and contain no key, and of a server's text only the names of engines.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use reqgate_rules::config::SearchProviderName;

/// The reason for a search without usable results.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SearchError {
    /// No provider is configured.
    #[error(
        "no search provider is set: use --provider, REQGATE_SEARCH or `search.provider` (folder, searxng, brave or tavily)"
    )]
    NotConfigured,
    /// A provider needs a key, which the environment does not contain.
    #[error("{provider} needs a key: set {variable}")]
    NoKey {
        /// The provider that needs the key.
        provider: SearchProviderName,
        /// The variable for the key.
        variable: String,
    },
    /// The key is not valid.
    #[error("the key in {0} is not valid: it must be one line of visible ASCII characters")]
    BadKey(String),
    /// The address of the SearXNG server is missing.
    #[error(
        "searxng needs the address of a server: use --url or REQGATE_SEARCH_URL; a repository's configuration cannot name it"
    )]
    NoAddress,
    /// The address is not valid or not safe.
    #[error(
        "the address of the search server, `{0}`, cannot be used: write an https address without user and query, e.g. \
         https://search.example (http only for this machine)"
    )]
    BadAddress(String),
    /// The folder is not configured.
    #[error("the provider folder needs a folder of documents: use --path, REQGATE_SEARCH_PATH or `search.path`")]
    NoFolder,
    /// The folder cannot be searched.
    #[error("the folder `{path}` cannot be searched: {message}")]
    Folder {
        /// The path of the folder.
        path: String,
        /// The cause and the remedy.
        message: String,
    },
    /// The query contains no word.
    #[error("the query has no words: write what to search for")]
    EmptyQuery,
    /// The limit of searches in this run is reached.
    #[error("all {most} searches of this run are used: raise `search.max_search_queries` or MAX_SEARCH_QUERIES")]
    BudgetSpent {
        /// The largest number of searches.
        most: u32,
    },
    /// The provider failed too often and is paused for a while.
    #[error("{provider} failed several times in a row and is not asked for {retry_in} s")]
    Paused {
        /// The provider that is paused.
        provider: SearchProviderName,
        /// The seconds until it is tried again.
        retry_in: u64,
    },
    /// The server asks for a longer wait than the time that is left.
    #[error("{provider} answered 429: too many requests; try again in {wait} s, or ask for a higher limit")]
    RateLimited {
        /// The provider with the limit.
        provider: SearchProviderName,
        /// The seconds that the server asks to wait.
        wait: u64,
    },
    /// The server refused the request.
    #[error("{provider} answered {status}{}", hint(*.provider, *.status))]
    Refused {
        /// The provider that refused.
        provider: SearchProviderName,
        /// The HTTP status of the answer.
        status: u16,
    },
    /// The provider did not answer.
    #[error("{provider}: {message}")]
    Unreachable {
        /// The provider that did not answer.
        provider: SearchProviderName,
        /// The reason, as the network reports it.
        message: String,
    },
    /// The answer is a web page instead of JSON.
    #[error("{provider} answered with a web page instead of JSON{}", page_hint(*.provider))]
    Page {
        /// The provider that sent the page.
        provider: SearchProviderName,
    },
    /// The search engines of SearXNG did not answer, so an empty result is not meaningful.
    #[error(
        "searxng found nothing, because its search engines did not answer ({engines}): try again later, or use other engines"
    )]
    Unresponsive {
        /// The engines with their errors, as the server reports them; cleaned and shortened.
        engines: String,
    },
    /// The answer differs from the provider's documentation.
    #[error("the answer of {provider} cannot be read ({message})")]
    Malformed {
        /// The provider that answered.
        provider: SearchProviderName,
        /// The position of the fault in the answer.
        message: String,
    },
    /// The recording of a replayed run does not contain the search.
    #[error("the recording has no search for `{0}`: record the run again with --record")]
    NotRecorded(String),
    /// The recording cannot be read or written.
    #[error("the recording {0}")]
    Recording(String),
}

impl SearchError {
    /// Returns true if the next search is likely to fail as well.
    pub(super) fn speaks_against_the_server(&self) -> bool {
        match self {
            Self::RateLimited { .. } | Self::Unreachable { .. } | Self::Page { .. } | Self::Unresponsive { .. } => true,
            Self::Refused { status, .. } => *status >= 500 || matches!(status, 401..=403 | 432 | 433),
            _ => false,
        }
    }

    /// Returns true if the user must change a setting or a word; other errors may disappear by themselves.
    pub fn is_usage(&self) -> bool {
        matches!(
            self,
            Self::NotConfigured
                | Self::NoKey { .. }
                | Self::BadKey(_)
                | Self::NoAddress
                | Self::BadAddress(_)
                | Self::NoFolder
                | Self::Folder { .. }
                | Self::EmptyQuery
                | Self::BudgetSpent { .. }
                | Self::NotRecorded(_)
                | Self::Recording(_)
        )
    }

    pub(super) fn rate_limited(provider: SearchProviderName, wait: Duration) -> Self {
        Self::RateLimited { provider, wait: wait.as_secs_f64().ceil() as u64 }
    }
}

/// The advice for SearXNG, which answers 403 while JSON is disabled (its documentation, "Search API").
const ENABLE_JSON: &str = "its JSON format is probably off; to enable it, add `json` to `search.formats` in the settings.yml of \
                           the server and restart it";

fn hint(provider: SearchProviderName, status: u16) -> String {
    use SearchProviderName::{Brave, Searxng, Tavily};
    let words = match (provider, status) {
        (Searxng, 403) => ENABLE_JSON.to_owned(),
        (Searxng, 404) => "check the address in REQGATE_SEARCH_URL: it ends before /search".to_owned(),
        (Searxng, 401) => "the server wants a login: use one that does not".to_owned(),
        // Brave refuses an unknown key with 422.
        (Brave, 401 | 403 | 422) => "check the key in BRAVE_API_KEY".to_owned(),
        (Tavily, 401 | 403) => "check the key in TAVILY_API_KEY".to_owned(),
        // Tavily's own codes: the limit of the plan, and that of pay as you go.
        (Tavily, 432 | 433) => "the limit of the account is reached: raise it, or wait for the next month".to_owned(),
        (_, 300..=399) => "it sends to another address, which is not followed: name that one".to_owned(),
        (_, 500..) => "the server is out of order: try again later".to_owned(),
        _ => return String::new(),
    };
    format!(": {words}")
}

fn page_hint(provider: SearchProviderName) -> String {
    match provider {
        SearchProviderName::Searxng => format!(": {ENABLE_JSON}"),
        _ => ": a proxy or a login page may stand between".to_owned(),
    }
}
