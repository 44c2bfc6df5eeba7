//! The reasons for which an answer does not count, in words.

use super::decision::NotCounted;
use reqgate_messages as messages;

/// The reason for which something does not count.
pub(super) fn reason_name(words: &messages::PrdComment, reason: NotCounted) -> &'static str {
    match reason {
        NotCounted::Bot => words.reason_bot,
        NotCounted::NoPermission => words.reason_no_permission,
        NotCounted::Edited => words.reason_edited,
        NotCounted::OtherCommit => words.reason_other_commit,
        NotCounted::Early => words.reason_early,
        NotCounted::NeedsReason => words.reason_needs_reason,
        NotCounted::ReasonWithoutEffect => words.reason_without_effect,
        NotCounted::NeedsWords => words.reason_needs_words,
        NotCounted::NeedsAnswers => words.reason_needs_answers,
        NotCounted::NeedsVerdicts | NotCounted::Unfit => words.reason_unfit,
        NotCounted::OtherText => words.reason_other_text,
    }
}
