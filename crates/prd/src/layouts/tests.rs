//! Tests of requirements in the layouts that teams use.

use super::{Source, requirements_of};
use reqgate_base::model::Language;
use reqgate_rules::{load, shipped_files_for_judging};
use reqgate_text::Reader;

fn with_reader(check: impl Fn(&Reader)) {
    check(&load(&shipped_files_for_judging()).expect("the shipped rules").reader);
}

fn source(name: &str, text: &str) -> Source {
    Source { name: name.to_owned(), text: text.to_owned(), asked: None }
}

#[test]
fn requirements_are_found_in_the_layouts_that_teams_use() {
    let layouts = [
        "FR-001 The clerk can print a label.\nFR-002: The label shows the weight.\n",
        "**FR-001** The clerk can print a label.\n\n**FR-002** The label shows the weight.\n",
        "- **FR-001**: The clerk can print a label.\n- **FR-002**: The label shows the weight.\n",
        "| ID | Text |\n|---|---|\n| FR-001 | The clerk can print a label. |\n| FR-002 | The label shows the weight. |\n",
        "## Requirements\n\n1. The clerk can print a label.\n2. The label shows the weight.\n",
        "Requirements:\n- The clerk can print a label.\n- The label shows the weight.\n",
        "## 功能需求\n\n- 店员可以打印标签。\n- 标签显示重量。\n",
    ];
    with_reader(|reader| {
        for text in layouts {
            let feature = "000-document".parse().expect("an id");
            let found = requirements_of(reader, &source("prd.md", text), &feature, Language::En);
            let words: Vec<&str> =
                found.document.requirements().map(|one| one.requirement.description.as_str()).collect();
            assert_eq!(words.len(), 2, "{text}: {words:?}");
            assert!(words[0].contains("print a label") || words[0].contains("打印标签"), "{text}: {words:?}");
            assert_eq!(found.duplicates, []);
        }
        let twice = "FR-001 The clerk can print a label.\nFR-001 The label shows the weight.\n";
        let feature = "000-document".parse().expect("an id");
        let found = requirements_of(reader, &source("prd.md", twice), &feature, Language::En);
        assert_eq!(found.duplicates, [("FR-001".to_owned(), 2)]);
    });
}

#[test]
fn a_table_keeps_its_ids_and_its_criteria() {
    let text = "\
# PRD: Cards

## 4. Requirements

### 4.1 Save a card

| No. | Requirement | Acceptance criteria | Priority |
| --- | --- | --- | --- |
| R2 | A customer has at most 5 cards | Given 5 saved cards, when she saves another, then the page says \"Delete one first.\" and the order goes through. | Must |
| R5 | A customer can delete a card | It is gone within 1 second.<br>TBD | Must |
";
    with_reader(|reader| {
        let feature = "000-document".parse().expect("an id");
        let found = requirements_of(reader, &source("prd.md", text), &feature, Language::En);
        let read: Vec<_> = found.document.requirements().map(|one| &one.requirement).collect();
        let told: Vec<_> = read.iter().map(|one| (one.id.to_string(), one.aliases.join(","))).collect();
        assert_eq!(told, [("FR-002".to_owned(), "R2".to_owned()), ("FR-005".to_owned(), "R5".to_owned())]);
        assert_eq!(read[0].description, "A customer has at most 5 cards.");
        assert!(read[0].acceptance_criteria[0].starts_with("Given 5 saved cards"), "{read:#?}");
        assert_eq!(read[1].acceptance_criteria, ["It is gone within 1 second.", "TBD"]);
    });
}

#[test]
fn of_two_columns_the_description_is_the_requirement() {
    let text = "## 四、功能需求\n\n| 序号 | 功能点 | 需求描述 | 优先级 |\n| --- | --- | --- | --- |\n| 1 | 数量上限 | 已有 5 张卡时再勾选，提示“最多保存 5 张卡”。 | P0 |\n";
    with_reader(|reader| {
        let feature = "000-document".parse().expect("an id");
        let found = requirements_of(reader, &source("prd.md", text), &feature, Language::Zh);
        let read: Vec<_> = found.document.requirements().map(|one| one.requirement.description.as_str()).collect();
        assert_eq!(read, ["已有 5 张卡时再勾选，提示“最多保存 5 张卡”。"]);
    });
}

#[test]
fn stories_beside_requirements_with_ids_get_no_id() {
    let stories = "## User stories\n\n| Id | As a | I want |\n|---|---|---|\n| US-01 | As a picker | I want to scan the bin |\n\n- As a lead, I want to see \
                   open counts, so that I can hand them out.\n  - Acceptance: 3 open counts are 3 rows.\n";
    let requirements =
        "\n## Functional requirements\n\n| Id | Requirement |\n|---|---|\n| FR-01 | The system proposes 40 bins. |\n";
    with_reader(|reader| {
        let read = |text: &str| {
            let feature = "000-document".parse().expect("an id");
            requirements_of(reader, &source("prd.md", text), &feature, Language::En)
        };
        let found = read(&format!("# PRD\n\n{stories}{requirements}"));
        let ids: Vec<String> = found.document.requirements().map(|one| one.requirement.id.to_string()).collect();
        assert_eq!(ids, ["FR-001"], "{found:#?}");
        assert_eq!(
            (found.stories[0].id.as_deref(), found.stories[0].words.as_str()),
            (Some("US-01"), "As a picker, I want to scan the bin")
        );
        assert_eq!((found.stories[1].user.as_str(), found.stories[1].criteria.len()), ("Lead", 1), "{found:#?}");
        // Without other requirements, the stories are the requirements.
        let found = read(&format!("# PRD\n\n{stories}"));
        assert_eq!(found.document.requirements().count(), 2, "{found:#?}");
        assert!(found.stories.iter().all(|story| story.requirement.is_some()), "{found:#?}");
    });
}

#[test]
fn every_row_below_a_heading_for_qualities_is_one() {
    let text = "# PRD\n\n## Non-functional requirements\n\n| Category | Requirement | Target |\n|---|---|---|\n| Security | Only controllers approve | 100 % |\n\n\
                ## 非功能需求\n\n| 类别 | 要求说明 | 指标 |\n|---|---|---|\n| 性能 | 导出订单列表的等待时间 | 不超过 2 秒 |\n";
    with_reader(|reader| {
        let feature = "000-document".parse().expect("an id");
        let found = requirements_of(reader, &source("prd.md", text), &feature, Language::En);
        let read: Vec<_> = found.document.requirements().map(|one| &one.requirement).collect();
        let told: Vec<_> = read.iter().map(|one| (one.id.to_string(), one.acceptance_criteria.join(","))).collect();
        assert_eq!(
            told,
            [("NFR-001".to_owned(), String::new()), ("NFR-002".to_owned(), "不超过 2 秒".to_owned())],
            "{read:#?}"
        );
    });
}

#[test]
fn sections_that_only_name_requirements_define_none() {
    let text = "\
# Labels

## Open questions

- FR-002: who pays for it?

## Functional requirements

| ID | Requirement | Acceptance criteria |
| --- | --- | --- |
| FR-002 | The label shows the weight. | – |

## Change log

- FR-002: clearer

## Known gaps

- FR-002: it has no criterion

## Traceability table

| Requirement | Criteria | Source |
| --- | --- | --- |
| FR-002 | – | ticket.md:3 “It shows the weight.” |
";
    with_reader(|reader| {
        let (ours, faults) = crate::requirements::parse_anyway(text);
        assert_eq!((ours.requirements().count(), faults), (0, vec![]));
        let feature = "000-document".parse().expect("an id");
        let found = requirements_of(reader, &source("prd.md", text), &feature, Language::En);
        let read: Vec<_> = found.document.requirements().map(|one| &one.requirement).collect();
        assert_eq!(read.len(), 1, "{read:#?}");
        assert_eq!(
            (read[0].id.to_string().as_str(), read[0].description.as_str()),
            ("FR-002", "The label shows the weight.")
        );
        assert_eq!((read[0].aliases.len(), found.duplicates), (0, vec![]));
    });
}
