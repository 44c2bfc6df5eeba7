//! The requests that the gate sends to GitHub, with waiting and retries.

use std::cell::Cell;
use std::time::Duration;

use http::{HeaderValue, header};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::issues::{Comment, CommentBody, Issue, IssueEvent, IssuesWanted, Permission, PermissionReply};
use super::pages::{self, Fetched, Page, PageAddress};
use super::rate_limit::{asked_to_wait, message};
use super::repository::Repository;
use super::transport::Octocrab;
use super::{GithubError, Token};
use crate::{
    Clock, ExchangeError, Method, Repeat, Reply, Request, RetryClient, SystemClock, Transport, is_safe_base, segment,
};
use reqgate_base::clean::short_line;

/// The API of github.com.
const PUBLIC_API: &str = "https://api.github.com";
/// The number of comments on one page of a list; GitHub's maximum.
pub(super) const PER_PAGE: usize = 100;
/// The most pages of comments to read of one issue.
pub(super) const MOST_PAGES: usize = 50;
/// The number of changes that may follow each other at once. Later changes are a second apart, as GitHub asks of
/// clients with many changes.
const FREE_CHANGES: u32 = 4;

/// A client of one GitHub server.
///
/// Requests are sent one at a time. A request that may safely be repeated (all but creating a comment or an issue) is
/// sent again after a failure of the server or the network. Waiting for rate limits is bounded by two minutes in total.
pub struct Client {
    api: String,
    net: RetryClient,
    changes: Cell<u32>,
}

impl Client {
    /// Creates a client from the environment: `GITHUB_API_URL`, and the token in `REQGATE_TOKEN`, `GITHUB_TOKEN` or
    /// `GH_TOKEN`. Without a token only public repositories can be read.
    ///
    /// # Errors
    /// Returns an error if the API address is not an https address (http is allowed only for this machine).
    pub fn from_environment(read: impl Fn(&str) -> Option<String>) -> Result<Self, GithubError> {
        let api = read("GITHUB_API_URL").filter(|api| !api.trim().is_empty());
        let token = ["REQGATE_TOKEN", "GITHUB_TOKEN", "GH_TOKEN"]
            .iter()
            .find_map(|name| read(name).as_deref().and_then(Token::new));
        Self::new(api.as_deref().unwrap_or(PUBLIC_API), token)
    }

    /// Creates a client of the API at `api`, without connecting before the first request.
    ///
    /// # Errors
    /// Returns an error if the address is not an https address (http is allowed only for this machine).
    pub(crate) fn new(api: &str, token: Option<Token>) -> Result<Self, GithubError> {
        let api = api.trim().trim_end_matches('/');
        if !is_safe_base(api) {
            return Err(GithubError::BadAddress(short_line(api, 200)));
        }
        Ok(Self::with(api, Box::new(Octocrab::new(api, token)), Box::new(SystemClock)))
    }

    /// Creates a client over another transport and clock, for tests and recordings.
    pub fn with(api: &str, transport: Box<dyn Transport>, clock: Box<dyn Clock>) -> Self {
        let net = RetryClient::new(transport, clock, asked_to_wait);
        Self { api: api.to_owned(), net, changes: Cell::new(0) }
    }

    /// The number of requests sent.
    pub fn requests(&self) -> u32 {
        self.net.requests()
    }

    /// Reads an issue.
    ///
    /// # Errors
    /// Returns an error if GitHub cannot be reached, refuses (404 not found, 410 deleted) or has moved the issue
    /// elsewhere (301).
    pub fn issue(&self, repository: &Repository, number: u64) -> Result<Issue, GithubError> {
        let doing = format!("reading issue {number} of {repository}");
        let request = Request::get(format!("{}/issues/{number}", repository.path()));
        self.read(&doing, &request)
    }

    /// The first page of a repository's issues, the oldest first.
    pub fn first_page(&self, repository: &Repository, wanted: &IssuesWanted) -> PageAddress {
        let state = if wanted.closed_too { "all" } else { "open" };
        let mut address =
            format!("{}/issues?state={state}&sort=created&direction=asc&per_page={PER_PAGE}", repository.path());
        if !wanted.labels.is_empty() {
            address.push_str(&format!("&labels={}", segment(&wanted.labels.join(","))));
        }
        if let Some(since) = &wanted.changed_since {
            address.push_str(&format!("&since={}", segment(since)));
        }
        PageAddress(address)
    }

    /// Reads one page of issues, a hundred at most. With the tag of an earlier answer, the page is returned only if it
    /// has changed.
    ///
    /// The page includes pull requests (`Issue::is_pull_request`).
    ///
    /// # Errors
    /// Returns an error if GitHub cannot be reached or refuses, or if the page is on another server.
    pub fn issues(&self, page: &PageAddress, etag: Option<&str>) -> Result<Fetched<Issue>, GithubError> {
        let mut request = Request::get(page.0.clone());
        if let Some(etag) = etag.and_then(|etag| HeaderValue::from_str(etag).ok()) {
            request.headers.insert(header::IF_NONE_MATCH, etag);
        }
        self.page("listing issues", &request)
    }

    /// One page of the comments on an issue, the oldest first; `page` counts from 1.
    ///
    /// # Errors
    /// Returns an error if GitHub cannot be reached or refuses.
    pub fn comments_page(
        &self,
        repository: &Repository,
        number: u64,
        page: usize,
    ) -> Result<Page<Comment>, GithubError> {
        let doing = format!("listing the comments on issue {number} of {repository}");
        let address = format!("{}/issues/{number}/comments?per_page={PER_PAGE}&page={page}", repository.path());
        match self.page(&doing, &Request::get(address))? {
            Fetched::New(page) => Ok(page),
            Fetched::Unchanged => Err(GithubError::Malformed { doing, message: "304 without a condition".to_owned() }),
        }
    }

    /// The comments on an issue from page `first` on, and the number of the last page that was read.
    ///
    /// # Errors
    /// Returns an error if GitHub cannot be reached or refuses.
    pub fn comments_from(
        &self,
        repository: &Repository,
        number: u64,
        first: usize,
    ) -> Result<(Vec<Comment>, usize), GithubError> {
        let mut comments = Vec::new();
        let mut at = first;
        loop {
            let page = self.comments_page(repository, number, at)?;
            comments.extend(page.items);
            if page.next.is_none() || at - first + 1 >= MOST_PAGES {
                return Ok((comments, at));
            }
            at += 1;
        }
    }

    /// All comments on an issue, the oldest first; at most five thousand.
    ///
    /// # Errors
    /// Returns an error if GitHub cannot be reached or refuses.
    pub fn comments(&self, repository: &Repository, number: u64) -> Result<Vec<Comment>, GithubError> {
        Ok(self.comments_from(repository, number, 1)?.0)
    }

    /// Creates a comment.
    ///
    /// # Errors
    /// Returns an error if GitHub cannot be reached or refuses. The request is not repeated: after an error with
    /// `may_have_landed`, the caller must check whether the comment exists.
    pub fn create_comment(&self, repository: &Repository, number: u64, body: &str) -> Result<Comment, GithubError> {
        let doing = format!("commenting on issue {number} of {repository}");
        let address = format!("{}/issues/{number}/comments", repository.path());
        let request = Request::new(Method::Post, address, Some(comment_body(body)));
        parsed(&doing, &self.call(&doing, &request, Repeat::MakesTwo)?)
    }

    /// Changes a comment.
    ///
    /// # Errors
    /// Returns an error if GitHub cannot be reached or refuses.
    pub fn update_comment(&self, repository: &Repository, id: u64, body: &str) -> Result<Comment, GithubError> {
        let doing = format!("updating comment {id} in {repository}");
        let address = format!("{}/issues/comments/{id}", repository.path());
        let request = Request::new(Method::Patch, address, Some(comment_body(body)));
        parsed(&doing, &self.call(&doing, &request, Repeat::Harmless)?)
    }

    /// Opens an issue without labels, assignees or milestone.
    ///
    /// # Errors
    /// Returns an error if GitHub cannot be reached or refuses. The request is not repeated: after an error with
    /// `may_have_landed`, the caller must check whether the issue exists.
    pub fn create_issue(&self, repository: &Repository, title: &str, body: &str) -> Result<Issue, GithubError> {
        let doing = format!("opening an issue in {repository}");
        let address = format!("{}/issues", repository.path());
        let request = Request::new(Method::Post, address, Some(json!({ "title": title, "body": body })));
        parsed(&doing, &self.call(&doing, &request, Repeat::MakesTwo)?)
    }

    /// Changes only the title and the body of an issue.
    ///
    /// # Errors
    /// Returns an error if GitHub cannot be reached or refuses.
    pub fn update_issue(
        &self,
        repository: &Repository,
        number: u64,
        title: &str,
        body: &str,
    ) -> Result<Issue, GithubError> {
        let doing = format!("updating issue {number} of {repository}");
        let address = format!("{}/issues/{number}", repository.path());
        let request = Request::new(Method::Patch, address, Some(json!({ "title": title, "body": body })));
        parsed(&doing, &self.call(&doing, &request, Repeat::Harmless)?)
    }

    /// Deletes a comment; it is not an error if the comment no longer exists.
    ///
    /// # Errors
    /// Returns an error if GitHub cannot be reached or refuses.
    pub fn delete_comment(&self, repository: &Repository, id: u64) -> Result<(), GithubError> {
        let doing = format!("deleting comment {id} in {repository}");
        let address = format!("{}/issues/comments/{id}", repository.path());
        self.gone(self.call(&doing, &Request::new(Method::Delete, address, None), Repeat::Harmless))
    }

    /// Adds one label, which GitHub creates if it does not exist.
    ///
    /// # Errors
    /// Returns an error if GitHub cannot be reached or refuses.
    pub fn add_label(&self, repository: &Repository, number: u64, label: &str) -> Result<(), GithubError> {
        let doing = format!("adding the label `{label}` to issue {number} of {repository}");
        let address = format!("{}/issues/{number}/labels", repository.path());
        let request = Request::new(Method::Post, address, Some(json!({ "labels": [label] })));
        self.call(&doing, &request, Repeat::Harmless).map(drop)
    }

    /// Removes one label; it is not an error if the issue does not have it.
    ///
    /// # Errors
    /// Returns an error if GitHub cannot be reached or refuses.
    pub fn remove_label(&self, repository: &Repository, number: u64, label: &str) -> Result<(), GithubError> {
        let doing = format!("removing the label `{label}` from issue {number} of {repository}");
        let address = format!("{}/issues/{number}/labels/{}", repository.path(), segment(label));
        self.gone(self.call(&doing, &Request::new(Method::Delete, address, None), Repeat::Harmless))
    }

    /// The person who last set a label that an issue has; `None` if the events do not show it.
    ///
    /// # Errors
    /// Returns an error if GitHub cannot be reached or refuses.
    pub fn labelled_by(
        &self,
        repository: &Repository,
        number: u64,
        label: &str,
    ) -> Result<Option<String>, GithubError> {
        let doing = format!("listing the events of issue {number} of {repository}");
        let mut by = None;
        for page in 1..=MOST_PAGES {
            let address = format!("{}/issues/{number}/events?per_page={PER_PAGE}&page={page}", repository.path());
            let Fetched::New(page) = self.page::<IssueEvent>(&doing, &Request::get(address))? else { break };
            // The oldest events come first.
            for event in page.items {
                if event.label.as_deref().is_some_and(|name| name.eq_ignore_ascii_case(label)) {
                    by = (event.event == "labeled").then_some(event.actor.login);
                }
            }
            if page.next.is_none() {
                return Ok(by);
            }
        }
        // The last person is on a page that was not read.
        Ok(None)
    }

    /// A user's permission in the repository; a user unknown to GitHub has none.
    ///
    /// # Errors
    /// Returns an error if GitHub cannot be reached or refuses.
    pub fn permission(&self, repository: &Repository, login: &str) -> Result<Permission, GithubError> {
        let doing = format!("reading a user's permission in {repository}");
        let address = format!("{}/collaborators/{}/permission", repository.path(), segment(login));
        match self.read::<PermissionReply>(&doing, &Request::get(address)) {
            Ok(reply) => Ok(reply.permission()),
            Err(error) if error.status() == Some(404) => Ok(Permission::None),
            Err(error) => Err(error),
        }
    }

    /// The address of GraphQL, next to that of the API: `…/api/v3` and `…/api/graphql` on a self-hosted server.
    pub(super) fn graphql(&self) -> String {
        format!("{}/graphql", self.api.strip_suffix("/v3").unwrap_or(&self.api))
    }

    /// Sends a GraphQL query, which changes no data and is retried like a request that reads.
    pub(super) fn ask_graphql<T: DeserializeOwned>(&self, doing: &str, request: &Request) -> Result<T, GithubError> {
        let reply = accepted(doing, self.send(doing, request, Repeat::Harmless)?)?;
        parsed(doing, &reply)
    }

    pub(super) fn gone(&self, reply: Result<Reply, GithubError>) -> Result<(), GithubError> {
        match reply {
            Err(error) if error.status() == Some(404) => Ok(()),
            other => other.map(drop),
        }
    }

    pub(super) fn read<T: DeserializeOwned>(&self, doing: &str, request: &Request) -> Result<T, GithubError> {
        parsed(doing, &self.call(doing, request, Repeat::Harmless)?)
    }

    /// Reads one page of a list. A renamed repository answers with its new address, which is followed once on the same
    /// server.
    pub(super) fn page<T: DeserializeOwned>(&self, doing: &str, request: &Request) -> Result<Fetched<T>, GithubError> {
        let foreign = || GithubError::ForeignPage { doing: doing.to_owned() };
        if !pages::is_same_origin(&self.api, &request.address) {
            return Err(foreign());
        }
        let mut reply = self.exchange(doing, request, Repeat::Harmless)?;
        if matches!(reply.status, 301 | 302 | 307 | 308)
            && let Some(address) = reply.header("location").map(str::to_owned)
        {
            if !pages::is_same_origin(&self.api, &address) {
                return Err(foreign());
            }
            reply = self.exchange(doing, &Request { address, ..request.clone() }, Repeat::Harmless)?;
        }
        if reply.status == 304 {
            return Ok(Fetched::Unchanged);
        }
        let reply = accepted(doing, reply)?;
        let next = match pages::next(&reply) {
            Some(address) if !pages::is_same_origin(&self.api, &address) => return Err(foreign()),
            next => next.map(PageAddress),
        };
        let etag = reply.header("etag").map(str::to_owned);
        Ok(Fetched::New(Page { items: parsed(doing, &reply)?, next, etag }))
    }

    /// Sends a request with retries, and returns its answer if it is a success.
    pub(super) fn call(&self, doing: &str, request: &Request, repeat: Repeat) -> Result<Reply, GithubError> {
        accepted(doing, self.exchange(doing, request, repeat)?)
    }

    /// Sends a request with the appropriate waits and retries, and returns the last answer, also one that is not a
    /// success.
    fn exchange(&self, doing: &str, request: &Request, repeat: Repeat) -> Result<Reply, GithubError> {
        if request.method != Method::Get {
            self.keep_distance();
        }
        self.send(doing, request, repeat)
    }

    fn send(&self, doing: &str, request: &Request, repeat: Repeat) -> Result<Reply, GithubError> {
        let doing = || doing.to_owned();
        self.net.exchange(request, repeat).map_err(|error| match error {
            ExchangeError::RateLimited(time) => GithubError::RateLimited { doing: doing(), seconds: time.as_secs() },
            ExchangeError::Net(error) => GithubError::Unreachable { doing: doing(), message: error.message },
        })
    }

    /// Waits a second between two changes, as GitHub asks of programs that change many things.
    fn keep_distance(&self) {
        let made = self.changes.get();
        self.changes.set(made + 1);
        if made >= FREE_CHANGES {
            self.net.pause(Duration::from_secs(1));
        }
    }
}

fn comment_body(body: &str) -> Value {
    json!(CommentBody { body })
}

fn accepted(doing: &str, reply: Reply) -> Result<Reply, GithubError> {
    if reply.is_success() {
        return Ok(reply);
    }
    let permissions = (reply.status == 403).then(|| reply.header("x-accepted-github-permissions")).flatten();
    Err(GithubError::Refused {
        doing: doing.to_owned(),
        status: reply.status,
        message: message(&reply),
        permissions: permissions.map(|words| short_line(words, 200)),
    })
}

pub(super) fn parsed<T: DeserializeOwned>(doing: &str, reply: &Reply) -> Result<T, GithubError> {
    serde_json::from_slice(&reply.body).map_err(|error| GithubError::Malformed {
        doing: doing.to_owned(),
        // serde's message may quote a value; the category does not.
        message: format!("{:?} error at line {}, column {}", error.classify(), error.line(), error.column()),
    })
}
