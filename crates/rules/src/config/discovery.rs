//! Finds the configuration file of a folder: the nearest one upwards, no further than the root of the repository.
//!
//! A file above the current folder is used without being named, so its owner must be trusted: on Unix, the user who
//! runs the program, the owner of the current folder, or root.

use std::path::{Component, Path, PathBuf};

/// The names of a configuration file, in order of preference.
pub const NAMES: [&str; 3] = [".reqgate.yaml", "reqgate.yaml", ".github/reqgate.yaml"];

/// The files found from a folder upwards.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FoundFiles {
    /// The configuration in force, if a trusted one was found.
    pub file: Option<PathBuf>,
    /// Files on the way that belong to other users; they are not read.
    pub foreign: Vec<PathBuf>,
}

/// Finds the configuration in force in `folder`. It looks in the folder and in those above it, up to the one with `.git`.
pub fn find(folder: &Path) -> FoundFiles {
    let trusted = Trusted::of(folder);
    let mut found = FoundFiles::default();
    for above in folder.ancestors() {
        for path in NAMES.iter().map(|name| above.join(name)).filter(|path| path.is_file()) {
            if trusted.owns(&path) {
                found.file = Some(path);
                return found;
            }
            found.foreign.push(path);
        }
        if above.join(".git").exists() {
            break;
        }
    }
    found
}

/// Returns true if a path in the configuration `file` points outside the repository of the file: out of the folder with
/// `.git` at or above it, or else out of the folder with the file. Existing links are followed.
pub fn leads_out(file: &Path, path: &Path) -> bool {
    let Ok(file) = std::path::absolute(file) else { return true };
    let Some(own) = file.parent() else { return true };
    // `.github/reqgate.yaml` belongs to the folder above `.github`.
    let own = own.parent().filter(|_| own.ends_with(".github")).unwrap_or(own);
    let root = own.ancestors().find(|folder| folder.join(".git").exists()).unwrap_or(own);
    let Ok(path) = std::path::absolute(path) else { return true };
    let mut plain = PathBuf::new();
    for component in path.components() {
        match component {
            Component::ParentDir => {
                plain.pop();
            }
            other => plain.push(other),
        }
    }
    let there = plain.ancestors().find_map(|path| path.canonicalize().ok());
    let real_root = root.canonicalize();
    let is_inside = |path: &Path| path.starts_with(root) || real_root.as_ref().is_ok_and(|root| path.starts_with(root));
    !is_inside(&plain) || !there.is_some_and(|there| is_inside(&there))
}

/// The users whose configuration files are read.
struct Trusted {
    #[cfg(unix)]
    users: Vec<u32>,
}

#[cfg(unix)]
impl Trusted {
    fn of(folder: &Path) -> Self {
        use std::os::unix::fs::MetadataExt;
        let owner = |path: &Path| std::fs::metadata(path).ok().map(|about| about.uid());
        // A process owns its entry in `/proc`; without `/proc`, a user owns their home folder.
        let own = owner(Path::new("/proc/self")).or_else(|| owner(Path::new(&std::env::var_os("HOME")?)));
        Self { users: [Some(0), own, owner(folder)].into_iter().flatten().collect() }
    }

    /// Returns true if both a link and its target belong to trusted users.
    fn owns(&self, path: &Path) -> bool {
        use std::os::unix::fs::MetadataExt;
        let is_theirs =
            |about: std::io::Result<std::fs::Metadata>| about.is_ok_and(|about| self.users.contains(&about.uid()));
        is_theirs(std::fs::symlink_metadata(path)) && is_theirs(std::fs::metadata(path))
    }
}

#[cfg(not(unix))]
impl Trusted {
    fn of(_: &Path) -> Self {
        Self {}
    }

    fn owns(&self, _: &Path) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn the_nearest_file_wins_and_the_search_ends_at_the_repository() {
        let root = tempfile::tempdir().unwrap();
        let repository = root.path().join("repository");
        let deep = repository.join("docs/prd");
        fs::create_dir_all(&deep).unwrap();
        fs::create_dir_all(repository.join(".git")).unwrap();
        fs::write(root.path().join(".reqgate.yaml"), "").unwrap();
        assert_eq!(find(&deep), FoundFiles::default());
        fs::create_dir_all(repository.join(".github")).unwrap();
        fs::write(repository.join(".github/reqgate.yaml"), "").unwrap();
        assert_eq!(find(&deep).file, Some(repository.join(".github/reqgate.yaml")));
        fs::write(repository.join("docs/reqgate.yaml"), "").unwrap();
        assert_eq!(find(&deep).file, Some(repository.join("docs/reqgate.yaml")));
    }

    #[cfg(unix)]
    #[test]
    fn file_of_somebody_else_governs_nobody() {
        use std::os::unix::fs::chown;
        let root = tempfile::tempdir().unwrap();
        let deep = root.path().join("work/docs");
        fs::create_dir_all(&deep).unwrap();
        let (foreign, own) = (root.path().join("work/.reqgate.yaml"), root.path().join(".reqgate.yaml"));
        fs::write(&foreign, "").unwrap();
        fs::write(&own, "").unwrap();
        assert_eq!(find(&deep).file, Some(foreign.clone()));
        if let Err(error) = chown(&foreign, Some(12_345), None) {
            // Only root may change the owner of a file.
            assert_eq!(error.kind(), std::io::ErrorKind::PermissionDenied, "{error}");
            println!("not shown here: only root can give a file to another user");
            return;
        }
        assert_eq!(find(&deep), FoundFiles { file: Some(own.clone()), foreign: vec![foreign.clone()] });
        std::os::unix::fs::symlink(&own, root.path().join("work/reqgate.yaml")).unwrap();
        std::os::unix::fs::lchown(root.path().join("work/reqgate.yaml"), Some(12_345), None).unwrap();
        assert_eq!(find(&deep).file, Some(own));
        // A checkout may belong to another user as a whole, for example in a container.
        chown(&deep, Some(12_345), None).unwrap();
        assert_eq!(find(&deep).file, Some(foreign));
    }

    #[test]
    fn path_leads_out_by_its_words_and_by_its_links() {
        let root = tempfile::tempdir().unwrap();
        let repository = root.path().join("repository");
        fs::create_dir_all(repository.join(".git")).unwrap();
        fs::create_dir_all(repository.join("docs")).unwrap();
        let file = repository.join("docs/.reqgate.yaml");
        for (path, leads) in [
            ("repository/docs/cache", false),
            ("repository/docs/../cache/a", false),
            ("repository/docs/../../cache", true),
            ("cache", true),
            ("repositories", true),
        ] {
            assert_eq!(leads_out(&file, &root.path().join(path)), leads, "{path}");
        }
        fs::create_dir_all(root.path().join("alone/.github")).unwrap();
        let alone = root.path().join("alone/.github/reqgate.yaml");
        assert!(!leads_out(&alone, &root.path().join("alone/cache")));
        assert!(leads_out(&alone, &root.path().join("cache")));
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(root.path(), repository.join("out")).unwrap();
            assert!(leads_out(&file, &repository.join("out/cache")));
        }
    }
}
