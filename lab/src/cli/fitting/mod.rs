//! The common part of `learn` and `calibrate`: a team's tickets with their history, and the fits to them.

pub(super) mod history;
mod report;

pub(super) use report::{Wanted, human, json};

use reqgate::pipeline::Pipeline;
use reqgate::rules::{DEFAULT_POLICY, Policy};
use reqgate_lab::calibrate::{self, Advice, Cost, Proposal};
use reqgate_lab::history::{Past, judge};
use reqgate_lab::team::{Label, LabelledTicket, TeamLearned, learn_team};

use history::TeamHistory;
use reqgate::cli::exit::Failure;
use reqgate::cli::terminal;

/// The fits to a team's tickets, each with the reason if it failed.
pub(super) struct Fitted {
    /// The policy that agrees best; `None` if there are too few tickets.
    pub advice: Option<Advice>,
    /// The fitted team weights.
    pub team: Result<TeamLearned, String>,
    /// The fitted rubric. If its points do not decide, none is fitted unless it is requested.
    pub proposal: Result<Proposal, String>,
}

/// Fits policy, team weights and rubric. `rubric` is the requested one; with `asked`, a rubric is requested in any
/// case.
///
/// # Errors
/// Fails if none of them can be fitted, or if the requested rubric cannot.
pub(super) fn fit(
    pipeline: &mut Pipeline,
    history: &TeamHistory,
    cost: Cost,
    (rubric, asked): (Option<&str>, bool),
) -> Result<Fitted, Failure> {
    let labelled = || {
        history.tickets.iter().zip(&history.outcomes).filter_map(|(ticket, outcome)| match outcome.label {
            Label::Accepted => Some((ticket, false)),
            Label::Returned => Some((ticket, true)),
            Label::Unclear => None,
        })
    };
    let past: Vec<Past> =
        labelled().map(|(ticket, returned)| Past { input: ticket.input.clone(), accepted: Some(!returned) }).collect();
    let tickets: Vec<LabelledTicket> =
        labelled().map(|(ticket, returned)| LabelledTicket { input: ticket.input.clone(), returned }).collect();

    let team =
        learn_team(pipeline, &tickets, &history.from, &terminal::today(), cost).map_err(|error| error.to_string());
    let advice = calibrate::advise(pipeline, &past, cost);
    let proposal = if asked || !by_readings(pipeline) {
        proposal(pipeline, &past, rubric, cost).map_err(|error| error.to_string())
    } else {
        Err("under the policy in force the local reader decides, and not the points of a rubric".to_owned())
    };
    let fitted = Fitted { advice, team, proposal };
    let reason = match &fitted {
        Fitted { proposal: Err(reason), .. } if asked => reason,
        // With too few tickets for one fit there are too few for all.
        Fitted { advice: None, team: Err(reason), proposal: Err(_) } => reason,
        _ => return Ok(fitted),
    };
    Err(Failure::usage(format!("`{}`: {reason}", history.from)))
}

/// Returns true if the local reader decides about features and bugs under the policy in force.
fn by_readings(pipeline: &Pipeline) -> bool {
    let settings = pipeline.settings();
    let policy = pipeline.book.policy(settings.policy.as_deref().unwrap_or(DEFAULT_POLICY));
    settings.rubric.is_none() && policy.is_some_and(|policy: &Policy| policy.file.readings.is_some())
}

/// Fits a rubric under policies without readings, so that its points decide.
fn proposal(
    pipeline: &mut Pipeline,
    past: &[Past],
    rubric: Option<&str>,
    cost: Cost,
) -> Result<Proposal, calibrate::CalibrateError> {
    let readings: Vec<_> = pipeline.book.policies.iter_mut().map(|policy| policy.file.readings.take()).collect();
    let outcomes = judge(pipeline, past);
    let proposal = calibrate::propose(&pipeline.book, past, &outcomes, rubric, cost);
    for (policy, readings) in pipeline.book.policies.iter_mut().zip(readings) {
        policy.file.readings = readings;
    }
    proposal
}
