//! Exit codes, and error messages with a remedy.

use std::fmt;
use std::io::{IsTerminal, Write};

use anstyle::{AnsiColor, Style};
use reqgate::clean;
use reqgate::report::wrapped;
use reqgate::stages::guardrail::without_secrets;
use reqgate::text::display_width;

/// The code if every input passed.
pub const PASS: u8 = 0;
/// At least one input was rejected.
pub const GATE_SAID_NO: u8 = 1;
/// Wrong usage, a wrong configuration or an input that cannot be read.
pub(crate) const USAGE: u8 = 2;
/// Something outside failed: an output cannot be written, or a required model did not answer.
pub(crate) const WORLD: u8 = 3;

/// A thread waits for a person or for the result of a work order.
pub(crate) const WAITING: u8 = 4;
/// A thread was started by another version of the program.
pub(crate) const OTHER_VERSION: u8 = 5;

/// The exit codes of commands that judge, for `--help`.
pub const HELP: &str = "\
Exit codes:
  0  every input passes, or is not applicable
  1  an input is rejected (REJECT or GUARDRAIL_REJECTED)
  2  wrong usage or configuration, or an input that cannot be read; the others are still judged
  3  another failure, e.g. an output file cannot be written or a required model did not answer";

/// The further exit codes of the program, for `reqgate --help`.
pub(crate) const FURTHER_HELP: &str = "
  4  a PRD waits for a person, or for the result of a work order
  5  a PRD was started by another version of the program";

/// The reason why a command failed.
#[derive(Debug)]
pub enum Failure {
    /// The user must change something: a flag, a configuration, a file.
    Usage(String),
    /// An output could not be written, or another system failed.
    World(String),
    /// A thread was started by another version of the program.
    OtherVersion(String),
    /// The reader of the output has ended, which is not an error.
    ReaderGone,
}

impl Failure {
    /// Wrong usage, with a message about the mistake.
    pub fn usage(message: impl fmt::Display) -> Self {
        Self::Usage(message.to_string())
    }

    /// A result of a work order with these problems.
    pub fn problems(name: impl fmt::Display, problems: &[impl fmt::Display]) -> Self {
        let lines: String = problems.iter().map(|problem| format!("\n{problem}")).collect();
        Self::Usage(format!("{name} does not pass the checks:{lines}"))
    }

    /// A failure to write to `place`.
    pub fn writing(place: &str, error: &std::io::Error) -> Self {
        match error.kind() {
            std::io::ErrorKind::BrokenPipe => Self::ReaderGone,
            _ => Self::World(format!("writing {place}: {error}")),
        }
    }

    pub fn code(&self) -> u8 {
        match self {
            Self::Usage(_) => USAGE,
            Self::World(_) => WORLD,
            Self::OtherVersion(_) => OTHER_VERSION,
            Self::ReaderGone => PASS,
        }
    }

    /// The message; empty if there is none.
    pub fn message(&self) -> &str {
        match self {
            Self::Usage(message) | Self::World(message) | Self::OtherVersion(message) => message,
            Self::ReaderGone => "",
        }
    }

    /// Converts the failure into its message.
    pub fn into_message(self) -> String {
        match self {
            Self::Usage(message) | Self::World(message) | Self::OtherVersion(message) => message,
            Self::ReaderGone => String::new(),
        }
    }

    /// Prints the failure on standard error.
    pub fn say(&self) {
        say("error", AnsiColor::Red.on_default().bold(), self.message());
    }
}

/// Prints a warning on standard error.
pub fn warn(message: &str) {
    say("warning", AnsiColor::Yellow.on_default().bold(), message);
}

/// Prints a note on standard error.
pub fn note(message: &str) {
    say("note", Style::new().bold(), message);
}

/// Prints an error on standard error.
pub fn error(message: &str) {
    say("error", AnsiColor::Red.on_default().bold(), message);
}

/// Prints lines that belong to the error above them on standard error.
pub fn below(text: &str) {
    let mut stderr = anstream::stderr().lock();
    for line in text.trim_end().lines() {
        // If standard error is closed, there is nowhere to report it.
        let _ = writeln!(stderr, "  {}", clean::without_log_commands(&clean::one_line(&without_secrets(line))));
    }
}

fn say(word: &str, style: Style, message: &str) {
    let mut stderr = anstream::stderr().lock();
    for line in without_secrets(message).lines() {
        // Names of files are untrusted too: no control character may reach the terminal.
        let line = clean::one_line(line);
        // The agent of Azure Pipelines reads standard error, too.
        let line = clean::without_log_commands(&line);
        let width = terminal_size::terminal_size_of(std::io::stderr()).map(|(width, _)| usize::from(width.0));
        let line = match width.filter(|_| std::io::stderr().is_terminal()) {
            Some(width) => hung(word, &line, width),
            None => line.into_owned(),
        };
        // If standard error is closed, there is nowhere to report it.
        let _ = writeln!(stderr, "{style}{word}:{style:#} {line}");
    }
}

/// A message as rows of a terminal, after a word and a colon, with hanging indent.
fn hung(word: &str, message: &str, width: usize) -> String {
    let hang = display_width(word) + ": ".len();
    wrapped(message, width.saturating_sub(hang)).join(&format!("\n{:hang$}", ""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_hangs_below_its_first_words() {
        assert_eq!(hung("note", "skipped `a.csv`: it is a table", 24), "skipped `a.csv`:\n      it is a table");
        assert_eq!(hung("note", "跳过了一个表格文件", 16), "跳过了一个\n      表格文件");
    }
}
