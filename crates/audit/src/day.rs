//! Dates without a time, from which the age of a ticket is computed.

use std::fmt;
use std::str::FromStr;

use chrono::NaiveDate;

use reqgate_base::clean::short_line;

/// The only form of a day.
const FORMAT: &str = "%Y-%m-%d";

/// A day of the Gregorian calendar.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Day(NaiveDate);

/// The error for a text that does not begin with a date.
#[derive(Debug, thiserror::Error)]
#[error("`{0}` is not a day: write YYYY-MM-DD")]
pub struct BadDay(String);

impl Day {
    /// The number of days since `earlier`; negative if `earlier` is later than this day.
    pub(crate) fn days_since(self, earlier: Self) -> i64 {
        (self.0 - earlier.0).num_days()
    }
}

impl fmt::Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0.format(FORMAT))
    }
}

impl FromStr for Day {
    type Err = BadDay;

    /// Reads the date at the start of a text; a time may follow after `T` or a blank.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let bad = || BadDay(short_line(text, 40));
        let (date, rest) = text.split_at_checked(10).ok_or_else(bad)?;
        let is_end = rest.is_empty() || rest.starts_with(['T', 't', ' ']);
        let day = NaiveDate::parse_from_str(date, FORMAT).ok().map(Self);
        // The parser also accepts `2026-2-03 `; only the form that can be sorted as text is allowed here.
        day.filter(|day| is_end && day.to_string() == date).ok_or_else(bad)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(text: &str) -> Day {
        text.parse().unwrap_or_else(|error| panic!("{error}"))
    }

    #[test]
    fn days_are_counted_over_months_and_leap_years() {
        for (earlier, later, days) in [
            ("2026-11-22", "2026-11-22", 0),
            ("2026-11-22", "2026-11-23", 1),
            ("2024-02-28", "2024-03-01", 2),
            ("2025-02-28", "2025-03-01", 1),
            ("1970-01-01", "2026-11-21", 20_778),
            ("2000-01-01", "1999-12-31", -1),
        ] {
            assert_eq!(day(later).days_since(day(earlier)), days, "{earlier} {later}");
        }
    }

    #[test]
    fn date_is_read_from_a_timestamp_and_nothing_else() {
        assert_eq!(day("2026-11-21T08:00:00Z").to_string(), "2026-11-21");
        assert_eq!(day("2026-01-02T03:04:05.000+0000").to_string(), "2026-01-02");
        for bad in
            ["", "2026-13-01", "2026-02-29", "2026-00-10", "20261121", "2026-11-21x", "二〇二六-11-21", "2026-1-1"]
        {
            assert!(bad.parse::<Day>().is_err(), "{bad}");
        }
    }
}
