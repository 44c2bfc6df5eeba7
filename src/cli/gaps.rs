//! `reqgate gaps`: reports faults in the form of requirements, and gaps that a reader finds in them.

use std::path::Path;

use reqgate::pipeline::Pipeline;
use reqgate::prd::gaps::{self, GapAnalysis, Input, ReadGaps, Terminal};
use reqgate::prd::layouts::AnyRequirements;
use reqgate::prd::workflow::WorkOrder;
use reqgate::prd::{FeatureDocument, Gap};
use reqgate::workflow::read_value;

use super::arguments::{ColorWhen, GapsArguments, GapsFormat};
use super::exit::{self, Failure};
use super::session::{self};
use super::{feature_files, outputs, prd, reviewer, terminal};

pub(super) fn run(arguments: &GapsArguments, color: ColorWhen) -> Result<u8, Failure> {
    if arguments.order {
        return print_order(arguments);
    }
    let analysis = analysed(arguments)?;
    let name = arguments.path.display().to_string();
    let text = match arguments.format {
        GapsFormat::Human => {
            let terminal = Terminal { colour: terminal::is_coloured(color), width: terminal::width() };
            terminal::wrapped(&gaps::human(&analysis, &name, terminal))
        }
        GapsFormat::Markdown => gaps::markdown(&analysis, &name),
        GapsFormat::Json => outputs::json("the analysis", &analysis)?,
    };
    outputs::print(&text)?;
    let is_below = arguments.fail_under.is_some_and(|least| analysis.score() < least);
    Ok(if is_below { exit::GATE_SAID_NO } else { exit::PASS })
}

fn analysed(arguments: &GapsArguments) -> Result<GapAnalysis, Failure> {
    let (file, brief) = feature_files::requirements(&arguments.path, arguments.brief.as_deref())?;
    let AnyRequirements { document, duplicates, .. } = feature_files::requirements_in(&file)?;
    let (name, text) = (file.name(), file.text());
    let brief = brief.map(|path| feature_files::read(&path)).transpose()?;
    let words = brief.as_ref().map(|(_, text)| text.as_str());
    let input = Input { name, text, document: &document, duplicates: &duplicates, brief: words };
    let form = gaps::analyse(&input);
    let order = || {
        Ok::<_, Failure>(masked_order(&session::judging(&arguments.configuration)?, words.unwrap_or_default(), text))
    };
    let (order, read) = match (&arguments.reading, &arguments.model.model) {
        (Some(path), _) => {
            let order = order()?;
            let read = reading(path, &order)?;
            (order, read)
        }
        (None, Some(_)) => {
            let order = order()?;
            let read = model_reading(arguments, &order)?;
            (order, read)
        }
        (None, None) => {
            let Some((thread, mut found)) = prd::reading_of(&arguments.path, &document) else {
                return Ok(placed(form, &file));
            };
            exit::note(&format!("these requirements were read for gaps in the thread `{thread}`"));
            in_files(&mut found, name, brief.as_ref().map(|(name, _)| name.as_str()));
            return Ok(placed(gaps::with_reading(form.gaps, found, &document), &file));
        }
    };
    let mut found = order.documents().gaps(&read, &document);
    in_files(&mut found, name, brief.as_ref().map(|(name, _)| name.as_str()));
    Ok(placed(gaps::with_reading(form.gaps, found, &document), &file))
}

/// Names the files of a feature in the places of gaps.
fn in_files(found: &mut [Gap], requirements: &str, brief: Option<&str>) {
    for place in found.iter_mut().flat_map(|gap| gap.place.iter_mut().chain(gap.against.as_mut())) {
        let file = if place.source == feature_files::REQUIREMENTS { Some(requirements) } else { brief };
        file.unwrap_or(requirements).clone_into(&mut place.source);
    }
}

/// The analysis with the places of the files that a text consists of.
fn placed(mut analysis: GapAnalysis, file: &FeatureDocument) -> GapAnalysis {
    let places = analysis.gaps.iter_mut().flat_map(|gap| gap.place.iter_mut().chain(gap.against.as_mut()));
    for place in places.filter(|place| place.source == file.name()) {
        let (name, line) = file.place(place.line);
        (place.source, place.line) = (name.to_owned(), line);
    }
    analysis
}

/// The order to read a document for gaps, with personal data and secrets masked.
fn masked_order(pipeline: &Pipeline, brief: &str, requirements: &str) -> WorkOrder {
    WorkOrder::gaps(pipeline.masked(brief), pipeline.masked(requirements))
}

/// Prints the order for a reader.
fn print_order(arguments: &GapsArguments) -> Result<u8, Failure> {
    let (file, brief) = feature_files::requirements(&arguments.path, arguments.brief.as_deref())?;
    let brief = brief.map(|path| feature_files::read(&path)).transpose()?.map(|(_, text)| text).unwrap_or_default();
    let pipeline = session::judging(&arguments.configuration)?;
    let order = masked_order(&pipeline, &brief, file.text());
    let name = file.name();
    let document = serde_json::json!({
        "step": order.step,
        "caution": pipeline.caution(&order),
        "instructions": order.kind().instructions(),
        "inputs": order,
        "result_schema": order.kind().schema(),
        "submit_with": match &arguments.brief {
            Some(brief) => format!("reqgate gaps {name} --brief {} --reading FILE", brief.display()),
            None => format!("reqgate gaps {name} --reading FILE"),
        },
    });
    outputs::print(&format!("{document:#}\n"))?;
    Ok(exit::PASS)
}

/// Reads the result of an order from a file; reports every problem.
fn reading(path: &Path, order: &WorkOrder) -> Result<ReadGaps, Failure> {
    let text = prd::text_of(path)?;
    let name = path.display();
    let read = serde_json::from_str(&text).map_err(|error| Failure::usage(format!("{name}: {error}")))?;
    let problems = order.documents().problems(&read);
    if problems.is_empty() {
        return Ok(read);
    }
    Err(Failure::problems(name, &problems))
}

/// Asks a model for gaps; those that do not pass the checks are reported and left out.
fn model_reading(arguments: &GapsArguments, order: &WorkOrder) -> Result<ReadGaps, Failure> {
    let author = reviewer::reader(&arguments.model, None, &arguments.configuration)?;
    let (read, problems) = author.carry_out(order.kind(), order).map_err(Failure::World)?;
    let read = read_value(&read).map_err(Failure::World)?;
    for problem in &problems {
        exit::warn(&format!("left out: {problem}"));
    }
    Ok(read)
}
