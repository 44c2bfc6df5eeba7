//! Finds the configuration file of a folder: the nearest one upwards, no further than the root of the repository.

use std::path::{Path, PathBuf};

/// The names under which a configuration is found, the first first.
pub const NAMES: [&str; 3] = [".reqgate.yaml", "reqgate.yaml", ".github/reqgate.yaml"];

/// The configuration in force in `folder`; looks in the folder and in those above it up to the one with `.git`.
pub fn find(folder: &Path) -> Option<PathBuf> {
    for folder in folder.ancestors() {
        if let Some(found) = NAMES.iter().map(|name| folder.join(name)).find(|path| path.is_file()) {
            return Some(found);
        }
        if folder.join(".git").exists() {
            return None;
        }
    }
    None
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
        assert_eq!(find(&deep), None);
        fs::create_dir_all(repository.join(".github")).unwrap();
        fs::write(repository.join(".github/reqgate.yaml"), "").unwrap();
        assert_eq!(find(&deep), Some(repository.join(".github/reqgate.yaml")));
        fs::write(repository.join("docs/reqgate.yaml"), "").unwrap();
        assert_eq!(find(&deep), Some(repository.join("docs/reqgate.yaml")));
    }
}
