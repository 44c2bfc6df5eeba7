//! Learns team weights from labelled tickets, and measures their gain over the shipped ones.

use rayon::iter::{IntoParallelIterator, IntoParallelRefIterator, ParallelIterator};
use serde::Serialize;

use super::super::calibrate::{Agreement, Cost, LEAST_OF_EACH, LEAST_ROWS, agreement, folds};
use super::super::statistics::auc;
use super::fit::{self, Example, Moved, gain, log_loss};
use reqgate_base::clean::short_line;
use reqgate_base::model::QuestionCode;
use reqgate_gate::local_reader::{TEAM_WEIGHTS_SCHEMA, TeamTarget, TeamWeights, shipped_weights};
use reqgate_gate::pipeline::Pipeline;
use reqgate_gate::stages::intake::RawInput;
use reqgate_rules::{ByReadings, DEFAULT_POLICY, Profile, Rejects};

/// The number of parts of the cross-validation.
const FOLDS: usize = 10;
/// The number of standard errors that a gain must exceed; it is then significant in nineteen of twenty cases.
const SURE_GAIN: f64 = 1.64;
/// The maximum length of a source's name, in characters.
const LONGEST_NAME: usize = 200;

/// A ticket with the label derived from its history.
#[derive(Debug, Clone)]
pub struct LabelledTicket {
    /// The ticket as an input.
    pub input: RawInput,
    /// The team sent it back.
    pub returned: bool,
}

/// The agreement of estimates with a team.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct EstimateFigures {
    /// Area under the ROC curve; `None` if all tickets have one label.
    pub auc: Option<f64>,
    /// The mean squared error of the probability.
    pub brier: f64,
    /// The mean log loss.
    pub log_loss: f64,
    /// The verdicts at the certainty that the policy needs.
    pub verdicts: Agreement,
    /// The verdicts at the certainty that results from the costs of errors.
    pub verdicts_by_cost: Agreement,
}

/// The weights learned from a team's tickets, with their figures.
#[derive(Debug, Clone, Serialize)]
pub struct TeamLearned {
    /// The number of tickets that were used.
    pub tickets: usize,
    /// The number of those that were sent back.
    pub returned: usize,
    /// The number of labelled tickets that the policy does not judge by the estimate: tasks, questions, documents,
    /// stopped texts.
    pub not_judged: usize,
    /// The policy whose verdicts are compared.
    pub policy: String,
    /// The certainty that a rejection needs under the policy.
    pub sure: f64,
    /// The certainty that results from the costs of errors.
    pub sure_by_cost: f64,
    /// The costs of the two kinds of error.
    pub cost: Cost,
    /// The figures of the local reader as shipped.
    pub shipped: EstimateFigures,
    /// The figures of team weights learned from other tickets.
    pub team: EstimateFigures,
    /// The reduction of the log loss, and its standard error.
    pub gain: (f64, f64),
    /// The number of subjects with a weight.
    pub own_weights: usize,
    /// The weights learned from all tickets.
    #[serde(skip)]
    pub weights: TeamWeights,
}

/// The reason why no weights can be learned.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TeamError {
    /// There are too few labelled tickets.
    #[error(
        "too few labelled tickets for team weights: {accepted} accepted and {returned} returned are judged by the \
         estimate; at least {LEAST_ROWS} in all and {LEAST_OF_EACH} of each are needed"
    )]
    TooFew {
        /// The number of accepted tickets.
        accepted: usize,
        /// The number of returned tickets.
        returned: usize,
    },
    /// The policy does not decide by the estimate.
    #[error("the policy `{0}` does not judge by the estimate: use ready or triage")]
    Policy(String),
}

impl TeamLearned {
    /// Returns true if the team weights are significantly better on tickets that they were not learned from.
    pub fn is_worth_it(&self) -> bool {
        self.gain.0 > SURE_GAIN * self.gain.1 && self.gain.0 > 1e-6
    }

    /// The best certainty for the team weights, and the verdicts at it: that of the policy, unless the one that results
    /// from the costs of errors is cheaper.
    pub fn line(&self) -> (f64, Agreement) {
        let EstimateFigures { verdicts, verdicts_by_cost, .. } = &self.team;
        if verdicts_by_cost.cost < verdicts.cost - 1e-9 {
            (self.sure_by_cost, *verdicts_by_cost)
        } else {
            (self.sure, *verdicts)
        }
    }
}

/// Learns team weights for the policy in force. The pipeline is restored afterwards.
///
/// # Errors
/// Fails if there are too few labelled tickets, or if the policy does not decide by the estimate.
pub fn learn_team(
    pipeline: &mut Pipeline,
    tickets: &[LabelledTicket],
    from: &str,
    today: &str,
    cost: Cost,
) -> Result<TeamLearned, TeamError> {
    let before = (pipeline.settings().policy.clone(), pipeline.settings().sure, pipeline.settings().team.clone());
    pipeline.use_team(None);
    let learned = learned(pipeline, tickets, (from, today), cost);
    pipeline.judge_under(before.0, before.1);
    pipeline.use_team(before.2);
    learned
}

/// The labelled tickets that are judged by the estimate, with their parts.
struct Study<'t> {
    tickets: Vec<&'t LabelledTicket>,
    examples: Vec<Example>,
    part: Vec<usize>,
}

fn learned(
    pipeline: &mut Pipeline,
    tickets: &[LabelledTicket],
    (from, today): (&str, &str),
    cost: Cost,
) -> Result<TeamLearned, TeamError> {
    let (policy, by, sure) = policy(pipeline)?;
    let target = match by.rejects {
        Rejects::NotReady => TeamTarget::NotReady,
        Rejects::NotActionable => TeamTarget::NotActionable,
    };
    let study = Study::of(pipeline, tickets, target)?;
    let returned = study.examples.iter().filter(|example| example.returned).count();
    let written = |moved: &Moved, figures: Vec<String>| TeamWeights {
        schema: TEAM_WEIGHTS_SCHEMA.to_owned(),
        from: short_line(from, LONGEST_NAME),
        learned: today.to_owned(),
        shipped: shipped_weights().to_owned(),
        target,
        intercept: rounded(moved.intercept),
        slope: rounded(moved.slope),
        subjects: moved.subjects.iter().map(|(code, weight)| (*code, rounded(*weight))).collect(),
        tickets: study.tickets.len(),
        returned,
        figures,
    };
    let of_parts: Vec<Moved> = (0..FOLDS).into_par_iter().map(|part| fit::learned(&study.outside(part))).collect();
    let shipped: Vec<f64> = study.examples.iter().map(|example| example.odds).collect();
    let rows = || study.examples.iter().zip(&study.part);
    let team: Vec<f64> = rows().map(|(example, part)| of_parts[*part].log_odds(example)).collect();

    let sure_by_cost = cost.wrong_block / (cost.wrong_block + cost.wrong_pass);
    let of_part = |part: usize| Some(written(&of_parts[part], Vec::new()));
    let mut figures = |odds: &[f64], weights: &dyn Fn(usize) -> Option<TeamWeights>| EstimateFigures {
        auc: auc(&study.examples.iter().map(|one| one.returned).zip(odds.iter().copied()).collect::<Vec<_>>()),
        brier: mean(study.examples.iter().zip(odds).map(|(one, odds)| squared_error(one.returned, *odds))),
        log_loss: mean(study.losses(odds).into_iter()),
        verdicts: agreement(&study.verdicts(pipeline, (&policy, sure), weights), cost),
        verdicts_by_cost: agreement(&study.verdicts(pipeline, (&policy, sure_by_cost), weights), cost),
    };
    let (of_shipped, of_team) = (figures(&shipped, &|_| None), figures(&team, &of_part));
    let moved = fit::learned(&study.examples.iter().collect::<Vec<_>>());
    let words = vec![
        format!("shipped: {}", of_shipped.words()),
        format!("team, on tickets that it was not learned from: {}", of_team.words()),
    ];
    Ok(TeamLearned {
        tickets: study.tickets.len(),
        returned,
        not_judged: tickets.len() - study.tickets.len(),
        policy,
        sure,
        sure_by_cost,
        cost,
        shipped: of_shipped,
        team: of_team,
        gain: gain(&study.losses(&shipped), &study.losses(&team)),
        own_weights: moved.subjects.len(),
        weights: written(&moved, words),
    })
}

/// The policy in force, its use of the estimate, and the certainty that a rejection needs.
fn policy(pipeline: &Pipeline) -> Result<(String, ByReadings, f64), TeamError> {
    let settings = pipeline.settings();
    let name = settings.policy.clone().unwrap_or_else(|| DEFAULT_POLICY.to_owned());
    let found = pipeline.book.policy(&name);
    let by = found.and_then(|policy| Some((policy.by_readings(Profile::Feature)?, policy.file.sure)));
    let (by, sure) = by.filter(|_| settings.rubric.is_none()).ok_or_else(|| TeamError::Policy(name.clone()))?;
    Ok((name, by, settings.sure.unwrap_or(sure)))
}

impl<'t> Study<'t> {
    fn of(pipeline: &Pipeline, tickets: &'t [LabelledTicket], target: TeamTarget) -> Result<Self, TeamError> {
        let judged: Vec<Option<Example>> = tickets.par_iter().map(|ticket| example(pipeline, ticket, target)).collect();
        let (tickets, examples): (Vec<&LabelledTicket>, Vec<Example>) =
            tickets.iter().zip(judged).filter_map(|(ticket, example)| Some((ticket, example?))).unzip();
        let accepted: Vec<bool> = tickets.iter().map(|ticket| !ticket.returned).collect();
        let count = accepted.iter().filter(|accepted| **accepted).count();
        let returned = tickets.len() - count;
        if tickets.len() < LEAST_ROWS || count < LEAST_OF_EACH || returned < LEAST_OF_EACH {
            return Err(TeamError::TooFew { accepted: count, returned });
        }
        Ok(Self { tickets, examples, part: folds(&accepted, FOLDS) })
    }

    fn outside(&self, part: usize) -> Vec<&Example> {
        self.examples.iter().zip(&self.part).filter(|(_, own)| **own != part).map(|(example, _)| example).collect()
    }

    fn losses(&self, odds: &[f64]) -> Vec<f64> {
        self.examples.iter().zip(odds).map(|(example, odds)| log_loss(example.returned, *odds)).collect()
    }

    /// Pairs (accepted, passes) of all tickets, judged under a policy with the weights of their part.
    fn verdicts(
        &self,
        pipeline: &mut Pipeline,
        (policy, sure): (&str, f64),
        weights: &dyn Fn(usize) -> Option<TeamWeights>,
    ) -> Vec<(bool, bool)> {
        pipeline.judge_under(Some(policy.to_owned()), Some(sure));
        let mut pairs = Vec::with_capacity(self.tickets.len());
        for part in 0..FOLDS {
            pipeline.use_team(weights(part));
            let judging = &*pipeline;
            let own = self.tickets.iter().zip(&self.part).filter(|(_, own)| **own == part).map(|(ticket, _)| *ticket);
            let judged: Vec<(bool, bool)> = own
                .collect::<Vec<_>>()
                .into_par_iter()
                .map(|ticket| {
                    let outcome = judging.run(ticket.input.clone());
                    (!ticket.returned, outcome.is_ok_and(|outcome| outcome.decision.verdict.is_pass()))
                })
                .collect();
            pairs.extend(judged);
        }
        pairs
    }
}

/// The log-odds of a ticket; `None` if the estimate does not decide about it.
fn example(pipeline: &Pipeline, ticket: &LabelledTicket, target: TeamTarget) -> Option<Example> {
    let outcome = pipeline.run(ticket.input.clone()).ok()?;
    outcome.reading.as_ref()?;
    let read = pipeline.read(&outcome.packet)?;
    Some(Example {
        odds: target.of(&read),
        subjects: QuestionCode::ALL.map(|code| read.asks(code)),
        returned: ticket.returned,
    })
}

impl EstimateFigures {
    /// The figures in one line.
    pub fn words(&self) -> String {
        let auc = self.auc.map_or_else(|| "–".to_owned(), |auc| format!("{auc:.2}"));
        format!("AUC {auc}, Brier {:.3}, log loss {:.3}", self.brier, self.log_loss)
    }
}

fn mean(values: impl ExactSizeIterator<Item = f64>) -> f64 {
    let n = values.len().max(1) as f64;
    values.sum::<f64>() / n
}

fn squared_error(returned: bool, log_odds: f64) -> f64 {
    (1.0 / (1.0 + (-log_odds).exp()) - f64::from(u8::from(returned))).powi(2)
}

/// Rounds to three decimals, because the figures of so few tickets are not more exact.
fn rounded(value: f64) -> f64 {
    (value * 1000.0).round() / 1000.0
}
