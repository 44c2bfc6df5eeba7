//! Audits a backlog: what many judged tickets lack most often, how old they are, and what to fix first.
//!
//! Reads saved exports or a repository's issues, page by page. Writes nothing to any ticket system. Everything in a report
//! comes from screened text, so that personal data and secrets are masked in it.

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
pub use walk::{Walk, WalkError, Walked, raw_input};

#[cfg(test)]
mod tests;
