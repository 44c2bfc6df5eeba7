//! Writes finished spans as JSON lines, one line a span.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use serde_json::{Map, Value, json};
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Metadata, Subscriber};
use tracing_subscriber::layer::{Context, Layer};
use tracing_subscriber::registry::LookupSpan;

use super::TARGET;
use crate::files;

/// A layer that writes the spans of models into a file.
pub struct TraceFile {
    out: Mutex<Box<dyn Write + Send>>,
    lost: Lost,
}

/// Why a line could not be written, if one could not.
pub type Lost = Arc<Mutex<Option<io::Error>>>;

/// Writes to `path`, which is emptied first.
///
/// # Errors
/// Fails if the file cannot be made.
pub fn to_file(path: &Path) -> io::Result<TraceFile> {
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
    /// Writes to `out`.
    pub fn new(out: impl Write + Send + 'static) -> Self {
        Self { out: Mutex::new(Box::new(out)), lost: Lost::default() }
    }

    /// Tells later what was lost; the run that is watched goes on without it.
    pub fn lost(&self) -> Lost {
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
        // One write a line.
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
