//! The folder that a thread writes into. It is stored relative to its store, so that a project can be copied or renamed
//! with its threads. A store may come with files of another person, so its folder is used only if it lies in the same
//! project.

use std::path::{Component, Path, PathBuf};

/// The default folder of a store, below that of the project.
const FOLDER: &str = ".reqgate";

/// The location of a store, from which the folders of its threads are resolved.
#[derive(Debug)]
pub(super) struct Place {
    /// The parent of the store's folder, with links resolved.
    base: PathBuf,
    /// The current folder of the program, with links resolved.
    current: Option<PathBuf>,
    /// The store belongs to one project by its name or its location; it is not shared by several projects.
    is_of_project: bool,
}

impl Place {
    /// The location of the store in `folder`, which has no links in its path.
    pub(super) fn of(folder: &Path) -> Self {
        let base = folder.parent().unwrap_or(folder).to_path_buf();
        let current = std::env::current_dir().and_then(|current| current.canonicalize()).ok();
        let is_of_project = folder.ends_with(FOLDER) || current.as_ref() == Some(&base);
        Self { base, current, is_of_project }
    }

    /// The stored form of a root: relative if one of the two folders contains the other.
    pub(super) fn stored(&self, root: &str) -> String {
        let path = Path::new(root);
        let Ok(real) = path.canonicalize() else { return root.to_owned() };
        if let Ok(below) = real.strip_prefix(&self.base) {
            return if below.as_os_str().is_empty() { ".".to_owned() } else { below.display().to_string() };
        }
        match self.base.strip_prefix(&real) {
            Ok(above) => vec![".."; above.components().count()].join("/"),
            Err(_) => root.to_owned(),
        }
    }

    /// The usable form of a root. A root outside the project of the store belongs to a project that was copied or
    /// renamed, or was chosen by a stranger; the project of the store replaces it.
    pub(super) fn resolved(&self, stored: &str) -> String {
        let path = Path::new(stored);
        let root = if path.is_relative() { plain(&self.base.join(path)) } else { path.to_path_buf() };
        let is_here = |root: &Path| root.canonicalize().is_ok_and(|real| self.has(&real, path.is_relative()));
        let root = if !self.is_of_project || is_here(&root) { &root } else { &self.base };
        root.display().to_string()
    }

    /// Returns true for a folder of the project: the folder of the store or one below it, the current folder, or, if
    /// the root is stored as a relative path, a folder above it in the same repository.
    fn has(&self, root: &Path, is_relative: bool) -> bool {
        let is_above = || {
            let repository = self.base.ancestors().find(|folder| folder.join(".git").exists());
            is_relative && repository.is_some_and(|repository| root.starts_with(repository))
        };
        root.starts_with(&self.base) || self.current.as_deref() == Some(root) || is_above()
    }
}

/// The path with `..` components resolved.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for component in path.components() {
        match component {
            Component::ParentDir => drop(plain.pop()),
            Component::CurDir => {}
            other => plain.push(other),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn made(path: PathBuf) -> PathBuf {
        fs::create_dir_all(&path).expect("works in a fresh folder");
        path.canonicalize().expect("it exists")
    }

    fn text(path: &Path) -> String {
        path.display().to_string()
    }

    #[test]
    fn a_project_that_moves_takes_its_threads_along() {
        let folder = tempfile::tempdir().expect("a folder");
        let old = made(folder.path().join("old/.reqgate"));
        let (old_root, new_root) = (made(folder.path().join("old")), folder.path().join("new"));
        let inner = made(old_root.join("part"));
        let place = Place::of(&old);
        assert_eq!(place.stored(&text(&old_root)), ".");
        assert_eq!(place.stored(&text(&inner)), "part");
        assert_eq!(place.resolved("."), text(&old_root));
        assert_eq!(place.resolved(&text(&inner)), text(&inner));
        fs::rename(&old_root, &new_root).expect("it moves");
        let new_root = new_root.canonicalize().expect("it exists");
        let place = Place::of(&new_root.join(".reqgate"));
        assert_eq!(place.resolved("."), text(&new_root));
        assert_eq!(place.resolved("part"), text(&new_root.join("part")));
        // Threads of an older version have absolute paths.
        assert_eq!(place.resolved(&text(&old_root)), text(&new_root));
        made(old_root.clone());
        assert_eq!(place.resolved(&text(&old_root)), text(&new_root), "also where there is a folder of the old name");
    }

    #[test]
    fn no_store_of_a_project_leads_out_of_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let root = made(folder.path().join("project"));
        let outside = made(folder.path().join("outside"));
        let place = Place::of(&made(root.join(".reqgate")));
        for stored in [text(&outside), "../outside".to_owned(), "..".to_owned(), "/".to_owned(), "no/such".to_owned()] {
            assert_eq!(place.resolved(&stored), text(&root), "{stored}");
        }
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(&outside, root.join("link")).expect("a link");
            assert_eq!(place.resolved("link"), text(&root));
        }
        // Within a repository, the project may be a folder above the store.
        made(root.join(".git"));
        let place = Place::of(&made(root.join("build/.reqgate")));
        assert_eq!(place.stored(&text(&root)), "..");
        assert_eq!(place.resolved(".."), text(&root));
        assert_eq!(place.resolved("../.."), text(&root.join("build")));
    }

    #[test]
    fn a_store_for_several_projects_keeps_their_paths() {
        let folder = tempfile::tempdir().expect("a folder");
        let project = made(folder.path().join("project"));
        let place = Place::of(&made(folder.path().join("shared/state")));
        let stored = place.stored(&text(&project));
        assert_eq!(place.resolved(&stored), text(&project));
        assert_eq!(place.resolved("/no/such/folder"), "/no/such/folder");
    }
}
