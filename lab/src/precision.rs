//! Updates the table of rule precision with the findings of a run; figures from other data are kept.

use std::collections::BTreeMap;

use super::result::{Evaluation, Measured};
use super::suite::Suite;
use reqgate_base::model::RuleId;
use reqgate_base::yaml;
use reqgate_rules::{PrecisionFile, Tally};

/// The comment above the table.
const HEAD: &str = "\
# How often each rule was right on labelled text, by where the labels come from (suite/benchmark). Generated, not written:
#   reqgate-lab eval SUITE --write-precision rubrics/precision.yaml
# replaces the rows of the benchmarks that it measures and keeps the others. Rows of `gold` are checked by a test; those of
# other suites rest on data that is not in this repository. A rule below `precision_floor` does not block.
# Rows of `read` were judged by a reader, at most 25 findings of a rule, one per ticket, on 2,711 real issues and tickets; those
# of `missing-actor` and `missing-benefit` by the labels of blind readers. A run leaves them alone.
";

/// The previous table (YAML, empty for none) with the rows of a run in place of the older ones.
///
/// # Errors
/// Fails if the previous table is not valid.
pub fn merged(before: &str, suite: &Suite, evaluation: &Evaluation) -> Result<String, String> {
    let mut rules: BTreeMap<RuleId, BTreeMap<String, Tally>> = if before.trim().is_empty() {
        BTreeMap::new()
    } else {
        let file: PrecisionFile = yaml::read_valid(before).map_err(|error| error.to_string())?;
        file.rules
    };
    for (origin, measured) in counting(suite, evaluation) {
        for origins in rules.values_mut() {
            origins.remove(&origin);
        }
        for (rule, votes) in &measured.rules {
            let tally = Tally { right: votes.right, wrong: votes.wrong };
            rules.entry(rule.clone()).or_default().insert(origin.clone(), tally);
        }
    }
    rules.retain(|_, origins| !origins.is_empty());
    Ok(written(&rules))
}

/// The measured benchmarks whose labels judge rules, each with the name of its origin.
fn counting<'e>(suite: &Suite, evaluation: &'e Evaluation) -> impl Iterator<Item = (String, &'e Measured)> {
    let counts = |id: &str| suite.benchmarks.iter().any(|own| own.id == id && own.counts_for_precision);
    let ids: Vec<&'e Measured> = evaluation.measured().filter(|measured| counts(&measured.id)).collect();
    let name = suite.name.clone();
    ids.into_iter().map(move |measured| (format!("{name}/{}", measured.id), measured))
}

fn written(rules: &BTreeMap<RuleId, BTreeMap<String, Tally>>) -> String {
    let mut text = format!("{HEAD}version: 1\nrules:");
    if rules.is_empty() {
        text.push_str(" {}\n");
        return text;
    }
    text.push('\n');
    for (rule, origins) in rules {
        text.push_str(&format!("  {rule}:\n"));
        for (origin, tally) in origins {
            // A JSON string is a YAML string, with any name of the suite.
            let origin = serde_json::Value::from(origin.as_str());
            text.push_str(&format!("    {origin}: {{ right: {}, wrong: {} }}\n", tally.right, tally.wrong));
        }
    }
    text
}
