//! The order to read a PRD as one critic: its file, its inputs, its checks.

use serde::Serialize;

use super::perspective::perspective;
use super::{Document, ReadCritique, Readable, Role};
use reqgate_flow::Problem;
use reqgate_orders::{Check, Inputs, Kind, OrderResult};

/// The kind of order for a critique.
pub static CRITIQUE: Kind<CritiqueOrder> =
    Kind::new::<ReadCritique>("critique_prd_v1", include_str!("../../../../prompts/critique_prd_v1.yaml"));

/// The inputs of one critic.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CritiqueOrder {
    critic: Critic,
    prd: String,
    /// The order is for the second of two independent readings.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    second_opinion: bool,
}

/// The role that the reader takes.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
struct Critic {
    role: Role,
    perspective: &'static str,
    categories: Vec<GradedCategory>,
}

#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
struct GradedCategory {
    category: &'static str,
    look_for: &'static [String],
}

impl CritiqueOrder {
    /// Creates the order to read a PRD as one critic.
    pub fn new(role: Role, prd: String) -> Self {
        let own = perspective(role);
        let graded = own.categories.iter().map(|one| GradedCategory { category: &one.id, look_for: &one.look_for });
        let critic = Critic { role, perspective: &own.perspective, categories: graded.collect() };
        Self { critic, prd, second_opinion: false }
    }

    /// The same order for a second, independent reading.
    pub fn for_second_opinion(&self) -> Self {
        Self { second_opinion: true, ..self.clone() }
    }

    /// Returns true for the second of two readings.
    pub fn is_second_opinion(&self) -> bool {
        self.second_opinion
    }

    /// The critic with the graded categories, for an order that has other inputs as well.
    pub(crate) fn critic(role: Role) -> serde_json::Value {
        serde_json::to_value(Self::new(role, String::new()).critic).unwrap_or_default()
    }

    /// The text of the PRD.
    pub fn prd(&self) -> &str {
        &self.prd
    }

    /// The role of the critic.
    pub fn role(&self) -> Role {
        self.critic.role
    }
}

impl Inputs for CritiqueOrder {
    fn unscreened(&self) -> Vec<(&str, &str)> {
        vec![("prd", &self.prd)]
    }

    fn masked(&self, mask: &dyn Fn(&str) -> String) -> Self {
        Self { prd: mask(&self.prd), ..self.clone() }
    }
}

impl OrderResult<CritiqueOrder> for ReadCritique {
    const CHECKS: &'static [Check] = &[
        Check::Quotes,
        Check::ContentWords,
        Check::SafeWords,
        Check::Ids,
        Check::Figures,
        Check::Sizes,
        Check::Filled,
    ];

    fn problems(&self, inputs: &CritiqueOrder) -> Vec<Problem> {
        Readable::new(&Document::new("prd", &inputs.prd), inputs.critic.role).problems(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_is_that_of_the_kind_and_the_critic_stands_in_the_inputs() {
        CRITIQUE.verify().expect("the shipped file");
        let order = serde_json::to_value(CritiqueOrder::new(Role::Design, "# PRD".to_owned())).expect("it is JSON");
        assert_eq!(order["critic"]["role"], "design");
        assert_eq!(order["critic"]["categories"][2]["category"], "accessibility");
        assert_eq!(order["prd"], "# PRD");
    }
}
