//! Keeps one comment on a ticket, whatever the tracker: writes only what differs, looks before it writes twice, and leaves one
//! where two runs made two.

/// What a tracker must be able to do so that one comment can be kept there. An implementation knows the ticket and the text.
pub trait StickyComment {
    /// A comment of ours.
    type Comment;
    /// Why the tracker could not be asked.
    type Error;

    /// True if it says what is to be said, or something newer.
    fn is_current(&self, own: &Self::Comment) -> bool;

    /// Makes a comment.
    ///
    /// # Errors
    /// Fails if the tracker cannot be asked or refuses.
    fn create(&self) -> Result<Self::Comment, Self::Error>;

    /// Makes our comment say what is to be said.
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

    /// What to do when nothing has landed: by default it stays with the error.
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

    /// Writes down which comment is ours, where it cannot be told from the comment itself.
    ///
    /// # Errors
    /// Fails if the tracker cannot be asked or refuses.
    fn remember(&self, _own: &Self::Comment) -> Result<(), Self::Error> {
        Ok(())
    }
}

/// What became of the comment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kept<C> {
    /// It was made.
    Created(C),
    /// It says something new.
    Updated(C),
    /// It says what it said before.
    Unchanged(C),
    /// There is none, and none was asked for.
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

/// Makes the comment say what is to be said. If there is none of ours yet, it is made only if `may_create`.
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
    // Another run may have made one in the same moment: both see both, and both leave the same one. If it cannot be looked
    // for, ours is there all the same, and that it may not be alone is for the next run to mend.
    if let Ok(Some(first)) = store.rival(&made) {
        let kept = written(store, first)?;
        store.delete(made)?;
        return Ok(kept);
    }
    store.remember(&made)?;
    Ok(Kept::Created(made))
}

/// A comment of ours that was not there before this run: most likely the one that was just made.
fn adopted<S: StickyComment>(store: &S, own: S::Comment) -> Result<Kept<S::Comment>, S::Error> {
    if !store.is_current(&own) {
        return written(store, own);
    }
    store.remember(&own)?;
    Ok(Kept::Created(own))
}
