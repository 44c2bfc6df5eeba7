//! Tests of the comment's text: sections, state, escaping, length.

use super::*;
use crate::samples;
use reqgate_base::model::{Fingerprint, Outcome};

fn summary(rule: &RuleId) -> String {
    format!("What {rule} is about")
}

fn write(outcome: &Outcome, before: Option<&CommentState>, input: &str) -> CommentText {
    let now = CommentState::after(before, outcome, input, "2026-11-21T08:00:00Z", true);
    comment(CommentParts { outcome, now, proposal: None, summary: &summary })
}

#[test]
fn rejection_says_what_where_and_asks() {
    insta::assert_snapshot!("comment_rejected", CommentText::visible(&write(&samples::rejected(), None, "a").text));
}

#[test]
fn chinese_ticket_gets_a_chinese_comment() {
    insta::assert_snapshot!(
        "comment_rejected_zh",
        CommentText::visible(&write(&samples::rejected_zh(), None, "a").text)
    );
}

#[test]
fn guardrail_names_kinds_and_counts_only() {
    let written = write(&samples::guardrail_rejected(), None, "a");
    insta::assert_snapshot!("comment_guardrail", &written.text);
    assert!(!written.text.contains("sample-pattern") && written.state.input.is_none());
}

#[test]
fn pass_keeps_what_was_asked() {
    let before = write(&samples::rejected(), None, "a");
    let after = write(&samples::passed(), Some(&before.state), "b");
    insta::assert_snapshot!("comment_passed", CommentText::visible(&after.text));
    assert_eq!(after.text.matches("- [x]").count(), before.state.questions.len());
}

#[test]
fn what_is_fixed_new_and_open_is_told_apart() {
    let before = write(&samples::rejected(), None, "a");
    let mut changed = samples::rejected();
    let report = changed.score_report.as_mut().unwrap();
    report.blocking_issues.remove(0);
    report.blocking_issues[0].fingerprint = Fingerprint("new".to_owned());
    let text = write(&changed, Some(&before.state), "b").text;
    assert!(text.contains("Since the last edit: 1 fixed, 1 new, 6 still open."), "{text}");
    assert!(
        text.contains("Fixed: What missing-acceptance-criteria is about (`missing-acceptance-criteria`)"),
        "{text}"
    );
    assert!(text.contains("· new |"), "{text}");
    // A second run over the same text reports no progress.
    assert!(!write(&samples::rejected(), Some(&before.state), "a").text.contains("Since the last edit"));
}

#[test]
fn answered_question_is_not_asked_again() {
    let mut before = write(&samples::rejected(), None, "a").state;
    let first = before.questions[0].clone();
    before.answer(&[1, 0, 99]);
    let after = write(&samples::rejected(), Some(&before), "a");
    assert!(!after.state.questions.contains(&first));
    assert!(after.text.contains("– answered in a comment"), "{}", after.text);
    assert_eq!(after.state.answered, [first]);
}

#[test]
fn person_who_lets_it_through_is_named_and_escaped() {
    let outcome = samples::rejected();
    let mut now = CommentState::after(None, &outcome, "a", "2026-11-21T08:00:00Z", true);
    now.overridden = Some(Override { by: "bob".to_owned(), reason: "agreed with @octo/team, see #12".to_owned() });
    let parts = CommentParts { outcome: &outcome, now, proposal: None, summary: &summary };
    let text = comment(parts).text;
    assert!(text.contains("**bob** decided that work can start. Reason: agreed with @&#8203;octo/team"), "{text}");
    assert!(!text.contains("#12"), "{text}");
}

#[test]
fn model_and_its_host_are_named() {
    let mut outcome = samples::rejected();
    outcome.model = Some(samples::model_that_was_asked());
    let now = CommentState::after(None, &outcome, "a", "2026-11-21T08:00:00Z", true);
    let text = comment(CommentParts { outcome: &outcome, now, proposal: None, summary: &summary }).text;
    assert!(
        text.contains("Reviewed with the model `openai/small-1`; the masked text was sent to `llm.example`."),
        "{text}"
    );
    assert!(!text.contains("no model"), "{text}");
}

#[test]
fn proposal_is_shown_as_a_diff() {
    let outcome = samples::rejected();
    let now = CommentState::after(None, &outcome, "a", "2026-11-21T08:00:00Z", true);
    let proposal = Proposal::Shown {
        changes: vec![(5, Some("- TBD".to_owned()), vec!["- The file is CSV ```` @all".to_owned()])],
        body: "one\ntwo ````\n".to_owned(),
        score: Some(77.0),
        verdict: Verdict::Pass,
    };
    let proposal = Some(&proposal);
    let text = comment(CommentParts { outcome: &outcome, now, proposal, summary: &summary }).text;
    assert!(text.contains("`````diff\n@@ line 5 @@\n- - TBD\n+ - The file is CSV ```` @all\n`````\n"), "{text}");
    assert!(text.contains("would score 77 points: **PASS**"), "{text}");
}

#[test]
fn comment_that_says_the_same_is_recognised() {
    let written = write(&samples::rejected(), None, "a");
    let mut later = written.state.clone();
    later.updated = "2026-11-22T08:00:00Z".to_owned();
    let given_back = written.text.replace('\n', "\r\n");
    assert!(CommentText { state: later, ..written.clone() }.is_said_by(given_back.trim_end()));
    assert!(!written.is_said_by(&given_back.replace("blocker", "Blocker")));
    assert!(!write(&samples::rejected(), None, "b").is_said_by(&written.text));
}

#[test]
fn comment_of_any_size_fits_and_says_that_it_was_cut() {
    let mut outcome = samples::rejected();
    let report = outcome.score_report.as_mut().unwrap();
    report.blocking_issues[0].description = "很长".repeat(40_000);
    let text = write(&outcome, None, "a").text;
    assert!(text.chars().count() <= LONGEST_COMMENT);
    assert!(text.contains("… truncated"), "{}", &text[..2000]);
    assert!(text.ends_with("</sub>\n"), "the footer is always there");
}

/// Strings that a Markdown renderer would treat as a mention, a reference, a tag or the end of a fence.
fn dangers(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut fence: Option<String> = None;
    for line in CommentText::visible(text).lines() {
        let ticks: String = line.chars().take_while(|c| *c == '`').collect();
        match &fence {
            Some(open) => {
                if ticks.len() >= open.len() && line[ticks.len()..].trim().is_empty() {
                    fence = None;
                }
                continue;
            }
            None if ticks.len() >= 4 => {
                fence = Some(ticks);
                continue;
            }
            None => {}
        }
        let mut rest = line;
        for ours in ["<details>", "</details>", "<summary>", "</summary>", "<sub>", "</sub>"] {
            if let Some(at) = rest.find(ours) {
                rest = &rest[at + ours.len()..];
            }
        }
        let is_word = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
        for (at, c) in line.char_indices() {
            let next = line[at + c.len_utf8()..].chars().next();
            if c == '@' && is_word(next) {
                found.push(format!("mention: {line}"));
            }
            if c == '#' && next.is_some_and(|next| next.is_ascii_digit()) && !line[..at].ends_with('&') {
                found.push(format!("reference: {line}"));
            }
        }
        let tags = line.matches('<').count();
        let own: usize = ["<details>", "</details>", "<summary>", "</summary>", "<sub>", "</sub>"]
            .iter()
            .map(|tag| line.matches(tag).count())
            .sum();
        if tags != own {
            found.push(format!("tag: {line}"));
        }
        if line.starts_with("::") || line.starts_with("/reqgate") {
            found.push(format!("command: {line}"));
        }
    }
    if fence.is_some() {
        found.push("a fence is open".to_owned());
    }
    found
}

#[test]
fn words_of_the_ticket_are_never_markup() {
    assert_eq!(dangers(&write(&samples::hostile(), None, "a").text), Vec::<String>::new());
    let pieces = [
        "@octo/team ",
        "#12 ",
        "<img src=x>",
        "</details>",
        "````",
        "```",
        "\n",
        "::error::x",
        "|",
        "- ",
        "a",
        "中",
        "\u{202e}",
        "-->",
        "/reqgate recheck",
    ];
    proptest::proptest!(|(picked in proptest::collection::vec(0..pieces.len(), 0..24))| {
        let words: String = picked.iter().map(|index| pieces[*index]).collect();
        let mut outcome = samples::rejected();
        let report = outcome.score_report.as_mut().unwrap();
        report.blocking_issues[0].description = words.clone();
        report.blocking_issues[0].question = Some(words.clone());
        let draft = outcome.structured.as_mut().unwrap();
        draft.draft.as_mut().unwrap().user_story = words.clone();
        outcome.packet.raw_text = words.clone();
        draft.facets.actor = Some(reqgate_base::model::Span::new(0, words.len()));
        draft.facets.open_points = vec![reqgate_base::model::OpenPoint { owner: None, span: reqgate_base::model::Span::new(0, words.len()), core: true }];
        let mut now = CommentState::after(None, &outcome, "a", "2026-11-21T08:00:00Z", true);
        now.waive(WaivedRule { rule: report_rule(), decision: Override { by: words.clone(), reason: words.clone() } });
        let proposal = Proposal::Shown {
            changes: vec![(1, Some(words.clone()), words.lines().map(str::to_owned).collect())],
            body: words.clone(), score: None, verdict: Verdict::Reject,
        };
        let parts = CommentParts {
            outcome: &outcome, now: now.clone(), proposal: Some(&proposal), summary: &summary,
        };
        let text = comment(parts).text;
        proptest::prop_assert_eq!(dangers(&text), Vec::<String>::new());
        proptest::prop_assert!(CommentState::read(&text).is_some());
        now.overridden = Some(Override { by: words.clone(), reason: words });
        let text = comment(CommentParts { outcome: &outcome, now, proposal: None, summary: &summary }).text;
        proptest::prop_assert_eq!(dangers(&text), Vec::<String>::new());
    });
}

fn report_rule() -> RuleId {
    RuleId::new("vague-term").expect("a rule id")
}
