//! The names of the steps of the workflow and of the ordered drafts.

use super::DraftStep;
use reqgate_base::model::Language;
use reqgate_messages as messages;

/// The name of a step: in Chinese a description, otherwise the identifier.
pub fn node_in_words(name: &str, language: Language) -> &str {
    named(messages::Prd::of(language).nodes, name).unwrap_or(name)
}

/// The Chinese name of an ordered draft.
pub fn step_in_chinese(step: DraftStep) -> &'static str {
    let name = serde_json::to_value(step).unwrap_or_default();
    named(messages::Prd::of(Language::Zh).ordered_drafts, name.as_str().unwrap_or_default()).unwrap_or_default()
}

fn named(all: &[(&str, &'static str)], name: &str) -> Option<&'static str> {
    all.iter().find(|(known, _)| *known == name).map(|(_, words)| *words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_is_called_by_its_name_in_english_and_by_what_happens_in_chinese() {
        assert_eq!(node_in_words("finalization", Language::Zh), "结束");
        assert_eq!(node_in_words("finalization", Language::En), "finalization");
        assert_eq!(node_in_words("of-another-version", Language::Zh), "of-another-version");
    }
}
