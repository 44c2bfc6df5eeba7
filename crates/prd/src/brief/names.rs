//! The names of a brief's sections in both languages, and their synonyms.

use std::sync::LazyLock;

use serde::Deserialize;

use crate::names::Names;
use reqgate_base::model::Language;

static SECTIONS: LazyLock<Names<BriefSection>> = LazyLock::new(|| Names::shipped("brief", "sections"));

/// A section of a brief.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BriefSection {
    /// The problem that people have today.
    Problem,
    /// The goals of the feature.
    Goals,
    /// The people who use it or are affected.
    Users,
    /// The steps that a user takes.
    Flows,
    /// The measures of success.
    SuccessMeasures,
    /// The rules, limits and decisions that already apply.
    Constraints,
    /// The parts that are out of scope.
    OutOfScope,
    /// The questions without an answer.
    OpenQuestions,
}

impl BriefSection {
    /// All sections, in the order of the document.
    pub(crate) const ALL: [Self; 8] = [
        Self::Problem,
        Self::Goals,
        Self::Users,
        Self::Flows,
        Self::SuccessMeasures,
        Self::Constraints,
        Self::OutOfScope,
        Self::OpenQuestions,
    ];

    /// The heading of the section in a language.
    pub fn heading(self, language: Language) -> &'static str {
        SECTIONS.name(self, language)
    }

    /// Returns the section for a heading in either language, in any case, with or without number and punctuation, or
    /// for the name of its field (`open_questions`).
    pub fn named(heading: &str) -> Option<Self> {
        SECTIONS.in_either(&bare(&heading.replace('_', " ")), |_| true)
    }
}

/// A heading in lower case, without its number, its punctuation and brackets at its end.
fn bare(heading: &str) -> String {
    let lower = heading.to_lowercase();
    let numbered = lower.trim_start_matches(|c: char| {
        c.is_ascii_digit() || c.is_whitespace() || matches!(c, '.' | ')' | '、' | '*' | '_' | '#' | '）' | '(' | '（')
    });
    let marks = |c: char| c.is_whitespace() || matches!(c, ':' | '：' | '*' | '_' | '#' | '.');
    let words = numbered.trim_end_matches(marks);
    let without_brackets = words.find(['(', '（']).filter(|at| *at > 0).map_or(words, |at| &words[..at]);
    without_brackets.trim_end_matches(marks).to_owned()
}

/// The beginning of the first line, before the title of the feature.
pub(crate) fn title_prefix(language: Language) -> &'static str {
    match language {
        Language::En => "Feature brief: ",
        Language::Zh => "功能简介：",
    }
}

/// The label before the answer to a question.
pub(crate) fn answer_label(language: Language) -> &'static str {
    match language {
        Language::En => "Answer: ",
        Language::Zh => "答：",
    }
}

/// The labels of the owner, the due day and the default of a question.
pub fn assigned_labels(language: Language) -> [&'static str; 3] {
    match language {
        Language::En => ["Owner: ", "Due: ", "Default: "],
        Language::Zh => ["负责人：", "期限：", "默认："],
    }
}

/// The question about the part of an answer that leaves something open.
pub fn still_open(question: &str, words: &str, language: Language) -> String {
    let begin = language.of("Still open: “", "仍未定：“");
    // A repeated question about the same answer does not nest.
    let asked =
        question.strip_prefix(begin).and_then(|rest| rest.split_once("” ")).map_or(question, |(_, asked)| asked);
    format!("{begin}{words}” {asked}")
}

/// The placeholder for a missing answer.
pub(super) const BLANK: &str = "______";

#[cfg(test)]
#[test]
fn every_section_has_one_row_of_names() {
    assert_eq!(SECTIONS.faulty(), [""; 0]);
}
