//! Tells what a list stands under: a heading, a story, a line that leads it in, or an item of the list around it.

use super::blocks::BlockKind;
use super::cues::Cue;
use super::reading::Reading;
use crate::model::Span;

/// What kind of line a list stands under.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LeadKind {
    /// A user story, be it a heading, the title or a sentence: "As a clerk I want …".
    Story,
    /// A heading, a label, or a line in bold.
    Heading,
    /// A line that ends in a colon: "The user can:".
    Colon,
    /// An item of the list around it.
    Item,
    /// A sentence that only happens to stand before the list.
    Prose,
}

/// The line that a list stands under.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LeadIn {
    /// Its words: the heading, or the last sentence before the list.
    pub span: Span,
    /// Index of its block.
    pub block: usize,
    /// What kind of line it is.
    pub kind: LeadKind,
}

/// The heading or the line that the list of an item stands under; `None` for a block that is no item, and for a list that
/// opens the text.
pub fn lead_in(text: &str, reading: &Reading, item: usize) -> Option<LeadIn> {
    let block = reading.lead_of.get(item).copied().flatten()?;
    let lead = reading.blocks.get(block)?;
    let from = reading.sentences.partition_point(|sentence| sentence.block < block);
    let own = reading.sentences[from..].iter().take_while(|sentence| sentence.block == block);
    let last = own.clone().last().map_or(lead.text, |sentence| sentence.span);
    let story = own.clone().find(|sentence| {
        sentence.cues.has(Cue::StoryRole) && sentence.cues.any(&[Cue::Need, Cue::FirstPerson, Cue::Wish])
    });
    let words = last.slice(text).trim_end();
    let bold =
        words.len() > 4 && words.starts_with(['*', '_']) && words.trim_end_matches([':', '：']).ends_with(['*', '_']);
    let labelled = reading.section_of.get(item) != reading.section_of.get(block);
    let kind = match lead.kind {
        _ if story.is_some() => LeadKind::Story,
        BlockKind::ListItem => LeadKind::Item,
        BlockKind::Heading(_) => LeadKind::Heading,
        _ if words.ends_with([':', '：']) => LeadKind::Colon,
        _ if bold || labelled => LeadKind::Heading,
        _ => LeadKind::Prose,
    };
    Some(LeadIn { span: story.map_or(last, |story| story.span), block, kind })
}
