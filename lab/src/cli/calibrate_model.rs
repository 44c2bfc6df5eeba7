//! `reqgate-lab calibrate --model`: fits the weight of a model's readings to labelled tickets.

use std::path::Path;

use reqgate::config::Flags;
use reqgate::pipeline::Stated;
use reqgate_lab::calibrate::{self, ModelProposal, Worth};
use reqgate_lab::history;
use reqgate_lab::result::number;
use serde_json::json;

use super::arguments::CalibrateArguments;
use reqgate::cli::arguments::{ColorWhen, TextOrJson};
use reqgate::cli::exit::{self, Failure};
use reqgate::cli::page::Page;
use reqgate::cli::session::{self, Extent, Session};
use reqgate::cli::{outputs, reviewer, terminal};

/// Runs the command for the model of this name.
pub(super) fn run(arguments: &CalibrateArguments, name: &str, color: ColorWhen) -> Result<u8, Failure> {
    if arguments.model.dry_run {
        return Err(Failure::usage("`reqgate score --dry-run` shows what is sent: use it on the same file"));
    }
    if let Some(path) = arguments.output.as_ref().filter(|path| path.exists() && !arguments.force) {
        return Err(Failure::usage(format!("`{}` already exists: use --force to replace it", path.display())));
    }
    let written: Vec<&Path> = arguments.output.as_deref().into_iter().collect();
    outputs::refuse_inputs(&[arguments.labelled.display().to_string()], &written)?;
    let meanings = arguments.history.map.iter().cloned().collect();
    let (past, left_out) = history::read_labelled(&arguments.labelled, &meanings).map_err(Failure::usage)?;
    let readiness = history::readiness(&arguments.labelled).map_err(Failure::usage)?;
    let flags = Flags { model: reviewer::flags(&arguments.model), ..Flags::default() };
    let config = session::configuration(&arguments.configuration, flags)?;
    let session = Session::open(config, terminal::today(), Extent::Judging)?;
    let pipeline = reviewer::pipeline(session, Stated::default(), &arguments.model)?;
    let outcomes = history::judge(&pipeline, &past);
    if let Some(what) = outcomes.iter().flatten().find_map(reviewer::unrecorded) {
        exit::warn(&what);
    }
    let in_force = pipeline.book.calibration(name);
    let in_force = in_force.ok_or_else(|| Failure::usage("no calibration is in force: rubrics/models/ is empty"))?;
    let proposal = calibrate::propose_for_model(in_force, name, &past, &readiness, &outcomes)
        .map_err(|error| Failure::usage(format!("`{}`: {error}", arguments.labelled.display())))?;
    let text = match arguments.format {
        TextOrJson::Human => human(&proposal, left_out, arguments, color),
        TextOrJson::Json => {
            let all = json!({ "schema": "reqgate/model-calibration/v1", "unlabelled": left_out, "proposal": proposal,
                              "worth_it": proposal.is_worth_it() });
            format!("{}\n", serde_json::to_string_pretty(&all).unwrap_or_default())
        }
    };
    outputs::print(&text)?;
    if let Some(path) = arguments.output.as_ref().filter(|_| proposal.is_worth_it()) {
        let yaml = proposal.yaml().map_err(|error| Failure::World(format!("writing the calibration: {error}")))?;
        outputs::write_whole(path, &yaml)?;
    }
    Ok(exit::PASS)
}

fn human(proposal: &ModelProposal, left_out: usize, arguments: &CalibrateArguments, color: ColorWhen) -> String {
    let mut page = Page::new(color);
    page.line(&format!(
        "{}  {} tickets with an answer, {} of them not ready",
        page.bold(&format!("Model {}", proposal.model)),
        proposal.rows,
        proposal.not_ready
    ));
    if proposal.unanswered + left_out > 0 {
        page.line(&page.faint(&format!(
            "left out: {left_out} without a label, {} without an answer or not judged by readings",
            proposal.unanswered
        )));
    }
    page.heading("How well “not ready” is predicted");
    for (name, worth) in [
        ("by the rules alone".to_owned(), &proposal.alone),
        (format!("in force now: {}", proposal.in_force), &proposal.before),
        ("proposed, on unseen tickets".to_owned(), &proposal.cross_validated),
        ("proposed, on the same tickets".to_owned(), &proposal.fitted),
    ] {
        page.line(&row(&name, worth));
    }
    let own = &proposal.calibration;
    page.heading("Proposal");
    page.line(&format!("  the rules' log-odds count {} times", own.not_ready.rules));
    let table = |row: &[f64]| row.iter().map(|entry| format!("{entry:6.2}")).collect::<Vec<_>>().join(" ");
    page.line("  readiness                        0      1      2      3      4");
    page.line(&format!("  with a question that must be  {}", table(&own.not_ready.must)));
    page.line(&format!("  without one                   {}", table(&own.not_ready.no_must)));
    page.line(&format!("  each question adds {}", own.not_ready.each_question));
    page.line(&format!(
        "  evidence takes back at most {} for each part, {} in all",
        own.evidence.each, own.evidence.most
    ));
    if !proposal.is_worth_it() {
        page.line("\nOn unseen tickets it is no better than what is in force: nothing is written.");
    } else if let Some(path) = &arguments.output {
        page.line(&format!("\nWritten to {}; it holds if that folder is among rules_folders.", path.display()));
    } else {
        page.line("\nWrite it with --output DIR/models/NAME.yaml, where DIR is one of your rules_folders.");
    }
    page.text
}

fn row(name: &str, worth: &Worth) -> String {
    let auc = worth.auc.map_or_else(|| "-".to_owned(), number);
    format!("  {name:32}  AUC {auc}  Brier {}  log loss {}", number(worth.brier), number(worth.log_loss))
}
