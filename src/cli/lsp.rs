//! `reqgate lsp`: serves the gate to an editor, by the Language Server Protocol on standard input and output.

use std::io::{BufReader, stdin, stdout};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use reqgate::config::{Flags, NAMES, find};
use reqgate::lsp::{Explanation, Installation, Opened, serve};
use reqgate::model::Language;
use reqgate::pipeline::Stated;

use super::arguments::ConfigurationArguments;
use super::exit::Failure;
use super::rule_details::{self, RuleDetails};
use super::session::{self, Extent, Session};
use super::terminal;

/// Runs the command until the editor ends the conversation.
pub(super) fn run() -> Result<u8, Failure> {
    serve(Arc::new(Folder::default()), BufReader::new(stdin()), stdout().lock())
        .map_err(|error| Failure::World(format!("speaking to the editor: {error}")))
}

/// The installation in the current folder, which is the one that the editor has opened.
#[derive(Default)]
struct Folder {
    /// The rules with their explanations, and the stamp of the configuration when they were read.
    rules: Mutex<Option<(String, Session)>>,
}

impl Folder {
    fn session(extent: Extent) -> Result<Session, Failure> {
        let config = session::configuration(&ConfigurationArguments::default(), Flags::default())?;
        Session::open(config, terminal::today(), extent)
    }

    /// The details of a rule; the rules are read again when the configuration has changed.
    fn details(&self, rule: &str, language: Language) -> Option<RuleDetails> {
        let stamp = self.stamp();
        let mut rules = self.rules.lock().unwrap_or_else(PoisonError::into_inner);
        if rules.as_ref().is_none_or(|(read, _)| *read != stamp) {
            *rules = Some((stamp, Self::session(Extent::Teaching).ok()?));
        }
        let (_, session) = rules.as_ref()?;
        rule_details::find(session, rule, language)
    }
}

impl Installation for Folder {
    fn enter(&self, folder: &Path) -> Result<(), String> {
        std::env::set_current_dir(folder).map_err(|error| format!("the folder `{}`: {error}", folder.display()))
    }

    fn root(&self) -> PathBuf {
        std::env::current_dir().unwrap_or_default()
    }

    fn opened(&self) -> Result<Opened, String> {
        let session = Self::session(Extent::Judging).map_err(Failure::into_message)?;
        let files = session.config.lsp_files.value.clone();
        let pipeline = session.pipeline(Stated::default()).map_err(Failure::into_message)?;
        Ok(Opened { pipeline, files })
    }

    fn stamp(&self) -> String {
        let path = self.settings();
        let about = std::fs::metadata(&path).ok().map(|about| (about.len(), about.modified().ok()));
        format!("{} {} {about:?}", terminal::today(), path.display())
    }

    fn settings(&self) -> PathBuf {
        let root = self.root();
        let named = std::env::var_os("REQGATE_CONFIG").filter(|name| !name.is_empty()).map(PathBuf::from);
        let path = named.or_else(|| find(&root).file).unwrap_or_else(|| PathBuf::from(NAMES[0]));
        root.join(path)
    }

    fn explanation(&self, rule: &str, language: Language) -> Option<Explanation> {
        let details = self.details(rule, language)?;
        let [why, question, fix] = details.advice();
        let first = |examples: Vec<String>| examples.into_iter().next();
        let (fires, silent) = (first(details.fires), first(details.silent));
        Some(Explanation { summary: details.summary, why, question, fix, fires, silent })
    }

    fn page(&self, rule: &str) -> Option<String> {
        self.details(rule, Language::En)?.page
    }
}
