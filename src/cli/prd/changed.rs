//! The lines of a document that changed since it was last shown, with their numbers and a line around them.

use similar::{Algorithm, DiffTag, capture_diff_slices, group_diff_ops};

use super::shown::{plain, with_places};
use super::words::Words;

/// Lines that did not change around those that did.
const AROUND: usize = 1;
/// The most lines that are shown.
const MOST_SHOWN: usize = 40;
/// Lines on either side of a comparison; the time it takes grows with their product.
const MOST_COMPARED: usize = 2_000;
/// The longest piece of a changed line that the line before has too, in characters: rows of a table are long.
const MOST_SHARED: usize = 40;

/// The changed lines: `+` with the number of a new line, `−` before a removed line. Empty if the texts are equal.
pub(super) fn changed_lines(before: &str, now: &str, said: &Words) -> String {
    let lines = |text: &str| text.lines().map(|line| plain(&with_places(line, said.language))).collect::<Vec<_>>();
    let (old, new) = (lines(before), lines(now));
    if old.len().max(new.len()) > MOST_COMPARED {
        return String::new();
    }
    let mut out = Vec::new();
    for group in group_diff_ops(capture_diff_slices(Algorithm::Myers, &old, &new), AROUND) {
        for op in &group {
            let (tag, gone, come) = op.as_tag_tuple();
            let numbered = |sign: &str, at: usize, line: &str| format!("  {:>4}{sign} {line}\n", at + 1);
            if tag == DiffTag::Equal {
                out.extend(come.filter(|at| !new[*at].is_empty()).map(|at| numbered("│", at, &beginning(&new[at]))));
                continue;
            }
            let is_pair = gone.len() == come.len();
            for at in gone.clone().filter(|at| !old[*at].is_empty()) {
                let other = if is_pair { new[come.start + at - gone.start].as_str() } else { "" };
                out.push(format!("      − {}\n", elided(&old[at], other)));
            }
            for at in come.clone().filter(|at| !new[*at].is_empty()) {
                let other = if is_pair { old[gone.start + at - come.start].as_str() } else { "" };
                out.push(numbered("+", at, &elided(&new[at], other)));
            }
        }
    }
    let more = out.len().saturating_sub(MOST_SHOWN);
    out.truncate(MOST_SHOWN);
    if more > 0 {
        out.push(format!("  {}\n", said.more_changed(&more)));
    }
    out.concat()
}

/// The beginning of a line, enough to show the place.
fn beginning(line: &str) -> String {
    match line.char_indices().nth(2 * MOST_SHARED) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line.to_owned(),
    }
}

/// A long line without the pieces at its ends that the other one has too; a row of a table keeps its id.
fn elided(line: &str, other: &str) -> String {
    let (own, theirs): (Vec<char>, Vec<char>) = (line.chars().collect(), other.chars().collect());
    if own.len() <= 3 * MOST_SHARED || theirs.is_empty() {
        return line.to_owned();
    }
    let head = own.iter().zip(&theirs).take_while(|(own, other)| own == other).count();
    let rest = own.len().min(theirs.len()) - head;
    let tail = own.iter().rev().zip(theirs.iter().rev()).take(rest).take_while(|(own, other)| own == other).count();
    let (from, until) = (head.saturating_sub(MOST_SHARED), (own.len() - tail + MOST_SHARED).min(own.len()));
    let middle: String = own[from..until].iter().collect();
    let begins: String = own.iter().take(12.min(from)).collect();
    let dots = |cut: bool| if cut { "…" } else { "" };
    format!("{begins}{}{middle}{}", dots(from > 0), dots(until < own.len()))
}

#[cfg(test)]
mod tests {
    use reqgate::model::Language;

    use super::super::words::words;
    use super::changed_lines;

    fn told(before: &str, now: &str) -> String {
        changed_lines(before, now, words(Language::En))
    }

    #[test]
    fn a_changed_line_stands_with_its_number_between_its_neighbours() {
        let before = "# Links\n\n## Goals\n\n- A\n- B\n- C\n- D\n";
        let now = "# Links\n\n## Goals\n\n- A\n- B\n- C is new <!-- source: t.md:5 \"C\" -->\n- D\n";
        assert_eq!(told(before, now), "     6│ - B\n      − - C\n     7+ - C is new (t.md:5)\n     8│ - D\n");
        assert_eq!(told(before, before), "");
    }

    #[test]
    fn a_long_row_is_shown_around_its_change() {
        let row = |word: &str| format!("| FR-001 | {} {word} {} |\n", "before ".repeat(40), "after ".repeat(40));
        let text = told(&row("7 days"), &row("14 days"));
        assert!(text.contains("+ | FR-001 | b…") && text.contains("14 days") && text.len() < 500, "{text}");
        // A line without an earlier version is shown whole.
        assert!(told("", &row("7 days")).contains(row("7 days").trim()), "nothing that is new is cut");
    }

    #[test]
    fn many_changes_are_counted() {
        let many = |word: &str| (0..60).map(|number| format!("{word} {number}\n")).collect::<String>();
        let text = told(&many("old"), &many("new"));
        assert_eq!(text.lines().count(), 41);
        assert!(text.ends_with("… and 80 more lines\n"), "{text}");
    }
}
