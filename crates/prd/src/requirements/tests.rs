//! Tests that written documents can be read, and that text of people is kept.

use proptest::prelude::*;

use super::*;
use crate::{RequirementPriority, SourceQuote};

const HAND: &str = "\u{feff}# Requirements: Shared calendars

- Feature: 012-shared-calendars
- Status: in review
- Owner: Mira

A paragraph that nobody asked for.

## Approved

<!-- keep me -->
### FR-001: Share a calendar

- Priority: must
- Category: sharing
- Estimate: 3 days

A member shares a calendar with another member.

```
### FR-099: no requirement, an example
```

Acceptance criteria:

- The other member sees the calendar within 5 s.
* A third member does not.

> a quotation

#### Sketch

Words below a heading of their own.

### REQ-12 Leave a calendar
**Priority**: P1
A member leaves a shared calendar.

## Ideas for later

- colours

## Rejected Requirements (1)

### FR-003: Public link
- Reason: no
";

fn hand() -> RequirementsDocument {
    parse(HAND).expect("a document without faults")
}

fn id(text: &str) -> RequirementId {
    text.parse().expect("an id")
}

fn verdict(id: &str, kind: VerdictKind) -> Verdict {
    Verdict { id: self::id(id), kind }
}

fn review(verdicts: Vec<Verdict>) -> Review {
    Review { timestamp: "2026-11-22T10:00:00Z".into(), actor: "mira".into(), summary: String::new(), verdicts }
}

fn proposal(number: u32) -> Requirement {
    Requirement {
        id: RequirementId::functional(number),
        title: "Export".into(),
        description: "A member exports a calendar.".into(),
        priority: RequirementPriority::Low,
        category: "export".into(),
        acceptance_criteria: vec!["The file opens in another program.".into()],
        sources: vec![SourceQuote { source: "notes.md".into(), line: 3, quote: "take it with you".into() }],
        aliases: vec![],
        user_stories: vec![],
        waits_for: vec![],
    }
}

/// Documents written by hand can be read.
#[test]
fn a_document_by_hand_is_read() {
    let document = hand();
    assert_eq!(document.title(), "Shared calendars");
    assert_eq!(document.feature().map(FeatureId::as_str), Some("012-shared-calendars"));
    assert_eq!(document.status(), DocumentStatus::InReview);
    let all: Vec<_> = document.requirements().collect();
    assert_eq!(all.len(), 3);
    assert_eq!(all[0].requirement.acceptance_criteria.len(), 2);
    assert_eq!(all[0].requirement.priority, RequirementPriority::High);
    assert!(all[0].requirement.description.contains("FR-099"));
    assert_eq!(all[1].requirement.id, id("FR-012"));
    assert_eq!(all[1].requirement.aliases, ["REQ-12"]);
    assert_eq!(all[2].decided, Decided::Rejected { reason: "no".into() });
    assert_eq!(document.free_id(false), id("FR-100"), "an id in an example is not given away either");
}

#[test]
fn a_chinese_document_is_read() {
    let text = "# 需求：共享日历\n\n- 功能：012-shared\n- 状态：草稿\n\n## 已批准\n\n### FR-001：共享\n\n- 优先级：高\n\n成员可以共享日历。\n\n验收标准：\n\n- 对方 5 秒内看到。\n\n## 范围之外\n\n### FR-002：公开链接\n\n- 理由：本期不做\n\n## 待评审\n\n### FR-003：导出\n\n导出。\n";
    let document = parse(text).expect("valid");
    let all: Vec<_> = document.requirements().collect();
    assert_eq!(document.language(), Language::Zh);
    assert_eq!(all[0].requirement.acceptance_criteria, ["对方 5 秒内看到。"]);
    assert_eq!(all[1].decided, Decided::OutOfScope { reason: "本期不做".into() });
    assert_eq!(all[2].decided, Decided::Pending);
    let after = document.reviewed(&review(vec![verdict("FR-003", VerdictKind::Approve)])).expect("valid");
    assert!(after.text.contains("## 评审记录\n\n### 2026-11-22T10:00:00Z，mira"), "{}", after.text);
}

/// A review moves the blocks and keeps everything else.
#[test]
fn a_review_keeps_what_it_does_not_know() {
    let changes = RequirementChanges { priority: Some(RequirementPriority::Low), ..RequirementChanges::default() };
    let after = hand()
        .reviewed(&review(vec![
            verdict("FR-001", VerdictKind::Modify { changes, reason: "later is fine".into() }),
            verdict("FR-012", VerdictKind::OutOfScope { reason: "not now".into() }),
        ]))
        .expect("valid");
    for line in HAND.lines().filter(|line| !line.starts_with("- Priority") && !line.starts_with("### REQ")) {
        assert!(after.text.contains(line), "{line} is lost in\n{}", after.text);
    }
    let first = after.requirement(&id("FR-001")).expect("there");
    assert_eq!(first.decided, Decided::Modified { notes: "later is fine (priority changed)".into() });
    assert!(after.text.contains("- Priority: could\n"), "{}", after.text);
    assert!(after.text.contains("### FR-012: Leave a calendar\n"), "{}", after.text);
    assert!(after.text.contains("- Also known as: REQ-12\n"), "{}", after.text);
    assert_eq!(after.history().len(), 1);
    assert_eq!(parse(&render(&after)).expect("valid"), after);
    // Earlier changes and their reasons are kept.
    let changes = RequirementChanges { category: Some("access".to_owned()), ..RequirementChanges::default() };
    let again = verdict("FR-001", VerdictKind::Modify { changes, reason: "a word".into() });
    let again = after.reviewed(&review(vec![again])).expect("valid");
    let Decided::Modified { notes } = &again.requirement(&id("FR-001")).expect("there").decided else {
        panic!("modified")
    };
    assert!(notes.starts_with("later is fine (priority changed); a word (category"), "{notes}");
}

/// An id stays reserved if only the history contains it.
#[test]
fn ids_are_never_used_again() {
    let (document, ids) = hand().with_proposals(&[proposal(1)]);
    assert_eq!(ids, [id("FR-100")]);
    let text = "# Requirements: x\n\n## Review History\n\n### 2026-01-01, a\n\nGone.\n\n- Rejected: FR-007\n";
    assert_eq!(parse(text).expect("valid").free_id(false), id("FR-008"));
    assert_eq!(document.requirements().count(), 4);
}

#[test]
fn every_fault_has_its_line() {
    let text = "# Requirements: x\n\n- Status: maybe\n- Feature: X\n\n## Approved\n\n### FR-001: a\n- Priority: soonish\n\n### FR-001: b\n\n<!-- open\n";
    let faults = parse(text).expect_err("faults").0;
    assert_eq!(faults.iter().map(|fault| fault.line).collect::<Vec<_>>(), [3, 4, 9, 11, 13]);
}

#[test]
fn a_verdict_that_cannot_be_carried_out_changes_nothing() {
    let reject = |reason: &str| VerdictKind::Reject { reason: reason.into() };
    let fault = |verdicts| hand().reviewed(&review(verdicts)).expect_err("fault");
    assert_eq!(fault(vec![verdict("FR-050", VerdictKind::Approve)]), ReviewFault::Unknown(id("FR-050")));
    assert_eq!(fault(vec![verdict("FR-001", reject(" "))]), ReviewFault::NoReason(id("FR-001")));
    let twice = vec![verdict("FR-001", VerdictKind::Approve), verdict("FR-001", VerdictKind::Defer)];
    assert_eq!(fault(twice), ReviewFault::Twice(id("FR-001")));
}

/// Documents keep their kind of line break.
#[test]
fn line_breaks_stay_as_they_are() {
    let dos = HAND.replace('\n', "\r\n");
    let document = parse(&dos).expect("valid");
    let after = document.reviewed(&review(vec![verdict("FR-003", VerdictKind::Approve)])).expect("valid");
    assert!(!after.text.replace("\r\n", "").contains('\n'));
    assert_eq!(after.requirement(&id("FR-003")).expect("there").decided, Decided::Approved);
}

#[test]
fn a_bold_line_is_a_label() {
    let text = "# Requirements: x\n\n### FR-001: a\n\nb\n\n**Acceptance criteria**\n1. c\n2. d\n";
    let document = parse(text).expect("valid");
    assert_eq!(document.requirement(&id("FR-001")).expect("there").requirement.acceptance_criteria, ["c", "d"]);
}

#[test]
fn a_requirement_on_one_line_becomes_a_block_when_it_is_decided() {
    let text = "# Requirements: x\n\n## Pending\n\n- **FR-001** Members vote: once each\n  - a second vote is refused\n- FR-002: Votes are secret.\n";
    let document = parse(text).expect("valid");
    assert_eq!(document.requirements().count(), 2);
    let after = document.reviewed(&review(vec![verdict("FR-001", VerdictKind::Approve)])).expect("valid");
    let first = after.requirement(&id("FR-001")).expect("there");
    assert_eq!(first.requirement.description, "Members vote: once each");
    assert_eq!(first.requirement.acceptance_criteria, ["a second vote is refused"]);
    assert!(after.requirement(&id("FR-002")).is_some());
}

/// Text that looks like structure.
fn nasty() -> impl Strategy<Value = String> {
    let pieces = vec![
        "# x",
        "## Approved",
        "### FR-001: y",
        "- Priority: high",
        "Reason: z",
        "```",
        "~~~",
        "<!--",
        "-->",
        "\\",
        "\\<!--",
        "- ",
        "* a",
        "1. b",
        "[ ] c",
        "**d**:",
        "：",
        "",
        " ",
        "\t",
        "\r",
        "\u{3000}",
        "验收标准：",
        "e, f",
        "FR-002",
        ":1: q",
        "plain words",
        "\\# g",
        "\\- Notes: h",
        "## Review History",
        "2026-01-01, i",
        "|",
        "> j",
        "---",
        "\u{feff}",
        "#",
    ];
    let piece = prop::sample::select(pieces).prop_map(str::to_owned);
    prop::collection::vec((piece, prop::sample::select(vec!["\n", " ", "", "\n\n"])), 0..6)
        .prop_map(|parts| parts.into_iter().map(|(piece, gap)| format!("{piece}{gap}")).collect())
}

prop_compose! {
    fn any_requirement()(
        number in 1u32..20, quality: bool, title in nasty(), description in nasty(), category in nasty(),
        criteria in prop::collection::vec(nasty(), 0..4), source in nasty(), quote in nasty(), line in 0u32..9,
        aliases in prop::collection::vec(nasty(), 0..3),
        priority in prop::sample::select(vec![
            RequirementPriority::High, RequirementPriority::Medium, RequirementPriority::Low, RequirementPriority::Wont,
        ]),
    ) -> Requirement {
        Requirement {
            id: if quality { RequirementId::quality(number) } else { RequirementId::functional(number) },
            title, description, priority, category, acceptance_criteria: criteria,
            sources: vec![SourceQuote { source, line, quote }], aliases, user_stories: vec![], waits_for: vec![],
        }
    }
}

fn any_kind() -> impl Strategy<Value = VerdictKind> {
    prop_oneof![
        Just(VerdictKind::Approve),
        Just(VerdictKind::Defer),
        nasty().prop_map(|reason| VerdictKind::Reject { reason: format!("no {reason}") }),
        nasty().prop_map(|reason| VerdictKind::OutOfScope { reason: format!("no {reason}") }),
        (nasty(), nasty(), prop::collection::vec(nasty(), 0..3)).prop_map(|(title, description, criteria)| {
            let changes = RequirementChanges {
                title: Some(title),
                description: Some(description),
                acceptance_criteria: Some(criteria),
                ..RequirementChanges::default()
            };
            VerdictKind::Modify { changes, reason: "because".into() }
        }),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(300) })]

    /// A written document can be read again, for any text, before and after two reviews.
    #[test]
    fn what_is_written_can_be_read(
        requirements in prop::collection::vec(any_requirement(), 1..5),
        kinds in prop::collection::vec(any_kind(), 10),
        title in nasty(),
        zh: bool,
    ) {
        let language = if zh { Language::Zh } else { Language::En };
        let feature = "001-f".parse().expect("valid");
        let empty = RequirementsDocument::new(&feature, &title, language);
        let (mut document, ids) = empty.with_proposals(&requirements);
        for (requirement, id) in requirements.iter().zip(&ids) {
            let wanted = values::clean(&Requirement { id: id.clone(), ..requirement.clone() });
            let got = document.requirement(id).map(|entry| entry.requirement.clone());
            prop_assert_eq!(got, Some(wanted), "{}", document.text);
        }
        for round in kinds.chunks(5) {
            let verdicts: Vec<_> = ids.iter().zip(round)
                .map(|(id, kind)| Verdict { id: id.clone(), kind: kind.clone() }).collect();
            let before = document.clone();
            document = before.reviewed(&review(verdicts.clone())).expect("valid");
            prop_assert_eq!(document.requirements().count(), ids.len(), "{}", document.text);
            for verdict in &verdicts {
                let got = document.requirement(&verdict.id).expect("there");
                let was = before.requirement(&verdict.id).expect("there");
                let wanted = match &verdict.kind {
                    VerdictKind::Modify { changes, .. } => values::clean(&Requirement {
                        title: changes.title.clone().unwrap_or_default(),
                        description: changes.description.clone().unwrap_or_default(),
                        acceptance_criteria: changes.acceptance_criteria.clone().unwrap_or_default(),
                        ..was.requirement.clone()
                    }),
                    _ => was.requirement.clone(),
                };
                prop_assert_eq!(&got.requirement, &wanted, "{}", document.text);
            }
            prop_assert_eq!(document.history().len(), before.history().len() + 1);
        }
        let again = parse(&render(&document));
        prop_assert_eq!(again.map(|again| again.text), Ok(document.text));
    }

    /// Text that people write is never lost, and never leads to an error.
    #[test]
    fn hand_edits_of_every_kind_stay(
        lines in prop::collection::vec(prop_oneof![nasty(), prop::sample::select(HAND.lines().collect::<Vec<_>>()).prop_map(str::to_owned)], 0..40),
        kind in any_kind(),
    ) {
        let text: String = lines.iter().enumerate().map(|(at, line)| format!("{line} u{at}u\n")).collect();
        let (document, _) = parse_anyway(&text);
        prop_assert_eq!(render(&document), text.clone());
        let Some(first) = document.requirements().next().map(|entry| entry.requirement.id.clone()) else { return Ok(()) };
        let is_change = matches!(kind, VerdictKind::Modify { .. });
        let after = document.reviewed(&review(vec![Verdict { id: first, kind }])).expect("valid");
        if !is_change {
            for at in 0..lines.len() {
                let mark = format!(" u{at}u");
                prop_assert!(after.text.contains(&mark), "{mark} is lost\n{text}\n=>\n{}", after.text);
            }
        }
    }
}

#[test]
fn a_reader_is_not_shown_the_records_of_reviews() {
    let text = "# Requirements: A\n\n## Review History\n\n### 2026-11-22T10:00:00Z, mira\n\nfine\n\n## Approved\n\n### FR-001: B\n\nC.\n";
    let shown = super::without_history(text);
    assert!(!shown.contains("2026") && !shown.contains("fine") && shown.contains("### FR-001: B"), "{shown}");
    let line = |text: &str| text.lines().position(|line| line.starts_with("### FR-001"));
    assert_eq!(line(&shown), line(text), "other lines keep their numbers");
    assert_eq!(super::without_history("no requirements"), "no requirements\n");
}

#[test]
fn requirements_of_a_feature_that_is_named_after_a_list_of_traces_are_read() {
    let under = |heading: &str| {
        let text = format!("# PRD: Shop\n\n## {heading}\n\n### FR-001: Record\n\nThe system shall record each step.\n");
        parse_anyway(&text).0.requirements().count()
    };
    assert_eq!((under("User journey recorder"), under("功能：批次追溯")), (1, 1));
    assert_eq!((under("Requirements traceability matrix"), under("术语表")), (0, 0));
}

#[test]
fn an_old_reason_stays_as_a_comment() {
    for text in ["FR-002: Fax\n\nReason: too slow\n", "### FR-002: Fax\n\nReason: too slow\n"] {
        let (document, _) = parse_anyway(text);
        let id = document.requirements().next().expect("one").requirement.id.clone();
        let kind = VerdictKind::Reject { reason: "no".to_owned() };
        let after = document.reviewed(&review(vec![Verdict { id, kind }])).expect("valid");
        assert!(after.text.contains("<!-- Reason: too slow -->"), "{}", after.text);
    }
}
