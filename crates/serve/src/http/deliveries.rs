//! Deliveries of webhooks that wait to be worked on, and those that came.

use std::collections::{HashSet, VecDeque};
use std::sync::{Mutex, PoisonError};

use axum::http::StatusCode;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tokio::sync::mpsc::Sender;

use super::error::ProblemDetails;
use reqgate_action::Request;
use reqgate_net::github::Repository;
use reqgate_net::jira::IssueKey;

/// Deliveries that may wait; then the sender is told to try again.
pub const MOST_WAITING: usize = 256;
/// Deliveries that are remembered, so that repeats are dropped.
const MOST_REMEMBERED: usize = 10_000;

/// What became of a delivery.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Delivery {
    /// What became of it.
    pub status: DeliveryStatus,
    /// Why it is ignored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub because: Option<String>,
}

/// What becomes of deliveries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum DeliveryStatus {
    /// The issue will be judged.
    Queued,
    /// It came before.
    Repeated,
    /// It asks for nothing.
    Ignored,
}

/// An issue to judge.
#[derive(Debug)]
pub enum Job {
    /// On GitHub.
    Github(Repository, u64, Request),
    /// In Jira.
    Jira(IssueKey),
}

/// The deliveries that wait, and those that came.
pub struct Deliveries {
    queue: Sender<(String, Job)>,
    seen: Mutex<(HashSet<String>, VecDeque<String>)>,
}

impl Deliveries {
    /// None yet.
    pub fn new(queue: Sender<(String, Job)>) -> Self {
        Self { queue, seen: Mutex::default() }
    }

    /// The number of deliveries that wait.
    pub fn waiting(&self) -> usize {
        self.queue.max_capacity() - self.queue.capacity()
    }

    /// Puts a delivery into the queue, unless it came before.
    ///
    /// # Errors
    /// 503 if too many wait.
    pub fn accept(&self, id: String, job: Job) -> Result<DeliveryStatus, ProblemDetails> {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        let (known, order) = &mut *seen;
        if known.contains(&id) {
            return Ok(DeliveryStatus::Repeated);
        }
        // Remembered only if it is worked on: the sender tries again.
        self.queue.try_send((id.clone(), job)).map_err(|_| {
            ProblemDetails::new(StatusCode::SERVICE_UNAVAILABLE, "too many deliveries wait: send it again later")
        })?;
        if order.len() >= MOST_REMEMBERED
            && let Some(oldest) = order.pop_front()
        {
            known.remove(&oldest);
        }
        known.insert(id.clone());
        order.push_back(id);
        Ok(DeliveryStatus::Queued)
    }

    /// Forgets a delivery whose work has failed: sent again, it is worked on again.
    pub fn forget(&self, id: &str) {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        let (known, order) = &mut *seen;
        known.remove(id);
        order.retain(|other| other != id);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_delivery_is_queued_once_and_forgotten_if_the_queue_is_full() {
        let (send, mut receive) = tokio::sync::mpsc::channel(1);
        let deliveries = Deliveries::new(send);
        let job = || Job::Jira("PAY-1".parse().expect("a key"));
        assert_eq!(deliveries.accept("a".into(), job()), Ok(DeliveryStatus::Queued));
        assert_eq!(deliveries.accept("a".into(), job()), Ok(DeliveryStatus::Repeated));
        assert_eq!(deliveries.accept("b".into(), job()).expect_err("it is full").status, 503);
        assert_eq!(deliveries.waiting(), 1);
        receive.try_recv().expect("the first");
        assert_eq!(deliveries.accept("b".into(), job()), Ok(DeliveryStatus::Queued), "a refused one may come again");
        receive.try_recv().expect("the second");
        deliveries.forget("b");
        assert_eq!(deliveries.accept("a".into(), job()), Ok(DeliveryStatus::Repeated));
        assert_eq!(deliveries.accept("b".into(), job()), Ok(DeliveryStatus::Queued), "as may one that has failed");
    }
}
