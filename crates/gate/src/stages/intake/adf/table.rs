//! Renders a table as a pipe table; the first row is its head, as Markdown requires.

use serde_json::Value;

use super::{DEEPEST_NODE, attribute, children, kind, to_markdown_at};

/// The widest plausible cell, in columns; larger values are errors in the document.
const WIDEST_CELL: u64 = 20;

/// Renders the table without a line end after it.
pub(super) fn render(table: &Value, depth: usize) -> String {
    if depth > DEEPEST_NODE {
        return String::new();
    }
    let mut out = String::new();
    for (index, row) in children(table).iter().filter(|row| kind(row) == "tableRow").enumerate() {
        let cells = render_row(row, depth + 1, &mut out);
        if index == 0 {
            out.push_str("\n|");
            out.push_str(&" --- |".repeat(cells.max(1)));
        }
    }
    out
}

/// Adds a row on a separate line and returns the number of its cells.
fn render_row(row: &Value, depth: usize, out: &mut String) -> usize {
    if !out.is_empty() {
        out.push('\n');
    }
    out.push('|');
    let mut count = 0;
    for cell in children(row) {
        let words = to_markdown_at(cell, depth + 1);
        let lines: Vec<&str> = words.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        out.push(' ');
        out.push_str(&lines.join("<br>").replace('|', "\\|"));
        out.push_str(" |");
        let width = attribute(cell, "colspan").and_then(Value::as_u64).unwrap_or(1).clamp(1, WIDEST_CELL);
        for _ in 1..width {
            out.push_str(" |");
            count += 1;
        }
        count += 1;
    }
    count
}
