//! Spans around questions and exchanges, with the names of OpenTelemetry's conventions for generative models.
//!
//! Spans are almost free without a subscriber. [`listen`] writes them as JSON lines, the feature `otel` exports them.
//! Prompts and replies are left out unless the settings include them; keys are always left out.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use serde_json::{Map, Value, json};
use tracing::field::{Empty, Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Level, Metadata, Span, Subscriber, span};
use tracing_subscriber::layer::{Context, Layer, SubscriberExt};
use tracing_subscriber::registry::LookupSpan;

#[cfg(feature = "otel")]
pub use otel::{Exporter, to_collector};

use super::answer::{Call, CallStatistics};
use super::{AskError, ChatError, ChatReply, ChatRequest, FinishReason, ModelSettings};
use reqgate_base::files;

/// The target of every span of this module; spans of other targets are not written.
pub(crate) const TARGET: &str = "reqgate::llm";

/// The subscriber to the spans of this process; [`Listening::finish`] sends the remaining ones.
#[must_use = "what is left is sent by `finish`"]
pub struct Listening {
    file: Option<(PathBuf, Lost)>,
    #[cfg(feature = "otel")]
    exporter: Option<Exporter>,
}

/// The error for spans that could not be delivered.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unheard {
    /// The file could not be written.
    #[error("writing the trace {0}")]
    File(String),
    /// The collector did not accept the spans.
    #[error("sending the trace: {0}")]
    Collector(String),
}

/// Writes the spans of this process to `file`, and with the feature `otel` also to the collector in
/// `OTEL_EXPORTER_OTLP_ENDPOINT`. Without either, spans are discarded.
///
/// # Errors
/// Returns a message if the target cannot be written to, or if a subscriber already exists.
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

fn install(subscriber: impl Subscriber + Send + Sync) -> Result<(), String> {
    tracing::subscriber::set_global_default(subscriber).map_err(|error| format!("listening to spans: {error}"))
}

impl Listening {
    /// Sends the remaining spans.
    ///
    /// # Errors
    /// Returns the error of the file or of the collector.
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
        "gen_ai.provider.name" = super::provider::profile(request.model.provider()).trace_name,
        "reqgate.question" = request.question,
        "reqgate.request_hash" = hash,
        "reqgate.attempts" = Empty,
        "reqgate.from_cache" = Empty,
        "reqgate.replayed" = Empty,
        "error.type" = Empty,
    )
}

/// Records the outcome of a question in its span.
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
        "gen_ai.provider.name" = super::provider::profile(request.model.provider()).trace_name,
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

/// Records the outcome of an exchange in its span.
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

/// The kind of the finish reason. A model's own reason may be long and contain private text.
fn finish_reason(finish_reason: &FinishReason) -> &str {
    match finish_reason {
        FinishReason::Stop => "stop",
        FinishReason::Length => "length",
        FinishReason::Refusal(_) => "refusal",
        FinishReason::Filter(_) => "content_filter",
        FinishReason::Other(other) => other,
    }
}

/// A layer that writes the spans of models into a file.
pub(crate) struct TraceFile {
    out: Mutex<Box<dyn Write + Send>>,
    lost: Lost,
}

/// The first error of writing a line, if there was one.
pub(crate) type Lost = Arc<Mutex<Option<io::Error>>>;

/// Writes to `path`, whose previous content is removed.
///
/// # Errors
/// Returns an error if the file cannot be created.
pub(crate) fn to_file(path: &Path) -> io::Result<TraceFile> {
    if std::fs::metadata(path).is_ok_and(|about| files::is_waited_for(path, &about)) {
        return Err(io::Error::other("it is a named pipe, which could block forever"));
    }
    Ok(TraceFile::new(File::create(path)?))
}

/// A span that is not finished.
struct Running {
    began: Instant,
    at: SystemTime,
    attributes: Map<String, Value>,
}

impl TraceFile {
    /// Creates a layer that writes to `out`.
    pub(crate) fn new(out: impl Write + Send + 'static) -> Self {
        Self { out: Mutex::new(Box::new(out)), lost: Lost::default() }
    }

    /// Returns a handle to the first write error; the traced run continues after it.
    pub(crate) fn lost(&self) -> Lost {
        Arc::clone(&self.lost)
    }
}

impl<S: Subscriber + for<'a> LookupSpan<'a>> Layer<S> for TraceFile {
    fn enabled(&self, metadata: &Metadata<'_>, _: Context<'_, S>) -> bool {
        metadata.is_span() && metadata.target() == TARGET
    }

    fn on_new_span(&self, attributes: &Attributes<'_>, id: &Id, ctx: Context<'_, S>) {
        let Some(span) = ctx.span(id) else { return };
        let mut running = Running { began: Instant::now(), at: SystemTime::now(), attributes: Map::new() };
        attributes.record(&mut running);
        span.extensions_mut().insert(running);
    }

    fn on_record(&self, id: &Id, values: &Record<'_>, ctx: Context<'_, S>) {
        let Some(span) = ctx.span(id) else { return };
        if let Some(running) = span.extensions_mut().get_mut::<Running>() {
            values.record(running);
        }
    }

    fn on_close(&self, id: Id, ctx: Context<'_, S>) {
        let Some(span) = ctx.span(&id) else { return };
        let Some(mut running) = span.extensions_mut().remove::<Running>() else { return };
        let name = running.attributes.shift_remove("otel.name");
        let kind = running.attributes.shift_remove("otel.kind");
        let line = json!({
            "name": name.unwrap_or_else(|| json!(span.name())),
            "kind": kind,
            "start_unix_ms": running.at.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as u64),
            "duration_ms": (running.began.elapsed().as_secs_f64() * 1e6).round() / 1e3,
            "span": id.into_u64(),
            "parent": span.parent().map(|parent| parent.id().into_u64()),
            "attributes": running.attributes,
        });
        let mut out = self.out.lock().unwrap_or_else(PoisonError::into_inner);
        // One write call per line, so that lines are not mixed.
        if let Err(error) = out.write_all(format!("{line}\n").as_bytes()) {
            self.lost.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
        }
    }
}

impl Visit for Running {
    fn record_str(&mut self, field: &Field, value: &str) {
        self.attributes.insert(field.name().to_string(), json!(value));
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        self.attributes.insert(field.name().to_string(), json!(value));
    }

    fn record_i64(&mut self, field: &Field, value: i64) {
        self.attributes.insert(field.name().to_string(), json!(value));
    }

    fn record_bool(&mut self, field: &Field, value: bool) {
        self.attributes.insert(field.name().to_string(), json!(value));
    }

    fn record_debug(&mut self, field: &Field, value: &dyn std::fmt::Debug) {
        self.attributes.insert(field.name().to_string(), json!(format!("{value:?}").to_lowercase()));
    }
}

#[cfg(feature = "otel")]
mod otel {
    //! Exports spans to a collector over OTLP, for Langfuse, LangSmith and other receivers.
    //!
    //! The target is set by `OTEL_EXPORTER_OTLP_ENDPOINT`, `OTEL_EXPORTER_OTLP_HEADERS` and related variables.

    use opentelemetry::trace::TracerProvider;
    use opentelemetry_sdk::Resource;
    use opentelemetry_sdk::trace::SdkTracerProvider;
    use tracing::Subscriber;
    use tracing_subscriber::filter::filter_fn;
    use tracing_subscriber::layer::Layer;
    use tracing_subscriber::registry::LookupSpan;

    use super::TARGET;

    /// Sends the spans it receives; it must be finished before the process ends.
    pub struct Exporter(SdkTracerProvider);

    /// Creates a layer that exports the spans of models, and the exporter that finishes it.
    ///
    /// # Errors
    /// Returns a message about an invalid variable.
    pub fn to_collector<S>() -> Result<(impl Layer<S>, Exporter), String>
    where
        S: Subscriber + for<'a> LookupSpan<'a>,
    {
        crate::prepare_tls();
        let exporter =
            opentelemetry_otlp::SpanExporter::builder().with_http().build().map_err(|error| error.to_string())?;
        let resource = Resource::builder().with_service_name("reqgate").build();
        let provider = SdkTracerProvider::builder().with_batch_exporter(exporter).with_resource(resource).build();
        let layer = tracing_opentelemetry::layer().with_tracer(provider.tracer("reqgate"));
        let layer = layer.with_filter(filter_fn(|about| about.is_span() && about.target() == TARGET));
        Ok((layer, Exporter(provider)))
    }

    impl Exporter {
        /// Sends the remaining spans.
        ///
        /// # Errors
        /// Returns the error of the collector.
        pub(crate) fn finish(self) -> Result<(), String> {
            self.0.shutdown().map_err(|error| error.to_string())
        }
    }
}
