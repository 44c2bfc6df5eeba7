//! Messages about values of the wrong kind, with the value to write instead: a list and not a text, a number and not words.

use serde::de::{Expected, Unexpected};

use crate::clean;

/// A value of the wrong kind.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct WrongKind {
    belongs: Kind,
    found: String,
    /// The value written as an item of a list.
    item: Option<String>,
}

/// The kind of value that a place takes.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Kind {
    List,
    Keys,
    Text,
    Switch,
    /// A whole number, with its least value.
    Whole(Option<u8>),
    Number,
    Other(String),
}

/// The name of an empty value.
const NOTHING: &str = "nothing";

/// The most characters of a value that are shown.
const SHOWN: usize = 40;

impl WrongKind {
    pub(super) fn new(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        let item = match found {
            Unexpected::Str(text) => Some(clean::short_line(text, SHOWN)),
            Unexpected::Bool(value) => Some(value.to_string()),
            Unexpected::Signed(value) => Some(value.to_string()),
            Unexpected::Unsigned(value) => Some(value.to_string()),
            Unexpected::Float(value) => Some(value.to_string()),
            _ => None,
        };
        let found = match (&item, found) {
            (Some(item), Unexpected::Str(_)) => format!("the text `{item}`"),
            (Some(item), _) => format!("`{item}`"),
            (None, Unexpected::Seq) => "a list".to_owned(),
            (None, Unexpected::Map) => "keys with values".to_owned(),
            (None, Unexpected::Unit | Unexpected::Option) => NOTHING.to_owned(),
            (None, other) => other.to_string(),
        };
        Self { belongs: Kind::of(&expected.to_string()), found, item }
    }

    /// The problem with the value at these keys, or with an item of its list, and the text to write instead.
    pub(super) fn words(&self, keys: &[&str], is_item: bool) -> String {
        let of = if is_item { "an item of " } else { "" };
        let key = keys.last();
        let subject = match key {
            Some(_) => format!("{of}`{}`", clean::short_line(&keys.join("."), 2 * SHOWN)),
            None => if is_item { "an item" } else { "the file" }.to_owned(),
        };
        let name = clean::short_line(key.copied().unwrap_or("key"), SHOWN);
        let item = self.item.as_deref();
        let (belongs, write) = match &self.belongs {
            Kind::List => {
                let items = item.map_or_else(|| "…".to_owned(), ToOwned::to_owned);
                let write = match key {
                    Some(_) if !is_item => format!("write `{name}: [{items}]`, or one line with `- ` for each item"),
                    _ => "begin each item with `- `".to_owned(),
                };
                ("a list", write)
            }
            Kind::Keys => ("keys with values", "write `key: value`, one on each line".to_owned()),
            Kind::Text if self.found == NOTHING => ("text", "write it, or delete the line".to_owned()),
            Kind::Text => ("text", "put the words between quotation marks".to_owned()),
            Kind::Switch => ("true or false", "write `true` or `false`".to_owned()),
            Kind::Whole(Some(least)) => ("a whole number", format!("write {least} or more, without quotation marks")),
            Kind::Whole(None) => ("a whole number", "write digits without quotation marks".to_owned()),
            Kind::Number => ("a number", "write digits without quotation marks".to_owned()),
            Kind::Other(words) => (words.as_str(), "change it".to_owned()),
        };
        format!("{subject} must be {belongs}, not {}: {write}", self.found)
    }
}

impl Kind {
    /// The kind that serde's description names.
    fn of(expected: &str) -> Self {
        match expected {
            "a sequence" => Self::List,
            "a map" => Self::Keys,
            "a boolean" => Self::Switch,
            "a string" | "a borrowed string" | "string" => Self::Text,
            "f32" | "f64" => Self::Number,
            "i8" | "i16" | "i32" | "i64" => Self::Whole(None),
            "u8" | "u16" | "u32" | "u64" | "usize" => Self::Whole(Some(0)),
            other if other.starts_with("a nonzero") => Self::Whole(Some(1)),
            other if other.starts_with("struct ") || other.starts_with("a map") => Self::Keys,
            other if other.starts_with("tuple") || other.starts_with("a tuple") => Self::List,
            other => Self::Other(other.to_owned()),
        }
    }
}
