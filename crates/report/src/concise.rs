//! Writes one line for each finding, `path:line:column: level[rule] message`, for the quickfix list of an editor and for grep.

use std::io::{self, Write};

use super::remarks::{Remark, remarks};
use super::{InputError, Reporter, Summary};
use reqgate_base::clean::{one_line, without_log_commands};
use reqgate_base::model::Outcome;

/// Writes the report line by line, and the counts at its end.
pub(super) struct ConciseReporter<'a> {
    out: Box<dyn Write + 'a>,
}

impl<'a> ConciseReporter<'a> {
    pub(super) fn new(out: Box<dyn Write + 'a>) -> Self {
        Self { out }
    }

    fn line(&mut self, remark: &Remark<'_>) -> io::Result<()> {
        let (file, position, level) = (one_line(remark.place.file), remark.position(), remark.level.name());
        let line = format!("{file}:{}:{}: {level}[{}] {}", position.line, position.column, remark.id, remark.words());
        writeln!(self.out, "{}", without_log_commands(&line))
    }
}

impl Reporter for ConciseReporter<'_> {
    fn outcome(&mut self, outcome: &Outcome) -> io::Result<()> {
        remarks(outcome).iter().try_for_each(|remark| self.line(remark))
    }

    fn input_error(&mut self, error: &InputError) -> io::Result<()> {
        self.line(&Remark::unreadable(error))
    }

    fn finish(&mut self, summary: &Summary) -> io::Result<()> {
        writeln!(self.out, "{}", summary.sentence())?;
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Format, ReportOptions, samples};

    fn concise(outcomes: &[Outcome], errors: &[InputError]) -> String {
        samples::render(Format::Concise, ReportOptions::default(), outcomes, errors)
    }

    #[test]
    fn each_finding_is_one_line() {
        let outcomes = [samples::asked(), samples::rejected_zh(), samples::guardrail_rejected(), samples::hostile()];
        insta::assert_snapshot!("concise", concise(&outcomes, &[samples::unreadable()]));
    }

    #[test]
    fn every_line_has_a_place_whatever_a_name_and_a_text_hold() {
        let mut outcome = samples::hostile();
        outcome.input = "a\nb.md:1:1: blocker[x] y\u{2028}##vso[task.complete]".to_owned();
        let issue = &mut outcome.score_report.as_mut().expect("the sample is scored").blocking_issues[0];
        issue.description = "one\r\ntwo ###vso[task.setvariable variable=a]b ##[error]x".to_owned();
        let text = concise(&[outcome], &[]);
        assert_eq!(text.lines().count(), 2, "{text}");
        assert!(text.contains("blocker[vague-term] one two"), "{text}");
        assert!(!text.contains("##"), "{text}");
    }
}
