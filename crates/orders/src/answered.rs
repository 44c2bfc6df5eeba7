//! Asks a chat model for a result of a given shape.

use std::borrow::Cow;
use std::marker::PhantomData;

use garde::Validate;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::{DeserializeOwned, Error as _};
use serde::{Deserialize, Deserializer};
use serde_json::{Value, json};
use thiserror::Error;

use reqgate_flow::{Performed, Problem};
use reqgate_net::llm::{Model, Question, Usage};

/// A result as JSON, and its usage with the names of OpenTelemetry's conventions for models.
pub type Written = (Value, Value);

/// The reason why an order has no result.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Unwritten {
    /// The model answered, and every answer had faults that it can mend.
    #[error("{0}")]
    Faulty(String),
    /// The model was not asked or did not answer.
    #[error("{0}")]
    Unanswered(String),
}

impl From<Unwritten> for Performed {
    fn from(unwritten: Unwritten) -> Self {
        match unwritten {
            Unwritten::Faulty(fault) => Self::Faulty(vec![Problem::whole(fault)]),
            Unwritten::Unanswered(reason) => Self::Failed(reason),
        }
    }
}

/// Asks a model for a result of the shape `R`.
pub(super) fn ask<R: JsonSchema + DeserializeOwned>(model: &Model, question: &Question) -> Result<Written, Unwritten> {
    match model.ask_with_usage::<Drafted<R>>(question) {
        Ok(answer) => Ok((answer.value.value, cost(answer.usage, answer.cost))),
        Err(unanswered) if unanswered.error.is_of_the_answer() => Err(Unwritten::Faulty(unanswered.error.to_string())),
        Err(unanswered) => Err(Unwritten::Unanswered(unanswered.error.to_string())),
    }
}

fn cost(usage: Usage, money: Option<f64>) -> Value {
    json!({ "input_tokens": usage.input_tokens, "output_tokens": usage.output_tokens, "cost": money })
}

/// A draft of the shape `T`, as JSON. Servers that require every property send null for absent ones, which is removed.
struct Drafted<T> {
    value: Value,
    shape: PhantomData<T>,
}

impl<T: JsonSchema> JsonSchema for Drafted<T> {
    fn schema_name() -> Cow<'static, str> {
        T::schema_name()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        T::json_schema(generator)
    }
}

impl<'de, T: DeserializeOwned> Deserialize<'de> for Drafted<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = without_nulls(Value::deserialize(deserializer)?);
        serde_path_to_error::deserialize::<_, T>(&value).map_err(D::Error::custom)?;
        Ok(Self { value, shape: PhantomData })
    }
}

impl<T> Validate for Drafted<T> {
    type Context = ();

    /// The quotes of every result are checked later, against the order.
    fn validate_into(&self, (): &(), _: &mut dyn FnMut() -> garde::Path, _: &mut garde::Report) {}
}

fn without_nulls(value: Value) -> Value {
    match value {
        Value::Array(items) => items.into_iter().map(without_nulls).collect(),
        Value::Object(fields) => {
            let kept = fields.into_iter().filter(|(_, value)| !value.is_null());
            kept.map(|(name, value)| (name, without_nulls(value))).collect::<serde_json::Map<_, _>>().into()
        }
        other => other,
    }
}
