//! Finds the files that the arguments name: paths, folders and patterns, in a fixed order, without reading them.

use std::collections::HashSet;
use std::io;
use std::path::{Path, PathBuf};

use globset::{GlobBuilder, GlobMatcher};
use ignore::{DirEntry, Walk, WalkBuilder};

use super::{IntakeError, IntakeOptions};
use reqgate_base::clean;

/// A source to read.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Place {
    /// Standard input, given as the argument `-`.
    StandardInput,
    /// A file on disk.
    File {
        /// The path as reached from the argument.
        path: PathBuf,
        /// The reason why the file is read.
        met: Met,
    },
}

/// The reason why a file is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Met {
    /// Its name or a pattern for it was given, so its content is meant as an input.
    Named,
    /// It is in a folder that was given, so it may be unrelated to tickets.
    InFolder,
}

type Places = Box<dyn Iterator<Item = Result<Place, IntakeError>> + Send>;

/// The places that the arguments name, each once, in the order of the arguments and sorted within each.
pub(super) fn places(
    arguments: &[String],
    options: &IntakeOptions,
) -> impl Iterator<Item = Result<Place, IntakeError>> + Send + use<> {
    let extensions: Vec<String> =
        options.extensions.iter().map(|name| name.trim_start_matches('.').to_ascii_lowercase()).collect();
    // The walk of a single argument never reaches a file twice, so it needs no memory of the files.
    let mut seen = (arguments.len() > 1).then(HashSet::new);
    let owned: Vec<String> = arguments.to_vec();
    let places = owned.into_iter().flat_map(move |argument| places_of(&argument, &extensions));
    places.filter(move |place| match (place, &mut seen) {
        (Ok(Place::File { path, .. }), Some(seen)) => seen.insert(path.clone()),
        _ => true,
    })
}

/// A path as it is shown: without a leading `./`, with `/` between its parts and without control characters.
pub(super) fn shown(path: &Path) -> String {
    let text = path.to_string_lossy();
    let text = if cfg!(windows) { text.replace('\\', "/") } else { text.into_owned() };
    let text = text.strip_prefix("./").unwrap_or(&text);
    clean::one_line(text).into_owned()
}

fn places_of(argument: &str, extensions: &[String]) -> Places {
    if argument == "-" {
        return one(Ok(Place::StandardInput));
    }
    let path = Path::new(argument);
    match path.metadata() {
        Ok(metadata) if metadata.is_dir() => folder(path, extensions),
        Ok(_) => one(Ok(Place::File { path: without_dot(path), met: Met::Named })),
        Err(_) if argument.contains(['*', '?', '[', '{']) => pattern(argument, extensions),
        Err(error) => {
            let name = shown(path);
            one(Err(match error.kind() {
                io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => IntakeError::Missing { name },
                _ => IntakeError::Unreadable { name, source: error },
            }))
        }
    }
}

fn one(place: Result<Place, IntakeError>) -> Places {
    Box::new(std::iter::once(place))
}

fn without_dot(path: &Path) -> PathBuf {
    path.strip_prefix(".").unwrap_or(path).to_owned()
}

fn folder(path: &Path, extensions: &[String]) -> Places {
    let walk = builder(path).build();
    let is_read = Selects { pattern: None, extensions: Some(extensions.to_vec()) };
    let list: Vec<String> = extensions.iter().map(|name| format!(".{name}")).collect();
    let nothing = IntakeError::EmptyFolder { name: shown(path), extensions: list.join(" ") };
    Box::new(WalkedFiles { walk, name: shown(path), is_read, met: Met::InFolder, nothing: Some(nothing) })
}

fn pattern(argument: &str, extensions: &[String]) -> Places {
    let argument = argument.strip_prefix("./").unwrap_or(argument);
    let name = shown(Path::new(argument));
    let matcher = match GlobBuilder::new(argument).literal_separator(true).build() {
        Ok(glob) => glob.compile_matcher(),
        Err(error) => return one(Err(IntakeError::Pattern { name, reason: error.kind().to_string() })),
    };
    let (base, rest) = split_pattern(argument);
    let nothing = IntakeError::NoMatch { name: name.clone() };
    if !base.is_dir() {
        return one(Err(nothing));
    }
    let mut builder = builder(&base);
    if !rest.contains("**") && !rest.contains('{') {
        builder.max_depth(Some(rest.split('/').count()));
    }
    builder.hidden(!rest.starts_with('.') && !rest.contains("/."));
    // `docs/**` means the same as the folder `docs`; `docs/*.log` names its extension.
    let last = rest.rsplit('/').next().unwrap_or(&rest);
    let names_extension = last.rsplit_once('.').is_some_and(|(_, extension)| extension != "*");
    let extensions = (!names_extension).then(|| extensions.to_vec());
    let met = if names_extension { Met::Named } else { Met::InFolder };
    let is_read = Selects { pattern: Some(matcher), extensions };
    Box::new(WalkedFiles { walk: builder.build(), name, is_read, met, nothing: Some(nothing) })
}

/// The folder that contains every match, and the part of the pattern below it.
fn split_pattern(pattern: &str) -> (PathBuf, String) {
    let is_literal = |part: &&str| !part.contains(['*', '?', '[', '{', '\\']);
    let parts: Vec<&str> = pattern.split('/').collect();
    let count = parts.iter().take_while(|part| is_literal(part)).count().min(parts.len() - 1);
    let base = match parts[..count].join("/").as_str() {
        "" if count > 0 => PathBuf::from("/"),
        "" => PathBuf::from("."),
        base => PathBuf::from(base),
    };
    (base, parts[count..].join("/"))
}

/// A walk in a fixed order that depends only on the folder: no global or per-clone ignore files, links not followed.
fn builder(path: &Path) -> WalkBuilder {
    let mut builder = WalkBuilder::new(path);
    builder.require_git(false).git_global(false).git_exclude(false).follow_links(false);
    builder.sort_by_file_name(Ord::cmp);
    builder
}

/// Returns true if the walk of a folder reads this file below it. Only the folders on the way are listed.
pub(super) fn is_read(root: &Path, file: &Path, extensions: &[String]) -> bool {
    let selects = Selects { pattern: None, extensions: Some(extensions.to_vec()) };
    let path = root.join(file);
    let target = path.clone();
    let mut builder = builder(root);
    builder.filter_entry(move |entry| target.starts_with(entry.path()));
    let is_it = |entry: DirEntry| entry.path() == path && entry.file_type().is_some_and(|kind| kind.is_file());
    selects.fits(&path) && builder.build().flatten().any(is_it)
}

/// Selects the files of a walk that are read.
struct Selects {
    pattern: Option<GlobMatcher>,
    extensions: Option<Vec<String>>,
}

impl Selects {
    fn fits(&self, path: &Path) -> bool {
        let extension = path.extension().and_then(|name| name.to_str()).map(str::to_ascii_lowercase);
        let is_listed = |listed: &Vec<String>| extension.as_ref().is_some_and(|name| listed.contains(name));
        self.pattern.as_ref().is_none_or(|pattern| pattern.is_match(path))
            && self.extensions.as_ref().is_none_or(is_listed)
    }
}

/// The files that a walk finds; an error if it finds none.
struct WalkedFiles {
    walk: Walk,
    name: String,
    is_read: Selects,
    met: Met,
    /// The error for an empty result, removed after the first item.
    nothing: Option<IntakeError>,
}

impl Iterator for WalkedFiles {
    type Item = Result<Place, IntakeError>;

    fn next(&mut self) -> Option<Self::Item> {
        let is_file = |entry: &DirEntry| entry.file_type().is_some_and(|kind| kind.is_file());
        for entry in self.walk.by_ref() {
            match entry {
                Ok(entry) if is_file(&entry) => {
                    let path = without_dot(entry.path());
                    if self.is_read.fits(&path) {
                        self.nothing = None;
                        return Some(Ok(Place::File { path, met: self.met }));
                    }
                }
                Ok(_) => {}
                Err(source) => {
                    self.nothing = None;
                    return Some(Err(IntakeError::Walk { name: self.name.clone(), source }));
                }
            }
        }
        self.nothing.take().map(Err)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn found(root: &Path, arguments: &[&str]) -> Vec<String> {
        let arguments: Vec<String> = arguments.iter().map(|name| root.join(name).display().to_string()).collect();
        let shorten = |text: String| text.replace(&format!("{}/", root.display()), "");
        places(&arguments, &IntakeOptions::default())
            .map(|place| match place {
                Ok(Place::File { path, .. }) => shorten(shown(&path)),
                Ok(Place::StandardInput) => "-".to_owned(),
                Err(error) => shorten(error.to_string()),
            })
            .collect()
    }

    fn tree() -> tempfile::TempDir {
        let root = tempfile::tempdir().expect("a folder");
        for name in
            ["b.md", "a.TXT", "sub/c.json", "sub/deep/d.md", "sub/pic.png", ".hidden.md", "drafts/e.md", "x[1].md"]
        {
            let path = root.path().join(name);
            fs::create_dir_all(path.parent().expect("a parent")).expect("works in a fresh folder");
            fs::write(path, "text").expect("works in a fresh folder");
        }
        fs::write(root.path().join(".gitignore"), "drafts/\n").expect("works in a fresh folder");
        root
    }

    #[test]
    fn folder_is_read_sorted_without_hidden_ignored_and_unlisted_files() {
        let root = tree();
        assert_eq!(found(root.path(), &["."]), ["./a.TXT", "./b.md", "./sub/c.json", "./sub/deep/d.md", "./x[1].md"]);
    }

    #[test]
    fn one_file_is_read_if_the_walk_of_its_folder_reads_it() {
        let root = tree();
        let options = IntakeOptions::default();
        for (name, expected) in [
            ("b.md", true),
            ("a.TXT", true),
            ("sub/deep/d.md", true),
            ("sub/pic.png", false),
            (".hidden.md", false),
            ("drafts/e.md", false),
            ("sub", false),
            ("gone.md", false),
            ("../b.md", false),
        ] {
            assert_eq!(is_read(root.path(), Path::new(name), &options.extensions), expected, "{name}");
        }
    }

    #[test]
    fn patterns_match_one_or_all_levels() {
        let root = tree();
        assert_eq!(found(root.path(), &["*.md"]), ["b.md", "x[1].md"]);
        assert_eq!(found(root.path(), &["**/*.md"]), ["b.md", "sub/deep/d.md", "x[1].md"]);
        assert_eq!(found(root.path(), &["sub/*.{json,png}"]), ["sub/c.json", "sub/pic.png"]);
        assert_eq!(found(root.path(), &["sub/**"]), ["sub/c.json", "sub/deep/d.md"]);
        assert_eq!(found(root.path(), &["drafts/*.md"]), ["drafts/e.md"]);
        assert_eq!(found(root.path(), &[".h*.md"]), [".hidden.md"]);
    }

    #[test]
    fn file_whose_name_looks_like_a_pattern_is_a_file() {
        let root = tree();
        assert_eq!(found(root.path(), &["x[1].md"]), ["x[1].md"]);
    }

    #[test]
    fn file_named_twice_is_read_once() {
        let root = tree();
        assert_eq!(found(root.path(), &["b.md", "*.md", "b.md"]), ["b.md", "x[1].md"]);
    }

    #[test]
    fn finding_nothing_is_an_error() {
        let root = tree();
        fs::create_dir(root.path().join("empty")).expect("works in a fresh folder");
        for (argument, words) in [
            ("gone.md", "`gone.md` does not exist"),
            ("b.md/x", "`b.md/x` does not exist"),
            ("*.rst", "no file matches `*.rst`"),
            ("nowhere/*.md", "no file matches `nowhere/*.md`"),
            ("a[", "the pattern `a[` cannot be read"),
            ("empty", "no file to read"),
        ] {
            let found = found(root.path(), &[argument]);
            assert_eq!(found.len(), 1, "{found:?}");
            assert!(found[0].replace(&root.path().display().to_string(), "").contains(words), "{found:?}");
        }
    }

    #[test]
    fn ignored_folder_that_is_named_is_read() {
        let root = tree();
        assert_eq!(found(root.path(), &["drafts"]), ["drafts/e.md"]);
    }

    #[test]
    fn shown_path_has_no_dot_and_no_control_characters() {
        assert_eq!(shown(Path::new("./a\u{1b}[31m\n.md")), "a .md");
    }

    #[test]
    fn base_of_a_pattern_is_its_literal_head() {
        for (pattern, base, rest) in
            [("*.md", ".", "*.md"), ("a/b/*.md", "a/b", "*.md"), ("/*.md", "/", "*.md"), ("a/**/c.md", "a", "**/c.md")]
        {
            assert_eq!(split_pattern(pattern), (PathBuf::from(base), rest.to_owned()));
        }
    }
}
