//! Reads the YAML files of a user's folder. Links out of it are not followed, and the walk is bounded.

use std::io;
use std::path::{Path, PathBuf};

use super::source_file::{LoadError, SourceFile};
use reqgate_base::files;

/// The deepest folder inside a rules folder.
const DEEPEST: usize = 8;
/// The most files and folders in a rules folder.
const MOST_ENTRIES: usize = 5_000;

/// The YAML files below a user's folder, in the order of their paths.
///
/// # Errors
/// Fails if the folder or a file in it cannot be read, if a link to a folder leads out of it, and if it is too deep or
/// holds too many files.
pub fn user_files(folder: &Path) -> Result<Vec<SourceFile>, LoadError> {
    let real = folder.canonicalize().map_err(read_error(folder))?;
    let mut walk =
        Walk { root: folder, real, is_link: files::is_link_elsewhere(folder), entries: 0, files: Vec::new() };
    walk.folder(folder, 0)?;
    walk.files.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(walk.files)
}

/// A walk through a rules folder.
struct Walk<'p> {
    root: &'p Path,
    /// The folder after all links are resolved.
    real: PathBuf,
    /// The folder itself is a link to another place.
    is_link: bool,
    entries: usize,
    files: Vec<SourceFile>,
}

impl Walk<'_> {
    fn folder(&mut self, folder: &Path, depth: usize) -> Result<(), LoadError> {
        if depth > DEEPEST {
            return Err(refused(folder, &format!("it is more than {DEEPEST} folders deep in the rules folder")));
        }
        for entry in std::fs::read_dir(folder).map_err(read_error(folder))? {
            let path = entry.map_err(read_error(folder))?.path();
            self.entries += 1;
            if self.entries > MOST_ENTRIES {
                let message = format!("it holds more than {MOST_ENTRIES} files: name the folder that holds your rules");
                return Err(refused(self.root, &message));
            }
            if path.is_dir() {
                if path.ends_with(".git") {
                    continue;
                }
                if path.is_symlink() && !path.canonicalize().is_ok_and(|real| real.starts_with(&self.real)) {
                    return Err(refused(&path, "it is a link that leads out of the rules folder: copy the folder"));
                }
                self.folder(&path, depth + 1)?;
            } else if is_yaml(&path) {
                let text = files::text(&path, files::SETTINGS).map_err(read_error(&path))?;
                let relative = path.strip_prefix(self.root).unwrap_or(&path).to_string_lossy().replace('\\', "/");
                let mut file = SourceFile::user(relative, text);
                file.is_hidden = self.is_link || files::is_link_elsewhere(&path);
                self.files.push(file);
            }
        }
        Ok(())
    }
}

fn read_error(path: &Path) -> impl Fn(io::Error) -> LoadError {
    let path = path.to_path_buf();
    move |source| LoadError::Read { path: path.clone(), source }
}

fn refused(path: &Path, message: &str) -> LoadError {
    LoadError::Read { path: path.to_path_buf(), source: io::Error::new(io::ErrorKind::InvalidInput, message) }
}

fn is_yaml(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "yaml" || extension == "yml")
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn folder(files: &[&str]) -> tempfile::TempDir {
        let root = tempfile::tempdir().expect("a folder");
        for file in files {
            let path = root.path().join(file);
            fs::create_dir_all(path.parent().expect("it has one")).expect("works in a fresh folder");
            fs::write(path, "a: 1\n").expect("works in a fresh folder");
        }
        root
    }

    #[test]
    fn depth_and_number_of_files_have_an_end() {
        let deep = folder(&["rules/1/2/3/4/5/6/7/x.yaml"]);
        assert_eq!(user_files(deep.path()).expect("just deep enough").len(), 1);
        let deeper = folder(&["rules/1/2/3/4/5/6/7/8/x.yaml"]);
        let error = user_files(deeper.path()).expect_err("too deep").to_string();
        assert!(error.contains("more than 8 folders deep"), "{error}");
        let many = folder(&["rules/x.yaml"]);
        for number in 0..MOST_ENTRIES {
            fs::write(many.path().join(format!("{number}.txt")), "").expect("works in a fresh folder");
        }
        let error = user_files(many.path()).expect_err("too many").to_string();
        assert!(error.contains("more than 5000 files"), "{error}");
    }

    #[cfg(unix)]
    #[test]
    fn links_are_followed_inside_the_folder_only() {
        use std::os::unix::fs::symlink;
        let (own, other) = (folder(&["rules/x.yaml", "more/y.yaml"]), folder(&["z.yaml"]));
        symlink(own.path().join("more"), own.path().join("rules/more")).expect("a link");
        symlink(own.path().join("more/y.yaml"), own.path().join("rules/y.yaml")).expect("a link");
        let files = user_files(own.path()).expect("nothing leads out");
        let shown: Vec<_> = files.iter().map(|file| (file.path.as_str(), file.is_hidden)).collect();
        let expected =
            [("more/y.yaml", false), ("rules/more/y.yaml", false), ("rules/x.yaml", false), ("rules/y.yaml", true)];
        assert_eq!(shown, expected);
        symlink(other.path(), own.path().join("rules/other")).expect("a link");
        let error = user_files(own.path()).expect_err("it leads out").to_string();
        assert!(error.contains("rules/other: it is a link that leads out"), "{error}");
    }
}
