//! The consent of the person who runs the program: a repository's configuration comes with every checkout, and may neither spend
//! money nor choose programs, servers or instructions.

use std::path::PathBuf;

use super::search::SearchConfig;

/// The consent of the person who runs the program.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Consent {
    /// A model that the file names may be asked, although none is named on the command line or in the environment.
    pub model: bool,
    /// The file may name folders outside its repository to write into.
    pub folders: bool,
    /// Folder of cached answers, or off; beats that of the file.
    pub cache: Option<String>,
    /// The file may name a search service or server.
    pub services: bool,
    /// The file may name a program that answers in a model's place, and bring the instructions for a model.
    pub instructions: bool,
    /// The model to ask; beats that of the file.
    pub name: Option<String>,
    /// Folder with prompts; beats that of the file.
    pub prompts: Option<PathBuf>,
    /// The place to search; beats the file.
    pub search: SearchConfig,
}

impl Consent {
    /// The consent of the owner of the file, to all of it.
    pub fn to_all() -> Self {
        Self { model: true, folders: true, services: true, instructions: true, ..Self::default() }
    }
}
