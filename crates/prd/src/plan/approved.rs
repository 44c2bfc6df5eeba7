//! The requirements that a plan realises: those that somebody approved, found by the ids that people write.

use crate::requirements::RequirementsDocument;
use crate::{Decided, Requirement, RequirementPriority};
use reqgate_base::model::Language;

/// The requirements of a document that are to be realised.
#[derive(Debug, Clone, Copy)]
pub struct Approved<'d> {
    document: &'d RequirementsDocument,
    /// The document records decisions; otherwise all of its requirements count.
    pub records_decisions: bool,
}

/// Why an id names no requirement that is to be realised.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NotApproved {
    /// No requirement has it.
    Unknown,
    /// Nobody has decided on it.
    Pending,
    /// It was rejected or put out of scope.
    Rejected,
}

impl NotApproved {
    /// The reason in words, behind the id.
    pub fn words(self) -> &'static str {
        match self {
            Self::Unknown => "does not exist",
            Self::Pending => "is not approved yet",
            Self::Rejected => "was rejected or put out of scope",
        }
    }
}

impl<'d> Approved<'d> {
    /// The requirements of a document. One without sections for decisions, which is not a `requirements.md` of the workflow, counts
    /// as a whole, without what a tag puts aside.
    pub fn of(document: &'d RequirementsDocument) -> Self {
        let is_decided = document.has_decided_sections();
        // No feature has the number 000, which stands for a document in another layout.
        let is_ours = document.feature().is_some_and(|feature| !feature.as_str().starts_with("000-"));
        Self { document, records_decisions: is_decided || is_ours }
    }

    /// The language of the document.
    pub fn language(self) -> Language {
        self.document.language()
    }

    /// The requirements, in the order of the document.
    pub fn requirements(self) -> impl Iterator<Item = &'d Requirement> {
        let counts = move |decided: &Decided| match decided {
            Decided::Approved | Decided::Modified { .. } => true,
            Decided::Pending => !self.records_decisions,
            Decided::Rejected { .. } | Decided::OutOfScope { .. } => false,
        };
        self.document.requirements().filter(move |one| counts(&one.decided)).map(|one| &one.requirement)
    }

    /// The approved requirement of an id or of an id that it had elsewhere.
    ///
    /// # Errors
    /// Says why there is none.
    pub fn find(self, written: &str) -> Result<&'d Requirement, NotApproved> {
        let written = written.trim();
        let is_it =
            |one: &Requirement| one.id.to_string() == written || one.aliases.iter().any(|alias| alias == written);
        if let Some(approved) = self.requirements().find(|one| is_it(one)) {
            return Ok(approved);
        }
        let other = self.document.requirements().find(|one| is_it(&one.requirement));
        Err(match other.map(|one| &one.decided) {
            None => NotApproved::Unknown,
            Some(Decided::Rejected { .. } | Decided::OutOfScope { .. }) => NotApproved::Rejected,
            Some(_) => NotApproved::Pending,
        })
    }

    /// The priority of the most urgent of these requirements.
    pub(super) fn priority_of(self, written: &[String]) -> RequirementPriority {
        written.iter().filter_map(|id| self.find(id).ok()).map(|one| one.priority).min().unwrap_or_default()
    }

    /// The lines that say what a requirement demands, in the words of the document.
    pub(super) fn lines_of(self, requirement: &Requirement) -> Vec<&'d str> {
        self.document.lines_of(&requirement.id)
    }
}
