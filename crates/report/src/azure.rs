//! Writes logging commands of Azure Pipelines, which show findings in the summary of a run.

use std::io::{self, Write};

use super::place::{is_file, relative};
use super::remarks::{Remark, remarks};
use super::{InputError, Reporter, Summary};
use reqgate_base::clean::{one_line, without_log_commands};
use reqgate_base::model::Outcome;

/// Writes the report as logging commands, and the counts at its end.
pub(super) struct AzureReporter<'a> {
    out: Box<dyn Write + 'a>,
}

impl<'a> AzureReporter<'a> {
    pub(super) fn new(out: Box<dyn Write + 'a>) -> Self {
        Self { out }
    }

    fn command(&mut self, remark: &Remark<'_>) -> io::Result<()> {
        let level = if remark.level.fails() { "error" } else { "warning" };
        let file = remark.place.file;
        let mut message = remark.words();
        write!(self.out, "##vso[task.logissue type={level};")?;
        if is_file(file) {
            let position = remark.position();
            let (path, line, column) = (property(&relative(file)), position.line, position.column);
            write!(self.out, "sourcepath={path};linenumber={line};columnnumber={column};")?;
        } else {
            message = format!("{file}: {message}");
        }
        writeln!(self.out, "code={};]{}", property(remark.id), data(&message))
    }
}

impl Reporter for AzureReporter<'_> {
    fn outcome(&mut self, outcome: &Outcome) -> io::Result<()> {
        remarks(outcome).iter().try_for_each(|remark| self.command(remark))
    }

    fn input_error(&mut self, error: &InputError) -> io::Result<()> {
        self.command(&Remark::unreadable(error))
    }

    fn finish(&mut self, summary: &Summary) -> io::Result<()> {
        writeln!(self.out, "{}", summary.sentence())?;
        self.out.flush()
    }
}

/// Escapes the message of a command.
fn data(text: &str) -> String {
    // `one_line` removes line ends, so only the percent sign needs escaping.
    without_log_commands(&one_line(text)).replace('%', "%AZP25")
}

/// Escapes a property of a command.
fn property(text: &str) -> String {
    data(text).replace(']', "%5D").replace(';', "%3B")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Format, ReportOptions, samples};

    fn azure(outcomes: &[Outcome], errors: &[InputError]) -> String {
        samples::render(Format::Azure, ReportOptions::default(), outcomes, errors)
    }

    #[test]
    fn each_finding_is_one_command() {
        let outcomes = [samples::asked(), samples::below_threshold(), samples::rejected_zh(), samples::hostile()];
        insta::assert_snapshot!("azure", azure(&outcomes, &[samples::unreadable()]));
    }

    #[test]
    fn neither_a_name_nor_a_text_can_issue_commands() {
        let mut outcome = samples::hostile();
        outcome.input = "a;b]##vso[task.complete result=Failed]\r\n##vso[task.setvariable variable=x]y%.md".to_owned();
        let issue = &mut outcome.score_report.as_mut().expect("the sample is scored").blocking_issues[0];
        issue.description = "100 %\n##vso[task.setvariable variable=x]y ##[error]z".to_owned();
        let text = azure(&[outcome], &[]);
        assert_eq!(text.lines().count(), 2, "{text}");
        for line in text.lines().filter(|line| line.contains("##")) {
            assert_eq!(line.matches("##").count(), 1, "{line}");
            assert!(line.starts_with("##vso[task.logissue type=error;sourcepath=a%3Bb%5D# #vso["), "{line}");
            let (properties, message) = line.split_once(']').expect("a command");
            assert!(properties.ends_with("y%AZP25.md;linenumber=1;columnnumber=5;code=vague-term;"), "{line}");
            assert!(message.starts_with("100 %AZP25 # #vso["), "{line}");
        }
    }
}
