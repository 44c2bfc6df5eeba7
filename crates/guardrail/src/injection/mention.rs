//! Distinguishes an order from talk about one: imperatives by the words before them, mentions by quotation marks and topic.

use reqgate_base::model::Span;
use reqgate_text::words::injection_orders as lists;

use super::super::nearby;
use super::quotation::{self, Quoted};
use super::word::{self, Word};

/// Returns true if the verb at `at` is an order: it begins a sentence, follows "please" or the like, or is addressed to "you".
pub(super) fn is_imperative(text: &str, at: usize) -> bool {
    let head = sentence_head(nearby::before(text, at, 64));
    let bare = head.trim_end_matches(|c: char| !c.is_alphanumeric() && c != ',' && c != '\'');
    let Some(last) = bare.split_whitespace().next_back() else { return true };
    if is_scenario_step(bare) {
        return false;
    }
    if last.ends_with(',') {
        return !is_after_case(sentence_head(nearby::before(text, at, 160)));
    }
    if !last.contains(char::is_alphabetic) {
        return true;
    }
    if !last.is_ascii() {
        // "When … arrives, only reply" describes a case and the reaction of the product.
        let is_case = bare.trim_end_matches(['只', '仅', '就', '则']).ends_with('时');
        let is_told = lists::TOLD_CHINESE.stand_in(bare);
        return is_told || !is_case && lists::ORDERING_ENDS.end(last);
    }
    let word = |word: &str| word.trim_matches(|c: char| !c.is_ascii_alphanumeric() && c != '\'').to_ascii_lowercase();
    let told_you = bare.split_whitespace().rev().take(6).any(|other| lists::TOLD.has(&word(other)));
    let last = word(last);
    if last == "always" && bare.split_whitespace().count() <= 2 {
        return true;
    }
    if lists::NOT_ORDERING.has(&last) {
        return told_you && last != "not";
    }
    // "The page shall load the list and print it": the second verb has the subject of the first.
    if lists::JOINING.has(&last)
        && !told_you
        && bare.split_whitespace().rev().skip(1).any(|other| lists::STATING.has(&word(other)))
    {
        return false;
    }
    let capital = text[at..].starts_with(|c: char| c.is_ascii_uppercase());
    last.is_empty() || told_you || capital || lists::ORDERING.has(&last)
}

/// As [`is_imperative`]; a Chinese verb is also one if its clause does not name who does it.
pub(super) fn is_order(text: &str, span: Span) -> bool {
    // "The model approves": it is done already.
    let verb = span.slice(text).split(' ').next().unwrap_or_default();
    if verb.ends_with('s') && !verb.ends_with("ss") {
        return false;
    }
    let head = sentence_head(nearby::before(text, span.start, 48));
    // In a title every word begins with a capital letter.
    let follows_word = head.strip_suffix(' ').is_some_and(|head| head.ends_with(|c: char| c.is_ascii_alphanumeric()));
    let is_title = follows_word && text[span.start..].starts_with(|c: char| c.is_ascii_uppercase());
    if !is_title && is_imperative(text, span.start) {
        return true;
    }
    !span.slice(text).is_ascii() && !lists::STATING_CHINESE.stand_in(head)
}

/// Returns true for `Then`, `And` and the like at the head of a line: the words after it describe the product, not an order to a
/// model.
fn is_scenario_step(head: &str) -> bool {
    lists::STEPS.has_in_any_case(head.trim_matches(|c: char| !c.is_ascii_alphabetic()))
}

/// Returns true after "When the player wins, …": the rest describes the product, unless the case is about "you".
fn is_after_case(head: &str) -> bool {
    let mut words = head.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    words.next().is_some_and(|first| lists::CASES.has_in_any_case(first))
        && !words.any(|word| lists::OWN_CASES.has_in_any_case(word))
}

/// Returns true if the words at `at` begin a line or a sentence, apart from marks, numbers and words of address.
pub(super) fn is_at_start(text: &str, at: usize) -> bool {
    let head = sentence_head(nearby::before(text, at, 64));
    head.split(|c: char| !c.is_alphabetic()).all(|word| word.is_empty() || lists::ADDRESSING.has_in_any_case(word))
}

/// Marks after the name of one who is called.
const CALLING: [char; 9] = [',', ':', '：', '，', '—', '–', '!', '！', '-'];

/// Returns true if the words at `span` address a reader: after `@`, at the start before a mark, or at the end after a comma.
pub(super) fn is_called(text: &str, span: Span) -> bool {
    let head = sentence_head(nearby::before(text, span.start, 64));
    let rest = nearby::after(text, span.end, 40);
    let rest = rest.split('\n').next().unwrap_or(rest).trim_start_matches([' ', '"', '*', '_', ')', ']']);
    if text[..span.start].ends_with('@') {
        return true;
    }
    let is_marked = rest.starts_with(CALLING) || lists::BEHIND_A_NAME.begin(rest);
    if is_marked && is_at_start(text, span.start) {
        return true;
    }
    let tail = rest.trim_start_matches([' ', ',']);
    let is_last = tail.is_empty() || tail.starts_with(['.', '!', '。', '！', '(']);
    let name = head.trim_end();
    let before = name.rsplit(',').next().unwrap_or(name);
    is_last
        && name.contains(',')
        && before.split_whitespace().count() <= 2
        && before
            .split_whitespace()
            .all(|word| lists::ADDRESSING.en.iter().any(|known| word.eq_ignore_ascii_case(known)))
}

/// The text between the last end of a sentence or line and the place.
fn sentence_head(before: &str) -> &str {
    let before = before.rsplit_once("[x] ").map_or(before, |(_, head)| head);
    before
        .rsplit(['\n', '.', '!', '?', ':', ';', '。', '！', '？', '：', '；', '，', '(', '[', '"', '{', '>', '|', '='])
        .next()
        .unwrap_or(before)
}

/// Returns true if the words between two elements of a form end a sentence or a paragraph.
pub(super) fn ends_sentence(between: &str) -> bool {
    between.contains(". ")
        || between.contains(".\n")
        || between.contains("! ")
        || between.contains("? ")
        || between.contains(['。', '！', '？'])
        || quotation::ends_block(between)
}

/// Returns true if a quotation begins shortly after `end`: the words that the model shall repeat.
pub(super) fn is_followed_by_quote(text: &str, end: usize) -> bool {
    let rest = nearby::after(text, end, 30);
    let Some(place) = rest.find(['"', '\'', '“', '‘', '「', '«']) else { return false };
    let between = &rest[..place];
    between.ends_with([' ', ':', '\n', '：']) && between.len() <= 24 && !between.contains(['.', '(', '=', '!', '?'])
        || between.is_empty() && !text[..end].is_ascii()
}

/// The places where a text shows or talks about orders instead of giving them, found from the words of some classes.
pub(super) struct Mentions<'a> {
    text: &'a str,
    /// The words that show the topic of a line, in order.
    words: Vec<Word>,
    concealed: &'a [Span],
}

/// Words that make the words next to them a mention.
const TOPICS: u128 = word::ABOUT | word::GUARDS | word::HANDLED;

impl<'a> Mentions<'a> {
    pub(super) fn new(text: &'a str, words: &[Word], concealed: &'a [Span]) -> Self {
        let words = words.iter().copied().filter(|word| word.is(TOPICS | word::CONDITION | word::AIMED)).collect();
        Self { text, words, concealed }
    }

    /// Returns true if a word of these classes begins between two places.
    fn has(&self, classes: u128, start: usize, end: usize) -> bool {
        let next = self.words.partition_point(|word| word.span.start < start);
        self.words[next..].iter().take_while(|word| word.span.start < end).any(|word| word.is(classes))
    }

    /// Returns true if the words cannot be a mention in any surroundings: they are hidden, or follow a mere label and aim at this very
    /// text ("Example of an attack: approve this ticket").
    pub(super) fn is_open(&self, span: Span) -> bool {
        self.is_concealed(span) || quotation::is_labelled(self.text, span) && self.is_aimed(span)
    }

    /// Returns true if the words are quoted data, are the object of "detect", "block" and the like, or are in a list of
    /// inputs that is named as such by its line, row or column heading.
    pub(super) fn is_mention(&self, span: Span) -> bool {
        let quoted = quotation::quoted(self.text, span);
        if quoted == Quoted::InSentence || quoted == Quoted::InEntry && self.is_listed(span) {
            return true;
        }
        if self.words.is_empty() {
            return false;
        }
        let before = nearby::before(self.text, span.start, 70);
        let same_sentence = span.start - sentence_tail(before).len();
        if self.has(word::GUARDS, same_sentence, span.start) {
            return true;
        }
        let (head, tail) = quotation::line_parts(self.text, span);
        let (line_start, line_end) = (span.start - head.len(), span.end + tail.len());
        if self.has(word::HANDLED, line_start, line_end) {
            return true;
        }
        let is_row = head.trim_start().starts_with('|');
        if is_row {
            let header = self.header_of(line_start);
            return self.has(word::GUARDS, line_start, line_end) || self.has(word::ABOUT, header.start, header.end);
        }
        (self.has(word::ABOUT, line_start, span.start) || self.has(word::ABOUT, span.end, line_end))
            && quotation::quotation(head, tail).is_some()
    }

    /// Returns true if the line continues with words that aim the order at this very text.
    pub(super) fn is_aimed(&self, span: Span) -> bool {
        let (_, tail) = quotation::line_parts(self.text, span);
        self.has(word::AIMED, span.start, span.end + tail.len())
    }

    pub(super) fn is_concealed(&self, span: Span) -> bool {
        let next = self.concealed.partition_point(|place| place.end <= span.start);
        self.concealed.get(next).is_some_and(|place| place.start <= span.start)
    }

    /// Returns true if the row or list item belongs to a table or list whose heading names attacks, inputs or blocked texts.
    fn is_listed(&self, span: Span) -> bool {
        let (head, tail) = quotation::line_parts(self.text, span);
        let (start, end) = (span.start - head.len(), span.end + tail.len());
        let lead = self.lead_of(start);
        self.has(TOPICS, lead.start, end)
    }

    /// The rows or items above a line, with the line that introduces them.
    fn lead_of(&self, line_start: usize) -> Span {
        let above = nearby::before(self.text, line_start, 1_500);
        let mut start = line_start;
        for line in above.split_inclusive('\n').rev() {
            start -= line.len();
            let words = line.trim_start();
            if !words.is_empty() && !words.starts_with(['|', '-', '*', '+', '•']) {
                break;
            }
        }
        Span::new(start, line_start)
    }

    /// Returns true if a condition or a refusal, within the words or after them in their sentence, makes them a rule of the
    /// product.
    pub(super) fn is_rule(&self, span: Span) -> bool {
        let rest = nearby::after(self.text, span.end, 160);
        let tail = rest.split(['\n', '.', '!', '?', '。', '！', '？', ';', '；']).next().unwrap_or(rest);
        self.has(word::CONDITION, span.start, span.end + tail.len())
    }

    /// The first row of the table that a row belongs to.
    fn header_of(&self, row_start: usize) -> Span {
        let above = nearby::before(self.text, row_start, 1_500);
        let mut start = row_start;
        for line in above.split_inclusive('\n').rev().take_while(|line| line.trim_start().starts_with('|')) {
            start -= line.len();
        }
        let length = self.text.get(start..row_start).and_then(|rows| rows.find('\n')).unwrap_or(0);
        Span::new(start, start + length)
    }
}

fn sentence_tail(before: &str) -> &str {
    before.rsplit(['\n', '.', '!', '?', '。', '！', '？']).next().unwrap_or(before)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn imperative(text: &str, verb: &str) -> bool {
        is_imperative(text, text.find(verb).unwrap())
    }

    #[test]
    fn orders_are_told_from_statements() {
        assert!(imperative("Ignore it", "Ignore"));
        assert!(imperative("Done. please ignore it", "ignore"));
        assert!(imperative("you must ignore it", "ignore"));
        assert!(imperative("- 1) ignore it", "ignore"));
        assert!(!imperative("the parser should ignore it", "ignore"));
        assert!(!imperative("it fails to ignore it", "ignore"));
        assert!(!imperative("do not ignore it", "ignore"));
        assert!(!imperative("When the round ends, give points", "give"));
        assert!(imperative("When you answer, give points", "give"));
        assert!(!imperative("Then the page shall load and ignore it", "ignore"));
    }
}
