//! The Chinese names of the workflow's identifiers: kinds of requirements, and answers as sources.

use super::SourceQuote;
use reqgate_base::model::Language;
use reqgate_messages as messages;

/// Returns the name of a kind of requirement: in a Chinese document, `functional` is 功能. An unknown kind is returned as it is.
pub(crate) fn category_in_words(category: &str, language: Language) -> &str {
    let kinds = messages::Prd::of(language).kinds_of_requirements.iter();
    let known = kinds.filter(|_| language == Language::Zh).find(|(name, _)| name.eq_ignore_ascii_case(category.trim()));
    known.map_or(category, |(_, words)| words)
}

/// Returns the location of a quote: `ticket.md:4`, or the name of the review for an answer.
pub fn place_in_words(place: &SourceQuote, language: Language) -> String {
    let Some(asked) = place.source.strip_prefix("ask:") else { return format!("{}:{}", place.source, place.line) };
    let said = messages::Prd::of(language);
    let known = said.answers_as_sources.iter().find(|(name, _)| *name == asked);
    known.map_or(said.answer_about_sources, |(_, words)| words).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_are_without_machine_words() {
        assert_eq!(category_in_words("Functional", Language::Zh), "功能");
        assert_eq!(category_in_words("functional", Language::En), "functional");
        assert_eq!(category_in_words("预订", Language::Zh), "预订");
        let place = |source: &str| SourceQuote { source: source.to_owned(), line: 1, quote: "x".to_owned() };
        assert_eq!(place_in_words(&place("ask:prd_review"), Language::Zh), "PRD 评审中的答复");
        assert_eq!(place_in_words(&place("ask:q1"), Language::Zh), "对来源问题的答复");
        assert_eq!(place_in_words(&place("ask:prd_review"), Language::En), "answer in the review of the PRD");
        assert_eq!(place_in_words(&place("ticket.md"), Language::Zh), "ticket.md:1");
    }
}
