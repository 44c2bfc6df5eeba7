//! Finds the steps of a scenario in one line: GIVEN … WHEN … THEN … AND ….

use super::line::{Line, ends};

/// The words of the first step.
const FIRST: [&str; 5] = ["GIVEN", "Given", "WHEN", "When", "given"];

/// Marks the steps after the first one.
pub(super) fn find(line: &mut Line<'_>) {
    if !FIRST.iter().any(|word| line.line.contains(word)) {
        return;
    }
    let mut from = 0;
    for index in 0..line.words.len() {
        // A scenario ends with the sentence or the line, but one in capitals or with capital steps may be several sentences.
        let last = index + 1 == line.words.len();
        if last || ends(line.text(index)) && opens(line.text(index + 1)) {
            steps(line, from, index + 1);
            from = index + 1;
        }
    }
}

/// Returns true for the word that opens a scenario, as it is written in the middle of a text.
fn opens(word: &str) -> bool {
    matches!(bare(word), "GIVEN" | "Given" | "Scenario" | "SCENARIO")
}

fn bare(word: &str) -> &str {
    word.trim_matches(['*', '_', ':', ',', '(', '-'])
}

fn steps(line: &mut Line<'_>, from: usize, to: usize) {
    let is = |index: usize, words: &[&str]| !line.words[index].shielded && words.contains(&bare(line.text(index)));
    let Some(first) = (from..to).find(|index| is(*index, &FIRST)) else { return };
    let capital: Vec<usize> =
        (first + 1..to).filter(|index| is(*index, &["WHEN", "THEN", "AND", "BUT", "GIVEN"])).collect();
    let loud = is(first, &["GIVEN", "WHEN"]) && capital.iter().any(|index| is(*index, &["THEN"]));
    let titled: Vec<usize> = (first + 1..to).filter(|index| is(*index, &["When", "Then", "And", "But"])).collect();
    // "When I save it hangs. Then I reload." are two sentences of a report.
    let written = is(first, &["Given", "When"])
        && titled.iter().any(|index| is(*index, &["Then"]) && (is(first, &["Given"]) || !ends(line.text(*index - 1))));
    let found = if loud {
        capital
    } else if written {
        titled
    } else if is(first, &["Given", "given"]) && (first == from || line.ended(first)) {
        quiet(line, first, to)
    } else {
        return;
    };
    if found.is_empty() {
        return;
    }
    let starts: Vec<usize> = found.iter().chain(&[first]).map(|index| line.words[*index].start).collect();
    line.starts.extend(starts);
}

/// "Given an empty cart, when I pay, then …": small letters count only after a comma.
fn quiet(line: &Line<'_>, first: usize, to: usize) -> Vec<usize> {
    let behind_comma = |index: &usize| line.text(index - 1).ends_with(',');
    let at = |from: usize, word: &str| (from..to).filter(behind_comma).find(|index| bare(line.text(*index)) == word);
    let Some(when) = at(first + 1, "when") else { return Vec::new() };
    at(when + 1, "then").map_or_else(Vec::new, |then| vec![when, then])
}
