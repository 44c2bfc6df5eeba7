//! Sends requests one at a time, retries them if appropriate, and limits the total time of waiting.

use std::cell::Cell;
use std::time::{Duration, SystemTime};

use super::{Clock, NetError, NetFault, Repeat, Reply, Request, RetryPolicy, Transport};

/// The longest total waiting time of one client.
const MOST_WAITING: Duration = Duration::from_secs(120);
/// The largest number of times that one request is sent.
const MOST_TRIES: u32 = 4;

/// Reads the time that an answer asks the client to wait before the same request; `None` if it sets no limit. Tries
/// count from 1.
pub type RequestedWait = fn(reply: &Reply, number: u32, now: SystemTime) -> Option<Duration>;

/// Sends the requests of one client, each at most four times and with at most two minutes of waiting in total.
pub struct RetryClient {
    transport: Box<dyn Transport>,
    clock: Box<dyn Clock>,
    asked: RequestedWait,
    policy: RetryPolicy,
    left: Cell<Duration>,
    requests: Cell<u32>,
}

/// The reason for a missing final answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ExchangeError {
    /// The server asks for a longer wait than the time that is left.
    RateLimited(Duration),
    /// The server did not answer.
    Net(NetError),
}

impl RetryClient {
    /// Creates a client that has not sent any request; `asked` reads the requested wait from an answer.
    pub(crate) fn new(transport: Box<dyn Transport>, clock: Box<dyn Clock>, asked: RequestedWait) -> Self {
        let policy = RetryPolicy { tries: MOST_TRIES, ..RetryPolicy::default() };
        Self { transport, clock, asked, policy, left: Cell::new(MOST_WAITING), requests: Cell::new(0) }
    }

    /// Sets the longest total waiting time.
    pub(crate) fn with_waiting(self, most: Duration) -> Self {
        self.left.set(most);
        self
    }

    /// The number of requests sent.
    pub(crate) fn requests(&self) -> u32 {
        self.requests.get()
    }

    /// The remaining time for waiting.
    #[cfg(test)]
    pub(crate) fn waiting_left(&self) -> Duration {
        self.left.get()
    }

    /// Pauses between two requests; the pause does not count as waiting time.
    pub(crate) fn pause(&self, time: Duration) {
        self.clock.wait(time);
    }

    /// Sends a request, waits and retries as appropriate, and returns the last answer, also one that is not a success.
    ///
    /// A rate limit is always waited for, because the server did not carry out the request. After a failure, a request
    /// is repeated only if that is harmless or if the request cannot have arrived.
    ///
    /// # Errors
    /// Returns an error if no answer arrived, or if the server asks for a longer wait than the time that is left.
    pub(crate) fn exchange(&self, request: &Request, repeat: Repeat) -> Result<Reply, ExchangeError> {
        for number in 1.. {
            self.requests.set(self.requests.get() + 1);
            let is_last = number >= self.policy.tries;
            let came = self.transport.send(request);
            if let Ok(reply) = &came
                && let Some(time) = (self.asked)(reply, number, self.clock.now())
            {
                if is_last || !self.wait(time) {
                    return Err(ExchangeError::RateLimited(time));
                }
                continue;
            }
            let may_repeat = match &came {
                Ok(reply) => reply.status >= 500 && repeat == Repeat::Harmless,
                // A setup error will not change, so a retry is useless.
                Err(error) if error.fault == NetFault::Setup => false,
                Err(error) => repeat == Repeat::Harmless || error.is_before_sending,
            };
            if !may_repeat || is_last || !self.wait(self.policy.pause(number)) {
                return came.map_err(ExchangeError::Net);
            }
        }
        unreachable!("the loop ends with its last try")
    }

    /// Waits if enough time is left.
    fn wait(&self, time: Duration) -> bool {
        let Some(left) = self.left.get().checked_sub(time) else { return false };
        self.left.set(left);
        self.clock.wait(time);
        true
    }
}
