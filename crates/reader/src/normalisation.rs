//! Replaces code points by a table, such as full-width letters by plain ones.

use std::collections::HashMap;

use crate::ReaderError;

/// Code points and their replacements; all others stay.
#[derive(Debug)]
pub(crate) struct Normalisation(HashMap<char, String>);

impl Normalisation {
    /// Reads lines with a code point, a tab, and the code points that replace it, as decimal numbers.
    pub(crate) fn parse(table: &str) -> Result<Self, ReaderError> {
        let replacement = |line: &str| {
            let (from, to) = line.split_once('\t')?;
            let character = |number: &str| char::from_u32(number.parse().ok()?);
            Some((character(from)?, to.split_whitespace().map(character).collect::<Option<String>>()?))
        };
        let read = |(index, line): (usize, &str)| {
            replacement(line).ok_or(ReaderError::Table { table: "normalisation", line: index + 1 })
        };
        table.lines().enumerate().map(read).collect::<Result<_, _>>().map(Self)
    }

    /// Replaces code points, writes a run of spaces as one `▁`, and adds one in front.
    pub(crate) fn apply(&self, text: &str) -> String {
        let mut out = String::with_capacity(text.len() + 8);
        for c in text.chars() {
            match self.0.get(&c) {
                Some(to) => to.chars().for_each(|c| push(&mut out, c)),
                None => push(&mut out, c),
            }
        }
        if !out.is_empty() && !out.starts_with(SPACE) {
            out.insert(0, SPACE);
        }
        out
    }
}

/// The sign for a space, with which every word begins.
pub(crate) const SPACE: char = '▁';

fn push(out: &mut String, c: char) {
    if c != ' ' {
        out.push(c);
    } else if !out.ends_with(SPACE) {
        out.push(SPACE);
    }
}
