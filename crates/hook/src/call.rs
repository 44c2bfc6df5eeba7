//! The call of a tool, as coding agents describe it to their hooks on standard input.
//!
//! Claude Code, Codex and Gemini CLI send `tool_name` and `tool_input`. Copilot CLI sends `toolName` and `toolArgs`,
//! which may be a string of JSON. Cursor sends the same as Claude Code, or only a `command`.

use std::path::PathBuf;

use serde_json::{Map, Value};

/// The planned call of a tool.
#[derive(Debug, Clone, PartialEq)]
pub struct Call {
    /// The name of the tool; empty if the agent only sends a command.
    pub tool: String,
    /// The arguments of the tool.
    pub arguments: Map<String, Value>,
    /// The folder that paths in the call are relative to; `None` for the working folder of the hook.
    pub folder: Option<PathBuf>,
}

/// The reason why a call cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CallError {
    /// The input is not JSON.
    #[error("standard input is not JSON ({0}): register this command as a hook that runs before a tool is used")]
    NotJson(String),
    /// The input is JSON without a tool.
    #[error("standard input names no tool: register this command as a hook that runs before a tool is used")]
    NoTool,
}

impl Call {
    /// Reads the input of a hook; `None` for an event other than the start of a tool.
    ///
    /// # Errors
    /// Fails if the text is not JSON, or contains neither a tool nor an event.
    pub fn read(text: &str) -> Result<Option<Self>, CallError> {
        let sent: Value = serde_json::from_str(text.trim_start_matches('\u{feff}'))
            .map_err(|error| CallError::NotJson(error.to_string()))?;
        let Value::Object(mut sent) = sent else { return Err(CallError::NoTool) };
        let event = string(&sent, &["hook_event_name", "hookEventName", "event"]).unwrap_or_default().to_lowercase();
        let is_before = event.is_empty() || event.starts_with("pre") || event.starts_with("before");
        if !is_before || event.contains("compact") {
            return Ok(None);
        }
        let folder = string(&sent, &["cwd"]).filter(|folder| !folder.is_empty()).map(PathBuf::from);
        let Some(tool) = string(&sent, &["tool_name", "toolName"]) else {
            return match sent.remove("command") {
                Some(command) => {
                    let arguments = Map::from_iter([("command".to_owned(), command)]);
                    Ok(Some(Self { tool: String::new(), arguments, folder }))
                }
                None if event.is_empty() => Err(CallError::NoTool),
                None => Ok(None),
            };
        };
        let arguments = ["tool_input", "toolArgs", "tool_args", "arguments"].iter().find_map(|key| sent.remove(*key));
        let arguments = match arguments {
            Some(Value::Object(arguments)) => arguments,
            // Some agents send the arguments as a string of JSON.
            Some(Value::String(text)) => match serde_json::from_str(&text) {
                Ok(Value::Object(arguments)) => arguments,
                _ => Map::from_iter([("input".to_owned(), Value::String(text))]),
            },
            _ => Map::new(),
        };
        Ok(Some(Self { tool, arguments, folder }))
    }
}

fn string(sent: &Map<String, Value>, keys: &[&str]) -> Option<String> {
    keys.iter().find_map(|key| sent.get(*key)).and_then(Value::as_str).map(str::to_owned)
}
