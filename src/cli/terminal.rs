//! The terminal's colour and width, and the current day.

use std::io::IsTerminal;
use std::time::{SystemTime, UNIX_EPOCH};

use chrono::DateTime;

use super::arguments::ColorWhen;

/// Columns where the width is not known.
const DEFAULT_WIDTH: usize = 100;
/// Longer lines are hard to read however wide the window is.
const WIDEST: usize = 120;

/// Makes standard error follow `--color`.
pub fn set_colour(when: ColorWhen) {
    match when {
        ColorWhen::Auto => {}
        ColorWhen::Always => anstream::ColorChoice::Always.write_global(),
        ColorWhen::Never => anstream::ColorChoice::Never.write_global(),
    }
}

/// True if standard output is to be coloured.
pub fn is_coloured(when: ColorWhen) -> bool {
    match when {
        ColorWhen::Always => true,
        ColorWhen::Never => false,
        ColorWhen::Auto => {
            let is_set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
            let is_dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
            !is_set("NO_COLOR") && (is_set("CLICOLOR_FORCE") || (std::io::stdout().is_terminal() && !is_dumb))
        }
    }
}

/// Columns of standard output.
pub fn width() -> usize {
    match terminal_size::terminal_size_of(std::io::stdout()) {
        Some((width, _)) => usize::from(width.0).min(WIDEST),
        None => DEFAULT_WIDTH,
    }
}

/// Today in UTC, `YYYY-MM-DD`.
pub fn today() -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |elapsed| elapsed.as_secs());
    let day = i64::try_from(seconds).ok().and_then(|seconds| DateTime::from_timestamp(seconds, 0)).unwrap_or_default();
    day.format("%Y-%m-%d").to_string()
}
