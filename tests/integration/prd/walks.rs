//! Random walks through the PRD workflow: with any answers, a thread ends within its budgets.

use std::path::Path;

use proptest::prelude::*;
use reqgate::pipeline::Pipeline;
use reqgate::prd::workflow::{Author, PrdCall, PrdExecutor, PrdPatch, PrdWorkflow, SourceText};
use reqgate::workflow::{
    Begin, Durability, Executor, MemoryStore, Order, Performed, Phase, Run, Stop, Store, World, verify,
};
use serde_json::{Value, json};

use crate::texts::pipelines;

fn noon() -> String {
    "2026-01-02T12:00:00Z".to_owned()
}

/// An answer to a question of this kind, chosen by a number.
fn answer(kind: &str, request: &Value, number: u8) -> Value {
    let verdicts = |word: &str| -> Vec<Value> {
        let requirements = request["requirements"].as_array().cloned().unwrap_or_default();
        let verdict = |one: &Value| match word {
            "modify" => {
                json!({ "id": one["id"], "verdict": "modify", "reason": "so", "changes": { "description": "It does so within 2 s." } })
            }
            "approve" | "defer" => json!({ "id": one["id"], "verdict": word }),
            _ => json!({ "id": one["id"], "verdict": word, "reason": "no" }),
        };
        requirements.iter().map(verdict).collect()
    };
    match (kind, number % 6) {
        (_, 5) => json!({ "nonsense": number }),
        ("clarification", 0) => json!({ "answers": { "q1": "CSV, at most 5,000 rows" } }),
        ("clarification", _) => json!({ "answers": {} }),
        ("brief_review", 0) => json!({ "approved": false, "userFeedback": "Add: at most 100 rows" }),
        ("brief_review", 1) => json!({ "approved": false, "answers": { "q1": "Agents" } }),
        ("brief_review", _) => json!({ "approved": true }),
        ("requirements_review", 0) => json!({ "verdicts": verdicts("reject") }),
        ("requirements_review", 1) => json!({ "verdicts": verdicts("out_of_scope") }),
        ("requirements_review", 2) => json!({ "verdicts": verdicts("modify") }),
        ("requirements_review", 3) => json!({ "verdicts": verdicts("approve"), "userIterationPreference": true }),
        ("requirements_review", _) => json!({ "verdicts": verdicts("defer") }),
        ("gap_decision", 0 | 1) => json!({ "userIterationOverride": true }),
        ("gap_decision", 2) => json!({ "userIterationOverride": null }),
        ("gap_decision", _) => json!({ "userIterationOverride": false }),
        ("prd_review", 0) => json!({ "prdApproved": false, "userFeedback": "more detail" }),
        ("prd_review", _) => json!({ "prdApproved": true, "gateOverride": "it is a test" }),
        (_, 0 | 1) => json!({ "action": "continue" }),
        _ => json!({ "action": "abort" }),
    }
}

fn begin(root: &Path) -> Begin<PrdWorkflow> {
    let note = SourceText {
        name: "note.md".to_owned(),
        text: "Rules:\n- The export has at most 5,000 rows.\n- Agents see their own orders.\n".to_owned(),
    };
    Begin {
        id: "walk".parse().expect("an id"),
        title: "Export".to_owned(),
        root: root.to_owned(),
        input: vec![PrdPatch::Given {
            project_path: root.display().to_string(),
            workspace: "docs/prd".to_owned(),
            utterance: "Support agents export the orders of one customer as CSV.".to_owned(),
            sources: vec![note],
            slug: Some("export".to_owned()),
            project: None,
            title: None,
            language: None,
        }],
        actor: "ann".to_owned(),
    }
}

fn executor<'a>(root: &Path, pipeline: &'a Pipeline) -> PrdExecutor<'a> {
    PrdExecutor {
        root: root.to_owned(),
        pipeline,
        author: Author::Rules,
        today: "2026-01-02".to_owned(),
        owner: "ann".to_owned(),
        search: None,
    }
}

const FILE: &str = "docs/prd/001-export/requirements.md";

/// An executor that writes into the file of requirements just after it was read for an update.
struct Meddling<'a> {
    author: PrdExecutor<'a>,
    root: &'a Path,
    reads: u32,
}

impl Executor<PrdCall> for Meddling<'_> {
    fn perform(&mut self, call: &PrdCall, order: &Order) -> Performed {
        let performed = self.author.perform(call, order);
        let is_the_file = matches!(call, PrdCall::ReadFile { path } if path.ends_with("requirements.md"));
        let path = self.root.join(FILE);
        if is_the_file && let Ok(text) = std::fs::read_to_string(&path) {
            self.reads += 1;
            // The first read is for the gaps, the second for manual changes, the third for the status, which is
            // written.
            if self.reads == 3 {
                std::fs::write(&path, format!("{text}\n## Notes\n\nWritten meanwhile.\n")).expect("a file");
            }
        }
        performed
    }
}

/// The file changes between reading and writing: it is not overwritten, the step is repeated on the changed file, and
/// both changes are kept.
#[test]
fn two_changes_at_the_same_moment_are_both_kept() {
    let (pipeline, folder, store) =
        (pipelines::shipped(), tempfile::tempdir().expect("a folder"), MemoryStore::default());
    let author = executor(folder.path(), &pipeline);
    let mut executor = Meddling { author, root: folder.path(), reads: 0 };
    let world = World { now: &noon };
    let mut run = Run::begin(&PrdWorkflow, &store, &world, Durability::Step, begin(folder.path())).expect("a thread");
    for _ in 0..40 {
        match run.advance(&mut executor).expect("it goes on") {
            Stop::Ended(phase) => {
                assert_eq!(phase, Phase::Completed);
                break;
            }
            Stop::Ordering(..) => panic!("nothing is handed out"),
            Stop::Asking(ask, question) => {
                let answer = answer(question.kind(), &question.json(), 4);
                let approves = question.kind() == "requirements_review";
                let answer = if approves { verdicts(&question.json(), "approve") } else { answer };
                run.answer(&ask, &answer, "ann", "test").expect("an answer");
            }
        }
    }
    let file = std::fs::read_to_string(folder.path().join(FILE)).expect("the file");
    assert!(executor.reads > 1 && file.contains("Written meanwhile."), "{file}");
    assert!(file.contains("- Status: approved") && file.contains("## Approved\n\n### FR-001"), "{file}");
    let refused = store.events_after(&"walk".parse().expect("an id"), 0).expect("events");
    assert!(refused.iter().any(|event| event.body["kind"] == "effect-refused"), "the write was refused once");
}

/// The same verdict on all requirements of a review.
fn verdicts(request: &Value, word: &str) -> Value {
    let requirements = request["requirements"].as_array().cloned().unwrap_or_default();
    let verdicts: Vec<Value> = requirements.iter().map(|one| json!({ "id": one["id"], "verdict": word })).collect();
    json!({ "verdicts": verdicts })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_walk_ends(numbers in proptest::collection::vec(any::<u8>(), 0..40)) {
        let pipeline = pipelines::shipped();
            let folder = tempfile::tempdir().expect("a folder");
        let store = MemoryStore::default();
        let world = World { now: &noon };
        let begin = begin(folder.path());
        let mut executor = executor(folder.path(), &pipeline);
        let mut run = Run::begin(&PrdWorkflow, &store, &world, Durability::Step, begin).expect("a thread");
        let mut phase = Phase::Running;
        let mut numbers = numbers.into_iter();
        for _ in 0..400 {
            match run.advance(&mut executor).expect("it goes on") {
                Stop::Ended(end) => { phase = end; break; }
                Stop::Ordering(..) => prop_assert!(false, "nothing is handed out"),
                Stop::Asking(ask, question) => {
                    // After the chosen answers all further ones agree and fill in blanks, so that every walk can end.
                    let answer = answer(question.kind(), &question.json(), numbers.next().unwrap_or(2));
                    let _ = run.answer(&ask, &answer, "ann", "test");
                }
            }
        }
        prop_assert!(phase.is_terminal(), "{:?}", run.record());
        verify::<PrdWorkflow, _>(&store, &"walk".parse().expect("an id")).expect("the log is whole");
    }
}
