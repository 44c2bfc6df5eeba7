//! Tests that a user's expression is compiled once per run, however many tickets are judged.

use super::{Pipeline, Settings, Stated};
use crate::stages::intake::RawInput;
use reqgate_guardrail::Guardrail;
use reqgate_rules::config::ValidConfig;
use reqgate_rules::config::guardrail::GuardrailPatterns;
use reqgate_rules::{self as rules, SourceFile, compiled_so_far};

const RULES: usize = 100;
const TICKETS: usize = 200;
const TICKET: &str = "Print shipping labels in bulk\n\nAs a clerk, I want to print the labels of all open orders at once, so that \
                      I need not open each order.\n\nAcceptance criteria\n\n- The list shows label 7 of each order.\n\
                      - Pressing Print prints at most 50 labels.\n";

fn rule(number: usize) -> SourceFile {
    let text = format!(
        "id: own-{number}\ncategory: AMBIGUITY\nseverity: WARNING\none_language: a test\nwording:\n  en: {{summary: a label of \
         old, why: nobody knows it, message: \"“{{term}}” is old\", question: \"which {{term}}?\", fix: name it}}\ndetect:\n  \
         patterns:\n    expressions: [{{find: 'label (?P<term>[0-9]+) of {{1,{number}}}[a-z]', near: [label]}}]\n    genres: \
         [acceptance-criterion]\nexamples:\n  fires: [{{text: a label 7 of it}}]\n  silent: [{{text: a label}}]\n"
    );
    SourceFile::user(format!("rules/own-{number}.yaml"), text)
}

fn scorecard() -> SourceFile {
    let text = "id: feature-ready\nversion: 1.0.0\nprofile: feature\nsummary: ours\nthreshold: 10\ndimensions:\n  - id: all\n    \
                weight: 1.0\n    criteria: [{id: named, points: 100, evidence: {pattern: {find: 'label \\d'}}, advice: name it}]\n";
    SourceFile::user("scorecards/feature-ready.yaml".to_owned(), text.to_owned())
}

#[test]
fn expressions_of_rules_and_scorecards_are_compiled_once_for_many_tickets() {
    let mut files = rules::shipped_files_for_judging();
    files.extend((1..=RULES).map(rule));
    files.push(scorecard());
    let book = rules::load(&files).expect("the rules load");
    let config = ValidConfig::defaults();
    let patterns = GuardrailPatterns::shipped().expect("the shipped patterns load");
    let guardrail = Guardrail::new(&config.guardrail.value, &patterns).expect("the guardrail is built");
    let settings = Settings::from_config(&config, Stated::default(), "2026-11-22").expect("the defaults are valid");
    let pipeline = Pipeline::new(book, guardrail, settings);
    let judge = |number: usize| {
        let text = format!("{TICKET}\nTicket {number}\n");
        pipeline.run(RawInput { text, ..RawInput::default() }).expect("it can be judged");
    };
    judge(0);
    let after_one = compiled_so_far();
    assert!(after_one > RULES, "{after_one}: every rule and the scorecard were needed");
    (1..TICKETS).for_each(judge);
    assert_eq!(compiled_so_far(), after_one);
}
