//! Reads a source into what is said in it: one statement per sentence or clause, with its kind and its place.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::kinds::{self, Facts};
use super::statement::Said;
use super::wording::{clauses, readable, words_of};
use super::{RulesAuthor, Source};
use crate::model::{Genre, LineIndex, SectionRole, Span};
use crate::prd::SourceQuote;
use crate::rules::DraftingCue;
use crate::text::lexicon::is_cjk;
use crate::text::{BlockKind, Reading, Sentence};

/// More statements than this are not read: it is a book, and every pair is compared.
pub const MOST_STATEMENTS: usize = 400;

impl RulesAuthor<'_> {
    /// Everything that a source says, in its order.
    pub(super) fn said(&self, source: &Source) -> Vec<Said> {
        let text = source.text.as_str();
        let reading = self.reader.read(&neutral_speakers(text), None);
        let cues = self.words.in_text(text);
        let lines = LineIndex::new(text);
        let speakers = kinds::speakers(text, &reading);
        let is_talk = reading.is_conversation || kinds::is_minutes(text, &reading);
        let facts = Facts { text, reading: &reading, cues: &cues, speakers: &speakers, is_talk, words: &self.words };
        let mut out: Vec<Said> = Vec::new();
        for sentence in reading.sentences.iter().filter(|sentence| is_read(sentence, &reading)) {
            if out.len() >= MOST_STATEMENTS {
                break;
            }
            for span in pieces(&facts, sentence) {
                let Some(words) = readable(span.slice(text)).map(|words| words_of(&words)) else { continue };
                if words.is_empty() {
                    continue;
                }
                let quote = SourceQuote {
                    source: source.name.clone(),
                    line: u32::try_from(lines.position(text, span.start).line).unwrap_or(u32::MAX),
                    quote: sentence.span.slice(text).to_owned(),
                };
                out.push(facts.said(sentence, span, words, quote));
            }
        }
        out
    }
}

/// The longest name of somebody who speaks, in characters.
const LONGEST_NAME: usize = 12;

/// The text with speakers whose name is a label of minutes ("主持人：", "QA:") under a name that is none, byte for byte as
/// long, where most lines are what somebody says.
fn neutral_speakers(text: &str) -> Cow<'_, str> {
    let label = |line: &str| {
        let at = line.find([':', '：'])?;
        let name = &line[..at];
        let is_name = (1..=LONGEST_NAME).contains(&name.chars().count()) && name.chars().all(char::is_alphanumeric);
        is_name.then(|| name.to_owned())
    };
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    let mut said: BTreeMap<String, usize> = BTreeMap::new();
    for name in lines.iter().filter_map(|line| label(line)) {
        *said.entry(name).or_default() += 1;
    }
    said.retain(|_, times| *times >= 2);
    let turns: usize = said.values().sum();
    if said.len() < 2 || turns * 10 < lines.len() * 7 {
        return Cow::Borrowed(text);
    }
    let names: Vec<&String> = said.keys().collect();
    let mut out = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let name = label(line).filter(|name| said.contains_key(name));
        let number = name.as_ref().and_then(|name| names.iter().position(|other| *other == name)).unwrap_or_default();
        let length = name.as_ref().map_or(0, String::len);
        // Letters of a name that no heading has: 甲, 乙 … for Chinese, Xa, Xb … for the rest.
        let letter = char::from(b'a' + u8::try_from(number % 26).unwrap_or(0));
        let neutral: String = match name.as_deref() {
            Some(name) if name.chars().all(is_cjk) => {
                let own = ["甲", "乙", "丙", "丁", "戊", "己", "庚", "辛"][number % 8];
                own.chars().cycle().take(name.chars().count()).collect()
            }
            Some(name) if name.is_ascii() => "X".chars().chain(std::iter::repeat(letter)).take(length).collect(),
            Some(name) => name.to_owned(),
            None => String::new(),
        };
        out.push_str(&neutral);
        out.push_str(&line[length..]);
    }
    Cow::Owned(out)
}

fn is_read(sentence: &Sentence, reading: &Reading) -> bool {
    let block = &reading.blocks[sentence.block];
    let is_title = sentence.genre == Genre::Title && matches!(block.kind, BlockKind::Heading(_));
    let is_set_aside = sentence.struck || sentence.is_placeholder || block.quoted || is_title;
    !is_set_aside
        && !matches!(sentence.genre, Genre::Code | Genre::Heading | Genre::Quotation)
        && !matches!(block.kind, BlockKind::FrontMatter | BlockKind::HtmlComment | BlockKind::MailHeader)
        && sentence.role != SectionRole::Metadata
}

/// A sentence is one statement, unless it takes something back or replaces it on its way.
fn pieces(facts: &Facts<'_>, sentence: &Sentence) -> Vec<Span> {
    let text = facts.text;
    let turns = |span: Span| {
        facts.cues.any(span, &[DraftingCue::Retraction, DraftingCue::Joke])
            || kinds::replaces(facts, span)
            || facts.cues.has(span, DraftingCue::Open)
    };
    let clauses = clauses(text, sentence.span);
    // "It is done by hand today, we want a list": what is wrong, then what is wanted.
    if let Some(wish) = facts.later_wish(sentence, &clauses) {
        return vec![
            Span::new(sentence.span.start, wish.start).trimmed(text),
            Span::new(wish.start, sentence.span.end),
        ];
    }
    if clauses.len() < 2 || !clauses.iter().any(|clause| turns(*clause)) || !facts.may_turn(sentence) {
        return vec![sentence.span];
    }
    // Clauses that turn stand alone, those between two of them stay together.
    let mut out: Vec<(Span, bool)> = Vec::new();
    for clause in clauses {
        let alone = turns(clause) && !facts.cues.has(clause, DraftingCue::Joke);
        match out.last_mut() {
            Some((last, false)) if !alone => *last = last.join(clause),
            _ => out.push((clause, alone)),
        }
    }
    out.into_iter().map(|(span, _)| span).collect()
}
