//! The queue of webhook deliveries, and the memory of those that were received.

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

/// The maximum length of the queue; after that, the sender is asked to try again.
pub(super) const MOST_WAITING: usize = 256;
/// The number of deliveries that are remembered, so that repeats are dropped.
const MOST_REMEMBERED: usize = 10_000;

/// The result of a delivery.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub(super) struct Delivery {
    /// The status of the delivery.
    pub status: DeliveryStatus,
    /// The reason why it is ignored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub because: Option<String>,
}

/// The status of a delivery.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum DeliveryStatus {
    /// The issue will be judged.
    Queued,
    /// The delivery was received before.
    Repeated,
    /// The delivery requires no work.
    Ignored,
}

/// An issue to judge.
#[derive(Debug)]
pub(super) enum Job {
    /// An issue on GitHub.
    Github(Repository, u64, Request),
    /// An issue in Jira.
    Jira(IssueKey),
}

/// The deliveries in the queue, and those that were received.
pub(super) struct Deliveries {
    queue: Sender<(String, Job)>,
    seen: Mutex<(HashSet<String>, VecDeque<String>)>,
}

impl Deliveries {
    pub(crate) fn new(queue: Sender<(String, Job)>) -> Self {
        Self { queue, seen: Mutex::default() }
    }

    /// The number of deliveries in the queue.
    pub(super) fn waiting(&self) -> usize {
        self.queue.max_capacity() - self.queue.capacity()
    }

    /// Adds a delivery to the queue, unless it was received before.
    ///
    /// # Errors
    /// 503 if the queue is full.
    pub(super) fn accept(&self, id: String, job: Job) -> Result<DeliveryStatus, ProblemDetails> {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        let (known, order) = &mut *seen;
        if known.contains(&id) {
            return Ok(DeliveryStatus::Repeated);
        }
        // Remembered only if it is in the queue, because otherwise the sender tries again.
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

    /// Forgets a delivery whose work failed, so that it is processed if it is sent again.
    pub(super) fn forget(&self, id: &str) {
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
