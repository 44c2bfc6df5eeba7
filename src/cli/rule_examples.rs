//! `reqgate rules test`: tries the examples of a folder of rules.

use std::collections::BTreeSet;
use std::path::Path;

use reqgate::model::{Finding, RuleId};
use reqgate::rules::{self, Example, Profile, Rule, RuleBook, RuleFile};
use reqgate::stages::scoring::examples::{check_rule_examples, findings_in_example};
use reqgate::stages::structuring;
use reqgate::yaml;

use super::exit::{self, Failure};
use super::session::Extent;
use super::{outputs, session};

/// Runs the command: 0 if every example does what its file says, 1 if not.
pub fn run(folder: &Path) -> Result<u8, Failure> {
    let book = session::load_rules(std::iter::once(folder), Extent::Teaching)?;
    let own = own_rules(folder)?;
    if own.is_empty() {
        let shown = folder.display();
        return Err(Failure::usage(format!("`{shown}` has no rules: they are YAML files in `{shown}/rules`")));
    }
    let mut text = String::new();
    let mut examples = 0;
    let mut failures = 0;
    for rule in book.rules.iter().filter(|rule| own.contains(&rule.file.id)) {
        examples += rule.file.examples.fires.len() + rule.file.examples.silent.len();
        for failure in check_rule_examples(rule, |rule, example| findings(&book, rule, example)) {
            failures += 1;
            text.push_str(&one_line(&failure.to_string()));
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
    let parsed = rules.map(|file| yaml::read::<RuleFile>(&file.text).map(|rule| rule.id));
    // They were loaded before, so that none is broken.
    parsed.collect::<Result<_, _>>().map_err(Failure::usage)
}

/// What a rule finds in one of its examples, read and structured as the example says.
fn findings(book: &RuleBook, rule: &Rule, example: &Example) -> Vec<Finding> {
    let profile = example.profile.unwrap_or(Profile::Feature);
    findings_in_example(book, rule, example, |text, reading| structuring::structure(text, reading, profile).facets)
}

/// Examples are whole tickets; a list of failures wants one line each.
fn one_line(text: &str) -> String {
    let mut line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    line.retain(|c| !c.is_control());
    line.push('\n');
    line
}
