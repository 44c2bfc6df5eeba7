//! The advice of the head of engineering besides the issues: other ways to build it, its timeline, its tests.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use reqgate_base::model::Language;
use reqgate_messages as messages;

/// The most sentences of each kind.
const MOST: usize = 5;

/// Advice, one sentence each; at most five of each kind.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct Advice {
    /// Other ways to build it, each with what speaks for it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub alternatives: Vec<String>,
    /// Changes of people and dates that the plan needs.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub timeline_adjustments: Vec<String>,
    /// The tests, each with its method.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub testing_strategy: Vec<String>,
}

impl Advice {
    /// Returns true without any advice.
    pub(crate) fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// The lists with their names in an order.
    pub(super) fn lists(&self) -> [(&'static str, &[String]); 3] {
        [
            ("alternatives", &self.alternatives),
            ("timelineAdjustments", &self.timeline_adjustments),
            ("testingStrategy", &self.testing_strategy),
        ]
    }

    /// The names of the lists that are too long.
    pub(super) fn too_long(&self) -> impl Iterator<Item = &'static str> {
        self.lists().into_iter().filter(|(_, list)| list.len() > MOST).map(|(name, _)| name)
    }

    /// The sentences that pass, at most five of each kind.
    #[must_use]
    pub(super) fn only(&self, passes: impl Fn(&str) -> bool) -> Self {
        let kept = |list: &[String]| list.iter().filter(|one| passes(one)).take(MOST).cloned().collect();
        Self {
            alternatives: kept(&self.alternatives),
            timeline_adjustments: kept(&self.timeline_adjustments),
            testing_strategy: kept(&self.testing_strategy),
        }
    }

    /// The advice of two readings, without duplicates.
    #[must_use]
    pub(super) fn with(mut self, other: Self) -> Self {
        let join = |own: &mut Vec<String>, more: Vec<String>| {
            let new: Vec<String> = more.into_iter().filter(|one| !own.contains(one)).collect();
            own.extend(new);
        };
        join(&mut self.alternatives, other.alternatives);
        join(&mut self.timeline_adjustments, other.timeline_adjustments);
        join(&mut self.testing_strategy, other.testing_strategy);
        self
    }

    /// The advice as lines of text.
    pub(crate) fn in_lines(&self, language: Language) -> Vec<String> {
        let said = messages::Prd::of(language);
        let names = [said.alternatives, said.timeline_adjustments, said.testing_strategy];
        let lists = names.into_iter().zip(self.lists());
        lists.flat_map(|(name, (_, list))| list.iter().map(move |one| format!("{name}{}{one}", said.colon))).collect()
    }
}
