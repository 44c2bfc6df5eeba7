//! `reqgate rules new`: writes a commented rule to fill in.

use std::path::PathBuf;

use reqgate::config::Flags;
use reqgate::model::RuleId;

use super::arguments::NewRuleArguments;
use super::exit::{self, Failure};
use super::outputs;
use super::session::{self, Extent};

/// The template of a rule; its id is replaced.
const SKELETON: &str = include_str!("new_rule.yaml");

pub(super) fn run(arguments: &NewRuleArguments) -> Result<u8, Failure> {
    let id = RuleId::new(arguments.id.clone()).map_err(Failure::usage)?;
    let folder = folder(arguments)?;
    if session::load_rules(std::iter::empty(), Extent::Judging)?.rule(&id).is_some() {
        return Err(Failure::usage(format!(
            "`{id}` is a shipped rule, which your rule would replace: choose another id"
        )));
    }
    let path = folder.join("rules").join(format!("{id}.yaml"));
    if path.exists() {
        return Err(Failure::usage(format!("`{}` already exists and was not changed", path.display())));
    }
    if let Some(parent) = path.parent() {
        let failed = |error| Failure::writing(&format!("`{}`", parent.display()), &error);
        std::fs::create_dir_all(parent).map_err(failed)?;
    }
    outputs::write_whole(&path, &SKELETON.replace("my-rule", id.as_str()))?;
    let (path, folder) = (path.display(), folder.display());
    outputs::print(&format!("wrote {path}: fill it in, then run `reqgate rules test {folder}`\n"))?;
    Ok(exit::PASS)
}

/// The folder from the arguments, or else the first one of the configuration.
fn folder(arguments: &NewRuleArguments) -> Result<PathBuf, Failure> {
    if let Some(dir) = &arguments.dir {
        return Ok(dir.clone());
    }
    let config = session::configuration(&arguments.configuration, Flags::default())?;
    let own = config.rules_folders.first().map(|folder| folder.value.clone());
    own.ok_or_else(|| {
        Failure::usage("no rules folder found: name one with --dir, or in `rules_folders` of the configuration")
    })
}

#[cfg(test)]
mod tests {
    use reqgate::model::Genre;
    use reqgate::rules::{self, SourceFile};
    use reqgate::stages::scoring::examples::check_rule_examples;

    use super::super::rule_examples;
    use super::*;

    fn failures(text: &str) -> usize {
        let mut files = rules::shipped_files();
        files.push(SourceFile::user("rules/my-rule.yaml".to_owned(), text.to_owned()));
        let book = rules::load(&files).expect("a skeleton is a valid rule");
        let rule = book.rule(&RuleId::new("my-rule").expect("an id")).expect("it was loaded");
        check_rule_examples(rule, |rule, example| rule_examples::findings(&book, rule, example)).len()
    }

    #[test]
    fn a_skeleton_names_every_kind_of_sentence() {
        for genre in Genre::ALL {
            let name = serde_json::to_value(genre).expect("a genre has a name");
            let name = name.as_str().expect("it is a text");
            assert!(SKELETON.contains(&format!(" {name},")) || SKELETON.contains(&format!(" {name}.")), "{name}");
        }
    }

    #[test]
    fn a_skeleton_passes_once_it_is_filled_in() {
        assert_eq!(failures(SKELETON), 1, "the sentence to fill in is told");
        let filled = SKELETON
            .replace("\"WORD\"", "\"automagically\"")
            .replace("FILL IN A SENTENCE THAT IS WRONG.", "The list is sorted automagically.")
            .replace("FILL IN A SENTENCE THAT IS RIGHT.", "The list is sorted by date.");
        assert_eq!(failures(&filled), 0);
    }
}
