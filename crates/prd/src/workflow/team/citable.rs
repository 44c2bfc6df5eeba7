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
            let url = match &result.place {
                SourcePlace::Page { url } => url.clone(),
                place @ SourcePlace::File { .. } => place.to_string(),
            };
            let domain = result.domain.clone().unwrap_or_default();
            let agent = serde_json::to_value(one.search.query.kind).ok();
            let agent = agent.as_ref().and_then(Value::as_str).unwrap_or("search").to_owned();
            let id = citable.add(source(url, result.title.clone(), domain, &agent, one.search.timestamp.clone()));
            let name = id.to_string();
            if !texts.iter().any(|text| text.name == name) {
                texts.push(SourceText { name, text: format!("{}\n{}", result.title, result.snippet) });
            }
        }
    }
    (citable, texts)
}
