//! Finds sources for a question: in a folder of the team's own documents, or with a search service (SearXNG, Brave, Tavily).
//!
//! [`Searcher::search`] is the one entry. It keeps the budget, answers a repeated query from memory, leaves a server alone that
//! failed too often, logs every search and can record and replay them. Off unless somebody names a provider. What a search
//! finds is data of strangers: cleaned, cut, and never obeyed.
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

/// Something that can be searched.
pub trait SearchProvider {
    /// Its name.
    fn name(&self) -> SearchProviderName;

    /// The results for `query`, the best first, at most `most`.
    ///
    /// # Errors
    /// Every reason has a name: see [`SearchError`].
    fn search(&self, query: &str, most: usize) -> Result<Vec<SearchResult>, SearchError>;

    /// Documents that are not searched, and why.
    fn unread(&self) -> &[(String, String)] {
        &[]
    }
}

#[cfg(test)]
mod tests;
