//! The figures of a statement in a form in which those of two statements can be compared.

use std::sync::LazyLock;

use regex::Regex;

use super::wording::topic;
use crate::model::Span;
use crate::text::quantities::{Dimension, quantities};
use crate::text::words::calendar::MONTHS;
use crate::text::words::drafting_contradictions as lists;

/// The unit of a figure.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unit {
    /// A unit that is known.
    Of(Dimension),
    /// A time of day, in minutes.
    Clock,
    /// The counted thing: "40 chairs".
    Counted(String),
}

/// A figure of a statement.
#[derive(Debug, Clone, PartialEq)]
pub struct Figure {
    /// The unit.
    pub unit: Unit,
    /// Its value in the base unit.
    pub value: f64,
    /// False for one of which the statement says that it does not hold: "not 5", "3 years are not enough".
    pub holds: bool,
}

impl Figure {
    /// True if the other measures the same and has another value.
    pub fn differs(&self, other: &Self) -> bool {
        self.unit == other.unit && !self.equals(other)
    }

    /// True if unit and value are the same.
    pub fn equals(&self, other: &Self) -> bool {
        self.unit == other.unit && (self.value - other.value).abs() <= 1e-9 * self.value.abs().max(other.value.abs())
    }

    /// True for the length of a text and the size of a file.
    pub fn is_size_of_a_field(&self) -> bool {
        match &self.unit {
            Unit::Of(dimension) => *dimension == Dimension::Size,
            Unit::Counted(unit) => unit.starts_with("charact") || matches!(unit.as_str(), "letter" | "字" | "字符"),
            Unit::Clock => false,
        }
    }

    /// True for less than a minute: how fast something is.
    pub fn is_within_a_minute(&self) -> bool {
        self.unit == Unit::Of(Dimension::Time) && self.value < 60.0
    }

    /// True for a duration or a time of day.
    pub fn is_time(&self) -> bool {
        matches!(self.unit, Unit::Of(Dimension::Time) | Unit::Clock)
    }
}

/// Units in words, and the same in terms that the reader knows; the longer ones first.
const RETOLD: [(&str, &str); 26] = [
    ("a fortnight", "14 days"),
    ("fortnight", "14 days"),
    ("the day before", "1 day before"),
    ("the previous day", "1 day before"),
    ("the next day", "1 day later"),
    ("the same day", ""),
    ("working days", "days"),
    ("working day", "day"),
    ("business days", "days"),
    ("calendar days", "days"),
    ("working hours", "hours"),
    ("twice", "2 times"),
    ("once a day", "1 times a day"),
    ("once a week", "1 times a week"),
    ("once a month", "1 times a month"),
    ("once a year", "1 times a year"),
    ("前一个工作日", "前 1 天"),
    ("前一天", "前 1 天"),
    ("前一日", "前 1 天"),
    ("个工作日", "天"),
    ("工作日", "天"),
    ("个自然日", "天"),
    ("年两回", "年 2 次"),
    ("年一回", "年 1 次"),
    ("月两回", "月 2 次"),
    ("月一回", "月 1 次"),
];

/// The figures of a statement, and the words that are part of them.
pub fn figures(words: &str) -> (Vec<Figure>, Vec<String>) {
    static AGE: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"(?i)\d+[ -]years?[ -]old|[\d一二三四五六七八九十]+\s*周?岁").expect("a constant")
    });
    static CLOCK: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"(\d{1,2})[:：](\d\d)\s*(am|pm)?|(\d{1,2})(?:\.(\d\d))?\s*(am|pm)\b").expect("a constant")
    });
    static DISCOUNT: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"(\d{1,2}(?:\.\d)?|[一二三四五六七八九]{1,2})\s*折").expect("a constant"));
    let mut retold = AGE.replace_all(&words.to_lowercase(), " ").into_owned();
    for (from, to) in RETOLD {
        if retold.contains(from) {
            retold = retold.replace(from, to);
        }
    }
    let holds = |span: Span| {
        let before = retold[..span.start].trim_end();
        let behind = retold[span.end..].trim_start();
        !lists::BEFORE_A_WRONG_FIGURE.end(before) && !lists::BEHIND_A_WRONG_FIGURE.begin(behind)
    };
    let mut out = Vec::new();
    let mut own = Vec::new();
    for quantity in quantities(&retold, Span::new(0, retold.len())) {
        own.extend(topic(quantity.span.slice(&retold)));
        let counted = || counted_behind(&retold[quantity.number.end..]);
        let unit = match quantity.dimension {
            Some(Dimension::Count) => {
                let unit = retold[quantity.number.end..quantity.span.end].trim();
                Some(Unit::Counted(one_unit(unit).to_owned()))
            }
            // Amounts of two currencies, or litres and volts, are not compared.
            Some(Dimension::Money | Dimension::Other) => {
                let unit = quantity.span.slice(&retold).replace(['万', '亿'], "");
                let unit =
                    unit.trim_matches(|c: char| c.is_numeric() || c.is_whitespace() || matches!(c, ',' | '.' | '-'));
                Some(Unit::Counted(unit.to_owned()))
            }
            Some(dimension) => Some(Unit::Of(dimension)),
            None => counted().map(Unit::Counted),
        };
        if let Some(unit) = unit {
            out.push(Figure { unit, value: quantity.value, holds: holds(quantity.span) });
        }
    }
    for found in DISCOUNT.captures_iter(&retold) {
        // 85折 and 八五折 are 8.5.
        let digit = |c: char| {
            "零一二三四五六七八九".chars().zip('0'..='9').find_map(|(own, digit)| (own == c).then_some(digit))
        };
        let digits: String = found[1].chars().map(|c| digit(c).unwrap_or(c)).collect();
        let value = digits.parse::<f64>().ok().map(|value| if value >= 10.0 { value / 10.0 } else { value });
        out.extend(value.map(|value| Figure { unit: Unit::Counted("折".to_owned()), value, holds: true }));
    }
    for found in CLOCK.captures_iter(&retold) {
        let part = |one: usize, other: usize| {
            found.get(one).or_else(|| found.get(other)).and_then(|part| part.as_str().parse::<f64>().ok())
        };
        let whole = found.get(0).map_or(0..0, |whole| whole.range());
        // "2.5 pm" of a price list, "1:30:00": part of a longer number.
        let is_part = retold[..whole.start].ends_with(|c: char| c.is_ascii_digit() || matches!(c, '.' | ':' | '：'))
            || retold[whole.end..].starts_with(|c: char| c.is_ascii_digit() || matches!(c, ':' | '：'));
        let half = found.get(3).or_else(|| found.get(6)).map(|half| half.as_str());
        if let Some(hours) = part(1, 4).filter(|hours| *hours <= 24.0 && !is_part) {
            let hours = match half {
                Some("pm") if hours < 12.0 => hours + 12.0,
                Some("am") if (12.0..13.0).contains(&hours) => 0.0,
                _ => hours,
            };
            out.push(Figure { unit: Unit::Clock, value: hours * 60.0 + part(2, 5).unwrap_or_default(), holds: true });
        }
    }
    (out, own)
}

/// One word for the units in which times and people are counted.
fn one_unit(unit: &str) -> &str {
    match unit {
        "次" | "times" => "times",
        "人" | "位" | "名" => "people",
        other => other,
    }
}

/// The minimum length of the word for a counted thing, in characters: a shorter one is an unknown unit.
const SHORTEST_COUNTED: usize = 3;

/// "40 chairs" → "chair".
fn counted_behind(behind: &str) -> Option<String> {
    let word = behind.strip_prefix(' ')?.split(|c: char| !c.is_alphabetic()).next()?;
    let is_word = word.len() >= SHORTEST_COUNTED && word.is_ascii() && !MONTHS.has(word);
    if matches!(word, "people" | "persons" | "person") {
        return Some("people".to_owned());
    }
    is_word.then(|| topic(word).into_iter().next()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(words: &str) -> Vec<(Unit, f64)> {
        figures(words).0.into_iter().filter(|figure| figure.holds).map(|figure| (figure.unit, figure.value)).collect()
    }

    #[test]
    fn times_are_compared_in_whatever_words_they_are_told() {
        let days = |count: f64| vec![(Unit::Of(Dimension::Time), count * 86400.0)];
        assert_eq!(read("lapses after a fortnight"), days(14.0));
        assert_eq!(read("until the day before"), days(1.0));
        assert_eq!(read("within five working days"), days(5.0));
        assert_eq!(read("应于前一个工作日申报"), days(1.0));
        assert_eq!(read("3 个工作日内办结，不是 5 个工作日"), days(3.0));
        assert_eq!(read("closes at 6 pm"), vec![(Unit::Clock, 1080.0)]);
        assert_eq!(read("上午9:00开门，16:00前提交"), vec![(Unit::Clock, 540.0), (Unit::Clock, 960.0)]);
        assert_eq!(read("closes at 12 am"), vec![(Unit::Clock, 0.0)]);
        assert_eq!(read("on 12.05.2026"), vec![]);
    }

    #[test]
    fn what_is_counted_belongs_to_the_figure_and_ages_are_none() {
        assert_eq!(read("at most 25 people"), vec![(Unit::Counted("people".to_owned()), 25.0)]);
        assert_eq!(read("每年两回"), vec![(Unit::Counted("times".to_owned()), 2.0)]);
        assert_eq!(read("a lady 81 years old"), vec![]);
        assert_eq!(read("最后一件打三折"), read("最后一件打 3 折"));
        assert_eq!(read("打八五折"), vec![(Unit::Counted("折".to_owned()), 8.5)]);
        assert_ne!(read("100 EUR")[0].0, read("100 USD")[0].0);
        assert_eq!(read("once a year"), vec![(Unit::Counted("times".to_owned()), 1.0)]);
    }
}
