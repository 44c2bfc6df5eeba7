//! Puts the comparison of competitors into a draft: a table that code makes from the findings.

use std::collections::BTreeSet;

use super::findings::CompetitorProfile;
use super::state::TeamState;
use crate::team::ProductRequirementsDocument;
use crate::team::citations::ResearchSources;
use reqgate_base::clean;
use reqgate_docs::escaped;
use reqgate_messages as messages;

/// The document with the table of competitors and features at the end of its competitive landscape; unchanged if the
/// research has compared none.
pub(super) fn with_comparison(
    mut document: ProductRequirementsDocument,
    team: &TeamState,
    sources: &ResearchSources,
) -> ProductRequirementsDocument {
    let Some(found) = &team.competitive_analysis else { return document };
    let matrix = &found.feature_comparison_matrix;
    let features: BTreeSet<&String> = matrix.values().flat_map(|has| has.keys()).collect();
    if features.is_empty() {
        return document;
    }
    let said = messages::Prd::of(document.metadata.language);
    let cell = |words: &str| escaped(&clean::words(words)).replace('|', "\\|");
    let row = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
    let head = std::iter::once(said.competitor.to_owned()).chain(features.iter().map(|name| cell(name)));
    let head: Vec<String> = head.chain([said.source.to_owned()]).collect();
    let mut table = row(head.clone()) + &row(vec!["---".to_owned(); head.len()]);
    for (name, has) in matrix {
        let mark = |feature: &&String| match has.get(*feature) {
            Some(true) => "✓",
            Some(false) => "✗",
            None => "–",
        };
        let marks = features.iter().map(|feature| mark(feature).to_owned());
        let profile = found.direct.iter().chain(&found.indirect).find(|one| one.name == *name);
        let cited = profile.map(|profile| citation(profile, sources)).unwrap_or_default();
        table.push_str(&row(std::iter::once(cell(name)).chain(marks).chain([cited]).collect()));
    }
    let text = document.competitive_landscape.trim_end();
    let gap = if text.is_empty() { "" } else { "\n\n" };
    document.competitive_landscape = format!("{text}{gap}{}\n\n{table}", said.comparison);
    document
}

/// The citation of the source that names a competitor.
fn citation(profile: &CompetitorProfile, sources: &ResearchSources) -> String {
    let quoted = profile.named_in.source.as_ref().map(|quote| quote.source.as_str()).unwrap_or_default();
    let is_it = |id: &str, url: &str| id == quoted || url == quoted;
    let source = sources.0.iter().find(|source| is_it(&source.id.to_string(), &source.url));
    source.map(|source| format!("<cite:{}>", source.id)).unwrap_or_default()
}
