//! Days, so that an age can be told from two dates.

use std::fmt;
use std::str::FromStr;

/// A day of the Gregorian calendar.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Day {
    year: i64,
    month: i64,
    day: i64,
}

/// A text that does not begin with a date.
#[derive(Debug, thiserror::Error)]
#[error("`{0}` is not a day: write YYYY-MM-DD")]
pub struct BadDay(String);

impl Day {
    /// Days from `earlier` to this day; negative if it lies before.
    pub fn days_since(self, earlier: Self) -> i64 {
        self.number() - earlier.number()
    }

    /// Days counted from a fixed one, by the usual trick of a year that begins in March.
    fn number(self) -> i64 {
        let (year, month) = if self.month > 2 { (self.year, self.month - 3) } else { (self.year - 1, self.month + 9) };
        year * 365 + year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400) + (month * 153 + 2) / 5 + self.day
    }
}

impl fmt::Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }
}

impl FromStr for Day {
    type Err = BadDay;

    /// Reads the date at the beginning of a text; a time may follow after `T` or a blank.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let bad = || BadDay(text.chars().filter(|c| !c.is_control()).take(40).collect());
        let (date, rest) = text.split_at_checked(10).ok_or_else(bad)?;
        let bytes = date.as_bytes();
        let is_end = rest.is_empty() || rest.starts_with(['T', 't', ' ']);
        let is_shape =
            bytes.iter().enumerate().all(|(at, b)| if matches!(at, 4 | 7) { *b == b'-' } else { b.is_ascii_digit() });
        if !is_end || !is_shape {
            return Err(bad());
        }
        let number = |range: std::ops::Range<usize>| date.get(range).and_then(|part| part.parse::<i64>().ok());
        let (Some(year), Some(month), Some(day)) = (number(0..4), number(5..7), number(8..10)) else {
            return Err(bad());
        };
        let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
        let length = match month {
            2 => 28 + i64::from(is_leap),
            4 | 6 | 9 | 11 => 30,
            1..=12 => 31,
            _ => return Err(bad()),
        };
        if (1..=length).contains(&day) { Ok(Self { year, month, day }) } else { Err(bad()) }
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
