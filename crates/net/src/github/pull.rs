//! Pull requests, their reviews, and check runs.

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::json;

use super::client::{MOST_PAGES, PER_PAGE, parsed};
use super::issues::null_as_default;
use super::pages::Fetched;
use super::{Account, Client, GithubError, IssueState, Repository};
use crate::segment;
use crate::{Method, Repeat, Request};

/// A pull request, as far as the workflow needs it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct PullRequest {
    /// The number, shared with the issues.
    pub number: u64,
    /// The state, open or closed.
    #[serde(default)]
    pub state: IssueState,
    /// The time of the merge; empty if it was not merged.
    #[serde(default, deserialize_with = "null_as_default")]
    pub merged_at: String,
    /// The address of its page.
    #[serde(default, deserialize_with = "null_as_default")]
    pub html_url: String,
    /// The branch that it proposes.
    pub head: PullHead,
}

/// The branch that a pull request proposes.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct PullHead {
    /// The name of the branch.
    #[serde(rename = "ref")]
    pub branch: String,
    /// The repository with the branch; `None` if it was deleted.
    #[serde(default)]
    pub repo: Option<PullRepository>,
}

/// The repository with the branch of a pull request.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct PullRepository {
    /// The name as `owner/name`.
    #[serde(default)]
    pub full_name: String,
}

/// A review of a pull request.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Review {
    /// The id, which is higher for later reviews.
    pub id: u64,
    /// The account of the reviewer.
    #[serde(default, deserialize_with = "null_as_default")]
    pub user: Account,
    /// The text of the review.
    #[serde(default, deserialize_with = "null_as_default")]
    pub body: String,
    /// The decision of the reviewer.
    pub state: ReviewState,
    /// The commit that the reviewer saw; empty if it no longer exists.
    #[serde(default, deserialize_with = "null_as_default")]
    pub commit_id: String,
    /// The time when it was submitted.
    #[serde(default, deserialize_with = "null_as_default")]
    pub submitted_at: String,
}

/// The decision of a review.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum ReviewState {
    /// The reviewer approved the pull request.
    Approved,
    /// The reviewer requested changes.
    ChangesRequested,
    /// The decision was dismissed.
    Dismissed,
    /// The review is only a comment, or pending.
    #[serde(other)]
    Other,
}

/// An event of a pull request, reduced to its review.
#[derive(Deserialize)]
struct PullEvent {
    #[serde(default)]
    dismissed_review: Option<DismissedReview>,
}

#[derive(Deserialize)]
struct DismissedReview {
    review_id: u64,
    /// The earlier decision, in lower case.
    #[serde(default)]
    state: String,
    /// The commit whose push dismissed it; `None` if a person did.
    dismissal_commit_id: Option<String>,
}

/// A check run on a commit.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct CheckRun {
    /// The id, which is higher for later check runs.
    #[serde(default)]
    pub id: u64,
    /// The identifier given by its creator.
    #[serde(default, deserialize_with = "null_as_default")]
    pub external_id: String,
}

#[derive(Deserialize)]
struct CheckRuns {
    check_runs: Vec<CheckRun>,
}

/// The conclusion of a check run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CheckConclusion {
    /// The check run succeeded.
    Success,
    /// A person must act.
    ActionRequired,
    /// The check run failed.
    Failure,
}

impl CheckConclusion {
    fn name(self) -> &'static str {
        match self {
            Self::Success => "success",
            Self::ActionRequired => "action_required",
            Self::Failure => "failure",
        }
    }
}

impl Client {
    /// The pull requests that propose a branch of the repository itself, open and closed, the latest first.
    ///
    /// # Errors
    /// Returns an error if GitHub cannot be reached or refuses.
    pub fn pulls_of(&self, repository: &Repository, branch: &str) -> Result<Vec<PullRequest>, GithubError> {
        let head = segment(&format!("{}:{branch}", repository.owner()));
        let address = format!("{}/pulls?head={head}&state=all&per_page={PER_PAGE}", repository.path());
        let mut pulls: Vec<PullRequest> =
            self.read(&format!("listing the pull requests of {repository}"), &Request::get(address))?;
        // The filter names an owner, who may have a fork with a branch of the same name.
        let own = repository.to_string();
        let is_own = |repo: &PullRepository| repo.full_name.eq_ignore_ascii_case(&own);
        pulls.retain(|pull| pull.head.branch == branch && pull.head.repo.as_ref().is_some_and(is_own));
        pulls.sort_by_key(|pull| std::cmp::Reverse(pull.number));
        Ok(pulls)
    }

    /// Reads a pull request by its number.
    ///
    /// # Errors
    /// Returns an error if GitHub cannot be reached or refuses.
    pub fn pull(&self, repository: &Repository, number: u64) -> Result<PullRequest, GithubError> {
        let doing = format!("reading pull request {number} of {repository}");
        self.read(&doing, &Request::get(format!("{}/pulls/{number}", repository.path())))
    }

    /// Opens a pull request for a branch of the repository itself.
    ///
    /// # Errors
    /// Returns an error if GitHub cannot be reached or refuses; 422 if the branch already has an open one.
    pub fn create_pull(
        &self,
        repository: &Repository,
        branch: &str,
        base: &str,
        title: &str,
        body: &str,
    ) -> Result<PullRequest, GithubError> {
        let doing = format!("opening a pull request in {repository}");
        let told =
            json!({ "title": title, "body": body, "head": branch, "base": base, "maintainer_can_modify": false });
        let request = Request::new(Method::Post, format!("{}/pulls", repository.path()), Some(told));
        // GitHub refuses a second pull request for the same branch, so a repetition is harmless.
        parsed(&doing, &self.call(&doing, &request, Repeat::Harmless)?)
    }

    /// The reviews of a pull request, the oldest first. A review that a push dismissed, as a branch setting may
    /// require, keeps the reviewer's decision about its commit.
    ///
    /// # Errors
    /// Returns an error if GitHub cannot be reached or refuses.
    pub fn reviews(&self, repository: &Repository, number: u64) -> Result<Vec<Review>, GithubError> {
        let doing = format!("listing the reviews of pull request {number} of {repository}");
        let mut reviews: Vec<Review> = self.listed(&doing, &format!("{}/pulls/{number}/reviews", repository.path()))?;
        if reviews.iter().any(|review| review.state == ReviewState::Dismissed) {
            let events: Vec<PullEvent> =
                self.listed(&doing, &format!("{}/issues/{number}/events", repository.path()))?;
            for dismissed in events.into_iter().filter_map(|event| event.dismissed_review) {
                let by_push = dismissed.dismissal_commit_id.is_some_and(|commit| !commit.is_empty());
                let review = reviews.iter_mut().find(|review| review.id == dismissed.review_id);
                if let Some(review) = review.filter(|review| by_push && review.state == ReviewState::Dismissed) {
                    review.state = match dismissed.state.as_str() {
                        "approved" => ReviewState::Approved,
                        "changes_requested" => ReviewState::ChangesRequested,
                        _ => ReviewState::Dismissed,
                    };
                }
            }
        }
        Ok(reviews)
    }

    fn listed<T: DeserializeOwned>(&self, doing: &str, address: &str) -> Result<Vec<T>, GithubError> {
        let mut items = Vec::new();
        for page in 1..=MOST_PAGES {
            let request = Request::get(format!("{address}?per_page={PER_PAGE}&page={page}"));
            let Fetched::New(page) = self.page::<T>(doing, &request)? else { break };
            items.extend(page.items);
            if page.next.is_none() {
                break;
            }
        }
        Ok(items)
    }

    /// The latest check runs of this name on a commit.
    ///
    /// # Errors
    /// Returns an error if GitHub cannot be reached or refuses.
    pub fn check_runs(&self, repository: &Repository, sha: &str, name: &str) -> Result<Vec<CheckRun>, GithubError> {
        let doing = format!("listing the check runs of a commit of {repository}");
        let (sha, name) = (segment(sha), segment(name));
        let address = format!("{}/commits/{sha}/check-runs?check_name={name}", repository.path());
        Ok(self.read::<CheckRuns>(&doing, &Request::get(address))?.check_runs)
    }

    /// Creates a completed check run.
    ///
    /// # Errors
    /// Returns an error if GitHub cannot be reached or refuses. A repetition creates a second check run; GitHub shows
    /// the latest.
    pub fn create_check_run(
        &self,
        repository: &Repository,
        sha: &str,
        (name, external_id): (&str, &str),
        conclusion: CheckConclusion,
        (title, summary): (&str, &str),
    ) -> Result<(), GithubError> {
        let doing = format!("making a check run in {repository}");
        let told = json!({
            "name": name, "head_sha": sha, "external_id": external_id, "status": "completed",
            "conclusion": conclusion.name(), "output": { "title": title, "summary": summary },
        });
        let request = Request::new(Method::Post, format!("{}/check-runs", repository.path()), Some(told));
        self.call(&doing, &request, Repeat::Harmless).map(drop)
    }
}
