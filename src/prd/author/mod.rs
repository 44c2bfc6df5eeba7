//! The author by rules: drafts a brief, requirements and a PRD from sources, without a model, and invents nothing.
//!
//! | function | purpose |
//! |---|---|
//! | [`RulesAuthor::new`] | compiles the words of `rubrics/drafting/` |
//! | [`sources_of`] | a file or an utterance → sources, read and screened by the pipeline's stages, or the reason to refuse it |
//! | [`RulesAuthor::brief`] | sources → brief, every statement with its place, every unknown as a question |
//! | [`RulesAuthor::update_brief`] | brief + feedback of a review → brief |
//! | [`RulesAuthor::requirements`] | brief + sources → requirements with new ids |
//! | [`requirements_for_gaps`] | gaps + existing requirements → requirements that close the gaps |
//! | [`super::prd_text::render_prd`] | everything → `prd.md` |
//! | [`super::prd_document::prd_document`] | everything → `prd.json` |
//!
//! All of them are pure: the same sources and rules give the same documents.

mod asides;
mod between_people;
mod blanks;
mod brief;
mod contradictions;
mod figures;
mod for_gaps;
mod kinds;
mod layouts;
mod lexicon;
mod marks;
mod matters;
mod people;
mod places;
mod requirements;
mod said;
mod screening;
mod settle;
mod spoken;
mod statement;
mod titles;
mod update;
mod which_holds;
mod wording;

pub use blanks::answer_question;
pub(super) use contradictions::different_figures;
pub use for_gaps::{ForGaps, requirements_for_gaps};
pub use screening::{Refused, sources_of};
pub use update::{BriefFeedback, BriefModification};

use crate::rules::{DraftingCue, LoadError, RuleBook, drafting_files, shipped_files};
use crate::text::Reader;
use crate::text::cues::WordListFile;
use crate::text::lexicon::LexiconError;
use lexicon::Words;
use thiserror::Error;

/// A source to draft from: an utterance, a ticket, minutes, a transcript, notes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// `utterance`, the path of a file, an answered question (`ask:…`).
    pub name: String,
    /// Its words, already screened and masked.
    pub text: String,
    /// The question that it answers, where somebody was asked.
    pub asked: Option<String>,
}

/// An author that cannot be made ready.
#[derive(Debug, Error)]
pub enum AuthorError {
    /// A file of words is broken.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// A list of words cannot be compiled.
    #[error("reading the words for drafting: {0}")]
    Words(#[from] LexiconError),
}

/// Drafts by rules.
#[derive(Debug)]
pub struct RulesAuthor<'b> {
    reader: &'b Reader,
    words: Words,
}

impl<'b> RulesAuthor<'b> {
    /// An author with the shipped words.
    ///
    /// # Errors
    /// Fails if the shipped words are broken, which a test rules out.
    pub fn new(book: &'b RuleBook) -> Result<Self, AuthorError> {
        Self::with_words(book, &drafting_files(&shipped_files())?)
    }

    /// An author with words of one's own.
    ///
    /// # Errors
    /// Fails if a list holds an empty term.
    pub fn with_words(book: &'b RuleBook, lists: &[(DraftingCue, WordListFile)]) -> Result<Self, AuthorError> {
        Ok(Self { reader: &book.reader, words: Words::new(lists)? })
    }
}

#[cfg(test)]
mod tests;
