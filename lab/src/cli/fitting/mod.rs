//! What `learn` and `calibrate` share: a team's tickets with what happened to them, and everything that is fitted to them.

pub mod history;
mod report;

pub use report::{Wanted, human, json};

use reqgate::pipeline::Pipeline;
use reqgate::rules::{DEFAULT_POLICY, Policy};
use reqgate_lab::calibrate::{self, Advice, Cost, Proposal};
use reqgate_lab::history::{Past, judge};
use reqgate_lab::team::{Label, LabelledTicket, TeamLearned, learn_team};

use history::TeamHistory;
use reqgate::cli::exit::Failure;
use reqgate::cli::terminal;

/// Everything that was fitted to a team's tickets; what could not be says why.
pub struct Fitted {
    /// The policy that agrees best; `None` with too few tickets.
    pub advice: Option<Advice>,
    /// Team weights.
    pub team: Result<TeamLearned, String>,
    /// A rubric; where its points decide nothing, none is fitted unless it is asked for.
    pub proposal: Result<Proposal, String>,
}

/// Fits policy, team weights and rubric. `rubric` is the one that is asked for; `asked` says that one is wanted at all.
///
/// # Errors
/// Fails where none of them can be fitted, and where the rubric that is asked for cannot.
pub fn fit(
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
        // With too few tickets for one of them there are too few for all.
        Fitted { advice: None, team: Err(reason), proposal: Err(_) } => reason,
        _ => return Ok(fitted),
    };
    Err(Failure::usage(format!("`{}`: {reason}", history.from)))
}

/// True if the local reader decides about features and bugs under the policy in force.
fn by_readings(pipeline: &Pipeline) -> bool {
    let settings = pipeline.settings();
    let policy = pipeline.book.policy(settings.policy.as_deref().unwrap_or(DEFAULT_POLICY));
    settings.rubric.is_none() && policy.is_some_and(|policy: &Policy| policy.file.readings.is_some())
}

/// A rubric is fitted where its points decide: the readings of the policies are set aside meanwhile.
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
