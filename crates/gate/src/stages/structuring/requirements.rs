//! Finds the requirements of a document: items with an id, rows of a table, and text under a heading of requirements.

use reqgate_base::model::{Criterion, Genre, Requirement, SectionRole, Span};
use reqgate_text::{BlockKind, Reading};

use super::statement::{self, ENOUGH_UNDER_A_HEADING};

/// The requirements of a document, in order.
pub(crate) fn requirements(text: &str, reading: &Reading, criteria: &[Criterion]) -> Vec<Requirement> {
    let mut out: Vec<Requirement> = Vec::new();
    let mut binds = vec![false; reading.blocks.len()];
    for sentence in reading.sentences.iter().filter(|s| s.genre == Genre::ShallStatement) {
        binds[sentence.block] = true;
    }
    for (index, block) in reading.blocks.iter().enumerate() {
        let role = reading.sections[reading.section_of[index]].role;
        let named = block.label.filter(|label| is_requirement_id(label.slice(text)));
        let listed = matches!(role, SectionRole::Requirements | SectionRole::NonFunctional);
        let row_id = || block.cells.first().filter(|cell| is_requirement_id(cell.slice(text))).copied();
        let id = match block.kind {
            BlockKind::ListItem => named,
            BlockKind::TableRow { header: false } => row_id(),
            BlockKind::Heading(_) => heading_id(text, block.text),
            _ => None,
        };
        let counts = match block.kind {
            BlockKind::ListItem | BlockKind::TableRow { header: false } => listed || id.is_some(),
            BlockKind::Heading(_) => id.is_some(),
            BlockKind::Paragraph => listed && binds[index],
            _ => false,
        };
        if !counts
            || block.quoted
            || matches!(
                role,
                SectionRole::Metadata | SectionRole::Risks | SectionRole::Resources | SectionRole::OutOfScope
            )
        {
            continue;
        }
        let span = block.span;
        // Criteria are in the order of the text.
        let from = criteria.partition_point(|c| c.span.start < span.start);
        let inside = criteria[from..]
            .iter()
            .take_while(|c| c.span.start < span.end)
            .any(|c| c.verifiable && span.contains(c.span));
        let own = statement::weigh_span(text, reading, block.text, reading.cues_in(block.text), Genre::ShallStatement);
        let verifiable = inside || own.score >= ENOUGH_UNDER_A_HEADING;
        out.push(Requirement { id: id.map(|id| id.slice(text).to_string()), span, verifiable });
    }
    out
}

/// Returns true for `FR-001`, `NFR-2`, `REQ 12`, `R3`, `CH-4`.
pub(crate) fn is_requirement_id(label: &str) -> bool {
    let label = label.trim_matches(['*', '[', ']', ' ', '`']);
    let letters = label.chars().take_while(char::is_ascii_uppercase).count();
    let rest = label[letters..].trim_start_matches(['-', '_', '.', ' ']);
    (1..=6).contains(&letters)
        && !rest.is_empty()
        && rest.len() <= 6
        && rest.chars().all(|c| c.is_ascii_digit() || c == '.')
}

fn heading_id(text: &str, heading: Span) -> Option<Span> {
    let words = heading.slice(text);
    let end = words.find([' ', ':', '：', '–', '\t']).unwrap_or(words.len());
    let id = Span::new(heading.start, heading.start + end);
    is_requirement_id(id.slice(text).trim_matches(['[', ']', '*'])).then_some(id)
}
