//! The policy that judges a pull request: the policy of its base branch, with every file that it names taken from there
//! too.

use std::path::{Path, PathBuf};

use super::ActionError;
use super::git::Repository;
use super::pull_request::{in_repository, policy};
use reqgate_rules::config::{self, Consent, Environment, Flags, ValidConfig};

/// Reads the configuration of a commit and writes its files into `folder`. No file is read from the checkout.
///
/// # Errors
/// Fails if a path points outside the repository, if git fails, or if the configuration is not valid.
pub(super) fn base_policy(
    git: &Repository,
    commit: &str,
    folder: &Path,
    variable: impl Fn(&str) -> Option<String> + Copy,
    warn: &mut dyn FnMut(String),
) -> Result<ValidConfig, ActionError> {
    let mut environment = Environment::read(variable).map_err(config::ConfigError)?;
    let roots = roots(variable);
    let inner = |name: &str, path: &Path| in_repository(name, path, &roots);
    let take = |paths: &[&Path]| policy(git, commit, paths, folder);

    let named = environment.config.take().map(|path| inner("REQGATE_CONFIG", &path)).transpose()?;
    let names: Vec<&Path> = match &named {
        Some(named) => vec![named.as_path()],
        None => config::NAMES.iter().map(Path::new).collect(),
    };
    take(&names)?;
    let file = names.iter().map(|name| folder.join(name)).find(|path| path.is_file());
    if named.is_some() && file.is_none() {
        let message =
            "the configuration named by REQGATE_CONFIG is not on the base branch yet: the defaults are in force";
        warn(message.to_owned());
    }
    if let Some(settings) = environment.guardrail_config.take() {
        let settings = inner("GUARDRAIL_CONFIG_PATH", &settings)?;
        take(&[&settings])?;
        environment.guardrail_config = Some(folder.join(settings));
    }

    // Paths that lead outside are checked below against the folders of the repository, not against this copy.
    let flags = Flags { consent: Consent::to_all(), ..Flags::default() };
    let mut config = ValidConfig::resolve(file.as_deref(), &environment, &flags)?;
    let place = |name: &str, path: &mut PathBuf| {
        let written = path.strip_prefix(folder).unwrap_or(path);
        let found = inner(name, written)?;
        take(&[&found])?;
        *path = folder.join(found);
        Ok::<(), ActionError>(())
    };
    for rules in &mut config.rules_folders {
        place("rules_folders", &mut rules.value)?;
    }
    for patterns in &mut config.guardrail.value.pattern_folders {
        place("guardrail.pattern_folders", patterns)?;
    }
    if let Some(team) = &mut config.team_weights {
        place("team_weights", &mut team.value)?;
    }
    // Records decide which rules may block, so records from the request would let it set its own policy.
    place("disputes", &mut config.disputes.value)?;
    Ok(config)
}

/// The folders that may be the root of the checkout.
fn roots(variable: impl Fn(&str) -> Option<String>) -> Vec<PathBuf> {
    let mut roots: Vec<PathBuf> = variable("GITHUB_WORKSPACE").map(PathBuf::from).into_iter().collect();
    roots.extend(std::env::current_dir());
    let real: Vec<PathBuf> = roots.iter().filter_map(|root| std::fs::canonicalize(root).ok()).collect();
    roots.extend(real);
    roots
}
