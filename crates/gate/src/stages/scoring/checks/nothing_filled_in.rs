//! Reports a form or a list that was set up and holds nothing: instructions that nobody replaced, items without words.
//!
//! What is left empty beside a told matter is a remark of `unfilled-template`. Here nothing is told at all, so that only the
//! title is left, and the title of a text that was meant to say more does not say it.

use crate::stages::scoring::Context;
use reqgate_base::model::{Genre, Match, SectionRole};
use reqgate_text::form_parts::is_shouted_instruction;
use reqgate_text::lexicon::is_cjk;
use reqgate_text::{BlockKind, Cue, Sentence};

/// So many empty items are no slip of the key.
const EMPTY_ITEMS: usize = 2;
/// A sentence of fewer words, or Chinese characters, names something and says nothing of it.
const WORDS: usize = 4;
const CHARACTERS: usize = 8;

/// At most one finding, about the whole text.
pub fn check(ctx: Context<'_>) -> Vec<Match> {
    let sentences = &ctx.reading.sentences;
    let instruction = sentences.iter().find(|sentence| is_instruction(ctx, sentence));
    let empty = empty_items(ctx);
    if instruction.is_none() && empty < EMPTY_ITEMS || says_something(ctx) {
        return Vec::new();
    }
    let term = match instruction {
        Some(sentence) => format!("“{}”", sentence.span.slice(ctx.text).trim()),
        None => ctx.language.of(format!("{empty} empty items"), format!("{empty} 个空白项")),
    };
    vec![Match::missing().with("term", term)]
}

/// An instruction of a form that makes up its sentence; an example beside an answer does not.
fn is_instruction(ctx: Context<'_>, sentence: &Sentence) -> bool {
    let words = sentence.span.slice(ctx.text);
    let is_whole = || reqgate_text::display_width(words) <= 60 && sentence.cues.has(Cue::Placeholder);
    let has_slots = || !ctx.reading.placeholders_in(sentence.span).is_empty();
    sentence.is_placeholder && (is_shouted_instruction(words) || is_whole() || has_slots())
}

/// True for code, a log, a table, a picture or a sentence of the author's that is not about the version or the date.
fn says_something(ctx: Context<'_>) -> bool {
    let reading = ctx.reading;
    let shows = |kind| matches!(kind, BlockKind::Code | BlockKind::Log | BlockKind::TableRow { .. } | BlockKind::Turn);
    if ctx.text.contains("![") || ctx.text.contains("<img") || ctx.text.contains("://") {
        return true;
    }
    reading.blocks.iter().any(|block| shows(block.kind)) || reading.sentences.iter().any(|it| is_said(ctx, it))
}

fn is_said(ctx: Context<'_>, sentence: &Sentence) -> bool {
    if sentence.is_placeholder || matches!(sentence.genre, Genre::Title | Genre::Heading) {
        return false;
    }
    if matches!(sentence.role, SectionRole::Environment | SectionRole::Metadata) {
        return false;
    }
    let words = sentence.span.slice(ctx.text);
    words.split_whitespace().filter(|word| word.chars().any(char::is_alphabetic)).count() >= WORDS
        || words.chars().filter(|c| is_cjk(*c)).count() >= CHARACTERS
}

/// Lines that hold the mark of an item and nothing else.
fn empty_items(ctx: Context<'_>) -> usize {
    let is_empty = |line: &&str| {
        let item = line.trim();
        let number = item.strip_suffix(['.', ')', '、']);
        matches!(item, "-" | "*" | "+" | "•" | "- [ ]" | "* [ ]")
            || number.is_some_and(|number| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
    };
    ctx.text.lines().filter(is_empty).count()
}
