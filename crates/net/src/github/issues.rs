//! Issues, comments and accounts in GitHub's format, as far as the gate needs them.

use serde::{Deserialize, Deserializer, Serialize};

/// A GitHub account of a person or a program.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Account {
    /// The login, e.g. `octocat` or `github-actions[bot]`.
    pub login: String,
    /// The kind of account, such as a person or a program.
    #[serde(rename = "type", default)]
    pub kind: AccountKind,
}

impl Default for Account {
    /// The account that GitHub shows in place of a deleted one.
    fn default() -> Self {
        Self { login: "ghost".to_owned(), kind: AccountKind::Other }
    }
}

/// The kind of an account.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
pub enum AccountKind {
    /// The account of a person.
    User,
    /// The account of a program.
    Bot,
    /// Another kind, e.g. an organisation.
    #[default]
    #[serde(other)]
    Other,
}

/// The state of an issue.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum IssueState {
    /// The issue is open.
    #[default]
    Open,
    /// The issue is closed.
    #[serde(other)]
    Closed,
}

/// An issue or a pull request, which GitHub lists among the issues.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Issue {
    /// The number of the issue in the repository.
    pub number: u64,
    /// The title of the issue.
    pub title: String,
    /// The body; empty if GitHub has none.
    #[serde(default, deserialize_with = "null_as_default")]
    pub body: String,
    /// The state, open or closed.
    #[serde(default)]
    pub state: IssueState,
    /// Only maintainers may comment.
    #[serde(default, deserialize_with = "null_as_default")]
    pub locked: bool,
    /// The author of the issue.
    #[serde(default, deserialize_with = "null_as_default")]
    pub user: Account,
    /// The names of its labels.
    #[serde(default, deserialize_with = "label_names")]
    pub labels: Vec<String>,
    /// The time when it was opened, e.g. `2026-11-21T08:00:00Z`.
    #[serde(default, deserialize_with = "null_as_default")]
    pub created_at: String,
    /// The time of the last change, including comments and labels.
    #[serde(default, deserialize_with = "null_as_default")]
    pub updated_at: String,
    /// The address of its page.
    #[serde(default, deserialize_with = "null_as_default")]
    pub html_url: String,
    /// The number of comments.
    #[serde(default, deserialize_with = "null_as_default")]
    pub comments: u64,
    /// The number of reactions.
    #[serde(default, deserialize_with = "total_count")]
    pub reactions: u64,
    /// The issue is a pull request.
    #[serde(default, rename = "pull_request", deserialize_with = "is_there")]
    pub is_pull_request: bool,
}

/// A comment on an issue.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Comment {
    /// The id, which is higher for later comments.
    pub id: u64,
    /// The text of the comment.
    #[serde(default, deserialize_with = "null_as_default")]
    pub body: String,
    /// The author of the comment.
    #[serde(default, deserialize_with = "null_as_default")]
    pub user: Account,
    /// The time when it was created.
    #[serde(default, deserialize_with = "null_as_default")]
    pub created_at: String,
    /// The time of the last change; equal to [`Comment::created_at`] if it was not edited.
    #[serde(default, deserialize_with = "null_as_default")]
    pub updated_at: String,
    /// The address of the comment on its page.
    #[serde(default, deserialize_with = "null_as_default")]
    pub html_url: String,
}

/// An event of an issue.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub(super) struct IssueEvent {
    /// The kind of event, e.g. `labeled`.
    #[serde(default, deserialize_with = "null_as_default")]
    pub(super) event: String,
    /// The account that caused it.
    #[serde(default, deserialize_with = "null_as_default")]
    pub(super) actor: Account,
    /// The label that was added or removed.
    #[serde(default, deserialize_with = "label_name")]
    pub(super) label: Option<String>,
}

/// A permission in a repository, from the lowest to the highest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Permission {
    /// No permission beyond that of the public.
    None,
    /// The permission to read.
    Read,
    /// The permission to read and to manage issues.
    Triage,
    /// The permission to push, and all lower ones.
    Write,
    /// The permission to administer the repository.
    Admin,
}

/// Selects issues of a repository.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct IssuesWanted {
    /// Includes closed issues as well.
    pub closed_too: bool,
    /// Selects only issues with all of these labels.
    pub labels: Vec<String>,
    /// Selects only issues that changed at or after this time, `2026-11-21T08:00:00Z`.
    pub changed_since: Option<String>,
}

/// GitHub's answer about a user's permission: the legacy permission, and the role, which alone distinguishes triage and
/// maintain.
#[derive(Debug, Deserialize)]
pub(super) struct PermissionReply {
    #[serde(default)]
    pub(super) permission: String,
    #[serde(default)]
    pub(super) role_name: String,
}

impl PermissionReply {
    pub(super) fn permission(&self) -> Permission {
        let of = |name: &str| match name {
            "admin" => Permission::Admin,
            "maintain" | "write" => Permission::Write,
            "triage" => Permission::Triage,
            "read" => Permission::Read,
            // A custom role of an organisation is unknown, but its base permission is given.
            _ => Permission::None,
        };
        of(&self.permission).max(of(&self.role_name))
    }
}

/// The body of a request that creates or changes a comment.
#[derive(Debug, Serialize)]
pub(super) struct CommentBody<'a> {
    pub(super) body: &'a str,
}

pub(super) fn null_as_default<'de, D: Deserializer<'de>, T: Deserialize<'de> + Default>(
    from: D,
) -> Result<T, D::Error> {
    Ok(Option::deserialize(from)?.unwrap_or_default())
}

fn total_count<'de, D: Deserializer<'de>>(from: D) -> Result<u64, D::Error> {
    #[derive(Deserialize)]
    struct Reactions {
        #[serde(default)]
        total_count: u64,
    }
    Ok(Option::<Reactions>::deserialize(from)?.map_or(0, |reactions| reactions.total_count))
}

fn is_there<'de, D: Deserializer<'de>>(from: D) -> Result<bool, D::Error> {
    Ok(Option::<serde::de::IgnoredAny>::deserialize(from)?.is_some())
}

fn label_name<'de, D: Deserializer<'de>>(from: D) -> Result<Option<String>, D::Error> {
    #[derive(Deserialize)]
    struct Label {
        name: Option<String>,
    }
    Ok(Option::<Label>::deserialize(from)?.and_then(|label| label.name))
}

fn label_names<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<String>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Label {
        Name(String),
        Whole { name: Option<String> },
    }
    let labels: Option<Vec<Label>> = Option::deserialize(from)?;
    let names = labels.unwrap_or_default().into_iter().filter_map(|label| match label {
        Label::Name(name) => Some(name),
        Label::Whole { name } => name,
    });
    Ok(names.collect())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn issue_is_read_with_what_may_be_null() {
        let issue: Issue = serde_json::from_value(json!({
            "number": 7, "title": "Export", "body": null, "user": null, "labels": ["a", {"name": "b"}, {"name": null}],
            "state": "closed", "locked": true, "pull_request": {"url": "x"}, "unknown": 1
        }))
        .unwrap();
        assert_eq!((issue.body.as_str(), issue.user.login.as_str()), ("", "ghost"));
        assert_eq!(issue.labels, ["a", "b"]);
        assert!(issue.is_pull_request && issue.locked && issue.state == IssueState::Closed);
    }

    #[test]
    fn permission_is_the_higher_of_role_and_base() {
        let of = |permission: &str, role_name: &str| {
            PermissionReply { permission: permission.into(), role_name: role_name.into() }.permission()
        };
        assert_eq!(of("admin", "admin"), Permission::Admin);
        assert_eq!(of("write", "maintain"), Permission::Write);
        assert_eq!(of("read", "triage"), Permission::Triage);
        assert_eq!(of("read", "of-our-own"), Permission::Read);
        assert_eq!(of("none", ""), Permission::None);
    }
}
