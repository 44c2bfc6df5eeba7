//! Checks which addresses may be contacted (https anywhere, http only on this machine), and encodes text as part of an
//! address.

use http::Uri;

/// Returns true for the names of this machine: `localhost`, `127.0.0.0/8`, `[::1]`. A name that only begins with one of
/// them is another machine.
pub fn is_loopback(host: &str) -> bool {
    let address = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host);
    host.eq_ignore_ascii_case("localhost")
        || address.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback())
}

/// Returns true if a secret may be sent below this address: https, or http to this machine, without user and query.
pub fn is_safe_base(address: &str) -> bool {
    let Ok(address) = address.parse::<Uri>() else { return false };
    let has_user = address.authority().is_none_or(|authority| authority.as_str().contains('@'));
    let is_encrypted = match address.scheme_str() {
        Some("https") => true,
        Some("http") => address.host().is_some_and(is_loopback),
        _ => false,
    };
    is_encrypted && !has_user && address.query().is_none()
}

/// Encodes text as one segment of a path or one value of a query: every character except letters, digits and `-._~` is
/// percent-encoded.
pub fn segment(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~') {
            out.push(char::from(byte));
        } else {
            out.push_str(&format!("%{byte:02X}"));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_becomes_one_segment() {
        assert_eq!(segment("reqgate:blocked"), "reqgate%3Ablocked");
        assert_eq!(segment("a/b 需"), "a%2Fb%20%E9%9C%80");
        assert_eq!(segment("dependabot[bot]"), "dependabot%5Bbot%5D");
    }

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

    #[test]
    fn secrets_go_only_where_nobody_reads_them_on_the_way() {
        for good in ["https://api.example/v3", "https://api.example:8443", "http://127.0.0.1:4000/v3", "http://[::1]/x"]
        {
            assert!(is_safe_base(good), "{good}");
        }
        for bad in ["http://api.example", "ftp://x", "", "api.example", "https://a@b.example", "https://x/?a=b", "//x"]
        {
            assert!(!is_safe_base(bad), "{bad}");
        }
    }
}
