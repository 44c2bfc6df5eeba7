//! The files that a document consists of, and the places of its lines in them.

use super::document::Document;

impl Document<'_> {
    /// The same text, made of these files: the line on which each begins, from 1, and its name.
    #[must_use]
    pub fn of_files(mut self, files: &[(u32, String)]) -> Self {
        self.files = files.to_vec();
        self
    }

    /// The file in which a line stands, and its number there.
    pub(super) fn place(&self, line: u32) -> (&str, u32) {
        let at = self.files.iter().rev().find(|(start, _)| *start <= line);
        at.map_or((self.name, line), |(start, name)| (name, line - start + 1))
    }

    /// The file in which a line stands, where there are several.
    pub(super) fn file(&self, line: u32) -> Option<&str> {
        (self.files.len() > 1).then(|| self.place(line).0)
    }
}
