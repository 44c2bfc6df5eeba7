//! The reasons to skip an event.

use reqgate_base::model::RuleId;

/// The reason to skip an event.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Skip {
    /// The event or its action is not on the list.
    #[error("reqgate does not act on the event `{0}`")]
    Event(String),
    /// A program caused the event.
    #[error("a bot caused the event; reqgate acts only on events caused by people")]
    Bot,
    /// The event is about a pull request.
    #[error("it is about a pull request, not an issue")]
    PullRequest,
    /// The issue is closed.
    #[error("the issue is closed")]
    Closed,
    /// The label is not one of reqgate's.
    #[error("reqgate does not act on this label")]
    Label,
    /// The comment is not a command.
    #[error("the comment is not a reqgate command")]
    NoCommand,
    /// The command is not known.
    #[error("unknown command: use recheck, override, waive or answer")]
    UnknownCommand,
    /// The command lacks an argument.
    #[error("the command is incomplete: {0}")]
    Incomplete(&'static str),
    /// The command names a rule that does not exist.
    #[error("there is no rule `{0}`: run `reqgate rules` to list them")]
    UnknownRule(RuleId),
    /// GitHub does not have the issue any more.
    #[error("the issue is gone: it was deleted or moved")]
    Gone,
    /// The person who asked does not have this right.
    #[error("not allowed: this needs {0}")]
    NotAllowed(&'static str),
    /// The input is not a requirement.
    #[error("nothing was judged: the input is not a requirement")]
    NoRequirement,
    /// The text cannot be judged.
    #[error("not judged: the text is in a language that is not judged, or holds no prose")]
    Unread,
    /// The run has no file to judge.
    #[error("no file to judge")]
    NoFiles,
}
