//! Finds sources for a question: in a folder of the team's own documents, or with a search service (SearXNG, Brave,
//! Tavily).
//!
//! [`Searcher::search`] is the only entry point. It enforces the budget, answers a repeated query from memory, pauses a
//! server that failed too often, logs every search and can record and replay them. Searching is off unless a provider
//! is configured. Results are untrusted data: they are cleaned, shortened, and never followed as instructions.
//!
//! ```text
//! query → asked before? → recording | budget → breaker → provider → results
//! ```

mod error;
mod folder;
mod key;
mod open;
pub mod query;
mod recording;
mod result;
mod searcher;
mod web;

use reqgate_rules::config::SearchProviderName;

pub use error::SearchError;
pub use folder::Folder;
pub use key::SearchKey;
pub use open::open;
pub use query::{QueryType, SearchQuery};
pub use result::{SearchResult, SourcePlace};
pub use searcher::{Found, LoggedSearch, Research, Searcher};
pub use web::{Service, WebSearch};

/// A source that can be searched.
pub trait SearchProvider {
    /// The name of the provider.
    fn name(&self) -> SearchProviderName;

    /// The results for `query`, the best first, at most `most`.
    ///
    /// # Errors
    /// Returns the [`SearchError`] that names the reason.
    fn search(&self, query: &str, most: usize) -> Result<Vec<SearchResult>, SearchError>;

    /// The documents that are not searched, with the reasons.
    fn unread(&self) -> &[(String, String)] {
        &[]
    }
}

#[cfg(test)]
mod tests;
