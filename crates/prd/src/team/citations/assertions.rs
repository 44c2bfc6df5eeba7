//! Finds assertions without a citation in the sections that need evidence: only figures, forecasts and known competitors.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::clauses::{Names, asserted_clauses};
use crate::team::sections::{SectionId, parts};
use reqgate_base::model::Span;
use reqgate_docs::lines::{self, LineKind};
use reqgate_text::lexicon::is_cjk;
use reqgate_text::quantities::{Dimension, Quantity, quantities};
use reqgate_text::sentences::sentences;
use reqgate_text::words::Words;
use reqgate_text::words::calendar::MONTHS;
use reqgate_text::words::evidence::{FORECAST, PRODUCT_NAMES, REFERENCES, UNTIL};

/// The kind of an assertion.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Assertion {
    /// A share in per cent.
    Percentage,
    /// An amount of money.
    Money,
    /// Any other figure.
    Figure,
    /// A statement about a future year.
    Forecast,
    /// A statement about a competitor that the research named.
    Competitor,
}

/// An assertion without a citation in its sentence or row.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct UncitedAssertion {
    /// The line number, from 1.
    pub line: u32,
    /// The section of the assertion.
    pub section: SectionId,
    /// The kind of assertion.
    pub kind: Assertion,
    /// The text of the sentence or row.
    pub words: String,
}

/// Returns the uncited assertions of a PRD, in the order of the text.
///
/// Targets, rules, decisions about the product, questions, assumptions and blanks need no source, and a figure that its
/// section cites needs no second one.
pub fn uncited(text: &str, names: &Names<'_>) -> Vec<UncitedAssertion> {
    let mut out = Vec::new();
    for part in parts(text) {
        let Some(section) = part.section.filter(|section| section.section().evidence) else { continue };
        let units = units(part.text);
        let cited: Vec<Figure> =
            units.iter().filter(|unit| unit.is_cited && !unit.is_row()).flat_map(|unit| figures(&unit.words)).collect();
        for unit in units.into_iter().filter(|unit| !unit.is_cited) {
            let Some(kind) = assertion(&unit.words, names, &cited) else { continue };
            let line = part.first_line + unit.line;
            out.push(UncitedAssertion { line, section, kind, words: unit.words });
        }
    }
    out
}

/// A figure: its dimension and its value.
type Figure = (Option<Dimension>, f64);

fn figures(sentence: &str) -> Vec<Figure> {
    let text = without_blanks(sentence);
    quantities(&text, Span::new(0, text.len())).iter().map(|one| (one.dimension, one.value)).collect()
}

/// A sentence, or a row of a table.
struct Unit {
    /// The number of lines above it in its section.
    line: u32,
    words: String,
    is_cited: bool,
}

impl Unit {
    /// Returns true for a row of a table: the figures of other rows are about other things.
    fn is_row(&self) -> bool {
        self.words.starts_with('|')
    }
}

/// The sentences and rows of a section, without headings, code and comments.
fn units(text: &str) -> Vec<Unit> {
    let mut out = Vec::new();
    let mut block: Option<Block> = None;
    let mut has_table = false;
    for (line, number) in lines::lines(text).0.iter().zip(0..) {
        let words = line.text.trim();
        let is_row = words.starts_with('|') && line.kind == LineKind::Text;
        let starts = lines::bullet(line.text).is_some();
        let ends =
            words.is_empty() || is_row || starts || line.kind != LineKind::Text || lines::heading(line.text).is_some();
        if ends && let Some(block) = block.take() {
            cut(&block, &mut out);
        }
        if is_row {
            let is_rule = words.chars().all(|c| matches!(c, '|' | '-' | ':' | ' '));
            match (is_rule, has_table) {
                // The row above the rule has the column names.
                (true, _) => drop(out.pop()),
                _ => out.push(Unit { line: number, words: words.to_owned(), is_cited: is_cited(words) }),
            }
        }
        has_table = is_row;
        if !ends {
            match &mut block {
                Some(block) => {
                    block.words.push('\n');
                    block.words.push_str(words);
                }
                None => block = Some(Block { line: number, words: words.to_owned(), is_item: false }),
            }
        } else if starts && line.kind == LineKind::Text {
            let item = lines::bullet(line.text);
            block = item.map(|(_, words)| Block { line: number, words: words.to_owned(), is_item: true });
        }
    }
    if let Some(block) = block {
        cut(&block, &mut out);
    }
    out
}

/// A paragraph or an item of a list.
struct Block {
    /// The number of lines above it in its section.
    line: u32,
    words: String,
    is_item: bool,
}

/// Splits a block into sentences; a citation after the full stop belongs to the sentence before it, and one in an item of
/// a list to the whole item.
fn cut(Block { line, words: block, is_item }: &Block, out: &mut Vec<Unit>) {
    let is_cited = |words: &str| is_cited(words) || *is_item && is_cited(block);
    for span in sentences(block, Span::new(0, block.len())) {
        let mut words = span.slice(block);
        let above = block[..span.start].matches('\n').count();
        while let Some((_, rest)) = words.strip_prefix("<cite:").and_then(|rest| rest.split_once('>')) {
            words = rest.trim_start();
            if let Some(before) = out.last_mut() {
                before.is_cited = true;
            }
        }
        if words.is_empty() {
            continue;
        }
        let line = line + u32::try_from(above).unwrap_or(u32::MAX);
        out.push(Unit { line, words: words.replace('\n', " "), is_cited: is_cited(words) });
    }
}

/// Returns true for text with a citation in any style: a mark, a link, an address, a footnote, a number in brackets.
fn is_cited(words: &str) -> bool {
    let is_note = |(at, _): (usize, &str)| {
        let inside = words[at + 1..].split(']').next().unwrap_or_default();
        inside.starts_with('^') || !inside.is_empty() && inside.bytes().all(|byte| byte.is_ascii_digit())
    };
    words.contains("<cite:") || words.contains("://") || words.match_indices('[').any(is_note)
}

/// The kind of assertion that a sentence makes, if code can recognise it.
fn assertion(words: &str, names: &Names<'_>, cited: &[Figure]) -> Option<Assertion> {
    let text = without_blanks(words);
    let mut kinds: Vec<Assertion> = Vec::new();
    for clause in asserted_clauses(&text, names) {
        let lower = clause.slice(&text).to_lowercase();
        let found = quantities(&text, clause);
        let new = found.iter().filter(|one| !cited.contains(&(one.dimension, one.value)));
        kinds.extend(new.filter_map(|quantity| kind(&text, &lower, quantity)));
        if names.competitors().any(|name| self::names(clause.slice(&text), name)) {
            kinds.push(Assertion::Competitor);
        }
    }
    kinds.into_iter().min()
}

/// The text without code and without bracketed text, such as `[…]`, that is not a link.
fn without_blanks(words: &str) -> String {
    let mut out = String::with_capacity(words.len());
    let mut rest = words;
    while let Some(at) = rest.find(['[', '`']) {
        let (before, behind) = rest.split_at(at);
        out.push_str(before);
        let close = if behind.starts_with('[') { ']' } else { '`' };
        match behind[1..].find(close) {
            Some(end) => {
                out.push(' ');
                rest = &behind[end + 2..];
            }
            None => {
                out.push(' ');
                rest = &behind[1..];
            }
        }
    }
    out + rest
}

/// The kind of assertion that a number makes; `None` for names, days and small counts.
fn kind(text: &str, lower: &str, quantity: &Quantity) -> Option<Assertion> {
    let number = quantity.number.slice(text);
    let before = text[..quantity.span.start].trim_end();
    let behind = text[quantity.span.end..].trim_start();
    if !number.starts_with(|c: char| c.is_ascii_digit()) || quantity.value.is_nan() {
        return None;
    }
    let plain: Option<u32> = number.parse().ok();
    let is_year = plain.is_some_and(|year| (1900..=2100).contains(&year));
    let unit = text[quantity.number.end..quantity.span.end].trim();
    // "The 12-hour shift" names the shift.
    if unit.starts_with('-') || behind.starts_with('-') {
        return None;
    }
    let last = before.rsplit(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    if is_year && (unit.is_empty() || unit == "年") {
        let is_until = UNTIL.en.iter().any(|word| last.eq_ignore_ascii_case(word)) || before.ends_with(['到', '至']);
        return (is_until || stand(FORECAST, lower)).then_some(Assertion::Forecast);
    }
    if before.ends_with(['$', '€', '£', '¥', '￥']) || matches!(last, "USD" | "EUR" | "CNY" | "RMB" | "GBP") {
        return Some(Assertion::Money);
    }
    match quantity.dimension {
        Some(Dimension::Share) => Some(Assertion::Percentage),
        Some(Dimension::Money) => Some(Assertion::Money),
        Some(Dimension::Count) | None => {
            let is_name = before.ends_with(['-', '/', '#', '第'])
                || behind.starts_with(['-', '/', '月', '日', '号'])
                || is_named(last, last == before)
                || REFERENCES.has(&last.to_lowercase())
                || MONTHS.begin(&behind.to_lowercase());
            let next = behind.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default().to_lowercase();
            let is_large = matches!(next.as_str(), "thousand" | "million" | "billion" | "trillion" | "bn" | "m")
                || behind.starts_with(['万', '亿']);
            (is_large || !is_name && quantity.value >= 10.0).then_some(Assertion::Figure)
        }
        Some(_) => Some(Assertion::Figure),
    }
}

/// Returns true if the word before a number makes it a part of a name: `Windows 11`, `ISO 27001`, `iPhone 15`. The first
/// word of a sentence always has a capital, so there the name must be a known one or have another capital.
fn is_named(word: &str, is_first: bool) -> bool {
    let is_market = matches!(word, "TAM" | "SAM" | "SOM" | "CAGR");
    let has_inner_capital = word.chars().skip(1).any(|c| c.is_ascii_uppercase());
    let has_capital = word.starts_with(|c: char| c.is_ascii_uppercase());
    !is_market && (has_inner_capital || has_capital && (!is_first || PRODUCT_NAMES.has(&word.to_lowercase())))
}

/// Returns true if a word of the list occurs in the lower-case text: as a whole word, Chinese ones anywhere.
fn stand(list: &Words, lower: &str) -> bool {
    list.iter().any(|word| places(lower, word).next().is_some())
}

/// Returns true if a name occurs in the text exactly.
fn names(text: &str, name: &str) -> bool {
    !name.trim().is_empty() && places(text, name.trim()).next().is_some()
}

/// The positions of a word that is not part of a longer Latin word.
fn places<'t>(text: &'t str, word: &'t str) -> impl Iterator<Item = usize> + 't {
    let is_part = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() && !is_cjk(c));
    let latin = |c: Option<char>| c.is_some_and(|c| !is_cjk(c));
    text.match_indices(word).map(|(at, _)| at).filter(move |at| {
        let joins_before = latin(word.chars().next()) && is_part(text[..*at].chars().next_back());
        let joins_behind = latin(word.chars().next_back()) && is_part(text[at + word.len()..].chars().next());
        !joins_before && !joins_behind
    })
}
