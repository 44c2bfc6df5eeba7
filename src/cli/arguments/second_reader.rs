//! The members of a team who may read twice.

use reqgate::prd::critique::Role;
use reqgate::prd::team::ResearchArea;

/// A member of a team who may read twice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SecondReader {
    /// One of the critics.
    Critic(Role),
    /// The researcher of an area.
    Researcher(ResearchArea),
}

impl SecondReader {
    pub fn critic(self) -> Option<Role> {
        if let Self::Critic(role) = self { Some(role) } else { None }
    }

    pub fn researcher(self) -> Option<ResearchArea> {
        if let Self::Researcher(area) = self { Some(area) } else { None }
    }
}

/// Reads the name of a critic or of an area.
///
/// # Errors
/// The message lists the valid names.
pub(super) fn parse(text: &str) -> Result<SecondReader, String> {
    let area = ResearchArea::ALL.into_iter().find(|area| text.eq_ignore_ascii_case(area.name()));
    match (super::critique::role(text), area) {
        (Ok(role), _) => Ok(SecondReader::Critic(role)),
        (_, Some(area)) => Ok(SecondReader::Researcher(area)),
        _ => Err("write director, design, engineering, market, competitors or users".to_owned()),
    }
}
