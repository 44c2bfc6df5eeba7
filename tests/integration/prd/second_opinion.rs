//! Critics that read a draft twice: two orders of one role, the mean of the grades, and the findings of only one
//! reading.

use std::process::Stdio;

use serde_json::{Value, json};

use super::kill::{end_of, is_long};
use super::team::{critique, document, order_export, outline};
use super::{answered, open_ask};
use crate::cli::Sandbox;
use crate::model::server::{Behaviour, Server};

/// A thread whose critics are about to read, with these options of the start.
fn before_the_critics(options: &[&str]) -> Sandbox {
    let (sandbox, vision) = (Sandbox::new(), order_export());
    sandbox.file("ticket.md", &vision.ticket);
    let start = ["prd", "start", &vision.vision, "--from", "ticket.md", "--id", "export", "--flow", "team"];
    let arguments: Vec<&str> =
        start.into_iter().chain(["--author", "agent", "--ask-at", "final"]).chain(options.iter().copied()).collect();
    sandbox.run(&arguments).ends_with(4);
    let mut planned = outline(&vision);
    for section in planned["sections"].as_array_mut().expect("sections") {
        section["research_needed"] = json!(false);
    }
    for result in [planned, document(&vision, 0)] {
        submit(&sandbox, &orders(&sandbox)[0], &result);
    }
    sandbox
}

/// The open orders in full.
fn orders(sandbox: &Sandbox) -> Vec<Value> {
    let report = sandbox.run(&["prd", "next", "export", "--json"]).ends_with(4).json();
    let others = report["other_orders"].as_array().cloned().unwrap_or_default();
    std::iter::once(report["order"].clone()).chain(others).collect()
}

fn submit(sandbox: &Sandbox, order: &Value, result: &Value) {
    let id = order["id"].as_str().expect("an id");
    sandbox.run_with(&["prd", "submit", id, "--json", "-"], &[], &result.to_string()).ends_with(4);
}

/// Submits the critics' results, with the grades of the first and of the second reading.
fn read(sandbox: &Sandbox, open: &[Value], grades: [u8; 2]) {
    for order in open {
        let second = order["inputs"]["secondOpinion"] == true;
        let grade = grades[usize::from(second)];
        let suggestion = if second { "Give a limit […]." } else { "Name the date […]." };
        submit(sandbox, order, &critique(&order["inputs"], grade, &order_export().known, suggestion));
    }
}

#[test]
fn two_readings_that_disagree_are_shown_and_their_mean_counts() {
    let sandbox = before_the_critics(&["--second-opinion", "director", "--max-iterations", "0"]);
    let open = orders(&sandbox);
    let steps: Vec<(&str, bool)> = open
        .iter()
        .map(|order| (order["step"].as_str().expect("a step"), order["inputs"]["secondOpinion"] == true))
        .collect();
    assert_eq!(
        steps,
        [
            ("director-critique", false),
            ("director-critique", true),
            ("design-critique", false),
            ("engineering-critique", false)
        ]
    );
    let shown = sandbox.run(&["prd", "next", "export"]).ends_with(4).stdout;
    assert!(shown.contains("must not know the first reading"), "{shown}");
    read(&sandbox, &open, [90, 60]);
    let request = open_ask(&sandbox)["request"].clone();
    let director = &request["critics"][0];
    assert_eq!(director["score"], 75, "{request:#}");
    let told = director["secondOpinion"].to_string();
    assert!(told.contains("Two readings: 90 and 60") && told.contains("more than 15 points"), "{told}");
    assert!(director["issues"][0].as_str().is_some_and(|issue| issue.contains("(one of two readings)")), "{director}");
    // The other critics have read once and mention no second opinion.
    assert!(request["critics"][1]["secondOpinion"].is_null(), "{request:#}");
    let shown = sandbox.run(&["prd", "resume", "export"]).ends_with(4).stdout;
    assert!(shown.contains("Two readings: 90 and 60"), "{shown}");
    answered(&sandbox, &json!({ "approved": true, "because": "good enough" })).ends_with(0);
    let critiques = sandbox.read("docs/prd/001-export/critiques.md");
    assert!(critiques.contains("disagree by more than 15 points") && critiques.contains("one of two"), "{critiques}");
    let data: Value = serde_json::from_str(&sandbox.read("docs/prd/001-export/prd.json")).expect("JSON");
    let opinion = &data["feedback_rounds"][0]["critiques"][0]["secondOpinion"];
    assert_eq!(opinion["scores"], json!([90, 60]), "{opinion}");
    assert_eq!(opinion["disagreements"].as_array().map(Vec::len), Some(5), "every category: {opinion}");
}

#[test]
fn two_readings_that_agree_say_so_and_name_an_issue_once() {
    let sandbox = before_the_critics(&["--second-opinion", "director,design,engineering", "--max-iterations", "0"]);
    let open = orders(&sandbox);
    assert_eq!(open.len(), 6);
    read(&sandbox, &open, [65, 60]);
    let request = open_ask(&sandbox)["request"].clone();
    for critic in request["critics"].as_array().expect("critics") {
        assert_eq!(critic["score"], 62, "rounded down: {critic}");
        assert_eq!(critic["secondOpinion"].as_array().map(Vec::len), Some(1), "no disagreement: {critic}");
        let issues = critic["issues"].as_array().expect("issues");
        let (read, proven): (Vec<_>, Vec<_>) =
            issues.iter().partition(|one| one.to_string().contains("The plan is open."));
        assert_eq!(read.len(), 5, "each once: {critic}");
        assert!(proven.iter().all(|one| issues.iter().filter(|other| other == one).count() == 1), "{critic}");
        assert!(issues.iter().all(|issue| !issue.to_string().contains("one of two")), "{critic}");
    }
}

/// A second model reads, and the program may be killed anywhere on the way.
#[test]
fn a_second_model_reads_once_wherever_the_program_dies() {
    let vision = order_export();
    let mut planned = outline(&vision);
    for section in planned["sections"].as_array_mut().expect("sections") {
        section["research_needed"] = json!(false);
    }
    let sandbox = before_the_critics(&["--second-opinion", "director,design,engineering"]);
    let reading = |order: &Value| {
        let grade = if order["inputs"]["secondOpinion"] == true { 80 } else { 90 };
        critique(&order["inputs"], grade, &vision.known, "").to_string()
    };
    // A request contains the order as a JSON string, so its quotation marks are written \". The schema names every
    // role.
    let marks = ["\\\"role\\\": \\\"director\\\"", "\\\"role\\\": \\\"design\\\"", "\\\"role\\\": \\\"engineering\\\""];
    let (first, second): (Vec<Value>, Vec<Value>) =
        orders(&sandbox).into_iter().partition(|order| order["inputs"]["secondOpinion"].is_null());
    let of =
        |model: &[Value]| -> Vec<(&'static str, String)> { marks.into_iter().zip(model.iter().map(reading)).collect() };
    let server = |critics: Vec<(&'static str, String)>| {
        Server::new([
            ("team_outline_v1", Behaviour::Says(planned.to_string())),
            ("team_draft_v1", Behaviour::Says(document(&vision, 0).to_string())),
            ("critique_prd_v1", Behaviour::SaysOf(critics)),
        ])
    };
    // All readings have the same grade; only the requested model distinguishes first and second readings.
    let served = server(of(&first));
    assert_eq!(second.len(), 3);
    let url = served.url.clone();
    let lived = |sandbox: &Sandbox, crash_at: Option<usize>, log: bool| {
        let begun = sandbox.run(&["prd", "status", "export"]).code == 0;
        let mut command = sandbox.command();
        match begun {
            true => command.args(["prd", "resume", "export"]),
            false => {
                let start = ["prd", "start", &vision.vision, "--from", "ticket.md", "--id", "export", "--flow", "team"];
                command.args(start).args(["--ask-at", "final"])
            }
        };
        command.args(["--author", "model", "--model", "openai/first", "--base-url", &url]);
        command.args(["--answers", "answers.yaml", "--actor", "ann"]).stdout(Stdio::null()).stderr(Stdio::null());
        command.env("OPENAI_API_KEY", "sk-test").env("PRD_CRITIC_SECOND_MODEL", "openai/second");
        command.env("REQGATE_CACHE", sandbox.path("cache"));
        if log {
            command.env("REQGATE_CRASH_LOG", sandbox.path("boundaries"));
        }
        if let Some(number) = crash_at {
            command.env("REQGATE_CRASH_AT", number.to_string());
        }
        command.status().expect("the program starts").success()
    };
    let team = || {
        let sandbox = Sandbox::new();
        sandbox.file("ticket.md", &vision.ticket);
        sandbox
            .file("answers.yaml", "- {ask: final_approval, answer: {approved: true, because: one question is open}}\n");
        sandbox
    };
    let clean = team();
    assert!(lived(&clean, None, true), "the clean run lives");
    let asked = served.requests.lock().expect("no test panics here").clone();
    let body = |text: &String| serde_json::from_str::<Value>(text).expect("JSON");
    let mut critics: Vec<String> = asked
        .iter()
        .map(body)
        .filter(|body| body["response_format"]["json_schema"]["name"] == "critique_prd_v1")
        .map(|body| body["model"].as_str().unwrap_or_default().to_owned())
        .collect();
    // The six readings run at the same time.
    critics.sort();
    assert_eq!(critics, ["first", "first", "first", "second", "second", "second"]);
    let expected = end_of(&clean);
    let boundaries = clean.read("boundaries").lines().count();
    assert!(boundaries > 30, "only {boundaries} boundaries were reached");
    for number in (1..=boundaries).step_by(if is_long() { 1 } else { 9 }) {
        let sandbox = team();
        assert!(!lived(&sandbox, Some(number), false), "boundary {number} kills");
        assert!(lived(&sandbox, None, false), "after boundary {number} another process goes on");
        assert_eq!(end_of(&sandbox), expected, "boundary {number} of {boundaries}");
    }
}

/// Two researchers read the same ticket: both results are kept, and their differences are shown to the writer and to
/// the person.
#[test]
fn researchers_who_disagree_are_shown_and_neither_is_preferred() {
    let vision = order_export();
    let sandbox = Sandbox::new();
    let ticket = format!("{}An agent exports 40 orders a day.\nIn May it was 60 orders a day.\n", vision.ticket);
    sandbox.file("ticket.md", &ticket);
    let start = ["prd", "start", &vision.vision, "--from", "ticket.md", "--id", "export", "--flow", "team"];
    let options = ["--author", "agent", "--ask-at", "draft,final", "--second-opinion", "market,director"];
    sandbox.run(&start.into_iter().chain(options).collect::<Vec<_>>()).ends_with(4);
    submit(&sandbox, &orders(&sandbox)[0], &outline(&vision));
    let open = orders(&sandbox);
    let steps: Vec<(&str, bool)> = open
        .iter()
        .map(|order| (order["step"].as_str().expect("a step"), order["inputs"]["secondOpinion"] == true))
        .collect();
    let expected = [
        ("market-research", false),
        ("market-research", true),
        ("competitor-research", false),
        ("user-research", false),
    ];
    assert_eq!(steps, expected);
    let said = |text: &str, line: u32| json!({ "text": text, "source": { "source": "ticket.md", "line": line, "quote": text } });
    let market = [
        json!({ "tam": said("An agent exports 40 orders a day.", 5) }),
        json!({ "tam": said("In May it was 60 orders a day.", 6), "threats": [said("DataPorter sells an export for shops.", 4)] }),
    ];
    for (order, result) in open.iter().zip([market[0].clone(), market[1].clone(), json!({}), json!({})]) {
        submit(&sandbox, order, &result);
    }
    let told = [
        "Market: another figure: “An agent exports 40 orders a day.” (ticket.md:5) – “In May it was 60 orders a day.” (ticket.md:6)",
        "Market: only the second reading: “DataPorter sells an export for shops.” (ticket.md:4)",
    ];
    let writing = &orders(&sandbox)[0];
    let documents = writing["inputs"]["documents"].to_string();
    for words in ["second_market_research", "40 orders", "60 orders", "Neither is preferred", told[0], told[1]] {
        assert!(documents.contains(words), "{words}: {documents}");
    }
    submit(&sandbox, writing, &document(&vision, 0));
    let request = open_ask(&sandbox)["request"].clone();
    assert_eq!(request["researchDisagreements"], json!(told), "{request:#}");
    let shown = sandbox.run(&["prd", "resume", "export"]).ends_with(4).stdout;
    assert!(shown.contains("Two readings of the sources disagree:"), "{shown}");
    answered(&sandbox, &json!({ "approved": true })).ends_with(4);
    read(&sandbox, &orders(&sandbox), [90, 90]);
    answered(&sandbox, &json!({ "approved": true, "because": "both figures are named" })).ends_with(0);
    let data: Value = serde_json::from_str(&sandbox.read("docs/prd/001-export/prd.json")).expect("JSON");
    assert_eq!(data["market_research"]["tam"]["text"], "An agent exports 40 orders a day.");
    assert_eq!(data["second_research"]["market_research"]["tam"]["text"], "In May it was 60 orders a day.");
    assert_eq!(data["research_disagreements"].as_array().map(Vec::len), Some(2), "{data:#}");
}

/// A CI system can set a variable without a value.
#[test]
fn a_blank_variable_is_none() {
    let sandbox = Sandbox::new();
    sandbox.file("ticket.md", &order_export().ticket);
    let start = ["prd", "start", "Export orders", "--from", "ticket.md", "--flow", "team", "--author", "agent"];
    let given = |rounds: &str, roles: &str| {
        sandbox.run_with(&start, &[("PRD_MAX_ITERATIONS", rounds), ("PRD_SECOND_OPINION", roles)], "")
    };
    given("", " ").ends_with(4);
    given("1", "nobody").ends_with(2);
}
