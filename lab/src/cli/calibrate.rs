//! `reqgate-lab calibrate`: fits policy, weights and rubric to a team's past decisions; the same report as `reqgate-lab learn`.

use std::path::Path;

use reqgate::config::Flags;
use reqgate::pipeline::{Pipeline, Stated};
use reqgate::rules::{DEFAULT_POLICY, Policy};
use reqgate_lab::calibrate::Cost;

use super::arguments::CalibrateArguments;
use super::calibrate_model;
use super::fitting::{self, Fitted, Wanted, history::TeamHistory};
use reqgate::cli::arguments::{ColorWhen, TextOrJson};
use reqgate::cli::exit::{self, Failure};
use reqgate::cli::page::Page;
use reqgate::cli::session::{self, Extent, Session};
use reqgate::cli::{outputs, terminal};

pub(super) fn run(arguments: &CalibrateArguments, color: ColorWhen) -> Result<u8, Failure> {
    if let Some(name) = &arguments.model.model {
        return calibrate_model::run(arguments, name, color);
    }
    if let Some(path) = arguments.output.as_ref().filter(|path| path.exists() && !arguments.force) {
        return Err(Failure::usage(format!("`{}` already exists: use --force to replace it", path.display())));
    }
    let written: Vec<&Path> =
        arguments.output.iter().chain(&arguments.history.write_labels).map(AsRef::as_ref).collect();
    outputs::refuse_inputs(&[arguments.labelled.display().to_string()], &written)?;
    let flags = Flags { policy: arguments.history.policy.clone(), ..Flags::default() };
    let config = session::configuration(&arguments.configuration, flags)?;
    let mut pipeline = Session::open(config.clone(), terminal::today(), Extent::Judging)?.pipeline(Stated::default())?;
    let exports = std::slice::from_ref(&arguments.labelled);
    let history = TeamHistory::of_exports(exports, &arguments.history, &pipeline)?;
    let cost = Cost { wrong_block: arguments.history.cost.0, wrong_pass: arguments.history.cost.1 };
    let asked = arguments.rubric.is_some() || arguments.output.is_some();
    let fitted = fitting::fit(&mut pipeline, &history, cost, (arguments.rubric.as_deref(), asked))?;
    let text = match arguments.format {
        TextOrJson::Human => {
            let mut page = Page::new(color);
            let place = arguments.output.as_ref().map(|path| path.display().to_string());
            fitting::human(&mut page, &history, &fitted, Wanted::Rubric(place.as_deref()));
            threshold_note(&mut page, &fitted, &pipeline);
            page.text
        }
        TextOrJson::Json => {
            format!("{}\n", serde_json::to_string_pretty(&fitting::json(&history, &fitted)).unwrap_or_default())
        }
    };
    outputs::print(&text)?;
    if let (Some(path), Ok(proposal)) = (&arguments.output, &fitted.proposal) {
        let yaml = proposal.yaml().map_err(|error| Failure::World(format!("writing the rubric: {error}")))?;
        outputs::write_whole(path, &yaml)?;
        if config.thresholds.contains_key(&proposal.rubric) {
            exit::warn(&format!(
                "the configuration sets thresholds.{}, which overrides the threshold of the new rubric: remove it",
                proposal.rubric
            ));
        }
    }
    Ok(exit::PASS)
}

/// Adds a note if the policy sets the threshold, because that of a rubric then counts only if the configuration
/// requests it.
fn threshold_note(page: &mut Page, fitted: &Fitted, pipeline: &Pipeline) {
    let Some(proposal) = fitted.proposal.as_ref().ok().filter(|proposal| proposal.is_worth_it()) else { return };
    let name = pipeline.settings().policy.as_deref().unwrap_or(DEFAULT_POLICY);
    let by_evidence = pipeline.book.policy(name).is_some_and(Policy::goes_by_evidence);
    let (before, after) = proposal.threshold;
    if by_evidence && (before - after).abs() > 1e-9 {
        page.line(&format!(
            "Under the policy in force `sure` draws the threshold; this one holds if .reqgate.yaml says rubric: {id} and \
             thresholds: {{{id}: {after}}}",
            id = proposal.rubric
        ));
    }
}
