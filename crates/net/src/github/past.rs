//! Issues with their history: one GraphQL request for a hundred issues, their first answers and events.

use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::{Client, GithubError, Repository};
use crate::{Method, Request};

/// The GraphQL query. Only the first answer of a maintainer is used, so the first comments are enough.
const QUERY: &str = "query($owner: String!, $name: String!, $after: String, $since: DateTime) {
  repository(owner: $owner, name: $name) {
    issues(first: 100, after: $after, filterBy: {since: $since}, orderBy: {field: CREATED_AT, direction: ASC}) {
      pageInfo { hasNextPage endCursor }
      nodes {
        number title body url state stateReason createdAt updatedAt lastEditedAt
        author { login __typename }
        labels(first: 30) { nodes { name } }
        comments(first: 10) { nodes { author { login __typename } authorAssociation body createdAt } }
        timelineItems(first: 30, itemTypes: [LABELED_EVENT, REOPENED_EVENT]) {
          nodes { __typename ... on LabeledEvent { label { name } } }
        }
      }
    }
  }
}";

/// A page of issues with their history, in GitHub's format.
#[derive(Debug, Clone, PartialEq)]
pub struct PastPage {
    /// The issues, each with its answers and events.
    pub issues: Vec<Map<String, Value>>,
    /// The cursor of the next page; `None` on the last page.
    pub next: Option<String>,
}

#[derive(Deserialize)]
struct Answered {
    data: Option<Data>,
    #[serde(default)]
    errors: Vec<Fault>,
}

#[derive(Deserialize)]
struct Data {
    repository: Option<RepositoryIssues>,
}

#[derive(Deserialize)]
struct RepositoryIssues {
    issues: Issues,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Issues {
    page_info: PageInfo,
    nodes: Vec<Option<Map<String, Value>>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct PageInfo {
    has_next_page: bool,
    end_cursor: Option<String>,
}

#[derive(Deserialize)]
struct Fault {
    #[serde(rename = "type", default)]
    kind: String,
    #[serde(default)]
    message: String,
}

impl Client {
    /// Reads a page of a hundred issues, the oldest first, with their history. With `since` (`2026-11-21T08:00:00Z`),
    /// only issues that changed at or after this time are included.
    ///
    /// # Errors
    /// Returns an error if GitHub cannot be reached or refuses; it answers this kind of request only with a token.
    pub fn past_page(
        &self,
        repository: &Repository,
        after: Option<&str>,
        since: Option<&str>,
    ) -> Result<PastPage, GithubError> {
        let doing = format!("reading the past of the issues of {repository}");
        let variables =
            json!({ "owner": repository.owner(), "name": repository.name(), "after": after, "since": since });
        let request =
            Request::new(Method::Post, self.graphql(), Some(json!({ "query": QUERY, "variables": variables })));
        let answered: Answered = self.ask_graphql(&doing, &request)?;
        let found = answered.data.and_then(|data| data.repository);
        let Some(RepositoryIssues { issues }) = found.filter(|_| answered.errors.is_empty()) else {
            return Err(refusal(doing, answered.errors));
        };
        let next = issues.page_info.end_cursor.filter(|_| issues.page_info.has_next_page);
        Ok(PastPage { issues: issues.nodes.into_iter().flatten().collect(), next })
    }
}

/// The error for a refusal, which GraphQL sends with status 200.
fn refusal(doing: String, errors: Vec<Fault>) -> GithubError {
    let first = errors.into_iter().next().unwrap_or(Fault { kind: "NOT_FOUND".to_owned(), message: String::new() });
    let status = match first.kind.as_str() {
        "NOT_FOUND" => 404,
        "RATE_LIMITED" => return GithubError::RateLimited { doing, seconds: 3600 },
        _ => 403,
    };
    GithubError::Refused {
        doing,
        status,
        message: reqgate_base::clean::short_line(&first.message, 200),
        permissions: None,
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;
    use std::rc::Rc;
    use std::time::{Duration, SystemTime, UNIX_EPOCH};

    use super::*;
    use crate::{Clock, NetError, Reply, Transport};

    /// A fake GitHub that gives the same answer to every request and records the requests.
    #[derive(Clone, Default)]
    struct Canned(Rc<RefCell<Vec<Request>>>, Value);

    impl Transport for Canned {
        fn send(&self, request: &Request) -> Result<Reply, NetError> {
            self.0.borrow_mut().push(request.clone());
            Ok(Reply::new(200, &[], self.1.to_string().into_bytes()))
        }
    }

    impl Clock for Canned {
        fn now(&self) -> SystemTime {
            UNIX_EPOCH
        }

        fn wait(&self, _: Duration) {}
    }

    fn ask(api: &str, answer: Value) -> (Result<PastPage, GithubError>, Vec<Request>) {
        let canned = Canned(Rc::default(), answer);
        let client = Client::with(api, Box::new(canned.clone()), Box::new(canned.clone()));
        let page = client.past_page(&"octo/shop".parse().expect("a repository"), Some("Y3Vy"), None);
        let requests = canned.0.borrow().clone();
        (page, requests)
    }

    #[test]
    fn one_request_brings_a_page_and_where_the_next_one_begins() {
        let answer = json!({"data": {"repository": {"issues": {"pageInfo": {"hasNextPage": true, "endCursor": "bmV4dA"},
            "nodes": [{"number": 1, "title": "T", "body": "B"}, null]}}}});
        let (page, requests) = ask("https://ghe.example/api/v3", answer.clone());
        let page = page.expect("a page");
        assert_eq!((page.issues.len(), page.next.as_deref()), (1, Some("bmV4dA")));
        assert_eq!(requests.len(), 1);
        assert_eq!(requests[0].address, "https://ghe.example/api/graphql");
        assert_eq!(requests[0].body.as_ref().expect("a body")["variables"]["after"], "Y3Vy");
        assert_eq!(ask("https://api.github.com", answer).1[0].address, "https://api.github.com/graphql");
    }

    #[test]
    fn a_refusal_in_a_good_answer_is_a_refusal() {
        let refused = |kind: &str| {
            let answer = json!({"data": {"repository": null}, "errors": [{"type": kind, "message": "no"}]});
            ask("https://api.github.com", answer).0.expect_err("a refusal")
        };
        assert_eq!(refused("NOT_FOUND").status(), Some(404));
        assert_eq!(refused("FORBIDDEN").status(), Some(403));
        assert!(matches!(refused("RATE_LIMITED"), GithubError::RateLimited { .. }));
    }
}
