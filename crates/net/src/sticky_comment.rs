//! Maintains one comment on a ticket in any tracker: writes only changes, checks before writing twice, and keeps one
//! comment if two runs created two.

/// The operations that a tracker must support to maintain one comment. An implementation knows the ticket and the text.
pub trait StickyComment {
    /// The type of reqgate's comment.
    type Comment;
    /// The error of the tracker.
    type Error;

    /// Returns true if the comment has the wanted text, or a newer one.
    fn is_current(&self, own: &Self::Comment) -> bool;

    /// Creates a comment.
    ///
    /// # Errors
    /// Returns an error if the tracker cannot be reached or refuses.
    fn create(&self) -> Result<Self::Comment, Self::Error>;

    /// Updates reqgate's comment with the wanted text.
    ///
    /// # Errors
    /// Returns an error if the tracker cannot be reached or refuses.
    fn update(&self, own: Self::Comment) -> Result<Self::Comment, Self::Error>;

    /// Deletes a duplicate.
    ///
    /// # Errors
    /// Returns an error if the tracker cannot be reached or refuses.
    fn delete(&self, duplicate: Self::Comment) -> Result<(), Self::Error>;

    /// Returns true if a comment may have been created in spite of this error.
    fn may_have_landed(error: &Self::Error) -> bool;

    /// Finds reqgate's comment after a request whose answer was lost.
    ///
    /// # Errors
    /// Returns an error if the tracker cannot be reached or refuses.
    fn landed(&self) -> Result<Option<Self::Comment>, Self::Error>;

    /// Finds a comment that another run has created in the meantime and that is kept instead of `made`.
    ///
    /// # Errors
    /// Returns an error if the tracker cannot be reached or refuses.
    fn rival(&self, made: &Self::Comment) -> Result<Option<Self::Comment>, Self::Error>;

    /// Handles a failed creation; by default it returns the error.
    ///
    /// # Errors
    /// Returns the error, or that of a second attempt.
    fn create_again(&self, error: Self::Error) -> Result<Self::Comment, Self::Error> {
        Err(error)
    }

    /// Finds a comment of an earlier run that could not be recorded, for trackers that need a record.
    ///
    /// # Errors
    /// Returns an error if the tracker cannot be reached or refuses.
    fn forgotten(&self) -> Result<Option<Self::Comment>, Self::Error> {
        Ok(None)
    }

    /// Records which comment belongs to reqgate, if the comment itself does not show it.
    ///
    /// # Errors
    /// Returns an error if the tracker cannot be reached or refuses.
    fn remember(&self, _own: &Self::Comment) -> Result<(), Self::Error> {
        Ok(())
    }
}

/// The outcome for the comment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kept<C> {
    /// The comment was created.
    Created(C),
    /// The comment has a new text.
    Updated(C),
    /// The comment already had the wanted text.
    Unchanged(C),
    /// A comment does not exist and was not requested.
    None,
}

impl<C> Kept<C> {
    /// Converts the comment of the outcome.
    pub(crate) fn map<T>(self, map: impl FnOnce(C) -> T) -> Kept<T> {
        match self {
            Self::Created(comment) => Kept::Created(map(comment)),
            Self::Updated(comment) => Kept::Updated(map(comment)),
            Self::Unchanged(comment) => Kept::Unchanged(map(comment)),
            Self::None => Kept::None,
        }
    }
}

/// Updates the comment. A missing one is created only if `may_create`.
///
/// # Errors
/// Returns an error if the tracker cannot be reached or refuses.
pub fn keep<S: StickyComment>(
    store: &S,
    own: Option<S::Comment>,
    may_create: bool,
) -> Result<Kept<S::Comment>, S::Error> {
    match own {
        Some(own) => written(store, own),
        None if may_create => created(store),
        None => Ok(Kept::None),
    }
}

fn written<S: StickyComment>(store: &S, own: S::Comment) -> Result<Kept<S::Comment>, S::Error> {
    if store.is_current(&own) {
        return Ok(Kept::Unchanged(own));
    }
    let own = store.update(own)?;
    store.remember(&own)?;
    Ok(Kept::Updated(own))
}

fn created<S: StickyComment>(store: &S) -> Result<Kept<S::Comment>, S::Error> {
    if let Some(own) = store.forgotten()? {
        store.remember(&own)?;
        return written(store, own);
    }
    let made = match store.create() {
        Ok(made) => made,
        // The answer was lost or bad, so the comment may exist and is searched before another is written.
        Err(error) if S::may_have_landed(&error) => match store.landed() {
            Ok(Some(own)) => return adopted(store, own),
            Ok(None) => store.create_again(error)?,
            Err(_) => return Err(error),
        },
        Err(error) => return Err(error),
    };
    // Another run may have created a comment at the same moment: both see both, and both keep the same one. If the
    // comments cannot be listed, this one exists anyway, and the next run will remove a duplicate.
    if let Ok(Some(first)) = store.rival(&made) {
        let kept = written(store, first)?;
        store.delete(made)?;
        return Ok(kept);
    }
    store.remember(&made)?;
    Ok(Kept::Created(made))
}

/// Accepts a comment of reqgate that did not exist before this run: most likely the one that was just created.
fn adopted<S: StickyComment>(store: &S, own: S::Comment) -> Result<Kept<S::Comment>, S::Error> {
    if !store.is_current(&own) {
        return written(store, own);
    }
    store.remember(&own)?;
    Ok(Kept::Created(own))
}
