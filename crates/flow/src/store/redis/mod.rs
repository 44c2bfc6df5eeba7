//! Logs in Redis, shared by several machines. Every append is one script, which checks the writer and the end of the
//! log.
//!
//! A thread is a hash `PREFIX:{ID}:thread` (`layout`, `claim`, `head`, `record`, `snapshot`) and a stream
//! `PREFIX:{ID}:events` whose entry `SEQ-0` has the event as JSON in its field `event`. While a process works on it,
//! there is a string `PREFIX:{ID}:lease` that expires. Only commands and Lua of Redis 7.0 are used. Redis stores and
//! locks; it is not used as a queue.

mod address;
mod claim;
mod link;
mod server;

use std::cell::Cell;
use std::collections::BTreeSet;
use std::sync::Arc;

use redis::{Connection, FromRedisValue, RedisResult, Script, Value, cmd, from_redis_value, pipe};

use super::{Event, Snapshot, Store, StoreError, ThreadId, ThreadRecord, json, read};
use crate::crash::boundary;
use address::RedisAddress;
pub(super) use claim::RedisClaim;
use link::Link;

/// The version of the layout of the keys.
const LAYOUT: &str = "1";

const CLAIM: &str = include_str!("scripts/claim.lua");
const CREATE: &str = include_str!("scripts/create.lua");
const APPEND: &str = include_str!("scripts/append.lua");
const DELETE: &str = include_str!("scripts/delete.lua");

/// The maximum number of events or records in one answer, because a long answer would delay other clients.
const PAGE: usize = 500;

/// Stores logs on a Redis server.
pub struct RedisStore {
    link: Arc<Link>,
    address: RedisAddress,
}

impl std::fmt::Debug for RedisStore {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RedisStore")
            .field("server", &self.address.shown)
            .field("prefix", &self.address.prefix)
            .finish_non_exhaustive()
    }
}

impl RedisStore {
    /// Connects to the server and checks its settings; `variable` reads the environment, for user and password.
    ///
    /// # Errors
    ///
    /// Fails with [`StoreError::Address`] if the address is malformed, [`StoreError::Unusable`] if the server cannot be
    /// reached, [`StoreError::Unfit`] if its settings could lose threads.
    pub fn open(address: &str, variable: &dyn Fn(&str) -> Option<String>) -> Result<Self, StoreError> {
        let address = RedisAddress::parse(address, variable)?;
        let link = Arc::new(Link::new(&address)?);
        let info = link.ask(&|connection| cmd("INFO").query(connection))?;
        let store = Self { link, address };
        server::check(&store.read::<String>(info)?, &store.address)?;
        Ok(store)
    }

    fn key(&self, thread: &ThreadId, part: &str) -> String {
        format!("{}:{{{thread}}}:{part}", self.address.prefix)
    }

    fn ask(&self, request: &dyn Fn(&mut Connection) -> RedisResult<Value>) -> Result<Value, StoreError> {
        self.link.ask(request)
    }

    /// Converts an answer to a typed value.
    fn read<T: FromRedisValue>(&self, answer: Value) -> Result<T, StoreError> {
        from_redis_value(answer).map_err(|error| {
            StoreError::Damaged(format!("Redis at {}: the answer has another shape: {error}", self.link.shown()))
        })
    }

    /// A record from the fields `layout` and `record`; `None` if the thread does not exist.
    fn record_of(&self, fields: (Option<String>, Option<String>)) -> Result<Option<ThreadRecord>, StoreError> {
        match fields {
            (_, None) => Ok(None),
            (Some(layout), Some(record)) if layout == LAYOUT => read(&record).map(Some),
            (layout, _) => Err(StoreError::Unusable(format!(
                "Redis at {} has keys of layout {}, but this program reads layout {LAYOUT}: use the program that wrote them",
                self.link.shown(),
                layout.as_deref().unwrap_or("unknown"),
            ))),
        }
    }

    /// Runs the script that creates a thread or appends to it.
    fn write(
        &self,
        script: &str,
        claim: &RedisClaim,
        heads: &[u64],
        record: &ThreadRecord,
        events: &[Event],
        snapshot: &Snapshot,
    ) -> Result<String, StoreError> {
        let script = Script::new(script);
        let mut call = script.prepare_invoke();
        for part in ["thread", "events", "lease"] {
            call.key(self.key(&record.id, part));
        }
        let kept = self.address.kept.filter(|_| record.phase.is_terminal()).unwrap_or_default();
        call.arg(claim.token()).arg(heads).arg(json(record)?).arg(json(snapshot)?);
        call.arg(milliseconds(self.address.lease)).arg(milliseconds(kept));
        for event in events {
            call.arg(event.seq).arg(json(event)?);
        }
        boundary!("before a transaction");
        let answer = self.ask(&|connection| call.invoke(connection))?;
        boundary!("after a transaction");
        self.read(answer)
    }

    /// The ids of all threads. `SCAN` serves other clients in between, and may return an id twice.
    fn ids(&self) -> Result<Vec<ThreadId>, StoreError> {
        let (before, after) = (format!("{}:{{", self.address.prefix), "}:thread");
        let mut ids = BTreeSet::new();
        let mut cursor = "0".to_owned();
        loop {
            let answer = self.ask(&|connection| {
                let mut scan = cmd("SCAN");
                scan.arg(&cursor).arg("MATCH").arg(format!("{before}*{after}")).arg("COUNT").arg(2 * PAGE);
                scan.arg("TYPE").arg("hash").query(connection)
            })?;
            let (next, keys): (String, Vec<String>) = self.read(answer)?;
            let named = |key: &String| key.strip_prefix(&before)?.strip_suffix(after)?.parse::<ThreadId>().ok();
            ids.extend(keys.iter().filter_map(named));
            if next == "0" {
                return Ok(ids.into_iter().collect());
            }
            cursor = next;
        }
    }
}

impl Store for RedisStore {
    type Claim = RedisClaim;

    fn claim(&self, thread: &ThreadId) -> Result<RedisClaim, StoreError> {
        let script = Script::new(CLAIM);
        let word = format!("{:016x}{:016x}", fastrand::u64(..), fastrand::u64(..));
        let (key, lease) = (self.key(thread, "thread"), self.key(thread, "lease"));
        let milliseconds = milliseconds(self.address.lease);
        let answer =
            self.ask(&|connection| script.key(&key).key(&lease).arg(&word).arg(milliseconds).invoke(connection))?;
        match self.read::<Option<String>>(answer)? {
            Some(token) => {
                boundary!("after a claim");
                RedisClaim::hold(token, lease, &self.link, &self.address)
            }
            None => Err(StoreError::Busy { thread: thread.clone(), lease: Some(self.address.lease) }),
        }
    }

    fn is_claimed(&self, thread: &ThreadId) -> Result<bool, StoreError> {
        let key = self.key(thread, "lease");
        let answer = self.ask(&|connection| cmd("EXISTS").arg(&key).query(connection))?;
        self.read(answer)
    }

    fn create(
        &self,
        claim: &RedisClaim,
        record: &ThreadRecord,
        events: &[Event],
        snapshot: &Snapshot,
    ) -> Result<(), StoreError> {
        match self.write(CREATE, claim, &[record.head], record, events, snapshot)?.as_str() {
            "OK" => Ok(()),
            "EXISTS" => Err(StoreError::Exists(record.id.clone())),
            _ => Err(StoreError::Busy { thread: record.id.clone(), lease: Some(self.address.lease) }),
        }
    }

    fn append(
        &self,
        claim: &RedisClaim,
        head: u64,
        record: &ThreadRecord,
        events: &[Event],
        snapshot: &Snapshot,
    ) -> Result<(), StoreError> {
        match self.write(APPEND, claim, &[head, record.head], record, events, snapshot)?.as_str() {
            "OK" => Ok(()),
            "UNKNOWN" => Err(StoreError::Unknown(record.id.clone())),
            _ => Err(StoreError::Stale(record.id.clone())),
        }
    }

    fn record(&self, thread: &ThreadId) -> Result<Option<ThreadRecord>, StoreError> {
        let key = self.key(thread, "thread");
        let answer = self.ask(&|connection| cmd("HMGET").arg(&key).arg("layout").arg("record").query(connection))?;
        self.record_of(self.read(answer)?)
    }

    fn records(&self) -> Result<Vec<ThreadRecord>, StoreError> {
        let mut records = Vec::new();
        for ids in self.ids()?.chunks(PAGE) {
            let mut several = pipe();
            for id in ids {
                several.cmd("HMGET").arg(self.key(id, "thread")).arg("layout").arg("record");
            }
            let answer = self.ask(&|connection| several.query(connection))?;
            for fields in self.read::<Vec<(Option<String>, Option<String>)>>(answer)? {
                // A thread may have been deleted since its id was listed.
                records.extend(self.record_of(fields)?);
            }
        }
        records.sort_by(|one, other| other.updated.cmp(&one.updated).then_with(|| one.id.cmp(&other.id)));
        Ok(records)
    }

    fn events_after(&self, thread: &ThreadId, seq: u64) -> Result<Vec<Event>, StoreError> {
        let key = self.key(thread, "events");
        let mut events: Vec<Event> = Vec::new();
        loop {
            let after = events.last().map_or(seq, |event| event.seq);
            let answer = self.ask(&|connection| {
                let mut range = cmd("XRANGE");
                range.arg(&key).arg(format!("({after}-0")).arg("+").arg("COUNT").arg(PAGE).query(connection)
            })?;
            let page: Vec<(String, (String, String))> = self.read(answer)?;
            let length = page.len();
            for (_, (_, text)) in page {
                events.push(read(&text)?);
            }
            if length < PAGE {
                return Ok(events);
            }
        }
    }

    fn snapshot(&self, thread: &ThreadId) -> Result<Option<Snapshot>, StoreError> {
        let key = self.key(thread, "thread");
        let answer = self.ask(&|connection| cmd("HGET").arg(&key).arg("snapshot").query(connection))?;
        self.read::<Option<String>>(answer)?.map(|text| read(&text)).transpose()
    }

    fn delete(&self, claim: &RedisClaim, thread: &ThreadId) -> Result<(), StoreError> {
        let script = Script::new(DELETE);
        let (key, events) = (self.key(thread, "thread"), self.key(thread, "events"));
        let times = Cell::new(0);
        let answer = self.ask(&|connection| {
            times.set(times.get() + 1);
            script.key(&key).key(&events).arg(claim.token()).invoke(connection)
        })?;
        match self.read::<String>(answer)?.as_str() {
            "OK" => Ok(()),
            // The answer to the first request was lost, but the request had succeeded.
            "UNKNOWN" if times.get() > 1 => Ok(()),
            "UNKNOWN" => Err(StoreError::Unknown(thread.clone())),
            _ => Err(StoreError::Stale(thread.clone())),
        }
    }
}

fn milliseconds(time: std::time::Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}
