//! The state of one issue on GitHub now: read in each run, because an event may be late, doubled or lost.

use std::cell::RefCell;
use std::collections::BTreeMap;

use super::super::ActionError;
use super::branch::branch_of;
use super::decision::Remark;
use reqgate_net::github::{Client, Commit, GithubError, Issue, IssueState, Permission, PullRequest, Repository};

/// The label of issues whose PRD is written on GitHub.
pub const LABEL: &str = "prd";

/// The facts about an issue.
pub(super) struct Facts {
    pub(super) issue: Issue,
    /// The branch that the pull request is for.
    pub(super) default_branch: String,
    /// The branch of the issue exists.
    pub(super) has_branch: bool,
    /// The commit to build on: the head of the branch, else of the default branch.
    pub(super) head: Commit,
    /// The open pull request.
    pub(super) pull: Option<PullRequest>,
    /// Every comment and review, of the issue and of the pull request.
    pub(super) said: Vec<Remark>,
}

/// The reason why a run skips an issue.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NothingToDo {
    /// It does not have the label.
    #[error("it does not have the label `prd`")]
    NoLabel,
    /// The issue is closed.
    #[error("it is closed")]
    Closed,
    /// It is a pull request.
    #[error("it is a pull request")]
    PullRequest,
    /// The PRD was merged.
    #[error("its PRD was merged")]
    Merged,
    /// A person closed the pull request.
    #[error("its pull request is closed: reopen it to go on")]
    PullClosed,
}

/// Returns true if the PRD of an issue was merged, so that its runs are over.
///
/// # Errors
/// Fails if GitHub cannot be asked or refuses.
pub fn is_over(client: &Client, repository: &Repository, number: u64) -> Result<bool, GithubError> {
    let pulls = client.pulls_of(repository, &branch_of(number))?;
    let is_open = pulls.iter().any(|pull| pull.state == IssueState::Open);
    Ok(!is_open && pulls.iter().any(|pull| !pull.merged_at.is_empty()))
}

/// Reads the facts.
///
/// # Errors
/// Fails if GitHub cannot be asked or refuses.
pub(super) fn read(
    client: &Client,
    repository: &Repository,
    number: u64,
) -> Result<Result<Facts, NothingToDo>, ActionError> {
    let issue = client.issue(repository, number)?;
    if issue.is_pull_request {
        return Ok(Err(NothingToDo::PullRequest));
    }
    if issue.state != IssueState::Open {
        return Ok(Err(NothingToDo::Closed));
    }
    if !issue.labels.iter().any(|label| label.eq_ignore_ascii_case(LABEL)) {
        return Ok(Err(NothingToDo::NoLabel));
    }
    let branch = branch_of(number);
    let pulls = client.pulls_of(repository, &branch)?;
    let own_head = client.branch_head(repository, &branch)?;
    let pull = pulls.iter().find(|pull| pull.state == IssueState::Open).cloned();
    if pull.is_none() {
        if pulls.iter().any(|pull| !pull.merged_at.is_empty()) {
            return Ok(Err(NothingToDo::Merged));
        }
        // A person who deletes the branch too starts again.
        if !pulls.is_empty() && own_head.is_some() {
            return Ok(Err(NothingToDo::PullClosed));
        }
    }
    let default_branch = client.default_branch(repository)?;
    let head = match &own_head {
        Some(head) => head.clone(),
        None => client
            .branch_head(repository, &default_branch)?
            .ok_or(ActionError::Environment("the repository has no commit yet: make one, e.g. a README"))?,
    };
    let head = client.commit(repository, &head)?;
    let mut said: Vec<Remark> = client.comments(repository, number)?.into_iter().map(Remark::comment).collect();
    if let Some(pull) = &pull {
        said.extend(client.comments(repository, pull.number)?.into_iter().map(Remark::comment));
        said.extend(client.reviews(repository, pull.number)?.into_iter().map(Remark::review));
    }
    Ok(Ok(Facts { issue, default_branch, has_branch: own_head.is_some(), head, pull, said }))
}

/// The accounts that may write to the repository; a run asks GitHub once for each account.
pub(super) struct Writers<'a> {
    client: &'a Client,
    repository: &'a Repository,
    known: RefCell<BTreeMap<String, bool>>,
}

impl<'a> Writers<'a> {
    /// A list that does not know any account yet.
    pub(super) fn of(client: &'a Client, repository: &'a Repository) -> Self {
        Self { client, repository, known: RefCell::default() }
    }

    /// Returns true if an account may write.
    pub(super) fn may_write(&self, login: &str) -> Result<bool, GithubError> {
        let login = login.to_lowercase();
        if let Some(known) = self.known.borrow().get(&login) {
            return Ok(*known);
        }
        let may = self.client.permission(self.repository, &login)? >= Permission::Write;
        self.known.borrow_mut().insert(login, may);
        Ok(may)
    }
}
