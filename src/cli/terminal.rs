//! What the terminal can do: colour, width, and what day it is.

use std::io::IsTerminal;
use std::time::{SystemTime, UNIX_EPOCH};

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
    let (year, month, day) = civil(seconds / 86_400);
    format!("{year:04}-{month:02}-{day:02}")
}

/// The date of a day counted from 1970-01-01.
fn civil(mut days: u64) -> (u64, u64, u64) {
    let is_leap = |year: u64| year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    // Whole cycles of 400 years first: a clock that is far off must not cost time.
    let mut year = 1970 + days / 146_097 * 400;
    days %= 146_097;
    loop {
        let length = if is_leap(year) { 366 } else { 365 };
        if days < length {
            break;
        }
        days -= length;
        year += 1;
    }
    let february = if is_leap(year) { 29 } else { 28 };
    let lengths = [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let mut month = 1;
    for length in lengths {
        if days < length {
            break;
        }
        days -= length;
        month += 1;
    }
    (year, month, days + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_become_dates() {
        for (days, date) in [
            (0, (1970, 1, 1)),
            (58, (1970, 2, 28)),
            (59, (1970, 3, 1)),
            (11_016, (2000, 2, 29)),
            (20_778, (2026, 11, 21)),
            (146_097, (2370, 1, 1)),
        ] {
            assert_eq!(civil(days), date, "{days}");
        }
    }
}
