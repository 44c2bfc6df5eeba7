//! SHA-256 hashes that name contents, as hexadecimal digits or as base64.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest as _, Sha256};

/// A hash over the bytes so far.
#[derive(Debug, Clone, Default)]
pub struct Hash(Sha256);

impl Hash {
    /// Hashes the bytes `bytes`.
    pub fn of(bytes: impl AsRef<[u8]>) -> Self {
        Self::default().and(bytes)
    }

    /// Hashes several parts, each preceded by its length, so that moving a boundary changes the hash.
    pub fn of_parts<B: AsRef<[u8]>>(parts: impl IntoIterator<Item = B>) -> Self {
        parts.into_iter().fold(Self::default(), |hash, part| {
            let part = part.as_ref();
            hash.and((part.len() as u64).to_le_bytes()).and(part)
        })
    }

    /// The hash of the bytes so far followed by these.
    #[must_use]
    pub fn and(mut self, bytes: impl AsRef<[u8]>) -> Self {
        self.0.update(bytes);
        self
    }

    /// All 64 hexadecimal digits.
    pub fn hex(self) -> String {
        self.digits(64)
    }

    /// The first 16 hexadecimal digits: enough to distinguish the files, findings and texts of one installation.
    pub fn short(self) -> String {
        self.digits(16)
    }

    /// The first `count` hexadecimal digits, at most 64; an odd count is rounded up.
    pub fn digits(self, count: usize) -> String {
        self.0.finalize().iter().take(count.div_ceil(2)).map(|byte| format!("{byte:02x}")).collect()
    }

    /// The whole hash in base64, as the content security policy of a page names a style sheet.
    pub(crate) fn base64(self) -> String {
        STANDARD.encode(self.0.finalize())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_those_of_sha_256() {
        let known = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(Hash::of("abc").hex(), known);
        assert_eq!(Hash::of("a").and("bc").short(), known[..16]);
        assert_eq!(Hash::of("abc").digits(8), known[..8]);
        assert_eq!(Hash::of("abc").base64(), "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=");
    }

    #[test]
    fn parts_do_not_flow_together() {
        assert_ne!(Hash::of_parts(["ab", "c"]).hex(), Hash::of_parts(["a", "bc"]).hex());
    }
}
