//! Completes the headings of sections.

use lsp_types::{CompletionItem, CompletionItemKind, CompletionTextEdit, Position, Range, TextEdit};

use crate::documents::Document;
use crate::positions::{Encoding, Positions};

/// The headings to offer at a position: after `#` at the start of a line, in the language of the text.
pub(crate) fn at(document: &Document, position: Position, encoding: Encoding) -> Vec<CompletionItem> {
    let Some(text) = &document.text else { return Vec::new() };
    let positions = Positions::new(text, encoding);
    let offset = positions.offset(position);
    let start = positions.lines().get(position.line as usize).map_or(0, |line| line.start);
    let before = text.get(start..offset).unwrap_or_default();
    let hashes = before.len() - before.trim_start_matches('#').len();
    let is_heading = (1..=6).contains(&hashes) && !before[hashes..].contains('#');
    if !is_heading {
        return Vec::new();
    }
    let range = Range { start: positions.position(start), end: positions.position(offset) };
    let item = |(number, name): (usize, &String)| {
        let line = format!("{} {name}", &before[..hashes]);
        CompletionItem {
            label: name.clone(),
            kind: Some(CompletionItemKind::KEYWORD),
            // The order of the file, not of the alphabet.
            sort_text: Some(format!("{number:03}")),
            filter_text: Some(line.clone()),
            text_edit: Some(CompletionTextEdit::Edit(TextEdit { range, new_text: line })),
            ..CompletionItem::default()
        }
    };
    document.headings().iter().enumerate().map(item).collect()
}
