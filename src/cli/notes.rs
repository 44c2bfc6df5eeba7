//! Notes about inputs that were left out, on standard error.

use super::exit;

/// Notes that are shown before the others are only counted.
const SHOWN_NOTES: usize = 3;

/// Notes about skipped inputs, limited so that they do not drown the rest.
#[derive(Default)]
pub(super) struct Notes {
    count: usize,
}

impl Notes {
    /// Shows a note, or counts it.
    pub(super) fn say(&mut self, note: &str) {
        self.count += 1;
        if self.count <= SHOWN_NOTES {
            exit::note(note);
        }
    }

    /// Says how many were only counted.
    pub(super) fn end(&self) {
        if self.count > SHOWN_NOTES {
            exit::note(&format!("skipped {} more files without a ticket", self.count - SHOWN_NOTES));
        }
    }
}
