//! Tests that written documents are read back with any content, and that documents of people keep all content.

mod arbitrary;

use arbitrary::{document, text};
use proptest::prelude::*;

use super::*;
use crate::{RequirementId, RequirementPriority};

/// Reads a written document, which must be free of faults, apart from headings in its texts that begin with foreign ids.
fn read_back(written: &str) -> Result<ProductRequirementsDocument, TestCaseError> {
    let (read, faults) = parse_anyway(written);
    let is_foreign = |fault: &Fault| matches!(fault.kind, FaultKind::RequirementId(_));
    match faults.iter().find(|fault| !is_foreign(fault)) {
        Some(fault) => Err(TestCaseError::fail(format!("{fault}\n{written}"))),
        None => Ok(read),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// Reading a written document gives the normal form, in both languages, and writing that gives the same text.
    #[test]
    fn what_is_written_is_read_back(document in document()) {
        let normal = document.normalised();
        let written = render(&document);
        let read = read_back(&written)?;
        prop_assert_eq!(&read, &normal, "{}", written);
        prop_assert_eq!(render(&read), written);
        prop_assert_eq!(normal.normalised(), normal);
    }

    #[test]
    fn json_is_read_back(document in document()) {
        let json = serde_json::to_string(&document).expect("plain data");
        prop_assert_eq!(serde_json::from_str::<ProductRequirementsDocument>(&json).expect("a document"), document);
    }

    /// Text below a heading of a further piece is a list only if it is a flat one; reading the result gives the same document.
    #[test]
    fn text_below_a_piece_becomes_stable(text in text(), more in text(), level in 3_usize..5) {
        let mark = "#".repeat(level);
        let pieces = format!("{mark} Integration Requirements\n\n{text}\n\n### FR-001: x\n\n{more}\n\n{mark} User Interface Requirements\n- a\n{more}");
        let users = format!("### Persona: Ana\n\n{mark} User Journeys\n\n{text}\n\n### Persona: Bo\n\n{more}");
        let (document, _) = parse_anyway(&format!("# PRD: x\n\n## Target users\n\n{users}\n\n## Requirements\n{pieces}"));
        if document.problems().is_empty() {
            let written = render(&document);
            prop_assert_eq!(read_back(&written)?, document, "{}", written);
        }
    }

    /// Any text is read without a panic, and reading the result again gives the same document.
    #[test]
    fn any_text_becomes_stable(text in text(), more in text()) {
        let (document, _) = parse_anyway(&format!("# PRD: x\n\n## Risks\n\n{text}\n\n## Requirements\n{more}"));
        if document.problems().is_empty() {
            let written = render(&document);
            prop_assert_eq!(read_back(&written)?, document, "{}", written);
        }
    }
}

const BY_HAND: &str = include_str!("../../../../../tests/fixtures/team/by-hand.md");

/// In a document that a person wrote in another form, all values are found, and no content is lost.
#[test]
fn a_document_of_a_person_is_read_and_keeps_everything() {
    let document = parse(BY_HAND).expect("no faults");
    let metadata = &document.metadata;
    assert_eq!(
        (metadata.title.as_str(), metadata.version, metadata.priorities),
        ("Order export", Some(3), PrioritySpelling::Numbers)
    );
    assert_eq!(metadata.status, Some(DocumentStatus::InReview));
    assert_eq!((metadata.author.as_str(), metadata.updated.as_str()), ("Mia Berg", "2026-11-20"));
    assert_eq!(document.market_opportunity, "[TAM: …]\n\n### Strategic fit\n\nGoal 4 of the year.");
    assert_eq!(document.target_users[0].goals, ["answer in two minutes", "no copying by hand"]);
    let story = &document.user_stories[0];
    assert_eq!((story.id.as_str(), story.title.as_str(), story.effort_points), ("US-1", "Export", Some(3)));
    assert_eq!(story.priority, RequirementPriority::High);
    assert_eq!(story.acceptance_criteria.len(), 2);
    let functional = &document.functional_requirements[0];
    assert_eq!(
        (&functional.user_story_ids[..], &functional.dependencies[..]),
        (&["US-1".to_owned(), "US-2".to_owned()][..], &["FR-002".to_owned()][..])
    );
    let quality = &document.non_functional_requirements[0];
    assert_eq!((quality.title.as_str(), quality.target_value.as_str()), ("Speed", "2 s at p95"));
    assert!(quality.description.ends_with("- User stories: US-1"), "a label of other entries stays text: {quality:?}");
    let metric = &document.success_metrics[0];
    assert_eq!((metric.category, metric.target_timeframe.as_str()), (Some(MetricCategory::User), "June 2027"));
    let risk = &document.risks[0];
    assert_eq!(
        (risk.probability, risk.impact, risk.owner.as_str()),
        (Some(RiskLevel::High), Some(RiskLevel::Medium), "Jo")
    );
    assert_eq!(document.dependencies, ["the order service of team Blue", "legal"]);
    assert_eq!(document.timeline[0].deliverables, ["CSV export"]);
    assert_eq!(document.text(SectionId::Timeline), "Only for team Green.");
    assert_eq!(
        document.text(SectionId::FunctionalRequirements),
        "### Core features\n\n### Integration\n\nNothing yet."
    );
    assert_eq!(document.open_questions, ["Who pays?"]);
    let others: Vec<_> = document.other_sections.iter().map(|one| (one.heading.as_str(), one.after)).collect();
    let expected =
        [("", None), ("Background", Some(SectionId::ExecutiveSummary)), ("Appendix A", Some(SectionId::OpenQuestions))];
    assert_eq!(others, expected);
    let written = render(&document);
    let words = |text: &str| text.split_whitespace().map(|word| word.trim_matches('*').to_owned()).collect::<Vec<_>>();
    let kept = words(&written);
    for word in words("train; March. FR-999: colour: green Goal Core Integration Green. | Mia --- FR-002 Jo 2027-02-01")
    {
        assert!(kept.contains(&word), "{word} is lost:\n{written}");
    }
    assert_eq!(parse(&written), Ok(document));
}

#[test]
fn faults_have_lines_and_are_reported_together() {
    let text = "# PRD: x\n\n- Version: two\n- Status: nice\n\n## Requirements\n\n### FR-001: a\n\n- Priority: urgent!\n\n\
        ### REQ-7: b\n\n### FR-001: c\n\n## Risks\n\n### R-1: d\n- Impact: huge\n\n## User stories\n\n### US-1: e\n\
        - Points: many\n\n```\n## Timeline\n";
    let told: Vec<String> = parse(text).expect_err("faults").iter().map(Fault::to_string).collect();
    let told = told.join("\n");
    let expected = "\
line 3: `two` is not a value of “Version”: write a whole number
line 4: `nice` is not a value of “Status”: write draft, in review, approved, in progress, complete
line 10: `urgent!` is not a value of “Priority”: write must, should, could or won't; high, medium, low or wont; P0 to P3
line 12: `REQ-7` is not the id of a requirement: write FR-001 or NFR-001
line 14: FR-001 is already the id of another entry: give this one another id
line 19: `huge` is not a value of “Impact”: write low, medium, high
line 24: `many` is not a value of “Effort points”: write a whole number
line 26: a code fence opens here and is never closed, so everything below would be code: close it";
    assert_eq!(told, expected);
    let kept = render(&parse_anyway(text).0);
    for line in ["Version: two", "Status: nice", "Priority: urgent!", "### REQ-7: b", "Impact: huge", "Points: many"] {
        assert!(kept.contains(line), "{line} is lost:\n{kept}");
    }
    let faults = parse_anyway("# 产品需求文档：x\n\n## 风险\n\n### R-1：d\n\n- 影响：巨大\n").1;
    let told: Vec<String> = faults.iter().map(|fault| fault.in_words(Language::Zh)).collect();
    assert_eq!(told, ["第 7 行：“巨大”不是“影响”的有效值：请写低、中、高"]);
}

/// A piece that a person wrote as text, with a table or with nested items keeps its heading and its words in their order.
#[test]
fn pieces_that_are_no_flat_list_stay_as_they_are() {
    let bodies = [
        "The list has a button.\n\n- one\n- two",
        "| System | Way |\n|---|---|\n| ERP | file |",
        "- one\n  - below it\n- two",
        "1. first\n2. second",
        "- [ ] open",
        "- one\n\n#### Details\n\nMore.",
    ];
    let pieces = [
        (SectionId::TargetUsers, "User Journeys"),
        (SectionId::UserStories, "Edge Cases"),
        (SectionId::FunctionalRequirements, "User Interface Requirements"),
        (SectionId::FunctionalRequirements, "Integration Requirements"),
        (SectionId::FunctionalRequirements, "集成需求"),
    ];
    for (section, piece) in pieces {
        let (title, language) =
            if piece.is_ascii() { ("PRD: x", Language::En) } else { ("产品需求文档：x", Language::Zh) };
        let head = format!("# {title}\n\n## {}\n\n### {piece}\n\n", section.name(language));
        for body in bodies {
            let text = format!("{head}{body}\n");
            assert_eq!(render(&parse(&text).expect("no faults")), text);
        }
        let text = format!("{head}- one\n- two\n");
        let document = parse(&text).expect("no faults");
        let lists = [
            &document.user_journeys,
            &document.edge_cases,
            &document.interface_requirements,
            &document.integration_requirements,
        ];
        assert_eq!(lists.map(Vec::len).iter().sum::<usize>(), 2, "{text}");
    }
    let text = "# PRD: x\n\n## Functional Requirements\n\n### User Interface Requirements\n\n### FR-010: a\n\nIt has a button.\n\n- Priority: should\n";
    let by_hand = text.replace("### FR-010", "#### FR-010");
    assert_eq!(render(&parse(&by_hand).expect("no faults")), text);
    let story =
        format!("# PRD: x\n\n## {}\n\n### US-001: a\n\nAs Ana, I want it.", SectionId::UserStories.name(Language::En));
    let text = format!("{story}\n\n#### Edge Cases\n\n- none\n\n- Priority: must\n");
    assert_eq!(render(&parse(&text).expect("no faults")), text, "a part of a story stays in it");
}

/// A Chinese document is completely Chinese; its priorities keep their spelling.
#[test]
fn documents_are_written_in_their_language() {
    insta::assert_snapshot!("document_zh", render(&sample(Language::Zh)));
    insta::assert_snapshot!("document_en", render(&sample(Language::En)));
}

/// The five checks of the source.
#[test]
fn completeness_names_what_is_missing() {
    assert!(sample(Language::En).validate_completeness().is_complete());
    let mut document = sample(Language::Zh);
    document.executive_summary = " ".to_owned();
    document.timeline.clear();
    let found = document.validate_completeness();
    assert!(!found.has_executive_summary && !found.has_timeline && found.has_requirements && found.has_risks);
    assert!(!found.is_complete());
}

/// The ids and lists of a document that came as data are checked together.
#[test]
fn data_that_cannot_be_written_is_refused() {
    let mut document = sample(Language::En);
    document.metadata.title.clear();
    document.functional_requirements[0].id = RequirementId::quality(1);
    document.user_stories[0].id = "story one".to_owned();
    document.risks.push(document.risks[0].clone());
    document.other_sections.push(FurtherSection { after: None, heading: "Timeline".to_owned(), text: String::new() });
    let told: Vec<String> = document.problems().iter().map(ToString::to_string).collect();
    let expected = [
        "the document has no title",
        "NFR-001 stands among the wrong requirements: FR- ids are functional, NFR- ids are not",
        "`story one` is not an id for a story: write US-001",
        "NFR-001 is the id of two entries: give one of them another id",
        "R-001 is the id of two entries: give one of them another id",
        "“Timeline” cannot be the heading of a further section: its text belongs to the standard section",
    ];
    assert_eq!(told, expected);
    assert_eq!(sample(Language::Zh).problems(), []);
    let moscow: RequirementPriority = serde_json::from_str("\"must_have\"").expect("the spelling of the source");
    assert_eq!(moscow, RequirementPriority::High);
}

/// A small document with every kind of entry.
fn sample(language: Language) -> ProductRequirementsDocument {
    let of = |english: &str, chinese: &str| language.of(english, chinese).to_owned();
    let mut document = ProductRequirementsDocument::new(&of("Order export", "订单导出"), language);
    document.metadata.version = Some(2);
    document.metadata.status = Some(DocumentStatus::Draft);
    document.executive_summary = of("Agents answer in two minutes.", "客服两分钟内答复。");
    document.problem_statement = of("Each request takes 20 minutes <cite:src-1>.", "每次需 20 分钟 <cite:src-1>。");
    document.market_opportunity = "[…]".to_owned();
    document.target_users.push(UserPersona {
        name: of("Ana", "小安"),
        role: of("support agent", "客服"),
        demographics: BTreeMap::from([(of("Experience", "经验"), of("3 years", "3 年"))]),
        goals: vec![of("answer quickly", "快速答复")],
        ..UserPersona::default()
    });
    document.user_stories.push(UserStory {
        id: "US-001".to_owned(),
        persona: of("Ana", "小安"),
        story: of("As Ana, I want a CSV, so that I can answer.", "作为小安，我想要 CSV，以便答复。"),
        acceptance_criteria: vec![of("3 orders give 3 rows.", "3 个订单得到 3 行。")],
        priority: RequirementPriority::High,
        effort_points: Some(3),
        ..UserStory::default()
    });
    document.functional_requirements.push(FunctionalRequirement {
        id: RequirementId::functional(1),
        category: of("Export", "导出"),
        title: of("CSV export", "CSV 导出"),
        description: of("The product writes one row per order.", "系统为每个订单写一行。"),
        user_story_ids: vec!["US-001".to_owned()],
        acceptance_criteria: vec![of("A customer without orders sees “No orders”.", "没有订单时显示“暂无订单”。")],
        priority: RequirementPriority::Medium,
        dependencies: Vec::new(),
        effort_estimate: of("2 days", "2 天"),
    });
    document.non_functional_requirements.push(NonFunctionalRequirement {
        id: RequirementId::quality(1),
        category: Some(QualityCategory::Performance),
        title: of("Speed", "速度"),
        description: of("The file is ready quickly.", "文件很快就绪。"),
        measurement_criteria: of("load test", "压力测试"),
        target_value: "≤ 2 s (p95)".to_owned(),
        priority: RequirementPriority::Wont,
    });
    document.success_metrics.push(SuccessMetric {
        name: of("Time to answer", "答复时间"),
        category: Some(MetricCategory::User),
        measurement_method: of("median of the ticket system", "工单系统中位数"),
        current_baseline: Some(of("20 minutes", "20 分钟")),
        target_value: of("2 minutes", "2 分钟"),
        target_timeframe: of("June 2027", "2027 年 6 月"),
        tracking_frequency: of("weekly", "每周"),
        ..SuccessMetric::default()
    });
    document.risks.push(Risk {
        id: "R-001".to_owned(),
        category: Some(RiskCategory::Technical),
        description: of("The export times out.", "导出超时。"),
        probability: Some(RiskLevel::Medium),
        impact: Some(RiskLevel::High),
        mitigation_strategy: of("write in the background", "后台写入"),
        owner: "Jo".to_owned(),
        contingency_plan: None,
    });
    document.timeline.push(Milestone {
        name: of("Beta", "内测"),
        date: "2027-02-01".to_owned(),
        deliverables: vec![of("CSV export", "CSV 导出")],
        ..Milestone::default()
    });
    document.user_journeys.push(of("Request: the customer writes a mail", "申请：客户写邮件"));
    document.edge_cases.push(of("A customer without orders gets an empty file", "没有订单的客户得到空文件"));
    document.interface_requirements.push(of("The list has a button for the export", "列表有导出按钮"));
    document.integration_requirements.push(of("The order service gives the orders", "订单由订单服务提供"));
    document.dependencies.push(of("the order service", "订单服务"));
    document.assumptions.push(of("orders have an id", "订单有编号"));
    document.open_questions.push(of("Who pays?", "谁付费？"));
    document.section_texts.insert(SectionId::GoToMarket, of("All agents at once.", "全员同时上线。"));
    document
}
