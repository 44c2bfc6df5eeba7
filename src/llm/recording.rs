//! Records every exchange of a run, and plays it back without network.
//!
//! One file per exchange, named by the hash of the request and its place within the question. It holds what came back, masked,
//! and neither the prompt nor a key.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::{AskError, ChatError, ChatReply};
use crate::files::{self, Readers};

/// Longest recording that is read, in bytes.
const LONGEST: u64 = 64_000_000;

/// One exchange.
#[derive(Debug, Serialize, Deserialize)]
struct Recorded {
    version: u32,
    question: String,
    hash: String,
    number: u32,
    came: Came,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Came {
    Reply(ChatReply),
    Error(ChatError),
    /// Nothing: we stopped asking.
    Nothing(AskError),
}

/// What a call brings: ours is the outer error, the model's the inner.
pub type Call = Result<Result<ChatReply, ChatError>, AskError>;

/// Writes one exchange.
///
/// # Errors
/// Says what could not be written.
pub fn record(folder: &Path, question: &str, hash: &str, number: u32, came: &Call) -> Result<(), String> {
    let came = match came {
        Ok(Ok(reply)) => Came::Reply(reply.clone()),
        Ok(Err(error)) => Came::Error(error.clone()),
        Err(error) => Came::Nothing(error.clone()),
    };
    let recorded = Recorded { version: 1, question: question.to_string(), hash: hash.to_string(), number, came };
    let path = path(folder, hash, number);
    let text = serde_json::to_vec_pretty(&recorded).map_err(|error| error.to_string())?;
    files::write(&path, &text, Readers::Owner).map_err(|error| format!("writing {}: {error}", path.display()))
}

/// Reads one exchange; `Ok(None)` if it was not recorded.
///
/// # Errors
/// Says which file is damaged.
pub fn replay(folder: &Path, hash: &str, number: u32) -> Result<Option<Call>, String> {
    let path = path(folder, hash, number);
    if !path.exists() {
        return Ok(None);
    }
    let damaged = |what: &str| format!("reading {}: {what}", path.display());
    let bytes = files::read(&path, LONGEST).map_err(|_| damaged("it cannot be read"))?;
    let recorded: Recorded = serde_json::from_slice(&bytes).map_err(|error| damaged(&error.to_string()))?;
    if recorded.version != 1 || recorded.hash != hash || recorded.number != number {
        return Err(damaged("it holds a different exchange"));
    }
    Ok(Some(match recorded.came {
        Came::Reply(reply) => Ok(Ok(reply)),
        Came::Error(error) => Ok(Err(error)),
        Came::Nothing(error) => Err(error),
    }))
}

fn path(folder: &Path, hash: &str, number: u32) -> PathBuf {
    folder.join(format!("{hash}-{number}.json"))
}
