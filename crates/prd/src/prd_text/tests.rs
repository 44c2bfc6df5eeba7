//! Tests of the contents of an assembled PRD, and of texts that must not break its tables.

use super::*;
use crate::collect::Collector;
use crate::layouts::Source;
use crate::prd_document::prd_document;
use crate::{Decided, DocumentStatus, PrdStatus, Requirement};
use reqgate_rules::{load, shipped_files};

const TICKET: &str = "# Loan reminders\n\nAs a reader I want a reminder before my loan ends so that I pay no fee.\n\n\
    ## Rules\n- The reminder is sent 3 days before the due date.\n- If the e-mail address is invalid, the librarian sees a note.\n\
    - Readers may switch reminders off.\n\n## Out of scope\n- Letters on paper\n";

fn drafted(decide: impl Fn(usize) -> Decided) -> (crate::FeatureBrief, Vec<(Requirement, Decided)>) {
    let book = load(&shipped_files()).expect("the shipped rules load");
    let author = Collector::new(&book.reader);
    let sources = [Source { name: "ticket.md".to_owned(), text: TICKET.to_owned(), asked: None }];
    let brief = author.brief(&sources);
    let requirements = author.requirements(&brief, &sources, &[]);
    let decided = requirements.into_iter().enumerate().map(|(at, requirement)| (requirement, decide(at))).collect();
    (brief, decided)
}

fn status() -> PrdStatus {
    PrdStatus { author: "Ana | Ruiz".to_owned(), last_modified: "2026-11-22".to_owned(), status: DocumentStatus::Draft }
}

/// Calls back with a PRD in which each kind of decision occurs once, and its text.
pub(super) fn with_input(use_it: impl FnOnce(&PrdInput<'_>, &str)) {
    let (brief, requirements) = drafted(|at| match at {
        0 => Decided::Approved,
        1 => Decided::Modified { notes: "three days, not two".to_owned() },
        2 => Decided::Rejected { reason: "no".to_owned() },
        _ => Decided::OutOfScope { reason: "later".to_owned() },
    });
    assert_eq!(requirements.len(), 4, "{requirements:#?}");
    let (id, status) = ("001-loan-reminders".parse().expect("an id"), status());
    let input = PrdInput {
        feature_id: &id,
        project_id: None,
        utterance: TICKET,
        brief: &brief,
        requirements: &requirements,
        status: &status,
        revisions: &[],
        kept_gaps: &[],
        gap_decisions: &[],
    };
    use_it(&input, &render_prd(&input));
}

/// The PRD contains approved requirements and modified ones with notes, but not rejected and out-of-scope ones.
#[test]
fn what_was_turned_down_stands_in_no_prd() {
    with_input(|input, text| {
        assert!(
            text.contains("| FR-001 |")
                && text.contains("| FR-002 |")
                && text.contains("- FR-002: three days, not two"),
            "{text}"
        );
        assert!(!text.contains("| FR-003 |") && !text.contains("| FR-004 |"), "{text}");
        let log = text.split("## Change log").nth(1).expect("a change log");
        assert!(log.contains("- FR-003 (") && log.contains("rejected: no"), "{text}");
        assert!(text.contains("Ana \\| Ruiz"), "{text}");
        let document = prd_document(input);
        assert_eq!(document.requirements_count, 2);
        assert_eq!(document.traceability_table_rows[0].user_story_ids, [""; 0], "none is not TBD");
        assert_eq!(document.traceability_table_rows[0].technical_requirement_ids, [""; 0]);
        assert_eq!(document.frontmatter.project_id, None);
        let json = serde_json::to_value(&document).expect("it is data");
        let back: crate::prd_document::PrdDocument = serde_json::from_value(json).expect("its own data");
        assert_eq!(back, document);
    });
}

/// A criterion that repeats its requirement is omitted, in the text and as data; the others have the same numbers in both.
#[test]
fn text_and_data_have_the_same_criteria() {
    with_input(|input, _| {
        let mut requirements = input.requirements.to_vec();
        let own = requirements[0].0.description.clone();
        requirements[0].0.acceptance_criteria =
            vec![own, "It is sent at 8:00.".to_owned(), "It is sent once.".to_owned()];
        requirements[1].0.acceptance_criteria = vec![requirements[1].0.description.clone()];
        let input = PrdInput { requirements: &requirements, ..*input };
        let (text, data) = (render_prd(&input), prd_document(&input));
        let [first, second] = data.functional_requirements.as_slice() else { panic!("{data:#?}") };
        assert_eq!(first.acceptance_criteria, ["It is sent at 8:00.", "It is sent once."]);
        assert_eq!(second.acceptance_criteria, [""; 0]);
        assert_eq!(data.traceability_table_rows[0].criterion_ids, ["FR-001.1", "FR-001.2"]);
        assert!(text.contains("| FR-001 | FR-001.1, FR-001.2 | ") && text.contains("| FR-002 | – | "), "{text}");
    });
}

#[test]
fn same_input_same_bytes() {
    let (brief, requirements) = drafted(|_| Decided::Approved);
    let id = "001-loan-reminders".parse().expect("an id");
    let status = status();
    let input = PrdInput {
        feature_id: &id,
        project_id: Some("LIB-001"),
        utterance: TICKET,
        brief: &brief,
        requirements: &requirements,
        status: &status,
        revisions: &[],
        kept_gaps: &[],
        gap_decisions: &[],
    };
    assert_eq!(render_prd(&input), render_prd(&input));
    assert!(render_prd(&input).starts_with("---\nproject_id: \"LIB-001\"\nfeature_id: 001-loan-reminders\n"));
}

#[test]
fn a_later_version_keeps_why_an_earlier_one_was_approved_against_the_gate() {
    with_input(|input, _| {
        let revision = Revision {
            version: 2,
            reason: "three days".to_owned(),
            actor: "Mei".to_owned(),
            on: "2026-11-25".to_owned(),
            overridden: Some("a pilot in two shops".to_owned()),
        };
        let text = render_prd(&PrdInput { revisions: &[revision], ..*input });
        let log = text.split("## Change log").nth(1).expect("a change log");
        let first = log.find("- 1.0, approved although the gate stops it: a pilot in two shops");
        let second = log.find("- 2.0, 2026-11-25, Mei: three days");
        assert!(first.is_some() && first < second, "{log}");
    });
}

/// A title that the text repeats as a sentence is shown as a dash; a title with which its sentence only begins is kept.
#[test]
fn a_title_is_left_out_only_where_its_words_give_it_again() {
    let of = |title: &str, description: &str| title_shown(title, description);
    assert_eq!(
        of("Reception sees today's bookings", "Reception sees today's bookings with plate and host."),
        "Reception sees today's bookings"
    );
    assert_eq!(of("取消预订", "取消预订在前一天 20:00 之前可以。"), "取消预订");
    for (title, description) in [
        ("Links end", "Links end."),
        ("Links end after 3 days", "Links end after 3 days. Support is told."),
        ("链接三天后失效", "链接三天后失效。客服会收到通知。"),
    ] {
        assert_eq!(of(title, description), NOTHING, "{title}");
    }
}

/// In a Chinese PRD, kinds of requirements and answers of people are Chinese; the data stays the same.
#[test]
fn a_chinese_prd_has_no_machine_words() {
    let place = SourceQuote { source: "ask:prd_review".to_owned(), line: 1, quote: "可以打印".to_owned() };
    assert_eq!(place_shown(&place, Language::Zh), "PRD 评审中的答复 “可以打印”");
    let (_, decided) = drafted(|_| Decided::Approved);
    let requirement = Requirement { category: "functional".to_owned(), ..decided[0].0.clone() };
    assert_eq!(cells(&requirement, &Waiting::new(), Language::Zh)[CATEGORY], "功能");
    assert_eq!(cells(&requirement, &Waiting::new(), Language::En)[CATEGORY], "functional");
    let known = [crate::prd_document::shown(&requirement, None)];
    let row =
        data::rows(&["| 编号 | 需求 | 验收标准 | 类别 |", "| --- | --- | --- | --- |", "| FR-001 | x | – | 功能 |"]);
    let read = data::requirement(&known, row[0].clone()).expect("a row of a known requirement");
    assert_eq!(read.category, "functional", "nobody has changed it");
}

/// The reading copy omits the traceability table and the change log of the document.
#[test]
fn a_reading_copy_has_what_is_decided_on() {
    with_input(|_, text| {
        let copy = reading_copy(text, Language::En);
        assert!(copy.ends_with("\n\n(Left out here: Change log, Traceability table.)\n"), "{copy}");
        for left_out in [
            "feature_id:",
            "## Change log",
            "three days, not two",
            "## Traceability table",
            "| Requirement | Criteria |",
        ] {
            assert!(text.contains(left_out) && !copy.contains(left_out), "{left_out}: {copy}");
        }
        assert!(copy.starts_with("# Loan reminders\n") && copy.contains("| FR-001 |"), "{copy}");
    });
}

/// A rule that its requirements contain completely is stated once; a rule with its own figure, or without a quote, is kept.
#[test]
fn a_rule_that_became_a_requirement_is_said_once() {
    with_input(|input, text| {
        assert!(!text.contains("### Constraints") && text.contains("| The reminder is sent 3 days before"), "{text}");
        let rule = input.brief.constraints.first().expect("a rule").clone();
        assert!(input.requires(&rule));
        for (other, why) in [
            (Statement { text: format!("{} At most 2 are sent.", rule.text), ..rule.clone() }, "a figure of its own"),
            (Statement { text: "Librarians read every note at the desk.".to_owned(), ..rule.clone() }, "other words"),
            (Statement { source: None, ..rule.clone() }, "no source"),
            (
                Statement {
                    source: rule.source.clone().map(|place| SourceQuote { source: "b.md".to_owned(), ..place }),
                    ..rule
                },
                "not quoted",
            ),
        ] {
            assert!(!input.requires(&other), "{why}");
        }
    });
}

/// A statement from a review is cited only by its location if the requirement has the same words.
#[test]
fn a_requirement_does_not_quote_itself() {
    let (brief, mut decided) = drafted(|_| Decided::Approved);
    let (id, status) = ("001-loan-reminders".parse().expect("an id"), status());
    let said = |quote: &str| SourceQuote { source: "ask:gap_decision".to_owned(), line: 1, quote: quote.to_owned() };
    let own = decided[0].0.description.clone();
    decided[0].0.sources = vec![said(&own), said("as the law wants it")];
    let input = PrdInput {
        feature_id: &id,
        project_id: None,
        utterance: TICKET,
        brief: &brief,
        requirements: &decided,
        status: &status,
        revisions: &[],
        kept_gaps: &[],
        gap_decisions: &[],
    };
    let text = render_prd(&input);
    assert!(text.contains("| decision about a gap<br>decision about a gap: as the law wants it |"), "{text}");
}
