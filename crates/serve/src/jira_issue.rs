//! Reads an issue in Jira and updates reqgate's comment on it.

use serde_json::Value;

use reqgate_base::hash::Hash;
use reqgate_base::model::Outcome;
use reqgate_gate::stages::intake::{self, IntakeError, RawInput};
use reqgate_net::jira::{Api, Client, IssueKey, JiraError};
use reqgate_net::sticky_comment::Kept;
use reqgate_report::{JiraDocument, jira_comment};

/// The prefix of the name of an issue in Jira.
pub const PREFIX: &str = "jira:";

/// Reads the issue as an input of the pipeline.
///
/// # Errors
/// Fails if Jira cannot be asked or refuses.
pub fn read(client: &Client, key: &IssueKey) -> Result<Vec<Result<RawInput, IntakeError>>, JiraError> {
    let bytes = client.issue(key)?;
    let named =
        |item: Result<RawInput, IntakeError>| item.map(|input| RawInput { name: format!("{PREFIX}{key}"), ..input });
    Ok(intake::read_bytes(&format!("{key}.json"), &bytes).into_iter().map(named).collect())
}

/// The comment in the site's format: a document in Atlassian's format, or a string of wiki markup.
pub fn body(api: Api, document: &JiraDocument) -> Value {
    match api {
        Api::Cloud => document.to_adf(),
        Api::Server => Value::String(document.to_wiki()),
    }
}

/// Sets the comment on an issue to the text about an outcome; creates it only if `may_create`.
///
/// # Errors
/// Fails if Jira cannot be asked or refuses.
pub fn keep(client: &Client, key: &IssueKey, outcome: &Outcome, may_create: bool) -> Result<Kept<String>, JiraError> {
    let document = jira_comment(outcome);
    let digest = Hash::of(document.to_wiki()).digits(32);
    client.keep_comment(key, &body(client.site().api, &document), &digest, may_create)
}
