//! Reads a tree as a type, and reports every place that does not fit.

use std::collections::VecDeque;
use std::fmt;

use serde::de::value::StrDeserializer;
use serde::de::{self, DeserializeSeed, Deserializer, EnumAccess, MapAccess, SeqAccess, VariantAccess, Visitor};

use super::kinds::WrongKind;
use super::tree::{Node, Place, Value};
use crate::suggest::closest;

/// A part of the tree that does not fit its type.
#[derive(Debug, Clone, PartialEq)]
pub struct ReadError {
    /// The keys and positions that lead to it; empty for the whole document.
    pub path: VecDeque<String>,
    /// The place of the value, if it is known.
    pub place: Option<Place>,
    /// The problem, as a message to the user.
    pub message: String,
    /// A key is missing, rather than wrong.
    lacks: bool,
    /// The expected and the actual kind of value, if they differ.
    kind: Option<Box<WrongKind>>,
}

impl ReadError {
    /// The error with the name of its key in the message.
    fn named(mut self) -> Self {
        if let Some(kind) = self.kind.take() {
            let is_item = self.path.back().is_some_and(|last| last.parse::<usize>().is_ok());
            let keys: Vec<&str> =
                self.path.iter().map(String::as_str).filter(|key| key.parse::<usize>().is_err()).collect();
            self.message = kind.words(&keys, is_item);
        }
        self
    }

    /// The error as seen from one level higher.
    fn below(mut self, key: &str, place: Place) -> Self {
        self.path.push_front(key.to_owned());
        self.place.get_or_insert(place);
        self
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for ReadError {}

impl de::Error for ReadError {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self { path: VecDeque::new(), place: None, message: message.to_string(), lacks: false, kind: None }
    }

    fn invalid_type(found: de::Unexpected<'_>, expected: &dyn de::Expected) -> Self {
        let kind = WrongKind::new(found, expected);
        let error = <Self as de::Error>::custom(kind.words(&[], false));
        Self { kind: Some(Box::new(kind)), ..error }
    }

    fn invalid_value(found: de::Unexpected<'_>, expected: &dyn de::Expected) -> Self {
        Self::invalid_type(found, expected)
    }

    fn unknown_field(field: &str, expected: &'static [&'static str]) -> Self {
        // The path leads to the field, so that removing it leaves its neighbours.
        let hint = closest(field, expected.iter().copied());
        let hint = match hint {
            Some(name) => format!("did you mean `{name}`?"),
            None => format!("choose from {}", list(expected)),
        };
        let message = format!("unknown key `{field}`: {hint}");
        Self { path: VecDeque::from([field.to_owned()]), ..<Self as de::Error>::custom(message) }
    }

    fn unknown_variant(variant: &str, expected: &'static [&'static str]) -> Self {
        <Self as de::Error>::custom(format!("`{variant}` is not valid here: use {}", list(expected)))
    }

    fn missing_field(field: &'static str) -> Self {
        Self { lacks: true, ..<Self as de::Error>::custom(format!("the key `{field}` is missing: add `{field}: …`")) }
    }
}

fn list(names: &[&str]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    match quoted.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} or {last}", rest.join(", ")),
        _ => quoted.concat(),
    }
}

impl Node {
    /// Reads the tree as a `T`, as far as possible, and reports every problem.
    ///
    /// A value that cannot be read is removed and reading starts again, so that one mistake does not hide the others.
    pub fn read<T: de::DeserializeOwned>(mut self) -> (Option<T>, Vec<ReadError>) {
        let mut errors = Vec::new();
        let mut removed: Vec<Vec<String>> = Vec::new();
        // Every round removes a node; a file with more mistakes than this is not a configuration.
        for _ in 0..50 {
            match T::deserialize(Reader(&self)) {
                Ok(value) => return (Some(value), errors),
                Err(error) => {
                    let error = error.named();
                    let path: Vec<String> = error.path.iter().cloned().collect();
                    // If a part is missing because it was removed, that is not a separate mistake.
                    if !error.lacks || !removed.iter().any(|gone| gone.len() > path.len() && gone.starts_with(&path)) {
                        errors.push(error);
                    }
                    if path.is_empty() || !self.remove(&path) {
                        return (None, errors);
                    }
                    // Another item may now be at that position.
                    removed.retain(|gone| !gone.starts_with(&path));
                    removed.push(path);
                }
            }
        }
        (None, errors)
    }

    fn remove(&mut self, path: &[String]) -> bool {
        let Some((first, rest)) = path.split_first() else { return false };
        match &mut self.value {
            Value::Map(entries) => match entries.iter().position(|(name, _, _)| name == first) {
                Some(index) if rest.is_empty() => {
                    entries.remove(index);
                    true
                }
                Some(index) => entries[index].2.remove(rest),
                None => false,
            },
            Value::List(items) => match first.parse::<usize>() {
                Ok(index) if index < items.len() && rest.is_empty() => {
                    items.remove(index);
                    true
                }
                Ok(index) if index < items.len() => items[index].remove(rest),
                _ => false,
            },
            _ => false,
        }
    }
}

/// Gives a tree to serde.
struct Reader<'n>(pub &'n Node);

impl<'de> Deserializer<'de> for Reader<'_> {
    type Error = ReadError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ReadError> {
        let result = match &self.0.value {
            Value::Null => visitor.visit_unit(),
            Value::Bool(value) => visitor.visit_bool(*value),
            Value::Integer(value, _) => visitor.visit_i64(*value),
            Value::Float(value, _) => visitor.visit_f64(*value),
            Value::Text(value) => visitor.visit_str(value),
            Value::List(items) => visitor.visit_seq(Items(items.iter().enumerate())),
            Value::Map(entries) => visitor.visit_map(Entries { entries: entries.iter(), value: None }),
        };
        result.map_err(|mut error: ReadError| {
            error.place.get_or_insert(self.0.place);
            error
        })
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ReadError> {
        match self.0.value {
            Value::Null => visitor.visit_none(),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value, ReadError> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, ReadError> {
        match &self.0.value {
            Value::Text(text) => {
                let deserializer: StrDeserializer<'_, ReadError> = StrDeserializer::new(text);
                let found = deserializer.deserialize_enum(name, variants, visitor);
                found.map_err(|mut error| {
                    error.place.get_or_insert(self.0.place);
                    error
                })
            }
            Value::Map(entries) if entries.len() == 1 => visitor.visit_enum(Variant(&entries[0])),
            _ => {
                let mut error = <ReadError as de::Error>::custom(format!("write one of {} here", list(variants)));
                error.place = Some(self.0.place);
                error.lacks = matches!(&self.0.value, Value::Map(entries) if entries.is_empty());
                Err(error)
            }
        }
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, ReadError> {
        self.deserialize_mapping(visitor)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ReadError> {
        self.deserialize_mapping(visitor)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ReadError> {
        match self.0.value {
            // A key without a value, such as one whose items are all commented out, is an empty list.
            Value::Null => visitor.visit_seq(Items([].iter().enumerate())),
            _ => self.deserialize_any(visitor),
        }
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ReadError> {
        self.deserialize_text(visitor)
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ReadError> {
        self.deserialize_text(visitor)
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ReadError> {
        let switched = match &self.0.value {
            Value::Text(text) => match text.to_ascii_lowercase().as_str() {
                "yes" | "on" => Some(true),
                "no" | "off" => Some(false),
                _ => None,
            },
            _ => None,
        };
        match switched {
            Some(value) => visitor.visit_bool(value),
            None => self.deserialize_any(visitor),
        }
    }

    serde::forward_to_deserialize_any! {
        i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char bytes byte_buf unit unit_struct tuple tuple_struct
        identifier ignored_any
    }
}

impl Reader<'_> {
    fn deserialize_mapping<'de, V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ReadError> {
        match self.0.value {
            Value::Null => visitor.visit_map(Entries { entries: [].iter(), value: None }),
            // Serde would take the items for the fields in their order.
            Value::List(_) => {
                let mut error = <ReadError as de::Error>::invalid_type(de::Unexpected::Seq, &"a map");
                error.place = Some(self.0.place);
                Err(error)
            }
            _ => self.deserialize_any(visitor),
        }
    }

    /// A version, a status code or a date is text to people, even where YAML reads a number.
    fn deserialize_text<'de, V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ReadError> {
        match &self.0.value {
            Value::Integer(_, written) | Value::Float(_, written) => visitor.visit_str(written),
            Value::Bool(value) => visitor.visit_str(if *value { "true" } else { "false" }),
            _ => self.deserialize_any(visitor),
        }
    }
}

/// A variant with its content: `terms: {…}`.
struct Variant<'n>(&'n (String, Place, Node));

impl<'de> EnumAccess<'de> for Variant<'_> {
    type Error = ReadError;
    type Variant = Self;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Self), ReadError> {
        let (key, place, _) = self.0;
        let deserializer: StrDeserializer<'_, ReadError> = StrDeserializer::new(key);
        let variant = seed.deserialize(deserializer).map_err(|error| error.below(key, *place))?;
        Ok((variant, self))
    }
}

impl Variant<'_> {
    fn below(&self, error: ReadError) -> ReadError {
        error.below(&self.0.0, self.0.1)
    }
}

impl<'de> VariantAccess<'de> for Variant<'_> {
    type Error = ReadError;

    fn unit_variant(self) -> Result<(), ReadError> {
        match self.0.2.value {
            Value::Null => Ok(()),
            _ => Err(self.below(<ReadError as de::Error>::custom("this key takes no value"))),
        }
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, ReadError> {
        seed.deserialize(Reader(&self.0.2)).map_err(|error| self.below(error))
    }

    fn tuple_variant<V: Visitor<'de>>(self, _length: usize, visitor: V) -> Result<V::Value, ReadError> {
        Reader(&self.0.2).deserialize_seq(visitor).map_err(|error| self.below(error))
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        _fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, ReadError> {
        Reader(&self.0.2).deserialize_mapping(visitor).map_err(|error| self.below(error))
    }
}

struct Items<'n>(std::iter::Enumerate<std::slice::Iter<'n, Node>>);

impl<'de> SeqAccess<'de> for Items<'_> {
    type Error = ReadError;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, ReadError> {
        let Some((index, item)) = self.0.next() else { return Ok(None) };
        seed.deserialize(Reader(item)).map(Some).map_err(|error| error.below(&index.to_string(), item.place))
    }
}

struct Entries<'n> {
    entries: std::slice::Iter<'n, (String, Place, Node)>,
    value: Option<&'n (String, Place, Node)>,
}

impl<'de> MapAccess<'de> for Entries<'_> {
    type Error = ReadError;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, ReadError> {
        let Some(entry) = self.entries.next() else { return Ok(None) };
        self.value = Some(entry);
        let deserializer: StrDeserializer<'_, ReadError> = StrDeserializer::new(&entry.0);
        seed.deserialize(deserializer).map(Some).map_err(|error| {
            // A refused key (not one of the fields) already names itself.
            if error.path.is_empty() {
                error.below(&entry.0, entry.1)
            } else {
                ReadError { place: Some(entry.1), ..error }
            }
        })
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, ReadError> {
        let Some((key, place, node)) = self.value.take() else {
            return Err(<ReadError as de::Error>::custom("a value was requested before its key"));
        };
        seed.deserialize(Reader(node)).map_err(|error| error.below(key, *place))
    }
}
