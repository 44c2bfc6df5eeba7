//! The issues that an event is about. Pure; everything else about the event is ignored, because GitHub is asked again.

use serde::Deserialize;

use super::super::EventError;
use super::branch::issue_of;
use reqgate_net::github::PullHead;

/// The place where an event says to look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Doorbell {
    /// An issue.
    Issue(u64),
    /// A pull request, which belongs to an issue if its branch is one of ours.
    Pull(u64),
    /// Every open issue with the label.
    All,
    /// The event does not concern a PRD.
    Nothing,
}

#[derive(Deserialize)]
struct Payload {
    issue: Option<Numbered>,
    pull_request: Option<Proposed>,
    inputs: Option<Inputs>,
}

#[derive(Deserialize)]
struct Numbered {
    number: u64,
    #[serde(default)]
    pull_request: Option<serde::de::IgnoredAny>,
}

#[derive(Deserialize)]
struct Proposed {
    head: PullHead,
}

#[derive(Deserialize)]
struct Inputs {
    #[serde(default)]
    issue: Option<serde_json::Value>,
}

/// Reads the event `name` with the payload `json`; `asked` is the issue that the workflow names, if any.
///
/// # Errors
/// Fails if the payload does not have the documented shape.
pub fn rung(name: &str, json: &[u8], asked: Option<u64>) -> Result<Doorbell, EventError> {
    if let Some(number) = asked {
        return Ok(Doorbell::Issue(number));
    }
    let payload = || serde_json::from_slice::<Payload>(json).map_err(|error| EventError::unreadable(name, &error));
    Ok(match name {
        "issues" => payload()?.issue.map_or(Doorbell::Nothing, |issue| Doorbell::Issue(issue.number)),
        "issue_comment" => match payload()?.issue {
            Some(Numbered { number, pull_request: Some(_) }) => Doorbell::Pull(number),
            Some(Numbered { number, pull_request: None }) => Doorbell::Issue(number),
            None => Doorbell::Nothing,
        },
        "pull_request_review" => {
            let branch = payload()?.pull_request.map(|pull| pull.head.branch).unwrap_or_default();
            issue_of(&branch).map_or(Doorbell::Nothing, Doorbell::Issue)
        }
        "workflow_dispatch" => {
            let issue = payload()?.inputs.and_then(|inputs| inputs.issue);
            // GitHub sends every input as text.
            let text = issue.map(|issue| issue.as_str().map_or_else(|| issue.to_string(), str::to_owned));
            match text.as_deref().map(str::trim).filter(|text| !text.is_empty() && *text != "null") {
                None => Doorbell::All,
                Some(text) => text.trim_start_matches('#').parse().map_or(Doorbell::Nothing, Doorbell::Issue),
            }
        }
        "schedule" | "repository_dispatch" => Doorbell::All,
        _ => Doorbell::Nothing,
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_event_says_where_to_look() {
        let rung = |name: &str, payload: serde_json::Value| rung(name, payload.to_string().as_bytes(), None).unwrap();
        let pull = |branch: &str| json!({"pull_request": {"number": 9, "head": {"ref": branch}}});
        for (name, payload, expected) in [
            ("issues", json!({"issue": {"number": 7}}), Doorbell::Issue(7)),
            ("issue_comment", json!({"issue": {"number": 7}, "comment": {"body": "x"}}), Doorbell::Issue(7)),
            ("issue_comment", json!({"issue": {"number": 9, "pull_request": {"url": "x"}}}), Doorbell::Pull(9)),
            ("pull_request_review", pull("reqgate/prd-7"), Doorbell::Issue(7)),
            ("pull_request_review", pull("feature"), Doorbell::Nothing),
            ("workflow_dispatch", json!({"inputs": {"issue": "12"}}), Doorbell::Issue(12)),
            ("workflow_dispatch", json!({"inputs": {"issue": "--help"}}), Doorbell::Nothing),
            ("workflow_dispatch", json!({"inputs": null}), Doorbell::All),
            ("workflow_dispatch", json!({"inputs": {"issue": ""}}), Doorbell::All),
            ("schedule", json!({}), Doorbell::All),
            ("push", json!({}), Doorbell::Nothing),
        ] {
            assert_eq!(rung(name, payload.clone()), expected, "{name} {payload}");
        }
    }

    #[test]
    fn any_payload_can_be_read() {
        proptest::proptest!(|(bytes: Vec<u8>)| {
            let _ = rung("issues", &bytes, None);
        });
        assert!(rung("issues", b"{", None).is_err());
    }
}
