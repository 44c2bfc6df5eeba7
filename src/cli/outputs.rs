//! Writes reports to standard output and files, several in one run. A file is written completely or not at all.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use reqgate::files::{self, Readers, WholeFile};
use reqgate::model::{Outcome, RuleCard};
use reqgate::report::{self, Format, InputError, ReportOptions, Reporter, Summary};
use reqgate::stages::intake::{IntakeError, RawInput};

use serde::Serialize;

use super::arguments::OutputFile;
use super::exit::Failure;

/// The reports of a run.
pub struct Outputs<'a> {
    reports: Vec<Report<'a>>,
    /// The most serious failure of a report so far.
    failure: Option<Failure>,
}

struct Report<'a> {
    /// Dropped before the file is moved to its place, so that all buffered data is written.
    reporter: Box<dyn Reporter + 'a>,
    place: String,
    file: Option<Target>,
}

impl<'a> Outputs<'a> {
    /// Opens standard output and the files, and writes the head of each report.
    ///
    /// # Errors
    /// Fails if a file cannot be opened.
    pub fn open(
        format: Format,
        files: &[OutputFile],
        cards: &'a [RuleCard],
        options: ReportOptions,
    ) -> Result<Self, Failure> {
        // The files are opened first, so that no output is shown if one of them fails.
        let mut opened = Vec::new();
        for (index, output) in files.iter().enumerate() {
            if files[..index].iter().any(|other| other.path == output.path) {
                return Err(Failure::usage(format!("two outputs name the same file, `{}`", output.path.display())));
            }
            opened.push((output.format, Target::open(&output.path)?));
        }
        let mut reports = Vec::new();
        for (format, (file, writer)) in opened {
            let place = file.path.display().to_string();
            let options = ReportOptions { colour: false, breaks_verdicts: false, ..options };
            let reporter = report::reporter(format, cards, options, Box::new(BufWriter::new(writer)))
                .map_err(|error| Failure::writing(&place, &error))?;
            reports.push(Report { reporter, place, file: Some(file) });
        }
        let place = "standard output".to_owned();
        let stdout = BufWriter::with_capacity(32 * 1024, io::stdout().lock());
        let mut failure = None;
        match report::reporter(format, cards, options, Box::new(stdout)) {
            Ok(reporter) => reports.insert(0, Report { reporter, place, file: None }),
            Err(error) => failure = Some(Failure::writing(&place, &error)),
        }
        Ok(Self { reports, failure })
    }

    /// Returns true if all readers of the reports have ended.
    pub fn is_closed(&self) -> bool {
        self.reports.is_empty()
    }

    /// Writes an outcome to every report.
    pub fn outcome(&mut self, outcome: &Outcome) {
        self.write(|reporter| reporter.outcome(outcome));
    }

    /// Writes an unreadable input to every report.
    pub fn input_error(&mut self, error: &InputError) {
        self.write(|reporter| reporter.input_error(error));
    }

    /// Ends every report and moves the files to their places.
    ///
    /// # Errors
    /// Fails with the most serious failure of a report; the others are complete.
    pub fn finish(mut self, summary: &Summary) -> Result<(), Failure> {
        self.write(|reporter| reporter.finish(summary));
        let mut failure = self.failure;
        for report in self.reports {
            drop(report.reporter);
            if let Some(file) = report.file
                && let Err(error) = file.put_in_place()
            {
                failure = Some(worse(failure, Failure::writing(&report.place, &error)));
            }
        }
        failure.map_or(Ok(()), Err)
    }

    /// Writes to every report; if one fails, it is dropped and the others continue.
    fn write(&mut self, mut write: impl FnMut(&mut dyn Reporter) -> io::Result<()>) {
        let failure = &mut self.failure;
        self.reports.retain_mut(|report| match write(report.reporter.as_mut()) {
            Ok(()) => true,
            Err(error) => {
                *failure = Some(worse(failure.take(), Failure::writing(&report.place, &error)));
                false
            }
        });
    }
}

fn worse(first: Option<Failure>, second: Failure) -> Failure {
    match first {
        Some(first) if first.code() >= second.code() => first,
        _ => second,
    }
}

/// The file of an output.
struct Target {
    path: PathBuf,
    /// `None` for a device, which cannot be replaced by renaming.
    whole: Option<WholeFile>,
}

impl Target {
    /// Opens a file for writing.
    ///
    /// # Errors
    /// Fails if its folder does not exist, if it is a folder, or if it cannot be created.
    fn open(path: &Path) -> Result<(Self, File), Failure> {
        let shown = path.display();
        let world = |error: io::Error| Failure::World(format!("opening `{shown}` for writing: {error}"));
        // The target of a link is replaced, so that the link is kept.
        let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
        match fs::metadata(&target) {
            Ok(metadata) if metadata.is_dir() => {
                return Err(Failure::usage(format!("`{shown}` is a folder: name a file in it")));
            }
            Ok(metadata) if !metadata.is_file() => {
                if files::is_waited_for(path, &metadata) {
                    return Err(Failure::usage(format!(
                        "`{shown}` is a named pipe, which could block forever: write to standard output instead"
                    )));
                }
                let file = OpenOptions::new().write(true).open(&target).map_err(world)?;
                return Ok((Self { path: path.to_path_buf(), whole: None }, file));
            }
            _ => {}
        }
        let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        if !folder.is_dir() {
            let folder = folder.display();
            return Err(Failure::usage(format!("the folder `{folder}` of `{shown}` does not exist: create it first")));
        }
        if target.file_name().is_none() {
            return Err(Failure::usage(format!("`{shown}` is not the name of a file")));
        }
        let whole = WholeFile::create(&target, Readers::Everyone).map_err(world)?;
        let file = whole.handle().map_err(world)?;
        Ok((Self { path: target, whole: Some(whole) }, file))
    }

    /// Moves the file to its place; all data must have been written.
    ///
    /// # Errors
    /// Fails if the system refuses.
    fn put_in_place(self) -> io::Result<()> {
        self.whole.map_or(Ok(()), WholeFile::put_in_place)
    }
}

/// The error of a file that would be read and overwritten.
pub(crate) fn read_and_written(path: &Path) -> Failure {
    let path = path.display();
    Failure::usage(format!("`{path}` is one of the inputs and would be overwritten: name another file for the output"))
}

/// Refuses outputs that are also inputs.
///
/// # Errors
/// Fails on the first such file; files in a folder or matched by a pattern are checked by [`Overlap`] when they are
/// read.
pub fn refuse_inputs(inputs: &[String], written: &[&Path]) -> Result<(), Failure> {
    let overlap = Overlap::new(written);
    let found = inputs.iter().find_map(|input| overlap.meets(Path::new(input)));
    found.map_or(Ok(()), |path| Err(read_and_written(&path)))
}

/// Detects an input that is also an output.
#[derive(Clone, Default)]
pub struct Overlap {
    written: Vec<Same>,
    found: Arc<Mutex<Option<PathBuf>>>,
}

impl Overlap {
    /// Watches the output files that already exist; others cannot be inputs.
    pub fn new(written: &[&Path]) -> Self {
        Self { written: written.iter().filter_map(|path| Same::of(path)).collect(), found: Arc::default() }
    }

    /// The file that is both, if one was found.
    pub fn found(&self) -> Option<PathBuf> {
        self.found.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn meets(&self, path: &Path) -> Option<PathBuf> {
        if self.written.is_empty() {
            return None;
        }
        let same = Same::of(path)?;
        self.written.contains(&same).then(|| path.to_path_buf())
    }

    /// Passes on the inputs before the first one that is also an output.
    pub fn watch<'i>(
        &self,
        inputs: Box<dyn Iterator<Item = Result<RawInput, IntakeError>> + Send + 'i>,
    ) -> Box<dyn Iterator<Item = Result<RawInput, IntakeError>> + Send + 'i> {
        if self.written.is_empty() {
            return inputs;
        }
        let overlap = self.clone();
        Box::new(inputs.take_while(move |item| {
            let name = match item {
                Ok(input) => Some(input.name.as_str()),
                Err(error) => error.input(),
            };
            let met = name.and_then(|name| overlap.meets(file_of(name)));
            let goes_on = met.is_none();
            if let Some(met) = met {
                *overlap.found.lock().unwrap_or_else(PoisonError::into_inner) = Some(met);
            }
            goes_on
        }))
    }
}

/// The file in a name such as `issues.jsonl:12` and `issues.json[3]`.
fn file_of(name: &str) -> &Path {
    let whole = Path::new(name);
    if whole.exists() {
        return whole;
    }
    let entry = name.rsplit_once(':').or_else(|| name.rsplit_once('['));
    entry.map_or(whole, |(file, _)| Path::new(file))
}

/// The identity of a file: two equal values are the same file.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Same {
    /// Device and inode number, which do not depend on the name.
    #[cfg(unix)]
    Number(u64, u64),
    /// The path of the file.
    #[cfg(not(unix))]
    Place(PathBuf),
}

impl Same {
    /// Returns `None` if it is not a regular file: a device or a pipe can be read and written at the same time.
    fn of(path: &Path) -> Option<Self> {
        let about = fs::metadata(path).ok().filter(fs::Metadata::is_file)?;
        #[cfg(unix)]
        {
            use std::os::unix::fs::MetadataExt;
            Some(Self::Number(about.dev(), about.ino()))
        }
        #[cfg(not(unix))]
        {
            let _ = about;
            fs::canonicalize(path).ok().map(Self::Place)
        }
    }
}

/// Writes the report of one outcome to a file, completely or not at all.
///
/// # Errors
/// Fails like `Target::open`, or if the report cannot be written.
pub(crate) fn write_report(format: Format, path: &Path, outcome: &Outcome) -> Result<(), Failure> {
    let (whole, file) = Target::open(path)?;
    let mut summary = Summary::default();
    summary.add(outcome);
    let written = report::reporter(format, &[], ReportOptions::default(), Box::new(BufWriter::new(file)))
        .and_then(|mut reporter| reporter.outcome(outcome).and_then(|()| reporter.finish(&summary)))
        .and_then(|()| whole.put_in_place());
    written.map_err(|error| Failure::writing(&format!("`{}`", path.display()), &error))
}

/// Writes a text to a file, completely or not at all.
///
/// # Errors
/// Fails like `Target::open`, or if the text cannot be written.
pub fn write_whole(path: &Path, text: &str) -> Result<(), Failure> {
    let (whole, mut file) = Target::open(path)?;
    let written = file.write_all(text.as_bytes()).and_then(|()| whole.put_in_place());
    written.map_err(|error| Failure::writing(&format!("`{}`", path.display()), &error))
}

/// A value as indented JSON; `name` is the value in the error.
///
/// # Errors
/// Fails if the value cannot be written as JSON.
pub fn json(name: &str, value: &impl Serialize) -> Result<String, Failure> {
    let text = serde_json::to_string_pretty(value);
    text.map(|text| text + "\n").map_err(|error| Failure::World(format!("writing {name}: {error}")))
}

/// Writes a text to standard output.
///
/// # Errors
/// Fails if it cannot be written.
pub fn print(text: &str) -> Result<(), Failure> {
    let mut stdout = io::stdout().lock();
    let written = stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush());
    written.map_err(|error| Failure::writing("standard output", &error))
}
