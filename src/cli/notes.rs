//! Notes about inputs that were left out, on standard error.

use super::exit;

/// The number of notes that are shown before the rest is only counted.
const SHOWN_NOTES: usize = 3;

/// Notes about skipped inputs, limited in number so that other messages remain visible.
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

    /// Prints the number of notes that were only counted.
    pub(super) fn end(&self) {
        if self.count > SHOWN_NOTES {
            exit::note(&format!("skipped {} more files without a ticket", self.count - SHOWN_NOTES));
        }
    }
}
