//! Quotes from several named sources: the actual position of the words, and the parts of a text that no quote supports.
//!
//! The line of a quote is computed here, regardless of the author, and its words are shown as they are in the source.
//! If the words cannot be found, the most similar line is reported, so that one correction is enough.

use std::cell::{Cell, OnceCell};
use std::collections::BTreeSet;
use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::figures::{Figure, Limits};
use reqgate_base::model::Span;
use reqgate_text::content_words::content_words;
use reqgate_text::quantities::{Quantity, quantities};
use reqgate_text::quote::Quotable;
use reqgate_text::words::calendar::MONTHS;

/// The minimum share of common words for a line to be reported as the most similar one.
const CLOSE: f64 = 0.5;
/// The maximum number of doubts about one text, and of searches for the most similar line.
const MOST_TOLD: usize = 20;
/// The maximum length of a source's words in a message, in characters.
const LONGEST_SHOWN: usize = 160;
/// The maximum length of the quoted beginning in a doubt, in characters.
const LONGEST_QUOTED: usize = 60;

/// The texts that may be quoted.
#[derive(Debug)]
pub struct Sources<'t> {
    sources: Vec<(&'t str, &'t str, Quotable)>,
    /// The numbers of each source, and its text in lower case; computed when first needed.
    numbers: OnceCell<Vec<Vec<Quantity>>>,
    lower: OnceCell<Vec<String>>,
    /// The number of searches for the most similar line.
    searched: Cell<usize>,
}

/// Words that were found in a source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cited {
    /// The number of the line on which they begin, from 1.
    pub line: u32,
    /// The words as they are in the source.
    pub words: String,
}

/// The reason why a quote is not accepted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Misquoted {
    /// The source does not exist.
    NoSuchSource,
    /// The quote has no meaningful words.
    SaysNothing,
    /// The words are not in the source; the most similar line with its number, if there is one.
    NotThere(Option<(u32, String)>),
}

/// A statement of a text that the sources do not prove.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "doubt", rename_all = "kebab-case")]
pub enum Doubt {
    /// The text names no source.
    NoSource,
    /// It quotes only texts written in this workflow, e.g. the brief.
    OnlyOwnWords,
    /// A number, a date or a name that none of its quotes has.
    Unproven {
        /// The words, as the text has them.
        words: String,
        /// The source that has the words, as `name:line`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        elsewhere: Option<String>,
        /// The beginning of its first quote, if a source has the words elsewhere.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        quoted: Option<String>,
    },
    /// The text repeats one side of a contradiction that is not decided yet.
    Contested {
        /// The beginning of the question about the contradiction.
        question: String,
    },
}

impl Doubt {
    /// The unproven words, if they have a figure.
    pub fn figure(self) -> Option<String> {
        match self {
            Self::Unproven { words, .. } if words.contains(|c: char| c.is_ascii_digit()) => Some(words),
            _ => None,
        }
    }
}

impl<'t> Sources<'t> {
    /// Reads the texts, each with its name.
    pub fn new(texts: impl IntoIterator<Item = (&'t str, &'t str)>) -> Self {
        let sources = texts.into_iter().map(|(name, text)| (name, text, Quotable::new(text))).collect();
        Self { sources, numbers: OnceCell::new(), lower: OnceCell::new(), searched: Cell::new(0) }
    }

    /// Returns true if a source has this name.
    pub fn has(&self, name: &str) -> bool {
        self.sources.iter().any(|(own, ..)| *own == name)
    }

    /// Finds the quoted words in the source of that name.
    ///
    /// # Errors
    /// Returns the reason why the quote is not accepted.
    pub fn find(&self, name: &str, quote: &str) -> Result<Cited, Misquoted> {
        let known = self.sources.iter().find(|(own, ..)| *own == name);
        let (_, text, quotable) = known.ok_or(Misquoted::NoSuchSource)?;
        let wanted = content_words(quote);
        if wanted.is_empty() {
            return Err(Misquoted::SaysNothing);
        }
        match quotable.find_shortened(quote) {
            Some(span) => {
                let span = with_marks(text, span, quote);
                Ok(Cited { line: line_of(text, span.start), words: span.slice(text).to_owned() })
            }
            // Each search reads the source again, and after many wrong quotes further suggestions do not help.
            None if self.searched.replace(self.searched.get() + 1) >= MOST_TOLD => Err(Misquoted::NotThere(None)),
            None => Err(Misquoted::NotThere(closest(text, &wanted))),
        }
    }

    /// The numbers, dates and names of a text that none of its quotes contains. A number matches in another unit (60
    /// minutes, one hour). A name is a word with a capital letter within a sentence that does not occur in any source.
    pub fn unproven(&self, text: &str, quotes: &[&str]) -> Vec<Doubt> {
        self.unproven_below(text, None, quotes)
    }

    /// As [`Self::unproven`] for an acceptance criterion: a value next to a limit in the requirement's statement or
    /// quotes is accepted. The limit itself must be in a quote.
    pub fn unproven_in_criterion(&self, criterion: &str, statement: &str, quotes: &[&str]) -> Vec<Doubt> {
        self.unproven_below(criterion, Some(statement), quotes)
    }

    fn unproven_below(&self, text: &str, statement: Option<&str>, quotes: &[&str]) -> Vec<Doubt> {
        let quoted = quotes.join("\n");
        let limits = statement.map(|statement| Limits::of(statement, &quoted)).unwrap_or_default();
        let known = quantities(&quoted, Span::new(0, quoted.len()));
        let lower = quoted.to_lowercase();
        let mut doubts = Vec::new();
        let mut seen = BTreeSet::new();
        let own = quantities(text, Span::new(0, text.len()));
        // A number in words is seldom a figure: "one of them", 一位.
        let in_figures = own.iter().filter(|number| number.number.slice(text).contains(|c: char| c.is_ascii_digit()));
        // The number of an id is part of a name: SPD-212.
        let in_figures = in_figures.filter(|number| !is_in_id(&text[..number.number.start]));
        for number in in_figures {
            let words = number.span.slice(text).trim();
            let own = Figure { text, quantity: number };
            let quoted = quoted.as_str();
            let is_alone = |other: &Quantity| {
                other.dimension.is_none()
                    && has_same_digits(number, text, other, quoted)
                    && own.may_count_with(Figure { text: quoted, quantity: other })
            };
            let is_known =
                known.iter().any(|other| own.is_same(Figure { text: quoted, quantity: other }) || is_alone(other))
                    || is_clock_time(words, &known, &lower)
                    || limits.are_tested_by(own);
            // Zero and one are seldom deliberate figures: “free” is read as a price of 0.
            let is_counted = number.value > 1.0 || number.dimension.is_some();
            if is_counted && !is_known && seen.insert(words.to_lowercase()) {
                if doubts.len() == MOST_TOLD {
                    return doubts;
                }
                let numbers =
                    self.numbers.get_or_init(|| self.sources.iter().map(|(_, text, _)| figures(text)).collect());
                let place = |fits: &dyn Fn(&Quantity, &str) -> bool| {
                    let found = |at: usize| numbers[at].iter().find(|other| fits(other, self.sources[at].1));
                    self.elsewhere(|at| found(at).map(|other| other.span.start))
                };
                // For “2 photos”, the same words are preferred to “2 files”, and these to “step 2”.
                let is_same = |quantity: &Quantity, text: &str| own.is_same(Figure { text, quantity });
                let elsewhere = place(&|other, text| is_same(other, text) && other.span.slice(text).trim() == words)
                    .or_else(|| place(&|other, text| is_same(other, text) && number.dimension == other.dimension))
                    .or_else(|| place(&|other, text| is_same(other, text)));
                doubts.push(unproven(words, elsewhere, quotes));
            }
        }
        for word in words(text) {
            let is_in_number = own.iter().any(|number| number.span.overlaps(word.span));
            let spelled = word.span.slice(text);
            let folded = spelled.to_lowercase();
            let has_figure = spelled.contains(|c: char| c.is_ascii_digit());
            let is_proven =
                lower.contains(&folded) || is_clock_time(spelled, &known, &lower) || names_month(&folded, &lower);
            let is_test = || limits.are_tested_at(text, word.span);
            if is_in_number || !(has_figure || word.is_name) || is_proven || is_test() {
                continue;
            }
            if doubts.len() == MOST_TOLD {
                return doubts;
            }
            let texts =
                self.lower.get_or_init(|| self.sources.iter().map(|(_, text, _)| text.to_lowercase()).collect());
            let elsewhere = self.elsewhere(|at| texts[at].find(&folded));
            // A name that occurs anywhere in the sources was not invented.
            let is_invented = elsewhere.is_none() && !texts.iter().any(|text| names_month(&folded, text));
            if (has_figure || is_invented) && seen.insert(folded) {
                doubts.push(unproven(spelled, elsewhere, quotes));
            }
        }
        doubts
    }

    /// The first source in which `find` succeeds, with its line.
    fn elsewhere(&self, find: impl Fn(usize) -> Option<usize>) -> Option<String> {
        let sources = self.sources.iter().enumerate();
        sources.into_iter().find_map(|(at, (name, text, _))| Some(format!("{name}:{}", line_of(text, find(at)?))))
    }
}

impl fmt::Display for Misquoted {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoSuchSource => out.write_str("there is no such source"),
            Self::SaysNothing => out.write_str("the quote says nothing: quote the words that say it"),
            Self::NotThere(None) => out.write_str("the quote is not in the source: quote word for word"),
            Self::NotThere(Some((line, words))) => {
                write!(out, "the quote is not in the source: quote word for word; closest is line {line}: “{words}”")
            }
        }
    }
}

/// The span of a quote, extended by the marks around it that were quoted too: a full stop, a bracket, a quotation mark.
fn with_marks(text: &str, span: Span, quote: &str) -> Span {
    let is_mark = |c: &char| !c.is_alphanumeric() && !c.is_whitespace();
    let marks = |words: &str| {
        let before = words.chars().take_while(is_mark).count();
        (before, words.chars().rev().take_while(is_mark).count())
    };
    let (quoted, found) = (marks(quote.trim()), marks(span.slice(text)));
    let (before, behind) = (quoted.0.saturating_sub(found.0), quoted.1.saturating_sub(found.1));
    let width = |marks: &mut dyn Iterator<Item = char>| marks.map(char::len_utf8).sum::<usize>();
    let start = span.start - width(&mut text[..span.start].chars().rev().take_while(is_mark).take(before));
    let end = span.end + width(&mut text[span.end..].chars().take_while(is_mark).take(behind));
    Span::new(start, end)
}

/// The line number of a byte, from 1.
fn line_of(text: &str, at: usize) -> u32 {
    let before = text.bytes().take(at).filter(|byte| *byte == b'\n').count();
    u32::try_from(before + 1).unwrap_or(u32::MAX)
}

/// The line that shares the most words with a quote, if it shares at least half of them.
fn closest(text: &str, wanted: &[String]) -> Option<(u32, String)> {
    let shares = |line: &str| {
        let words = content_words(line);
        wanted.iter().filter(|word| words.binary_search(word).is_ok()).count() as f64 / wanted.len() as f64
    };
    let lines = text.lines().enumerate().map(|(at, line)| (shares(line), at, line));
    let (share, at, line) = lines.reduce(|best, next| if next.0 > best.0 { next } else { best })?;
    let shown: String = line.trim().chars().take(LONGEST_SHOWN).collect();
    (share >= CLOSE).then(|| (u32::try_from(at + 1).unwrap_or(u32::MAX), shown))
}

/// The figures of a text, without the numbers of list items and headings.
fn figures(text: &str) -> Vec<Quantity> {
    let mut all = quantities(text, Span::new(0, text.len()));
    all.retain(|quantity| !numbers_a_line(text, quantity));
    all
}

/// Returns true for the 2 of `2. Links end`, `(2) Links end`, 2、链接失效, and `## 2 Links`.
fn numbers_a_line(text: &str, quantity: &Quantity) -> bool {
    let Span { start, end } = quantity.number;
    let before = text[..start].rsplit('\n').next().unwrap_or_default();
    let marks = |c: char| c.is_whitespace() || matches!(c, '#' | '>' | '*' | '-' | '+' | '|' | '_' | '(' | '（' | '[');
    if !before.chars().all(marks) {
        return false;
    }
    let mut behind = text[end..].chars();
    match behind.next() {
        Some('.' | '．') => behind.next().is_none_or(char::is_whitespace) || before.contains('#'),
        Some(')' | '）' | ']' | '、') => true,
        Some(' ') => before.contains('#') && quantity.span == quantity.number,
        _ => false,
    }
}

/// Returns true for the same digits: “60 days” is supported by “it's 60 now”.
fn has_same_digits(one: &Quantity, text: &str, other: &Quantity, quoted: &str) -> bool {
    let digits = |number: Span, text: &str| number.slice(text).replace([',', '，'], "");
    digits(one.number, text) == digits(other.number, quoted)
}

fn unproven(words: &str, elsewhere: Option<String>, quotes: &[&str]) -> Doubt {
    let shown = |quote: &&str| {
        let words = quote.split_whitespace().collect::<Vec<_>>().join(" ");
        let cut = words.char_indices().nth(LONGEST_QUOTED).map(|(at, _)| format!("{}…", words[..at].trim_end()));
        cut.unwrap_or(words)
    };
    let quoted = quotes.first().map(shown).filter(|_| elsewhere.is_some());
    Doubt::Unproven { words: words.to_owned(), elsewhere, quoted }
}

/// Returns true for a month that a lower-case text names in its other form: February and Feb, Sept. and September.
fn names_month(word: &str, text: &str) -> bool {
    let is_of =
        |word: &str, month: &str| word == month || word == &month[..3] || word == "sept" && month == "september";
    let month = MONTHS.en.iter().find(|month| is_of(word, month));
    let words = |month: &str| text.split(|c: char| !c.is_alphanumeric()).any(|word| is_of(word, month));
    month.is_some_and(words)
}

/// Returns true if the text ends with a letter and a hyphen, so that a following number belongs to an id.
fn is_in_id(before: &str) -> bool {
    before.strip_suffix(['-', '_']).is_some_and(|name| name.ends_with(|c: char| c.is_ascii_alphabetic()))
}

/// Returns true for a full hour such as `14:00` that is known as `14 点`, `2 pm` or 下午两点.
fn is_clock_time(words: &str, known: &[Quantity], text: &str) -> bool {
    const HOURS: [&str; 13] =
        ["零点", "一点", "两点", "三点", "四点", "五点", "六点", "七点", "八点", "九点", "十点", "十一点", "十二点"];
    let Some((hour, "00")) = words.split_once([':', '：']) else { return false };
    let Ok(hour) = hour.parse::<u8>() else { return false };
    let spoken = if hour == 12 { 12 } else { hour % 12 };
    let in_figures = |other: &Quantity| [hour, spoken].iter().any(|hour| f64::from(*hour) == other.value);
    hour <= 24 && (known.iter().any(in_figures) || text.contains(HOURS[usize::from(spoken)]))
}

struct Word {
    span: Span,
    /// It starts with a capital letter within a sentence.
    is_name: bool,
}

/// The words of a text in Latin letters and digits, with inner marks: `FR-012`, `2026-12-01`, `v2.1`.
fn words(text: &str) -> Vec<Word> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c.is_alphabetic() && (c as u32) < 0x250;
    let mut found = Vec::new();
    let mut start: Option<usize> = None;
    // A sentence begins at the start, after the end of another, and after a colon, a line break or a quotation mark.
    let mut begins = true;
    for (at, c) in text.char_indices().chain([(text.len(), ' ')]) {
        let inside = is_part(c) || start.is_some() && matches!(c, '.' | '-' | ':' | '/' | '_' | '\'' | '’');
        if inside {
            start.get_or_insert(at);
            continue;
        }
        if let Some(from) = start.take() {
            let bare = text[from..at].trim_end_matches(['.', '-', ':', '/', '_', '\'', '’']);
            let span = Span::new(from, from + bare.len());
            let letters = bare.chars().all(|c| is_part(c) && !c.is_ascii_digit());
            let is_name = !begins && letters && bare.chars().count() > 2 && bare.starts_with(char::is_uppercase);
            begins = text[span.end..at].contains(['.', ':']);
            found.push(Word { span, is_name });
        }
        begins |= !(c.is_whitespace() && c != '\n' || matches!(c, ',' | '(' | ')' | '[' | ']'));
    }
    found
}

#[cfg(test)]
mod tests;
