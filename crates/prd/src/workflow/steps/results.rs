//! Typed access to the results, answers and files that the steps read.

use serde::de::DeserializeOwned;
use serde_json::Value;

use super::super::facts::SourceText;
use super::super::state::PrdState;
use super::super::work::{FileRead, PrdCall};
use crate::FeatureId;
use reqgate_flow::{Answer, Before, CallResult, Effect, NodeError, hash, read_reply, read_value};

/// The values of the results; an error if one has failed.
pub(in crate::workflow) fn done(results: &[CallResult]) -> Result<Vec<&Value>, NodeError> {
    results
        .iter()
        .map(|result| match result {
            CallResult::Done(value) => Ok(value),
            CallResult::Failed(problems) => {
                Err(NodeError { messages: problems.iter().map(ToString::to_string).collect() })
            }
        })
        .collect()
}

pub(in crate::workflow) fn value<T: DeserializeOwned>(result: Option<&&Value>) -> Result<T, NodeError> {
    let result = result.ok_or_else(|| NodeError::new("a result is missing"))?;
    read_value(result).map_err(NodeError::new)
}

pub(in crate::workflow) fn shaped<T: DeserializeOwned>(answer: &Answer<'_>) -> Result<T, NodeError> {
    read_reply(answer.value)
        .map_err(|problems| NodeError { messages: problems.iter().map(ToString::to_string).collect() })
}

/// The path of a document of this feature, relative to the project.
pub(in crate::workflow) fn path_of(state: &PrdState, file: &str) -> String {
    let feature = state.feature_id.as_ref().map(FeatureId::as_str).unwrap_or_default();
    format!("{}/{feature}/{file}", state.prd_workspace_path)
}

pub(in crate::workflow) fn read(state: &PrdState, file: &str) -> PrdCall {
    PrdCall::ReadFile { path: path_of(state, file) }
}

/// The text of a document of this feature; an error if the file is missing.
pub(in crate::workflow) fn content(state: &PrdState, file: &str, result: Option<&&Value>) -> Result<String, NodeError> {
    let FileRead { content } = value(result)?;
    content.ok_or_else(|| is_gone(state, file))
}

/// The error for a missing document of this feature.
pub(in crate::workflow) fn is_gone(state: &PrdState, file: &str) -> NodeError {
    let gone = state.said(" does not exist any more: put it back, then continue", " 不见了：放回原处后再继续");
    NodeError::new(format!("{}{gone}", path_of(state, file)))
}

/// An effect that replaces the file that was read.
pub(in crate::workflow) fn replace(state: &PrdState, file: &str, content: String, read: Option<&str>) -> Effect {
    let before = read.map_or(Before::Absent, |text| Before::Hash(hash(text.as_bytes())));
    Effect::File { path: path_of(state, file).into(), content, before }
}

/// All sources, the request first.
pub(in crate::workflow) fn sources(state: &PrdState) -> Vec<SourceText> {
    let utterance = SourceText { name: "utterance".to_owned(), text: state.user_utterance.clone() };
    let said = (!utterance.text.trim().is_empty()).then_some(utterance);
    said.into_iter().chain(state.user_input.iter().cloned()).collect()
}
