//! Audits a backlog: the most frequent gaps of many judged tickets, their age, and the tickets to fix first.
//!
//! Reads saved exports or a repository's issues, page by page, and never writes to a ticket system. A report contains
//! only screened text, so personal data and secrets are masked.

mod bookmark;
mod day;
mod entry;
mod html;
mod readiness;
mod tally;
mod terminal;
mod text;
pub mod v1;
mod walk;
mod words;

pub use bookmark::{Bookmark, BookmarkError};
pub use day::Day;
pub use entry::Entry;
pub use html::{STYLE, html, html_contents};
pub use readiness::{EntryQuestion, EntryReading};
pub use tally::{Audit, Subject};
pub use terminal::text_for_terminal;
pub use text::text;
pub use walk::{Walk, WalkError, Walked};

#[cfg(test)]
mod tests;
