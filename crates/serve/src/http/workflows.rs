//! The workflows of the installation, and the fields of a question of any of them.

use axum::Json;
use axum::extract::State;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use super::error::ProblemDetails;
use super::state::{Shared, blocking};
use reqgate_base::model::Language;
use reqgate_flow::{AskView, FieldKind, Served};

/// A workflow of the installation.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct WorkflowEntry {
    /// The name of the workflow, as in its threads.
    pub name: String,
    /// The name for people, in English.
    pub title: String,
    /// The name for people, in Chinese.
    pub title_zh: String,
    /// The graph: nodes and edges.
    pub graph: Value,
}

/// A field of the answer to a question.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct AskField {
    /// The name of the field.
    pub id: String,
    /// The question to a person.
    pub label: String,
    /// The kind of value: `choice`, `words` or `tick`.
    pub kind: String,
    /// The values of a choice.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<AskOption>,
}

/// A value of a choice.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct AskOption {
    /// The value.
    pub value: String,
    /// Its name for people.
    pub label: String,
}

/// Lists the workflows.
pub(super) async fn list(State(state): State<Shared>) -> Result<Json<Vec<WorkflowEntry>>, ProblemDetails> {
    let entry = |workflow: &dyn Served| WorkflowEntry {
        name: workflow.name().to_owned(),
        title: workflow.title(Language::En).to_owned(),
        title_zh: workflow.title(Language::Zh).to_owned(),
        graph: workflow.graph(),
    };
    let listed = blocking(&state, move |service| Ok(service.installation().workflows().all().map(entry).collect()));
    Ok(Json(listed.await?))
}

/// The fields of a view, masked.
pub(super) fn fields(view: &AskView<'_>, mask: &dyn Fn(&str) -> String) -> Vec<AskField> {
    let of_field = |field: &reqgate_flow::Field<'_>| {
        let (kind, choices) = match &field.kind {
            FieldKind::Choice(choices) => ("choice", choices.as_slice()),
            FieldKind::Tick => ("tick", &[][..]),
            FieldKind::Words { .. } | FieldKind::Edited(_) | FieldKind::Entries(_) => ("words", &[][..]),
        };
        let option =
            |choice: &reqgate_flow::Choice| AskOption { value: choice.value.to_owned(), label: mask(&choice.label) };
        AskField {
            id: field.id.clone(),
            label: mask(&field.label),
            kind: kind.to_owned(),
            options: choices.iter().map(option).collect(),
        }
    };
    view.fields.iter().map(of_field).collect()
}
