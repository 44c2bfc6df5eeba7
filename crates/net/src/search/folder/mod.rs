//! Searches a folder of the team's own documents: full text, offline, with the line of every result.
//!
//! The index is SQLite's FTS5 in memory, with its BM25 and the Porter stemmer: SQLite is already part of the program
//! for the workflow store. Chinese is indexed by pairs of characters.

mod passages;
mod terms;

use std::path::Path;

use ignore::WalkBuilder;
use rusqlite::{Connection, params};

use super::result::short;
use super::{SearchError, SearchProvider, SearchResult, SourcePlace};
use passages::Passage;
use reqgate_base::clean;
use reqgate_base::files;
use reqgate_rules::config::SearchProviderName;

/// The extensions of the files that are read: Markdown, plain text, and readable data.
const ENDINGS: [&str; 12] =
    ["md", "markdown", "mdx", "txt", "text", "rst", "adoc", "json", "jsonl", "csv", "tsv", "org"];
/// The largest file that is read, in bytes: 2 MiB.
const MOST_FILE_BYTES: u64 = 2 << 20;
/// The most text that is indexed, in bytes: 32 MiB.
const MOST_BYTES: usize = 32 << 20;
/// The most files that are read.
const MOST_FILES: usize = 5_000;
/// The longest snippet, in characters.
const LONGEST_SNIPPET: usize = 320;
/// The weight of words in the heading; those of the passage have weight 1.
const HEADING_WEIGHT: f64 = 0.3;

/// A folder of documents, indexed once.
pub struct Folder {
    root: String,
    files: Vec<String>,
    passages: Vec<(usize, Passage)>,
    index: Connection,
    /// The files that are not searched, with the reasons.
    unread: Vec<(String, String)>,
}

impl Folder {
    /// Reads and indexes the documents below `root`. Hidden files and those in a `.gitignore` or `.ignore` are left
    /// out, and links are not followed.
    ///
    /// # Errors
    /// Returns [`SearchError::Folder`] if `root` is not a folder or contains no document.
    pub fn open(root: &Path) -> Result<Self, SearchError> {
        let refuse = |message: String| SearchError::Folder { path: root.display().to_string(), message };
        if !root.is_dir() {
            return Err(refuse("it is not a folder: check its name".to_owned()));
        }
        let index = Connection::open_in_memory().and_then(|index| {
            // Both columns contain terms of `terms::indexed`, one line for each piece of a passage.
            index.execute_batch(
                "CREATE VIRTUAL TABLE passages USING fts5(heading, words, tokenize = 'porter unicode61')",
            )?;
            Ok(index)
        });
        let index = index.map_err(|error| refuse(error.to_string()))?;
        let root_shown = root.display().to_string();
        let mut folder = Self { root: root_shown, files: Vec::new(), passages: Vec::new(), index, unread: Vec::new() };
        folder.read(root);
        if folder.files.is_empty() {
            let endings = ENDINGS.map(|ending| format!(".{ending}")).join(" ");
            return Err(refuse(format!("it has no document that can be read ({endings})")));
        }
        folder.fill().map_err(|error| refuse(error.to_string()))?;
        Ok(folder)
    }

    fn read(&mut self, root: &Path) {
        let mut walk = WalkBuilder::new(root);
        walk.require_git(false).git_global(false).git_exclude(false).follow_links(false).sort_by_file_name(Ord::cmp);
        let mut bytes = 0;
        for entry in walk.build() {
            let entry = match entry {
                Ok(entry) => entry,
                Err(error) => {
                    self.unread.push((root.display().to_string(), error.to_string()));
                    continue;
                }
            };
            // Links are excluded, because they may lead out of the folder.
            if !entry.file_type().is_some_and(|kind| kind.is_file()) || !is_document(entry.path()) {
                continue;
            }
            let path = entry.path().strip_prefix(root).unwrap_or(entry.path());
            let name = path.components().map(|part| part.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/");
            match self.text(entry.path(), bytes) {
                Ok(text) => {
                    bytes += text.len();
                    let at = self.files.len();
                    self.passages.extend(passages::of(&name, &text).into_iter().map(|passage| (at, passage)));
                    self.files.push(name);
                }
                Err(why) => self.unread.push((name, why)),
            }
        }
    }

    fn text(&self, path: &Path, bytes: usize) -> Result<String, String> {
        if self.files.len() == MOST_FILES {
            return Err(format!("the folder has more than {MOST_FILES} documents"));
        }
        let read = files::read(path, MOST_FILE_BYTES).map_err(|error| error.to_string())?;
        if bytes + read.len() > MOST_BYTES {
            return Err(format!("the folder has more than {} MiB of text", MOST_BYTES >> 20));
        }
        let text = String::from_utf8(read).map_err(|_| "it is not UTF-8: save it as UTF-8".to_owned())?;
        match text.contains('\0') {
            true => Err("it is not a text".to_owned()),
            false => Ok(text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text)),
        }
    }

    fn fill(&mut self) -> rusqlite::Result<()> {
        let transaction = self.index.transaction()?;
        {
            let mut insert = transaction.prepare("INSERT INTO passages(rowid, heading, words) VALUES (?1, ?2, ?3)")?;
            for (row, (file, passage)) in self.passages.iter().enumerate() {
                let heading = terms::indexed(&format!("{} {}", self.files[*file], passage.heading));
                let words: Vec<String> = passage.pieces.iter().map(|piece| terms::indexed(&piece.text)).collect();
                insert.execute(params![row as i64, heading, words.join("\n")])?;
            }
        }
        transaction.commit()
    }

    fn found(&self, query: &str, most: usize) -> rusqlite::Result<Vec<SearchResult>> {
        let mut select = self.index.prepare(&format!(
            "SELECT rowid, -bm25(passages, {HEADING_WEIGHT}, 1.0) AS score, highlight(passages, 1, char(2), char(3)) \
             FROM passages WHERE passages MATCH ?1 ORDER BY score DESC, rowid LIMIT ?2"
        ))?;
        let mut rows = select.query(params![query, most as i64])?;
        let mut out = Vec::new();
        while let Some(row) = rows.next()? {
            let (at, score, marked): (i64, f64, String) = (row.get(0)?, row.get(1)?, row.get(2)?);
            let Some((file, passage)) = usize::try_from(at).ok().and_then(|at| self.passages.get(at)) else { continue };
            let best = best_piece(&marked);
            let title = if passage.heading.is_empty() { &self.files[*file] } else { &passage.heading };
            out.push(SearchResult {
                rank: out.len() as u32 + 1,
                title: short(title, LONGEST_SNIPPET),
                place: SourcePlace::File {
                    file: clean::one_line(&self.files[*file]).into_owned(),
                    line: passage.pieces.get(best).map_or(1, |piece| piece.line),
                },
                domain: None,
                snippet: passage.snippet(best, LONGEST_SNIPPET),
                // The last digits depend on the machine's logarithm.
                score: Some((score * 1_000.0).round() / 1_000.0),
            });
        }
        Ok(out)
    }
}

impl SearchProvider for Folder {
    fn name(&self) -> SearchProviderName {
        SearchProviderName::Folder
    }

    fn search(&self, query: &str, most: usize) -> Result<Vec<SearchResult>, SearchError> {
        let Some(query) = terms::query(query) else { return Err(SearchError::EmptyQuery) };
        let refuse =
            |error: rusqlite::Error| SearchError::Folder { path: self.root.clone(), message: error.to_string() };
        self.found(&query, most).map_err(refuse)
    }

    fn unread(&self) -> &[(String, String)] {
        &self.unread
    }
}

fn is_document(path: &Path) -> bool {
    let ending = path.extension().and_then(|ending| ending.to_str()).map(str::to_ascii_lowercase);
    ending.is_some_and(|ending| ENDINGS.contains(&ending.as_str()))
}

/// The first of the pieces with the most marked words.
fn best_piece(marked: &str) -> usize {
    let counts: Vec<usize> = marked.split('\n').map(|piece| piece.matches('\u{2}').count()).collect();
    let most = counts.iter().max().copied().unwrap_or(0);
    counts.iter().position(|count| *count == most).unwrap_or(0)
}

#[cfg(test)]
mod tests;
