//! Writes a run as a Markdown page: the table of figures, the absent benchmarks, and the command that generates it.

use std::fmt::Write;

use super::result::{Evaluation, Figure, Measured, State, number};
use reqgate_base::clean::one_line;

/// The generated page between its marks. `command` is the command that generates it.
pub fn markdown(evaluation: &Evaluation, command: &str) -> String {
    let (begin, end) = marks(evaluation);
    let mut page = format!("{begin}\n<!-- made by: {} -->\n\n", comment(command));
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
    for benchmark in &evaluation.benchmarks {
        if !benchmark.reliability.is_empty() {
            let cells = benchmark.reliability.iter().map(|bin| bin.cells().to_vec());
            table(
                &mut page,
                benchmark,
                "how sure, and how often right",
                &["certainty", "mean", "right [95 %]", "n"],
                cells,
            );
        }
        if !benchmark.worst.is_empty() {
            let cells = benchmark.worst.iter().map(|wrong| wrong.cells().to_vec());
            let heads = ["row", "origin", "should be", "was", "certainty"];
            table(&mut page, benchmark, "the most certain wrong verdicts", &heads, cells);
        }
    }
    page.push_str(&end);
    page.push('\n');
    page
}

/// A table below the figures, with its heading.
fn table(page: &mut String, of: &Measured, title: &str, heads: &[&str], rows: impl Iterator<Item = Vec<String>>) {
    let _ =
        writeln!(page, "\n{}: {title}\n\n| {} |\n|{}", cell(&of.title), heads.join(" | "), "---|".repeat(heads.len()));
    for row in rows {
        let _ = writeln!(page, "| {} |", row.iter().map(|words| cell(words)).collect::<Vec<_>>().join(" | "));
    }
}

/// Replaces the generated part of a page by the current one; returns only the generated part if the page has no marks
/// of the suite.
pub fn placed(page: &str, evaluation: &Evaluation, command: &str) -> String {
    let made = markdown(evaluation, command);
    let (begin, end) = marks(evaluation);
    let parts = page.split_once(&begin).and_then(|(before, rest)| Some((before, rest.split_once(&end)?.1)));
    match parts {
        Some((before, after)) => format!("{before}{}{after}", made.trim_end_matches('\n')),
        None => made,
    }
}

fn marks(evaluation: &Evaluation) -> (String, String) {
    let suite = comment(&evaluation.suite);
    (format!("<!-- begin: reqgate-lab eval {suite} -->"), format!("<!-- end: reqgate-lab eval {suite} -->"))
}

/// Words that cannot end an HTML comment, which needs a `>`.
fn comment(words: &str) -> String {
    one_line(words).replace('>', " ")
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

/// Words that cannot end a table cell.
fn cell(words: &str) -> String {
    let mut out = String::with_capacity(words.len());
    for c in one_line(words).chars() {
        match c {
            '|' | '<' | '>' | '`' | '*' | '_' | '[' | ']' | '\\' => {
                out.push('\\');
                out.push(c);
            }
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_stands_between_the_marks_of_the_suite_is_replaced() {
        let evaluation = Evaluation {
            schema: "s".into(),
            reqgate: "0".into(),
            suite: "gold".into(),
            seed: 1,
            benchmarks: Vec::new(),
        };
        let made = markdown(&evaluation, "reqgate-lab eval gold.yaml");
        let page = format!("# Written\n\n{made}\nMore, written.\n");
        assert_eq!(placed(&page, &evaluation, "reqgate-lab eval gold.yaml"), page);
        let old = "# Written\n<!-- begin: reqgate-lab eval gold -->outdated<!-- end: reqgate-lab eval gold -->\nMore";
        let new = placed(old, &evaluation, "x");
        assert!(
            new.starts_with("# Written\n<!-- begin") && new.ends_with("-->\nMore") && !new.contains("outdated"),
            "{new}"
        );
        assert_eq!(placed("other", &evaluation, "x"), markdown(&evaluation, "x"));
    }

    #[test]
    fn words_of_data_bring_no_markup() {
        assert_eq!(cell("a|b\n<b>`x`"), "a\\|b \\<b\\>\\`x\\`");
    }
}
