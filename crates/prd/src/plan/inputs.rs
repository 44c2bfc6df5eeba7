//! The inputs for a reader who writes stories: the approved requirements, and the brief.

use serde::Serialize;

use super::approved::Approved;
use super::collected::written_id;
use crate::{Requirement, RequirementPriority};
use reqgate_orders::Inputs;

/// The inputs for a reader who writes stories. All of it is untrusted text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct StoryInputs {
    /// The brief of the feature; empty if there is none.
    pub brief: String,
    /// The approved requirements, in the order of the document.
    pub requirements: Vec<ApprovedRequirement>,
}

/// An approved requirement, as a writer of stories sees it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ApprovedRequirement {
    /// The id as its author wrote it.
    pub id: String,
    /// The title of the requirement.
    pub title: String,
    /// The priority of the requirement.
    pub priority: RequirementPriority,
    /// The whole text of the requirement, line by line.
    pub text: String,
}

impl StoryInputs {
    /// Builds the inputs from the approved requirements of a document.
    pub fn of(approved: Approved<'_>, brief: &str) -> Self {
        let requirement = |one: &Requirement| ApprovedRequirement {
            id: written_id(one),
            title: one.title.clone(),
            priority: one.priority,
            text: approved.lines_of(one).join("\n"),
        };
        Self { brief: brief.to_owned(), requirements: approved.requirements().map(requirement).collect() }
    }
}

impl Inputs for StoryInputs {
    fn unscreened(&self) -> Vec<(&str, &str)> {
        let requirements = self.requirements.iter().map(|one| (one.id.as_str(), one.text.as_str()));
        std::iter::once(("brief", self.brief.as_str())).chain(requirements).collect()
    }

    fn masked(&self, mask: &dyn Fn(&str) -> String) -> Self {
        let requirement = |one: &ApprovedRequirement| ApprovedRequirement {
            title: mask(&one.title),
            text: mask(&one.text),
            ..one.clone()
        };
        Self { brief: mask(&self.brief), requirements: self.requirements.iter().map(requirement).collect() }
    }
}
