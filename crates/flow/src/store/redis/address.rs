//! The address of a Redis server and the settings in it: `redis://USER:PASSWORD@HOST:PORT/DB?prefix=…`.

use std::time::Duration;

use redis::{ConnectionAddr, ConnectionInfo, IntoConnectionInfo};

use crate::store::StoreError;

/// The environment variables with the user and the password, for addresses without them.
const USER: &str = "REQGATE_REDIS_USERNAME";
const PASSWORD: &str = "REQGATE_REDIS_PASSWORD";

/// The form of an address, for messages. They do not repeat a faulty address, because it may contain a password.
const FORM: &str = "write redis://[USER:PASSWORD@]HOST[:PORT][/DATABASE], or rediss:// for TLS; special characters of a password are \
                    written as %XX, or the password is set as REQGATE_REDIS_PASSWORD";

/// The server that keeps the threads, with its settings.
#[derive(Clone)]
pub(super) struct RedisAddress {
    pub info: ConnectionInfo,
    /// The server without user and password, for messages.
    pub shown: String,
    /// The prefix of every key.
    pub prefix: String,
    /// The time that threads are kept after they have ended; `None` for ever.
    pub kept: Option<Duration>,
    /// The time that a claim outlives the process that held it.
    pub lease: Duration,
    /// A server without an append-only file is accepted.
    pub without_file: bool,
}

impl RedisAddress {
    /// Parses an address; `variable` reads the environment.
    ///
    /// # Errors
    ///
    /// Fails with [`StoreError::Address`] and the reason, without the address.
    pub(super) fn parse(text: &str, variable: &dyn Fn(&str) -> Option<String>) -> Result<Self, StoreError> {
        let mut url = redis::parse_redis_url(text).ok_or_else(|| wrong(FORM))?;
        if url.fragment().is_some() {
            return Err(wrong(&format!("nothing may follow a `#`: {FORM}")));
        }
        let mut address = Self {
            info: ConnectionAddr::Tcp(String::new(), 0).into_connection_info().map_err(|_| wrong(FORM))?,
            shown: String::new(),
            prefix: "reqgate".to_owned(),
            kept: None,
            lease: Duration::from_secs(15),
            without_file: false,
        };
        for (name, value) in url.query_pairs() {
            match name.as_ref() {
                "prefix" => address.prefix = prefix(&value)?,
                "ttl_seconds" => address.kept = Some(seconds("ttl_seconds", &value, 1..=10 * 366 * 24 * 60 * 60)?),
                "lease_seconds" => address.lease = seconds("lease_seconds", &value, 1..=600)?,
                "appendonly" if value == "no" => address.without_file = true,
                "appendonly" => return Err(wrong("appendonly can only be `no`")),
                _ => return Err(wrong("the settings are prefix, ttl_seconds, lease_seconds and appendonly")),
            }
        }
        url.set_query(None);
        let info = url.into_connection_info().map_err(|_| wrong(FORM))?;
        let (host, port) = match info.addr() {
            ConnectionAddr::Tcp(host, port) | ConnectionAddr::TcpTls { host, port, .. } => (host.clone(), *port),
            _ => return Err(wrong(FORM)),
        };
        let mut login = info.redis_settings().clone().set_skip_set_lib_name();
        if let (None, Some(user)) = (login.username(), variable(USER)) {
            login = login.set_username(user);
        }
        if let (None, Some(password)) = (login.password(), variable(PASSWORD)) {
            login = login.set_password(password);
        }
        address.shown = if host.contains(':') { format!("[{host}]:{port}") } else { format!("{host}:{port}") };
        address.info = info.set_redis_settings(login);
        Ok(address)
    }
}

fn wrong(reason: &str) -> StoreError {
    StoreError::Address(reason.to_owned())
}

/// Checks the prefix of keys: only characters that have no special meaning in a key pattern.
fn prefix(text: &str) -> Result<String, StoreError> {
    let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | ':' | '.');
    if (1..=80).contains(&text.len()) && text.chars().all(fits) {
        return Ok(text.to_owned());
    }
    Err(wrong("prefix consists of 1 to 80 letters, digits and `-_:.`"))
}

fn seconds(name: &str, text: &str, range: std::ops::RangeInclusive<u64>) -> Result<Duration, StoreError> {
    match text.parse() {
        Ok(number) if range.contains(&number) => Ok(Duration::from_secs(number)),
        _ => Err(wrong(&format!("{name} is a number of seconds from {} to {}", range.start(), range.end()))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<RedisAddress, String> {
        RedisAddress::parse(text, &|_| None).map_err(|error| error.to_string())
    }

    #[test]
    fn an_address_has_a_server_a_login_and_settings() {
        let plain = parse("redis://localhost").expect("an address");
        assert_eq!((plain.shown.as_str(), plain.prefix.as_str(), plain.kept), ("localhost:6379", "reqgate", None));
        assert_eq!(plain.info.redis_settings().password(), None);
        let full = "rediss://ann:p%2Fw@[::1]:7000/3?prefix=shop&ttl_seconds=604800&lease_seconds=2&appendonly=no";
        let full = parse(full).expect("an address");
        assert_eq!((full.shown.as_str(), full.prefix.as_str()), ("[::1]:7000", "shop"));
        assert_eq!((full.kept, full.lease), (Some(Duration::from_secs(604_800)), Duration::from_secs(2)));
        assert!(full.without_file && matches!(full.info.addr(), ConnectionAddr::TcpTls { insecure: false, .. }));
        let login = full.info.redis_settings();
        assert_eq!((login.username(), login.password(), login.db()), (Some("ann"), Some("p/w"), 3));
    }

    #[test]
    fn user_and_password_come_from_the_environment_unless_the_address_has_them() {
        let variable = |name: &str| (name == PASSWORD).then(|| "from-outside".to_owned());
        let password = |text: &str| {
            let address = RedisAddress::parse(text, &variable).expect("an address");
            address.info.redis_settings().password().map(str::to_owned)
        };
        assert_eq!(password("redis://localhost").as_deref(), Some("from-outside"));
        assert_eq!(password("redis://:inside@localhost").as_deref(), Some("inside"));
    }

    #[test]
    fn a_faulty_address_is_explained_and_never_repeated() {
        for (text, said) in [
            ("redis://", "write redis://"),
            ("redis://:s3cret#x@localhost", "write redis://"),
            ("redis://:s3cret@localhost/#insecure", "`#`"),
            ("redis://:s3cret@localhost/first", "write redis://"),
            ("redis://:s3cret@localhost:99999", "write redis://"),
            ("redis://:s3cret@localhost?prefix=a*", "prefix consists"),
            ("redis://:s3cret@localhost?ttl_seconds=0", "ttl_seconds is a number"),
            ("redis://:s3cret@localhost?ttl_seconds=7d", "ttl_seconds is a number"),
            ("redis://:s3cret@localhost?appendonly=yes", "can only be `no`"),
            ("redis://:s3cret@localhost?password=s3cret", "the settings are"),
        ] {
            let message = parse(text).err().unwrap_or_else(|| panic!("{text} is taken"));
            assert!(message.contains(said), "{text}: {message}");
            assert!(!message.contains("s3cret"), "{message}");
        }
    }
}
