//! Reads the cells of a table row by their columns: a column "Acceptance criteria" holds criteria, several to a cell.

use super::blocks::{Block, BlockKind};
use reqgate_base::model::{SectionRole, Span};

/// Tags that begin a line within a cell.
const BREAKS: [&str; 3] = ["<br>", "<br/>", "<br />"];

/// The stretches of a row, each with the role of its column; `role` is that of the section.
pub(super) fn stretches(text: &str, block: &Block, role: SectionRole) -> Vec<(Span, SectionRole)> {
    let is_criteria = |of: Option<SectionRole>| {
        of == Some(SectionRole::AcceptanceCriteria) && role != SectionRole::AcceptanceCriteria
    };
    let is_set_apart = |index: usize| is_criteria(block.cell_roles.get(index).copied().flatten());
    let holds_criteria = matches!(block.kind, BlockKind::TableRow { header: false })
        && block.cells.len() > 1
        && (0..block.cells.len()).any(is_set_apart);
    if !holds_criteria {
        return vec![(block.text, role)];
    }
    let mut out: Vec<(Span, SectionRole)> = Vec::new();
    let mut others: Option<Span> = None;
    for (index, cell) in block.cells.iter().enumerate() {
        if is_set_apart(index) {
            out.extend(others.take().map(|span| (span, role)));
            out.extend(parts(text, *cell).map(|part| (part, SectionRole::AcceptanceCriteria)));
        } else {
            others = Some(others.map_or(*cell, |span| span.join(*cell)));
        }
    }
    out.extend(others.map(|span| (span, role)));
    out.retain(|(span, _)| span.slice(text).chars().any(char::is_alphanumeric));
    out
}

/// The lines of a cell.
fn parts(text: &str, cell: Span) -> impl Iterator<Item = Span> {
    let words = cell.slice(text);
    let lower = words.to_ascii_lowercase();
    let mut ends: Vec<(usize, usize)> =
        BREAKS.iter().flat_map(|tag| lower.match_indices(tag).map(|(at, tag)| (at, at + tag.len()))).collect();
    ends.push((words.len(), words.len()));
    ends.sort_unstable();
    let mut from = 0;
    let bare = move |words: &str| words.len() - words.trim_start_matches(['-', '•', '*', ' ']).len();
    let mut out = Vec::new();
    for (end, next) in ends {
        if end >= from {
            let part = Span::new(cell.start + from, cell.start + end).trimmed(text);
            let part = Span::new(part.start + bare(part.slice(text)), part.end);
            out.push(part);
            from = next;
        }
    }
    out.into_iter()
}
