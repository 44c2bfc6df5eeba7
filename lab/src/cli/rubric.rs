//! `reqgate-lab rubric diff`: shows which past verdicts another rubric would change.

use std::path::Path;

use reqgate::config::Flags;
use reqgate::files;
use reqgate::model::{Outcome, Verdict};
use reqgate::pipeline::Stated;
use reqgate::rules::{self, Rubric, RuleBook, SourceFile};
use reqgate_lab::calibrate::{self, Cost};
use reqgate_lab::history::{self, Past};
use serde_json::json;

use super::arguments::{RubricArguments, RubricCommand, RubricDiffArguments};
use reqgate::cli::arguments::{ColorWhen, TextOrJson};
use reqgate::cli::exit::{self, Failure};
use reqgate::cli::page::Page;
use reqgate::cli::session::{self, Extent, Session};
use reqgate::cli::{outputs, terminal};

pub(super) fn run(arguments: &RubricArguments, color: ColorWhen) -> Result<u8, Failure> {
    match &arguments.command {
        RubricCommand::Diff(diff) => run_diff(diff, color),
    }
}

/// A past verdict that the other rubric changes.
struct Flip<'a> {
    name: &'a str,
    before: Verdict,
    after: Verdict,
    scores: (Option<f64>, Option<f64>),
    accepted: Option<bool>,
}

fn run_diff(arguments: &RubricDiffArguments, color: ColorWhen) -> Result<u8, Failure> {
    let meanings = arguments.map.iter().cloned().collect();
    let past = history::read(&arguments.on, &meanings).map_err(Failure::usage)?;
    let (old, before) = judged(arguments, &arguments.old, &past)?;
    let (new, after) = judged(arguments, &arguments.new, &past)?;
    if old.file.profile != new.file.profile {
        return Err(Failure::usage(format!(
            "`{}` and `{}` judge different kinds of document: compare two rubrics of one kind",
            arguments.old, arguments.new
        )));
    }
    let is_scored = |outcome: &&Outcome| outcome.score_report.is_some();
    let mut flips = Vec::new();
    let mut pairs = (Vec::new(), Vec::new());
    let mut scored = 0;
    for ((past, before), after) in past.iter().zip(&before).zip(&after) {
        let (Some(before), Some(after)) = (before.as_ref().filter(is_scored), after.as_ref().filter(is_scored)) else {
            continue;
        };
        // Documents of another kind are judged by neither rubric.
        if before.decision.rubric.as_ref().is_none_or(|rubric| rubric.id != old.file.id) {
            continue;
        }
        scored += 1;
        if let Some(accepted) = past.accepted {
            pairs.0.push((accepted, before.decision.verdict.is_pass()));
            pairs.1.push((accepted, after.decision.verdict.is_pass()));
        }
        if before.decision.verdict != after.decision.verdict {
            let score = |outcome: &Outcome| outcome.score_report.as_ref().map(|report| report.total_score);
            flips.push(Flip {
                name: &past.input.name,
                before: before.decision.verdict,
                after: after.decision.verdict,
                scores: (score(before), score(after)),
                accepted: past.accepted,
            });
        }
    }
    if scored == 0 {
        let shown = arguments.on.display();
        return Err(Failure::usage(format!("`{shown}`: no row is scored by these rubrics")));
    }
    let text = match arguments.format {
        TextOrJson::Human => human([&old, &new], scored, &flips, [&pairs.0, &pairs.1], color),
        TextOrJson::Json => json([&old, &new], scored, &flips),
    };
    outputs::print(&text)?;
    Ok(exit::PASS)
}

/// Reads a rubric and judges every row under it, with its own threshold instead of the configured one.
fn judged(
    arguments: &RubricDiffArguments,
    named: &str,
    past: &[Past],
) -> Result<(Rubric, Vec<Option<Outcome>>), Failure> {
    let mut config = session::configuration(&arguments.configuration, Flags::default())?;
    config.thresholds.clear();
    config.threshold.value = None;
    config.rubric.value = None;
    let mut session = Session::open(config, terminal::today(), Extent::Judging)?;
    let rubric = rubric(&session.book, named)?;
    let mut only = rubric.clone();
    only.file.only_by_name = false;
    session.book.rubrics.retain(|other| other.file.profile != only.file.profile && other.file.id != only.file.id);
    session.book.rubrics.push(only);
    // Readings would decide in the same way under any rubric.
    session.book.policies.iter_mut().for_each(|policy| policy.file.readings = None);
    let pipeline = session.pipeline(Stated::default())?;
    let outcomes = history::judge(&pipeline, past);
    Ok((rubric, outcomes))
}

/// A rubric by the path of its file, or by the id of one in force.
fn rubric(book: &RuleBook, named: &str) -> Result<Rubric, Failure> {
    if let Some(rubric) = book.rubric(named) {
        return Ok(rubric.clone());
    }
    let path = Path::new(named);
    let text = files::text(path, files::SETTINGS).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => {
            let known = book.rubrics.iter().map(|rubric| rubric.file.id.as_str()).collect::<Vec<_>>().join(", ");
            Failure::usage(format!("`{named}` is neither a file nor a rubric in force: choose from {known}"))
        }
        _ => Failure::usage(format!("reading `{named}`: {error}")),
    })?;
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let file = SourceFile::user(format!("scorecards/{name}"), text);
    let loaded = rules::load(&[file]).map_err(|error| Failure::usage(format!("`{named}`: {error}")))?;
    loaded.rubrics.into_iter().next().ok_or_else(|| Failure::usage(format!("`{named}` does not hold a rubric")))
}

fn words(rubric: &Rubric) -> String {
    format!("{} {}", rubric.file.id, rubric.file.version)
}

fn human(
    rubrics: [&Rubric; 2],
    scored: usize,
    flips: &[Flip<'_>],
    pairs: [&[(bool, bool)]; 2],
    color: ColorWhen,
) -> String {
    let mut page = Page::new(color);
    let [old, new] = rubrics.map(words);
    page.line(&format!("{}  {scored} tickets", page.bold(&format!("{old} → {new}"))));
    for flip in flips {
        let said = match flip.accepted {
            Some(accepted) if accepted == flip.after.is_pass() => "  as the team decided",
            Some(_) => "  against the team",
            None => "",
        };
        let score = |score: Option<f64>| score.map_or_else(|| "–".to_owned(), |score| score.to_string());
        page.line(&format!(
            "  {}: {} ({}) → {} ({}){said}",
            flip.name,
            flip.before.name(),
            score(flip.scores.0),
            flip.after.name(),
            score(flip.scores.1)
        ));
    }
    page.line(&format!("\n{} of {scored} verdicts would change.", flips.len()));
    if !pairs[0].is_empty() {
        let cost = Cost { wrong_block: 1.0, wrong_pass: 1.0 };
        for (name, pairs) in [(&old, pairs[0]), (&new, pairs[1])] {
            let agreement = calibrate::agreement(pairs, cost);
            let (blocks, passes) = (agreement.wrong_blocks, agreement.wrong_passes);
            page.line(&format!(
                "{name}: {} of {} accepted blocked, {} of {} returned passed",
                blocks.hits, blocks.n, passes.hits, passes.n
            ));
        }
    }
    page.text
}

fn json(rubrics: [&Rubric; 2], scored: usize, flips: &[Flip<'_>]) -> String {
    let [old, new] = rubrics.map(words);
    let flips: Vec<serde_json::Value> = flips
        .iter()
        .map(|flip| {
            json!({ "input": flip.name, "before": flip.before, "after": flip.after, "score_before": flip.scores.0,
                    "score_after": flip.scores.1, "accepted": flip.accepted })
        })
        .collect();
    let all = json!({ "schema": "reqgate/rubric-diff/v1", "old": old, "new": new, "scored": scored, "flips": flips });
    format!("{}\n", serde_json::to_string_pretty(&all).unwrap_or_default())
}
