//! What earlier runs recorded about the models that they asked, for `reqgate health`. Sends nothing.

use std::path::Path;

use serde::Serialize;

use super::breaker::{self, Phase, RECOVERY, THRESHOLD};

/// The health of everything outside that reqgate asks.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Health {
    /// Name and version of this shape.
    pub format: &'static str,
    /// Failed calls in a row that open a breaker.
    pub failure_threshold: u32,
    /// Milliseconds that a breaker stays open.
    pub recovery_timeout_ms: u64,
    /// Models that were asked and failed or recovered, by name and host.
    pub models: Vec<ModelHealth>,
}

/// The health of one model.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ModelHealth {
    /// The model, e.g. `ollama/qwen2.5:7b`.
    pub model: String,
    /// Where it is.
    pub host: String,
    /// Whether it is asked.
    pub state: Phase,
    /// Failed calls in a row.
    pub failures: u32,
    /// When it failed last, in milliseconds since 1970.
    pub last_failure_ms: Option<u64>,
    /// Milliseconds until it is tried again; 0 if it is asked now.
    pub retry_in_ms: u64,
}

impl Health {
    /// True if no breaker is open.
    pub fn is_well(&self) -> bool {
        self.models.iter().all(|model| model.state == Phase::Closed)
    }
}

/// Reads what runs with this cache folder have left; runs without one leave nothing.
pub fn health(cache: Option<&Path>) -> Health {
    let now = breaker::now_ms();
    let models = cache.map(breaker::kept).unwrap_or_default().into_iter().map(|kept| {
        let (state, left) = kept.phase(now);
        ModelHealth {
            state,
            retry_in_ms: left.as_millis() as u64,
            model: kept.model,
            host: kept.host,
            failures: kept.failures,
            last_failure_ms: kept.last_failure_ms,
        }
    });
    Health {
        format: "reqgate/health/v1",
        failure_threshold: THRESHOLD,
        recovery_timeout_ms: RECOVERY.as_millis() as u64,
        models: models.collect(),
    }
}
