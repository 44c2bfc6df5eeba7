//! The models and servers that the user has named for a thread. A store may have come with a checkout, so the choices in a thread
//! count only if they are also remembered here: in a file of the user's, outside every project.

use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use reqgate::files::{self, Readers};
use reqgate::hash::Hash;
use reqgate::workflow::ThreadRecord;

/// A choice that a thread keeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Choice<'a> {
    /// The model, as `provider/name`.
    Model(&'a str),
    /// The address of its server.
    Server(&'a str),
}

impl Choice<'_> {
    /// The line for this choice in the file: a hash, which reveals neither the model nor the server.
    fn line(self, record: &ThreadRecord) -> String {
        let (kind, value) = match self {
            Self::Model(model) => ("model", model),
            Self::Server(server) => ("server", server),
        };
        Hash::of_parts(["reqgate/agreed/v1", record.id.as_str(), record.created.as_str(), kind, value]).hex()
    }
}

/// The user's file of choices; `None` where no folder of the user is known.
pub(super) struct Agreed {
    file: Option<PathBuf>,
}

impl Agreed {
    /// The file of the user who runs the program.
    pub(super) fn of_the_user() -> Self {
        let folder = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
        let home = || folder("HOME").map(|home| home.join(".local/state"));
        let own = folder("XDG_STATE_HOME").or_else(|| folder("LOCALAPPDATA")).or_else(home);
        Self { file: own.map(|own| own.join("reqgate/threads")) }
    }

    /// Choices can be remembered.
    pub(super) fn can_remember(&self) -> bool {
        self.file.is_some()
    }

    /// Returns true for a choice that the user has made for the thread.
    pub(super) fn has(&self, record: &ThreadRecord, choice: Choice<'_>) -> bool {
        let text = self.file.as_deref().and_then(|file| files::text(file, files::RECORDS).ok()).unwrap_or_default();
        let line = choice.line(record);
        text.lines().any(|known| known == line)
    }

    /// Remembers a choice of the user.
    pub(super) fn remember(&self, record: &ThreadRecord, choice: Choice<'_>) {
        let Some(file) = self.file.as_deref().filter(|_| !self.has(record, choice)) else { return };
        // If it cannot be written, the user is asked to name the choice again.
        let _ = append(file, &choice.line(record));
    }
}

fn append(file: &Path, line: &str) -> io::Result<()> {
    files::make_folder(file.parent().unwrap_or(Path::new("")), Readers::Owner)?;
    let mut options = OpenOptions::new();
    options.append(true).create(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(file)?.write_all(format!("{line}\n").as_bytes())
}
