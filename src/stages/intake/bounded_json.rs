//! Parses JSON with a bound on the number of values, because a value takes many times the room of the two bytes that write it.

use std::cell::Cell;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

use super::IntakeError;

/// A document of 16 MiB could otherwise hold eight million values, more than half a gigabyte in memory.
const MOST_VALUES: usize = 1_000_000;

/// The JSON document that the text is.
pub(super) fn parse(name: &str, text: &str) -> Result<Value, IntakeError> {
    let left = Cell::new(MOST_VALUES);
    let mut source = serde_json::Deserializer::from_str(text);
    let parsed = Bounded { left: &left }.deserialize(&mut source).and_then(|value| source.end().map(|()| value));
    parsed.map_err(|source| {
        let name = name.to_owned();
        match left.get() {
            0 => IntakeError::TooLarge { name, limit: format!("{MOST_VALUES} JSON values") },
            _ => IntakeError::NotJson { name, source },
        }
    })
}

/// Builds a value and takes one from the number that is left for each value in it.
#[derive(Clone, Copy)]
struct Bounded<'a> {
    left: &'a Cell<usize>,
}

impl Bounded<'_> {
    fn count<E: Error>(self, value: Value) -> Result<Value, E> {
        let left = self.left.get().saturating_sub(1);
        self.left.set(left);
        if left == 0 { Err(E::custom("too many values")) } else { Ok(value) }
    }
}

impl<'de> DeserializeSeed<'de> for Bounded<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, source: D) -> Result<Value, D::Error> {
        source.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Bounded<'_> {
    type Value = Value;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a JSON value")
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Value, E> {
        self.count(Value::from(value))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Value, E> {
        self.count(Value::from(value))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Value, E> {
        self.count(Value::from(value))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Value, E> {
        self.count(Value::from(value))
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Value, E> {
        self.count(Value::from(value))
    }

    fn visit_string<E: Error>(self, value: String) -> Result<Value, E> {
        self.count(Value::from(value))
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        self.count(Value::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element_seed(self)? {
            list.push(item);
        }
        self.count(Value::Array(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut object = Map::new();
        while let Some(key) = entries.next_key::<String>()? {
            object.insert(key, entries.next_value_seed(self)?);
        }
        self.count(Value::Object(object))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_are_parsed_as_serde_json_parses_them() {
        let texts = ["{\"a\": [1, -2, 3.5, \"x\\u00e9\", null, true], \"b\": {}}", " 7 ", "\"\"", "[]", "1e300"];
        for text in texts {
            assert_eq!(parse("x", text).ok(), serde_json::from_str(text).ok(), "{text}");
        }
        for text in ["", "{", "[1,]", "1 2", "{\"a\":1}}", "\"\\ud800\"", "nul"] {
            assert!(matches!(parse("x", text), Err(IntakeError::NotJson { .. })), "{text}");
        }
    }

    #[test]
    fn document_of_too_many_values_is_refused() {
        let text = format!("[{}1]", "1,".repeat(MOST_VALUES));
        let message = parse("x", &text).map_or_else(|error| error.to_string(), |_| "parsed".to_owned());
        assert!(message.contains("`x` is larger than 1000000 JSON values"), "{message}");
    }
}
