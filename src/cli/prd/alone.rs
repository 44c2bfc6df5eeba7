//! `reqgate prd outline` and `reqgate prd refine`: two parts of a team's work, each separate and without a thread.

use std::io::IsTerminal;
use std::path::Path;

use reqgate::clean;
use reqgate::orders::Inputs;
use reqgate::pipeline::Pipeline;
use reqgate::prd::collect::UTTERANCE;
use reqgate::prd::critique::{CritiqueReport, Document, Role, form};
use reqgate::prd::team::PrdOutline;
use reqgate::prd::team::document::parse_anyway;
use reqgate::prd::team::revised::{doubled_headings, without_approval};
use reqgate::prd::workflow::team::alone::{
    collected_outline, foreign_quote, outline_of, outline_order, refined, revision_order,
};
use reqgate::prd::workflow::team::revision::RevisedSections;
use reqgate::prd::workflow::{SourceText, WorkOrder, screened};
use reqgate::text::language::language_of;
use reqgate::workflow::read_value;
use serde_json::Value;

use super::super::arguments::TextOrJson;
use super::super::arguments::prd_alone::{AloneArguments, OutlineArguments, RefineArguments};
use super::super::exit::{self, Failure};
use super::super::feature_files::read;
use super::super::reviewer::reader;
use super::super::{outputs, session, terminal};
use super::driving::{is_no_file, sources};
use super::text_of;

/// The most characters of a quote that an error repeats.
const LONGEST_QUOTE: usize = 80;

/// Prints the outline of a PRD.
pub(super) fn outline(arguments: &OutlineArguments) -> Result<u8, Failure> {
    if arguments.vision.is_none() && arguments.from.is_empty() {
        return Err(Failure::usage("no vision given: use `reqgate prd outline \"…\"`, or name a file with --from"));
    }
    is_no_file(arguments.vision.as_deref())?;
    let alone = &arguments.alone;
    let pipeline = session::judging(&alone.configuration)?;
    let mut texts: Vec<SourceText> = match &arguments.vision {
        Some(words) => screened(&pipeline, UTTERANCE, words.as_bytes()).map_err(Failure::usage)?,
        None => Vec::new(),
    };
    texts.extend(sources(&pipeline, &arguments.from)?);
    let order = WorkOrder { today: Some(terminal::today()), ..outline_order(texts) };
    if alone.order {
        return print_order(&order, &pipeline, "reqgate prd outline … --reading FILE");
    }
    let outline: PrdOutline = match result(alone, &order, &pipeline)? {
        Some(result) => outline_of(&order, result).map_err(Failure::World)?,
        None => collected_outline(&pipeline, &order),
    };
    let text = match arguments.format {
        TextOrJson::Human => clean::lines(&outline.to_markdown()),
        TextOrJson::Json => outputs::json("the outline", &outline)?,
    };
    written(arguments.alone.output.as_deref(), &text)
}

/// Prints a PRD, revised once by its critique.
pub(super) fn refine(arguments: &RefineArguments) -> Result<u8, Failure> {
    let alone = &arguments.alone;
    let (name, prd) = read(&arguments.file)?;
    let pipeline = session::judging(&alone.configuration)?;
    let masked = pipeline.masked(&prd);
    let (document, faults) = parse_anyway(&masked);
    let faults: Vec<String> = faults
        .iter()
        .map(ToString::to_string)
        .chain(document.problems().into_iter().map(|problem| problem.to_string()))
        .chain(
            doubled_headings(&masked)
                .into_iter()
                .map(|heading| format!("“{heading}” is the heading of another section too: give one of them another")),
        )
        .collect();
    if !faults.is_empty() {
        return Err(Failure::usage(format!("{name}: correct this first:\n{}", faults.join("\n"))));
    }
    let report = match &arguments.critique {
        Some(path) => {
            let text = text_of(path)?;
            let told = |error: serde_json::Error| Failure::usage(format!("{}: {error}", path.display()));
            let report = serde_json::from_str::<CritiqueReport>(&text).map_err(told)?;
            if let Some(place) = foreign_quote(&prd, &masked, &report) {
                return Err(Failure::usage(format!(
                    "{}: “{}” does not stand in the section at line {} of {name}: this is a critique of another document or of an earlier version",
                    path.display(),
                    clean::short_words(&place.quote, LONGEST_QUOTE),
                    place.line,
                )));
            }
            report
        }
        None => {
            let document = Document::new(&name, &masked);
            let critiques = Role::ALL.iter().map(|role| form(&document, *role)).collect();
            CritiqueReport::new(&name, document.language, critiques)
        }
    };
    let wanted = arguments.because.as_deref().map(|words| pipeline.masked(words));
    if wanted.is_none() && report.critiques.iter().all(|critique| critique.issues_found.is_empty()) {
        return Err(Failure::usage(
            "the critique finds nothing to change: say what to change with --because, or name another one with --critique",
        ));
    }
    let given = sources(&pipeline, &arguments.from)?;
    let order = revision_order(masked, &report, wanted.as_deref(), given, language_of(&prd));
    let order = WorkOrder { today: Some(terminal::today()), ..order };
    if alone.order {
        return print_order(&order, &pipeline, &format!("reqgate prd refine {name} --reading FILE"));
    }
    let Some(result) = result(alone, &order, &pipeline)? else {
        return Err(Failure::usage(
            "a revision is written by a reader: name a model with --model, or use --order and then --reading",
        ));
    };
    let given: RevisedSections = read_value(&result).map_err(Failure::World)?;
    let mut revised = refined(&prd, &order, &given, &pipeline.masks(&prd))
        .map_err(|fault| Failure::usage(format!("{name}: {fault}")))?;
    let listed = |headings: &[String]| clean::one_line(&headings.join(", ")).into_owned();
    exit::note(&format!("changed: {}", listed(&revised.changed)));
    if !revised.unasked.is_empty() {
        exit::warn(&format!("changed although nobody asked for it: {}", listed(&revised.unasked)));
    }
    if let Some(draft) = without_approval(&revised.markdown).filter(|_| !revised.changed.is_empty()) {
        exit::warn("nobody has approved what changed: the PRD is a draft again, without what was accepted in it");
        revised.markdown = draft;
    }
    // A PRD is written unchanged, except on a terminal, which would obey control characters.
    let is_for_a_terminal = alone.output.is_none() && std::io::stdout().is_terminal();
    let text = if is_for_a_terminal { clean::lines(&revised.markdown) } else { revised.markdown };
    written(alone.output.as_deref(), &text)
}

/// The checked result of an order: from a file, or by a model; `None` if neither is named.
fn result(alone: &AloneArguments, order: &WorkOrder, pipeline: &Pipeline) -> Result<Option<Value>, Failure> {
    let told = |problems: &[reqgate::workflow::Problem]| {
        problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
    };
    let order = order.masked(&|text| pipeline.masked(text));
    if let Some(path) = &alone.reading {
        let name = path.display();
        let result: Value =
            serde_json::from_str(&text_of(path)?).map_err(|error| Failure::usage(format!("{name}: {error}")))?;
        let result = reqgate::prd::workflow::masked(result, pipeline);
        let problems = order.kind().problems(&order, &result);
        return match problems.is_empty() {
            true => Ok(Some(result)),
            false => Err(Failure::usage(format!("{name} does not pass the checks:\n{}", told(&problems)))),
        };
    }
    if alone.model.model.is_none() {
        return Ok(None);
    }
    let author = reader(&alone.model, None, &alone.configuration)?;
    let (result, problems) = author.carry_out(order.kind(), &order).map_err(Failure::World)?;
    match problems.is_empty() {
        true => Ok(Some(result)),
        false => Err(Failure::World(format!("the result of the model does not pass the checks:\n{}", told(&problems)))),
    }
}

/// Prints an order for a person or program that will carry it out.
fn print_order(order: &WorkOrder, pipeline: &Pipeline, submit_with: &str) -> Result<u8, Failure> {
    let document = serde_json::json!({
        "step": order.step,
        "caution": pipeline.caution(order),
        "instructions": order.kind().instructions(pipeline.orders()),
        "inputs": order.masked(&|text| pipeline.masked(text)),
        "result_schema": order.kind().schema(),
        "submit_with": submit_with,
    });
    outputs::print(&format!("{document:#}\n"))?;
    Ok(exit::PASS)
}

fn written(output: Option<&Path>, text: &str) -> Result<u8, Failure> {
    match output {
        Some(path) => outputs::write_whole(path, text)?,
        None => outputs::print(text)?,
    }
    Ok(exit::PASS)
}
