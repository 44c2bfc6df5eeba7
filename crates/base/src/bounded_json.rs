//! Parses JSON with a bound on the number of values, because a value takes many times the memory of the two bytes that write it.
//!
//! The parser bounds the depth: 128 levels.

use std::cell::Cell;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

/// The fewest bytes per value in exports of tickets; in memory, a value takes up to 140.
const BYTES_OF_A_VALUE: usize = 8;
/// The number of values that any document may have, however short it is.
const FEW_VALUES: usize = 10_000;
/// The most values of any document.
const MOST_VALUES: usize = 1_000_000;

/// The most values of a request: a PRD of hundreds of requirements has a few thousand.
pub const VALUES_OF_REQUEST: usize = 20_000;

/// The reason why JSON cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum JsonError {
    /// It has more values than are read.
    #[error("more than {0} JSON values")]
    TooMany(usize),
    /// It is not JSON.
    #[error(transparent)]
    Syntax(#[from] serde_json::Error),
}

/// The most values of an export of this length in bytes.
pub fn values_of_export(length: usize) -> usize {
    (length / BYTES_OF_A_VALUE).clamp(FEW_VALUES, MOST_VALUES)
}

/// Parses a JSON document of at most this many values.
///
/// # Errors
/// Fails if it has more, or is not JSON.
pub fn parse(json: &[u8], most: usize) -> Result<Value, JsonError> {
    let left = Cell::new(most);
    let mut source = serde_json::Deserializer::from_slice(json);
    let bounded = Bounded { left: &left };
    let parsed = bounded.deserialize(&mut source).and_then(|value| source.end().map(|()| value));
    parsed.map_err(|error| if left.get() == 0 { JsonError::TooMany(most) } else { JsonError::Syntax(error) })
}

/// Builds a value, and counts down the number of values that are left.
#[derive(Clone, Copy)]
struct Bounded<'a> {
    left: &'a Cell<usize>,
}

impl<'de> DeserializeSeed<'de> for Bounded<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, source: D) -> Result<Value, D::Error> {
        let left = self.left.get().saturating_sub(1);
        self.left.set(left);
        if left == 0 { Err(D::Error::custom("too many values")) } else { source.deserialize_any(self) }
    }
}

impl<'de> Visitor<'de> for Bounded<'_> {
    type Value = Value;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a JSON value")
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_string<E: Error>(self, value: String) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element_seed(self)? {
            list.push(item);
        }
        // A list with one value would keep memory for four.
        list.shrink_to_fit();
        Ok(Value::Array(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut fields: Vec<(String, Value)> = Vec::new();
        while let Some(key) = entries.next_key::<String>()? {
            fields.push((key, entries.next_value_seed(self)?));
        }
        let mut object = Map::with_capacity(fields.len());
        object.extend(fields);
        Ok(Value::Object(object))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_are_parsed_as_serde_json_parses_them() {
        let texts = [
            "{\"a\": [1, -2, 3.5, \"x\\u00e9\", null, true], \"b\": {}}",
            "{\"a\": 1, \"a\": 2}",
            " 7 ",
            "\"\"",
            "[]",
            "1e300",
        ];
        for text in texts {
            assert_eq!(parse(text.as_bytes(), 100).ok(), serde_json::from_str(text).ok(), "{text}");
        }
        for text in ["", "{", "[1,]", "1 2", "{\"a\":1}}", "\"\\ud800\"", "nul"] {
            assert!(matches!(parse(text.as_bytes(), 100), Err(JsonError::Syntax(_))), "{text}");
        }
    }

    #[test]
    fn document_of_too_many_values_or_levels_is_refused() {
        assert!(parse(b"[1,2]", 4).is_ok());
        for text in ["[1,2,3,4]", "{\"a\":1,\"a\":2,\"a\":3,\"a\":4}", "[[[[]]]]"] {
            assert!(matches!(parse(text.as_bytes(), 4), Err(JsonError::TooMany(4))), "{text}");
        }
        let deep = "[".repeat(1_000);
        assert!(matches!(parse(deep.as_bytes(), 10_000), Err(JsonError::Syntax(_))));
        assert_eq!([0, 4 << 20, 1 << 30].map(values_of_export), [10_000, 524_288, 1_000_000]);
    }
}
