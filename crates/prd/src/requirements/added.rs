//! A requirement that a person adds in a review.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::RequirementPriority;

/// A requirement that somebody adds in a review, in their own words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct AddedRequirement {
    /// What the product shall do or be.
    pub description: String,
    /// Its name; absent for the first words of the description.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The priority; absent for medium.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub priority: Option<RequirementPriority>,
    /// The area of the product.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub category: Option<String>,
    /// How somebody can check that it is met.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub acceptance_criteria: Vec<String>,
}

impl AddedRequirement {
    /// A requirement of which only the text is known.
    pub(crate) fn new(description: &str) -> Self {
        Self {
            description: description.to_owned(),
            title: None,
            priority: None,
            category: None,
            acceptance_criteria: Vec::new(),
        }
    }
}
