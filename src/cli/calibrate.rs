//! `reqgate calibrate`: fits a rubric to a team's past decisions, and names the policy that agrees best with them.

use std::path::Path;

use reqgate::config::Flags;
use reqgate::eval::calibrate::{self, Advice, Agreement, Choice, Cost, Proposal, Share};
use reqgate::eval::history;
use reqgate::eval::result::number;
use reqgate::pipeline::{Pipeline, Stated};
use reqgate::rules::{DEFAULT_POLICY, Policy};
use serde_json::json;

use super::arguments::measuring::CalibrateArguments;
use super::arguments::{ColorWhen, TextOrJson};
use super::exit::{self, Failure};
use super::page::Page;
use super::session::{self, Extent, Session};
use super::{calibrate_model, outputs, terminal};

/// Runs the command.
pub fn run(arguments: &CalibrateArguments, color: ColorWhen) -> Result<u8, Failure> {
    if let Some(name) = &arguments.model.model {
        return calibrate_model::run(arguments, name, color);
    }
    if let Some(path) = arguments.output.as_ref().filter(|path| path.exists() && !arguments.force) {
        return Err(Failure::usage(format!("`{}` already exists: use --force to replace it", path.display())));
    }
    let written: Vec<&Path> = arguments.output.as_deref().into_iter().collect();
    outputs::refuse_inputs(&[arguments.labelled.display().to_string()], &written)?;
    let meanings = arguments.map.iter().cloned().collect();
    let (past, left_out) = history::read_labelled(&arguments.labelled, &meanings).map_err(Failure::usage)?;
    let config = session::configuration(&arguments.configuration, Flags::default())?;
    let mut pipeline = Session::open(config.clone(), terminal::today(), Extent::Judging)?.pipeline(Stated::default())?;
    // A rubric is fitted where its points decide; which policy agrees best is asked of the policies as they are.
    let readings: Vec<_> = pipeline.book.policies.iter_mut().map(|policy| policy.file.readings.take()).collect();
    let outcomes = history::judge(&pipeline, &past);
    let cost = Cost { wrong_block: arguments.cost.0, wrong_pass: arguments.cost.1 };
    let proposal = calibrate::propose(&pipeline.book, &past, &outcomes, arguments.rubric.as_deref(), cost);
    for (policy, readings) in pipeline.book.policies.iter_mut().zip(readings) {
        policy.file.readings = readings;
    }
    let advice = calibrate::advise(&mut pipeline, &past, cost);
    let (proposal, no_proposal) = match proposal {
        Ok(proposal) => (Some(proposal), None),
        // Tickets of several kinds may be too few for any rubric, and enough to choose a policy by.
        Err(error) if advice.is_some() && arguments.rubric.is_none() && arguments.output.is_none() => {
            (None, Some(error.to_string()))
        }
        Err(error) => return Err(Failure::usage(format!("`{}`: {error}", arguments.labelled.display()))),
    };
    let text = match arguments.format {
        TextOrJson::Human => {
            let mut page = Page::new(color);
            let is_worth_it = proposal.as_ref().is_some_and(Proposal::is_worth_it);
            // What is worth doing comes first.
            if let Some(advice) = advice.as_ref().filter(|_| !is_worth_it) {
                policies(&mut page, advice);
            }
            if let Some(proposal) = &proposal {
                human(&mut page, proposal, left_out, arguments);
                threshold_note(&mut page, proposal, &pipeline);
            }
            if let Some(reason) = &no_proposal {
                page.paragraph(&format!("No rubric is proposed: {reason}."));
            }
            if let Some(advice) = advice.as_ref().filter(|_| is_worth_it) {
                policies(&mut page, advice);
            }
            page.text
        }
        TextOrJson::Json => {
            let all = json!({ "schema": "reqgate/calibration/v1", "unlabelled": left_out, "proposal": proposal,
                              "worth_it": proposal.as_ref().is_some_and(Proposal::is_worth_it),
                              "no_proposal": no_proposal, "policy": advice,
                              "policy_worth_it": advice.as_ref().is_some_and(Advice::is_worth_it) });
            format!("{}\n", serde_json::to_string_pretty(&all).unwrap_or_default())
        }
    };
    outputs::print(&text)?;
    if let (Some(path), Some(proposal)) = (&arguments.output, &proposal) {
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

/// Where the policy draws the threshold, that of a rubric counts only if the configuration says it.
fn threshold_note(page: &mut Page, proposal: &Proposal, pipeline: &Pipeline) {
    let name = pipeline.settings().policy.as_deref().unwrap_or(DEFAULT_POLICY);
    let by_evidence = pipeline.book.policy(name).is_some_and(Policy::goes_by_evidence);
    let (before, after) = proposal.threshold;
    if by_evidence && (before - after).abs() > 1e-9 {
        page.line(&format!(
            "Under the policy in force `sure` draws the threshold; this one holds if .reqgate.yaml says thresholds: \
             {{{}: {after}}}",
            proposal.rubric
        ));
    }
}

fn human(page: &mut Page, proposal: &Proposal, left_out: usize, arguments: &CalibrateArguments) {
    let (id, old, new) = (&proposal.rubric, &proposal.version, &proposal.new_version);
    page.line(&format!("{}  {} tickets scored by it", page.bold(&format!("Rubric {id} {old} → {new}")), proposal.rows));
    if proposal.not_scored + left_out > 0 {
        page.line(&page.faint(&format!(
            "left out: {left_out} without a label, {} judged by another rubric or not at all",
            proposal.not_scored
        )));
    }
    page.heading("Proposal");
    page.line(&format!("  threshold  {} → {}", proposal.threshold.0, proposal.threshold.1));
    let widest = proposal.weights.iter().map(|(id, ..)| id.chars().count()).max().unwrap_or(0);
    for (id, before, after) in &proposal.weights {
        page.line(&format!("  weight of {id:widest$}  {before:.2} → {after:.2}"));
    }
    page.heading(&format!(
        "Agreement with the team (a wrong block costs {}, a wrong pass {})",
        proposal.cost.wrong_block, proposal.cost.wrong_pass
    ));
    for (name, agreement) in [
        ("in force now", &proposal.before),
        ("proposed, on unseen tickets", &proposal.cross_validated),
        ("proposed, on the same tickets", &proposal.fitted),
    ] {
        page.line(&row(name, agreement));
    }
    page.line(&format!("\n{} past verdicts would change.", proposal.flips.len()));
    if proposal.is_worth_it() {
        let place = match &arguments.output {
            Some(path) => path.display().to_string(),
            None => "NEW".to_owned(),
        };
        let how = if arguments.output.is_some() {
            "See them with"
        } else {
            "Write it with --output NEW, then see the changed verdicts with"
        };
        page.line(&format!("{how}: reqgate rubric diff {id} {place} --on {}", arguments.labelled.display()));
    } else {
        page.line("On unseen tickets it is no better than the rubric in force: keep that one.");
    }
}

/// Which policy agrees most with the team.
fn policies(page: &mut Page, advice: &Advice) {
    page.heading(&format!("Which policy agrees most with the team ({} tickets)", advice.rows));
    page.line(&row(&format!("in force now: {}", words(&advice.in_force)), &advice.before));
    for (choice, agreement) in &advice.policies {
        page.line(&row(&words(choice), agreement));
    }
    page.line(&row("chosen, on unseen tickets", &advice.cross_validated));
    if !advice.is_worth_it() {
        page.line("\nOn unseen tickets no other policy is better than the one in force: keep that one.");
        return;
    }
    page.line(&row(&format!("chosen: {}", words(&advice.best)), &advice.fitted));
    page.line("\nRecommended, in .reqgate.yaml (`reqgate explain policy` explains it):");
    page.line(&format!("  policy: {}", advice.best.policy));
    if let Some(sure) = advice.best.sure {
        page.line(&format!("  sure: {sure}"));
    }
}

fn words(choice: &Choice) -> String {
    match choice.sure {
        Some(sure) => format!("{}, sure {sure}", choice.policy),
        None => choice.policy.clone(),
    }
}

fn row(name: &str, agreement: &Agreement) -> String {
    let share = |share: &Share| format!("{}/{} [{}, {}]", share.hits, share.n, number(share.low), number(share.high));
    format!(
        "  {name:30}  wrong blocks {:22}  wrong passes {:22}  cost per ticket {:.3}",
        share(&agreement.wrong_blocks),
        share(&agreement.wrong_passes),
        agreement.cost
    )
}
