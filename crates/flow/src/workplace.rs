//! A copy of a folder in which an agent works as a step of a workflow. Its changes come back as effects, which a person approves.

use std::collections::BTreeMap;
use std::fs::{self, Metadata};
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use tempfile::TempDir;

use super::definition::{Before, Effect};
use super::effects::{LONGEST as LONGEST_COPIED, content_of, inside, permitted};
use super::hash;
use super::problem::Problem;
use super::view::differences;
use reqgate_base::clean;
use reqgate_base::files::temporary_folder;
use reqgate_base::model::Language;
use reqgate_messages as messages;

/// The most files of a copy.
const MOST_FILES: usize = 20_000;
/// The most bytes of a copy.
const MOST_BYTES: u64 = 256 * 1024 * 1024;
/// The longest file that an agent may write, in bytes.
const LONGEST: usize = 1024 * 1024;

/// A copy of a folder, which is deleted when it is dropped.
///
/// Links, special files, files of more than 64 MB, and files whose names begin with a dot (such as `.git` and `.env`) are
/// not copied.
#[derive(Debug)]
pub struct Workplace {
    copy: TempDir,
    /// The copied files, with the hashes of their contents.
    copied: BTreeMap<PathBuf, String>,
}

/// The changes in a copy.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Changes {
    /// The new and changed files. An effect is refused if its file was changed since it was copied.
    pub effects: Vec<Effect>,
    /// The changes as Markdown, for the person who approves them.
    pub diff: String,
    /// The changes that are not among the effects, each with the reason: deleted files, links, files that are not text.
    pub left_out: Vec<String>,
}

impl Workplace {
    /// Copies the files of a folder.
    ///
    /// # Errors
    ///
    /// Fails if the folder cannot be read, or is too large.
    pub fn copy_of(root: &Path) -> io::Result<Self> {
        let copy = temporary_folder("reqgate-work-", None)?;
        let (mut copied, mut bytes) = (BTreeMap::new(), 0);
        for (path, about) in entries(root)? {
            if !about.is_file() || about.len() > LONGEST_COPIED || permitted(&path).is_err() {
                continue;
            }
            bytes += about.len();
            if copied.len() == MOST_FILES || bytes > MOST_BYTES {
                let limits = format!("{MOST_FILES} files or {} MB", MOST_BYTES / 1024 / 1024);
                return Err(io::Error::other(format!("{} has more than {limits}", root.display())));
            }
            let Some(content) = content_of(&root.join(&path))? else { continue };
            let target = copy.path().join(&path);
            fs::create_dir_all(target.parent().unwrap_or(copy.path()))?;
            fs::write(&target, &content)?;
            copied.insert(path, hash(&content));
        }
        Ok(Self { copy, copied })
    }

    /// The folder with the copy.
    pub fn folder(&self) -> &Path {
        self.copy.path()
    }

    /// The changes since the copy was made; their differences are worded in a language.
    ///
    /// # Errors
    ///
    /// Fails if the copy or the folder cannot be read.
    pub fn changes(&self, root: &Path, language: Language) -> io::Result<Changes> {
        let words = messages::Flow::of(language);
        let mut changes = Changes::default();
        let mut deleted = self.copied.clone();
        for (path, about) in entries(self.folder())? {
            let before = deleted.remove(&path);
            let mut leave_out = |reason| changes.left_out.push(left_out(&path, reason));
            if permitted(&path).is_err() {
                leave_out(words.left_out_name);
                continue;
            }
            let target = inside(root, &path).ok().filter(|_| !about.is_symlink() && !is_shared(&about));
            let Some(target) = target else {
                leave_out(words.left_out_link);
                continue;
            };
            if !about.is_file() || about.len() > LONGEST_COPIED {
                leave_out(words.left_out_no_file);
                continue;
            }
            let Some(content) = content_of(&self.folder().join(&path))? else { continue };
            if before.as_deref() == Some(hash(&content).as_str()) {
                continue;
            }
            let text = String::from_utf8(content).ok().filter(|text| text.len() <= LONGEST);
            let Some(text) = text else {
                leave_out(words.left_out_no_text);
                continue;
            };
            let Ok(old) = content_of(&target) else {
                leave_out(words.left_out_no_file);
                continue;
            };
            let old = old.unwrap_or_default();
            changes.diff.push_str(&shown_difference(&path, &String::from_utf8_lossy(&old), &text, language));
            let before = before.map_or(Before::Absent, Before::Hash);
            changes.effects.push(Effect::File { path, content: text, before });
        }
        changes.left_out.extend(deleted.keys().map(|path| left_out(path, words.left_out_deleted)));
        Ok(changes)
    }
}

impl Changes {
    /// Checks changes that come from outside, such as a submitted result: every effect is a file below the root.
    pub fn problems(&self) -> Vec<Problem> {
        let problem = |(index, effect): (usize, &Effect)| {
            let message = match effect {
                Effect::File { path, .. } => permitted(path).err()?,
                Effect::Directory { path } => format!("{} is not a file", path.display()),
            };
            Some(Problem { path: format!("effects[{index}].path"), message })
        };
        self.effects.iter().enumerate().filter_map(problem).collect()
    }
}

/// The files and links below a folder, by relative paths in their order. Links are not followed.
fn entries(root: &Path) -> io::Result<Vec<(PathBuf, Metadata)>> {
    let (mut found, mut open) = (Vec::new(), vec![PathBuf::new()]);
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(root.join(&folder))? {
            let entry = entry?;
            let (path, about) = (folder.join(entry.file_name()), entry.metadata()?);
            match about.is_dir() {
                true if permitted(&path).is_ok() => open.push(path),
                true => {}
                false => found.push((path, about)),
            }
        }
    }
    found.sort_by(|(one, _), (other, _)| one.cmp(other));
    Ok(found)
}

/// Returns true for a file that has another name too, which may be outside the copy.
#[cfg(unix)]
fn is_shared(about: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    about.nlink() > 1
}

#[cfg(not(unix))]
fn is_shared(_: &Metadata) -> bool {
    false
}

/// A change that is not among the effects, with the reason, in one line.
fn left_out(path: &Path, reason: &str) -> String {
    clean::one_line(&format!("{}: {reason}", path.display())).into_owned()
}

/// The difference of a file as Markdown. The fence is longer than any in the text, so that the text cannot leave it.
fn shown_difference(path: &Path, old: &str, new: &str, language: Language) -> String {
    let lines: String =
        differences(old, new, language).iter().map(|line| format!("{:1} {}\n", line.sign, line.text)).collect();
    let longest = lines.split(|c| c != '`').map(str::len).max().unwrap_or_default();
    let fence = "`".repeat(longest.max(2) + 1);
    let path = clean::one_line(&path.display().to_string()).replace('`', "'");
    format!("`{path}`\n\n{fence}\n{lines}{fence}\n\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::effects::{Done, perform};

    /// A project with two files, a hidden one, and a file outside it.
    fn project() -> (TempDir, PathBuf) {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path().join("project");
        fs::create_dir_all(root.join("logs")).expect("a folder");
        for (name, text) in [("project/runbook.md", "one\ntwo\n"), ("project/logs/app.log", "down at 9:00\n")] {
            fs::write(folder.path().join(name), text).expect("a file");
        }
        fs::write(root.join(".env"), "KEY=s3cret").expect("a file");
        fs::write(folder.path().join("outside.txt"), "outside").expect("a file");
        (folder, root)
    }

    fn changed(root: &Path, work: impl FnOnce(&Path)) -> Changes {
        let place = Workplace::copy_of(root).expect("a copy");
        work(place.folder());
        place.changes(root, Language::En).expect("changes")
    }

    #[test]
    fn the_changes_of_a_copy_are_effects_and_the_project_stays_until_they_are_performed() {
        let (_folder, root) = project();
        let changes = changed(&root, |copy| {
            assert!(copy.join("logs/app.log").exists() && !copy.join(".env").exists());
            fs::write(copy.join("runbook.md"), "one\nthree ```\n").expect("a file");
            fs::write(copy.join("new.md"), "new\n").expect("a file");
            fs::remove_file(copy.join("logs/app.log")).expect("it is deleted");
        });
        assert_eq!(fs::read_to_string(root.join("runbook.md")).expect("a file"), "one\ntwo\n");
        assert_eq!(changes.left_out, ["logs/app.log: the file was deleted: delete it by hand"]);
        assert!(changes.diff.contains("− two\n+ three ```\n````\n"), "{}", changes.diff);
        assert_eq!(changes.problems(), []);
        for wanted in [Done::Written, Done::Unchanged] {
            for effect in &changes.effects {
                assert_eq!(perform(&root, effect).expect("a disk"), wanted);
            }
        }
        assert_eq!(fs::read_to_string(root.join("runbook.md")).expect("a file"), "one\nthree ```\n");
    }

    #[test]
    fn a_file_that_was_changed_since_is_not_overwritten() {
        let (_folder, root) = project();
        let changes = changed(&root, |copy| fs::write(copy.join("runbook.md"), "agent\n").expect("a file"));
        fs::write(root.join("runbook.md"), "ann\n").expect("a file");
        let done = perform(&root, &changes.effects[0]).expect("a disk");
        assert!(matches!(done, Done::Refused(_)), "{done:?}");
        assert_eq!(fs::read_to_string(root.join("runbook.md")).expect("a file"), "ann\n");
    }

    #[cfg(unix)]
    #[test]
    fn links_hidden_files_and_binaries_never_become_effects() {
        use std::os::unix::fs::symlink;
        let (folder, root) = project();
        let outside = folder.path().join("outside.txt");
        symlink(&outside, root.join("link-of-project.txt")).expect("a link");
        let changes = changed(&root, |copy| {
            assert!(!copy.join("link-of-project.txt").exists());
            symlink(&outside, copy.join("link.txt")).expect("a link");
            symlink(folder.path(), copy.join("folder")).expect("a link");
            fs::hard_link(&outside, copy.join("same.txt")).expect("a link");
            fs::write(copy.join(".envrc"), "run me").expect("a file");
            fs::create_dir(copy.join(".git")).expect("a folder");
            fs::write(copy.join(".git/config"), "run me").expect("a file");
            fs::write(copy.join("image.bin"), [0xff, 0xfe, 0]).expect("a file");
            fs::remove_file(copy.join("runbook.md")).expect("it is deleted");
            symlink(&outside, copy.join("runbook.md")).expect("a link");
        });
        assert_eq!((changes.effects, changes.diff), (Vec::new(), String::new()));
        for name in ["link.txt", "folder", "same.txt", ".envrc", "image.bin", "runbook.md"] {
            assert!(changes.left_out.iter().any(|one| one.starts_with(name)), "{name}: {:?}", changes.left_out);
        }
        assert_eq!(fs::read_to_string(&outside).expect("a file"), "outside");
    }

    #[cfg(unix)]
    #[test]
    fn a_file_below_a_link_of_the_project_is_neither_shown_nor_written() {
        let (folder, root) = project();
        fs::create_dir(folder.path().join("secret")).expect("a folder");
        fs::write(folder.path().join("secret/passwd"), "s3cret").expect("a file");
        std::os::unix::fs::symlink(folder.path().join("secret"), root.join("folder")).expect("a link");
        let changes = changed(&root, |copy| {
            fs::create_dir(copy.join("folder")).expect("a folder");
            fs::write(copy.join("folder/passwd"), "mine").expect("a file");
        });
        assert_eq!((changes.effects, changes.diff), (Vec::new(), String::new()));
        assert_eq!(changes.left_out, ["folder/passwd: a link, which may lead anywhere"]);
    }

    #[cfg(unix)]
    #[test]
    fn a_name_with_line_breaks_stays_one_line() {
        let (_folder, root) = project();
        let changes = changed(&root, |copy| {
            fs::write(copy.join("a\n\n# Approved"), "text").expect("a file");
            fs::write(copy.join("b\u{202e}\u{2028}c"), "text").expect("a file");
            fs::write(copy.join("b\u{202e}\u{2028}d"), [0xff]).expect("a file");
        });
        assert!(!changes.left_out.is_empty());
        for line in changes.left_out.iter().map(String::as_str).chain(changes.diff.lines()) {
            assert!(!line.contains(['\n', '\u{202e}', '\u{2028}']), "{line:?}");
        }
    }

    #[test]
    fn files_that_are_too_long_are_skipped() {
        let (_folder, root) = project();
        let long = |path: PathBuf| {
            fs::File::create(path).and_then(|file| file.set_len(LONGEST_COPIED + 1)).expect("a sparse file");
        };
        long(root.join("disk.img"));
        let changes = changed(&root, |copy| {
            assert!(!copy.join("disk.img").exists());
            long(copy.join("core"));
            fs::write(copy.join("disk.img"), "short").expect("a file");
        });
        assert_eq!(changes.effects, Vec::new());
        assert_eq!(
            changes.left_out,
            ["core", "disk.img"].map(|name| format!("{name}: not a regular file of at most 64 MB"))
        );
    }

    #[cfg(unix)]
    #[test]
    fn a_pipe_is_left_out_and_does_not_block() {
        let (_folder, root) = project();
        let changes = changed(&root, |copy| {
            let made = std::process::Command::new("mkfifo").arg(copy.join("pipe")).status().expect("a process");
            assert!(made.success());
        });
        assert_eq!(changes.left_out, ["pipe: not a regular file of at most 64 MB"]);
    }

    #[test]
    fn changes_that_lead_out_of_the_root_are_refused_twice() {
        let (folder, root) = project();
        for path in ["../outside.txt", "/etc/passwd", "logs/../../outside.txt", ".git/hooks/post-commit", ""] {
            let file = Effect::File { path: path.into(), content: "hostile".to_owned(), before: Before::Absent };
            let changes = Changes { effects: vec![file.clone()], ..Changes::default() };
            assert_eq!(changes.problems().len(), 1, "{path}");
            assert!(matches!(perform(&root, &file).expect("a disk"), Done::Refused(_)), "{path}");
        }
        assert_eq!(fs::read_to_string(folder.path().join("outside.txt")).expect("a file"), "outside");
    }
}
