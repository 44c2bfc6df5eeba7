//! Numbers with their units: `15 minutes`, `2 %`, `三次`, `¥500`.

use super::lexicon::{is_latin_word, latin_length};
use reqgate_base::model::Span;

/// The dimension of a unit; values of one dimension can be compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Dimension {
    /// Durations, in seconds.
    Time,
    /// Sizes of data, in bytes.
    Size,
    /// Shares, in per cent.
    Share,
    /// Any currency; amounts of different currencies are not compared.
    Money,
    /// Lengths and distances, in metres.
    Length,
    /// Weights of things, in kilograms.
    Weight,
    /// Temperatures and other values in degrees.
    Temperature,
    /// Years of a person's age, which are not a duration: a child of 6 cannot be compared with a booking for 12 months.
    Age,
    /// Counts: times, items, people, rows.
    Count,
    /// Any other unit (volts, pixels, requests per second …).
    Other,
}

/// A number in a text.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Quantity {
    /// The number with its unit.
    pub span: Span,
    /// The number without its unit.
    pub number: Span,
    /// Its value in the base unit of the dimension.
    pub value: f64,
    /// The dimension; `None` for a bare number.
    pub dimension: Option<Dimension>,
}

/// Unit, dimension, factor to the base unit. Longer spellings come before the shorter ones that begin them.
const UNITS: &[(&str, Dimension, f64)] = &[
    ("milliseconds", Dimension::Time, 0.001),
    ("millisecond", Dimension::Time, 0.001),
    ("ms", Dimension::Time, 0.001),
    ("seconds", Dimension::Time, 1.0),
    ("second", Dimension::Time, 1.0),
    ("secs", Dimension::Time, 1.0),
    ("sec", Dimension::Time, 1.0),
    ("s", Dimension::Time, 1.0),
    ("minutes", Dimension::Time, 60.0),
    ("minute", Dimension::Time, 60.0),
    ("mins", Dimension::Time, 60.0),
    ("min", Dimension::Time, 60.0),
    ("hours", Dimension::Time, 3600.0),
    ("hour", Dimension::Time, 3600.0),
    ("hrs", Dimension::Time, 3600.0),
    ("h", Dimension::Time, 3600.0),
    ("days", Dimension::Time, 86400.0),
    ("day", Dimension::Time, 86400.0),
    ("weeks", Dimension::Time, 604_800.0),
    ("week", Dimension::Time, 604_800.0),
    ("months", Dimension::Time, 2_592_000.0),
    ("month", Dimension::Time, 2_592_000.0),
    ("years", Dimension::Time, 31_536_000.0),
    ("year", Dimension::Time, 31_536_000.0),
    ("years old", Dimension::Age, 1.0),
    ("year old", Dimension::Age, 1.0),
    ("years-old", Dimension::Age, 1.0),
    ("year-old", Dimension::Age, 1.0),
    ("years of age", Dimension::Age, 1.0),
    ("周岁", Dimension::Age, 1.0),
    ("岁", Dimension::Age, 1.0),
    ("毫秒", Dimension::Time, 0.001),
    ("秒钟", Dimension::Time, 1.0),
    ("秒", Dimension::Time, 1.0),
    ("分钟", Dimension::Time, 60.0),
    ("小时", Dimension::Time, 3600.0),
    ("个小时", Dimension::Time, 3600.0),
    ("天", Dimension::Time, 86400.0),
    ("日内", Dimension::Time, 86400.0),
    ("周", Dimension::Time, 604_800.0),
    ("个月", Dimension::Time, 2_592_000.0),
    ("年", Dimension::Time, 31_536_000.0),
    ("kib", Dimension::Size, 1024.0),
    ("kb", Dimension::Size, 1e3),
    ("mib", Dimension::Size, 1_048_576.0),
    ("mb", Dimension::Size, 1e6),
    ("gib", Dimension::Size, 1_073_741_824.0),
    ("gb", Dimension::Size, 1e9),
    ("tb", Dimension::Size, 1e12),
    ("bytes", Dimension::Size, 1.0),
    ("字节", Dimension::Size, 1.0),
    ("%", Dimension::Share, 1.0),
    ("％", Dimension::Share, 1.0),
    ("percent", Dimension::Share, 1.0),
    ("per cent", Dimension::Share, 1.0),
    ("元", Dimension::Money, 1.0),
    ("万元", Dimension::Money, 1e4),
    ("块钱", Dimension::Money, 1.0),
    ("块", Dimension::Money, 1.0),
    ("€", Dimension::Money, 1.0),
    ("eur", Dimension::Money, 1.0),
    ("euros", Dimension::Money, 1.0),
    ("usd", Dimension::Money, 1.0),
    ("dollars", Dimension::Money, 1.0),
    ("km/h", Dimension::Other, 1.0),
    ("km", Dimension::Length, 1e3),
    ("cm", Dimension::Length, 0.01),
    ("mm", Dimension::Length, 0.001),
    ("metres", Dimension::Length, 1.0),
    ("meters", Dimension::Length, 1.0),
    ("m", Dimension::Length, 1.0),
    ("公里", Dimension::Length, 1e3),
    ("厘米", Dimension::Length, 0.01),
    ("毫米", Dimension::Length, 0.001),
    ("米", Dimension::Length, 1.0),
    ("kg", Dimension::Weight, 1.0),
    ("公斤", Dimension::Weight, 1.0),
    ("吨", Dimension::Weight, 1e3),
    ("°c", Dimension::Temperature, 1.0),
    ("℃", Dimension::Temperature, 1.0),
    ("degrees", Dimension::Temperature, 1.0),
    ("度", Dimension::Temperature, 1.0),
    ("times", Dimension::Count, 1.0),
    ("次", Dimension::Count, 1.0),
    ("条", Dimension::Count, 1.0),
    ("个", Dimension::Count, 1.0),
    ("位", Dimension::Count, 1.0),
    ("人", Dimension::Count, 1.0),
    ("名", Dimension::Count, 1.0),
    ("份", Dimension::Count, 1.0),
    ("台", Dimension::Count, 1.0),
    ("辆", Dimension::Count, 1.0),
    ("笔", Dimension::Count, 1.0),
    ("张", Dimension::Count, 1.0),
    ("件", Dimension::Count, 1.0),
    ("行", Dimension::Count, 1.0),
    ("列", Dimension::Count, 1.0),
    ("页", Dimension::Count, 1.0),
    ("字符", Dimension::Count, 1.0),
    ("字", Dimension::Count, 1.0),
    ("px", Dimension::Other, 1.0),
    ("dpi", Dimension::Other, 1.0),
    ("fps", Dimension::Other, 1.0),
    ("rpm", Dimension::Other, 1.0),
    ("hz", Dimension::Other, 1.0),
    ("v", Dimension::Other, 1.0),
    ("kw", Dimension::Other, 1.0),
    ("l", Dimension::Other, 1.0),
    ("升", Dimension::Other, 1.0),
];

const ENGLISH_NUMBERS: [(&str, f64); 19] = [
    ("half", 0.5),
    ("one", 1.0),
    ("two", 2.0),
    ("three", 3.0),
    ("four", 4.0),
    ("five", 5.0),
    ("six", 6.0),
    ("seven", 7.0),
    ("eight", 8.0),
    ("nine", 9.0),
    ("ten", 10.0),
    ("twelve", 12.0),
    ("fifteen", 15.0),
    ("twenty", 20.0),
    ("thirty", 30.0),
    ("forty", 40.0),
    ("fifty", 50.0),
    ("sixty", 60.0),
    ("ninety", 90.0),
];

/// Every number in a piece of text, in order; spelt numbers only if a unit follows.
pub fn quantities(text: &str, within: Span) -> Vec<Quantity> {
    let slice = within.slice(text);
    let mut out = Vec::new();
    let mut at = 0;
    while let Some(c) = slice[at..].chars().next() {
        let is_boundary = || {
            let before = slice[..at].chars().next_back();
            !before.is_some_and(|before| is_latin_word(before) || before == '.' || before == '#')
        };
        let found = match c {
            '0'..='9' if is_boundary() => digits(slice, at),
            'a'..='z' | 'A'..='Z' if is_boundary() => english_number(slice, at),
            _ if chinese_digit(c).is_some() => chinese_number(slice, at),
            _ => None,
        };
        match found {
            Some((end, value)) => {
                let (quantity, next) = with_unit(slice, at, end, value, c.is_ascii_digit());
                if let Some(mut quantity) = quantity {
                    quantity.span = Span::new(quantity.span.start + within.start, quantity.span.end + within.start);
                    quantity.number =
                        Span::new(quantity.number.start + within.start, quantity.number.end + within.start);
                    out.push(quantity);
                }
                at = next;
            }
            // Skip the whole word, so that `v2` or `abc123` hold no number.
            None if c.is_ascii_alphanumeric() => at += latin_length(&slice[at..]).max(1),
            None => at += c.len_utf8(),
        }
    }
    out
}

fn digits(slice: &str, start: usize) -> Option<(usize, f64)> {
    let bytes = slice.as_bytes();
    let mut end = start;
    let mut value = String::new();
    while end < bytes.len() {
        match bytes[end] {
            b'0'..=b'9' => value.push(char::from(bytes[end])),
            b',' if bytes.get(end + 1..end + 4).is_some_and(|next| next.iter().all(u8::is_ascii_digit)) => {}
            b'.' if bytes.get(end + 1).is_some_and(u8::is_ascii_digit) && !value.contains('.') => value.push('.'),
            _ => break,
        }
        end += 1;
        if value.len() > 18 {
            break;
        }
    }
    // `1.2.3` is a version, `12:30` a time of day, `2024-01-02` a date, `3rd` an ordinal.
    let rest = &slice[end..];
    let next = rest.chars().next();
    let second = rest.chars().nth(1);
    let versioned = matches!(next, Some('.' | ':' | '-' | '/')) && second.is_some_and(|c| c.is_ascii_digit());
    let before = slice[..start].chars().next_back();
    let inside = matches!(before, Some(':' | '/' | '-'))
        && slice[..start].chars().rev().nth(1).is_some_and(|c| c.is_ascii_digit());
    if versioned && !matches!(next, Some('-' | '/')) || inside && !matches!(before, Some('-' | '/')) {
        let skip =
            rest.find(|c: char| !c.is_ascii_digit() && !matches!(c, '.' | ':' | '-' | '/')).unwrap_or(rest.len());
        return Some((end + skip, f64::NAN));
    }
    value.parse().ok().map(|value| (end, value))
}

fn english_number(slice: &str, start: usize) -> Option<(usize, f64)> {
    if !matches!(slice.as_bytes()[start].to_ascii_lowercase(), b'h' | b'o' | b't' | b'f' | b's' | b'e' | b'n') {
        return None;
    }
    let length = slice[start..].bytes().take_while(u8::is_ascii_alphabetic).count();
    let end = start + length;
    let word = &slice[start..end];
    if !(3..=7).contains(&word.len()) {
        return None;
    }
    let value = ENGLISH_NUMBERS.iter().find(|(name, _)| word.eq_ignore_ascii_case(name)).map(|(_, value)| *value)?;
    // "half an hour", "half a year".
    let article = ["half an ", "half a "]
        .iter()
        .find(|words| slice.get(start..start + words.len()).is_some_and(|own| own.eq_ignore_ascii_case(words)));
    Some((article.map_or(end, |words| start + words.len() - 1), value))
}

fn chinese_digit(c: char) -> Option<f64> {
    if c.is_ascii() {
        return None;
    }
    "零一二三四五六七八九".chars().position(|d| d == c).map(|n| n as f64).or(match c {
        '两' => Some(2.0),
        '十' => Some(10.0),
        '半' => Some(0.5),
        _ => None,
    })
}

fn chinese_number(slice: &str, start: usize) -> Option<(usize, f64)> {
    let mut total = 0.0;
    let mut digit = None;
    let mut end = start;
    for c in slice[start..].chars().take(6) {
        match c {
            '十' => total += digit.take().unwrap_or(1.0) * 10.0,
            '百' if end > start => total += digit.take().unwrap_or(1.0) * 100.0,
            '千' if end > start => total += digit.take().unwrap_or(1.0) * 1000.0,
            _ => match chinese_digit(c) {
                Some(value) => digit = Some(value),
                None => break,
            },
        }
        end += c.len_utf8();
    }
    (end > start).then_some((end, total + digit.unwrap_or(0.0)))
}

/// Attaches the unit after a number, or the currency sign before it; a spelt number without a unit is not a quantity.
fn with_unit(slice: &str, start: usize, end: usize, value: f64, in_digits: bool) -> (Option<Quantity>, usize) {
    let number = Span::new(start, end);
    if value.is_nan() {
        return (None, end);
    }
    let rest = &slice[end..];
    // `260万` and `260 万`.
    let large = rest.trim_start_matches([' ', '\u{a0}']);
    let (large, multiplier) = match large.chars().next() {
        Some(c @ ('万' | '亿')) => (if c == '万' { 1e4 } else { 1e8 }, rest.len() - large.len() + c.len_utf8()),
        _ => (1.0, 0),
    };
    let value = value * large;
    let after_number = end + multiplier;
    let gap = slice[after_number..]
        .chars()
        .take_while(|c| matches!(c, ' ' | '\u{a0}' | '-'))
        .take(1)
        .map(char::len_utf8)
        .sum::<usize>();
    let tail = &slice[after_number + gap..];
    let unit = UNITS
        .iter()
        .filter(|(name, _, _)| tail.get(..name.len()).is_some_and(|t| t.eq_ignore_ascii_case(name)))
        .filter(|(name, _, _)| {
            let latin = name.ends_with(|c: char| c.is_ascii_alphabetic());
            !latin || !tail[name.len()..].starts_with(is_latin_word)
        })
        .max_by_key(|(name, _, _)| name.len());
    if let Some((name, dimension, factor)) = unit {
        let stop = after_number + gap + name.len();
        let quantity =
            Quantity { span: Span::new(start, stop), number, value: value * factor, dimension: Some(*dimension) };
        return (Some(quantity), stop);
    }
    let currency = slice[..start].chars().next_back().filter(|c| matches!(c, '$' | '€' | '£' | '¥' | '￥'));
    let dimension = if currency.is_some() { Some(Dimension::Money) } else { None };
    let glued_word = rest.starts_with(is_latin_word);
    let keep = in_digits && !glued_word || multiplier > 0;
    let span = Span::new(start - currency.map_or(0, char::len_utf8), after_number);
    (keep.then_some(Quantity { span, number, value, dimension }), after_number.max(end))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Vec<(&str, f64)> {
        quantities(text, Span::new(0, text.len())).into_iter().map(|q| (q.span.slice(text), q.value)).collect()
    }

    #[test]
    fn numbers_are_read_with_their_units() {
        assert_eq!(
            read("within 15 minutes and 2.5 % of 1,200 rows"),
            [("15 minutes", 900.0), ("2.5 %", 2.5), ("1,200", 1200.0)]
        );
        assert_eq!(read("three times, five people"), [("three times", 3.0)]);
        assert_eq!(read("十五分钟内最多三次，限额5万元"), [("十五分钟", 900.0), ("三次", 3.0), ("5万元", 50000.0)]);
        assert_eq!(
            read("260万条，约 260 万条，18.6 万元"),
            [("260万条", 2.6e6), ("260 万条", 2.6e6), ("18.6 万元", 186_000.0)]
        );
        assert_eq!(read("$40 or €12.50"), [("$40", 40.0), ("€12.50", 12.5)]);
        assert_eq!(read("half an hour, half of it"), [("half an hour", 1800.0)]);
        assert_eq!(read("半小时内，一半"), [("半小时", 1800.0)]);
    }

    #[test]
    fn an_age_is_not_a_duration() {
        let ages = |text: &str| {
            let read = quantities(text, Span::new(0, text.len()));
            read.iter().filter(|quantity| quantity.dimension == Some(Dimension::Age)).count()
        };
        let (english, chinese) =
            ("14 years old, a 6-year-old, up to 26 years of age", "不超过 6 周岁，满18岁，十四周岁");
        assert_eq!((ages(english), ages(chinese), ages("kept for 3 years, 6 周, 3 年")), (3, 3, 0));
    }

    #[test]
    fn versions_times_of_day_and_names_are_no_quantities() {
        assert_eq!(read("v2 1.2.3 at 12:30, abc123"), []);
    }
}
