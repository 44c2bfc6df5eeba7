//! `reqgate rules test`: tries the examples of a folder of rules.

use std::collections::BTreeSet;
use std::path::Path;

use reqgate::model::{Finding, RuleId};
use reqgate::rules::{self, Example, Profile, Rule, RuleBook, RuleFile};
use reqgate::stages::scoring::findings::{Context, findings_of};
use reqgate::stages::structuring;

use super::exit::{self, Failure};
use super::{outputs, session};

/// Runs the command: 0 if every example does what its file says, 1 if not.
pub fn run(folder: &Path) -> Result<u8, Failure> {
    let book = session::load_rules(std::iter::once(folder))?;
    let own = own_rules(folder)?;
    if own.is_empty() {
        let shown = folder.display();
        return Err(Failure::usage(format!("`{shown}` has no rules: they are YAML files in `{shown}/rules`")));
    }
    let mut text = String::new();
    let mut examples = 0;
    let mut failures = 0;
    for rule in book.rules.iter().filter(|rule| own.contains(&rule.file.id)) {
        let fires = rule.file.examples.fires.iter().map(|example| (example, true));
        let silent = rule.file.examples.silent.iter().map(|example| (example, false));
        for (example, must_fire) in fires.chain(silent) {
            examples += 1;
            let found = findings(&book, rule, example);
            if found.is_empty() != must_fire {
                continue;
            }
            failures += 1;
            text.push_str(&failure(rule, example, &found));
        }
    }
    let outcome = if failures == 0 { "all as they say".to_owned() } else { format!("{failures} not as they say") };
    text.push_str(&format!("{} rules, {examples} examples: {outcome}\n", own.len()));
    outputs::print(&text)?;
    Ok(if failures == 0 { exit::PASS } else { exit::GATE_SAID_NO })
}

/// The ids of the rules in the folder itself; the shipped ones are tried by reqgate's own tests.
fn own_rules(folder: &Path) -> Result<BTreeSet<RuleId>, Failure> {
    let files = rules::user_files(folder).map_err(Failure::usage)?;
    let rules = files.iter().filter(|file| file.path.starts_with("rules/"));
    let parsed = rules.map(|file| serde_saphyr::from_str::<RuleFile>(&file.text).map(|rule| rule.id));
    // They were loaded before, so that none is broken.
    parsed.collect::<Result<_, _>>().map_err(Failure::usage)
}

/// What a rule finds in one of its examples, read as the example says.
fn findings(book: &RuleBook, rule: &Rule, example: &Example) -> Vec<Finding> {
    let profile = example.profile.unwrap_or(Profile::Feature);
    let mut reading = book.reader.read(&example.text, None);
    if let Some(genre) = example.genre {
        for sentence in &mut reading.sentences {
            sentence.genre = genre;
        }
    }
    let structured = structuring::structure(&example.text, &reading, profile);
    findings_of(rule, Context { text: &example.text, reading: &reading, facets: &structured.facets, profile })
}

fn failure(rule: &Rule, example: &Example, found: &[Finding]) -> String {
    let id = &rule.file.id;
    let text: String = example.text.trim().chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    if found.is_empty() {
        return format!("{id}: should fire, but keeps silent: {text}\n");
    }
    let words = |finding: &Finding| {
        finding.span.map_or("the whole text".to_owned(), |span| format!("`{}`", span.slice(&example.text)))
    };
    let words = found.iter().map(words).collect::<Vec<_>>().join(", ");
    format!("{id}: should keep silent, but fires at {words}: {text}\n")
}
