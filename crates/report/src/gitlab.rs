//! Writes a report for GitLab's Code Quality: an array of findings, which merge requests compare with their target branch.

use std::collections::HashMap;
use std::io::{self, Write};

use serde::Serialize;

use super::json::ArrayStream;
use super::place::relative;
use super::remarks::{Level, Remark, SECRET, remarks_with_verdict};
use super::{InputError, Reporter, Summary};
use reqgate_base::hash::Hash;
use reqgate_base::model::Outcome;

/// Writes the report finding by finding.
pub(super) struct GitlabReporter<'a> {
    out: Box<dyn Write + 'a>,
    findings: ArrayStream,
    /// The number of findings so far with the same file, rule and words: a fingerprint is unique in a report.
    seen: HashMap<String, usize>,
}

/// A finding, as GitLab reads it.
#[derive(Debug, Serialize)]
struct Finding<'r> {
    description: String,
    check_name: &'r str,
    fingerprint: String,
    severity: &'static str,
    location: Location,
}

#[derive(Debug, Serialize)]
struct Location {
    path: String,
    lines: Lines,
}

#[derive(Debug, Serialize)]
struct Lines {
    begin: usize,
}

impl<'a> GitlabReporter<'a> {
    pub(super) fn new(mut out: Box<dyn Write + 'a>) -> io::Result<Self> {
        write!(out, "[")?;
        Ok(Self { out, findings: ArrayStream::new(1), seen: HashMap::new() })
    }

    fn finding(&mut self, remark: &Remark<'_>) -> io::Result<()> {
        let path = relative(remark.place.file);
        let finding = Finding {
            // A merge request shows only the description.
            description: format!("{}: {}", remark.id, remark.words()),
            check_name: remark.id,
            fingerprint: self.fingerprint(&path, remark),
            severity: severity(remark),
            location: Location { path, lines: Lines { begin: remark.position().line } },
        };
        self.findings.item(&mut self.out, &finding)
    }

    /// A name of the finding that is unique in the report and stays the same if the line moves.
    fn fingerprint(&mut self, path: &str, remark: &Remark<'_>) -> String {
        let words = remark.issue.map_or("", |issue| issue.fingerprint.0.as_str());
        let name = Hash::of_parts([path, remark.id, words]).short();
        let count = self.seen.entry(name.clone()).or_default();
        *count += 1;
        Hash::of_parts([name, count.to_string()]).short()
    }
}

fn severity(remark: &Remark<'_>) -> &'static str {
    match remark.level {
        Level::Blocker => "blocker",
        Level::Error => "critical",
        // Every reader of the text can use it.
        Level::Warning if remark.id == SECRET => "critical",
        Level::Warning => "minor",
        Level::Question => "info",
    }
}

impl Reporter for GitlabReporter<'_> {
    fn outcome(&mut self, outcome: &Outcome) -> io::Result<()> {
        remarks_with_verdict(outcome).iter().try_for_each(|remark| self.finding(remark))
    }

    fn input_error(&mut self, error: &InputError) -> io::Result<()> {
        self.finding(&Remark::unreadable(error))
    }

    fn finish(&mut self, _summary: &Summary) -> io::Result<()> {
        self.findings.end(&mut self.out)?;
        writeln!(self.out)?;
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use serde_json::Value;

    use super::*;
    use crate::{Format, ReportOptions, samples};

    fn gitlab(outcomes: &[Outcome], errors: &[InputError]) -> Vec<Value> {
        let text = samples::render(Format::Gitlab, ReportOptions::default(), outcomes, errors);
        serde_json::from_str(&text).expect("the report is an array")
    }

    fn fingerprints(findings: &[Value]) -> Vec<String> {
        findings.iter().map(|finding| finding["fingerprint"].as_str().expect("a fingerprint").to_owned()).collect()
    }

    #[test]
    fn report_is_frozen() {
        let outcomes = [samples::asked(), samples::rejected_zh(), samples::guardrail_rejected(), samples::hostile()];
        let text = samples::render(Format::Gitlab, ReportOptions::default(), &outcomes, &[samples::unreadable()]);
        insta::assert_snapshot!("gitlab", text);
    }

    #[test]
    fn report_without_findings_is_an_empty_array() {
        assert_eq!(samples::render(Format::Gitlab, ReportOptions::default(), &[], &[]), "[]\n");
    }

    #[test]
    fn fingerprints_are_unique_and_do_not_move_with_the_line() {
        let twice = vec![samples::rejected(), samples::rejected(), samples::asked()];
        let before = fingerprints(&gitlab(&twice, &[]));
        assert_eq!(before.iter().collect::<BTreeSet<_>>().len(), before.len(), "{before:?}");
        let mut moved = twice.clone();
        for outcome in &mut moved {
            let report = outcome.score_report.as_mut().expect("the sample is scored");
            for issue in report.blocking_issues.iter_mut().chain(&mut report.non_blocking_issues) {
                if let Some(position) = &mut issue.position {
                    position.line += 3;
                }
            }
        }
        assert_eq!(before, fingerprints(&gitlab(&moved, &[])));
    }

    #[test]
    fn a_rejection_comes_first_and_blocks() {
        let findings = gitlab(&[samples::rejected()], &[]);
        assert_eq!(findings[0]["check_name"], "not-ready");
        assert_eq!(findings[0]["severity"], "blocker");
        assert_eq!(findings[0]["location"]["lines"]["begin"], 1);
        assert!(gitlab(&[samples::passed()], &[]).iter().all(|finding| finding["severity"] != "blocker"));
    }
}
