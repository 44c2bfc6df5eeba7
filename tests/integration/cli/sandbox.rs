//! Runs the real programs in an empty folder with an empty environment.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// A ticket that is ready.
pub const READY: &str = "\
# Export the monthly statement as PDF

As an accountant I want to export the monthly statement as a PDF, so that I can send it to the tax office.

## Acceptance criteria

- Given a month with bookings, when I click Export, then a PDF downloads within 3 seconds.
- Given a month without bookings, when I click Export, then the message \"Nothing to export\" is shown.
- The file name is statement-YYYY-MM.pdf.
- With more than 5,000 bookings the export is refused and the message \"Too many bookings\" is shown.
";

/// A ticket that is not ready.
pub const UNREADY: &str = "\
# Make the dashboard faster

As a manager I want the dashboard to load faster so that I lose less time in the morning meeting. How fast is TBD.
";

/// An empty folder in which the program runs.
pub struct Sandbox {
    folder: tempfile::TempDir,
    /// The location of its threads, if it is not the folder.
    state: Option<String>,
}

/// The result of a run.
#[derive(Debug)]
pub struct Ran {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

impl Sandbox {
    /// An empty folder that is the root of a repository, so that no configuration in a parent folder is found.
    pub fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        fs::create_dir(folder.path().join(".git")).expect("works in a fresh folder");
        Self { folder, state: None }
    }

    /// The sandbox with its threads at another location.
    pub fn with_state(mut self, place: String) -> Self {
        self.state = Some(place);
        self
    }

    /// The path of a file in the folder.
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Writes a file and creates its folders.
    pub fn file(&self, name: &str, content: impl AsRef<[u8]>) -> &Self {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("it has a parent")).expect("works in a fresh folder");
        fs::write(path, content).expect("works in a fresh folder");
        self
    }

    /// The text of a file in the folder.
    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).expect("the file was written")
    }

    /// The program, prepared to run in the folder.
    pub fn command(&self) -> Command {
        self.command_for("")
    }

    /// The program that has a command, prepared to run in the folder.
    pub fn command_for(&self, name: &str) -> Command {
        let mut command = Command::new(crate::program(name));
        command.env_clear().current_dir(self.folder.path()).stdin(Stdio::null());
        command.envs(self.state.iter().map(|address| ("REQGATE_STATE", address)));
        command
    }

    pub fn run(&self, arguments: &[&str]) -> Ran {
        self.run_with(arguments, &[], "")
    }

    /// Runs the program with an environment and a standard input.
    pub fn run_with(&self, arguments: &[&str], environment: &[(&str, &str)], stdin: &str) -> Ran {
        let name = arguments.first().copied().unwrap_or_default();
        let mut command = assert_cmd::Command::from_std(self.command_for(name));
        let output = command.args(arguments).envs(environment.iter().copied()).write_stdin(stdin).output();
        let output = output.expect("the program starts");
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("the program writes UTF-8");
        Ran {
            code: output.status.code().expect("the program ends by itself"),
            stdout: text(&output.stdout),
            stderr: text(&output.stderr),
        }
    }

    /// The names of all files in a subfolder, sorted.
    pub fn names(&self, folder: &str) -> Vec<String> {
        let entries = fs::read_dir(self.path(folder)).expect("the folder is there");
        let name = |entry: fs::DirEntry| entry.file_name().to_string_lossy().into_owned();
        let mut names: Vec<String> = entries.map(|entry| name(entry.expect("it can be listed"))).collect();
        names.sort();
        names
    }
}

impl Ran {
    /// Checks the exit code, and shows the whole run if it differs.
    #[track_caller]
    pub fn ends_with(self, code: i32) -> Self {
        assert_eq!(self.code, code, "{self:#?}");
        self
    }

    /// Standard output as JSON.
    #[track_caller]
    pub fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {self:#?}"))
    }
}
