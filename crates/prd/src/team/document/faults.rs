//! The faults of a PRD in Markdown, each with its line.

use thiserror::Error;

use super::words::Label;
use reqgate_base::clean;
use reqgate_base::model::Language;

/// A fault of a document, with its line.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("line {line}: {kind}")]
pub struct Fault {
    /// The line number, from 1.
    pub line: u32,
    /// The kind of the fault.
    pub kind: FaultKind,
}

/// The kinds of faults.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum FaultKind {
    /// A word is not in a closed set.
    #[error("`{word}` is not a value of “{label}”: write {choices}")]
    Word {
        /// The label.
        label: &'static str,
        /// The word.
        word: String,
        /// The allowed words.
        choices: String,
    },
    /// A value is not a number.
    #[error("`{word}` is not a value of “{label}”: write a whole number")]
    Number {
        /// The label.
        label: &'static str,
        /// The word.
        word: String,
    },
    /// A text is not the id of a requirement.
    #[error("`{0}` is not the id of a requirement: write FR-001 or NFR-001")]
    RequirementId(String),
    /// Two entries have the same id.
    #[error("{0} is already the id of another entry: give this one another id")]
    DuplicateId(String),
    /// A code fence is not closed, so the rest would be code.
    #[error("a code fence opens here and is never closed, so everything below would be code: close it")]
    FenceNeverClosed,
    /// A comment is not closed, so the rest would be hidden.
    #[error("a comment opens here and is never closed, so everything below would be hidden: close it")]
    CommentNeverClosed,
}

impl FaultKind {
    /// Returns true for a fault that hides a part of the document, or makes it ambiguous which of two entries is meant.
    pub(crate) fn loses_text(&self) -> bool {
        matches!(self, Self::DuplicateId(_) | Self::FenceNeverClosed | Self::CommentNeverClosed)
    }
}

impl Fault {
    /// Describes the fault and its line in a language, on one line.
    pub fn in_words(&self, language: Language) -> String {
        if language == Language::En {
            return clean::one_line(&self.to_string()).into_owned();
        }
        let what = match &self.kind {
            FaultKind::Word { label, word, choices } => format!("“{word}”不是“{label}”的有效值：请写{choices}"),
            FaultKind::Number { label, word } => format!("“{word}”不是“{label}”的有效值：请写整数"),
            FaultKind::RequirementId(id) => format!("“{id}”不是需求编号：请写 FR-001 或 NFR-001"),
            FaultKind::DuplicateId(id) => format!("{id} 已是另一条目的编号：请换一个编号"),
            FaultKind::FenceNeverClosed => "这里开始的代码块没有结束：下面的内容都会变成代码".to_owned(),
            FaultKind::CommentNeverClosed => "这里开始的注释没有结束：下面的内容都会被隐藏".to_owned(),
        };
        clean::one_line(&format!("第 {} 行：{what}", self.line)).into_owned()
    }
}

/// The fault of a value that is not a number.
pub(super) fn number_fault(label: Label, word: &str, language: Language) -> FaultKind {
    FaultKind::Number { label: label.name(language), word: word.to_owned() }
}

/// The fault of a word that is not in a closed set.
pub(super) fn word_fault(label: Label, word: &str, choices: String, language: Language) -> FaultKind {
    FaultKind::Word { label: label.name(language), word: word.to_owned(), choices }
}
