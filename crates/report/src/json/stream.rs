//! Writes pretty-printed JSON in pieces, safe to show on a terminal.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::ser::Formatter;

use reqgate_base::clean::{is_unsafe, short_masks};

/// The value as pretty-printed JSON; all lines but the first are indented by `depth` levels.
///
/// Characters that could control a terminal or hide words are written as `\uXXXX`, so the value stays the same. Only
/// masks are shortened, because their length would reveal the length of a secret; masks in [`WHOLE`] keep their length,
/// because positions refer to that text.
pub(crate) fn pretty(value: &impl Serialize, depth: usize) -> io::Result<String> {
    let mut text = Vec::with_capacity(4096);
    let layout = Layout { depth, has_value: false, key: Key::None };
    value.serialize(&mut serde_json::Serializer::with_formatter(&mut text, layout))?;
    String::from_utf8(text).map_err(io::Error::other)
}

/// The key of the text that is written unchanged.
const WHOLE: &str = "raw_text";

/// The current key: only [`WHOLE`] is distinguished.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Key {
    None,
    /// The key itself is being written.
    Open,
    Whole,
}

/// Indents by two spaces per level like `serde_json`, from any starting level, and escapes unsafe strings.
#[derive(Debug)]
struct Layout {
    depth: usize,
    /// The current array or object has at least one value.
    has_value: bool,
    key: Key,
}

impl Layout {
    fn open<W: Write + ?Sized>(&mut self, out: &mut W, mark: &[u8]) -> io::Result<()> {
        self.depth += 1;
        self.has_value = false;
        out.write_all(mark)
    }

    fn close<W: Write + ?Sized>(&mut self, out: &mut W, mark: &[u8]) -> io::Result<()> {
        self.depth -= 1;
        if self.has_value {
            self.line(out)?;
        }
        self.has_value = true;
        out.write_all(mark)
    }

    fn next<W: Write + ?Sized>(&self, out: &mut W, first: bool) -> io::Result<()> {
        if !first {
            out.write_all(b",")?;
        }
        self.line(out)
    }

    fn line<W: Write + ?Sized>(&self, out: &mut W) -> io::Result<()> {
        const SPACES: &[u8] = b"\n                                ";
        match SPACES.get(..1 + 2 * self.depth) {
            Some(line) => out.write_all(line),
            None => write!(out, "\n{}", "  ".repeat(self.depth)),
        }
    }
}

impl Formatter for Layout {
    fn begin_array<W: Write + ?Sized>(&mut self, out: &mut W) -> io::Result<()> {
        self.open(out, b"[")
    }

    fn end_array<W: Write + ?Sized>(&mut self, out: &mut W) -> io::Result<()> {
        self.close(out, b"]")
    }

    fn begin_array_value<W: Write + ?Sized>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        self.next(out, first)
    }

    fn end_array_value<W: Write + ?Sized>(&mut self, _: &mut W) -> io::Result<()> {
        self.has_value = true;
        Ok(())
    }

    fn begin_object<W: Write + ?Sized>(&mut self, out: &mut W) -> io::Result<()> {
        self.open(out, b"{")
    }

    fn end_object<W: Write + ?Sized>(&mut self, out: &mut W) -> io::Result<()> {
        self.close(out, b"}")
    }

    fn begin_object_key<W: Write + ?Sized>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        self.key = Key::Open;
        self.next(out, first)
    }

    fn end_object_key<W: Write + ?Sized>(&mut self, _: &mut W) -> io::Result<()> {
        if self.key == Key::Open {
            self.key = Key::None;
        }
        Ok(())
    }

    fn begin_object_value<W: Write + ?Sized>(&mut self, out: &mut W) -> io::Result<()> {
        out.write_all(b": ")
    }

    fn end_object_value<W: Write + ?Sized>(&mut self, _: &mut W) -> io::Result<()> {
        self.has_value = true;
        Ok(())
    }

    fn write_string_fragment<W: Write + ?Sized>(&mut self, out: &mut W, fragment: &str) -> io::Result<()> {
        if self.key == Key::Open && fragment == WHOLE {
            self.key = Key::Whole;
        }
        let short = if self.key == Key::Whole { fragment.into() } else { short_masks(fragment) };
        let fragment = short.as_ref();
        // Every character that needs escaping begins with one of these bytes, so most strings are scanned once.
        let begins = |byte: &u8| matches!(byte, 0x7f | 0xc2 | 0xd8 | 0xe1 | 0xe2 | 0xef | 0xf3);
        let mut written = 0;
        let mut from = 0;
        while let Some(found) = fragment.as_bytes()[from..].iter().position(begins) {
            let at = from + found;
            let c = fragment[at..].chars().next().unwrap_or_default();
            from = at + c.len_utf8();
            if is_unsafe(c) {
                out.write_all(&fragment.as_bytes()[written..at])?;
                for unit in c.encode_utf16(&mut [0; 2]) {
                    write!(out, "\\u{unit:04x}")?;
                }
                written = from;
            }
        }
        out.write_all(&fragment.as_bytes()[written..])
    }
}

/// Writes the items of an array whose `[` has been written.
#[derive(Debug)]
pub(crate) struct ArrayStream {
    depth: usize,
    is_empty: bool,
}

impl ArrayStream {
    /// An empty array whose items are indented by `depth` levels.
    pub(crate) fn new(depth: usize) -> Self {
        Self { depth, is_empty: true }
    }

    pub(crate) fn item(&mut self, out: &mut dyn Write, item: &impl Serialize) -> io::Result<()> {
        let comma = if self.is_empty { "" } else { "," };
        self.is_empty = false;
        write!(out, "{comma}\n{}{}", "  ".repeat(self.depth), pretty(item, self.depth)?)
    }

    /// Writes the closing `]`.
    pub(crate) fn end(&mut self, out: &mut dyn Write) -> io::Result<()> {
        if self.is_empty {
            return write!(out, "]");
        }
        write!(out, "\n{}]", "  ".repeat(self.depth.saturating_sub(1)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layout_is_the_usual_one_and_every_unsafe_character_is_escaped() {
        proptest::proptest!(|(words: Vec<String>, name: String, depth in 0..3_usize)| {
            let value = serde_json::json!({ "words": words, "empty": [], "none": {}, "deep": [[{ name: 1.5 }], null, true] });
            let written = pretty(&value, depth)?;
            proptest::prop_assert!(!written.chars().any(|c| c != '\n' && is_unsafe(c)));
            let read: serde_json::Value = serde_json::from_str(&written)?;
            proptest::prop_assert_eq!(&read, &value);
            let usual = serde_json::to_string_pretty(&value)?.replace('\n', &format!("\n{}", "  ".repeat(depth)));
            if !usual.chars().any(|c| c != '\n' && is_unsafe(c)) {
                proptest::prop_assert_eq!(written, usual);
            }
        });
    }
}
