//! Shows the progress of a long run on a terminal.

use std::io::IsTerminal;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

/// The minimum duration of a run before progress is shown.
const MOST_WAITING: Duration = Duration::from_secs(1);

/// A line on standard error, if it is an interactive terminal.
pub struct Progress {
    started: Instant,
    shown: bool,
    bar: Option<ProgressBar>,
    count: u64,
}

impl Progress {
    /// Creates a line that is shown after a while, unless the output is recorded or read by a program.
    pub fn start() -> Self {
        let is_recorded = std::env::var_os("CI").is_some_and(|value| !value.is_empty());
        // Reports on the same terminal show the progress well enough.
        let shown = std::io::stderr().is_terminal() && !std::io::stdout().is_terminal() && !is_recorded;
        Self { started: Instant::now(), shown, bar: None, count: 0 }
    }

    /// Counts one more finished input.
    pub fn step(&mut self) {
        self.count += 1;
        if !self.shown || !self.count.is_multiple_of(16) {
            return;
        }
        if self.bar.is_none() && self.started.elapsed() > MOST_WAITING {
            let bar = ProgressBar::new_spinner();
            if let Ok(style) = ProgressStyle::with_template("{spinner} {human_pos} inputs judged, {per_sec}") {
                bar.set_style(style);
            }
            self.bar = Some(bar);
        }
        if let Some(bar) = &self.bar {
            bar.set_position(self.count);
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
