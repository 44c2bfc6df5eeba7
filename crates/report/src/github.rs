//! Writes workflow commands of GitHub Actions, which show findings next to the lines of a pull request.

use std::io::{self, Write};

use super::place::is_file;
use super::remarks::{Remark, remarks};
use super::{InputError, Reporter, Summary};
use reqgate_base::clean::one_line;
use reqgate_base::model::Outcome;

/// The number of annotations of one level that GitHub shows per step; it drops further ones without notice.
const MAX_PER_LEVEL: usize = 10;

/// Writes the report as workflow commands.
pub(super) struct GithubReporter<'a> {
    out: Box<dyn Write + 'a>,
    errors: usize,
    warnings: usize,
}

impl<'a> GithubReporter<'a> {
    pub(super) fn new(out: Box<dyn Write + 'a>) -> Self {
        Self { out, errors: 0, warnings: 0 }
    }

    fn command(&mut self, remark: &Remark<'_>) -> io::Result<()> {
        let (name, count) = match remark.level.fails() {
            true => ("error", &mut self.errors),
            false => ("warning", &mut self.warnings),
        };
        *count += 1;
        if *count > MAX_PER_LEVEL {
            return Ok(());
        }
        let place = &remark.place;
        let mut properties = Vec::new();
        let mut title = remark.id.to_owned();
        if is_file(place.file) {
            properties.push(format!("file={}", property(place.file)));
            // Only the start, because GitHub drops an annotation whose end line is past the end of the file.
            if let Some(position) = place.position {
                properties.push(format!("line={},col={}", position.line, position.column));
            }
        } else {
            title = format!("{title} ({})", place.file);
        }
        properties.push(format!("title={}", property(&title)));
        writeln!(self.out, "::{name} {}::{}", properties.join(","), data(&remark.message))
    }
}

impl Reporter for GithubReporter<'_> {
    fn outcome(&mut self, outcome: &Outcome) -> io::Result<()> {
        remarks(outcome).iter().try_for_each(|remark| self.command(remark))
    }

    fn input_error(&mut self, error: &InputError) -> io::Result<()> {
        self.command(&Remark::unreadable(error))
    }

    fn finish(&mut self, summary: &Summary) -> io::Result<()> {
        let rest = |count: usize| count.saturating_sub(MAX_PER_LEVEL);
        let (errors, warnings) = (rest(self.errors), rest(self.warnings));
        if errors + warnings > 0 {
            let words = format!("{errors} more errors and {warnings} more warnings are not shown as annotations");
            writeln!(self.out, "::notice title=reqgate::{words}")?;
        }
        writeln!(self.out, "{}", summary.sentence())?;
        self.out.flush()
    }
}

/// A warning in the log of a workflow that is not about a file.
pub fn workflow_warning(message: &str) -> String {
    format!("::warning title=reqgate::{}\n", data(message))
}

/// Escapes the message of a command.
fn data(text: &str) -> String {
    // `one_line` removes line ends, so only the percent sign needs escaping.
    one_line(text).replace('%', "%25")
}

/// Escapes a property of a command.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Format, ReportOptions, samples};

    fn github(outcomes: &[Outcome], errors: &[InputError]) -> String {
        samples::render(Format::Github, ReportOptions::default(), outcomes, errors)
    }

    #[test]
    fn each_finding_is_one_command() {
        let outcomes = [
            samples::rejected(),
            samples::passed(),
            samples::below_threshold(),
            samples::guardrail_rejected(),
            samples::hostile(),
        ];
        insta::assert_snapshot!("github", github(&outcomes, &[samples::unreadable()]));
    }

    #[test]
    fn a_pass_that_rests_on_an_acceptance_is_a_warning() {
        let outcomes = [samples::accepted(), samples::waived()];
        let quiet = ReportOptions { detail: crate::Detail::Quiet, ..ReportOptions::default() };
        let text = samples::render(Format::Github, quiet, &outcomes, &[]);
        assert_eq!(text.matches("::warning file=docs/prd/001-a/prd.md,title=accepted-findings::").count(), 1, "{text}");
        assert!(text.contains("accepted by Ana: answered in the pilot"), "{text}");
    }

    #[test]
    fn what_github_would_drop_is_counted() {
        let text = github(&vec![samples::rejected(); 8], &[]);
        assert_eq!(text.matches("::error ").count(), 10);
        assert_eq!(text.matches("::warning ").count(), 10);
        assert!(text.contains("::notice title=reqgate::6 more errors and 38 more warnings"), "{text}");
    }

    #[test]
    fn ticket_cannot_issue_commands() {
        for line in github(&samples::all(), &[]).lines() {
            let inner = line.strip_prefix("::").unwrap_or(line);
            assert!(!inner.starts_with("error::x"), "{line}");
        }
    }

    #[test]
    fn what_steers_a_command_is_escaped() {
        assert_eq!(data("100 %\r\n::error::"), "100 %25 ::error::");
        assert_eq!(property("a:b,c%"), "a%3Ab%2Cc%25");
    }
}
