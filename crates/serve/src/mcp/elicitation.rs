//! Puts a question to the person through the client: the clients that can show a form, the replies, and the state of a question between
//! two requests.
//!
//! Between two requests of the modern protocol the client carries a handle of 256 random bits. The matching state is a file in the state
//! folder, so that the client cannot read or change it; its first use deletes it.

use std::fs;
use std::path::PathBuf;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::error::ToolError;
use reqgate_base::files::{self, Readers};
use reqgate_base::hash::Hash;
use reqgate_flow::AskId;

/// The time in which a form must come back.
const LIFETIME: Duration = Duration::from_secs(60 * 60);

/// A client that can be asked while it waits for an answer (the protocol before 2026-07-28).
pub trait Peer {
    /// Sends a form, and waits for it or for the end of the request with this id. Returns the result of the client, if there is one.
    fn elicit(&mut self, request: &Value, form: &Value) -> Option<Value>;
}

/// The reply of a person to a form.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Reply {
    /// The person filled in the form.
    Accepted(Map<String, Value>),
    /// The person declined, closed the form, or never saw it.
    Left,
}

impl Reply {
    /// Reads the result of an elicitation. The question stays open unless the result is certainly a filled form.
    pub(super) fn read(result: Option<&Value>) -> Self {
        let content = result.filter(|result| result.get("action").and_then(Value::as_str) == Some("accept"));
        match content.and_then(|result| result.get("content")?.as_object()) {
            Some(content) => Self::Accepted(content.clone()),
            None => Self::Left,
        }
    }
}

/// Returns true if a client with these capabilities shows forms.
pub(super) fn shows_forms(capabilities: Option<&Value>) -> bool {
    let declared = capabilities.and_then(|capabilities| capabilities.get("elicitation")?.as_object());
    // Clients before 2025-11-25 had only forms and did not declare modes.
    declared.is_some_and(|modes| modes.is_empty() || modes.contains_key("form"))
}

/// The forms that clients of the modern protocol have not sent back.
pub(super) struct Pending {
    folder: PathBuf,
}

/// A form that is on its way.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct OnItsWay {
    ask: AskId,
    person: String,
    /// The hash of the form: an answer to another form would be about words that the person has not seen.
    form: String,
    /// The time after which the form is too late, in seconds since 1970.
    expires: u64,
}

impl Pending {
    /// The forms whose state is in a folder.
    pub(super) fn new(state: &std::path::Path) -> Self {
        Self { folder: state.join("mcp") }
    }

    /// Keeps the state of a form, and returns its handle.
    ///
    /// # Errors
    /// Fails if it cannot be kept.
    pub(super) fn put(&self, ask: &AskId, person: &str, form: &Value) -> Result<String, ToolError> {
        let failed = |error: std::io::Error| ToolError::installation(format!("keeping the state of a form: {error}"));
        self.forget();
        let mut random = [0; 32];
        let source = rustls::crypto::ring::default_provider().secure_random;
        source.fill(&mut random).map_err(|_| failed(std::io::Error::other("there are no random numbers")))?;
        let handle: String = random.iter().map(|byte| format!("{byte:02x}")).collect();
        let expires = now().saturating_add(LIFETIME.as_secs());
        let state = OnItsWay { ask: ask.clone(), person: person.to_owned(), form: hash_of(form), expires };
        let text = serde_json::to_vec(&state).map_err(|error| failed(error.into()))?;
        fs::create_dir_all(&self.folder).map_err(failed)?;
        files::write(&self.path(&handle), &text, Readers::Owner).map_err(failed)?;
        Ok(handle)
    }

    /// Returns true if the handle belongs to this form for this person and is used for the first time and in time.
    pub(super) fn take(&self, handle: &str, ask: &AskId, person: &str, form: &Value) -> bool {
        let path = self.path(handle);
        let state = files::read(&path, 10_000).ok().and_then(|bytes| serde_json::from_slice::<OnItsWay>(&bytes).ok());
        // If two requests arrive at the same time, only one of them deletes it.
        let is_first = fs::remove_file(&path).is_ok();
        let is_this = |state: OnItsWay| state.ask == *ask && state.person == person && state.form == hash_of(form);
        is_first && state.is_some_and(|state| state.expires >= now() && is_this(state))
    }

    /// Deletes states that are too old.
    fn forget(&self) {
        for entry in fs::read_dir(&self.folder).into_iter().flatten().flatten() {
            let age =
                entry.metadata().and_then(|about| about.modified()).ok().and_then(|changed| changed.elapsed().ok());
            if age.is_some_and(|age| age > LIFETIME) {
                let _ = fs::remove_file(entry.path());
            }
        }
    }

    /// The handle may be anything; its hash is the name of a file.
    fn path(&self, handle: &str) -> PathBuf {
        self.folder.join(Hash::of(handle).hex())
    }
}

fn hash_of(form: &Value) -> String {
    Hash::of(form.to_string()).hex()
}

fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_handle_counts_once_for_its_own_question_and_form() {
        let folder = tempfile::tempdir().expect("a folder");
        let pending = Pending::new(folder.path());
        let (ask, other): (AskId, AskId) = ("export.7".parse().expect("an id"), "export.9".parse().expect("an id"));
        let form = json!({ "message": "Right?" });
        let put = || pending.put(&ask, "alice", &form).expect("it is kept");
        let take = |handle: &str, ask: &AskId, form: &Value| pending.take(handle, ask, "alice", form);
        let handle = put();
        assert_eq!(handle.len(), 64);
        assert!(!take(&format!("{handle}0"), &ask, &form) && !take("../../x", &ask, &form));
        assert!(take(&handle, &ask, &form));
        assert!(!take(&handle, &ask, &form), "a second time");
        assert!(!take(&put(), &other, &form));
        assert!(!take(&put(), &ask, &json!({ "message": "Changed meanwhile" })));
        assert!(!pending.take(&put(), &ask, "bob", &form), "another person");
        assert_eq!(fs::read_dir(folder.path().join("mcp")).expect("it is there").count(), 0, "a wrong use is a use");
    }

    #[test]
    fn only_a_filled_form_is_an_answer() {
        for left in [
            json!({ "action": "cancel" }),
            json!({ "action": "decline", "content": {} }),
            json!({ "action": "accept" }),
            json!(3),
        ] {
            assert_eq!(Reply::read(Some(&left)), Reply::Left, "{left}");
        }
        assert_eq!(Reply::read(None), Reply::Left);
        assert!(matches!(Reply::read(Some(&json!({ "action": "accept", "content": {} }))), Reply::Accepted(_)));
    }

    #[test]
    fn forms_are_shown_by_clients_that_say_so() {
        for (declared, shows) in [
            (json!({ "elicitation": {} }), true),
            (json!({ "elicitation": { "form": {}, "url": {} } }), true),
            (json!({ "elicitation": { "url": {} } }), false),
            (json!({ "elicitation": null }), false),
            (json!({ "roots": {} }), false),
        ] {
            assert_eq!(shows_forms(Some(&declared)), shows, "{declared}");
        }
        assert!(!shows_forms(None));
    }
}
