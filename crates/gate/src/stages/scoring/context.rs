//! What a rule, a check or a criterion may look at: one read and structured text.

use reqgate_base::model::{Facets, Language};
use reqgate_rules::Profile;
use reqgate_text::Reading;

/// Everything that a rule may look at.
#[derive(Debug, Clone, Copy)]
pub struct Context<'t> {
    /// The text, personal data and secrets masked.
    pub text: &'t str,
    /// The text as it was read.
    pub reading: &'t Reading,
    /// The language of what is said about the text.
    pub language: Language,
    /// What structuring found in it.
    pub facets: &'t Facets,
    /// The kind of document.
    pub profile: Profile,
    /// True if the signs of a facet decide whether it is there, and not the count of what was found.
    pub by_evidence: bool,
    /// The source has a field for the description, and it is empty.
    pub has_empty_description: bool,
}
