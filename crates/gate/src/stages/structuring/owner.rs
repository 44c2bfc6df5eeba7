//! Finds the owner that an open point names, so that the author is not asked for it.

use super::answered_question::inline_label;
use reqgate_base::model::Span;
use reqgate_text::answer::assignment;
use reqgate_text::words::brief_answers::OWNERS;
use reqgate_text::{Block, BlockKind, Reading};

/// The owner of the point at this place: in brackets, in a column of its table, or in an item below it.
pub(super) fn owner_of(text: &str, reading: &Reading, point: Span) -> Option<Span> {
    let at = reading.sentence_at(point.start)?.block;
    let block = &reading.blocks[at];
    let name = match block.kind {
        BlockKind::TableRow { header: false } => in_column(text, &reading.blocks[..=at]),
        _ => in_brackets(text, block.text).or_else(|| below(text, reading, at)),
    }?;
    name.slice(text).chars().any(char::is_alphanumeric).then_some(name)
}

fn in_brackets(text: &str, words: Span) -> Option<Span> {
    let open = words.slice(text).match_indices(['(', '（']);
    let mut starts = open.map(|(at, mark)| words.start + at + mark.len());
    starts.find_map(|start| {
        let length = text[start..words.end].find([')', '）'])?;
        assigned(text, Span::new(start, start + length))
    })
}

/// The owner in words that only assign.
fn assigned(text: &str, words: Span) -> Option<Span> {
    let owner = assignment(words.slice(text))?.owner?;
    let start = words.start + words.slice(text).find(&owner)?;
    Some(Span::new(start, start + owner.len()))
}

/// The cell of the last row whose column is called `Owner`.
fn in_column(text: &str, rows: &[Block]) -> Option<Span> {
    let (row, above) = rows.split_last()?;
    let mut table = above.iter().rev().take_while(|block| matches!(block.kind, BlockKind::TableRow { .. }));
    let head = table.find(|block| block.kind == BlockKind::TableRow { header: true })?;
    let column = head.cells.iter().position(|cell| OWNERS.has(cell.slice(text).trim().to_lowercase().as_str()))?;
    row.cells.get(column).map(|cell| cell.trimmed(text))
}

/// The owner in the items below the question: "- Owner: Mei".
fn below(text: &str, reading: &Reading, at: usize) -> Option<Span> {
    let question = &reading.blocks[at];
    let items = reading.blocks[at + 1..].iter();
    let mut below =
        items.take_while(|block| block.kind == BlockKind::ListItem && block.depth > question.depth).zip(at + 1..);
    below.find_map(|(block, at)| {
        let is_labelled = inline_label(text, reading, at).is_some_and(|label| OWNERS.has(&label));
        if is_labelled { Some(block.text.trimmed(text)) } else { assigned(text, block.text) }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn owner(list: &str) -> Option<String> {
        let reader = reqgate_rules::load(&reqgate_rules::shipped_files()).expect("the shipped rules load").reader;
        let text = format!("# Export\n\n## Open questions\n\n{list}");
        let reading = reader.read(&text, None);
        let start = text.find("Which").or_else(|| text.find('哪')).expect("a question");
        owner_of(&text, &reading, Span::new(start, start + 1)).map(|name| name.slice(&text).to_owned())
    }

    #[test]
    fn an_owner_is_found_where_authors_write_it() {
        for (list, name) in [
            ("- Which limit holds? (owner: Ana Ruiz; due: 2026-12-10)", Some("Ana Ruiz")),
            ("- Q-001: Which limit holds? (owner: Ana Ruiz) [blocks FR-002]", Some("Ana Ruiz")),
            ("- Which limit holds (rows)? (Ana Ruiz, by 12 Dec)", Some("Ana Ruiz")),
            ("- Which limit holds?\n  - Owner: Mei", Some("Mei")),
            ("| Question | Owner |\n|---|---|\n| Which limit holds? | Mei |", Some("Mei")),
            ("- 哪个上限？（负责人：李雷；截止：12 月 5 日）", Some("李雷")),
            ("- Which limit holds (rows or files)?", None),
            ("- Which limit holds?\n- Which format?\n  - Owner: Mei", None),
            ("| Question | Owner |\n|---|---|\n| Which limit holds? | – |", None),
        ] {
            assert_eq!(owner(list).as_deref(), name, "{list}");
        }
    }
}
