//! Reads the history of a team's tickets from saved exports or from a repository, with the corrections of a person.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use reqgate::files;
use reqgate::github::{Client, Repository};
use reqgate::llm;
use reqgate::pipeline::Pipeline;
use reqgate_lab::history::Meanings;
use reqgate_lab::team::{
    Because, Corrections, Label, LabelLine, Outcome, OutcomeWords, PageStore, PastTicket, RepositoryError, Walked,
    corrected, interpret, read_export, read_labels, read_repository, written_labels,
};

use super::super::arguments::HistoryArguments;
use reqgate::cli::exit::{self, Failure};
use reqgate::cli::outputs;
use reqgate::cli::progress::Progress;

/// The number of issues per request.
const ISSUES_PER_REQUEST: usize = 100;

/// A team's tickets and the labels derived from their history.
pub(crate) struct TeamHistory {
    /// The source: the repository, or the names of the files.
    pub from: String,
    /// The tickets of the team.
    pub tickets: Vec<PastTicket>,
    /// The derived outcome of each ticket.
    pub outcomes: Vec<Outcome>,
    /// The number of pages read from GitHub; `None` for exports.
    pub walked: Option<Walked>,
}

/// A repository to read.
pub(crate) struct FromRepository<'a> {
    /// The repository on GitHub.
    pub repository: &'a Repository,
    /// The maximum number of issues to read.
    pub most: usize,
    /// Ignores the cache of earlier runs.
    pub anew: bool,
}

impl TeamHistory {
    /// Reads saved exports.
    ///
    /// # Errors
    /// Fails if a file cannot be read or has no ticket.
    pub(crate) fn of_exports(
        paths: &[PathBuf],
        arguments: &HistoryArguments,
        pipeline: &Pipeline,
    ) -> Result<Self, Failure> {
        let meanings: Meanings = arguments.map.iter().cloned().collect();
        let mut tickets = Vec::new();
        for path in paths {
            tickets.extend(read_export(path, &meanings).map_err(Failure::usage)?);
        }
        let from = paths.iter().map(|path| path.display().to_string()).collect::<Vec<_>>().join(", ");
        Self::of(from, tickets, None, arguments, pipeline)
    }

    /// Reads the issues of a repository, and keeps the pages in the cache folder.
    ///
    /// # Errors
    /// Fails if there is no cache folder, or if GitHub cannot be asked.
    pub(crate) fn of_repository(
        from: &FromRepository<'_>,
        arguments: &HistoryArguments,
        pipeline: &Pipeline,
    ) -> Result<Self, Failure> {
        let client = Client::from_environment(|name| std::env::var(name).ok()).map_err(Failure::usage)?;
        let source = from.repository.to_string();
        let folder = cache_folder()?;
        let mut store = PageStore::open(&folder, &source);
        if from.anew {
            store.forget();
        }
        let mut progress = Progress::start();
        let mut shown = 0;
        let read = read_repository(&client, from.repository, &mut store, from.most, |count| {
            (shown..count).for_each(|_| progress.step());
            shown = count;
        });
        drop(progress);
        let (tickets, walked) = read.map_err(|error| refused(&error))?;
        if walked.resumed {
            exit::note("resumed where the last run stopped");
        }
        Self::of(source, tickets, Some(walked), arguments, pipeline)
    }

    fn of(
        from: String,
        tickets: Vec<PastTicket>,
        walked: Option<Walked>,
        arguments: &HistoryArguments,
        pipeline: &Pipeline,
    ) -> Result<Self, Failure> {
        let words = outcome_words(arguments)?;
        let corrections = match &arguments.labels {
            Some(path) => corrections(path)?,
            None => Corrections::new(),
        };
        let reader = &pipeline.book.reader;
        let outcomes: Vec<Outcome> = tickets
            .iter()
            .map(|ticket| corrected(interpret(ticket, &words, reader), &corrections, &ticket.id))
            .collect();
        let unknown = corrections.keys().filter(|id| !tickets.iter().any(|ticket| ticket.id == **id)).count();
        if unknown > 0 {
            exit::warn(&format!("{unknown} lines of the labels file name no ticket that was read"));
        }
        let history = Self { from, tickets, outcomes, walked };
        if history.count(Label::Accepted) + history.count(Label::Returned) == 0 {
            return Err(Failure::usage(format!(
                "`{}`: none of {} rows has a label, and nothing tells what happened to them: write \"label\": \"accepted\" or \
                 \"returned\", or say with --map which label, status or resolution means which",
                history.from,
                history.tickets.len()
            )));
        }
        if let Some(path) = &arguments.write_labels {
            outputs::write_whole(path, &history.labels(pipeline))?;
        }
        Ok(history)
    }

    /// The number of tickets with this label.
    pub(crate) fn count(&self, label: Label) -> usize {
        self.outcomes.iter().filter(|outcome| outcome.label == label).count()
    }

    /// The signs from which the tickets got this label, the most frequent first.
    pub(crate) fn signs(&self, label: Label) -> Vec<(Because, usize)> {
        let mut counts: BTreeMap<Because, usize> = BTreeMap::new();
        for outcome in self.outcomes.iter().filter(|outcome| outcome.label == label) {
            *counts.entry(outcome.because).or_default() += 1;
        }
        let mut signs: Vec<(Because, usize)> = counts.into_iter().collect();
        signs.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(&b.0)));
        signs
    }

    /// The contents of the labels file. Findings of the guardrail in a quote are masked.
    fn labels(&self, pipeline: &Pipeline) -> String {
        let line = |(ticket, outcome): (&PastTicket, &Outcome)| LabelLine {
            id: ticket.id.clone(),
            label: outcome.label,
            because: Some(outcome.because),
            quote: pipeline.masked(&outcome.quote),
            url: ticket.url.clone(),
        };
        written_labels(&self.tickets.iter().zip(&self.outcomes).map(line).collect::<Vec<_>>())
    }
}

/// The patterns for the outcome of a ticket.
fn outcome_words(arguments: &HistoryArguments) -> Result<OutcomeWords, Failure> {
    let Some(path) = &arguments.outcomes else { return Ok(OutcomeWords::shipped()) };
    let shown = path.display();
    let text =
        files::text(path, files::SETTINGS).map_err(|error| Failure::usage(format!("reading `{shown}`: {error}")))?;
    OutcomeWords::parse(&text).map_err(|error| Failure::usage(format!("`{shown}`: {error}")))
}

fn corrections(path: &Path) -> Result<Corrections, Failure> {
    let shown = path.display();
    let text =
        files::text(path, files::RECORDS).map_err(|error| Failure::usage(format!("reading `{shown}`: {error}")))?;
    read_labels(&text).map_err(|error| Failure::usage(format!("`{shown}`, {error}")))
}

/// The folder in which pages are kept between runs.
fn cache_folder() -> Result<PathBuf, Failure> {
    let variable = |name: &str| std::env::var(name).ok().filter(|value| !value.trim().is_empty());
    let named = variable("REQGATE_CACHE").filter(|folder| folder != "off").map(PathBuf::from);
    // The folder next to the answers of models.
    let usual = || Some(llm::cache_folder(variable)?.parent()?.to_path_buf());
    let folder = named.or_else(usual);
    folder.map(|folder| folder.join("past")).ok_or_else(|| {
        Failure::usage("no folder found to keep the issues in: name one with the variable REQGATE_CACHE")
    })
}

fn refused(error: &RepositoryError) -> Failure {
    let needs_token = matches!(error, RepositoryError::Github(error) if matches!(error.status(), Some(401 | 403)));
    let advice = if needs_token {
        "; GitHub answers this request only with a token that may read issues: set GITHUB_TOKEN"
    } else {
        "; what was read is kept: run it again to resume"
    };
    Failure::World(format!("{error}{advice}"))
}

/// The number of requests for some pages, in words.
pub(crate) fn requests(walked: Walked) -> String {
    let Walked { fetched, kept, .. } = walked;
    let kept = if kept > 0 { format!(", {kept} kept from earlier runs") } else { String::new() };
    format!("{fetched} requests for up to {ISSUES_PER_REQUEST} issues each{kept}")
}
