//! Paged lists: finds the next page and checks that it may be requested.

use serde::{Deserialize, Serialize};

use crate::Reply;

/// The address of a page of a list; it can be stored to resume a long list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct PageAddress(pub(super) String);

impl PageAddress {
    /// The address as text, below the API or on the same server.
    #[cfg(test)]
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

/// One page of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page<T> {
    /// The items on the page.
    pub items: Vec<T>,
    /// The address of the next page; `None` on the last page.
    pub next: Option<PageAddress>,
    /// The tag of this state of the page. A repeated request with it is free while the page has not changed.
    pub etag: Option<String>,
}

/// The answer to a conditional request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fetched<T> {
    /// The page has not changed since the answer whose tag was sent; the request does not count against the limit.
    Unchanged,
    /// The current content of the page.
    New(Page<T>),
}

/// The address with `rel="next"` in the `Link` header.
pub(super) fn next(reply: &Reply) -> Option<String> {
    reply.header("link")?.split(',').find_map(|link| {
        let (address, parameters) = link.trim().strip_prefix('<')?.split_once('>')?;
        let is_next = parameters.split(';').any(|parameter| {
            parameter.trim().split_once('=').is_some_and(|(name, value)| {
                name.trim().eq_ignore_ascii_case("rel")
                    && value.trim().trim_matches('"').split(' ').any(|rel| rel.eq_ignore_ascii_case("next"))
            })
        });
        is_next.then(|| address.to_owned())
    })
}

/// Returns true if the address is a path below the API, or is on the server of the API (same scheme, host and port).
pub(super) fn is_same_origin(api: &str, address: &str) -> bool {
    if address.starts_with('/') && !address.starts_with("//") {
        return true;
    }
    let origin = |address: &str| {
        let address: http::Uri = address.parse().ok()?;
        let scheme = address.scheme_str()?.to_ascii_lowercase();
        let port = address.port_u16().unwrap_or(if scheme == "https" { 443 } else { 80 });
        // An address with a user in it is a trick or a mistake.
        let is_plain = !address.authority()?.as_str().contains('@');
        is_plain.then_some((scheme, address.host()?.to_ascii_lowercase(), port))
    };
    origin(address).is_some_and(|other| origin(api) == Some(other))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn next_page_is_read_from_the_link_header() {
        let link = |value: &str| next(&Reply::new(200, &[("link", value)], Vec::new()));
        let address = "https://api.github.com/repositories/1000/issues?per_page=3&page=2";
        let recorded = format!(
            "<{address}>; rel=\"next\", <https://api.github.com/repositories/1000/issues?per_page=3&page=5>; rel=\"last\""
        );
        assert_eq!(link(&recorded).as_deref(), Some(address));
        assert_eq!(link(&format!("<{address}>; rel=\"prev\"")), None);
        assert_eq!(link(&format!("<{address}>; title=\"x\"; rel=next")).as_deref(), Some(address));
        for broken in ["", "<", "<>", "rel=next", "<a", ",,,"] {
            assert_eq!(link(broken), None, "{broken}");
        }
    }

    #[test]
    fn only_the_servers_own_pages_are_asked() {
        let api = "https://ghe.example/api/v3";
        for good in [
            "/repos/o/r/issues?page=2",
            "https://ghe.example/api/v3/repositories/1/issues?page=2",
            "https://GHE.example:443/x",
        ] {
            assert!(is_same_origin(api, good), "{good}");
        }
        for bad in [
            "https://ghe.example.evil.test/api/v3",
            "http://ghe.example/api/v3",
            "https://ghe.example:8443/",
            "https://ghe.example@evil.test/",
            "https://user@ghe.example/",
            "//evil.test/x",
            "evil",
            "",
        ] {
            assert!(!is_same_origin(api, bad), "{bad}");
        }
    }
}
