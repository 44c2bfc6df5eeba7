//! The name of a repository, checked before it becomes part of an address.

use std::fmt;
use std::str::FromStr;

use reqgate_base::clean::short_line;

/// A repository as `owner/name`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Repository {
    owner: String,
    name: String,
}

/// The error for a text that does not name a repository.
#[derive(Debug, thiserror::Error)]
#[error("`{0}` is not a repository: write owner/name")]
pub struct BadRepository(String);

impl Repository {
    /// The account or organisation that owns the repository.
    pub(crate) fn owner(&self) -> &str {
        &self.owner
    }

    /// The name without the owner.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// The path below the API's address, e.g. `/repos/octo/shop`.
    pub(super) fn path(&self) -> String {
        format!("/repos/{}/{}", self.owner, self.name)
    }
}

impl fmt::Display for Repository {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.owner, self.name)
    }
}

impl FromStr for Repository {
    type Err = BadRepository;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        // GitHub's own alphabet contains no character with a meaning in an address, so encoding is not needed.
        let is_name = |part: &str| {
            let is_fine = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.');
            (1..=100).contains(&part.len()) && part.bytes().all(is_fine) && part != "." && part != ".."
        };
        match text.split_once('/') {
            Some((owner, name)) if is_name(owner) && is_name(name) => {
                Ok(Self { owner: owner.to_owned(), name: name.to_owned() })
            }
            _ => Err(BadRepository(short_line(text, 120))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_owner_and_name_make_a_repository() {
        assert_eq!("octo/shop.web".parse::<Repository>().unwrap().path(), "/repos/octo/shop.web");
        for bad in ["", "octo", "octo/", "/shop", "a/b/c", "octo/..", "octo/sh op", "octo/shop?x=1", "octo/shöp"] {
            assert!(bad.parse::<Repository>().is_err(), "{bad}");
        }
    }
}
