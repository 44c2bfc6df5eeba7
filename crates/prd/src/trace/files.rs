//! Searches the tests and the code of a repository for mentions of requirements.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use ignore::WalkBuilder;
use rayon::prelude::*;
use regex::bytes::Regex;

use super::ids::IdFinder;
use super::{Feature, FilePlace, TraceError};
use reqgate_base::files;

/// The largest file that is read, in bytes: source files are smaller.
pub(super) const MOST_BYTES: u64 = 2 * 1024 * 1024;
/// The number of bytes searched for a zero byte, which marks a binary file; the same as in `git`.
const SNIFFED: usize = 8000;

/// The usual locations of tests, by language and test runner.
const TESTS: &[&str] = &[
    "**/test/**",
    "**/tests/**",
    "**/__tests__/**",
    "**/testdata/**",
    "**/e2e/**",
    "**/cypress/**",
    "**/*.feature",
    "**/test_*.*",
    "**/tests.*",
    "**/*_test.*",
    "**/*_tests.*",
    "**/*-test.*",
    "**/*.test.*",
    "**/*_spec.*",
    "**/*-spec.*",
    "**/*.spec.*",
    "**/*Test.*",
    "**/*Tests.*",
    "**/*IT.java",
    "**/*Spec.*",
];
/// Documents, which are neither tests nor code.
const DOCUMENTS: &[&str] =
    &["docs/**", "doc/**", "**/*.{md,markdown,mdx,rst,adoc,asciidoc,org,txt}", "**/{LICENSE,NOTICE,CHANGELOG,AUTHORS}"];

/// The patterns for the tests and the code of a repository.
#[derive(Debug)]
pub struct FileSets {
    tests: GlobSet,
    code: Option<GlobSet>,
    documents: GlobSet,
    /// The user named the tests, so documents among them count.
    names_tests: bool,
}

impl FileSets {
    /// Compiles patterns relative to the root of the repository; without patterns, the usual locations are used.
    ///
    /// # Errors
    /// Fails for an invalid pattern.
    pub fn new(tests: &[String], code: &[String]) -> Result<Self, TraceError> {
        let owned = |custom: &[&str]| custom.iter().map(|glob| (*glob).to_owned()).collect::<Vec<_>>();
        let names_tests = !tests.is_empty();
        Ok(Self {
            tests: if names_tests { set(tests)? } else { set(&owned(TESTS))? },
            code: if code.is_empty() { None } else { Some(set(code)?) },
            documents: set(&owned(DOCUMENTS))?,
            names_tests,
        })
    }

    /// The kind of a file; `None` for a document and for a file outside the patterns.
    fn kind(&self, path: &str) -> Option<FileKind> {
        let is_document = self.documents.is_match(path);
        if self.tests.is_match(path) && (self.names_tests || !is_document) {
            return Some(FileKind::Tests);
        }
        let is_code = self.code.as_ref().map_or(!is_document, |code| code.is_match(path));
        is_code.then_some(FileKind::Code)
    }
}

fn set(globs: &[String]) -> Result<GlobSet, TraceError> {
    let mut builder = GlobSetBuilder::new();
    let fault = |glob: &str| {
        let glob = glob.to_owned();
        move |error: globset::Error| TraceError::Glob { glob, message: error.kind().to_string() }
    };
    for glob in globs {
        // A folder includes all files below it.
        let bare = glob.trim_start_matches("./").trim_end_matches('/');
        for pattern in [bare.to_owned(), format!("{bare}/**")] {
            builder.add(GlobBuilder::new(&pattern).literal_separator(true).build().map_err(fault(glob))?);
        }
    }
    builder.build().map_err(fault("the patterns"))
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FileKind {
    Tests,
    Code,
}

#[derive(Debug)]
pub(super) struct FileMention {
    pub id: String,
    pub is_formal: bool,
    pub kind: FileKind,
    pub place: FilePlace,
}

/// The mentions in a repository, in the order of its files.
#[derive(Debug, Default)]
pub(super) struct Scanned {
    pub mentions: Vec<FileMention>,
    pub tests: usize,
    pub code: usize,
    pub too_large: usize,
    pub unreadable: usize,
}

enum Content {
    Text(Vec<FileMention>),
    Binary,
    TooLarge,
    Unreadable,
}

/// Finds the mentions in all files below the root, except files ignored by git and the documents of features.
pub(super) fn scan(root: &Path, sets: &FileSets, feature: &Feature, finder: &IdFinder) -> Scanned {
    let files = files_of(root, sets, feature);
    let read = |(path, name, kind): &(PathBuf, String, FileKind)| (*kind, content(path, name, *kind, feature, finder));
    let contents: Vec<(FileKind, Content)> = files.par_iter().map(read).collect();
    let mut out = Scanned::default();
    for (kind, content) in contents {
        match content {
            Content::Binary => continue,
            Content::TooLarge => out.too_large += 1,
            Content::Unreadable => out.unreadable += 1,
            Content::Text(mentions) => {
                match kind {
                    FileKind::Tests => out.tests += 1,
                    FileKind::Code => out.code += 1,
                }
                out.mentions.extend(mentions);
            }
        }
    }
    out
}

fn files_of(root: &Path, sets: &FileSets, feature: &Feature) -> Vec<(PathBuf, String, FileKind)> {
    let mut builder = WalkBuilder::new(root);
    // Every machine searches the same files: personal and clone-specific ignore files do not count, and links are not followed.
    builder.require_git(false).git_global(false).git_exclude(false).follow_links(false);
    builder.sort_by_file_name(Ord::cmp);
    let excluded = feature.documents.clone();
    builder.filter_entry(move |entry| !excluded.iter().any(|path| entry.path() == path));
    let mut out = Vec::new();
    for entry in builder.build().flatten() {
        if !entry.file_type().is_some_and(|kind| kind.is_file()) {
            continue;
        }
        let Ok(below) = entry.path().strip_prefix(root) else { continue };
        let name = below.to_string_lossy().replace('\\', "/");
        if let Some(kind) = sets.kind(&name) {
            out.push((entry.into_path(), name, kind));
        }
    }
    out
}

fn content(path: &Path, name: &str, kind: FileKind, feature: &Feature, finder: &IdFinder) -> Content {
    match std::fs::metadata(path) {
        Ok(about) if about.len() > MOST_BYTES => return Content::TooLarge,
        Ok(_) => {}
        Err(_) => return Content::Unreadable,
    }
    let Ok(bytes) = files::read(path, MOST_BYTES) else { return Content::Unreadable };
    if bytes.iter().take(SNIFFED).any(|byte| *byte == 0) {
        return Content::Binary;
    }
    Content::Text(mentions(&bytes, name, kind, feature, finder))
}

/// The mentions in a file, one for each id and line.
fn mentions(bytes: &[u8], name: &str, kind: FileKind, feature: &Feature, finder: &IdFinder) -> Vec<FileMention> {
    let tests_from = if name.ends_with(".rs") { inline_tests(bytes) } else { bytes.len() };
    if feature.is_of_another(name.as_bytes()) {
        return Vec::new();
    }
    let mut out = Vec::new();
    let mut on_line = BTreeSet::new();
    let (mut line, mut counted, mut line_start) = (1, 0, 0);
    for found in finder.find(bytes) {
        for (at, byte) in bytes[counted..found.start].iter().enumerate() {
            if *byte == b'\n' {
                line += 1;
                on_line.clear();
                line_start = counted + at + 1;
            }
        }
        counted = found.start;
        if !on_line.insert(found.id.clone()) || feature.is_of_another(line_at(bytes, line_start, found.start)) {
            continue;
        }
        let kind = if found.start >= tests_from { FileKind::Tests } else { kind };
        let place = FilePlace { path: name.to_owned(), line };
        out.push(FileMention { id: found.id, is_formal: found.is_formal, kind, place });
    }
    out
}

/// The line that begins at `from` and contains `at`; a very long line is cut to the text around `at`.
fn line_at(bytes: &[u8], from: usize, at: usize) -> &[u8] {
    const NEAR: usize = 300;
    let from = from.max(at.saturating_sub(NEAR));
    let rest = &bytes[at..bytes.len().min(at + NEAR)];
    let end = at + rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len());
    &bytes[from..end]
}

/// The start of the tests at the end of a Rust file, or its length if it has none.
fn inline_tests(bytes: &[u8]) -> usize {
    static TESTS: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"(?m-u)^#\[cfg\(test\)\]\s*(?:#\[[^\n]*\]\s*)*(?:pub )?mod \w+ \{").expect("a constant")
    });
    TESTS.find(bytes).map_or(bytes.len(), |found| found.start())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_tests_code_or_documents() {
        let sets = FileSets::new(&[], &[]).expect("the customs are valid");
        for (path, kind) in [
            ("tests/export.rs", Some(FileKind::Tests)),
            ("web/src/__tests__/label.ts", Some(FileKind::Tests)),
            ("web/src/label.spec.ts", Some(FileKind::Tests)),
            ("pkg/label_test.go", Some(FileKind::Tests)),
            ("app/test_label.py", Some(FileKind::Tests)),
            ("src/test/java/LabelTest.java", Some(FileKind::Tests)),
            ("features/label.feature", Some(FileKind::Tests)),
            ("src/label.rs", Some(FileKind::Code)),
            ("src/latest.rs", Some(FileKind::Code)),
            ("Makefile", Some(FileKind::Code)),
            ("README.md", None),
            ("tests/README.md", None),
            ("docs/api.yaml", None),
        ] {
            assert_eq!(sets.kind(path), kind, "{path}");
        }
        let own = FileSets::new(&["checks/".to_owned(), "**/*.md".to_owned()], &["lib/**".to_owned()]).expect("valid");
        assert_eq!(own.kind("checks/a/b.py"), Some(FileKind::Tests));
        assert_eq!(own.kind("manual/tests.md"), Some(FileKind::Tests));
        assert_eq!(own.kind("lib/a.py"), Some(FileKind::Code));
        assert_eq!(own.kind("tests/a.py"), None);
        assert!(FileSets::new(&["a[".to_owned()], &[]).is_err());
    }

    #[test]
    fn tests_at_the_end_of_a_rust_file_are_tests() {
        let text = b"#[cfg(test)]\nmod tests;\n// FR-001\n#[cfg(test)]\nmod inline {\n    fn fr_001_works() {}\n}\n";
        let finder = IdFinder::new(["FR-001"]);
        let found = mentions(text, "src/a.rs", FileKind::Code, &Feature::default(), &finder);
        let kinds: Vec<_> = found.iter().map(|one| (one.kind, one.place.line)).collect();
        assert_eq!(kinds, [(FileKind::Code, 3), (FileKind::Tests, 6)]);
    }
}
