//! Writes pretty-printed JSON piece by piece, safe to show on a terminal.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::io::{self, Write};

use serde::Serialize;

use crate::report::escape::is_unsafe;

/// The value as pretty-printed JSON, all lines but the first indented by `depth` levels.
///
/// Characters that could steer a terminal or hide words are written as `\uXXXX`: the value stays exactly the same.
pub(in crate::report) fn pretty(value: &impl Serialize, depth: usize) -> io::Result<String> {
    let text = serde_json::to_string_pretty(value)?;
    let text = escaped(&text);
    if depth == 0 {
        return Ok(text.into_owned());
    }
    // A line end cannot stand inside a JSON string, so each one is layout.
    Ok(text.replace('\n', &format!("\n{}", "  ".repeat(depth))))
}

fn escaped(text: &str) -> Cow<'_, str> {
    let must_escape = |c: char| c != '\n' && is_unsafe(c);
    if !text.chars().any(must_escape) {
        return Cow::Borrowed(text);
    }
    let mut safe = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if must_escape(c) {
            for unit in c.encode_utf16(&mut [0; 2]) {
                write!(safe, "\\u{unit:04x}").expect("a string can always be written");
            }
        } else {
            safe.push(c);
        }
    }
    Cow::Owned(safe)
}

/// Writes the items of an array whose `[` has been written.
#[derive(Debug)]
pub(in crate::report) struct ArrayStream {
    depth: usize,
    is_empty: bool,
}

impl ArrayStream {
    /// An array whose items are indented by `depth` levels.
    pub(in crate::report) fn new(depth: usize) -> Self {
        Self { depth, is_empty: true }
    }

    /// Writes one item.
    pub(in crate::report) fn item(&mut self, out: &mut dyn Write, item: &impl Serialize) -> io::Result<()> {
        let comma = if self.is_empty { "" } else { "," };
        self.is_empty = false;
        write!(out, "{comma}\n{}{}", "  ".repeat(self.depth), pretty(item, self.depth)?)
    }

    /// Writes the `]`.
    pub(in crate::report) fn end(&mut self, out: &mut dyn Write) -> io::Result<()> {
        if self.is_empty {
            return write!(out, "]");
        }
        write!(out, "\n{}]", "  ".repeat(self.depth.saturating_sub(1)))
    }
}
