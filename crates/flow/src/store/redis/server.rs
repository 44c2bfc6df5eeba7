//! Checks, when a store is opened, that the Redis server can give the guarantees of a store.

use super::address::RedisAddress;
use crate::store::StoreError;

/// The oldest supported version: the first line of the scripts, which has the server refuse a script as a whole, needs
/// it.
const OLDEST: (u32, u32) = (7, 0);

/// Checks the settings of a server (the answer to `INFO`).
///
/// # Errors
///
/// Fails with [`StoreError::Unfit`], the first wrong setting, and the right one.
pub(super) fn check(info: &str, address: &RedisAddress) -> Result<(), StoreError> {
    let value = |name: &str| {
        info.lines()
            .find_map(|line| line.trim_end().split_once(':').filter(|(key, _)| *key == name).map(|(_, value)| value))
    };
    let unfit = |reason: String| StoreError::Unfit { server: address.shown.clone(), reason };
    let version = value("redis_version").unwrap_or_default();
    let mut parts = version.split('.').map(|part| part.parse().unwrap_or(0));
    if (parts.next().unwrap_or(0), parts.next().unwrap_or(0)) < OLDEST {
        let version = if version.is_empty() { "unknown" } else { version };
        return Err(unfit(format!("its version is {version}: use Redis 7.0 or later, or Valkey")));
    }
    if value("cluster_enabled") == Some("1") {
        return Err(unfit("it is part of a Redis Cluster: use a single server, with replicas if you like".to_owned()));
    }
    if value("role").is_some_and(|role| role != "master") {
        return Err(unfit("it is a replica: name the server that takes writes".to_owned()));
    }
    match value("maxmemory_policy") {
        Some("noeviction") => {}
        policy => {
            let policy = policy.unwrap_or("unknown");
            return Err(unfit(format!(
                "its maxmemory-policy is {policy}, which deletes threads when memory is full: set `maxmemory-policy noeviction`"
            )));
        }
    }
    if value("aof_enabled") != Some("1") && !address.without_file {
        return Err(unfit(
            "it keeps no append-only file, so that threads are lost when it restarts: set `appendonly yes`, or accept that by \
             adding `?appendonly=no` to the address"
                .to_owned(),
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = "# Server\r\nredis_version:7.0.15\r\nredis_mode:standalone\r\n# Memory\r\nmaxmemory_policy:noeviction\r\n\
                        # Persistence\r\naof_enabled:1\r\n# Replication\r\nrole:master\r\n# Cluster\r\ncluster_enabled:0\r\n";

    fn said(info: &str, address: &str) -> String {
        let address = RedisAddress::parse(address, &|_| None).expect("an address");
        check(info, &address).err().map(|error| error.to_string()).unwrap_or_default()
    }

    #[test]
    fn a_server_that_loses_threads_is_refused_with_the_setting_to_change() {
        assert_eq!(said(GOOD, "redis://localhost"), "");
        for (is, was, message) in [
            ("redis_version:7.0.15", "redis_version:6.2.14", "version is 6.2.14"),
            ("redis_version:7.0.15", "other:1", "version is unknown"),
            ("cluster_enabled:0", "cluster_enabled:1", "Redis Cluster"),
            ("role:master", "role:slave", "is a replica"),
            ("noeviction", "volatile-lru", "maxmemory-policy noeviction"),
            ("aof_enabled:1", "aof_enabled:0", "appendonly yes"),
        ] {
            let said = said(&GOOD.replace(is, was), "redis://:s3cret@localhost");
            assert!(said.contains(message) && said.contains("localhost:6379"), "{was}: {said}");
            assert!(!said.contains("s3cret"), "{said}");
        }
        assert_eq!(said(&GOOD.replace("7.0.15", "10.1.0"), "redis://localhost"), "");
        assert_eq!(said(&GOOD.replace("aof_enabled:1", "aof_enabled:0"), "redis://localhost?appendonly=no"), "");
    }
}
