//! The kill sweep over the PRD workflow: the built program is killed at every possible point and started again, and
//! must end like an undisturbed run.

use std::process::Stdio;

use regex::Regex;
use serde_json::Value;

use super::project;
use crate::cli::Sandbox;

/// Begins or continues the thread as far as possible; returns true if the process was not killed.
fn lived(sandbox: &Sandbox, crash_at: Option<usize>, log: bool) -> bool {
    lived_in("documents", sandbox, crash_at, log)
}

/// The same with another flow.
pub fn lived_in(flow: &str, sandbox: &Sandbox, crash_at: Option<usize>, log: bool) -> bool {
    let begun = sandbox.run(&["prd", "status", "export"]).code == 0;
    let mut command = sandbox.command();
    match begun {
        true => command.args(["prd", "resume", "export"]),
        false => command.args(["prd", "start", "--from", "ticket.md", "--id", "export", "--flow", flow]),
    };
    command.args(["--answers", "answers.yaml", "--actor", "ann"]).stdout(Stdio::null()).stderr(Stdio::null());
    if log {
        command.env("REQGATE_CRASH_LOG", sandbox.path("boundaries"));
    }
    if let Some(number) = crash_at {
        command.env("REQGATE_CRASH_AT", number.to_string());
    }
    command.status().expect("the program starts").success()
}

/// The compared end state, without times.
#[derive(Debug, PartialEq)]
pub struct End {
    events: Vec<(String, Value)>,
    state: Value,
    files: Vec<(String, String)>,
}

pub fn end_of(sandbox: &Sandbox) -> End {
    let times = Regex::new(r"\d{4}-\d\d-\d\dT[0-9:.]+Z").expect("an expression");
    let hashes = Regex::new(r"[0-9a-f]{64}").expect("an expression");
    // In the second run, answers from before the kill come from the cache without costs.
    let usage = Regex::new(r#""usage":\s*\{[^}]*\}"#).expect("an expression");
    let root = sandbox.path("");
    let plain = |text: &str| {
        let text = usage.replace_all(text, "\"usage\": null");
        let text = times.replace_all(&text, "TIME").replace(&*root.to_string_lossy(), "ROOT/");
        hashes.replace_all(&text.replace(root.to_string_lossy().trim_end_matches('/'), "ROOT"), "HASH").into_owned()
    };
    let json = |arguments: &[&str]| -> Value {
        serde_json::from_str(&plain(&sandbox.run(arguments).ends_with(0).stdout)).expect("JSON")
    };
    sandbox.run(&["prd", "verify", "export"]).ends_with(0);
    let events = json(&["prd", "history", "export", "--format", "json"]);
    let events = events.as_array().expect("a list").iter().map(|event| {
        let mut body = event["body"].clone();
        // A file that was written just before the kill is recorded as unchanged.
        if body["receipt"] == "unchanged" {
            body["receipt"] = "written".into();
        }
        (event["actor"].to_string(), body)
    });
    let folder = "docs/prd/001-export";
    let files = sandbox.names(folder).into_iter().map(|name| {
        let text = plain(&sandbox.read(&format!("{folder}/{name}")));
        (name, text)
    });
    End { events: events.collect(), state: json(&["prd", "show", "export"]), files: files.collect() }
}

/// Returns true if the long tests are requested, which kill at every boundary.
pub fn is_long() -> bool {
    std::env::var_os("EXTENDED").is_some_and(|value| value == "1")
}

#[test]
fn the_program_may_die_anywhere_on_the_way_to_a_prd() {
    let clean = project();
    assert!(lived(&clean, None, true), "the clean run lives");
    let expected = end_of(&clean);
    let boundaries = clean.read("boundaries").lines().count();
    assert!(boundaries > 40, "only {boundaries} boundaries were reached: is this a build without debug assertions?");
    let stride = if is_long() { 1 } else { 9 };
    let mut kills = 0;
    for number in (1..=boundaries).step_by(stride) {
        let sandbox = project();
        assert!(!lived(&sandbox, Some(number), false), "boundary {number} kills");
        assert!(lived(&sandbox, None, false), "after boundary {number} another process goes on");
        assert_eq!(end_of(&sandbox), expected, "boundary {number} of {boundaries}");
        kills += 1;
    }
    println!("0 of {kills} kills at {boundaries} boundaries end with an abandoned run, another state or another file");
}

/// The flow of a team: a person edits the draft, critics check its form, and a person accepts it.
#[test]
fn the_program_may_die_anywhere_on_the_way_of_a_team() {
    let answers = "- {ask: clarification, answer: {answers: {vision: Agents answer in two minutes.}}}\n\
                   - {ask: outline_approval, answer: approve}\n- {ask: draft_approval, answer: approve}\n\
                   - {ask: final_approval, answer: {approved: false, userFeedback: Shorter.}}\n\
                   - {ask: revision_approval, answer: {approved: true, editedDocument: \"# PRD: Export\\n\\nShort.\\n\"}}\n\
                   - {ask: final_approval, answer: {approved: true, because: a start}}\n";
    let team = || {
        let sandbox = project();
        sandbox.file("answers.yaml", answers);
        sandbox
    };
    let clean = team();
    assert!(lived_in("team", &clean, None, true), "the clean run lives");
    let expected = end_of(&clean);
    assert!(expected.files.iter().any(|(name, _)| name == "prd_v2.md"), "a person wrote the second draft");
    let boundaries = clean.read("boundaries").lines().count();
    assert!(boundaries > 30, "only {boundaries} boundaries were reached");
    for number in (1..=boundaries).step_by(if is_long() { 1 } else { 9 }) {
        let sandbox = team();
        assert!(!lived_in("team", &sandbox, Some(number), false), "boundary {number} kills");
        assert!(lived_in("team", &sandbox, None, false), "after boundary {number} another process goes on");
        assert_eq!(end_of(&sandbox), expected, "boundary {number} of {boundaries}");
    }
}

#[test]
fn the_program_may_die_again_and_again() {
    let clean = project();
    assert!(lived(&clean, None, false));
    let expected = end_of(&clean);
    for seed in 0..if is_long() { 40 } else { 2 } {
        let mut random = fastrand::Rng::with_seed(seed);
        let sandbox = project();
        let mut deaths = 0;
        while !lived(&sandbox, (deaths < 10).then(|| random.usize(1..40)), false) {
            deaths += 1;
        }
        assert_eq!(end_of(&sandbox), expected, "seed {seed}, {deaths} deaths");
    }
}

#[test]
fn of_many_programs_one_works_on_a_thread_and_the_others_say_so() {
    let sandbox = project();
    super::started(&sandbox, &[]).ends_with(4);
    let codes: Vec<Option<i32>> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..4)
            .map(|_| {
                let mut command = sandbox.command();
                command.args(["prd", "resume", "export", "--answers", "answers.yaml"]);
                command.stdout(Stdio::null()).stderr(Stdio::null());
                scope.spawn(move || command.status().expect("the program starts").code())
            })
            .collect();
        workers.into_iter().map(|worker| worker.join().expect("a worker")).collect()
    });
    assert!(codes.contains(&Some(0)), "{codes:?}");
    assert!(codes.iter().all(|code| matches!(code, Some(0 | 3))), "{codes:?}");
    sandbox.run(&["prd", "verify", "export"]).ends_with(0);
    assert!(sandbox.read("docs/prd/001-export/prd.md").contains("status: approved"));
}
