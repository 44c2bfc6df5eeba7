//! Renders samples into memory.

use std::io::{self, Write};
use std::sync::{Arc, Mutex};

use super::cards;
use crate::{Format, InputError, ReportOptions, Summary, reporter};
use reqgate_base::model::Outcome;

#[derive(Clone, Default)]
struct Sink(Arc<Mutex<Vec<u8>>>);

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().expect("nobody panics while writing").extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The report on the outcomes and errors in a format.
pub fn render(format: Format, options: ReportOptions, outcomes: &[Outcome], errors: &[InputError]) -> String {
    let sink = Sink::default();
    let cards = cards();
    let mut summary = Summary::default();
    let mut report = reporter(format, &cards, options, Box::new(sink.clone())).expect("memory can be written");
    for outcome in outcomes {
        summary.add(outcome);
        report.outcome(outcome).expect("memory can be written");
    }
    for error in errors {
        summary.add_error(error);
        report.input_error(error).expect("memory can be written");
    }
    report.finish(&summary).expect("memory can be written");
    drop(report);
    let bytes = sink.0.lock().expect("nobody panics while writing").clone();
    String::from_utf8(bytes).expect("reports are UTF-8")
}
