//! Reports the fields of a form that were left as they came: empty, `_No response_`, or the instruction itself.

use crate::model::{SectionRole, Sighting, Span};
use crate::stages::scoring::findings::Context;
use crate::text::{BlockKind, Cue, Section};

/// One finding per field, at its heading.
pub fn check(ctx: Context<'_>) -> Vec<Sighting> {
    let reading = ctx.reading;
    // What stands in each section, subsections not included, in one pass over the blocks.
    let mut content = vec![Content::default(); reading.sections.len()];
    for (block, section) in reading.blocks.iter().zip(&reading.section_of) {
        if matches!(block.kind, BlockKind::Heading(_) | BlockKind::HtmlComment | BlockKind::FrontMatter) {
            continue;
        }
        let words = block.text.slice(ctx.text);
        let own = &mut content[*section];
        own.blocks += 1;
        own.placeholders += usize::from(is_placeholder(words, reading.cues_in(block.text).has(Cue::Placeholder)));
    }
    let has_parts = parents(&reading.sections);
    let mut found = Vec::new();
    for (index, section) in reading.sections.iter().enumerate() {
        let Some(heading) = section.heading else { continue };
        let own = content[index];
        let empty = own.blocks == 0 && !has_parts[index] && is_field(section, heading, ctx);
        if empty || own.blocks > 0 && own.blocks == own.placeholders {
            found.push(Sighting::at(heading).with("term", bare(heading.slice(ctx.text))));
        }
    }
    found
}

#[derive(Debug, Clone, Copy, Default)]
struct Content {
    blocks: usize,
    placeholders: usize,
}

fn parents(sections: &[Section]) -> Vec<bool> {
    let mut has_parts = vec![false; sections.len()];
    for section in sections {
        if let Some(parent) = section.parent {
            has_parts[parent] = true;
        }
    }
    has_parts
}

/// A heading with nothing below it is an empty field only if the heading says what belongs there.
fn is_field(section: &Section, heading: Span, ctx: Context<'_>) -> bool {
    let is_title = ctx.reading.title.is_some_and(|title| title.overlaps(heading));
    !is_title
        && !matches!(
            section.role,
            SectionRole::Body | SectionRole::Title | SectionRole::Evidence | SectionRole::Notes | SectionRole::Metadata
        )
}

fn is_placeholder(words: &str, has_cue: bool) -> bool {
    let bare =
        words.trim().trim_matches(['_', '*', '`', '[', ']', '<', '>', '(', ')', '（', '）', '。', '.']).to_lowercase();
    let short = crate::text::display_width(&bare) <= 60;
    matches!(bare.as_str(), "no response" | "xxx" | "xxxx" | "..." | "…" | "tbd" | "todo" | "待填写" | "请填写" | "")
        || has_cue && short
        || bare.starts_with("请填写")
        || bare.starts_with("请描述")
        || bare.starts_with("a clear and concise description")
}

fn bare(heading: &str) -> String {
    heading.trim_matches(|c: char| !c.is_alphanumeric() && !matches!(c, ')' | '）')).to_string()
}
