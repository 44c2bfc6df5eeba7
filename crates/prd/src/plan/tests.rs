//! Tests of the plan as a whole: the checks of written stories, the computed totals, and the documents.

use serde_json::{Value, json};

use super::*;
use crate::brief::parse_brief;
use crate::requirements::{RequirementsDocument, parse_anyway};

pub(super) const BRIEF: &str = "# Feature brief: Export of orders\n\n## Problem\n\n- Accounting retypes 300 orders a day.\n\n## Goals\n\n\
    - Accounting takes over the orders of a day without retyping them.\n\n## Success measures\n\n- The takeover takes 10 minutes.\n";

pub(super) const REQUIREMENTS: &str = "# Requirements: Export of orders\n\nFeature: 004-export-orders\n\n## Approved\n\n\
    ### FR-001: Export the orders of a day\n\nAs a clerk, I want to export the orders of a day so that I can bill them.\n\n\
    - Priority: high\n- Category: Export\n\nAcceptance criteria:\n- Given 3 orders, when the clerk presses Export, then a file with 3 rows is \
    downloaded.\n\n### FR-002: Nightly export\n\nThe system shall put the file into the folder of billing at 02:00.\n\n- Depends on: \
    FR-001\n\nAcceptance criteria:\n- At 02:05 the folder has the file.\n\n### NFR-001: Speed\n\nThe export must take 30 seconds at \
    most. <b>@all</b>\n\nAcceptance criteria:\n- With 5,000 orders it takes 30 seconds at most.\n\n## Rejected\n\n### FR-005: PDF\n\nThe \
    system shall export PDF.\n\nReason: nobody reads them\n";

pub(super) fn document() -> RequirementsDocument {
    parse_anyway(REQUIREMENTS).0
}

/// Written stories without any problem.
fn stories() -> Value {
    json!({
        "stories": [
            { "storyId": "shp-exp-001", "epicId": "Export", "title": "Download the orders of a day", "complexity": 3,
              "requirements": ["FR-001"],
              "userStory": { "asA": "clerk", "iWant": "to download the orders of a day", "soThat": "I can bill them" },
              "acceptanceCriteria": ["Given 3 orders, when the clerk presses Export, then a file with 3 rows is downloaded."],
              "technicalDetails": { "filesToCreate": [{ "file": "src/csv.rs", "purpose": "writes the rows" }] } },
            { "storyId": "shp-exp-002", "epicId": "Export", "title": "Put the file into the folder at night", "complexity": 5,
              "requirements": ["FR-002"], "dependencies": ["shp-exp-001"], "agent": "backend",
              "acceptanceCriteria": ["At 02:05 the folder has the file.", "After 15 minutes […] is told."] },
            { "storyId": "shp-exp-003", "epicId": "Export", "title": "Export in 30 seconds", "requirements": ["NFR-001"],
              "dependencies": ["shp-exp-001"], "acceptanceCriteria": ["With 5,000 orders it takes 30 seconds at most."] }
        ]
    })
}

fn inputs(document: &RequirementsDocument) -> StoryInputs {
    StoryInputs::of(Approved::of(document), BRIEF)
}

/// The problems of the stories after one change.
fn problems_with(change: impl FnOnce(&mut Value)) -> Vec<String> {
    let mut stories = stories();
    change(&mut stories);
    WRITE_STORIES.problems(&inputs(&document()), &stories).iter().map(ToString::to_string).collect()
}

pub(super) fn planned() -> ExecutionPlan {
    let written = serde_json::from_value(stories()).expect("it has the shape");
    let document = document();
    let demand = Demand { approved: Approved::of(&document), text: REQUIREMENTS };
    plan(head(), demand, written, true, |_, _| None).expect("it has an order")
}

fn head() -> PlanHead {
    let [feature, title, owner, day] =
        ["004-export-orders", "Export of orders", "Ada", "2026-11-24"].map(str::to_owned);
    PlanHead {
        feature_id: Some(feature),
        title,
        owner,
        created: day.clone(),
        today: day,
        project_id: None,
        open_questions: Vec::new(),
    }
}

#[test]
fn stories_of_a_careful_reader_pass_and_every_fault_is_told_with_its_place() {
    assert_eq!(problems_with(|_| ()), Vec::<String>::new());
    for (at, value, told) in [
        ("/stories/0/storyId", json!("FR-001"), "stories[0].storyId: `FR-001` is not a story id"),
        ("/stories/1/storyId", json!("shp-exp-001"), "stories[1].storyId: `shp-exp-001` is already the id"),
        ("/stories/0/complexity", json!(11), "stories[0].complexity: 11 is out of range"),
        ("/stories/0/complexity", json!(0), "stories[0].complexity: 0 is out of range"),
        ("/stories/0/requirements", json!([]), "stories[0].requirements: name the approved"),
        (
            "/stories/1/requirements",
            json!(["FR-002", "FR-005"]),
            "stories[1].requirements[1]: FR-005 is not an approved",
        ),
        ("/stories/1/requirements", json!(["FR-001"]), "stories: no story realises FR-002 (Nightly export)"),
        ("/stories/1/dependencies", json!(["shp-exp-009"]), "stories[1].dependencies[0]: no story has the id"),
        (
            "/stories/1/dependencies",
            json!(["shp-exp-002"]),
            "stories[1].dependencies[0]: a story does not depend on itself",
        ),
        ("/stories/0/acceptanceCriteria", json!([]), "stories[0].acceptanceCriteria: write at least one"),
        ("/stories/0/acceptanceCriteria", json!([" "]), "stories[0].acceptanceCriteria[0]: it is empty"),
        ("/stories/0/title", json!("x".repeat(501)), "stories[0].title: write at most 500"),
        ("/stories/0/userStory/asA", json!(""), "stories[0].userStory.asA: it is empty"),
        ("/stories/0/epicId", json!(" "), "stories[0].epicId: it is empty"),
        ("/stories/0/userStory/soThat", json!("x".repeat(501)), "stories[0].userStory.soThat: write at most 500"),
        ("/stories/0/requirements", json!(["FR-001", "FR-001"]), "stories[0].requirements[1]: FR-001 is named twice"),
        (
            "/stories/0/technicalDetails/filesToCreate/0/purpose",
            json!("x".repeat(501)),
            "stories[0].technicalDetails.filesToCreate[0].purpose: write at most 500",
        ),
    ] {
        let found = problems_with(|stories| *stories.pointer_mut(at).expect("it is there") = value.clone());
        assert!(found.iter().any(|problem| problem.starts_with(told)), "{at} {value}: {found:?}");
    }
    let cycle = problems_with(|stories| stories["stories"][0]["dependencies"] = json!(["shp-exp-003"]));
    assert_eq!(cycle, ["stories: a cycle: shp-exp-001 → shp-exp-003 → shp-exp-001: remove one of these dependencies"]);
    let unknown = problems_with(|stories| stories["stories"][0]["points"] = json!(3));
    assert!(unknown[0].contains("points"), "{unknown:?}");
}

#[test]
fn a_requirement_is_realised_or_left_out_with_a_reason() {
    let without = |left: Value| {
        problems_with(|stories| {
            stories["stories"].as_array_mut().expect("a list").pop();
            stories["leftOut"] = left;
        })
    };
    assert_eq!(without(json!([{ "requirement": "NFR-001", "reason": "Measured in 005." }])), Vec::<String>::new());
    let twice = json!({ "requirement": "NFR-001", "reason": "Measured in 005." });
    assert_eq!(without(json!([twice, twice])), ["leftOut[1].requirement: NFR-001 is left out twice"]);
    let empty = problems_with(|stories| stories["rollbackPlan"] = json!(["Switch it off.", " "]));
    assert_eq!(empty, ["rollbackPlan[1]: write 1 to 500 characters"]);
    let bare = without(json!([{ "requirement": "NFR-001", "reason": "" }]));
    assert_eq!(bare, ["leftOut[0].reason: say why, in 4 to 500 characters"]);
    let both = problems_with(|stories| stories["leftOut"] = json!([{ "requirement": "FR-001", "reason": "Not now." }]));
    assert_eq!(both, ["leftOut[0].requirement: a story realises FR-001: name it in one of the two places"]);
    let rejected =
        problems_with(|stories| stories["leftOut"] = json!([{ "requirement": "FR-005", "reason": "Not now." }]));
    assert_eq!(rejected, ["leftOut[0].requirement: FR-005 is not an approved requirement"]);
}

#[test]
fn totals_count_what_was_given_and_say_what_was_not() {
    let plan = planned();
    let summary = &plan.summary;
    assert_eq!((summary.total_complexity, summary.stories_without_complexity, summary.waves), (8, 1, 2));
    assert_eq!(
        (summary.critical_path.join(" "), summary.critical_complexity),
        ("shp-exp-001 shp-exp-002".to_owned(), 8)
    );
    let executions: Vec<Execution> = plan.waves.iter().map(|wave| wave.execution).collect();
    assert_eq!(executions, [Execution::Sequential, Execution::Parallel]);
    assert_eq!(plan.agent_assignments.len(), 1);
    assert_eq!(plan.waves[0].tasks[0].estimated_files, 1);
    let flags: Vec<&Flag> = plan.stories.iter().flat_map(|planned| &planned.flags).collect();
    let criterion = "After 15 minutes […] is told.".to_owned();
    let figure = Flag::Figure { criterion: criterion.clone(), words: "15 minutes".to_owned() };
    assert_eq!(flags, [&Flag::Blank { criterion }, &figure]);
}

#[test]
fn stories_that_name_one_file_are_built_one_after_the_other() {
    let mut stories = stories();
    for story in [1, 2] {
        stories["stories"][story]["technicalDetails"] =
            json!({ "filesToModify": [{ "file": "src/csv.rs", "changes": "rows" }] });
    }
    let document = document();
    let demand = Demand { approved: Approved::of(&document), text: REQUIREMENTS };
    let written = serde_json::from_value(stories).expect("it has the shape");
    let plan = plan(head(), demand, written, true, |_, _| None).expect("it has an order");
    assert_eq!(plan.waves[1].execution, Execution::Sequential);
    let tasks = &spec_kit(&plan, demand, None)[1].text;
    assert!(tasks.contains("- [ ] T002 [US2] Change src/csv.rs: rows\n"), "{tasks}");
    assert!(tasks.contains("- [ ] T001 [P] [US1] Create src/csv.rs: writes the rows\n"), "{tasks}");
}

/// Both took minutes when every requirement was searched for in every story, and every id read its whole line again.
#[test]
fn large_documents_and_long_lines_are_planned_at_once() {
    let requirement = |number: usize| {
        format!("### FR-{number:03}: Rule {number}\n\nIt shall.\n\nAcceptance criteria:\n- It is {number}.\n\n")
    };
    let many: String = (1..=1500).map(requirement).collect();
    let long = "FR-001 and ".repeat(50_000);
    let text = format!(
        "# Requirements: X\n\nFeature: 004-x\n\n## Approved\n\n{many}### NFR-001: Y\n\nIt shall {long}.\n\nAcceptance \
        criteria:\n- It is.\n"
    );
    let (document, _) = parse_anyway(&text);
    let demand = Demand { approved: Approved::of(&document), text: &text };
    let begun = std::time::Instant::now();
    let written = collected(demand.approved, "x", &[]).expect("nothing is lost");
    let plan = plan(head(), demand, written, false, |_, _| None).expect("it has an order");
    let files = openspec(&plan, demand, None).expect("every requirement has a criterion");
    assert_eq!((plan.stories.len(), files[2].text.matches("### Requirement: ").count()), (1501, 1501));
    assert!(begun.elapsed() < std::time::Duration::from_secs(20), "{:?}", begun.elapsed());
}

#[test]
fn only_approved_requirements_count_where_decisions_are_recorded() {
    let approved = |text: &str| -> (Vec<String>, bool) {
        let (document, _) = parse_anyway(text);
        let approved = Approved::of(&document);
        (approved.requirements().map(|one| one.id.to_string()).collect(), approved.records_decisions)
    };
    assert_eq!(approved(REQUIREMENTS), (["FR-001", "FR-002", "NFR-001"].map(str::to_owned).to_vec(), true));
    let undecided = "# Requirements: X\n\nFeature: 004-x\n\n## Pending\n\n### FR-001: A\n\nIt shall.\n";
    assert_eq!(approved(undecided), (vec![], true));
    let foreign = "# PRD\n\n## Requirements\n\n- **FR-001**: It shall.\n";
    assert_eq!(approved(foreign), (vec!["FR-001".to_owned()], false));
}

#[test]
fn the_documents_read_as_they_should() {
    let plan = planned();
    insta::assert_snapshot!("plan_markdown", markdown(&plan));
    insta::assert_snapshot!("plan_mermaid", mermaid(&plan));
    let terminal = crate::gaps::Terminal { colour: false, width: 100 };
    insta::assert_snapshot!("plan_human", human(&plan, "docs/prd/004-export-orders/requirements.md", terminal));
}

#[test]
fn exports_have_the_form_that_the_tools_expect() {
    let (plan, document, brief) = (planned(), document(), parse_brief(BRIEF));
    let demand = Demand { approved: Approved::of(&document), text: REQUIREMENTS };
    for file in spec_kit(&plan, demand, Some(&brief)) {
        insta::assert_snapshot!(format!("spec_kit_{}", file.path.replace('.', "_")), file.text);
    }
    for file in openspec(&plan, demand, Some(&brief)).expect("every requirement has a criterion") {
        insta::assert_snapshot!(format!("openspec_{}", file.path.replace(['.', '/'], "_")), file.text);
    }
}

#[test]
fn openspec_refuses_a_requirement_that_nobody_can_check() {
    let text = REQUIREMENTS.replace("Acceptance criteria:\n- At 02:05 the folder has the file.\n", "");
    let (document, _) = parse_anyway(&text);
    let approved = Approved::of(&document);
    let demand = Demand { approved, text: &text };
    let collected = collected(approved, "export-orders", &[]).expect("they have an order");
    let plan = plan(head(), demand, collected, false, |_, _| None).expect("they have an order");
    let error = openspec(&plan, demand, None).expect_err("FR-002 has none").to_string();
    assert!(error.contains("FR-002 has no acceptance criterion"), "{error}");
    // Without a brief, its content is marked as missing.
    let spec = &spec_kit(&plan, demand, None)[0].text;
    assert!(spec.contains("- **SC-001**: [NEEDS CLARIFICATION: the PRD states no measure of success]"), "{spec}");
}

#[test]
fn the_machine_form_fits_its_schema() {
    let value = serde_json::to_value(planned()).expect("it can be written");
    let schema = schemars::generate::SchemaSettings::draft2020_12().for_serialize().into_generator();
    let schema = serde_json::to_value(schema.into_root_schema_for::<ExecutionPlan>()).expect("a schema");
    let validator = jsonschema::validator_for(&schema).expect("the schema is valid");
    let errors: Vec<String> = validator.iter_errors(&value).map(|error| error.to_string()).collect();
    assert_eq!(errors, Vec::<String>::new());
    assert_eq!(serde_json::from_value::<ExecutionPlan>(value).expect("it can be read"), planned());
}
