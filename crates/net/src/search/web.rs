//! Search services on the network: SearXNG, Brave and Tavily, each according to its documentation.
//!
//! A search costs money or load on a server, so a request that may have arrived is not sent again.

use std::time::{Duration, SystemTime};

use http::{HeaderMap, HeaderName, HeaderValue, header};
use serde_json::{Value, json};

use super::result::{FoundPage, pages, short};
use super::{SearchError, SearchKey, SearchProvider, SearchResult};
use crate::{
    Client, ClientSettings, Clock, ExchangeError, Method, Repeat, Reply, Request, RetryClient, SystemClock, Transport,
    is_safe_base, retry_after,
};
use reqgate_rules::config::SearchProviderName;

/// The address of Brave (api-dashboard.search.brave.com, "Web search").
const BRAVE: &str = "https://api.search.brave.com/res/v1/web/search";
/// The address of Tavily (docs.tavily.com, "Search").
const TAVILY: &str = "https://api.tavily.com/search";
/// The most results that Brave and Tavily return for a query.
const MOST_RESULTS: usize = 20;
/// The largest answer that is read, in bytes: 4 MiB. Twenty results need less than 100 kB.
const MOST_BYTES: u64 = 4 << 20;

/// A search provider over HTTP.
pub struct WebSearch {
    service: Service,
    timeout: Duration,
    net: RetryClient,
}

/// The services, with the data that each needs.
pub enum Service {
    /// A SearXNG server at this address, which ends before `/search`.
    Searxng(String),
    /// The service of Brave, with its key.
    Brave(SearchKey),
    /// The service of Tavily, with its key.
    Tavily(SearchKey),
}

impl Service {
    /// Creates a SearXNG service.
    ///
    /// # Errors
    /// Returns [`SearchError::BadAddress`] unless the address is `https`, or `http` on this machine, without user and
    /// query.
    pub(crate) fn searxng(address: &str) -> Result<Self, SearchError> {
        let base = address.trim().trim_end_matches('/');
        let base = base.strip_suffix("/search").unwrap_or(base);
        match is_safe_base(base) && reqwest::Url::parse(base).is_ok() {
            true => Ok(Self::Searxng(base.to_owned())),
            false => Err(SearchError::BadAddress(reqgate_base::clean::short_line(address, 200))),
        }
    }

    fn name(&self) -> SearchProviderName {
        match self {
            Self::Searxng(_) => SearchProviderName::Searxng,
            Self::Brave(_) => SearchProviderName::Brave,
            Self::Tavily(_) => SearchProviderName::Tavily,
        }
    }

    fn base(&self) -> &str {
        match self {
            Self::Searxng(base) => base,
            Self::Brave(_) => BRAVE,
            Self::Tavily(_) => TAVILY,
        }
    }

    fn request(&self, query: &str, most: usize) -> Request {
        let most = most.min(MOST_RESULTS);
        match self {
            Self::Searxng(base) => {
                Request::get(with_query(&format!("{base}/search"), &[("q", query), ("format", "json")]))
            }
            Self::Brave(key) => {
                let count = most.to_string();
                // Without decorations, matching words are not marked with HTML.
                let parameters =
                    [("q", query), ("count", &count), ("text_decorations", "false"), ("result_filter", "web")];
                let headers = key.header(HeaderName::from_static("x-subscription-token"), "");
                Request { headers, ..Request::get(with_query(BRAVE, &parameters)) }
            }
            Self::Tavily(key) => {
                let body = json!({ "query": query, "max_results": most, "search_depth": "basic" });
                let headers = key.header(header::AUTHORIZATION, "Bearer ");
                Request { headers, ..Request::new(Method::Post, TAVILY, Some(body)) }
            }
        }
    }

    /// The list of results in an answer, and the name of their text field; `None` if the answer has no list.
    fn list<'a>(&self, answer: &'a Value) -> Option<(&'a [Value], &'static str)> {
        let (results, snippet) = match self {
            Self::Searxng(_) | Self::Tavily(_) => (&answer["results"], "content"),
            // Brave leaves out `web` if it has no results.
            Self::Brave(_) if answer["type"] == "search" && answer.get("web").is_none() => {
                return Some((&[], "description"));
            }
            Self::Brave(_) => (&answer["web"]["results"], "description"),
        };
        Some((results.as_array()?, snippet))
    }
}

impl WebSearch {
    /// Creates a provider over the network; `timeout` limits each request, and all waiting for rate limits together. No
    /// connection is opened before the first search.
    pub(crate) fn new(service: Service, timeout: Duration) -> Self {
        let settings = ClientSettings {
            connect_timeout: timeout.min(Duration::from_secs(10)),
            timeout,
            most_bytes: MOST_BYTES,
            ..ClientSettings::new(service.base())
        };
        Self::with(service, timeout, Box::new(Client::new(settings)), Box::new(SystemClock))
    }

    /// Creates a provider over another transport and clock, for tests.
    pub(crate) fn with(
        service: Service,
        timeout: Duration,
        transport: Box<dyn Transport>,
        clock: Box<dyn Clock>,
    ) -> Self {
        Self { service, timeout, net: RetryClient::new(transport, clock, asked_to_wait).with_waiting(timeout) }
    }

    fn answer(&self, request: &Request) -> Result<Value, SearchError> {
        let provider = self.service.name();
        let reply = self.net.exchange(request, Repeat::MakesTwo).map_err(|error| match error {
            ExchangeError::RateLimited(wait) => SearchError::rate_limited(provider, wait),
            ExchangeError::Net(error) => SearchError::Unreachable { provider, message: error.message },
        })?;
        if !reply.is_success() {
            return Err(SearchError::Refused { provider, status: reply.status });
        }
        if is_page(&reply) {
            return Err(SearchError::Page { provider });
        }
        serde_json::from_slice(&reply.body).map_err(|error| {
            // The parser's message may quote a value; the category does not.
            let message = format!("{:?} error at line {}, column {}", error.classify(), error.line(), error.column());
            SearchError::Malformed { provider, message }
        })
    }
}

impl SearchProvider for WebSearch {
    fn name(&self) -> SearchProviderName {
        self.service.name()
    }

    fn search(&self, query: &str, most: usize) -> Result<Vec<SearchResult>, SearchError> {
        let request = Request { timeout: Some(self.timeout), ..self.service.request(query, most) };
        let answer = self.answer(&request)?;
        let Some((list, snippet)) = self.service.list(&answer) else {
            let message = "it has no list of results".to_owned();
            return Err(SearchError::Malformed { provider: self.service.name(), message });
        };
        let found = list.iter().map(|result| FoundPage {
            url: result["url"].as_str().unwrap_or_default(),
            title: result["title"].as_str().unwrap_or_default(),
            snippet: result[snippet].as_str().unwrap_or_default(),
            score: result["score"].as_f64(),
        });
        let found = pages(found, most);
        match unresponsive(&answer).filter(|_| found.is_empty() && matches!(self.service, Service::Searxng(_))) {
            Some(engines) => Err(SearchError::Unresponsive { engines }),
            None => Ok(found),
        }
    }
}

/// The engines that did not answer SearXNG, as `name: reason`; `None` if all did.
fn unresponsive(answer: &Value) -> Option<String> {
    let engines = answer["unresponsive_engines"].as_array()?.iter().take(5);
    let words = |engine: &Value| {
        let [name, why] = [0, 1].map(|at| engine[at].as_str().unwrap_or("?"));
        format!("{}: {}", short(name, 40), short(why, 60))
    };
    let engines: Vec<String> = engines.map(words).collect();
    (!engines.is_empty()).then(|| engines.join(", "))
}

/// Adds parameters to an address, which is a constant or was checked before.
fn with_query(address: &str, parameters: &[(&str, &str)]) -> String {
    match reqwest::Url::parse_with_params(address, parameters) {
        Ok(url) => url.into(),
        Err(_) => address.to_owned(),
    }
}

impl SearchKey {
    /// A header with the key, marked as secret.
    fn header(&self, name: HeaderName, before: &str) -> HeaderMap {
        let value = HeaderValue::from_str(&format!("{before}{}", self.reveal()));
        let mut value = value.expect("a key consists of visible ASCII characters");
        value.set_sensitive(true);
        HeaderMap::from_iter([(name, value)])
    }
}

fn is_page(reply: &Reply) -> bool {
    let is_html = reply.header("content-type").is_some_and(|kind| kind.starts_with("text/html"));
    is_html || reply.body.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b'<')
}

/// The time that a service asks to wait before the same request; a second if it is not stated.
fn asked_to_wait(reply: &Reply, _: u32, now: SystemTime) -> Option<Duration> {
    (reply.status == 429).then(|| retry_after(reply, now).unwrap_or(Duration::from_secs(1)))
}
