//! Walks over the issues of a repository, page by page, asking only for what may have changed.

use serde_json::json;

use super::bookmark::{Bookmark, Leaf};
use super::{Audit, Entry};
use reqgate_gate::pipeline::Pipeline;
use reqgate_gate::stages::intake::{self, RawInput};
use reqgate_net::github::{
    Client, Fetched, GithubError, Issue, IssueState, IssuesWanted, Page, PageAddress, Repository,
};

/// Issues on a full page.
const FULL_PAGE: usize = 100;

/// A walk over a repository.
pub struct Walk<'a> {
    /// The client for GitHub.
    pub client: &'a Client,
    /// The repository.
    pub repository: &'a Repository,
    /// What judges.
    pub pipeline: &'a Pipeline,
    /// Which issues.
    pub wanted: &'a IssuesWanted,
    /// The most issues to read.
    pub most: usize,
}

/// What a walk did.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Walked {
    /// Pages that were fetched and judged.
    pub fetched: usize,
    /// Pages of which GitHub said that nothing had changed.
    pub unchanged: usize,
    /// Pages that an earlier run had read before it was broken off.
    pub resumed: usize,
}

/// A walk that did not come to its end; what it has read is in the state.
#[derive(Debug, thiserror::Error)]
pub enum WalkError {
    /// GitHub cannot be asked or refuses.
    #[error(transparent)]
    Github(#[from] GithubError),
    /// The state cannot be stored.
    #[error("{0}")]
    Store(String),
}

impl Walk<'_> {
    /// Reads and judges every page, adds it to the audit, and calls `store` after each one.
    ///
    /// # Errors
    /// Fails if GitHub cannot be asked, or if the state cannot be stored; everything before is in `bookmark`.
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
        // The tag covers the issues on a page and not the link to the next one: a page that was full and the last may have got
        // a follower without having changed.
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

/// Adds a page to an audit, but no more than `left` issues; gives how many were added.
fn count(audit: &mut Audit, leaf: &Leaf, left: usize) -> usize {
    (0..leaf.pull_requests).for_each(|_| audit.add_pull_request());
    (0..leaf.unreadable).for_each(|_| audit.add_unreadable());
    leaf.entries.iter().take(left).cloned().for_each(|entry| audit.add(entry));
    if leaf.entries.len() > left {
        audit.cut();
    }
    leaf.entries.len().min(left)
}

/// An issue as intake would read it from a saved export, so that both ways give the same verdict; `None` if it is blank.
pub fn raw_input(repository: &Repository, issue: &Issue) -> Option<RawInput> {
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
