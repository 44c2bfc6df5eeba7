//! The authors of the drafts: the rules, a model for each agent of a team, or an agent outside the program.

use super::work::{DraftStep, PrdCall, WorkOrder};
use reqgate_flow::{Order, Performed};
use reqgate_orders::ModelAuthor;

/// The author of the drafts.
#[derive(Clone, Copy)]
pub enum Author<'a> {
    /// The rules of this program, which collect what sources label.
    Rules,
    /// A chat model, or one for each agent of a team.
    Model(&'a ModelAuthors),
    /// An agent outside the program, which takes work orders and submits their results.
    Agent,
}

/// An agent of a team, which may have its own model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Agent {
    /// Plans the outline.
    Orchestrator,
    /// Looks for known facts.
    Researcher,
    /// Writes and revises.
    Writer,
    /// Grades.
    Critic,
}

impl Agent {
    /// Every agent, with the variable that names its model.
    pub const ALL: [(Self, &'static str); 4] = [
        (Self::Orchestrator, "PRD_ORCHESTRATOR_MODEL"),
        (Self::Researcher, "PRD_RESEARCHER_MODEL"),
        (Self::Writer, "PRD_WRITER_MODEL"),
        (Self::Critic, "PRD_CRITIC_MODEL"),
    ];

    /// The agents that may give a second opinion, with the variable that names the model for it.
    pub const SECOND: [(Self, &'static str); 2] =
        [(Self::Researcher, "PRD_RESEARCHER_SECOND_MODEL"), (Self::Critic, "PRD_CRITIC_SECOND_MODEL")];

    /// The agent that an order is for.
    fn of(order: &WorkOrder) -> Self {
        match order.step {
            DraftStep::Outline => Self::Orchestrator,
            DraftStep::MarketResearch | DraftStep::CompetitorResearch | DraftStep::UserResearch => Self::Researcher,
            DraftStep::DirectorCritique | DraftStep::DesignCritique | DraftStep::EngineeringCritique => Self::Critic,
            // The requirements of a draft are compared together with its critiques.
            DraftStep::Conflicts if order.prd.is_some() => Self::Critic,
            _ => Self::Writer,
        }
    }
}

/// The models that write.
pub struct ModelAuthors {
    /// The one for everything that no other is named for.
    pub usual: ModelAuthor,
    /// Those of single agents.
    pub of_agents: Vec<(Agent, ModelAuthor)>,
    /// Those for second opinions; without one the model of the first reads again.
    pub second: Vec<(Agent, ModelAuthor)>,
}

impl ModelAuthors {
    /// Asks the model of the agent that the order is for.
    pub(super) fn write(&self, draft: &WorkOrder, order: &Order) -> Performed {
        match self.of(draft).write(draft.kind(), draft, order.id.attempt, &order.problems) {
            Ok((result, usage)) => Performed::Done { result, usage },
            Err(unwritten) => unwritten.into(),
        }
    }

    /// Asks the models of several orders at the same time; the results are in the order of the calls.
    pub(super) fn write_together(&self, calls: &[(&PrdCall, Order)]) -> Vec<Performed> {
        std::thread::scope(|scope| {
            let start = |(call, order): &(&PrdCall, Order)| match call {
                PrdCall::Draft(draft) => {
                    let (draft, order) = (draft.clone(), order.clone());
                    Some(scope.spawn(move || self.write(&draft, &order)))
                }
                _ => None,
            };
            let started: Vec<_> = calls.iter().map(start).collect();
            let stopped = || Performed::Failed("the reading stopped before its end".to_owned());
            started.into_iter().map(|one| one.and_then(|one| one.join().ok()).unwrap_or_else(stopped)).collect()
        })
    }

    fn of(&self, order: &WorkOrder) -> &ModelAuthor {
        let agent = Agent::of(order);
        let second = self.second.iter().filter(|_| order.second_opinion);
        second.chain(&self.of_agents).find(|(own, _)| *own == agent).map_or(&self.usual, |(_, model)| model)
    }
}
