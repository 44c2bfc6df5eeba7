//! Tables: the cells of a row, and rows out of cells.

/// The cells of a row, in which `\|` is a bar.
pub fn cells(row: &str) -> Vec<String> {
    let row = row.trim();
    let mut out = vec![String::new()];
    let mut letters = row.strip_prefix('|').unwrap_or(row).chars().peekable();
    while let Some(c) = letters.next() {
        let bar = (c == '\\').then(|| letters.next_if_eq(&'|')).flatten();
        match (bar, out.last_mut()) {
            (None, Some(cell)) if c != '|' => cell.push(c),
            (Some(bar), Some(cell)) => cell.push(bar),
            // The bar at the end of a row begins no cell.
            _ if letters.peek().is_some() => out.push(String::new()),
            _ => {}
        }
    }
    out.iter().map(|cell| cell.trim().to_owned()).collect()
}

/// Returns true for the cells of the line between the column names and the rows: hyphens and colons.
pub fn is_rule(cells: &[String]) -> bool {
    cells.iter().all(|cell| cell.contains('-') && cell.trim_matches([':', '-']).is_empty())
}

/// A row of cells, each on one line.
pub fn row<'c>(cells: impl IntoIterator<Item = &'c str>) -> String {
    let cells: Vec<String> = cells.into_iter().map(|cell| cell.replace('|', "\\|")).collect();
    format!("| {} |", cells.join(" | "))
}

/// A table with the names of its columns; the last line has no line break.
pub fn table<'c, R: IntoIterator<Item = &'c str>>(columns: &[&str], rows: impl IntoIterator<Item = R>) -> String {
    let head = [row(columns.iter().copied()), row(columns.iter().map(|_| "---"))];
    head.into_iter().chain(rows.into_iter().map(row)).collect::<Vec<_>>().join("\n")
}
