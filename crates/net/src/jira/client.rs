//! The requests that the gate sends to Jira, with retries.

use std::collections::BTreeMap;
use std::time::{Duration, SystemTime};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{Credentials, IssueKey, JiraError, Site};
use crate::{
    ClientSettings, Clock, ExchangeError, Method, Repeat, Reply, Request, RetryClient, SystemClock, Transport,
    retry_after,
};
use reqgate_base::clean::short_line;

use crate::sticky_comment::{Kept, StickyComment, keep};

/// The key of the issue's entity property that identifies reqgate's comment.
pub const PROPERTY: &str = "reqgate.comment";
/// The fields of an issue that are requested.
const FIELDS: &str = "*all";
/// The number of newest comments to search for a comment of reqgate that the property does not identify.
const NEWEST: u32 = 50;
/// The most reasons of an invalid request that are shown.
const MOST_REASONS: usize = 10;
/// The longest reason in characters.
const LONGEST_REASON: usize = 200;

/// A client of one Jira site. Requests are sent one at a time.
pub struct Client {
    site: Site,
    net: RetryClient,
}

/// The contents of the entity property, without any text of the issue.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Memory {
    /// The id of reqgate's comment.
    pub comment: String,
    /// A hash of the text of the comment, so that an unchanged one is not written again.
    pub digest: String,
}

#[derive(Deserialize)]
struct Property {
    value: Memory,
}

#[derive(Deserialize)]
struct Made {
    id: String,
}

/// A person in the format of Cloud (`accountId`) or Server (`key`, or `name` in old versions).
#[derive(Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
struct Person {
    account_id: Option<String>,
    key: Option<String>,
    name: Option<String>,
}

impl Person {
    fn is(&self, other: &Self) -> bool {
        let same = |one: &Option<String>, two: &Option<String>| one.is_some() && one == two;
        same(&self.account_id, &other.account_id) || same(&self.key, &other.key) || same(&self.name, &other.name)
    }
}

#[derive(Deserialize)]
struct Comment {
    author: Option<Person>,
    #[serde(default)]
    id: String,
    #[serde(default)]
    body: Value,
}

#[derive(Deserialize)]
struct Comments {
    comments: Vec<Comment>,
}

impl Client {
    /// Creates a client of a site, without connecting before the first request.
    pub fn new(site: Site) -> Self {
        let authorization = site.credentials.as_ref().map(|secret: &Credentials| secret.expose().to_owned());
        let settings = ClientSettings { authorization, ..ClientSettings::new(&site.address) };
        Self::with(site, Box::new(crate::Client::new(settings)), Box::new(SystemClock))
    }

    /// Creates a client over another transport and clock, for tests and recordings.
    pub fn with(site: Site, transport: Box<dyn Transport>, clock: Box<dyn Clock>) -> Self {
        Self { site, net: RetryClient::new(transport, clock, asked_to_wait) }
    }

    /// The site of the client.
    pub fn site(&self) -> &Site {
        &self.site
    }

    /// The issue as Jira's JSON, with the names of its custom fields, as intake reads it.
    ///
    /// # Errors
    /// Returns an error if Jira cannot be reached or refuses.
    pub fn issue(&self, key: &IssueKey) -> Result<Vec<u8>, JiraError> {
        let doing = format!("reading {key}");
        let reply = self.call(&doing, Method::Get, &format!("/issue/{key}?fields={FIELDS}&expand=names"), None)?;
        Ok(reply.body)
    }

    /// Sets the text of reqgate's comment on an issue to `body`: a document in Atlassian's format on Cloud, a string of
    /// wiki markup on Server. `digest` is a hash of that text. A missing comment is created only if `may_create`.
    ///
    /// # Errors
    /// Returns an error if Jira cannot be reached or refuses.
    pub fn keep_comment(
        &self,
        key: &IssueKey,
        body: &Value,
        digest: &str,
        may_create: bool,
    ) -> Result<Kept<String>, JiraError> {
        if self.site.credentials.is_none() {
            return Err(JiraError::NoCredentials);
        }
        let sticky = Sticky { client: self, key, body, digest };
        Ok(keep(&sticky, self.own(key)?, may_create)?.map(|memory| memory.comment))
    }

    /// The contents of the property, if the comment still exists and belongs to reqgate. Every person who may edit the
    /// issue can write the property, and must not be able to make reqgate overwrite another person's comment.
    fn own(&self, key: &IssueKey) -> Result<Option<Memory>, JiraError> {
        let Some(memory) = self.memory(key)? else { return Ok(None) };
        if !is_id(&memory.comment) {
            return Ok(None);
        }
        let doing = format!("reading reqgate's comment on {key}");
        let path = format!("/issue/{key}/comment/{}", memory.comment);
        let comment: Comment = match self.call(&doing, Method::Get, &path, None) {
            Ok(reply) => parsed(&doing, &reply)?,
            Err(error) if error.status() == Some(404) => return Ok(None),
            Err(error) => return Err(error),
        };
        let myself = self.myself()?;
        Ok(comment.author.is_some_and(|author| author.is(&myself)).then_some(memory))
    }

    fn myself(&self) -> Result<Person, JiraError> {
        let doing = "reading the Jira account";
        parsed(doing, &self.call(doing, Method::Get, "/myself", None)?)
    }

    fn memory(&self, key: &IssueKey) -> Result<Option<Memory>, JiraError> {
        let doing = format!("looking for reqgate's comment on {key}");
        match self.call(&doing, Method::Get, &format!("/issue/{key}/properties/{PROPERTY}"), None) {
            // A property with other contents is ignored.
            Ok(reply) => Ok(serde_json::from_slice::<Property>(&reply.body).ok().map(|property| property.value)),
            Err(error) if error.status() == Some(404) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Sends a request with retries, and returns its answer if it is a success. A request that creates something is
    /// repeated only if it certainly had no effect.
    pub(super) fn call(
        &self,
        doing: &str,
        method: Method,
        path: &str,
        body: Option<Value>,
    ) -> Result<Reply, JiraError> {
        let address = format!("{}{}{path}", self.site.address, self.site.api.path());
        let repeat = if method == Method::Post { Repeat::MakesTwo } else { Repeat::Harmless };
        let doing = || doing.to_owned();
        match self.net.exchange(&Request::new(method, address, body), repeat) {
            Ok(reply) if reply.is_success() => Ok(reply),
            Ok(reply) if reply.status == 400 => Err(invalid(doing(), &reply)),
            Ok(reply) => Err(JiraError::Refused { doing: doing(), status: reply.status }),
            Err(ExchangeError::RateLimited(_)) => Err(JiraError::Refused { doing: doing(), status: 429 }),
            Err(ExchangeError::Net(error)) => Err(JiraError::Unreachable { doing: doing(), message: error.message }),
        }
    }
}

/// The comment on one issue and its new text.
struct Sticky<'a> {
    client: &'a Client,
    key: &'a IssueKey,
    body: &'a Value,
    digest: &'a str,
}

impl Sticky<'_> {
    fn call(&self, doing: &str, method: Method, path: &str, body: Option<Value>) -> Result<Reply, JiraError> {
        let Self { client, key, .. } = self;
        client.call(&format!("{doing} on {key}"), method, &format!("/issue/{key}/{path}"), body)
    }

    fn saying(&self, id: String) -> Memory {
        Memory { comment: id, digest: self.digest.to_owned() }
    }

    /// A comment of reqgate with the right text that no property identifies, because a run was interrupted between the
    /// two writes or Jira's answer was lost.
    fn lost(&self) -> Result<Option<Memory>, JiraError> {
        let doing = "looking for reqgate's comment";
        let path = format!("comment?orderBy=-created&maxResults={NEWEST}");
        let reply = self.call(doing, Method::Get, &path, None)?;
        let found: Comments = parsed(&format!("{doing} on {}", self.key), &reply)?;
        let wanted = words_of(self.body);
        let mut alike = found.comments.into_iter().filter(|comment| words_of(&comment.body) == wanted).peekable();
        if alike.peek().is_none() {
            return Ok(None);
        }
        let myself = self.client.myself()?;
        let own = alike.find(|comment| comment.author.as_ref().is_some_and(|author| author.is(&myself)));
        Ok(own.map(|comment| comment.id).filter(|id| is_id(id)).map(|id| self.saying(id)))
    }
}

impl StickyComment for Sticky<'_> {
    type Comment = Memory;
    type Error = JiraError;

    fn is_current(&self, own: &Memory) -> bool {
        own.digest == self.digest
    }

    fn create(&self) -> Result<Memory, JiraError> {
        let body = json!({ "body": self.body });
        let reply = self.call("commenting", Method::Post, "comment", Some(body))?;
        let made: Made = parsed(&format!("commenting on {}", self.key), &reply)?;
        Ok(self.saying(made.id))
    }

    fn update(&self, own: Memory) -> Result<Memory, JiraError> {
        let (path, body) = (format!("comment/{}", own.comment), json!({ "body": self.body }));
        self.call("updating reqgate's comment", Method::Put, &path, Some(body))?;
        Ok(self.saying(own.comment))
    }

    fn delete(&self, duplicate: Memory) -> Result<(), JiraError> {
        let path = format!("comment/{}", duplicate.comment);
        self.call("deleting a duplicate comment", Method::Delete, &path, None).map(drop)
    }

    fn may_have_landed(error: &JiraError) -> bool {
        error.status().is_none_or(|status| status >= 500)
    }

    fn landed(&self) -> Result<Option<Memory>, JiraError> {
        self.lost()
    }

    fn rival(&self, made: &Memory) -> Result<Option<Memory>, JiraError> {
        Ok(self.client.own(self.key)?.filter(|other| other.comment != made.comment))
    }

    fn forgotten(&self) -> Result<Option<Memory>, JiraError> {
        self.lost()
    }

    fn remember(&self, own: &Memory) -> Result<(), JiraError> {
        let path = format!("properties/{PROPERTY}");
        self.call("recording the id of reqgate's comment", Method::Put, &path, Some(json!(own))).map(drop)
    }
}

/// Returns true if an id consists of digits; other ids must not become part of a path.
fn is_id(id: &str) -> bool {
    !id.is_empty() && id.bytes().all(|b| b.is_ascii_digit())
}

/// The time that Jira asks the client to wait before the same request; five seconds if it is not stated.
fn asked_to_wait(reply: &Reply, _: u32, now: SystemTime) -> Option<Duration> {
    (reply.status == 429).then(|| retry_after(reply, now).unwrap_or(Duration::from_secs(5)))
}

/// The words of a comment or a description in either of Jira's formats, without white space.
pub fn words_of(body: &Value) -> String {
    fn collect(value: &Value, words: &mut Vec<String>) {
        match value {
            Value::String(text) => words.extend(text.split_whitespace().map(str::to_owned)),
            Value::Array(items) => items.iter().for_each(|item| collect(item, words)),
            Value::Object(node) => {
                ["text", "content"].iter().filter_map(|key| node.get(*key)).for_each(|part| collect(part, words));
            }
            _ => {}
        }
    }
    let mut words = Vec::new();
    collect(body, &mut words);
    words.join(" ")
}

/// The refusal of an invalid request, with Jira's reasons.
fn invalid(doing: String, reply: &Reply) -> JiraError {
    #[derive(Default, Deserialize)]
    #[serde(rename_all = "camelCase", default)]
    struct Reasons {
        error_messages: Vec<String>,
        errors: BTreeMap<String, Value>,
    }
    let reasons: Reasons = serde_json::from_slice(&reply.body).unwrap_or_default();
    let line = |words: &str| short_line(words.trim().trim_end_matches('.'), LONGEST_REASON);
    let told = |reason: &Value| line(reason.as_str().unwrap_or_default());
    let fields = reasons.errors.iter().take(MOST_REASONS).map(|(field, reason)| (line(field), told(reason)));
    let messages = reasons.error_messages.iter().take(MOST_REASONS).map(|message| line(message));
    let (fields, messages): (Vec<_>, Vec<_>) = (fields.collect(), messages.collect());
    if fields.is_empty() && messages.is_empty() {
        return JiraError::Refused { doing, status: reply.status };
    }
    JiraError::Invalid { doing, fields, messages }
}

pub(super) fn parsed<T: serde::de::DeserializeOwned>(doing: &str, reply: &Reply) -> Result<T, JiraError> {
    serde_json::from_slice(&reply.body).map_err(|error| JiraError::Malformed {
        doing: doing.to_owned(),
        // serde's message may quote a value; the category does not.
        message: format!("{:?} error at line {}, column {}", error.classify(), error.line(), error.column()),
    })
}
