//! A token bucket per client, in bounded memory.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// The maximum number of clients that are remembered; beyond it, the one that has been idle longest is forgotten.
const MOST_CLIENTS: usize = 4_096;

/// The token buckets of all clients.
#[derive(Debug)]
pub(super) struct Buckets {
    rate: f64,
    buckets: Mutex<HashMap<String, Bucket>>,
}

#[derive(Debug, Clone, Copy)]
struct Bucket {
    left: f64,
    at: Instant,
}

impl Buckets {
    /// Creates buckets that fill with `rate` requests per second and hold twice as many.
    pub(super) fn new(rate: u32) -> Self {
        Self { rate: f64::from(rate), buckets: Mutex::default() }
    }

    /// Takes one request out of the bucket of a client.
    ///
    /// # Errors
    /// The seconds to wait, rounded up, if it is empty.
    pub(super) fn take(&self, client: &str, now: Instant) -> Result<(), u64> {
        let most = self.rate * 2.0;
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        if !buckets.contains_key(client) {
            if buckets.len() >= MOST_CLIENTS
                && let Some(quiet) = buckets.iter().min_by_key(|(_, bucket)| bucket.at).map(|(name, _)| name.clone())
            {
                buckets.remove(&quiet);
            }
            buckets.insert(client.to_owned(), Bucket { left: most, at: now });
        }
        let Some(bucket) = buckets.get_mut(client) else { return Ok(()) };
        let passed = now.saturating_duration_since(bucket.at).as_secs_f64();
        bucket.left = (bucket.left + passed * self.rate).min(most);
        bucket.at = now;
        if bucket.left >= 1.0 {
            bucket.left -= 1.0;
            return Ok(());
        }
        // At least one second, because clients wait in whole seconds.
        Err(((1.0 - bucket.left) / self.rate).ceil().max(1.0) as u64)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_client_may_send_a_burst_and_then_its_rate() {
        let buckets = Buckets::new(5);
        let start = Instant::now();
        assert_eq!((0..12).filter(|_| buckets.take("alice", start).is_ok()).count(), 10);
        assert_eq!(buckets.take("alice", start), Err(1));
        assert_eq!(buckets.take("bob", start), Ok(()), "another client has its own bucket");
        let later = start + Duration::from_secs(1);
        assert_eq!((0..12).filter(|_| buckets.take("alice", later).is_ok()).count(), 5);
    }

    #[test]
    fn memory_is_bounded_and_the_quiet_are_forgotten_first() {
        let buckets = Buckets::new(1);
        let start = Instant::now();
        for number in 0..MOST_CLIENTS + 10 {
            buckets.take(&number.to_string(), start + Duration::from_millis(number as u64)).expect("a new client");
        }
        let known = buckets.buckets.lock().expect("nobody panicked");
        assert_eq!(known.len(), MOST_CLIENTS);
        assert!(!known.contains_key("3") && known.contains_key("4000"));
    }
}
