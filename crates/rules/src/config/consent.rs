//! The consent of the person who runs the program. A repository's configuration comes with every checkout, so it may
//! neither spend money nor choose programs, servers or instructions.

use std::path::PathBuf;

use super::search::SearchConfig;

/// The consent of the person who runs the program.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Consent {
    /// A model that the file names may be asked, even if none is named on the command line or in the environment.
    pub model: bool,
    /// The file may name folders outside its repository to write into.
    pub folders: bool,
    /// Folder of cached answers, or `off`; takes precedence over that of the file.
    pub cache: Option<String>,
    /// The file may name a search service or server.
    pub services: bool,
    /// The file may name a program that answers in place of a model, and bring the instructions for a model.
    pub instructions: bool,
    /// The model to ask; takes precedence over that of the file.
    pub name: Option<String>,
    /// Folder with prompts; takes precedence over that of the file.
    pub prompts: Option<PathBuf>,
    /// The place to search; takes precedence over that of the file.
    pub search: SearchConfig,
}

impl Consent {
    /// Full consent, given by the owner of the file.
    pub fn to_all() -> Self {
        Self { model: true, folders: true, services: true, instructions: true, ..Self::default() }
    }
}
