//! Runs the examples of rules: those that must fire and those that must not.

use super::Context;
use super::findings::findings_of;
use reqgate_base::model::{Facets, Finding, RuleId};
use reqgate_rules::{Example, Profile, Rule, RuleBook};
use reqgate_text::Reading;

/// An example whose result differs from its rule file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExampleFailure {
    /// The rule that the example belongs to.
    pub rule: RuleId,
    /// The text of the example.
    pub text: String,
    /// The example should have fired but did not; if false, it fired but should not have.
    pub must_fire: bool,
    /// The words that fired although the rule should have been silent.
    pub found: Vec<String>,
}

impl std::fmt::Display for ExampleFailure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.must_fire {
            write!(f, "{}: should fire, but is silent: {}", self.rule, self.text.trim())
        } else {
            let found = self.found.join("”, “");
            write!(f, "{}: should be silent, but finds “{found}”: {}", self.rule, self.text.trim())
        }
    }
}

/// Returns every example of every rule whose result differs from its file.
///
/// `findings` reads one example and returns the findings of the rule in it. Reading is left to the caller, because
/// examples of some rules are whole tickets that must be structured first.
pub fn check_examples(book: &RuleBook, findings: impl Fn(&Rule, &Example) -> Vec<Finding>) -> Vec<ExampleFailure> {
    book.rules.iter().flat_map(|rule| check_rule_examples(rule, &findings)).collect()
}

/// Returns the examples of one rule whose result differs from its file.
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

/// The findings of a rule in one of its examples, read as the example says; `facets` structures the text.
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
    findings_of(
        rule,
        Context {
            text: &example.text,
            reading: &reading,
            language: reading.language,
            facets: &facets,
            profile,
            by_evidence: false,
            // An example is read as an issue of a tracker: a title alone has an empty description.
            has_empty_description: reading.title.is_some_and(|title| title.slice(&example.text) == example.text.trim()),
        },
    )
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use garde::Validate;

    use super::*;
    use crate::stages::scoring::checks;
    use reqgate_base::model::{Criterion, CriterionForm, Genre, Severity};
    use reqgate_rules::{Detect, Wording, load, shipped_files};
    use reqgate_text::lexicon::is_cjk;
    use reqgate_text::{BlockKind, Cue};

    fn book() -> RuleBook {
        load(&shipped_files()).unwrap()
    }

    /// Replaces structuring in tests: only items below "Acceptance criteria" are criteria.
    fn listed_criteria(text: &str, reading: &Reading) -> Facets {
        let mut facets = Facets::default();
        for sentence in reading.sentences.iter().filter(|s| s.genre == Genre::AcceptanceCriterion) {
            let block = &reading.blocks[sentence.block];
            if block.kind != BlockKind::ListItem || facets.criteria.iter().any(|c| c.span == block.text) {
                continue;
            }
            facets.criteria.push(Criterion {
                span: block.text,
                form: CriterionForm::ListItem,
                verifiable: sentence.cues.has(Cue::Observable) && !block.text.slice(text).is_empty(),
                negative: sentence.cues.has(Cue::Failure),
            });
        }
        facets
    }

    #[test]
    fn every_shipped_rule_is_valid_and_its_expressions_compile() {
        for rule in book().rules {
            let id = rule.file.id.as_str().to_string();
            rule.file.validate().unwrap_or_else(|error| panic!("{id}: {error}"));
            if let Detect::Patterns { expressions, .. } = &rule.file.detect {
                for (index, pattern) in expressions.iter().enumerate() {
                    assert!(rule.expression(index).is_some(), "{id}: expression {index} is broken");
                    assert_eq!(
                        rule.excuse(index).is_some(),
                        pattern.unless.is_some(),
                        "{id}: excuse {index} is broken"
                    );
                    assert!(!pattern.near.is_empty(), "{id}: expression {index} is never tried");
                }
            }
        }
    }

    #[test]
    fn every_shipped_rule_is_worded_in_both_languages() {
        let holes = |wording: &Wording| {
            let all = [&wording.message, &wording.question, &wording.fix].map(String::as_str).concat();
            let names =
                all.split('{').skip(1).filter_map(|rest| rest.split_once('}').map(|(name, _)| name.to_string()));
            names.collect::<BTreeSet<String>>()
        };
        for rule in &book().rules {
            let (id, wording) = (&rule.file.id, &rule.file.wording);
            let chinese = wording.zh.as_ref().unwrap_or_else(|| panic!("{id}: a Chinese report has Chinese messages"));
            let is_chinese = |words: &str| words.chars().any(is_cjk);
            for words in [&chinese.summary, &chinese.why, &chinese.message, &chinese.question, &chinese.fix] {
                assert!(is_chinese(words), "{id}: {words}");
            }
            let known: BTreeSet<String> =
                ["term", "quote", "count", "found", "needed", "other"].map(String::from).into();
            for wording in std::iter::once(&wording.en).chain(&wording.zh) {
                assert!(holes(wording).is_subset(&known), "{id}: {:?}", holes(wording));
                assert!(!wording.summary.contains('{') && !wording.why.contains('{'), "{id}");
            }
            assert!(matches!(rule.file.severity, Severity::Warning | Severity::Blocker));
        }
    }

    #[test]
    fn every_check_has_a_rule_file_and_the_other_way_round() {
        let book = book();
        let files = |is: fn(&Detect) -> bool| -> Vec<&str> {
            book.rules.iter().filter(|rule| is(&rule.file.detect)).map(|rule| rule.file.id.as_str()).collect()
        };
        // Rules are ordered by id, so the lists in the code must be, too.
        let mut whole: Vec<&str> = checks::ALL.iter().map(|(id, _)| *id).collect();
        assert!(whole.is_sorted());
        whole.extend(checks::OF_FIGURES.iter().map(|(id, _)| *id));
        whole.sort_unstable();
        assert_eq!(files(|detect| matches!(detect, Detect::Check)), whole);
        let places: Vec<&str> = checks::AT_WORDS.iter().map(|(id, _)| *id).collect();
        assert_eq!(files(|detect| matches!(detect, Detect::CheckWords { .. })), places);
    }

    #[test]
    fn a_wrong_example_is_reported_with_what_was_found() {
        let book = book();
        let id = RuleId::new("and-or").unwrap();
        let rule = book.rule(&id).unwrap();
        let found =
            check_rule_examples(rule, |_, example| vec![Finding::missing(id.clone()).with("term", &*example.text)]);
        assert_eq!(found.len(), rule.file.examples.silent.len());
        assert!(found[0].to_string().starts_with("and-or: should be silent, but finds"));
    }

    #[test]
    fn hostile_texts_do_not_stop_a_rule() {
        let book = book();
        let texts = [
            "",
            "\u{feff}",
            "（（（（",
            "As a 用户（, I want 等（等等、，so that 🎉(",
            "- - - :\n：\n# :\n",
            "FR-1 FR-99999999999999999999 FR-",
            "![](",
            "<img",
            "| a | FR-1, |\n|---|---|",
            "als a\r\n\u{2028}İ作为İ，我想İ并且",
            "if when unless, if when unless if",
        ];
        for text in texts {
            for profile in [Profile::Feature, Profile::Bug, Profile::Prd, Profile::Meeting] {
                for genre in Genre::ALL {
                    let mut reading = book.reader.read(text, None);
                    reading.read_as(genre);
                    let facets = listed_criteria(text, &reading);
                    let ctx = Context {
                        text,
                        reading: &reading,
                        language: reading.language,
                        facets: &facets,
                        profile,
                        by_evidence: false,
                        has_empty_description: false,
                    };
                    for finding in crate::stages::scoring::findings::findings(&book, ctx) {
                        assert!(
                            finding.span.is_none_or(|span| text.get(span.start..span.end).is_some()),
                            "{finding:?}"
                        );
                    }
                }
            }
        }
    }
}
