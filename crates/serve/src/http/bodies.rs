//! The budget for the bodies of all requests. It counts the bytes that have arrived, so that a slow sender uses little
//! of it and does not block others.
//!
//! If the budget is used up, the client with the most bytes loses the body that it has been sending longest.

use std::collections::{BTreeMap, HashMap};
use std::error::Error;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::http::StatusCode;
use http_body_util::{BodyExt, LengthLimitError};
use tokio::sync::Notify;
use tokio::time::{Instant, timeout_at};

use super::error::ProblemDetails;

/// The maximum number of bytes of all bodies together: sixteen of the largest.
const MOST: usize = 64 * 1024 * 1024;
/// The maximum number of bytes of all bodies of one client.
const MOST_OF_CLIENT: usize = MOST / 2;
/// The time for a body of a few bytes.
const PATIENCE: Duration = Duration::from_secs(5);
/// The minimum number of bytes that must arrive for each further second.
const BYTES_PER_SECOND: usize = 128 * 1024;

/// The bodies of all requests, with their sizes.
#[derive(Debug, Default)]
pub(super) struct Bodies {
    ledger: Mutex<Ledger>,
}

#[derive(Debug, Default)]
struct Ledger {
    held: usize,
    /// The number of the next body; older bodies have lower numbers.
    next: u64,
    bodies: BTreeMap<u64, Entry>,
    /// The number of bytes by client.
    clients: HashMap<String, usize>,
}

#[derive(Debug)]
struct Entry {
    client: String,
    bytes: usize,
    /// It is still arriving, so it can be dropped.
    is_arriving: bool,
    given_up: Arc<Notify>,
}

/// The share of one body in the budget, which is released on drop.
#[derive(Debug)]
pub(super) struct Held {
    bodies: Arc<Bodies>,
    number: u64,
    given_up: Arc<Notify>,
}

impl Bodies {
    fn ledger(&self) -> MutexGuard<'_, Ledger> {
        self.ledger.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reads the body that a client sends. The caller keeps the share as long as it keeps the bytes.
    ///
    /// # Errors
    /// 413 if it is too large, 503 if it is too slow or the budget is used up, 400 if it ends early.
    pub(super) async fn read(self: &Arc<Self>, client: &str, mut body: Body) -> Result<(Bytes, Held), ProblemDetails> {
        let held = self.enter(client);
        let start = Instant::now();
        let mut bytes: Vec<u8> = Vec::new();
        loop {
            let seconds = u64::try_from(bytes.len() / BYTES_PER_SECOND).unwrap_or(u64::MAX);
            let until = start + PATIENCE + Duration::from_secs(seconds);
            let frame = tokio::select! {
                () = held.given_up.notified() => return Err(too_many()),
                frame = timeout_at(until, body.frame()) => frame,
            };
            let slow = || ProblemDetails::new(StatusCode::SERVICE_UNAVAILABLE, "the body took too long: send it again");
            match frame.map_err(|_| slow())? {
                None => break,
                Some(Err(error)) => return Err(broken(&error)),
                Some(Ok(frame)) => {
                    let Ok(data) = frame.into_data() else { continue };
                    self.ledger().take(held.number, data.len())?;
                    bytes.extend_from_slice(&data);
                }
            }
        }
        self.ledger().arrived(held.number);
        Ok((bytes.into(), held))
    }

    fn enter(self: &Arc<Self>, client: &str) -> Held {
        let given_up = Arc::new(Notify::new());
        let mut ledger = self.ledger();
        let number = ledger.next;
        ledger.next += 1;
        let client = client.to_owned();
        ledger.bodies.insert(number, Entry { client, bytes: 0, is_arriving: true, given_up: Arc::clone(&given_up) });
        Held { bodies: Arc::clone(self), number, given_up }
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        self.bodies.ledger().leave(self.number);
    }
}

impl Ledger {
    /// Counts bytes that have arrived, and makes room for them.
    fn take(&mut self, number: u64, bytes: usize) -> Result<(), ProblemDetails> {
        // A body that lost its share is not read further.
        let Some(entry) = self.bodies.get_mut(&number) else { return Err(too_many()) };
        entry.bytes += bytes;
        self.held += bytes;
        let of_client = self.clients.entry(entry.client.clone()).or_default();
        *of_client += bytes;
        if *of_client > MOST_OF_CLIENT {
            self.leave(number);
            return Err(too_many());
        }
        while self.held > MOST {
            let Some(victim) = self.victim() else { break };
            if let Some(entry) = self.bodies.get(&victim) {
                entry.given_up.notify_one();
            }
            self.leave(victim);
        }
        if self.bodies.contains_key(&number) && self.held <= MOST { Ok(()) } else { Err(too_many()) }
    }

    /// The oldest body that is still arriving, of the client whose bodies hold most.
    fn victim(&self) -> Option<u64> {
        let arriving = self.bodies.iter().filter(|(_, entry)| entry.is_arriving && entry.bytes > 0);
        let of_client = |entry: &Entry| self.clients.get(&entry.client).copied().unwrap_or_default();
        arriving
            .max_by_key(|(number, entry)| (of_client(entry), std::cmp::Reverse(**number)))
            .map(|(number, _)| *number)
    }

    fn arrived(&mut self, number: u64) {
        if let Some(entry) = self.bodies.get_mut(&number) {
            entry.is_arriving = false;
        }
    }

    fn leave(&mut self, number: u64) {
        let Some(entry) = self.bodies.remove(&number) else { return };
        self.held -= entry.bytes;
        if let Some(of_client) = self.clients.get_mut(&entry.client) {
            *of_client -= entry.bytes;
            if *of_client == 0 {
                self.clients.remove(&entry.client);
            }
        }
    }
}

fn too_many() -> ProblemDetails {
    let detail = "the service holds as many bodies as it can: send it again in a moment";
    ProblemDetails::new(StatusCode::SERVICE_UNAVAILABLE, detail)
}

fn broken(error: &axum::Error) -> ProblemDetails {
    let mut cause: Option<&(dyn Error + 'static)> = Some(error);
    while let Some(error) = cause {
        if error.is::<LengthLimitError>() {
            return ProblemDetails::new(StatusCode::PAYLOAD_TOO_LARGE, "the body is too large: at most 4 MiB are read");
        }
        cause = error.source();
    }
    ProblemDetails::bad("the body ended early")
}

#[cfg(test)]
mod tests {
    use super::*;

    const LARGE: usize = 4 * 1024 * 1024;

    #[test]
    fn the_client_that_holds_most_gives_up_its_oldest_body() {
        let bodies = Arc::new(Bodies::default());
        let take = |held: &Held, bytes: usize| bodies.ledger().take(held.number, bytes).is_ok();
        let greedy: Vec<Held> = (0..8).map(|_| bodies.enter("greedy")).collect();
        assert!(greedy.iter().all(|held| take(held, LARGE)));
        assert!(!take(&bodies.enter("greedy"), 1), "a client has its share");
        let others: Vec<Held> = (0..8).map(|number| bodies.enter(&format!("other {number}"))).collect();
        assert!(others.iter().all(|held| take(held, LARGE)), "the rest is for others");
        let tracker = bodies.enter("tracker");
        assert!(take(&tracker, 1_000));
        assert!(!take(&greedy[0], 1), "its oldest was given up");
        assert!(take(&greedy[1], 1) && take(&others[0], 0));
        // A complete body is in use and keeps its share.
        let next = bodies.ledger().next;
        (0..next).for_each(|number| bodies.ledger().arrived(number));
        let late = bodies.enter("late");
        assert!(!take(&late, LARGE), "no room is left");
        drop(greedy);
        assert!(take(&bodies.enter("late"), LARGE));
        drop((others, tracker, late));
        let ledger = bodies.ledger();
        assert_eq!((ledger.held, ledger.bodies.len(), ledger.clients.len()), (0, 0, 0));
    }

    #[tokio::test]
    async fn a_body_is_read_whole() {
        let bodies = Arc::new(Bodies::default());
        let (bytes, held) = bodies.read("dana", Body::from("text")).await.expect("it is small");
        assert_eq!((bytes.as_ref(), bodies.ledger().held), (&b"text"[..], 4));
        drop(held);
        assert_eq!(bodies.ledger().held, 0);
        let limited = Body::new(http_body_util::Limited::new(Body::from("too long"), 3));
        assert_eq!(bodies.read("dana", limited).await.map(|(bytes, _)| bytes).map_err(|it| it.status), Err(413));
    }
}
