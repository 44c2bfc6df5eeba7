//! The words of each kind of gap: `rubrics/gaps/`, one file per category.

use reqgate_docs::values::cut;
use std::sync::LazyLock;

use serde::Deserialize;

use super::form::Found;
use crate::{Gap, GapCategory, GapSeverity};
use reqgate_base::model::Language;
use reqgate_messages as messages;

/// The longest quote, in characters.
const LONGEST_QUOTE: usize = 160;

/// Path, JSON and hash of every file; made by `build.rs`.
static FILES: &[(&str, &str, &str)] = include!(concat!(env!("OUT_DIR"), "/gaps.rs"));

/// One text in both languages.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Both {
    en: String,
    zh: String,
}

/// The words of a category.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Wording {
    category: GapCategory,
    severity: GapSeverity,
    title: Both,
    description: Both,
    impact: Both,
    fix: Both,
    question: Both,
}

static WORDINGS: LazyLock<Vec<Wording>> = LazyLock::new(|| {
    let read = |(_, json, _): &(&str, &str, &str)| serde_json::from_str(json);
    FILES.iter().map(read).collect::<Result<_, _>>().expect("a test reads the shipped files")
});

/// A gap in the words of its category.
pub(super) fn gap(found: Found, language: Language) -> Gap {
    let wording = WORDINGS.iter().find(|wording| wording.category == found.category);
    let wording = wording.expect("a test finds the words of every category that the checks use");
    let ids = match found.written.as_slice() {
        [first, .., last] if found.requirements.len() > 1 => format!("{first} … {last}"),
        written => written.first().cloned().unwrap_or_default(),
    };
    let words = cut(&found.words, LONGEST_QUOTE);
    let values = [
        ("id", ids.as_str()),
        ("other_id", found.written.last().map(String::as_str).unwrap_or_default()),
        ("words", words.as_str()),
        ("other", found.other.as_str()),
    ];
    let fill = |both: &Both| filled(language.of(&both.en, &both.zh), &values);
    Gap {
        id: String::new(),
        title: fill(&wording.title),
        description: fill(&wording.description),
        severity: wording.severity,
        category: found.category,
        impact: fill(&wording.impact),
        fix: fill(&wording.fix),
        question: fill(&wording.question),
        suggested_requirements: Vec::new(),
        place: Some(super::SourceQuote { quote: cut(&found.place.quote, LONGEST_QUOTE), ..found.place }),
        against: found.against.map(|place| super::SourceQuote { quote: cut(&place.quote, LONGEST_QUOTE), ..place }),
        requirements: found.requirements,
    }
}

/// True for a gap in the words of its category, whose title is the same for all of them.
pub fn is_worded(gap: &Gap) -> bool {
    let of = |wording: &&Wording| wording.category == gap.category;
    WORDINGS.iter().find(of).is_some_and(|one| [&one.title.en, &one.title.zh].contains(&&gap.title))
}

/// Fills in the placeholders of a rubric's words.
pub(crate) fn filled(words: &str, values: &[(&str, &str)]) -> String {
    messages::fill_with(words, |name, _| {
        values.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_category_of_the_checks_has_words() {
        use GapCategory as C;
        let used =
            [C::MissingCriterion, C::Blank, C::DanglingReference, C::DuplicateId, C::UndefinedTerm, C::RejectedAgain];
        for category in used {
            assert!(WORDINGS.iter().any(|wording| wording.category == category), "{category:?}");
        }
        assert_eq!(WORDINGS.len(), used.len());
    }
}
