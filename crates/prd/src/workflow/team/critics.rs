//! The critics of a draft: their orders, with one reading or two for each, and the use of their results.

use serde_json::Value;

use super::contradictions;
use super::issues::tracked;
use super::marks::with_marks;
use super::state::{TeamPatch, TeamState};
use crate::Gap;
use crate::critique::{Critique, CritiqueOrder, Document, LoopDecision, ReadCritique, Readable, Role, form, of_two};
use crate::workflow::state::{PrdPatch, PrdState};
use crate::workflow::steps::results::value;
use crate::workflow::work::PrdCall;
use crate::workflow::{DraftStep, PrdLabel, PrdWorkflow, SourceText, WorkOrder};
use reqgate_flow::{NodeError, Outcome};
use reqgate_messages as messages;

const CRITICS: [(Role, DraftStep); 3] = [
    (Role::Director, DraftStep::DirectorCritique),
    (Role::Design, DraftStep::DesignCritique),
    (Role::Engineering, DraftStep::EngineeringCritique),
];

/// The current draft as the critics see it.
fn draft(team: &TeamState) -> String {
    team.current_draft().map(|draft| with_marks(&draft.markdown)).unwrap_or_default()
}

/// The success criteria of the outline, which every critic holds the draft against.
fn success_criteria(team: &TeamState) -> Option<SourceText> {
    let criteria = team.prd_outline.as_ref().map(|outline| &outline.success_criteria)?;
    let lines: Vec<String> = criteria.iter().map(|criterion| format!("- {criterion}")).collect();
    (!lines.is_empty()).then(|| SourceText { name: "success_criteria".to_owned(), text: lines.join("\n") })
}

/// The orders for the critics, who do not see each other's results, and the one to compare the requirements. A critic with
/// a second opinion has two orders.
pub(super) fn orders(state: &PrdState) -> Vec<PrdCall> {
    let prd = draft(state.team());
    let orders = CRITICS.iter().flat_map(|(role, step)| {
        let critic = Some(CritiqueOrder::critic(*role));
        let documents = success_criteria(state.team()).into_iter().collect();
        let today = state.team().today.clone();
        let order = WorkOrder { prd: Some(prd.clone()), critic, documents, today, ..WorkOrder::of(*step) };
        once_or_twice(order, state.team().settings.second_opinions.contains(role))
    });
    orders.chain(contradictions::order(state.team()).map(|order| PrdCall::Draft(Box::new(order)))).collect()
}

/// The order, twice if a second opinion is wanted.
pub(super) fn once_or_twice(order: WorkOrder, twice: bool) -> impl Iterator<Item = PrdCall> {
    let second = twice.then(|| WorkOrder { second_opinion: true, ..order.clone() });
    std::iter::once(order).chain(second).map(|order| PrdCall::Draft(Box::new(order)))
}

/// The critiques of form, without a reader.
pub(super) fn form_alone(state: &PrdState) -> Outcome<PrdWorkflow> {
    let text = draft(state.team());
    let document = Document::new("prd", &text);
    critiqued(state, CRITICS.iter().map(|(role, _)| form(&document, *role)).collect(), None)
}

/// The critiques from the results of [`orders`].
pub(super) fn read(state: &PrdState, results: &[&Value]) -> Result<Outcome<PrdWorkflow>, NodeError> {
    let settings = &state.team().settings;
    let text = draft(state.team());
    let document = Document::new("prd", &text);
    let mark = settings.rounds.min_approval_score;
    let mut results = results.iter();
    let mut critiques = Vec::new();
    for (role, _) in &CRITICS {
        let form = form(&document, *role);
        let readable = Readable::new(&document, *role);
        let mut next = || -> Result<Critique, NodeError> {
            let read: ReadCritique = value(results.next())?;
            Ok(readable.critique(&read, mark, &form))
        };
        let first = next()?;
        critiques.push(match settings.second_opinions.contains(role) {
            true => of_two(first, next()?, mark, &form),
            false => first,
        });
    }
    let order = contradictions::order(state.team());
    let contradictions = contradictions::in_draft(state.team(), order.as_ref(), results.next())?;
    Ok(critiqued(state, critiques, Some(contradictions)))
}

/// Records the critiques and the contradictions, and decides whether the draft is revised.
fn critiqued(state: &PrdState, critiques: Vec<Critique>, contradictions: Option<Vec<Gap>>) -> Outcome<PrdWorkflow> {
    let issues = tracked(state.team(), &critiques);
    let compared = contradictions.map(TeamPatch::Compared);
    let patches: Vec<TeamPatch> = [TeamPatch::Critiqued(critiques), issues].into_iter().chain(compared).collect();
    let mut team = state.team().clone();
    patches.iter().cloned().for_each(|patch| super::state::apply(&mut team, patch));
    let (label, note) = match team.decision() {
        Some(LoopDecision::GoOn { iteration }) => {
            let round = team.feedback_rounds.last();
            let (resolved, pending) =
                round.map_or((0, 0), |round| (round.resolved_issues.len(), round.pending_issues.len()));
            let said = messages::Prd::of(state.team_language());
            (PrdLabel::Iterate, said.round_goes_on(&iteration, &pending, &resolved))
        }
        Some(LoopDecision::Stop { reason, .. }) => (PrdLabel::Proceed, reason.words(state.team_language())),
        None => (PrdLabel::Proceed, state.said("checked for form, not read", "只检查了形式，未阅读").to_owned()),
    };
    let outcome = Outcome::go(label).note(note);
    patches.into_iter().fold(outcome, |outcome, patch| outcome.patch(PrdPatch::Team(Box::new(patch))))
}
