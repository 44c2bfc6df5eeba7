//! The headings and labels of a PRD in both languages.

use crate::brief::BriefSection;
use reqgate_base::model::Language;
pub(super) use reqgate_messages::PrdText as Headings;

/// The headings and labels in both languages.
pub(super) fn both() -> [&'static Headings; 2] {
    [Language::En, Language::Zh].map(Headings::of)
}

/// The heading of a section of the brief. The PRD names the measures and the flows as product managers do.
pub(super) fn of_section(section: BriefSection, language: Language) -> &'static str {
    match (section, language) {
        (BriefSection::SuccessMeasures, Language::En) => "Success metrics",
        (BriefSection::Flows, Language::En) => "User journeys",
        (section, language) => section.heading(language),
    }
}
