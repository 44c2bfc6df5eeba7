//! Which elements of a ticket are in its text, with the words where the signs saw them.

use crate::local_reader::{ELEMENTS, Read, TicketElement};
use reqgate_base::model::{Facets, FoundElement, Span};

/// Every element with the probability that the text has it.
pub(super) fn found(read: &Read, facets: &Facets) -> Vec<FoundElement> {
    let one = |element: &TicketElement| {
        let probability = read.says(element, &facets.evidence);
        FoundElement {
            element: element.name.to_owned(),
            probability: (probability * 100.0).round() / 100.0,
            span: place(element.name, facets).filter(|_| Read::is_evident(element, probability)),
        }
    };
    ELEMENTS.iter().map(one).collect()
}

/// The words of an element, where structuring found them; the network says that something is there, not where.
fn place(element: &str, facets: &Facets) -> Option<Span> {
    match element {
        "need" => facets.need,
        "who" => facets.actor,
        "why" => facets.benefit,
        "criterion" => facets.criteria.first().map(|criterion| criterion.span),
        "steps" => facets.steps.first().copied(),
        "expected" => facets.expected.first().copied(),
        "actual" => facets.actual.first().copied(),
        "environment" => facets.environment.first().copied(),
        _ => None,
    }
}
