//! Decides the task of a GitHub event by an allowlist of events and actions; all others are ignored.
//!
//! This is pure code. The payload is untrusted: its texts are data. Its sender is trusted only as far as GitHub's own
//! rules guarantee (the triage role may set labels); for all other rights, GitHub is asked later.

use serde::Deserialize;

use reqgate_net::github::{Account, AccountKind, Comment, Issue, IssueState};

use super::command::{self, Command, NoCommand};
use super::labels;
use super::skip::Skip;

/// A task for a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Task {
    /// Judge the text of an issue.
    Issue {
        /// The number of the issue.
        number: u64,
        /// The trigger of the judgement.
        trigger: Trigger,
    },
    /// Carry out a command from a comment, if its author may give it.
    Command {
        /// The number of the issue.
        number: u64,
        /// Login of the author of the comment.
        by: String,
        /// The id of the comment.
        comment: u64,
        /// The command in the comment.
        command: Command,
    },
    /// Judge the files that a pull request changes.
    PullRequest {
        /// Commit on the base branch that the event names.
        base: Option<String>,
        /// Commit of the request that the event names.
        head: Option<String>,
        /// The number of changed files according to GitHub; 0 if the event does not say.
        changed_files: u64,
        /// The request comes from another repository, so its author may have no rights in this one.
        is_from_fork: bool,
    },
    /// Judge the files that the inputs name.
    Files,
    /// Skip the event, for this reason.
    Skip(Skip),
}

/// The reason why an issue is judged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Trigger {
    /// The text was opened, edited or reopened.
    Text,
    /// A person set the override label.
    OverrideSet {
        /// Login of the person.
        by: String,
    },
    /// A person removed the override label.
    OverrideTaken,
    /// A person set the recheck label.
    RecheckSet,
    /// A person requested it in a comment, or started the workflow by hand.
    Asked,
}

/// A payload that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("reading the event: {0}")]
pub struct EventError(String);

impl EventError {
    /// The error for a payload that is not an event `name`; it does not repeat words of the payload.
    pub(super) fn unreadable(name: &str, error: &serde_json::Error) -> Self {
        Self(format!("the payload is not a {name} event ({:?} error)", error.classify()))
    }
}

/// The fields of a payload that decide. All are optional: the name of the event determines which ones must be present.
#[derive(Debug, Default, Deserialize)]
struct Payload {
    #[serde(default)]
    action: Option<String>,
    #[serde(default)]
    sender: Option<Account>,
    #[serde(default)]
    issue: Option<Issue>,
    #[serde(default)]
    comment: Option<Comment>,
    #[serde(default)]
    label: Option<Label>,
    #[serde(default)]
    pull_request: Option<PullRequest>,
}

#[derive(Debug, Deserialize)]
struct Label {
    name: String,
}

#[derive(Debug, Deserialize)]
struct PullRequest {
    #[serde(default)]
    base: Option<Commit>,
    #[serde(default)]
    head: Option<Commit>,
    #[serde(default)]
    changed_files: Option<u64>,
}

#[derive(Debug, Deserialize)]
struct Commit {
    #[serde(default)]
    sha: Option<String>,
    /// Absent if the repository was deleted.
    #[serde(default)]
    repo: Option<Repository>,
}

#[derive(Debug, PartialEq, Deserialize)]
struct Repository {
    #[serde(default)]
    id: Option<u64>,
}

/// Decides the task for the event `name` with the payload `json`; `asked` is the issue named by the inputs, if any.
///
/// # Errors
/// Fails if the payload of an event on the list does not have the documented shape.
pub fn decide(name: &str, json: &[u8], asked: Option<u64>) -> Result<Task, EventError> {
    match name {
        "issues" | "issue_comment" | "pull_request" => {
            let payload: Payload =
                serde_json::from_slice(json).map_err(|error| EventError::unreadable(name, &error))?;
            decide_payload(name, payload)
        }
        "push" | "merge_group" | "workflow_dispatch" | "schedule" | "workflow_call" | "repository_dispatch" => {
            Ok(match asked {
                Some(number) if name != "push" => Task::Issue { number, trigger: Trigger::Asked },
                _ => Task::Files,
            })
        }
        other => Ok(Task::Skip(Skip::Event(shown(other)))),
    }
}

fn decide_payload(name: &str, payload: Payload) -> Result<Task, EventError> {
    let action = payload.action.as_deref().unwrap_or("");
    let is_listed = match name {
        "issues" => matches!(action, "opened" | "edited" | "reopened" | "labeled" | "unlabeled"),
        "issue_comment" => action == "created",
        _ => matches!(action, "opened" | "edited" | "reopened" | "synchronize" | "ready_for_review"),
    };
    if !is_listed {
        return Ok(Task::Skip(Skip::Event(shown(&format!("{name}.{action}")))));
    }
    let missing = |part: &str| EventError(format!("the payload of `{name}.{action}` has no {part}"));
    if name == "pull_request" {
        // A program may open a pull request. Its files are judged like any others, because this run writes no comment.
        let request = payload.pull_request.ok_or_else(|| missing("pull request"))?;
        let repository = |side: &Option<Commit>| side.as_ref()?.repo.as_ref()?.id;
        let is_from_fork = repository(&request.head).is_none_or(|head| Some(head) != repository(&request.base));
        let base = request.base.and_then(|base| base.sha).filter(|sha| is_commit(sha));
        let changed_files = request.changed_files.unwrap_or(0);
        // The head is only compared, so a value that is not a commit is harmless.
        let head = request.head.and_then(|head| head.sha);
        return Ok(Task::PullRequest { base, head, changed_files, is_from_fork });
    }
    let issue = payload.issue.ok_or_else(|| missing("issue"))?;
    let sender = payload.sender.ok_or_else(|| missing("sender"))?;
    if sender.kind == AccountKind::Bot {
        return Ok(Task::Skip(Skip::Bot));
    }
    if issue.is_pull_request {
        return Ok(Task::Skip(Skip::PullRequest));
    }
    if issue.state == IssueState::Closed {
        return Ok(Task::Skip(Skip::Closed));
    }
    if name == "issue_comment" {
        let comment = payload.comment.ok_or_else(|| missing("comment"))?;
        return Ok(commanded(issue.number, &comment, &sender));
    }
    if !matches!(action, "labeled" | "unlabeled") {
        return Ok(Task::Issue { number: issue.number, trigger: Trigger::Text });
    }
    let label = payload.label.ok_or_else(|| missing("label"))?.name;
    // Only a person may override. GitHub has checked that the sender may set labels; the other rights are checked
    // later.
    let is_person = sender.kind == AccountKind::User;
    Ok(match (label.as_str(), action) {
        (labels::OVERRIDE | labels::RECHECK, _) if !is_person => Task::Skip(Skip::Bot),
        (labels::OVERRIDE, "labeled") => {
            Task::Issue { number: issue.number, trigger: Trigger::OverrideSet { by: sender.login } }
        }
        (labels::OVERRIDE, _) => Task::Issue { number: issue.number, trigger: Trigger::OverrideTaken },
        (labels::RECHECK, "labeled") => Task::Issue { number: issue.number, trigger: Trigger::RecheckSet },
        _ => Task::Skip(Skip::Label),
    })
}

fn commanded(number: u64, comment: &Comment, sender: &Account) -> Task {
    // The sender of a new comment is its author. If they differ, the command is ignored.
    if comment.user.kind != AccountKind::User || sender.login != comment.user.login {
        return Task::Skip(Skip::Bot);
    }
    match command::parse(&comment.body) {
        Ok(command) => Task::Command { number, by: sender.login.clone(), comment: comment.id, command },
        Err(NoCommand::None) => Task::Skip(Skip::NoCommand),
        Err(NoCommand::Unknown) => Task::Skip(Skip::UnknownCommand),
        Err(NoCommand::Incomplete(what)) => Task::Skip(Skip::Incomplete(what)),
    }
}

/// Returns true for the id of a commit, which is safe on a command line.
pub(super) fn is_commit(sha: &str) -> bool {
    matches!(sha.len(), 40 | 64) && sha.bytes().all(|b| b.is_ascii_hexdigit())
}

fn shown(name: &str) -> String {
    name.chars().filter(|c| c.is_ascii_graphic()).take(60).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    /// An event in the shape of GitHub's, with the parts that decide.
    fn event(action: &str, more: Value) -> Value {
        let mut event = json!({
            "action": action,
            "issue": {"number": 7, "title": "Export", "body": null, "state": "open", "user": {"login": "alice", "type": "User"}},
            "sender": {"login": "alice", "type": "User"},
            "repository": {"full_name": "octo/shop"}
        });
        for (key, value) in more.as_object().expect("an object") {
            match (event.get_mut(key), value) {
                (Some(Value::Object(old)), Value::Object(new)) => old.extend(new.clone()),
                _ => event[key] = value.clone(),
            }
        }
        event
    }

    fn decided(name: &str, event: &Value) -> Task {
        decide(name, event.to_string().as_bytes(), None).expect("it is an event")
    }

    fn comment(login: &str, kind: &str, body: &str) -> Value {
        json!({"comment": {"id": 1, "body": body, "user": {"login": login, "type": kind}}, "sender": {"login": login, "type": kind}})
    }

    #[test]
    fn decision_table_of_issue_events() {
        let issue = |trigger| Task::Issue { number: 7, trigger };
        let label = |name: &str| json!({"label": {"name": name}});
        let by_bot = |name: &str| json!({"label": {"name": name}, "sender": {"login": "x[bot]", "type": "Bot"}});
        let by_org = |name: &str| json!({"label": {"name": name}, "sender": {"login": "octo", "type": "Organization"}});
        let skip = |skip| Task::Skip(skip);
        let cases = [
            ("opened", json!({}), issue(Trigger::Text)),
            ("edited", json!({"changes": {"body": {"from": "x"}}}), issue(Trigger::Text)),
            ("reopened", json!({}), issue(Trigger::Text)),
            ("closed", json!({}), skip(Skip::Event("issues.closed".into()))),
            ("transferred", json!({}), skip(Skip::Event("issues.transferred".into()))),
            ("deleted", json!({}), skip(Skip::Event("issues.deleted".into()))),
            ("opened", json!({"sender": {"login": "x[bot]", "type": "Bot"}}), skip(Skip::Bot)),
            ("edited", json!({"issue": {"state": "closed"}}), skip(Skip::Closed)),
            ("opened", json!({"issue": {"pull_request": {"url": "x"}}}), skip(Skip::PullRequest)),
            ("labeled", label("bug"), skip(Skip::Label)),
            ("labeled", label("reqgate:blocked"), skip(Skip::Label)),
            ("labeled", label("reqgate:override"), issue(Trigger::OverrideSet { by: "alice".into() })),
            ("unlabeled", label("reqgate:override"), issue(Trigger::OverrideTaken)),
            ("labeled", label("reqgate:recheck"), issue(Trigger::RecheckSet)),
            ("unlabeled", label("reqgate:recheck"), skip(Skip::Label)),
            ("labeled", by_bot("reqgate:override"), skip(Skip::Bot)),
            ("labeled", by_org("reqgate:override"), skip(Skip::Bot)),
            ("unlabeled", by_org("reqgate:override"), skip(Skip::Bot)),
        ];
        for (action, more, expected) in cases {
            assert_eq!(decided("issues", &event(action, more.clone())), expected, "{action} {more}");
        }
    }

    #[test]
    fn decision_table_of_comments() {
        let recheck = Task::Command { number: 7, by: "bob".into(), comment: 1, command: Command::Recheck };
        let cases = [
            ("created", comment("bob", "User", "/reqgate recheck"), recheck),
            (
                "edited",
                comment("bob", "User", "/reqgate recheck"),
                Task::Skip(Skip::Event("issue_comment.edited".into())),
            ),
            ("created", comment("bob", "User", "looks fine"), Task::Skip(Skip::NoCommand)),
            ("created", comment("bob", "User", "> /reqgate recheck"), Task::Skip(Skip::NoCommand)),
            ("created", comment("bob", "User", "/reqgate dance"), Task::Skip(Skip::UnknownCommand)),
            ("created", comment("x[bot]", "Bot", "/reqgate recheck"), Task::Skip(Skip::Bot)),
        ];
        for (action, more, expected) in cases {
            assert_eq!(decided("issue_comment", &event(action, more.clone())), expected, "{action} {more}");
        }
        let mut odd = event("created", comment("bob", "User", "/reqgate recheck"));
        odd["sender"]["login"] = json!("mallory");
        assert_eq!(decided("issue_comment", &odd), Task::Skip(Skip::Bot));
    }

    #[test]
    fn other_events_need_no_payload() {
        assert_eq!(
            decide("workflow_dispatch", b"", Some(3)).unwrap(),
            Task::Issue { number: 3, trigger: Trigger::Asked }
        );
        assert_eq!(decide("schedule", b"", None).unwrap(), Task::Files);
        assert_eq!(decide("push", b"{", Some(3)).unwrap(), Task::Files);
        let target = decide("pull_request_target", b"{}", None).unwrap();
        assert_eq!(target, Task::Skip(Skip::Event("pull_request_target".into())), "it has a token that writes");
    }

    #[test]
    fn pull_request_gives_what_it_names_if_it_is_a_commit() {
        let sha = "0123456789abcdef0123456789abcdef01234567";
        let of = |base: &str, head: &str| {
            let request = json!({"base": {"sha": base}, "head": {"sha": head}, "changed_files": 2});
            json!({"action": "synchronize", "pull_request": request})
        };
        let task = |base: Option<&str>, head: Option<&str>, changed_files| Task::PullRequest {
            base: base.map(str::to_owned),
            head: head.map(str::to_owned),
            changed_files,
            is_from_fork: true,
        };
        assert_eq!(decided("pull_request", &of(sha, sha)), task(Some(sha), Some(sha), 2));
        assert_eq!(decided("pull_request", &of("--output=x", "HEAD^2")), task(None, Some("HEAD^2"), 2));
        let bare = json!({"action": "opened", "pull_request": {}});
        assert_eq!(decided("pull_request", &bare), task(None, None, 0));
        assert_eq!(
            decided("pull_request", &json!({"action": "closed"})),
            Task::Skip(Skip::Event("pull_request.closed".into()))
        );
    }

    #[test]
    fn pull_request_is_from_a_fork_unless_both_sides_name_the_same_repository() {
        let is_from_fork = |base: Value, head: Value| {
            let event = json!({"action": "opened", "pull_request": {"base": {"repo": base}, "head": {"repo": head}}});
            matches!(decided("pull_request", &event), Task::PullRequest { is_from_fork: true, .. })
        };
        assert!(!is_from_fork(json!({"id": 1}), json!({"id": 1})));
        for (base, head) in [
            (json!({"id": 1}), json!({"id": 2})),
            (json!({"id": 1}), Value::Null),
            (json!({"id": 1}), json!({})),
            (json!({}), json!({})),
        ] {
            assert!(is_from_fork(base.clone(), head.clone()), "{base} {head}");
        }
    }

    #[test]
    fn broken_payload_is_an_error_without_its_words() {
        for broken in ["", "{", r#"{"action":"opened"}"#, r#"{"action":"opened","issue":{"number":"ghs_x"}}"#] {
            let error = decide("issues", broken.as_bytes(), None).expect_err(broken).to_string();
            assert!(!error.contains("ghs_x"), "{error}");
        }
        proptest::proptest!(|(bytes: Vec<u8>)| {
            let _ = decide("issues", &bytes, None);
        });
    }
}
