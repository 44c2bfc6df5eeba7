//! The approved requirements that a plan realises, found by the ids that people write.

use crate::prd_document::PrdQuestion;
use crate::requirements::RequirementsDocument;
use crate::{Decided, Requirement, RequirementPriority};
use reqgate_base::model::Language;

/// The requirements of a document that are to be built.
#[derive(Debug, Clone, Copy)]
pub struct Approved<'d> {
    document: &'d RequirementsDocument,
    /// The document records decisions; otherwise all of its requirements count.
    pub records_decisions: bool,
}

/// The reason why an id does not name a requirement to build.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NotApproved {
    /// No requirement has the id.
    Unknown,
    /// The requirement is not decided yet.
    Pending,
    /// The requirement was rejected or put out of scope.
    Rejected,
}

impl NotApproved {
    /// The reason as a predicate that follows the id.
    pub(crate) fn words(self) -> &'static str {
        match self {
            Self::Unknown => "does not exist",
            Self::Pending => "is not approved yet",
            Self::Rejected => "was rejected or put out of scope",
        }
    }
}

impl<'d> Approved<'d> {
    /// Selects the requirements of a document. In a document without sections for decisions, which is not a `requirements.md` of the
    /// workflow, all requirements count, except those that a tag rejects or puts out of scope.
    pub fn of(document: &'d RequirementsDocument) -> Self {
        let is_decided = document.has_decided_sections();
        // The number 000 marks a document in another layout; features begin at 001.
        let is_ours = document.feature().is_some_and(|feature| !feature.as_str().starts_with("000-"));
        Self { document, records_decisions: is_decided || is_ours }
    }

    /// The language of the document.
    pub fn language(self) -> Language {
        self.document.language()
    }

    /// The requirements to build, in the order of the document.
    pub fn requirements(self) -> impl Iterator<Item = &'d Requirement> {
        let counts = move |decided: &Decided| match decided {
            Decided::Approved | Decided::Modified { .. } => true,
            Decided::Pending => !self.records_decisions,
            Decided::Rejected { .. } | Decided::OutOfScope { .. } => false,
        };
        self.document.requirements().filter(move |one| counts(&one.decided)).map(|one| &one.requirement)
    }

    /// Finds the approved requirement with an id or a former id.
    ///
    /// # Errors
    /// Fails with the reason why no approved requirement has the id.
    pub(crate) fn find(self, written: &str) -> Result<&'d Requirement, NotApproved> {
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

    /// The highest priority of these requirements.
    pub(super) fn priority_of(self, written: &[String]) -> RequirementPriority {
        written.iter().filter_map(|id| self.find(id).ok()).map(|one| one.priority).min().unwrap_or_default()
    }

    /// The questions without a default that one of these requirements waits for.
    pub(super) fn waits_for<'q>(self, written: &[String], questions: &'q [PrdQuestion]) -> Vec<&'q PrdQuestion> {
        let own: Vec<&Requirement> = written.iter().filter_map(|id| self.find(id).ok()).collect();
        let waits = |question: &PrdQuestion, one: &Requirement| {
            question.blocks.contains(&one.id) || question.id.is_some_and(|id| one.waits_for.contains(&id))
        };
        questions
            .iter()
            .filter(|question| question.default.is_none() && own.iter().any(|one| waits(question, one)))
            .collect()
    }

    /// The lines of a requirement, as written in the document.
    pub(super) fn lines_of(self, requirement: &Requirement) -> Vec<&'d str> {
        self.document.lines_of(&requirement.id)
    }
}
