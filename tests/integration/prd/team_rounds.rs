//! The rounds of a team as a person sees them: decisions between rounds, resolved issues, sources that come later,
//! citations, and short orders.

use serde_json::{Value, json};

use super::team::{Team, Vision, critique, document, order_export, outline};
use super::{answered, open_ask};
use crate::cli::Sandbox;
use crate::model::server::{Behaviour, Server};

/// A person may continue, and end the rounds with a reason although the critics want a revision.
#[test]
fn a_person_ends_the_rounds_with_a_reason() {
    let mut team = Team::start(&[(60, 60, 60), (66, 66, 66), (74, 74, 74)], &["--ask-at", "round,final"]);
    team.work();
    let ask = open_ask(&team.sandbox);
    assert_eq!((&ask["kind"], &ask["request"]["version"]), (&json!("override_decision"), &json!(1)), "{ask:#}");
    assert!(ask["question"].as_str().is_some_and(|title| title.contains("version 1")), "{ask:#}");
    let shown = team.sandbox.run(&["prd", "resume", "export"]).ends_with(4).stdout;
    assert!(shown.contains("Rounds so far:") && shown.contains("Score progression: 60.0"), "{shown}");
    // Without a reason the rounds do not end.
    assert!(answered(&team.sandbox, &json!({ "approved": true })).ends_with(2).stderr.contains("because"));
    answered(&team.sandbox, &json!({ "approved": false })).ends_with(4);
    team.work();
    let request = open_ask(&team.sandbox)["request"].clone();
    assert_eq!((&request["checkpoint"], &request["version"]), (&json!("override_decision"), &json!(2)), "{request:#}");
    let because = "The date is decided on Friday.";
    answered(&team.sandbox, &json!({ "approved": true, "because": because })).ends_with(4);
    let request = open_ask(&team.sandbox)["request"].clone();
    assert_eq!(request["reason"], "Human override - proceeding with current version");
    let told = (&request["checkpoint"], &request["version"], &request["criticsApprove"], &request["overrideReason"]);
    assert_eq!(told, (&json!("final_approval"), &json!(2), &json!(false), &json!(because)), "{request:#}");
    // The gate stops the open question, so that this approval needs a reason as well.
    let accepted = "The open question is answered in the pilot.";
    answered(&team.sandbox, &json!({ "approved": true, "because": accepted })).ends_with(0);
    let prd = team.sandbox.read("docs/prd/001-export/prd.md");
    assert!(prd.contains(because) && prd.contains(accepted), "{prd}");
    let data = team.data();
    assert_eq!((&data["human_override"], &data["approved_version"]), (&json!(accepted), &json!(2)));
    assert_eq!(data["rounds_ended_because"], because);
    let history = team.sandbox.run(&["prd", "history", "export"]).ends_with(0).stdout;
    assert!(history.contains(because), "{history}");
}

/// Guidance and an edited document between two rounds.
#[test]
fn a_person_guides_or_edits_between_two_rounds() {
    let mut team = Team::start(&[(60, 60, 60), (66, 66, 66), (80, 80, 80)], &["--ask-at", "round"]);
    team.work();
    answered(&team.sandbox, &json!({ "approved": false, "userFeedback": "Shorter." })).ends_with(4);
    let order = team.sandbox.run(&["prd", "next", "export", "--json"]).json();
    assert_eq!(order["order"]["inputs"]["feedback"]["userFeedback"], "Shorter.");
    team.work();
    let request = open_ask(&team.sandbox)["request"].clone();
    let edited = request["document"].as_str().expect("a document").replace("Clearer.", "By hand.");
    let with_reason = json!({ "approved": true, "editedDocument": edited, "because": "It is late." });
    assert!(answered(&team.sandbox, &with_reason).ends_with(2).stderr.contains("leave out the reason"));
    answered(&team.sandbox, &json!({ "approved": false, "editedDocument": edited })).ends_with(4);
    let order = team.sandbox.run(&["prd", "next", "export", "--json"]).json();
    assert_eq!(order["order"]["step"], "director-critique", "the critics read the edit");
    assert!(order["order"]["inputs"]["prd"].to_string().contains("By hand."));
}

/// A request together with an edit is followed from the edited document.
#[test]
fn a_request_with_an_edit_is_followed() {
    let mut team = Team::start(&[(60, 60, 60), (80, 80, 80)], &["--ask-at", "round"]);
    team.work();
    let request = open_ask(&team.sandbox)["request"].clone();
    let edited = request["document"].as_str().expect("a document").replace("# PRD: ", "# PRD: By hand ");
    let given = json!({ "approved": false, "editedDocument": edited, "userFeedback": "Shorter." });
    answered(&team.sandbox, &given).ends_with(4);
    let order = team.sandbox.run(&["prd", "next", "export", "--json"]).json()["order"].clone();
    assert_eq!(order["step"], "team-revision", "{order:#}");
    assert_eq!(order["inputs"]["feedback"]["userFeedback"], "Shorter.");
    assert!(order["inputs"]["prd"].to_string().contains("By hand"), "{order:#}");
}

/// An issue that no critic names again is resolved only if its section has changed.
#[test]
fn issues_are_followed_from_round_to_round() {
    let mut team = Team::start(&[(60, 60, 60), (80, 80, 80)], &["--ask-at", "final"]);
    let vision = team.vision.clone();
    // The director's first issues are about the requirement, which the revision leaves alone.
    team.each_order(&mut |team, order| match (order["step"].as_str(), team.revisions) {
        (Some("director-critique"), 0) => {
            team.result(order);
            let mut read = critique(&order["inputs"], 60, &vision.criterion, "Name the file […].");
            let issues = read["issues"].as_array_mut().expect("issues");
            issues.iter_mut().for_each(|issue| issue["what"] = json!("The file has no name."));
            read
        }
        _ => team.result(order),
    });
    let request = open_ask(&team.sandbox)["request"].clone();
    assert_eq!(request["pending"], json!(["high: The file has no name."]), "its section is unchanged: {request:#}");
    assert_eq!(request["resolved"], json!(["high: The plan is open."]), "the summary was revised: {request:#}");
    let shown = team.sandbox.run(&["prd", "resume", "export"]).ends_with(4).stdout;
    assert!(shown.contains("Resolved since the previous round:"), "{shown}");
    answered(&team.sandbox, &json!({ "approved": true, "because": "fine" })).ends_with(0);
    let data = team.data();
    let rounds = data["feedback_rounds"].as_array().expect("rounds");
    assert_eq!(
        rounds[0]["pending_issues"].as_array().map(Vec::len),
        Some(8),
        "two of the critics, six proven: {data:#}"
    );
    assert_eq!(data["resolved_issues"], rounds[1]["resolved_issues"]);
    let history = team.sandbox.run(&["prd", "history", "export"]).ends_with(0).stdout;
    assert!(history.contains("revision 1; issues: 0 resolved, 8 pending"), "{history}");
}

/// A statement without a citation is shown to a person once.
#[test]
fn a_kept_sentence_is_not_asked_about_again() {
    let mut team = Team::start(&[(60, 60, 60), (80, 80, 80)], &["--ask-at", "draft,revision,final"]);
    let mut draft = document(&order_export(), 0);
    let sentences = "Agents lose 20 minutes. Windows 11 is used. The order export keeps files for 30 days.";
    draft["problem_statement"] = json!(sentences);
    team.sandbox.file("notes.md", "Windows 11 is used, files for 30 days.\n");
    team.sandbox.run(&["prd", "add-source", "export", "notes.md"]).ends_with(4);
    for result in [outline(&order_export()), json!({}), json!({}), json!({}), draft] {
        let order = team.sandbox.run(&["prd", "next", "export", "--json"]).json();
        let id = order["order"]["id"].as_str().expect("an order").to_owned();
        team.sandbox.run_with(&["prd", "submit", &id, "--json", "-"], &[], &result.to_string()).ends_with(4);
    }
    let uncited = |team: &Team| open_ask(&team.sandbox)["request"]["uncited"].clone();
    let told = uncited(&team);
    assert_eq!(told.as_array().map(Vec::len), Some(1), "{told:#}");
    assert!(told[0].as_str().is_some_and(|line| line.ends_with("Agents lose 20 minutes.")), "{told:#}");
    answered(&team.sandbox, &json!({ "approved": true })).ends_with(4);
    team.work();
    assert_eq!(open_ask(&team.sandbox)["kind"], "revision_approval");
    assert!(uncited(&team).is_null(), "{:#}", uncited(&team));
}

/// The competitors that the research has compared are a table of the document, and the citations have the chosen style.
#[test]
fn the_comparison_is_a_table_and_citations_have_a_style() {
    let mut team = Team::start(&[(80, 80, 80)], &["--ask-at", "final", "--citations", "url"]);
    team.work();
    let request = open_ask(&team.sandbox)["request"].clone();
    let table = "| Competitor | CSV export | Source |\n| --- | --- | --- |\n| DataPorter | ✓ | [src-2] |";
    assert!(request["document"].as_str().is_some_and(|text| text.contains(table)), "{request:#}");
    assert!(request["uncited"].is_null(), "{request:#}");
    let shown = team.sandbox.run(&["prd", "show", "export", "--draft", "prd"]).ends_with(0).stdout;
    assert!(shown.contains("| DataPorter | ✓ | ticket.md |") && !shown.contains("<cite:"), "{shown}");
    answered(&team.sandbox, &json!({ "approved": true, "because": "fine" })).ends_with(0);
    let prd = team.sandbox.read("docs/prd/001-export/prd.md");
    assert!(prd.contains("| DataPorter | ✓ | ticket.md |") && !prd.contains("[src-2]"), "{prd}");
    assert!(prd.contains("## References\n\n- src-2: ticket.md\n"), "{prd}");
    let start = ["prd", "start", "x", "--flow", "team", "--citations", "harvard"];
    assert!(team.sandbox.run(&start).ends_with(2).stderr.contains("id, markdown, apa or url"));
}

/// A source that comes after the research is named to the writer and to the person, and the summary keeps all rounds.
#[test]
fn a_later_source_is_marked_and_the_summary_keeps_the_rounds() {
    let mut team = Team::start(&[(60, 60, 60), (80, 80, 80)], &["--ask-at", "final"]);
    team.work();
    answered(&team.sandbox, &json!({ "approved": true, "because": "fine" })).ends_with(0);
    team.sandbox.file("legal.md", "Legal says: exports are kept for 30 days.\n");
    team.sandbox.run(&["prd", "add-source", "export", "legal.md"]).ends_with(4);
    let order = team.sandbox.run(&["prd", "next", "export", "--json"]).json();
    let documents = order["order"]["inputs"]["documents"].to_string();
    assert!(documents.contains("research_notes") && documents.contains("do not cover these sources"), "{documents}");
    team.work();
    let request = open_ask(&team.sandbox)["request"].clone();
    assert_eq!(request["researchMisses"], json!(["legal.md"]), "{request:#}");
    let summary = request["summary"].as_str().expect("a summary");
    assert!(summary.contains("Score progression: 60.0 → 80.0 → 80.0"), "{summary}");
    assert!(summary.contains("Total iterations: 2"), "{summary}");
}

/// A source that comes before the outline is approved has the outline ordered again.
#[test]
fn a_source_before_the_approval_of_the_outline_changes_the_outline() {
    let mut team = Team::start(&[(80, 80, 80)], &[]);
    team.work();
    assert_eq!(open_ask(&team.sandbox)["kind"], "outline_approval");
    team.sandbox.file("legal.md", "Legal says: exports are kept for 30 days.\n");
    team.sandbox.run(&["prd", "add-source", "export", "legal.md"]).ends_with(4);
    let order = team.sandbox.run(&["prd", "next", "export", "--json"]).json()["order"].clone();
    assert_eq!(order["step"], "outline");
    assert!(order["inputs"]["feedback"]["userFeedback"].to_string().contains("legal.md"), "{order:#}");
    let status = team.sandbox.run(&["prd", "status", "export"]).ends_with(0).stdout;
    assert!(status.contains("time at work: ") && status.contains("rounds of critics: 0"), "{status}");
}

/// The plan takes the measure and the target of a quality requirement as its criterion.
#[test]
fn a_quality_requirement_with_measure_and_target_has_a_criterion() {
    let sandbox = Sandbox::new();
    let quality = |target: &str| {
        let text = "# PRD: Export\n\n- Status: Approved\n\n## Non-Functional Requirements\n\n### NFR-001: Speed\n\n\
            The export is fast.\n\n- Measured by: time of an export\n- Target: ";
        sandbox.file("prd.md", format!("{text}{target}\n"));
        sandbox.run(&["plan", "prd.md", "--format", "json"]).json()["stories"][0]["acceptanceCriteria"].clone()
    };
    assert_eq!(quality("2 seconds"), json!(["time of an export: 2 seconds"]));
    assert_eq!(quality("[…]"), json!([]), "a blank is not a criterion");
}

/// The largest order after the first one, in bytes.
const MOST_BYTES: usize = 6_000;

/// Each order after the first is short: what an earlier one showed is only named.
#[test]
fn orders_after_the_first_are_short_and_name_their_sources() {
    let mut team = Team::start(&[(60, 60, 60), (80, 80, 80)], &["--ask-at", "final"]);
    let shown = team.each_order(&mut Team::result);
    let texts = shown.iter().flat_map(|shown| shown.split("\nwork order ")).filter(|text| text.contains("submit with"));
    let texts: Vec<&str> = texts.collect();
    assert!(texts.len() >= 8, "{}", texts.len());
    for text in texts {
        assert!(text.len() <= MOST_BYTES, "{} bytes: {text}", text.len());
        assert!(!text.contains("DataPorter sells an export for shops"), "the ticket was shown: {text}");
    }
}

/// The readings of the three critics with this grade, by words of their orders.
pub(super) fn readings(vision: &Vision, grade: u8) -> Vec<(&'static str, String)> {
    let critic = |role: &'static str, categories: [&str; 5]| {
        let categories: Vec<Value> = categories.iter().map(|name| json!({ "category": name })).collect();
        let inputs = json!({ "critic": { "role": role, "categories": categories } });
        critique(&inputs, grade, &vision.known, "").to_string()
    };
    let director =
        ["strategic_alignment", "market_opportunity", "business_model", "risk_assessment", "success_metrics"];
    let design = ["user_centricity", "usability", "accessibility", "design_feasibility", "user_research"];
    let engineering = ["technical_feasibility", "scalability", "security", "development_effort", "technical_debt"];
    vec![
        ("\\\"role\\\": \\\"director\\\"", critic("director", director)),
        ("\\\"role\\\": \\\"design\\\"", critic("design", design)),
        ("\\\"role\\\": \\\"engineering\\\"", critic("engineering", engineering)),
    ]
}

/// A model reads as all critics at the same time: none of them gets an answer before the others have asked.
#[test]
fn a_model_reads_as_all_critics_at_the_same_time() {
    let vision = order_export();
    let mut planned = outline(&vision);
    for section in planned["sections"].as_array_mut().expect("sections") {
        section["research_needed"] = json!(false);
    }
    let server = Server::new([
        ("team_outline_v1", Behaviour::Says(planned.to_string())),
        ("team_draft_v1", Behaviour::Says(document(&vision, 0).to_string())),
        ("critique_prd_v1", Behaviour::SaysTogether(3, readings(&vision, 80))),
    ]);
    let sandbox = Sandbox::new();
    sandbox.file("ticket.md", &vision.ticket);
    let start = ["prd", "start", &vision.vision, "--from", "ticket.md", "--id", "export", "--flow", "team"];
    let model = ["--author", "model", "--model", "openai/m", "--base-url", &server.url, "--ask-at", "final"];
    let ran = sandbox.run_with(&[start.as_slice(), &model].concat(), &[("OPENAI_API_KEY", "sk-test")], "");
    assert_eq!(ran.code, 4, "{}{}", ran.stdout, ran.stderr);
    let request = open_ask(&sandbox)["request"].clone();
    let critics: Vec<&Value> = request["critics"].as_array().into_iter().flatten().map(|one| &one["score"]).collect();
    assert_eq!(critics, [&json!(80), &json!(80), &json!(80)], "{request:#}");
}

/// The orders that are open at the same time are submitted with one command; a refused result keeps no other waiting.
#[test]
fn results_of_several_orders_are_submitted_together() {
    let mut team = Team::start(&[(80, 80, 80)], &["--ask-at", "final"]);
    let (mut commands, mut refused) = (0, None);
    loop {
        let next = team.sandbox.run(&["prd", "next", "export", "--json"]);
        let next = if next.code == 2 { Value::Null } else { next.json() };
        if next["order"].is_null() {
            break;
        }
        let others = next["other_orders"].as_array().cloned().unwrap_or_default();
        let mut results = serde_json::Map::new();
        for order in [next["order"].clone()].into_iter().chain(others) {
            let id = order["id"].as_str().expect("an order").to_owned();
            let is_first_of_several = !next["open_orders"].is_null() && refused.is_none();
            let result = if is_first_of_several { json!("none") } else { team.result(&order) };
            refused = refused.or(is_first_of_several.then(|| id.clone()));
            results.insert(id, result);
        }
        let has_refused = refused.as_ref().is_some_and(|id| results.contains_key(id));
        let (text, submit) = (Value::Object(results).to_string(), ["prd", "submit", "--results", "-"]);
        let ran = team.sandbox.run_with(&submit, &[], &text).ends_with(if has_refused { 2 } else { 4 });
        if let (true, Some(id)) = (has_refused, &refused) {
            assert!(ran.stderr.contains(&format!("{id}: ")), "{}", ran.stderr);
        }
        commands += 1;
    }
    assert_eq!(commands, 5, "outline, research, the result that came back, draft, critics");
    let stale = json!({ "export.1.0.1": {}, "export.1.1.1": {} }).to_string();
    let ran = team.sandbox.run_with(&["prd", "submit", "--results", "-"], &[], &stale).ends_with(2);
    assert_eq!(ran.stderr.matches("is not open").count(), 2, "each is reported: {}", ran.stderr);
    let mixed = json!({ "export.1.0.1": {}, "import.1.0.1": {} }).to_string();
    let ran = team.sandbox.run_with(&["prd", "submit", "--results", "-"], &[], &mixed).ends_with(2);
    assert!(ran.stderr.contains("submit it apart"), "{}", ran.stderr);
    for (wrong, told) in
        [("[]", "an object from orders to results"), ("{}", "at least one order"), ("{\"x\": {}}", "`x`")]
    {
        let ran = team.sandbox.run_with(&["prd", "submit", "--results", "-"], &[], wrong).ends_with(2);
        assert!(ran.stderr.contains(told), "{}", ran.stderr);
    }
}
