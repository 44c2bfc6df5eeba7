//! Finds the owner that an open point names, so that the author is not asked for it.

use super::answered_question::inline_label;
use reqgate_base::model::Span;
use reqgate_text::answer::{assignment, leaves_open};
use reqgate_text::words::brief_answers::{NO_OWNERS, OWNERS};
use reqgate_text::{Block, BlockKind, Reading};

/// The owner of the point at this place: in brackets or with a label after it, in a column of its table, or in an item
/// below it.
pub(super) fn owner_of(text: &str, reading: &Reading, point: Span) -> Option<Span> {
    let at = reading.sentence_at(point.start)?.block;
    let block = &reading.blocks[at];
    match block.kind {
        BlockKind::TableRow { header: false } => in_column(text, &reading.blocks[..=at]),
        _ => {
            let own = up_to_next_question(text, Span::new(point.start, block.text.end.max(point.start)));
            in_brackets(text, own).or_else(|| labelled(text, own)).or_else(|| below(text, reading, at))
        }
    }
}

/// The words of a point up to the sentence that asks another question.
fn up_to_next_question(text: &str, words: Span) -> Span {
    let mut marks = words.slice(text).match_indices(['?', '？']).map(|(at, mark)| at + mark.len());
    let (Some(first), Some(second)) = (marks.next(), marks.next()) else { return words };
    let between = words.slice(text)[first..second].trim_end_matches(['?', '？']);
    let begins = between.rfind(['.', '。', ';', '；', '\n']).unwrap_or(0);
    Span::new(words.start, words.start + first + begins)
}

fn in_brackets(text: &str, words: Span) -> Option<Span> {
    let open = words.slice(text).match_indices(['(', '（']);
    let mut starts = open.map(|(at, mark)| words.start + at + mark.len());
    starts.find_map(|start| {
        let length = text[start..words.end].find([')', '）'])?;
        assigned(text, Span::new(start, start + length))
    })
}

/// The owner after a label: "Owner: Mei" after the question or on a line of the same item.
fn labelled(text: &str, words: Span) -> Option<Span> {
    let mut start = words.start;
    let mut parts = words.slice(text).split_inclusive(['\n', '?', '？']).map(|part| {
        let part = Span::new(start, start + part.len());
        start = part.end;
        part
    });
    parts.find_map(|part| assigned(text, part.trimmed(text)))
}

/// The owner in words that only assign; words such as "TBD" are left out.
fn assigned(text: &str, words: Span) -> Option<Span> {
    let owner = assignment(words.slice(text))?.owner?;
    let start = words.start + words.slice(text).find(&owner)?;
    is_somebody(&owner).then(|| Span::new(start, start + owner.len()))
}

/// The cell of the last row whose column is called `Owner`.
fn in_column(text: &str, rows: &[Block]) -> Option<Span> {
    let (row, above) = rows.split_last()?;
    let mut table = above.iter().rev().take_while(|block| matches!(block.kind, BlockKind::TableRow { .. }));
    let head = table.find(|block| block.kind == BlockKind::TableRow { header: true })?;
    let column = head.cells.iter().position(|cell| OWNERS.has(cell.slice(text).trim().to_lowercase().as_str()))?;
    row.cells.get(column).map(|cell| cell.trimmed(text)).filter(|cell| is_owner(cell.slice(text)))
}

/// Returns true for the name of a person or team after a label.
fn is_owner(name: &str) -> bool {
    name.contains(char::is_alphanumeric) && assignment(&format!("owner: {name}")).is_some() && is_somebody(name)
}

fn is_somebody(name: &str) -> bool {
    !leaves_open(name) && !NO_OWNERS.has(&name.to_lowercase())
}

/// The owner in the items below the question, or on the next lines of its item: "- Owner: Mei".
fn below(text: &str, reading: &Reading, at: usize) -> Option<Span> {
    let question = &reading.blocks[at];
    let items = reading.blocks[at + 1..].iter();
    // A further line of an item is a block without a mark.
    let is_marked = |block: &Block| {
        let line = text[..block.span.start].rfind('\n').map_or(0, |end| end + 1);
        text[line..].trim_start().starts_with(|c: char| c.is_ascii_digit() || matches!(c, '-' | '*' | '+' | '•'))
    };
    let belongs =
        |block: &&Block| block.kind == BlockKind::ListItem && (block.depth > question.depth || !is_marked(block));
    let mut below = items.take_while(belongs).zip(at + 1..);
    below.find_map(|(block, at)| {
        let is_labelled = inline_label(text, reading, at).is_some_and(|label| OWNERS.has(&label));
        match is_labelled {
            true => Some(block.text.trimmed(text)).filter(|name| is_owner(name.slice(text))),
            false => assigned(text, block.text),
        }
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
            ("- [ ] Q-001: Which limit holds?\n  Owner: Mei\n  Due: 12 Dec\n  Answer: ______", Some("Mei")),
            ("- Which limit holds? Owner: Mei", Some("Mei")),
            ("- Which limit holds? (owner: TBD)", None),
            ("- Which limit holds?\n  - Owner: to be decided", None),
            ("| Question | Owner |\n|---|---|\n| Which limit holds? | TBD |", None),
            ("| Question | Owner |\n|---|---|\n| Which limit holds? | nobody |", None),
            ("| 问题 | 负责人 |\n|---|---|\n| 哪个上限？ | 待定 |", None),
            ("- Which limit holds? It is open. Which dates (owner: Mei)?", None),
            ("- Which limit holds?\n- Which format?\n  - Owner: Mei", None),
            ("| Question | Owner |\n|---|---|\n| Which limit holds? | – |", None),
        ] {
            assert_eq!(owner(list).as_deref(), name, "{list}");
        }
    }
}
