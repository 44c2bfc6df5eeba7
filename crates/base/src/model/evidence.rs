//! The signs for and against a facet of a text, with their weights and their sum.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Span;

/// A sign that was seen.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SignSeen {
    /// Its id in the file of the facet.
    pub id: String,
    /// The meaning of the sign, in a few words.
    pub says: String,
    /// Its contribution to the log-odds; negative if it counts against the facet.
    pub weight: f64,
    /// The first place where it was found; `None` if the sign is about the whole text or about a missing part.
    pub span: Option<Span>,
}

/// The probability of a facet, and the signs for and against it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FacetEvidence {
    /// Id of the facet, e.g. `steps`.
    pub facet: String,
    /// Bias of the facet and weights of the signs, added up.
    pub log_odds: f64,
    /// The signs, in the order of the file.
    pub signs: Vec<SignSeen>,
}

impl FacetEvidence {
    /// The probability that the facet is present, 0 to 1.
    pub fn probability(&self) -> f64 {
        1.0 / (1.0 + (-self.log_odds).exp())
    }

    /// Returns true if the facet is present more likely than not.
    pub fn is_likely(&self) -> bool {
        self.log_odds >= 0.0
    }
}
