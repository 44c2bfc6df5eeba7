//! The settings of a team that a start may give: the same names and limits for the command line, REST and MCP.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::state::TeamSettings;
use crate::critique::Role;
use crate::team::citations::CitationStyle;
use crate::team::sections::ResearchArea;
use reqgate_flow::Problem;

/// The settings of a team; each has a default.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct TeamOptions {
    /// Revisions that critics may ask for; default: 3.
    #[schemars(range(max = 20))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_iterations: Option<u32>,
    /// Average that approves; default: 75.
    #[schemars(range(min = 70, max = 100))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_score: Option<u8>,
    /// Least change of the average to go on; default: 5.
    #[schemars(range(min = 0, max = 100))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_improvement: Option<f64>,
    /// Every critic must approve.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub unanimous: bool,
    /// A person may overrule the critics; default: true.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub allow_override: Option<bool>,
    /// Roles that read twice.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub second_opinion: Vec<SecondReader>,
    /// Style of the citations; default: id.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub citations: Option<CitationStyle>,
    /// Points at which a person is asked; default: outline, final.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub ask_at: Vec<AskPoint>,
}

/// A member of a team who may read twice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum SecondReader {
    /// The director of product.
    Director,
    /// The head of design.
    Design,
    /// The head of engineering.
    Engineering,
    /// The researcher of the market.
    Market,
    /// The researcher of the competitors.
    Competitors,
    /// The researcher of the users.
    Users,
}

impl SecondReader {
    /// All of them, the critics first.
    pub const ALL: [Self; 6] =
        [Self::Director, Self::Design, Self::Engineering, Self::Market, Self::Competitors, Self::Users];

    /// The critic, if the reader is one.
    pub fn critic(self) -> Option<Role> {
        Some(match self {
            Self::Director => Role::Director,
            Self::Design => Role::Design,
            Self::Engineering => Role::Engineering,
            _ => return None,
        })
    }

    /// The area of the researcher, if the reader is one.
    pub fn researcher(self) -> Option<ResearchArea> {
        Some(match self {
            Self::Market => ResearchArea::Market,
            Self::Competitors => ResearchArea::Competitors,
            Self::Users => ResearchArea::Users,
            _ => return None,
        })
    }
}

/// A point at which a person decides about a team's work.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum AskPoint {
    /// The outline, before the research.
    Outline,
    /// The first draft, before the critics read it.
    Draft,
    /// Every round whose critics want a revision.
    Round,
    /// Every revision.
    Revision,
    /// The end, even if critics and gate approve.
    Final,
}

impl TeamOptions {
    /// The settings of a thread.
    ///
    /// # Errors
    /// Fails with every value that is out of range.
    pub fn settings(&self) -> Result<TeamSettings, Vec<Problem>> {
        let problems = self.problems();
        if !problems.is_empty() {
            return Err(problems);
        }
        let mut settings = TeamSettings::default();
        let rounds = &mut settings.rounds;
        rounds.max_refinement_iterations = self.max_iterations.unwrap_or(rounds.max_refinement_iterations);
        rounds.min_approval_score = self.min_score.unwrap_or(rounds.min_approval_score);
        rounds.improvement_threshold = self.min_improvement.unwrap_or(rounds.improvement_threshold);
        rounds.require_unanimous_approval = self.unanimous;
        rounds.allow_override = self.allow_override.unwrap_or(rounds.allow_override);
        settings.citation_style = self.citations.unwrap_or(settings.citation_style);
        settings.second_opinions = self.second_opinion.iter().filter_map(|reader| reader.critic()).collect();
        settings.second_researchers = self.second_opinion.iter().filter_map(|reader| reader.researcher()).collect();
        if !self.ask_at.is_empty() {
            let asks = |point| self.ask_at.contains(&point);
            settings.require_outline_approval = asks(AskPoint::Outline);
            settings.require_draft_approval = asks(AskPoint::Draft);
            settings.require_revision_approval = asks(AskPoint::Revision);
            settings.require_round_decision = asks(AskPoint::Round);
            settings.require_final_approval = asks(AskPoint::Final);
        }
        Ok(settings)
    }

    fn problems(&self) -> Vec<Problem> {
        let limits = [
            ("max_iterations", self.max_iterations.map(f64::from), 0.0, 20.0),
            ("min_score", self.min_score.map(f64::from), 70.0, 100.0),
            ("min_improvement", self.min_improvement, 0.0, 100.0),
        ];
        let wrong = limits.into_iter().filter_map(|(name, value, least, most)| {
            let value = value.filter(|value| !(least..=most).contains(value))?;
            let message = format!("{value} is out of range: write a number from {least} to {most}");
            Some(Problem { path: format!("team.{name}"), message })
        });
        wrong.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_is_left_out_has_its_default() {
        assert_eq!(TeamOptions::default().settings(), Ok(TeamSettings::default()));
        let given = json!({
            "max_iterations": 0, "min_score": 80, "min_improvement": 2.5, "unanimous": true, "allow_override": false,
            "second_opinion": ["engineering", "market"], "citations": "apa", "ask_at": ["round"],
        });
        let options: TeamOptions = serde_json::from_value(given).expect("options");
        let settings = options.settings().expect("they are in range");
        let rounds = settings.rounds;
        assert_eq!((rounds.max_refinement_iterations, rounds.min_approval_score), (0, 80));
        assert!((rounds.improvement_threshold - 2.5).abs() < f64::EPSILON);
        assert!(rounds.require_unanimous_approval && !rounds.allow_override);
        assert_eq!(settings.second_opinions, [Role::Engineering]);
        assert_eq!(settings.second_researchers, [ResearchArea::Market]);
        assert_eq!(settings.citation_style, CitationStyle::Apa);
        assert!(settings.require_round_decision && !settings.require_outline_approval);
    }

    #[test]
    fn every_value_out_of_range_is_named() {
        let given = json!({ "max_iterations": 21, "min_score": 69, "min_improvement": -1 });
        let options: TeamOptions = serde_json::from_value(given).expect("options");
        let problems = options.settings().expect_err("they are out of range");
        let paths: Vec<&str> = problems.iter().map(|problem| problem.path.as_str()).collect();
        assert_eq!(paths, ["team.max_iterations", "team.min_score", "team.min_improvement"]);
        assert!(serde_json::from_value::<TeamOptions>(json!({ "min_scores": 80 })).is_err());
    }
}
