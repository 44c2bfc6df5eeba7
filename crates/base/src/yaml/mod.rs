//! Reads YAML that people write and reports all problems at once, each with line and column.
//!
//! A text of any type first becomes a tree. One reader for all types keeps the program small, and an error can name the
//! place to fix.

mod kinds;
mod reader;
mod tree;

use std::fmt;

use garde::Validate;
use serde::de::DeserializeOwned;

use crate::files::NOT_SHOWN;

pub use reader::ReadError;
pub use tree::{Node, Place, SyntaxError};

/// The most problems in one message.
const MOST_TOLD: usize = 5;

/// A problem in a YAML text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// The place of the problem, if it is known.
    pub place: Option<Place>,
    /// The problem, as a message to the user.
    pub message: String,
}

/// The problems that make a YAML text unusable, in the order of the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unusable(pub Vec<Fault>);

impl fmt::Display for Unusable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, fault) in self.0.iter().take(MOST_TOLD).enumerate() {
            if number > 0 {
                f.write_str("; ")?;
            }
            if let Some(place) = fault.place {
                write!(f, "line {}, column {}: ", place.line, place.column)?;
            }
            f.write_str(&fault.message)?;
        }
        match self.0.len().checked_sub(MOST_TOLD) {
            None | Some(0) => Ok(()),
            Some(more) => write!(f, "; and {more} more"),
        }
    }
}

impl std::error::Error for Unusable {}

impl Unusable {
    /// The same with only the first place and no content of the text, for readers who may not see it.
    #[must_use]
    pub fn without_content(mut self) -> Self {
        for fault in &mut self.0 {
            fault.message = NOT_SHOWN.to_owned();
        }
        self.0.truncate(1);
        self
    }
}

/// Reads a text as a `T`.
///
/// # Errors
/// Reports all problems of the text.
pub fn read<T: DeserializeOwned>(text: &str) -> Result<T, Unusable> {
    read_tree(Node::parse(text)?)
}

/// Reads untrusted text as a `T`: text that repeats a part of itself, by an alias or a merge key, is refused.
///
/// # Errors
/// Fails like [`read`].
pub fn read_plain<T: DeserializeOwned>(text: &str) -> Result<T, Unusable> {
    read_tree(Node::parse_plain(text)?)
}

/// Reads a text as a `T` and checks its values.
///
/// # Errors
/// Fails like [`read`], and reports every value that is out of its range.
pub fn read_valid<T: DeserializeOwned + Validate<Context = ()>>(text: &str) -> Result<T, Unusable> {
    let tree = Node::parse(text)?;
    let value: T = read_tree(tree.clone())?;
    match value.validate() {
        Ok(()) => Ok(value),
        Err(report) => Err(Unusable(report.iter().map(|(path, error)| out_of_range(&tree, path, error)).collect())),
    }
}

fn read_tree<T: DeserializeOwned>(tree: Node) -> Result<T, Unusable> {
    let (value, errors) = tree.read();
    match value {
        Some(value) if errors.is_empty() => Ok(value),
        _ => {
            let fault = |error: ReadError| Fault { place: error.place, message: error.message };
            Err(Unusable(errors.into_iter().map(fault).collect()))
        }
    }
}

fn out_of_range(tree: &Node, path: &garde::Path, error: &garde::Error) -> Fault {
    let path = path.to_string();
    let keys: Vec<&str> = path.split(['.', '[', ']']).filter(|key| !key.is_empty()).collect();
    // The names of types and of YAML sometimes differ; the nearest known place is then that of the enclosing value.
    let place = (1..=keys.len()).rev().find_map(|length| tree.place_of(&keys[..length]));
    let error = bounds_in_words(&error.to_string());
    let message = if path.is_empty() { error } else { format!("`{path}` {error}") };
    Fault { place, message }
}

/// The bounds of a value as an instruction; our own messages stay as they are.
pub fn bounds_in_words(error: &str) -> String {
    const BOUNDS: [(&str, &str, &str); 4] = [
        ("greater than ", "must be at most ", ""),
        ("lower than ", "must be at least ", ""),
        ("length is lower than ", "is too short: write at least ", " characters or items"),
        ("length is greater than ", "is too long: write at most ", " characters or items"),
    ];
    let known = BOUNDS
        .iter()
        .find_map(|(words, before, behind)| error.strip_prefix(words).map(|bound| format!("{before}{bound}{behind}")));
    known.unwrap_or_else(|| format!("is not valid: {error}"))
}

impl From<SyntaxError> for Unusable {
    fn from(error: SyntaxError) -> Self {
        Self(vec![Fault { place: error.place, message: error.message }])
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde::Deserialize;

    use super::*;

    #[derive(Debug, PartialEq, Deserialize, Validate)]
    #[serde(deny_unknown_fields)]
    struct Sheet {
        #[garde(skip)]
        rows: Vec<Row>,
        #[garde(range(max = 10))]
        #[serde(default)]
        width: u64,
        #[garde(skip)]
        #[serde(default)]
        marks: BTreeMap<String, bool>,
    }

    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(rename_all = "snake_case", deny_unknown_fields)]
    enum Row {
        Blank,
        Words(Vec<String>),
        Cell { text: String, weight: Option<f64> },
        Pair(String, u8),
    }

    #[test]
    fn every_kind_of_row_is_read() {
        let text = "rows:\n- blank\n- words: [1.10, 007, yes, x, 0x1F]\n- cell: {text: 1.0.0, weight: 2}\n- pair: [a, 3]\nmarks: {a: yes, b: off, c: true}\n";
        let sheet: Sheet = read(text).expect("it fits");
        let words = ["1.10", "007", "yes", "x", "0x1F"].map(str::to_owned).to_vec();
        let cell = Row::Cell { text: "1.0.0".into(), weight: Some(2.0) };
        assert_eq!(sheet.rows, [Row::Blank, Row::Words(words), cell, Row::Pair("a".into(), 3)]);
        assert_eq!(sheet.marks.values().copied().collect::<Vec<_>>(), [true, false, true]);
    }

    #[test]
    fn all_faults_are_told_with_their_places() {
        let text = "rows:\n- cell: {txet: a}\n- colour: 3\nwidth: wide\n";
        let told = read::<Sheet>(text).expect_err("it does not fit").to_string();
        assert_eq!(
            told,
            "line 2, column 10: unknown key `txet`: did you mean `text`?; line 3, column 3: `colour` is not valid here: use \
             `blank`, `words`, `cell` or `pair`; line 4, column 8: `width` must be a whole number, not the text `wide`: write 0 or more, without quotation marks"
        );
    }

    #[test]
    fn value_out_of_range_is_told_with_its_place() {
        let told = read_valid::<Sheet>("rows: []\n\nwidth: 11\n").expect_err("it is too wide").to_string();
        assert_eq!(told, "line 3, column 1: `width` must be at most 10");
    }

    #[test]
    fn key_that_stands_twice_is_a_fault() {
        let told = read::<Sheet>("rows: []\nrows: []\n").expect_err("which one?").to_string();
        assert!(told.starts_with("line 2"), "{told}");
    }

    #[test]
    fn no_text_makes_it_panic() {
        proptest::proptest!(|(text in "[ \\-:{}\\[\\],a-c0-9.\"'\n&*!|>#%]{0,60}")| {
            let _ = read::<Sheet>(&text);
            let _ = read::<serde_json::Value>(&text);
        });
    }
}
