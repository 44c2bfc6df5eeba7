//! Reports a form that was not filled in: important fields are empty or still contain the instruction.
//!
//! Forms ask for more than a ticket needs. Empty optional fields, fields that a tool fills, single environment fields
//! and an honest "N/A" are ignored. Only fields that readers would have to ask about count, and all of them are one
//! finding.

use std::collections::BTreeSet;

use crate::stages::scoring::Context;
use reqgate_base::model::{Match, SectionRole, Span};
use reqgate_text::form_parts::is_shouted_instruction;
use reqgate_text::words::templates as lists;
use reqgate_text::{BlockKind, Cue, Section};

/// The most fields that the message names.
const NAMED: usize = 3;

/// Returns at most one match, at the heading of the first field, which names the others.
pub(super) fn check(ctx: Context<'_>) -> Vec<Match> {
    let sections = &ctx.reading.sections;
    let content = contents(ctx);
    let filled: BTreeSet<SectionRole> =
        sections.iter().zip(&content).filter(|(_, own)| own.is_filled()).map(|(section, _)| section.role).collect();
    let told = |roles: &[SectionRole]| roles.iter().any(|role| filled.contains(role));
    let unfilled = |(index, own): (usize, &Content)| {
        let section = &sections[index];
        let heading = section.heading?;
        let left =
            own.left().filter(|left| *left != Left::Empty || !goes_on(heading, sections.get(index + 1), ctx.text))?;
        let counts = is_field(heading, ctx)
            && match left {
                Left::Instruction => !is_aside(section.role),
                Left::Empty => is_needed(section.role) && !told(&[section.role]) && !told(same_matter(section.role)),
            };
        counts.then_some(heading)
    };
    let fields: Vec<Span> = content.iter().enumerate().filter_map(unfilled).collect();
    let Some(first) = fields.first() else { return Vec::new() };
    let names: Vec<String> =
        fields.iter().take(NAMED).map(|heading| format!("“{}”", bare(heading.slice(ctx.text)))).collect();
    let more = fields.len().saturating_sub(NAMED);
    let more = if more > 0 { format!(" (+{more})") } else { String::new() };
    vec![Match::at(*first).with("term", format!("{}{more}", names.join(", ")))]
}

/// The state of an unfilled field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Left {
    /// The field is empty or contains the form's word for empty.
    Empty,
    /// The field still contains the form's instruction.
    Instruction,
}

/// The content of a section without its subsections.
#[derive(Debug, Clone, Copy, Default)]
struct Content {
    blocks: usize,
    empty: usize,
    instructions: usize,
    has_parts: bool,
}

impl Content {
    fn is_filled(self) -> bool {
        self.blocks > self.empty + self.instructions
    }

    /// The state of an unfilled section; `None` if it has text by the author or contains other fields.
    fn left(self) -> Option<Left> {
        match self {
            Self { instructions: 1.., .. } if !self.is_filled() => Some(Left::Instruction),
            Self { has_parts: true, blocks: 0, .. } => None,
            _ => (!self.is_filled()).then_some(Left::Empty),
        }
    }
}

/// The content of every section, found in one pass over the blocks.
fn contents(ctx: Context<'_>) -> Vec<Content> {
    let reading = ctx.reading;
    let mut content = vec![Content::default(); reading.sections.len()];
    for (block, section) in reading.blocks.iter().zip(&reading.section_of) {
        if matches!(block.kind, BlockKind::Heading(_) | BlockKind::HtmlComment | BlockKind::FrontMatter) {
            continue;
        }
        let own = &mut content[*section];
        own.blocks += 1;
        match left_in(block.text.slice(ctx.text), reading.cues_in(block.text).has(Cue::Placeholder)) {
            Some(Left::Empty) => own.empty += 1,
            Some(Left::Instruction) => own.instructions += 1,
            None => {}
        }
    }
    for section in &reading.sections {
        if let Some(parent) = section.parent {
            content[parent].has_parts = true;
        }
    }
    content
}

/// Returns true if the next section is part of the answer and not another field: a line that only resembles a heading
/// (“_Background_”, “1. Open the page”). The fields of a form all have the same markup.
fn goes_on(heading: Span, next: Option<&Section>, text: &str) -> bool {
    let Some(next) = next.filter(|next| next.is_by_a_line()) else { return false };
    next.heading.is_some_and(|next| mark(text, next) != mark(text, heading))
}

/// The first character of a heading line: a sign, or `1` and `a` for any number and any letter.
fn mark(text: &str, heading: Span) -> Option<char> {
    // There are few characters before a heading. No more are read, because a line may contain many headings.
    let before = text[..heading.start].chars().rev().take(8).take_while(|c| !matches!(c, '\n' | '\r'));
    let first = before.filter(|c| !c.is_whitespace()).last().or_else(|| heading.slice(text).chars().next())?;
    Some(match first {
        digit if digit.is_numeric() => '1',
        letter if letter.is_alphabetic() => 'a',
        sign => sign,
    })
}

/// Returns true for a heading that asks for content: not the title, a heading with its own answer, one that a tool
/// fills, or a line of code.
fn is_field(heading: Span, ctx: Context<'_>) -> bool {
    let words = heading.slice(ctx.text);
    let is_title = ctx.reading.title.is_some_and(|title| title.overlaps(heading));
    let answers = words.split_once([':', '：']).is_some_and(|(_, answer)| answer.chars().any(char::is_alphanumeric));
    let by_a_tool = words.to_lowercase().contains("automat") || words.contains("自动");
    !is_title && !answers && !by_a_tool && !words.contains('=')
}

/// Returns true for fields that a reader would have to ask about.
fn is_needed(role: SectionRole) -> bool {
    matches!(
        role,
        SectionRole::Story
            | SectionRole::Demand
            | SectionRole::Rationale
            | SectionRole::AcceptanceCriteria
            | SectionRole::Requirements
            | SectionRole::NonFunctional
            | SectionRole::EdgeCases
            | SectionRole::Steps
            | SectionRole::Expected
            | SectionRole::Actual
            | SectionRole::Environment
            | SectionRole::Goals
            | SectionRole::Metrics
            | SectionRole::Audience
    )
}

/// Returns true for fields that are not needed, even if they are empty.
fn is_aside(role: SectionRole) -> bool {
    matches!(
        role,
        SectionRole::Notes
            | SectionRole::Evidence
            | SectionRole::Metadata
            | SectionRole::Alternatives
            | SectionRole::Title
    )
}

/// The fields that can replace this one, because forms divide the same content differently. If one of them is filled
/// in, an empty field is the heading of a group or a selected option (“Feature request”).
fn same_matter(role: SectionRole) -> &'static [SectionRole] {
    const WISH: &[SectionRole] = &[
        SectionRole::Story,
        SectionRole::Demand,
        SectionRole::Rationale,
        SectionRole::Requirements,
        SectionRole::Expected,
        SectionRole::Actual,
    ];
    if matches!(role, SectionRole::Story | SectionRole::Demand | SectionRole::Requirements) { WISH } else { &[] }
}

fn left_in(words: &str, has_cue: bool) -> Option<Left> {
    let bare =
        words.trim().trim_matches(['_', '*', '`', '[', ']', '<', '>', '(', ')', '（', '）', '。', '.']).to_lowercase();
    if matches!(bare.as_str(), "..." | "…" | "") || lists::EMPTY_ANSWERS.has(&bare) {
        return Some(Left::Empty);
    }
    // "Not applicable" is an answer.
    if lists::NOT_APPLICABLE.has(&bare) {
        return None;
    }
    if lists::STAND_INS.has(&bare) {
        return Some(Left::Instruction);
    }
    let is_shouted = is_shouted_instruction(words);
    let is_instruction =
        is_shouted || has_cue && reqgate_text::display_width(&bare) <= 60 || lists::INSTRUCTIONS.begin(&bare);
    is_instruction.then_some(Left::Instruction)
}

fn bare(heading: &str) -> String {
    heading.trim_matches(|c: char| !c.is_alphanumeric() && !matches!(c, ')' | '）')).to_string()
}
