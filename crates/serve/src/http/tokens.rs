//! Named tokens with roles; only their hashes are stored.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::SystemTime;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use subtle::{ConditionallySelectable, ConstantTimeEq};
use thiserror::Error;
use unicode_security::confusable_detection::skeleton;

use reqgate_base::files;
use reqgate_base::hash::Hash;

/// The name of the file in the folder of the state.
const FILE: &str = "tokens.json";
/// The schema of the file.
const SCHEMA: &str = "reqgate/tokens/v1";
/// The prefix of every token, by which scanners of secrets recognise it.
const PREFIX: &str = "rqg_";
/// The number of random bytes in a token.
const LENGTH: usize = 32;
/// The maximum number of tokens of an installation.
const MOST: usize = 1_000;
/// The maximum length of a name, in characters.
const LONGEST_NAME: usize = 60;

reqgate_base::named! {
    /// The rights of a token's bearer; each role includes the ones before it.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
    pub enum Role {
        /// Judge texts and read threads.
        Read => "read",
        /// Start threads and submit results of orders: for coding agents.
        Write => "write",
        /// Answer questions and approve: for people.
        Answer => "answer",
        /// Cancel threads, in addition to all other rights.
        Admin => "admin",
    }
}

/// A token without its secret.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TokenRecord {
    /// The name of the person or program.
    pub name: String,
    /// The rights of its bearer.
    pub role: Role,
    /// The day of its creation, YYYY-MM-DD.
    pub created: String,
    /// SHA-256 of the token, in hexadecimal.
    sha256: String,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct TokenFile {
    schema: String,
    tokens: Vec<TokenRecord>,
}

/// The reason why the tokens cannot be read or changed.
#[derive(Debug, Error)]
pub enum TokenError {
    /// The file cannot be read or written.
    #[error("{path}: {error}")]
    File {
        /// The path of the file.
        path: String,
        /// The cause of the error.
        error: io::Error,
    },
    /// The file was not written by this program.
    #[error("{path} is not a file of tokens ({reason}): restore it, or delete it and make new tokens")]
    Broken {
        /// The path of the file.
        path: String,
        /// The problem in the file.
        reason: String,
    },
    /// The name is in use.
    #[error("there is already a token for `{0}`: remove it first, or choose another name")]
    Taken(String),
    /// A token of this name does not exist.
    #[error("there is no token for `{0}`: `reqgate serve token list` lists them")]
    Unknown(String),
    /// The name is not valid. An e-mail address is masked everywhere it is shown, so two of them would look like one
    /// person.
    #[error("a name has 1 to {LONGEST_NAME} letters, digits, spaces or . _ -, and is not an e-mail address")]
    BadName,
    /// The name differs from another one only in its case or in letters that look alike.
    #[error("there is already a token for `{0}`, which looks the same: choose another name")]
    Similar(String),
    /// The maximum number of tokens is reached.
    #[error("there are already {MOST} tokens: remove one first")]
    TooMany,
    /// The system has no random numbers.
    #[error("the system gives no random numbers")]
    NoRandomness,
}

/// The tokens of an installation. Changes of the file take effect immediately.
#[derive(Debug)]
pub struct Tokens {
    path: PathBuf,
    known: Mutex<Known>,
}

#[derive(Debug, Default)]
struct Known {
    read: Option<(SystemTime, u64)>,
    tokens: Vec<TokenRecord>,
}

impl Tokens {
    /// The tokens in the folder of the state.
    pub fn in_folder(folder: &Path) -> Self {
        Self { path: folder.join(FILE), known: Mutex::default() }
    }

    /// The tokens, without their secrets.
    ///
    /// # Errors
    /// Fails if the file cannot be read or is not valid.
    pub fn list(&self) -> Result<Vec<TokenRecord>, TokenError> {
        let mut known = self.known.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let stamp = match fs::metadata(&self.path) {
            Ok(data) => Some((data.modified().map_err(|error| self.file(error))?, data.len())),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(self.file(error)),
        };
        if known.read != stamp {
            known.tokens = if stamp.is_some() { self.read()? } else { Vec::new() };
            known.read = stamp;
        }
        Ok(known.tokens.clone())
    }

    /// Creates a token and returns it. It is not stored and cannot be shown again.
    ///
    /// # Errors
    /// Fails if the name is taken or not valid, or if the file cannot be written.
    pub fn add(&self, name: &str, role: Role, today: &str) -> Result<String, TokenError> {
        let is_allowed = |c: char| c.is_alphanumeric() || " ._-".contains(c);
        let length = name.chars().count();
        if name.trim() != name || !(1..=LONGEST_NAME).contains(&length) || !name.chars().all(is_allowed) {
            return Err(TokenError::BadName);
        }
        let _lock = self.locked()?;
        let mut tokens = self.read_anew()?;
        if tokens.iter().any(|token| token.name == name) {
            return Err(TokenError::Taken(name.to_owned()));
        }
        if let Some(other) = tokens.iter().find(|token| looks_of(&token.name) == looks_of(name)) {
            return Err(TokenError::Similar(other.name.clone()));
        }
        if tokens.len() >= MOST {
            return Err(TokenError::TooMany);
        }
        let mut bytes = [0_u8; LENGTH];
        let random = rustls::crypto::ring::default_provider().secure_random;
        random.fill(&mut bytes).map_err(|_| TokenError::NoRandomness)?;
        let token = format!("{PREFIX}{}", URL_SAFE_NO_PAD.encode(bytes));
        let sha256 = Hash::of(&token).hex();
        tokens.push(TokenRecord { name: name.to_owned(), role, created: today.to_owned(), sha256 });
        self.write(tokens)?;
        Ok(token)
    }

    /// Removes a token by its name.
    ///
    /// # Errors
    /// Fails if it does not exist, or if the file cannot be written.
    pub fn remove(&self, name: &str) -> Result<(), TokenError> {
        let unknown = || TokenError::Unknown(name.to_owned());
        // Without tokens, the folder may not exist.
        if self.read_anew()?.is_empty() {
            return Err(unknown());
        }
        let _lock = self.locked()?;
        let mut tokens = self.read_anew()?;
        let before = tokens.len();
        tokens.retain(|token| token.name != name);
        if tokens.len() == before {
            return Err(unknown());
        }
        self.write(tokens)
    }

    /// The bearer of a token. Every hash is compared completely, so that the duration reveals no match.
    ///
    /// # Errors
    /// Fails if the file cannot be read or is not valid.
    pub(crate) fn bearer(&self, token: &str) -> Result<Option<TokenRecord>, TokenError> {
        let hash = Hash::of(token).hex();
        let tokens = self.list()?;
        let mut found = u32::MAX;
        for (at, record) in (0_u32..).zip(&tokens) {
            found.conditional_assign(&at, record.sha256.as_bytes().ct_eq(hash.as_bytes()));
        }
        Ok(usize::try_from(found).ok().and_then(|at| tokens.into_iter().nth(at)))
    }

    /// Waits until no other process changes the tokens; the lock is released on drop.
    fn locked(&self) -> Result<fs::File, TokenError> {
        let lock = || {
            let path = self.path.with_extension("lock");
            let file = fs::File::options().create(true).truncate(false).write(true).open(path)?;
            file.lock().map(|()| file)
        };
        lock().map_err(|error| self.file(error))
    }

    fn read_anew(&self) -> Result<Vec<TokenRecord>, TokenError> {
        match self.path.try_exists() {
            Ok(true) => self.read(),
            Ok(false) => Ok(Vec::new()),
            Err(error) => Err(self.file(error)),
        }
    }

    fn read(&self) -> Result<Vec<TokenRecord>, TokenError> {
        let text = files::text(&self.path, files::SETTINGS).map_err(|error| self.file(error))?;
        let broken = |reason: String| TokenError::Broken { path: self.path.display().to_string(), reason };
        // A message of the parser could repeat contents of the file.
        let file: TokenFile = serde_json::from_str(&text).map_err(|error| broken(format!("line {}", error.line())))?;
        if file.schema != SCHEMA {
            return Err(broken("another schema".to_owned()));
        }
        Ok(file.tokens)
    }

    fn write(&self, tokens: Vec<TokenRecord>) -> Result<(), TokenError> {
        let file = TokenFile { schema: SCHEMA.to_owned(), tokens };
        let text = serde_json::to_string_pretty(&file).map_err(|error| self.file(error.into()))?;
        files::write(&self.path, format!("{text}\n").as_bytes(), files::Readers::Owner)
            .map_err(|error| self.file(error))
    }

    fn file(&self, error: io::Error) -> TokenError {
        TokenError::File { path: self.path.display().to_string(), error }
    }
}

/// The letters of a name with look-alikes folded: equal for names that a reader cannot distinguish.
fn looks_of(name: &str) -> String {
    skeleton(&name.to_lowercase()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_tokens_are_never_taken_for_one_person() {
        let folder = tempfile::tempdir().expect("a folder");
        let tokens = Tokens::in_folder(folder.path());
        let add = |name: &str| tokens.add(name, Role::Answer, "2026-01-04").map(drop);
        add("Ann Li").expect("a new name");
        add("李安").expect("a new name");
        for same in ["ann li", "Ann L\u{456}", "ANN LI"] {
            assert!(matches!(add(same), Err(TokenError::Similar(_))), "{same}");
        }
        for address in ["ann@shop.example", "a@b"] {
            assert!(matches!(add(address), Err(TokenError::BadName)), "{address}");
        }
        assert!(matches!(add("Ann Li"), Err(TokenError::Taken(_))));
    }

    #[test]
    fn tokens_that_are_made_and_removed_at_the_same_time_are_all_kept() {
        let folder = tempfile::tempdir().expect("a folder");
        let names: Vec<String> = (0..8).map(|number| format!("person {number}")).collect();
        std::thread::scope(|scope| {
            for name in &names {
                let folder = folder.path();
                scope.spawn(move || {
                    let tokens = Tokens::in_folder(folder);
                    let gone = format!("{name} gone");
                    tokens.add(name, Role::Read, "2026-01-04").expect("a new name");
                    tokens.add(&gone, Role::Read, "2026-01-04").expect("a new name");
                    tokens.remove(&gone).expect("it is there");
                });
            }
        });
        let mut kept: Vec<String> =
            Tokens::in_folder(folder.path()).list().expect("a file").into_iter().map(|token| token.name).collect();
        kept.sort();
        assert_eq!(kept, names);
    }

    #[test]
    fn a_token_that_was_never_made_is_unknown_even_without_a_folder() {
        let folder = tempfile::tempdir().expect("a folder");
        let removed = Tokens::in_folder(&folder.path().join("none")).remove("dana");
        assert!(matches!(removed, Err(TokenError::Unknown(_))), "{removed:?}");
    }
}
