//! Learns the weights of readings from tickets that careful readers judged, and says what they are worth on other projects.
//!
//! Every figure is taken with whole projects held out; the weights that are written are fitted on all tickets and calibrated
//! by the held-out estimates. The same tickets give the same file, byte for byte.

mod figures;
pub(super) mod fit;
mod rows;
mod table;

pub use figures::{Figures, Share, Stops};
pub use rows::{Judgement, ReadKind, ReadTicket, ReadingsError, Said, read, read_written};

use std::collections::BTreeMap;

use rayon::iter::{IntoParallelIterator, IntoParallelRefIterator, ParallelIterator};

use fit::{Fit, Problem, Row, fit};
use table::Table;

use super::run::SEED;
use super::statistics::Random;
use crate::pipeline::Pipeline;
use crate::rules::Target;
use crate::stages::scoring::signals::Signals;

/// Fewer tickets than this teach nothing.
const LEAST_TICKETS: usize = 300;
/// A project with fewer tickets is held out together with other small ones.
const LEAST_OF_PROJECT: usize = 20;
/// Penalty on squared weights for readiness and kind.
const PENALTY: f64 = 20.0;
/// The same for the subjects of questions, which are rarer.
const PENALTY_OF_QUESTIONS: f64 = 50.0;
/// What a ticket of readiness 0 to 4 counts where "not ready" is learned: the border is where readers differ.
const IMPORTANCE: [f64; 5] = [1.5, 1.5, 1.0, 0.6, 1.0];

/// What a written case counts: its flaw is plain, and there are few of them.
const IMPORTANCE_OF_WRITTEN: f64 = 1.0;

/// Learned weights and what they are worth.
pub struct Learned {
    /// The file of weights.
    pub file: String,
    /// Figures on held-out projects.
    pub figures: Figures,
}

/// A ticket as it is learned from.
struct Example<'t> {
    ticket: &'t ReadTicket,
    signals: Signals,
    fold: usize,
}

/// Learns weights. `sources` are lines about where the tickets come from; they are written into the file.
///
/// # Errors
/// Fails where tickets or projects are too few.
pub fn learn(pipeline: &Pipeline, tickets: &[ReadTicket], sources: &[String]) -> Result<Learned, ReadingsError> {
    let folds = folds(tickets);
    let projects = folds.iter().max().map_or(0, |last| last + 1);
    if tickets.len() < LEAST_TICKETS || projects < table::LEAST_PROJECTS {
        return Err(ReadingsError::TooFew {
            tickets: tickets.len(),
            projects,
            least: LEAST_TICKETS,
            least_projects: table::LEAST_PROJECTS,
        });
    }
    let signals: Vec<Signals> = tickets.par_iter().map(|ticket| pipeline.signals(&ticket.input)).collect();
    let examples: Vec<Example<'_>> = tickets
        .iter()
        .zip(signals)
        .zip(folds)
        .map(|((ticket, signals), fold)| Example { ticket, signals, fold })
        .collect();

    let held_out = estimates(&examples, &Target::ALL);
    let calibrations: Vec<Fit> =
        Target::ALL.iter().zip(&held_out).map(|(target, odds)| calibration(&examples, *target, odds)).collect();
    let calibrated: Vec<Vec<f64>> = calibrations
        .iter()
        .zip(&held_out)
        .map(|(line, odds)| odds.iter().map(|odds| line.log_odds(&vec![(0, *odds)])).collect())
        .collect();
    let shuffled = estimates(&in_random_folds(&examples, projects), &[Target::NotReady]);
    let figures = figures::figures(tickets, &calibrated, &shuffled[0], projects);

    let everything: Vec<&Example<'_>> = examples.iter().collect();
    let table = table_of(&everything);
    let fits: Vec<Fit> = Target::ALL.par_iter().map(|target| fitted(&table, &everything, *target)).collect();
    let fits: Vec<Fit> = fits.into_iter().zip(&calibrations).map(|(fit, line)| moved(fit, line)).collect();
    let mut provenance = sources.to_vec();
    provenance.extend(figures.lines());
    provenance.push(format!("{} words, {} measures and signs", table.words(), table.len() - table.words()));
    Ok(Learned { file: table.written(&provenance, &fits), figures })
}

/// The fold of each ticket: its project, or one fold for all small projects of an origin.
fn folds(tickets: &[ReadTicket]) -> Vec<usize> {
    let mut sizes: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for ticket in tickets {
        *sizes.entry((&ticket.origin, &ticket.project)).or_default() += 1;
    }
    let mut numbers: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    let names = tickets.iter().map(|ticket| {
        let name = (ticket.origin.as_str(), ticket.project.as_str());
        if sizes[&name] < LEAST_OF_PROJECT { (name.0, "") } else { name }
    });
    names
        .map(|name| {
            let next = numbers.len();
            *numbers.entry(name).or_insert(next)
        })
        .collect()
}

fn in_random_folds<'t>(examples: &[Example<'t>], folds: usize) -> Vec<Example<'t>> {
    let order = Random::new(SEED, "folds of learned weights").shuffled(examples.len());
    let mut shuffled: Vec<Example<'t>> = examples
        .iter()
        .map(|example| Example { ticket: example.ticket, signals: example.signals.clone(), fold: 0 })
        .collect();
    for (place, at) in order.into_iter().enumerate() {
        shuffled[at].fold = place % folds;
    }
    shuffled
}

/// Log-odds of each target for each ticket, by weights fitted on the tickets of the other folds.
fn estimates(examples: &[Example<'_>], targets: &[Target]) -> Vec<Vec<f64>> {
    let folds = examples.iter().map(|example| example.fold).max().map_or(0, |last| last + 1);
    let of_folds: Vec<Vec<(usize, Vec<f64>)>> = (0..folds)
        .into_par_iter()
        .map(|fold| {
            let others: Vec<&Example<'_>> = examples.iter().filter(|example| example.fold != fold).collect();
            let table = table_of(&others);
            let fits: Vec<Fit> = targets.par_iter().map(|target| fitted(&table, &others, *target)).collect();
            let held_out = examples.iter().enumerate().filter(|(_, example)| example.fold == fold);
            let odds = |example: &Example<'_>| {
                let rows = [true, false].map(|of_kind| table.row(&example.signals, of_kind));
                let of = |(fit, target): (&Fit, &Target)| fit.log_odds(&rows[usize::from(target.tells_kind())]);
                fits.iter().zip(targets).map(of).collect()
            };
            held_out.map(|(at, example)| (at, odds(example))).collect()
        })
        .collect();
    let mut estimates = vec![vec![0.0; examples.len()]; targets.len()];
    for (at, odds) in of_folds.into_iter().flatten() {
        for (target, odds) in estimates.iter_mut().zip(odds) {
            target[at] = odds;
        }
    }
    estimates
}

fn table_of(examples: &[&Example<'_>]) -> Table {
    let tickets: Vec<(&str, &Signals)> =
        examples.iter().map(|example| (example.ticket.project.as_str(), &example.signals)).collect();
    Table::of(&tickets)
}

/// Whether a target holds for a ticket; `None` where the ticket says nothing about it.
fn label(ticket: &ReadTicket, target: Target) -> Option<bool> {
    let (kind, reading) = match &ticket.said {
        Said::Reading(judgement) => (judgement.kind, Some(judgement)),
        Said::Verdict { kind, .. } => (*kind, None),
    };
    match target {
        Target::NotReady => match &ticket.said {
            Said::Reading(judgement) => Some(judgement.ready <= 2),
            Said::Verdict { kind, ready } => kind.is_requirement().then_some(!ready),
        },
        Target::NotActionable => reading.map(|reading| reading.ready <= 1),
        Target::NoRequirement => Some(!kind.is_requirement()),
        Target::Bug => kind.is_requirement().then_some(kind == ReadKind::Bug),
        Target::Task => (!kind.is_requirement()).then_some(kind == ReadKind::Task),
        Target::Asks(code) => reading.map(|reading| reading.questions.iter().any(|asked| asked.code == code)),
    }
}

fn fitted(table: &Table, examples: &[&Example<'_>], target: Target) -> Fit {
    let labelled: Vec<(Row, bool, f64)> = examples
        .iter()
        .filter_map(|example| {
            let label = label(example.ticket, target)?;
            let importance = match target {
                Target::NotReady => match example.ticket.judgement() {
                    Some(judgement) => IMPORTANCE[usize::from(judgement.ready.min(4))],
                    None => IMPORTANCE_OF_WRITTEN,
                },
                _ => 1.0,
            };
            Some((table.row(&example.signals, !target.tells_kind()), label, importance))
        })
        .collect();
    fit(&Problem {
        rows: labelled.iter().map(|(row, ..)| row).collect(),
        labels: labelled.iter().map(|(_, label, _)| *label).collect(),
        importance: labelled.iter().map(|(_, _, importance)| *importance).collect(),
        columns: table.len(),
        penalty: if matches!(target, Target::Asks(_)) { PENALTY_OF_QUESTIONS } else { PENALTY },
    })
}

/// The line that turns held-out log-odds into calibrated ones (Platt 1999), by what readers said of tickets made to get work
/// done: written cases say nothing of how often tickets are ready.
fn calibration(examples: &[Example<'_>], target: Target, odds: &[f64]) -> Fit {
    let labelled: Vec<(Row, bool)> = examples
        .iter()
        .zip(odds)
        .filter(|(example, _)| example.ticket.judgement().is_some())
        .filter_map(|(example, odds)| Some((vec![(0, *odds)], label(example.ticket, target)?)))
        .collect();
    let labels = labelled.iter().map(|(_, label)| *label).collect();
    let importance = vec![1.0; labelled.len()];
    fit(&Problem { rows: labelled.iter().map(|(row, _)| row).collect(), labels, importance, columns: 1, penalty: 1.0 })
}

fn moved(fit: Fit, line: &Fit) -> Fit {
    let slope = line.weights.first().copied().unwrap_or(1.0);
    Fit { weights: fit.weights.iter().map(|weight| weight * slope).collect(), bias: fit.bias * slope + line.bias }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_projects_are_held_out_together() {
        let ticket = |project: String| ReadTicket {
            input: crate::stages::intake::RawInput::default(),
            origin: "tracker".to_owned(),
            project,
            said: Said::Verdict { kind: ReadKind::Bug, ready: true },
        };
        let mut tickets: Vec<ReadTicket> = (0..20).map(|_| ticket("large".to_owned())).collect();
        tickets.extend((0..5).map(|n| ticket(format!("small-{n}"))));
        let folds = folds(&tickets);
        assert!(folds[..20].iter().all(|fold| *fold == 0) && folds[20..].iter().all(|fold| *fold == 1), "{folds:?}");
    }
}
