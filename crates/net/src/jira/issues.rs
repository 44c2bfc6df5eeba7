//! The issues of a project: found by a label, read, created, changed, and linked.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Value, json};

use super::client::parsed;
use super::{Api, Client, IssueKey, JiraError, ProjectKey};
use crate::{Method, segment};

/// The most pages of a search, a hundred issues each.
const MOST_PAGES: usize = 100;
/// The number of issues on a page.
const PER_PAGE: usize = 100;

/// An issue with one of its entity properties.
#[derive(Debug, Clone, PartialEq)]
pub struct ProjectIssue {
    /// The current key, which changes if the issue is moved.
    pub key: IssueKey,
    /// The title of the issue.
    pub summary: String,
    /// The description: a document in Atlassian's format on Cloud, wiki markup on Server, `null` if it is empty.
    pub description: Value,
    /// The labels of the issue.
    pub labels: Vec<String>,
    /// The status counts as done.
    pub is_done: bool,
    /// The linked issues: name of the link type, end of the link, issue.
    pub links: Vec<(String, LinkEnd, IssueKey)>,
    /// The property, if the issue has it.
    pub property: Option<Value>,
}

/// The end of a link at which the other issue is, as Jira names it: "is blocked by" leads to the inward issue, "blocks"
/// to the outward issue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LinkEnd {
    /// The issue at which the link begins.
    Inward,
    /// The issue at which the link ends.
    Outward,
}

/// A type of link between issues.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct LinkType {
    /// The name of the type.
    pub name: String,
    /// The words before an inward issue: "is blocked by".
    #[serde(default)]
    pub inward: String,
    /// The words before an outward issue: "blocks".
    #[serde(default)]
    pub outward: String,
}

/// An issue to be created.
#[derive(Debug, Clone, Copy)]
pub struct NewIssue<'n> {
    /// The name of the issue type, e.g. `Story`.
    pub issue_type: &'n str,
    /// The title of the issue.
    pub summary: &'n str,
    /// The description, in the format of the site.
    pub description: &'n Value,
    /// The labels of the issue.
    pub labels: &'n [String],
}

#[derive(Deserialize)]
struct Wire {
    key: String,
    #[serde(default)]
    fields: Fields,
    #[serde(default)]
    properties: BTreeMap<String, Value>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Fields {
    summary: Option<String>,
    description: Value,
    labels: Option<Vec<String>>,
    status: Option<Status>,
    issuelinks: Option<Vec<Link>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Status {
    status_category: Option<Category>,
}

#[derive(Deserialize)]
struct Category {
    key: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Link {
    r#type: LinkType,
    inward_issue: Option<Linked>,
    outward_issue: Option<Linked>,
}

#[derive(Deserialize)]
struct Linked {
    key: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct SearchPage {
    #[serde(default)]
    issues: Vec<Linked>,
    next_page_token: Option<String>,
    total: Option<usize>,
}

impl Client {
    /// The keys of a project's issues with a label, the oldest first. Jira's search index may be some seconds old.
    ///
    /// # Errors
    /// Returns an error if Jira cannot be reached or refuses, or if there are more than ten thousand.
    pub fn labelled(&self, project: &ProjectKey, label: &str) -> Result<Vec<IssueKey>, JiraError> {
        let doing = format!("looking for the issues of the plan in {project}");
        let label = label.replace(['"', '\\'], "");
        let query = format!(r#"project = "{project}" AND labels = "{label}" ORDER BY key ASC"#);
        let (mut keys, mut next) = (Vec::new(), String::new());
        for _ in 0..MOST_PAGES {
            let page = self.search(&doing, &query, PER_PAGE, &next)?;
            let count = page.issues.len();
            for issue in page.issues {
                keys.push(issue.key.parse()?);
            }
            next = match (page.next_page_token, page.total) {
                (Some(token), _) => format!("&nextPageToken={}", segment(&token)),
                (None, Some(total)) if count > 0 && keys.len() < total => format!("&startAt={}", keys.len()),
                _ => return Ok(keys),
            };
        }
        // An issue that was not found would be created a second time.
        Err(JiraError::Malformed { doing, message: format!("more than {} issues", MOST_PAGES * PER_PAGE) })
    }

    /// The newest issue of a project in the search index.
    ///
    /// # Errors
    /// Returns an error if Jira cannot be reached or refuses.
    pub fn newest(&self, project: &ProjectKey) -> Result<Option<IssueKey>, JiraError> {
        let doing = format!("looking for the newest issue in {project}");
        let page = self.search(&doing, &format!(r#"project = "{project}" ORDER BY key DESC"#), 1, "")?;
        page.issues.first().map(|issue| issue.key.parse()).transpose()
    }

    fn search(&self, doing: &str, query: &str, most: usize, next: &str) -> Result<SearchPage, JiraError> {
        // Cloud has removed the older address, and Server does not have the newer one.
        let path = match self.site().api {
            Api::Cloud => "/search/jql",
            Api::Server => "/search",
        };
        // Cloud omits the key unless a field is requested.
        let path = format!("{path}?jql={}&fields=summary&maxResults={most}{next}", segment(query));
        parsed(doing, &self.call(doing, Method::Get, &path, None)?)
    }

    /// An issue with one of its properties; `None` if it does not exist or the account cannot see it.
    ///
    /// # Errors
    /// Returns an error if Jira cannot be reached or refuses.
    pub fn project_issue(&self, key: &IssueKey, property: &str) -> Result<Option<ProjectIssue>, JiraError> {
        let doing = format!("reading {key}");
        let path = format!("/issue/{key}?fields=summary,description,labels,status,issuelinks&properties={property}");
        let wire: Wire = match self.call(&doing, Method::Get, &path, None) {
            Ok(reply) => parsed(&doing, &reply)?,
            Err(error) if error.status() == Some(404) => return Ok(None),
            Err(error) => return Err(error),
        };
        let Fields { summary, description, labels, status, issuelinks } = wire.fields;
        let ends = |link: Link| {
            let name = link.r#type.name;
            let end = |end: LinkEnd, issue: Option<Linked>| Some((name.clone(), end, issue?.key.parse().ok()?));
            [end(LinkEnd::Inward, link.inward_issue), end(LinkEnd::Outward, link.outward_issue)]
        };
        let category = status.and_then(|status| status.status_category).and_then(|category| category.key);
        Ok(Some(ProjectIssue {
            key: wire.key.parse()?,
            summary: summary.unwrap_or_default(),
            description,
            labels: labels.unwrap_or_default(),
            is_done: category.as_deref() == Some("done"),
            links: issuelinks.into_iter().flatten().flat_map(ends).flatten().collect(),
            property: wire.properties.into_iter().find(|(key, _)| key == property).map(|(_, value)| value),
        }))
    }

    /// Creates an issue together with an entity property.
    ///
    /// # Errors
    /// Returns an error if Jira cannot be reached or refuses. The request is not repeated: after a lost answer, the
    /// caller must check whether the issue exists.
    pub fn create_issue(
        &self,
        project: &ProjectKey,
        new: NewIssue<'_>,
        property: (&str, &Value),
    ) -> Result<IssueKey, JiraError> {
        let doing = format!("creating “{}” in {project}", reqgate_base::clean::short_words(new.summary, 80));
        let fields = json!({
            "project": { "key": project.to_string() },
            "issuetype": { "name": new.issue_type },
            "summary": new.summary,
            "description": new.description,
            "labels": new.labels,
        });
        let body = json!({ "fields": fields, "properties": [{ "key": property.0, "value": property.1 }] });
        let made: Linked = parsed(&doing, &self.call(&doing, Method::Post, "/issue", Some(body))?)?;
        made.key.parse()
    }

    /// Changes only the title, the description and a property of an issue.
    ///
    /// # Errors
    /// Returns an error if Jira cannot be reached or refuses.
    pub fn edit_issue(
        &self,
        key: &IssueKey,
        summary: &str,
        description: &Value,
        property: (&str, &Value),
    ) -> Result<(), JiraError> {
        let fields = json!({ "summary": summary, "description": description });
        let body = json!({ "fields": fields, "properties": [{ "key": property.0, "value": property.1 }] });
        self.call(&format!("updating {key}"), Method::Put, &format!("/issue/{key}"), Some(body)).map(drop)
    }

    /// The link types of the site; empty if links are switched off.
    ///
    /// # Errors
    /// Returns an error if Jira cannot be reached or refuses.
    pub fn link_types(&self) -> Result<Vec<LinkType>, JiraError> {
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct Types {
            #[serde(default)]
            issue_link_types: Vec<LinkType>,
        }
        let doing = "reading the types of links";
        match self.call(doing, Method::Get, "/issueLinkType", None) {
            Ok(reply) => parsed::<Types>(doing, &reply).map(|types| types.issue_link_types),
            Err(error) if error.status() == Some(404) => Ok(Vec::new()),
            Err(error) => Err(error),
        }
    }

    /// Links two issues: `from` is shown with the outward words of the type ("blocks"), `to` with the inward ones ("is
    /// blocked by").
    ///
    /// # Errors
    /// Returns an error if Jira cannot be reached or refuses.
    pub fn link(&self, link_type: &str, from: &IssueKey, to: &IssueKey) -> Result<(), JiraError> {
        let body = json!({
            "type": { "name": link_type },
            "inwardIssue": { "key": from.to_string() },
            "outwardIssue": { "key": to.to_string() },
        });
        self.call(&format!("linking {from} and {to}"), Method::Post, "/issueLink", Some(body)).map(drop)
    }
}
