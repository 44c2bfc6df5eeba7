//! Dates of birth and numbers of passports, which are known by the label before them alone.

use reqgate_base::model::Span;
use reqgate_text::words::Words;
use reqgate_text::words::calendar::MONTHS;
use reqgate_text::words::personal_labels as lists;

use super::super::lexicon::{Key, Lexicon};
use super::super::nearby;

/// Longest stretch between a label and its value, and longest value, in bytes.
const LONGEST: usize = 96;
/// Years in which a person may be born, and the last year in which "born" describes people rather than products.
const YEARS: std::ops::RangeInclusive<u32> = 1900..=2030;
const LAST_OF_PEOPLE: u32 = 2015;

/// The value that a label announces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Label {
    BirthDate,
    Born,
    Passport,
}

#[derive(Debug)]
pub(super) struct Labels(Lexicon<Label>);

impl Labels {
    pub(super) fn new() -> Self {
        let of = |words: &'static Words, label| words.iter().map(move |word| (word, label));
        let labels = of(lists::BIRTH_DATES, Label::BirthDate)
            .chain(of(lists::BIRTHS, Label::Born))
            .chain(of(lists::PASSPORTS, Label::Passport));
        Self(Lexicon::new(Key::Word, labels))
    }

    /// Every labelled value with the id of its check, in order.
    pub(super) fn find(&self, text: &str) -> Vec<(&'static str, Span)> {
        let mut found: Vec<(&'static str, Span)> = Vec::new();
        self.0.scan(text, |start, end, label| {
            let value = match label {
                Label::Passport => passport(text, end).map(|span| ("passport", span)),
                _ => birth_date(text, start, end, label).map(|span| ("birth-date", span)),
            };
            found.extend(value.filter(|(_, span)| found.last().is_none_or(|(_, last)| last.end <= span.start)));
        });
        found
    }
}

/// The text after a label and the words that lead to its value, and true if one of `signs` is among them.
fn behind_label<'t>(text: &'t str, end: usize, signs: &Words) -> (&'t str, bool) {
    let mut rest = nearby::after(text, end, LONGEST);
    let mut has_sign = false;
    loop {
        let bare = rest.trim_start_matches([' ', '"', '\'', '`', '*', '|', '(', '（', ')', '）', '.']);
        let sign = bare.strip_prefix([':', '：', '=', '#']);
        let word = |words: &Words| {
            words.iter().find_map(|word| {
                let (head, tail) = bare.split_at_checked(word.len())?;
                let is_whole = !word.is_ascii() || !tail.starts_with(|c: char| c.is_ascii_alphanumeric());
                (head.eq_ignore_ascii_case(word) && is_whole).then_some(tail)
            })
        };
        let signed = word(signs);
        has_sign |= signed.is_some();
        match sign.or(signed).or_else(|| word(lists::LEADS)) {
            Some(tail) => rest = tail,
            None => return (bare, has_sign),
        }
    }
}

fn passport(text: &str, end: usize) -> Option<Span> {
    let (value, is_number) = behind_label(text, end, lists::NUMBERS);
    let length = value.bytes().take_while(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit()).count();
    let number = &value[..length];
    let digits = number.bytes().filter(u8::is_ascii_digit).count();
    let ends = !value[length..].starts_with(|c: char| c.is_ascii_alphanumeric() || c == '-');
    (is_number && ends && (7..=9).contains(&length) && digits >= 5).then(|| nearby::place_of(text, number))
}

fn birth_date(text: &str, start: usize, end: usize, label: Label) -> Option<Span> {
    let (value, _) = behind_label(text, end, lists::LEADS);
    let (length, [year, month, day]) = date(value)?;
    let is_real = YEARS.contains(&year) && (1..=12).contains(&month) && (1..=31).contains(&day);
    // The days that examples are made of: the first of the year and the day that most years do not have.
    let is_example = (month, day) == (1, 1) || (month, day) == (2, 29) || is_in_example(text, start);
    let is_person = label == Label::BirthDate || year <= LAST_OF_PEOPLE;
    (is_real && is_person && !is_example).then(|| nearby::place_of(text, &value[..length]))
}

/// Returns true in a line that begins like a criterion or an example.
fn is_in_example(text: &str, at: usize) -> bool {
    let head = nearby::before(text, at, 120);
    let line = head.rsplit('\n').next().unwrap_or(head).trim_start_matches([' ', '-', '*', '|', '>']);
    lists::EXAMPLES.iter().any(|word| line.get(..word.len()).is_some_and(|head| head.eq_ignore_ascii_case(word)))
        || lists::EXAMPLE_MARKS.stand_in(&head.to_ascii_lowercase())
}

/// A date with which the text begins: its length, and year, month and day.
fn date(text: &str) -> Option<(usize, [u32; 3])> {
    let mut numbers: Vec<(u32, usize)> = Vec::new();
    let mut named = None;
    let mut at = 0;
    while numbers.len() + usize::from(named.is_some()) < 3 {
        let rest = &text[at..];
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let letters = rest.bytes().take_while(u8::is_ascii_alphabetic).count();
        if matches!(digits, 1 | 2 | 4) {
            numbers.push((rest[..digits].parse().ok()?, digits));
            at += digits;
        } else if letters >= 3 && named.is_none() {
            named = Some((month(&rest[..letters])?, numbers.len()));
            at += letters;
        } else {
            return None;
        }
        if numbers.len() + usize::from(named.is_some()) == 3 {
            break;
        }
        let rest = &text[at..];
        let ordinal = ["st", "nd", "rd", "th"].iter().find(|ending| rest.starts_with(**ending)).map_or(0, |_| 2);
        let marks = rest[ordinal..].find(|c: char| !matches!(c, '-' | '/' | '.' | ',' | ' ' | '年' | '月'))?;
        if marks == 0 || marks > 4 {
            return None;
        }
        at += ordinal + marks;
    }
    let end = at + text[at..].strip_prefix('日').map_or(0, |_| '日'.len_utf8());
    if text[end..].starts_with(|c: char| c.is_ascii_alphanumeric()) {
        return None;
    }
    let four = |number: &(u32, usize)| (number.1 == 4).then_some(number.0);
    let parts = match (named, numbers.as_slice()) {
        (Some((month, 0 | 1)), [day, year]) => [four(year)?, month, day.0],
        (None, [year, month, day]) if year.1 == 4 => [year.0, month.0, day.0],
        // Day and month change places between countries.
        (None, [one, two, year]) if one.0 > 12 => [four(year)?, two.0, one.0],
        (None, [one, two, year]) => [four(year)?, one.0, two.0],
        _ => return None,
    };
    Some((end, parts))
}

fn month(word: &str) -> Option<u32> {
    let word = word.to_ascii_lowercase();
    let is_month = |month: &str| month == word || word.len() == 3 && month.starts_with(&word);
    MONTHS.iter().position(is_month).and_then(|place| u32::try_from(place + 1).ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_read_as_people_write_them() {
        for text in [
            "1984-03-17",
            "1984/3/17",
            "17.03.1984",
            "03/17/1984",
            "17/03/1984",
            "17 March 1984",
            "17th Mar 1984",
            "March 17, 1984",
            "1984年3月17日",
            "1984年3月17日。",
        ] {
            assert_eq!(date(text).map(|(_, parts)| parts), Some([1984, 3, 17]), "{text}");
        }
        for text in ["YYYY-MM-DD", "17 builds 1984", "1984-03-170", "84-3-17", "version 1"] {
            assert_eq!(date(text).filter(|(_, parts)| YEARS.contains(&parts[0])), None, "{text}");
        }
    }
}
