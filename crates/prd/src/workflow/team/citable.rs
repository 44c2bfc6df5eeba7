//! The sources that a team may cite.

use serde_json::Value;

use crate::team::citations::{ResearchSource, ResearchSources, SourceId};
use crate::workflow::SourceText;
use crate::workflow::state::PrdState;
use crate::workflow::steps::results::sources;
use reqgate_net::search::{Found, SourcePlace};

/// The citable sources: those of the research, and those that people added later.
pub(super) fn citable_sources(state: &PrdState) -> ResearchSources {
    let mut citable = state.team().research_sources.clone();
    for given in sources(state) {
        let (url, title) = (given.name.clone(), given.name);
        let (domain, agent, timestamp) = (String::new(), "user".to_owned(), String::new());
        citable.add(ResearchSource { id: SourceId::default(), url, title, domain, agent, timestamp, confidence: None });
    }
    citable
}

/// The sources that were added after the researchers had read.
pub(super) fn research_misses(state: &PrdState) -> Vec<String> {
    let read = &state.team().research_read;
    let added = sources(state).into_iter().map(|source| source.name);
    added.filter(|name| !read.is_empty() && !read.contains(name)).collect()
}

/// The citable sources: those that people gave, followed by the results of the searches.
pub(super) fn citable(state: &PrdState, found: &[Found]) -> (ResearchSources, Vec<SourceText>) {
    let mut citable = ResearchSources::default();
    let at = found.first().map(|found| found.search.timestamp.clone()).unwrap_or_default();
    let source = |url: String, title: String, domain: String, agent: &str, timestamp: String| ResearchSource {
        id: SourceId::default(),
        url,
        title,
        domain,
        agent: agent.to_owned(),
        timestamp,
        confidence: None,
    };
    for given in sources(state) {
        citable.add(source(given.name.clone(), given.name, String::new(), "user", at.clone()));
    }
    let mut texts: Vec<SourceText> = Vec::new();
    for one in found {
        for result in &one.results {
            // All passages of a file are one source.
            let (url, title) = match &result.place {
                SourcePlace::Page { url } => (url.clone(), result.title.clone()),
                SourcePlace::File { file, .. } => (file.clone(), file.clone()),
            };
            let domain = result.domain.clone().unwrap_or_default();
            let agent = serde_json::to_value(one.search.query.kind).ok();
            let agent = agent.as_ref().and_then(Value::as_str).unwrap_or("search").to_owned();
            let id = citable.add(source(url, title, domain, &agent, one.search.timestamp.clone()));
            let (name, passage) = (id.to_string(), format!("{}\n{}", result.title, result.snippet));
            match texts.iter_mut().find(|text| text.name == name) {
                // Another query may find another passage.
                Some(known) if !known.text.contains(&result.snippet) => known.text.push_str(&format!("\n\n{passage}")),
                Some(_) => {}
                None => texts.push(SourceText { name, text: passage }),
            }
        }
    }
    (citable, texts)
}

#[cfg(test)]
mod tests {
    use super::citable;
    use crate::workflow::state::PrdState;
    use reqgate_net::search::Found;
    use serde_json::{Value, json};

    /// The passages of one file are one source, whichever query found them.
    #[test]
    fn one_file_is_one_source() {
        let result = |line: u32, title: &str, snippet: &str| json!({ "rank": line, "title": title, "file": "notes/market.md", "line": line, "snippet": snippet });
        let of = |results: Value| -> Found {
            let search = json!({
                "type": "market_research", "query": "export", "timestamp": "2026-11-24T10:00:00Z", "provider": "folder",
                "results": results,
            });
            serde_json::from_value(search).expect("a search")
        };
        let prices = result(3, "Prices", "DataPorter charges 12 EUR.");
        let found = [of(json!([prices, result(9, "Size", "The market grows.")])), of(json!([prices]))];
        let (sources, texts) = citable(&PrdState::default(), &found);
        let named: Vec<&str> = sources.0.iter().map(|source| source.url.as_str()).collect();
        assert_eq!(named.last(), Some(&"notes/market.md"));
        assert_eq!(named.iter().filter(|url| **url == "notes/market.md").count(), 1, "{named:?}");
        let text = &texts.first().expect("a text").text;
        assert_eq!((texts.len(), text.matches("12 EUR").count()), (1, 1), "{text}");
        assert!(text.contains("Prices\nDataPorter") && text.contains("Size\nThe market grows."), "{text}");
    }
}
