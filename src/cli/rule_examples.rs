//! `reqgate rules test`: runs the examples in a folder of rules and facets.

use std::collections::BTreeSet;
use std::path::Path;

use reqgate::clean;
use reqgate::model::{Finding, Genre, RuleId};
use reqgate::pipeline::check_facet_examples;
use reqgate::rules::{self, Detect, Example, FacetFile, Profile, Rule, RuleBook, RuleFile};
use reqgate::stages::scoring::examples::{ExampleFailure, check_rule_examples, findings_in_example};
use reqgate::stages::structuring;
use reqgate::yaml;
use serde::de::DeserializeOwned;

use super::exit::{self, Failure};
use super::session::{Extent, Questions};
use super::{outputs, session};

/// Runs the command: 0 if every example has the expected result, 1 if not.
pub(super) fn run(folder: &Path) -> Result<u8, Failure> {
    let book = session::load_rules(std::iter::once((folder, Questions::Read)), Extent::Teaching)?;
    let own: BTreeSet<RuleId> = own_ids(folder, "rules/", |rule: RuleFile| rule.id)?;
    let own_facets: BTreeSet<String> = own_ids(folder, "facets/", |facet: FacetFile| facet.id)?;
    if own.is_empty() && own_facets.is_empty() {
        let shown = folder.display();
        return Err(Failure::usage(format!(
            "`{shown}` has no rules and no facets: put YAML files into `{shown}/rules` or `{shown}/facets`"
        )));
    }
    let mut text = String::new();
    let mut examples = 0;
    let mut failures = 0;
    for rule in book.rules.iter().filter(|rule| own.contains(&rule.file.id)) {
        examples += rule.file.examples.fires.len() + rule.file.examples.silent.len();
        for failure in check_rule_examples(rule, |rule, example| findings(&book, rule, example)) {
            failures += 1;
            text.push_str(&one_line(&format!("{failure}{}", other_genres(&book, rule, &failure))));
        }
    }
    for facet in book.facets.iter().filter(|facet| own_facets.contains(&facet.file.id)) {
        examples += facet.file.examples.fires.len() + facet.file.examples.silent.len();
        for failure in check_facet_examples(&book, facet) {
            failures += 1;
            text.push_str(&one_line(&failure.to_string()));
        }
    }
    for rule in book.rules.iter().filter(|rule| own.contains(&rule.file.id)) {
        text.push_str(&only_asks(&book, &rule.file));
    }
    let outcome = if failures == 0 { "all passed".to_owned() } else { format!("{failures} failed") };
    let mut what = vec![counted(own.len(), "rule")];
    what.extend((!own_facets.is_empty()).then(|| counted(own_facets.len(), "facet")));
    what.push(counted(examples, "example"));
    text.push_str(&format!("{}: {outcome}\n", what.join(", ")));
    outputs::print(&text)?;
    Ok(if failures == 0 { exit::PASS } else { exit::GATE_SAID_NO })
}

/// Advice about a rule of one's own with the severity of a blocker that policies do not let block; empty for other rules. The policies
/// treat the shipped rules as they do on purpose.
fn only_asks(book: &RuleBook, rule: &RuleFile) -> String {
    if !rule.is_own {
        return String::new();
    }
    let names = |policies: Vec<&str>| policies.iter().map(|id| format!("`{id}`")).collect::<Vec<_>>().join(" and ");
    let silent: Vec<&str> = book.policies_that_only_ask(rule).collect();
    if silent.is_empty() {
        return String::new();
    }
    let id = &rule.id;
    format!(
        "{id}: a BLOCKER that does not block under {}, because `blocks:` there does not name it: to let it block, write \
         `rules: {{{id}: blocker}}` in the configuration\n",
        names(silent)
    )
}

/// The ids of the files in one part of the folder itself; reqgate's own tests cover the shipped ones.
fn own_ids<F: DeserializeOwned, I: Ord>(
    folder: &Path,
    part: &str,
    id: impl Fn(F) -> I,
) -> Result<BTreeSet<I>, Failure> {
    let files = rules::user_files(folder).map_err(Failure::usage)?;
    let files = files.iter().filter(|file| file.path.starts_with(part));
    let parsed = files.map(|file| yaml::read::<F>(&file.text).map(&id));
    // The files were loaded before, so all of them are valid.
    parsed.collect::<Result<_, _>>().map_err(Failure::usage)
}

/// The findings of a rule in one of its examples, read and structured as the example states.
pub(super) fn findings(book: &RuleBook, rule: &Rule, example: &Example) -> Vec<Finding> {
    let profile = example.profile.unwrap_or(Profile::Feature);
    findings_in_example(book, rule, example, |text, reading| structuring::structure(text, reading, profile).facets)
}

/// A possible reason why a rule was silent: the genres of the sentences, if the rule reads none of them.
fn other_genres(book: &RuleBook, rule: &Rule, failure: &ExampleFailure) -> String {
    let (Detect::Terms { genres, .. } | Detect::Patterns { genres, .. }) = &rule.file.detect else {
        return String::new();
    };
    let example = rule.file.examples.fires.iter().find(|example| failure.must_fire && example.text == failure.text);
    let Some(example) = example else { return String::new() };
    let read: BTreeSet<Genre> = match example.genre {
        Some(genre) => BTreeSet::from([genre]),
        None => book.reader.read(&example.text, None).sentences.iter().map(|sentence| sentence.genre).collect(),
    };
    if read.iter().any(|genre| genres.contains(genre)) {
        return String::new();
    }
    let names = |genres: &mut dyn Iterator<Item = &Genre>| {
        genres
            .map(|genre| serde_json::json!(genre).as_str().unwrap_or_default().to_owned())
            .collect::<Vec<_>>()
            .join(", ")
    };
    format!(" (read as {}; the rule reads {})", names(&mut read.iter()), names(&mut genres.iter()))
}

/// A number with its noun, e.g. `1 rule`, `2 rules`.
fn counted(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

/// Joins an example into one line, because examples are whole tickets.
fn one_line(text: &str) -> String {
    clean::words(text) + "\n"
}
