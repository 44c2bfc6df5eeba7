//! Patterns written on one line: `id | weight | classes | options` instead of a mapping, which YAML reads much faster.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::value::MapAccessDeserializer;
use serde::de::{Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};

use super::super::setting::named;
use super::shapes::{Combination, CommandPassword, InjectionForm, SecretPattern};
use super::words::WordList;

/// A pattern written as a line or as a mapping.
#[derive(Debug, Clone)]
pub(super) struct Written<T>(pub(super) T);

/// A pattern that can be written on one line.
pub(super) trait Row: Sized {
    /// Reads the line; the error names the wrong part.
    fn from_row(line: &str) -> Result<Self, String>;
}

impl<'de, T: Row + Deserialize<'de>> Deserialize<'de> for Written<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(WrittenVisitor(PhantomData))
    }
}

struct WrittenVisitor<T>(PhantomData<T>);

impl<'de, T: Row + Deserialize<'de>> Visitor<'de> for WrittenVisitor<T> {
    type Value = Written<T>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a pattern on one line, or a mapping")
    }

    fn visit_str<E: Error>(self, line: &str) -> Result<Written<T>, E> {
        T::from_row(line).map(Written).map_err(|message| E::custom(format!("{message} in `{line}`")))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Written<T>, A::Error> {
        T::deserialize(MapAccessDeserializer::new(map)).map(Written)
    }
}

impl<T: JsonSchema> JsonSchema for Written<T> {
    fn schema_name() -> Cow<'static, str> {
        format!("Written{}", T::schema_name()).into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let mapping = generator.subschema_for::<T>();
        json_schema!({ "anyOf": [{ "type": "string" }, mapping] })
    }
}

impl Row for InjectionForm {
    /// Reads `id | weight | classes in order | gap 26, imperative, family override`.
    fn from_row(line: &str) -> Result<Self, String> {
        let mut parts = line.split(" | ").map(str::trim);
        let mut next = |what: &str| parts.next().ok_or_else(|| format!("no {what}"));
        let (id, weight, sequence) = (next("id")?, next("weight")?, next("sequence")?);
        let mut form = Self {
            id: id.to_owned(),
            weight: weight.parse().map_err(|_| format!("`{weight}` is not a weight"))?,
            sequence: sequence.to_owned(),
            gap: Self::GAP,
            ..Self::default()
        };
        for option in parts.next().unwrap_or("").split(',').map(str::trim).filter(|option| !option.is_empty()) {
            match option.split_once(' ') {
                Some(("gap", gap)) => form.gap = gap.parse().map_err(|_| format!("`{gap}` is not a gap"))?,
                Some(("family", family)) => form.family = Some(family.to_owned()),
                None if option == "across_sentences" => form.across_sentences = true,
                None if option == "imperative" => form.imperative = true,
                None if option == "at_start" => form.at_start = true,
                None if option == "then_quote" => form.then_quote = true,
                None if option == "strong" => form.strong = true,
                None if option == "stops" => form.stops = true,
                _ => return Err(format!("unknown option `{option}`")),
            }
        }
        Ok(form)
    }
}

impl Row for Combination {
    /// Reads `id | weight | signs`.
    fn from_row(line: &str) -> Result<Self, String> {
        let mut parts = line.split(" | ").map(str::trim);
        let mut next = |what: &str| parts.next().ok_or_else(|| format!("no {what}"));
        let (id, weight, signs) = (next("id")?, next("weight")?, next("signs")?);
        let weight = weight.parse().map_err(|_| format!("`{weight}` is not a weight: write a number"))?;
        Ok(Self { id: id.to_owned(), weight, signs: signs.to_owned() })
    }
}

impl Row for SecretPattern {
    /// Reads `id | prefixes | alphabet least..most | entropy`.
    fn from_row(line: &str) -> Result<Self, String> {
        let mut parts = line.split(" | ").map(str::trim);
        let mut next = |what: &str| parts.next().ok_or_else(|| format!("no {what}"));
        let (id, prefixes, body) = (next("id")?, next("prefixes")?, next("alphabet and length")?);
        let (alphabet, length) = body.split_once(' ').ok_or("no length after the alphabet")?;
        let (least, most) = length.split_once("..").ok_or("no `..` between the lengths")?;
        let number = |text: &str| text.parse().map_err(|_| format!("`{text}` is not a length"));
        let entropy =
            parts.next().map(|text| text.parse().map_err(|_| format!("`{text}` is not an entropy"))).transpose()?;
        Ok(Self {
            id: id.to_owned(),
            prefixes: WordList::of(prefixes),
            alphabet: named(alphabet).ok_or_else(|| format!("`{alphabet}` is not an alphabet"))?,
            length: Some((number(least)?, number(most)?)),
            regex: None,
            entropy,
        })
    }
}

impl Row for CommandPassword {
    /// Reads `id | commands | options`.
    fn from_row(line: &str) -> Result<Self, String> {
        let mut parts = line.split(" | ").map(str::trim);
        let mut next = |what: &str| parts.next().ok_or_else(|| format!("no {what}"));
        let (id, commands, options) = (next("id")?, next("commands")?, next("options")?);
        Ok(Self { id: id.to_owned(), commands: WordList::of(commands), options: WordList::of(options) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_and_a_mapping_are_the_same() {
        let line: Written<InjectionForm> =
            reqgate_base::yaml::read("a-form | 4 | one two|three | gap 9, imperative").unwrap();
        let mapping: Written<InjectionForm> =
            reqgate_base::yaml::read("{id: a-form, weight: 4, sequence: one two|three, gap: 9, imperative: true}")
                .unwrap();
        assert_eq!(line.0, mapping.0);
        let line: Written<Combination> = reqgate_base::yaml::read("some-signs | -2 | one! two|three -four").unwrap();
        let mapping: Written<Combination> =
            reqgate_base::yaml::read("{id: some-signs, weight: -2, signs: one! two|three -four}").unwrap();
        assert_eq!(line.0, mapping.0);
        let line: Written<SecretPattern> = reqgate_base::yaml::read("a-key | k_, K_ | hex 8..16 | 2.5").unwrap();
        let mapping: Written<SecretPattern> =
            reqgate_base::yaml::read("{id: a-key, prefixes: [k_, K_], alphabet: hex, length: [8, 16], entropy: 2.5}")
                .unwrap();
        assert_eq!(line.0, mapping.0);
        let line: Written<CommandPassword> = reqgate_base::yaml::read("a-shell | one, two login | -p X, -pX").unwrap();
        let mapping: Written<CommandPassword> =
            reqgate_base::yaml::read("{id: a-shell, commands: [one, two login], options: [-p X, -pX]}").unwrap();
        assert_eq!(line.0, mapping.0);
    }

    #[test]
    fn a_wrong_line_is_refused_with_its_part() {
        let error = reqgate_base::yaml::read::<Written<InjectionForm>>("a-form | heavy | one").unwrap_err();
        assert!(error.to_string().contains("`heavy` is not a weight"));
        assert!(SecretPattern::from_row("a-key | k_ | hex").is_err());
    }
}
