//! The pages for people who do not use a terminal: judge a text, answer open questions, read threads, audit a backlog.
//!
//! All pages are rendered from values, without a network, a clock or a store. They work without scripts. Text of
//! tickets, documents and people is escaped, and invisible characters are removed from it.
//!
//! | module | purpose |
//! |---|---|
//! | `frame` | the frame of every page: title, navigation, language, person |
//! | `judge` | a text, its verdict, and what was fixed since the last judgement |
//! | `inbox` | the questions that wait for a person |
//! | `ask` | one question with all the facts that an answer needs |
//! | `form`, `edited` | the fields of a question as parts of a form; the document in its field |
//! | `start` | the form that starts a PRD |
//! | `thread`, `steps`, `document` | the PRDs, one of them with its steps, one of its documents |
//! | `audit`, `login` | the audit of an export; the form for a token |
//! | `words` | every word of the pages, in English and in Chinese |

mod ask;
mod audit;
mod document;
mod edited;
mod form;
mod frame;
mod inbox;
mod judge;
mod login;
mod start;
mod steps;
mod thread;
mod words;

pub use ask::{Answered, AskPage, Standing, ask_page};
pub use audit::audit_page;
pub use document::document_page;
pub use edited::with_markdown;
pub use frame::{Asset, Frame, Tab, asset, message_page, missing_page, no_pdf_page};
pub use inbox::{Waiting, inbox_page};
pub use judge::{JudgePage, Judged, PolicyChoice, example_text, judge_page, kind_named};
pub use login::login_page;
pub use start::{StartPage, name_missing, start_page};
pub use thread::{ThreadPage, ThreadRow, thread_page, threads_page};

#[cfg(test)]
mod tests;
