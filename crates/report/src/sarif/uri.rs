//! Converts the name of an input to a URI reference (RFC 3986).

use crate::place::{is_on_a_drive, relative};

/// The reference of a file: relative for a relative path, `file:///…` for an absolute one. Characters that a URI must
/// not contain are percent-encoded.
pub(super) fn of_file(name: &str) -> String {
    let is_drive = is_on_a_drive(name);
    let name = relative(name);
    if is_drive {
        return format!("file:///{}:{}", &name[..1], encoded(&name[2..]));
    }
    if name.starts_with('/') {
        return format!("file://{}", encoded(&name));
    }
    encoded(&name)
}

/// Percent-encodes a path. The colon is encoded too, because in the first segment of a relative reference it would be
/// read as a scheme.
fn encoded(path: &str) -> String {
    let mut uri = String::with_capacity(path.len());
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte) {
            uri.push(char::from(byte));
        } else {
            uri.push_str(&format!("%{byte:02X}"));
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::of_file;

    #[test]
    fn name_of_any_input_becomes_a_uri_reference() {
        for (name, expected) in [
            ("tickets/login.md", "tickets/login.md"),
            ("./a b#c?.md", "a%20b%23c%3F.md"),
            ("需求.md", "%E9%9C%80%E6%B1%82.md"),
            ("/home/x/y.md", "file:///home/x/y.md"),
            ("C:\\x\\y.md", "file:///C:/x/y.md"),
            ("github:owner/repo#7", "github%3Aowner/repo%237"),
            ("-", "-"),
        ] {
            assert_eq!(of_file(name), expected);
        }
    }

    #[cfg(not(windows))]
    #[test]
    fn backslash_is_a_letter_of_the_name() {
        for (name, expected) in
            [("\\x.md", "%5Cx.md"), ("docs\\a.md", "docs%5Ca.md"), ("\\\\host\\x.md", "%5C%5Chost%5Cx.md")]
        {
            assert_eq!(of_file(name), expected);
        }
    }
}
