//! Keeps one comment on a ticket, whatever the tracker: writes only what differs, looks before it writes twice, and leaves one
//! where two runs made two.

/// The operations that a tracker must support to keep one comment. An implementation knows the ticket and the text.
pub trait StickyComment {
    /// A comment of reqgate.
    type Comment;
    /// The error of the tracker.
    type Error;

    /// True if it has the wanted text, or a newer one.
    fn is_current(&self, own: &Self::Comment) -> bool;

    /// Makes a comment.
    ///
    /// # Errors
    /// Fails if the tracker cannot be asked or refuses.
    fn create(&self) -> Result<Self::Comment, Self::Error>;

    /// Updates reqgate's comment with the wanted text.
    ///
    /// # Errors
    /// Fails if the tracker cannot be asked or refuses.
    fn update(&self, own: Self::Comment) -> Result<Self::Comment, Self::Error>;

    /// Takes a duplicate away.
    ///
    /// # Errors
    /// Fails if the tracker cannot be asked or refuses.
    fn delete(&self, duplicate: Self::Comment) -> Result<(), Self::Error>;

    /// True if a comment may have been made although the tracker gave this error.
    fn may_have_landed(error: &Self::Error) -> bool;

    /// Our comment that a request made whose answer was lost.
    ///
    /// # Errors
    /// Fails if the tracker cannot be asked or refuses.
    fn landed(&self) -> Result<Option<Self::Comment>, Self::Error>;

    /// Our comment that another run has made meanwhile and that stays in place of `made`.
    ///
    /// # Errors
    /// Fails if the tracker cannot be asked or refuses.
    fn rival(&self, made: &Self::Comment) -> Result<Option<Self::Comment>, Self::Error>;

    /// Handles a failed creation; by default it returns the error.
    ///
    /// # Errors
    /// Fails with the error, or if trying again fails.
    fn create_again(&self, error: Self::Error) -> Result<Self::Comment, Self::Error> {
        Err(error)
    }

    /// Our comment that an earlier run made and could not write down, where comments have to be written down.
    ///
    /// # Errors
    /// Fails if the tracker cannot be asked or refuses.
    fn forgotten(&self) -> Result<Option<Self::Comment>, Self::Error> {
        Ok(None)
    }

    /// Records which comment belongs to reqgate, if that cannot be seen from the comment itself.
    ///
    /// # Errors
    /// Fails if the tracker cannot be asked or refuses.
    fn remember(&self, _own: &Self::Comment) -> Result<(), Self::Error> {
        Ok(())
    }
}

/// The result for the comment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kept<C> {
    /// It was made.
    Created(C),
    /// It says something new.
    Updated(C),
    /// It already has the wanted text.
    Unchanged(C),
    /// There is none, and none was requested.
    None,
}

impl<C> Kept<C> {
    /// The same with something else for the comment.
    pub fn map<T>(self, map: impl FnOnce(C) -> T) -> Kept<T> {
        match self {
            Self::Created(comment) => Kept::Created(map(comment)),
            Self::Updated(comment) => Kept::Updated(map(comment)),
            Self::Unchanged(comment) => Kept::Unchanged(map(comment)),
            Self::None => Kept::None,
        }
    }
}

/// Brings the comment up to date. If there is none yet, it is created only if `may_create`.
///
/// # Errors
/// Fails if the tracker cannot be asked or refuses.
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
        // The answer was lost or bad, the comment may be there: looking comes before writing.
        Err(error) if S::may_have_landed(&error) => match store.landed() {
            Ok(Some(own)) => return adopted(store, own),
            Ok(None) => store.create_again(error)?,
            Err(_) => return Err(error),
        },
        Err(error) => return Err(error),
    };
    // Another run may have created one at the same moment: both see both, and both keep the same one. If the comments
    // cannot be listed, this one exists anyway, and the next run will remove a duplicate.
    if let Ok(Some(first)) = store.rival(&made) {
        let kept = written(store, first)?;
        store.delete(made)?;
        return Ok(kept);
    }
    store.remember(&made)?;
    Ok(Kept::Created(made))
}

/// A comment of reqgate that did not exist before this run: most likely the one that was just created.
fn adopted<S: StickyComment>(store: &S, own: S::Comment) -> Result<Kept<S::Comment>, S::Error> {
    if !store.is_current(&own) {
        return written(store, own);
    }
    store.remember(&own)?;
    Ok(Kept::Created(own))
}
