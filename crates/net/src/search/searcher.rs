//! The searches of one run: budget, repeated queries, breaker, log, recording and replay.

use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use chrono::{DateTime, SecondsFormat, Utc};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::recording::{Came, Recorded, Recording};
use super::{SearchError, SearchProvider, SearchQuery, SearchResult};
use crate::Clock;
use crate::llm::{Breaker, BreakerLimits};
use reqgate_rules::config::{SearchLimits, SearchProviderName};

/// Searches within the limits of a run.
pub struct Searcher {
    source: Source,
    limits: SearchLimits,
    clock: Box<dyn Clock>,
    breaker: Breaker,
    asked: u32,
    /// Every search of the run, with its outcome.
    made: Vec<Recorded>,
}

enum Source {
    Live(Box<dyn SearchProvider>),
    Recorded(Box<dyn SearchProvider>, Recording),
    Replayed(Recording),
}

/// A search that was made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LoggedSearch {
    /// The query that was sent.
    #[serde(flatten)]
    pub query: SearchQuery,
    /// When, in UTC (RFC 3339).
    pub timestamp: String,
}

/// What a search found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Found {
    /// The search, as it is logged.
    #[serde(flatten)]
    pub search: LoggedSearch,
    /// Who was asked.
    pub provider: SearchProviderName,
    /// What was found, the best first.
    pub results: Vec<SearchResult>,
}

/// The searches of a run, as `reqgate research --format json` prints them.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[schemars(title = "Searches and their results, version 1")]
pub struct Research {
    /// Name and version of this shape: `reqgate/research/v1`.
    pub schema: &'static str,
    /// The searches that were answered, in the order of the queries.
    pub searches: Vec<Found>,
}

impl Research {
    /// Wraps the searches in the output format.
    pub fn of(searches: Vec<Found>) -> Self {
        Self { schema: "reqgate/research/v1", searches }
    }
}

impl Searcher {
    /// Creates a run that asks `provider`.
    pub fn new(provider: Box<dyn SearchProvider>, limits: SearchLimits, clock: Box<dyn Clock>) -> Self {
        Self::over(Source::Live(provider), limits, clock)
    }

    /// Creates a run that asks `provider` and writes every search into a file of JSON lines.
    pub fn recorded(
        provider: Box<dyn SearchProvider>,
        limits: SearchLimits,
        clock: Box<dyn Clock>,
        file: &Path,
    ) -> Self {
        Self::over(Source::Recorded(provider, Recording::new(file)), limits, clock)
    }

    /// Creates a run that sends no requests: outcomes and times come from the `file` written by [`Searcher::recorded`].
    ///
    /// # Errors
    /// Returns [`SearchError::Recording`] if the file cannot be read.
    pub fn replayed(file: &Path, limits: SearchLimits, clock: Box<dyn Clock>) -> Result<Self, SearchError> {
        Ok(Self::over(Source::Replayed(Recording::read(file)?), limits, clock))
    }

    fn over(source: Source, limits: SearchLimits, clock: Box<dyn Clock>) -> Self {
        let name = match &source {
            Source::Live(provider) | Source::Recorded(provider, _) => provider.name(),
            Source::Replayed(_) => SearchProviderName::None,
        };
        // The breaker's state ends with the run: ten searches are too few to justify a file.
        let breaker = Breaker::open(None, name.name(), "", BreakerLimits::default());
        Self { source, limits, clock, breaker, asked: 0, made: Vec::new() }
    }

    /// Searches for a query. A repeated query is answered from memory and is free.
    ///
    /// # Errors
    /// Returns the [`SearchError`] that names the reason.
    pub fn search(&mut self, query: &SearchQuery) -> Result<Found, SearchError> {
        if !query.text.chars().any(char::is_alphanumeric) {
            return Err(SearchError::EmptyQuery);
        }
        if let Some(known) = self.made.iter().find(|made| made.query.key() == query.key()) {
            return found(Recorded { query: query.clone(), ..known.clone() });
        }
        if self.asked >= self.limits.queries {
            return Err(SearchError::BudgetSpent { most: self.limits.queries });
        }
        let made = self.made_now(query)?;
        self.made.push(made.clone());
        found(made)
    }

    /// Every search of the run, in order, without repeated and refused queries.
    #[cfg(test)]
    pub(crate) fn log(&self) -> Vec<LoggedSearch> {
        let logged = |made: &Recorded| LoggedSearch { query: made.query.clone(), timestamp: made.timestamp.clone() };
        self.made.iter().map(logged).collect()
    }

    /// The number of searches that are left.
    #[cfg(test)]
    pub(crate) fn left(&self) -> u32 {
        self.limits.queries - self.asked
    }

    fn made_now(&mut self, query: &SearchQuery) -> Result<Recorded, SearchError> {
        let most = self.limits.results as usize;
        let provider = match &self.source {
            Source::Live(provider) | Source::Recorded(provider, _) => provider,
            Source::Replayed(recording) => {
                let recorded = recording.find(query).cloned();
                let mut recorded = recorded.ok_or_else(|| SearchError::NotRecorded(query.text.clone()))?;
                if let Came::Results(results) = &mut recorded.came {
                    results.truncate(most);
                }
                self.asked += 1;
                return Ok(Recorded { query: query.clone(), ..recorded });
            }
        };
        let name = provider.name();
        let now = self.clock.now();
        let paused =
            |time: std::time::Duration| SearchError::Paused { provider: name, retry_in: time.as_secs().max(1) };
        self.breaker.allow(milliseconds(now)).map_err(paused)?;
        self.asked += 1;
        let came = provider.search(&query.text, most).map(|mut results| {
            results.truncate(most);
            results
        });
        match &came {
            Err(error) if error.speaks_against_the_server() => self.breaker.failed(milliseconds(self.clock.now())),
            _ => self.breaker.succeeded(),
        }
        let made = Recorded {
            version: 1,
            provider: name,
            query: query.clone(),
            timestamp: DateTime::<Utc>::from(now).to_rfc3339_opts(SecondsFormat::Secs, true),
            came: came.map_or_else(Came::Error, Came::Results),
        };
        if let Source::Recorded(_, recording) = &mut self.source {
            recording.add(made.clone())?;
        }
        Ok(made)
    }
}

fn found(made: Recorded) -> Result<Found, SearchError> {
    let search = LoggedSearch { query: made.query, timestamp: made.timestamp };
    match made.came {
        Came::Results(results) => Ok(Found { search, provider: made.provider, results }),
        Came::Error(error) => Err(error),
    }
}

fn milliseconds(time: SystemTime) -> u64 {
    time.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as u64)
}
