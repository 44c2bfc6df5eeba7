//! Single steps of the PRD workflow and the state between them: the inputs of a start, rounds, decisions, and names in
//! older state.

use reqgate::prd::brief::parse_brief;
use reqgate::prd::prd_document::PrdDocument;
use reqgate::prd::workflow::{
    Author, BriefReviewAnswer, GapDecisionAnswer, PrdExecutor, PrdLabel, PrdNode, PrdPatch, PrdReviewAnswer, PrdState,
    PrdWorkflow, SourceText,
};
use reqgate::prd::{Gap, GapCategory, GapSeverity, RequirementPriority, SuggestedRequirement};
use reqgate::workflow::{Begin, CallResult, Durability, Enter, MemoryStore, Phase, Run, Step, Stop, Workflow, World};
use serde_json::{Value, json};

use super::{COLLECTOR, SHIPPED, answered, approved, open_ask, project, started};
use crate::cli::Sandbox;

fn given(path: &str, utterance: &str, sources: Vec<SourceText>) -> PrdPatch {
    PrdPatch::Given {
        project_path: path.to_owned(),
        workspace: "docs/prd".to_owned(),
        utterance: utterance.to_owned(),
        sources,
        slug: None,
        project: None,
        title: None,
        language: None,
    }
}

fn state(patches: &[PrdPatch]) -> PrdState {
    let mut state = PrdState::default();
    patches.iter().for_each(|patch| PrdWorkflow::apply(&mut state, patch));
    state
}

/// The missing inputs that the first step reports; empty if it continues.
fn missing(path: &str, utterance: &str, sources: Vec<SourceText>) -> Vec<String> {
    match PrdWorkflow.enter(PrdNode::Initialization, &state(&[given(path, utterance, sources)])) {
        Enter::Call(_) => Vec::new(),
        Enter::Ask(_) => panic!("nobody is asked"),
        Enter::Done(outcome) => {
            assert_eq!(outcome.label, PrdLabel::Failed);
            let failed = |patch: &PrdPatch| match patch {
                PrdPatch::Failed(messages) => messages.clone(),
                other => panic!("{other:?}"),
            };
            outcome.patches.iter().flat_map(failed).collect()
        }
    }
}

#[test]
fn a_start_needs_a_project_and_something_that_was_said() {
    let note = || vec![SourceText { name: "note.md".to_owned(), text: "Export the orders.".to_owned() }];
    assert_eq!(missing("/project", "Export the orders.", Vec::new()), [""; 0]);
    assert_eq!(missing("/project", " ", note()), [""; 0]);
    let no_path = missing(" ", "Export the orders.", Vec::new());
    assert!(no_path.len() == 1 && no_path[0].contains("projectPath"), "{no_path:?}");
    let no_wish = missing("/project", " ", Vec::new());
    assert!(no_wish.len() == 1 && no_wish[0].contains("userUtterance"), "{no_wish:?}");
    assert_eq!(missing("", "", Vec::new()).len(), 2, "both are told at once");
}

/// The first step does not fail: problems are in the state, and the table of edges leads to the failure step.
#[test]
fn a_start_without_them_ends_as_failed_with_its_messages() {
    let now = || "2026-01-02T12:00:00Z".to_owned();
    for (path, utterance, word) in [("", "Export the orders.", "projectPath"), ("here", "", "userUtterance")] {
        let (store, folder) = (MemoryStore::default(), tempfile::tempdir().expect("a folder"));
        let begin = Begin {
            id: "start".parse().expect("an id"),
            title: "Export".to_owned(),
            root: folder.path().to_owned(),
            input: vec![given(path, utterance, Vec::new())],
            actor: "ann".to_owned(),
        };
        let world = World { now: &now };
        let mut run = Run::begin(&PrdWorkflow, &store, &world, Durability::Step, begin).expect("a thread");
        let mut executor = PrdExecutor {
            root: folder.path().to_owned(),
            pipeline: &SHIPPED,
            author: Author::Rules,
            today: "2026-01-02".to_owned(),
            owner: "ann".to_owned(),
            search: None,
        };
        let stop = run.advance(&mut executor).expect("no error");
        assert!(matches!(stop, Stop::Ended(Phase::Failed)), "{path:?}");
        let messages = &run.position().state.prd_workflow_fatal_error_messages;
        assert!(messages.iter().any(|message| message.contains(word)), "{messages:?}");
        assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 0, "nothing was made");
    }
    let nothing = Sandbox::new().run(&["prd", "start"]).ends_with(2);
    assert!(nothing.stderr.contains("no feature given"), "{nothing:?}");
}

fn gap() -> Gap {
    Gap {
        id: "GAP-001".to_owned(),
        title: "No limit".to_owned(),
        description: "Nothing says how many.".to_owned(),
        severity: GapSeverity::Medium,
        category: GapCategory::MissingLimit,
        impact: "It comes back.".to_owned(),
        fix: String::new(),
        question: String::new(),
        place: None,
        against: None,
        requirements: Vec::new(),
        suggested_requirements: vec![SuggestedRequirement {
            title: "Limit".to_owned(),
            description: "At most […] rows.".to_owned(),
            priority: RequirementPriority::Medium,
            category: "Functional".to_owned(),
        }],
    }
}

fn gaps(score: f64, gaps: Vec<Gap>, decision: Option<bool>) -> PrdPatch {
    PrdPatch::Gaps {
        score,
        gaps,
        strengths: Vec::new(),
        recommendations: Vec::new(),
        summary: String::new(),
        decision,
        feedback: None,
    }
}

#[test]
fn without_a_decision_a_score_below_four_fifths_asks_for_another_round() {
    let file = || CallResult::Done(json!({ "content": null }));
    let goes = |patch: PrdPatch| {
        let step = PrdWorkflow.fold(PrdNode::IterationControl, &state(&[patch]), &[file(), file()]);
        match step.expect("it decides") {
            Step::Done(outcome) => outcome.label,
            _ => panic!("it only decides"),
        }
    };
    assert_eq!(goes(gaps(0.79, vec![gap()], None)), PrdLabel::Iterate);
    assert_eq!(goes(gaps(0.8, vec![gap()], None)), PrdLabel::Proceed);
    assert_eq!(goes(gaps(0.1, Vec::new(), None)), PrdLabel::Proceed, "there is nothing to close");
    let unclosable = Gap { suggested_requirements: Vec::new(), ..gap() };
    assert_eq!(goes(gaps(0.1, vec![unclosable], None)), PrdLabel::Proceed, "a person has to mend it");
    assert_eq!(goes(gaps(0.1, vec![gap()], Some(false))), PrdLabel::Proceed, "a person comes first");
    assert_eq!(goes(gaps(0.9, vec![gap()], Some(true))), PrdLabel::Iterate, "a person comes first");
}

#[test]
fn a_decision_about_one_round_does_not_hold_for_the_next() {
    let first = [gaps(0.5, vec![gap()], Some(true)), PrdPatch::Iterate(true)];
    assert!(state(&first).should_iterate && state(&first).user_iteration_override == Some(true));
    let next = state(&[first.as_slice(), &[gaps(0.9, vec![gap()], None)]].concat());
    assert!(!next.should_iterate && next.user_iteration_override.is_none(), "{next:?}");
}

#[test]
fn proposals_replace_each_other() {
    let text = "# Export\n\n## Requirements\n\n- Agents export orders as CSV.\n- A file has at most 5,000 rows.\n";
    let sources = [reqgate::prd::layouts::Source { name: "note.md".to_owned(), text: text.to_owned(), asked: None }];
    let drawn = COLLECTOR.requirements(&COLLECTOR.brief(&sources), &sources, &[]);
    assert_eq!(drawn.len(), 2, "{drawn:#?}");
    let (one, other) = (vec![drawn[0].clone()], vec![drawn[1].clone()]);
    let now = state(&[PrdPatch::Proposed(one), PrdPatch::Proposed(other.clone())]);
    assert_eq!(now.functional_requirements, other);
    assert_eq!(state(&[PrdPatch::Proposed(drawn), PrdPatch::ReviewWritten]).functional_requirements, []);
}

/// Every key of the older description, in stored state.
#[test]
fn state_under_older_names_is_read() {
    let older = json!({
        "originalUserUtterance": "Export the orders.",
        "magiSddPath": "magi-sdd",
        "featureBrief": "magi-sdd/001-export/feature-brief.md",
        "featureBriefApproved": true,
        "shouldContinueIteration": true,
        "userWantsToContinueDespiteGaps": false,
        "prdFilePath": "magi-sdd/001-export/prd.md",
        "prdApproved": true,
    });
    let state: PrdState = serde_json::from_value(older).expect("it reads");
    assert_eq!((state.user_utterance.as_str(), state.prd_workspace_path.as_str()), ("Export the orders.", "magi-sdd"));
    assert_eq!(state.feature_brief_path.as_deref(), Some("magi-sdd/001-export/feature-brief.md"));
    assert_eq!(state.prd_path.as_deref(), Some("magi-sdd/001-export/prd.md"));
    assert!(state.is_feature_brief_approved && state.is_prd_approved && state.should_iterate);
    assert_eq!(state.user_iteration_override, Some(false));
    // It is written with today's names.
    let written = serde_json::to_value(&state).expect("it writes");
    assert!(written.get("prdFilePath").is_none() && written["userIterationOverride"] == false, "{written:#}");
}

/// The same for answers and for the PRD as data.
#[test]
fn answers_and_documents_under_older_names_are_read() {
    let read = |value: Value| serde_json::from_value::<GapDecisionAnswer>(value).expect("it reads");
    assert_eq!(read(json!({ "userWantsToContinueDespiteGaps": true })).user_iteration_override, Some(true));
    let brief: BriefReviewAnswer = serde_json::from_value(json!({ "featureBriefApproved": true })).expect("it reads");
    let prd: PrdReviewAnswer = serde_json::from_value(json!({ "prdApproved": true })).expect("it reads");
    assert!(brief.approved && prd.prd_approved);

    let sandbox = project();
    started(&sandbox, &[]).ends_with(4);
    answered(&sandbox, &json!({ "featureBriefApproved": true })).ends_with(4);
    approved(&sandbox).ends_with(4);
    approved(&sandbox).ends_with(4);
    assert_eq!(open_ask(&sandbox)["kind"], "prd_review");
    answered(&sandbox, &json!({ "prdApproved": true, "gateOverride": "a test" })).ends_with(0);
    let mut data: Value = serde_json::from_str(&sandbox.read("docs/prd/001-export/prd.json")).expect("JSON");
    let status = data.as_object_mut().and_then(|fields| fields.remove("documentStatus")).expect("a status");
    data["prdDocumentStatus"] = status.clone();
    let document: PrdDocument = serde_json::from_value(data).expect("it reads");
    assert_eq!(serde_json::to_value(&document).expect("it writes")["documentStatus"], status);
}

#[test]
fn a_project_can_be_given_and_stands_in_the_prd() {
    for (id, fits) in [
        ("MSM-008", true),
        ("MSM008", true),
        ("SHOP", true),
        ("msm-008", false),
        ("MSM-08", false),
        ("é-1", false),
        ("", false),
    ] {
        let sandbox = project();
        let ran = started(&sandbox, &["--answers", "answers.yaml", "--project", id]);
        if !fits {
            assert!(ran.ends_with(2).stderr.contains("MSM-008"), "{id}");
            continue;
        }
        ran.ends_with(0);
        let data: Value = serde_json::from_str(&sandbox.read("docs/prd/001-export/prd.json")).expect("JSON");
        assert_eq!(data["frontmatter"]["project_id"], id);
        super::assert_fits(&sandbox, "prd", &data);
        assert!(sandbox.read("docs/prd/001-export/prd.md").starts_with(&format!("---\nproject_id: \"{id}\"\n")));
    }
}

/// Status, utterance, brief, requirements, traces; qualities and changes, if there are any, before the last.
#[test]
fn the_parts_of_a_prd_stand_in_a_fixed_order() {
    let sandbox = project();
    started(&sandbox, &["--answers", "answers.yaml"]).ends_with(0);
    let prd = sandbox.read("docs/prd/001-export/prd.md");
    let parts: Vec<&str> = prd.lines().filter_map(|line| line.strip_prefix("## ")).collect();
    let needed = ["Document status", "Original user utterance", "Feature brief", "Functional requirements"];
    assert_eq!(parts[..4], needed, "{prd}");
    let between = ["Non-functional requirements", "Known gaps", "Change log"];
    assert!(parts[4..parts.len() - 1].iter().all(|part| between.contains(part)), "{parts:?}");
    assert_eq!(parts.last(), Some(&"Traceability table"));
    assert_eq!(parse_brief(&sandbox.read("docs/prd/001-export/feature-brief.md")).title, "Export orders as CSV");
}
