//! The six steps in which a PRD is shown to people.

use serde::Serialize;

use super::words::Words;
use reqgate_flow::{Name, Status};
use reqgate_prd::workflow::PrdNode;

#[derive(Debug, Serialize)]
pub(super) struct Step {
    pub(crate) name: &'static str,
    /// The CSS class: `finished`, `here` or empty.
    pub class: &'static str,
}

/// The steps of a PRD whose workflow is at this node. The team flow has other steps.
pub(super) fn steps(said: &Words, node: &str, status: Status, is_team: bool) -> Vec<Step> {
    let names = if is_team { said.team_steps } else { said.steps };
    let at = match status {
        Status::Completed => names.len(),
        _ => position(node).map_or(0, |(_, at)| at),
    };
    let class = |step: usize| match step.cmp(&at) {
        std::cmp::Ordering::Less => "finished",
        std::cmp::Ordering::Equal => "here",
        std::cmp::Ordering::Greater => "",
    };
    names.into_iter().enumerate().map(|(step, name)| Step { name, class: class(step) }).collect()
}

/// The name of the step that a node belongs to; empty for a node of another version.
pub(super) fn step_name(said: &Words, node: &str) -> &'static str {
    position(node).map_or("", |(is_team, at)| if is_team { said.team_steps[at] } else { said.steps[at] })
}

/// The flow (true for the team flow) and the step of a node.
fn position(node: &str) -> Option<(bool, usize)> {
    let node = PrdNode::ALL.iter().find(|one| one.name() == node)?;
    Some(match node {
        PrdNode::Initialization | PrdNode::Clarification => (false, 0),
        PrdNode::BriefGeneration | PrdNode::BriefReview | PrdNode::BriefUpdate | PrdNode::BriefFinalization => {
            (false, 1)
        }
        PrdNode::InitialRequirements | PrdNode::RequirementsReview | PrdNode::RequirementsUpdate => (false, 2),
        PrdNode::GapAnalysis
        | PrdNode::IterationControl
        | PrdNode::GapRequirements
        | PrdNode::RequirementsFinalization => (false, 3),
        PrdNode::PrdGeneration | PrdNode::PrdReview | PrdNode::PrdUpdate | PrdNode::PrdFinalization => (false, 4),
        PrdNode::Finalization => (false, 5),
        PrdNode::Outline | PrdNode::OutlineReview => (true, 1),
        PrdNode::Research => (true, 2),
        PrdNode::TeamDraft | PrdNode::TeamDraftReview => (true, 3),
        PrdNode::Critique | PrdNode::Revision | PrdNode::RevisionReview | PrdNode::FinalReview => (true, 4),
        PrdNode::Export => (true, 5),
        PrdNode::Failure => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use reqgate_base::model::Language;

    #[test]
    fn every_node_has_a_step_with_a_human_name() {
        for language in [Language::En, Language::Zh] {
            let said = Words::of(language);
            for node in PrdNode::ALL.iter().filter(|node| **node != PrdNode::Failure) {
                assert!(!step_name(said, node.name()).is_empty(), "{}", node.name());
            }
        }
        let said = Words::of(Language::En);
        let classes = |node: &str, status| {
            let steps = steps(said, node, status, false);
            steps.iter().map(|step| step.class).collect::<Vec<_>>()
        };
        assert_eq!(
            classes("requirementsReview", Status::WaitingForPerson),
            ["finished", "finished", "here", "", "", ""]
        );
        assert_eq!(classes("finalization", Status::Completed), ["finished"; 6]);
    }
}
