//! The settings of a team: how rounds end, who may overrule the critics, which models read, and what the documents keep.

use serde_json::{Value, json};

use super::team::{Team, document, order_export, outline};
use super::team_rounds::readings;
use super::{answered, open_ask};
use crate::cli::Sandbox;
use crate::model::server::{Behaviour, Server};

#[test]
fn small_steps_go_on_where_the_start_says_so() {
    let rounds = [(60, 60, 60), (62, 62, 62), (80, 80, 80)];
    let ended = |options: &[&str]| {
        let mut team = Team::start(&rounds, &[&["--ask-at", "final"], options].concat());
        team.work();
        open_ask(&team.sandbox)["request"]["reason"].as_str().expect("a reason").to_owned()
    };
    assert_eq!(ended(&[]), "Score improvement plateaued");
    assert_eq!(ended(&["--min-improvement", "1.5"]), "PRD approved with score 80.0");
    let start = ["prd", "start", "x", "--min-improvement", "1.5"];
    let sandbox = Sandbox::new();
    assert!(sandbox.run(&start).ends_with(2).stderr.contains("add --flow team"));
    let start = ["prd", "start", "x", "--flow", "team", "--min-improvement", "101"];
    assert!(sandbox.run(&start).ends_with(2).stderr.contains("write a number from 0 to 100"));
}

/// With `--no-override` a draft that the critics refuse is revised, guided or edited, and never accepted.
#[test]
fn critics_are_not_overruled_where_the_start_says_so() {
    let rounds = [(60, 60, 60), (66, 66, 66), (80, 80, 80)];
    let mut team = Team::start(&rounds, &["--ask-at", "round,final", "--no-override"]);
    team.work();
    let request = open_ask(&team.sandbox)["request"].clone();
    assert_eq!(request["noOverride"], true, "{request:#}");
    assert!(request["instructions"].as_str().is_some_and(|words| words.contains("--no-override")), "{request:#}");
    let accept = json!({ "approved": true, "because": "It is late." });
    assert!(answered(&team.sandbox, &accept).ends_with(2).stderr.contains("--no-override"));
    for _ in 0..2 {
        answered(&team.sandbox, &json!({ "approved": false })).ends_with(4);
        team.work();
    }
    let ask = open_ask(&team.sandbox);
    assert_eq!((&ask["kind"], &ask["request"]["criticsApprove"]), (&json!("final_approval"), &json!(true)), "{ask:#}");
    // The critics approve; the open question that the gate stops is accepted with a reason as ever.
    answered(&team.sandbox, &accept).ends_with(0);
}

/// Critics hold the draft against the success criteria of the outline.
#[test]
fn the_success_criteria_reach_every_critic() {
    let mut team = Team::start(&[(80, 80, 80)], &["--ask-at", "final"]);
    let criteria = json!(["Every figure has a source."]);
    let mut read = 0;
    team.each_order(&mut |team, order| match order["step"].as_str() {
        Some("outline") => {
            let mut planned = outline(&team.vision);
            planned["success_criteria"] = criteria.clone();
            planned
        }
        step => {
            if step.is_some_and(|step| step.ends_with("-critique")) {
                let documents = order["inputs"]["documents"].to_string();
                assert!(documents.contains("success_criteria") && documents.contains("Every figure has"), "{order:#}");
                assert!(order["instructions"].as_str().is_some_and(|words| words.contains("success_criteria")));
                read += 1;
            }
            team.result(order)
        }
    });
    assert_eq!(read, 3);
}

/// The data says when the PRD was complete and how the rounds went; a revision leaves its reason in both documents.
#[test]
fn the_documents_keep_the_rounds_the_end_and_the_reason_of_a_revision() {
    let mut team = Team::start(&[(60, 60, 60), (80, 80, 80)], &["--ask-at", "final"]);
    team.work();
    answered(&team.sandbox, &json!({ "approved": true, "because": "fine" })).ends_with(0);
    let data = team.data();
    assert_eq!(data["completion_time"], data["human_checkpoints"][0]["timestamp"], "{data:#}");
    let summary = data["refinement_summary"].as_str().expect("a summary").to_owned();
    assert!(summary.contains("Score progression: 60.0 → 80.0"), "{summary}");
    assert!(team.sandbox.read("docs/prd/001-export/critiques.md").contains("Score progression: 60.0 → 80.0"));
    assert_eq!(data["revisions"], json!([]));
    let because = "Legal wants 30 days";
    team.sandbox.run(&["prd", "revise", "export", "--because", because, "--actor", "Mei"]).ends_with(4);
    team.work();
    answered(&team.sandbox, &json!({ "approved": true, "because": "fine" })).ends_with(0);
    let prd = team.sandbox.read("docs/prd/001-export/prd.md");
    assert!(
        prd.contains("## Revisions after approval\n\n- 2.0, ") && prd.contains(&format!(", Mei: {because}\n")),
        "{prd}"
    );
    let revisions = team.data()["revisions"].clone();
    assert_eq!((&revisions[0]["reason"], &revisions[0]["version"]), (&json!(because), &json!(2)), "{revisions:#}");
    assert!(team.data()["completion_time"].as_str() >= data["completion_time"].as_str());
}

/// Each agent of a team may have its own model, named by its variable.
#[test]
fn researchers_and_critics_have_the_models_of_their_variables() {
    let vision = order_export();
    let nothing = || Behaviour::Says("{}".to_owned());
    let server = Server::new([
        ("team_outline_v1", Behaviour::Says(outline(&vision).to_string())),
        ("team_market_v1", nothing()),
        ("team_competitors_v1", nothing()),
        ("team_users_v1", nothing()),
        ("team_draft_v1", Behaviour::Says(document(&vision, 0).to_string())),
        ("critique_prd_v1", Behaviour::SaysTogether(3, readings(&vision, 80))),
    ]);
    let sandbox = Sandbox::new();
    sandbox.file("ticket.md", &vision.ticket);
    let cache = sandbox.path("cache").display().to_string();
    let environment = [
        ("OPENAI_API_KEY", "sk-test"),
        ("REQGATE_CACHE", cache.as_str()),
        ("PRD_RESEARCHER_MODEL", "openai/researcher"),
        ("PRD_CRITIC_MODEL", "openai/critic"),
    ];
    let start = ["prd", "start", &vision.vision, "--from", "ticket.md", "--id", "export", "--flow", "team"];
    let model = ["--author", "model", "--model", "openai/usual", "--base-url", &server.url, "--ask-at", "final"];
    let ran = sandbox.run_with(&[start.as_slice(), &model].concat(), &environment, "");
    assert_eq!(ran.code, 4, "{}{}", ran.stdout, ran.stderr);
    assert_eq!(open_ask(&sandbox)["kind"], "final_approval");
    let requests = server.requests.lock().expect("no test panics here").clone();
    let model = |body: &String| serde_json::from_str::<Value>(body).expect("JSON")["model"].as_str().map(str::to_owned);
    let models: Vec<String> = requests.iter().filter_map(model).collect();
    let expected = ["usual", "researcher", "researcher", "researcher", "usual", "critic", "critic", "critic"];
    assert_eq!(models, expected);
}

/// User research may say of which age or region a group is, with a source like every finding.
#[test]
fn research_keeps_the_demographics_that_a_source_states() {
    let mut team = Team::start(&[(80, 80, 80)], &["--ask-at", "final"]);
    let persona = |quote: &str| {
        let source = json!({ "source": "ticket.md", "line": 1, "quote": quote });
        let told = json!({ "text": "Agents copy orders by hand.", "source": source });
        json!({ "primary_personas": [{ "name": "Agent", "role": told.clone(), "demographics": [told] }] })
    };
    team.each_order(&mut |team, order| match order["step"].as_str() {
        Some("user-research") => persona("Agents copy orders by hand"),
        _ => team.result(order),
    });
    answered(&team.sandbox, &json!({ "approved": true, "because": "fine" })).ends_with(0);
    let persona = team.data()["user_research"]["primary_personas"][0].clone();
    assert_eq!(persona["demographics"][0]["text"], "Agents copy orders by hand.", "{persona:#}");
}
