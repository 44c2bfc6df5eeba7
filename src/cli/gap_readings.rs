//! Takes the results of orders about gaps from a file or a model, and names the files of their places.

use std::path::Path;

use serde::de::DeserializeOwned;

use reqgate::prd::FeatureDocument;
use reqgate::prd::gaps::GapAnalysis;
use reqgate::prd::workflow::WorkOrder;
use reqgate::workflow::{Problem, read_value};

use super::arguments::GapsArguments;
use super::exit::{self, Failure};
use super::{prd, reviewer};

/// The analysis with the places of the files that a text consists of.
pub(super) fn placed(mut analysis: GapAnalysis, file: &FeatureDocument) -> GapAnalysis {
    let of_gaps = analysis.gaps.iter_mut().flat_map(|gap| gap.place.iter_mut().chain(gap.against.as_mut()));
    let places = of_gaps.chain(analysis.strengths.iter_mut().map(|strength| &mut strength.place));
    for place in places.filter(|place| place.source == file.name()) {
        let (name, line) = file.place(place.line);
        (place.source, place.line) = (name.to_owned(), line);
    }
    analysis
}

/// Reads the result of an order from a file; reports every problem.
pub(super) fn reading<R: DeserializeOwned>(path: &Path, problems: impl Fn(&R) -> Vec<Problem>) -> Result<R, Failure> {
    let text = prd::text_of(path)?;
    let name = path.display();
    let read = serde_json::from_str(&text).map_err(|error| Failure::usage(format!("{name}: {error}")))?;
    let problems = problems(&read);
    if problems.is_empty() {
        return Ok(read);
    }
    Err(Failure::problems(name, &problems))
}

/// Has a model carry out an order; results that do not pass the checks are reported and left out.
pub(super) fn model_reading<R: DeserializeOwned>(arguments: &GapsArguments, order: &WorkOrder) -> Result<R, Failure> {
    let author = reviewer::reader(&arguments.model, None, &arguments.configuration)?;
    let (read, problems) = author.carry_out(order.kind(), order).map_err(Failure::World)?;
    let read = read_value(&read).map_err(Failure::World)?;
    for problem in &problems {
        exit::warn(&format!("left out: {problem}"));
    }
    Ok(read)
}
