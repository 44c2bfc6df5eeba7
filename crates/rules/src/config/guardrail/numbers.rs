//! The forms of the numbers of personal data: shapes, check digits, and the surroundings that they need.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;

use super::words::WordList;

/// Ways to write a number that have the same check and need the same context: `shapes | check | context`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct NumberForm {
    /// In a shape `d` is a digit, `A` a capital letter, `a` a letter, `*` a letter or digit; anything else is itself.
    pub shapes: WordList,
    /// Name of the check of its digits; `None` if it has no check digits.
    pub check: Option<String>,
    /// The surroundings that it needs.
    pub context: Context,
}

/// The surroundings that a number needs; one of the allowed ones is enough.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Context {
    /// It counts as the whole of a cell, a string, an element or a form value.
    pub field: bool,
    /// It counts if a word announces it within so many bytes before it, or in the rest of its clause.
    pub announced: Option<usize>,
    /// It counts if a word announces it within so many bytes before it, or if the text says that it is one.
    pub told: Option<usize>,
}

impl Context {
    /// Returns true if the number counts in any surroundings.
    pub fn is_anywhere(self) -> bool {
        self == Self::default()
    }

    fn read(words: &str) -> Result<Self, String> {
        let mut context = Self::default();
        for part in words.split(" or ") {
            let (name, width) = part.split_once(' ').unwrap_or((part, ""));
            let width = || width.parse().map_err(|_| format!("no width in the context `{part}`"));
            match name {
                "field" => context.field = true,
                "announced" => context.announced = Some(width()?),
                "told" => context.told = Some(width()?),
                _ => return Err(format!("`{part}` is not a context: write field, announced N or told N")),
            }
        }
        Ok(context)
    }
}

impl TryFrom<String> for NumberForm {
    type Error = String;

    fn try_from(line: String) -> Result<Self, String> {
        let mut parts = line.split(" | ").map(str::trim);
        let shapes = WordList::of(parts.next().unwrap_or_default());
        let check = parts.next().ok_or_else(|| format!("no check in `{line}`"))?;
        if shapes.is_empty() {
            return Err(format!("no shape in `{line}`"));
        }
        // A value is looked for around the digits of the text.
        if let Some(shape) = shapes.iter().find(|shape| !shape.bytes().take(DIGIT_WITHIN).any(|byte| byte == b'd')) {
            return Err(format!("`{shape}` has no digit among its first {DIGIT_WITHIN} characters"));
        }
        let check = (check != "none").then(|| check.to_owned());
        let context = parts.next().map(Context::read).transpose()?.unwrap_or_default();
        Ok(Self { shapes, check, context })
    }
}

/// Most characters of a shape up to its first digit.
const DIGIT_WITHIN: usize = 8;

impl JsonSchema for NumberForm {
    fn schema_name() -> Cow<'static, str> {
        "NumberForm".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_says_shapes_check_and_context() {
        let form = NumberForm::try_from("dd-d, ddd | luhn | field or announced 32".to_owned()).unwrap();
        assert_eq!(&*form.shapes, ["dd-d", "ddd"]);
        assert_eq!(form.check.as_deref(), Some("luhn"));
        assert_eq!(form.context, Context { field: true, announced: Some(32), told: None });
        assert!(NumberForm::try_from("Addd | none".to_owned()).unwrap().context.is_anywhere());
    }

    #[test]
    fn a_wrong_line_is_refused_with_its_part() {
        for (line, part) in [
            ("ddd", "no check in `ddd`"),
            (" | luhn", "no shape"),
            ("ddd | luhn | near 3", "`near 3` is not a context"),
            ("ddd | luhn | told", "no width"),
            ("AAAAAAAAAd | luhn", "no digit"),
        ] {
            let error = NumberForm::try_from(line.to_owned()).unwrap_err();
            assert!(error.contains(part), "{error}");
        }
    }
}
