//! Values of `reqgate prd start` that choose a way of working.

use clap::ValueEnum;
use reqgate::prd::workflow;

/// The way of working.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum FlowChoice {
    /// Brief, requirements, gaps, PRD
    Documents,
    /// Outline, research, draft, rounds of critics and revisions, PRD
    Team,
}

/// A point at which a person decides about a team's work.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum AskPoint {
    /// The outline, before the research
    Outline,
    /// The first draft, before the critics read it
    Draft,
    /// Every round whose critics want a revision: continue, accept this version with a reason, or give guidance
    Round,
    /// Every revision
    Revision,
    /// The end, even if critics and gate approve
    Final,
}

impl From<AskPoint> for workflow::AskPoint {
    fn from(point: AskPoint) -> Self {
        match point {
            AskPoint::Outline => Self::Outline,
            AskPoint::Draft => Self::Draft,
            AskPoint::Round => Self::Round,
            AskPoint::Revision => Self::Revision,
            AskPoint::Final => Self::Final,
        }
    }
}
