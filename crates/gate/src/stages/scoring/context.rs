//! The read and structured text that rules, checks and criteria examine.

use reqgate_base::model::{Facets, Language};
use reqgate_rules::Profile;
use reqgate_text::Reading;

/// Everything that a rule may examine.
#[derive(Debug, Clone, Copy)]
pub struct Context<'t> {
    /// The text, with personal data and secrets masked.
    pub text: &'t str,
    /// The text as it was read.
    pub reading: &'t Reading,
    /// The language of the report.
    pub language: Language,
    /// The parts that structuring found in the text.
    pub facets: &'t Facets,
    /// The kind of document.
    pub profile: Profile,
    /// The evidence for a facet decides whether it is present, instead of the number of parts found.
    pub by_evidence: bool,
    /// The source has a field for the description, and it is empty.
    pub has_empty_description: bool,
}
