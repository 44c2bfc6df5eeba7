//! The user's own configuration, in the same folder as those of other programs.

use std::path::Path;

use super::ConfigError;
use super::consent::Consent;
use super::model::Engine;
use super::valid::read_file;

/// Reads the user's own configuration, which holds in all repositories. With `model: {engine: model}` a repository may
/// name a model; `name`, `prompts` and `cache` are the model, the folder with prompts and the folder of cached answers;
/// `search` is the search. All other sections are ignored.
///
/// # Errors
/// Reports all problems of the file; a missing file is not an error.
pub fn consent(file: &Path) -> Result<Consent, ConfigError> {
    if !file.exists() {
        return Ok(Consent::default());
    }
    let written = read_file(file)?;
    let model = written.config.model;
    let folder = file.parent().unwrap_or(Path::new(""));
    let cache = model.cache.map(|cache| match cache.as_str() {
        "off" => cache,
        _ => folder.join(cache).to_string_lossy().into_owned(),
    });
    let mut search = written.config.search;
    search.path = search.path.map(|path| folder.join(path));
    Ok(Consent {
        model: model.engine == Some(Engine::Model),
        name: model.name.filter(|_| model.engine != Some(Engine::Rules)),
        prompts: model.prompts.map(|prompts| folder.join(prompts)),
        cache,
        search,
        ..Consent::default()
    })
}
