//! Keeps the paths in a configuration file inside the repository of the file: a run must not write outside, nor show
//! files from outside.

use std::path::{Path, PathBuf};

use super::discovery::leads_out;
use super::setting::Origin;
use super::valid::{ValidConfig, Written};
use super::{ConfigError, Problem};

impl ValidConfig {
    /// Refuses a file that names a path outside its repository. A path that the command line or the environment replaces does not
    /// count.
    pub(super) fn stay_inside(&self, written: &Written) -> Result<(), ConfigError> {
        let config = &written.config;
        let place = |keys: &[&str]| written.origin(keys).unwrap_or(Origin::Default);
        let of_file = |origin: &Origin| matches!(origin, Origin::File(_));
        let mut problems: Vec<Problem> = Vec::new();
        let mut check = |keys: &[&str], path: &Path, remedy: &str| {
            if leads_out(&written.path, path) {
                let message = format!("`{}` points outside the repository: {remedy}", keys.join("."));
                problems.push(self.problem(&place(keys), message));
            }
        };
        for (at, folder) in config.rules_folders.iter().enumerate() {
            let keys = ["rules_folders", &at.to_string()];
            check(&keys, &written.folder().join(folder), "name a folder inside it, or add --rules");
        }
        if let Some(file) = &self.team_weights {
            check(&["team_weights"], &file.value, "name a file inside it");
        }
        if config.disputes.is_some() {
            check(&["disputes"], &self.disputes.value, "name a file inside it");
        }
        for (at, folder) in self.guardrail.value.pattern_folders.iter().enumerate() {
            if of_file(&self.guardrail.origin) {
                let keys = ["guardrail", "pattern_folders", &at.to_string()];
                check(&keys, folder, "name a folder inside it, or set GUARDRAIL_CONFIG_PATH");
            }
        }
        let settings = &self.model.settings;
        let prompts = config.model.prompts.as_ref().map(|folder| written.folder().join(folder));
        if let Some(folder) = prompts.filter(|folder| settings.prompts.as_ref().is_none_or(|used| used == folder)) {
            check(&["model", "prompts"], &folder, "name a folder inside it, or add --prompts");
        }
        let cache = config.model.cache.as_deref().filter(|cache| *cache != "off");
        let cache = cache.map(|cache| written.folder().join(cache));
        if let Some(folder) = cache.filter(|folder: &PathBuf| settings.cache.as_deref() == folder.to_str()) {
            check(&["model", "cache"], &folder, "name a folder inside it, or set REQGATE_CACHE");
        }
        let searched = self.search.path.value.as_deref().filter(|_| of_file(&self.search.path.origin));
        if let Some(folder) = searched {
            check(&["search", "path"], folder, "name a folder inside it, or set REQGATE_SEARCH_PATH");
        }
        if problems.is_empty() { Ok(()) } else { Err(ConfigError(problems)) }
    }
}
