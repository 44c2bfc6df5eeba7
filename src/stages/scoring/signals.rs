//! Names what was seen in a ticket as the features of the learned weights.
//!
//! `n:` is a measure of the shape of the text, `f:` the log-odds of a facet, `s:` a sign of a facet, `k:` the kind of ticket,
//! `r:` a rule that found something.

use std::collections::BTreeSet;

use crate::model::{FacetEvidence, Finding};
use crate::rules::Profile;
use crate::text::shape::Shape;

/// A feature and how much of it there is.
pub type Signal = (String, f64);

/// The features of one ticket.
#[derive(Debug, Clone, PartialEq)]
pub struct Signals {
    /// Words of title and body, each once.
    pub words: Vec<String>,
    /// Features that are known before the kind of the ticket is.
    pub of_text: Vec<Signal>,
    /// Features that depend on its kind.
    pub of_kind: Vec<Signal>,
}

/// The shape of the text and the signs of the kinds of tickets.
pub fn of_text(shape: &Shape, kinds: &[FacetEvidence]) -> Vec<Signal> {
    let measures = shape.measures.iter().map(|(name, value)| (format!("n:{name}"), *value));
    measures.chain(kinds.iter().flat_map(of_facet)).collect()
}

/// The facets that are looked for in a kind of ticket, the kind, and the rules that found something.
pub fn of_kind(profile: Profile, facets: &[FacetEvidence], found: &[Finding]) -> Vec<Signal> {
    let kind = if profile == Profile::Bug { "k:bug" } else { "k:feature" };
    let rules: BTreeSet<&str> = found.iter().map(|finding| finding.rule.as_str()).collect();
    let rules = rules.into_iter().map(|rule| (format!("r:{rule}"), 1.0));
    std::iter::once((kind.to_owned(), 1.0)).chain(facets.iter().flat_map(of_facet)).chain(rules).collect()
}

fn of_facet(evidence: &FacetEvidence) -> impl Iterator<Item = Signal> {
    let facet = &evidence.facet;
    let signs = evidence.signs.iter().map(move |sign| (format!("s:{facet}.{}", sign.id), 1.0));
    std::iter::once((format!("f:{facet}"), evidence.log_odds)).chain(signs)
}
