//! TLS for every connection: rustls with the cryptography of ring, installed once a process; and where it is not
//! needed, because nothing leaves this machine.

/// Makes sure that a client can be built; whoever comes first installs it, and for the others it is there.
pub fn ready() {
    // An error means that it is installed already.
    let _ = rustls::crypto::ring::default_provider().install_default();
}

/// True for the names of this machine: `localhost`, `127.0.0.0/8`, `[::1]`. A name that only begins like one is another's.
pub fn is_loopback(host: &str) -> bool {
    let address = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host);
    host.eq_ignore_ascii_case("localhost")
        || address.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::is_loopback;

    #[test]
    fn only_this_machine_is_this_machine() {
        for host in ["localhost", "LocalHost", "127.0.0.1", "127.9.9.9", "[::1]", "::1"] {
            assert!(is_loopback(host), "{host}");
        }
        for host in
            ["127.0.0.1.example", "127.example", "localhost.example", "0.0.0.0", "10.0.0.1", "[::]", "example", ""]
        {
            assert!(!is_loopback(host), "{host}");
        }
    }
}
