//! Keeps the one comment: finds ours, writes only what differs, and leaves one where two runs made two.
//!
//! Ours is a comment that begins with our marker *and* was written under our login: anybody can write a marker.

use super::conclusion::{CommentAction, Kept};
use crate::github::{Client, Comment, GithubError, Repository};
use crate::report::comment::{CommentState, CommentText};

/// What is known of our comment before anything is written.
#[derive(Debug, Clone)]
pub struct Found {
    /// Our comment, the one with the lowest id.
    pub own: Option<Comment>,
    /// What it remembers.
    pub state: Option<CommentState>,
    /// The last page of comments that was read; a new comment can only be on it or behind it.
    last_page: usize,
}

/// Keeps the comment on one issue.
pub struct StickyComment<'a> {
    /// The client.
    pub client: &'a Client,
    /// The repository.
    pub repository: &'a Repository,
    /// The issue.
    pub number: u64,
    /// The login under which our comments are written.
    pub author: &'a str,
}

impl StickyComment<'_> {
    /// Looks for our comment, no further than it takes.
    ///
    /// # Errors
    /// Fails if the comments cannot be read.
    pub fn find(&self) -> Result<Found, GithubError> {
        let mut page = 1;
        loop {
            let comments = self.client.comments_page(self.repository, self.number, page)?;
            let own: Vec<&Comment> = self.own(&comments.items);
            if let Some(first) = own.first() {
                for younger in &own[1..] {
                    // Left behind by a run that ended early; if it cannot be taken away, the next run tries again.
                    let _ = self.client.delete_comment(self.repository, younger.id);
                }
                let state = CommentState::read(&first.body);
                return Ok(Found { own: Some((*first).clone()), state, last_page: page });
            }
            if comments.next.is_none() || page >= 50 {
                return Ok(Found { own: None, state: None, last_page: page });
            }
            page += 1;
        }
    }

    /// Ours among some comments, the lowest id first.
    fn own<'c>(&self, comments: &'c [Comment]) -> Vec<&'c Comment> {
        let is_ours = |comment: &&Comment| {
            CommentState::is_marked(&comment.body) && comment.user.login.eq_ignore_ascii_case(self.author)
        };
        let mut own: Vec<&Comment> = comments.iter().filter(is_ours).collect();
        own.sort_by_key(|comment| comment.id);
        own
    }

    /// Makes the comment say `text`.
    ///
    /// # Errors
    /// Fails if GitHub cannot be asked or refuses.
    pub fn write(&self, found: &Found, text: &CommentText) -> Result<Kept, GithubError> {
        match &found.own {
            Some(own) => self.update(own, text),
            None => self.create(found, text),
        }
    }

    fn update(&self, own: &Comment, text: &CommentText) -> Result<Kept, GithubError> {
        let is_newer = CommentState::read(&own.body).is_some_and(|state| state.updated > text.state.updated);
        if is_newer || text.is_said_by(&own.body) {
            return Ok(kept(CommentAction::Unchanged, own));
        }
        let comment = self.client.update_comment(self.repository, own.id, &text.text)?;
        Ok(kept(CommentAction::Updated, &comment))
    }

    fn create(&self, found: &Found, text: &CommentText) -> Result<Kept, GithubError> {
        let post = || self.client.create_comment(self.repository, self.number, &text.text);
        let made = match post() {
            Ok(made) => made,
            // The reply was lost or bad, the comment may be there: looking comes before writing.
            Err(error) if error.may_have_landed() => {
                let after = self.since(found)?;
                match self.own(&after).first() {
                    Some(own) => return self.adopt(own, text),
                    None => post()?,
                }
            }
            Err(error) => return Err(error),
        };
        // Another run may have made one in the same moment. Both see both, and both leave the one with the lowest id.
        let after = match self.since(found) {
            Ok(after) => after,
            // The comment is there; that it may not be alone is for the next run to mend.
            Err(_) => return Ok(kept(CommentAction::Created, &made)),
        };
        match self.own(&after).first() {
            Some(first) if first.id < made.id => {
                let kept = self.update(first, text)?;
                self.client.delete_comment(self.repository, made.id)?;
                Ok(kept)
            }
            _ => Ok(kept(CommentAction::Created, &made)),
        }
    }

    /// A comment of ours that was not there before this run: most likely our own.
    fn adopt(&self, own: &Comment, text: &CommentText) -> Result<Kept, GithubError> {
        match self.update(own, text)? {
            Kept { action: CommentAction::Unchanged, .. } => Ok(kept(CommentAction::Created, own)),
            kept => Ok(kept),
        }
    }

    /// The comments from the last page on that was read before.
    fn since(&self, found: &Found) -> Result<Vec<Comment>, GithubError> {
        Ok(self.client.comments_from(self.repository, self.number, found.last_page)?.0)
    }
}

fn kept(action: CommentAction, comment: &Comment) -> Kept {
    let url = Some(comment.html_url.clone()).filter(|url| !url.is_empty());
    Kept { action, id: Some(comment.id), url }
}
