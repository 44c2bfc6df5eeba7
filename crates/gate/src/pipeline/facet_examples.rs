//! Runs the examples of a facet: tickets where it must be found, and tickets where it must not.

use super::ticket_kind::points;
use crate::stages::intake::detect;
use crate::stages::structuring::evidence::{Form, kind_evidence, weigh};
use crate::stages::structuring::structure;
use reqgate_base::model::{FacetEvidence, SourceType};
use reqgate_rules::{FacetModel, RuleBook};

/// One failed example of a facet.
#[derive(Debug, thiserror::Error)]
#[error("{facet}: must be {}, is {:.0} % likely: {text}", if *.there { "there" } else { "absent" }, .evidence.probability() * 100.0)]
pub struct FacetExampleFailure {
    facet: String,
    there: bool,
    evidence: FacetEvidence,
    text: String,
}

/// Checks the examples of a facet; see [`reqgate_rules::FacetFile::examples`].
pub fn check_facet_examples(book: &RuleBook, model: &FacetModel) -> Vec<FacetExampleFailure> {
    let examples = &model.file.examples;
    let there = examples.fires.iter().map(|text| (text, true));
    let all = there.chain(examples.silent.iter().map(|text| (text, false)));
    let tried = all.filter_map(|(text, there)| Some((text, there, in_example(book, model, text)?)));
    tried
        .filter(|(_, there, evidence)| evidence.is_likely() != *there)
        .map(|(text, there, evidence)| FacetExampleFailure {
            facet: model.file.id.clone(),
            there,
            evidence,
            text: text.clone(),
        })
        .collect()
}

fn in_example(book: &RuleBook, model: &FacetModel, text: &str) -> Option<FacetEvidence> {
    let reading = book.reader.read(text, None);
    let form = Form::read(text, &reading);
    let models = std::slice::from_ref(model);
    let Some(profile) = model.file.profiles.first().copied() else {
        let points = points(text, &detect::kind(text, &reading, SourceType::PlainText));
        return kind_evidence(models, text, &reading, &form, points).pop();
    };
    let facets = structure(text, &reading, profile).facets;
    weigh(models, text, &reading, &form, &facets, profile).pop()
}
