//! One run for one issue: read, work, push, show; again from the beginning if another run or person was faster.

use super::super::ActionError;
use super::branch::{self, Files, Pushed, branch_of};
use super::comment::PrdComment;
use super::copy::{Job, Stand, Worked, work};
use super::error::CopyError;
use super::facts::{self, Facts, NothingToDo, Writers};
use super::page::{self, Place};
use super::plan::Writing;
use reqgate_flow::Phase;
use reqgate_gate::pipeline::Pipeline;
use reqgate_net::github::{CheckConclusion, Client, GithubError, PullRequest, Repository};
use reqgate_text::language::language_of;

/// The number of times that a run starts again because another was faster. Each time the other one made progress, so the retries
/// end.
const MOST_TRIES: u32 = 20;
/// The name of the check run.
const CHECK: &str = "reqgate PRD";

/// Takes the PRD of an issue as far as it goes without a person.
pub struct PrdFlow<'a> {
    /// The client.
    pub client: &'a Client,
    /// The repository.
    pub repository: &'a Repository,
    /// The gate.
    pub pipeline: &'a Pipeline,
    /// The login under which our comments are written.
    pub comment_author: &'a str,
}

/// The result of a run for an issue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Shown {
    /// The issue was skipped.
    Nothing(NothingToDo),
    /// Everything is shown; the word names the next event that the thread waits for.
    Stands(&'static str),
    /// The thread has failed.
    Failed,
    /// The text or the log is not taken; a comment says why.
    Stopped(String),
    /// GitHub does not allow it; a comment has the document.
    Forbidden(GithubError),
    /// The comment is up to date, and GitHub does not allow the check run.
    Unchecked(GithubError),
}

impl PrdFlow<'_> {
    /// Asks the model for the drafts that are due. Writes only to the plan, not to GitHub.
    ///
    /// # Errors
    /// Fails if GitHub or the disk cannot be used.
    pub fn plan(&self, number: u64, writing: &Writing<'_>) -> Result<(), ActionError> {
        let Ok(facts) = facts::read(self.client, self.repository, number)? else { return Ok(()) };
        match self.worked(number, &facts, writing) {
            // The job with the right to write reports the texts that are not accepted.
            Ok(_) | Err(CopyError::Refused(_) | CopyError::Distrust(_) | CopyError::Log(_)) => Ok(()),
            Err(CopyError::Action(error)) => Err(error),
        }
    }

    /// Continues the thread and shows its state.
    ///
    /// # Errors
    /// Fails if GitHub or the disk cannot be used. The next run continues from there.
    pub fn apply(&self, number: u64, writing: &Writing<'_>) -> Result<Shown, ActionError> {
        for _ in 0..MOST_TRIES {
            let facts = match facts::read(self.client, self.repository, number)? {
                Ok(facts) => facts,
                Err(nothing) => return Ok(Shown::Nothing(nothing)),
            };
            let worked = match self.worked(number, &facts, writing) {
                Ok(worked) => worked,
                Err(CopyError::Action(error)) => return Err(error),
                Err(error) => return self.stopped(&facts, &error),
            };
            if !worked.has_news {
                return self.show(&facts, &worked, &facts.head.sha);
            }
            let branch = branch_of(number);
            let message = branch::message(&page::headline(number, &worked.stand), &worked.log_hash);
            let target = (branch.as_str(), facts.has_branch);
            match branch::push(self.client, self.repository, target, &facts.head, &message, &worked.changes)? {
                Pushed::Done(commit) => return self.show(&facts, &worked, &commit),
                Pushed::Overtaken => {}
                Pushed::Refused(error) => return self.forbidden(&facts, &worked, false, error),
            }
        }
        Ok(Shown::Stands("another run"))
    }

    fn worked(&self, number: u64, facts: &Facts, writing: &Writing<'_>) -> Result<Worked, CopyError> {
        let writers = Writers::of(self.client, self.repository);
        let job = Job { repository: self.repository, number, pipeline: self.pipeline, writing, writers: &writers };
        work(&job, facts, &Files::at(self.client, self.repository, &facts.head))
    }

    /// Updates pull request, comment and check run.
    fn show(&self, facts: &Facts, worked: &Worked, commit: &str) -> Result<Shown, ActionError> {
        let number = facts.issue.number;
        let pull = match self.pull_request(facts, worked) {
            Ok(pull) => pull,
            Err(error) if matches!(error.status(), Some(403 | 404 | 422)) => {
                return self.forbidden(facts, worked, true, error);
            }
            Err(error) => return Err(error.into()),
        };
        let branch = branch_of(number);
        let text = page::comment(&self.place(facts, &branch, commit), worked);
        // People first: the check says no more than the comment.
        self.comment(pull.number, text, false)?;
        self.sticky(number).remove()?;
        if let Some(refused) = self.check(worked, commit)? {
            return Ok(Shown::Unchecked(refused));
        }
        Ok(match &worked.stand {
            Stand::Asking(_, question) => Shown::Stands(question.kind()),
            Stand::Ordering => Shown::Stands("the model"),
            Stand::Ended(Phase::Failed) => Shown::Failed,
            Stand::Ended(_) => Shown::Stands("nothing"),
        })
    }

    /// The open pull request of the branch: the known one, or a new one. It is looked for again directly before it is made, and GitHub
    /// allows only one for a branch.
    fn pull_request(&self, facts: &Facts, worked: &Worked) -> Result<PullRequest, GithubError> {
        if let Some(pull) = &facts.pull {
            return Ok(pull.clone());
        }
        let (number, branch) = (facts.issue.number, branch_of(facts.issue.number));
        let open = || {
            let pulls = self.client.pulls_of(self.repository, &branch)?;
            Ok(pulls.into_iter().find(|pull| pull.state == reqgate_net::github::IssueState::Open))
        };
        if let Some(pull) = open()? {
            return Ok(pull);
        }
        let (title, body) = (page::pull_title(number), page::pull_body(worked.state.language(), number));
        match self.client.create_pull(self.repository, &branch, &facts.default_branch, &title, &body) {
            Ok(pull) => Ok(pull),
            Err(error) => open()?.ok_or(error),
        }
    }

    fn check(&self, worked: &Worked, commit: &str) -> Result<Option<GithubError>, GithubError> {
        let conclusion = match &worked.stand {
            Stand::Ended(Phase::Completed) if worked.edited.is_empty() => CheckConclusion::Success,
            Stand::Ended(Phase::Failed | Phase::Cancelled) => CheckConclusion::Failure,
            _ => CheckConclusion::ActionRequired,
        };
        let title = page::headline(0, &worked.stand).replace("PRD of issue 0: ", "");
        self.check_run(commit, &format!("{}:{conclusion:?}", worked.log_hash), conclusion, &title)
    }

    /// Updates the latest check run of a commit; returns the error if GitHub does not allow it.
    fn check_run(
        &self,
        commit: &str,
        id: &str,
        conclusion: CheckConclusion,
        title: &str,
    ) -> Result<Option<GithubError>, GithubError> {
        let summary = "The comment on the pull request says what is asked and how to answer.";
        let make = || {
            // One check run for each state, even if several runs look at it. Only the latest is shown.
            let known = self.client.check_runs(self.repository, commit, CHECK)?;
            match known.iter().max_by_key(|run| run.id) {
                Some(latest) if latest.external_id == id => Ok(()),
                _ => self.client.create_check_run(self.repository, commit, (CHECK, id), conclusion, (title, summary)),
            }
        };
        match make() {
            Ok(()) => Ok(None),
            Err(error) if error.status() == Some(403) => Ok(Some(error)),
            Err(error) => Err(error),
        }
    }

    fn sticky(&self, number: u64) -> PrdComment<'_> {
        let (client, repository, author) = (self.client, self.repository, self.comment_author);
        PrdComment { client, repository, number, author, text: String::new(), is_forced: false }
    }

    fn comment(&self, number: u64, text: String, is_forced: bool) -> Result<(), GithubError> {
        PrdComment { text, is_forced, ..self.sticky(number) }.write()
    }

    fn stopped(&self, facts: &Facts, error: &CopyError) -> Result<Shown, ActionError> {
        let language = language_of(&format!("{}\n{}", facts.issue.title, facts.issue.body));
        let number = facts.pull.as_ref().map_or(facts.issue.number, |pull| pull.number);
        self.comment(number, page::stopped(language, error), true)?;
        if facts.has_branch {
            let (commit, failure) = (&facts.head.sha, CheckConclusion::Failure);
            if let Some(refused) = self.check_run(commit, &format!("{commit}:stopped"), failure, "stopped")? {
                return Ok(Shown::Unchecked(refused));
            }
        }
        Ok(Shown::Stopped(error.to_string()))
    }

    fn forbidden(
        &self,
        facts: &Facts,
        worked: &Worked,
        is_pushed: bool,
        error: GithubError,
    ) -> Result<Shown, ActionError> {
        let branch = branch_of(facts.issue.number);
        let place = self.place(facts, &branch, &facts.head.sha);
        self.comment(facts.issue.number, page::forbidden(&place, worked, is_pushed, &error.to_string()), true)?;
        Ok(Shown::Forbidden(error))
    }

    fn place<'p>(&'p self, facts: &'p Facts, branch: &'p str, commit: &'p str) -> Place<'p> {
        let site = facts.issue.html_url.split_once("/issues/").map_or("", |(site, _)| site);
        Place { site, branch, base: &facts.default_branch, commit }
    }
}
