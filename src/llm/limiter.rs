//! How many requests run at the same time, and how many start in a minute.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Lets requests through, so many at a time and so many a minute.
pub struct Limiter {
    most: u32,
    interval: Duration,
    state: Mutex<State>,
    freed: Condvar,
}

struct State {
    running: u32,
    /// Nothing starts earlier.
    next: Instant,
}

/// The right to run; gives itself back.
pub struct Permit<'a>(&'a Limiter);

impl Limiter {
    /// At most `most` at a time, and `per_minute` a minute at an even pace.
    pub fn new(most: u32, per_minute: Option<u32>) -> Self {
        let interval = per_minute.map_or(Duration::ZERO, |count| Duration::from_secs(60) / count.max(1));
        let state = Mutex::new(State { running: 0, next: Instant::now() });
        Self { most: most.max(1), interval, state, freed: Condvar::new() }
    }

    /// Waits for the right to run, `until` at the latest; `None` if it does not come in time.
    pub fn wait(&self, until: Instant) -> Option<Permit<'_>> {
        let mut state = self.lock();
        loop {
            let now = Instant::now();
            if now >= until || state.next >= until {
                return None;
            }
            let wake = match (state.running < self.most, state.next > now) {
                (true, false) => {
                    state.running += 1;
                    state.next = now + self.interval;
                    return Some(Permit(self));
                }
                (true, true) => state.next,
                (false, _) => until,
            };
            let waited = self.freed.wait_timeout(state, wake.saturating_duration_since(now));
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Nothing starts for so long: the server asked for it, and it meant all of us.
    pub fn pause(&self, wait: Duration) {
        let mut state = self.lock();
        let later = Instant::now().checked_add(wait);
        state.next = later.map_or(state.next, |later| state.next.max(later));
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Permit<'_> {
    fn drop(&mut self) {
        self.0.lock().running -= 1;
        self.0.freed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::*;

    fn soon() -> Instant {
        Instant::now() + Duration::from_secs(20)
    }

    #[test]
    fn no_more_run_at_a_time_than_may() {
        let limiter = Limiter::new(2, None);
        let (running, most) = (AtomicU32::new(0), AtomicU32::new(0));
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    let permit = limiter.wait(soon()).unwrap();
                    most.fetch_max(running.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                    std::thread::sleep(Duration::from_millis(5));
                    running.fetch_sub(1, Ordering::SeqCst);
                    drop(permit);
                });
            }
        });
        assert_eq!(most.load(Ordering::SeqCst), 2);
    }

    #[test]
    fn requests_keep_their_distance_and_nobody_waits_past_the_end() {
        let limiter = Limiter::new(9, Some(1_200));
        let start = Instant::now();
        (0..4).for_each(|_| drop(limiter.wait(soon()).unwrap()));
        assert!(start.elapsed() >= Duration::from_millis(150), "{:?}", start.elapsed());
        limiter.pause(Duration::from_secs(3_600));
        let start = Instant::now();
        assert!(limiter.wait(start + Duration::from_secs(2)).is_none());
        assert!(start.elapsed() < Duration::from_secs(1), "it is known at once that the time will not do");
        limiter.pause(Duration::MAX);
    }
}
