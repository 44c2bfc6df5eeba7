//! The elements of a ticket in its text, with the words in which the signs were found.

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

/// The words of an element, if structuring found them; the network gives no places.
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
