//! Exports spans to a collector over OTLP, for Langfuse, LangSmith and whatever else takes it.
//!
//! `OTEL_EXPORTER_OTLP_ENDPOINT`, `OTEL_EXPORTER_OTLP_HEADERS` and their kin say where to.

use opentelemetry::trace::TracerProvider;
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::trace::SdkTracerProvider;
use tracing::Subscriber;
use tracing_subscriber::filter::filter_fn;
use tracing_subscriber::layer::Layer;
use tracing_subscriber::registry::LookupSpan;

use super::TARGET;

/// Sends what it was given; must be finished before the process ends.
pub struct Exporter(SdkTracerProvider);

/// A layer that exports the spans of models, and what finishes it.
///
/// # Errors
/// Says what is wrong with the variables.
pub fn to_collector<S>() -> Result<(impl Layer<S>, Exporter), String>
where
    S: Subscriber + for<'a> LookupSpan<'a>,
{
    crate::tls::ready();
    let exporter =
        opentelemetry_otlp::SpanExporter::builder().with_http().build().map_err(|error| error.to_string())?;
    let resource = Resource::builder().with_service_name("reqgate").build();
    let provider = SdkTracerProvider::builder().with_batch_exporter(exporter).with_resource(resource).build();
    let layer = tracing_opentelemetry::layer().with_tracer(provider.tracer("reqgate"));
    let layer = layer.with_filter(filter_fn(|about| about.is_span() && about.target() == TARGET));
    Ok((layer, Exporter(provider)))
}

impl Exporter {
    /// Sends what is left.
    ///
    /// # Errors
    /// Says why the collector did not take it.
    pub fn finish(self) -> Result<(), String> {
        self.0.shutdown().map_err(|error| error.to_string())
    }
}
