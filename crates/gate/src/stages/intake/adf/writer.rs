//! Writes Markdown line by line, with the prefixes of the open quotations and list items.

/// A Markdown text being written; its size is proportional to the pushed text times the depth of open containers.
#[derive(Default)]
pub(super) struct Writer {
    text: String,
    /// The prefix of every line in the open containers.
    prefix: String,
    /// The prefix of the next line instead: the marker of an item that has just been entered.
    first: Option<String>,
    /// The lengths of `prefix` in the outer containers.
    outer: Vec<usize>,
    /// The last line is not ended.
    is_open: bool,
    /// The innermost container has a block, so the next one needs an empty line before it.
    has_block: bool,
}

impl Writer {
    /// Adds text; its line ends start new lines of the open containers.
    pub(super) fn push(&mut self, text: &str) {
        for piece in text.split_inclusive('\n') {
            let line = piece.strip_suffix('\n').unwrap_or(piece);
            if !self.is_open {
                self.begin_line(line.is_empty());
            }
            self.text.push_str(line);
            self.is_open = line.len() == piece.len();
            if !self.is_open {
                self.text.push('\n');
            }
            self.has_block = true;
        }
    }

    /// Ends the line if one is open.
    pub(super) fn start_line(&mut self) {
        if self.is_open {
            self.text.push('\n');
            self.is_open = false;
        }
    }

    /// Ends the line and adds an empty one, unless the container is still empty.
    pub(super) fn start_block(&mut self) {
        self.start_line();
        if std::mem::take(&mut self.has_block) {
            self.text.push_str(self.prefix.trim_end());
            self.text.push('\n');
        }
    }

    /// Opens a container with the prefix `marker` on its first line and `continuation` on the others.
    pub(super) fn enter(&mut self, marker: &str, continuation: &str) {
        self.start_line();
        let first = self.first.get_or_insert_with(|| self.prefix.clone());
        first.push_str(marker);
        self.outer.push(self.prefix.len());
        self.prefix.push_str(continuation);
        self.has_block = false;
    }

    /// Closes the innermost container; an empty one leaves its marker.
    pub(super) fn leave(&mut self) {
        if self.first.is_some() {
            self.begin_line(true);
            self.is_open = true;
        }
        self.start_line();
        self.prefix.truncate(self.outer.pop().unwrap_or(0));
        self.has_block = true;
    }

    /// The text without blank ends.
    pub(super) fn finish(self) -> String {
        let start = self.text.len() - self.text.trim_start_matches(['\n', '\r']).len();
        self.text[start..].trim_end().to_owned()
    }

    fn begin_line(&mut self, is_empty: bool) {
        let prefix = self.first.take();
        let prefix = prefix.as_deref().unwrap_or(&self.prefix);
        self.text.push_str(if is_empty { prefix.trim_end() } else { prefix });
    }
}
