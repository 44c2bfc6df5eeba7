//! The claim to a thread in Redis: a lease that is renewed while it is held, and a fence that refuses earlier holders.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

use redis::{Script, Value};

use super::address::RedisAddress;
use super::link::Link;
use crate::store::StoreError;

const RENEW: &str = include_str!("scripts/renew.lua");
const RELEASE: &str = include_str!("scripts/release.lua");

/// The claim to a thread. Dropping it releases the lease; if the process dies, the lease expires.
pub struct RedisClaim {
    /// The number of the claim and a random word; the fence compares both.
    token: String,
    lease_key: String,
    link: Arc<Link>,
    /// Dropping it ends the renewal.
    _held: Sender<()>,
}

impl std::fmt::Debug for RedisClaim {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RedisClaim")
            .field("token", &self.token)
            .field("lease_key", &self.lease_key)
            .finish_non_exhaustive()
    }
}

impl RedisClaim {
    /// Holds a lease that was just taken.
    ///
    /// # Errors
    ///
    /// Fails if the system cannot start a thread to renew the lease.
    pub(super) fn hold(
        token: String,
        lease_key: String,
        link: &Arc<Link>,
        address: &RedisAddress,
    ) -> Result<Self, StoreError> {
        // A separate connection, so that a long request does not delay the renewal of the lease.
        let own = Link::new(address)?;
        let (held, dropped) = channel();
        let claim = Self { token, lease_key, link: Arc::clone(link), _held: held };
        let (token, key, lease) = (claim.token.clone(), claim.lease_key.clone(), address.lease);
        thread::Builder::new()
            .name("lease".to_owned())
            .spawn(move || keep_renewing(&own, &key, &token, lease, &dropped))
            .map_err(|error| StoreError::Unusable(format!("starting a thread: {error}")))?;
        Ok(claim)
    }

    pub(super) fn token(&self) -> &str {
        &self.token
    }
}

impl Drop for RedisClaim {
    fn drop(&mut self) {
        let release = Script::new(RELEASE);
        // If this request is lost, the lease expires by itself.
        let _ = self.link.ask_once(&|connection| release.key(&self.lease_key).arg(&self.token).invoke(connection));
    }
}

/// Renews a lease three times before it would expire, until its claim is dropped or has passed to another process. The
/// next append restores an expired lease, so expiry does not end the renewal.
fn keep_renewing(link: &Link, key: &str, token: &str, lease: Duration, dropped: &Receiver<()>) {
    let renew = Script::new(RENEW);
    let milliseconds = u64::try_from(lease.as_millis()).unwrap_or(u64::MAX);
    while dropped.recv_timeout(lease / 3) == Err(RecvTimeoutError::Timeout) {
        // If the server does not answer, the next turn asks again; the fence refuses writers without a claim.
        let answer = link.ask(&|connection| renew.key(key).arg(token).arg(milliseconds).invoke(connection));
        if answer.is_ok_and(|answer| answer == Value::Int(-1)) {
            return;
        }
    }
}
