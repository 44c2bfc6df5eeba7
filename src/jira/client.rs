//! The calls that the gate makes to Jira, and how each is repeated or given up.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::transport::{Method, Network, Reply, Request, Transport};
use super::{Api, Document, IssueKey, JiraError, Site};

/// The key of the entity property of an issue that remembers our comment.
pub const PROPERTY: &str = "reqgate.comment";
/// The fields that are read of an issue.
const FIELDS: &str = "*all";
/// How often a request is sent at most.
const MOST_ATTEMPTS: u32 = 3;
/// How many of the newest comments are looked through for one of ours that nothing remembers.
const NEWEST: u32 = 50;
/// The longest time that one `Retry-After` may cost.
const LONGEST_WAIT: u64 = 60;

/// A client of one Jira site. Requests follow each other one by one.
pub struct Client {
    site: Site,
    transport: Box<dyn Transport>,
}

/// What the entity property remembers: nothing of anybody's text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Memory {
    /// The id of our comment.
    pub comment: String,
    /// Names what the comment says, so that it is not written again unchanged.
    pub digest: String,
}

/// What became of the comment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kept {
    /// It was made.
    Created {
        /// Its id.
        id: String,
    },
    /// It says something new.
    Updated {
        /// Its id.
        id: String,
    },
    /// It says what it said before.
    Unchanged {
        /// Its id.
        id: String,
    },
    /// There is none, and none was asked for.
    None,
}

#[derive(Deserialize)]
struct Property {
    value: Memory,
}

#[derive(Deserialize)]
struct Made {
    id: String,
}

/// A person as Cloud (`accountId`) or Server (`key`, or `name` in old versions) names one.
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
    /// A client of a site. Nothing is connected before the first request.
    pub fn new(site: Site) -> Self {
        let transport = Box::new(Network::new(site.credentials.clone()));
        Self { site, transport }
    }

    /// A client over another transport, for tests and recordings.
    pub fn with(site: Site, transport: Box<dyn Transport>) -> Self {
        Self { site, transport }
    }

    /// The site.
    pub fn site(&self) -> &Site {
        &self.site
    }

    /// The issue as Jira's JSON, with the names of its custom fields, as intake reads it.
    ///
    /// # Errors
    /// Fails if Jira cannot be asked or refuses.
    pub fn issue(&self, key: &IssueKey) -> Result<Vec<u8>, JiraError> {
        let doing = format!("reading {key}");
        let reply = self.call(&doing, Method::Get, &format!("/issue/{key}?fields={FIELDS}&expand=names"), None)?;
        Ok(reply.body)
    }

    /// Makes our comment on an issue say what the document says. If there is none yet, it is made only if `may_create`.
    ///
    /// # Errors
    /// Fails if Jira cannot be asked or refuses.
    pub fn keep_comment(
        &self,
        key: &IssueKey,
        document: &Document,
        digest: &str,
        may_create: bool,
    ) -> Result<Kept, JiraError> {
        if self.site.credentials.is_none() {
            return Err(JiraError::NoCredentials);
        }
        match self.own(key)? {
            Some(memory) if memory.digest == digest => Ok(Kept::Unchanged { id: memory.comment }),
            Some(memory) => self.update(key, memory.comment, document, digest),
            None if may_create => self.create(key, document, digest),
            None => Ok(Kept::None),
        }
    }

    /// What the property remembers, if the comment is still there and ours: anybody who may edit the issue can write the
    /// property, and must not be able to make us write over somebody's comment.
    fn own(&self, key: &IssueKey) -> Result<Option<Memory>, JiraError> {
        let Some(memory) = self.memory(key)? else { return Ok(None) };
        // An id of anything but digits is no id, and must not become a path.
        if memory.comment.is_empty() || !memory.comment.bytes().all(|b| b.is_ascii_digit()) {
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

    /// A comment of ours that says what the document says and that no property remembers: a run was cut off between the two,
    /// or Jira's answer got lost.
    fn lost(&self, key: &IssueKey, document: &Document) -> Result<Option<String>, JiraError> {
        let doing = format!("looking for reqgate's comment on {key}");
        let path = format!("/issue/{key}/comment?orderBy=-created&maxResults={NEWEST}");
        let found: Comments = parsed(&doing, &self.call(&doing, Method::Get, &path, None)?)?;
        let wanted = words_of(&self.body(document)["body"]);
        let mut alike = found.comments.into_iter().filter(|comment| words_of(&comment.body) == wanted).peekable();
        if alike.peek().is_none() {
            return Ok(None);
        }
        let myself = self.myself()?;
        let own = alike.find(|comment| comment.author.as_ref().is_some_and(|author| author.is(&myself)));
        Ok(own.map(|comment| comment.id).filter(|id| !id.is_empty() && id.bytes().all(|b| b.is_ascii_digit())))
    }

    fn memory(&self, key: &IssueKey) -> Result<Option<Memory>, JiraError> {
        let doing = format!("looking for reqgate's comment on {key}");
        match self.call(&doing, Method::Get, &format!("/issue/{key}/properties/{PROPERTY}"), None) {
            // A property that somebody has filled with something else counts as none.
            Ok(reply) => Ok(serde_json::from_slice::<Property>(&reply.body).ok().map(|property| property.value)),
            Err(error) if error.status() == Some(404) => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn create(&self, key: &IssueKey, document: &Document, digest: &str) -> Result<Kept, JiraError> {
        let doing = format!("commenting on {key}");
        if let Some(id) = self.lost(key, document)? {
            self.remember(key, &id, digest)?;
            return Ok(Kept::Unchanged { id });
        }
        let made = self.call(&doing, Method::Post, &format!("/issue/{key}/comment"), Some(self.body(document)));
        let made: Made = match made {
            Ok(reply) => parsed(&doing, &reply)?,
            // It may have landed all the same.
            Err(error) if error.status().is_none_or(|status| status >= 500) => match self.lost(key, document) {
                Ok(Some(id)) => Made { id },
                _ => return Err(error),
            },
            Err(error) => return Err(error),
        };
        // Another run may have been faster since we looked: then its comment stays, and ours goes.
        if let Some(other) = self.own(key)?.filter(|other| other.comment != made.id) {
            let doing = format!("deleting a duplicate comment on {key}");
            self.call(&doing, Method::Delete, &format!("/issue/{key}/comment/{}", made.id), None)?;
            return self.update(key, other.comment, document, digest);
        }
        self.remember(key, &made.id, digest)?;
        Ok(Kept::Created { id: made.id })
    }

    fn update(&self, key: &IssueKey, id: String, document: &Document, digest: &str) -> Result<Kept, JiraError> {
        let doing = format!("updating reqgate's comment on {key}");
        self.call(&doing, Method::Put, &format!("/issue/{key}/comment/{id}"), Some(self.body(document)))?;
        self.remember(key, &id, digest)?;
        Ok(Kept::Updated { id })
    }

    fn remember(&self, key: &IssueKey, id: &str, digest: &str) -> Result<(), JiraError> {
        let doing = format!("recording the id of reqgate's comment on {key}");
        let memory = json!(Memory { comment: id.to_owned(), digest: digest.to_owned() });
        self.call(&doing, Method::Put, &format!("/issue/{key}/properties/{PROPERTY}"), Some(memory)).map(drop)
    }

    fn body(&self, document: &Document) -> Value {
        match self.site.api {
            Api::Cloud => json!({ "body": document.to_adf() }),
            Api::Server => json!({ "body": document.to_wiki() }),
        }
    }

    /// Sends a request until there is an answer that means yes. One that makes something is never repeated unless Jira
    /// itself says that it did nothing (429): twice would make two.
    fn call(&self, doing: &str, method: Method, path: &str, body: Option<Value>) -> Result<Reply, JiraError> {
        let address = format!("{}{}{path}", self.site.address, self.site.api.path());
        let request = Request { method, address, body };
        let mut attempt = 1;
        loop {
            let is_last = attempt >= MOST_ATTEMPTS;
            let may_repeat = method != Method::Post && !is_last;
            match self.transport.send(&request) {
                Ok(reply) if (200..300).contains(&reply.status) => return Ok(reply),
                Ok(reply) if reply.status == 429 && !is_last && reply.retry_after.unwrap_or(5) <= LONGEST_WAIT => {
                    self.transport.wait(Duration::from_secs(reply.retry_after.unwrap_or(5)));
                }
                Ok(reply) if reply.status >= 500 && may_repeat => self.transport.wait(pause(attempt)),
                Ok(reply) => return Err(JiraError::Refused { doing: doing.to_owned(), status: reply.status }),
                Err(_) if may_repeat => self.transport.wait(pause(attempt)),
                Err(error) => {
                    return Err(JiraError::Unreachable { doing: doing.to_owned(), message: error.to_string() });
                }
            }
            attempt += 1;
        }
    }
}

/// The words of a comment in either of Jira's formats, white space aside.
fn words_of(body: &Value) -> String {
    fn collect(value: &Value, words: &mut Vec<String>) {
        match value {
            Value::String(text) => words.extend(text.split_whitespace().map(str::to_owned)),
            Value::Array(items) => items.iter().for_each(|item| collect(item, words)),
            Value::Object(node) => {
                ["text", "content"].iter().filter_map(|key| node.get(*key)).for_each(|part| collect(part, words))
            }
            _ => {}
        }
    }
    let mut words = Vec::new();
    collect(body, &mut words);
    words.join(" ")
}

fn pause(attempt: u32) -> Duration {
    Duration::from_millis(500 << attempt.min(4))
}

fn parsed<T: serde::de::DeserializeOwned>(doing: &str, reply: &Reply) -> Result<T, JiraError> {
    serde_json::from_slice(&reply.body).map_err(|error| JiraError::Malformed {
        doing: doing.to_owned(),
        // serde's words may quote a value; the category does not.
        message: format!("{:?} error at line {}, column {}", error.classify(), error.line(), error.column()),
    })
}
