//! Finds the placeholders of a template that the author has not replaced: `{role}`, `[Brief Title]`, ‹value›, `___name___`.
//!
//! The same signs also enclose links, tags, buttons, routes and optional arguments. The place of the sign and the words
//! in it therefore decide together: a slot of a story or scenario, the whole value of a field, an instruction, the name
//! of a slot.

mod content;
mod position;

use std::collections::BTreeMap;

use super::blocks::{Block, BlockKind};
use super::quotation_marks::is_quoted;
use super::words::placeholders::{BOUNDING, COUNTED, OUTLINES, TOPICS, VALUED};
use content::Content;
use position::Position;
use reqgate_base::model::Span;

/// The fewest underscores of a blank; fewer may be a typing mistake.
const LONG_BLANK: usize = 4;

/// The longest placeholder, in bytes.
const LONGEST: usize = 400;

/// The sign around a placeholder.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Sign {
    /// `‹…›`, which reqgate itself writes.
    Angle,
    /// `{…}`, `${…}`.
    Curly,
    /// `{{…}}`.
    DoubleCurly,
    /// `___…___`.
    Underscores,
    /// A run of underscores to write on.
    Blank,
    /// `<…>`.
    Tag,
    /// `[…]`.
    Square,
    /// `【…】`.
    Lenticular,
    /// `(…)` and `（…）`.
    Round,
    /// Three dots, alone or in quotation marks.
    Dots,
    /// Question marks in place of a value.
    Mark,
    /// `XX` in place of a value.
    Letters,
}

/// The certainty that a sign is a placeholder.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Certainty {
    /// Only together with a sure one of the same sign.
    Faint,
    /// Only together with a sure one, or with another one of the same sign.
    Weak,
    Sure,
}

struct Candidate {
    span: Span,
    sign: Sign,
    certainty: Certainty,
}

/// The placeholders in the prose of these blocks, in order.
pub(crate) fn placeholders(text: &str, blocks: &[Block]) -> Vec<Span> {
    if !text.contains(['‹', '{', '[', '<', '_', '【', '（', '…', '?', '？'])
        && !["...", "xx", "XX"].iter().any(|mark| text.contains(mark))
    {
        return Vec::new();
    }
    let lower = text.to_lowercase();
    let surroundings =
        Surroundings { text, is_outline: OUTLINES.stand_in(&lower), about_templates: is_about_templates(text, blocks) };
    let mut found: Vec<Candidate> = Vec::new();
    for block in blocks.iter().filter(|block| block.is_prose() && !block.quoted) {
        let start = text[..block.span.start].rfind(['\n', '\r']).map_or(0, |at| at + 1);
        let mut from = start;
        for line in text[start..block.span.end].split_inclusive(['\n', '\r']) {
            let span = Span::new(from, from + line.trim_end().len());
            from += line.len();
            surroundings.line(span, block, &mut found);
        }
    }
    let mut signs: BTreeMap<Sign, Company<'_>> = BTreeMap::new();
    for one in &found {
        signs.entry(one.sign).or_default().add(one.certainty, one.span.slice(text));
    }
    let has_sure = signs.values().any(|company| company.has_sure);
    let is_left = |one: &&Candidate| {
        let company = signs.get(&one.sign);
        match one.certainty {
            Certainty::Sure => true,
            Certainty::Weak => has_sure || company.is_some_and(|company| company.has_two),
            Certainty::Faint => company.is_some_and(|company| company.has_sure),
        }
    };
    found.iter().filter(is_left).map(|one| one.span).collect()
}

/// The words that one sign encloses in a text.
#[derive(Default)]
struct Company<'t> {
    has_sure: bool,
    first: Option<&'t str>,
    /// Two different weak candidates were found.
    has_two: bool,
}

impl<'t> Company<'t> {
    fn add(&mut self, certainty: Certainty, words: &'t str) {
        self.has_sure |= certainty == Certainty::Sure;
        if certainty == Certainty::Weak {
            self.has_two |= self.first.is_some_and(|first| first != words);
            self.first = self.first.or(Some(words));
        }
    }
}

/// Returns true for a title that names templates and has no placeholder itself.
fn is_about_templates(text: &str, blocks: &[Block]) -> bool {
    let first = blocks.iter().find(|block| block.is_prose());
    first.is_some_and(|first| {
        let title = first.text.slice(text).lines().next().unwrap_or_default();
        !title.contains(['{', '<', '[', '‹', '_', '【']) && TOPICS.stand_in(&title.to_lowercase())
    })
}

/// The text around a line.
struct Surroundings<'t> {
    text: &'t str,
    is_outline: bool,
    about_templates: bool,
}

impl Surroundings<'_> {
    fn line(&self, line: Span, block: &Block, found: &mut Vec<Candidate>) {
        let words = line.slice(self.text);
        let mut at = 0;
        while let Some((start, sign, inner, end)) = next(words, at) {
            let span = Span::new(line.start + start, line.start + end);
            at = start + words[start..].chars().next().map_or(1, char::len_utf8);
            if span.start < block.span.start || span.end > block.span.end {
                continue;
            }
            let near = near(words, start, end, block);
            let (before, after) = (&words[near.0..start], &words[end..near.1]);
            let place = Position::of(before, after);
            let is_heading = matches!(block.kind, BlockKind::Heading(_));
            let joined = Joined { before: before.chars().next_back(), after: after.chars().next() };
            let content = Content::of(&words[inner.0..inner.1]);
            let is_left_to_fill = content.is_left_to_fill();
            let has_words = [before, after].iter().any(|words| words.chars().any(char::is_alphabetic));
            let (is_outline, length) = (self.is_outline, end - start);
            let is_cell = matches!(block.kind, BlockKind::TableRow { .. });
            let is_run = words[start..end].chars().count() >= 2;
            let seen = Seen {
                sign,
                place,
                content,
                joined,
                is_heading,
                is_outline,
                is_cell,
                is_run,
                has_words,
                length,
                before,
                after,
            };
            let Some(certainty) = seen.certainty() else { continue };
            let window = Span::new(line.start + near.0, line.start + near.1);
            let is_named = is_quoted(self.text, window, span) && !is_left_to_fill;
            if is_named || self.is_about_signs(sign, place, before, after) {
                continue;
            }
            found.push(Candidate { span, sign, certainty });
            at = end;
        }
    }

    /// Returns true for text about templates, whose content looks like a placeholder.
    fn is_about_signs(&self, sign: Sign, place: Position, before: &str, after: &str) -> bool {
        let by_title = self.about_templates && !matches!(sign, Sign::Angle | Sign::Square | Sign::Round);
        by_title
            || place != Position::Whole && [before, after].iter().any(|words| TOPICS.stand_in(&words.to_lowercase()))
    }
}

/// The bytes before and after a sign that are read, so that a very long line takes no more time than others.
const NEAR: usize = 300;

/// The part of a line around a place: the cell of a table, else the line.
fn near(words: &str, start: usize, end: usize, block: &Block) -> (usize, usize) {
    let first = words.ceil_char_boundary(start.saturating_sub(NEAR));
    let last = words.floor_char_boundary((end + NEAR).min(words.len()));
    if !matches!(block.kind, BlockKind::TableRow { .. }) {
        return (first, last);
    }
    let from = words[first..start].rfind(['|', '\t']).map_or(first, |at| first + at + 1);
    let to = words[end..last].find(['|', '\t']).map_or(last, |at| end + at);
    (from, to)
}

/// The next sign of a line: its start, its kind, the place of the words in it, and its end.
fn next(words: &str, from: usize) -> Option<(usize, Sign, (usize, usize), usize)> {
    for (offset, c) in words[from..].char_indices() {
        let start = from + offset;
        let rest = &words[start..];
        let near = &rest[..rest.floor_char_boundary(LONGEST)];
        let pair = |sign: Sign, open: &str, close: &str| {
            let inner = near.strip_prefix(open)?;
            let length = inner.find(close)?;
            let inside = start + open.len();
            Some((start, sign, (inside, inside + length), inside + length + close.len()))
        };
        let run = |mark: char| near.chars().take_while(|c| *c == mark).count();
        let found = match c {
            '‹' => pair(Sign::Angle, "‹", "›"),
            '$' => pair(Sign::Curly, "${", "}"),
            '{' => pair(Sign::DoubleCurly, "{{", "}}").or_else(|| pair(Sign::Curly, "{", "}")),
            '<' => pair(Sign::Tag, "<", ">"),
            '[' => pair(Sign::Square, "[", "]"),
            '【' => pair(Sign::Lenticular, "【", "】"),
            '（' => pair(Sign::Round, "（", "）"),
            '(' => pair(Sign::Round, "(", ")"),
            '_' if run('_') >= 3 => {
                let marks = run('_');
                let joins = near[marks..].starts_with(|c: char| c.is_alphanumeric());
                match joins {
                    true => pair(Sign::Underscores, "___", "___"),
                    false => Some((start, Sign::Blank, (start, start), start + marks)),
                }
            }
            '.' if run('.') >= 3 => Some((start, Sign::Dots, (start, start), start + run('.'))),
            '…' => Some((start, Sign::Dots, (start, start), start + run('…') * c.len_utf8())),
            '?' | '？' => Some((start, Sign::Mark, (start, start), start + run(c) * c.len_utf8())),
            'x' | 'X' if run(c) >= 2 && !words[..start].ends_with(|c: char| c.is_ascii_alphanumeric()) => {
                Some((start, Sign::Letters, (start, start), start + run(c)))
            }
            '\'' | '"' | '‘' | '“' => {
                quoted_dots(near).map(|length| (start, Sign::Dots, (start, start + length), start + length))
            }
            // Code spans are skipped.
            '`' => {
                let marks = run('`');
                let end = near[marks..].find(&near[..marks])?;
                return next(words, start + marks + end + marks);
            }
            _ => None,
        };
        // A sign without its end is an ordinary character.
        if found.is_some() {
            return found;
        }
    }
    None
}

/// The length of `'...'`, which replaces a name in the steps of a form.
fn quoted_dots(near: &str) -> Option<usize> {
    let inner = near.trim_start_matches(['\'', '"', '‘', '“']);
    let dots = inner.trim_start_matches(['.', '…']);
    let marks = near.len() - inner.len();
    let length = inner.len() - dots.len();
    let closes = dots.chars().next().filter(|c| matches!(c, '\'' | '"' | '’' | '”'))?;
    (length >= 3 && marks <= 3).then(|| marks + length + closes.len_utf8())
}

/// The characters right before and after a sign.
struct Joined {
    before: Option<char>,
    after: Option<char>,
}

impl Joined {
    fn is_joined(&self) -> bool {
        let joins = |c: char| {
            c.is_ascii_alphanumeric() || matches!(c, '_' | '/' | '$' | '\\' | '=' | '%' | '&' | '}' | '{' | '-' | '.')
        };
        self.before.is_some_and(|c| joins(c) || matches!(c, ':' | '#' | '@'))
            || self.after.is_some_and(|c| joins(c) && !matches!(c, '.' | '-'))
    }
}

/// A sign with everything that decides whether it is a placeholder.
struct Seen<'t> {
    sign: Sign,
    place: Position,
    content: Content<'t>,
    joined: Joined,
    is_heading: bool,
    is_outline: bool,
    /// It is in a cell of a table.
    is_cell: bool,
    /// It has several characters.
    is_run: bool,
    /// Words are next to it.
    has_words: bool,
    /// The length in bytes.
    length: usize,
    /// The part of the line before it.
    before: &'t str,
    /// The part of the line after it.
    after: &'t str,
}

impl Seen<'_> {
    fn certainty(&self) -> Option<Certainty> {
        use Certainty::{Faint, Sure, Weak};
        let (place, content) = (self.place, &self.content);
        let sure = |is_sure: bool| Some(if is_sure { Sure } else { Weak });
        if !matches!(self.sign, Sign::Round)
            && !self.joined.is_joined()
            && content.is_left_to_fill()
            && content.has_letters()
        {
            return Some(Sure);
        }
        if self.is_a_limit() {
            return Some(Sure);
        }
        match self.sign {
            Sign::Angle => {
                content.has_letters().then(|| if place.is_slot_or_value() || content.is_phrase() { Sure } else { Weak })
            }
            Sign::Curly | Sign::DoubleCurly
                if !self.joined.is_joined() && content.is_words() && !content.is_markup() =>
            {
                match place {
                    Position::FirstSlot | Position::Slot => Some(Sure),
                    Position::Whole | Position::Value if content.is_of_a_template() => {
                        sure(content.is_phrase() || self.sign == Sign::DoubleCurly)
                    }
                    _ => content.is_phrase().then_some(Faint),
                }
            }
            Sign::Underscores if content.is_words() => sure(place.is_slot()),
            Sign::Blank if !self.joined.is_joined() && self.has_words => {
                sure(place.is_slot_or_value() || self.length >= LONG_BLANK || self.counts_something())
            }
            Sign::Tag if !self.joined.is_joined() && content.is_words() && !content.is_markup() => match place {
                _ if place.is_slot() && self.is_outline && !content.is_phrase() => None,
                Position::FirstSlot | Position::Slot => sure(content.is_phrase() || content.names_a_slot()),
                Position::Whole | Position::Value if content.is_of_a_template() => sure(content.is_phrase()),
                _ => None,
            },
            Sign::Square => self.square(),
            Sign::Lenticular => match place {
                Position::FirstSlot | Position::Slot | Position::Value if content.instructs() || content.asks() => {
                    Some(Sure)
                }
                Position::Whole if content.instructs() && content.is_long() => Some(Sure),
                Position::FirstSlot | Position::Slot if content.names_a_slot() => Some(Sure),
                Position::Value if content.names_a_slot() => Some(Weak),
                _ => None,
            },
            // The pattern of 超过（ ）天.
            Sign::Round if content.is_empty() => self.counts_something().then_some(Sure),
            Sign::Round => (content.is_fill() && place != Position::Inline && !self.is_heading).then_some(Sure),
            // "As a ..., I want ...": a single ellipsis is only an abbreviation.
            Sign::Dots if content.is_empty() => (place == Position::FirstSlot
                && (self.after.contains("...") || self.after.contains('…')))
            .then_some(Sure),
            // "Go to '...'" among the steps of a form.
            Sign::Dots => (place == Position::Brief).then_some(Sure),
            Sign::Mark | Sign::Letters => self.stands_for_a_value().then_some(Sure),
            _ => None,
        }
    }

    /// Returns true for "Limit: ???", "the limit is ??", "after ?? days", 保留 XX 天, a cell with "?": the author left the
    /// value out.
    fn stands_for_a_value(&self) -> bool {
        let ends = self.after.trim_start().is_empty();
        let is_mark = self.sign == Sign::Mark;
        let is_told = || {
            is_mark
                && VALUED.end(self.before.to_lowercase().trim_end())
                && !self.after.starts_with(char::is_alphanumeric)
        };
        self.place == Position::Value && ends
            || is_mark && self.is_cell && self.place == Position::Whole
            || self.is_run && is_told()
            || self.counts_something()
    }

    /// Returns true for "at most ??? rows", "up to XX", "more than [number]", 最多 ___ 条: the author left the limit out.
    fn is_a_limit(&self) -> bool {
        let before = format!(" {}", self.before.to_lowercase());
        if self.joined.is_joined() || !BOUNDING.end(before.trim_end()) {
            return false;
        }
        match self.sign {
            // A single question mark may end a question.
            Sign::Mark => self.is_run,
            Sign::Letters => !self.after.starts_with(|c: char| c == '-' || c.is_ascii_alphanumeric()),
            Sign::Blank => true,
            Sign::Dots => self.content.is_empty() && self.after.trim_start().starts_with(char::is_alphabetic),
            // Braces are variables of a message.
            Sign::Square | Sign::Tag | Sign::Angle => {
                self.content.names_a_figure() && !self.after.starts_with(['(', '['])
            }
            _ => false,
        }
    }

    /// Returns true for a sign in place of a number, in front of a unit.
    fn counts_something(&self) -> bool {
        let joins =
            |c: char| c.is_ascii_alphanumeric() || matches!(c, '/' | '.' | '-' | '_' | ':' | '=' | '*' | '?' | '？');
        let after = self.after.trim_start().to_lowercase();
        let word_ends = |length: usize| !after[length..].starts_with(|c: char| c.is_ascii_alphanumeric());
        let unit = COUNTED.iter().any(|unit| after.starts_with(unit) && (!unit.is_ascii() || word_ends(unit.len())));
        let noun = after.len() - after.trim_start_matches(|c: char| c.is_ascii_lowercase()).len();
        let is_plural = noun >= 5 && after[..noun].ends_with('s') && word_ends(noun) && self.after.starts_with(' ');
        let is_free = !self.joined.before.is_some_and(joins) && !self.after.starts_with(joins);
        let is_apart = self.is_run || !self.joined.before.is_some_and(char::is_alphanumeric);
        is_free && is_apart && (unit || is_plural && self.is_run)
    }

    /// `[…]` is a placeholder only by the words in it, because links, boxes, tags and buttons use the same brackets.
    fn square(&self) -> Option<Certainty> {
        use Certainty::{Sure, Weak};
        let (place, content) = (self.place, &self.content);
        let is_link = self.after.starts_with(['(', '[']) || self.after.starts_with(':') && self.after.contains("://");
        if is_link
            || !content.has_letters()
            || self.joined.before.is_some_and(|c| c.is_ascii_alphanumeric() || c == '!' || c == ']')
        {
            return None;
        }
        if content.shows_an_example() {
            let ends = place != Position::Inline && (!self.is_heading || place.is_slot_or_value());
            return ends.then_some(Sure);
        }
        let is_instruction = content.instructs() || content.asks() && content.is_phrase() || content.is_shouted();
        match place {
            Position::Slot | Position::FirstSlot | Position::Whole | Position::Value if is_instruction => Some(Sure),
            Position::Slot | Position::FirstSlot if content.names_a_slot() => Some(Sure),
            Position::Whole | Position::Value if content.names_a_slot() => {
                Some(if content.is_phrase() { Sure } else { Weak })
            }
            _ => None,
        }
    }
}
