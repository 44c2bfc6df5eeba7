//! The files that a document was joined from, and the locations of its lines in them.

use super::document::Document;

impl Document<'_> {
    /// Sets the files that the text was joined from: the first line of each, from 1, and its name.
    #[must_use]
    pub(crate) fn of_files(mut self, files: &[(u32, String)]) -> Self {
        self.files = files.to_vec();
        self
    }

    /// The file of a line, and its line number there.
    pub(super) fn place(&self, line: u32) -> (&str, u32) {
        let at = self.files.iter().rev().find(|(start, _)| *start <= line);
        at.map_or((self.name, line), |(start, name)| (name, line - start + 1))
    }

    /// The file of a line, if the document has several.
    pub(super) fn file(&self, line: u32) -> Option<&str> {
        (self.files.len() > 1).then(|| self.place(line).0)
    }
}
