//! The words that the commands of the PRD workflow print, in the language of the documents.

use reqgate::model::Language;

pub(super) use reqgate_messages::PrdCommands as Words;

/// The words for a language.
pub(super) fn words(language: Language) -> &'static Words {
    Words::of(language)
}
