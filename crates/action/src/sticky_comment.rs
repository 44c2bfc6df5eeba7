//! Finds, reads and writes reqgate's comment on an issue of GitHub.
//!
//! A comment is reqgate's if it begins with the marker *and* was written under reqgate's login, because any user can
//! write a marker.

use super::conclusion::{CommentAction, Kept};
use reqgate_net::github::{Client, Comment, GithubError, Repository};
use reqgate_net::sticky_comment::{self, StickyComment, keep};
use reqgate_report::comment::{CommentState, CommentText};

/// reqgate's comment as it was before the run writes anything.
#[derive(Debug, Clone)]
pub(crate) struct OwnComment {
    /// reqgate's comment with the lowest id.
    pub own: Option<Comment>,
    /// The state recorded in it.
    pub state: Option<CommentState>,
    /// The last page of comments that was read; a new comment can only be on it or after it.
    last_page: usize,
}

/// Finds and updates reqgate's comment on one issue.
pub(crate) struct IssueComment<'a> {
    /// The client of GitHub.
    pub client: &'a Client,
    /// The repository of the issue.
    pub repository: &'a Repository,
    /// The number of the issue.
    pub number: u64,
    /// The login under which reqgate's comments are written.
    pub author: &'a str,
}

impl IssueComment<'_> {
    /// Finds reqgate's comment, and reads no more pages than necessary.
    ///
    /// # Errors
    /// Fails if the comments cannot be read.
    pub(crate) fn find(&self) -> Result<OwnComment, GithubError> {
        let mut page = 1;
        loop {
            let comments = self.client.comments_page(self.repository, self.number, page)?;
            let own: Vec<&Comment> = self.own(&comments.items);
            if let Some(first) = own.first() {
                for younger in &own[1..] {
                    // A run that ended early has left it. If it cannot be deleted, the next run tries again.
                    let _ = self.client.delete_comment(self.repository, younger.id);
                }
                let state = CommentState::read(&first.body);
                return Ok(OwnComment { own: Some((*first).clone()), state, last_page: page });
            }
            if comments.next.is_none() || page >= 50 {
                return Ok(OwnComment { own: None, state: None, last_page: page });
            }
            page += 1;
        }
    }

    /// reqgate's comments among some comments, the lowest id first.
    fn own<'c>(&self, comments: &'c [Comment]) -> Vec<&'c Comment> {
        let is_ours = |comment: &&Comment| {
            CommentState::is_marked(&comment.body) && comment.user.login.eq_ignore_ascii_case(self.author)
        };
        let mut own: Vec<&Comment> = comments.iter().filter(is_ours).collect();
        own.sort_by_key(|comment| comment.id);
        own
    }

    /// Sets the text of the comment to `text`.
    ///
    /// # Errors
    /// Fails if GitHub cannot be asked or refuses.
    pub(crate) fn write(&self, found: &OwnComment, text: &CommentText) -> Result<Kept, GithubError> {
        let sticky = Sticky { place: self, found, text };
        Ok(match keep(&sticky, found.own.clone(), true)? {
            sticky_comment::Kept::Created(comment) => kept(CommentAction::Created, &comment),
            sticky_comment::Kept::Updated(comment) => kept(CommentAction::Updated, &comment),
            sticky_comment::Kept::Unchanged(comment) => kept(CommentAction::Unchanged, &comment),
            sticky_comment::Kept::None => Kept::default(),
        })
    }

    /// The comments from the last page on that was read before.
    fn since(&self, found: &OwnComment) -> Result<Vec<Comment>, GithubError> {
        Ok(self.client.comments_from(self.repository, self.number, found.last_page)?.0)
    }
}

/// reqgate's comment on one issue, and its new text.
struct Sticky<'a> {
    place: &'a IssueComment<'a>,
    found: &'a OwnComment,
    text: &'a CommentText,
}

impl Sticky<'_> {
    /// reqgate's comment with the lowest id, among those that were possibly created since the last lookup.
    fn first(&self) -> Result<Option<Comment>, GithubError> {
        let comments = self.place.since(self.found)?;
        Ok(self.place.own(&comments).first().copied().cloned())
    }
}

impl StickyComment for Sticky<'_> {
    type Comment = Comment;
    type Error = GithubError;

    fn is_current(&self, own: &Comment) -> bool {
        let is_newer = CommentState::read(&own.body).is_some_and(|state| state.updated > self.text.state.updated);
        is_newer || self.text.is_said_by(&own.body)
    }

    fn create(&self) -> Result<Comment, GithubError> {
        self.place.client.create_comment(self.place.repository, self.place.number, &self.text.text)
    }

    fn update(&self, own: Comment) -> Result<Comment, GithubError> {
        self.place.client.update_comment(self.place.repository, own.id, &self.text.text)
    }

    fn delete(&self, duplicate: Comment) -> Result<(), GithubError> {
        self.place.client.delete_comment(self.place.repository, duplicate.id)
    }

    fn may_have_landed(error: &GithubError) -> bool {
        error.may_have_landed()
    }

    fn landed(&self) -> Result<Option<Comment>, GithubError> {
        self.first()
    }

    fn rival(&self, made: &Comment) -> Result<Option<Comment>, GithubError> {
        Ok(self.first()?.filter(|first| first.id < made.id))
    }

    fn create_again(&self, _: GithubError) -> Result<Comment, GithubError> {
        self.create()
    }
}

fn kept(action: CommentAction, comment: &Comment) -> Kept {
    let url = Some(comment.html_url.clone()).filter(|url| !url.is_empty());
    Kept { action, id: Some(comment.id), url }
}
