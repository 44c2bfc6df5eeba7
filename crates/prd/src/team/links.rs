//! The kind of a link by its scheme: only a few kinds are safe to follow.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Link {
    /// `http`, `https` or `mailto`.
    Web,
    /// A location in the same document.
    Here,
    /// A path without a scheme.
    Relative,
    /// Any other scheme: `javascript`, `data`, `file` …
    Unsafe,
}

pub(super) fn link(address: &str) -> Link {
    if address.starts_with('#') {
        return Link::Here;
    }
    if address.chars().any(|c| c.is_control()) || address.starts_with("//") || address.contains('\\') {
        return Link::Unsafe;
    }
    match address.find([':', '/', '?', '#']).map(|at| address.split_at(at)) {
        Some((scheme, rest)) if rest.starts_with(':') => {
            let is_known = ["http", "https", "mailto"].iter().any(|known| scheme.eq_ignore_ascii_case(known));
            if is_known { Link::Web } else { Link::Unsafe }
        }
        _ => Link::Relative,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn schemes_decide() {
        for (address, expected) in [
            ("https://a.example/b:c", Link::Web),
            ("HTTP://a.example", Link::Web),
            ("mailto:a@b.example", Link::Web),
            ("#timeline", Link::Here),
            ("docs/a.md?x=a:b", Link::Relative),
            ("javascript:alert(1)", Link::Unsafe),
            ("JavaScript:alert(1)", Link::Unsafe),
            (" javascript:alert(1)", Link::Unsafe),
            ("java\nscript:alert(1)", Link::Unsafe),
            ("data:text/html,x", Link::Unsafe),
            ("//evil.example", Link::Unsafe),
            ("vbscript:x", Link::Unsafe),
        ] {
            assert_eq!(link(address), expected, "{address}");
        }
    }
}
