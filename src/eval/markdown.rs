//! Writes a run as a Markdown page: the table of figures, what is absent, and how to make it again.

use std::fmt::Write;

use super::result::{Evaluation, Figure, Measured, State, number};

/// The page. `command` is what was typed to make it.
pub fn markdown(evaluation: &Evaluation, command: &str) -> String {
    let mut page = String::new();
    let _ = writeln!(page, "<!-- Made by `{command}`; do not edit between the marks. -->\n");
    page.push_str("| what | measure | measured [95 %] | n | target | best known |\n|---|---|---|---|---|---|\n");
    for benchmark in &evaluation.benchmarks {
        match &benchmark.state {
            State::Measured => {
                for figure in &benchmark.figures {
                    let _ = writeln!(page, "{}", row(benchmark, figure));
                }
            }
            State::Absent { file } => {
                let _ = writeln!(page, "| {} | – | absent: `{}` | | | |", cell(&benchmark.title), cell(file));
            }
            State::Failed { message } => {
                let _ = writeln!(page, "| {} | – | failed: {} | | | |", cell(&benchmark.title), cell(message));
            }
        }
    }
    let _ = writeln!(
        page,
        "\nShares with Wilson's interval, everything else with the percentiles of 1,000 seeded resamples. \
         ✗ marks a target that is missed."
    );
    page
}

fn row(benchmark: &Measured, figure: &Figure) -> String {
    let result = &figure.result;
    let mark = if figure.met == Some(false) { " ✗" } else { "" };
    let counts = match result.hits {
        Some(hits) => format!("{hits} of {}", result.n),
        None => result.n.to_string(),
    };
    let peers: Vec<String> = figure
        .peers
        .iter()
        .map(|peer| {
            let note = peer.note.as_ref().map(|note| format!("; {note}")).unwrap_or_default();
            format!("{} ({}{note})", number(peer.value), peer.name)
        })
        .collect();
    format!(
        "| {} | {} | {}{mark} | {counts} | {} | {} |",
        cell(&benchmark.title),
        cell(&figure.title),
        result.words(),
        figure.target(),
        cell(&peers.join(", ")),
    )
}

/// Words that cannot break out of a cell of a table.
fn cell(words: &str) -> String {
    let mut out = String::with_capacity(words.len());
    for c in words.chars() {
        match c {
            '|' | '<' | '>' | '`' | '*' | '_' | '[' | ']' | '\\' => {
                out.push('\\');
                out.push(c);
            }
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_data_bring_no_markup() {
        assert_eq!(cell("a|b\n<b>`x`"), "a\\|b \\<b\\>\\`x\\`");
    }
}
