//! The patterns for the outcome of a ticket: `config/outcomes.yaml`, or a file of the user in the same form.

use regex::{Regex, RegexBuilder};
use serde::Deserialize;

use reqgate_base::yaml;

/// The text of the shipped file.
pub const SHIPPED_OUTCOMES: &str = include_str!("../../../config/outcomes.yaml");

/// The maximum size of a compiled pattern, in bytes.
const MOST_BYTES: usize = 1 << 20;
/// Prefixes of labels that carry no information about the ticket.
const PREFIXES: [&str; 6] = ["status", "type", "state", "resolution", "issue", "s"];

/// The label that a sign gives to a ticket.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Label {
    /// The team worked with the text as it was.
    Accepted,
    /// The team had to go back to the author.
    Returned,
    /// The sign does not decide.
    Unclear,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Names {
    #[serde(default)]
    returned: Vec<String>,
    #[serde(default)]
    accepted: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    labels: Names,
    states: Names,
    asks: Vec<String>,
    #[serde(default)]
    not_asks: Vec<String>,
    reopened: Label,
    closed_without_work: Label,
    closed_after_work: Label,
    answered_without_asking: Label,
    #[serde(default)]
    examples: Examples,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Examples {
    labels: LabelExamples,
    asks: AskExamples,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct LabelExamples {
    returned: Vec<String>,
    accepted: Vec<String>,
    neither: Vec<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct AskExamples {
    fires: Vec<String>,
    silent: Vec<String>,
}

/// The compiled patterns for outcomes.
#[derive(Debug)]
pub struct OutcomeWords {
    labels: Patterns,
    states: Patterns,
    asks: Vec<Regex>,
    not_asks: Vec<Regex>,
    /// The label of a ticket that was reopened.
    pub reopened: Label,
    /// The label of a ticket that was closed without work.
    pub closed_without_work: Label,
    /// The label of a ticket that was closed after work.
    pub closed_after_work: Label,
    /// The label of a ticket whose first answer by a maintainer has no question.
    pub answered_without_asking: Label,
}

#[derive(Debug)]
struct Patterns {
    returned: Vec<Regex>,
    accepted: Vec<Regex>,
}

/// The reason why a file of patterns cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OutcomesError {
    /// The file has another form.
    #[error("{0}")]
    Form(#[from] yaml::Unusable),
    /// A pattern is not a regular expression, or is too large.
    #[error("the pattern `{pattern}` is not valid: {message}")]
    Pattern {
        /// The pattern as written.
        pattern: String,
        /// The problem with the pattern.
        message: String,
    },
    /// An example does not match the patterns of its file.
    #[error("the example `{example}` is not taken for `{meant}`: change the patterns or the example")]
    Example {
        /// The text of the example.
        example: String,
        /// The outcome that it is an example of.
        meant: &'static str,
    },
}

impl OutcomeWords {
    /// Returns the shipped patterns.
    pub fn shipped() -> Self {
        Self::parse(SHIPPED_OUTCOMES).expect("a test reads the shipped file")
    }

    /// Reads a file of patterns and checks it with its own examples.
    ///
    /// # Errors
    /// Fails if the file has another form, and on the first pattern or example that is wrong.
    pub fn parse(text: &str) -> Result<Self, OutcomesError> {
        let file: File = yaml::read(text)?;
        let whole = |patterns: &[String]| compiled(patterns, |pattern| format!("^(?:{pattern})$"));
        let anywhere = |patterns: &[String]| compiled(patterns, str::to_owned);
        let names = |names: &Names| {
            Ok::<_, OutcomesError>(Patterns { returned: whole(&names.returned)?, accepted: whole(&names.accepted)? })
        };
        let words = Self {
            labels: names(&file.labels)?,
            states: names(&file.states)?,
            asks: anywhere(&file.asks)?,
            not_asks: anywhere(&file.not_asks)?,
            reopened: file.reopened,
            closed_without_work: file.closed_without_work,
            closed_after_work: file.closed_after_work,
            answered_without_asking: file.answered_without_asking,
        };
        words.check(&file.examples)?;
        Ok(words)
    }

    fn check(&self, examples: &Examples) -> Result<(), OutcomesError> {
        let wrong = |example: &String, meant| OutcomesError::Example { example: example.clone(), meant };
        let Examples { labels, asks } = examples;
        for (names, label, meant) in [
            (&labels.returned, Some(Label::Returned), "returned"),
            (&labels.accepted, Some(Label::Accepted), "accepted"),
            (&labels.neither, None, "neither"),
        ] {
            if let Some(example) = names.iter().find(|name| self.of_label(name) != label) {
                return Err(wrong(example, meant));
            }
        }
        for (sentences, fires, meant) in [(&asks.fires, true, "asks"), (&asks.silent, false, "silent")] {
            if let Some(example) = sentences.iter().find(|sentence| self.asks(sentence) != fires) {
                return Err(wrong(example, meant));
            }
        }
        Ok(())
    }

    /// The label that the name of a label in the tracker gives.
    pub(crate) fn of_label(&self, name: &str) -> Option<Label> {
        self.labels.label(name)
    }

    /// The label that a status, a resolution or a reason for closing gives.
    pub(crate) fn of_state(&self, name: &str) -> Option<Label> {
        self.states.label(name)
    }

    /// Returns true for a sentence that asks the author for missing information.
    pub fn asks(&self, sentence: &str) -> bool {
        let sentence = sentence.to_lowercase().replace(['\'', '’'], " ");
        let matches = |patterns: &[Regex]| patterns.iter().any(|pattern| pattern.is_match(&sentence));
        matches(&self.asks) && !matches(&self.not_asks)
    }
}

impl Patterns {
    fn label(&self, name: &str) -> Option<Label> {
        let names = normalised(name);
        let matches = |patterns: &[Regex]| names.iter().any(|name| patterns.iter().any(|one| one.is_match(name)));
        if matches(&self.returned) {
            return Some(Label::Returned);
        }
        matches(&self.accepted).then_some(Label::Accepted)
    }
}

/// The name in lower case with single spaces, with and without its prefix.
fn normalised(name: &str) -> Vec<String> {
    let plain = name.to_lowercase().replace(['-', '_', ':', '/', '\'', '’', '(', ')'], " ");
    let words: Vec<&str> = plain.split_whitespace().collect();
    let mut names = vec![words.join(" ")];
    if words.first().is_some_and(|first| PREFIXES.contains(first)) {
        names.push(words[1..].join(" "));
    }
    names
}

fn compiled(patterns: &[String], form: impl Fn(&str) -> String) -> Result<Vec<Regex>, OutcomesError> {
    let compile = |pattern: &String| {
        RegexBuilder::new(&form(pattern)).size_limit(MOST_BYTES).build().map_err(|error| OutcomesError::Pattern {
            pattern: pattern.clone(),
            message: error.to_string().lines().last().unwrap_or_default().to_owned(),
        })
    };
    patterns.iter().map(compile).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shipped_patterns_fit_their_examples() {
        OutcomeWords::parse(SHIPPED_OUTCOMES).expect("valid");
    }

    #[test]
    fn a_broken_pattern_or_example_is_named() {
        let broken = SHIPPED_OUTCOMES.replace("    - more (info|information|details?)\n", "    - more (info\n");
        assert!(
            matches!(OutcomeWords::parse(&broken), Err(OutcomesError::Pattern { pattern, .. }) if pattern == "more (info")
        );
        let unfit = SHIPPED_OUTCOMES.replace("neither: [bug,", "neither: [needs info, bug,");
        assert!(matches!(OutcomeWords::parse(&unfit), Err(OutcomesError::Example { meant: "neither", .. })));
    }
}
