//! Issues, comments and people as GitHub describes them, as far as the gate needs them.

use serde::{Deserialize, Deserializer, Serialize};

/// A GitHub account.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Account {
    /// The login, e.g. `octocat` or `github-actions[bot]`.
    pub login: String,
    /// A person or a program.
    #[serde(rename = "type", default)]
    pub kind: AccountKind,
}

impl Default for Account {
    /// The account that GitHub shows in place of one that was deleted.
    fn default() -> Self {
        Self { login: "ghost".to_owned(), kind: AccountKind::Other }
    }
}

/// The kind of an account.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
pub enum AccountKind {
    /// A person.
    User,
    /// A program.
    Bot,
    /// Anything else, e.g. an organisation.
    #[default]
    #[serde(other)]
    Other,
}

/// The state of an issue.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum IssueState {
    /// Open.
    #[default]
    Open,
    /// Closed.
    #[serde(other)]
    Closed,
}

/// An issue, or a pull request among the issues.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Issue {
    /// Its number in the repository.
    pub number: u64,
    /// The title.
    pub title: String,
    /// The body; empty if there is none.
    #[serde(default, deserialize_with = "null_as_default")]
    pub body: String,
    /// Open or closed.
    #[serde(default)]
    pub state: IssueState,
    /// True if only maintainers may comment.
    #[serde(default, deserialize_with = "null_as_default")]
    pub locked: bool,
    /// The author.
    #[serde(default, deserialize_with = "null_as_default")]
    pub user: Account,
    /// Its labels.
    #[serde(default, deserialize_with = "label_names")]
    pub labels: Vec<String>,
    /// When it was opened, e.g. `2026-11-21T08:00:00Z`.
    #[serde(default, deserialize_with = "null_as_default")]
    pub created_at: String,
    /// When anything about it changed last; comments and labels count.
    #[serde(default, deserialize_with = "null_as_default")]
    pub updated_at: String,
    /// Its address for people.
    #[serde(default, deserialize_with = "null_as_default")]
    pub html_url: String,
    /// The number of comments.
    #[serde(default, deserialize_with = "null_as_default")]
    pub comments: u64,
    /// The number of reactions.
    #[serde(default, deserialize_with = "total_count")]
    pub reactions: u64,
    /// True for a pull request, which GitHub lists among the issues.
    #[serde(default, rename = "pull_request", deserialize_with = "is_there")]
    pub is_pull_request: bool,
}

/// A comment on an issue.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Comment {
    /// Its id; a comment made later has a higher one.
    pub id: u64,
    /// The text.
    #[serde(default, deserialize_with = "null_as_default")]
    pub body: String,
    /// The author.
    #[serde(default, deserialize_with = "null_as_default")]
    pub user: Account,
    /// When it was made.
    #[serde(default, deserialize_with = "null_as_default")]
    pub created_at: String,
    /// When it was changed last; as [`Comment::created_at`] if nobody has edited it.
    #[serde(default, deserialize_with = "null_as_default")]
    pub updated_at: String,
    /// Its address for people.
    #[serde(default, deserialize_with = "null_as_default")]
    pub html_url: String,
}

/// Something that happened to an issue.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub(super) struct IssueEvent {
    /// The kind of event, e.g. `labeled`.
    #[serde(default, deserialize_with = "null_as_default")]
    pub(super) event: String,
    /// The account that caused it.
    #[serde(default, deserialize_with = "null_as_default")]
    pub(super) actor: Account,
    /// The label that was set or taken away.
    #[serde(default, deserialize_with = "label_name")]
    pub(super) label: Option<String>,
}

/// A permission in a repository, from the lowest to the highest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Permission {
    /// Nothing that not everybody may.
    None,
    /// Read.
    Read,
    /// Read, and manage issues.
    Triage,
    /// Push, and everything below.
    Write,
    /// Everything.
    Admin,
}

/// Selects issues of a repository.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct IssuesWanted {
    /// Closed ones too.
    pub closed_too: bool,
    /// Only with all of these labels.
    pub labels: Vec<String>,
    /// Only those that changed at or after this time, `2026-11-21T08:00:00Z`.
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
            // A role of the organisation's own says nothing; its base permission does.
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
