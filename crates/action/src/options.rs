//! The inputs of the Action, as environment variables: `REQGATE_MODE`, `REQGATE_COMMENT` and so on.
//!
//! An empty variable counts as unset, because a workflow passes every input on, set or not.

use std::path::PathBuf;

use reqgate_base::clean::short_line;
use reqgate_base::suggest::did_you_mean;

/// The number of issues that an audit reads by default.
const USUAL_ISSUES: usize = 500;

/// The effect of a run: comments and labels, or only a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Mode {
    /// Writes comments and labels.
    #[default]
    Enforce,
    /// Writes only the summary and the outputs.
    Observe,
}

/// The condition for a comment on an issue.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum CommentWhen {
    /// A comment if there are problems, and from then on whenever they change.
    #[default]
    Problems,
    /// A comment on a pass too.
    Always,
    /// No comments at all.
    Never,
}

/// The results that end the step with exit code 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum FailOn {
    /// A rejection, except on events of issues.
    #[default]
    Auto,
    /// Only a rejection fails.
    Blocker,
    /// A rejection or any finding that costs points.
    Warning,
    /// No result ends the step with 1.
    Never,
}

/// All inputs from the environment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// `REQGATE_PATHS`: files, folders and patterns, one per line.
    pub paths: Vec<String>,
    /// `REQGATE_CHANGED_ONLY`: in a pull request, judge only changed files and block only on new findings.
    pub changed_only: bool,
    /// `REQGATE_MODE`: enforce or observe.
    pub mode: Mode,
    /// `REQGATE_SINCE`: issues opened before this day, `YYYY-MM-DD`, are only observed.
    pub since: Option<String>,
    /// `REQGATE_COMMENT`: the condition for a comment.
    pub comment: CommentWhen,
    /// `REQGATE_LABELS`: add and remove reqgate's labels.
    pub labels: bool,
    /// `REQGATE_READY_LABEL`: a pass gets the label `reqgate:ready`.
    pub ready_label: bool,
    /// `REQGATE_FAIL_ON`: the results that fail the step.
    pub fail_on: FailOn,
    /// `REQGATE_COMMENT_AUTHOR`: the login that writes reqgate's comments.
    pub comment_author: String,
    /// `REQGATE_ISSUE_NUMBER`: the issue to judge if the event does not name one.
    pub issue_number: Option<u64>,
    /// `REQGATE_MAX_ISSUES`: the maximum number of issues that an audit reads.
    pub max_issues: usize,
    /// `REQGATE_SARIF_FILE`: the path of the SARIF report.
    pub sarif_file: Option<PathBuf>,
    /// `REQGATE_REPORT_FILE`: the path of the JSON report.
    pub report_file: Option<PathBuf>,
}

/// The error for a variable with an invalid value.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{value}` is not valid for {name}: {remedy}")]
pub struct BadOption {
    name: &'static str,
    value: String,
    remedy: String,
}

impl Options {
    /// The names of the variables that are read.
    #[cfg(test)]
    pub(crate) const NAMES: [&str; 13] = [
        "REQGATE_PATHS",
        "REQGATE_CHANGED_ONLY",
        "REQGATE_MODE",
        "REQGATE_SINCE",
        "REQGATE_COMMENT",
        "REQGATE_LABELS",
        "REQGATE_READY_LABEL",
        "REQGATE_FAIL_ON",
        "REQGATE_COMMENT_AUTHOR",
        "REQGATE_ISSUE_NUMBER",
        "REQGATE_MAX_ISSUES",
        "REQGATE_SARIF_FILE",
        "REQGATE_REPORT_FILE",
    ];

    /// Reads the environment through `variable`.
    ///
    /// # Errors
    /// Fails on the first variable with an invalid value.
    pub fn read(variable: impl Fn(&str) -> Option<String>) -> Result<Self, BadOption> {
        let value = |name: &str| variable(name).map(|value| value.trim().to_owned()).filter(|value| !value.is_empty());
        Ok(Self {
            paths: value("REQGATE_PATHS")
                .unwrap_or_default()
                .lines()
                .map(|line| line.trim().to_owned())
                .filter(|line| !line.is_empty())
                .collect(),
            changed_only: switch("REQGATE_CHANGED_ONLY", value("REQGATE_CHANGED_ONLY"), true)?,
            mode: choice(
                "REQGATE_MODE",
                value("REQGATE_MODE"),
                &[("enforce", Mode::Enforce), ("observe", Mode::Observe)],
            )?,
            since: value("REQGATE_SINCE").map(|day| checked_day("REQGATE_SINCE", day)).transpose()?,
            comment: choice(
                "REQGATE_COMMENT",
                value("REQGATE_COMMENT"),
                &[("problems", CommentWhen::Problems), ("always", CommentWhen::Always), ("never", CommentWhen::Never)],
            )?,
            labels: switch("REQGATE_LABELS", value("REQGATE_LABELS"), true)?,
            ready_label: switch("REQGATE_READY_LABEL", value("REQGATE_READY_LABEL"), false)?,
            fail_on: choice(
                "REQGATE_FAIL_ON",
                value("REQGATE_FAIL_ON"),
                &[
                    ("auto", FailOn::Auto),
                    ("blocker", FailOn::Blocker),
                    ("warning", FailOn::Warning),
                    ("never", FailOn::Never),
                ],
            )?,
            comment_author: value("REQGATE_COMMENT_AUTHOR").unwrap_or_else(|| "github-actions[bot]".to_owned()),
            issue_number: value("REQGATE_ISSUE_NUMBER").map(checked_number).transpose()?,
            max_issues: value("REQGATE_MAX_ISSUES").map_or(Ok(USUAL_ISSUES), checked_count)?,
            sarif_file: value("REQGATE_SARIF_FILE").map(PathBuf::from),
            report_file: value("REQGATE_REPORT_FILE").map(PathBuf::from),
        })
    }
}

fn choice<T: Copy + Default>(name: &'static str, value: Option<String>, choices: &[(&str, T)]) -> Result<T, BadOption> {
    let Some(value) = value else { return Ok(T::default()) };
    if let Some((_, chosen)) = choices.iter().find(|(word, _)| value.eq_ignore_ascii_case(word)) {
        return Ok(*chosen);
    }
    let words: Vec<&str> = choices.iter().map(|(word, _)| *word).collect();
    let hint = did_you_mean(&value, words.iter().copied());
    Err(BadOption { name, value: shown(&value), remedy: format!("write one of {}{hint}", words.join(", ")) })
}

fn switch(name: &'static str, value: Option<String>, default: bool) -> Result<bool, BadOption> {
    match value.as_deref().map(str::to_ascii_lowercase).as_deref() {
        None => Ok(default),
        Some("true" | "1" | "yes" | "on") => Ok(true),
        Some("false" | "0" | "no" | "off") => Ok(false),
        Some(other) => Err(BadOption { name, value: shown(other), remedy: "write true or false".to_owned() }),
    }
}

fn checked_day(name: &'static str, day: String) -> Result<String, BadOption> {
    let is_day = day.len() == 10
        && day.bytes().enumerate().all(|(at, b)| if at == 4 || at == 7 { b == b'-' } else { b.is_ascii_digit() });
    if is_day { Ok(day) } else { Err(BadOption { name, value: shown(&day), remedy: "write YYYY-MM-DD".to_owned() }) }
}

fn checked_number(number: String) -> Result<u64, BadOption> {
    number.trim_start_matches('#').parse().ok().filter(|number| *number > 0).ok_or_else(|| BadOption {
        name: "REQGATE_ISSUE_NUMBER",
        value: shown(&number),
        remedy: "write the number of an issue".to_owned(),
    })
}

fn checked_count(number: String) -> Result<usize, BadOption> {
    number.parse().map_err(|_| BadOption {
        name: "REQGATE_MAX_ISSUES",
        value: shown(&number),
        remedy: "write a number of issues".to_owned(),
    })
}

/// A value in a form that can be shown: short, on one line.
fn shown(value: &str) -> String {
    short_line(value, 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(pairs: &[(&str, &str)]) -> Result<Options, BadOption> {
        Options::read(|name| pairs.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned()))
    }

    #[test]
    fn empty_inputs_are_defaults() {
        let nothing = read(&[]).unwrap();
        let empty: Vec<(&str, &str)> = Options::NAMES.iter().map(|name| (*name, " ")).collect();
        assert_eq!(read(&empty).unwrap(), nothing);
        assert!(nothing.changed_only && nothing.labels && !nothing.ready_label);
        assert_eq!((nothing.mode, nothing.comment, nothing.fail_on), Default::default());
        assert_eq!(nothing.comment_author, "github-actions[bot]");
    }

    #[test]
    fn every_input_is_read() {
        let options = read(&[
            ("REQGATE_PATHS", "docs/prd/**/*.md\n\n spec.md \n"),
            ("REQGATE_CHANGED_ONLY", "false"),
            ("REQGATE_MODE", "observe"),
            ("REQGATE_SINCE", "2026-11-01"),
            ("REQGATE_COMMENT", "Always"),
            ("REQGATE_LABELS", "no"),
            ("REQGATE_READY_LABEL", "true"),
            ("REQGATE_FAIL_ON", "warning"),
            ("REQGATE_COMMENT_AUTHOR", "our-app[bot]"),
            ("REQGATE_ISSUE_NUMBER", "#12"),
            ("REQGATE_MAX_ISSUES", "40"),
            ("REQGATE_SARIF_FILE", "out.sarif"),
            ("REQGATE_REPORT_FILE", "out.json"),
        ])
        .unwrap();
        assert_eq!(options.paths, ["docs/prd/**/*.md", "spec.md"]);
        assert_eq!(
            (options.mode, options.comment, options.fail_on),
            (Mode::Observe, CommentWhen::Always, FailOn::Warning)
        );
        assert!(!options.changed_only && !options.labels && options.ready_label);
        assert_eq!((options.issue_number, options.max_issues), (Some(12), 40));
    }

    #[test]
    fn wrong_value_is_named_with_its_remedy() {
        for (name, value, part) in [
            ("REQGATE_MODE", "enforced", "write one of enforce, observe"),
            ("REQGATE_LABELS", "maybe", "write true or false"),
            ("REQGATE_SINCE", "yesterday", "write YYYY-MM-DD"),
            ("REQGATE_ISSUE_NUMBER", "seven", "write the number of an issue"),
            ("REQGATE_MAX_ISSUES", "many", "write a number of issues"),
        ] {
            let words = read(&[(name, value)]).unwrap_err().to_string();
            assert!(words.contains(name) && words.contains(part), "{words}");
        }
    }
}
