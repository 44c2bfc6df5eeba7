//! Spans around questions and exchanges, with the names of OpenTelemetry's conventions for generative models.
//!
//! Spans cost nothing until somebody listens: [`to_file`] writes them as JSON lines, the feature `otel` exports them. Prompts and
//! replies are left out unless the settings ask for them; keys are never in.

mod file;
#[cfg(feature = "otel")]
mod otel;

use std::path::{Path, PathBuf};
use std::sync::PoisonError;

use tracing::field::Empty;
use tracing::{Level, Span, span};
use tracing_subscriber::layer::SubscriberExt;

pub use file::{Lost, TraceFile, to_file};
#[cfg(feature = "otel")]
pub use otel::{Exporter, to_collector};

use super::statistics::{Call, CallStatistics};
use super::{AskError, ChatError, ChatReply, ChatRequest, FinishReason, ModelSettings};

/// Every span is of this target; others are not ours to write down.
pub const TARGET: &str = "reqgate::llm";

/// Whoever listens to the spans of this process; [`Listening::finish`] sends what is left.
#[must_use = "what is left is sent by `finish`"]
pub struct Listening {
    file: Option<(PathBuf, Lost)>,
    #[cfg(feature = "otel")]
    exporter: Option<Exporter>,
}

/// What was lost of the spans of this process.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unheard {
    /// The file could not be written.
    #[error("writing the trace {0}")]
    File(String),
    /// The collector did not take it.
    #[error("sending the trace: {0}")]
    Collector(String),
}

/// Writes the spans of this process to `file`, and with the feature `otel` also to the collector that
/// `OTEL_EXPORTER_OTLP_ENDPOINT` names. Without either, nobody listens.
///
/// # Errors
/// Says what cannot be written to, or that somebody listens already.
pub fn listen(file: Option<&Path>) -> Result<Listening, String> {
    let refuse = |path: &Path, error: std::io::Error| format!("writing the trace {}: {error}", path.display());
    let made = file.map(|path| to_file(path).map_err(|error| refuse(path, error))).transpose()?;
    let told = file.zip(made.as_ref()).map(|(path, made)| (path.to_path_buf(), made.lost()));
    #[cfg(feature = "otel")]
    if std::env::var_os("OTEL_EXPORTER_OTLP_ENDPOINT").is_some() {
        let (layer, exporter) = to_collector()?;
        install(tracing_subscriber::registry().with(layer).with(made))?;
        return Ok(Listening { file: told, exporter: Some(exporter) });
    }
    if let Some(made) = made {
        install(tracing_subscriber::registry().with(made))?;
    }
    Ok(Listening {
        file: told,
        #[cfg(feature = "otel")]
        exporter: None,
    })
}

fn install(subscriber: impl tracing::Subscriber + Send + Sync) -> Result<(), String> {
    tracing::subscriber::set_global_default(subscriber).map_err(|error| format!("listening to spans: {error}"))
}

impl Listening {
    /// Sends what is left.
    ///
    /// # Errors
    /// Says what could not be written, or why the collector did not take it.
    pub fn finish(self) -> Result<(), Unheard> {
        let lost = self.file.and_then(|(path, lost)| {
            let error = lost.lock().unwrap_or_else(PoisonError::into_inner).take()?;
            Some(Unheard::File(format!("{}: {error}", path.display())))
        });
        #[cfg(feature = "otel")]
        if let Some(exporter) = self.exporter {
            let sent = exporter.finish().map_err(Unheard::Collector);
            return lost.map_or(sent, Err);
        }
        lost.map_or(Ok(()), Err)
    }
}

/// The span of a question, around all its attempts.
pub(super) fn question(request: &ChatRequest, hash: &str) -> Span {
    span!(
        target: TARGET,
        Level::INFO,
        "ask",
        "otel.kind" = "internal",
        "gen_ai.request.model" = request.model.name(),
        "gen_ai.provider.name" = request.model.provider().profile().trace_name,
        "reqgate.question" = request.question,
        "reqgate.request_hash" = hash,
        "reqgate.attempts" = Empty,
        "reqgate.from_cache" = Empty,
        "reqgate.replayed" = Empty,
        "error.type" = Empty,
    )
}

/// Writes the end of a question into its span.
pub(super) fn answered(span: &Span, result: &Result<CallStatistics, AskError>) {
    match result {
        Ok(told) => {
            span.record("reqgate.attempts", told.attempts);
            span.record("reqgate.from_cache", told.from_cache);
            span.record("reqgate.replayed", told.replayed);
        }
        Err(error) => {
            span.record("error.type", error.word());
        }
    }
}

/// The span of an exchange.
pub(super) fn exchange(settings: &ModelSettings, request: &ChatRequest, call: &Call, retry: u32) -> Span {
    let span = span!(
        target: TARGET,
        Level::INFO,
        "chat",
        "otel.kind" = "client",
        "otel.name" = Empty,
        "gen_ai.operation.name" = "chat",
        "gen_ai.provider.name" = request.model.provider().profile().trace_name,
        "gen_ai.request.model" = request.model.name(),
        "gen_ai.request.max_tokens" = request.max_output_tokens,
        "gen_ai.output.type" = "json",
        "gen_ai.response.model" = Empty,
        "gen_ai.response.finish_reasons" = Empty,
        "gen_ai.usage.input_tokens" = Empty,
        "gen_ai.usage.output_tokens" = Empty,
        "gen_ai.system_instructions" = Empty,
        "gen_ai.input.messages" = Empty,
        "gen_ai.output.messages" = Empty,
        "server.address" = Empty,
        "http.response.status_code" = Empty,
        "error.type" = Empty,
        "reqgate.question" = request.question,
        "reqgate.request_hash" = call.hash,
        "reqgate.attempt" = request.attempt,
        "reqgate.retry" = retry,
        "reqgate.structured" = ?request.structured,
    );
    if !span.is_disabled() {
        span.record("otel.name", format!("chat {}", request.model.name()));
        span.record("server.address", settings.host());
        if settings.trace_contents {
            span.record("gen_ai.system_instructions", request.instructions.as_str());
            span.record("gen_ai.input.messages", request.data.as_str());
        }
    }
    span
}

/// Writes what came back into the span of its exchange.
pub(super) fn came_back(span: &Span, settings: &ModelSettings, came: &Result<ChatReply, ChatError>) {
    if span.is_disabled() {
        return;
    }
    match came {
        Ok(reply) => {
            span.record("gen_ai.response.model", reply.model.as_str());
            span.record("gen_ai.response.finish_reasons", finish_reason(&reply.finish_reason));
            span.record("gen_ai.usage.input_tokens", reply.usage.input_tokens);
            span.record("gen_ai.usage.output_tokens", reply.usage.output_tokens);
            if settings.trace_contents {
                span.record("gen_ai.output.messages", reply.text.as_str());
            }
        }
        Err(error) => {
            if error.status != 0 {
                span.record("http.response.status_code", error.status);
            }
            span.record("error.type", format!("{:?}", error.fault));
        }
    }
}

/// A reason of the model's own may be long and somebody's words; its kind is enough.
fn finish_reason(finish_reason: &FinishReason) -> &str {
    match finish_reason {
        FinishReason::Stop => "stop",
        FinishReason::Length => "length",
        FinishReason::Refusal(_) => "refusal",
        FinishReason::Filter(_) => "content_filter",
        FinishReason::Other(other) => other,
    }
}
