//! Searches for sources: queries are sent without personal data and secrets, and results are masked and screened.

use crate::workflow::work::Searched;
use reqgate_base::model::SourceType;
use reqgate_guardrail::Guardrail;
use reqgate_net::search::{Found, SearchQuery, SearchResult, Searcher};

/// Opens a searcher; the error names the missing setting.
type Opening = Box<dyn Fn() -> Result<Searcher, String>>;

/// The search of a team. The searcher is opened at the first search, because other steps do not need it.
pub struct TeamSearch {
    open: Opening,
    /// The guardrail of the program, independent of the rules of a repository.
    screen: Guardrail,
}

impl TeamSearch {
    /// Creates a search with the searcher that `open` returns.
    pub fn new(open: impl Fn() -> Result<Searcher, String> + 'static, screen: Guardrail) -> Self {
        Self { open: Box::new(open), screen }
    }

    /// Runs the searches one after another. A failed search is reported, and the work continues.
    pub(in crate::workflow) fn search(&self, queries: &[SearchQuery]) -> Searched {
        let mut searched = Searched::default();
        if queries.is_empty() {
            return searched;
        }
        let mut searcher = match (self.open)() {
            Ok(searcher) => searcher,
            Err(reason) => return Searched { failed: vec![reason], ..searched },
        };
        for query in queries {
            let query = SearchQuery { text: self.masked(&query.text), ..query.clone() };
            match searcher.search(&query) {
                Ok(found) => {
                    let (found, doubtful) = self.looked_at(found);
                    searched.found.push(found);
                    searched.failed.extend(doubtful);
                }
                Err(error) => searched.failed.push(format!("“{}”: {error}", query.text)),
            }
        }
        searched
    }

    /// The results without personal data and secrets, and reports on results that were removed because they contain instructions.
    fn looked_at(&self, found: Found) -> (Found, Vec<String>) {
        let mut told = Vec::new();
        let mut kept = Vec::new();
        for result in found.results {
            let words = format!("{}\n{}", result.title, result.snippet);
            if self.screen.is_doubtful(&words, &[]) {
                told.push(format!("`{}` looks like a prompt injection and is left out", result.place));
                continue;
            }
            let (title, snippet) = (self.masked(&result.title), self.masked(&result.snippet));
            kept.push(SearchResult { title, snippet, ..result });
        }
        (Found { results: kept, ..found }, told)
    }

    fn masked(&self, words: &str) -> String {
        self.screen.screen(words, &[], SourceType::PlainText).text
    }
}
