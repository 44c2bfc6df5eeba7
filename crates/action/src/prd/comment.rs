//! The comment about a PRD, on its pull request, or on its issue as long as the pull request does not exist.

use super::page::seq_of;
use reqgate_net::github::{Client, Comment, GithubError, Repository};
use reqgate_net::sticky_comment::{StickyComment, keep};

/// The comment and its wanted text.
pub(super) struct PrdComment<'a> {
    pub(super) client: &'a Client,
    pub(super) repository: &'a Repository,
    /// The issue or the pull request.
    pub(super) number: u64,
    /// The login under which our comments are written.
    pub(super) author: &'a str,
    /// The wanted text; its first line says which end of the log it is about.
    pub(super) text: String,
    /// The comment may replace one that is about a later end of the log.
    pub(super) is_forced: bool,
}

impl PrdComment<'_> {
    /// Updates the comment.
    ///
    /// # Errors
    /// Fails if GitHub cannot be asked or refuses.
    pub(super) fn write(&self) -> Result<(), GithubError> {
        let mut own = self.own()?.into_iter();
        let first = own.next();
        for younger in own {
            // A run that ended early has left this comment; if it cannot be deleted, the next run tries again.
            let _ = self.client.delete_comment(self.repository, younger.id);
        }
        keep(self, first, true).map(drop)
    }

    /// Deletes the comment, because another place has its content now.
    ///
    /// # Errors
    /// Fails if GitHub cannot be asked or refuses.
    pub(super) fn remove(&self) -> Result<(), GithubError> {
        self.own()?.iter().try_for_each(|own| self.client.delete_comment(self.repository, own.id))
    }

    /// Our comments, lowest id first: with our marker and under our login, because anyone can write a marker.
    fn own(&self) -> Result<Vec<Comment>, GithubError> {
        let mut comments = self.client.comments(self.repository, self.number)?;
        comments.retain(|one| seq_of(&one.body).is_some() && one.user.login.eq_ignore_ascii_case(self.author));
        comments.sort_by_key(|comment| comment.id);
        Ok(comments)
    }
}

impl StickyComment for PrdComment<'_> {
    type Comment = Comment;
    type Error = GithubError;

    fn is_current(&self, own: &Comment) -> bool {
        let normal = |text: &str| text.replace("\r\n", "\n").trim().to_owned();
        !self.is_forced && seq_of(&own.body) > seq_of(&self.text) || normal(&own.body) == normal(&self.text)
    }

    fn create(&self) -> Result<Comment, GithubError> {
        self.client.create_comment(self.repository, self.number, &self.text)
    }

    fn update(&self, own: Comment) -> Result<Comment, GithubError> {
        self.client.update_comment(self.repository, own.id, &self.text)
    }

    fn delete(&self, duplicate: Comment) -> Result<(), GithubError> {
        self.client.delete_comment(self.repository, duplicate.id)
    }

    fn may_have_landed(error: &GithubError) -> bool {
        error.may_have_landed()
    }

    fn landed(&self) -> Result<Option<Comment>, GithubError> {
        Ok(self.own()?.into_iter().next())
    }

    fn rival(&self, made: &Comment) -> Result<Option<Comment>, GithubError> {
        Ok(self.own()?.into_iter().next().filter(|first| first.id < made.id))
    }

    fn create_again(&self, _: GithubError) -> Result<Comment, GithubError> {
        self.create()
    }
}
