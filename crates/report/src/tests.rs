//! Checks that every report for people uses one language throughout.

use super::{Detail, Format, ReportOptions, jira_comment, samples, whole_markdown};
use reqgate_base::model::{Language, Outcome, PenaltyReason, SkipReason};
use reqgate_messages as messages;

/// The formats for people.
fn formats() -> impl Iterator<Item = Format> {
    Format::ALL.into_iter().filter(|format| format.is_for_people())
}

/// The words allowed in both languages: ids, versions, options, names of products, and keywords of the formats.
const NAMES: [&str; 11] = [
    "GitHub",
    "reqgate",
    "AI",
    "md",
    "br",
    "feature",
    "completeness",
    "clarity",
    "vague-term",
    "MISSING_AC",
    "verbose",
];

fn chinese() -> Outcome {
    let mut outcome = samples::rejected_zh();
    outcome.model = Some(samples::model_that_was_asked());
    let model = outcome.model.as_mut().expect("it was just set");
    let mut unasked = model.steps[0].clone();
    unasked.end = reqgate_base::model::ModelStepEnd::NotAsked { reason: SkipReason::NothingToAsk };
    model.steps.push(unasked);
    let penalty = reqgate_base::model::Penalty { reason: PenaltyReason::RawText, points: 5.0 };
    outcome.score_report.as_mut().expect("the sample is scored").penalties = vec![penalty];
    outcome
}

/// The visible text of a format: no tags, no style, no attributes except messages.
fn shown(format: Format, text: &str) -> String {
    match format {
        Format::Html => {
            let body = text.split_once("<body>").map_or(text, |(_, body)| body);
            regex::Regex::new("<[^>]*>").expect("a constant").replace_all(body, " ").replace("&#x2f;", "/")
        }
        Format::Junit => {
            regex::Regex::new("</?(testsuites?|testcase)[^>]*>|<[?][^>]*>|</?failure|message=|type=\"[A-Z_]*\"")
                .expect("a constant")
                .replace_all(text, " ")
                .into_owned()
        }
        Format::Markdown => {
            text.replace("<details>", "").replace("</details>", "").replace("summary>", "").replace("sub>", "")
        }
        _ => text.to_owned(),
    }
}

fn english_words(text: &str) -> Vec<String> {
    let id = regex::Regex::new(r"openai/small-1\S*|llm\.example|structuring\\?_v1|[0-9a-f]{16}").expect("a constant");
    let text = id.replace_all(text, " ");
    let word = regex::Regex::new("[A-Za-z][A-Za-z_-]*").expect("a constant");
    let found = word.find_iter(&text).map(|found| found.as_str().to_owned());
    found.filter(|word| !NAMES.contains(&word.as_str())).collect()
}

fn has_chinese(text: &str) -> bool {
    text.chars().any(|c| ('\u{3000}'..='\u{303f}').contains(&c) || ('\u{4e00}'..='\u{9fff}').contains(&c) || c == '：')
}

#[test]
fn chinese_ticket_gives_a_chinese_report() {
    let options = ReportOptions { detail: Detail::Full, explain_model: true, ..ReportOptions::default() };
    for format in formats() {
        let text = samples::render(format, options, &[chinese(), chinese()], &[]);
        let found = english_words(&shown(format, &text));
        assert!(found.is_empty(), "{format}: {found:?}\n{text}");
    }
    for text in
        [whole_markdown(&chinese()), jira_comment(&chinese()).to_wiki().replace("h3.", "").replace("&#45;", "-")]
    {
        let found = english_words(&shown(Format::Markdown, &text));
        assert!(found.is_empty(), "{found:?}\n{text}");
    }
}

#[test]
fn english_ticket_gives_an_english_report() {
    let outcomes: Vec<Outcome> =
        samples::all().into_iter().filter(|outcome| outcome.language == Language::En).collect();
    let options = ReportOptions { detail: Detail::Full, ..ReportOptions::default() };
    for format in formats() {
        let text = samples::render(format, options, &outcomes, &[samples::unreadable()]);
        assert!(!has_chinese(&text), "{format}: {text}");
    }
}

#[test]
fn every_report_names_who_accepted_what_is_open() {
    for format in formats() {
        let options = ReportOptions { detail: Detail::Failures, ..ReportOptions::default() };
        let text = shown(format, &samples::render(format, options, &[samples::accepted()], &[]));
        assert!(text.contains("accepted by Ana") && text.contains("answered in the pilot"), "{format}: {text}");
    }
}

#[test]
fn counts_are_chinese_only_where_every_report_is() {
    let options = ReportOptions { detail: Detail::Quiet, ..ReportOptions::default() };
    let mixed = samples::render(Format::Human, options, &[chinese(), samples::rejected()], &[]);
    assert!(mixed.ends_with("2 inputs: 2 rejected\n"), "{mixed}");
    let same = samples::render(Format::Human, options, &[chinese(), chinese()], &[]);
    assert!(same.ends_with("2 个输入：2 个未就绪\n"), "{same}");
}

#[test]
fn a_line_has_its_number() {
    assert_eq!(messages::Report::of(Language::En).line(&3), "line 3");
}

#[test]
fn a_key_in_a_ready_ticket_is_told_with_its_line_however_little_is_asked_for() {
    let quiet = ReportOptions { detail: Detail::Quiet, ..ReportOptions::default() };
    for (format, expected) in [
        (Format::Human, "\n    ! line 9: A value was found.\n"),
        (Format::Markdown, "\n\n> line 9: A value was found.\n"),
        (Format::Github, "::warning file=tickets/key.md,line=9,col=1,title=secret::line 9: A value was found.\n"),
    ] {
        for options in [ReportOptions::default(), quiet] {
            let text = samples::render(format, options, &[samples::passed_with_secret()], &[]);
            assert!(text.contains(expected), "{text}");
        }
        let text = samples::render(format, quiet, &[samples::passed()], &[]);
        assert!(!text.contains("A value"), "{text}");
    }
}

#[test]
fn a_reason_for_many_questions_is_given_once_with_the_questions_below_it() {
    let mut outcome = samples::accepted();
    let report = outcome.score_report.as_mut().expect("the sample is scored");
    let mut other = report.non_blocking_issues[0].clone();
    other.quote = Some("Who pays for it?".to_owned());
    other.fingerprint = reqgate_base::model::Fingerprint("0123456789abcdef".to_owned());
    report.non_blocking_issues.push(other.clone());
    let mut waiver = outcome.decision.waivers[0].clone();
    waiver.0.fingerprint = Some(other.fingerprint.clone());
    outcome.decision.waivers.push(waiver);
    outcome.decision.accepted.push(other.fingerprint);
    outcome.decision.explanation = "Ready.".to_owned();
    let options = ReportOptions { detail: Detail::Full, ..ReportOptions::default() };
    for format in [Format::Human, Format::Markdown, Format::Html] {
        let text = shown(format, &samples::render(format, options, &[outcome.clone()], &[]));
        assert_eq!(text.matches("answered in the pilot").count(), 1, "{format}: {text}");
        assert!(text.contains("Who pays for it?") && text.contains("large statements"), "{format}: {text}");
    }
}
