//! Handlers for the rules and the health of the service.

use axum::Json;
use axum::extract::rejection::{PathRejection, QueryRejection};
use axum::extract::{Path, Query, State};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::asks::open_asks;
use super::error::ProblemDetails;
use super::state::{Shared, blocking};
use crate::work::threads_of;
use reqgate_base::model::{Language, RuleCard, RuleId, Severity};

/// A rule in a list.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct RuleEntry {
    /// The id of the rule.
    pub id: RuleId,
    /// The severity of its findings, unless the configuration sets another.
    pub severity: Severity,
    /// The fault, in one line.
    pub summary: String,
}

/// The language of an explanation.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ExplainQuery {
    /// The language: en (default) or zh.
    pub language: Option<Language>,
}

/// The explanation of a rule.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Explanation {
    /// The id of the rule.
    pub rule: String,
    /// The reason for the rule, the question to ask, the text to write instead, and examples.
    pub explanation: String,
}

/// The health of the service.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct ServiceHealth {
    /// `ok`, or `degraded` if a model is paused.
    pub status: String,
    /// The version of the program.
    pub version: String,
    /// The number of threads of this project in the store.
    pub threads: usize,
    /// The number of questions that wait for a person.
    pub open_asks: usize,
    /// The models that received requests and failed or recovered.
    pub models: Vec<ModelState>,
    /// The number of webhook deliveries in the queue.
    pub webhooks_waiting: usize,
}

/// The state of the circuit breaker of a model.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct ModelState {
    /// The model, e.g. `ollama/qwen2.5:7b`.
    pub model: String,
    /// The host of the model.
    pub host: String,
    /// The model receives requests; false while it is paused.
    pub asked: bool,
    /// The number of failed calls in a row.
    pub failures: u32,
    /// Milliseconds until the next attempt; 0 if the model is not paused.
    pub retry_in_ms: u64,
}

/// Answers the check that the service runs.
pub(super) async fn alive() -> &'static str {
    "ok\n"
}

/// Shows the service's status.
pub(super) async fn health(State(state): State<Shared>) -> Result<Json<ServiceHealth>, ProblemDetails> {
    let waiting = state.webhooks_waiting();
    let health = blocking(&state, move |service| {
        let models = service.installation().models().map_err(ProblemDetails::internal)?;
        let threads = threads_of(service.installation())?.map_or(0, |(_, records)| records.len());
        let open_asks = open_asks(service, None)?.len();
        Ok(ServiceHealth {
            status: if models.is_well() { "ok" } else { "degraded" }.to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            threads,
            open_asks,
            models: models
                .models
                .into_iter()
                .map(|model| ModelState {
                    asked: model.retry_in_ms == 0,
                    model: model.model,
                    host: model.host,
                    failures: model.failures,
                    retry_in_ms: model.retry_in_ms,
                })
                .collect(),
            webhooks_waiting: waiting,
        })
    });
    Ok(Json(health.await?))
}

pub(crate) async fn rules(State(state): State<Shared>) -> Result<Json<Vec<RuleEntry>>, ProblemDetails> {
    let rules = blocking(&state, |service| {
        let cards = service.installation().cards().map_err(ProblemDetails::internal)?;
        let entry = |card: RuleCard| RuleEntry { severity: card.severity, id: card.id, summary: card.summary };
        Ok(cards.into_iter().map(entry).collect())
    });
    Ok(Json(rules.await?))
}

pub(crate) async fn explain(
    State(state): State<Shared>,
    rule: Result<Path<String>, PathRejection>,
    query: Result<Query<ExplainQuery>, QueryRejection>,
) -> Result<Json<Explanation>, ProblemDetails> {
    let (Path(rule), Query(ExplainQuery { language })) = (rule?, query?);
    let explained = blocking(&state, move |service| {
        let explanation = service.installation().explanation(&rule, language.unwrap_or(Language::En));
        let explanation = explanation.map_err(ProblemDetails::missing)?;
        Ok(Explanation { rule, explanation })
    });
    Ok(Json(explained.await?))
}
