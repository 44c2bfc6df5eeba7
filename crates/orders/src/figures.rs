//! Compares figures with those of a source: whether they count the same kind of thing, and whether one tests a limit
//! that the other states.

use reqgate_base::model::Span;
use reqgate_text::lexicon::is_cjk;
use reqgate_text::quantities::{Dimension, Quantity, quantities};
use reqgate_text::words::Words;
use reqgate_text::words::bounds::{
    AT_LEAST, AT_LEAST_BEHIND, AT_MOST, AT_MOST_BEHIND, COMPARATIVES, DAY_MARKS, FILE, HOUR_MARKS, MACHINE,
    MONTH_MARKS, OVER, PEOPLE, PERIOD_BEFORE, PERIOD_BEHIND, RESTATING, ROW, STRETCHES, TEXT_PARTS, TIMES,
};
use reqgate_text::words::calendar::MONTHS;

/// The maximum distance between the words of a limit and its figure, in characters.
const LONGEST_BEFORE: usize = 24;
/// The number of seconds in a year.
const YEAR: f64 = 31_536_000.0;
/// The number of minutes in a day.
const DAY: i32 = 24 * 60;

/// A figure and the text that contains it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Figure<'t> {
    /// The text that contains the figure.
    pub(super) text: &'t str,
    /// The figure within the text.
    pub(super) quantity: &'t Quantity,
}

/// The kind of thing that a figure counts, if its words show it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Month,
    Day,
    Hour,
    People,
    Times,
    Machines,
    Files,
    Rows,
    Text,
}

impl<'t> Figure<'t> {
    fn before(self) -> &'t str {
        &self.text[..self.quantity.span.start]
    }

    fn behind(self) -> &'t str {
        self.text[self.quantity.span.end..].trim_start_matches([' ', '-', '\u{a0}'])
    }

    /// Returns true for the same value of the same kind of thing. A figure without a unit matches any kind except
    /// dates. The years in an age are years.
    pub(super) fn is_same(self, other: Figure<'_>) -> bool {
        let (one, two) = (self.quantity, other.quantity);
        let near = |one: f64, two: f64| (one - two).abs() <= one.abs() * 1e-9;
        let is_age = |age: &Quantity, time: &Quantity| {
            (age.dimension, time.dimension) == (Some(Dimension::Age), Some(Dimension::Time))
                && near(age.value * YEAR, time.value)
        };
        let same_dimension = one.dimension == two.dimension || one.dimension.is_none() || two.dimension.is_none();
        same_dimension && near(one.value, two.value) && self.may_count_with(other)
            || is_age(one, two)
            || is_age(two, one)
    }

    /// Returns false if two figures count different things: 11人 and 11月, 4次 and 四位.
    pub(super) fn may_count_with(self, other: Figure<'_>) -> bool {
        let is_date = |kind: Option<Kind>| matches!(kind, Some(Kind::Month | Kind::Day | Kind::Hour));
        match (self.kind(), other.kind()) {
            (Some(one), Some(two)) => one == two,
            // A date does not match anything that is counted or measured.
            (None, date) if is_date(date) => self.quantity.dimension.is_none(),
            (date, None) if is_date(date) => other.quantity.dimension.is_none(),
            // A frequency is not a count of things.
            (None, Some(Kind::Times)) => self.quantity.dimension != Some(Dimension::Count),
            (Some(Kind::Times), None) => other.quantity.dimension != Some(Dimension::Count),
            _ => true,
        }
    }

    fn kind(self) -> Option<Kind> {
        match self.quantity.dimension {
            None => self.date().or_else(|| counted(&self.noun())),
            Some(Dimension::Count) => counted(&self.noun()),
            Some(_) => None,
        }
    }

    /// The kind of a part of a date, or of an hour: 11月, `9 Oct`, `Feb 3`, `2 pm`.
    fn date(self) -> Option<Kind> {
        let behind = self.behind().to_lowercase();
        let names_month = |word: &str| {
            let word = word.trim_end_matches('.');
            MONTHS.en.iter().any(|month| word == month || word == &month[..3]) || word == "sept"
        };
        let next = behind.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
        let last = self.before().trim_end().rsplit(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
        if MONTH_MARKS.begin(&behind) {
            Some(Kind::Month)
        } else if DAY_MARKS.begin(&behind) || names_month(next) || names_month(&last.to_lowercase()) {
            Some(Kind::Day)
        } else if HOUR_MARKS.zh.iter().any(|mark| behind.starts_with(mark))
            || HOUR_MARKS.en.iter().any(|mark| mark == next)
        {
            Some(Kind::Hour)
        } else {
            None
        }
    }

    /// The counted thing: its counter or its noun, in lower case and without the plural s.
    fn noun(self) -> String {
        let unit = &self.text[self.quantity.number.end..self.quantity.span.end];
        let unit = unit.trim_start_matches([' ', '-', '\u{a0}']);
        let words = if unit.is_empty() || unit == "个" { self.behind() } else { unit };
        match words.chars().next() {
            Some(first) if is_cjk(first) => first.to_string(),
            _ => {
                let word = words.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default().to_lowercase();
                word.strip_suffix('s').map_or(word.clone(), str::to_owned)
            }
        }
    }

    /// The value of one of its unit, or of its last decimal place; `None` for a number in words.
    fn step(self) -> Option<f64> {
        let digits = self.quantity.number.slice(self.text).replace(',', "");
        let decimals = digits.split_once('.').map_or(0, |(_, behind)| behind.len());
        let number = digits.parse::<f64>().ok().filter(|number| *number != 0.0)?;
        Some(self.quantity.value / number / 10_f64.powi(i32::try_from(decimals).unwrap_or(i32::MAX)))
    }

    /// Returns true if its words mark it as a limit.
    fn is_limit(self) -> bool {
        is_limit(self.text, self.quantity.span)
    }

    /// Returns true for the day, week or page whose number is that of a limit or next to it: day 61 for “after 60
    /// days”.
    fn is_numbered_at(self, limit: Figure<'_>) -> bool {
        let last = self.before().trim_end().rsplit(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
        let digits = limit.quantity.number.slice(limit.text).parse::<f64>();
        let is_near = |number: f64| (self.quantity.value - number).abs() <= 1.0;
        self.quantity.dimension.is_none()
            && !last.is_empty()
            && last.to_lowercase() == limit.noun()
            && digits.is_ok_and(is_near)
    }

    /// Returns true for the value of a variable: `N = 501`.
    fn is_assigned(self) -> bool {
        self.before().trim_end().ends_with(['=', '＝'])
    }

    /// Returns true for a value next to a limit, as used by a test of the limit: 9 or 11 characters for “at most 10
    /// characters”.
    fn tests(self, limit: Figure<'_>) -> bool {
        if self.is_numbered_at(limit) {
            return !restates(self.text, self.quantity.span);
        }
        let Some(step) = self.step() else { return false };
        let apart = (self.quantity.value - limit.quantity.value).abs() - step;
        self.quantity.dimension == limit.quantity.dimension
            && limit.step().is_none_or(|of_limit| step <= of_limit)
            && apart.abs() <= limit.quantity.value.abs() * 1e-9
            && (measures(self.quantity) || self.noun() == limit.noun() || self.is_assigned())
            && !restates(self.text, self.quantity.span)
    }
}

/// Returns true for a figure whose unit is sufficient: 59 minutes, 201 kB.
fn measures(quantity: &Quantity) -> bool {
    !matches!(quantity.dimension, None | Some(Dimension::Count | Dimension::Other))
}

/// The kind of a counted thing, from its noun or counter.
fn counted(noun: &str) -> Option<Kind> {
    let kinds: [(&Words, Kind); 6] = [
        (PEOPLE, Kind::People),
        (TIMES, Kind::Times),
        (MACHINE, Kind::Machines),
        (FILE, Kind::Files),
        (ROW, Kind::Rows),
        (TEXT_PARTS, Kind::Text),
    ];
    kinds.into_iter().find(|(words, _)| words.has(noun)).map(|(_, kind)| kind)
}

/// The words before a position in the same clause, in lower case.
fn before(text: &str, at: usize) -> String {
    let clause = text[..at].rsplit(['.', '。', ';', '；', ',', '，', '\n', '(', '（']).next().unwrap_or_default();
    let skipped = clause.chars().count().saturating_sub(LONGEST_BEFORE);
    clause.chars().skip(skipped).collect::<String>().to_lowercase()
}

/// Returns true if words of a list occur before a figure, with no other figure between them.
fn stands_before(words: &Words, before: &str) -> bool {
    let own = before.rsplit(|c: char| c.is_ascii_digit()).next().unwrap_or_default();
    words.zh.iter().any(|word| own.contains(word))
        || words.en.iter().any(|word| {
            own.match_indices(word).any(|(at, _)| {
                let apart = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric());
                apart(own[..at].chars().next_back()) && apart(own[at + word.len()..].chars().next())
            })
        })
}

fn is_limit(text: &str, span: Span) -> bool {
    let before = before(text, span.start);
    let behind = text[span.end..].trim_start().to_lowercase();
    // Words after the figure: “7 days ahead”, “8 个字以内”, “60 minutes after”. A noun may come first.
    let next = behind.split_once(' ').map_or("", |(_, rest)| rest.trim_start());
    let is_behind = |words: &Words| words.begin(&behind) || words.en.iter().any(|word| next.starts_with(word));
    ends_range(text, span)
        || [AT_MOST, AT_LEAST, OVER, COMPARATIVES, PERIOD_BEFORE, STRETCHES]
            .into_iter()
            .any(|words| stands_before(words, &before))
        || [AT_MOST_BEHIND, AT_LEAST_BEHIND, PERIOD_BEHIND].into_iter().any(is_behind)
}

/// Returns true for either end of a range: `1–500`, “from 7 to 3650”, 1 到 5 个.
fn ends_range(text: &str, span: Span) -> bool {
    const BETWEEN: [&str; 7] = ["–", "-", "~", "..", "to", "至", "到"];
    let digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
    let (before, behind) = (text[..span.start].trim_end(), text[span.end..].trim_start());
    let ends = |word| before.strip_suffix(word).is_some_and(|rest: &str| digit(rest.trim_end().chars().next_back()));
    let begins = |word| behind.strip_prefix(word).is_some_and(|rest: &str| digit(rest.trim_start().chars().next()));
    BETWEEN.into_iter().any(|word| ends(word) || begins(word))
}

/// Returns true if the words before a figure restate a limit.
fn restates(text: &str, span: Span) -> bool {
    stands_before(RESTATING, &before(text, span.start))
}

/// Words that begin the outcome of a criterion.
const OUTCOMES: [&str; 3] = ["then ", "那么", "则"];

/// Returns true for a figure in the situation of a criterion, before its outcome: “Given 23 hours …, then …”.
fn is_of_situation(text: &str, span: Span) -> bool {
    let behind = text[span.end..].to_lowercase();
    OUTCOMES.iter().any(|word| behind.contains(word))
}

/// The limits of a requirement, with which the values in its criteria are compared.
#[derive(Debug, Default)]
pub(super) struct Limits<'t> {
    /// Every proven figure, with true if words mark it as a limit.
    figures: Vec<(&'t str, Quantity, bool)>,
    /// The limits that are times of day, in minutes since midnight.
    times: Vec<i32>,
}

impl<'t> Limits<'t> {
    /// The limits in quotes, and those limits of a statement whose value is in a quote.
    pub(crate) fn of(statement: &'t str, quoted: &'t str) -> Self {
        let read = |text: &'t str| quantities(text, Span::new(0, text.len())).into_iter().map(move |one| (text, one));
        let known: Vec<(&str, Quantity)> = read(quoted).collect();
        let is_proven = |(text, one): &(&str, Quantity)| {
            let one = Figure { text, quantity: one };
            known.iter().any(|(text, other)| one.is_same(Figure { text, quantity: other }))
        };
        let stated: Vec<(&str, Quantity)> = read(statement).filter(is_proven).collect();
        let with_words = |(text, quantity): (&'t str, Quantity)| {
            let is_limit = Figure { text, quantity: &quantity }.is_limit();
            (text, quantity, is_limit)
        };
        let proven: Vec<i32> = times(quoted).into_iter().map(|(minutes, _)| minutes).collect();
        let stated_times = times(statement).into_iter().filter(|(minutes, _)| proven.contains(minutes));
        let in_time = |text: &'t str| move |(_, span): &(i32, Span)| self::is_limit(text, *span);
        let of_times = times(quoted).into_iter().filter(in_time(quoted)).chain(stated_times.filter(in_time(statement)));
        Self {
            times: of_times.map(|(minutes, _)| minutes).collect(),
            figures: known.into_iter().chain(stated).map(with_words).collect(),
        }
    }

    /// Returns true for a figure that tests one of the limits. In a situation, every value next to a figure does. An
    /// outcome that is off by one is more likely a mistake, unless words mark the known figure as a limit.
    pub(super) fn are_tested_by(&self, figure: Figure<'_>) -> bool {
        let is_input = is_of_situation(figure.text, figure.quantity.span);
        let mut known = self.figures.iter().filter(|(_, _, is_limit)| *is_limit || is_input);
        known.any(|(text, quantity, _)| figure.tests(Figure { text, quantity }))
    }

    /// Returns true for a time of day one minute before or after one of the limits.
    pub(super) fn are_tested_at(&self, text: &str, span: Span) -> bool {
        let Some(time) = minutes(span.slice(text)) else { return false };
        let is_next = |limit: &i32| [1, DAY - 1].contains(&(time - limit).abs());
        self.times.iter().any(is_next) && !restates(text, span)
    }
}

/// The times of day in a text, in minutes since midnight.
fn times(text: &str) -> Vec<(i32, Span)> {
    let mut found = Vec::new();
    for (at, _) in text.match_indices([':', '：']) {
        let hours = text[..at].bytes().rev().take(2).take_while(u8::is_ascii_digit).count();
        let colon = text[at..].chars().next().map_or(1, char::len_utf8);
        let rest = text[at + colon..].bytes().take_while(u8::is_ascii_digit).count();
        let span = Span::new(at - hours, at + colon + rest);
        if let Some(minutes) = minutes(span.slice(text)) {
            found.push((minutes, span));
        }
    }
    found
}

/// The minutes since midnight of a time such as `22:59`.
fn minutes(words: &str) -> Option<i32> {
    let (hours, minutes) = words.split_once([':', '：'])?;
    let (hours, minutes) = (hours.parse::<i32>().ok()?, minutes.parse::<i32>().ok().filter(|_| minutes.len() == 2)?);
    ((0..=24).contains(&hours) && (0..60).contains(&minutes)).then_some(hours * 60 + minutes)
}
