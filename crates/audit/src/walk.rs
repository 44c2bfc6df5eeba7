//! Reads the issues of a repository page by page, and requests only pages that may have changed.

use serde_json::json;

use super::bookmark::{Bookmark, Leaf};
use super::{Audit, Entry};
use reqgate_gate::pipeline::Pipeline;
use reqgate_gate::stages::intake::{self, RawInput};
use reqgate_net::github::{
    Client, Fetched, GithubError, Issue, IssueState, IssuesWanted, Page, PageAddress, Repository,
};

/// The number of issues on a full page.
const FULL_PAGE: usize = 100;

/// The parameters of a walk over a repository.
pub struct Walk<'a> {
    /// The client for requests to GitHub.
    pub client: &'a Client,
    /// The repository to audit.
    pub repository: &'a Repository,
    /// The pipeline that judges each issue.
    pub pipeline: &'a Pipeline,
    /// The filter for the issues to read.
    pub wanted: &'a IssuesWanted,
    /// The maximum number of issues to read.
    pub most: usize,
}

/// The numbers of pages that a walk read, by their origin.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Walked {
    /// The number of pages that were fetched and judged.
    pub fetched: usize,
    /// The number of pages that GitHub reported as unchanged.
    pub unchanged: usize,
    /// The number of pages that an interrupted earlier run had read.
    pub resumed: usize,
}

/// The reason why a walk stopped early; its progress is in the state.
#[derive(Debug, thiserror::Error)]
pub enum WalkError {
    /// A request to GitHub failed.
    #[error(transparent)]
    Github(#[from] GithubError),
    /// The state could not be stored.
    #[error("{0}")]
    Store(String),
}

impl Walk<'_> {
    /// Reads and judges every page, adds it to the audit, and calls `store` after each page.
    ///
    /// # Errors
    /// Fails if a request to GitHub fails or the state cannot be stored; all earlier pages are in `bookmark`.
    pub fn run(
        &self,
        bookmark: &mut Bookmark,
        audit: &mut Audit,
        mut store: impl FnMut(&Bookmark, usize) -> Result<(), String>,
    ) -> Result<Walked, WalkError> {
        let mut walked = Walked::default();
        let is_resumed = bookmark.is_broken_off();
        let old = std::mem::take(&mut bookmark.pages);
        bookmark.is_complete = false;
        let mut left = self.most;
        let mut next = Some(self.client.first_page(self.repository, self.wanted));
        let mut place = 0;
        while let Some(address) = next {
            if left == 0 {
                audit.cut();
                break;
            }
            let known = old.get(place).filter(|leaf| leaf.address == address);
            let leaf = match known {
                Some(known) if is_resumed => {
                    walked.resumed += 1;
                    known.clone()
                }
                known => self.leaf(address, known, &mut walked)?,
            };
            left -= count(audit, &leaf, left);
            next = leaf.next.clone();
            bookmark.pages.push(leaf);
            place += 1;
            store(bookmark, audit.count()).map_err(WalkError::Store)?;
        }
        bookmark.is_complete = true;
        store(bookmark, audit.count()).map_err(WalkError::Store)?;
        Ok(walked)
    }

    fn leaf(&self, address: PageAddress, known: Option<&Leaf>, walked: &mut Walked) -> Result<Leaf, GithubError> {
        // The tag covers the issues on a page but not the link to the next page. So a page that was full and the last
        // one may have a successor now, although its tag is unchanged.
        let is_certain = |leaf: &&Leaf| leaf.next.is_some() || leaf.items < FULL_PAGE;
        let known = known.filter(is_certain);
        let etag = known.and_then(|leaf| leaf.etag.as_deref());
        match (self.client.issues(&address, etag)?, known) {
            (Fetched::Unchanged, Some(known)) => {
                walked.unchanged += 1;
                Ok(known.clone())
            }
            (Fetched::Unchanged, None) => match self.client.issues(&address, None)? {
                Fetched::New(page) => Ok(self.judged(address, page)),
                Fetched::Unchanged => Ok(self.judged(address, Page { items: Vec::new(), next: None, etag: None })),
            },
            (Fetched::New(page), _) => {
                walked.fetched += 1;
                Ok(self.judged(address, page))
            }
        }
    }

    fn judged(&self, address: PageAddress, page: Page<Issue>) -> Leaf {
        let items = page.items.len();
        let (requests, issues): (Vec<Issue>, Vec<Issue>) = page.items.into_iter().partition(|it| it.is_pull_request);
        let entries: Vec<Entry> = issues.iter().filter_map(|issue| self.entry(issue)).collect();
        Leaf {
            address,
            etag: page.etag,
            next: page.next,
            items,
            pull_requests: requests.len(),
            unreadable: issues.len() - entries.len(),
            entries,
        }
    }

    fn entry(&self, issue: &Issue) -> Option<Entry> {
        let input = raw_input(self.repository, issue)?;
        let facts = input.facts.clone();
        self.pipeline.run(input).ok().map(|outcome| Entry::of(&facts, &outcome))
    }
}

/// Adds at most `left` issues of a page to an audit; returns the number of added issues.
fn count(audit: &mut Audit, leaf: &Leaf, left: usize) -> usize {
    (0..leaf.pull_requests).for_each(|_| audit.add_pull_request());
    (0..leaf.unreadable).for_each(|_| audit.add_unreadable());
    leaf.entries.iter().take(left).cloned().for_each(|entry| audit.add(entry));
    if leaf.entries.len() > left {
        audit.cut();
    }
    leaf.entries.len().min(left)
}

/// Converts an issue in the same way as intake reads a saved export, so that both give the same verdict; `None` if it
/// is blank.
fn raw_input(repository: &Repository, issue: &Issue) -> Option<RawInput> {
    let row = json!({
        "number": issue.number,
        "title": issue.title,
        "body": issue.body,
        "labels": issue.labels,
        "state": if issue.state == IssueState::Open { "open" } else { "closed" },
        "html_url": issue.html_url,
        "created_at": issue.created_at,
        "updated_at": issue.updated_at,
        "comments": issue.comments,
        "reactions": { "total_count": issue.reactions },
    });
    let name = format!("{repository}#{}", issue.number);
    let read = intake::read_bytes("issue.json", row.to_string().as_bytes()).into_iter().next()?;
    read.ok().map(|input| RawInput { name, ..input })
}
