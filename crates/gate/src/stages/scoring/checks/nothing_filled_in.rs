//! Reports a form or a list without content: unreplaced instructions, items without words.
//!
//! # Errors
//! mpty fields in an otherwise useful text are a warning of `unfilled-template`. Here only the title has content, and
//! the title alone is not a description.

use crate::stages::scoring::Context;
use reqgate_base::model::{Genre, Match, SectionRole};
use reqgate_text::form_parts::is_shouted_instruction;
use reqgate_text::lexicon::is_cjk;
use reqgate_text::{BlockKind, Cue, Sentence};

/// The number of empty items that cannot be a typing error.
const EMPTY_ITEMS: usize = 2;
/// The fewest words of a statement; shorter sentences only name something.
const WORDS: usize = 4;
const CHARACTERS: usize = 8;

/// Returns at most one match, for the whole text.
pub(super) fn check(ctx: Context<'_>) -> Vec<Match> {
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

/// Returns true for an instruction of a form that fills its sentence, and false for an example next to an answer.
fn is_instruction(ctx: Context<'_>, sentence: &Sentence) -> bool {
    let words = sentence.span.slice(ctx.text);
    let is_whole = || reqgate_text::display_width(words) <= 60 && sentence.cues.has(Cue::Placeholder);
    let has_slots = || !ctx.reading.placeholders_in(sentence.span).is_empty();
    sentence.is_placeholder && (is_shouted_instruction(words) || is_whole() || has_slots())
}

/// Returns true for code, a log, a table, a picture or a sentence by the author that is not about the version or the
/// date.
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

/// The number of lines that contain only the mark of an item.
fn empty_items(ctx: Context<'_>) -> usize {
    let is_empty = |line: &&str| {
        let item = line.trim();
        let number = item.strip_suffix(['.', ')', '、']);
        matches!(item, "-" | "*" | "+" | "•" | "- [ ]" | "* [ ]")
            || number.is_some_and(|number| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
    };
    ctx.text.lines().filter(is_empty).count()
}
