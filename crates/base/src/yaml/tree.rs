//! A YAML document as a tree in which every value has its line and column, so that all its problems are reported at once.

use std::fmt;
use std::str::FromStr;

use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, SeqAccess, Visitor};
use serde_saphyr::Spanned;
use serde_saphyr::options::MergeKeyPolicy;

/// The most values that aliases and merge keys of one text may add: a file of rules has a few dozen, and a text of 340 bytes could
/// otherwise add a million.
const MOST_REPEATED: usize = 10_000;

/// The amount of text that aliases and merge keys may repeat.
enum Repeated {
    /// At most this many events of the parser.
    AtMost(usize),
    Never,
}

/// A line and a column, both from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The line, counted from 1.
    pub line: u64,
    /// The column in characters, counted from 1.
    pub column: u64,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// A value with its place.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    /// The place where it starts.
    pub place: Place,
    /// The content of the node.
    pub value: Value,
}

/// The content of a node.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// A null, or a key without a value.
    Null,
    /// A switch, true or false.
    Bool(bool),
    /// A whole number, and how it is written.
    Integer(i64, String),
    /// Another number, and how it is written.
    Float(f64, String),
    /// A text, quoted or not.
    Text(String),
    /// A list of nodes.
    List(Vec<Node>),
    /// A mapping; keys in the order of the file, each with its own place.
    Map(Vec<(String, Place, Node)>),
}

/// A syntax error in a YAML text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SyntaxError {
    /// The place of the error, if it is known.
    pub place: Option<Place>,
    /// The problem, as a message to the user.
    pub message: String,
}

impl Node {
    /// Reads a YAML text; an empty one is null.
    ///
    /// # Errors
    /// Fails if the text is not YAML.
    pub fn parse(text: &str) -> Result<Self, SyntaxError> {
        Self::parsed(text, Repeated::AtMost(MOST_REPEATED))
    }

    /// Reads untrusted YAML: text that repeats a part of itself, by an alias or a merge key, is refused.
    ///
    /// # Errors
    /// Fails if the text is not such YAML.
    pub(crate) fn parse_plain(text: &str) -> Result<Self, SyntaxError> {
        Self::parsed(text, Repeated::Never)
    }

    fn parsed(text: &str, repeated: Repeated) -> Result<Self, SyntaxError> {
        // `off` is a severity here, not the opposite of true.
        let mut options = serde_saphyr::options! { strict_booleans: true, with_snippet: false };
        match repeated {
            Repeated::AtMost(events) => options.alias_limits.max_total_replayed_events = events,
            Repeated::Never => {
                options.merge_keys = MergeKeyPolicy::Error;
                options.budget = serde_saphyr::budget! { max_aliases: 0 };
            }
        }
        let spanned: Spanned<Raw> = serde_saphyr::from_str_with_options(text, options).map_err(|error| {
            let place = error.location().map(|at| Place { line: at.line(), column: at.column() });
            SyntaxError { place, message: plain(&error.without_snippet().to_string()) }
        })?;
        Ok(node(spanned, text))
    }

    /// The node at a path of keys.
    pub(crate) fn at(&self, path: &[&str]) -> Option<&Self> {
        path.iter().try_fold(self, |node, key| match &node.value {
            Value::Map(entries) => entries.iter().find(|(name, _, _)| name == key).map(|(_, _, value)| value),
            Value::List(items) => key.parse::<usize>().ok().and_then(|index| items.get(index)),
            _ => None,
        })
    }

    /// The place of the key at the end of a path; for an item of a list, the start of the item.
    pub fn place_of(&self, path: &[&str]) -> Option<Place> {
        let (last, parents) = path.split_last()?;
        let parent = self.at(parents)?;
        match &parent.value {
            Value::Map(entries) => entries.iter().find(|(name, _, _)| name == last).map(|(_, place, _)| *place),
            _ => parent.at(&[last]).map(|node| node.place),
        }
    }
}

/// A message of the parser in words for people who do not know its grammar, with an instruction.
fn plain(message: &str) -> String {
    let line = message.lines().next().unwrap_or_default();
    // The place is reported before the message.
    let line = line.rfind(" at line ").map_or(line, |at| &line[..at]);
    let line = line.strip_prefix("error: ").unwrap_or(line);
    if line.starts_with("tabs disallowed") {
        return "a tab stands in the indentation: use spaces".to_owned();
    }
    if let Some(rest) = line.strip_prefix("duplicate mapping key: ") {
        let key = rest.split(',').next().unwrap_or(rest);
        return format!("duplicate key `{key}`: delete one of the two");
    }
    if line.starts_with("mapping values are not allowed") {
        return "a colon inside a value starts a new key: put the value between quotation marks".to_owned();
    }
    if let Some(bracket) = line.strip_prefix("unclosed bracket ") {
        return format!(
            "the bracket {bracket} is not closed: add its counterpart, or put the value between quotation marks"
        );
    }
    if line.starts_with("unclosed quote") {
        return "a quotation mark is not closed: add the second one".to_owned();
    }
    format!("this is not valid YAML: {line}")
}

/// A number as it is written at a place, in bytes: the version 1.10 is not 1.1. After an alias the text at that place
/// is not the number; then the number itself is written.
fn written<N: FromStr + PartialEq + ToString>(number: N, at: Option<u64>, text: &str) -> String {
    let rest = at.and_then(|at| text.get(usize::try_from(at).ok()?..)).unwrap_or_default();
    let word: String = rest.chars().take_while(|c| !c.is_whitespace() && !",]}".contains(*c)).collect();
    let hexadecimal = word.strip_prefix("0x").is_some_and(|digits| {
        i64::from_str_radix(digits, 16).is_ok_and(|value| value.to_string() == number.to_string())
    });
    if hexadecimal || word.parse::<N>().is_ok_and(|parsed| parsed == number) { word } else { number.to_string() }
}

fn node(spanned: Spanned<Raw>, text: &str) -> Node {
    let at = spanned.referenced.span().byte_offset();
    let place = Place { line: spanned.referenced.line(), column: spanned.referenced.column() };
    let value = match spanned.value {
        Raw::Null => Value::Null,
        Raw::Bool(value) => Value::Bool(value),
        Raw::Integer(value) => Value::Integer(value, written(value, at, text)),
        Raw::Float(value) => Value::Float(value, written(value, at, text)),
        Raw::Text(value) => Value::Text(value),
        Raw::List(items) => Value::List(items.into_iter().map(|item| node(item, text)).collect()),
        Raw::Map(entries) => {
            let entry = |(key, value): (Spanned<String>, Spanned<Raw>)| {
                let place = Place { line: key.referenced.line(), column: key.referenced.column() };
                (key.value, place, node(value, text))
            };
            Value::Map(entries.into_iter().map(entry).collect())
        }
    };
    Node { place, value }
}

enum Raw {
    Null,
    Bool(bool),
    Integer(i64),
    Float(f64),
    Text(String),
    List(Vec<Spanned<Raw>>),
    Map(Vec<(Spanned<String>, Spanned<Raw>)>),
}

impl<'de> Deserialize<'de> for Raw {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(RawVisitor)
    }
}

struct RawVisitor;

impl<'de> Visitor<'de> for RawVisitor {
    type Value = Raw;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a YAML value")
    }

    fn visit_unit<E>(self) -> Result<Raw, E> {
        Ok(Raw::Null)
    }

    fn visit_none<E>(self) -> Result<Raw, E> {
        Ok(Raw::Null)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Raw, D::Error> {
        deserializer.deserialize_any(self)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Raw, E> {
        Ok(Raw::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Raw, E> {
        Ok(Raw::Integer(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Raw, E> {
        Ok(i64::try_from(value).map_or(Raw::Float(value as f64), Raw::Integer))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Raw, E> {
        Ok(Raw::Float(value))
    }

    fn visit_str<E>(self, value: &str) -> Result<Raw, E> {
        Ok(Raw::Text(value.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Raw, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = access.next_element()? {
            items.push(item);
        }
        Ok(Raw::List(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Raw, A::Error> {
        let mut entries = Vec::new();
        while let Some(entry) = access.next_entry()? {
            entries.push(entry);
        }
        Ok(Raw::Map(entries))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[derive(Debug, Default, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    struct Shape {
        level: BTreeMap<String, Level>,
        items: Vec<Item>,
        name: Option<String>,
    }

    #[derive(Debug, Deserialize)]
    #[serde(rename_all = "lowercase")]
    enum Level {
        Off,
        High,
    }

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Item {
        #[expect(dead_code, reason = "only its shape matters")]
        reason: String,
    }

    fn told(text: &str) -> Vec<String> {
        let (_, errors) = Node::parse(text).expect("the text is YAML").read::<Shape>();
        errors.iter().map(|e| format!("{}: {}", e.place.expect("every error has a place"), e.message)).collect()
    }

    #[test]
    fn all_mistakes_are_told_at_once_with_their_places() {
        let text = "level:\n  a: off\n  b: hihg\n  c: 3\nitems:\n  - reason: x\n  - reazon: y\nnaem: z\n";
        let told = told(text);
        assert_eq!(
            told,
            [
                "3:6: `hihg` is not valid here: use `off` or `high`",
                "4:6: write one of `off` or `high` here",
                "7:5: unknown key `reazon`: did you mean `reason`?",
                "8:1: unknown key `naem`: did you mean `name`?",
            ]
        );
    }

    #[test]
    fn what_is_right_is_read() {
        let (shape, errors) =
            Node::parse("level: {a: off, b: high}\nitems:\nname: 1.5\n").expect("YAML").read::<Shape>();
        assert!(errors.is_empty(), "{errors:?}");
        let shape = shape.expect("it was read");
        assert!(matches!(shape.level["a"], Level::Off) && matches!(shape.level["b"], Level::High));
        assert_eq!((shape.items.len(), shape.name.as_deref()), (0, Some("1.5")));
    }

    #[test]
    fn an_empty_text_is_an_empty_mapping_and_a_broken_one_has_a_place() {
        assert!(Node::parse("# nothing\n").expect("YAML").read::<Shape>().0.is_some());
        assert!(Node::parse("a: [1, 2\nb: 3\n").expect_err("broken").place.is_some());
    }

    /// A chain of mappings, each of which merges the previous one twice.
    fn merges(levels: usize) -> String {
        let mut text = "a0: &a0 {x: 1}\n".to_owned();
        for level in 1..levels {
            let before = level - 1;
            text += &format!("a{level}: &a{level} {{<<: [*a{before}, *a{before}]}}\n");
        }
        text
    }

    #[test]
    fn text_that_repeats_itself_without_end_is_an_error() {
        assert!(Node::parse(&merges(3)).is_ok());
        assert!(Node::parse("a: &a [1]\nb: *a\n").is_ok());
        for text in [merges(20), format!("a: &a [{}]\nb: [{}]\n", "1,".repeat(200), "*a,".repeat(99))] {
            assert!(Node::parse(&text).is_err(), "{text}");
        }
        for text in [merges(2), "a: &a 1\nb: *a\n".to_owned(), "<<: {a: 1}\n".to_owned()] {
            assert!(Node::parse_plain(&text).is_err(), "{text}");
        }
        assert!(Node::parse_plain("a: &a 1\nb: \"*a\"\nc: 5 << 3\n").is_ok());
    }

    #[test]
    fn number_is_kept_as_it_is_written_wherever_it_is() {
        let node = Node::parse("版本: [1.10, 007, 1.0e3]\nb: 0x1F\n").expect("YAML");
        let shown = |path: &[&str]| match &node.at(path).expect("a value").value {
            Value::Integer(_, written) | Value::Float(_, written) | Value::Text(written) => written.clone(),
            other => format!("{other:?}"),
        };
        let written = [&["版本", "0"][..], &["版本", "1"], &["版本", "2"], &["b"]].map(shown);
        assert_eq!(written, ["1.10", "007", "1.0e3", "0x1F"]);
    }

    #[test]
    fn deep_nesting_is_an_error_and_no_crash() {
        assert!(Node::parse(&"[".repeat(100_000)).is_err());
    }
}
