//! Disputed and confirmed findings: one row each, without personal data, counted in the precision of their rule.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use reqgate_base::model::{Fingerprint, Language, RuleId, Severity};
use reqgate_base::yaml;

use crate::Tally;

/// Name and version of a row.
pub const DISPUTE_SCHEMA: &str = "reqgate/dispute/v1";

/// A person's judgement of a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Judgement {
    /// The finding is right.
    Right,
    /// The finding is wrong.
    Wrong,
}

/// One labelled finding.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Dispute {
    /// Always `reqgate/dispute/v1`.
    pub schema: String,
    /// The finding.
    pub fingerprint: Fingerprint,
    /// Its rule.
    pub rule: RuleId,
    /// The severity of the finding.
    pub severity: Severity,
    /// The judgement of the finding.
    pub label: Judgement,
    /// The reason; personal data and secrets masked.
    pub because: String,
    /// The words that it is about, personal data and secrets masked; null for something missing.
    pub quote: Option<String>,
    /// Name of the input; personal data masked.
    pub input: String,
    /// Language of the input.
    pub language: Language,
    /// Rubric that was applied, with its version.
    pub rubric: Option<String>,
}

/// A file of disputes that cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("line {line}: {message}")]
pub struct DisputeError {
    /// The line, from 1.
    pub line: usize,
    /// The description of the fault.
    pub message: String,
}

/// Reads the rows of a file.
///
/// # Errors
/// Fails on the first line that is not a row of this version.
pub fn read(text: &str) -> Result<Vec<Dispute>, DisputeError> {
    let lines = text.trim_start_matches('\u{feff}').lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let row = |(at, line): (usize, &str)| {
        let error = |message: String| DisputeError { line: at + 1, message };
        let row: Dispute = serde_json::from_str(line).map_err(|problem| {
            let faults = yaml::read::<Dispute>(line).err().map(|unusable| unusable.0);
            let first = faults.and_then(|faults| faults.into_iter().next());
            let why = first.map_or_else(|| problem.to_string(), |fault| fault.message);
            error(format!("{why}; write rows with `reqgate-lab dispute`, or delete the line"))
        })?;
        if row.schema != DISPUTE_SCHEMA {
            return Err(error(format!("this is a `{}`, not a `{DISPUTE_SCHEMA}`", row.schema)));
        }
        Ok(row)
    };
    lines.map(row).collect()
}

/// Counts how often each rule was right and wrong. Only the last row on a finding counts. A finding about missing information has
/// the same fingerprint in every text, so findings are also distinguished by their input.
pub fn tallies(rows: &[Dispute]) -> BTreeMap<RuleId, Tally> {
    let mut last: BTreeMap<(&RuleId, &str, &str), Judgement> = BTreeMap::new();
    for row in rows {
        last.insert((&row.rule, row.fingerprint.0.as_str(), row.input.as_str()), row.label);
    }
    let mut tallies: BTreeMap<RuleId, Tally> = BTreeMap::new();
    for ((rule, ..), label) in last {
        let tally = tallies.entry(rule.clone()).or_default();
        match label {
            Judgement::Right => tally.right += 1,
            Judgement::Wrong => tally.wrong += 1,
        }
    }
    tallies
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dispute(rule: &str, fingerprint: &str, label: Judgement) -> Dispute {
        Dispute {
            schema: DISPUTE_SCHEMA.to_owned(),
            fingerprint: Fingerprint(fingerprint.to_owned()),
            rule: RuleId::new(rule).expect("an id"),
            severity: Severity::Warning,
            label,
            because: "it is in our glossary".to_owned(),
            quote: None,
            input: "t.md".to_owned(),
            language: Language::En,
            rubric: None,
        }
    }

    #[test]
    fn the_last_word_on_a_finding_counts_once() {
        let rows = [
            dispute("vague-term", "0000000000000001", Judgement::Wrong),
            dispute("vague-term", "0000000000000001", Judgement::Wrong),
            dispute("vague-term", "0000000000000002", Judgement::Wrong),
            dispute("vague-term", "0000000000000002", Judgement::Right),
            dispute("open-point", "0000000000000003", Judgement::Right),
        ];
        let text: String = rows.iter().map(|row| format!("{}\n", serde_json::to_string(row).expect("JSON"))).collect();
        let tallies = tallies(&read(&text).expect("rows"));
        let of = |rule: &str| tallies[&RuleId::new(rule).expect("an id")];
        assert_eq!(of("vague-term"), Tally { right: 1, wrong: 1 });
        assert_eq!(of("open-point"), Tally { right: 1, wrong: 0 });
    }

    #[test]
    fn a_line_that_is_no_row_is_named() {
        let error = read("\n{\"schema\": 3}\n").expect_err("broken");
        assert_eq!(error.line, 2);
        let mut other = dispute("vague-term", "0000000000000001", Judgement::Wrong);
        other.schema = "reqgate/dispute/v9".to_owned();
        let line = serde_json::to_string(&other).expect("JSON");
        assert!(read(&line).expect_err("another version").message.contains("v9"));
    }
}
