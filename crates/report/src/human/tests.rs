//! Tests of the report for a terminal.

use super::*;
use crate::{Detail, Format, samples};

fn human(outcome: Outcome, options: ReportOptions) -> String {
    samples::render(Format::Human, options, &[outcome], &[])
}

#[test]
fn rejection_says_what_to_write() {
    insta::assert_snapshot!("rejected_human", human(samples::rejected(), ReportOptions::default()));
}

#[test]
fn verbose_rejection_says_all() {
    let options = ReportOptions { detail: Detail::Full, width: 72, ..ReportOptions::default() };
    insta::assert_snapshot!("rejected_verbose_human", human(samples::rejected(), options));
}

#[test]
fn chinese_place_is_marked_at_its_width() {
    insta::assert_snapshot!("rejected_zh_human", human(samples::rejected_zh(), ReportOptions::default()));
}

#[test]
fn batch_ends_with_its_counts() {
    let text = samples::render(
        Format::Human,
        ReportOptions::default(),
        &[
            samples::passed(),
            samples::not_applicable(),
            samples::guardrail_rejected(),
            samples::below_threshold(),
            samples::waived(),
        ],
        &[samples::unreadable()],
    );
    insta::assert_snapshot!("batch_human", text);
}

#[test]
fn pass_is_one_line_and_its_first_warnings() {
    let text = human(samples::passed(), ReportOptions::default());
    let warning = "       6:22 vague-term: “fast” cannot be tested. (−2.5)\n";
    assert_eq!(
        text,
        format!("PASS  Export of the monthly statement (backlog.jsonl:12)  84/100 (needs 60)  1 warning\n{warning}")
    );
}

#[test]
fn edits_that_do_not_reach_the_threshold_promise_no_pass() {
    let mut outcome = samples::below_threshold();
    outcome.decision.threshold = Some(60.0);
    let edit = reqgate_base::model::Edit {
        instruction: "Say who needs it.".to_owned(),
        rule_id: None,
        criterion: None,
        span: None,
        points: 2.0,
        removes_blocker: false,
    };
    let text = |after| {
        let mut outcome = outcome.clone();
        outcome.decision.path_to_pass = Some(PathToPass { edits: vec![edit.clone()], score_after: after });
        human(outcome, ReportOptions::default())
    };
    assert!(text(59.0).contains("These edits help, but are not enough to pass"));
    assert!(text(60.0).contains("To pass ("));
}

#[test]
fn a_headline_that_does_not_fit_has_its_words_below() {
    let mut outcome = samples::not_applicable();
    outcome.decision.explanation = "a task is no requirement and is not judged; write one ticket for it".to_owned();
    let options = ReportOptions { width: 60, ..ReportOptions::default() };
    assert_eq!(
        human(outcome, options),
        "NOT_APPLICABLE  chore.md\n  a task is no requirement and is not judged; write one\n  ticket for it\n"
    );
    let missing =
        InputError { input: "nofile.md".to_owned(), message: "`nofile.md` does not exist: check it".to_owned() };
    let text = samples::render(Format::Human, ReportOptions { width: 40, ..options }, &[], &[missing]);
    assert!(text.starts_with("ERROR  nofile.md\n  `nofile.md` does not exist: check it\n"), "{text}");
}

#[test]
fn quiet_report_of_passes_is_empty() {
    let options = ReportOptions { detail: Detail::Quiet, ..ReportOptions::default() };
    assert_eq!(human(samples::passed(), options), "");
    assert_eq!(human(samples::not_applicable(), options), "");
    let several = [samples::passed(), samples::not_applicable()];
    assert_eq!(samples::render(Format::Human, options, &several, &[]), "");
}

#[test]
fn report_of_failures_counts_the_passes() {
    let options = ReportOptions { detail: Detail::Failures, ..ReportOptions::default() };
    assert_eq!(human(samples::passed(), options), "1 input: 1 passed\n");
    let several = [samples::passed(), samples::not_applicable()];
    let text = samples::render(Format::Human, options, &several, &[]);
    assert_eq!(text, "2 inputs: 1 passed, 1 not applicable\n");
}

#[test]
fn colours_are_written_only_if_asked_for() {
    for outcome in samples::all() {
        let plain = human(outcome.clone(), ReportOptions { detail: Detail::Full, ..ReportOptions::default() });
        assert!(!plain.chars().any(|c| c != '\n' && reqgate_base::clean::is_unsafe(c)), "{plain:?}");
        let coloured = human(outcome, ReportOptions { colour: true, detail: Detail::Full, ..ReportOptions::default() });
        assert!(coloured.contains('\u{1b}'));
        assert_eq!(anstream::adapter::strip_str(&coloured).to_string(), plain);
    }
}

#[test]
fn hostile_ticket_is_shown_harmless() {
    insta::assert_snapshot!("hostile_human", human(samples::hostile(), ReportOptions::default()));
}
