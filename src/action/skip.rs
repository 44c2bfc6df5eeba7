//! Why an event leads to nothing.

use crate::model::RuleId;

/// Why there is nothing to do.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Skip {
    /// The event or its action is not on the list.
    #[error("`{0}` is no event that reqgate acts on")]
    Event(String),
    /// A program caused it.
    #[error("a program caused the event; only people's events count")]
    Bot,
    /// It is about a pull request.
    #[error("it is about a pull request, not an issue")]
    PullRequest,
    /// The issue is closed.
    #[error("the issue is closed")]
    Closed,
    /// The label is not one of ours.
    #[error("the label is none that reqgate acts on")]
    Label,
    /// The comment is no command.
    #[error("the comment is no command to reqgate")]
    NoCommand,
    /// The command is not known.
    #[error("the command is not known: recheck, override, waive and answer are")]
    UnknownCommand,
    /// The command lacks something.
    #[error("the command is incomplete: {0}")]
    Incomplete(&'static str),
    /// The command names a rule that does not exist.
    #[error("there is no rule `{0}`: `reqgate rules` lists them")]
    UnknownRule(RuleId),
    /// GitHub does not have the issue any more.
    #[error("the issue is gone: it was deleted or moved")]
    Gone,
    /// Whoever asked for it may not.
    #[error("whoever asked for it may not: it takes {0}")]
    NotAllowed(&'static str),
    /// What was read asks for nothing.
    #[error("nothing was judged: what was read is no requirement")]
    NoRequirement,
    /// No file to judge.
    #[error("no file to judge")]
    NoFiles,
}
