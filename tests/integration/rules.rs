//! The shipped rules against their own examples, their checks and their schema.

use garde::Validate;
use reqgate::pipeline::check_facet_examples;
use reqgate::rules::{self, Profile, RubricFile, RuleFile};
use reqgate::stages::scoring::examples::{check_examples, findings_in_example};
use reqgate::stages::structuring;

use crate::invariants;
use crate::texts::pipelines;

#[test]
fn every_shipped_rule_does_what_its_examples_say() {
    let book = rules::load(&rules::shipped_files()).expect("the shipped rules load");
    let failures = check_examples(&book, |rule, example| {
        let profile = example.profile.unwrap_or(Profile::Feature);
        findings_in_example(&book, rule, example, |text, reading| structuring::structure(text, reading, profile).facets)
    });
    let told: Vec<String> = failures.iter().map(ToString::to_string).collect();
    assert!(failures.is_empty(), "{} examples fail:\n{}", told.len(), told.join("\n---\n"));
}

/// Each rule fires in one of the examples, so the properties of outcomes are checked on every kind of finding.
#[test]
fn what_holds_of_every_outcome_holds_of_every_example() {
    let book = rules::load(&rules::shipped_files()).expect("the shipped rules load");
    let pipeline = pipelines::undeterred(None);
    let mut other_places = 0;
    for rule in &book.rules {
        for example in rule.file.examples.fires.iter().chain(&rule.file.examples.silent) {
            let Ok(outcome) = pipeline.run(pipelines::input(&example.text)) else { continue };
            eprintln!("{}", rule.file.id);
            invariants::check(&example.text, &outcome);
            let report = outcome.score_report.iter();
            let issues = report.flat_map(|report| report.blocking_issues.iter().chain(&report.non_blocking_issues));
            other_places += issues.filter(|issue| issue.against.is_some()).count();
        }
    }
    assert!(other_places > 0, "no conflict among them names its other place");
}

/// `reqgate rules test rubrics` tries a rule before the program is built again.
#[test]
fn the_shipped_folder_is_a_rules_folder() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("rubrics");
    let mut files = rules::shipped_files();
    files.extend(rules::user_files(&folder).expect("the folder is in the repository"));
    rules::load(&files).expect("every file in it means something in a folder of the user's too");
}

#[test]
fn every_shipped_facet_is_told_as_its_examples_say() {
    let book = rules::load(&rules::shipped_files()).expect("the shipped rules load");
    for facet in &book.facets {
        let examples = &facet.file.examples;
        assert!(!examples.fires.is_empty() && !examples.silent.is_empty(), "{} has no examples", facet.file.id);
    }
    let failures: Vec<String> = book
        .facets
        .iter()
        .flat_map(|facet| check_facet_examples(&book, facet))
        .map(|failure| failure.to_string())
        .collect();
    assert!(failures.is_empty(), "{} examples fail:\n{}", failures.len(), failures.join("\n---\n"));
}

#[test]
fn every_file_of_a_rule_is_a_rule_of_the_program() {
    let book = rules::load(&rules::shipped_files()).expect("the shipped rules load");
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("rubrics/rules");
    let files = std::fs::read_dir(folder).expect("the folder is in the repository");
    let mut names: Vec<String> = files
        .map(|file| file.expect("a readable entry").file_name().to_string_lossy().trim_end_matches(".yaml").to_owned())
        .collect();
    names.sort();
    let ids: Vec<&str> = book.rules.iter().map(|rule| rule.file.id.as_str()).collect();
    assert_eq!(ids, names);
}

#[test]
fn every_shipped_file_is_valid_as_a_users_file_would_have_to_be() {
    for entry in ["rules", "scorecards"] {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("rubrics").join(entry);
        for file in std::fs::read_dir(folder).expect("the folder is in the repository") {
            let path = file.expect("a readable entry").path();
            let text = std::fs::read_to_string(&path).expect("a readable file");
            let valid = match entry {
                "rules" => {
                    serde_saphyr::from_str::<RuleFile>(&text).map(|rule| rule.validate().map_err(|e| e.to_string()))
                }
                _ => serde_saphyr::from_str::<RubricFile>(&text)
                    .map(|rubric| rubric.validate().map_err(|e| e.to_string())),
            };
            let valid = valid.map_err(|error| error.to_string()).and_then(|inner| inner);
            assert_eq!(valid, Ok(()), "{}", path.display());
        }
    }
}

#[test]
fn the_words_of_every_cue_are_found_in_its_own_examples() {
    use reqgate::text::cues::{Cue, WordListFile};
    let book = rules::load(&rules::shipped_files()).expect("the shipped rules load");
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("rubrics/vocabulary");
    for file in std::fs::read_dir(folder).expect("the folder is in the repository") {
        let path = file.expect("a readable entry").path();
        let cue: WordListFile =
            serde_saphyr::from_str(&std::fs::read_to_string(&path).expect("a readable file")).expect("a cue file");
        assert!(!cue.examples.fires.is_empty(), "{} has no example", path.display());
        let own = *Cue::ALL.iter().find(|own| own.name() == cue.id).expect("a cue that the program knows");
        let found =
            |text: &str| book.reader.read(text, None).cues_in(reqgate::model::Span::new(0, text.len())).has(own);
        for text in &cue.examples.fires {
            assert!(found(text), "{}: no hit in {text:?}", path.display());
        }
        for text in &cue.examples.silent {
            assert!(!found(text), "{}: a hit in {text:?}", path.display());
        }
    }
}
