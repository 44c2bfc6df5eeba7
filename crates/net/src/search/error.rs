//! Errors of searches, with messages that say what to do and contain no key, and of what a server wrote only names of engines.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use reqgate_rules::config::SearchProviderName;

/// A search without results that can be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SearchError {
    /// Nobody named a provider.
    #[error(
        "no search provider is set: use --provider, REQGATE_SEARCH or `search.provider` (folder, searxng, brave or tavily)"
    )]
    NotConfigured,
    /// A provider needs a key, and the environment has none.
    #[error("{provider} needs a key: set {variable}")]
    NoKey {
        /// The provider.
        provider: SearchProviderName,
        /// The variable that holds its key.
        variable: String,
    },
    /// A key that cannot be one.
    #[error("the key in {0} is not valid: it must be one line of visible ASCII characters")]
    BadKey(String),
    /// SearXNG has no address of its own.
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
    /// Nobody named a folder.
    #[error("the provider folder needs a folder of documents: use --path, REQGATE_SEARCH_PATH or `search.path`")]
    NoFolder,
    /// The folder cannot be searched.
    #[error("the folder `{path}` cannot be searched: {message}")]
    Folder {
        /// The folder.
        path: String,
        /// Why, and what to do.
        message: String,
    },
    /// A query without a word.
    #[error("the query has no words: write what to search for")]
    EmptyQuery,
    /// All searches of this run are made.
    #[error("all {most} searches of this run are used: raise `search.max_search_queries` or MAX_SEARCH_QUERIES")]
    BudgetSpent {
        /// The limit.
        most: u32,
    },
    /// The provider failed too often, and is left alone for a while.
    #[error("{provider} failed several times in a row and is not asked for {retry_in} s")]
    Paused {
        /// The provider.
        provider: SearchProviderName,
        /// Seconds until it is tried again.
        retry_in: u64,
    },
    /// The server asks to wait for longer than there is time.
    #[error("{provider} answered 429: too many requests; try again in {wait} s, or ask for a higher limit")]
    RateLimited {
        /// The provider.
        provider: SearchProviderName,
        /// Seconds that the server asks to wait.
        wait: u64,
    },
    /// The server said no.
    #[error("{provider} answered {status}{}", hint(*.provider, *.status))]
    Refused {
        /// The provider.
        provider: SearchProviderName,
        /// The HTTP status.
        status: u16,
    },
    /// No answer came.
    #[error("{provider}: {message}")]
    Unreachable {
        /// The provider.
        provider: SearchProviderName,
        /// Why.
        message: String,
    },
    /// The answer is a page for people.
    #[error("{provider} answered with a web page instead of JSON{}", page_hint(*.provider))]
    Page {
        /// The provider.
        provider: SearchProviderName,
    },
    /// SearXNG asked other engines, and they did not answer: that nothing was found means nothing.
    #[error(
        "searxng found nothing, because its search engines did not answer ({engines}): try again later, or use other engines"
    )]
    Unresponsive {
        /// The engines and why, as the server says it; cleaned and cut.
        engines: String,
    },
    /// The answer is not what the provider documents.
    #[error("the answer of {provider} cannot be read ({message})")]
    Malformed {
        /// The provider.
        provider: SearchProviderName,
        /// Where.
        message: String,
    },
    /// A replayed run asks for what was not recorded.
    #[error("the recording has no search for `{0}`: record the run again with --record")]
    NotRecorded(String),
    /// The recording cannot be read or written.
    #[error("the recording {0}")]
    Recording(String),
}

impl SearchError {
    /// True if the next search is likely to fail as well.
    pub(super) fn speaks_against_the_server(&self) -> bool {
        match self {
            Self::RateLimited { .. } | Self::Unreachable { .. } | Self::Page { .. } | Self::Unresponsive { .. } => true,
            Self::Refused { status, .. } => *status >= 500 || matches!(status, 401..=403 | 432 | 433),
            _ => false,
        }
    }

    /// True if the user must change a setting or a word, rather than wait for somebody else.
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

/// How to let SearXNG answer in JSON; it answers 403 while it may not (its documentation, "Search API").
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
        // Tavily's own: the limit of the plan, and that of pay as you go.
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
