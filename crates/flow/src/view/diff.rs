//! The changes between two versions of a text, line by line, with a few lines around each change.

use super::words::line;
use reqgate_messages as messages;
use serde::Serialize;
use similar::{Algorithm, DiffOp, DiffTag, capture_diff_slices, group_diff_ops};

/// The number of unchanged lines shown around a change.
const CONTEXT: usize = 3;

/// The maximum number of lines on either side of a comparison; its time grows with their product.
const MOST_COMPARED: usize = 2_000;

/// The maximum number of shown lines of a text or a comparison.
const MOST_SHOWN: usize = 2_000;

/// One line of a comparison.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Line {
    /// The class in the style sheet: `same`, `added`, `removed` or `gap`.
    pub class: &'static str,
    /// The sign before the line, so that the change is visible without colour.
    pub sign: &'static str,
    /// The text of the line.
    pub text: String,
}

impl Line {
    fn new(class: &'static str, text: &str) -> Self {
        let sign = match class {
            "added" => "+",
            "removed" => "−",
            _ => "",
        };
        Self { class, sign, text: line(text) }
    }

    fn gap(text: String) -> Self {
        Self { class: "gap", sign: "", text }
    }
}

/// The comparison of two texts.
pub(super) fn difference(old: &str, new: &str, said: &messages::Flow) -> Vec<Line> {
    let (old, new): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    let head = old.iter().zip(&new).take_while(|(old, new)| old == new).count();
    let tail = old[head..].iter().rev().zip(new[head..].iter().rev()).take_while(|(old, new)| old == new).count();
    let (left, right) = (old.len() - head - tail, new.len() - head - tail);
    if left.max(right) > MOST_COMPARED {
        return vec![Line::gap(said.replaced(&right, &left))];
    }
    let ops = capture_diff_slices(Algorithm::Myers, &old, &new);
    let mut out = Vec::new();
    for group in group_diff_ops(ops, CONTEXT) {
        let Some(first) = group.first() else { continue };
        out.push(Line::gap(said.line(&(first.new_range().start + 1))));
        for op in &group {
            changed(op, &old, &new, &mut out);
        }
    }
    cut(out, said)
}

fn changed(op: &DiffOp, old: &[&str], new: &[&str], out: &mut Vec<Line>) {
    let (tag, before, after) = op.as_tag_tuple();
    if tag == DiffTag::Equal {
        out.extend(new[after].iter().map(|text| Line::new("same", text)));
        return;
    }
    out.extend(old[before].iter().map(|text| Line::new("removed", text)));
    out.extend(new[after].iter().map(|text| Line::new("added", text)));
}

/// The number of added and of removed lines.
pub(super) fn counts(lines: &[Line]) -> (usize, usize) {
    let count = |class| lines.iter().filter(|line| line.class == class).count();
    (count("added"), count("removed"))
}

/// The lines of a whole text, without a comparison.
pub(super) fn whole(text: &str, said: &messages::Flow) -> Vec<Line> {
    cut(text.lines().map(|text| Line::new("same", text)).collect(), said)
}

fn cut(mut lines: Vec<Line>, said: &messages::Flow) -> Vec<Line> {
    let count = lines.len();
    if count > MOST_SHOWN {
        lines.truncate(MOST_SHOWN);
        lines.push(Line::gap(said.more_lines(&(count - MOST_SHOWN))));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use reqgate_base::model::Language;

    fn told(old: &str, new: &str) -> Vec<String> {
        difference(old, new, messages::Flow::of(Language::En))
            .iter()
            .map(|line| format!("{}{}", line.sign, line.text))
            .collect()
    }

    #[test]
    fn changes_are_shown_with_the_lines_around_them() {
        let old = "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n";
        let new = "1\n2\n3\n4\nfive\n6\n7\n8\n9\n10\n11\n12\n13\n";
        let expected = ["line 2", "2", "3", "4", "−5", "+five", "6", "7", "8", "line 10", "10", "11", "12", "+13"];
        assert_eq!(told(old, new), expected);
        assert_eq!(counts(&difference(old, new, messages::Flow::of(Language::En))), (2, 1));
        assert_eq!(told(old, old), Vec::<String>::new());
        assert_eq!(told("", "a"), ["line 1", "+a"]);
    }

    #[test]
    fn texts_too_long_to_be_compared_are_counted() {
        let many = |word: &str| (0..3_000).map(|number| format!("{word} {number}\n")).collect::<String>();
        let lines = told(&many("old"), &many("new"));
        assert_eq!(lines, ["3000 lines were replaced by 3000: too many to compare here"]);
        assert_eq!(
            whole(&many("old"), messages::Flow::of(Language::En)).last().map(|line| line.text.clone()),
            Some("1000 more lines".to_owned())
        );
    }
}
