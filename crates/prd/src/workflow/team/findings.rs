//! The findings of researchers: statements, each with a source.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Statement;

/// The market.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct MarketResearch {
    /// The total addressable market.
    pub tam: Option<Statement>,
    /// The part of it that the product can serve.
    pub sam: Option<Statement>,
    /// The part of that which it can win.
    pub som: Option<Statement>,
    /// How the market is expected to grow.
    pub growth_projection: Option<Statement>,
    /// What drives it: technology, regulation, economy.
    pub key_trends: Vec<Statement>,
    /// Its segments.
    pub market_segments: Vec<MarketSegment>,
    /// What speaks for the product.
    pub opportunities: Vec<Statement>,
    /// What speaks against it.
    pub threats: Vec<Statement>,
    /// The steps that add value on the way to the customer.
    pub value_chain: Vec<Statement>,
    /// The factors that decide about success.
    pub success_factors: Vec<Statement>,
    /// The barriers for newcomers.
    pub entry_barriers: Vec<Statement>,
    /// The things that people use in its place.
    pub substitutes: Vec<Statement>,
}

/// A segment of a market.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MarketSegment {
    /// Its name.
    pub name: String,
    /// Its size.
    #[serde(default)]
    pub size: Option<Statement>,
    /// How fast it grows.
    #[serde(default)]
    pub growth_rate: Option<Statement>,
    /// What characterises it.
    #[serde(default)]
    pub characteristics: Vec<Statement>,
    /// What it offers.
    #[serde(default)]
    pub opportunities: Vec<Statement>,
    /// The ways in which its customers decide and buy.
    #[serde(default)]
    pub buying_behaviour: Vec<Statement>,
    /// The weight of the price for them.
    #[serde(default)]
    pub price_sensitivity: Vec<Statement>,
}

/// The competitors.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct CompetitiveAnalysis {
    /// Those who offer the same.
    pub direct: Vec<CompetitorProfile>,
    /// Those who solve the problem in another way.
    pub indirect: Vec<CompetitorProfile>,
    /// Which competitor has which feature; only what a source says.
    pub feature_comparison_matrix: BTreeMap<String, BTreeMap<String, bool>>,
    /// What the product has and they have not.
    pub competitive_advantages: Vec<Statement>,
    /// What nobody offers.
    pub market_gaps: Vec<Statement>,
    /// The advantages that competitors cannot copy easily.
    pub competitive_moats: Vec<Statement>,
    /// How the product stands out.
    pub positioning_strategy: Option<Statement>,
    /// The prices that the sources suggest.
    pub pricing_strategy: Option<Statement>,
}

/// A competitor.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CompetitorProfile {
    /// The name, as a source has it.
    pub name: String,
    /// The sentence that names it.
    pub named_in: Statement,
    /// The share of the market.
    #[serde(default)]
    pub market_share: Option<Statement>,
    /// What it can do.
    #[serde(default)]
    pub key_features: Vec<Statement>,
    /// How it is paid for.
    #[serde(default)]
    pub pricing_model: Option<Statement>,
    /// What it does well.
    #[serde(default)]
    pub strengths: Vec<Statement>,
    /// What it does badly.
    #[serde(default)]
    pub weaknesses: Vec<Statement>,
    /// What sets it apart.
    #[serde(default)]
    pub differentiators: Vec<Statement>,
}

/// The users.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct UserResearch {
    /// Those whom the product is made for.
    pub primary_personas: Vec<FoundPersona>,
    /// Others who use it.
    pub secondary_personas: Vec<FoundPersona>,
    /// The steps that they take today, in order.
    pub user_journey_stages: Vec<Statement>,
    /// What stands in their way.
    pub key_pain_points: Vec<Statement>,
    /// What they want to reach.
    pub desired_outcomes: Vec<Statement>,
    /// Why they might not use it.
    pub adoption_barriers: Vec<Statement>,
}

/// A user as the sources show them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FoundPersona {
    /// A name for them: their role.
    pub name: String,
    /// Their role.
    pub role: Statement,
    /// Age, region, experience and the like of the group; never of one person.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub demographics: Vec<Statement>,
    /// What they want.
    #[serde(default)]
    pub goals: Vec<Statement>,
    /// What stands in their way.
    #[serde(default)]
    pub pain_points: Vec<Statement>,
    /// What they use the product for.
    #[serde(default)]
    pub use_cases: Vec<Statement>,
    /// Their own words.
    #[serde(default)]
    pub quote: Option<Statement>,
}

/// The findings of second readings; absent for an area that was read once.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct SecondFindings {
    /// The second findings about the market.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub market_research: Option<MarketResearch>,
    /// The second findings about competitors.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub competitive_analysis: Option<CompetitiveAnalysis>,
    /// The second findings about users.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user_research: Option<UserResearch>,
}

impl SecondFindings {
    /// Returns true if no second reading exists.
    pub(crate) fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}
