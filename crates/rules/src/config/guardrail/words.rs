//! A list of words as people write it in YAML: one line of words with commas, or a list.

use std::borrow::Cow;
use std::fmt;
use std::ops::Deref;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

/// Words and phrases, in the order in which they were written. Reads `a, b c, d` as well as `[a, b c, d]`; the first
/// form is read several times faster, so the shipped files use it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct WordList(pub Vec<String>);

impl WordList {
    /// Splits a line at its commas.
    pub fn of(line: &str) -> Self {
        Self(line.split(',').map(str::trim).filter(|word| !word.is_empty()).map(str::to_owned).collect())
    }
}

impl Deref for WordList {
    type Target = [String];

    fn deref(&self) -> &[String] {
        &self.0
    }
}

impl<'de> Deserialize<'de> for WordList {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(WordListVisitor)
    }
}

struct WordListVisitor;

impl<'de> Visitor<'de> for WordListVisitor {
    type Value = WordList;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("words with commas between them, or a list of words")
    }

    fn visit_str<E>(self, line: &str) -> Result<WordList, E> {
        Ok(WordList::of(line))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<WordList, A::Error> {
        let mut words = Vec::new();
        while let Some(word) = list.next_element()? {
            words.push(word);
        }
        Ok(WordList(words))
    }
}

impl JsonSchema for WordList {
    fn schema_name() -> Cow<'static, str> {
        "WordList".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": ["string", "array"], "items": { "type": "string" } })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_and_a_list_are_the_same() {
        let line: WordList = reqgate_base::yaml::read("one, two words, three").unwrap();
        let list: WordList = reqgate_base::yaml::read("[one, two words, three]").unwrap();
        assert_eq!(line, list);
        assert_eq!(line.len(), 3);
    }
}
