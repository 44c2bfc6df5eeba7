//! Tries the examples of rules: those that must fire and those that must not.

use super::findings::{Context, findings_of};
use crate::model::{Facets, Finding, RuleId};
use crate::rules::{Example, Profile, Rule, RuleBook};
use crate::text::Reading;

/// An example that did not do what its rule file says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExampleFailure {
    /// The rule.
    pub rule: RuleId,
    /// The text of the example.
    pub text: String,
    /// True if it must fire and was silent; false if it must be silent and fired.
    pub must_fire: bool,
    /// What was found where nothing should be: the words that fired.
    pub found: Vec<String>,
}

impl std::fmt::Display for ExampleFailure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.must_fire {
            write!(f, "{}: should fire, but is silent: {}", self.rule, self.text.trim())
        } else {
            write!(f, "{}: should be silent, but finds {:?}: {}", self.rule, self.found, self.text.trim())
        }
    }
}

/// Every example of every rule that does not do what its file says.
///
/// `findings` reads one example and gives what the rule finds in it; reading a text is the caller's, because examples of
/// some rules are whole tickets that must be structured first.
pub fn check_examples(book: &RuleBook, findings: impl Fn(&Rule, &Example) -> Vec<Finding>) -> Vec<ExampleFailure> {
    book.rules.iter().flat_map(|rule| check_rule_examples(rule, &findings)).collect()
}

/// The same for one rule.
pub fn check_rule_examples(rule: &Rule, findings: impl Fn(&Rule, &Example) -> Vec<Finding>) -> Vec<ExampleFailure> {
    let mut failures = Vec::new();
    let examples = &rule.file.examples;
    let fires = examples.fires.iter().map(|example| (example, true));
    for (example, must_fire) in fires.chain(examples.silent.iter().map(|example| (example, false))) {
        let found = findings(rule, example);
        if found.is_empty() == must_fire {
            let words = |finding: &Finding| {
                let term = finding.values.iter().find(|(name, _)| *name == "term").map(|(_, words)| words.clone());
                term.or_else(|| finding.span.map(|span| span.slice(&example.text).to_string())).unwrap_or_default()
            };
            failures.push(ExampleFailure {
                rule: rule.file.id.clone(),
                text: example.text.clone(),
                must_fire,
                found: found.iter().map(words).collect(),
            });
        }
    }
    failures
}

/// What a rule finds in one of its examples, read as the example says; `facets` structures the text.
pub fn findings_in_example(
    book: &RuleBook,
    rule: &Rule,
    example: &Example,
    facets: impl Fn(&str, &Reading) -> Facets,
) -> Vec<Finding> {
    let mut reading = book.reader.read(&example.text, None);
    if let Some(genre) = example.genre {
        reading.read_as(genre);
    }
    let facets = facets(&example.text, &reading);
    let profile = example.profile.unwrap_or(Profile::Feature);
    findings_of(rule, Context { text: &example.text, reading: &reading, facets: &facets, profile })
}

/// TEMP stand-in.
pub fn plain_facets(text: &str, reading: &Reading) -> Facets {
    use crate::model::{Criterion, CriterionForm, Genre};
    use crate::text::{BlockKind, Cue};
    let mut facets = Facets::default();
    for sentence in reading.sentences.iter().filter(|s| s.genre == Genre::AcceptanceCriterion) {
        let block = &reading.blocks[sentence.block];
        if block.kind != BlockKind::ListItem || facets.criteria.iter().any(|c| c.span == block.text) {
            continue;
        }
        let words = block.text.slice(text);
        facets.criteria.push(Criterion {
            span: block.text,
            form: CriterionForm::ListItem,
            verifiable: sentence.cues.has(Cue::Observable) && !words.is_empty(),
            negative: sentence.cues.has(Cue::Failure),
        });
    }
    facets
}
