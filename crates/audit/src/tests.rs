//! Tests of the audit as a whole, over texts written for them.

use unicode_width::UnicodeWidthStr;

use super::{Audit, Day, Entry, Subject, html, html_contents, text, text_for_terminal, v1};
use reqgate_base::model::{Language, RuleId};
use reqgate_gate::pipeline::{Pipeline, Settings};
use reqgate_gate::stages::intake;
use reqgate_guardrail::Guardrail;
use reqgate_messages as messages;
use reqgate_rules as rules;
use reqgate_rules::config::guardrail::{GuardrailPatterns, GuardrailSettings};

const READY: &str = "As a dispatcher I want to download the orders of a day, because I retype 60 rows every morning.\\n\\n\
Acceptance criteria\\n- The button \\\"Export\\\" downloads a CSV file with the columns id and address.\\n\
- With more than 5,000 orders nothing is downloaded and the message \\\"Too many\\\" is shown.\\n\
- A day without orders gives a file that holds the header only.";
const VAGUE: &str = "The search should be fast and it should work well on all devices. Please improve it soon.";

fn pipeline() -> Pipeline {
    // A stricter policy gives more findings, and these tests are about their presentation.
    pipeline_under("strict")
}

fn pipeline_under(policy: &str) -> Pipeline {
    let book = rules::load(&rules::shipped_files_for_judging()).unwrap();
    let patterns = GuardrailPatterns::shipped().unwrap();
    let guardrail = Guardrail::new(&GuardrailSettings::default(), &patterns).unwrap();
    Pipeline::new(book, guardrail, Settings { policy: Some(policy.into()), ..Settings::default() })
}

fn row(number: u32, title: &str, body: &str, made: &str, comments: u32) -> String {
    format!(
        r#"{{"number": {number}, "title": "{title}", "body": "{body}", "state": "open", "comments": {comments},
        "created_at": "{made}T08:00:00Z", "updated_at": "{made}T08:00:00Z", "html_url": "https://github.com/o/r/issues/{number}"}}"#
    )
    .replace('\n', " ")
}

fn audit(rows: &[String], since: Option<&str>) -> Audit {
    audit_by(&pipeline(), rows, since)
}

fn audit_by(pipeline: &Pipeline, rows: &[String], since: Option<&str>) -> Audit {
    let subject = Subject {
        source: "o/r".to_owned(),
        today: "2026-11-22".parse().unwrap(),
        since: since.map(|day| day.parse().unwrap()),
    };
    let mut audit = Audit::new(subject);
    if rows.is_empty() {
        return audit;
    }
    for item in intake::read_bytes("issues.jsonl", rows.join("\n").as_bytes()) {
        let input = item.unwrap();
        let facts = input.facts.clone();
        audit.add(Entry::of(&facts, &pipeline.run(input).unwrap()));
    }
    audit
}

fn backlog() -> Vec<String> {
    vec![
        row(1, "Export the orders of a day as CSV", READY, "2026-11-20", 0),
        row(2, "Make the search of the shop fast", VAGUE, "2026-11-01", 9),
        row(3, "Make the old search of the shop fast", VAGUE, "2021-11-01", 0),
        row(
            4,
            "Upgrade the linter to version 9",
            "Routine upgrade of the linter, nothing else changes at all.",
            "2026-01-05",
            0,
        ),
    ]
}

fn summary(rule: &RuleId) -> String {
    format!("summary of {rule}")
}

#[test]
fn report_counts_verdicts_scores_gaps_and_ages() {
    let report = audit(&backlog(), None).report(summary, None);
    assert_eq!((report.totals.tickets, report.totals.ready, report.totals.not_ready), (4, 1, 2), "{report:?}");
    assert_eq!(report.scores.bins.iter().sum::<usize>(), report.scores.count);
    let gap = report.gaps.iter().find(|gap| gap.rule_id == "missing-acceptance-criteria").unwrap();
    assert_eq!((gap.tickets, gap.blocking), (2, 2));
    assert!(gap.share <= 1.0 && report.gaps.windows(2).all(|two| two[0].tickets >= two[1].tickets));
    assert_eq!(report.ages.iter().map(|age| age.tickets).sum::<usize>(), report.scores.count);
    assert_eq!(report.ages.last().unwrap().tickets, 1, "the one from 2021");
}

#[test]
fn every_form_names_the_policy_and_explains_its_numbers() {
    let report = audit(&backlog(), None).report(summary, None);
    let policy = &report.policies[0];
    let (said, chinese) = ("Judged under the policy strict", "评审策略：strict");
    assert_eq!((report.policies.len(), policy.id.as_str()), (1, "strict"));
    let numbers = "Of 4 tickets 3 were judged; 3 have a score";
    let page = html(&report).unwrap();
    for shown in [text(&report), text_for_terminal(&report, 200, false), page] {
        assert!(shown.contains(said) && shown.contains(numbers), "{shown}");
    }
    let page = html_contents(&report, Language::Zh).unwrap();
    assert!(page.contains(chinese) && page.contains("4 个工单中评审了 3 个；3 个有得分"), "{page}");
    // If every figure is about all tickets, no explanation is needed.
    let few = audit(&backlog()[..2], None).report(summary, None);
    assert!(!text(&few).contains("Of 2 tickets"), "{}", text(&few));
}

#[test]
fn no_table_of_ages_is_shown_where_no_ticket_has_a_date() {
    let rows = ["{\"number\": 1, \"title\": \"Make the search of the shop fast\", \"body\": \"The search should be fast and it should work well on all devices.\"}".to_owned()];
    let report = audit(&rows, None).report(summary, None);
    assert_eq!(report.scores.count, 1);
    for shown in [text(&report), text_for_terminal(&report, 100, false), html(&report).unwrap()] {
        assert!(!shown.contains("Age and score"), "{shown}");
    }
}

#[test]
fn a_gap_links_to_tickets_that_show_it() {
    let report = audit(&backlog(), None).report(summary, None);
    let gap = report.gaps.iter().find(|gap| gap.rule_id == "missing-acceptance-criteria").unwrap();
    let ids: Vec<&str> = gap.examples.iter().map(|example| example.id.as_str()).collect();
    assert_eq!(ids, ["#2", "#3"], "the one that was touched last stands first");
    assert!(text(&report).contains("[`#2`](https://redirect.github.com/o/r/issues/2)"), "{}", text(&report));
    let page = html(&report).unwrap();
    let row = page.lines().find(|line| line.contains("missing-acceptance-criteria</code>")).unwrap();
    // The template escapes slashes.
    assert!(row.contains("<a href=\"https:&#x2f;&#x2f;github.com&#x2f;o&#x2f;r&#x2f;issues&#x2f;2\""), "{row}");
    // An audit of an earlier version has no examples and can still be read.
    let mut earlier = serde_json::to_value(&report).unwrap();
    earlier["gaps"][0].as_object_mut().unwrap().remove("examples");
    assert!(serde_json::from_value::<v1::Report>(earlier).is_ok());
}

#[test]
fn a_terminal_shows_no_backslashes_and_obeys_no_title() {
    let mut report = audit(&backlog(), None).report(summary, None);
    report.gaps[0].summary = "(login broken again): \u{1b}[2Jnow".to_owned();
    assert!(text(&report).contains("\\(login broken again\\)"), "{}", text(&report));
    let shown = text_for_terminal(&report, 80, false);
    assert!(shown.contains("(login broken again): ") && !shown.contains(['\\', '\u{1b}']), "{shown}");
    // The report for people has no Markdown tables or bracketed links, and shows addresses unchanged.
    for markup in ["|-", "](", "redirect.github.com", "##", "`"] {
        assert!(!shown.contains(markup), "{markup}: {shown}");
    }
    assert!(
        shown.contains("https://github.com/o/r/issues/2") && shown.lines().all(|line| line.width() <= 80),
        "{shown}"
    );
}

#[test]
fn an_address_that_could_end_the_link_is_not_one() {
    let mut report = audit(&backlog(), None).report(summary, None);
    for url in ["https://a.test/x)[y](javascript:z", "javascript:alert(1)", "https://a.test/ x"] {
        report.gaps[0].examples = vec![v1::Example { id: "#1|`".to_owned(), url: Some(url.to_owned()) }];
        let words = text(&report);
        assert!(!words.contains(url) && words.contains("`#1''`"), "{words}");
    }
}

#[test]
fn text_and_page_use_the_same_terms() {
    let report = audit(&backlog(), None).report(summary, None);
    let (markdown, page) = (text(&report), html(&report).unwrap());
    let words = messages::Audit::of(Language::En);
    let terms = [words.gaps, words.gap, words.blocks, words.examples, words.ages, words.mean, words.worst];
    for term in terms {
        assert!(markdown.contains(term) && page.contains(term), "{term}");
    }
}

#[test]
fn ticket_that_people_wait_for_is_worth_more_than_a_forgotten_one() {
    let report = audit(&backlog(), None).report(summary, None);
    let ids: Vec<&str> = report.worst.iter().map(|it| it.id.as_str()).collect();
    assert_eq!(ids, ["#2", "#3"]);
}

/// A ticket whose estimate asks for an answer, but which passes under `triage`.
const SHORT: &str = "It crashes sometimes when I use it, please fix.";

#[test]
fn readiness_questions_and_what_to_open_first_are_told_of_tickets_that_pass_too() {
    let mut rows = backlog();
    rows.push(row(5, "App crashes", SHORT, "2026-11-10", 4));
    rows.push(row(6, "Old app crashes", SHORT, "2020-11-10", 0));
    let report = audit_by(&pipeline_under("triage"), &rows, None).report(summary, None);
    let readiness = report.readiness.clone().expect("triage goes by readings");
    let levels: Vec<u64> = readiness.levels.iter().map(|level| level.ready).collect();
    assert_eq!(levels, [4, 3, 2, 1, 0]);
    let expected: f64 = readiness.levels.iter().map(|level| level.expected).sum();
    assert!((expected - readiness.tickets as f64).abs() < 0.3, "{readiness:?}");

    let question = report.questions.first().expect("something is asked");
    assert!(question.tickets >= 2 && question.summary == format!("summary of asks-{}", question.code), "{question:?}");
    assert!(question.examples[0].url.as_deref().is_some_and(|url| url.starts_with("https://github.com/o/r/issues/")));
    let first: Vec<&str> = report.open_first.iter().map(|it| it.id.as_str()).collect();
    let place = |id: &str| first.iter().position(|other| *other == id);
    assert!(place("#5").is_some() && place("#5") < place("#6") && !first.contains(&"#1"), "{first:?}");

    let (words, page) = (text(&report), html(&report).unwrap());
    assert!(words.contains("| readiness (expected, ") && words.contains("Worth opening first:"), "{words}");
    assert!(words.contains("[`#5`](https://redirect.github.com/o/r/issues/5)"), "{words}");
    assert!(page.contains("How ready the tickets are") && page.contains("What authors would be asked"));
    assert!(!page.contains(" style=") && page.contains("class=\"r4\""));
    // Without readings in the policy, the report has no readiness section.
    let strict = audit(&rows, None).report(summary, None);
    assert!(strict.readiness.is_none() && strict.questions.is_empty() && strict.open_first.is_empty());
    assert!(text(&strict).contains("Worth fixing first"));
}

#[test]
fn only_tickets_made_since_would_be_blocked() {
    assert_eq!(audit(&backlog(), None).report(summary, None).totals.would_block, 2);
    assert_eq!(audit(&backlog(), Some("2026-01-01")).report(summary, None).totals.would_block, 1);
    let undated =
        r#"{"number": 9, "title": "Make the search fast", "body": "The search should be fast and work well for all."}"#;
    assert_eq!(audit(&[undated.to_owned()], Some("2026-01-01")).report(summary, None).totals.would_block, 1);
}

#[test]
fn earlier_audit_is_compared() {
    let earlier = audit(&backlog()[1..], None).report(summary, None);
    let report = audit(&backlog(), None).report(summary, Some(&earlier));
    let change = report.change.clone().unwrap();
    assert_eq!((change.ready_share_then, change.ready_share_now), (Some(0.0), Some(0.333)));
    assert!(change.is_same_rubric || change.tickets == 3);
    assert!(text(&report).contains("Since 2026-11-22: ready 0 % → 33.3 %"), "{}", text(&report));
}

#[test]
fn hostile_titles_bring_no_markup_and_personal_data_stays_hidden() {
    let title = "<script>alert(1)</script> @everyone jane.roe@nordwind-reisen.de ![x](https://evil.test/x) search fast";
    let report = audit(&[row(7, title, VAGUE, "2026-11-01", 0)], None).report(summary, None);
    let page = html(&report).unwrap();
    let words = text(&report);
    let json = serde_json::to_string(&report).unwrap();
    for out in [&page, &words, &json] {
        assert!(!out.contains("jane.roe"), "{out}");
    }
    assert!(!page.contains("<script") && page.contains("&lt;script&gt;"));
    assert!(!words.contains("<script") && !words.contains("@everyone") && !words.contains("!["), "{words}");
}

#[test]
fn page_loads_nothing_and_is_whole_without_tickets() {
    let page = html(&audit(&backlog(), None).report(summary, None)).unwrap();
    for loaded in ["url(", "src=", "@import", " style=", "<script"] {
        assert!(!page.contains(loaded), "{loaded}");
    }
    let empty = html(&audit(&[], None).report(summary, None)).unwrap();
    assert!(empty.contains("0 of 0 ready") && empty.trim_end().ends_with("</html>"));
}

#[test]
fn report_fits_its_schema_and_the_schema_is_frozen() {
    let schema = serde_json::to_value(v1::schema()).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    for (policy, rows) in [("strict", backlog()), ("triage", backlog()), ("strict", Vec::new())] {
        let report = audit_by(&pipeline_under(policy), &rows, Some("2026-01-01")).report(summary, None);
        let value = serde_json::to_value(&report).unwrap();
        assert!(validator.is_valid(&value), "{value}");
        let back: v1::Report = serde_json::from_value(value).unwrap();
        assert_eq!(back, report);
    }
    insta::assert_json_snapshot!("audit_v1_schema", schema);
}

#[test]
fn same_tickets_in_the_same_order_give_the_same_bytes() {
    let of = || serde_json::to_string(&audit(&backlog(), None).report(summary, None)).unwrap();
    assert_eq!(of(), of());
    assert!("2026-11-22".parse::<Day>().is_ok());
}
