//! The arguments of the tools: types from which their schemas are made, and reading them.

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::error::ToolError;
use reqgate_base::model::Language;
use reqgate_flow::{AskId, OrderId, Problem, ThreadId, read_answer};
use reqgate_prd::workflow::TeamOptions;

/// Arguments of `check_requirement`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Check {
    /// The ticket: title and body.
    pub text: Option<String>,
    /// Or its file, below the current folder.
    pub path: Option<String>,
    /// triage, ready, strict or agent; default: as configured.
    pub policy: Option<String>,
}

/// Arguments of `review_requirement`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Review {
    /// The ticket: title and body.
    pub text: Option<String>,
    /// Or its file, below the current folder.
    pub path: Option<String>,
    /// As in check_requirement.
    pub policy: Option<String>,
    /// The order that `reading` carries out.
    pub order_id: Option<String>,
    /// Your reading, of the shape that the order gives.
    pub reading: Option<Map<String, Value>>,
}

/// Arguments of `explain_rule`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Explain {
    /// Its id, e.g. open-point.
    pub rule: String,
    /// en or zh; default: en.
    #[schemars(with = "Option<String>")]
    pub language: Option<Language>,
}

/// Arguments of `prd_start`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Start {
    /// What is wanted, in the words of the person.
    pub utterance: Option<String>,
    /// Tickets, minutes, notes: files below the current folder.
    #[serde(default)]
    pub files: Vec<String>,
    /// Or their texts.
    #[serde(default)]
    pub texts: Vec<String>,
    /// Repeat the same key and the same thread is returned.
    pub idempotency_key: Option<String>,
    /// Key of the project, e.g. SHOP or MSM-008.
    pub project: Option<String>,
    /// documents (default), or team: research and three critics.
    pub flow: Option<String>,
    /// For a team.
    pub team: Option<TeamOptions>,
}

/// Arguments of `prd_next`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Next {
    /// The thread.
    #[schemars(with = "String")]
    pub thread: ThreadId,
    /// An input of the open order, to read it whole.
    pub input: Option<String>,
    /// From which character of it.
    #[schemars(with = "Option<u64>")]
    pub offset: Option<usize>,
}

/// Arguments of `prd_submit`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Submit {
    /// The order, as prd_next gives it.
    #[schemars(with = "String")]
    pub order_id: OrderId,
    /// The result, of the shape that the order gives.
    pub result: Map<String, Value>,
}

/// Arguments of `prd_status`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Status {
    /// The thread; without it, all are listed.
    #[schemars(with = "Option<String>")]
    pub thread: Option<ThreadId>,
}

/// Arguments of `prd_answer`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Answer {
    /// The question, as prd_next gives it.
    #[schemars(with = "String")]
    pub ask_id: AskId,
    /// What the person said, where answers of agents are allowed.
    pub answer: Option<Map<String, Value>>,
}

/// Reads arguments.
///
/// # Errors
/// Names the argument that is wrong.
pub(super) fn read<T: DeserializeOwned>(arguments: &Value) -> Result<T, ToolError> {
    read_answer(arguments).map_err(bad_arguments)
}

/// The error about arguments that do not fit.
#[allow(clippy::needless_pass_by_value, reason = "the signature that `map_err` needs")]
pub(super) fn bad_arguments(problems: Vec<Problem>) -> ToolError {
    let messages: Vec<String> = problems.iter().map(ToString::to_string).collect();
    ToolError::new("bad_arguments", messages.join("; "), "call again with arguments that fit the schema")
}

/// The schema of arguments, as every client reads it: an object without references, whose optional properties are left out
/// and never null.
pub(super) fn schema<T: JsonSchema>() -> Value {
    let settings = SchemaSettings::draft2020_12().with(|settings| settings.inline_subschemas = true);
    let mut schema: Schema = settings.into_generator().into_root_schema_for::<T>();
    for word in ["$schema", "title", "description"] {
        schema.remove(word);
    }
    let mut schema = schema.to_value();
    plain_properties(&mut schema);
    schema
}

/// Brings the properties of an object, and those of the objects in it, into a form that every client reads.
fn plain_properties(schema: &mut Value) {
    let properties = schema.get_mut("properties").and_then(Value::as_object_mut);
    properties.into_iter().flat_map(Map::values_mut).for_each(plain);
}

fn plain(shape: &mut Value) {
    let Some(property) = shape.as_object_mut() else { return };
    // A value that may be left out: the shape without null.
    if let Some(ways) = property.remove("anyOf") {
        let own = ways.as_array().into_iter().flatten().find(|way| way["type"] != "null");
        let own = own.and_then(Value::as_object).cloned().unwrap_or_default();
        for (name, value) in own {
            property.entry(name).or_insert(value);
        }
    }
    // The words of a closed set.
    if let Some(ways) = property.remove("oneOf") {
        let words: Vec<Value> = ways.as_array().into_iter().flatten().map(|way| way["const"].clone()).collect();
        property.insert("type".to_owned(), "string".into());
        property.insert("enum".to_owned(), words.into());
    }
    if let Some(kinds) = property.get_mut("type").and_then(Value::as_array_mut) {
        kinds.retain(|kind| kind != "null");
        if let [kind] = kinds.as_slice() {
            let kind = kind.clone();
            property.insert("type".to_owned(), kind);
        }
    }
    for word in ["default", "format", "minimum", "maximum"] {
        property.remove(word);
    }
    if let Some(items) = property.get_mut("items") {
        plain(items);
        // The array has the description.
        items.as_object_mut().into_iter().for_each(|items| drop(items.remove("description")));
    }
    plain_properties(shape);
    // The list of tools is short: defaults of parts are left out, and an error names the limits.
    let parts = shape.get_mut("properties").and_then(Value::as_object_mut);
    for part in parts.into_iter().flat_map(Map::values_mut) {
        let words = part["description"].as_str().and_then(|words| words.split_once("; default: "));
        if let Some((words, _)) = words {
            part["description"] = words.to_owned().into();
        }
    }
}
