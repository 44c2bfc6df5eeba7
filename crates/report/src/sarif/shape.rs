//! The objects of SARIF 2.1.0 that reqgate writes.

use serde::Serialize;
use serde_json::Value;

/// The SARIF object `toolComponent`.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Driver {
    pub name: &'static str,
    pub semantic_version: &'static str,
    pub information_uri: &'static str,
    pub rules: Vec<Rule>,
}

/// The SARIF object `reportingDescriptor`.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Rule {
    pub id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub help_uri: Option<String>,
    pub short_description: Message,
    pub full_description: Message,
    pub help: Message,
    pub default_configuration: Value,
    pub properties: Value,
}

/// The SARIF objects `message` and `multiformatMessageString`.
#[derive(Debug, Serialize)]
pub(super) struct Message {
    text: String,
}

impl Message {
    /// A message without links: SARIF viewers turn `[words](target)` into a link even in plain text.
    pub(super) fn new(text: &str) -> Self {
        Self { text: text.replace("](", "] (") }
    }
}

/// The SARIF object `result`.
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

/// The SARIF object `partialFingerprints`.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Fingerprints {
    #[serde(rename = "reqgate/v1")]
    pub reqgate: String,
    pub primary_location_line_hash: String,
}

/// The SARIF object `location`.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Location {
    pub physical_location: PhysicalLocation,
}

/// The SARIF object `physicalLocation`.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct PhysicalLocation {
    pub artifact_location: Artifact,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub region: Option<Region>,
}

/// The SARIF object `artifactLocation`.
#[derive(Debug, Serialize)]
pub(super) struct Artifact {
    pub uri: String,
}

/// The SARIF object `region`. Columns are Unicode code points; the end column is one past the last.
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
    /// The region of a whole line.
    pub(super) fn line(line: usize) -> Self {
        Self { start_line: line, start_column: None, end_line: None, end_column: None }
    }
}

/// The SARIF object `suppression`.
#[derive(Debug, Serialize)]
pub(super) struct Suppression {
    kind: &'static str,
    status: &'static str,
    justification: String,
}

impl Suppression {
    /// A suppression by a waiver or a baseline, which are outside the text.
    pub(super) fn new(reason: &str) -> Self {
        Self { kind: "external", status: "accepted", justification: reason.to_owned() }
    }
}

/// The SARIF object `invocation`.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Invocation {
    pub execution_successful: bool,
    pub tool_execution_notifications: Vec<Notification>,
}

/// The SARIF object `notification`.
#[derive(Debug, Serialize)]
pub(super) struct Notification {
    pub level: &'static str,
    pub message: Message,
    pub locations: Vec<Location>,
}
