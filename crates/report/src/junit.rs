//! Writes JUnit XML: one test case per input.
//!
//! A JUnit file starts with the counts, so this format cannot be streamed. The data kept per input is short and does
//! not grow with the document.

use std::borrow::Cow;
use std::io::{self, Write};
use std::time::Duration;

use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

use super::digest::{Digest, guardrail_words, score_words};
use super::markdown::line;
use super::ticket_name::ticket_name;
use super::words::as_sentence;
use super::{InputError, Reporter, Summary};
use reqgate_base::clean::one_line;
use reqgate_base::model::{Outcome, Verdict};
use reqgate_messages as messages;

/// The maximum number of blockers in a failure.
const MAX_BLOCKERS: usize = 10;

pub(super) struct JunitReporter<'a> {
    out: Box<dyn Write + 'a>,
    suite: TestSuite,
}

impl<'a> JunitReporter<'a> {
    pub(super) fn new(out: Box<dyn Write + 'a>) -> Self {
        Self { out, suite: TestSuite::new("reqgate") }
    }

    fn case(&mut self, input: &str, status: TestCaseStatus, seconds: f64, note: Option<&str>) {
        let mut case = TestCase::new(words(input), status);
        case.set_classname("reqgate");
        if let Some(note) = note {
            case.set_system_out(note);
        }
        case.set_time(Duration::try_from_secs_f64(seconds).unwrap_or_default());
        self.suite.add_test_case(case);
    }
}

impl Reporter for JunitReporter<'_> {
    fn outcome(&mut self, outcome: &Outcome) -> io::Result<()> {
        let explanation = words(&outcome.decision.explanation);
        let accepted = (!outcome.decision.accepted.is_empty()).then(|| explanation.clone());
        let status = match outcome.decision.verdict {
            Verdict::Pass => TestCaseStatus::success(),
            Verdict::NotApplicable => {
                let mut status = TestCaseStatus::skipped();
                status.set_message(explanation);
                status
            }
            verdict @ (Verdict::Reject | Verdict::GuardrailRejected) => {
                let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
                status.set_type(verdict.name()).set_message(explanation).set_description(failure(outcome));
                status
            }
        };
        let seconds = outcome.execution_times.iter().map(|(_, seconds)| seconds).sum();
        self.case(&ticket_name(outcome), status, seconds, accepted.as_deref());
        Ok(())
    }

    fn input_error(&mut self, error: &InputError) -> io::Result<()> {
        let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
        status.set_type("unreadable-input").set_message(words(&error.message));
        self.case(&error.input, status, 0.0, None);
        Ok(())
    }

    fn finish(&mut self, _summary: &Summary) -> io::Result<()> {
        let mut report = Report::new("reqgate");
        report.add_test_suite(std::mem::replace(&mut self.suite, TestSuite::new("reqgate")));
        report.serialize(&mut self.out).map_err(io::Error::other)?;
        self.out.flush()
    }
}

/// The blockers, one line each, with their suggestions.
fn failure(outcome: &Outcome) -> String {
    let fixed = messages::Report::of(outcome.language);
    let mut lines: Vec<String> = outcome.packet.url.iter().cloned().collect();
    lines.extend(score_words(outcome).map(|score| fixed.score(&score)));
    if outcome.decision.verdict == Verdict::GuardrailRejected {
        lines.extend(guardrail_words(outcome));
    }
    let digest = Digest::new(outcome);
    for issue in digest.blockers.iter().take(MAX_BLOCKERS) {
        let (place, comma, colon) = (line(issue, fixed), fixed.comma, fixed.colon);
        lines.push(format!(
            "{}{comma}{place}{colon}{} {}",
            issue.rule_id,
            as_sentence(fixed, &issue.description),
            issue.suggestion
        ));
    }
    if digest.blockers.len() > MAX_BLOCKERS {
        lines.push(fixed.more_blockers(&(digest.blockers.len() - MAX_BLOCKERS)));
    }
    lines.iter().map(|line| words(line)).collect::<Vec<_>>().join("\n")
}

/// The text on one line, limited to the characters that XML 1.0 allows: U+FFFE and U+FFFF are not allowed, and other
/// noncharacters are discouraged.
fn words(text: &str) -> String {
    let is_none = |c: char| matches!(c, '\u{FDD0}'..='\u{FDEF}') || u32::from(c) & 0xFFFE == 0xFFFE;
    let line: Cow<'_, str> = one_line(text);
    line.chars().map(|c| if is_none(c) { char::REPLACEMENT_CHARACTER } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Format, ReportOptions, samples};

    #[test]
    fn each_input_is_a_test_case() {
        let text = samples::render(Format::Junit, ReportOptions::default(), &samples::all(), &[samples::unreadable()]);
        let report = Report::deserialize_from_str(&text).expect("the report is JUnit");
        assert_eq!((report.tests, report.failures, report.errors), (9, 5, 1));
        insta::assert_snapshot!("junit", text);
    }

    /// Puts every character that XML 1.0 does not allow, and every noncharacter, into every field that can contain
    /// text.
    #[test]
    fn report_is_well_formed_whatever_the_text_holds() {
        let odd = (0..0x11_0000).filter_map(char::from_u32).filter(|c| {
            let code = u32::from(*c);
            c.is_control() || (0xFDD0..=0xFDEF).contains(&code) || code & 0xFFFE == 0xFFFE
        });
        let odd: String = odd.collect();
        let mut outcome = samples::rejected();
        outcome.input = format!("a{odd}b.md");
        outcome.decision.explanation = format!("Not ready: {odd}.");
        if let Some(report) = &mut outcome.score_report {
            for issue in &mut report.blocking_issues {
                issue.description.push_str(&odd);
            }
        }
        let error = InputError { input: odd.clone(), message: odd };
        let text = samples::render(Format::Junit, ReportOptions::default(), &[outcome], &[error]);
        let is_xml =
            |c: char| matches!(c, '\t' | '\n' | '\r' | ' '..='\u{D7FF}' | '\u{E000}'..='\u{FFFD}' | '\u{10000}'..);
        assert_eq!(text.chars().find(|c| !is_xml(*c)), None);
        assert!(!text.contains(['\u{FDD0}', '\u{1FFFE}', '\u{10FFFF}']));
        Report::deserialize_from_str(&text).expect("the report is JUnit");
    }

    #[test]
    fn report_without_inputs_is_well_formed() {
        let text = samples::render(Format::Junit, ReportOptions::default(), &[], &[]);
        assert_eq!(Report::deserialize_from_str(&text).expect("the report is JUnit").tests, 0);
    }
}
