//! A file of a rules folder before it is parsed, and the errors of such a file.

use std::borrow::Cow;
use std::path::PathBuf;

use garde::Validate;
use serde::de::DeserializeOwned;

use reqgate_base::files;
use reqgate_base::hash::Hash;
use reqgate_base::yaml::{self, Unusable};

/// The origin of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// The binary; the file is JSON.
    Shipped,
    /// A folder of the user; the file is YAML.
    User,
}

/// A file of rules, before it is read.
#[derive(Debug, Clone)]
pub struct SourceFile {
    /// Path relative to the rules folder, `/` between its parts.
    pub path: String,
    /// Its text: YAML, or the same as JSON for a shipped file.
    pub text: Cow<'static, str>,
    /// First 16 hexadecimal digits of the SHA-256 of the YAML text.
    pub hash: Cow<'static, str>,
    /// The origin of the file.
    pub source: Source,
    /// Errors must not quote it, because it was reached by a link to another folder.
    pub is_hidden: bool,
}

/// The reason why the rules could not be loaded.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// A folder or file could not be read.
    #[error("reading rules from {path}: {source}")]
    Read {
        /// The folder or file.
        path: PathBuf,
        /// The error of the system.
        source: std::io::Error,
    },
    /// A file is not valid YAML or does not fit its schema.
    #[error("{path}: {message}")]
    Invalid {
        /// The path of the file.
        path: String,
        /// The problem, with line and column.
        message: String,
    },
    /// A file is in an unknown folder.
    #[error(
        "{path}: not in a folder that reqgate knows; use rules/, scorecards/, policies/, facets/, vocabulary/, questions/ or models/, or the files headings.yaml and precision.yaml"
    )]
    Misplaced {
        /// The path of the file.
        path: String,
    },
    /// Two files of one source have the same id.
    #[error("{path}: the id `{id}` is already used by another file of the same folder")]
    Duplicate {
        /// The path of the file.
        path: String,
        /// The id that occurs twice.
        id: String,
    },
    /// The words of all lists could not be compiled.
    #[error("compiling the word lists: {0}")]
    Lexicon(#[from] reqgate_text::lexicon::LexiconError),
}

impl SourceFile {
    /// Makes a file of the user.
    pub fn user(path: String, text: String) -> Self {
        Self { path, hash: hash(&text).into(), text: text.into(), source: Source::User, is_hidden: false }
    }
}

pub(super) fn folder_of(path: &str) -> &str {
    path.split_once('/').map_or("", |(folder, _)| folder)
}

pub(super) fn invalid(file: &SourceFile, message: impl ToString) -> LoadError {
    let message = if file.is_hidden { files::NOT_SHOWN.to_owned() } else { message.to_string() };
    LoadError::Invalid { path: file.path.clone(), message }
}

fn unusable(file: &SourceFile, error: Unusable) -> LoadError {
    let error = if file.is_hidden { error.without_content() } else { error };
    LoadError::Invalid { path: file.path.clone(), message: error.to_string() }
}

pub(super) fn parse<T: DeserializeOwned>(file: &SourceFile) -> Result<T, LoadError> {
    match file.source {
        Source::Shipped => serde_json::from_str(&file.text).map_err(|error| invalid(file, error)),
        Source::User => yaml::read(&file.text).map_err(|error| unusable(file, error)),
    }
}

/// Parses a file. Shipped files are validated by the tests, so that a run need not do it; a user's file is validated,
/// with places in its errors.
pub(super) fn parse_valid<T: DeserializeOwned + Validate<Context = ()>>(file: &SourceFile) -> Result<T, LoadError> {
    match file.source {
        Source::Shipped => parse(file),
        Source::User => yaml::read_valid(&file.text).map_err(|error| unusable(file, error)),
    }
}

pub(super) fn hash(text: &str) -> String {
    // Line ends differ between checkouts of the same file; the hash does not.
    Hash::of(text.replace("\r\n", "\n")).short()
}
