//! Webhooks of GitHub and Jira: the signature of the raw bytes is checked first, repeats are dropped, the response is
//! sent at once, and the deliveries are processed one after another.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Json;
use axum::body::Bytes;
use axum::extract::{ConnectInfo, Request as HttpRequest, State};
use axum::http::request::Parts as HttpParts;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use hmac::{Hmac, KeyInit, Mac};
use serde::Deserialize;
use sha2::Sha256;
use tokio::sync::mpsc::Receiver;
use tokio::sync::watch;

use super::admission::{address, charged};
use super::deliveries::{Delivery, DeliveryStatus, Job};
use super::door::Peer;
use super::error::ProblemDetails;
use super::state::{Service, Shared};
use crate::jira_issue;
use reqgate_action::{IssueFlow, Options, Request, Task, decide};
use reqgate_base::hash::Hash;
use reqgate_net::github::{self, Repository};
use reqgate_net::jira::{self, IssueKey, Site};

/// The time for the accepted deliveries when the service ends.
const PATIENCE: Duration = Duration::from_secs(60);

/// Receives a delivery of GitHub.
pub(super) async fn github(
    State(state): State<Shared>,
    ConnectInfo(Peer(peer)): ConnectInfo<Peer>,
    request: HttpRequest,
) -> Result<(StatusCode, Json<Delivery>), Response> {
    let secret = state.settings.github_secret.as_deref();
    let by = ("x-hub-signature-256", "REQGATE_GITHUB_WEBHOOK_SECRET");
    let (headers, body) = signed(&state, peer, request, secret, by).await?;
    from_github(&state, &headers, &body).map_err(IntoResponse::into_response)
}

fn from_github(
    state: &Shared,
    headers: &HeaderMap,
    body: &[u8],
) -> Result<(StatusCode, Json<Delivery>), ProblemDetails> {
    let task = decide(named(headers, "x-github-event")?, body, None)
        .map_err(|error| ProblemDetails::refused(error.to_string()))?;
    let (number, request) = match task {
        Task::Issue { number, trigger } => (number, Request::Trigger(trigger)),
        Task::Command { number, by, comment, command } => (number, Request::Command { by, comment, command }),
        Task::Skip(skip) => return Ok(ignored(&skip.to_string())),
        Task::PullRequest { .. } | Task::Files => return Ok(ignored("only issues are judged here")),
    };
    let payload: GithubPayload = serde_json::from_slice(body).map_err(|_| ProblemDetails::refused("no repository"))?;
    let repository = payload.repository.full_name.parse::<Repository>();
    let repository = repository.map_err(|error| ProblemDetails::refused(error.to_string()))?;
    let status = state.deliveries.accept(identity(body), Job::Github(repository, number, request))?;
    Ok((StatusCode::ACCEPTED, Json(Delivery { status, because: None })))
}

#[derive(Deserialize)]
struct GithubPayload {
    repository: GithubRepository,
}

#[derive(Deserialize)]
struct GithubRepository {
    full_name: String,
}

/// Receives a delivery of Jira.
pub(super) async fn jira(
    State(state): State<Shared>,
    ConnectInfo(Peer(peer)): ConnectInfo<Peer>,
    request: HttpRequest,
) -> Result<(StatusCode, Json<Delivery>), Response> {
    let secret = state.settings.jira_secret.as_deref();
    let by = ("x-hub-signature", "REQGATE_JIRA_WEBHOOK_SECRET");
    let (_, body) = signed(&state, peer, request, secret, by).await?;
    from_jira(&state, &body).map_err(IntoResponse::into_response)
}

fn from_jira(state: &Shared, body: &[u8]) -> Result<(StatusCode, Json<Delivery>), ProblemDetails> {
    let payload: JiraPayload = serde_json::from_slice(body)
        .map_err(|error| ProblemDetails::bad(format!("not a delivery of Jira: line {}", error.line())))?;
    let is_of_text = matches!(payload.webhook_event.as_str(), "jira:issue_created" | "jira:issue_updated");
    let Some(issue) = payload.issue.filter(|_| is_of_text) else {
        return Ok(ignored("only jira:issue_created and jira:issue_updated are judged"));
    };
    // A comment, such as reqgate's own, does not change the judged text.
    if payload.issue_event_type_name.as_deref().is_some_and(|name| name.starts_with("issue_comment")) {
        return Ok(ignored("a comment changes nothing"));
    }
    let key: IssueKey =
        issue.key.parse().map_err(|error: jira::JiraError| ProblemDetails::refused(error.to_string()))?;
    let status = state.deliveries.accept(identity(body), Job::Jira(key))?;
    Ok((StatusCode::ACCEPTED, Json(Delivery { status, because: None })))
}

#[derive(Deserialize)]
struct JiraPayload {
    #[serde(rename = "webhookEvent")]
    webhook_event: String,
    issue_event_type_name: Option<String>,
    issue: Option<JiraIssue>,
}

#[derive(Deserialize)]
struct JiraIssue {
    key: String,
}

fn ignored(because: &str) -> (StatusCode, Json<Delivery>) {
    let delivery = Delivery { status: DeliveryStatus::Ignored, because: Some(because.to_owned()) };
    (StatusCode::ACCEPTED, Json(delivery))
}

/// The identity of a delivery. Only the body is signed, so a repeat can have other headers.
fn identity(body: &[u8]) -> String {
    Hash::of(body).hex()
}

/// The value of a required header.
fn named<'h>(headers: &'h HeaderMap, name: &str) -> Result<&'h str, ProblemDetails> {
    let value =
        headers.get(name).and_then(|value| value.to_str().ok()).filter(|value| (1..=200).contains(&value.len()));
    value.ok_or_else(|| ProblemDetails::bad(format!("the header {name} is missing")))
}

/// The headers and the body of a delivery with a valid signature. Deliveries with wrong headers are refused unread, and
/// a slow body does not block others. Only refused deliveries count for the rate of an address: strangers who share it
/// with the tracker, for example because of a proxy, cannot exhaust it for valid deliveries.
async fn signed(
    state: &Shared,
    peer: SocketAddr,
    request: HttpRequest,
    secret: Option<&str>,
    (header, variable): (&str, &str),
) -> Result<(HeaderMap, Bytes), Response> {
    let refused =
        |problem: ProblemDetails| charged(state, &address(peer.ip())).unwrap_or_else(|| problem.into_response());
    let Some(secret) = secret else {
        let detail = format!("these deliveries are not taken: {variable} is not set");
        return Err(refused(ProblemDetails::missing(detail)));
    };
    let wrong =
        || ProblemDetails::new(StatusCode::UNAUTHORIZED, format!("the signature in {header} is missing or wrong"));
    let (HttpParts { headers, .. }, body) = request.into_parts();
    let given = headers.get(header).and_then(|value| value.to_str().ok());
    let given = given.and_then(|value| value.strip_prefix("sha256=")).and_then(from_hex);
    let signature = given.ok_or_else(|| refused(wrong()))?;
    // The share of the budget is released at once: a delivery is parsed and queued before the next await.
    let (body, _) = state.bodies.read(&address(peer.ip()), body).await.map_err(refused)?;
    if !is_signed(secret, &body, &signature) {
        return Err(refused(wrong()));
    }
    Ok((headers, body))
}

/// Checks the signature of the raw bytes, in a time that does not depend on the position of a difference.
fn is_signed(secret: &str, body: &[u8], signature: &[u8]) -> bool {
    // HMAC accepts a key of any length.
    let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(secret.as_bytes()) else { return false };
    mac.update(body);
    mac.verify_slice(signature).is_ok()
}

/// The bytes of a SHA-256 in hexadecimal.
fn from_hex(text: &str) -> Option<Vec<u8>> {
    let digits = text.as_bytes();
    if digits.len() != 64 {
        return None;
    }
    let value = |digit: u8| char::from(digit).to_digit(16).and_then(|value| u8::try_from(value).ok());
    digits.chunks(2).map(|pair| Some(value(pair[0])? << 4 | value(pair[1])?)).collect()
}

/// Processes the deliveries one after another until the service has ended and the queue is empty; from the end on, for
/// a limited time.
pub(super) async fn work(state: Shared, mut queue: Receiver<(String, Job)>, mut ended: watch::Receiver<bool>) {
    let mut over = ended.clone();
    let all = async {
        let mut is_open = true;
        loop {
            let next = tokio::select! {
                next = queue.recv() => next,
                _ = ended.wait_for(|ended| *ended), if is_open => {
                    is_open = false;
                    queue.close();
                    continue;
                }
            };
            let Some((id, job)) = next else { return };
            done(&state, id, job).await;
        }
    };
    let late = async {
        // An error means that the sender was dropped, which also ends the wait.
        let _ = over.wait_for(|ended| *ended).await;
        tokio::time::sleep(PATIENCE).await;
    };
    tokio::select! {
        () = all => {}
        () = late => (state.settings.log)("deliveries of webhooks were not done at the end: have them sent again"),
    }
}

async fn done(state: &Shared, id: String, job: Job) {
    let service = Arc::clone(state);
    let about = match &job {
        Job::Github(repository, number, _) => format!("github:{repository}#{number}"),
        Job::Jira(key) => format!("{}{key}", jira_issue::PREFIX),
    };
    let done = tokio::task::spawn_blocking(move || match job {
        Job::Github(repository, number, request) => service.judge_on_github(&repository, number, &request),
        Job::Jira(key) => service.judge_in_jira(&key),
    });
    if let Err(error) = done.await.map_err(|error| error.to_string()).flatten() {
        state.deliveries.forget(&id);
        (state.settings.log)(&format!("{about}: {error}"));
    }
}

impl Service {
    /// Judges an issue and updates its comment and labels, as the Action does.
    fn judge_on_github(&self, repository: &Repository, number: u64, request: &Request) -> Result<(), String> {
        let variable = self.settings.variable;
        let options = Options::read(variable).map_err(|error| error.to_string())?;
        let client = github::Client::from_environment(variable).map_err(|error| error.to_string())?;
        let (mut pipeline, forms) = self.installation().issues()?;
        let today = self.installation().today();
        let flow = IssueFlow { client: &client, repository, options: &options, forms: &forms, today: &today };
        let judged = flow.judge(&mut pipeline, number, request).map_err(|error| error.to_string())?;
        // An issue that is not to be judged is not an error.
        let Ok(mut judged) = judged else { return Ok(()) };
        flow.keep(&mut judged);
        for warning in &judged.warnings {
            (self.settings.log)(&format!("github:{repository}#{number}: {warning}"));
        }
        Ok(())
    }

    /// Reads an issue again, judges it and updates its comment, as `reqgate jira comment` does.
    fn judge_in_jira(&self, key: &IssueKey) -> Result<(), String> {
        let client =
            jira::Client::new(Site::from_environment(self.settings.variable).map_err(|error| error.to_string())?);
        let input = jira_issue::read(&client, key).map_err(|error| error.to_string())?.into_iter().next();
        let input = input.ok_or("Jira did not return an issue")?.map_err(|error| error.to_string())?;
        let pipeline = self.installation().gate(None)?.pipeline;
        let outcome = pipeline.run(input).map_err(|error| pipeline.masked(&error.to_string()))?;
        let may_create = !outcome.decision.verdict.is_pass();
        jira_issue::keep(&client, key, &outcome, may_create).map(drop).map_err(|error| error.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example in GitHub's documentation of webhooks.
    #[test]
    fn the_signature_is_the_one_that_github_documents() {
        let right = "757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17";
        let check = |hex: &str, body: &[u8]| {
            from_hex(hex).is_some_and(|signature| is_signed("It's a Secret to Everybody", body, &signature))
        };
        assert!(check(right, b"Hello, World!"));
        assert!(!check(right, b"Hello, World?"));
        for wrong in [right.replace('7', "8"), right[..8].to_owned(), right.replacen("75", "zz", 1)] {
            assert!(!check(&wrong, b"Hello, World!"), "{wrong}");
        }
    }
}
