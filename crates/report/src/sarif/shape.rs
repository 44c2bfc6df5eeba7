//! The few objects of SARIF 2.1.0 that reqgate writes.

use serde::Serialize;
use serde_json::Value;

/// `toolComponent`
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Driver {
    pub name: &'static str,
    pub semantic_version: &'static str,
    pub rules: Vec<Rule>,
}

/// `reportingDescriptor`
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Rule {
    pub id: String,
    pub short_description: Message,
    pub full_description: Message,
    pub help: Message,
    pub default_configuration: Value,
    pub properties: Value,
}

/// `message` and `multiformatMessageString`
#[derive(Debug, Serialize)]
pub(super) struct Message {
    text: String,
}

impl Message {
    /// A message without links: SARIF viewers make a link of `[words](target)` even in plain text.
    pub(super) fn new(text: &str) -> Self {
        Self { text: text.replace("](", "] (") }
    }
}

/// `result`
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ResultItem {
    pub rule_id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule_index: Option<usize>,
    pub level: &'static str,
    pub message: Message,
    pub locations: Vec<Location>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub partial_fingerprints: Option<Fingerprints>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub suppressions: Vec<Suppression>,
    pub properties: Value,
}

/// `partialFingerprints`
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Fingerprints {
    #[serde(rename = "reqgate/v1")]
    pub reqgate: String,
    pub primary_location_line_hash: String,
}

/// `location`
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Location {
    pub physical_location: PhysicalLocation,
}

/// `physicalLocation`
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct PhysicalLocation {
    pub artifact_location: Artifact,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub region: Option<Region>,
}

/// `artifactLocation`
#[derive(Debug, Serialize)]
pub(super) struct Artifact {
    pub uri: String,
}

/// `region`; columns in Unicode code points, the end column is one past the last.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Region {
    pub start_line: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start_column: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end_line: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end_column: Option<usize>,
}

impl Region {
    /// A whole line.
    pub(super) fn line(line: usize) -> Self {
        Self { start_line: line, start_column: None, end_line: None, end_column: None }
    }
}

/// `suppression`
#[derive(Debug, Serialize)]
pub(super) struct Suppression {
    kind: &'static str,
    status: &'static str,
    justification: String,
}

impl Suppression {
    /// A suppression by a waiver, which is outside the text.
    pub(super) fn new(reason: &str) -> Self {
        Self { kind: "external", status: "accepted", justification: reason.to_owned() }
    }
}

/// `invocation`
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Invocation {
    pub execution_successful: bool,
    pub tool_execution_notifications: Vec<Notification>,
}

/// `notification`
#[derive(Debug, Serialize)]
pub(super) struct Notification {
    pub level: &'static str,
    pub message: Message,
    pub locations: Vec<Location>,
}
