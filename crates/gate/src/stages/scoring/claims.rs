//! Figures in the rules of a text: the quantity, and whether it is a limit, an allowance or an ordinal.

use crate::stages::scoring::Context;
use reqgate_base::model::{Genre, SectionRole, Span};
use reqgate_text::content_words::{content_words, shared};
use reqgate_text::quantities::{Dimension, Quantity, quantities};
use reqgate_text::sentences::sentences;
use reqgate_text::words::Words;
use reqgate_text::words::bounds::{
    ALLOWED, AT_LEAST, AT_LEAST_BEHIND, AT_MOST, AT_MOST_BEHIND, COUNTERS, FILE, MACHINE, OVER, PEOPLE,
    RHYTHMS_AND_NAMES, ROW, TIMES,
};
use reqgate_text::words::numbers::{NUMBERS, ORDINALS};
use reqgate_text::{BlockKind, Cue, Sentence};

/// A text with more figures than this is a table of data, not a set of rules; the limit also bounds the number of
/// pairs.
pub(crate) const MOST_FIGURES: usize = 150;

/// The most items to search backwards for the item or line that introduces an item.
const MOST_ITEMS: usize = 200;

/// The longest rule in bytes; a longer sentence was probably pasted.
const LONGEST_RULE: usize = 600;

/// The kind of limit that a figure sets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bound {
    /// An upper limit: "at most", "up to", 不超过.
    AtMost,
    /// A lower limit: "at least", 至少.
    AtLeast,
    /// An excluded lower limit: "more than", "above", 超过.
    Over,
    /// A permitted amount: "may invite 9", 可邀请 8 人.
    Allowed,
    /// An ordinal: "the sixth", 第 6 次.
    Ordinal,
    /// A figure without a limit.
    Plain,
}

/// One figure of one rule.
#[derive(Debug)]
pub struct Claim {
    /// The figure with its unit or noun.
    pub span: Span,
    /// The sentence that contains the figure; in a table, a sentence of one cell.
    pub sentence: Span,
    /// The item of a list, the line of a cell, or else the sentence.
    pub passage: Span,
    /// The sentence, or the whole row of a table.
    pub statement: Span,
    /// The subject that the table, list or headings give.
    pub topic: Topic,
    /// The value in the base unit of its dimension.
    pub value: f64,
    pub dimension: Dimension,
    /// The counted noun, reduced to one word for all words of a kind (seats, colleagues: `people`); `None` for a
    /// measure.
    pub thing: Option<String>,
    pub bound: Bound,
    /// The content words of the sentence, sorted, without figures and words of limits.
    pub words: Vec<String>,
    /// The content words of the clause before the figure, in the same form.
    pub subject: Vec<String>,
    /// The sentence in lower case.
    pub said: String,
    /// The clause of the figure in lower case.
    pub clause: String,
}

/// Nouns that count as the same kind in a rule about quantities.
const KINDS: &[(&str, &Words)] =
    &[("people", PEOPLE), ("machine", MACHINE), ("file", FILE), ("times", TIMES), ("row", ROW)];

/// Periods of time named without a figure, in seconds.
const NAMED_TIMES: &[(&str, f64)] = &[
    ("previous year", 31_536_000.0),
    ("last year", 31_536_000.0),
    ("previous quarter", 7_776_000.0),
    ("last quarter", 7_776_000.0),
    ("previous month", 2_592_000.0),
    ("last month", 2_592_000.0),
    ("去年", 31_536_000.0),
    ("上一年", 31_536_000.0),
    ("上季度", 7_776_000.0),
    ("上个月", 2_592_000.0),
    ("上月", 2_592_000.0),
];

/// The figures in the rules of a text, in order; empty if the text is a table of data.
pub(super) fn claims(ctx: Context<'_>) -> Vec<Claim> {
    let mut out = Vec::new();
    for rule in rules(ctx) {
        for figure in figures(ctx.text, rule.sentence) {
            if out.len() >= MOST_FIGURES {
                return Vec::new();
            }
            out.push(claim(ctx, rule, figure));
        }
    }
    out
}

/// The subject of a rule as given by its table, list and headings.
#[derive(Debug)]
pub struct Topic {
    /// Words of the cells before the rule in the row, or of the item above it in a nested list.
    words: Vec<String>,
    /// Words of the line that introduces the list.
    lead: Vec<String>,
    /// The section below the nearest heading that names a subject.
    section: usize,
}

impl Topic {
    /// Returns true if two rules may have the same subject; `own` and `others` are the words of their sentences.
    pub(crate) fn agrees(&self, own: &[String], other: &Self, others: &[String], ctx: Context<'_>) -> bool {
        let is_same = match (self.words.is_empty(), other.words.is_empty()) {
            (false, false) => self.words == other.words,
            // One rule may name in its sentence the subject that the other has in a cell or an item above.
            (true, false) => shared(&other.words, own) == other.words.len(),
            (false, true) => shared(&self.words, others) == self.words.len(),
            (true, true) => true,
        };
        let leads = [&self.lead, &other.lead];
        let is_same = is_same && (self.lead == other.lead || leads.iter().any(|lead| lead.is_empty()));
        is_same && (is_within(ctx, self.section, other.section) || is_within(ctx, other.section, self.section))
    }
}

/// Returns true if `inner` is the section `outer` or lies within it.
fn is_within(ctx: Context<'_>, inner: usize, outer: usize) -> bool {
    let parent = |at: &usize| ctx.reading.sections[*at].parent;
    std::iter::successors(Some(inner), parent).any(|at| at == outer)
}

/// The nearest enclosing section whose heading names a subject: "Free plan" does, "Acceptance criteria" does not.
fn subject_section(ctx: Context<'_>, section: usize) -> usize {
    let sections = &ctx.reading.sections;
    let mut at = section;
    while let Some(parent) = sections[at].parent {
        if !sections[at].inline && sections[at].role == sections[parent].role {
            return at;
        }
        at = parent;
    }
    at
}

/// A sentence that states a rule, and its surroundings.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rule {
    /// The sentence; in a table, a sentence of one cell.
    pub sentence: Span,
    /// The item of a list, the line of a cell, or else the sentence.
    pub passage: Span,
    /// The sentence, or the whole row of a table, which holds a requirement and its criteria.
    pub statement: Span,
    /// The cells before it in the row, or the item above it in a nested list.
    topic: Option<Span>,
    /// The line that introduces the list.
    lead: Option<Span>,
    section: usize,
}

impl Rule {
    /// The subject of the rule, as given by its surroundings.
    pub(super) fn topic(&self, ctx: Context<'_>) -> Topic {
        let words = |span: Option<Span>| span.map(|span| topic_words(span.slice(ctx.text))).unwrap_or_default();
        Topic { words: words(self.topic), lead: words(self.lead), section: subject_section(ctx, self.section) }
    }
}

/// The sentences that state rules, in order.
pub(super) fn rules(ctx: Context<'_>) -> impl Iterator<Item = Rule> {
    let rules = ctx.reading.sentences.iter().filter(move |sentence| is_rule(ctx, sentence));
    rules.flat_map(move |sentence| {
        let block = &ctx.reading.blocks[sentence.block];
        let (span, section) = (sentence.span, sentence.section);
        let whole = |passage, topic, lead| Rule { sentence: span, passage, statement: span, topic, lead, section };
        match block.kind {
            // A sentence is a row or one of its cells; the cells before it in the row name its subject.
            BlockKind::TableRow { .. } => {
                let row = cells(ctx.text, block.text, section).into_iter();
                row.filter(|rule| span.contains(rule.sentence)).collect()
            }
            BlockKind::ListItem => {
                vec![whole(block.span, item_above(ctx, sentence.block), line_above(ctx, sentence.block))]
            }
            _ => vec![whole(span, None, None)],
        }
    })
}

/// The parent of an indented item of a list.
fn item_above(ctx: Context<'_>, block: usize) -> Option<Span> {
    let depth = ctx.reading.blocks[block].depth;
    let above = ctx.reading.blocks[..block].iter().rev().take(MOST_ITEMS);
    let mut items = above.take_while(|other| depth > 0 && other.kind == BlockKind::ListItem);
    items.find(|item| item.depth < depth).map(|item| item.text)
}

/// The line ending in a colon that introduces the list of an item.
fn line_above(ctx: Context<'_>, block: usize) -> Option<Span> {
    let mut above = ctx.reading.blocks[..block].iter().rev().take(MOST_ITEMS);
    let before = above.find(|other| other.kind != BlockKind::ListItem)?;
    let introduces =
        before.kind == BlockKind::Paragraph && before.text.slice(ctx.text).trim_end().ends_with([':', '：']);
    introduces.then_some(before.text)
}

/// The sentences of the cells of a row. A cell breaks its lines with `<br>`.
fn cells(text: &str, row: Span, section: usize) -> Vec<Rule> {
    let mut out = Vec::new();
    let mut start = row.start;
    for cell in row.slice(text).split('|') {
        let topic = Some(Span::new(row.start, start));
        for line in cell.split("<br>") {
            let passage = Span::new(start, start + line.len());
            let rule = |sentence| Rule { sentence, passage, statement: row, topic, lead: None, section };
            out.extend(sentences(text, passage).into_iter().map(rule));
            start += line.len() + "<br>".len();
        }
        // Every line but the last one is followed by a break, every cell by a bar.
        start = start + 1 - "<br>".len();
    }
    out
}

/// Returns true for a sentence that states a rule, and false for accounts of today, test steps and conversation.
fn is_rule(ctx: Context<'_>, sentence: &Sentence) -> bool {
    !ctx.reading.is_conversation
        && !sentence.struck
        && !matches!(
            sentence.genre,
            Genre::Code | Genre::GherkinStep | Genre::Quotation | Genre::Question | Genre::Title | Genre::Heading
        )
        && !matches!(
            sentence.role,
            SectionRole::Rationale
                | SectionRole::Alternatives
                | SectionRole::Environment
                | SectionRole::Steps
                | SectionRole::Actual
                | SectionRole::Metrics
                | SectionRole::Timeline
                | SectionRole::Metadata
                | SectionRole::Risks
                | SectionRole::OpenQuestions
                | SectionRole::OutOfScope
        )
        && !sentence.cues.any(&[Cue::Proposal, Cue::Hedge])
        // "Still", 最近: in prose these describe today; in a list of rules they belong to a rule.
        && (!sentence.cues.has(Cue::Narrative) || binds(ctx, sentence))
        && !is_pasted(sentence.span.slice(ctx.text))
}

/// Returns true for addresses, markup, paths and pasted output, which state no rule.
fn is_pasted(words: &str) -> bool {
    let marks = ["://", "<img", "</", "{code", ".js:", ".py:"];
    words.len() > LONGEST_RULE
        || words.bytes().filter(|byte| *byte == b'/').count() > 4
        || words.contains(['/', '<', '{', '.']) && marks.iter().any(|mark| words.contains(mark))
}

fn binds(ctx: Context<'_>, sentence: &Sentence) -> bool {
    matches!(sentence.genre, Genre::AcceptanceCriterion | Genre::ShallStatement)
        || ctx.reading.blocks[sentence.block].kind == BlockKind::ListItem
}

/// A figure in the text: place, value, dimension, counted noun, and whether it is an ordinal.
struct Figure {
    span: Span,
    value: f64,
    dimension: Dimension,
    thing: Option<String>,
    ordinal: bool,
}

fn figures(text: &str, sentence: Span) -> Vec<Figure> {
    let read = quantities(text, sentence);
    let mut out: Vec<Figure> = read.iter().filter_map(|quantity| measured(text, sentence, quantity)).collect();
    for figure in counted(text, sentence) {
        if !out.iter().any(|known| known.span.overlaps(figure.span)) {
            out.push(figure);
        }
    }
    let words = sentence.slice(text).to_ascii_lowercase();
    let may_name = !words.is_ascii() || words.contains("last ") || words.contains("previous ");
    let named = NAMED_TIMES.iter().filter(|_| may_name).filter_map(|(name, value)| {
        let from = sentence.start + words.find(name)?;
        let span = Span::new(from, from + name.len());
        Some(Figure { span, value: *value, dimension: Dimension::Time, thing: None, ordinal: false })
    });
    out.extend(named);
    out.sort_by_key(|figure| figure.span.start);
    out
}

fn measured(text: &str, sentence: Span, quantity: &Quantity) -> Option<Figure> {
    // Ages describe brackets, and a separate rule for each bracket is normal.
    let dimension = quantity.dimension.filter(|dimension| !matches!(dimension, Dimension::Other | Dimension::Age))?;
    let unit = Span::new(quantity.number.end, quantity.span.end).slice(text).trim();
    let thing = (dimension == Dimension::Count).then(|| kind_of(unit).map(str::to_owned)).flatten();
    if dimension == Dimension::Count && thing.is_none() {
        return None;
    }
    let before = Span::new(sentence.start, quantity.span.start).slice(text).trim_end();
    let ordinal = before.ends_with('第');
    // 每 3 次, "every 3 times": a rhythm, not an amount.
    let rhythm = before.ends_with(['每', '隔']) || before.to_ascii_lowercase().ends_with("every");
    (!rhythm).then_some(Figure { span: quantity.span, value: quantity.value, dimension, thing, ordinal })
}

/// The kind of a noun or a Chinese counter.
fn kind_of(noun: &str) -> Option<&'static str> {
    let noun = noun.to_lowercase();
    let single = noun.strip_suffix('s').unwrap_or(&noun);
    let kind = KINDS.iter().find(|(_, words)| words.has(&noun) || words.has(single)).map(|(kind, _)| *kind);
    kind.or_else(|| COUNTERS.zh.iter().find(|counter| **counter == noun))
}

/// English numbers and ordinals before a noun: "5 titles", "the sixth hold", "five machines".
fn counted(text: &str, sentence: Span) -> Vec<Figure> {
    let said = sentence.slice(text).to_ascii_lowercase();
    let words: Vec<Span> = words_of(text, sentence);
    let lower =
        |at: usize| words.get(at).map_or("", |span| &said[span.start - sentence.start..span.end - sentence.start]);
    let mut out = Vec::new();
    for (at, span) in words.iter().enumerate() {
        let word = lower(at);
        let ordinal = ordinal(word);
        let Some(value) = ordinal.or_else(|| number(word)) else { continue };
        if at > 0 && RHYTHMS_AND_NAMES.has(lower(at - 1)) {
            continue;
        }
        // "the sixth and seventh computer", "9 external colleagues".
        let ahead = (at + 1..at + 4).map(|next| (next, lower(next)));
        let near = ahead.clone().find(|(_, noun)| kind_of(noun).is_some());
        // "At most 2 open requests": one word may come in between.
        let next = near.or_else(|| {
            ahead.take(2).find(|(place, noun)| is_noun(noun) || *place == at + 1 && ordinal.is_some() && noun.len() > 3)
        });
        let Some((noun_at, noun)) = next else { continue };
        let between = Span::new(span.end, words[noun_at].start).slice(text);
        if !between.chars().all(|c| c == ' ' || c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-') {
            continue;
        }
        let thing = kind_of(noun).map(str::to_owned).or_else(|| content_words(noun).pop());
        let Some(thing) = thing else { continue };
        let span = Span::new(span.start, words[noun_at].end);
        out.push(Figure { span, value, dimension: Dimension::Count, thing: Some(thing), ordinal: ordinal.is_some() });
    }
    out
}

fn words_of(text: &str, within: Span) -> Vec<Span> {
    let slice = within.slice(text);
    let mut out = Vec::new();
    let mut start = None;
    for (at, c) in slice.char_indices().chain([(slice.len(), ' ')]) {
        match (c.is_ascii_alphanumeric() || c == '-' || c == ',' && parts_thousands(slice.as_bytes(), at), start) {
            (true, None) => start = Some(at),
            (false, Some(from)) => {
                out.push(Span::new(within.start + from, within.start + at));
                start = None;
            }
            _ => {}
        }
    }
    out
}

fn parts_thousands(text: &[u8], comma: usize) -> bool {
    let is_digit = |at: usize| text.get(at).is_some_and(u8::is_ascii_digit);
    comma > 0 && is_digit(comma - 1) && (1..=3).all(|step| is_digit(comma + step)) && !is_digit(comma + 4)
}

fn ordinal(word: &str) -> Option<f64> {
    let spelt = ORDINALS.en.iter().position(|name| name == word).map(|at| at as f64 + 3.0);
    let digits =
        word.strip_suffix("th").filter(|digits| digits.len() <= 3).and_then(|digits| digits.parse::<u32>().ok());
    spelt.or(digits.map(f64::from))
}

fn number(word: &str) -> Option<f64> {
    let spelt = NUMBERS.en.iter().position(|name| name == word).map(|at| at as f64 + 2.0);
    let digits = word.replace(',', "");
    let digits = (digits.len() <= 9).then(|| digits.parse::<u32>().ok()).flatten();
    spelt.or(digits.map(f64::from))
}

/// Returns true for a plural noun. Verbs in the third person with four or more letters are not distinguished.
fn is_noun(word: &str) -> bool {
    word.len() >= 4 && word.ends_with('s') && !word.ends_with("ss") && word.bytes().all(|b| b.is_ascii_lowercase())
}

fn claim(ctx: Context<'_>, rule: Rule, figure: Figure) -> Claim {
    let Rule { sentence, passage, statement, .. } = rule;
    let text = ctx.text;
    let before = Span::new(sentence.start, figure.span.start).slice(text).to_lowercase();
    let after = Span::new(figure.span.end, sentence.end).slice(text).to_lowercase();
    let clause = before.rsplit([',', '，', ';', '；', '。', ':', '：', '(', '（']).next().unwrap_or(&before);
    let bound = if figure.ordinal { Bound::Ordinal } else { bound(clause, &after) };
    let behind = after.split([',', '，', ';', '；', '。']).next().unwrap_or(&after);
    let said = sentence.slice(text).to_lowercase();
    let rest = format!("{} {}", before, after);
    Claim {
        span: figure.span,
        sentence,
        passage,
        statement,
        topic: rule.topic(ctx),
        value: figure.value,
        dimension: figure.dimension,
        thing: figure.thing,
        bound,
        words: meaning(&rest),
        subject: meaning(clause),
        clause: format!("{clause}{behind}"),
        said,
    }
}

/// The content words of the cells or the item that name a subject; a cell with only an id names none.
fn topic_words(words: &str) -> Vec<String> {
    let is_id = |cell: &&str| cell.contains(|c: char| c.is_ascii_digit()) && !cell.trim().contains(' ');
    let named: Vec<&str> = words.split('|').filter(|cell| !is_id(cell)).collect();
    meaning(&named.join(" "))
}

/// The limit given by the nearest limit word before the figure, or by one after it (以内, "or fewer").
fn bound(clause: &str, after: &str) -> Bound {
    let near: String = clause.chars().rev().take(26).collect::<Vec<_>>().into_iter().rev().collect();
    let last = |words: &Words| words.iter().filter_map(|word| near.rfind(word).map(|at| at + word.len())).max();
    let bounds = [(Bound::AtMost, last(AT_MOST)), (Bound::AtLeast, last(AT_LEAST)), (Bound::Over, last(OVER))];
    let nearest = bounds.into_iter().filter_map(|(bound, at)| at.map(|at| (at, bound)));
    // 不超过 ends where 超过 ends, so the first of two equal positions is the limit.
    let nearest = nearest.fold(None, |best: Option<(usize, Bound)>, own| match best {
        Some(best) if best.0 >= own.0 => Some(best),
        _ => Some(own),
    });
    let tail = after.trim_start();
    if AT_MOST_BEHIND.iter().any(|word| tail.starts_with(word)) {
        return Bound::AtMost;
    }
    if AT_LEAST_BEHIND.iter().any(|word| tail.starts_with(word)) {
        return Bound::AtLeast;
    }
    match nearest {
        Some((_, bound)) => bound,
        None if ALLOWED.iter().any(|word| clause.contains(word)) => Bound::Allowed,
        None => Bound::Plain,
    }
}

/// The content words without figures and limit words.
pub(super) fn meaning(words: &str) -> Vec<String> {
    let mut rest = words.to_lowercase();
    for bound in AT_MOST.iter().chain(AT_LEAST.iter()).chain(OVER.iter()).filter(|bound| bound.len() > 3) {
        if rest.contains(bound) {
            rest = rest.replace(bound, " ");
        }
    }
    content_words(&rest).into_iter().filter(|word| !word.bytes().any(|byte| byte.is_ascii_digit())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(sentence: &str) -> Vec<(String, f64, Option<String>)> {
        let found = figures(sentence, Span::new(0, sentence.len()));
        found.into_iter().map(|f| (f.span.slice(sentence).to_owned(), f.value, f.thing)).collect()
    }

    #[test]
    fn people_and_seats_are_one_kind() {
        let thing = |sentence: &str| read(sentence).pop().and_then(|(_, _, thing)| thing);
        assert_eq!(thing("A room has at most 8 seats."), thing("Invite up to 9 external colleagues."));
        assert_eq!(thing("每组最多 6 人"), thing("可邀请 8 名同事"));
        assert_eq!(thing("after the sixth hold it moves on").as_deref(), Some("hold"));
        assert_eq!(read("At most 10,000 rows"), [("10,000 rows".to_owned(), 10_000.0, Some("row".to_owned()))]);
        assert_eq!(read("the fourth visit"), [("fourth visit".to_owned(), 4.0, Some("times".to_owned()))]);
        assert_eq!(read("on every third visit"), []);
    }

    #[test]
    fn a_limit_is_told_from_what_lies_over_it() {
        assert_eq!(bound("a team has at most ", ""), Bound::AtMost);
        assert_eq!(bound("with more than ", ""), Bound::Over);
        assert_eq!(bound("不超过 ", ""), Bound::AtMost);
        assert_eq!(bound("超过 ", ""), Bound::Over);
        assert_eq!(bound("answers ", " or fewer"), Bound::AtMost);
        assert_eq!(bound("the owner can add ", ""), Bound::Allowed);
    }
}
