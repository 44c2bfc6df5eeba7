//! A table of requirements in which no row has an acceptance criterion.

use crate::model::{Match, SectionRole, Span};
use crate::stages::scoring::Context;
use crate::text::{Block, BlockKind};

/// A finding on each table whose column of criteria is empty, or repeats the requirement, in every row.
pub fn check(ctx: Context<'_>) -> Vec<Match> {
    let mut out = Vec::new();
    let mut table: Vec<&Block> = Vec::new();
    for block in &ctx.reading.blocks {
        match block.kind {
            BlockKind::TableRow { header: false } => table.push(block),
            _ => out.extend(finding(ctx.text, &std::mem::take(&mut table))),
        }
    }
    out.extend(finding(ctx.text, &table));
    out
}

/// The first row of a table without criteria.
fn finding(text: &str, rows: &[&Block]) -> Option<Match> {
    let cell = |row: &Block, wanted: SectionRole| {
        let at = row.cell_roles.iter().position(|role| *role == Some(wanted))?;
        row.cells.get(at).copied()
    };
    let first = rows.first()?;
    let has = |wanted: SectionRole| rows.iter().any(|row| row.cell_roles.contains(&Some(wanted)));
    if !has(SectionRole::Requirements) || !has(SectionRole::AcceptanceCriteria) {
        return None;
    }
    let words = |span: Option<Span>| {
        let words = span.map(|span| span.slice(text)).unwrap_or_default();
        words.chars().filter(|c| c.is_alphanumeric()).collect::<String>().to_lowercase()
    };
    let says_nothing = |row: &&Block| {
        let criterion = words(cell(row, SectionRole::AcceptanceCriteria));
        criterion.is_empty() || criterion == words(cell(row, SectionRole::Requirements))
    };
    rows.iter().all(says_nothing).then(|| Match::at(first.text))
}
