//! The command line, run as users run it.

mod agents;
mod baseline;
mod case;
mod cases;
mod export;
mod first_contact;
mod formats;
mod github;
mod hostile;
mod languages;
mod outputs;
mod readme;
mod requests;
mod research;
mod sandbox;
mod snapshots;
mod trace;
mod untrusted;
mod verify;

use std::path::{Path, PathBuf};

pub use sandbox::{READY, Ran, Sandbox, UNREADY};

/// A PRD that is ready except for a question that it marks as accepted.
pub const ACCEPTED: &str = "\
---
source: prd
status: approved
accepted_by: Ana
accepted_because: answered in the pilot
accepted_open_questions:
  - Who pays for the storage of a guest?
---
# Guest links

Guests open an album without an account, because support gets ten mails a day about lost passwords.

## Requirements

- FR-001: A guest link must be valid for 30 days after it was made.
- FR-002: An expired link must show the message \"This link has expired\".

## Acceptance criteria

- A link made on 1 May opens on 30 May and shows the message on 1 June.
- An expired link shows the message within 2 seconds.

## Open questions

- Who pays for the storage of a guest?
";

/// A path inside the sources of the tests.
pub fn source(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(path)
}
