//! The folder of a feature and those of other features, which may use the same ids.

use std::path::{Path, PathBuf};

use regex::bytes::Regex;

use reqgate_base::files;

/// The largest document that is read, in bytes.
const MOST_BYTES: u64 = 8 * 1024 * 1024;
/// The most features, and documents of one feature, that are read.
const MOST: usize = 500;
/// The files that mark a folder as a feature.
const MARKS: [&str; 3] = ["requirements.md", "prd.md", "spec.md"];

/// The documents of a feature, and the features next to it.
#[derive(Debug, Default)]
pub struct Feature {
    /// Folders and files that contain documents and are not searched.
    pub(super) documents: Vec<PathBuf>,
    /// The texts of the feature's own documents.
    pub(super) texts: Vec<String>,
    /// The neighbouring features: name, and the texts of their documents.
    pub(super) others: Vec<(String, Vec<String>)>,
    named_others: Option<Regex>,
}

impl Feature {
    /// The feature of a document: its folder if it is one of several feature folders, otherwise the document alone.
    pub fn of(document: &Path, root: &Path) -> Self {
        let folder = document.parent().filter(|folder| *folder != root && is_feature(folder));
        let Some(folder) = folder else {
            let texts = files::text(document, MOST_BYTES).into_iter().collect();
            return Self { documents: vec![document.to_path_buf()], texts, ..Self::default() };
        };
        let mut documents = vec![folder.to_path_buf()];
        let mut others = Vec::new();
        for beside in beside(folder) {
            others.push((name_of(&beside), texts_in(&beside)));
            documents.push(beside);
        }
        // A name of one word ("shop") occurs in too many lines to tell which feature an id belongs to.
        let names: Vec<String> = others
            .iter()
            .filter(|(name, _)| name.starts_with(|c: char| c.is_ascii_digit()) && name.contains('-'))
            .map(|(name, _)| regex::escape(name))
            .collect();
        let pattern = format!(r"(?-u:\b)(?:{})(?-u:\b)", names.join("|"));
        let named_others = if names.is_empty() { None } else { Regex::new(&pattern).ok() };
        Self { documents, texts: texts_in(folder), others, named_others }
    }

    /// Returns true for a line or a path that names another feature: its ids belong to that feature.
    pub(super) fn is_of_another(&self, words: &[u8]) -> bool {
        self.named_others.as_ref().is_some_and(|names| names.is_match(words))
    }
}

fn is_feature(folder: &Path) -> bool {
    MARKS.iter().any(|mark| folder.join(mark).is_file())
}

/// The name of a feature, without characters that could be markup.
fn name_of(folder: &Path) -> String {
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    name.chars().filter(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | '.')).collect()
}

/// The neighbouring features, by name.
fn beside(folder: &Path) -> Vec<PathBuf> {
    let entries = folder.parent().and_then(|parent| std::fs::read_dir(parent).ok());
    let mut found: Vec<PathBuf> = entries
        .into_iter()
        .flat_map(|entries| entries.flatten())
        .map(|entry| entry.path())
        .filter(|path| path != folder && path.is_dir() && !path.is_symlink() && is_feature(path))
        .take(MOST)
        .collect();
    found.sort();
    found
}

/// The Markdown files of a folder; an unreadable file has no ids.
fn texts_in(folder: &Path) -> Vec<String> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).take(MOST).collect();
    paths.sort();
    let markdown = paths.iter().filter(|path| path.extension().is_some_and(|ending| ending == "md"));
    markdown.filter_map(|path| files::text(path, MOST_BYTES).ok()).collect()
}
