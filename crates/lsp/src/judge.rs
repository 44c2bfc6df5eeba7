//! Judges texts on its own thread, so that messages are read while a text is judged.

use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::Receiver;

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use reqgate_base::model::{Language, Outcome, SectionRole};
use reqgate_gate::stages::intake::{self, RawInput};

use crate::{Installation, Opened};

/// A text to judge.
#[derive(Debug, Clone)]
pub(crate) struct Job {
    /// The address of the document.
    pub address: String,
    /// The version of the document.
    pub version: i32,
    /// The path below the folder of the installation, with `/` between its parts.
    pub name: String,
    /// The client says that the document is Markdown or plain text.
    pub is_prose: bool,
    /// The text.
    pub text: Arc<str>,
}

/// The result of a job.
pub(crate) struct Done {
    /// The address of the document.
    pub address: String,
    /// The version of the document.
    pub version: i32,
    /// The result.
    pub judgement: Judgement,
}

/// The result for one version of a document.
pub(crate) enum Judgement {
    /// The document is not one that the configuration or `check` would judge.
    OutOfScope,
    /// The configuration or the text cannot be used; the reason.
    Failed(String),
    /// The document was judged.
    Judged(Box<Judged>),
}

/// A judged document.
pub(crate) struct Judged {
    /// The outcome.
    pub outcome: Outcome,
    /// The bytes of the document before the text of the outcome.
    pub shift: usize,
    /// The end of the heading over the acceptance criteria, in bytes of the document.
    pub criteria: Option<usize>,
    /// The usual headings of sections, in the language of the text.
    pub headings: Vec<String>,
}

/// Judges jobs until `send` returns false. Of several jobs for one document only the last is judged.
pub(crate) fn run(installation: &dyn Installation, jobs: &Receiver<Job>, send: impl Fn(Done) -> bool) {
    let mut gate = Gate { opened: Err(String::new()), stamp: None };
    let mut waiting: Vec<Job> = Vec::new();
    loop {
        if waiting.is_empty() {
            let Ok(job) = jobs.recv() else { return };
            waiting.push(job);
        }
        for job in jobs.try_iter() {
            waiting.retain(|older| older.address != job.address);
            waiting.push(job);
        }
        let job = waiting.remove(0);
        let judgement = gate.judged(installation, &job);
        if !send(Done { address: job.address, version: job.version, judgement }) {
            return;
        }
    }
}

/// The gate that was opened last.
struct Gate {
    opened: Result<(Opened, Option<GlobSet>), String>,
    stamp: Option<String>,
}

impl Gate {
    fn judged(&mut self, installation: &dyn Installation, job: &Job) -> Judgement {
        let stamp = installation.stamp();
        if self.stamp.as_ref() != Some(&stamp) {
            self.opened = opened(installation);
            self.stamp = Some(stamp);
        }
        let (opened, files) = match &self.opened {
            Ok(opened) => opened,
            Err(reason) if is_in_scope(&installation.root(), None, job, None) => {
                return Judgement::Failed(reason.clone());
            }
            Err(_) => return Judgement::OutOfScope,
        };
        let mut inputs = intake::read_own_bytes(&job.name, job.text.as_bytes());
        let input = match inputs.pop() {
            Some(Ok(input)) if inputs.is_empty() => Some(input),
            _ => None,
        };
        if !is_in_scope(&installation.root(), files.as_ref(), job, input.as_ref()) {
            return Judgement::OutOfScope;
        }
        let Some(input) = input else { return Judgement::OutOfScope };
        // A byte order mark at the start is not part of the text.
        let shift = job.text.strip_suffix(input.text.as_str()).map_or(0, str::len);
        match opened.pipeline.run(input) {
            Ok(outcome) => Judgement::Judged(Box::new(Judged {
                criteria: criteria(opened, &job.text),
                headings: headings(opened, outcome.packet.language.value),
                outcome,
                shift,
            })),
            Err(error) => Judgement::Failed(opened.pipeline.masked(&error.to_string())),
        }
    }
}

fn opened(installation: &dyn Installation) -> Result<(Opened, Option<GlobSet>), String> {
    let opened = installation.opened()?;
    let files = opened.files.as_deref().map(globs).transpose()?;
    Ok((opened, files))
}

fn globs(patterns: &[String]) -> Result<GlobSet, String> {
    let mut set = GlobSetBuilder::new();
    for pattern in patterns {
        let named =
            |error: globset::Error| format!("`lsp.files`: the pattern `{pattern}` cannot be read: {}", error.kind());
        set.add(GlobBuilder::new(pattern).literal_separator(true).build().map_err(named)?);
    }
    set.build().map_err(|error| format!("`lsp.files`: {}", error.kind()))
}

/// Returns true for a document that is judged: its front matter states its kind, or a pattern names it; without patterns, if
/// `check` takes it in this folder.
fn is_in_scope(root: &Path, files: Option<&GlobSet>, job: &Job, input: Option<&RawInput>) -> bool {
    if !intake::is_one_text(&job.name) {
        return false;
    }
    let states_its_kind = |input: &RawInput| input.ticket_type.is_some() || input.source_type.is_some();
    if input.is_some_and(states_its_kind) {
        return true;
    }
    match files {
        Some(files) => files.is_match(&job.name),
        None => job.is_prose && intake::takes(root, Path::new(&job.name)),
    }
}

/// The end of the heading over the acceptance criteria.
fn criteria(opened: &Opened, text: &str) -> Option<usize> {
    let headings = opened.pipeline.book.reader.headings();
    let mut end = 0;
    for line in text.split_inclusive('\n') {
        let words = line.trim_end_matches(['\r', '\n']);
        let is_it = words.starts_with('#')
            && headings
                .role_of(words.trim_matches(['#', ' ']))
                .is_some_and(|(role, _)| role == SectionRole::AcceptanceCriteria);
        if is_it {
            return Some(end + words.len());
        }
        end += line.len();
    }
    None
}

/// The headings that are offered while the author writes one: the first of each kind, with a capital letter.
fn headings(opened: &Opened, language: Language) -> Vec<String> {
    let names = opened.pipeline.book.reader.headings().names(language);
    let is_section = |role: &SectionRole| !matches!(role, SectionRole::Title | SectionRole::Metadata);
    let names = names.filter(|(role, _)| is_section(role));
    names
        .map(|(_, name)| name.chars().take(1).flat_map(char::to_uppercase).chain(name.chars().skip(1)).collect())
        .collect()
}
