//! Converts between `file:` addresses and paths.

use std::path::{Path, PathBuf};

/// The path of a `file:` address; `None` for any other address.
pub(crate) fn path_of(address: &str) -> Option<PathBuf> {
    let rest = address.strip_prefix("file://")?;
    // A host other than this machine is a share of Windows, which is not supported.
    let path = &rest[rest.find('/')?..];
    if !matches!(&rest[..rest.len() - path.len()], "" | "localhost") {
        return None;
    }
    let path = path.split(['?', '#']).next()?;
    let decoded = decoded(path)?;
    let is_of_windows = decoded.as_bytes().get(2) == Some(&b':');
    Some(PathBuf::from(if is_of_windows { &decoded[1..] } else { decoded.as_str() }))
}

/// The `file:` address of an absolute path.
pub(crate) fn address_of(path: &Path) -> String {
    let path = path.to_string_lossy();
    let path = if cfg!(windows) { path.replace('\\', "/") } else { path.into_owned() };
    // A path of Windows begins with a drive.
    let mut address = if path.starts_with('/') { "file://" } else { "file:///" }.to_owned();
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'.' | b'_' | b'~' | b':' => {
                address.push(char::from(byte));
            }
            _ => address.push_str(&format!("%{byte:02X}")),
        }
    }
    address
}

/// The text without percent signs; `None` if it is not UTF-8.
fn decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        let code = after.get(..2).and_then(|digits| u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok());
        match code.filter(|_| *first == b'%') {
            Some(code) => {
                bytes.push(code);
                rest = &after[2..];
            }
            None => {
                bytes.push(*first);
                rest = after;
            }
        }
    }
    String::from_utf8(bytes).ok().filter(|text| !text.contains('\0'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_and_addresses_are_converted() {
        for (address, path) in [
            ("file:///tmp/a%20b/%E5%AF%BC.md", "/tmp/a b/导.md"),
            ("file://localhost/tmp/a.md", "/tmp/a.md"),
            ("file:///c%3A/a.md", "c:/a.md"),
            ("file:///tmp/100%.md", "/tmp/100%.md"),
        ] {
            assert_eq!(path_of(address), Some(PathBuf::from(path)), "{address}");
        }
        for address in [
            "untitled:Untitled-1",
            "https://example.test/a.md",
            "file://host/a",
            "file:///%FF",
            "file:///%00",
            "file://",
        ] {
            assert_eq!(path_of(address), None, "{address}");
        }
        for path in ["/tmp/a b/导[1].md", "/tmp/100%.md", "/tmp/a#b?.md"] {
            assert_eq!(path_of(&address_of(Path::new(path))), Some(PathBuf::from(path)));
        }
    }
}
