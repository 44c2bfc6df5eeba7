//! Splits a scenario that is written in one line (Given, When, Then; 假如, 当, 那么) into its steps.

use super::lexicon::open_with;

/// The steps of a scenario that is written in one line; the whole text if it is not one.
pub fn steps(text: &str) -> Vec<&str> {
    const QUIET: [&str; 2] = ["when ", "then "];
    const LOUD: [&str; 8] = ["When ", "Then ", "And ", "But ", "WHEN ", "THEN ", "AND ", "BUT "];
    const CHINESE: [&str; 7] = ["当", "那么", "则", "并且", "而且", "但是", "且"];
    let opens = ["given ", "假如", "假设", "假定"].iter().any(|keyword| open_with(text.trim_start().chars(), keyword));
    if !opens || !is_gherkin_in_one_line(text) {
        return vec![text];
    }
    let begins = |at: usize| {
        let (before, rest) = text.split_at(at);
        let last = before.trim_end().chars().next_back();
        let is_behind_comma = last.is_some_and(|c| matches!(c, ',' | ';' | '，' | '；' | '。'));
        let starts = |words: &[&str]| words.iter().any(|word| rest.starts_with(word));
        before.ends_with(' ') && (starts(&LOUD) || is_behind_comma && starts(&QUIET))
            || is_behind_comma && starts(&CHINESE)
    };
    let mut out = Vec::new();
    let mut from = 0;
    for (at, _) in text.char_indices().skip(1).filter(|(at, _)| begins(*at)) {
        out.push(text[from..at].trim());
        from = at;
    }
    out.push(text[from..].trim());
    out
}

/// Returns true if the line has an outcome.
fn is_gherkin_in_one_line(text: &str) -> bool {
    ["then ", "Then ", "THEN ", "那么", "则"].iter().any(|outcome| text.contains(outcome))
}

#[cfg(test)]
mod tests {
    use super::steps;

    #[test]
    fn a_scenario_in_one_line_has_one_line_for_each_step() {
        for (text, expected) in [
            (
                "Given an order with 0 items, When the export runs, Then it is left out.",
                vec!["Given an order with 0 items,", "When the export runs,", "Then it is left out."],
            ),
            (
                "given an empty cart, when I pay, then it says why",
                vec!["given an empty cart,", "when I pay,", "then it says why"],
            ),
            (
                "GIVEN a file WHEN it is read THEN it counts AND is closed",
                vec!["GIVEN a file", "WHEN it is read", "THEN it counts", "AND is closed"],
            ),
            ("假如购物车为空，当用户付款，那么提示原因", vec!["假如购物车为空，", "当用户付款，", "那么提示原因"]),
            ("Given the size, it waits until then and stops.", vec!["Given the size, it waits until then and stops."]),
            ("It stops when the file ends, then waits.", vec!["It stops when the file ends, then waits."]),
        ] {
            assert_eq!(steps(text), expected);
        }
    }
}
